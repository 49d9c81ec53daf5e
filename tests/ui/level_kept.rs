//! What is kept of levels: switches and speeds over a restart, bookmarks of each, and what goes with a level that is left.

use crate::{
    kit::{self, app::*, level::*},
    level_overlays::{entered, level},
};
use bonebox::{
    formats::EntryId,
    scene::MapMoment,
    ui::{
        command::{Command, LevelCommand as L, StageCommand, ViewCommand},
        map_overlays::MapOverlay,
        settings::Settings,
        state::{Place, Shading, State},
    },
};
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use std::{fs, sync::Arc};

/// Puts the level on the stage as if it were this entry.
fn enter_as(window: &mut Window, entry: u32) {
    change(window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(entry) };
        state.stages.front.show_map(&mut state.core, place, Arc::new(linked(3)));
    });
    settle(window);
}

/// What a person has set for levels.
fn switches(state: &State) -> ([bool; 3], f32, [bool; 2]) {
    let view = &state.stages.front.view;
    let overlays =
        [MapOverlay::Lights, MapOverlay::Paths, MapOverlay::Sounds].map(|one| view.options.overlays.shows(one));
    (overlays, view.options.gamma, [view.options.layers.windows, view.options.layers.coronas])
}

/// The file of the session with its lines changed.
fn rewritten(disk: &Disk, change: impl Fn(&str) -> Option<String>) {
    let text = fs::read_to_string(disk.path()).unwrap();
    let lines: Vec<String> = text.lines().filter_map(change).collect();
    assert_ne!(lines.join("\n"), text.trim_end(), "something is changed");
    fs::write(disk.path(), lines.join("\n") + "\n").unwrap();
}

/// A window with a level of a file in which something is switched and set.
fn switched() -> Window {
    let mut window = window_with([kit::samples().join("BoneRoom.unr")]);
    for command in [
        L::ToggleOverlay(MapOverlay::Lights),
        L::ToggleOverlay(MapOverlay::Sounds),
        L::SetGamma(1.5),
        L::ToggleWindows,
        L::ToggleCoronas,
        L::SetFlySpeed(150.0),
    ] {
        level(&mut window, command);
    }
    window
}

#[test]
fn switches_of_a_level_come_back() {
    let mut first = switched();
    let disk = saved(&mut first);
    let mut second = started(&disk);
    settle(&mut second);
    assert!(read(&second, |s| s.stages.front.level().is_some()));
    assert_eq!(read(&second, switches), ([true, false, true], 1.5, [false; 2]));
    assert_eq!(read(&second, |s| s.stages.front.view.fly.map(|fly| fly.speed)), Some(150.0));
}

#[test]
fn a_session_without_them_is_as_by_default() {
    let mut first = switched();
    let disk = saved(&mut first);
    rewritten(&disk, |line| {
        if line.starts_with("fly_speed =") || line.starts_with("bookmarks =") {
            return None;
        }
        let Some(view) = line.strip_prefix("session_view = ") else { return Some(line.to_owned()) };
        let mut view: serde_json::Value = serde_json::from_str(view).unwrap();
        let modes = view["stages"][0]["modes"].as_object_mut().expect("how it is drawn");
        assert!(modes.remove("overlays").is_some() && modes.remove("gamma").is_some());
        let layers = modes["layers"].as_object_mut().expect("what is drawn");
        assert!(layers.remove("windows").is_some() && layers.remove("coronas").is_some());
        Some(format!("session_view = {view}"))
    });
    assert_eq!(disk.settings().fly_speed, Settings::default().fly_speed);
    let mut second = started(&disk);
    settle(&mut second);
    assert!(read(&second, |s| s.stages.front.level().is_some()));
    assert_eq!(read(&second, switches), ([false; 3], 1.0, [true; 2]));
    assert!(read(&second, |s| s.stages.front.bookmarks(&s.core).is_empty()));
}

#[test]
fn the_remembered_speed_counts_and_not_that_of_the_session() {
    let mut first = switched();
    let disk = saved(&mut first);
    rewritten(&disk, |line| match line.starts_with("fly_speed =") {
        true => Some("fly_speed = 900.0".to_owned()),
        false => Some(line.to_owned()),
    });
    let mut second = started(&disk);
    settle(&mut second);
    let speeds = |s: &State| {
        (s.stages.front.view.fly.map(|fly| fly.speed), s.stages.front.view.level_speed, s.core.settings.fly_speed)
    };
    assert_eq!(read(&second, speeds), (Some(900.0), 900.0, 900.0));
}

#[test]
fn each_level_has_its_own_bookmarks() {
    let mut window = entered();
    let names = |window: &Window| {
        read(window, |s| s.stages.front.bookmarks(&s.core).iter().map(|(_, b)| b.name.clone()).collect::<Vec<_>>())
    };
    level(&mut window, L::AddBookmark("Hall".to_owned()));
    enter_as(&mut window, 2);
    assert!(names(&window).is_empty());
    level(&mut window, L::GoTo(Vec3::new(-5.0, 1.0, 2.5), Some([30.0, 5.0])));
    let there = read(&window, |s| s.stages.front.view.camera.eye());
    level(&mut window, L::AddBookmark("Hall".to_owned()));
    level(&mut window, L::GoToStart(0));
    level(&mut window, L::StepBookmark(1));
    assert!(read(&window, |s| s.stages.front.view.camera.eye()).distance(there) < 1e-2);
    level(&mut window, L::StepBookmark(1));
    assert!(
        read(&window, |s| s.stages.front.view.camera.eye()).distance(there) < 1e-2,
        "the other level's is not gone to"
    );
    enter_as(&mut window, 1);
    assert_eq!(names(&window), ["Hall"]);
    let other = read(&window, |s| s.stages.front.bookmarks(&s.core)[0].0 ^ 1);
    let before = read(&window, |s| s.stages.front.view.camera.eye());
    level(&mut window, L::GoToBookmark(other));
    level(&mut window, L::RemoveBookmark(other));
    assert_eq!(read(&window, |s| s.stages.front.view.camera.eye()), before);
    assert_eq!(read(&window, |s| s.core.settings.bookmarks.len()), 2);
}

#[test]
fn another_level_begins_anew_and_the_same_one_keeps_no_marks() {
    let mut window = entered();
    let set = |window: &mut Window| {
        level(window, L::SetMover { mover: 0, position: 0.5 });
        if !read(window, |s| s.stages.front.level().unwrap().tools.measures) {
            level(window, L::ToggleMeasure);
        }
        let wall = crate::level_overlays::seen_at(window, Vec3::new(-8.0, 1.6, 2.0));
        level(window, L::Measure { place: wall, snap: 0.0 });
        level(window, L::Pick(wall));
        level(window, L::ToggleAlike);
        assert!(read(window, |s| s.stages.front.level().unwrap().tools.points.len() == 1
            && s.stages.front.level().unwrap().tools.alike.is_some()));
    };
    set(&mut window);
    // Read again: what was marked may lie elsewhere now.
    enter_as(&mut window, 1);
    assert!(read(&window, |s| s.stages.front.level().unwrap().tools.points.is_empty()
        && s.stages.front.level().unwrap().tools.alike.is_none()));
    assert!(read(&window, |s| s.stages.front.level().unwrap().tools.measures), "it goes on measuring");
    assert_eq!(read(&window, |s| s.stages.front.level().unwrap().moment.movers.clone()), [0.5]);
    set(&mut window);
    level(&mut window, L::RunMover(0));
    change(&window, |s| {
        let place = Place { file: s.core.library.files[0].id, entry: EntryId(2) };
        s.stages.front.show_map(&mut s.core, place, Arc::new(linked(3)));
    });
    window.step();
    let now = read(&window, |s| {
        let shown = s.stages.front.level().unwrap();
        (shown.moment.clone(), shown.runs.len(), shown.picked.is_some())
    });
    assert_eq!(now, (MapMoment::default(), 0, false));
    assert!(read(&window, |s| !s.stages.front.level().unwrap().tools.measures
        && s.stages.front.level().unwrap().tools.points.is_empty()));
}

#[test]
fn a_models_picture_is_not_of_baked_light_or_zones() {
    let mut window = entered();
    let file = read(&window, |s| Place { file: s.core.library.files[0].id, entry: EntryId::FILE });
    for shading in [Shading::Light, Shading::Zones] {
        enter_as(&mut window, 1);
        apply(&mut window, Command::View(ViewCommand::SetShading(shading)));
        assert_eq!(read(&window, |s| s.stages.front.drawn_shading()), shading);
        apply(&mut window, Command::Stage(StageCommand::Show(file)));
        assert!(read(&window, |s| s.stages.front.model().is_some()));
        assert_eq!(read(&window, |s| s.stages.front.drawn_shading()), Shading::Lit);
        window.get_by_label("Shading: Lit");
        enter_as(&mut window, 1);
        assert_eq!(read(&window, |s| s.stages.front.drawn_shading()), shading, "the level is as it was");
    }
}
