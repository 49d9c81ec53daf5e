//! Exports of ActorX files: GLB held against the scene and the Khronos validator, PSK and PSA read back.

use crate::kit::{
    self,
    open::{clip_in, load_of, model_in},
    read_back::{ReadBack, khronos_validate},
};
use bonebox::{
    bytes::{Cancel, Source},
    export::{
        ExportFormat, ExportJob, ExportSource, actorx, export_entry, formats_for,
        glb::{BoundClip, glb},
        obj::ObjSpace,
    },
    formats::{Content, EntryId, LoadOptions, Severity, actorx as psk_format},
    library::{OpenFile, OpenOptions},
    scene::*,
};
use glam::{Quat, Vec3};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

fn open(path: &Path) -> OpenFile {
    OpenOptions::new().open(path).unwrap_or_else(|e| panic!("{e}"))
}

fn model(file: &OpenFile) -> Arc<Model> {
    model_in(load_of(file, file.entries_with(Content::Model)[0]))
}

fn clips(file: &OpenFile) -> Vec<Arc<Clip>> {
    file.entries_with(Content::Clip).into_iter().map(|entry| clip_in(load_of(file, entry))).collect()
}

/// Meshes with the animation files that go with them: the project's own, and those of the corpus where it is there.
fn families() -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut folders = vec![kit::samples(), kit::data()];
    folders.extend(kit::corpus_beside().map(|corpus| corpus.join("actorx")));
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| kit::files_below(folder)).collect();
    let is = |path: &Path, extension: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    let opens = |path: &&PathBuf| OpenOptions::new().open(path).is_ok();
    files
        .iter()
        .filter(|p| is(p, "psk") || is(p, "pskx"))
        .filter(opens)
        .map(|mesh| {
            let beside = |p: &&PathBuf| is(p, "psa") && p.parent() == mesh.parent();
            (mesh.clone(), files.iter().filter(beside).filter(opens).cloned().collect())
        })
        .collect()
}

#[test]
fn glb_poses_as_the_scene_does_and_the_khronos_validator_accepts_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    let mut compared = 0;
    for (number, (mesh, animations)) in families().into_iter().enumerate() {
        let file = open(&mesh);
        if file.entries_with(Content::Model).is_empty() {
            continue;
        }
        let model = model(&file);
        let clips: Vec<Arc<Clip>> = animations.iter().flat_map(|path| clips(&open(path))).collect();
        let bindings: Vec<Binding> = clips.iter().map(|c| Binding::new(c, &model, BindingOptions::default())).collect();
        let bound: Vec<BoundClip<'_>> =
            clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
        let exported = glb(&model, &bound).unwrap();
        let back = ReadBack::new(&exported.bytes);
        compared += compare(&mesh, &model, &bound, &back);
        let path = folder.path().join(format!("{number}.glb"));
        std::fs::write(&path, &exported.bytes).unwrap();
        written.push(path);
    }
    assert!(compared > 0, "no clip was compared");
    khronos_validate(&written);
}

/// Every clip at five times; how many were compared.
fn compare(name: &Path, model: &Model, clips: &[BoundClip<'_>], back: &ReadBack) -> usize {
    let diagonal = model.bounds().diagonal();
    let mut index = 0;
    for bound in clips.iter().filter(|b| !b.binding.channels().is_empty() && b.clip.frame_count > 0) {
        for share in [0.0, 0.23, 0.5, 0.81, 0.99] {
            let number = bound.clip.loop_frames() * share;
            let layer = Layer { clip: bound.clip, binding: bound.binding, frame: number, looping: true };
            let mut frame = Frame::default();
            evaluate(model, &[layer], &[], &mut frame);
            let distance = back.distance(model, &frame, Some((index, number / bound.clip.rate_hz))) / diagonal;
            assert!(distance <= 1e-4, "{} {} {number}: {distance}", name.display(), bound.clip.name);
        }
        index += 1;
    }
    assert_eq!(back.document.animations().len(), index, "{}", name.display());
    index
}

/// A model as bytes and open again.
pub fn through_psk(model: &Model) -> Arc<Model> {
    let psk = actorx::psk(model, &mut Default::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.psk");
    std::fs::write(&path, psk_format::encode_psk(&psk)).unwrap();
    let file = open(&path);
    let faults = file.diagnostics.iter().filter(|d| d.severity > Severity::Info);
    assert_eq!(faults.count(), 0, "what is written is clean: {:?}", file.diagnostics);
    self::model(&file)
}

pub fn through_psa(clips: &[&Clip], model: Option<&Model>) -> Vec<Arc<Clip>> {
    let psa = actorx::psa(clips, model, &[], &mut Default::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.psa");
    std::fs::write(&path, psk_format::encode_psa(&psa)).unwrap();
    self::clips(&open(&path))
}

fn near(a: Vec3, b: Vec3, size: f32) -> bool {
    a.distance(b) <= 1e-5 * size.max(1.0)
}

/// Position, normal, texture coordinates, colour.
type Corner = (Vec3, Vec3, Vec<glam::Vec2>, Option<[u8; 4]>);

/// Triangles as corners: what is seen, whatever the numbering.
fn corners(model: &Model) -> Vec<Corner> {
    let mut corners = Vec::new();
    for mesh in &model.meshes {
        for vertex in mesh.indices.iter().map(|v| *v as usize) {
            let uvs = mesh.uv_sets.iter().map(|s| s[vertex]).collect();
            corners.push((mesh.position(vertex), mesh.normals[vertex], uvs, mesh.colors.get(vertex).copied()));
        }
    }
    corners
}

fn assert_same(before: &Model, after: &Model, name: &str) {
    let size = before.bounds().diagonal();
    let (old, new) = (corners(before), corners(after));
    assert_eq!(old.len(), new.len(), "{name}");
    for (old, new) in old.iter().zip(&new) {
        assert!(near(old.0, new.0, size) && near(old.1, new.1, 1.0), "{name}: {old:?} {new:?}");
        assert!(old.2 == new.2 && old.3 == new.3, "{name}: {old:?} {new:?}");
    }
    let kinds = |m: &Model| -> Vec<(String, MaterialKind)> {
        let without_image = |kind: &MaterialKind| match kind {
            MaterialKind::Basic(basic) => MaterialKind::Basic(BasicMaterial { image: None, ..*basic }),
            other => other.clone(),
        };
        m.materials.iter().map(|m| (m.name.clone(), without_image(&m.kind))).collect()
    };
    assert_eq!(kinds(before), kinds(after), "{name}");
    assert_eq!(before.morph_names(), after.morph_names(), "{name}");
    match (&before.skeleton, &after.skeleton) {
        (None, None) => {}
        (Some(old), Some(new)) => {
            assert_eq!(old.joints().len(), new.joints().len(), "{name}");
            // Bones whose parents come later are put in order: walked from the root they are the same.
            for (old_index, new_index) in old.order().iter().zip(new.order()) {
                let joint = |s: &Skeleton, index: u32| s.joints()[index as usize].clone();
                let (old_joint, new_joint) = (joint(old, *old_index), joint(new, *new_index));
                let parent = |s: &Skeleton, j: &Joint| j.parent.map(|p| joint(s, p).name);
                assert_eq!(old_joint.name, new_joint.name, "{name}");
                assert_eq!(parent(old, &old_joint), parent(new, &new_joint), "{name}");
                assert!(same_transform(&old_joint.bind, &new_joint.bind, size), "{name}: {old_joint:?} {new_joint:?}");
                assert!(new_joint.parent.is_none_or(|p| p < *new_index), "{name}: parents first");
            }
            assert_eq!(old.sockets.len(), new.sockets.len(), "{name}");
            for (old, new) in old.sockets.iter().zip(&new.sockets) {
                assert_eq!(old.name, new.name, "{name}");
                assert!(same_transform(&old.transform, &new.transform, size), "{name}: {old:?} {new:?}");
            }
        }
        _ => panic!("{name}: one has a skeleton"),
    }
}

fn same_transform(a: &Transform, b: &Transform, size: f32) -> bool {
    near(a.translation, b.translation, size)
        && near(a.scale, b.scale, 1.0)
        && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5
}

/// Both models in the same pose, corner by corner.
fn assert_same_pose(before: (&Model, &Clip), after: (&Model, &Clip), name: &str) {
    let posed = |(model, clip): (&Model, &Clip), number: f32| -> Vec<Vec3> {
        let binding = Binding::new(clip, model, BindingOptions::default());
        let mut frame = Frame::default();
        evaluate(model, &[Layer { clip, binding: &binding, frame: number, looping: true }], &[], &mut frame);
        let points = |mesh: &Mesh| -> Vec<Vec3> {
            let points = skinning::skinned_points(model, mesh, &frame);
            mesh.indices.iter().map(|v| points[mesh.vertex_points[*v as usize] as usize]).collect()
        };
        model.meshes.iter().flat_map(points).collect()
    };
    let size = before.0.bounds().diagonal();
    for share in [0.0, 0.3, 0.62, 0.95] {
        let number = before.1.loop_frames() * share;
        for (old, new) in posed(before, number).into_iter().zip(posed(after, number)) {
            assert!(near(old, new, size), "{name} at {number}: {old} {new}");
        }
    }
}

#[test]
fn files_come_back_through_the_scene() {
    let mut compared = 0;
    for (mesh, animations) in families() {
        let file = open(&mesh);
        let name = mesh.display().to_string();
        if file.entries_with(Content::Model).is_empty() || name.contains("bad_") {
            continue;
        }
        let before = model(&file);
        let after = through_psk(&before);
        assert_same(&before, &after, &name);
        for animation in animations.iter().filter(|a| !a.to_string_lossy().contains("bad_")) {
            let old = clips(&open(animation));
            let refs: Vec<&Clip> = old.iter().map(|c| &**c).collect();
            if refs.is_empty() || refs.iter().any(|c| c.channels.iter().any(|c| c.muted)) {
                continue;
            }
            let new = through_psa(&refs, None);
            assert_eq!(old.len(), new.len());
            for (old, new) in old.iter().zip(&new) {
                assert_eq!((&old.name, &old.group, old.frame_count), (&new.name, &new.group, new.frame_count));
                if Binding::new(old, &before, BindingOptions::default()).channels().len() == old.channels.len() {
                    assert_same_pose((&before, old), (&after, new), &name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 0, "no clip was compared");
}

/// A model of another family: several roots, the first joint not among them, hard edges, sockets turned every way, keys that
/// are true rotations at odd times.
fn stranger() -> (Model, Clip) {
    let joint = |name: &str, parent, translation, rotation| Joint {
        name: name.into(),
        parent,
        bind: Transform { translation, rotation, scale: Vec3::ONE },
        ..Joint::default()
    };
    let joints = vec![
        joint("tip", Some(1), Vec3::new(0.0, 2.0, 0.5), Quat::from_rotation_y(0.8)),
        joint("base", None, Vec3::new(1.0, 0.0, 0.0), Quat::from_rotation_x(-0.5)),
        joint("other", None, Vec3::new(-1.0, 0.3, 2.0), Quat::from_rotation_z(2.5)),
    ];
    let turned = [
        Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0),
        Quat::from_rotation_y(1.4),
        Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2) * Quat::from_rotation_x(0.4),
        Quat::from_rotation_y(std::f32::consts::PI),
    ];
    let sockets = turned.iter().enumerate().map(|(index, rotation)| Socket {
        name: format!("socket {index}"),
        joint: Some(index as u32 % 3),
        transform: Transform {
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: *rotation,
            scale: Vec3::new(1.0, 2.0, 0.5),
        },
    });
    let mut model = Model::empty("stranger");
    model.skeleton = Some(Skeleton::new(joints, sockets.collect()));
    model.materials = vec![Material {
        name: "m".into(),
        kind: MaterialKind::Basic(BasicMaterial { two_sided: true, unlit: true, ..BasicMaterial::default() }),
    }];
    let mut mesh = Mesh { name: "stranger".into(), ..Mesh::default() };
    mesh.points = vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 2.0];
    mesh.point_normals = vec![Vec3::Y; 4];
    let mut skin = Skin::default();
    for point in 0..4_u32 {
        skin.runs.push(Run { first: point * 2, count: 2 });
        skin.influences.push(Influence { joint: point % 3, weight: 0.75 });
        skin.influences.push(Influence { joint: (point + 1) % 3, weight: 0.25 });
    }
    mesh.skin = Some(skin);
    // A tetrahedron with hard edges: every corner its own vertex.
    for [a, b, c] in [[0_u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        let corner = |i: u32| mesh.points[i as usize];
        let normal = (corner(b) - corner(a)).cross(corner(c) - corner(a)).normalize_or(Vec3::Y);
        for point in [a, b, c] {
            mesh.indices.push(mesh.vertex_points.len() as u32);
            mesh.vertex_points.push(point);
            mesh.normals.push(normal);
        }
    }
    mesh.vertex_sources = (0..12).collect();
    mesh.uv_sets = vec![(0..12).map(|i| glam::Vec2::new(i as f32, 0.5)).collect(); 2];
    mesh.colors = (0..12).map(|i| [i, 2, 3, 4]).collect();
    mesh.surfaces = vec![Surface { first_index: 0, index_count: 12, material: 0 }];
    let delta = MorphDelta { point: 0, position: Vec3::new(0.1, 0.2, 0.3), normal: Vec3::new(0.0, 0.1, 0.0) };
    mesh.morphs = vec![Morph { name: "grow".into(), deltas: vec![delta] }];
    model.meshes.push(mesh);
    let key = |f: u32| Quat::from_euler(glam::EulerRot::XYZ, f as f32 * 0.3, 0.4, f as f32 * -0.2);
    let channel =
        |target, keys| Channel { target, sampler: Sampler::every_frame(keys), unit: Unit::Plain, muted: false };
    let clip = Clip {
        name: "move".into(),
        group: String::new(),
        frame_count: 4,
        rate_hz: 20.0,
        default_loop: LoopMode::Loop,
        blends_across_seam: true,
        joints: ["tip", "base", "other"].map(String::from).into(),
        key_rule: KeyRule::Plain,
        channels: vec![
            channel(Target::JointRotation(ClipJoint(0)), Keys::Rotation((0..4).map(key).collect())),
            channel(Target::JointRotation(ClipJoint(1)), Keys::Rotation((1..5).map(key).collect())),
            channel(
                Target::JointTranslation(ClipJoint(2)),
                Keys::Vec3((0..4).map(|f| Vec3::splat(f as f32)).collect()),
            ),
            channel(
                Target::JointScale(ClipJoint(0)),
                Keys::Vec3((0..4).map(|f| Vec3::new(1.0, 1.0 + f as f32, 1.0)).collect()),
            ),
            channel(Target::MorphWeight("grow".into()), Keys::Scalar(vec![0.0, 1.0, 0.5, 0.2])),
        ],
        ..Clip::default()
    };
    (model, clip)
}

#[test]
fn a_model_of_another_family_becomes_psk_and_psa() {
    let (model, clip) = stranger();
    let again = through_psk(&model);
    // Its corners and pictures of them are the same; a bone above the roots is new.
    let skeleton = again.skeleton.as_ref().unwrap();
    assert_eq!(skeleton.joints().len(), 4);
    assert_eq!(skeleton.joints()[0].parent, None);
    assert!(skeleton.joints()[1..].iter().all(|j| j.parent.is_some()));
    let (old, new) = (corners(&model), corners(&again));
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        assert!(near(old.0, new.0, 1.0) && near(old.1, new.1, 1.0) && old.2 == new.2 && old.3 == new.3);
    }
    for (old, new) in model.skeleton.as_ref().unwrap().sockets.iter().zip(&skeleton.sockets) {
        assert!(same_transform(&old.transform, &new.transform, 4.0), "{old:?} {new:?}");
    }
    for known in [&model, &*again] {
        let moved = through_psa(&[&clip], Some(known));
        assert_same_pose((&model, &clip), (&again, &moved[0]), "stranger");
    }
}

#[test]
fn a_root_that_is_not_the_first_joint_becomes_bone_0() {
    let (mut model, clip) = stranger();
    let mut joints = model.skeleton.as_ref().unwrap().joints().to_vec();
    joints[2].parent = Some(0);
    model.skeleton = Some(Skeleton::new(joints, vec![]));
    let again = through_psk(&model);
    let names: Vec<&str> = again.skeleton.as_ref().unwrap().joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["base", "tip", "other"]);
    for rule in [KeyRule::Plain, KeyRule::InverseOnFirstJoint] {
        let clip = Clip { key_rule: rule, ..clip.clone() };
        let moved = through_psa(&[&clip], Some(&model));
        assert_same_pose((&model, &clip), (&again, &moved[0]), "turned round");
    }
}

#[test]
fn what_psk_cannot_hold_is_refused() {
    let (mut model, _) = stranger();
    let mut joints = model.skeleton.as_ref().unwrap().joints().to_vec();
    joints[1].bind.scale = Vec3::new(2.0, 0.0, 2.0);
    model.skeleton = Some(Skeleton::new(joints, vec![]));
    let error = actorx::psk(&model, &mut Default::default()).unwrap_err().to_string();
    assert!(error.contains("“base”"), "{error}");
    let (mut model, _) = stranger();
    model.materials = vec![model.materials[0].clone(); 257];
    assert!(actorx::psk(&model, &mut Default::default()).unwrap_err().to_string().contains("256"));
}

fn psk_of_stranger(folder: &Path) -> PathBuf {
    let psk = actorx::psk(&stranger().0, &mut Default::default()).unwrap();
    let path = folder.join("stranger.psk");
    std::fs::write(&path, psk_format::encode_psk(&psk)).unwrap();
    path
}

fn source<'a>(file: &'a OpenFile, clips: bonebox::export::ClipsFor<'a>) -> ExportSource<'a> {
    ExportSource {
        file: &file.name,
        document: &*file.document,
        resolver: file.resolver(),
        limits: file.limits(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: clips,
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::File,
        glb: Default::default(),
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
    }
}

#[test]
fn every_offered_format_of_every_entry_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = open(&psk_of_stranger(folder.path()));
    let clips = |_: &Model, _| vec![Arc::new(stranger().1).into()];
    let source = source(&file, &clips);
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    let mut seen = std::collections::BTreeSet::new();
    for entry in file.document.outline().entries() {
        for format in formats_for(&*file.document, entry.id) {
            // The numbers of a glTF have the ending of raw bytes.
            let apart = folder.path().join(format.id());
            std::fs::create_dir_all(&apart).unwrap();
            let target = apart.join(format!("{}.{}", entry.id.0, format.extension()));
            let exported = export_entry(&source, entry.id, format, &target, &job).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(exported.paths[0], target);
            assert!(exported.paths.iter().all(|p| p.is_file()), "{:?}", exported.paths);
            seen.insert(format.id());
            assert!(export_entry(&source, entry.id, format, &target, &job).is_err(), "nothing is overwritten");
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["glb", "gltf", "json", "obj", "psk", "raw"]);
    let model = file.entries_with(Content::Model)[0];
    let wrong = export_entry(&source, model, ExportFormat::Png, &folder.path().join("x.png"), &job).unwrap_err();
    assert!(wrong.to_string().contains("use glb"), "{wrong}");
    let stop = Cancel::cancelled();
    let stopped = ExportJob { cancel: &stop, ..job };
    assert!(export_entry(&source, model, ExportFormat::Glb, &folder.path().join("y.glb"), &stopped).is_err());
    assert!(!folder.path().join("y.glb").exists());
}

#[test]
fn the_raw_bytes_and_the_rewritten_file_are_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = psk_of_stranger(folder.path());
    let file = open(&path);
    let none = |_: &Model, _| Vec::new();
    let source = source(&file, &none);
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    for format in [ExportFormat::Raw, ExportFormat::Psk] {
        let target = folder.path().join(format!("again.{}", format.extension()));
        export_entry(&source, EntryId::FILE, format, &target, &job).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), std::fs::read(&path).unwrap(), "{format:?}");
    }
    assert_eq!(Source::from(std::fs::read(&path).unwrap()).len(), file.document.source().len());
}

#[test]
fn obj_names_every_corner() {
    let (model, _) = stranger();
    let files =
        bonebox::export::obj::obj(&model, &Frame::bind(&model), "s", ObjSpace::Scene, Default::default()).unwrap();
    assert_eq!(files.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(), ["s.obj", "s.mtl"]);
    let text = String::from_utf8(files[0].1.clone()).unwrap();
    let count = |start: &str| text.lines().filter(|l| l.starts_with(start)).count();
    assert_eq!((count("v "), count("vt "), count("vn "), count("f ")), (4, 12, 12, 4));
    assert!(text.contains("\nusemtl m\nf 1/1/1 3/2/2 2/3/3\n"), "{text}");
    // V counts from the bottom row.
    assert!(text.contains("\nvt 3 0.5\n"));
    let numbers = |line: &str| -> Vec<f32> { line.split(' ').skip(1).map(|n| n.parse().unwrap()).collect() };
    for (line, point) in text.lines().filter(|l| l.starts_with("v ")).zip(&model.meshes[0].points) {
        assert!(Vec3::from_slice(&numbers(line)).distance(*point) < 1e-5, "{line}");
    }
}
