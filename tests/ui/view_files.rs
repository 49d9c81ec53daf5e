//! Views that are saved, by themselves and in pictures, and brought back.

use crate::{
    kit::{self, app::*},
    restart::looked_at,
};
use bonebox::{
    formats::Severity,
    ui::{
        command::{CameraCommand, Command, LibraryCommand, StageCommand, TransportCommand, ViewCommand},
        state::{Effect, Shading},
        view_file,
    },
};
use egui_kittest::kittest::Queryable as _;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The sample, copied, looked at in a way of its own.
fn looked(folder: &Path) -> Window {
    let files = ["Ossie.psk", "Ossie.psa"].map(|name| {
        let path = folder.join(name);
        fs::copy(kit::samples().join(name), &path).unwrap();
        path
    });
    let mut window = window_with(files);
    for command in [
        Command::Camera(CameraCommand::Orbit(glam::vec2(0.4, 0.2))),
        Command::View(ViewCommand::SetShading(Shading::Normals)),
        Command::Transport(TransportCommand::TogglePlay),
        Command::Transport(TransportCommand::Seek(9.0)),
    ] {
        apply(&mut window, command);
    }
    window
}

fn save(window: &mut Window, path: &Path) -> PathBuf {
    apply(window, Command::Library(LibraryCommand::SaveView(path.to_owned())));
    path.with_extension("bonebox-view")
}

#[test]
fn a_saved_view_brings_files_and_all_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = looked(folder.path());
    let shown = read(&first, |s| s.stages.front.model().unwrap().place);
    apply(&mut first, Command::Stage(StageCommand::OpenBeside(Some(shown))));
    let wanted = looked_at(&first);
    // The ending comes by itself.
    let view = save(&mut first, &folder.path().join("walk"));
    assert!(view.is_file());

    // Into an empty window, opened as any file.
    let mut second = window_with([&view]);
    assert_eq!(looked_at(&second), wanted);
    // Into the same one, which looks at something else now: nothing is opened again.
    let readings =
        |window: &Window| read(window, |s| s.core.library.files.iter().map(|f| f.file.reading).collect::<Vec<_>>());
    let before = readings(&second);
    apply(&mut second, Command::Camera(CameraCommand::Reset));
    apply(&mut second, Command::Stage(StageCommand::Close(bonebox::ui::state::StageId(1))));
    assert_ne!(looked_at(&second)[..2], wanted[..2]);
    drop_on(&mut second, &[view]);
    assert_eq!(looked_at(&second)[..3], wanted[..3]);
    assert_eq!(readings(&second), before);
}

#[test]
fn a_view_beside_its_files_is_of_those() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut first = looked(old.path());
    save(&mut first, &old.path().join("walk.bonebox-view"));
    for name in ["Ossie.psk", "Ossie.psa", "walk.bonebox-view"] {
        fs::copy(old.path().join(name), new.path().join(name)).unwrap();
    }
    let second = window_with([new.path().join("walk.bonebox-view")]);
    let folders = read(&second, |s| {
        s.core.library.files.iter().map(|f| f.file.path.parent().unwrap().to_owned()).collect::<Vec<_>>()
    });
    assert!(folders.len() == 2 && folders.iter().all(|folder| folder == new.path()), "{folders:?}");
    assert_eq!(read(&second, |s| s.stages.front.view.options.shading), Shading::Normals);
}

#[test]
fn a_view_whose_files_are_gone_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = looked(folder.path());
    let view = save(&mut first, &folder.path().join("walk"));
    for name in ["Ossie.psk", "Ossie.psa"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let mut second = window_with([kit::data().join("actorx/syn_arm.psk")]);
    let before = read(&second, |s| s.core.library.files.len());
    open(&mut second, [view]);
    assert_eq!(read(&second, |s| s.core.library.files.len()), before);
    assert!(log(&second).iter().any(|line| line.contains("Ossie.psk")), "{:?}", log(&second));
    // The window goes on.
    open(&mut second, [kit::samples().join("Ossie.psk")]);
    assert!(read(&second, |s| s.stages.front.model().is_some()));
}

#[test]
fn a_view_that_is_none_gives_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = looked(folder.path());
    let view = save(&mut first, &folder.path().join("walk"));
    let good = fs::read_to_string(&view).unwrap();
    let mut window = window_with([kit::data().join("actorx/syn_arm.psk")]);
    let before = looked_at(&window);
    for (text, why) in [
        (good.replacen("\"version\": 1", "\"version\": 2", 1), "newer version of Bonebox: it has version 2"),
        (good[..good.len() / 2].to_owned(), "the view is damaged"),
        ("junk".to_owned(), "the view is damaged"),
        (String::new(), "the view is damaged"),
    ] {
        fs::write(&view, text).unwrap();
        open(&mut window, [&view]);
        let said = read(&window, |s| s.core.log.entries().back().map(|entry| (entry.severity, entry.text())).unwrap());
        assert!(
            said.0 == Severity::Error && said.1.contains(why) && said.1.starts_with("walk.bonebox-view: "),
            "{said:?}"
        );
        assert_eq!(looked_at(&window), before);
    }
}

#[test]
fn a_picture_carries_its_view() {
    let folder = tempfile::tempdir().unwrap();
    let first = looked(folder.path());
    let wanted = looked_at(&first);
    let view = read(&first, |s| s.stages.view_now(&s.core));
    let path = folder.path().join("picture.png");
    let mut encoder = png::Encoder::new(fs::File::create(&path).unwrap(), 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    view_file::put_in_picture(&mut encoder, &view_file::encode(&view, folder.path()).unwrap()).unwrap();
    encoder.write_header().unwrap().write_image_data(&[0; 4]).unwrap();
    let mut second = window();
    change(&second, |s| s.core.open_view(path));
    settle(&mut second);
    assert_eq!(looked_at(&second), wanted);
}

/// A view that was saved next to its files, in a folder of its own.
fn moved_view(old: &Path, new: &Path) -> PathBuf {
    let mut first = looked(old);
    let view = save(&mut first, &old.join("walk"));
    let moved = new.join("walk.bonebox-view");
    fs::copy(view, &moved).unwrap();
    moved
}

fn names(window: &Window) -> Vec<String> {
    read(window, |s| s.core.library.files.iter().map(|f| f.file.name.clone()).collect())
}

#[test]
fn files_outside_the_folder_open_after_a_question() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let view = moved_view(old.path(), new.path());
    let is_asked = |window: &Window| read(window, |s| s.dialogs.asked_view.is_some());

    let mut window = window_with([&view]);
    assert!(is_asked(&window) && names(&window).is_empty());
    for name in ["Ossie.psk", "Ossie.psa"] {
        assert!(window.query_by_label(&old.path().join(name).display().to_string()).is_some(), "{name}");
    }
    assert!(window.query_by_label("walk.bonebox-view refers to files outside its folder:").is_some());
    // Enter is no answer.
    window.key_press(egui::Key::Enter);
    settle(&mut window);
    assert!(is_asked(&window) && names(&window).is_empty());
    click(&mut window, "Skip");
    settle(&mut window);
    assert!(!is_asked(&window) && names(&window).is_empty());
    assert!(log(&window).iter().any(|line| line.contains("Ossie.psk") && line.contains("outside")));

    open(&mut window, [&view]);
    click(&mut window, "Open");
    settle(&mut window);
    assert!(!is_asked(&window));
    assert_eq!(names(&window), ["Ossie.psk", "Ossie.psa"]);
    assert_eq!(read(&window, |s| s.stages.front.view.options.shading), Shading::Normals);

    // Files that are open need no question.
    apply(&mut window, Command::View(ViewCommand::SetShading(Shading::Lit)));
    open(&mut window, [&view]);
    assert!(!is_asked(&window));
    assert_eq!(read(&window, |s| s.stages.front.view.options.shading), Shading::Normals);
}

#[test]
fn network_paths_and_devices_never_open_from_a_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = looked(folder.path());
    let view = save(&mut first, &folder.path().join("walk"));
    let good: serde_json::Value = serde_json::from_str(&fs::read_to_string(&view).unwrap()).unwrap();
    // A model finds its clips by itself.
    fs::remove_file(folder.path().join("Ossie.psa")).unwrap();
    for path in [r"\\server\share\x.psk", "/dev/null", "NUL", "walk.bonebox-view"] {
        let mut bad = good.clone();
        bad["files"][1] = serde_json::json!({ "path": path, "relative": path });
        bad["pictures"] = serde_json::json!([{ "path": path }]);
        fs::write(&view, bad.to_string()).unwrap();
        let window = window_with([&view]);
        assert!(read(&window, |s| s.dialogs.asked_view.is_none()), "{path}");
        assert_eq!(names(&window), ["Ossie.psk"], "{path}");
        let why = match path.ends_with("bonebox-view") {
            true => "a view cannot open another view",
            false => "network paths and devices are not allowed in views",
        };
        let told = log(&window).iter().filter(|line| line.ends_with(&format!("cannot open {path}: {why}"))).count();
        assert_eq!(told, 2, "{path}: {:?}", log(&window));
    }
}

#[test]
fn a_view_shows_few_notices_and_short_paths() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(kit::data().join("actorx/syn_arm.psk"), folder.path().join("arm.psk")).unwrap();
    let view = folder.path().join("a.bonebox-view");
    let shares = (0..5).map(|number| format!("//server/{number}/{}.psk", "x".repeat(1_000)));
    let paths = shares.chain(["y".repeat(5_000), folder.path().join("arm.psk").display().to_string()]);
    let files: Vec<_> = paths.map(|path| serde_json::json!({ "path": path })).collect();
    fs::write(&view, serde_json::json!({ "version": 1, "files": files }).to_string()).unwrap();
    let mut state = state();
    state.core.open_view(view);
    settle_state(&mut state);
    assert_eq!(state.core.library.files.iter().map(|f| f.file.name.clone()).collect::<Vec<_>>(), ["arm.psk"]);
    let told: Vec<String> = lines(&state).into_iter().filter(|line| line.contains("cannot open")).collect();
    assert!(told.len() == 6 && told.iter().all(|line| line.chars().count() < 300), "{told:?}");
    assert!(told[5].ends_with("the path is too long"), "{told:?}");
    let notices = state.core.log.take_toasts();
    assert_eq!(notices.iter().filter(|notice| notice.message.contains("cannot open")).count(), 3);
}

#[test]
fn the_menu_asks_where_to_save_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.psk");
    fs::copy(kit::data().join("actorx/syn_arm.psk"), &path).unwrap();
    let mut state = state();
    assert!(!state.is_possible(&Command::Library(LibraryCommand::SaveViewDialog)));
    state.apply(Command::Library(LibraryCommand::Open(vec![path])));
    settle_state(&mut state);
    assert!(state.is_possible(&Command::Library(LibraryCommand::SaveViewDialog)));
    state.core.effects.clear();
    state.apply(Command::Library(LibraryCommand::SaveViewDialog));
    assert_eq!(state.core.effects, [Effect::AskWhereView(folder.path().join("arm.bonebox-view"))]);
}
