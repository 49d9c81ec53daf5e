//! A level as GLB, read back.

use crate::kit::{level::*, read_back::ReadBack};
use bonebox::{
    bytes::Cancel,
    export::glb::{GlbOptions, LevelLights, OptionNames, Room, map_glb, map_glb_with},
    formats::{Asset, Content, LoadOptions},
    library::OpenOptions,
    scene::{Blend, Map, MapItemKind, MapValue, MaterialKind, Model},
};
use glam::{Affine3A, Mat3A, Quat, Vec3};

fn exported(map: &Map) -> (gltf::Document, Vec<String>) {
    let glb = map_glb(map, Room::all()).unwrap();
    let document = gltf::Gltf::from_slice(&glb.bytes).unwrap().document;
    assert_eq!(document.images().count(), 4, "the pictures of walls, their light, lift and lamp");
    if let Some(folder) = std::env::var_os("GLB_OUT") {
        std::fs::write(std::path::Path::new(&folder).join("rooms.glb"), &glb.bytes).unwrap();
    }
    (document, glb.notes.into_iter().map(String::from).collect())
}

#[test]
fn walls_and_movers_stand_where_they_do_under_their_names() {
    let mut map = rooms(1);
    let turn = Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(0.5), LIFT_AT);
    map.items[1].world_from_model = turn;
    // A second lift shares the first one's mesh.
    let mut second = map.items[1].clone();
    (second.actor, second.world_from_model) = (None, Affine3A::from_translation(Vec3::X));
    map.items.push(second);
    let (document, notes) = exported(&map);
    let scene = document.default_scene().unwrap();
    assert_eq!(scene.name(), Some("Rooms"));
    let nodes: Vec<_> = scene.nodes().collect();
    assert_eq!(
        nodes.iter().map(|n| n.name().unwrap()).collect::<Vec<_>>(),
        ["Level", "Lift0", "Light7", "Lift", "Actors"]
    );
    assert_eq!(document.meshes().count(), 3);
    assert_eq!(nodes[1].mesh().unwrap().index(), nodes[3].mesh().unwrap().index());
    let found = glam::Mat4::from_cols_array_2d(&nodes[1].transform().matrix());
    assert!(found.abs_diff_eq(glam::Mat4::from(turn), 1e-4), "{found}");
    // Portal and sky are not there: of 11 faces 9 are left.
    let walls = nodes[0].mesh().unwrap();
    let triangles: usize = walls.primitives().map(|p| p.indices().unwrap().count() / 3).sum();
    assert_eq!((walls.primitives().len(), triangles), (1, 18));
    assert_eq!(document.materials().count(), 3);
    let set = walls.primitives().next().unwrap().get(&gltf::Semantic::TexCoords(1));
    assert!(set.is_some(), "where the light lay can still be told");
    for word in [
        "occlusion textures",
        "portals",
        "1 sprite exported facing +Z",
        "1 brush and 0 sprites exported as nodes without a mesh",
    ] {
        assert!(notes.iter().any(|note| note.contains(word)), "{word}: {notes:?}");
    }
}

#[test]
fn baked_light_arrives_as_occlusion_on_the_second_coordinates() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
    let file = OpenOptions::new().open(path).unwrap();
    let level = file.entries_with(Content::Map)[0];
    let written = |without_light| {
        let options = LoadOptions { without_light, ..LoadOptions::default() };
        let Asset::Map(map) = file.load(level, options, Cancel::never()).unwrap().asset else { panic!() };
        let glb = map_glb(&map, Room::all()).unwrap();
        (map, gltf::Gltf::from_slice(&glb.bytes).unwrap(), glb.notes)
    };
    let (map, lit, notes) = written(false);
    let world = &map.models[0];
    let pages: Vec<_> = world.images.iter().filter(|image| image.stored_as == "light maps").collect();
    assert!(!pages.is_empty() && notes.iter().any(|note| note.contains("occlusion textures")), "{notes:?}");
    let mesh = lit.default_scene().unwrap().nodes().find_map(|node| node.mesh()).unwrap();
    let blob = lit.blob.as_deref().unwrap();
    let mut on_light = 0;
    for (primitive, surface) in mesh.primitives().zip(
        world.meshes[0].surfaces.iter().filter(|surface| !world.materials[surface.material as usize].basic().hidden),
    ) {
        let basic = world.materials[surface.material as usize].basic();
        let occlusion = primitive.material().occlusion_texture();
        assert_eq!(occlusion.is_some(), basic.lightmap.is_some(), "{:?}", primitive.material().name());
        let Some(occlusion) = occlusion else { continue };
        assert_eq!(occlusion.tex_coord(), 1);
        let gltf::image::Source::View { view, .. } = occlusion.texture().source().source() else { panic!() };
        let bytes = &blob[view.offset()..view.offset() + view.length()];
        let picture = image::load_from_memory(bytes).unwrap().to_rgba8();
        assert_eq!(picture.as_raw().as_slice(), &*world.images[basic.lightmap.unwrap() as usize].rgba);
        // The texel under each corner is the one that the window samples.
        let reader = primitive.reader(|_| Some(blob));
        let found: Vec<[f32; 2]> = reader.read_tex_coords(1).unwrap().into_f32().collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let wanted = &world.meshes[0].indices[surface.first_index as usize..][..surface.index_count as usize];
        for (index, vertex) in indices.iter().zip(wanted) {
            let (uv, own) = (found[*index as usize], world.meshes[0].uv_sets[1][*vertex as usize]);
            assert!(glam::Vec2::from(uv).abs_diff_eq(own, 1e-6), "{uv:?} {own}");
            on_light += 1;
        }
    }
    assert!(on_light > 100, "{on_light}");
    let (map, dark, notes) = written(true);
    assert!(dark.materials().all(|material| material.occlusion_texture().is_none()));
    // A note refers to an option by the name that the caller gives it, or not at all.
    let omitted = "baked light is omitted; its texture coordinates are the second UV set";
    assert!(notes.iter().any(|note| *note == omitted), "{notes:?}");
    let names = OptionNames { baked_light: "“Export…” in the level's menu", ..OptionNames::default() };
    let notes = map_glb_with(&map, &GlbOptions { names, ..GlbOptions::default() }, Room::all()).unwrap().notes;
    let named = format!("{omitted} (“Export…” in the level's menu exports the light)");
    assert!(notes.iter().any(|note| *note == named), "{notes:?}");
}

#[test]
fn a_level_has_its_light_in_vertex_colors_or_lamps_or_neither() {
    let written = |lights| {
        let options = GlbOptions { lights, ..GlbOptions::default() };
        let glb = map_glb_with(&rooms(1), &options, Room::all()).unwrap();
        (gltf::Gltf::from_slice(&glb.bytes).unwrap(), glb.notes)
    };
    let (baked, notes) = written(LevelLights::Baked);
    assert!(baked.lights().is_none() && baked.materials().all(|material| material.unlit()));
    assert!(baked.materials().all(|material| material.occlusion_texture().is_none()));
    assert!(notes.iter().any(|note| note.contains("vertex colours")), "{notes:?}");
    let walls = baked.nodes().find(|node| node.name() == Some("Level")).unwrap().mesh().unwrap();
    let primitive = walls.primitives().next().unwrap();
    let reader = primitive.reader(|_| baked.blob.as_deref());
    let indices = reader.read_indices().unwrap().into_u32();
    let colors: Vec<[f32; 4]> = reader.read_colors(0).unwrap().into_rgba_f32().collect();
    let mut found: Vec<[i32; 3]> = indices
        .map(|index| colors[index as usize])
        .map(|[r, g, b, _]| [r, g, b].map(|part| (part * 1000.0).round() as i32))
        .collect();
    found.sort_unstable();
    found.dedup();
    // Twice the light of each room: (64, 64, 80) is (128, 128, 160), (150, 140, 120) is (255, 255, 240) at most; of sRGB 128 is
    // 0.2159 of linear light, 160 is 0.3515, 240 is 0.8714.
    assert_eq!(found, [[216, 216, 352], [1000, 1000, 871]]);

    let (dark, _) = written(LevelLights::None);
    assert!(dark.lights().is_none() && dark.materials().any(|material| material.occlusion_texture().is_some()));
    assert_eq!(written(LevelLights::Punctual).0.lights().map(Iterator::count), Some(1));
}

#[test]
fn skewed_placements_are_told_of_and_mirrored_ones_are_kept() {
    let mut map = rooms(1);
    map.items[1].world_from_model.matrix3 =
        Mat3A::from_cols(Vec3::X.into(), Vec3::new(0.5, 1.0, 0.0).into(), Vec3::Z.into());
    assert!(exported(&map).1.iter().any(|note| note.starts_with("1 skewed")));
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    map.items[1].world_from_model = mirrored;
    let (document, notes) = exported(&map);
    assert!(!notes.iter().any(|note| note.contains("skewed")), "{notes:?}");
    let node = document.nodes().find(|n| n.name() == Some("Lift0")).unwrap();
    let found = glam::Mat4::from_cols_array_2d(&node.transform().matrix());
    assert!(found.abs_diff_eq(glam::Mat4::from(mirrored), 1e-5), "{found}");
}

#[test]
fn a_level_of_nothing_is_a_file_of_nothing() {
    let mut map = rooms(1);
    map.items.retain(|item| matches!(item.kind, MapItemKind::Sprite | MapItemKind::Brush));
    map.items.iter_mut().for_each(|item| item.hidden_in_game = true);
    (map.actors, map.lights) = (Vec::new(), Vec::new());
    let glb = map_glb(&map, Room::all()).unwrap();
    assert!(gltf::Gltf::from_slice(&glb.bytes).unwrap().scenes().next().is_none());
}

/// The JSON of the GLB of a level.
fn json_of(map: &Map) -> serde_json::Value {
    let bytes = map_glb(map, Room::all()).unwrap().bytes;
    serde_json::from_slice(&gltf::Glb::from_slice(&bytes).unwrap().json).unwrap()
}

#[test]
fn actors_are_nodes_with_their_class_and_properties() {
    let map = rooms(1);
    let (document, _) = exported(&map);
    let scene = document.default_scene().unwrap();
    // The mover's own node says what it is.
    let lift = scene.nodes().find(|node| node.name() == Some("Lift0")).unwrap();
    let extras = |node: &gltf::Node<'_>| -> serde_json::Value {
        serde_json::from_str(node.extras().as_ref().unwrap().get()).unwrap()
    };
    let wanted = serde_json::json!({ "class": "Mover", "properties": { "Tag": "MoverTag", "Index": 0 } });
    assert_eq!(extras(&lift), wanted);
    let actors = scene.nodes().find(|node| node.name() == Some("Actors")).unwrap();
    let names: Vec<_> = actors.children().map(|node| node.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["Brush3"]);
    let brush = actors.children().next().unwrap();
    let (translation, rotation, _) = brush.transform().decomposed();
    assert!(Vec3::from(translation).abs_diff_eq(BRUSH_AT, 1e-6) && brush.mesh().is_none());
    assert!(Quat::from_array(rotation).abs_diff_eq(Quat::from_rotation_y(1.0), 1e-6), "{rotation:?}");
    let lamp = extras(&scene.nodes().find(|node| node.name() == Some("Light7")).unwrap());
    let sprite = serde_json::json!({ "picture": "Lamp", "size": [1.0, 1.0], "facesViewer": true });
    assert_eq!((&lamp["class"], &lamp["sprite"]), (&"Light".into(), &sprite));
}

#[test]
fn sprites_are_squares_with_their_picture_unless_the_game_hides_them() {
    let mut map = rooms(1);
    map.actors[1].rotation = Quat::from_rotation_x(1.0);
    let read = |map: &Map, options: GlbOptions| {
        let glb = map_glb_with(map, &options, Room::all()).unwrap();
        (ReadBack::new(&glb.bytes), glb.notes)
    };
    let (file, _) = read(&map, GlbOptions::default());
    file.assert_sound();
    let node = file.document.nodes().find(|node| node.name() == Some("Light7") && node.mesh().is_some()).unwrap();
    // As it stands in the level, whichever way its actor is turned: 1 × 1 around the lamp, in front of +Z.
    assert_eq!(node.transform().matrix(), glam::Mat4::from_translation(LAMP_AT).to_cols_array_2d());
    let primitive = node.mesh().unwrap().primitives().next().unwrap();
    let bounds = primitive.bounding_box();
    assert_eq!((bounds.min, bounds.max), ([-0.5, -0.5, 0.0], [0.5, 0.5, 0.0]));
    let reader = primitive.reader(|_| Some(&file.blob));
    assert!(reader.read_normals().unwrap().all(|normal| normal == [0.0, 0.0, 1.0]));
    let material = primitive.material();
    assert_eq!((material.alpha_mode(), material.unlit()), (gltf::material::AlphaMode::Mask, true));
    let texture = material.pbr_metallic_roughness().base_color_texture().unwrap().texture();
    assert_eq!(texture.source().name(), Some("Lamp"));
    // The light shines from the same place.
    let light = node.children().find(|child| child.light().is_some()).unwrap();
    assert_eq!(light.transform().decomposed().0, [0.0; 3]);

    // Translucent: what is black is clear, and what is bright covers.
    let mut lamp = Model::clone(&map.models[2]);
    let MaterialKind::Basic(basic) = &mut lamp.materials[0].kind else { panic!() };
    basic.blend = Blend::Translucent;
    map.models[2] = std::sync::Arc::new(lamp);
    let (file, _) = read(&map, GlbOptions::default());
    let material = file.document.materials().find(|material| material.name() == Some("Lamp")).unwrap();
    assert_eq!(material.alpha_mode(), gltf::material::AlphaMode::Blend);
    assert!(material.extras().as_ref().unwrap().get().contains("translucent"));
    let texture = material.pbr_metallic_roughness().base_color_texture().unwrap().texture();
    let gltf::image::Source::View { view, .. } = texture.source().source() else { panic!() };
    let bytes = &file.blob[view.offset()..view.offset() + view.length()];
    let picture = image::load_from_memory(bytes).unwrap().to_rgba8();
    assert_eq!((picture.get_pixel(0, 0).0[3], picture.get_pixel(16, 16).0[3]), (0, 255));

    // Hidden, or not wanted: the actor is a node as before, with a light.
    let without = GlbOptions { without_sprites: true, ..GlbOptions::default() };
    let (bare, notes) = read(&map, without);
    assert!(
        notes.iter().any(|note| note.contains("1 brush and 1 sprite exported as nodes without a mesh")),
        "{notes:?}"
    );
    map.items[2].hidden_in_game = true;
    let (hidden, _) = read(&map, GlbOptions::default());
    for (file, says_hidden) in [(bare, false), (hidden, true)] {
        let node = file.json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "Light7").unwrap();
        assert!(node["mesh"].is_null() && node["extensions"].is_object(), "{node}");
        let sprite = &node["extras"]["sprite"];
        assert_eq!((&sprite["facesViewer"], sprite["hidden"] == true), (&serde_json::Value::Null, says_hidden));
        assert!(file.document.materials().all(|material| material.name() != Some("Lamp")));
    }
}

#[test]
fn the_samples_lamps_are_pictures_and_its_signs_are_not() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
    let file = OpenOptions::new().open(path).unwrap();
    let level = file.entries_with(Content::Map)[0];
    let Asset::Map(map) = file.load_asset(level).unwrap() else { panic!() };
    let file = ReadBack::new(&map_glb(&map, Room::all()).unwrap().bytes);
    file.assert_sound();
    let mut seen = 0;
    for item in map.items.iter().filter(|item| item.kind == MapItemKind::Sprite) {
        let actor = &map.actors[item.actor.unwrap() as usize];
        let is_drawn = |node: &gltf::Node<'_>| node.name() == Some(actor.name.as_str()) && node.mesh().is_some();
        let drawn = file.document.nodes().any(|node| is_drawn(&node));
        assert_eq!(drawn, actor.class == "Light", "{} of {}", actor.name, actor.class);
        seen += usize::from(drawn);
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn lights_shine_as_bright_half_way_as_in_the_game() {
    let mut map = rooms(1);
    let json = json_of(&map);
    let light = &json["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert_eq!((&light["type"], &light["range"], &light["name"]), (&"point".into(), &5.0.into(), &"Light7".into()));
    // sRGB of 0.8 is 0.6038274 of linear light, of 0.4 0.1328683; π × 0.6038274 × 2.5² × 683 candela.
    let color: Vec<f64> = serde_json::from_value(light["color"].clone()).unwrap();
    assert!((color[0] - 1.0).abs() < 1e-6 && (color[1] - 0.220_043).abs() < 1e-4 && color[2] == 0.0, "{color:?}");
    assert!((light["intensity"].as_f64().unwrap() - 8097.74).abs() < 1.0, "{light}");
    assert_eq!(light["extras"]["radius"], 5.0);
    // Along −Z of its node.
    let direction = Vec3::new(0.6, -0.8, 0.0);
    map.lights[0].spot = Some((direction, 0.7));
    let (document, _) = exported(&map);
    let node = document.nodes().find(|node| node.light().is_some()).unwrap();
    let turn = Quat::from_array(node.transform().decomposed().1);
    assert!((turn * Vec3::NEG_Z).abs_diff_eq(direction, 1e-5));
    let gltf::khr_lights_punctual::Kind::Spot { outer_cone_angle, .. } = node.light().unwrap().kind() else { panic!() };
    assert!((outer_cone_angle - 0.7).abs() < 1e-6);
    // No cone is wider than a right angle; the nearest number to π / 2 is above it.
    map.lights[0].spot = Some((direction, 2.0));
    let widest = json_of(&map)["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["outerConeAngle"].as_f64();
    assert!(widest.is_some_and(|angle| angle < std::f64::consts::FRAC_PI_2 && angle > 1.57), "{widest:?}");
    map.lights[0].spot = Some((direction, 0.7));
    // A mover that shines: its mesh is turned, its light is not.
    map.items[1].world_from_model = Affine3A::from_rotation_y(1.0);
    map.lights[0].actor = 0;
    let (document, _) = exported(&map);
    let lift = document.nodes().find(|node| node.name() == Some("Lift0") && node.mesh().is_some()).unwrap();
    let child = lift.children().find(|node| node.light().is_some()).unwrap();
    let turn = |node: &gltf::Node<'_>| Quat::from_array(node.transform().decomposed().1);
    assert!((turn(&lift) * turn(&child) * Vec3::NEG_Z).abs_diff_eq(direction, 1e-5));
}

#[test]
fn numbers_of_actors_that_are_none_do_no_harm() {
    let mut map = rooms(1);
    map.items[2].hidden_in_game = true;
    map.actors[1].location = Vec3::new(f32::NAN, f32::INFINITY, 0.0);
    map.actors[1].properties.push(("Bad".into(), MapValue::Numbers(vec![f32::NAN, 1.0])));
    (map.lights[0].radius, map.lights[0].color) = (f32::NAN, Vec3::new(f32::NAN, 1.0, 0.0));
    map.lights[0].spot = Some((Vec3::NAN, f32::NAN));
    let json = json_of(&map);
    let light = &json["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert!(light["intensity"].as_f64().unwrap() > 0.0, "{light}");
    let node = json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "Light7").unwrap();
    assert_eq!(node["extras"]["properties"]["Bad"], serde_json::json!(["NaN", 1.0]));
    assert!(node["translation"].is_null(), "{node}");
}

#[test]
fn lights_and_actors_of_the_sample_are_where_the_game_has_them() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneRoom.unr");
    let file = OpenOptions::new().open(path).unwrap();
    let level = file.entries_with(Content::Map)[0];
    let Asset::Map(map) = file.load_asset(level).unwrap() else { panic!() };
    let json = json_of(&map);
    let lights = json["extensions"]["KHR_lights_punctual"]["lights"].as_array().unwrap().len();
    let of_class = map.actors.iter().filter(|actor| actor.class.to_ascii_lowercase().contains("light")).count();
    assert!(lights > 0 && lights == of_class, "{lights} of {of_class}");
    let described = json["nodes"].as_array().unwrap().iter().filter(|node| node["extras"]["class"].is_string()).count();
    assert_eq!(described, map.actors.len());
}
