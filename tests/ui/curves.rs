//! The curves panel in the real window, through labels.

use bonebox::ui::{
    app::{App, Kept},
    command::Command,
    settings::Settings,
    state::{Clock, Place, Stage, State},
};
use egui::accesskit::Toggled;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

type Window = Harness<'static, App>;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/j3d").join(name)
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name)
}

/// A window with these files open; pictures of it are drawn when `BONEBOX_LOOK` names a folder.
fn window(files: &[PathBuf], size: [f32; 2]) -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(Settings::default(), Clock::Set(0.0)))));
    let mut builder = Harness::builder().with_size(size);
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        builder = builder.wgpu();
    }
    let mut window = builder.build_eframe(|cc| App::new(cc, kept));
    apply(&mut window, Command::Open(files.to_vec()));
    window
}

fn apply(window: &mut Window, command: Command) {
    window.state().kept().borrow_mut().state.apply(command);
    settle(window);
}

fn settle(window: &mut Window) {
    for _ in 0..4_000 {
        window.step();
        if !window.state().kept().borrow().state.is_busy() {
            window.run_steps(3);
            if !window.state().kept().borrow().state.is_busy() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn look(window: &mut Window, name: &str) {
    let Some(folder) = std::env::var_os("BONEBOX_LOOK") else { return };
    window.run_steps(4);
    let picture = window.render().expect("the window is drawn");
    picture.save(Path::new(&folder).join(name)).expect("the picture is written");
}

fn state<T>(window: &Window, read: impl FnOnce(&State) -> T) -> T {
    read(&window.state().kept().borrow().state)
}

#[test]
fn a_clip_on_its_own_opens_to_its_curves_and_is_sought() {
    let mut window = window(&[data("arm_wave.bck")], [1280.0, 800.0]);
    assert_eq!(state(&window, |s| s.front), Stage::Curves);
    assert!(state(&window, |s| !s.curves_are_live() && s.curves.shown.is_some()));
    window.get_by_label("joint 0 Rotation X");
    window.get_by_label("joint 2 Scale X");
    look(&mut window, "curves.png");
    let plot = window.get_by_label("Frame of the curves").rect();
    // On the ruler, three quarters across, with the numbers at the left and the room at both ends.
    let at = egui::pos2(plot.left() + 46.0 + (plot.width() - 46.0) * 0.75, plot.top() + 6.0);
    window.drag_at(at);
    window.run_steps(2);
    window.drop_at(at);
    window.run_steps(2);
    let wanted = 40.0 * (0.75 * 1.05 - 0.02);
    assert!((state(&window, State::curves_frame) - wanted).abs() < 0.2, "{}", state(&window, State::curves_frame));
    window.hover_at(egui::pos2(plot.left() + plot.width() * 0.4, plot.center().y));
    look(&mut window, "curves_hover.png");
    window.get_by_label("The file's own numbers").click();
    window.run_steps(3);
    look(&mut window, "curves_raw.png");
    window.get_by_label("joint 0 Rotation X").click();
    window.run_steps(2);
    window.get_by_label("Hide all that the filter leaves").click();
    window.run_steps(2);
    window.get_by_label("Show the curves of joint 1").click();
    window.get_by_label("Degrees and other real units").click();
    window.run_steps(2);
    apply(&mut window, Command::ToggleTheme);
    look(&mut window, "curves_light.png");
    // The keys of the playing move a clip on its own.
    window.key_press(egui::Key::Home);
    window.run_steps(2);
    assert_eq!(state(&window, State::curves_frame), 0.0);
    window.key_press(egui::Key::ArrowRight);
    window.run_steps(2);
    assert_eq!(state(&window, State::curves_frame), 1.0);
}

#[test]
fn every_kind_of_track_has_its_curves() {
    let files = ["arm_maya.btk", "arm.brk", "arm.btp", "arm.bva", "arm_full.bca", "arm.blk"];
    for (name, curve) in files.iter().zip([
        "mat_body · matrix 0 Rotation",
        "mat_bb · C0 Red",
        "mat_body Texture in map 0",
        "Shapes Shape 0 visible",
        "joint 0 Rotation Y",
        "Clusters Cluster 0 weight",
    ]) {
        let mut window = window(&[data(name)], [1100.0, 700.0]);
        window.get_by_label(curve);
        look(&mut window, &format!("curves_{name}.png"));
    }
}

#[test]
fn the_playing_clip_of_a_model_is_followed() {
    let mut window = window(&[sample("Ossie.psk"), sample("Ossie.psa")], [1280.0, 800.0]);
    assert!(state(&window, State::curves_are_live));
    apply(&mut window, Command::ShowCurves);
    assert_eq!(state(&window, |s| s.front), Stage::Curves);
    apply(&mut window, Command::SeekCurves(3.5));
    assert_eq!(state(&window, |s| s.playback.player.frame()), 3.5);
    look(&mut window, "curves_psa.png");
    let place = state(&window, |s| s.playback.playing.unwrap());
    let other = state(&window, |s| {
        let clips = &s.playback.clips;
        clips.iter().map(|c| c.place).find(|p| *p != place).unwrap_or(place)
    });
    apply(&mut window, Command::Show(other));
    assert_eq!(state(&window, |s| s.curves.shown.as_ref().map(|c| c.place)), Some::<Place>(other));
}

#[test]
fn a_narrow_panel_leaves_the_list_out_until_it_is_asked_for() {
    let mut window = window(&[data("arm_wave.bck")], [720.0, 520.0]);
    assert!(window.query_by_label("Filter curves").is_none());
    look(&mut window, "curves_narrow.png");
    window.get_by_label("List of curves").click();
    window.run_steps(2);
    window.get_by_label("Filter curves");
    look(&mut window, "curves_narrow_list.png");
}

#[test]
fn all_curves_are_shown_and_hidden_at_once_by_the_filter() {
    let mut window = window(&[sample("Ossie.psk"), sample("Ossie.psa")], [1280.0, 800.0]);
    apply(&mut window, Command::ShowCurves);
    let on = |window: &Window, group: &str| {
        let label = format!("Show the curves of {group}");
        window.get_by_label(&label).accesskit_node().toggled() == Some(Toggled::True)
    };
    assert!(!on(&window, "Root") && on(&window, "Pelvis"), "the first that moves is shown");
    window.get_by_label("Show all that the filter leaves").click();
    window.run_steps(3);
    assert!(on(&window, "Root") && on(&window, "Chest"));
    look(&mut window, "curves_all.png");
    window.get_by_label("Each curve over its own extent").click();
    look(&mut window, "curves_level.png");
    window.get_by_label("Filter curves").focus();
    window.run_steps(2);
    window.get_by_label("Filter curves").type_text("chest");
    window.run_steps(3);
    assert!(window.query_by_label("Show the curves of Root").is_none());
    window.get_by_label("Hide all that the filter leaves").click();
    window.run_steps(3);
    assert!(!on(&window, "Chest"));
    window.get_by_label("Chest Rotation X");
    look(&mut window, "curves_filtered.png");
}
