//! Stages: what is on them, the way back, and two beside each other.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{CameraCommand, Command, LibraryCommand, StageCommand, TransportCommand, WindowCommand},
    state::{DrawerPage, FailedStage, Place, StageContent, StageId, Subject},
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::path::PathBuf;

fn sample(name: &str) -> PathBuf {
    kit::samples().join(name)
}

/// What is on the stage in front.
fn subject(window: &Window) -> Subject {
    read(window, |s| s.stages.front.content.subject())
}

/// The name of the model on the stage in front.
fn model(window: &Window) -> Option<String> {
    read(window, |s| s.stages.front.model().map(|shown| shown.model.name.clone()))
}

/// The entry of an open file.
fn entry(window: &Window, file: &str, path: &str) -> Place {
    read(window, |s| {
        let file = s.core.library.files.iter().find(|f| f.file.name == file).expect("the file is open");
        let entry = file.file.document.outline().find(path).expect("the entry is there");
        Place { file: file.id, entry: entry.id }
    })
}

#[test]
fn a_model_dropped_while_a_sound_is_in_front_is_seen() {
    let mut window = window();
    drop_on(&mut window, &[sample("BoneTune.umx")]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Sound(_))));
    let (_folder, files) = alone("actorx", &["syn_arm.psk"]);
    drop_on(&mut window, &files);
    assert!(read(&window, |s| s.stages.front.model().is_some()), "the model takes the stage");
    assert!(read(&window, |s| s.stages.front.sound().is_none()), "nothing plays any more");
    // The way there: the file, the model.
    window.get_by_label("Go to syn_arm.psk");
    // The way back leads to the music, and forward again to the model.
    click(&mut window, "Go back (Alt+←)");
    settle(&mut window);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Sound(_))));
    click(&mut window, "Go forward (Alt+→)");
    settle(&mut window);
    assert!(read(&window, |s| s.stages.front.model().is_some()));
}

#[test]
fn the_way_back_has_the_camera_and_the_clip_that_were_left() {
    let mut window = window_with([sample("Ossie.psk"), sample("Ossie.psa")]);
    let walk = entry(&window, "Ossie.psa", "ANIMINFO/Walk");
    apply(&mut window, Command::Stage(StageCommand::Show(walk)));
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.7, 0.2))));
    let (before, camera) = (subject(&window), read(&window, |s| s.stages.front.view.camera));
    drop_on(&mut window, &[sample("BoneboxFX.utx")]);
    assert!(
        read(&window, |s| matches!(s.stages.front.content, StageContent::Gallery(_))),
        "a package of textures is looked over"
    );
    assert!(read(&window, |s| s.stages.front.model().is_none()));
    while subject(&window) != before {
        assert!(read(&window, |s| s.stages.front.history.can_go_back()), "the model is on the way back");
        apply(&mut window, Command::Stage(StageCommand::Back));
    }
    assert_eq!(read(&window, |s| s.stages.front.view.camera), camera);
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().playing), Some(walk));
}

#[test]
fn a_clip_dropped_on_a_model_plays_there_and_the_model_stays() {
    let (_a, mesh) = alone("actorx", &["syn_arm.psk"]);
    let (_b, clip) = alone("actorx", &["syn_arm.psa"]);
    let mut window = window_with(mesh);
    let before = subject(&window);
    drop_on(&mut window, &clip);
    assert_eq!(subject(&window), before);
    assert!(read(&window, |s| s.stages.front.playback().unwrap().player.playing));
}

#[test]
fn in_a_drop_of_many_a_model_comes_before_a_texture() {
    let (_folder, files) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window();
    drop_on(&mut window, &[sample("BoneboxFX.utx"), files[0].clone()]);
    assert!(model(&window).is_some());
}

#[test]
fn two_models_stand_beside_each_other_with_one_clock() {
    let mut window = window_with([sample("Ossie.psk"), sample("Ossie.psa")]);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    let first = subject(&window);
    let mesh = entry(&window, "Ossie.psk", "Mesh");
    apply(&mut window, Command::Stage(StageCommand::OpenBeside(Some(mesh))));
    let second = StageId(1);
    assert_eq!(read(&window, |s| s.stages.front.id), second, "the new stage is in front");
    window.get_by_label("Stage tab");
    window.get_by_label("Stage 2 tab");
    assert_eq!(read(&window, |s| s.stages.iter().map(|stage| stage.content.subject()).collect::<Vec<_>>()), [first; 2]);
    look(&mut window, "two_stages");

    // What is done on one leaves the other alone.
    let camera_of = |window: &Window, id| read(window, |s| s.stages.get(id).map(|stage| stage.view.camera)).unwrap();
    let frame_of = |window: &Window, id| {
        let frame =
            |s: &bonebox::ui::state::State| s.stages.get(id).map(|stage| stage.playback().unwrap().player.frame());
        read(window, frame).unwrap()
    };
    let before = camera_of(&window, StageId::FIRST);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut window, Command::Transport(TransportCommand::Seek(12.0)));
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.5, 0.0))));
    assert_eq!(camera_of(&window, StageId::FIRST), before);
    assert_ne!(frame_of(&window, StageId::FIRST), 12.0);

    // Linked, they move together, whichever is in front.
    window.get_all_by_label("Link cameras and playback").next().unwrap().click();
    window.run_steps(4);
    assert_eq!(frame_of(&window, StageId::FIRST), frame_of(&window, second));
    assert_eq!(camera_of(&window, StageId::FIRST), camera_of(&window, second));
    apply(&mut window, Command::Stage(StageCommand::Focus(StageId::FIRST)));
    apply(&mut window, Command::Transport(TransportCommand::Seek(30.0)));
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.3, 0.1))));
    assert_eq!((frame_of(&window, StageId::FIRST), frame_of(&window, second)), (30.0, 30.0));
    assert_eq!(camera_of(&window, StageId::FIRST), camera_of(&window, second));

    // The menu has the same switch.
    let places = |window: &Window| window.query_all_by_label("Link cameras and playback").count();
    let before = places(&window);
    click(&mut window, "View");
    assert_eq!(places(&window), before + 1);
    window.query_all_by_label("Link cameras and playback").last().unwrap().click();
    window.run_steps(4);
    assert!(read(&window, |s| !s.stages.are_linked()));

    apply(&mut window, Command::Stage(StageCommand::Close(second)));
    assert_eq!(read(&window, |s| s.stages.iter().count()), 1);
    assert!(!has(&window, "Stage 2 tab") && read(&window, |s| !s.stages.are_linked()));
    apply(&mut window, Command::Stage(StageCommand::Close(StageId::FIRST)));
    assert_eq!(read(&window, |s| s.stages.iter().count()), 1, "the first one stays");
}

#[test]
fn a_press_on_a_stage_brings_it_to_the_front() {
    let mut window = window_with([sample("Ossie.psk"), sample("Bonebox.u")]);
    let mesh = entry(&window, "Ossie.psk", "Mesh");
    apply(&mut window, Command::Stage(StageCommand::OpenBeside(Some(mesh))));
    assert_eq!(read(&window, |s| s.stages.front.id), StageId(1));
    let tab = window.get_by_label("Stage tab").rect();
    click_at(&mut window, tab.center() + egui::vec2(40.0, 260.0), Modifiers::NONE);
    assert_eq!(read(&window, |s| s.stages.front.id), StageId::FIRST);
    // Closing the file empties both.
    apply(&mut window, Command::Library(LibraryCommand::CloseFile(mesh.file)));
    assert!(read(&window, |s| s.stages.iter().all(|stage| stage.content.place().is_none_or(|p| p.file != mesh.file))));
}

#[test]
fn an_entry_that_cannot_be_read_says_so_on_the_stage() {
    let (_folder, files) = alone("actorx", &["syn_arm.psk"]);
    let mut window = window_with(&files);
    let place = read(&window, |s| s.stages.front.content.place()).unwrap();
    change(&window, |s| {
        let why = "syn_arm.psk: it ends too soon at 0x20".to_owned();
        s.stages.front.content = StageContent::Failed(FailedStage::new(place, why));
    });
    window.run_steps(4);
    window.get_by_label("Cannot show this entry");
    window.get_by_label("syn_arm.psk: it ends too soon at 0x20");
    apply(&mut window, Command::Stage(StageCommand::Show(place)));
    assert!(model(&window).is_some(), "it may be shown again");
}

#[test]
fn the_drawer_has_clips_with_reasons_tracks_and_curves() {
    let mut window = window_of(kept(state()), [1280.0, 1200.0]);
    open(&mut window, [sample("Ossie.psk"), sample("Ossie.psa")]);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    click(&mut window, "Open clips, tracks and curves");
    assert_eq!(read(&window, |s| s.stages.front.viewport.drawer), Some(DrawerPage::Clips));
    assert!(paints(&window, "Clips of this model") && paints(&window, "bones"));
    look(&mut window, "drawer_clips");
    click(&mut window, "Play Walk");
    settle(&mut window);
    assert_eq!(
        read(&window, |s| s.stages.front.playback().unwrap().player.clip().map(|c| c.name.clone())).as_deref(),
        Some("Walk")
    );

    click(&mut window, "Tracks page");
    let row = window.get_by_label("Keys of Chest").rect();
    look(&mut window, "drawer_tracks");
    // A click on the name selects the bone everywhere.
    click_at(&mut window, row.left_center() + egui::vec2(20.0, 0.0), Modifiers::NONE);
    let chest = read(&window, |s| {
        let skeleton = s.stages.front.model().unwrap().model.skeleton.clone().unwrap();
        skeleton.joints().iter().position(|joint| joint.name == "Chest").map(|joint| joint as u32)
    });
    assert!(chest.is_some() && read(&window, |s| s.stages.front.selected().joint) == chest);
    let selected =
        read(&window, |s| s.core.selection.and_then(|p| Some(s.core.file(p.file)?.entry(p.entry)?.name.clone())));
    assert_eq!(selected.as_deref(), Some("Chest"));
    // A press on the keys moves the clip.
    press_at(&mut window, row.right_center() - egui::vec2(1.0, 0.0));
    let (frame, last) = read(&window, |s| {
        (
            s.stages.front.playback().unwrap().player.frame(),
            s.stages.front.playback().unwrap().player.clip().unwrap().last_frame(),
        )
    });
    assert!(frame > last * 0.95, "{frame} of {last}");

    // The curves of the selected bone come up.
    click(&mut window, "Curves page");
    look(&mut window, "drawer_curves");
    let on = window.get_by_label("Show the curves of Chest").accesskit_node().toggled();
    assert_eq!(on, Some(egui::accesskit::Toggled::True));
    click(&mut window, "Close the drawer");
    assert_eq!(read(&window, |s| s.stages.front.viewport.drawer), None);
}

#[test]
fn a_table_and_a_gallery_are_ways_to_look_at_a_file() {
    let mut window = window_with([sample("Bonebox.u")]);
    click(&mut window, "All entries of the file as a table");
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Table(_))));
    window.get_by_label("Filter the entries");
    window.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    window.step();
    settle(&mut window);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Classes(_))));
}

#[test]
fn a_screenshot_of_a_text_says_what_it_would_be_of() {
    let mut window = window_with([sample("Bonebox.u")]);
    let script = entry(&window, "Bonebox.u", "BoneCreature");
    apply(&mut window, Command::Stage(StageCommand::Show(script)));
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Text(_))));
    apply(&mut window, Command::Window(WindowCommand::Screenshot(false)));
    assert!(log(&window).iter().any(|line| line.contains("There is nothing to capture")), "{:?}", log(&window));
}
