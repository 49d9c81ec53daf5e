//! The collection: indexed in the background, searched, and there again after a restart.

use crate::{
    games::{Game, click_starting, found, is_shown, search, with_mod},
    kit::app::*,
};
use bonebox::ui::{
    command::{CollectionCommand, Command, InCollection, LibraryCommand},
    state::{StageContent, ThumbnailState, picture_of},
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use std::{fs, path::Path};

#[test]
fn what_is_dropped_joins_is_searched_and_opens_from_inside_a_container() {
    let game = Game::new();
    let mut window = game.dropped();
    assert_eq!(read(&window, |s| s.core.settings.collection.clone()), [game.game(), game.modification.clone()]);
    // The music, the mod, the archive in it and both of its members.
    assert_eq!(read(&window, |s| s.collection.catalog.as_ref().unwrap().files().len()), 5);
    apply(&mut window, Command::Library(LibraryCommand::CloseAll));
    let model = game.modification.join("Stuff/inner.zip/Models/Ossie.psk");
    search(&mut window, "ossie.psk");
    assert_eq!(found(&window).first(), Some(&(model.clone(), "Ossie.psk".to_owned())));
    assert!(has(&window, "Search collection"));
    assert!(window.query_all_by_label_contains("Pack.umod/Stuff/inner.zip/Models/Ossie.psk").next().is_some());
    apply(&mut window, Command::Collection(CollectionCommand::Open(0)));
    assert!(is_shown(&window, &model), "{:?}", log(&window));
    assert!(read(&window, |s| s.stages.front.model().is_some()));
}

/// File systems of macOS refuse such names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn files_whose_names_are_not_unicode_open_from_the_results() {
    use std::os::unix::ffi::OsStrExt as _;
    let game = Game::new();
    let model = game.game().join(std::ffi::OsStr::from_bytes(b"Os\xFF.psk"));
    fs::copy(crate::kit::samples().join("Ossie.psk"), &model).unwrap();
    let mut window = game.dropped();
    apply(&mut window, Command::Library(LibraryCommand::CloseAll));
    search(&mut window, "type:model in:game");
    assert_eq!(found(&window)[0].0, model);
    assert!(window.query_all_by_label_contains("Os\u{FFFD}FF.psk").next().is_some());
    apply(&mut window, Command::Collection(CollectionCommand::Open(0)));
    assert!(is_shown(&window, &model), "{:?}", log(&window));
}

#[test]
fn keys_open_the_search_choose_and_open() {
    let game = Game::new();
    let mut window = game.dropped();
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::F);
    window.run_steps(4);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Collection)));
    type_into(&mut window, "Search collection", "type:model mesh");
    settle(&mut window);
    let listed = found(&window);
    assert!(!listed.is_empty());
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    settle(&mut window);
    assert!(is_shown(&window, &listed[0].0), "{listed:?} {:?}", log(&window));
}

#[test]
fn after_a_restart_it_is_there_and_nothing_is_read_again() {
    let game = Game::new();
    let mut first = game.dropped();
    let read_before = read(&first, |s| s.collection.updated.unwrap());
    assert!(read_before.0 + read_before.1 > 0);
    let mut settings = saved(&mut first).settings();
    let rows = read(&first, |s| s.collection.catalog.as_ref().unwrap().row_count());
    drop(first);
    // Neither files nor stages come back: what is known is in the index.
    settings.reopen_session = false;
    let mut window = game.window(settings);
    assert_eq!(read(&window, |s| s.collection.updated), Some((0, 2)));
    assert_eq!(read(&window, |s| s.collection.catalog.as_ref().unwrap().row_count()), rows);
    search(&mut window, "");
    assert_eq!(read(&window, |s| s.collection.search.found.total), rows);
}

#[test]
fn a_kind_alone_is_listed_and_a_root_can_be_left_out() {
    let game = Game::new();
    let mut window = game.dropped();
    search(&mut window, "");
    click_starting(&mut window, "List: Clips,");
    settle(&mut window);
    let clips = found(&window);
    assert!(!clips.is_empty() && clips.iter().all(|(path, _)| path.ends_with("Ossie.psa")), "{clips:?}");
    apply(&mut window, Command::Collection(CollectionCommand::Remove(game.modification.clone())));
    assert_eq!(found(&window), []);
    assert!(has(&window, "0 results"));
    click_starting(&mut window, "List: All,");
    settle(&mut window);
    assert!(found(&window).iter().all(|(path, _)| path.starts_with(game.game())));
    apply(&mut window, Command::Collection(CollectionCommand::Remove(game.game())));
    assert!(has(&window, "Add a folder to the collection"));
}

#[test]
fn what_lies_in_a_root_joins_no_second_time() {
    let game = Game::new();
    let mut window = game.dropped();
    let whole = game.folder.path().join("game/..");
    let whole = fs::canonicalize(whole).unwrap();
    apply(&mut window, Command::Collection(CollectionCommand::Add(whole.clone())));
    assert_eq!(read(&window, |s| s.core.settings.collection.clone()), std::slice::from_ref(&whole));
    apply(&mut window, Command::Collection(CollectionCommand::Add(game.modification.clone())));
    assert_eq!(read(&window, |s| s.core.settings.collection.clone()), [whole]);
}

#[test]
fn a_hit_in_a_mod_opens_with_its_textures_from_the_same_mod() {
    let game = Game::new();
    let (mut window, pack) = with_mod(&game);
    apply(&mut window, Command::Library(LibraryCommand::CloseAll));
    search(&mut window, "type:model bannermesh");
    assert_eq!(found(&window), [(pack.join("System/BonePack.u"), "BannerMesh".to_owned())]);
    apply(&mut window, Command::Collection(CollectionCommand::Open(0)));
    let images = read(&window, |s| s.stages.front.model().unwrap().model.images.len());
    let missing = read(&window, |s| s.stages.front.model().unwrap().model.missing.clone());
    assert_eq!((images, missing), (2, Vec::new()), "{:?}", log(&window));
}

#[test]
fn links_lead_from_a_package_to_what_it_needs_and_back() {
    let game = Game::new();
    let (mut window, pack) = with_mod(&game);
    let (code, pictures) = (pack.join("System/BonePack.u"), pack.join("Textures/BonePackFX.utx"));
    let links = |window: &mut Window, path: &Path, entry: Option<&str>| {
        let of = InCollection { path: path.to_owned(), entry: entry.map(str::to_owned) };
        apply(window, Command::Collection(CollectionCommand::ShowLinks(Some(of))));
    };
    links(&mut window, &code, None);
    let needs = read(&window, |s| {
        let shown = s.collection.links.shown.clone().unwrap();
        let need = shown.needs.iter().find(|need| need.name == "BonePackFX").unwrap();
        let entries: Vec<(String, bool)> = need.entries.iter().map(|e| (e.text.clone(), e.is_missing)).collect();
        (need.found.clone(), entries, shown.users.len())
    });
    let entry = |text: &str| (text.to_owned(), false);
    let entries = vec![entry("Skins.Banner (Texture)"), entry("Skins.Pole (Texture)")];
    assert_eq!(needs, (Some(pictures.clone()), entries, 0));
    assert!(has(&window, "BonePack.u, selected"));
    // Where a pointer would have to press is not what the graph says of its places: it can be moved and zoomed.
    window.get_by_label("BonePackFX.utx, needed by the selected file").click_accesskit();
    window.run_steps(4);
    settle(&mut window);
    let of = read(&window, |s| s.collection.links.of.clone());
    assert_eq!(of.map(|of| of.path), Some(pictures.clone()));
    assert!(has(&window, "BonePack.u, uses the selected file"));
    let users = |window: &Window| {
        read(window, |s| {
            s.collection.links.shown.as_ref().unwrap().users.iter().map(|user| user.text.clone()).collect::<Vec<_>>()
        })
    };
    assert_eq!(users(&window), ["BonePack.u uses Skins.Banner", "BonePack.u uses Skins.Pole"]);
    links(&mut window, &pictures, Some("Skins.Pole"));
    assert_eq!(users(&window), ["BonePack.u uses Skins.Pole"]);
    click(&mut window, "Back to the results");
    assert!(read(&window, |s| s.collection.links.of.is_none()) && has(&window, "Grid view"));
}

#[test]
fn pictures_are_made_of_what_is_in_sight_and_kept_on_the_disk() {
    let game = Game::new();
    let (mut window, _) = with_mod(&game);
    search(&mut window, "type:texture");
    click(&mut window, "Grid view");
    settle(&mut window);
    let pictures = read(&window, |s| {
        let found = &s.collection.search.found;
        let keys = found.hits.iter().filter_map(|hit| picture_of(&found.catalog, hit.row)).map(|wanted| wanted.key);
        keys.map(|key| match s.collection.pictures.get(key) {
            Some(ThumbnailState::Ready(thumbnail)) => (thumbnail.size, thumbnail.image.rgba.clone()),
            other => panic!("{other:?}"),
        })
        .collect::<Vec<_>>()
    });
    // The banner and its pole, as they are in the package.
    assert_eq!(pictures.iter().map(|(size, _)| *size).collect::<Vec<_>>(), [(128, 128), (64, 32)]);
    for (_, rgba) in &pictures {
        let colors: std::collections::BTreeSet<&[u8]> = rgba.chunks(4).collect();
        assert!(colors.len() > 20, "{} colours", colors.len());
    }
    let kept = fs::read_dir(game.folder.path().join("index/thumbnails")).unwrap().count();
    assert_eq!(kept, 2);
    assert!(has(&window, "Image Banner"));
}
