//! The panels one by one, driven through their accessible names; no GPU.

mod document;

use crate::kit::app::{click, has, panel, press_at, type_into};
use bonebox::{
    formats::{Diagnostic, EntryId, Severity},
    ui::{
        command::{BytesCommand, Command, CopyBytes, SelectionCommand, ViewCommand, WindowCommand, other_words},
        inspector::{
            bytes::{self, BytesView},
            panel::{self as inspector, InspectorView},
        },
        log::{self, LogView},
        log_buffer::{LogBuffer, ProgramLine},
        saved_view::ViewToggle,
        section::{OpenSections, Section},
        state::{FileId, Log, LogEntry, Place},
        widgets::subject::{EntryFields, Subject},
        window::{
            keys,
            palette::{self, PaletteItem, PaletteView},
        },
    },
};
use document::{BROKEN, HEADER, Made, POINTS, POINTS_OFFSET, SPINE};
use egui::{Key, accesskit::Toggled};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};
use std::ops::Range;

/// Inspector and byte view over one document, with the commands that they pushed.
struct Window {
    document: Made,
    diagnostics: Vec<Diagnostic>,
    entry: EntryId,
    selected: Option<Range<u64>>,
    fields: EntryFields,
    inspector: InspectorView,
    bytes: BytesView,
    commands: Vec<Command>,
}

impl Window {
    fn at(entry: EntryId) -> Self {
        Self {
            document: Made::new(),
            diagnostics: Vec::new(),
            entry,
            selected: None,
            fields: EntryFields::default(),
            inspector: InspectorView::default(),
            bytes: BytesView::default(),
            commands: Vec::new(),
        }
    }

    fn frame(&mut self, ui: &mut egui::Ui) {
        let place = Place { file: FileId(1), entry: self.entry };
        let subject = Subject {
            place,
            file_name: "creature.psk",
            document: &self.document,
            file: None,
            diagnostics: &self.diagnostics,
            revision: 1,
            is_reread: false,
            selected_bytes: self.selected.as_ref(),
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
        let mut commands = Vec::new();
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            // The bytes stand beside it here.
            let mut open = OpenSections::default();
            open.set(Section::Bytes, false);
            inspector::show(left, Some(&subject), &open, &mut self.fields, &mut self.inspector, &mut commands);
            bytes::show(right, Some(&subject), &mut self.fields, &mut self.bytes, &mut commands);
        });
        for command in &commands {
            match command {
                Command::Selection(SelectionCommand::Select(place)) => {
                    (self.entry, self.selected) = (place.entry, None)
                }
                Command::Selection(SelectionCommand::Bytes(bytes)) => self.selected = bytes.clone(),
                _ => {}
            }
        }
        self.commands.extend(commands);
    }
}

fn shown(window: Window) -> Harness<'static, Window> {
    panel([1000.0, 640.0], true, |ui, w: &mut Window| w.frame(ui), window)
}

fn window(entry: EntryId) -> Harness<'static, Window> {
    shown(Window::at(entry))
}

fn is_selected(harness: &Harness<'_, Window>, label: &str) -> bool {
    harness.get_by_label(label).accesskit_node().toggled() == Some(Toggled::True)
}

#[test]
fn every_kind_of_value_reads_as_what_it_means() {
    let harness = window(SPINE);
    for label in [
        "name: Bip01 Spine",
        "flags: ROOT | SKINNED (0x5)",
        "position: 12.2500  -0.0625  104.5000",
        "orientation: 0.0000  0.7071  0.0000  0.7071",
        "tint: #DC5A28A0",
        "loop_mode: PingPong (2)",
        "reserved: 7 bytes",
    ] {
        harness.get_by_label(label);
    }
}

#[test]
fn a_link_leads_to_the_entry_it_names() {
    let mut harness = window(SPINE);
    click(&mut harness, "HEADER");
    assert_eq!(
        harness.state().commands,
        [Command::Selection(SelectionCommand::Select(Place { file: FileId(1), entry: HEADER }))]
    );
    harness.get_by_label("magic: ACTRHEAD");
}

#[test]
fn groups_and_vectors_fold() {
    let mut harness = window(SPINE);
    assert!(!has(&harness, "y: -0.0625"));
    click(&mut harness, "Expand position");
    harness.get_by_label("y: -0.0625");
    click(&mut harness, "Collapse bone_pos");
    assert!(!has(&harness, "length: 14.1875"));
}

#[test]
fn the_filter_keeps_the_fields_with_that_name() {
    let mut harness = window(SPINE);
    type_into(&mut harness, "Filter fields", "LENG");
    harness.get_by_label("length: 14.1875");
    harness.get_by_label("bone_pos: 3 fields");
    assert!(!has(&harness, "name: Bip01 Spine"));
}

#[test]
fn clicking_a_byte_selects_its_field_and_back() {
    let mut harness = window(SPINE);
    let place = harness.state().bytes.byte_rect(0x6E).expect("the byte shows").center();
    press_at(&mut harness, place);
    assert_eq!(harness.state().commands, [Command::Selection(SelectionCommand::Bytes(Some(0x6C..0x78)))]);
    assert!(is_selected(&harness, "position: 12.2500  -0.0625  104.5000"));

    click(&mut harness, "flags: ROOT | SKINNED (0x5)");
    assert_eq!(harness.state().selected, Some(0x50..0x54));
    assert!(!is_selected(&harness, "position: 12.2500  -0.0625  104.5000"));
}

#[test]
fn in_the_whole_file_a_byte_of_another_entry_selects_that_entry() {
    let mut harness = window(SPINE);
    click(&mut harness, "File");
    let place = harness.state().bytes.byte_rect(9).expect("the start of the file shows").center();
    press_at(&mut harness, place);
    assert_eq!(harness.state().entry, HEADER);
    assert_eq!(harness.state().selected, Some(8..12));
    assert!(is_selected(&harness, "version: 20001127"));
}

#[test]
fn dragging_over_bytes_marks_them_and_they_copy_as_hex() {
    let mut harness = window(HEADER);
    let at = |harness: &Harness<'_, Window>, offset| harness.state().bytes.byte_rect(offset).expect("shows").center();
    let (from, to) = (at(&harness, 0), at(&harness, 3));
    harness.drag_at(from);
    harness.step();
    harness.hover_at(from.lerp(to, 0.5));
    harness.step();
    harness.hover_at(to);
    harness.step();
    harness.drop_at(to);
    harness.run_steps(3);
    assert_eq!(harness.state().selected, Some(0..4));
    click(&mut harness, "Copy bytes as hex");
    assert_eq!(harness.state().commands.last(), Some(&Command::Bytes(BytesCommand::Copy(CopyBytes::Hex))));
}

#[test]
fn a_long_table_reads_only_the_rows_in_sight_and_jumps() {
    let mut harness = window(POINTS);
    harness.get_by_label("points: 100,000 rows");
    harness.get_by_label("points 3");
    assert!(!has(&harness, "points 5000"));

    type_into(&mut harness, "Row of points", "77777");
    harness.key_press(Key::Enter);
    harness.run_steps(6);
    assert!(is_selected(&harness, "points 77777"));
    assert_eq!(harness.state().selected, Some(POINTS_OFFSET + 77_777 * 16..POINTS_OFFSET + 77_778 * 16));
    harness.get_by_label("row 77777: 2 fields");

    click(&mut harness, "Copy points as CSV");
    let place = Place { file: FileId(1), entry: POINTS };
    assert_eq!(harness.state().commands.last(), Some(&Command::Bytes(BytesCommand::CopyRecords(place, vec![0]))));

    click(&mut harness, "points 77779");
    harness.get_by_label("position: 19432.7500  -3.5000  82.0000");
    let shown = harness.state().bytes.byte_rect(POINTS_OFFSET + 77_779 * 16);
    assert!(shown.is_some(), "the byte view follows");
}

#[test]
fn what_cannot_be_read_says_so_and_findings_stand_with_their_entry() {
    let harness = window(BROKEN);
    harness.get_by_label_contains("64 bytes expected, 16 left");

    let mut window = Window::at(SPINE);
    window.diagnostics = vec![Diagnostic {
        code: "test.odd",
        severity: Severity::Warning,
        entry: Some(SPINE),
        offset: Some(0x50),
        message: "the flags are odd".into(),
    }];
    let mut harness = shown(window);
    harness.get_by_label("Warning: the flags are odd");
    click(&mut harness, "0x50");
    assert_eq!(harness.state().selected, Some(0x50..0x51));
    assert!(is_selected(&harness, "flags: ROOT | SKINNED (0x5)"));
}

#[test]
fn the_log_filters_by_severity_and_leads_to_entries() {
    struct Shown(Log, LogBuffer, LogView, Vec<Command>);
    let mut findings = Log::default();
    findings.push(LogEntry::new(Severity::Warning, "a.psk", "an odd flag"));
    let place = Place { file: FileId(1), entry: SPINE };
    findings.push(LogEntry { offset: Some(16), ..LogEntry::new(Severity::Error, "a.psk", "a torn chunk").at(place) });
    let program = LogBuffer::default();
    let line =
        ProgramLine { time_secs: 1.0, level: ::log::Level::Info, target: "bonebox".into(), message: "hi".into() };
    program.push(line);
    let mut harness = Harness::builder().with_size([900.0, 300.0]).build_ui_state(
        |ui, s: &mut Shown| log::show(ui, &s.0, &s.1, &mut s.2, &mut s.3),
        Shown(findings, program, LogView::default(), Vec::new()),
    );
    harness.run_steps(2);
    harness.get_by_label("Warning: a.psk: an odd flag");
    click(&mut harness, "Warnings");
    assert!(!has(&harness, "Warning: a.psk: an odd flag"));
    harness.get_by_label("Error: a.psk: a torn chunk");
    click(&mut harness, "Copy visible lines");
    assert_eq!(harness.state().3, [Command::Window(WindowCommand::Copy("error: a.psk: a torn chunk at 0x10".into()))]);
    harness.state_mut().3.clear();
    click(&mut harness, "Go to: a torn chunk");
    assert_eq!(
        harness.state().3,
        [
            Command::Selection(SelectionCommand::Select(place)),
            Command::Selection(SelectionCommand::Bytes(Some(16..17)))
        ]
    );

    click(&mut harness, "Program");
    harness.get_by_label("hi");
    click(&mut harness, "Clear the log");
    assert!(!has(&harness, "hi"));
    assert_eq!(harness.state().0.entries().len(), 2, "the files' findings stay");
}

struct Palette(bool, PaletteView, Vec<Command>);

fn palette_harness() -> Harness<'static, Palette> {
    let item = |name: &str, command| PaletteItem {
        icon: "",
        group: "View".into(),
        types: ("command", "".into()),
        name: name.into(),
        also: other_words(name),
        on: false,
        keys: vec!["Ctrl", "W"],
        command,
        export: None,
    };
    let items = vec![
        item("Grid", Command::View(ViewCommand::Toggle(ViewToggle::Grid))),
        item("Wireframe", Command::View(ViewCommand::Toggle(ViewToggle::Wireframe))),
        item("Bone names", Command::View(ViewCommand::Toggle(ViewToggle::BoneNames))),
    ];
    let mut harness = Harness::builder().with_size([900.0, 600.0]).build_ui_state(
        move |ui, s: &mut Palette| {
            let from = s.2.len();
            palette::show(ui, s.0, || items.clone(), &mut s.1, &mut s.2);
            if s.2[from..].contains(&Command::Window(WindowCommand::TogglePalette)) {
                s.0 = false;
            }
        },
        Palette(true, PaletteView::default(), Vec::new()),
    );
    harness.run_steps(3);
    harness
}

#[test]
fn the_palette_finds_and_runs_what_is_typed() {
    let mut harness = palette_harness();
    harness.get_by_label("Grid");
    harness.get_by_label("Search commands, entries and clips").type_text("wfr");
    harness.run_steps(3);
    assert!(!has(&harness, "Grid"));
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(
        harness.state().2,
        [Command::Window(WindowCommand::TogglePalette), Command::View(ViewCommand::Toggle(ViewToggle::Wireframe))]
    );
    assert!(!has(&harness, "Wireframe"), "it closes");
}

#[test]
fn the_palette_is_walked_with_arrows_and_left_with_escape() {
    let mut harness = palette_harness();
    for _ in 0..2 {
        harness.key_press(Key::ArrowDown);
        harness.run_steps(2);
    }
    assert_eq!(harness.get_by_label("Bone names").accesskit_node().toggled(), Some(Toggled::True));
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    assert_eq!(harness.get_by_label("Grid").accesskit_node().toggled(), Some(Toggled::True), "around the end");
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert_eq!(harness.state().2, [Command::Window(WindowCommand::TogglePalette)]);
}

#[test]
fn the_key_sheet_lists_every_action_that_has_keys() {
    let mut harness = Harness::builder()
        .with_size([1280.0, 1000.0])
        .build_ui_state(|ui, commands: &mut Vec<Command>| keys::show(ui, true, commands), Vec::new());
    harness.run_steps(3);
    for action in bonebox::ui::command::ACTIONS.iter().filter(|a| !a.keys.is_empty()) {
        assert!(harness.query_all_by_label_contains(&format!("{}: ", action.name)).count() > 0, "{}", action.name);
    }
    click(&mut harness, "Close keyboard shortcuts");
    assert_eq!(harness.state().as_slice(), [Command::Window(WindowCommand::ToggleKeys)]);
}
