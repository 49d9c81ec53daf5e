//! Which clips are offered for a model, why, and which of them plays by itself (formats/j3d.md §3.7).

use crate::kit::{self, app::*, open::load_of};
use bonebox::{
    bytes::Limits,
    formats::{Asset, Content},
    library::{ClipFit, Home, OpenFile, fits_for, open_path},
    scene::TargetKind,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::State,
    },
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

fn open(state: &mut State, paths: &[PathBuf]) {
    state.apply(Command::Library(LibraryCommand::Open(paths.to_vec())));
    settle_state(state);
}

/// A state with the archive of a model and its clips.
fn with_archive() -> State {
    let mut state = state();
    open(&mut state, &[kit::data().join("archive/arm.arc")]);
    state
}

/// Copies test files under other names.
fn copy(folder: &Path, files: &[(&str, &str)]) -> Vec<PathBuf> {
    let copy = |(from, to): &(&str, &str)| {
        let to = folder.join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(kit::data().join("j3d").join(from), &to).unwrap();
        to
    };
    files.iter().map(copy).collect()
}

fn playing(state: &State) -> Vec<TargetKind> {
    state.stage.playback.player.layers().iter().map(|l| l.kind()).collect()
}

fn fits(model: &Path, clips: &[PathBuf]) -> Vec<(String, ClipFit)> {
    let limits = Limits::default();
    let file = open_path(model, limits).unwrap();
    let entry = file.entries_with(Content::Model)[0];
    let Asset::Model(model) = load_of(&file, entry) else { panic!("{} is no model", file.name) };
    let files: Vec<Arc<OpenFile>> = clips.iter().map(|p| Arc::new(open_path(p, limits).unwrap())).collect();
    let name = |fit: &ClipFit| {
        let entry = fit.file.entry(fit.entries[0]).unwrap();
        if entry.name.is_empty() { fit.file.name.clone() } else { entry.name.to_string() }
    };
    let fits = fits_for(&files, &model, Some(&Home::of(&file, entry)), &AtomicBool::new(false));
    fits.into_iter().map(|f| (name(&f), f)).collect()
}

#[test]
fn clips_are_ranked_by_what_they_fit_and_what_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(
        folder.path(),
        &[
            ("arm_basic.bmd", "arm.bmd"),
            ("arm_wave.bck", "enemy_wave.bck"),
            ("arm_two_joints.bck", "arm_two_joints.bck"),
            ("arm_basic.btk", "arm_scroll.btk"),
            ("arm_wave.bck", "arm_wave.bck"),
            ("arm.bva", "arm.bva"),
        ],
    );
    let fits = fits(&files[0], &files[1..]);
    let order: Vec<(&str, bool)> = fits.iter().map(|(name, fit)| (name.as_str(), fit.is_likely())).collect();
    assert_eq!(
        order,
        [
            ("arm_wave.bck", true),
            ("arm_scroll.btk", true),
            ("arm.bva", true),
            ("enemy_wave.bck", false),
            ("arm_two_joints.bck", false)
        ]
    );
    let reason = |name: &str| fits.iter().find(|(n, _)| n == name).unwrap().1.reason();
    assert_eq!(reason("arm_wave.bck"), "3 of 3 joints; is called “arm…” like the model; in the same folder");
    assert!(reason("arm_two_joints.bck").starts_with("2 of 3 joints"));
    assert_eq!(reason("enemy_wave.bck"), "3 of 3 joints; in the same folder");
    assert!(reason("arm.bva").contains("has the model's name"));
}

#[test]
fn a_model_in_an_archive_plays_its_archives_clips_together() {
    let state = with_archive();
    assert!(state.stage.model().is_some());
    let clips: Vec<(&str, bool)> = state.stage.playback.clips.iter().map(|c| (c.name.as_str(), c.likely)).collect();
    assert!(clips.contains(&("wave.bck", true)) && clips.contains(&("arm.btk", true)), "{clips:?}");
    assert_eq!(state.stage.playback.clips[0].kind, TargetKind::Joints);
    let kinds = playing(&state);
    assert!(kinds.contains(&TargetKind::Joints) && kinds.contains(&TargetKind::TextureMatrices), "{kinds:?}");
    // The clips of other kinds did not take the place of the one that the list shows.
    assert_eq!(state.stage.playback.playing, Some(state.stage.playback.clips[0].place));
}

#[test]
fn a_clip_dropped_on_the_shown_model_plays() {
    let folder = tempfile::tempdir().unwrap();
    let model = copy(folder.path(), &[("arm_maya.bmd", "model/arm.bmd")]);
    let clips = copy(folder.path(), &[("arm_wave.bck", "clips/wave.bck"), ("arm.btp", "clips/eyes.btp")]);
    let mut state = state();
    open(&mut state, &model);
    assert!(state.stage.model().is_some() && playing(&state).is_empty());
    open(&mut state, &clips[..1]);
    assert_eq!(playing(&state), [TargetKind::Joints]);
    // Nothing but its number of joints speaks for it.
    let item = state.stage.playback.clips.iter().find(|c| c.name == "wave.bck").unwrap();
    assert!(!item.likely && item.reason.starts_with("3 of 3 joints"), "{item:?}");
    open(&mut state, &clips[1..]);
    assert_eq!(playing(&state), [TargetKind::Joints, TargetKind::TextureSlots]);
}

#[test]
fn animations_beside_a_loose_model_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(
        folder.path(),
        &[
            ("arm_softimage.bmd", "arm.bmd"),
            ("arm_wave.bck", "arm_wave.bck"),
            ("arm.brk", "arm.brk"),
            ("arm_wave.bck", "boss.bck"),
        ],
    );
    let mut state = state();
    open(&mut state, &files[..1]);
    assert_eq!(playing(&state), [TargetKind::Joints, TargetKind::Registers]);
    // One that is called otherwise is not opened unasked.
    assert!(state.stage.playback.clips.iter().all(|c| c.name != "boss.bck"));
}

#[test]
fn a_clip_of_an_archive_shows_on_a_model_of_the_same_archive() {
    let mut state = with_archive();
    let full = state.stage.playback.clips.iter().find(|c| c.name == "full.bca").map(|c| c.place).unwrap();
    state.apply(Command::Stage(StageCommand::Show(full)));
    settle_state(&mut state);
    assert_eq!(state.stage.playback.playing, Some(full));
}
