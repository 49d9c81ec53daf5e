//! The roots of the collection: named, dropped as single files, watched, gone and back.

use crate::{
    games::{Game, found, search},
    kit::{self, app::*},
};
use bonebox::ui::{
    command::{CollectionCommand, Command},
    file_watch,
    settings::Settings,
};
use egui_kittest::kittest::Queryable as _;
use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// How long the system may take to tell of a change.
const PATIENCE: Duration = Duration::from_secs(60);

fn roots(window: &Window) -> Vec<PathBuf> {
    read(window, |s| s.core.settings.collection.clone())
}

/// Runs frames until something is so.
#[track_caller]
fn wait(window: &mut Window, what: impl Fn(&Window) -> bool) {
    let end = Instant::now() + PATIENCE;
    while !what(window) {
        assert!(Instant::now() < end, "it does not come");
        std::thread::sleep(Duration::from_millis(20));
        window.step();
    }
    settle(window);
}

#[test]
fn a_single_file_joins_where_it_is_dropped_on_the_collection_and_is_not_opened() {
    let game = Game::new();
    let mut window = game.window(Settings::default());
    let model = game.folder.path().join("Ossie.psk");
    fs::copy(kit::samples().join("Ossie.psk"), &model).unwrap();
    fs::copy(kit::samples().join("Ossie.psa"), game.folder.path().join("Ossie.psa")).unwrap();
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    drop_on(&mut window, std::slice::from_ref(&model));
    assert_eq!((roots(&window), read(&window, |s| s.core.library.files.len())), (vec![model.clone()], 0));
    search(&mut window, "");
    // The file beside it is no root.
    assert!(!found(&window).is_empty() && found(&window).iter().all(|(path, _)| *path == model));
    assert!(log(&window).iter().any(|line| line.contains("added to the collection")), "{:?}", log(&window));
}

#[test]
fn a_collection_is_kept_under_a_name_chosen_again_and_outlives_its_index() {
    let game = Game::new();
    let mut window = game.dropped();
    let both = roots(&window);
    search(&mut window, "");
    click(&mut window, "Folders and collections");
    type_into(&mut window, "Collection name", "Both of them");
    click(&mut window, "Save");
    settle(&mut window);
    assert_eq!(
        read(&window, |s| s.collection.named_collection(&s.core).map(|named| named.name.clone())),
        Some("Both of them".into())
    );
    assert_eq!(game.store().collections().unwrap()[0].roots, both);
    apply(&mut window, Command::Collection(CollectionCommand::Remove(game.game())));
    assert!(read(&window, |s| s.collection.named_collection(&s.core).is_none()));
    let mut settings = saved(&mut window).settings();
    settings.reopen_session = false;
    drop(window);
    // The command line has them too; a damaged index takes no name with it.
    fs::write(game.store().path(), "damaged").unwrap();
    let mut window = game.window(settings);
    assert_eq!(roots(&window), std::slice::from_ref(&game.modification));
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    click(&mut window, "Folders and collections");
    click(&mut window, "Collection Both of them");
    settle(&mut window);
    assert_eq!(roots(&window), both);
    assert_eq!(read(&window, |s| s.collection.catalog.as_ref().unwrap().files().len()), 5);
    // What was there had no name: it can be brought back.
    let back = CollectionCommand::SetRoots(vec![game.modification.clone()]);
    apply(&mut window, Command::Collection(back));
    assert_eq!(roots(&window), std::slice::from_ref(&game.modification));
    apply(&mut window, Command::Collection(CollectionCommand::Forget("Both of them".to_owned())));
    assert_eq!(read(&window, |s| s.collection.named.clone()), []);
    assert_eq!(game.store().collections().unwrap(), []);
}

/// A window that watches its roots, with a collection of one folder.
fn watched(game: &Game) -> Window {
    let mut window = game.window(Settings::default());
    let watch = file_watch::start_roots(&mut window.state().session().borrow_mut().state);
    window.state().session().borrow_mut().root_watch = watch;
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    drop_on(&mut window, &[game.game()]);
    search(&mut window, "");
    window
}

#[test]
fn what_comes_changes_and_goes_below_a_root_is_read_by_itself() {
    let game = Game::new();
    let mut window = watched(&game);
    let file = game.game().join("new/Ossie.psk");
    let is_found = |window: &Window| found(window).iter().any(|(path, _)| *path == file);
    assert!(!is_found(&window));
    fs::create_dir(game.game().join("new")).unwrap();
    fs::copy(kit::samples().join("Ossie.psk"), &file).unwrap();
    wait(&mut window, is_found);
    let read_now = read(&window, |s| s.collection.updated);
    assert_eq!(read_now, Some((1, 1)), "what did not change is not read again");
    fs::remove_file(&file).unwrap();
    wait(&mut window, |window| !is_found(window));
    // With nothing more happening no frame is asked for, and nothing is read.
    let turn = read(&window, |s| s.collection.search.turn);
    std::thread::sleep(Duration::from_millis(1_500));
    window.run_steps(4);
    assert!(!window.ctx.has_requested_repaint());
    settle(&mut window);
    assert_eq!(read(&window, |s| s.collection.search.turn), turn);
}

#[test]
fn a_root_that_is_gone_is_named_what_is_known_of_it_is_marked_and_it_comes_back() {
    let game = Game::new();
    let mut window = watched(&game);
    let before = found(&window);
    let away = game.folder.path().join("away");
    fs::rename(game.game(), &away).unwrap();
    wait(&mut window, |window| read(window, |s| !s.collection.gone.is_empty()));
    assert_eq!(read(&window, |s| s.collection.gone.clone()), [game.game()]);
    assert_eq!(found(&window), before, "what is known stays");
    assert!(has(&window, "1 folder is missing"));
    assert!(window.query_all_by_label_contains(", missing, ").next().is_some());
    fs::rename(&away, game.game()).unwrap();
    wait(&mut window, |window| read(window, |s| s.collection.gone.is_empty()));
    assert!(!has(&window, "1 folder is missing"));
    assert_eq!(found(&window), before);
    assert_eq!(read(&window, |s| s.collection.updated), Some((0, 1)), "and is not read again");
}
