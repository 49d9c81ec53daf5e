//! The project's own samples: they are what their maker makes, and they are sound.

#[allow(dead_code, reason = "the maker of the samples uses all of it")]
#[path = "../../examples/make_samples/main.rs"]
pub mod make_samples;

use crate::kit::{
    self,
    open::{clip_in, load_of, model_in},
    samples,
};
use bonebox::{
    bytes::Cancel,
    formats::{Asset, Content, LoadOptions, coverage::coverage},
    library::{OpenFile, OpenOptions},
    scene::{
        Binding, BindingOptions, Clip, Frame, Keys, Layer, MapItemKind, MaterialKind, Model, Target, evaluate,
        gx::MapMode, skinning::skinned_points,
    },
};
use glam::Vec3;
use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

fn open(name: &str) -> OpenFile {
    let file = OpenOptions::new().open(samples().join(name)).unwrap();
    assert!(file.diagnostics.is_empty(), "{name}: {:?}", file.diagnostics);
    file
}

fn load(file: &OpenFile, content: Content) -> Vec<Asset> {
    let load = |entry| {
        let loaded = file.load(entry, LoadOptions::default(), Cancel::never()).unwrap();
        assert!(loaded.diagnostics.is_empty(), "{}: {:?}", file.name, loaded.diagnostics);
        loaded.asset
    };
    file.entries_with(content).into_iter().map(load).collect()
}

fn ossie() -> Arc<Model> {
    model_in(load(&open("Ossie.psk"), Content::Model).remove(0))
}

fn clips() -> Vec<Arc<Clip>> {
    load(&open("Ossie.psa"), Content::Clip).into_iter().map(clip_in).collect()
}

fn pose(model: &Model, clip: &Clip, frame: f32) -> Frame {
    let binding = Binding::new(clip, model, BindingOptions::default());
    let mut out = Frame::default();
    evaluate(model, &[Layer { clip, binding: &binding, frame, looping: true }], &[], &mut out);
    out
}

/// Positions of a joint over a clip's frames, in file space.
fn track(model: &Model, clip: &Clip, joint: &str) -> Vec<Vec3> {
    let joints = model.skeleton.as_ref().unwrap().joints();
    let joint = joints.iter().position(|j| j.name == joint).unwrap();
    let at = |frame| pose(model, clip, frame as f32).world_from_joint[joint].translation;
    (0..clip.frame_count).map(|frame| model.file_from_scene.transform_point3(at(frame).into())).collect()
}

// Sines may differ in their last bit elsewhere.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn committed_files_are_what_the_maker_makes() {
    let made = make_samples::samples();
    let pixels = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().to_rgba8();
    for file in &made {
        let committed = std::fs::read(samples().join(file.name)).unwrap();
        // How a picture is packed may change with the packer.
        let same = if file.name.ends_with(".png") {
            pixels(&committed) == pixels(&file.bytes)
        } else {
            committed == file.bytes
        };
        assert!(same, "{}: run `cargo run --example make_samples`", file.name);
    }
    let name = |path: PathBuf| path.strip_prefix(samples()).unwrap().to_str().unwrap().replace('\\', "/");
    let mut names: Vec<String> = kit::files_below(&samples()).into_iter().map(name).collect();
    names.sort();
    let mut wanted: Vec<&str> = made.iter().map(|file| file.name).collect();
    wanted.sort_unstable();
    assert_eq!(names, wanted);
}

#[test]
fn files_stay_small() {
    for path in kit::files_below(&samples()) {
        let size = path.metadata().unwrap().len();
        // An island's heights alone are a quarter of a megabyte.
        let most = if path.extension().is_some_and(|e| e == "pew") { 700_000 } else { 400_000 };
        assert!(size < most, "{path:?}: {size} bytes");
    }
}

#[test]
fn the_model_has_what_it_is_to_show() {
    let model = ossie();
    let skeleton = model.skeleton.as_ref().unwrap();
    assert!(model.joint_count() >= 20);
    assert!((2_500..=6_500).contains(&model.triangle_count()), "{}", model.triangle_count());
    assert_eq!(model.morph_names(), ["Blink", "Smile"]);
    let sockets: Vec<&str> = skeleton.sockets.iter().map(|socket| socket.name.as_str()).collect();
    assert_eq!(sockets, ["Hat", "Treasure", "Tail_Tip"]);

    let skin = model.meshes[0].skin.as_ref().unwrap();
    let mut most = 0;
    for point in 0..model.meshes[0].points.len() {
        let influences = skin.influences_of(point);
        most = most.max(influences.len());
        let sum: f32 = influences.iter().map(|influence| influence.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5, "point {point}: weights sum to {sum}");
        assert!(influences.iter().all(|i| i.weight > 0.0 && (i.joint as usize) < model.joint_count()), "point {point}");
    }
    assert!(most > 4, "at most {most} influences");
}

#[test]
fn every_material_finds_its_texture() {
    let model = ossie();
    assert_eq!(model.missing, Vec::<String>::new());
    let images: Vec<(String, (u32, u32))> = model
        .materials
        .iter()
        .map(|material| {
            let MaterialKind::Basic(basic) = &material.kind else { panic!("{material:?}") };
            let image = &model.images[basic.image.unwrap() as usize];
            (material.name.clone(), (image.width, image.height))
        })
        .collect();
    let wanted = [("Ossie_Body", 1024), ("Ossie_Eyes", 256), ("Ossie_Bone", 1024)];
    assert_eq!(images, wanted.map(|(name, side)| (name.to_owned(), (side, side))));
}

/// Closed sheets wound the right way enclose a positive volume; normals agree with the winding.
#[test]
fn nothing_is_inside_out() {
    let model = ossie();
    let mesh = &model.meshes[0];
    let mut volume = 0.0;
    let mut against = 0;
    for triangle in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| mesh.position(triangle[i] as usize));
        volume += a.dot(b.cross(c)) / 6.0;
        let normal: Vec3 = triangle.iter().map(|vertex| mesh.normals[*vertex as usize]).sum();
        against += usize::from((b - a).cross(c - a).dot(normal) < 0.0);
    }
    // The chest alone, about 50 × 45 × 55, less its hollow.
    assert!(volume > 50_000.0, "{volume}");
    assert!(against * 100 < mesh.triangle_count(), "{against} triangles look away from their normals");
}

#[test]
fn three_clips_bind_whole() {
    let model = ossie();
    let clips = clips();
    let names: Vec<(&str, &str, u32)> =
        clips.iter().map(|clip| (clip.name.as_str(), clip.group.as_str(), clip.frame_count)).collect();
    assert_eq!(names, [("Idle", "Base", 120), ("Walk", "Base", 24), ("Cheer", "Moods", 66)]);
    for clip in &clips {
        let fit = Binding::new(clip, &model, BindingOptions::default()).fit;
        assert_eq!((fit.matched, fit.matched_morphs), (model.joint_count(), 2), "{}: {fit}", clip.name);
    }
}

#[test]
fn only_cheer_squashes_and_it_keeps_the_volume() {
    for clip in clips() {
        let mut largest = 0.0f32;
        for channel in &clip.channels {
            let Target::JointScale(joint) = channel.target else { continue };
            let Keys::Vec3(scales) = &channel.sampler.keys else { panic!("{:?}", channel.target) };
            for scale in scales {
                largest = largest.max((*scale - Vec3::ONE).abs().max_element());
                if clip.joints[joint.as_usize()] == "Body" {
                    assert!((scale.element_product() - 1.0).abs() < 1e-4, "{} {scale}", clip.name);
                }
            }
        }
        assert_eq!(largest > 0.2, clip.name == "Cheer", "{}: scales differ from 1 by {largest}", clip.name);
    }
}

#[test]
fn nothing_goes_through_the_floor() {
    let model = ossie();
    for clip in clips() {
        for quarter in 0..clip.frame_count * 4 {
            let frame = quarter as f32 / 4.0;
            let points = skinned_points(&model, &model.meshes[0], &pose(&model, &clip, frame));
            let lowest = points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
            // On a key feet stand exactly. Between two keys joints turn evenly, which is not quite a straight line: least
            // so at a jump's take-off. The creature is 100 units tall.
            let allowed = match (quarter % 4, clip.name.as_str()) {
                (0, _) => 0.01,
                (_, "Cheer") => 0.25,
                _ => 0.12,
            };
            assert!(lowest > -allowed, "{} frame {frame}: {lowest}", clip.name);
        }
    }
}

/// While a foot stands, the ground carries it back at one speed and nothing else moves it.
#[test]
fn walking_feet_do_not_slide() {
    let model = ossie();
    let walk = &clips()[1];
    let rest = 6.5;
    let mut speeds = Vec::new();
    for foot in ["Foot.FL", "Foot.FR", "Foot.RL", "Foot.RR"] {
        let places = track(&model, walk, foot);
        let mut standing = 0;
        for frame in 0..places.len() {
            let (now, next) = (places[frame], places[(frame + 1) % places.len()]);
            if (now.z - rest).abs() > 1e-3 || (next.z - rest).abs() > 1e-3 {
                continue;
            }
            standing += 1;
            let step = next - now;
            assert!(step.x.abs() < 2e-3, "{foot} frame {frame} slips sideways by {}", step.x);
            speeds.push(step.y);
        }
        assert!((10..=15).contains(&standing), "{foot} stands for {standing} frames");
    }
    for speed in &speeds {
        assert!((speed - speeds[0]).abs() < 2e-3, "{speeds:?}");
    }
}

/// From the last frame to the first one nothing moves farther than it does elsewhere in the clip.
#[test]
fn clips_loop_without_a_jump() {
    let model = ossie();
    for clip in clips() {
        for joint in ["Body", "Lid", "Ear.L.3", "Ear.R.3", "Tail.5", "Foot.FL", "Foot.RR"] {
            let places = track(&model, &clip, joint);
            let step = |frame: usize| places[frame].distance(places[(frame + 1) % places.len()]);
            let inside = (0..places.len() - 1).map(step).fold(0.0, f32::max);
            let seam = step(places.len() - 1);
            assert!(seam <= inside * 1.05 + 1e-3, "{} {joint}: {seam} at the seam, {inside} elsewhere", clip.name);
        }
    }
}

/// Everything in the packages opens without a word, and nothing of them is left unread.
#[test]
fn packages_are_whole() {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for name in ["Bonebox.u", "BoneboxFX.utx", "BoneTune.umx", "BoneRoom.unr", "BoneYard.unr"] {
        let file = open(name);
        let read = coverage(&*file.document);
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{name}");
        for content in [
            Content::Model,
            Content::Clip,
            Content::Image,
            Content::Palette,
            Content::Font,
            Content::Sound,
            Content::Music,
            Content::Text,
            Content::Map,
        ] {
            shown.extend(load(&file, content).iter().map(|asset| match asset {
                Asset::Model(_) => "model",
                Asset::Clip(_) => "clip",
                Asset::Picture(_) => "picture",
                Asset::Procedural(_) => "computed",
                Asset::Palette(_) => "palette",
                Asset::Font(_) => "font",
                Asset::Sound(_) => "sound",
                Asset::Music(_) => "music",
                Asset::Text(_) => "text",
                Asset::Map(_) => "map",
                other => panic!("{other:?}"),
            }));
        }
    }
    let all = ["clip", "computed", "font", "map", "model", "music", "palette", "picture", "sound", "text"];
    assert_eq!(shown.into_iter().collect::<Vec<_>>(), all);
}

fn named(file: &OpenFile, path: &str) -> Asset {
    load_of(file, file.document.outline().find(path).unwrap_or_else(|| panic!("no {path}")).id)
}

#[test]
fn the_packages_meshes_move() {
    let file = open("Bonebox.u");
    let boned = model_in(named(&file, "OssieMesh"));
    assert!(boned.joint_count() >= 10);
    assert_eq!(boned.missing, Vec::<String>::new());
    let flag = model_in(named(&file, "FlagMesh"));
    assert!((300..=1_000).contains(&flag.triangle_count()), "{}", flag.triangle_count());
    assert_eq!(flag.missing, Vec::<String>::new());
    let clips: Vec<Arc<Clip>> = load(&file, Content::Clip).into_iter().map(clip_in).collect();
    let names: Vec<(&str, u32)> = clips.iter().map(|clip| (clip.name.as_str(), clip.frame_count)).collect();
    assert_eq!(names, [("Walk", 12), ("Cheer", 33), ("Breeze", 24), ("Storm", 24)]);
    let high = |frame: f32| {
        let points = skinned_points(&boned, &boned.meshes[0], &pose(&boned, &clips[1], frame));
        points.iter().map(|point| point.y).fold(f32::MAX, f32::min)
    };
    // The jump: its feet leave the ground half way.
    assert!(high(0.0).abs() < 1.0 && high(10.0) > 15.0, "{} {}", high(0.0), high(10.0));
}

#[test]
fn either_file_of_the_pennant_flutters() {
    for name in ["Pennant_d.3d", "Pennant_a.3d"] {
        let file = open(name);
        let model = model_in(load(&file, Content::Model).remove(0));
        assert_eq!((model.name.as_str(), model.missing.len(), model.images.len()), ("Pennant", 0, 1), "{name}");
        // The one that it is held by, cloth and stick.
        assert_eq!(model.triangle_count(), 1 + 24 + 18);
        let clips: Vec<Arc<Clip>> = load(&file, Content::Clip).into_iter().map(clip_in).collect();
        let names: Vec<(&str, u32)> = clips.iter().map(|clip| (clip.name.as_str(), clip.frame_count)).collect();
        assert_eq!(names, [("All", 21), ("Flutter", 20), ("Still", 1)]);
        // The middle of the cloth goes from side to side: the file's y is the scene's z.
        let aside = |frame: f32| skinned_points(&model, &model.meshes[0], &pose(&model, &clips[1], frame))[15].z;
        let range = (0..20).map(|frame| aside(frame as f32)).fold((0.0_f32, 0.0_f32), |(a, b), z| (a.min(z), b.max(z)));
        assert!(range.0 < -3.0 && range.1 > 3.0, "{range:?}");
    }
}

#[test]
fn a_texel_of_the_rooms_light_is_as_worked_out_by_hand() {
    let Asset::Map(map) = named(&open("BoneRoom.unr"), "MyLevel") else { panic!("no map") };
    assert_eq!(map.missing, Vec::<String>::new());
    // A corner of the hearth's ceiling, which the fire's lamp alone reaches: hue 14, saturation 70, brightness 255, radius 21,
    // at (736, 0, 56). Its colour is (0.72317, 0.32360, 0.22546), as 0.82131 × ((0.83529, 0.16471, 0) + 70/255 of the way to 1).
    // Distance √(32² + 64² + 40²) = 81.976 of 550: nearness 0.85095, falloff 0.93998; incidence 40 / 81.976 = 0.48795.
    // The zone's own light, hue 16, saturation 150, brightness 18, is (0.19674, 0.14198, 0.12545).
    // 255 × (0.72317 × 0.45866 + 0.19674, 0.32360 × 0.45866 + 0.14198, 0.22546 × 0.45866 + 0.12545) = (134.8, 74.1, 58.4).
    let at = map.file_from_scene.inverse().transform_point3(Vec3::new(768.0, 64.0, 96.0));
    let walls = map.items.iter().find(|item| item.kind == MapItemKind::World).unwrap();
    let model = &map.models[walls.model as usize];
    let page = model.images.iter().find(|image| image.stored_as == "light maps").unwrap();
    let mesh = &model.meshes[0];
    let corners =
        (0..mesh.vertex_count()).filter(|v| mesh.position(*v).distance(at) < 1e-3 && mesh.normals[*v].y < -0.9);
    let texels: Vec<[u8; 3]> = corners
        .map(|vertex| {
            let uv = mesh.uv_sets[1][vertex];
            let (x, y) = (uv.x * page.width as f32 - 0.5, uv.y * page.height as f32 - 0.5);
            assert!((x - x.round()).abs() < 1e-2 && (y - y.round()).abs() < 1e-2, "{x} {y}");
            let at = ((y.round() as u32 * page.width + x.round() as u32) * 4) as usize;
            [page.rgba[at], page.rgba[at + 1], page.rgba[at + 2]]
        })
        .collect();
    assert_eq!(texels, [[135, 74, 58]]);
}

/// The archive of the squid: everything opens without a word, nothing is left unread, and every clip binds whole.
#[test]
fn the_squid_and_all_that_it_does() {
    let file = open("Bonebox.szs");
    let read = coverage(&*file.document);
    assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()));
    let models = load(&file, Content::Model);
    let [Asset::Model(model)] = models.as_slice() else { panic!("{} models", models.len()) };
    let skeleton = model.skeleton.as_ref().unwrap();
    assert_eq!((model.joint_count(), model.meshes.len(), model.materials.len()), (49, 10, 10));
    assert!(skeleton.draw_matrices.iter().any(|matrix| matrix.terms.len() > 1));
    assert!(model.meshes.iter().any(|mesh| mesh.billboard != bonebox::scene::Billboard::None));
    let state = |name: &str| {
        let material = model.materials.iter().find(|material| material.name == name).unwrap();
        material.tev().unwrap()
    };
    assert_eq!(state("Skin").texgens[0].kind, 10);
    assert_eq!((state("Skin").stages.len(), state("Ring").indirect_orders.len()), (3, 1));
    assert_eq!(state("Chrome").texture_matrices[0].unwrap().map_mode, MapMode::EnvironmentOld);
    assert_eq!(state("Lamp").texture_matrices[0].unwrap().map_mode, MapMode::Environment);

    let mut loops = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for asset in load(&file, Content::Clip) {
        let Asset::Clip(clip) = asset else { panic!("{asset:?}") };
        loops.insert(format!("{:?}", clip.default_loop));
        kinds.insert(format!("{:?}", clip.kind()));
        let names = clip.materials.iter().filter(|name| !model.materials.iter().any(|m| m.name == **name)).count();
        assert_eq!(names, 0, "{}", clip.name);
        if clip.kind() == bonebox::scene::TargetKind::Joints {
            let fit = Binding::new(&clip, model, BindingOptions::default()).fit;
            assert_eq!(fit.matched, model.joint_count(), "{}", clip.name);
        }
    }
    let all: Vec<&str> = loops.iter().map(String::as_str).collect();
    assert_eq!(all, ["Loop", "Once", "OnceForthAndBack", "OnceReset", "PingPong"]);
    let all: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let wanted =
        ["Joints", "MaterialColors", "Materials", "Registers", "TextureMatrices", "TextureSlots", "Visibility"];
    assert_eq!(all, wanted);
}

/// One clip, three rules, three shapes of the same arm.
#[test]
fn three_scaling_rules_make_three_shapes() {
    let file = open("ScalingRules.arc");
    let models = load(&file, Content::Model);
    let clips = load(&file, Content::Clip);
    let [Asset::Clip(grow)] = clips.as_slice() else { panic!("{} clips", clips.len()) };
    let ends: Vec<Vec3> = (models.iter())
        .map(|asset| {
            let Asset::Model(model) = asset else { panic!("{asset:?}") };
            let rest = pose(model, grow, 0.0);
            let grown = pose(model, grow, 60.0);
            let last = model.joint_count() - 1;
            assert!((rest.world_from_joint[last].translation.y - 132.0).abs() < 1e-3);
            grown.world_from_joint[last].translation.into()
        })
        .collect();
    assert_eq!(ends.len(), 3);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!(ends[a].distance(ends[b]) > 5.0, "{ends:?}");
    }
}

/// The island: nothing is disputed, every byte is read, and what stands there stands on the ground, out of each other's way.
#[test]
fn the_island_is_whole() {
    let file = open("MarrowIsle.pew");
    let read = coverage(&*file.document);
    assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()));
    let assets = load(&file, Content::Terrain);
    let [Asset::Terrain(island)] = assets.as_slice() else { panic!("no landscape") };
    assert_eq!((island.grid.columns, island.grid.rows, island.grid.cell), (256, 256, 10.0));
    assert!((3_000..=5_000).contains(&island.props.len()), "{}", island.props.len());
    assert_eq!((island.layers.len(), island.zones.len(), island.roads.len(), island.pictures.len()), (2, 3, 2, 1));
    let range = island.grid.range().unwrap();
    assert!(range.min < -30.0 && (180.0..260.0).contains(&range.max) && range.holes == 0, "{range:?}");
    for prop in &island.props {
        let model = island.kinds[prop.kind as usize].model.as_str();
        let ground = island.grid.ground_at(prop.file_position.x, prop.file_position.z).unwrap();
        let over = prop.file_position.y - ground;
        match model {
            "marrow\\boat.p3d" | "marrow\\pier.p3d" => assert!((0.0..2.0).contains(&prop.file_position.y)),
            _ => assert!(over.abs() < 2.0, "{model} in slot {} is {over} m over the ground", prop.slot),
        }
        if ["spruce", "pine", "oak", "birch", "bush", "house", "church"].iter().any(|tree| model.contains(tree)) {
            assert!(ground > 0.5, "{model} in slot {} stands in the sea", prop.slot);
        }
    }
    // Pieces of a road end where the next ones begin, but for the ends of roads.
    let pieces = island.props.iter().filter_map(|prop| {
        let name = island.kinds[prop.kind as usize].model.strip_prefix("marrow\\")?.strip_suffix(".p3d")?;
        let length = [("road25", 25.0), ("road12", 12.5), ("road6", 6.25), ("track12", 12.5), ("track6", 6.25)]
            .iter()
            .find(|(n, _)| *n == name)?
            .1;
        let way = glam::Vec2::new(prop.heading.sin(), prop.heading.cos()) * (length / 2.0);
        let middle = glam::Vec2::new(prop.file_position.x, prop.file_position.z);
        Some([middle - way, middle + way])
    });
    let pieces: Vec<[glam::Vec2; 2]> = pieces.collect();
    let joined = pieces.windows(2).filter(|pair| pair[0][1].distance(pair[1][0]) < 0.6).count();
    assert!(pieces.len() > 200 && pieces.len() - joined < 20, "{joined} of {}", pieces.len());
}

#[test]
fn the_islands_models_are_whole() {
    let mut count = 0;
    for path in kit::files_below(&samples().join("marrow")) {
        let file = open(path.strip_prefix(samples()).unwrap().to_str().unwrap());
        let read = coverage(&*file.document);
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{path:?}");
        let levels = load(&file, Content::Model);
        assert!(!levels.is_empty(), "{path:?}");
        for level in levels {
            let Asset::Model(model) = level else { panic!("{level:?}") };
            let mesh = &model.meshes[0];
            // What is stored as a normal is the way that the corners turn.
            for triangle in mesh.indices.as_chunks::<3>().0 {
                let [a, b, c] = triangle.map(|vertex| mesh.position(vertex as usize));
                let out = (b - a).cross(c - a).normalize_or_zero();
                assert!(out.dot(mesh.normals[triangle[0] as usize]) > 0.9, "{path:?}: {a} {b} {c}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 10);
}
