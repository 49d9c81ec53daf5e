//! Models and clips of every family as ActorX files: written, opened again, and posed like what they were made from.

use crate::{
    actorx::{through_psa, through_psk},
    kit::{
        self,
        open::{clip_in, load_of, model_in},
    },
};
use bonebox::{
    bytes::Cancel,
    export::{ExportFormat, ExportJob, ExportSource, actorx, export_entry, formats_for, natural_format, obj::ObjSpace},
    formats::{Content, Entry, EntryId, LoadOptions, Role, actorx as psk_format},
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

fn entries(file: &OpenFile, is_one: impl Fn(&Entry) -> bool) -> Vec<&Entry> {
    file.document.outline().entries().iter().filter(|entry| is_one(entry)).collect()
}

/// Files with models and the files with their clips: the project's own, and those of the corpus where it is there.
fn families() -> Vec<(PathBuf, Vec<PathBuf>)> {
    let samples = kit::samples();
    let own = |model: &str, clips: &[&str]| (samples.join(model), clips.iter().map(|c| samples.join(c)).collect());
    let mut families = vec![
        own("Ossie.psk", &["Ossie.psa"]),
        own("Bonebox.u", &["Bonebox.u"]),
        own("Bonebox.szs", &["Bonebox.szs"]),
        own("ScalingRules.arc", &["ScalingRules.arc"]),
        own("Helix.model", &["Helix.anm"]),
    ];
    if let Some(corpus) = kit::corpus_beside() {
        let synth = corpus.join("j3d/synth");
        for model in ["arm_basic.bmd", "arm_softimage.bmd", "arm_maya.bmd", "arm.bdl"] {
            let clips = ["arm_wave.bck", "arm_wave_shift0_once.bck", "arm_full.bca"];
            families.push((synth.join(model), clips.iter().map(|c| synth.join(c)).collect()));
        }
        let charpipe = corpus.join("charpipe");
        families.push((charpipe.join("arm_full.model"), vec![charpipe.join("arm_full.anm")]));
    }
    families
}

/// Corners of all triangles in a pose, material after material, as files that keep triangles by material have them.
fn corners(model: &Model, frame: &Frame) -> Vec<Vec3> {
    let mut corners: Vec<(u32, Vec3)> = Vec::new();
    for mesh in &model.meshes {
        let points = skinning::skinned_points(model, mesh, frame);
        for surface in &mesh.surfaces {
            let first = surface.first_index as usize;
            let own = &mesh.indices[first..first + surface.index_count as usize];
            corners.extend(own.iter().map(|v| (surface.material, points[mesh.vertex_points[*v as usize] as usize])));
        }
    }
    corners.sort_by_key(|(material, _)| *material);
    corners.into_iter().map(|(_, corner)| corner).collect()
}

fn posed(model: &Model, clip: &Clip, number: f32) -> Vec<Vec3> {
    let binding = Binding::new(clip, model, BindingOptions::default());
    let mut frame = Frame::default();
    evaluate(model, &[Layer { clip, binding: &binding, frame: number, looping: false }], &[], &mut frame);
    corners(model, &frame)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn models_of_every_family_pose_as_before_through_psk_and_psa() {
    let (mut compared, mut sheared) = (Vec::new(), Vec::new());
    for (path, clip_files) in families() {
        let file = open(&path);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for entry in entries(&file, |e| e.content == Content::Model && e.role == Role::Model) {
            let model = model_in(load_of(&file, entry.id));
            let Some(skeleton) = model.skeleton.as_ref().filter(|s| !s.joints().is_empty()) else { continue };
            let again = through_psk(&model);
            let size = model.bounds().diagonal();
            let rest = farthest(&corners(&model, &Frame::bind(&model)), &corners(&again, &Frame::bind(&again)));
            assert!(rest <= size * 1e-4, "{name}: {}: at rest {rest} of {size}", entry.path());
            let bones = again.skeleton.as_ref().unwrap().joints();
            assert!(skeleton.joints().iter().all(|j| bones.iter().any(|b| b.name == j.name)), "{name}");
            assert_eq!(bones.iter().filter(|b| b.parent.is_none()).count(), 1, "{name}");
            for clips in &clip_files {
                let clips = open(clips);
                for of_clip in entries(&clips, |e| e.content == Content::Clip && e.role == Role::Clip) {
                    let clip = clip_in(load_of(&clips, of_clip.id));
                    if !Binding::new(&clip, &model, BindingOptions::default()).fit.plays() {
                        continue;
                    }
                    let what = format!("{name}: {} with {}", entry.path(), of_clip.path());
                    let made = match actorx::psa(&[&clip], Some(&model), &[], &mut Default::default()) {
                        Ok(made) => made,
                        Err(error) => {
                            assert!(error.to_string().contains("does not support shear"), "{what}: {error}");
                            sheared.push(what);
                            continue;
                        }
                    };
                    let psk_bones: Vec<&str> = bones.iter().map(|b| b.name.as_str()).collect();
                    let psa_bones: Vec<&str> = made.bones.iter().map(|b| b.name.as_str()).collect();
                    assert_eq!(psa_bones, psk_bones, "{what}");
                    let moved = &through_psa(&[&clip], Some(&model))[0];
                    assert!(moved.frame_count >= clip.frame_count, "{what}");
                    for step in 0..5 {
                        let number = (clip.last_frame() * step as f32 / 4.0).floor();
                        let far = farthest(&posed(&model, &clip, number), &posed(&again, moved, number));
                        assert!(far <= size * 1e-4, "{what} at {number}: {far} of {size}");
                    }
                    compared.push(what);
                }
            }
        }
    }
    for needed in ["Ossie.psk", "Bonebox.u", "Bonebox.szs", "ScalingRules.arc", "Helix.model"] {
        assert!(compared.iter().any(|what| what.starts_with(needed)), "{needed}: {compared:#?}, refused {sheared:#?}");
    }
    let by_product = |what: &&String| what.contains("basic") || !what.contains("softimage") && !what.contains("maya");
    assert_eq!(sheared.iter().filter(by_product).count(), 0, "plain products can all be said: {sheared:#?}");
}

/// Two joints in a chain under a rule, with a point each, and a clip that scales the first one.
fn arm(scale: Vec3) -> (Model, Clip) {
    let joint = |name: &str, parent, scale| Joint {
        name: name.into(),
        parent,
        bind: Transform { translation: Vec3::Y * 2.0, rotation: Quat::from_rotation_z(0.6), scale },
        ..Joint::default()
    };
    let joints = vec![joint("upper", None, scale), joint("lower", Some(0), Vec3::ONE)];
    let mesh = Mesh {
        points: vec![Vec3::X, Vec3::new(1.0, 5.0, 0.0), Vec3::new(3.0, 5.0, 1.0)],
        vertex_points: vec![0, 1, 2],
        normals: vec![Vec3::Z; 3],
        indices: vec![0, 1, 2],
        surfaces: vec![Surface { first_index: 0, index_count: 3, material: 0 }],
        skin: Some(Skin {
            runs: (0..3).map(|first| Run { first, count: 1 }).collect(),
            influences: [0, 1, 1].map(|joint| Influence { joint, weight: 1.0 }).to_vec(),
            ..Skin::default()
        }),
        ..Mesh::default()
    };
    let model = Model {
        meshes: vec![mesh],
        skeleton: Some(Skeleton::new(joints, vec![])),
        materials: vec![Material { name: "m".into(), kind: MaterialKind::Basic(BasicMaterial::default()) }],
        ..Model::empty("arm")
    };
    let turns = (0..3).map(|f| Quat::from_rotation_z(0.6 + f as f32)).collect();
    let clip = Clip {
        name: "turn".into(),
        frame_count: 3,
        rate_hz: 10.0,
        joints: ["lower".to_owned()].into(),
        channels: vec![Channel {
            target: Target::JointRotation(ClipJoint(0)),
            sampler: Sampler::every_frame(Keys::Rotation(turns)),
            unit: Unit::Plain,
            muted: false,
        }],
        ..Clip::default()
    };
    (model, clip)
}

#[test]
fn scales_of_a_bind_pose_are_worked_into_the_bones() {
    let (model, clip) = arm(Vec3::splat(2.5));
    let again = through_psk(&model);
    let moved = &through_psa(&[&clip], Some(&model))[0];
    for number in [0.0, 1.0, 2.0] {
        let far = farthest(&posed(&model, &clip, number), &posed(&again, moved, number));
        assert!(far < 1e-4, "{number}: {far}");
    }
    let lower = &again.skeleton.as_ref().unwrap().joints()[1];
    assert!(lower.bind.translation.abs_diff_eq(Vec3::Y * 5.0, 1e-5), "{lower:?}");
    assert!(!moved.channels.iter().any(|c| matches!(c.target, Target::JointScale(_))), "nothing is scaled any more");
}

#[test]
fn what_would_need_shear_or_has_no_extent_is_refused_with_the_bone() {
    let (model, clip) = arm(Vec3::new(1.0, 3.0, 1.0));
    // At rest nothing shows of it.
    through_psk(&model);
    let error = actorx::psa(&[&clip], Some(&model), &[], &mut Default::default()).unwrap_err().to_string();
    assert!(
        error.contains("does not support shear") && error.contains("“lower”") && error.contains("“turn”"),
        "{error}"
    );
    let (flat, _) = arm(Vec3::ZERO);
    let error = actorx::psk(&flat, &mut Default::default()).unwrap_err().to_string();
    assert!(error.contains("does not support scale") && error.contains("“upper”"), "{error}");
}

#[test]
fn points_that_no_joint_moves_hang_on_a_root_that_never_moves() {
    let (mut model, _) = arm(Vec3::ONE);
    model.meshes[0].skin.as_mut().unwrap().runs[2] = Run::default();
    let skeleton = model.skeleton.take().unwrap();
    let mut joints = skeleton.joints().to_vec();
    joints[0].name = "Root".into();
    model.skeleton = Some(Skeleton::new(joints, vec![]));
    let again = through_psk(&model);
    let names: Vec<&str> = again.skeleton.as_ref().unwrap().joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["Root_2", "Root", "lower"]);
    let still = again.meshes[0].skin.as_ref().unwrap().influences_of(2);
    assert_eq!(still, [Influence { joint: 0, weight: 1.0 }]);
}

#[test]
fn clips_that_move_no_joint_are_no_psa() {
    let mut clip = arm(Vec3::ONE).1;
    clip.channels[0].target = Target::TextureSlot { material: ClipMaterial(0), slot: 0 };
    clip.joints = [].into();
    for model in [None, Some(arm(Vec3::ONE).0)] {
        let error = actorx::psa(&[&clip], model.as_ref(), &[], &mut Default::default()).unwrap_err().to_string();
        assert!(error.contains("“turn” does not animate bones") && error.contains("json"), "{error}");
    }
    // By number, and nobody says of which model.
    let mut by_place = arm(Vec3::ONE).1;
    by_place.addressing = JointAddressing::ByPlace { driven: 2 };
    let error = actorx::psa(&[&by_place], None, &[], &mut Default::default()).unwrap_err().to_string();
    assert!(error.contains("by index") && error.contains("--clip"), "{error}");
    let file = open(&kit::samples().join("Bonebox.szs"));
    let surfaces = entries(&file, |e| e.role == Role::SurfaceClip);
    assert!(!surfaces.is_empty());
    for entry in surfaces {
        assert_eq!(natural_format(&*file.document, entry), Some(ExportFormat::Json), "{}", entry.path());
        assert!(!formats_for(&*file.document, entry.id).contains(&ExportFormat::Psa));
        assert!(!actorx::moves_joints(&clip_in(load_of(&file, entry.id))));
    }
}

fn export(file: &OpenFile, entry: &Entry, target: &Path, force: bool) -> Result<Vec<PathBuf>, String> {
    let none = |_: &Model, _: EntryId| Vec::new();
    let source = ExportSource {
        file: &file.name,
        document: &*file.document,
        resolver: file.resolver(),
        limits: file.limits(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: &none,
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::File,
        glb: Default::default(),
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
    };
    let job = ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force, max_output: None, resume: false };
    export_entry(&source, entry.id, ExportFormat::Psk, target, &job).map(|e| e.paths).map_err(|e| e.to_string())
}

#[test]
fn textures_travel_with_a_mesh_and_are_found_where_it_is_moved_to() {
    for (sample, model_entry) in [("Ossie.psk", Role::Model), ("Bonebox.u", Role::Model), ("Bonebox.szs", Role::Model)]
    {
        let file = open(&kit::samples().join(sample));
        let entry = entries(&file, |e| e.content == Content::Model && e.role == model_entry)[0];
        let model = model_in(load_of(&file, entry.id));
        let outer = tempfile::tempdir().unwrap();
        let (made, moved) = (outer.path().join("made"), outer.path().join("moved"));
        std::fs::create_dir(&made).unwrap();
        let paths = export(&file, entry, &made.join("again.psk"), false).unwrap();
        assert!(paths.iter().all(|p| p.parent() == Some(&made)), "{paths:?}");
        assert!(paths.iter().any(|p| p.extension().is_some_and(|e| e == "mat")), "{paths:?}");
        std::fs::rename(&made, &moved).unwrap();
        let again = open(&moved.join("again.psk"));
        let reread = model_in(load_of(&again, again.entries_with(Content::Model)[0]));
        assert_eq!(model.materials.len(), reread.materials.len(), "{sample}");
        for (old, new) in model.materials.iter().zip(&reread.materials) {
            let picture = |model: &Model, basic: &BasicMaterial| {
                let image = &model.images[basic.image? as usize];
                Some((image.width, image.height, image.rgba.to_vec()))
            };
            let (old_look, new_look) = (old.basic(), new.basic());
            assert!(picture(&model, &old_look) == picture(&reread, &new_look), "{sample}: {}", old.name);
            let how = |look: &BasicMaterial| (look.blend, look.two_sided);
            assert_eq!(how(&old_look), how(&new_look), "{sample}: {}", old.name);
        }
        // What is there stays, and is no obstacle where it is the same.
        let entry = entries(&file, |e| e.content == Content::Model && e.role == model_entry)[0];
        let second = export(&file, entry, &moved.join("second.psk"), false).unwrap();
        assert_eq!(second, [moved.join("second.psk")], "{sample}");
        assert!(export(&file, entry, &moved.join("second.psk"), false).is_err());
    }
}

#[test]
fn exporters_folders_beside_a_mesh_are_looked_in() {
    let made = tempfile::tempdir().unwrap();
    let file = open(&kit::samples().join("Ossie.psk"));
    let entry = entries(&file, |e| e.content == Content::Model)[0];
    let [meshes, textures, materials] = ["SkeletalMesh3", "Texture2D", "MaterialInstanceConstant"].map(|folder| {
        let folder = made.path().join("Pack").join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    });
    for path in export(&file, entry, &meshes.join("a.psk"), false).unwrap() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let folder = if name.ends_with(".png") { &textures } else { &materials };
        if !name.ends_with(".psk") {
            std::fs::rename(&path, folder.join(name)).unwrap();
        }
    }
    std::fs::write(materials.join("Ossie_Bone.props.txt"), "TwoSided = true\nBlendMode = BLEND_Translucent (2)\n")
        .unwrap();
    let again = open(&meshes.join("a.psk"));
    let model = model_in(load_of(&again, again.entries_with(Content::Model)[0]));
    assert_eq!(model.missing, Vec::<String>::new());
    let bone = model.materials.iter().find(|m| m.name == "Ossie_Bone").unwrap().basic();
    assert!(bone.image.is_some() && bone.blend == Blend::Alpha && bone.two_sided, "{bone:?}");
}

#[test]
fn files_beside_a_mesh_have_safe_names_of_their_own() {
    let image = |name: &str, value| {
        let rgba = vec![value; 16].into();
        Arc::new(Image { name: name.into(), width: 2, height: 2, rgba, stored_as: String::new() })
    };
    let (mut model, _) = arm(Vec3::ONE);
    model.images = vec![image("../../evil", 1), image("a/skin.tga", 2), image("b/SKIN.png", 3)];
    let material = |name: &str, image, blend| Material {
        name: name.into(),
        kind: MaterialKind::Basic(BasicMaterial { image: Some(image), blend, ..BasicMaterial::default() }),
    };
    model.materials = vec![
        material("../up", 0, Blend::Opaque),
        material("Skin", 1, Blend::Alpha),
        material("skin", 2, Blend::Opaque),
        material("Skin", 1, Blend::Alpha),
        material(&"long".repeat(40), 0, Blend::Masked),
    ];
    let mut notes = Default::default();
    let mut psk = actorx::psk(&model, &mut notes).unwrap();
    actorx::name_materials(&mut psk, &model, &mut notes);
    let names: Vec<&str> = psk.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names[..4], [".._up", "Skin", "skin_2", "Skin"]);
    assert!(names[4].len() <= 56 && notes.iter().any(|n| n.contains("3 materials")), "{notes:?}");
    let again = psk_format::parse_psk(&psk_format::encode_psk(&psk)).unwrap().value;
    assert!(again.materials.iter().zip(&psk.materials).all(|(a, b)| a.name == b.name));
    let files = actorx::sidecars(&psk, &model).unwrap();
    let text = |name: &str| {
        let found = files
            .iter()
            .find(|f| f.0 == name)
            .unwrap_or_else(|| panic!("{name}: {:?}", files.iter().map(|f| &f.0).collect::<Vec<_>>()));
        String::from_utf8(found.1.clone()).unwrap()
    };
    assert_eq!(text("Skin.mat"), "Diffuse=skin\nOpacity=skin\n");
    assert_eq!(text("Skin.props.txt"), "TwoSided = false\nBlendMode = BLEND_Translucent (2)\n");
    assert_eq!(text("skin_2.mat"), "Diffuse=SKIN_2\n");
    let mut all: Vec<String> = files.iter().map(|f| f.0.to_lowercase()).collect();
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count, "no two are one file on systems without case");
    assert!(files.iter().all(|f| !f.0.contains(['/', '\\'])));
}
