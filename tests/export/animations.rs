//! Clips in GLB files: posed as a glTF client poses them, they put every vertex where the scene has it.

use crate::kit::{
    self,
    open::{clip_in, load_of, model_in},
    read_back::{ReadBack, khronos_validate},
};
use bonebox::{
    export::glb::{BoundClip, GlbOptions, Room, glb_with},
    formats::Content,
    library::OpenOptions,
    scene::*,
};
use std::path::{Path, PathBuf};

/// The largest distance that counts as none, as a share of the diagonal.
const NEAR: f32 = 1e-4;

/// Models with the clips that play on them, of the files themselves and of each other's.
fn models_with_clips(paths: &[PathBuf]) -> Vec<(String, Model, Vec<Clip>)> {
    let files: Vec<_> = paths.iter().filter_map(|path| OpenOptions::new().open(path).ok()).collect();
    let mut clips: Vec<Clip> = Vec::new();
    for file in &files {
        clips
            .extend(file.entries_with(Content::Clip).into_iter().map(|entry| (*clip_in(load_of(file, entry))).clone()));
    }
    let mut all = Vec::new();
    for file in &files {
        for entry in file.entries_with(Content::Model) {
            let model = (*model_in(load_of(file, entry))).clone();
            let moves = |clip: &&Clip| {
                let fit = Binding::new(clip, &model, BindingOptions::default()).fit;
                matches!(clip.kind(), TargetKind::Joints | TargetKind::Morphs) && fit.plays()
            };
            let own: Vec<Clip> = clips.iter().filter(moves).cloned().collect();
            // Skins whose influences have places of their own are averaged, which is told (sources.rs).
            let has_sources = model.meshes.iter().any(|mesh| mesh.skin.as_ref().is_some_and(Skin::has_sources));
            if !own.is_empty() && !has_sources && !model.meshes.is_empty() {
                all.push((format!("{}: {}", file.name, model.name), model, own));
            }
        }
    }
    all
}

/// Ten moments of each clip, most of them between frames, and the bind pose.
#[track_caller]
fn assert_arrives(name: &str, model: &Model, clips: &[Clip], into: &Path) {
    let bindings: Vec<Binding> =
        clips.iter().map(|clip| Binding::new(clip, model, BindingOptions::default())).collect();
    let bound: Vec<BoundClip<'_>> =
        clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
    let file = glb_with(model, bound.as_slice(), &GlbOptions::default(), Room::all()).unwrap();
    std::fs::write(into, &file.bytes).unwrap();
    let back = ReadBack::new(&file.bytes);
    back.assert_sound();
    assert_eq!(back.document.animations().count(), clips.len(), "{name}: {:?}", file.notes);
    let size = model.bounds().diagonal();
    let at_rest = back.distance(model, &Frame::bind(model), None) / size;
    assert!(at_rest < NEAR, "{name} at rest: {at_rest}");
    for (index, (clip, binding)) in clips.iter().zip(&bindings).enumerate() {
        let end = match clip.end {
            ClipEnd::Duration => clip.frame_count as f32,
            ClipEnd::Length(frames) => frames,
            ClipEnd::LastFrame => clip.last_frame(),
        };
        for moment in 0..10 {
            let number = end * moment as f32 / 9.0;
            let mut frame = Frame::default();
            evaluate(model, &[Layer { clip, binding, frame: number, looping: false }], &[], &mut frame);
            let far = back.distance(model, &frame, Some((index, number / clip.rate_hz))) / size;
            assert!(far < NEAR, "{name}, “{}” at frame {number}: {far}; {:?}", clip.name, file.notes);
        }
    }
}

fn assert_all_arrive(paths: &[PathBuf], at_least: usize) {
    let folder = tempfile::tempdir().unwrap();
    let models = models_with_clips(paths);
    assert!(models.len() >= at_least, "{} models with clips", models.len());
    let mut written = Vec::new();
    for (index, (name, model, clips)) in models.iter().enumerate() {
        let path = folder.path().join(format!("{index}.glb"));
        assert_arrives(name, model, clips, &path);
        written.push(path);
    }
    khronos_validate(&written);
}

#[test]
fn the_three_scaling_rules_of_the_samples_arrive() {
    assert_all_arrive(&[kit::samples().join("ScalingRules.arc")], 3);
}

#[test]
fn every_clip_of_the_samples_arrives() {
    assert_all_arrive(&[kit::samples().join("Bonebox.szs")], 1);
    assert_all_arrive(&[kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")], 1);
}

#[test]
fn arms_of_every_scaling_rule_arrive() {
    let own = kit::data().join("j3d");
    let files: Vec<PathBuf> = kit::files_below(&own)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| ["bmd", "bdl", "bck", "bca"].iter().any(|known| e == *known)))
        .collect();
    assert_all_arrive(&files, 2);
}
