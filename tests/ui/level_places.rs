//! Places in a level: measuring, typed coordinates, starts, bookmarks, and where the camera is after a while elsewhere.

use crate::{
    kit::{self, app::*, level::*},
    level_overlays::{enter, entered, level, seen_at},
};
use bonebox::{
    formats::EntryId,
    scene::Map,
    ui::{
        command::{CameraCommand, Command, LevelCommand as L, SelectionCommand, StageCommand},
        state::{Effect, Place},
    },
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;

fn eye(window: &Window) -> Vec3 {
    read(window, |s| s.stages.front.view.camera.eye())
}

fn forward(window: &Window) -> Vec3 {
    read(window, |s| s.stages.front.view.fly.expect("it flies").forward())
}

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-2
}

#[test]
fn two_clicks_measure_and_a_third_begins_anew() {
    let mut window = entered();
    window.key_press_modifiers(Modifiers::SHIFT, Key::M);
    window.run_steps(4);
    window.get_by_label("Measure: Click on a surface. Press Esc to stop");
    let rect = window.get_by_label("Viewport").rect();
    // On the end of the first room.
    for point in [Vec3::new(-8.0, 1.6, 2.0), Vec3::new(-8.0, 3.0, 0.0)] {
        let place = seen_at(&window, point);
        let at = rect.min + egui::vec2(place.x * rect.width(), place.y * rect.height());
        click_at(&mut window, at, Modifiers::NONE);
        pass(&mut window, 1.0);
    }
    let [from, to] = read(&window, |s| s.stages.front.measured()).expect("both ends");
    assert!((from.distance(to) - 1.4_f32.hypot(2.0)).abs() < 0.03, "{from} {to}");
    // In the file's axes: its Y is the scene's Z.
    window.get_by_label("Measure: 2.4 units, x 0.0  y −2.0  z 1.4");
    assert_eq!(read(&window, |s| s.stages.front.selected_actor(&s.core)), None, "nothing is selected by such clicks");
    look(&mut window, "level_measure");
    let corner = seen_at(&window, Vec3::new(-8.0, 3.9, -3.9));
    level(&mut window, L::Measure { place: corner, snap: 0.05 });
    let points = read(&window, |s| s.stages.front.level().unwrap().tools.points.clone());
    assert_eq!(points.len(), 1, "it begins anew");
    assert!(near(points[0], Vec3::new(-8.0, 4.0, -4.0)), "it is the corner: {}", points[0]);
    for measures in [true, false] {
        window.key_press(Key::Escape);
        window.run_steps(4);
        assert_eq!(
            read(&window, |s| (
                s.stages.front.level().unwrap().tools.points.len(),
                s.stages.front.level().unwrap().tools.measures
            )),
            (0, measures)
        );
    }
}

#[test]
fn typed_coordinates_are_gone_to_and_copied() {
    let mut window = entered();
    window.key_press_modifiers(Modifiers::COMMAND, Key::J);
    window.run_steps(4);
    type_into(&mut window, "Coordinates", "1, 2, 3, 90, -10");
    window.key_press(Key::Enter);
    window.run_steps(4);
    assert!(!read(&window, |s| s.stages.front.level().unwrap().tools.asks_place));
    // The file's Y and Z are the scene's Z and Y; yaw turns its X towards its Y.
    assert!(near(eye(&window), Vec3::new(1.0, 3.0, 2.0)), "{}", eye(&window));
    let (sin, cos) = 10_f32.to_radians().sin_cos();
    assert!(near(forward(&window), Vec3::new(0.0, -sin, cos)), "{}", forward(&window));
    window.get_by_label_contains("x 1.0  y 2.0  z 3.0");
    window.get_by_label_contains("yaw 90°  pitch −10°");
    let copied = change(&window, |s| {
        s.apply(Command::Level(L::CopyPlace));
        s.core.effects.last().cloned()
    });
    assert_eq!(copied, Some(Effect::Copy("1, 2, 3, 90, -10".to_owned())));
    // Without a turn it looks where it did.
    level(&mut window, L::GoTo(Vec3::new(-4.0, 1.0, 2.0), None));
    assert!(near(eye(&window), Vec3::new(-4.0, 2.0, 1.0)) && near(forward(&window), Vec3::new(0.0, -sin, cos)));
    level(&mut window, L::GoTo(Vec3::NAN, None));
    assert!(near(eye(&window), Vec3::new(-4.0, 2.0, 1.0)), "nowhere is not gone to");
}

#[test]
fn starts_are_gone_to_in_turn() {
    let mut window = entered();
    let starts = linked(0).starts;
    for (step, start) in [(1, 1), (1, 0), (-1, 1), (-1, 0)] {
        level(&mut window, L::StepStart(step));
        assert!(near(eye(&window), starts[start].location), "{step}");
    }
    click(&mut window, "Go to player start");
    look(&mut window, "level_starts");
    click(&mut window, "Player start 2");
    assert!(near(eye(&window), starts[1].location));
}

#[test]
fn one_flies_as_fast_as_a_player_walks_until_told_otherwise() {
    let mut window = entered();
    let speeds =
        |window: &Window| read(window, |s| (s.stages.front.view.fly.map(|fly| fly.speed), s.core.settings.fly_speed));
    assert_eq!(speeds(&window), (Some(Map::WALK_SPEED), Map::WALK_SPEED));
    apply(&mut window, Command::Camera(CameraCommand::ChangeFlySpeed(0.5)));
    assert_eq!(speeds(&window), (Some(200.0), 200.0));
    level(&mut window, L::SetFlySpeed(1e9));
    assert_eq!(speeds(&window), (Some(20_000.0), 20_000.0));
    level(&mut window, L::SetFlySpeed(150.0));
    level(&mut window, L::GoToStart(1));
    apply(&mut window, Command::Camera(CameraCommand::ToggleFly));
    apply(&mut window, Command::Camera(CameraCommand::ToggleFly));
    assert_eq!(speeds(&window), (Some(150.0), 150.0));
    click(&mut window, "Fly speed: 150 units/s");
    click(&mut window, "Player walking speed");
    assert_eq!(speeds(&window), (Some(400.0), 400.0));
    let disk = saved(&mut window);
    assert_eq!(disk.settings().fly_speed, 400.0);
}

#[test]
fn the_camera_is_where_it_was_after_a_while_elsewhere() {
    let mut window = entered();
    level(&mut window, L::GoTo(Vec3::new(-5.0, 1.0, 2.5), Some([30.0, 5.0])));
    let before = (eye(&window), forward(&window));
    open(&mut window, [kit::samples().join("Ossie.psk")]);
    let file = read(&window, |s| Place { file: s.core.library.files[1].id, entry: EntryId::FILE });
    apply(&mut window, Command::Stage(StageCommand::Show(file)));
    assert!(read(&window, |s| s.stages.front.model().is_some() && s.stages.front.view.fly.is_none()));
    enter(&mut window);
    assert!(near(eye(&window), before.0) && near(forward(&window), before.1), "{}", eye(&window));
    // Resetting the view still goes to the start.
    apply(&mut window, Command::Camera(CameraCommand::Reset));
    assert!(near(eye(&window), linked(0).starts[0].location));
}

#[test]
fn views_are_kept_under_names_gone_to_and_removed() {
    let mut window = entered();
    assert!(!read(&window, |s| s.is_possible(&Command::Level(L::StepBookmark(1)))));
    click(&mut window, "Bookmarks");
    type_into(&mut window, "Bookmark name", "Hall");
    click(&mut window, "Bookmark this view");
    let first = eye(&window);
    level(&mut window, L::GoTo(Vec3::new(-5.0, 1.0, 2.5), Some([30.0, 5.0])));
    let second = (eye(&window), forward(&window));
    level(&mut window, L::AddBookmark(String::new()));
    let names = |window: &Window| {
        read(window, |s| s.stages.front.bookmarks(&s.core).iter().map(|(_, b)| b.name.clone()).collect::<Vec<_>>())
    };
    assert_eq!(names(&window), ["Hall", "View 1"]);
    look(&mut window, "level_bookmarks");
    click(&mut window, "Hall");
    assert!(near(eye(&window), first));
    level(&mut window, L::StepBookmark(1));
    assert!(near(eye(&window), second.0) && near(forward(&window), second.1));
    level(&mut window, L::StepBookmark(1));
    assert!(near(eye(&window), first), "around the end");
    click(&mut window, "Remove Hall");
    assert_eq!(names(&window), ["View 1"]);
    let disk = saved(&mut window);
    assert_eq!(disk.settings().bookmarks.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["View 1"]);
}

#[test]
fn a_texture_of_another_package_is_gone_to_by_its_path() {
    let mut window = window_with([kit::samples().join("BoneRoom.unr")]);
    let file = read(&window, |s| s.core.library.files[0].id);
    let follow = |path: &str| Command::Selection(SelectionCommand::FollowPath(file, path.to_owned()));
    for path in ["BoneboxFX.Rooms.Bricks", "boneboxfx.Elsewhere.planks"] {
        apply(&mut window, follow(path));
        let found = read(&window, |s| {
            let place = s.core.selection.expect("it is selected");
            let open = s.core.file(place.file).expect("it is open");
            (open.name.clone(), open.entry(place.entry).map(|entry| entry.name.to_lowercase()))
        });
        let name = path.rsplit('.').next().map(str::to_lowercase);
        assert_eq!(found, ("BoneboxFX.utx".to_owned(), name));
    }
    for (path, why) in [
        ("BoneboxFX.Rooms.Gold", "BoneboxFX.utx has no entry “Rooms.Gold”"),
        ("Nowhere.Gold", "cannot find Nowhere.Gold"),
    ] {
        apply(&mut window, follow(path));
        assert!(log(&window).iter().any(|line| line.contains(why)), "{path}: {:?}", log(&window));
    }
}
