//! The pages of landscapes and of disputed readings: the list of things, their types, the numbers, what was decided.

mod document;
mod island;

use crate::kit::{self, app::*};
use bonebox::{
    formats::{Diagnostic, EntryId, Overrides, Severity},
    ui::{
        command::{CameraCommand, Command, LibraryCommand, SelectionCommand, TerrainCommand, WindowCommand},
        inspector::reading::{self, ReadingView},
        layout::Tab,
        section::Section,
        state::{FileId, Place},
        theme,
        widgets::subject::Subject,
    },
};
use document::Disputed;
use egui::{Key, Modifiers, accesskit::Toggled};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use island::island;
use std::{path::PathBuf, sync::Arc};

fn model() -> PathBuf {
    kit::data().join("actorx/syn_arm.psk")
}

/// A window of some size with the made island; its entries are those of some file that is open.
fn sized(count: u32, size: [f32; 2]) -> Window {
    let mut window = window_of(kept(state()), size);
    open(&mut window, [model()]);
    change(&window, |state| {
        let place = Place { file: state.core.library.files[0].id, entry: EntryId(1) };
        state.stages.front.show_terrain(&mut state.core, place, Arc::new(island(count)));
    });
    settle(&mut window);
    window
}

fn small() -> Window {
    sized(36, SIZE)
}

/// High enough for all rows of the pages beside the landscape.
fn tall() -> Window {
    sized(36, [SIZE[0], 2400.0])
}

fn selected(window: &Window) -> Vec<u32> {
    read(window, |s| s.stages.front.view.terrain.selected.to_vec())
}

#[test]
fn things_are_listed_found_and_shown_one_after_the_other() {
    let mut window = small();
    bring_up(&mut window, Tab::Objects);
    look(&mut window, "objects");
    type_into(&mut window, "Filter the objects", "ROADS2 asf");
    assert!(has(&window, "asf1_25, 100006"));
    assert!(!has(&window, "Land_Church_03, 100007"));
    window.get_by_label("6 / 36");
    look(&mut window, "objects_found");
    // Enter leads from one to the next, and shows each.
    let eye = |window: &Window| read(window, |s| s.stages.front.view.camera.focus);
    let before = eye(&window);
    for wanted in [6, 10, 18] {
        window.key_press(Key::Enter);
        window.run_steps(4);
        assert_eq!(selected(&window), [wanted]);
    }
    settle(&mut window);
    assert!(eye(&window).distance(before) > 1.0);
    click(&mut window, "Clear the object filter");
    type_into(&mut window, "Filter the objects", "mill");
    look(&mut window, "objects_mill");
    window.get_by_label("1 / 36");
    click(&mut window, "t_quercus2f_summer, Old mill, 100033");
    assert_eq!(selected(&window), [33]);
    // What is selected elsewhere comes into sight.
    click(&mut window, "Clear the object filter");
    assert!(!has(&window, "Type 777, 100035"));
    apply(&mut window, Command::Terrain(TerrainCommand::SelectProps(vec![35])));
    window.get_by_label("Type 777, 100035");
}

#[test]
fn rows_are_selected_alone_in_ranges_and_one_by_one() {
    let mut window = tall();
    bring_up(&mut window, Tab::Objects);
    click(&mut window, "Sort by ID");
    let click_row = |window: &mut Window, id: u32, modifiers: Modifiers| {
        let label = format!(", {id}");
        let at = window.get_all_by_label_contains(&label).next().expect("the row shows").rect().center();
        click_at(window, at, modifiers);
    };
    click_row(&mut window, 100_002, Modifiers::NONE);
    assert_eq!(selected(&window), [2]);
    click_row(&mut window, 100_005, Modifiers::SHIFT);
    assert_eq!(selected(&window), [2, 3, 4, 5]);
    click_row(&mut window, 100_004, Modifiers::COMMAND);
    assert_eq!(selected(&window), [2, 3, 5]);
    click_row(&mut window, 100_001, Modifiers::COMMAND);
    assert_eq!(selected(&window), [1, 2, 3, 5]);
    window.get_by_label("4 selected");
    let row = window.get_by_label("b_craet1, 100001");
    assert_eq!(row.accesskit_node().toggled(), Some(Toggled::True));
    look(&mut window, "objects_selected");
    click(&mut window, "Clear the selection");
    assert!(selected(&window).is_empty());
    click(&mut window, "Select all listed objects");
    assert_eq!(selected(&window).len(), 36);
}

#[test]
fn types_are_hidden_isolated_and_selected() {
    let mut window = tall();
    bring_up(&mut window, Tab::Objects);
    click(&mut window, "Types");
    for label in
        ["Natural, 21 objects", "t_quercus2f_summer, 12 objects", "Type 777, 3 objects", "Land_Unused, 0 objects"]
    {
        window.get_by_label(label);
    }
    look(&mut window, "types");
    let hidden = |window: &Window| read(window, |s| s.stages.front.view.terrain.hidden_kinds.to_vec());
    click(&mut window, "Hide t_pine");
    assert_eq!(hidden(&window), [false, false, true, false, false, false, false, false]);
    click(&mut window, "Hide Natural");
    assert_eq!(hidden(&window)[..4], [true, true, true, false]);
    look(&mut window, "types_hidden");
    click(&mut window, "Show Natural");
    assert!(hidden(&window).is_empty());
    click(&mut window, "Isolate asf1_25");
    assert_eq!(hidden(&window), [true, true, true, true, true, true, false, true]);
    click(&mut window, "Show all types");
    assert!(hidden(&window).is_empty());
    click(&mut window, "b_craet1, 6 objects");
    assert_eq!(selected(&window), [1, 8, 13, 20, 25, 32]);
}

#[test]
fn numbers_are_counted_once_and_lead_to_what_they_count() {
    let mut window = tall();
    bring_up(&mut window, Tab::Statistics);
    settle(&mut window);
    for label in ["Objects: 36", "Empty records: 36", "Unused types: 1", "Outside the map: 1", "Area: 1.64 km²"] {
        window.get_by_label(label);
    }
    look(&mut window, "statistics");
    let numbers = read(&window, |s| s.stages.front.terrain_statistics().cloned()).expect("they were counted");
    click(&mut window, "Outside the map: 1");
    assert_eq!(selected(&window), [35]);
    click(&mut window, "t_quercus2f_summer: 12 objects");
    assert_eq!(selected(&window).len(), 12);
    let again = read(&window, |s| s.stages.front.terrain_statistics().cloned()).expect("they are kept");
    assert!(Arc::ptr_eq(&numbers, &again));
}

#[test]
fn a_hundred_thousand_things_are_listed_and_counted_in_the_background() {
    let mut window = sized(100_000, SIZE);
    bring_up(&mut window, Tab::Statistics);
    assert!(read(&window, |s| s.core.works.is_busy() || s.stages.front.terrain_statistics().is_some()));
    settle(&mut window);
    window.get_by_label("Objects: 100,000");
    bring_up(&mut window, Tab::Objects);
    let start = std::time::Instant::now();
    type_into(&mut window, "Filter the objects", "19999");
    eprintln!("seven frames with a filter of 100,000 things: {:?}", start.elapsed());
    // 119999 does not begin so; 199990 to 199999 do.
    window.get_by_label("10 / 100,000");
    look(&mut window, "objects_many");
}

#[test]
fn without_a_landscape_there_are_no_pages_of_one() {
    let mut window = window_with([model()]);
    for name in ["Actors", "Objects", "Statistics"] {
        assert!(!has(&window, &format!("{name} tab")), "{name}");
    }
    assert!(!has(&window, "Reading section"));
    look(&mut window, "no_pages");
    for name in ["Library", "Stage", "Inspector"] {
        let rect = window.get_by_label(&format!("{name} tab")).rect();
        assert!(rect.left() >= 0.0 && rect.right() <= 1280.0 && rect.width() > 10.0, "{name} {rect:?}");
    }
}

#[test]
fn the_row_of_tabs_fits_with_a_landscape() {
    let mut window = small();
    let within = |window: &Window, names: &[&str], from: f32, to: f32| {
        for name in names {
            let rect = window.get_by_label(&format!("{name} tab")).rect();
            assert!(rect.left() >= from && rect.right() <= to, "{name} {rect:?}");
        }
    };
    let stage = window.get_by_label("Stage tab").rect();
    within(&window, &["Library", "Objects"], 0.0, stage.left());
    within(&window, &["Inspector", "Statistics"], stage.right(), SIZE[0]);
    assert!(!has(&window, "Actors tab"), "an island has none");
    click(&mut window, "Statistics tab");
    within(&window, &["Inspector", "Statistics"], stage.right(), SIZE[0]);
}

#[test]
fn a_wide_panel_has_columns_in_either_theme() {
    for dark in [true, false] {
        let mut window = sized(400, [2560.0, 1440.0]);
        apply(&mut window, Command::Window(WindowCommand::SetDark(dark)));
        bring_up(&mut window, Tab::Objects);
        bring_up(&mut window, Tab::Statistics);
        settle(&mut window);
        let row = window.get_by_label("asf1_25, 100006").rect();
        assert!(row.width() > 440.0 && row.height() <= theme::ROW, "{row:?}");
        // Heads stand over their columns.
        let east = window.get_by_label("Sort by East").rect();
        assert!(east.left() > row.left() + row.width() / 3.0 && east.right() < row.right(), "{east:?}");
        let theme = if dark { "dark" } else { "light" };
        look(&mut window, &format!("wide_{theme}"));
        click(&mut window, "Types");
        look(&mut window, &format!("wide_types_{theme}"));
    }
}

/// The reading of a document made by hand, with what was asked for.
struct Page {
    document: Disputed,
    diagnostics: Vec<Diagnostic>,
    view: ReadingView,
    commands: Vec<Command>,
}

const FILE: FileId = FileId(3);

impl Page {
    fn frame(&mut self, ui: &mut egui::Ui) {
        let subject = Subject {
            place: Place { file: FILE, entry: EntryId::FILE },
            file_name: "island.pew",
            document: &self.document,
            file: None,
            diagnostics: &self.diagnostics,
            revision: 1,
            is_reread: false,
            selected_bytes: Some(&(0x4800..0x5800)),
            byte_search: None,
            pose: None,
            surface: None,
            slot: None,
            skin: None,
            statistics: None,
            dependencies: None,
            hierarchy: None,
            uses: None,
        };
        egui::CentralPanel::default_margins().show(ui, |ui| {
            reading::show(ui, &subject, &mut self.view, &mut self.commands);
        });
    }
}

fn page(dark: bool, diagnostics: Vec<Diagnostic>) -> Harness<'static, Page> {
    let page = Page { document: Disputed::new(), diagnostics, view: ReadingView::default(), commands: Vec::new() };
    panel([720.0, 860.0], dark, |ui, page: &mut Page| page.frame(ui), page)
}

fn damage() -> Diagnostic {
    Diagnostic {
        code: "test.damage",
        severity: Severity::Error,
        entry: None,
        offset: Some(0x5800),
        message: "after the layers nothing is as it should be".into(),
    }
}

#[test]
fn choices_are_read_and_answered() {
    let mut page = page(true, Vec::new());
    look(&mut page, "reading_dark");
    assert!(page.query_by_label_contains("Read up to").is_none());
    click(&mut page, "Use exclusive for Length of strings");
    click(&mut page, "Use 50 metres for Distance between heights");
    click(&mut page, "Reset to automatic: Order of an object's matrix");
    let said = |id: &str, value: Option<&str>| {
        Command::Library(LibraryCommand::SetReading { file: FILE, id: id.into(), value: value.map(str::to_owned) })
    };
    let wanted = [said("strings", Some("exclusive")), said("cell", Some("50")), said("transform", None)];
    assert_eq!(std::mem::take(&mut page.state_mut().commands), wanted);

    let field = "Distance between heights, in metres";
    page.get_by_label(field).focus();
    page.run_steps(2);
    page.key_press_modifiers(Modifiers::COMMAND, Key::A);
    page.get_by_label(field).type_text("6,25");
    page.run_steps(2);
    page.key_press(Key::Enter);
    page.run_steps(2);
    assert_eq!(std::mem::take(&mut page.state_mut().commands), [said("cell", Some("6.25"))]);

    click(&mut page, "Reset all to automatic");
    assert_eq!(
        std::mem::take(&mut page.state_mut().commands),
        [Command::Library(LibraryCommand::ForgetReadings(FILE))]
    );
}

#[test]
fn sections_lead_to_their_bytes_and_the_reading_copies_as_text() {
    let mut page = page(false, vec![damage()]);
    look(&mut page, "reading_light");
    page.get_by_label("Read up to 0x5800; 2,048 bytes not decoded");
    click(&mut page, "Show bytes");
    page.get_by_label_contains("types, 2,008 bytes at 0x28").click();
    page.run_steps(2);
    // The bar is to scale: its middle lies in the heights.
    click(&mut page, "Sections to scale");
    let shown = |range| Command::Selection(SelectionCommand::ShowBytes(FILE, range));
    let wanted = [shown(0x5800..document::SIZE), shown(0x28..0x800), shown(0x800..0x4800)];
    assert_eq!(std::mem::take(&mut page.state_mut().commands), wanted);
    page.get_by_label_contains("Copy as text").click();
    page.run_steps(2);
    let commands = std::mem::take(&mut page.state_mut().commands);
    let [Command::Window(WindowCommand::Copy(text))] = commands.as_slice() else { panic!("{commands:?}") };
    for line in [
        "island.pew: Visitor project, 24,576 bytes",
        "Length of strings (strings): inclusive",
        "  Alternative 50 metres: The size of",
        "Order of an object's matrix (transform): cols4x3 (set manually)",
        "  0x00000800  heights       16,384 bytes",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
}

#[test]
fn a_file_read_anew_keeps_its_place_and_is_read_so_ever_after() {
    let mut window = window_with([model()]);
    let file = read(&window, |s| s.core.library.files[0].id);
    let entry = read(&window, |s| {
        let outline = s.core.file(file).unwrap().document.outline();
        outline.entries().iter().find(|e| e.class == "Bone").expect("a bone").id
    });
    apply(&mut window, Command::Selection(SelectionCommand::Select(Place { file, entry })));
    apply(&mut window, Command::Camera(CameraCommand::Orbit(glam::vec2(0.3, 0.1))));
    let camera = read(&window, |s| s.stages.front.view.camera);
    let before = read(&window, |s| s.core.file(file).cloned()).unwrap();
    let set = |value: Option<&str>| {
        Command::Library(LibraryCommand::SetReading { file, id: "cell".into(), value: value.map(str::to_owned) })
    };
    apply(&mut window, set(Some("25")));
    let kept = |window: &Window| read(window, |s| s.core.settings.reading_of(&model()).clone());
    assert_eq!(kept(&window), Overrides::from([("cell".to_owned(), "25".to_owned())]));
    let after = read(&window, |s| s.core.file(file).cloned()).unwrap();
    assert!(!Arc::ptr_eq(&before, &after), "it was read anew");
    assert_eq!(
        read(&window, |s| (s.core.selection, s.stages.front.view.camera)),
        (Some(Place { file, entry }), camera)
    );
    apply(&mut window, set(None));
    assert!(kept(&window).is_empty());
}

/// The file stays as it is, and what it was before a transfer took it for a text is a choice away.
#[test]
fn a_file_with_converted_line_ends_is_shown_as_it_was_when_a_person_says_so() {
    let whole = std::fs::read(kit::data().join("j3d/arm_basic.bmd")).unwrap();
    let damaged = whole.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.bmd");
    std::fs::write(&path, &damaged).unwrap();
    let mut window = window_with([path.clone()]);
    let file = read(&window, |s| s.core.library.files[0].id);
    assert_eq!(chosen(&window, "line-ends"), ("stored".to_owned(), false));
    let is_said =
        |s: &bonebox::ui::state::State| s.core.log.entries().iter().any(|entry| entry.code == "bonebox.line-ends");
    assert!(read(&window, is_said));
    let set = LibraryCommand::SetReading { file, id: "line-ends".into(), value: Some("lf".into()) };
    apply(&mut window, Command::Library(set));
    assert_eq!(chosen(&window, "line-ends"), ("lf".to_owned(), true));
    assert!(read(&window, |s| s.core.file(file).unwrap().document.source().as_slice() == whole));
    assert!(std::fs::read(&path).unwrap() == damaged);
}

/// What a choice of the first file came to, and whether a person made it.
fn chosen(window: &Window, id: &str) -> (String, bool) {
    read(window, |s| {
        let file = s.core.library.files[0].file.clone();
        let choice = file.document.reading().iter().find(|c| c.id == id).expect("it was asked");
        (choice.value.clone(), choice.overridden)
    })
}

fn cell(window: &Window) -> f32 {
    read(window, |s| s.stages.front.landscape().expect("a landscape is shown").terrain.grid.cell)
}

#[test]
fn a_project_is_read_as_a_person_says_again_after_a_restart_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny60.pew");
    std::fs::copy(kit::data().join("visitor/tiny60.pew"), &path).unwrap();
    let mut window = window_with([path]);
    let file = read(&window, |s| s.core.library.files[0].id);
    let (first, by_hand) = chosen(&window, "cell");
    assert!(!by_hand && cell(&window) > 0.0 && cell(&window) != 25.0);
    let (order, _) = chosen(&window, "transform");
    let places = |window: &Window| {
        read(window, |s| {
            s.stages.front.landscape().unwrap().terrain.props.iter().map(|p| p.file_position).collect::<Vec<_>>()
        })
    };
    let before = places(&window);
    assert!(before.len() > 4);

    // What is looked at stays: selection, camera, hidden types, what is in front.
    let entry = read(&window, |s| s.core.file(file).unwrap().document.outline().find("Terrain").expect("a terrain").id);
    apply(&mut window, Command::Selection(SelectionCommand::Select(Place { file, entry })));
    apply(&mut window, Command::Terrain(TerrainCommand::HideKinds { kinds: vec![1], hide: true }));
    apply(&mut window, Command::Terrain(TerrainCommand::SelectProps(vec![0, 3])));
    apply(&mut window, Command::Camera(CameraCommand::Zoom(0.5)));
    apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Reading)));
    settle(&mut window);
    look(&mut window, "reading_file");
    let looked_at = |window: &Window| {
        read(window, |s| {
            (
                s.core.selection,
                s.stages.front.view.camera,
                s.stages.front.view.terrain.hidden_kinds.clone(),
                s.stages.front.view.terrain.selected.clone(),
            )
        })
    };
    let seen = looked_at(&window);
    let say = |id: &str, value: Option<&str>| {
        Command::Library(LibraryCommand::SetReading { file, id: id.into(), value: value.map(Into::into) })
    };
    apply(&mut window, say("cell", Some("25")));
    assert_eq!((chosen(&window, "cell"), cell(&window)), (("25".to_owned(), true), 25.0));
    assert_eq!(looked_at(&window), seen);
    window.get_by_label("Reset to automatic: Sample spacing");
    look(&mut window, "reading_file_said");

    let other = if order == "row3x4" { "cols4x3" } else { "row3x4" };
    apply(&mut window, say("transform", Some(other)));
    assert_eq!(chosen(&window, "transform"), (other.to_owned(), true));
    assert_eq!(cell(&window), 25.0, "both hold");
    assert_ne!(places(&window), before);

    // The program ends and starts again.
    let disk = saved(&mut window);
    drop(window);
    let mut window = started(&disk);
    settle(&mut window);
    assert_eq!((chosen(&window, "cell").1, cell(&window)), (true, 25.0));
    assert_eq!(chosen(&window, "transform"), (other.to_owned(), true));

    let file = read(&window, |s| s.core.library.files[0].id);
    apply(&mut window, Command::Library(LibraryCommand::ForgetReadings(file)));
    assert_eq!(chosen(&window, "cell"), (first, false));
    assert_eq!((chosen(&window, "transform"), places(&window)), ((order, false), before));
    assert!(read(&window, |s| s.core.settings.readings.is_empty()));
}

#[test]
fn a_damaged_project_says_how_far_it_was_read_and_leads_there() {
    let mut window = window();
    for name in ["bad_truncated_objects.pew", "bad_hugeobjects.pew"] {
        open(&mut window, [kit::data().join("visitor").join(name)]);
        let file = read(&window, |s| s.core.library.files.last().unwrap().id);
        apply(&mut window, Command::Selection(SelectionCommand::Select(Place { file, entry: EntryId::FILE })));
        let errors = read(&window, |s| {
            let file = s.core.file(file).unwrap();
            file.diagnostics
                .iter()
                .filter(|d| d.severity == Severity::Error)
                .filter_map(|d| d.offset)
                .collect::<Vec<_>>()
        });
        let first = errors.iter().min().expect("an error with an offset");
        apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Reading)));
        settle(&mut window);
        window.get_by_label_contains(&format!("Read up to 0x{first:X}"));
        look(&mut window, name);
    }
}
