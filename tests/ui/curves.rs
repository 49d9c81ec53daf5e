//! The curves panel in the real window, through labels.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{Command, ModelCommand, StageCommand, WindowCommand},
    state::{DrawerPage, Place, StageContent},
};
use egui::accesskit::Toggled;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
/// A window with the sample model and its animations.
fn with_sample() -> Window {
    // High enough for the curves of several bones below the model.
    let mut window = window_of(kept(state()), [SIZE[0], 1400.0]);
    open(&mut window, [kit::samples().join("Ossie.psk"), kit::samples().join("Ossie.psa")]);
    window
}

/// A window of some size with a clip, without the models that lie beside it.
fn with_clip(name: &str, size: [f32; 2]) -> (tempfile::TempDir, Window) {
    let (folder, files) = alone("j3d", &[name]);
    let mut window = window_of(kept(state()), size);
    open(&mut window, files);
    (folder, window)
}

#[test]
fn a_clip_on_its_own_opens_to_its_curves_and_is_sought() {
    let (_folder, mut window) = with_clip("arm_wave.bck", [SIZE[0], 900.0]);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Clip(_))));
    assert!(read(&window, |s| !s.stages.front.curves_are_live() && s.stages.front.curves().unwrap().shown.is_some()));
    window.get_by_label("joint 0 Rotation X");
    window.get_by_label("joint 2 Scale X");
    look(&mut window, "curves");
    let plot = window.get_by_label("Position in the curves").rect();
    // On the ruler, three quarters across, with the numbers at the left and the room at both ends.
    let at = egui::pos2(plot.left() + 46.0 + (plot.width() - 46.0) * 0.75, plot.top() + 6.0);
    press_at(&mut window, at);
    let wanted = 40.0 * (0.75 * 1.05 - 0.02);
    assert!(
        (read(&window, |s| s.stages.front.curves_frame()) - wanted).abs() < 0.2,
        "{}",
        read(&window, |s| s.stages.front.curves_frame())
    );
    window.hover_at(egui::pos2(plot.left() + plot.width() * 0.4, plot.center().y));
    look(&mut window, "curves_hover");
    click(&mut window, "Show the values stored in the file");
    look(&mut window, "curves_raw");
    click(&mut window, "joint 0 Rotation X");
    click(&mut window, "Hide all matching curves");
    window.get_by_label("Show the curves of joint 1").click();
    click(&mut window, "Show rotations in degrees");
    apply(&mut window, Command::Window(WindowCommand::ToggleTheme));
    look(&mut window, "curves_light");
    // The keys of the playing move a clip on its own.
    window.key_press(egui::Key::Home);
    window.run_steps(2);
    assert_eq!(read(&window, |s| s.stages.front.curves_frame()), 0.0);
    window.key_press(egui::Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(read(&window, |s| s.stages.front.curves_frame()), 1.0);
}

#[test]
fn every_kind_of_track_has_its_curves() {
    let files = ["arm_maya.btk", "arm.brk", "arm.btp", "arm.bva", "arm_full.bca", "arm.blk"];
    for (name, curve) in files.iter().zip([
        "mat_body · texture matrix 0 Rotation",
        "mat_bb · C0 Red",
        "mat_body Texture map 0",
        "Shapes Shape 0 visibility",
        "joint 0 Rotation Y",
        "Clusters Cluster 0 weight",
    ]) {
        let (_folder, mut window) = with_clip(name, [1100.0, 700.0]);
        window.get_by_label(curve);
        look(&mut window, &format!("curves_{name}"));
    }
}

#[test]
fn the_playing_clip_of_a_model_is_followed() {
    let mut window = with_sample();
    assert!(read(&window, |s| s.stages.front.curves_are_live()));
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
    assert_eq!(read(&window, |s| s.stages.front.viewport.drawer), Some(DrawerPage::Curves));
    assert!(read(&window, |s| s.stages.front.model().is_some()), "the model is seen above its curves");
    apply(&mut window, Command::Model(ModelCommand::SeekCurves(3.5)));
    assert_eq!(read(&window, |s| s.stages.front.playback().unwrap().player.frame()), 3.5);
    look(&mut window, "curves_psa");
    let place = read(&window, |s| s.stages.front.playback().unwrap().playing.unwrap());
    let other = read(&window, |s| {
        let clips = &s.stages.front.playback().unwrap().clips;
        clips.iter().map(|c| c.place).find(|p| *p != place).unwrap_or(place)
    });
    apply(&mut window, Command::Stage(StageCommand::Show(other)));
    assert_eq!(
        read(&window, |s| s.stages.front.curves().unwrap().shown.as_ref().map(|c| c.place)),
        Some::<Place>(other)
    );
}

#[test]
fn a_narrow_panel_leaves_the_list_out_until_it_is_asked_for() {
    let (_folder, mut window) = with_clip("arm_wave.bck", [720.0, 520.0]);
    assert!(!has(&window, "Filter curves"));
    look(&mut window, "curves_narrow");
    click(&mut window, "Curve list");
    window.get_by_label("Filter curves");
    look(&mut window, "curves_narrow_list");
}

#[test]
fn all_curves_are_shown_and_hidden_at_once_by_the_filter() {
    let mut window = with_sample();
    apply(&mut window, Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
    let on = |window: &Window, group: &str| {
        let label = format!("Show the curves of {group}");
        window.get_by_label(&label).accesskit_node().toggled() == Some(Toggled::True)
    };
    assert!(!on(&window, "Root") && on(&window, "Pelvis"), "the first that moves is shown");
    click(&mut window, "Show all matching curves");
    assert!(on(&window, "Root") && on(&window, "Chest"));
    look(&mut window, "curves_all");
    window.get_by_label("Scale each curve to the full height").click();
    look(&mut window, "curves_level");
    type_into(&mut window, "Filter curves", "chest");
    assert!(!has(&window, "Show the curves of Root"));
    click(&mut window, "Hide all matching curves");
    assert!(!on(&window, "Chest"));
    window.get_by_label("Chest Rotation X");
    look(&mut window, "curves_filtered");
}
