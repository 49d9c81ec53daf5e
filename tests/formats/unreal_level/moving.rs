//! Movers along their keys, pictures that change.

use super::*;

/// The model of a brush of one triangle.
fn brush_with(made: &mut Made, flags: u32) -> Ref {
    brush_of(made, &[Poly { flags, ..triangle() }])
}

fn triangle() -> Poly {
    Poly {
        normal: [0.0, 0.0, 1.0],
        texture_u: [1.0, 0.0, 0.0],
        texture_v: [0.0, 1.0, 0.0],
        vertices: vec![[15.0, 6.0, 7.0], [15.0, 16.0, 7.0], [25.0, 16.0, 7.0]],
        item: "Sheet".to_owned(),
        ..Poly::default()
    }
}

/// A Model with its polygons.
fn brush_of(made: &mut Made, triangles: &[Poly]) -> Ref {
    let [model, polys] = ["Model", "Polys"].map(|class| made.package.class("Engine", class));
    let polys = made.package.add(&Export::new(polys, "Polys0"), |out| write_polys(out, triangles));
    let data = ModelData { polys, root_outside: true, ..ModelData::default() };
    made.package.add(&Export::new(model, "Model1"), |out| write_model(out, &data))
}

/// A level with a mover of one triangle.
fn moving(own: Properties) -> Made {
    let mut made = Made::new();
    let shape = brush_with(&mut made, WAVY);
    made.actor("Mover", "Mover0", own.object("Brush", shape));
    made
}

#[test]
fn a_mover_goes_through_its_keys() {
    let own = at(100.0, 200.0, 350.0)
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 0.0, 50.0)))
        .and(Properties::new().with_element("KeyPos", 2, Value::vector(10.0, 0.0, 50.0)))
        .and(Properties::new().with_element("KeyPos", 3, Value::vector(f32::NAN, 0.0, 0.0)))
        .and(Properties::new().with_element("KeyRot", 2, Value::rotator(0, 65_536 + QUARTER, 0)))
        .byte("KeyNum", 1)
        .byte("NumKeys", 4)
        .float("MoveTime", 2.5)
        .byte("MoverGlideType", 0)
        .with("BasePos", Value::vector(100.0, 200.0, 300.0))
        .with("BaseRot", Value::rotator(0, QUARTER, 0))
        .with("MainScale", Value::scale(2.0, 1.0, 1.0))
        .with("PostScale", Value::scale(1.0, 3.0, 1.0))
        .with("PrePivot", Value::vector(5.0, 6.0, 7.0))
        .with("Rotation", Value::rotator(0, QUARTER, 0))
        .name("Tag", "Lift")
        .name("Event", "Bell");
    let map = moving(own).map();
    let [mover] = map.movers.as_slice() else { panic!("{:?}", map.movers) };
    assert_eq!((mover.keys.len(), mover.start, mover.seconds, mover.glides), (4, 1, 2.5, false));
    let places: Vec<_> = mover.keys.iter().map(|key| key.location.to_array()).collect();
    // A key that is none is the base.
    assert_eq!(places, [[100.0, 300.0, 200.0], [100.0, 350.0, 200.0], [110.0, 350.0, 200.0], [100.0, 300.0, 200.0]]);
    assert!((mover.keys[0].turn[1] - TAU / 4.0).abs() < 1e-5);
    assert!((mover.keys[2].turn[1] - 1.5 * TAU).abs() < 1e-4, "{:?}", mover.keys[2]);
    // (15, 6, 7) − PrePivot = (10, 0, 0); × 2 = (20, 0, 0); a quarter turn makes it (0, 20, 0); × 3 = (0, 60, 0); at key 1, from
    // (100, 200, 350), it is (100, 260, 350): in the scene (100, 350, 260).
    let corner = Vec3::new(15.0, 7.0, 6.0);
    let placed = |key: f32| mover.world_from_model(key).transform_point3(corner);
    assert!(placed(1.0).distance(Vec3::new(100.0, 350.0, 260.0)) < 1e-3, "{}", placed(1.0));
    // At key 2 it has turned by another quarter, to (−20, 0, 0), and stands at (110, 200, 350).
    assert!(placed(2.0).distance(Vec3::new(90.0, 350.0, 200.0)) < 1e-2, "{}", placed(2.0));
    let item = &map.items[mover.item as usize];
    assert_eq!((item.kind, item.world_from_model), (MapItemKind::Mover, mover.world_from_model(1.0)));
    let outline = map.items.iter().find(|i| i.kind == MapItemKind::Brush).unwrap();
    assert_eq!(outline.world_from_model, item.world_from_model);
    let door = actor(&map, "Mover0");
    assert_eq!((door.tag.as_str(), door.event.as_str()), ("Lift", "Bell"));
    let model = &map.models[item.model as usize];
    assert!(basic(model, 0).motion.is_some_and(|motion| motion.wavy && motion.pan == Vec2::ZERO));
}

#[test]
fn a_mover_that_says_little_stands_where_it_is() {
    let map =
        moving(at(1.0, 2.0, 3.0).and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 9.0, 0.0)))).map();
    let mover = &map.movers[0];
    // As the class has it: two keys, a second, gliding.
    assert_eq!((mover.keys.len(), mover.start, mover.seconds, mover.glides), (2, 0, 1.0, true));
    assert_eq!(mover.keys[0].location, Vec3::new(1.0, 3.0, 2.0));
    assert_eq!(mover.keys[1].location, Vec3::new(1.0, 3.0, 11.0));
    // One that stands at another key now started elsewhere.
    let own = at(1.0, 2.0, 3.0).byte("KeyNum", 1).with("Rotation", Value::rotator(0, QUARTER, 0));
    let own = own
        .and(Properties::new().with_element("KeyPos", 1, Value::vector(0.0, 9.0, 0.0)))
        .and(Properties::new().with_element("KeyRot", 1, Value::rotator(0, QUARTER, 0)));
    let map = moving(own).map();
    let mover = &map.movers[0];
    assert_eq!((mover.start, mover.keys[0].location), (1, Vec3::new(1.0, 3.0, -7.0)));
    assert_eq!(mover.keys[0].turn, [0.0; 3]);
}

#[test]
fn movers_that_are_nowhere_are_left_out() {
    for own in [at(f32::NAN, 0.0, 0.0), at(0.0, 0.0, 0.0).with("PrePivot", Value::vector(f32::INFINITY, 0.0, 0.0))] {
        let (map, found) = read(&open::open("Yard.unr", moving(own).bytes()));
        check(&map);
        assert_eq!((map.movers.len(), codes(&found)), (0, vec!["unreal.bad-object"]));
    }
    // Counts that are too large are held.
    let map = moving(at(0.0, 0.0, 0.0).int("NumKeys", i32::MAX).int("KeyNum", i32::MAX)).map();
    assert_eq!((map.movers[0].keys.len(), map.movers[0].start), (24, 23));
}

#[test]
fn pictures_that_change_are_known_by_the_still_that_models_hold() {
    let mut made = Made::new();
    let second = made.texture("Flag1", [20, 0, 0], Properties::new());
    let first =
        made.texture("Flag0", [10, 0, 0], Properties::new().object("AnimNext", second).float("MaxFrameRate", 8.0));
    let alone = made.texture("Alone", [30, 0, 0], Properties::new());
    let up = [0.0, 0.0, 1.0];
    for texture in [first, alone, first] {
        made.wall((0, texture), [0.0; 3], up, [0, 1]);
    }
    made.actor("Decoration", "Decoration0", at(0.0, 0.0, 9.0).object("Texture", first));
    let map = made.map();
    let [live] = map.live.as_slice() else { panic!("{:?}", map.live) };
    let LiveKind::FlipBook(book) = &live.kind else { panic!("{live:?}") };
    assert_eq!((book.frames.len(), book.rate_hz), (2, 8.0));
    assert!(Arc::ptr_eq(&book.frames[0], &live.still));
    assert_eq!([&book.frames[0], &book.frames[1]].map(|frame| frame.rgba[0]), [10, 20]);
    let holders = map.models.iter().filter(|model| model.images.iter().any(|image| Arc::ptr_eq(image, &live.still)));
    assert_eq!(holders.count(), 2, "the walls and the sprite");
    assert!(map.moves());
}

#[test]
fn computed_pictures_of_a_level_are_live() {
    let (map, found) = read(&open_file(&samples().join("BoneRoom.unr")));
    assert_eq!(found, []);
    check(&map);
    let mut names = Vec::new();
    for live in &map.live {
        let LiveKind::Computed(program) = &live.kind else { panic!("{live:?}") };
        assert_eq!((live.still.width, live.still.height), (program.width, program.height));
        assert!(map.models.iter().any(|model| model.images.iter().any(|image| Arc::ptr_eq(image, &live.still))));
        names.push(program.name.as_str());
    }
    names.sort_unstable();
    assert_eq!(names, ["Campfire", "Pond"]);
    // The door, the way through the rooms, the zones.
    assert_eq!((map.movers.len(), map.paths.len(), map.zones.len()), (1, 2, 3));
    let door = &map.movers[0];
    assert_eq!(door.keys.iter().map(|key| key.location.y).collect::<Vec<_>>(), [188.0, 80.0]);
    assert_eq!((door.seconds, actor(&map, "Mover0").tag.as_str()), (1.4, "Door"));
    assert_eq!(map.zones[2].name, "The Nook");
    for name in ["PlayerStart0", "PathNode0", "AmbientSound0"] {
        let actor = actor(&map, name);
        assert_eq!(map.tree.zone_at(actor.location), actor.zone, "{name}");
    }
    assert_eq!(actor(&map, "AmbientSound0").sound_radius, Some(25.0 * 21.0));
    assert!(map.surfaces.iter().any(|surface| surface.texture_path == "BoneboxFX.Rooms.Planks"));
}

/// A level with so many walls, each with a fire of its own that runs for `prime` frames before it is seen.
fn fires(count: usize, side: u32, prime: u8) -> Made {
    let mut made = Made::new();
    let class = made.package.class("Fire", "FireTexture");
    for number in 0..count {
        let mips = vec![Mip { width: side, height: side, bytes: Vec::new() }];
        let properties = Properties::new().byte("PrimeCount", prime).byte("RenderHeat", 220);
        let data = TextureData { mips, properties, ..TextureData::default() };
        let spark = Spark { kind: 0, heat: 250, x: 3, y: 3, ..Spark::default() };
        let fire = made.package.add(&Export::new(class, &format!("Fire{number}")), |out| {
            write_texture(out, &data);
            write_sparks(out, &[spark; 3]);
        });
        made.wall((0, fire), [0.0, 0.0, number as f32], [0.0, 0.0, 1.0], [0, 1]);
    }
    made
}

#[test]
fn the_still_of_a_fire_is_the_frame_that_the_level_begins_with() {
    for prime in [0, 60] {
        let map = fires(1, 32, prime).map();
        let [live] = map.live.as_slice() else { panic!("{:?}", map.live) };
        let LiveKind::Computed(program) = &live.kind else { panic!("{live:?}") };
        assert_eq!(live.kind.first_frame(), u64::from(prime).max(48));
        let mut by_hand = Simulation::new(program.clone(), COMPUTED_SEED).unwrap();
        by_hand.seek(live.kind.first_frame() - u64::from(prime));
        assert_eq!(live.still.rgba, by_hand.seen_image().rgba, "{prime}");
        assert!(live.still.rgba.chunks_exact(4).any(|pixel| pixel[0] > 0), "it burns");
    }
}

#[test]
fn fires_that_cost_too_much_together_are_left_out() {
    // Each takes a still of 4 MiB and 32 million steps.
    let (map, found) = read(&open::open("Yard.unr", fires(40, 1024, 255).bytes()));
    check(&map);
    assert_eq!(codes(&found), ["unreal.picture-too-large"]);
    let message = &found[0].message;
    let shown = map.live.len();
    assert!((4..=12).contains(&shown), "{shown}");
    assert_eq!(
        *message,
        format!("{} procedural textures are not shown: the memory limit for images is reached", 40 - shown)
    );
    // Small ones are not.
    assert_eq!(fires(60, 64, 20).map().live.len(), 60);
}

#[test]
fn textures_that_there_is_no_room_for_are_told_of_once() {
    let mut made = Made::new();
    for number in 0..4 {
        let texture = made.texture(&format!("Flag{number}"), [10, 0, 0], Properties::new());
        made.wall((0, texture), [0.0, 0.0, number as f32], [0.0, 0.0, 1.0], [0, 1]);
    }
    let file = open::open("Yard.unr", made.bytes());
    // Each takes 8,192.
    let limits = Limits { decoded_bytes: 20_000, ..Limits::default() };
    let loading = Loading { limits, ..Loading::default() };
    let (Ok(Asset::Map(map)), found) = loading.load(file.document.as_ref(), file.entry("MyLevel")) else {
        panic!("no map");
    };
    assert_eq!(codes(&found), ["unreal.picture-too-large"]);
    let message = "2 textures are not shown, or not at full size: the memory limit for images is reached";
    assert_eq!(found[0].message, message);
    let pictures = map.models.iter().flat_map(|model| &model.images).filter(|image| image.name.starts_with("Flag"));
    assert_eq!(pictures.count(), 2);
}

#[test]
fn textures_of_a_brush_alone_that_there_is_no_room_for_are_told_of() {
    let mut made = Made::new();
    let polys: Vec<Poly> = (0..4)
        .map(|number| {
            let texture = made.texture(&format!("Flag{number}"), [10, 0, 0], Properties::new());
            Poly { texture, ..triangle() }
        })
        .collect();
    brush_of(&mut made, &polys);
    let file = open::open("Yard.unr", made.bytes());
    // Each takes 8,192.
    for (room, wanted) in [(20_000, 2), (30_000, 1), (40_000, 0)] {
        let limits = Limits { decoded_bytes: room, ..Limits::default() };
        for name in ["Model1", "Polys0"] {
            let loading = Loading { limits, ..Loading::default() };
            let entry = file.document.outline().entries().iter().find(|entry| *entry.name == *name).unwrap();
            let (Ok(Asset::Model(model)), found) = loading.load(file.document.as_ref(), entry.id) else {
                panic!("no model of {name}");
            };
            let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
            let why = "not shown, or not at full size: the memory limit for images is reached";
            let said = match wanted {
                0 => Vec::new(),
                1 => vec![format!("1 texture is {why}")],
                _ => vec![format!("{wanted} textures are {why}")],
            };
            assert_eq!(messages, said, "{name}, {room}");
            assert!(found.iter().all(|found| found.code == "unreal.picture-too-large"), "{found:?}");
            assert_eq!(model.images.len(), 4 - wanted, "{name}, {room}");
        }
    }
}

#[test]
fn stills_alone_are_read_where_no_more_is_asked_for() {
    let mut made = fires(1, 32, 0);
    let second = made.texture("Flag1", [20, 0, 0], Properties::new());
    let first = made.texture("Flag0", [10, 0, 0], Properties::new().object("AnimNext", second));
    made.wall((0, first), [0.0; 3], [0.0, 0.0, 1.0], [0, 1]);
    let file = open::open("Yard.unr", made.bytes());
    let options = LoadOptions { first_image_only: true, ..LoadOptions::default() };
    let loading = Loading { options, ..Loading::default() };
    let (Ok(Asset::Map(map)), _) = loading.load(file.document.as_ref(), file.entry("MyLevel")) else {
        panic!("no map")
    };
    assert_eq!(map.live.len(), 0);
    let images = &items(&map, MapItemKind::World)[0].1.images;
    let mut names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Fire0", "Flag0"]);
}

#[test]
fn a_movers_backdrop_is_no_hole() {
    let mut made = yard(Properties::new());
    let shape = brush_with(&mut made, BACKDROP);
    made.actor("Mover", "Mover0", at(0.0, 0.0, 50.0).object("Brush", shape));
    let map = made.map();
    let movers = items(&map, MapItemKind::Mover);
    let look = basic(movers[0].1, 0);
    assert_eq!((look.role, look.hidden, look.window), (SurfaceRole::Ordinary, false, None));
}

#[test]
fn surfaces_take_the_flags_of_their_texture() {
    let mut made = Made::new();
    let look = |map: &Map, number: i32| {
        let basic = surface(map, number as u32);
        (basic.role, basic.unlit, basic.environment, basic.nearest)
    };
    let walls = ["bInvisible", "bUnlit", "bEnvironment", "bNoSmooth", "bPortal"].map(|name| {
        let texture = made.texture(&name[1..], [9; 3], Properties::new().bool(name, true));
        made.wall((0, texture), [0.0; 3], [0.0, 0.0, 1.0], [0, 1])
    });
    let map = made.map();
    let plain = (SurfaceRole::Ordinary, false, false, false);
    let wanted = [
        (SurfaceRole::Invisible, false, false, false),
        (plain.0, true, false, false),
        (plain.0, false, true, false),
        (plain.0, false, false, true),
        (SurfaceRole::Portal, false, false, false),
    ];
    assert_eq!(walls.map(|wall| look(&map, wall)), wanted);
}
