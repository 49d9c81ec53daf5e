//! Models, levels and landscapes in another size and with another axis up, read back and held against the scene.

use crate::kit::{
    self,
    island::inhabited,
    level::rooms,
    open::{clip_in, load_of, model_in},
    read_back::{ReadBack, khronos_validate},
};
use bonebox::{
    bytes::Cancel,
    export::{
        ExportJob, ExportSpace, ExportUp,
        glb::{BoundClip, Glb, GlbOptions, Output, Room, glb_with, map_glb, terrain_glb},
        obj::{ObjSpace, obj},
    },
    formats::Content,
    library::OpenOptions,
    scene::{skinning::skinned_points, *},
};
use glam::{Mat4, Vec3};
use std::path::PathBuf;

/// The largest distance that counts as none, as a share of the diagonal.
const NEAR: f32 = 1e-5;

const CENTIMETRES: ExportSpace = ExportSpace { scale: 0.01, up: ExportUp::Y };
const LYING: ExportSpace = ExportSpace { scale: 2.5, up: ExportUp::Z };

fn output(space: ExportSpace) -> Output {
    Output { space, ..Room::all().into() }
}

/// Models of samples, each with the clips of these files that move its joints or morphs.
fn models(files: &[&str]) -> Vec<(Model, Vec<Clip>)> {
    let open = |name: &&str| OpenOptions::new().open(kit::samples().join(name)).expect("a sample");
    let files: Vec<_> = files.iter().map(open).collect();
    let of = |content| files.iter().flat_map(move |f| f.entries_with(content).into_iter().map(move |e| load_of(f, e)));
    let clips: Vec<Clip> = of(Content::Clip).map(|asset| (*clip_in(asset)).clone()).collect();
    let with_clips = |asset| {
        let model = (*model_in(asset)).clone();
        let plays = |clip: &&Clip| {
            matches!(clip.kind(), TargetKind::Joints | TargetKind::Morphs)
                && Binding::new(clip, &model, BindingOptions::default()).fit.plays()
        };
        let own = clips.iter().filter(plays).cloned().collect();
        (model, own)
    };
    let drawn = |(model, _): &(Model, Vec<Clip>)| model.triangle_count() > 0;
    of(Content::Model).map(with_clips).filter(drawn).collect()
}

fn written(model: &Model, clips: &[Clip], output: impl Into<Output>) -> Glb {
    let bindings: Vec<Binding> =
        clips.iter().map(|clip| Binding::new(clip, model, BindingOptions::default())).collect();
    let bound: Vec<BoundClip<'_>> =
        clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
    glb_with(model, bound.as_slice(), &GlbOptions::default(), output).expect("a GLB")
}

/// How far a vertex is from where the scene has it, in the file's space, as a share of the model's size.
fn away(back: &ReadBack, model: &Model, frame: &Frame, at: Option<(usize, f32)>, space: ExportSpace) -> f32 {
    let place = space.file_from_scene();
    let posed = back.pose(at);
    let meshes = model.meshes.iter().filter(|mesh| !mesh.indices.is_empty());
    let mut far = 0.0_f32;
    for (mesh, posed) in meshes.zip(&posed) {
        let points = skinned_points(model, mesh, frame);
        for (position, point) in posed.positions.iter().zip(&mesh.vertex_points) {
            far = far.max(position.distance(place.transform_point3(points[*point as usize])));
        }
    }
    assert!(far.is_finite() && !posed.is_empty());
    far / (model.bounds().diagonal() * space.scale)
}

fn scales(back: &ReadBack) -> Vec<serde_json::Value> {
    back.json["nodes"].as_array().expect("nodes").iter().map(|node| node["scale"].clone()).collect()
}

/// Skins with clips of every rule of scaling and with helpers, and a mesh with morphs: each clip's own keys, and its rest.
#[test]
fn models_that_move_are_the_scene_times_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = Vec::new();
    let (mut moved, mut helpers, mut morphs) = (0, 0, 0);
    let files: [&[&str]; 3] = [&["Ossie.psk", "Ossie.psa"], &["ScalingRules.arc"], &["Helix.model", "Helix.anm"]];
    for (model, clips) in files.into_iter().flat_map(models) {
        // Skins whose influences have places of their own are averaged.
        let exact = !model.meshes.iter().any(|mesh| mesh.skin.as_ref().is_some_and(Skin::has_sources));
        let plain = ReadBack::new(&written(&model, &clips, Room::all()).bytes);
        morphs += model.meshes.iter().map(|mesh| mesh.morphs.len()).sum::<usize>();
        for space in [CENTIMETRES, LYING] {
            let file = written(&model, &clips, output(space));
            let path = folder.path().join(format!("{}.glb", paths.len()));
            std::fs::write(&path, &file.bytes).unwrap();
            paths.push(path);
            let back = ReadBack::new(&file.bytes);
            back.assert_sound();
            helpers += back.document.nodes().filter(|n| n.name().is_some_and(|n| n.ends_with(".translation"))).count();
            let turned = usize::from(space.up == ExportUp::Z);
            assert_eq!(scales(&back)[..scales(&plain).len()], scales(&plain), "{}", model.name);
            assert_eq!(back.document.nodes().count(), plain.document.nodes().count() + turned);
            let asset = &back.json["asset"]["extras"];
            assert_eq!((&asset["scale"], &asset["up"]), (&space.decimal_scale().into(), &space.up.id().into()));
            assert!(plain.json["asset"].get("extras").is_none());
            let rest = Frame::bind(&model);
            assert!(!exact || away(&back, &model, &rest, None, space) < NEAR, "{} at rest", model.name);
            for (index, clip) in clips.iter().enumerate() {
                let binding = Binding::new(clip, &model, BindingOptions::default());
                for number in [0.0, 1.0, (clip.last_frame() / 2.0).floor(), clip.last_frame()] {
                    let at = Some((index, number / clip.rate_hz));
                    let mut frame = Frame::default();
                    let layer = Layer { clip, binding: &binding, frame: number, looping: false };
                    evaluate(&model, &[layer], &[], &mut frame);
                    let far = away(&back, &model, &frame, at, space);
                    assert!(!exact || far < NEAR, "{}, “{}” at {number}: {far}", model.name, clip.name);
                    // And what is written without a scale, point by point.
                    let place = space.file_from_scene();
                    let size = model.bounds().diagonal() * space.scale;
                    for (posed, plain) in back.pose(at).iter().zip(plain.pose(at)) {
                        for (found, known) in posed.positions.iter().zip(&plain.positions) {
                            let far = found.distance(place.transform_point3(*known)) / size;
                            assert!(far < NEAR, "{}, “{}” at {number}: {far}", model.name, clip.name);
                        }
                    }
                    moved += 1;
                }
            }
        }
    }
    assert!(moved > 20 && helpers > 0 && morphs > 0, "{moved} poses, {helpers} helpers, {morphs} morphs");
    khronos_validate(&paths);
}

/// What is asked for by default is what was written before there was a choice.
#[test]
fn sizes_as_they_are_are_the_same_bytes() {
    for (model, clips) in models(&["Ossie.psk", "Ossie.psa"]) {
        let plain = written(&model, &clips, Room::all());
        assert_eq!(plain.bytes, written(&model, &clips, output(ExportSpace::default())).bytes);
        assert!(!String::from_utf8_lossy(&plain.bytes).contains("\"up\""));
    }
}

/// Every vertex of a file at rest.
fn vertices(bytes: &[u8]) -> Vec<Vec3> {
    let back = ReadBack::new(bytes);
    back.assert_sound();
    back.pose(None).into_iter().flat_map(|mesh| mesh.positions).collect()
}

#[track_caller]
fn assert_placed(plain: &[u8], placed: &[u8], space: ExportSpace) {
    let (plain, placed) = (vertices(plain), vertices(placed));
    assert_eq!(plain.len(), placed.len());
    let size = Aabb::of(plain.iter().copied()).expect("vertices").diagonal() * space.scale;
    let place = Mat4::from(space.file_from_scene());
    let far = plain.iter().zip(&placed).map(|(a, b)| place.transform_point3(*a).distance(*b)).fold(0.0, f32::max);
    assert!(far / size < NEAR, "{far} of {size}");
    // The bounds that the file says are those of its numbers.
    let bounds = Aabb::of(placed.iter().copied()).expect("vertices");
    assert!((bounds.diagonal() / size - 1.0).abs() < NEAR);
}

/// Lights reach as far and are as bright there as without the scale; says how many there are.
#[track_caller]
fn assert_lit(plain: &[u8], placed: &[u8], scale: f32) -> usize {
    let lights = |bytes: &[u8]| {
        let json = ReadBack::new(bytes).json;
        json["extensions"]["KHR_lights_punctual"]["lights"].as_array().cloned().unwrap_or_default()
    };
    let (plain, placed) = (lights(plain), lights(placed));
    assert_eq!(plain.len(), placed.len());
    for (plain, placed) in plain.iter().zip(&placed) {
        for (name, factor) in [("range", scale), ("intensity", scale * scale)] {
            let number = |light: &serde_json::Value| light[name].as_f64().expect("a number") as f32;
            assert!((number(placed) / (number(plain) * factor) - 1.0).abs() < NEAR, "{name}: {placed}");
        }
        assert_eq!(plain["color"], placed["color"]);
    }
    placed.len()
}

#[test]
fn levels_and_landscapes_are_the_scene_times_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = Vec::new();
    let (map, land) = (rooms(1), inhabited(65, 12.5, 40));
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    let of_land = |output: Output| terrain_glb(&land, None, output, &job).expect("a GLB").bytes;
    let of_map = |output: Output| map_glb(&map, output).expect("a GLB").bytes;
    let mut lights = 0;
    for space in [CENTIMETRES, LYING] {
        for (plain, placed) in
            [(of_map(Room::all().into()), of_map(output(space))), (of_land(Room::all().into()), of_land(output(space)))]
        {
            assert_placed(&plain, &placed, space);
            lights += assert_lit(&plain, &placed, space.scale);
            let path = folder.path().join(format!("{}.glb", paths.len()));
            std::fs::write(&path, placed).unwrap();
            paths.push(path);
        }
    }
    assert!(lights > 0);
    khronos_validate(&paths);
}

#[test]
fn an_obj_has_the_size_and_the_axis_that_were_asked_for() {
    let (model, _) = models(&["Ossie.psk"]).remove(0);
    let frame = Frame::bind(&model);
    let points = |axes, space| -> (String, Vec<Vec3>) {
        let text = String::from_utf8(obj(&model, &frame, "o", axes, space).unwrap().remove(0).1).unwrap();
        let point = |line: &str| {
            let mut numbers = line.strip_prefix("v ")?.split(' ').map(|number| number.parse::<f32>().unwrap());
            Some(Vec3::new(numbers.next()?, numbers.next()?, numbers.next()?))
        };
        (text.lines().nth(1).unwrap().to_owned(), text.lines().filter_map(point).collect())
    };
    let (said, plain) = points(ObjSpace::Scene, ExportSpace::default());
    assert_eq!(said, "# right-handed, Y up");
    let (said, placed) = points(ObjSpace::Scene, LYING);
    assert_eq!(said, "# right-handed, Z up");
    let place = LYING.file_from_scene();
    let size = model.bounds().diagonal() * LYING.scale;
    let far = |(a, b): (&Vec3, &Vec3)| place.transform_point3(*a).distance(*b) / size;
    assert!(plain.len() == placed.len() && !plain.is_empty());
    assert!(plain.iter().zip(&placed).map(far).fold(0.0, f32::max) < NEAR);
    // The file's own axes are kept: there the scale counts alone.
    let (_, own) = points(ObjSpace::File, ExportSpace::default());
    let (_, scaled) = points(ObjSpace::File, LYING);
    assert!(own.iter().zip(&scaled).all(|(a, b)| (*a * LYING.scale).distance(*b) / size < NEAR));
}

#[test]
fn sizes_that_become_no_numbers_are_refused() {
    let (mut model, _) = models(&["Ossie.psk"]).remove(0);
    model.meshes[0].points.iter_mut().for_each(|point| *point *= 1e34);
    let none: &[BoundClip<'_>] = &[];
    let space = ExportSpace { scale: 1e6, ..ExportSpace::default() };
    let error = glb_with(&model, none, &GlbOptions::default(), output(space)).unwrap_err();
    assert!(error.to_string().contains("scale 1000000"), "{error}");
}
