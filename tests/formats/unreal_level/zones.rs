//! Zones, skies, windows.

use super::*;

#[test]
fn zones_are_parted_by_the_tree_and_known_by_their_infos() {
    let map = yard(Properties::new()).map();
    // The scene's Y is the file's Z.
    for (point, zone) in [
        ([0.0, 10.0, 0.0], 1),
        ([0.0, -5.0, 0.0], 0),
        ([0.0, 900.0, 0.0], 0),
        ([999.0, 10.0, 50.0], 1),
        ([1001.0, 10.0, 50.0], 2),
        ([1001.0, 400.0, 50.0], 0),
    ] {
        assert_eq!(map.tree.zone_at(Vec3::from(point)), zone, "{point:?}");
    }
    assert_eq!(map.tree.nodes[0].plane, Vec4::new(1.0, 0.0, 0.0, 1000.0));
    assert_eq!(map.tree.nodes[1].plane, Vec4::new(0.0, 1.0, 0.0, 0.0));
    assert_eq!((map.tree.nodes[0].children, map.tree.nodes[0].zones), ([Some(1), Some(3)], [1, 2]));
    let [none, yard, sky] = map.zones.as_slice() else { panic!("{:?}", map.zones) };
    assert_eq!((none.name.as_str(), none.actor, none.is_water), ("", None, false));
    assert_eq!((none.view_flash, none.view_fog), (Vec3::ONE, Vec3::ZERO));
    assert_eq!((yard.name.as_str(), yard.actor, yard.is_water), ("The Yard", Some(number(&map, "ZoneInfo0")), true));
    assert_eq!((yard.view_flash, yard.view_fog), (Vec3::new(0.75, 1.0, 0.0), Vec3::new(0.1, 0.2, 0.3)));
    assert_eq!((sky.name.as_str(), sky.is_water), ("SkyZoneInfo0", false));
    // Where the actors stand, since none says it.
    assert_eq!(["PlayerStart0", "SkyZoneInfo0", "ZoneInfo0"].map(|name| actor(&map, name).zone), [1, 2, 1]);
}

#[test]
fn an_actors_own_word_on_its_zone_counts() {
    let mut made = yard(Properties::new());
    let region = Value::point_region(made.info, 0, 2);
    made.actor("Light", "Light0", at(10.0, 0.0, 20.0).with("Region", region));
    let map = made.map();
    assert_eq!(actor(&map, "Light0").zone, 2);
    let light = map.items.iter().find(|item| item.actor == Some(number(&map, "Light0"))).unwrap();
    assert_eq!(light.sky, Some(0));
}

/// Zone 0 is what an actor says from before the level was built: where it stands counts.
#[test]
fn an_actor_that_names_zone_0_is_in_the_zone_where_it_stands() {
    let mut made = yard(Properties::new());
    let region = Value::point_region(made.info, 0, 0);
    made.actor("Light", "Light0", at(10.0, 0.0, 20.0).with("Region", region.clone()));
    made.actor("Light", "Light1", at(10.0, 0.0, -20.0).with("Region", region));
    let map = made.map();
    assert_eq!(["Light0", "Light1"].map(|name| actor(&map, name).zone), [1, 0]);
}

#[test]
fn the_sky_is_a_room_of_its_own_seen_through_windows() {
    let map = yard(Properties::new().with("Rotation", Value::rotator(0, QUARTER, 0))).map();
    let [sky] = map.skies.as_slice() else { panic!("{:?}", map.skies) };
    // A yaw turns the file's X towards its Y, which is the scene's Z: about the scene's −Y.
    let turn = Quat::from_rotation_y(-TAU / 4.0);
    assert!(sky.rotation.angle_between(turn) < 1e-3, "{sky:?}");
    let expected =
        MapSky { actor: number(&map, "SkyZoneInfo0"), location: Vec3::new(2000.0, 100.0, 0.0), zone: 2, ..*sky };
    assert_eq!(*sky, expected);
    assert_eq!(map.zones.iter().map(|zone| zone.sky).collect::<Vec<_>>(), [Some(0), Some(0), None]);
    assert_eq!(map.windows, [MapWindow::Sky(0)]);

    let worlds = items(&map, MapItemKind::World);
    let sources = |model: &Model| {
        let mut sources = model.meshes[0].triangle_sources.clone();
        sources.sort_unstable();
        sources.dedup();
        sources
    };
    let found: Vec<_> = worlds.iter().map(|(item, model)| (item.sky, sources(model))).collect();
    // The sheet looks into the sky's room.
    assert_eq!(found, [(None, vec![1, 2, 5]), (Some(0), vec![0, 3, 4])]);

    let look = |number| {
        let basic = surface(&map, number);
        (basic.role, basic.hidden, basic.window)
    };
    assert_eq!(look(2), (SurfaceRole::Backdrop, true, Some(0)));
    assert_eq!(look(5), (SurfaceRole::Backdrop, true, None));
    assert_eq!(look(1), (SurfaceRole::Ordinary, false, None));
    // The room does not see itself.
    assert_eq!(look(4), (SurfaceRole::Ordinary, false, None));
    // It pans at the sky's own speed.
    let motion = TextureMotion { pan: Vec2::new(35.0, 0.0), wavy: false, size: Vec2::splat(256.0) };
    assert_eq!(surface(&map, 3).motion, Some(motion));
    let of_actor = |name: &str| {
        let actor = number(&map, name);
        map.items.iter().find(|item| item.actor == Some(actor)).unwrap().sky
    };
    assert_eq!(["SkyZoneInfo0", "PlayerStart0", "ZoneInfo0"].map(of_actor), [Some(0), None, None]);
}

#[test]
fn zones_see_the_sky_that_they_name_or_the_fine_one() {
    // What each zone sees of two skies, after something more was said of the zone's, the first's and the second's infos.
    let seen = |more: fn(&mut Made, [Ref; 3])| {
        let mut made = yard(Properties::new());
        let region = Value::point_region(made.info, 0, 3);
        let second = made.actor("SkyZoneInfo", "SkyZoneInfo1", at(0.0, 0.0, 9000.0).with("Region", region));
        made.zone(second);
        let infos = [made.actors[1].0, made.actors[2].0, second];
        more(&mut made, infos);
        made.map().zones.iter().map(|zone| zone.sky).collect::<Vec<_>>()
    };
    // Neither is for high detail: the last, but not for its own room.
    assert_eq!(seen(|_, _| ()), [Some(1), Some(1), Some(1), None]);
    let first_is_fine =
        |made: &mut Made, [_, first, _]: [Ref; 3]| made.say(first, Properties::new().bool("bHighDetail", true));
    assert_eq!(seen(first_is_fine), [Some(0), Some(0), None, Some(0)]);
    let yard_names_first =
        |made: &mut Made, [yard, first, _]: [Ref; 3]| made.say(yard, Properties::new().object("SkyZone", first));
    assert_eq!(seen(yard_names_first), [Some(1), Some(0), Some(1), None]);
}

#[test]
fn a_level_without_a_sky_is_one_item_and_its_backdrops_are_walls() {
    let mut made = Made::new();
    made.wall((BACKDROP, Ref(0)), [0.0; 3], [0.0, 0.0, 1.0], [0, 1]);
    let zone = made.actor("ZoneInfo", "ZoneInfo0", at(0.0, 0.0, 9.0));
    made.zone(zone);
    // One in whose zone players start is no sky, nor is one outside all zones.
    made.actor("SkyZoneInfo", "SkyZoneInfo0", at(0.0, 0.0, 10.0));
    made.actor("SkyZoneInfo", "SkyZoneInfo1", at(0.0, 0.0, -10.0));
    made.actor("PlayerStart", "PlayerStart0", at(5.0, 0.0, 10.0));
    let map = made.map();
    assert_eq!((map.skies.len(), map.windows.len(), items(&map, MapItemKind::World).len()), (0, 0, 1));
    let wall = surface(&map, 0);
    assert_eq!((wall.role, wall.hidden, wall.window), (SurfaceRole::Ordinary, false, None));
    assert!(map.items.iter().all(|item| item.sky.is_none()));
}

#[test]
fn pictures_move_as_their_flags_and_their_zone_say() {
    let mut made = yard(Properties::new());
    let own = made.texture("Own", [9; 3], Properties::new().bool("bAutoVPan", true));
    let up = [0.0, 0.0, 1.0];
    let still = made.wall((0, Ref(0)), [0.0, 0.0, 1.0], up, [0, 1]);
    let pans = made.wall((PAN_U | PAN_V, own), [0.0, 0.0, 2.0], up, [0, 1]);
    let by_texture = made.wall((WAVY, own), [0.0, 0.0, 3.0], up, [0, 1]);
    // In front lies no zone with an info: what lies behind counts; where neither has one, the level.
    let behind = made.wall((PAN_U, own), [0.0, 0.0, 4.0], up, [1, 0]);
    let level = made.wall((PAN_U, own), [0.0, 0.0, 5.0], up, [0, 0]);
    made.say(made.info, Properties::new().float("TexUPanSpeed", 3.0));
    let map = made.map();
    let motion =
        |number: i32| surface(&map, number as u32).motion.map(|m| (m.pan.to_array(), m.wavy, m.size.to_array()));
    let size = [64.0, 32.0];
    assert_eq!(motion(still), None);
    assert_eq!(motion(pans), Some(([70.0, -17.5], false, size)));
    assert_eq!(motion(by_texture), Some(([0.0, -17.5], true, size)));
    // The texture's own flag pans along V too.
    assert_eq!(motion(behind), Some(([70.0, -17.5], false, size)));
    assert_eq!(motion(level), Some(([105.0, 35.0], false, size)));
    assert!(map.moves());
    assert_eq!(map.surfaces[pans as usize].texture_path, "Yard.Own");
}

#[test]
fn surfaces_of_one_plane_are_one_mirror() {
    let mut made = Made::new();
    let up = [0.0, 0.0, 1.0];
    let (a, b) = ([0.0, 0.0, 10.0], [200.0, 0.0, 10.0]);
    let first = made.wall((MIRRORED | 0x4, Ref(0)), a, up, [0, 1]);
    made.wall((MIRRORED | 0x4, Ref(0)), b, up, [0, 1]);
    let below = made.wall((MIRRORED, Ref(0)), [0.0, 0.0, 20.0], [0.0, 0.0, -1.0], [0, 1]);
    let hidden = made.wall((MIRRORED | INVISIBLE, Ref(0)), [0.0, 0.0, 30.0], up, [0, 1]);
    let map = made.map();
    let planes = [Vec4::new(0.0, 1.0, 0.0, 10.0), Vec4::new(0.0, -1.0, 0.0, -20.0)];
    let found = [first, below].map(|wall| {
        let basic = surface(&map, wall as u32);
        assert!(!basic.hidden);
        match map.windows[basic.window.unwrap() as usize] {
            MapWindow::Mirror(plane) => plane,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!((found, map.windows.len()), (planes, 2));
    assert_eq!(surface(&map, first as u32).blend, Blend::Translucent);
    assert_eq!(surface(&map, hidden as u32).window, None);
}

#[test]
fn there_are_no_more_windows_than_can_be_drawn() {
    let mut made = Made::new();
    for step in 0..400 {
        made.wall((MIRRORED, Ref(0)), [0.0, 0.0, step as f32 * 3.0], [0.0, 0.0, 1.0], [0, 1]);
    }
    let map = made.map();
    assert_eq!(map.windows.len(), 256);
    let model = items(&map, MapItemKind::World)[0].1;
    let without = model.materials.iter().filter(|m| matches!(&m.kind, MaterialKind::Basic(b) if b.window.is_none()));
    assert_eq!(without.count(), 1);
}

/// Two rooms with a portal each to a warp zone behind it. The second's faces into its warp zone, and its actor looks there by
/// `yaw`.
fn warp(yaw: i32) -> (Arc<Map>, [u32; 2]) {
    let mut made = Made::new();
    let portal = (PORTAL | INVISIBLE, Ref(0));
    let first = made.wall(portal, [500.0, 0.0, 50.0], [-1.0, 0.0, 0.0], [2, 1]);
    let second = made.wall(portal, [0.0, -300.0, 50.0], [0.0, -1.0, 0.0], [1, 3]);
    made.zone(Ref(0));
    let info = made.info;
    for (zone, name, tag, other, place, yaw) in [
        (2, "WarpZoneInfo0", "Here", "THERE", at(500.0, 0.0, 50.0), 0),
        (3, "WarpZoneInfo1", "There", "here", at(0.0, -300.0, 50.0), yaw),
    ] {
        let own = place
            .name("ThisTag", tag)
            .string("OtherSideURL", other)
            .with("Rotation", Value::rotator(0, yaw, 0))
            .with("Region", Value::point_region(info, 0, zone));
        let actor = made.actor("WarpZoneInfo", name, own);
        made.zone(actor);
    }
    (made.map(), [first as u32, second as u32])
}

#[test]
fn one_goes_into_a_warp_zone_and_comes_out_of_the_other() {
    // The two actors look the same way through their portals, in and out, or both look in.
    for yaw in [QUARTER, -QUARTER] {
        let (map, portals) = warp(yaw);
        assert_eq!(map.windows.len(), 2, "{yaw}");
        let [there, back] = portals.map(|wall| {
            let basic = surface(&map, wall);
            assert_eq!((basic.role, basic.hidden), (SurfaceRole::Portal, true));
            match map.windows[basic.window.unwrap() as usize] {
                MapWindow::Warp { here_from_there, there } => (here_from_there, there),
                other => panic!("{other:?}"),
            }
        });
        // Ten units out of the second portal lie ten units behind the first, and what is to the right there is so here.
        let placed = there.0.transform_point3(Vec3::new(30.0, 50.0, -290.0));
        assert!(placed.distance(Vec3::new(510.0, 50.0, -30.0)) < 1e-2, "{yaw}: {placed}");
        assert_eq!(there.1, Vec4::new(0.0, 0.0, 1.0, -300.0));
        // And the other way round: out of the first is towards −X, which lies behind the second, towards −Z.
        let placed = back.0.transform_point3(Vec3::new(490.0, 50.0, -30.0));
        assert!(placed.distance(Vec3::new(30.0, 50.0, -310.0)) < 1e-2, "{yaw}: {placed}");
        assert_eq!(back.1, Vec4::new(-1.0, 0.0, 0.0, -500.0));
        // A portal is seen from outside its warp zone.
        let mesh = &items(&map, MapItemKind::World)[0].1.meshes[0];
        for (vertex, source) in mesh.vertex_sources.iter().enumerate().filter(|(_, source)| **source == portals[1]) {
            assert_eq!((mesh.normals[vertex], mesh.vertex_zones[vertex]), (Vec3::Z, 1), "{source}");
        }
    }
}

/// A warp zone whose other side is not there, or has no portal, is a portal as any other.
#[test]
fn a_warp_zone_alone_shows_nothing() {
    let mut made = Made::new();
    let wall = made.wall((PORTAL | INVISIBLE, Ref(0)), [0.0; 3], [0.0, 0.0, 1.0], [1, 2]);
    let region = Value::point_region(made.info, 0, 1);
    let own = at(0.0, 0.0, -9.0).name("ThisTag", "A").string("OtherSideURL", "B").with("Region", region);
    made.actor("WarpZoneInfo", "WarpZoneInfo0", own);
    let region = Value::point_region(made.info, 0, 3);
    made.actor("WarpZoneInfo", "WarpZoneInfo1", at(0.0, 0.0, 9.0).name("ThisTag", "B").with("Region", region));
    let map = made.map();
    assert_eq!((map.windows.len(), surface(&map, wall as u32).window), (0, None));
}
