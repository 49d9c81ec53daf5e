//! The palette over what is open: words that people know find what they mean, and what cannot act is not offered.

use crate::kit::{self, app::*};
use bonebox::ui::{
    command::{Command, ExportCommand, SelectionCommand, WindowCommand},
    state::Place,
};
use egui::{Key, accesskit::Toggled};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

const SEARCH: &str = "Search commands, entries and clips";

/// The row that Enter would run.
fn first_for(window: &mut Window, query: &str) -> String {
    apply(window, Command::Window(WindowCommand::TogglePalette));
    window.run_steps(3);
    window.get_by_label(SEARCH).type_text(query);
    window.run_steps(3);
    let is_chosen = |row: &egui_kittest::Node<'_>| {
        row.accesskit_node().toggled() == Some(Toggled::True) && row.rect().width() > 400.0
    };
    let chosen = window.query_all_by(|_| true).find(is_chosen).and_then(|row| row.accesskit_node().label());
    window.key_press(Key::Escape);
    window.run_steps(3);
    chosen.unwrap_or_default()
}

#[test]
fn words_that_people_know_find_what_they_mean() {
    let mut window = window_with(["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)));
    for (query, wanted) in [
        ("speed", "Faster"),
        ("gltf", "Export model…"),
        ("export", "Export model…"),
        ("light theme", "Dark theme"),
        ("camera", "Focus model"),
        ("wireframe", "Wireframe"),
        ("armature", "Bones"),
        ("weights", "Bone weights"),
        ("background", "Theme background"),
        ("screenshot", "Screenshot"),
        ("gif", "Export image or video…"),
        ("video", "Export image or video…"),
        ("turntable", "Export image or video…"),
        ("loop", "Next loop mode"),
        ("texture", "Textures"),
        ("shortcuts", "Keyboard shortcuts"),
        ("eye", "Eye.L"),
        ("cheer", "Cheer"),
        ("play cheer", "Cheer"),
        ("export cheer", "Export Cheer"),
        ("save cheer", "Export Cheer"),
    ] {
        assert_eq!(first_for(&mut window, query), wanted, "“{query}”");
    }
}

/// The first entry with a name.
fn place_of(window: &Window, name: &str) -> Place {
    read(window, |state| {
        let entries =
            state.core.library.files.iter().flat_map(|f| f.file.document.outline().entries().iter().map(|e| (f.id, e)));
        let found = entries.clone().find(|(_, entry)| &*entry.name == name);
        let (file, entry) = found.unwrap_or_else(|| panic!("no {name}"));
        Place { file, entry: entry.id }
    })
}

/// What people type who know other programs, with a model, its clips and a selected bone.
#[test]
fn twenty_one_queries_find_what_a_person_means() {
    let mut window = window_with(["Ossie.psk", "Ossie.psa"].map(|name| kit::samples().join(name)));
    let belly = place_of(&window, "Belly");
    apply(&mut window, Command::Selection(SelectionCommand::Select(belly)));
    let queries = [
        ("speed", "Faster"),
        ("hide", "Hide selected"),
        ("gltf", "Export model…"),
        ("play walk", "Walk"),
        ("settings", "Settings…"),
        ("isolate", "Isolate selected"),
        ("light theme", "Dark theme"),
        ("autoplay", "Autoplay first matching clip"),
        ("reload", "Reload"),
        ("camera", "Focus model"),
        ("export", "Export model…"),
        ("wireframe", "Wireframe"),
        ("weights", "Bone weights"),
        ("background", "Theme background"),
        ("walk", "Walk"),
        ("screenshot", "Screenshot"),
        ("morph", "Reset morphs"),
        ("loop", "Next loop mode"),
        ("texture", "Textures"),
        ("eye", "Eye.L"),
    ];
    let wrong: Vec<String> = queries
        .into_iter()
        .map(|(query, wanted)| (query, wanted, first_for(&mut window, query)))
        .filter(|(_, wanted, found)| wanted != found)
        .map(|(query, wanted, found)| format!("“{query}” finds “{found}”, not “{wanted}”"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The sample's creature is all head.
    let mut other = window_with([kit::samples().join("Bonebox.szs")]);
    assert_eq!(first_for(&mut other, "head"), "Head");
}

#[test]
fn an_entry_is_exported_by_its_name() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let name = read(&window, |s| {
        let shown = s.stages.front.content.place().unwrap();
        s.core.file(shown.file).unwrap().document.outline().get(shown.entry).unwrap().name.to_string()
    });
    apply(&mut window, Command::Window(WindowCommand::TogglePalette));
    window.run_steps(3);
    window.get_by_label(SEARCH).type_text(&format!("export {name}"));
    window.run_steps(3);
    window.key_press(Key::Enter);
    window.run_steps(3);
    let (drafted, shown) =
        read(&window, |s| (s.exports.draft.as_ref().map(|draft| draft.place), s.stages.front.content.place()));
    assert!(drafted.is_some() && drafted == shown, "{drafted:?}, {shown:?}");
    apply(&mut window, Command::Export(ExportCommand::Cancel));
}

#[test]
fn what_cannot_act_is_not_offered() {
    let mut empty = window();
    for query in
        ["Play or pause", "Close all files", "Export model…", "Top-down map", "Go back", "Wireframe", "Loop sound"]
    {
        assert_ne!(first_for(&mut empty, query), query);
    }
    assert_eq!(first_for(&mut empty, "Open files"), "Open files…");
    let mut model = window_with([kit::samples().join("Ossie.psk")]);
    for query in ["Play or pause", "Close all files", "Export model…", "Wireframe", "Bone weights"] {
        assert_eq!(first_for(&mut model, query), query);
    }
    for query in ["Top-down map", "Level zones", "Loop sound", "Go forward", "Restore original textures"] {
        assert_ne!(first_for(&mut model, query), query);
    }
}
