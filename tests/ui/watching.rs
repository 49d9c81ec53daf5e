//! Files that change on disk while they are open, and reading one again by hand.

use crate::kit::{self, app::*};
use bonebox::{
    formats::{Content, EntryId, Severity},
    ui::{
        command::{
            CameraCommand, Command, LibraryCommand, SelectionCommand, TransportCommand, ViewCommand, WindowCommand,
        },
        saved_view::ViewToggle,
        state::{Message, Place, Shading, StageContent},
    },
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Where the points of the first chunk after the head begin in an ActorX mesh.
const POINTS: usize = 64;

/// The sample model and its clips in a folder of their own.
fn ossie() -> (tempfile::TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let files = ["Ossie.psk", "Ossie.psa"].map(|name| {
        let path = folder.path().join(name);
        fs::copy(kit::samples().join(name), &path).unwrap();
        path
    });
    (folder, files)
}

/// Moves the first point of a mesh.
fn move_point(path: &Path, x: f32) {
    let mut bytes = fs::read(path).unwrap();
    bytes[POINTS..POINTS + 4].copy_from_slice(&x.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

/// What the watcher tells of files.
fn tell(window: &mut Window, files: &[&Path]) {
    let files = files.iter().map(|file| file.to_path_buf()).collect();
    change(window, |s| s.core.works.sender().send(Message::FilesChanged(files)).unwrap());
    settle(window);
}

/// The first point of the file, as the document has it and as the model on the stage has it.
fn point(window: &Window) -> (f32, f32) {
    read(window, |s| {
        let shown = s.stages.front.model().expect("a model");
        let bytes = s.core.file(shown.place.file).unwrap().document.source().as_slice().to_vec();
        let x = f32::from_le_bytes(bytes[POINTS..POINTS + 4].try_into().unwrap());
        (x, shown.model.meshes[0].points[0].length())
    })
}

fn notices(window: &Window, text: &str) -> usize {
    log(window).iter().filter(|line| line.contains(text)).count()
}

fn bone(window: &Window) -> Place {
    read(window, |s| {
        let file = &s.core.library.files[0];
        let bone = file.file.document.outline().entries().iter().rfind(|e| e.class == "Bone").expect("a bone").id;
        Place { file: file.id, entry: bone }
    })
}

#[test]
fn a_model_that_changed_is_shown_anew_and_looked_at_as_before() {
    let (_folder, [model, clips]) = ossie();
    let mut window = window_with([&model, &clips]);
    let bone = bone(&window);
    for command in [
        Command::Selection(SelectionCommand::Select(bone)),
        Command::Camera(CameraCommand::Orbit(glam::vec2(0.4, 0.2))),
        Command::View(ViewCommand::SetShading(Shading::Normals)),
        Command::View(ViewCommand::Toggle(ViewToggle::Wireframe)),
        Command::Transport(TransportCommand::TogglePlay),
        Command::Transport(TransportCommand::Seek(7.0)),
    ] {
        apply(&mut window, command);
    }
    let rows = |window: &Window| change(window, |s| s.core.library.rows().0.to_vec().len());
    let looked_at = |window: &Window| {
        read(window, |s| {
            let playback = s.stages.front.playback().unwrap();
            (
                (s.core.selection, s.stages.front.selected().joint, s.stages.front.view.clone()),
                (playback.playing, playback.player.frame(), playback.player.playing),
            )
        })
    };
    let (before, unfolded, was) = (looked_at(&window), rows(&window), point(&window));
    assert!(before.0.1.is_some() && before.1.0.is_some() && before.1.1 == 7.0, "{before:?}");
    let generation = read(&window, |s| s.stages.front.model().unwrap().generation);

    move_point(&model, 123.0);
    tell(&mut window, &[&model]);
    let now = point(&window);
    assert_eq!(now.0, 123.0, "the bytes");
    assert!((now.1 - was.1).abs() > 1.0, "the model: {was:?} {now:?}");
    assert_eq!(looked_at(&window), before);
    assert_eq!(rows(&window), unfolded);
    assert_ne!(read(&window, |s| s.stages.front.model().unwrap().generation), generation);
    assert_eq!(notices(&window, "reloaded after a change on disk"), 1);
    // The clips go on: the pose is that of the same frame.
    pass(&mut window, 0.0);
    apply(&mut window, Command::Transport(TransportCommand::Step(1)));
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().player.frame()), 8.0);

    // Written anew with the same bytes: nothing happens.
    move_point(&model, 123.0);
    tell(&mut window, &[&model]);
    assert_eq!(notices(&window, "reloaded after a change on disk"), 1);
}

#[test]
fn a_clip_that_changed_plays_on_from_where_it_is() {
    let (_folder, [model, clips]) = ossie();
    let mut window = window_with([&model, &clips]);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut window, Command::Transport(TransportCommand::Seek(5.0)));
    let pose = |window: &mut Window| {
        pass(window, 0.0);
        read(window, |s| s.stages.front.playback().unwrap().frame.world_from_joint.clone())
    };
    let before = pose(&mut window);
    // All keys of the file stand elsewhere.
    let mut bytes = fs::read(&clips).unwrap();
    let keys = bytes.windows(8).position(|at| at == b"ANIMKEYS").expect("keys");
    let count = u32::from_le_bytes(bytes[keys + 28..keys + 32].try_into().unwrap()) as usize;
    for key in 0..count {
        let at = keys + 32 + key * 32;
        bytes[at..at + 4].copy_from_slice(&77.0_f32.to_le_bytes());
    }
    fs::write(&clips, bytes).unwrap();
    tell(&mut window, &[&clips]);
    assert_eq!(
        read(&window, |s| (
            s.stages.front.playback().unwrap().player.frame(),
            s.stages.front.playback().unwrap().player.playing
        )),
        (5.0, false)
    );
    let after = pose(&mut window);
    assert_ne!(format!("{before:?}"), format!("{after:?}"), "the keys are the new ones");
    let is_listed = read(&window, |s| s.stages.front.playback().unwrap().current().is_some());
    assert!(is_listed);
}

#[test]
fn a_half_written_file_keeps_the_last_good_state_and_is_tried_again() {
    let (_folder, [model, _]) = ossie();
    let whole = fs::read(&model).unwrap();
    let mut window = window_with([&model]);
    let before = point(&window);
    for size in [0, 40, whole.len() / 3, whole.len() / 2, whole.len() - 5] {
        fs::write(&model, &whole[..size]).unwrap();
        for _ in 0..3 {
            tell(&mut window, &[&model]);
        }
        assert_eq!(point(&window), before, "{size}");
        assert!(read(&window, |s| s.stages.front.model().is_some()));
    }
    let said = read(&window, |s| {
        s.core.log.entries().iter().filter(|e| e.message.starts_with("changed on disk, but cannot be reloaded")).count()
    });
    assert!((1..=5).contains(&said), "no more than one for each state of it: {said}");
    // Whole again.
    fs::write(&model, &whole).unwrap();
    move_point(&model, 55.0);
    tell(&mut window, &[&model]);
    assert_eq!(point(&window).0, 55.0);
    // And broken again: that is said again.
    fs::write(&model, "junk").unwrap();
    tell(&mut window, &[&model]);
    assert_eq!(point(&window).0, 55.0);
    let last = read(&window, |s| s.core.log.entries().back().cloned()).unwrap();
    assert!(last.message.starts_with("changed on disk, but cannot be reloaded"), "{}", last.message);
    assert_eq!(last.severity, Severity::Warning);
}

#[test]
fn only_the_first_notice_of_a_broken_file_is_shown() {
    let (_folder, [model, _]) = ossie();
    let whole = fs::read(&model).unwrap();
    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(vec![model.clone()])));
    settle_state(&mut state);
    let _ = state.core.log.take_toasts();
    for size in (0..60).step_by(3) {
        fs::write(&model, &whole[..size]).unwrap();
        state.core.works.sender().send(Message::FilesChanged(vec![model.clone()])).unwrap();
        settle_state(&mut state);
    }
    let toasts: Vec<String> = state.core.log.take_toasts().iter().map(|entry| entry.text()).collect();
    assert_eq!(toasts.len(), 1, "{toasts:?}");
}

#[test]
fn many_broken_files_are_no_flood() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap();
    let files: Vec<PathBuf> = (0..40).map(|index| folder.path().join(format!("copy{index:03}.psk"))).collect();
    files.iter().for_each(|path| fs::write(path, &bytes).unwrap());
    let mut state = state();
    state.apply(Command::Library(LibraryCommand::Open(files.clone())));
    settle_state(&mut state);
    let _ = state.core.log.take_toasts();
    files.iter().for_each(|path| fs::write(path, "junk").unwrap());
    state.core.works.sender().send(Message::FilesChanged(files)).unwrap();
    settle_state(&mut state);
    assert!(state.core.log.take_toasts().is_empty());
    assert_eq!(
        lines(&state).iter().filter(|line| line.contains("changed on disk, but cannot be reloaded")).count(),
        40
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_a_folder_and_nothing_in_its_place_are_survived() {
    let (_folder, [model, _]) = ossie();
    let whole = fs::read(&model).unwrap();
    let mut window = window_with([&model]);
    let before = point(&window);
    let gone = |path: &Path| fs::remove_file(path).unwrap();
    gone(&model);
    tell(&mut window, &[&model]);
    assert_eq!(notices(&window, "the file was deleted or moved"), 1);
    assert!(std::process::Command::new("mkfifo").arg(&model).status().unwrap().success());
    tell(&mut window, &[&model]);
    assert_eq!(notices(&window, "it is a pipe, not a file"), 1);
    gone(&model);
    fs::create_dir(&model).unwrap();
    tell(&mut window, &[&model]);
    assert_eq!(notices(&window, "it is a folder, not a file"), 1);
    assert_eq!(point(&window), before);
    // By hand it is the same.
    apply(&mut window, Command::Library(LibraryCommand::ReadAgain(None)));
    assert_eq!(notices(&window, "cannot reload: "), 1);
    assert_eq!(point(&window), before);
    // An editor writes beside it and renames.
    fs::remove_dir(&model).unwrap();
    let beside = model.with_extension("tmp");
    fs::write(&beside, &whole).unwrap();
    move_point(&beside, 9.0);
    fs::rename(&beside, &model).unwrap();
    tell(&mut window, &[&model]);
    assert_eq!(point(&window).0, 9.0);
}

#[test]
fn the_inspector_is_never_of_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.psk");
    fs::copy(kit::data().join("actorx/syn_arm.psk"), &path).unwrap();
    let mut window = window_with([&path]);
    let points = place(&window, "PNTS0000");
    apply(&mut window, Command::Selection(SelectionCommand::Select(points)));
    let mut bytes = fs::read(&path).unwrap();
    bytes[POINTS..POINTS + 4].copy_from_slice(&31_337.0_f32.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    assert!(!paints(&window, "31337"));
    tell(&mut window, &[&path]);
    assert_eq!(point(&window).0, 31_337.0);
    assert_eq!(read(&window, |s| s.core.selection), Some(points));
    assert!(paints(&window, "31337"), "the fields that are drawn are the new ones");
}

#[test]
fn an_entry_that_moved_is_followed_and_one_that_is_gone_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let [from, path] = ["Ossie.psa", "clips.psa"].map(|name| folder.path().join(name));
    fs::copy(kit::samples().join("Ossie.psa"), &from).unwrap();
    fs::copy(&from, &path).unwrap();
    let mut window = window_with([&path]);
    // The file has bones of its own, which its first clip plays on.
    let shown = read(&window, |s| s.stages.front.content.place()).expect("something is shown");
    let whole = Place { entry: EntryId::FILE, ..shown };
    // Another file takes its place: a model without clips.
    fs::copy(kit::data().join("actorx/syn_arm.psk"), &path).unwrap();
    tell(&mut window, &[&path]);
    let content = read(&window, |s| match &s.stages.front.content {
        StageContent::Failed(failed) => Ok((failed.place, failed.why.clone())),
        other => Err(other.place()),
    });
    match content {
        Ok((place, why)) => {
            assert_eq!(place, whole);
            assert!(why.contains("no longer exists"), "{why}");
        }
        Err(place) => {
            // The entry of that path is there: it is what is shown.
            let is_there = read(&window, |s| s.core.file(shown.file).unwrap().entry(place.unwrap().entry).is_some());
            assert!(is_there);
        }
    }
    let clips = read(&window, |s| {
        let has = |place: Place| s.core.file(place.file).unwrap().entry(place.entry).is_some();
        let playing = s.stages.front.playback().and_then(|playback| playback.playing);
        (playing.is_none_or(has), s.core.selection.is_none_or(has))
    });
    assert_eq!(clips, (true, true), "nothing stands for an entry that is gone");
}

#[test]
fn textures_and_texts_are_drawn_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tex_grad.bti");
    fs::copy(kit::data().join("j3d/tex_grad.bti"), &path).unwrap();
    let mut window = window_with([&path]);
    let first = |window: &Window| {
        read(window, |s| {
            let shown = s.stages.front.image().expect("a picture");
            (
                shown.generation,
                format!("{:?}", s.core.file(shown.place.file).unwrap().document.source().as_slice().last()),
            )
        })
    };
    let before = first(&window);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 0xFF;
    fs::write(&path, bytes).unwrap();
    tell(&mut window, &[&path]);
    let after = first(&window);
    assert!(after.0 != before.0 && after.1 != before.1, "{before:?} {after:?}");
}

#[test]
fn nothing_is_read_anew_while_that_is_switched_off() {
    let (_folder, [model, _]) = ossie();
    let mut window = window_with([&model]);
    assert!(read(&window, |s| s
        .core
        .watched_files()
        .iter()
        .any(|(path, written)| *path == model && written.is_some())));
    click(&mut window, "Edit");
    for name in ["Watch open files", "Autoplay first matching clip"] {
        assert_eq!(window.query_all_by_label_contains(name).count(), 1, "{name}");
    }
    click(&mut window, "Watch open files");
    assert!(!read(&window, |s| s.core.settings.watch_files));
    assert!(read(&window, |s| s.core.watched_files().is_empty()));
    let before = point(&window);
    move_point(&model, 3.5);
    tell(&mut window, &[&model]);
    assert_eq!(point(&window), before);
    // It is kept, and by hand it is read all the same.
    assert!(!saved(&mut window).settings().watch_files);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    window.step();
    settle(&mut window);
    assert_eq!(point(&window).0, 3.5);
    apply(&mut window, Command::Window(WindowCommand::ToggleWatchFiles));
    assert!(read(&window, |s| s.core.settings.watch_files));
}

#[test]
fn read_again_takes_a_damaged_file_as_it_is() {
    let (_folder, [model, _]) = ossie();
    let whole = fs::read(&model).unwrap();
    let mut window = window_with([&model]);
    fs::write(&model, &whole[..whole.len() - 5]).unwrap();
    tell(&mut window, &[&model]);
    assert_eq!(read(&window, |s| s.core.library.files[0].file.document.source().len()), whole.len());
    click(&mut window, "Reload");
    settle(&mut window);
    assert_eq!(read(&window, |s| s.core.library.files[0].file.document.source().len()), whole.len() - 5);
}

#[test]
fn a_stage_beside_is_shown_anew_too() {
    let (_folder, [model, clips]) = ossie();
    let mut window = window_with([&model, &clips]);
    let shown = read(&window, |s| s.stages.front.model().unwrap().place);
    apply(&mut window, Command::Stage(bonebox::ui::command::StageCommand::OpenBeside(Some(shown))));
    let generations = |window: &Window| {
        read(window, |s| s.stages.iter().map(|stage| stage.model().expect("a model").generation).collect::<Vec<_>>())
    };
    let before = generations(&window);
    move_point(&model, 44.0);
    tell(&mut window, &[&model]);
    let after = generations(&window);
    assert!(after.len() == 2 && after.iter().all(|generation| !before.contains(generation)), "{before:?} {after:?}");
}

#[test]
fn the_program_notices_by_itself() {
    let (_folder, [model, _]) = ossie();
    let session = kept(state());
    let watch = bonebox::ui::file_watch::start(&mut session.borrow_mut().state);
    session.borrow_mut().watch = watch;
    let mut window = window_of(session, SIZE);
    open(&mut window, [&model]);
    assert!(read(&window, |s| s.core.file(s.core.library.files[0].id).unwrap().entries_with(Content::Model).len() == 1));
    move_point(&model, 21.0);
    let end = Instant::now() + Duration::from_secs(60);
    while point(&window).0 != 21.0 {
        assert!(Instant::now() < end, "it is not noticed");
        std::thread::sleep(Duration::from_millis(5));
        window.step();
    }
    settle(&mut window);
    assert!(!read(&window, |state| state.core.works.is_busy()));
}
