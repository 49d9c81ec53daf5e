//! The pages of landscapes and of disputed readings: the list of things, their types, the numbers, what was decided.
//! With `BONEBOX_LOOK=folder` it leaves pictures there.

use crate::kit;
mod document;
mod island;

use bonebox::{
    formats::{Diagnostic, EntryId, Overrides, Severity},
    ui::{
        app::{App, Kept},
        command::Command,
        dock::Tab,
        panels::reading::{self, ReadingSubject, ReadingView},
        settings::Settings,
        state::{Clock, FileId, Place, State},
        theme,
    },
};
use document::{Disputed, SIZE};
use egui::{Key, Modifiers, accesskit::Toggled};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};
use island::island;
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

type Window = Harness<'static, App>;

fn read<T>(window: &Window, what: impl FnOnce(&mut State) -> T) -> T {
    what(&mut window.state().kept().borrow_mut().state)
}

fn settle(window: &mut Window) {
    for _ in 0..4_000 {
        window.step();
        if !read(window, |s| s.is_busy()) {
            window.run_steps(3);
            if !read(window, |s| s.is_busy()) {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the background work does not end");
}

fn apply(window: &mut Window, command: Command) {
    read(window, |s| s.apply(command));
    settle(window);
}

fn bring_up(window: &mut Window, tab: Tab) {
    window.state().kept().borrow_mut().dock.bring_up(tab);
    window.run_steps(4);
}

fn save(picture: &image::RgbaImage, name: &str) {
    if let Some(folder) = std::env::var_os("BONEBOX_LOOK") {
        picture.save(Path::new(&folder).join(name)).expect("the picture is written");
    }
}

fn look(window: &mut Window, name: &str) {
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        window.run_steps(4);
        save(&window.render().expect("the window is drawn"), name);
    }
}

fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk")
}

fn window_over(settings: Settings, size: [f32; 2]) -> Window {
    let kept = Rc::new(RefCell::new(Kept::new(State::new(settings, Clock::Set(0.0)))));
    Harness::builder().with_size(size).build_eframe(|cc| App::new(cc, kept))
}

/// A window with the made island; its entries are those of some file that is open.
fn window(count: u32, settings: Settings, size: [f32; 2]) -> Window {
    let mut window = window_over(settings, size);
    apply(&mut window, Command::Open(vec![model()]));
    let place = Place { file: read(&window, |s| s.library.files[0].id), entry: EntryId(1) };
    read(&window, |s| s.show_terrain(place, Arc::new(island(count))));
    settle(&mut window);
    window
}

fn small() -> Window {
    window(36, Settings::default(), [1280.0, 800.0])
}

fn selected(window: &Window) -> Vec<u32> {
    read(window, |s| s.view.terrain.selected.to_vec())
}

fn type_text(window: &mut Window, label: &str, text: &str) {
    window.get_by_label(label).focus();
    window.run_steps(2);
    window.get_by_label(label).type_text(text);
    window.run_steps(3);
}

#[test]
fn things_are_listed_found_and_shown_one_after_the_other() {
    let mut window = small();
    bring_up(&mut window, Tab::Objects);
    look(&mut window, "objects.png");
    type_text(&mut window, "Filter the objects", "ROADS2 asf");
    assert!(window.query_by_label("asf1_25, 100006").is_some());
    assert!(window.query_by_label("Land_Church_03, 100007").is_none());
    window.get_by_label("6 / 36");
    look(&mut window, "objects_found.png");
    // Enter leads from one to the next, and shows each.
    let eye = |window: &Window| read(window, |s| s.view.camera.focus);
    let before = eye(&window);
    for wanted in [6, 10, 18] {
        window.key_press(Key::Enter);
        window.run_steps(4);
        assert_eq!(selected(&window), [wanted]);
    }
    read(&window, |s| s.tick());
    settle(&mut window);
    assert!(eye(&window).distance(before) > 1.0);
    window.get_by_label("Clear the objects' filter").click();
    window.run_steps(3);
    type_text(&mut window, "Filter the objects", "mill");
    look(&mut window, "objects_mill.png");
    window.get_by_label("1 / 36");
    window.get_by_label("t_quercus2f_summer, Old mill, 100033").click();
    window.run_steps(3);
    assert_eq!(selected(&window), [33]);
    // What is selected elsewhere comes into sight.
    window.get_by_label("Clear the objects' filter").click();
    window.run_steps(3);
    assert!(window.query_by_label("Type 777, 100035").is_none());
    apply(&mut window, Command::SelectProps(vec![35]));
    window.get_by_label("Type 777, 100035");
}

#[test]
fn rows_are_selected_alone_in_ranges_and_one_by_one() {
    let mut window = small();
    bring_up(&mut window, Tab::Objects);
    window.get_by_label("Sort by Id").click();
    window.run_steps(3);
    let click = |window: &mut Window, id: u32, modifiers: Modifiers| {
        let label = format!(", {id}");
        let at = window.get_all_by_label_contains(&label).next().expect("the row shows").rect().center();
        window.event(egui::Event::ModifiersChanged(modifiers));
        window.hover_at(at);
        window.step();
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            window.step();
        }
        window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        // Two clicks are no double click.
        for _ in 0..40 {
            window.step();
        }
    };
    click(&mut window, 100_002, Modifiers::NONE);
    assert_eq!(selected(&window), [2]);
    click(&mut window, 100_005, Modifiers::SHIFT);
    assert_eq!(selected(&window), [2, 3, 4, 5]);
    click(&mut window, 100_004, Modifiers::COMMAND);
    assert_eq!(selected(&window), [2, 3, 5]);
    click(&mut window, 100_001, Modifiers::COMMAND);
    assert_eq!(selected(&window), [1, 2, 3, 5]);
    window.get_by_label("4 selected");
    let row = window.get_by_label("b_craet1, 100001");
    assert_eq!(row.accesskit_node().toggled(), Some(Toggled::True));
    look(&mut window, "objects_selected.png");
    window.get_by_label("Select nothing").click();
    window.run_steps(3);
    assert!(selected(&window).is_empty());
    window.get_by_label("Select all that are listed").click();
    window.run_steps(3);
    assert_eq!(selected(&window).len(), 36);
}

#[test]
fn types_are_hidden_isolated_and_selected() {
    let mut window = small();
    bring_up(&mut window, Tab::Objects);
    window.get_by_label("Types").click();
    window.run_steps(3);
    for label in
        ["Natural, 21 objects", "t_quercus2f_summer, 12 objects", "Type 777, 3 objects", "Land_Unused, 0 objects"]
    {
        window.get_by_label(label);
    }
    look(&mut window, "types.png");
    let hidden = |window: &Window| read(window, |s| s.view.terrain.hidden_kinds.to_vec());
    window.get_by_label("Hide t_pine").click();
    window.run_steps(3);
    assert_eq!(hidden(&window), [false, false, true, false, false, false, false, false]);
    window.get_by_label("Hide Natural").click();
    window.run_steps(3);
    assert_eq!(hidden(&window)[..4], [true, true, true, false]);
    look(&mut window, "types_hidden.png");
    window.get_by_label("Show Natural").click();
    window.run_steps(3);
    assert!(hidden(&window).is_empty());
    window.get_by_label("Show only asf1_25").click();
    window.run_steps(3);
    assert_eq!(hidden(&window), [true, true, true, true, true, true, false, true]);
    window.get_by_label("Show all types again").click();
    window.run_steps(3);
    assert!(hidden(&window).is_empty());
    window.get_by_label("b_craet1, 6 objects").click();
    window.run_steps(3);
    assert_eq!(selected(&window), [1, 8, 13, 20, 25, 32]);
}

#[test]
fn numbers_are_counted_once_and_lead_to_what_they_count() {
    let mut window = small();
    bring_up(&mut window, Tab::Statistics);
    settle(&mut window);
    for label in ["Objects: 36", "Empty places: 36", "Types without objects: 1", "Off the map: 1", "Area: 1.64 km²"] {
        window.get_by_label(label);
    }
    look(&mut window, "statistics.png");
    let numbers = read(&window, |s| s.terrain_statistics().cloned()).expect("they were counted");
    window.get_by_label("Off the map: 1").click();
    window.run_steps(3);
    assert_eq!(selected(&window), [35]);
    window.get_by_label("t_quercus2f_summer: 12 objects").click();
    window.run_steps(3);
    assert_eq!(selected(&window).len(), 12);
    let again = read(&window, |s| s.terrain_statistics().cloned()).expect("they are kept");
    assert!(Arc::ptr_eq(&numbers, &again));
}

#[test]
fn a_hundred_thousand_things_are_listed_and_counted_in_the_background() {
    let mut window = window(100_000, Settings::default(), [1280.0, 800.0]);
    bring_up(&mut window, Tab::Statistics);
    assert!(read(&window, |s| s.is_busy() || s.terrain_statistics().is_some()));
    settle(&mut window);
    window.get_by_label("Objects: 100,000");
    bring_up(&mut window, Tab::Objects);
    let start = std::time::Instant::now();
    type_text(&mut window, "Filter the objects", "19999");
    eprintln!("seven frames with a filter of 100,000 things: {:?}", start.elapsed());
    // 119999 does not begin so; 199990 to 199999 do.
    window.get_by_label("10 / 100,000");
    look(&mut window, "objects_many.png");
}

#[test]
fn without_a_landscape_the_pages_say_what_they_would_show() {
    let mut window = window_over(Settings::default(), [1280.0, 800.0]);
    apply(&mut window, Command::Open(vec![model()]));
    for tab in [Tab::Objects, Tab::Statistics, Tab::Reading] {
        bring_up(&mut window, tab);
    }
    window.get_by_label_contains("What stands on the ground is listed here");
    window.get_by_label_contains("Some files leave open how they are to be read");
    look(&mut window, "empty_pages.png");
    // All tabs are within the window, whether they have something to show or not.
    for name in ["Library", "Actors", "Objects", "Viewport", "Gallery", "Entries", "Statistics", "Reading", "Bytes"] {
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
    let viewport = window.get_by_label("Viewport tab").rect();
    let inspector = window.get_by_label("Inspector tab").rect();
    within(&window, &["Library", "Actors", "Objects"], 0.0, viewport.left());
    within(&window, &["Image", "Curves", "Entries", "Statistics", "Reading"], viewport.left(), inspector.left());
    window.get_by_label("Statistics tab").click();
    window.run_steps(4);
    within(&window, &["Viewport", "Entries", "Statistics", "Reading"], 0.0, inspector.left());
}

#[test]
fn a_wide_panel_has_columns_in_either_theme() {
    for dark in [true, false] {
        let mut window = window(400, Settings::default(), [2560.0, 1440.0]);
        apply(&mut window, Command::SetDark(dark));
        bring_up(&mut window, Tab::Objects);
        bring_up(&mut window, Tab::Statistics);
        settle(&mut window);
        let row = window.get_by_label("asf1_25, 100006").rect();
        assert!(row.width() > 440.0 && row.height() <= theme::ROW, "{row:?}");
        // Heads stand over their columns.
        let east = window.get_by_label("Sort by East").rect();
        assert!(east.left() > row.left() + row.width() / 3.0 && east.right() < row.right(), "{east:?}");
        look(&mut window, if dark { "wide_dark.png" } else { "wide_light.png" });
        window.get_by_label("Types").click();
        window.run_steps(3);
        look(&mut window, if dark { "wide_types_dark.png" } else { "wide_types_light.png" });
    }
}

/// The reading of a document made by hand, with what was asked for.
struct Page {
    document: Disputed,
    diagnostics: Vec<Diagnostic>,
    dark: bool,
    view: ReadingView,
    commands: Vec<Command>,
    is_styled: bool,
}

const FILE: FileId = FileId(3);

impl Page {
    fn frame(&mut self, ui: &mut egui::Ui) {
        if !std::mem::replace(&mut self.is_styled, true) {
            theme::install_fonts(ui.ctx());
            theme::apply(ui.ctx(), self.dark, 1.0);
            return;
        }
        let subject = ReadingSubject {
            file: FILE,
            revision: 1,
            file_name: "island.pew",
            document: &self.document,
            diagnostics: &self.diagnostics,
            selected_bytes: Some(&(0x4800..0x5800)),
            is_busy: false,
        };
        egui::CentralPanel::default_margins().show(ui, |ui| {
            reading::show(ui, Some(&subject), &mut self.view, &mut self.commands);
        });
    }
}

fn page(dark: bool, diagnostics: Vec<Diagnostic>) -> Harness<'static, Page> {
    let page = Page {
        document: Disputed::new(),
        diagnostics,
        dark,
        view: ReadingView::default(),
        commands: Vec::new(),
        is_styled: false,
    };
    let builder = Harness::builder().with_size([720.0, 860.0]);
    let mut harness = builder.build_ui_state(|ui, page: &mut Page| page.frame(ui), page);
    harness.run_steps(4);
    harness
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
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        save(&page.render().expect("drawn"), "reading_dark.png");
    }
    assert!(page.query_by_label_contains("Read up to").is_none());
    page.get_by_label("Use exclusive for Length of strings").click();
    page.run_steps(2);
    page.get_by_label("Use 50 metres for Distance between heights").click();
    page.run_steps(2);
    page.get_by_label("Back to automatic: Order of an object's matrix").click();
    page.run_steps(2);
    let said = |id: &str, value: Option<&str>| Command::SetReading {
        file: FILE,
        id: id.into(),
        value: value.map(str::to_owned),
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

    page.get_by_label("All back to automatic").click();
    page.run_steps(2);
    assert_eq!(std::mem::take(&mut page.state_mut().commands), [Command::ForgetReadings(FILE)]);
}

#[test]
fn sections_lead_to_their_bytes_and_the_reading_copies_as_text() {
    let mut page = page(false, vec![damage()]);
    if std::env::var_os("BONEBOX_LOOK").is_some() {
        save(&page.render().expect("drawn"), "reading_light.png");
    }
    page.get_by_label("Read up to 0x5800; 2,048 bytes not understood");
    page.get_by_label("Show the bytes").click();
    page.run_steps(2);
    page.get_by_label_contains("types, 2,008 bytes at 0x28").click();
    page.run_steps(2);
    // The bar is to scale: its middle lies in the heights.
    page.get_by_label("Sections to scale").click();
    page.run_steps(2);
    let shown = |range| Command::ShowBytes(FILE, range);
    let wanted = [shown(0x5800..SIZE), shown(0x28..0x800), shown(0x800..0x4800)];
    assert_eq!(std::mem::take(&mut page.state_mut().commands), wanted);
    page.get_by_label_contains("Copy as text").click();
    page.run_steps(2);
    let commands = std::mem::take(&mut page.state_mut().commands);
    let [Command::CopyText(text)] = commands.as_slice() else { panic!("{commands:?}") };
    for line in [
        "island.pew: Visitor project, 24,576 bytes",
        "Length of strings (strings): inclusive",
        "  Not 50 metres: The size of",
        "Order of an object's matrix (transform): cols4x3 (chosen by hand)",
        "  0x00000800  heights       16,384 bytes",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
}

#[test]
fn a_file_read_anew_keeps_its_place_and_is_read_so_ever_after() {
    let mut window = window_over(Settings::default(), [1280.0, 800.0]);
    apply(&mut window, Command::Open(vec![model()]));
    let file = read(&window, |s| s.library.files[0].id);
    let entry = read(&window, |s| {
        let outline = s.file(file).unwrap().document.outline();
        outline.entries().iter().find(|e| e.class == "Bone").expect("a bone").id
    });
    apply(&mut window, Command::Select(Place { file, entry }));
    apply(&mut window, Command::Orbit(glam::vec2(0.3, 0.1)));
    let camera = read(&window, |s| s.view.camera);
    let before = read(&window, |s| s.file(file).cloned()).unwrap();
    let set = |value: Option<&str>| Command::SetReading { file, id: "cell".into(), value: value.map(str::to_owned) };
    apply(&mut window, set(Some("25")));
    let kept = |window: &Window| read(window, |s| s.settings.reading_of(&model()).clone());
    assert_eq!(kept(&window), Overrides::from([("cell".to_owned(), "25".to_owned())]));
    let after = read(&window, |s| s.file(file).cloned()).unwrap();
    assert!(!Arc::ptr_eq(&before, &after), "it was read anew");
    assert_eq!(read(&window, |s| (s.selection, s.view.camera)), (Some(Place { file, entry }), camera));
    apply(&mut window, set(None));
    assert!(kept(&window).is_empty());
}

/// Settings as eframe keeps them, without a disk.
#[derive(Default)]
struct Disk(std::collections::HashMap<String, String>);

impl eframe::Storage for Disk {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }
    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }
    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }
    fn flush(&mut self) {}
}

/// What a choice of the first file came to, and whether a person made it.
fn chosen(window: &Window, id: &str) -> (String, bool) {
    read(window, |s| {
        let file = s.library.files[0].file.clone();
        let choice = file.document.reading().iter().find(|c| c.id == id).expect("it was asked");
        (choice.value.clone(), choice.overridden)
    })
}

fn cell(window: &Window) -> f32 {
    read(window, |s| s.terrain.as_ref().expect("a landscape is shown").terrain.grid.cell)
}

#[test]
fn a_project_is_read_as_a_person_says_again_after_a_restart_too() {
    let test = "a_project_is_read_as_a_person_says_again_after_a_restart_too";
    let Some(corpus) = kit::corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny60.pew");
    std::fs::write(&path, std::fs::read(corpus.join("visitor/tiny60.pew")).unwrap()).unwrap();
    let mut window = window_over(Settings::default(), [1280.0, 800.0]);
    apply(&mut window, Command::Open(vec![path.clone()]));
    let file = read(&window, |s| s.library.files[0].id);
    let (first, by_hand) = chosen(&window, "cell");
    assert!(!by_hand && cell(&window) > 0.0 && cell(&window) != 25.0);
    let (order, _) = chosen(&window, "transform");
    let places = |window: &Window| {
        read(window, |s| s.terrain.as_ref().unwrap().terrain.props.iter().map(|p| p.file_position).collect::<Vec<_>>())
    };
    let before = places(&window);
    assert!(before.len() > 4);

    // What is looked at stays: selection, camera, hidden types, what is in front.
    let entry = read(&window, |s| s.file(file).unwrap().document.outline().find("Terrain").expect("a terrain").id);
    apply(&mut window, Command::Select(Place { file, entry }));
    apply(&mut window, Command::HideKinds { kinds: vec![1], hide: true });
    apply(&mut window, Command::SelectProps(vec![0, 3]));
    apply(&mut window, Command::Zoom(0.5));
    bring_up(&mut window, Tab::Reading);
    look(&mut window, "reading_file.png");
    let looked_at = |window: &Window| {
        read(window, |s| {
            (s.selection, s.view.camera, s.view.terrain.hidden_kinds.clone(), s.view.terrain.selected.clone())
        })
    };
    let seen = looked_at(&window);
    let say = |id: &str, value: Option<&str>| Command::SetReading { file, id: id.into(), value: value.map(Into::into) };
    apply(&mut window, say("cell", Some("25")));
    assert_eq!((chosen(&window, "cell"), cell(&window)), (("25".to_owned(), true), 25.0));
    assert_eq!(looked_at(&window), seen);
    window.get_by_label("Back to automatic: Distance between heights");
    look(&mut window, "reading_file_said.png");

    let other = if order == "row3x4" { "cols4x3" } else { "row3x4" };
    apply(&mut window, say("transform", Some(other)));
    assert_eq!(chosen(&window, "transform"), (other.to_owned(), true));
    assert_eq!(cell(&window), 25.0, "both hold");
    assert_ne!(places(&window), before);

    // The program ends and starts again.
    let mut disk = Disk::default();
    eframe::App::save(window.state_mut(), &mut disk);
    drop(window);
    let mut state = State::new(Settings::load(Some(&disk)), Clock::Set(0.0));
    state.restore_session();
    let kept = Rc::new(RefCell::new(Kept::new(state)));
    let mut window: Window = Harness::builder().with_size([1280.0, 800.0]).build_eframe(|cc| App::new(cc, kept));
    settle(&mut window);
    assert_eq!((chosen(&window, "cell").1, cell(&window)), (true, 25.0));
    assert_eq!(chosen(&window, "transform"), (other.to_owned(), true));

    let file = read(&window, |s| s.library.files[0].id);
    apply(&mut window, Command::ForgetReadings(file));
    assert_eq!(chosen(&window, "cell"), (first, false));
    assert_eq!((chosen(&window, "transform"), places(&window)), ((order, false), before));
    assert!(read(&window, |s| s.settings.readings.is_empty()));
}

#[test]
fn a_damaged_project_says_how_far_it_was_read_and_leads_there() {
    let Some(corpus) = kit::corpus() else { return };
    let mut window = window_over(Settings::default(), [1280.0, 800.0]);
    for name in ["bad_truncated_objects.pew", "bad_hugeobjects.pew"] {
        apply(&mut window, Command::Open(vec![corpus.join("visitor").join(name)]));
        let file = read(&window, |s| s.library.files.last().unwrap().id);
        apply(&mut window, Command::Select(Place { file, entry: EntryId::FILE }));
        let errors = read(&window, |s| {
            let file = s.file(file).unwrap();
            file.diagnostics
                .iter()
                .filter(|d| d.severity == Severity::Error)
                .filter_map(|d| d.offset)
                .collect::<Vec<_>>()
        });
        let first = errors.iter().min().expect("an error with an offset");
        bring_up(&mut window, Tab::Reading);
        window.get_by_label_contains(&format!("Read up to 0x{first:X}"));
        look(&mut window, &name.replace("pew", "png"));
    }
}
