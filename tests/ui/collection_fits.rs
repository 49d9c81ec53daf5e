//! Which clips of the collection fit a model, and which models a clip; sections, counts and moments of what was found.

use crate::{
    games::{Game, choose, click_starting, found, search, with_mod},
    kit::{self, app::*},
};
use bonebox::{
    library::collection::Evidence,
    ui::{
        command::{CollectionCommand, Command, InCollection, LibraryCommand},
        settings::Settings,
        state::{FitsOf, KINDS, STRIP_MOMENTS, StageContent, State, ThumbnailState, picture_of},
    },
};
use egui::{Key, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::{fs, path::PathBuf};

/// A window whose collection has a model in one folder and its clips in another one; nothing is open.
fn apart(game: &Game) -> (Window, PathBuf, PathBuf) {
    let (models, clips) = (game.folder.path().join("models"), game.folder.path().join("moves"));
    let (model, clip) = (models.join("Ossie.psk"), clips.join("Wave.psa"));
    fs::create_dir(&models).unwrap();
    fs::create_dir(&clips).unwrap();
    fs::copy(kit::samples().join("Ossie.psk"), &model).unwrap();
    fs::copy(kit::samples().join("Ossie.psa"), &clip).unwrap();
    let mut window = game.window(Settings::default());
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    // What is dropped on the collection joins it and is not opened.
    drop_on(&mut window, &[models.clone(), clips.clone()]);
    assert_eq!(
        read(&window, |s| (s.core.settings.collection.clone(), s.core.library.files.len())),
        (vec![models, clips], 0)
    );
    (window, model, clip)
}

fn ask(window: &mut Window, of: InCollection) {
    apply(window, Command::Collection(CollectionCommand::ShowFits(Some(of))));
}

/// Names of what fits, with what speaks for it and why it is offered.
fn fits(window: &Window) -> Vec<(String, Evidence, String)> {
    read(window, |s| {
        let shown = s.collection.fits.shown.as_ref().expect("an answer");
        let name = |row| shown.catalog.row(row).unwrap().name.to_owned();
        shown.fits.iter().map(|fit| (name(fit.row), fit.evidence, fit.reason.clone())).collect()
    })
}

/// The files of the model on the stage and of the clip that plays, with the clip's name.
fn plays(window: &Window) -> Option<(PathBuf, PathBuf, String)> {
    read(window, |s: &State| {
        let model = s.stages.front.model()?.place;
        let clip = s.stages.front.playback().unwrap().playing?;
        let path = |file| s.core.file(file).unwrap().path.clone();
        let name = s.core.file(clip.file)?.entry(clip.entry)?.name.to_string();
        s.stages.front.playback().unwrap().player.playing.then(|| (path(model.file), path(clip.file), name))
    })
}

#[test]
fn clips_that_fit_a_model_are_ranked_and_one_plays_on_it_though_neither_was_open() {
    let game = Game::new();
    let (mut window, model, clip) = apart(&game);
    ask(&mut window, InCollection { path: model.clone(), entry: None });
    let found = fits(&window);
    let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
    let all = read(&window, |s| {
        let catalog = s.collection.catalog.as_ref().unwrap();
        catalog.rows().filter(|(_, row)| row.content == bonebox::formats::Content::Clip).count()
    });
    assert!(all > 1 && names.len() == all, "{names:?} of {all}");
    let joints = read(&window, |s| {
        let shown = s.collection.fits.shown.clone().unwrap();
        assert!(matches!(shown.of, FitsOf::Model(_)));
        shown.fits[0].fit.matched
    });
    // All of its bones by name, from another folder.
    assert!(found.iter().all(|(_, evidence, _)| *evidence == Evidence::Names), "{found:?}");
    assert!(joints > 10 && found[0].2.contains(&joints.to_string()), "{found:?}");
    assert!(has(&window, &format!("Section Matching bones, different folder, {all}")));
    let second = names[1].to_owned();
    click_starting(&mut window, &format!("{second}, "));
    settle(&mut window);
    assert_eq!(plays(&window), Some((model, clip, second)), "{:?}", log(&window));
}

#[test]
fn models_that_a_clip_fits_are_found_and_keys_choose_one() {
    let game = Game::new();
    let (mut window, model, clip) = apart(&game);
    search(&mut window, "type:clip");
    let name = found(&window)[0].1.clone();
    let entry = read(&window, |s| {
        let found = &s.collection.search.found;
        found.catalog.row(found.hits[0].row).unwrap().path.to_owned()
    });
    ask(&mut window, InCollection { path: clip.clone(), entry: Some(entry) });
    assert!(read(&window, |s| matches!(s.collection.fits.shown.as_ref().unwrap().of, FitsOf::Clip(_))));
    assert_eq!(fits(&window).len(), 1);
    assert!(has(&window, &format!("Models matching {name}")));
    // The field has the keyboard, and keys go through what stands below it.
    window.run_steps(2);
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(plays(&window), Some((model, clip, name)), "{:?}", log(&window));
}

#[test]
fn the_stage_asks_for_more_clips_and_the_way_back_leads_to_the_model() {
    let game = Game::new();
    let (mut window, model, clip) = apart(&game);
    apply(&mut window, Command::Library(LibraryCommand::Open(vec![model.clone(), clip])));
    assert!(plays(&window).is_some(), "{:?}", log(&window));
    click_starting(&mut window, "Clip: ");
    click(&mut window, "More clips in the collection");
    settle(&mut window);
    assert!(read(&window, |s| matches!(s.stages.front.content, StageContent::Collection)));
    assert!(!fits(&window).is_empty());
    click(&mut window, "Back to the model");
    settle(&mut window);
    let shown =
        read(&window, |s| s.stages.front.model().map(|shown| s.core.file(shown.place.file).unwrap().path.clone()));
    assert_eq!(shown, Some(model));
    assert!(read(&window, |s| s.collection.fits.of.is_none()));
}

#[test]
fn what_is_in_no_root_says_so_and_a_search_leaves_the_page() {
    let game = Game::new();
    let (mut window, _, _) = apart(&game);
    ask(&mut window, InCollection { path: game.folder.path().join("other.psk"), entry: None });
    assert!(read(&window, |s| s.collection.fits.shown.is_none()));
    assert!(paints(&window, "This file is not in the collection"));
    search(&mut window, "wave");
    assert!(read(&window, |s| s.collection.fits.of.is_none()));
    assert!(!found(&window).is_empty());
}

#[test]
fn chips_say_how_many_of_each_kind_the_words_find() {
    let game = Game::new();
    let (mut window, _) = with_mod(&game);
    for words in ["", "banner"] {
        search(&mut window, words);
        let counts = read(&window, |s| s.collection.search.found.counts.clone());
        let all = read(&window, |s| s.collection.search.found.total);
        assert_eq!(counts.last(), Some(&all));
        assert!(counts[0] > 0 && counts[2] > 0, "{counts:?}");
        for ((name, kind), count) in KINDS.iter().zip(&counts) {
            assert!(has(&window, &format!("List: {name}, {count}")), "{name} {count}");
            apply(&mut window, Command::Collection(CollectionCommand::SetKind(Some(kind))));
            assert_eq!(found(&window).len(), *count, "{words} {kind}");
            // Counts are of what the words find, whatever kind is listed.
            assert_eq!(read(&window, |s| s.collection.search.found.counts.clone()), counts);
        }
        apply(&mut window, Command::Collection(CollectionCommand::SetKind(None)));
    }
    search(&mut window, "text:banner");
    assert_eq!(read(&window, |s| s.collection.search.found.counts.len()), 0);
}

#[test]
fn results_stand_in_sections_by_class_or_package_as_rows_and_as_pictures() {
    let game = Game::new();
    let (mut window, _) = with_mod(&game);
    search(&mut window, "type:texture");
    let total = read(&window, |s| s.collection.search.found.total);
    choose(&mut window, "Group by: none", "package");
    assert!(has(&window, &format!("Section BonePackFX.utx, {total}")));
    choose(&mut window, "Group by: package", "class");
    assert!(has(&window, &format!("Section Texture, {total}")));
    search(&mut window, "");
    let models = {
        search(&mut window, "type:model");
        found(&window)
    };
    search(&mut window, "banner");
    // Sections in the order of their names, and the first row below the first of them is opened by Enter.
    let labels = |window: &Window| -> Vec<String> {
        let all = window.query_all_by_label_contains("Section ");
        let mut labels: Vec<(f32, String)> =
            all.map(|node| (node.rect().top(), node.accesskit_node().label().unwrap_or_default())).collect();
        labels.sort_by(|one, other| one.0.total_cmp(&other.0));
        labels.into_iter().map(|(_, label)| label).collect()
    };
    let sections = labels(&window);
    let mut sorted = sections.clone();
    sorted.sort_by_key(|label| label.to_lowercase());
    assert!(sections.len() > 1, "{sections:?} {models:?}");
    assert_eq!(sections, sorted);
    click(&mut window, "Grid view");
    settle(&mut window);
    assert!(!labels(&window).is_empty());
}

#[test]
fn the_pointer_on_a_clip_shows_the_moment_below_it_and_moves_nothing_else() {
    let game = Game::new();
    let (mut window, _, _) = apart(&game);
    search(&mut window, "type:clip");
    click(&mut window, "Grid view");
    settle(&mut window);
    let (key, name) = read(&window, |s| {
        let found = &s.collection.search.found;
        let row = found.hits[0].row;
        (picture_of(&found.catalog, row).unwrap().key, found.catalog.row(row).unwrap().name.to_owned())
    });
    assert!(read(&window, |s| s.collection.pictures.strip(key).is_none()));
    let picture = window.get_by_label(&format!("Image {name}")).rect();
    window.hover_at(picture.left_top() + vec2(10.0, 30.0));
    window.run_steps(2);
    settle(&mut window);
    let strip = read(&window, |s| match s.collection.pictures.strip(key) {
        Some(ThumbnailState::Ready(strip)) => strip.clone(),
        other => panic!("{other:?}"),
    });
    let side = strip.image.height;
    assert_eq!(strip.image.width, side * STRIP_MOMENTS);
    // The model moves: its moments differ.
    let moment = |at: u32| -> Vec<u8> {
        let rows = strip.image.rgba.chunks((side * STRIP_MOMENTS * 4) as usize);
        rows.flat_map(|row| row[(at * side * 4) as usize..((at + 1) * side * 4) as usize].to_vec()).collect()
    };
    assert!(moment(0).chunks(4).filter(|pixel| pixel[3] > 0).count() > 200);
    assert_ne!(moment(0), moment(STRIP_MOMENTS / 2));
    // Once the pointer is away nothing asks for another frame.
    window.remove_cursor();
    window.run_steps(8);
    assert!(!window.ctx.has_requested_repaint());
    let kept = fs::read_dir(game.folder.path().join("index/thumbnails")).unwrap();
    let strips = kept.flatten().filter(|entry| entry.file_name().to_string_lossy().ends_with("-strip.png")).count();
    assert_eq!(strips, 1);
}
