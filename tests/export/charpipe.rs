//! A model of the character pipeline as GLB, OBJ and PNG, read back.

use crate::kit::{
    self, made,
    read_back::{ReadBack, khronos_validate},
};
use bonebox::{
    bytes::Source,
    export::{
        glb::{BoundClip, glb},
        obj::{ObjSpace, obj},
    },
    formats::Content,
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, evaluate, skinning},
};
use glam::Vec3;
use std::{fs, sync::Arc};

/// The model, and the clips of the bank beside it.
fn arm(name: &str) -> (Arc<Model>, Vec<Arc<Clip>>) {
    let source = |name: String| Source::from(fs::read(kit::data().join("charpipe").join(name)).unwrap());
    let model = made::model(made::open("arm.model", &source(format!("{name}.model"))).as_ref());
    let bank = made::open("arm.anm", &source(format!("{name}.anm")));
    let entries: Vec<_> = bank.outline().with_content(Content::Clip).map(|e| e.id).collect();
    (model, entries.into_iter().map(|entry| made::clip_of(bank.as_ref(), entry)).collect())
}

#[test]
fn a_glb_poses_as_the_scene_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for name in ["arm_full", "arm_sdk"] {
        let (model, clips) = arm(name);
        let bindings: Vec<Binding> =
            clips.iter().map(|clip| Binding::new(clip, &model, BindingOptions::default())).collect();
        let bound: Vec<BoundClip<'_>> =
            clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
        let file = glb(&model, &bound).unwrap();
        assert!(!file.notes.iter().any(|note| note.contains("averaged")), "{:?}", file.notes);
        let back = ReadBack::new(&file.bytes);
        assert_eq!(back.document.animations().count(), clips.len(), "{name}: {:?}", file.notes);
        let limit = model.bounds().diagonal() * 1e-4;
        let check = |frame: &Frame, at: Option<(usize, f32)>| {
            let distance = back.distance(&model, frame, at);
            assert!(distance < limit, "{name} at {at:?}: {distance} > {limit}");
        };
        check(&Frame::bind(&model), None);
        for (index, bound) in bound.iter().enumerate() {
            for number in [0.0, 1.0, 2.0, 3.0] {
                let layer = Layer { clip: bound.clip, binding: bound.binding, frame: number, looping: false };
                let mut frame = Frame::default();
                evaluate(&model, &[layer], &[], &mut frame);
                check(&frame, Some((index, number / bound.clip.rate_hz)));
            }
        }
        // A joint a bone, and textures as PNG.
        assert_eq!(back.document.skins().next().unwrap().joints().count(), model.joint_count());
        assert_eq!(back.document.images().count(), model.images.len());
        let path = folder.path().join(format!("{name}.glb"));
        fs::write(&path, &file.bytes).unwrap();
        files.push(path);
    }
    khronos_validate(&files);
}

#[test]
fn an_obj_has_the_pose_and_the_textures() {
    let (model, clips) = arm("arm_full");
    let binding = Binding::new(&clips[0], &model, BindingOptions::default());
    let mut frame = Frame::default();
    evaluate(&model, &[Layer { clip: &clips[0], binding: &binding, frame: 2.0, looping: false }], &[], &mut frame);
    let files = obj(&model, &frame, "arm", ObjSpace::File, Default::default()).unwrap();
    let text = String::from_utf8(files[0].1.clone()).unwrap();
    let points: Vec<Vec3> =
        model.meshes.iter().flat_map(|mesh| skinning::skinned_points(&model, mesh, &frame)).collect();
    let read: Vec<Vec3> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|v| v.parse().unwrap()).collect::<Vec<f32>>())
        .map(|v| Vec3::new(v[0], v[1], v[2]))
        .collect();
    assert_eq!(read.len(), points.len());
    assert!(read.iter().zip(&points).all(|(a, b)| a.distance(*b) < 1e-5), "file space is scene space");
    let triangles = text.lines().filter(|line| line.starts_with("f ")).count();
    assert_eq!(triangles, model.triangle_count());
    let pictures = files.iter().filter(|(name, _)| name.ends_with(".png"));
    assert_eq!(pictures.count(), model.images.len());
}
