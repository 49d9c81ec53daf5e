//! Two files, folders or entries side by side, driven through labels.

use crate::kit::{self, app::*, device, unreal::code_package};
use bonebox::{
    library::{collection::Store, compare::State as Differs},
    ui::{
        command::{CollectionCommand, Command, CompareCommand, ComparedThing, LibraryCommand},
        settings::Settings,
        state::{Clock, StageContent, State},
    },
};
use egui::{Key, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::path::{Path, PathBuf};

const OLD: &[(&str, &str, &str)] = &[
    ("Actor", "", "class Actor;\n"),
    ("Pawn", "Actor", "class Pawn extends Actor;\nvar int Health;\nvar int Armour;\n"),
];
const NEW: &[(&str, &str, &str)] = &[
    ("Actor", "", "class Actor;\n"),
    ("Pawn", "Actor", "class Pawn extends Actor;\nvar float Health;\nvar int Armour;\n"),
    ("Crab", "Pawn", "class Crab extends Pawn;\n"),
];

fn write(folder: &Path, name: &str, classes: &[(&str, &str, &str)]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, code_package(classes)).unwrap();
    path
}

/// The entries that differ, as signs and paths.
fn listed(window: &Window) -> Vec<String> {
    read(window, |state| {
        let comparing = &state.comparing;
        let (found, left, right) =
            (comparing.found.as_ref().unwrap(), comparing.left.as_ref().unwrap(), comparing.right.as_ref().unwrap());
        let name = |at: &usize| {
            let pair = &found.entries[*at];
            let entry = pair.left.and_then(|id| left.entry(id)).or(pair.right.and_then(|id| right.entry(id)));
            format!("{} {}", pair.state.sign(), entry.unwrap().path())
        };
        comparing.listed.iter().map(name).collect()
    })
}

#[test]
fn two_open_files_are_compared_entry_by_entry_and_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let files = [write(folder.path(), "Old.u", OLD), write(folder.path(), "New.u", NEW)];
    let mut window = window_with(&files[..1]);
    open(&mut window, &files[1..]);
    let first = read(&window, |state| state.core.library.files[0].id);
    apply(&mut window, Command::Compare(CompareCommand::File(first)));
    settle(&mut window);
    assert!(read(&window, |state| matches!(state.stages.front.content, StageContent::Compare)));
    let names = read(&window, |state| {
        [&state.comparing.left, &state.comparing.right].map(|file| file.as_ref().unwrap().name.clone())
    });
    assert_eq!(names, ["Old.u", "New.u"]);
    let all = listed(&window);
    for wanted in ["~ Pawn.ScriptText", "+ Crab", "+ Crab.ScriptText"] {
        assert!(all.iter().any(|line| line == wanted), "{wanted}: {all:?}");
    }
    assert!(!all.iter().any(|line| line.ends_with("Actor.ScriptText")), "{all:?}");

    click(&mut window, "changed: Pawn.ScriptText");
    settle(&mut window);
    for line in ["removed: var int Health;", "added: var float Health;", "same: var int Armour;"] {
        assert!(has(&window, line), "{line}");
    }
    assert!(!has(&window, "same: Actor.ScriptText"));
    click(&mut window, "Differences only");
    settle(&mut window);
    assert!(has(&window, "same: Actor.ScriptText"));
    look(&mut window, "compare");
    // On one side alone.
    click(&mut window, "added: Crab");
    settle(&mut window);
    assert!(has(&window, "Only in the right file."));
    click(&mut window, "Swap sides");
    settle(&mut window);
    assert!(listed(&window).iter().any(|line| line == "- Crab"));
}

#[test]
fn keys_go_through_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let files = [write(folder.path(), "Old.u", OLD), write(folder.path(), "New.u", NEW)];
    let mut window = window_with(files);
    apply(&mut window, Command::Compare(CompareCommand::Selected));
    settle(&mut window);
    let (order, first) = read(&window, |state| (state.comparing.listed.clone(), state.comparing.chosen));
    // The file itself stands before it, and says least.
    assert_eq!(first, order.get(1).copied());
    window.key_press(Key::ArrowDown);
    settle(&mut window);
    assert_eq!(read(&window, |state| state.comparing.chosen), order.get(2).copied());
    window.key_press(Key::ArrowUp);
    settle(&mut window);
    assert_eq!(read(&window, |state| state.comparing.chosen), first);
}

#[test]
fn of_several_files_the_other_one_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let files =
        ["Old.u", "Same.u", "New.u"].map(|name| write(folder.path(), name, if name == "New.u" { NEW } else { OLD }));
    let mut window = window_with(files);
    let old =
        read(&window, |state| state.core.library.files.iter().find(|opened| opened.file.name == "Old.u").unwrap().id);
    apply(&mut window, Command::Compare(CompareCommand::File(old)));
    settle(&mut window);
    assert!(read(&window, |state| state.comparing.found.is_none()));
    assert!(window.query_by_label_contains("Compare Old.u with").is_some());
    let button = window.get_all_by_label_contains("Same.u").last().unwrap().rect().center();
    click_at(&mut window, button, egui::Modifiers::NONE);
    settle(&mut window);
    let states = read(&window, |state| {
        let found = state.comparing.found.as_ref().unwrap();
        (found.equal_bytes, found.entries.iter().all(|pair| pair.state == Differs::Same))
    });
    assert_eq!(states, (true, true));
    assert!(has(&window, "No differences"));
}

/// A copy of a model of the samples, of which every point is higher that is in the upper half.
fn higher(folder: &Path) -> [PathBuf; 2] {
    let bytes = std::fs::read(kit::samples().join("Ossie.psk")).unwrap();
    let mut other = bytes.clone();
    let chunk = bytes.windows(8).position(|window| window == b"PNTS0000").unwrap();
    let count = u32::from_le_bytes(bytes[chunk + 28..chunk + 32].try_into().unwrap()) as usize;
    for point in count / 2..count {
        let at = chunk + 32 + point * 12 + 8;
        let z = f32::from_le_bytes(other[at..at + 4].try_into().unwrap());
        other[at..at + 4].copy_from_slice(&(z + 20.0).to_le_bytes());
    }
    [("Old.psk", bytes), ("New.psk", other)].map(|(name, bytes)| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    })
}

/// Pixels of a part of the window that are others in two pictures of it.
fn differing(a: &image::RgbaImage, b: &image::RgbaImage, area: egui::Rect) -> usize {
    let inside = |x: u32, y: u32| area.contains(egui::pos2(x as f32, y as f32));
    a.enumerate_pixels().filter(|(x, y, p)| inside(*x, *y) && b.get_pixel(*x, *y) != *p).count()
}

#[test]
fn two_models_turn_together() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_built(Harness::builder().wgpu(), kept(state()), SIZE);
    open(&mut window, higher(folder.path()));
    apply(&mut window, Command::Compare(CompareCommand::Selected));
    click(&mut window, "changed: Mesh");
    settle(&mut window);
    assert!(read(&window, |state| state.comparing.shows_models()));
    window.run_steps(4);
    let cells = ["Model on the left", "Model on the right"].map(|label| window.get_by_label(label).rect());
    assert_eq!(cells[0].size(), cells[1].size());
    let first = window.render().unwrap();
    // Where the left one stands something else is seen on the right.
    let shift = (cells[1].left() - cells[0].left()) as u32;
    let inside = cells[0].shrink(30.0);
    let seen = first.enumerate_pixels().filter(|(x, y, _)| inside.contains(egui::pos2(*x as f32, *y as f32)));
    let others = seen.filter(|(x, y, pixel)| first.get_pixel(x + shift, *y) != *pixel).count();
    assert!(others > 200, "{others} pixels differ from side to side");
    let before = read(&window, |state| state.comparing.camera);
    window.drag_at(cells[0].center());
    window.run_steps(2);
    window.hover_at(cells[0].center() + egui::vec2(60.0, 0.0));
    window.run_steps(2);
    window.drop_at(cells[0].center() + egui::vec2(60.0, 0.0));
    window.run_steps(4);
    assert!(read(&window, |state| state.comparing.camera) != before);
    let turned = window.render().unwrap();
    for cell in cells {
        let count = differing(&first, &turned, cell.shrink(10.0));
        assert!(count > 200, "{count} pixels turned in {cell:?}");
    }
    look(&mut window, "compare_models");
    window.key_press(Key::R);
    window.run_steps(4);
    assert!(read(&window, |state| state.comparing.camera) == before);
    click(&mut window, "Overlay");
    window.run_steps(4);
    assert!(has(&window, "Model on the left") && !has(&window, "Model on the right"));
    look(&mut window, "compare_models_over");
}

/// Two pictures of 8 × 8 pixels, of which one is red in one and in the other less so.
fn pictures(folder: &Path, red: [u8; 2]) -> [PathBuf; 2] {
    let names = ["old.png", "new.png"];
    [0, 1].map(|side: usize| {
        let mut image = image::RgbaImage::from_pixel(8, 8, image::Rgba([20, 120, 40, 255]));
        image.put_pixel(3, 5, image::Rgba([red[side], 0, 0, 255]));
        let path = folder.join(names[side]);
        image.save(&path).unwrap();
        path
    })
}

#[test]
fn pictures_differ_where_their_pixels_do() {
    let Some(_) = device::context() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_built(Harness::builder().wgpu(), kept(state()), SIZE);
    open(&mut window, pictures(folder.path(), [250, 245]));
    apply(&mut window, Command::Compare(CompareCommand::Selected));
    settle(&mut window);
    assert!(paints(&window, "1 pixel differs by up to 5 of 255"));
    look(&mut window, "compare_pictures");
    click(&mut window, "Difference");
    window.run_steps(8);
    let canvas = window.get_by_label_contains("Image old").rect();
    let picture = window.render().unwrap();
    let count = |wanted: fn(&[u8; 4]) -> bool| {
        let inside = |x: u32, y: u32| canvas.contains(egui::pos2(x as f32, y as f32));
        picture.enumerate_pixels().filter(|(x, y, pixel)| inside(*x, *y) && wanted(&pixel.0)).count() as f32
    };
    look(&mut window, "compare_difference");
    // 5 of 255 is seen as full red, and nearly all the others are black; the test's renderer blends neighbours.
    let full = count(|[r, g, b, _]| *r > 230 && (*g, *b) == (0, 0));
    let (red, black) = (count(|[r, g, b, _]| *r > 0 && (*g, *b) == (0, 0)), count(|pixel| *pixel == [0, 0, 0, 255]));
    assert!(full > 0.0 && black > 12.0 * red, "{full} full red, {red} red, {black} black");
    click(&mut window, "Wipe");
    window.run_steps(4);
    look(&mut window, "compare_wipe");
    assert!(window.get_by_role_and_label(Role::Slider, "Wipe").rect().is_positive());
}

#[test]
fn equal_pictures_are_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let files = pictures(folder.path(), [250, 250]);
    // The same pixels in another file: a chunk of text before its end.
    let mut bytes = std::fs::read(&files[1]).unwrap();
    let end = bytes.len() - 12;
    let chunk = [&4_u32.to_be_bytes()[..], b"tEXta\0bc", &0xB76E_7FE9_u32.to_be_bytes()].concat();
    bytes.splice(end..end, chunk);
    std::fs::write(&files[1], bytes).unwrap();
    let mut window = window_with(files);
    apply(&mut window, Command::Compare(CompareCommand::Selected));
    settle(&mut window);
    assert!(paints(&window, "All 8 × 8 pixels are identical"));
}

#[test]
fn folders_lead_to_their_files_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    for (side, classes) in [(&old, OLD), (&new, NEW)] {
        std::fs::create_dir_all(side.join("System")).unwrap();
        write(&side.join("System"), "Game.u", classes);
        std::fs::write(side.join("same.txt"), "the same").unwrap();
    }
    std::fs::write(old.join("gone.txt"), "it was here").unwrap();
    let mut window = window();
    apply(&mut window, Command::Compare(CompareCommand::First(ComparedThing::whole(old.clone()))));
    assert!(has(&window, "Compare with File…") && has(&window, "Compare with Folder…"));
    look(&mut window, "compare_first");
    apply(&mut window, Command::Compare(CompareCommand::WithThing(ComparedThing::whole(new.clone()))));
    settle(&mut window);
    assert!(has(&window, "removed: gone.txt") && has(&window, "changed: System/Game.u"));
    assert!(!has(&window, "same: same.txt"));
    assert!(has(&window, "2 different, 1 identical"));
    look(&mut window, "compare_folders");
    click(&mut window, "changed: System/Game.u");
    settle(&mut window);
    assert!(listed(&window).iter().any(|line| line == "~ Pawn.ScriptText"), "{:?}", listed(&window));
    look(&mut window, "compare_inside");
    click(&mut window, "Back to all files");
    settle(&mut window);
    assert!(has(&window, "removed: gone.txt"));
    // On the other side it is new.
    click(&mut window, "Swap sides");
    settle(&mut window);
    assert!(has(&window, "added: gone.txt"));
    // A file is not compared with a folder.
    apply(&mut window, Command::Compare(CompareCommand::First(ComparedThing::whole(old.join("System/Game.u")))));
    apply(&mut window, Command::Compare(CompareCommand::WithThing(ComparedThing::whole(new))));
    settle(&mut window);
    assert!(has(&window, "Cannot compare") && has(&window, "Compare again"));
}

/// File systems of macOS refuse such names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn files_whose_names_are_not_unicode_open_from_two_folders() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let sides = [("old", OLD), ("new", NEW)].map(|(name, classes)| {
        let side = folder.path().join(name);
        std::fs::create_dir(&side).unwrap();
        let written = write(&side, "Game.u", classes);
        std::fs::rename(written, side.join(std::ffi::OsStr::from_bytes(b"Game\xFF.u"))).unwrap();
        side
    });
    let mut window = window();
    let [old, new] = sides.map(ComparedThing::whole);
    apply(&mut window, Command::Compare(CompareCommand::First(old)));
    apply(&mut window, Command::Compare(CompareCommand::WithThing(new)));
    settle(&mut window);
    click(&mut window, "changed: Game\u{FFFD}FF.u");
    settle(&mut window);
    assert!(listed(&window).iter().any(|line| line == "~ Pawn.ScriptText"), "{:?}", listed(&window));
}

#[test]
fn rows_of_the_collection_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("game")).unwrap();
    for (name, classes) in [("Old.u", OLD), ("New.u", NEW)] {
        write(&folder.path().join("game"), name, classes);
    }
    let mut state = State::new(Settings::default(), Clock::Set(0.0));
    state.collection.start_collection(&mut state.core, Store::at(folder.path().join("index/collections.redb")));
    let mut window = window_of(kept(state), SIZE);
    drop_on(&mut window, &[folder.path().join("game")]);
    apply(&mut window, Command::Library(LibraryCommand::CloseAll));
    apply(&mut window, Command::Collection(CollectionCommand::Show));
    apply(&mut window, Command::Collection(CollectionCommand::Search("pawn.scripttext".to_owned())));
    let row = |window: &Window, file: &str| {
        let way = format!("{file} › Pawn.ScriptText");
        let rows = window.query_all_by_label_contains(&way);
        rows.map(|node| node.rect().center()).next().unwrap_or_else(|| panic!("no row of {file}"))
    };
    let menu = |window: &mut Window, file: &str| {
        let at = row(window, file);
        for pressed in [true, false] {
            window.hover_at(at);
            let (button, modifiers) = (egui::PointerButton::Secondary, egui::Modifiers::NONE);
            window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            window.step();
        }
        window.run_steps(4);
    };
    menu(&mut window, "Old.u");
    click(&mut window, "Compare with…");
    settle(&mut window);
    assert!(has(&window, "Compare Old.u › Pawn.ScriptText with"));
    click(&mut window, "Compare with Collection entry…");
    settle(&mut window);
    menu(&mut window, "New.u");
    click(&mut window, "Compare with Old.u › Pawn.ScriptText");
    settle(&mut window);
    assert_eq!(listed(&window), ["~ Pawn.ScriptText"]);
    assert!(has(&window, "removed: var int Health;") && has(&window, "added: var float Health;"));
    look(&mut window, "compare_rows");
}
