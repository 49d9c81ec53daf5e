//! The inspector's sections: which are there, folding, what is copied, what brings them into view.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{CameraCommand, Command, SelectionCommand, StageCommand, WindowCommand},
    section::Section,
    state::Place,
};
use egui::{OutputCommand, accesskit::Toggled};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

const ALL: [Section; 10] = [
    Section::Problems,
    Section::Material,
    Section::Object,
    Section::Pose,
    Section::Hierarchy,
    Section::Properties,
    Section::UsedBy,
    Section::Dependencies,
    Section::Reading,
    Section::Bytes,
];

fn heading(section: Section) -> String {
    format!("{} section", section.name())
}

/// The sections that are there.
fn sections(window: &Window) -> Vec<Section> {
    ALL.into_iter().filter(|section| has(window, &heading(*section))).collect()
}

fn is_open(window: &Window, section: Section) -> bool {
    window.get_by_label(&heading(section)).accesskit_node().toggled() == Some(Toggled::True)
}

fn select(window: &mut Window, place: Place) {
    apply(window, Command::Selection(SelectionCommand::Select(place)));
}

/// A window with an archive, and the model in it on the stage.
fn archive() -> Window {
    let mut window = window_with([kit::data().join("archive/arm.szs")]);
    let model = place(&window, "arm.arc/bmd/arm.bmd");
    apply(&mut window, Command::Stage(StageCommand::Show(model)));
    apply(&mut window, Command::Camera(CameraCommand::Frame));
    window
}

#[test]
fn sections_are_those_that_the_selection_has() {
    let mut window = archive();
    let model = "arm.arc/bmd/arm.bmd";
    for (path, own) in [
        (format!("{model}/MAT3/mat_body"), Some(Section::Material)),
        (format!("{model}/INF1"), Some(Section::Hierarchy)),
        (format!("{model}/TEX1/grad"), None),
    ] {
        let entry = place(&window, &path);
        select(&mut window, entry);
        let wanted: Vec<Section> = own.into_iter().chain([Section::Properties, Section::Bytes]).collect();
        assert_eq!(sections(&window), wanted, "{path}");
    }
    apply(&mut window, Command::Selection(SelectionCommand::Joint(Some(1))));
    assert_eq!(sections(&window), [Section::Pose, Section::Properties, Section::Bytes]);
    look(&mut window, "sections_bone");

    // What uses an entry is there once that was asked, and says how many.
    let texture = place(&window, &format!("{model}/TEX1/grad"));
    select(&mut window, texture);
    apply(&mut window, Command::Selection(SelectionCommand::FindUses(texture)));
    assert_eq!(sections(&window), [Section::Properties, Section::UsedBy, Section::Bytes]);
}

#[test]
fn a_damaged_file_has_its_problems_first_and_a_disputed_one_its_reading() {
    let mut window = window();
    open(&mut window, [kit::data().join("visitor/bad_truncated_objects.pew")]);
    let file = read(&window, |s| s.core.library.files[0].id);
    select(&mut window, Place { file, entry: bonebox::formats::EntryId::FILE });
    assert_eq!(sections(&window), [Section::Problems, Section::Properties, Section::Reading, Section::Bytes]);
    let top = |window: &Window, section: Section| window.get_by_label(&heading(section)).rect().top();
    assert!(top(&window, Section::Problems) < top(&window, Section::Properties));
    look(&mut window, "sections_problems");
    // The menu leads to the reading, wherever that lies.
    apply(&mut window, Command::Window(WindowCommand::SetSection(Section::Reading, false)));
    assert!(!is_open(&window, Section::Reading));
    apply(&mut window, Command::Window(WindowCommand::ShowSection(Section::Reading)));
    settle(&mut window);
    assert!(is_open(&window, Section::Reading));
    let inspector = window.get_by_label("Bytes section").rect();
    assert!(top(&window, Section::Reading) < inspector.top(), "it is in view");
}

#[test]
fn a_folded_section_stays_folded_for_every_entry_and_after_a_start() {
    let mut window = archive();
    let body = place(&window, "arm.arc/bmd/arm.bmd/MAT3/mat_body");
    select(&mut window, body);
    assert!(has(&window, "Bytes") && is_open(&window, Section::Bytes) && is_open(&window, Section::Material));
    let bytes = window.get_by_label(&heading(Section::Bytes)).rect();
    click(&mut window, &heading(Section::Bytes));
    settle(&mut window);
    assert!(!has(&window, "Bytes"), "no byte is drawn");
    let folded = window.get_by_label(&heading(Section::Bytes)).rect();
    assert!(folded.top() > bytes.top() + 60.0, "the room goes to what lies above");
    click(&mut window, &heading(Section::Material));
    look(&mut window, "sections_folded");
    let other = place(&window, "arm.arc/bmd/arm.bmd/MAT3/mat_bb");
    select(&mut window, other);
    assert!(!is_open(&window, Section::Bytes) && !is_open(&window, Section::Material));

    let disk = saved(&mut window);
    drop(window);
    let mut window = started(&disk);
    settle(&mut window);
    let other = place(&window, "arm.arc/bmd/arm.bmd/MAT3/mat_bb");
    select(&mut window, other);
    assert!(!is_open(&window, Section::Bytes) && !is_open(&window, Section::Material));
    // Marked bytes bring them back.
    apply(&mut window, Command::Selection(SelectionCommand::ShowBytes(other.file, 0..4)));
    settle(&mut window);
    assert!(is_open(&window, Section::Bytes) && has(&window, "Bytes"));
}

#[test]
fn the_bytes_keep_their_height_however_long_they_are_looked_at() {
    let mut window = archive();
    let body = place(&window, "arm.arc/bmd/arm.bmd/MAT3/mat_body");
    select(&mut window, body);
    let before = window.get_by_label(&heading(Section::Bytes)).rect();
    for _ in 0..20 {
        window.step();
    }
    assert_eq!(window.get_by_label(&heading(Section::Bytes)).rect(), before);
    let properties = window.get_by_label(&heading(Section::Material)).rect();
    assert!(properties.bottom() < before.top() && before.height() > 20.0);
}

#[test]
fn the_fields_are_copied_as_json() {
    let mut window = archive();
    let body = place(&window, "arm.arc/bmd/arm.bmd/MAT3/mat_body");
    select(&mut window, body);
    window.get_by_label("Copy the fields as JSON").click();
    let copied = (0..8).find_map(|_| {
        window.step();
        window.output().platform_output.commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    let copied = copied.expect("a text was copied");
    let value: serde_json::Value = serde_json::from_str(&copied).unwrap();
    assert_eq!(value["entry"], "arm.arc/bmd/arm.bmd/MAT3/mat_body", "{copied}");
    assert!(value["fields"].as_array().is_some_and(|fields| !fields.is_empty()), "{copied}");
}
