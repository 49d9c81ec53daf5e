//! Banks of the character pipeline in the real window, through labels.

use crate::kit::app::*;
use bonebox::{
    scene::LayerIndex,
    ui::{
        command::{Command, ModelCommand, StageCommand, TransportCommand},
        state::DrawerPage,
    },
};
use egui_kittest::kittest::Queryable as _;

/// A window with these files, beside which nothing else is found.
fn opened(names: &[&str]) -> (tempfile::TempDir, Window) {
    let (folder, files) = alone("charpipe", names);
    (folder, window_with(files))
}

#[test]
fn a_bank_dropped_with_its_model_plays_and_is_sought() {
    let (_folder, mut window) = opened(&["arm_full.model", "arm_full.anm"]);
    assert_eq!(
        read(&window, |s| s.stages.front.playback().unwrap().player.clip().map(|c| c.name.clone())).as_deref(),
        Some("wave")
    );
    assert!(read(&window, |s| s.stages.front.playback().unwrap().player.playing && s.stages.front.model().is_some()));
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().player.rate_hz()), 60.0);
    let clips =
        read(&window, |s| s.stages.front.playback().unwrap().clips.iter().map(|c| c.name.clone()).collect::<Vec<_>>());
    assert_eq!(clips, ["wave", "rel"], "the clips of the bank, once each");
    assert_eq!(*read(&window, |s| s.stages.front.playback().unwrap().ticks.clone()), [0.0, 10.0, 15.0, 20.0]);
    window.get_by_label("Clip: wave");
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut window, Command::Transport(TransportCommand::Seek(15.0)));
    window.get_by_label("Frame 15.0 / 30");
    look(&mut window, "bank_plays");
    click(&mut window, "Clip: wave");
    look(&mut window, "bank_list");
}

#[test]
fn the_curves_of_a_bank_have_the_names_of_the_models_bones() {
    let (_folder, mut window) = opened(&["arm_sdk.model", "arm_sdk.anm"]);
    apply(&mut window, Command::Transport(TransportCommand::TogglePlay));
    apply(&mut window, Command::Model(ModelCommand::ShowCurvesOf(LayerIndex(0))));
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
    window.get_by_label("bone 1 Translation X");
    window.get_by_label("bone 2 Rotation Z");
    apply(&mut window, Command::Transport(TransportCommand::Seek(3.0)));
    look(&mut window, "bank_curves");
}

#[test]
fn a_bank_alone_shows_its_curves() {
    let (_folder, mut window) = opened(&["arm_full.anm"]);
    look(&mut window, "bank_alone");
    assert!(read(&window, |s| s.stages.front.model().is_none() && s.stages.front.curves().unwrap().shown.is_some()));
    window.get_by_label("track 1 Translation X");
}
