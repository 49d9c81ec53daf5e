//! Containers in the window: their members open as the files that they are.

use crate::kit::{
    self,
    app::*,
    containers::{ZipMember, umod, zip},
    discs::gcm,
    isos::iso,
};
use bonebox::ui::{
    command::{Command, LibraryCommand, StageCommand},
    state::{Message, State},
};
use std::{fs, path::PathBuf};

/// The sample model and its clips in a zip archive, in an installer.
fn mod_file(scale: f32) -> Vec<u8> {
    let read = |name: &str| fs::read(kit::samples().join(name)).unwrap();
    let mut model = read("Ossie.psk");
    let point = f32::from_le_bytes(model[64..68].try_into().unwrap());
    model[64..68].copy_from_slice(&(point * scale).to_le_bytes());
    let inner = zip(&[
        ZipMember::deflated("Models/Ossie.psk", &model),
        ZipMember::stored("Models/Ossie.psa", &read("Ossie.psa")),
        ZipMember::stored("readme.txt", b"Read me."),
    ]);
    umod(&[("Help\\a.txt", b"text", 0), ("Stuff\\inner.zip", &inner, 0)])
}

fn opened() -> (tempfile::TempDir, PathBuf, Window) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Pack.umod");
    fs::write(&file, mod_file(1.0)).unwrap();
    let window = window_with([&file]);
    (folder, file, window)
}

fn paths(window: &Window) -> Vec<PathBuf> {
    read(window, |s| s.core.library.files.iter().map(|opened| opened.file.path.clone()).collect())
}

/// Shows an entry of the file at a path, as a double click does.
fn show(window: &mut Window, file: &std::path::Path, entry: &str) {
    let place = read(window, |s| {
        let id = s.core.library.at_path(file).unwrap();
        let entry = s.core.file(id).unwrap().document.outline().find_path(entry).unwrap().id;
        bonebox::ui::state::Place { file: id, entry }
    });
    apply(window, Command::Stage(StageCommand::Show(place)));
    settle(window);
}

#[test]
fn members_of_containers_in_containers_open_by_a_double_click_and_once() {
    let (_folder, file, mut window) = opened();
    assert!(has(&window, "2 files in Pack.umod"));
    show(&mut window, &file, "Stuff/inner.zip");
    let inner = file.join("Stuff/inner.zip");
    assert_eq!(paths(&window), [file.clone(), inner.clone()]);
    show(&mut window, &inner, "Models/Ossie.psk");
    let model = inner.join("Models/Ossie.psk");
    // Its clips lie beside it in the archive.
    assert_eq!(paths(&window)[2..], [model.clone(), inner.join("Models/Ossie.psa")]);
    let shown = |window: &Window| read(window, |s| s.stages.front.model().map(|shown| shown.place.file));
    let id = read(&window, |s| s.core.library.at_path(&model));
    assert_eq!(shown(&window), id);
    assert!(read(&window, |s| s.stages.front.playback().unwrap().playing.is_some()));
    // The way to it begins at the file on the disk.
    for crumb in ["Go to Pack.umod", "Go to inner.zip", "Go to Ossie.psk"] {
        assert!(has(&window, crumb), "{crumb}");
    }
    show(&mut window, &inner, "Models/Ossie.psk");
    assert_eq!((paths(&window).len(), shown(&window)), (4, id));
    // What is no known format says so, and nothing else happens.
    show(&mut window, &inner, "readme.txt");
    assert!(log(&window).iter().any(|line| line.contains("this is a text file")), "{:?}", log(&window));
    assert_eq!(paths(&window).len(), 4);
}

#[test]
fn members_are_read_anew_when_their_container_was_written() {
    let (_folder, file, mut window) = opened();
    let model = file.join("Stuff/inner.zip/Models/Ossie.psk");
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![model.clone()])));
    settle(&mut window);
    let point = |window: &Window| {
        read(window, |s| {
            let id = s.core.library.at_path(&model).unwrap();
            let bytes = s.core.file(id).unwrap().document.source().as_slice().to_vec();
            f32::from_le_bytes(bytes[64..68].try_into().unwrap())
        })
    };
    let before = point(&window);
    assert_eq!(read(&window, |s| s.core.watched_files().len()), 1);
    fs::write(&file, mod_file(3.0)).unwrap();
    change(&window, |s| s.core.works.sender().send(Message::FilesChanged(vec![file.clone()])).unwrap());
    settle(&mut window);
    assert_eq!(point(&window), before * 3.0);
}

#[test]
fn a_folder_of_a_container_opens_as_a_folder_does() {
    let (_folder, file, mut window) = opened();
    let models = file.join("Stuff/inner.zip/Models");
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![models.clone()])));
    settle(&mut window);
    assert_eq!(paths(&window)[1..], ["Ossie.psa", "Ossie.psk"].map(|name| models.join(name)));
}

#[test]
fn a_tune_that_lies_compressed_in_a_mod_opens_at_once_and_is_rendered() {
    let pack = kit::samples().join("BonePack.umod");
    let mut window = window_with([&pack]);
    show(&mut window, &pack, "Music/BoneTune.umx.uz");
    let tune = pack.join("Music/BoneTune.umx.uz/BoneTune.umx");
    assert_eq!(paths(&window), [pack, tune.clone()], "{:?}", log(&window));
    for crumb in ["Go to BonePack.umod", "Go to BoneTune.umx"] {
        assert!(has(&window, crumb), "{crumb}");
    }
    show(&mut window, &tune, "BoneTune");
    assert!(has(&window, "Position in the sound") && has(&window, "Order 0"));
    let is_heard = |s: &State| s.stages.front.sound()?.pcm().map(|pcm| pcm.samples.iter().any(|sample| *sample != 0));
    assert_eq!(read(&window, is_heard), Some(true));
}

#[test]
fn a_disc_fills_no_memory_and_what_is_dropped_with_it_opens() {
    let folder = tempfile::tempdir().unwrap();
    let (disc, model) = (folder.path().join("a.gcm"), folder.path().join("arm.psk"));
    fs::write(&disc, gcm("Bones", &[("readme.txt", b"Bones.")])).unwrap();
    // Nothing but a length: no byte of it is stored.
    fs::File::options().append(true).open(&disc).unwrap().set_len(3 << 30).unwrap();
    fs::copy(kit::data().join("actorx/syn_arm.psk"), &model).unwrap();
    let window = window_with([&disc, &model]);
    assert_eq!(paths(&window), [disc, model], "{:?}", log(&window));
}

#[test]
fn what_a_limit_refuses_opens_anyway_by_the_button_of_its_notice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    let inner = zip(&[ZipMember::stored("zeros", &vec![0; 34 << 20])]);
    fs::write(&file, zip(&[ZipMember::deflated("in.zip", &inner), ZipMember::deflated("too.zip", &inner)])).unwrap();
    let mut window = window_with([&file]);
    let place = |window: &Window, entry: &str| {
        read(window, |s| {
            let id = s.core.library.at_path(&file).unwrap();
            let entry = s.core.file(id).unwrap().document.outline().find_path(entry).unwrap().id;
            bonebox::ui::state::Place { file: id, entry }
        })
    };
    let words = |window: &Window, entry: &str| {
        let place = place(window, entry);
        read(window, |s| s.core.refused_member(place).map(|refused| refused.words()))
    };
    assert_eq!(words(&window, "in.zip"), None);
    show(&mut window, &file, "in.zip");
    assert_eq!(paths(&window), std::slice::from_ref(&file), "{:?}", log(&window));
    assert_eq!(words(&window, "in.zip").as_deref(), Some("Open anyway (34 MiB)"));
    window.run_steps(2);
    look(&mut window, "open_anyway");
    click(&mut window, "Open anyway (34 MiB)");
    settle(&mut window);
    assert_eq!(paths(&window), [file.clone(), file.join("in.zip")], "{:?}", log(&window));
    // That one alone.
    assert_eq!(words(&window, "in.zip"), None);
    show(&mut window, &file, "too.zip");
    assert_eq!((paths(&window).len(), words(&window, "too.zip").is_some()), (2, true));
}

#[test]
fn a_disc_shows_the_names_that_are_chosen_and_paths_go_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let disc = folder.path().join("game.iso");
    let model = fs::read(kit::data().join("actorx/syn_arm.psk")).unwrap();
    fs::write(&disc, iso("BONES", &[("Models/An arm.psk", &model)], true)).unwrap();
    let mut window = window_with([&disc]);
    let id = read(&window, |s| s.core.library.at_path(&disc).unwrap());
    let choose = |window: &mut Window, value: Option<&str>| {
        let value = value.map(str::to_owned);
        apply(window, Command::Library(LibraryCommand::SetReading { file: id, id: "tree".to_owned(), value }));
        settle(window);
    };
    choose(&mut window, Some("iso"));
    let member = disc.join("MODELS/AN ARM.PSK");
    show(&mut window, &disc, "MODELS/AN ARM.PSK");
    assert_eq!(paths(&window), [disc.clone(), member], "{:?}", log(&window));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
    choose(&mut window, None);
    show(&mut window, &disc, "Models/An arm.psk");
    assert_eq!(paths(&window).len(), 3, "{:?}", log(&window));
}
