//! What actors name, reach and are made from; lights' glows; what is missing.

use super::*;

#[test]
fn actors_name_what_comes_next() {
    let mut made = Made::new();
    let next = |name: &str| Properties::new().name("Nextpatrol", name);
    let first = made.actor("PatrolPoint", "PatrolPoint0", at(0.0, 0.0, 0.0).name("Tag", "One").and(next("Two")));
    let second = made.actor("PatrolPoint", "PatrolPoint1", at(9.0, 0.0, 0.0).name("Tag", "Two").and(next("Nobody")));
    let gate = made.actor("Teleporter", "Teleporter0", at(0.0, 9.0, 0.0).string("URL", "exit"));
    made.actor("Teleporter", "Teleporter1", at(0.0, 99.0, 0.0).name("Tag", "Exit").string("URL", "Other.unr#x"));
    let keeper = made.actor("Keeper", "Keeper0", at(1.0, 0.0, 0.0).object("Gate", gate).object("Base", first));
    made.say(keeper, Properties::new().object("Level", made.info).object("Self", keeper));
    let way = |start, end, pruned| ReachSpec { distance: 9, start, end, radius: 40, height: 35, flags: 17, pruned };
    made.ways = vec![
        way(first, second, false),
        way(second, first, true),
        way(first, Ref(0), false),
        way(Ref(-1), first, false),
    ];
    let map = made.map();
    let next = |name: &str| actor(&map, name).next.clone();
    let to = |property: &str, name: &str| vec![(property.to_owned(), number(&map, name))];
    assert_eq!(next("PatrolPoint0"), to("Nextpatrol", "PatrolPoint1"));
    assert_eq!(next("PatrolPoint1"), []);
    assert_eq!(next("Teleporter0"), to("URL", "Teleporter1"));
    assert_eq!(next("Teleporter1"), []);
    assert_eq!(next("Keeper0"), to("Gate", "Teleporter0"));
    // Its class where it says none.
    assert_eq!((actor(&map, "Keeper0").tag.as_str(), actor(&map, "Keeper0").event.as_str()), ("Keeper", ""));
    let (start, end) = (number(&map, "PatrolPoint0"), number(&map, "PatrolPoint1"));
    let path = MapPath { start, end, radius: 40.0, height: 35.0, flags: 17, pruned: false };
    assert_eq!(map.paths, [path, MapPath { start: end, end: start, pruned: true, ..path }]);
}

#[test]
fn what_actors_reach_and_are_made_from_is_known_from_their_classes() {
    let mut made = Made::new();
    let mut class = |name: &str, parent: Ref, defaults: Properties| {
        made.package.add(&Export::new(Ref(0), name).extends(parent), |out| {
            let class = ClassData { defaults, config_name: "None".to_owned(), ..ClassData::default() };
            let data = StructData { friendly_name: name.to_owned(), ..StructData::default() };
            write_class(out, &data, &StateData::default(), &class);
        })
    };
    let actor_class =
        class("Actor", Ref(0), Properties::new().float("CollisionRadius", 22.0).float("CollisionHeight", 20.0));
    let pillar = class("Pillar", actor_class, Properties::new().bool("bCollideActors", true).byte("SoundRadius", 9));
    let trigger = class("Gate", pillar, Properties::new().float("CollisionRadius", 30.0));
    let sound = made.package.external(("Engine", "Sound"), "Nowhere", &["Hum"]);
    for (class, name, own) in [
        (actor_class, "Actor0", Properties::new().object("AmbientSound", sound)),
        (pillar, "Pillar0", Properties::new().float("CollisionHeight", 64.0)),
        (trigger, "Gate0", Properties::new().object("AmbientSound", sound)),
    ] {
        let actor = made.package.export(&Export::new(class, name));
        made.actors.push((actor, at(0.0, 0.0, 0.0).and(own)));
    }
    made.actor("Stone", "Stone0", at(0.0, 0.0, 0.0).float("CollisionRadius", 5.0));
    made.actor("Air", "Air0", at(0.0, 0.0, 0.0));
    let map = made.map();
    let facts = |name: &str| {
        let actor = actor(&map, name);
        (actor.bases.join(" "), actor.collision, actor.sound_radius)
    };
    // What does not collide has a radius too, which says nothing.
    assert_eq!(facts("Actor0"), (String::new(), None, Some(25.0 * 33.0)));
    assert_eq!(facts("Pillar0"), ("Actor".to_owned(), Some([22.0, 64.0]), None));
    assert_eq!(facts("Gate0"), ("Actor Pillar".to_owned(), Some([30.0, 20.0]), Some(250.0)));
    assert_eq!(facts("Stone0"), (String::new(), Some([5.0, 22.0]), None));
    assert_eq!(facts("Air0"), (String::new(), None, None));
}

#[test]
fn lights_with_a_glow_have_a_corona() {
    let mut made = Made::new();
    let glow = made.texture("Glow", [200, 150, 90], Properties::new());
    let lost = made.package.external(("Engine", "Texture"), "Nowhere", &["Glow"]);
    let own = |place: f32, skin: Ref| at(place, 2.0, 3.0).bool("bCorona", true).object("Skin", skin);
    made.actor("Light", "Light0", own(1.0, glow).float("DrawScale", 3.0));
    made.actor("Light", "Light1", own(2.0, lost));
    made.actor("Light", "Light2", own(3.0, glow).bool("bCorona", false));
    let map = made.map();
    let found = items(&map, MapItemKind::Corona);
    let [(item, model)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((item.actor, item.hidden_in_game), (Some(number(&map, "Light0")), false));
    assert_eq!(Vec3::from(item.world_from_model.translation), Vec3::new(1.0, 3.0, 2.0));
    let corner = model.meshes[0].points.iter().copied().reduce(Vec3::max).unwrap();
    assert!(corner.distance(Vec3::new(0.15, 0.15, 0.0)) < 1e-6, "{corner}");
    assert_eq!((basic(model, 0).blend, basic(model, 0).unlit), (Blend::Translucent, true));
    assert_eq!(model.images[0].name, "Glow");
}

#[test]
fn a_texture_that_is_not_there_is_plain_to_see() {
    let mut made = Made::new();
    let lost = made.package.external(("Engine", "Texture"), "Nowhere", &["Walls", "Brick"]);
    made.wall((0, lost), [0.0; 3], [0.0, 0.0, 1.0], [0, 1]);
    let map = made.map();
    assert_eq!(map.missing, ["1 texture of Nowhere was not found"]);
    assert_eq!(
        (map.surfaces[0].texture.as_str(), map.surfaces[0].texture_path.as_str()),
        ("Brick", "Nowhere.Walls.Brick")
    );
    let image = &items(&map, MapItemKind::World)[0].1.images[0];
    assert_eq!((image.name.as_str(), image.width, image.height), ("texture not found", 64, 64));
    let pixels: Vec<[u8; 4]> = image.rgba.chunks_exact(4).map(|p| p.try_into().unwrap()).collect();
    let count = |color: [u8; 4]| pixels.iter().filter(|pixel| **pixel == color).count();
    let [magenta, dark, white] = [[214, 36, 190, 255], [48, 48, 52, 255], [255; 4]].map(count);
    // Half of it, and two question marks of 37 bits, four pixels each.
    let bits = [0x3Cu8, 0x7E, 0x66, 0x66, 0x06, 0x0E, 0x1C, 0x18, 0x18, 0x00, 0x18, 0x18].map(u8::count_ones);
    let glyph = bits.iter().sum::<u32>() as usize * 4;
    assert_eq!((magenta, dark, white), (2048, 2048 - 2 * glyph, 2 * glyph));
}
