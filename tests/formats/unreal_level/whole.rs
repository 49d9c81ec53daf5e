//! Damaged levels, and those of the corpus and the samples.

use super::*;

#[test]
fn trees_that_bite_their_tails_and_planes_that_are_none_end() {
    let mut made = yard(Properties::new());
    made.children(0, 0, 3);
    made.children(1, 2, 2);
    made.children(3, -7, 1_000_000);
    made.model.nodes[4].plane = [f32::NAN; 4];
    let map = made.map();
    let children: Vec<_> = map.tree.nodes.iter().take(4).map(|node| node.children).collect();
    assert_eq!(children, [[None, Some(3)], [None, None], [None, None], [None, None]]);
    assert_eq!(map.tree.nodes[4].plane, Vec4::ZERO);
    assert_eq!(map.tree.zone_at(Vec3::new(0.0, 10.0, 0.0)), 1);
}

#[test]
fn damage_leaves_sound_levels() {
    let mut made = yard(Properties::new());
    made.wall((MIRRORED | PAN_V, Ref(0)), [0.0, 0.0, 9.0], [0.0, 0.0, 1.0], [0, 1]);
    let [first, second] = ["PathNode0", "PathNode1"].map(|name| made.actor("PathNode", name, at(0.0, 0.0, 9.0)));
    made.ways.push(ReachSpec {
        distance: 9,
        start: first,
        end: second,
        radius: 40,
        height: 35,
        flags: 1,
        pruned: false,
    });
    let whole = made.bytes();
    let mut noise = Noise::new(23);
    let mut maps = 0;
    for _ in 0..1500 {
        let mut bytes = whole.clone();
        for _ in 0..1 + noise.below(8) {
            let place = noise.below(bytes.len());
            bytes[place] = noise.next() as u8;
        }
        let Some(left) = damaged("Yard.unr", &bytes) else { continue };
        for (_, asset) in &left.shown {
            let Asset::Map(map) = asset else { continue };
            check(map);
            maps += 1;
        }
    }
    assert!(maps > 700, "{maps}");
}

#[test]
fn the_corpus_map_has_sound_numbers() {
    let Some((file, _)) = package("SCR-CityStreet.unr") else { return };
    let (map, found) = read(&file);
    assert_eq!(found, []);
    check(&map);
    assert!(map.zones.len() > 1 && !map.tree.nodes.is_empty());
    // What the editor wrote down of where actors stand is what the tree says.
    let placed = map.actors.iter().filter(|actor| actor.zone != 0 && actor.class != "Brush");
    let (mut same, mut all) = (0, 0);
    for actor in placed {
        all += 1;
        same += usize::from(map.tree.zone_at(actor.location) == actor.zone);
    }
    assert!(all > 50 && same * 20 >= all * 19, "{same} of {all}");
    let starts: Vec<&MapActor> = map.actors.iter().filter(|actor| actor.class == "PlayerStart").collect();
    assert_eq!(starts.len(), 12);
    assert!(starts.iter().all(|start| start.zone != 0), "{starts:?}");
    assert!(!map.paths.is_empty() && map.paths.iter().all(|path| path.radius > 0.0 && path.height > 0.0));
    assert!(map.actors.iter().all(|actor| !actor.tag.is_empty()));
    // Its sky is a room that none of the starts is in.
    assert!(map.skies.iter().all(|sky| starts.iter().all(|start| start.zone != sky.zone)));
    assert_eq!(items(&map, MapItemKind::World).len(), 1 + map.skies.len());
}

#[test]
fn the_yard_has_all_that_moves() {
    let (map, found) = read(&open_file(&samples().join("BoneYard.unr")));
    assert_eq!(found, []);
    check(&map);
    assert_eq!(map.missing, ["1 texture of BoneLost was not found"]);
    let zones: Vec<_> = map.zones.iter().map(|zone| (zone.name.as_str(), zone.sky, zone.is_water)).collect();
    let wanted =
        [("", Some(0), false), ("The Yard", Some(0), false), ("The Pond", Some(0), true), ("The Sky", None, false)];
    assert_eq!(zones, wanted);
    assert_eq!(map.zones[2].view_fog, Vec3::new(0.02, 0.12, 0.13));
    for actor in map.actors.iter().filter(|actor| !["Brush", "LevelInfo"].contains(&actor.class.as_str())) {
        assert_eq!(map.tree.zone_at(actor.location), actor.zone, "{}", actor.name);
    }
    assert_eq!((map.skies.len(), map.skies[0].location), (1, Vec3::new(1856.0, 80.0, 0.0)));
    assert_eq!(map.windows.len(), 2);
    assert!(map.windows.contains(&MapWindow::Sky(0)));
    assert!(map.windows.contains(&MapWindow::Mirror(Vec4::new(0.0, 0.0, -1.0, -368.0))));
    assert_eq!(items(&map, MapItemKind::World).iter().map(|(item, _)| item.sky).collect::<Vec<_>>(), [None, Some(0)]);

    let mover = &map.movers[0];
    let places: Vec<_> = mover.keys.iter().map(|key| (key.location - mover.keys[0].location).to_array()).collect();
    assert_eq!(places, [[0.0; 3], [0.0, 96.0, 0.0], [0.0, 96.0, 72.0]]);
    assert_eq!(actor(&map, "Trigger0").event, actor(&map, "Mover0").tag);
    assert_eq!(actor(&map, "Trigger0").collision, Some([48.0, 40.0]));
    let mut live: Vec<&str> = map.live.iter().map(|live| live.still.name.as_str()).collect();
    live.sort_unstable();
    assert_eq!(live, ["Campfire", "Pond", "Spin_A00"]);
    assert_eq!((items(&map, MapItemKind::Corona).len(), map.starts.len()), (1, 2));
    assert_eq!((map.paths.len(), map.paths.iter().filter(|path| path.pruned).count()), (11, 1));
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let next = &actor(&map, &format!("PatrolPoint{from}")).next;
        assert_eq!(*next, [("Nextpatrol".to_owned(), number(&map, &format!("PatrolPoint{to}")))]);
    }
    let looks: Vec<&BasicMaterial> = items(&map, MapItemKind::World)
        .into_iter()
        .flat_map(|(_, model)| (0..model.materials.len()).map(|material| basic(model, material as u32)))
        .collect();
    for blend in [Blend::Opaque, Blend::Masked, Blend::Translucent, Blend::Modulated] {
        assert!(looks.iter().any(|look| look.blend == blend && !look.hidden), "{blend:?}");
    }
    let pans: Vec<[f32; 2]> = looks.iter().filter_map(|look| look.motion).map(|motion| motion.pan.to_array()).collect();
    // The sign, the clouds at a quarter and a tenth of it, and the bottom of the pond, which waves alone.
    assert!(pans.contains(&[35.0, 0.0]) && pans.contains(&[8.75, 3.5]) && pans.contains(&[0.0; 2]), "{pans:?}");
    assert!(looks.iter().any(|look| look.motion.is_some_and(|motion| motion.wavy)));
}
