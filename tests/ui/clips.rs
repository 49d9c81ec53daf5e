//! Which clips are offered for a model, why, and which of them plays by itself (formats/j3d.md §3.7).

use crate::kit::{self, app::*, open::load_of};
use bonebox::{
    bytes::{Cancel, Limits},
    formats::{Asset, Content},
    library::{ClipFit, Home, OpenFile, OpenOptions, fits_for},
    scene::{Frame, TargetKind},
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::{DrawerPage, State},
    },
};
use egui_kittest::kittest::Queryable as _;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
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
    state.stages.front.playback().unwrap().player.layers().iter().map(|l| l.kind()).collect()
}

fn fits(model: &Path, clips: &[PathBuf]) -> Vec<(String, ClipFit)> {
    let limits = Limits::default();
    let file = OpenOptions::new().limits(limits).open(model).unwrap();
    let entry = file.entries_with(Content::Model)[0];
    let Asset::Model(model) = load_of(&file, entry) else { panic!("{} is no model", file.name) };
    let files: Vec<Arc<OpenFile>> =
        clips.iter().map(|p| Arc::new(OpenOptions::new().limits(limits).open(p).unwrap())).collect();
    let name = |fit: &ClipFit| {
        let entry = fit.file.entry(fit.entries[0]).unwrap();
        if entry.name.is_empty() { fit.file.name.clone() } else { entry.name.to_string() }
    };
    let fits = fits_for(&files, &model, &Home::of_model(&file, entry), Cancel::never());
    fits.into_iter().map(|f| (name(&f), f)).collect()
}

#[test]
fn clips_are_ranked_by_what_they_fit_and_what_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(
        folder.path(),
        &[
            ("arm_basic.bmd", "arm.bmd"),
            ("arm_basic.bmd", "enemy.bmd"),
            ("arm_wave.bck", "enemy_wave.bck"),
            ("arm_two_joints.bck", "arm_two_joints.bck"),
            ("arm_basic.btk", "arm_scroll.btk"),
            ("arm_wave.bck", "arm_wave.bck"),
            ("arm.bva", "arm.bva"),
        ],
    );
    let fits = fits(&files[0], &files[2..]);
    let order: Vec<(&str, bool)> = fits.iter().map(|(name, fit)| (name.as_str(), fit.belongs())).collect();
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
    assert_eq!(reason("arm_wave.bck"), "same folder, 3 of 3 joints match, name begins with “arm”");
    assert!(reason("arm_two_joints.bck").starts_with("same folder, 2 of 3 joints match, "));
    assert_eq!(reason("enemy_wave.bck"), "same folder, 3 of 3 joints match, named after the model “enemy”");
    assert!(reason("arm.bva").contains("same name as the model"));
}

#[test]
fn a_model_in_an_archive_plays_its_archives_clips_together() {
    let state = with_archive();
    assert!(state.stages.front.model().is_some());
    let clips: Vec<(&str, bool)> =
        state.stages.front.playback().unwrap().clips.iter().map(|c| (c.name.as_str(), c.belongs)).collect();
    assert!(clips.contains(&("wave.bck", true)) && clips.contains(&("arm.btk", true)), "{clips:?}");
    assert_eq!(state.stages.front.playback().unwrap().clips[0].kind, TargetKind::Joints);
    let kinds = playing(&state);
    assert!(kinds.contains(&TargetKind::Joints) && kinds.contains(&TargetKind::TextureMatrices), "{kinds:?}");
    // The clips of other kinds did not take the place of the one that the list shows.
    assert_eq!(
        state.stages.front.playback().unwrap().playing,
        Some(state.stages.front.playback().unwrap().clips[0].place)
    );
}

#[test]
fn a_clip_dropped_on_the_shown_model_plays() {
    let folder = tempfile::tempdir().unwrap();
    let model = copy(folder.path(), &[("arm_maya.bmd", "model/arm.bmd")]);
    let clips = copy(folder.path(), &[("arm_wave.bck", "other/wave.bck"), ("arm.btp", "other/eyes.btp")]);
    let mut state = state();
    open(&mut state, &model);
    assert!(state.stages.front.model().is_some() && playing(&state).is_empty());
    open(&mut state, &clips[..1]);
    assert_eq!(playing(&state), [TargetKind::Joints]);
    // Nothing but its number of joints speaks for it.
    let item = state.stages.front.playback().unwrap().clips.iter().find(|c| c.name == "wave.bck").unwrap();
    assert!(!item.belongs && item.reason == "only the number of joints matches", "{item:?}");
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
    assert!(state.stages.front.playback().unwrap().clips.iter().all(|c| c.name != "boss.bck"));
}

/// Names of the clips that are listed, with whether they belong and why they are offered.
fn listed(state: &State) -> Vec<(String, bool, String)> {
    state
        .stages
        .front
        .playback()
        .unwrap()
        .clips
        .iter()
        .map(|clip| (clip.name.clone(), clip.belongs, clip.reason.clone()))
        .collect()
}

#[test]
fn a_clip_of_another_folder_with_as_many_joints_does_not_play_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), &[("arm_maya.bmd", "game/beast/beast.bmd"), ("arm_wave.bck", "game/saucer/saucer_fly.bck")]);
    let mut window = window_with([folder.path().join("game")]);
    assert!(read(&window, |s| s.stages.front.model().is_some()));
    assert!(read(&window, playing).is_empty(), "{:?}", log(&window));
    let expected = [("saucer_fly.bck".to_owned(), false, "only the number of joints matches".to_owned())];
    assert_eq!(read(&window, listed), expected);
    // It waits in the list, under its own heading and with the reason.
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Clips)));
    window.run_steps(3);
    window.get_by_label("Play saucer_fly.bck");
    assert!(paints(&window, "Possible matches") && paints(&window, "only the number of joints matches"));
    assert!(!paints(&window, "Clips of this model"));
    look(&mut window, "clips_that_may_fit");
    let place = read(&window, |s| s.stages.front.playback().unwrap().clips[0].place);
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    settle(&mut window);
    assert_eq!(read(&window, playing), [TargetKind::Joints], "a person may know better");
}

#[test]
fn clips_of_a_model_in_pieces_are_found_and_a_calm_one_plays() {
    let folder = tempfile::tempdir().unwrap();
    let files = copy(
        folder.path(),
        &[
            ("arm_maya.bmd", "beast/bmd/beast.bmd"),
            ("arm_wave.bck", "beast/bck/attack.bck"),
            ("arm_wave.bck", "beast/bck/wait.bck"),
            ("arm.brk", "beast/brk/wait.brk"),
            ("arm_wave.bck", "beast/beast_run.bck"),
            ("arm_wave.bck", "beast/jump.bck"),
            ("arm_wave.bck", "saucer/fly.bck"),
        ],
    );
    let found = |state: &State| {
        let mut names: Vec<String> =
            state.stages.front.playback().unwrap().clips.iter().map(|clip| clip.name.clone()).collect();
        names.sort();
        assert!(state.stages.front.playback().unwrap().clips.iter().all(|clip| clip.belongs), "{:?}", listed(state));
        names
    };
    let expected = ["attack.bck", "beast_run.bck", "wait.bck", "wait.brk"];
    let named = |state: &State| state.stages.front.playback().unwrap().current().map(|clip| clip.name.clone());
    let mut of_file = state();
    open(&mut of_file, &files[..1]);
    assert_eq!(found(&of_file), expected);
    // What is called after the model comes before what is calm.
    assert_eq!(named(&of_file).as_deref(), Some("beast_run.bck"));
    let mut of_folder = state();
    open(&mut of_folder, &[folder.path().join("beast/bmd")]);
    assert_eq!(found(&of_folder), expected);
    // A clip brings its model in the same way.
    let mut of_clip = state();
    open(&mut of_clip, &files[1..2]);
    assert!(
        of_clip
            .stages
            .front
            .model()
            .is_some_and(|shown| of_clip.core.file(shown.place.file).unwrap().name == "beast.bmd")
    );
    assert_eq!(named(&of_clip).as_deref(), Some("attack.bck"));
    std::fs::remove_file(folder.path().join("beast/beast_run.bck")).unwrap();
    let mut calm = state();
    open(&mut calm, &files[..1]);
    assert_eq!(named(&calm).as_deref(), Some("wait.bck"));
    assert_eq!(playing(&calm), [TargetKind::Joints, TargetKind::Registers]);
}

#[test]
fn a_clip_of_an_archive_shows_on_a_model_of_the_same_archive() {
    let mut state = with_archive();
    let full =
        state.stages.front.playback().unwrap().clips.iter().find(|c| c.name == "full.bca").map(|c| c.place).unwrap();
    state.apply(Command::Stage(StageCommand::Show(full)));
    settle_state(&mut state);
    assert_eq!(state.stages.front.playback().unwrap().playing, Some(full));
}

/// A model whose joints rest elsewhere than its inverse bind matrices have them is offered in its bind pose.
#[test]
fn a_model_that_rests_in_another_pose_is_offered_in_its_bind_pose() {
    let Some(corpus) = kit::corpus() else { return };
    let mut state = state();
    open(&mut state, &[kit::data().join("j3d/arm_basic.bmd")]);
    assert!(state.stages.front.model().is_some_and(|shown| shown.bind_bounds.is_none()));
    assert!(!lines(&state).iter().any(|line| line.contains("bind pose")));

    open(&mut state, &[corpus.join("wild/rest_pose_unlike_bind_pose.bmd")]);
    let shown = state.stages.front.model().expect("a model shows");
    let (model, shown_bounds) = (shown.model.clone(), shown.bounds);
    let bound = shown.bind_bounds.expect("another pose");
    let notice = state
        .core
        .log
        .take_toasts()
        .into_iter()
        .find(|entry| entry.text().contains("the rest pose differs from the bind pose"));
    let (name, command) = notice.and_then(|entry| entry.action).expect("a notice with a button");
    assert_eq!(name, "Show bind pose");
    let skeleton = model.skeleton.as_ref().expect("joints");
    // How far joints are from where their inverse bind matrices have them.
    let far = |state: &State| {
        let mut frame = Frame::bind(&model);
        state.stages.front.playback().unwrap().player.evaluate(&model, &mut frame);
        let bound = skeleton.draw_matrices.iter().filter(|matrix| matrix.is_blended()).flat_map(|matrix| &matrix.terms);
        let moved = bound.map(|term| frame.world_from_joint[term.joint as usize] * term.joint_from_bind);
        moved.map(|moved| moved.translation.length()).fold(0.0, f32::max)
    };
    assert!(far(&state) > 1.0, "{}", far(&state));
    assert_eq!(state.stages.front.world_bounds(), Some(shown_bounds));
    state.apply(command.clone());
    assert_eq!(state.stages.front.world_bounds(), Some(bound), "the floor and the camera go along");
    assert!(far(&state) < 1e-3, "{}", far(&state));

    // It is the pose of this model alone.
    open(&mut state, &[kit::data().join("j3d/arm_basic.bmd")]);
    assert!(!state.stages.front.playback().unwrap().player.options.bind_pose);
    state.apply(command);
    assert!(!state.stages.front.playback().unwrap().player.options.bind_pose, "another model shows");
}
