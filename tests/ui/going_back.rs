//! Going back and forward brings back all of it.

use crate::kit::{self, app::*};
use bonebox::{
    formats::{Asset, EntryId},
    scene::{Language, Text, TextPart},
    ui::{
        command::{
            CameraCommand, Command, ModelCommand, SelectionCommand, StageCommand, TerrainCommand, TransportCommand,
        },
        stage::text::{self, TextView},
        state::{FileId, Place, State},
    },
};
use egui::{Event, Modifiers, MouseWheelUnit, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use std::sync::Arc;

fn back(window: &mut Window) {
    apply(window, Command::Stage(StageCommand::Back));
}

#[test]
fn a_model_is_looked_at_from_the_frame_and_the_bone_where_it_was_left() {
    let samples = kit::samples();
    let mut window = window_with([samples.join("Ossie.psk"), samples.join("Ossie.psa")]);
    let bone = read(&window, |s| {
        let file = &s.core.library.files[0];
        let bone = file.file.document.outline().entries().iter().rfind(|e| e.class == "Bone").expect("a bone").id;
        Place { file: file.id, entry: bone }
    });
    for command in [
        Command::Selection(SelectionCommand::Select(bone)),
        Command::Camera(CameraCommand::Orbit(glam::vec2(0.4, 0.2))),
        Command::Transport(TransportCommand::TogglePlay),
        Command::Transport(TransportCommand::Seek(9.0)),
    ] {
        apply(&mut window, command);
    }
    let looked_at = |window: &Window| {
        read(window, |s| {
            let playback = s.stages.front.playback().unwrap();
            let plays = (playback.playing, playback.player.frame(), playback.player.playing);
            (
                s.stages.front.model().map(|shown| shown.place),
                s.core.selection,
                s.stages.front.selected().joint,
                s.stages.front.view.camera,
                plays,
            )
        })
    };
    let before = looked_at(&window);
    assert!(before.2.is_some() && before.4.0.is_some(), "{before:?}");
    open(&mut window, [kit::data().join("actorx/syn_arm.psk")]);
    assert_ne!(looked_at(&window).0, before.0);
    // Until what was selected then is selected again: opening was more than one step.
    for _ in 0..4 {
        if looked_at(&window).1 != before.1 {
            back(&mut window);
        }
    }
    assert_eq!(looked_at(&window), before);
}

#[test]
fn a_bind_pose_that_was_left_stays_one() {
    let samples = kit::samples();
    let mut window = window_with([samples.join("Ossie.psk"), samples.join("Ossie.psa")]);
    apply(&mut window, Command::Model(ModelCommand::StopClip));
    let model = read(&window, |s| s.stages.front.model().unwrap().place);
    open(&mut window, [kit::data().join("actorx/syn_arm.psk")]);
    for _ in 0..4 {
        if read(&window, |s| s.stages.front.model().map(|shown| shown.place)) != Some(model) {
            back(&mut window);
        }
    }
    assert!(read(&window, |s| s.stages.front.playback().unwrap().playing.is_none()
        && !s.stages.front.playback().unwrap().clips.is_empty()));
}

#[test]
fn a_landscape_is_a_map_again_with_what_was_selected() {
    let mut window = window_with([kit::samples().join("MarrowIsle.pew")]);
    apply(&mut window, Command::Terrain(TerrainCommand::ToggleMap));
    pass(&mut window, 1.0);
    apply(&mut window, Command::Terrain(TerrainCommand::SelectProps(vec![0, 2])));
    apply(&mut window, Command::Terrain(TerrainCommand::HideKinds { kinds: vec![1], hide: true }));
    let looks = |window: &Window| {
        read(window, |s| {
            let terrain = &s.stages.front.view.terrain;
            (
                s.stages.front.is_map(),
                s.stages.front.view.camera,
                terrain.selected.clone(),
                terrain.hidden_kinds.clone(),
            )
        })
    };
    let before = looks(&window);
    assert!(before.0 && before.2.len() == 2, "{before:?}");
    open(&mut window, [kit::data().join("actorx/syn_arm.psk")]);
    for _ in 0..4 {
        if read(&window, |s| s.stages.front.landscape().is_none()) {
            back(&mut window);
        }
    }
    assert_eq!(looks(&window), before);
}

struct Page {
    state: State,
    view: TextView,
}

fn show_text(page: &mut Page, entry: u32) {
    let lines: Vec<String> = (0..3_000).map(|line| format!("line {line} of {entry}")).collect();
    let text = lines.join("\n");
    let part = TextPart::new("Source", Language::Plain, text);
    let place = Place { file: FileId(1), entry: EntryId(entry) };
    let state = &mut page.state;
    state.stages.front.present(
        &mut state.core,
        place,
        &Asset::Text(Arc::new(Text { name: "Text".into(), parts: vec![part], ..Text::default() })),
    );
}

fn scroll(window: &mut Harness<'_, Page>, by: f32) {
    window.hover_at(pos2(300.0, 200.0));
    window.step();
    let delta = vec2(0.0, -by);
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta,
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(60);
}

#[test]
fn a_text_opens_at_its_top_or_where_it_was() {
    let mut page = Page { state: state(), view: TextView::default() };
    show_text(&mut page, 1);
    let frame = |ui: &mut egui::Ui, page: &mut Page| text::show(ui, &page.state, &mut page.view, &mut Vec::new());
    let mut window = panel([600.0, 400.0], true, frame, page);
    let in_sight = |window: &Harness<'_, Page>, line: &str| window.query_by_label(line).is_some();
    assert!(in_sight(&window, "line 0 of 1"));
    scroll(&mut window, 900.0);
    assert!(!in_sight(&window, "line 0 of 1") && in_sight(&window, "line 55 of 1"));
    // Another text of the same parts opens at its top.
    show_text(window.state_mut(), 2);
    window.run_steps(4);
    assert!(in_sight(&window, "line 0 of 2"));
    scroll(&mut window, 1_800.0);
    assert!(in_sight(&window, "line 105 of 2"));
    for (text, line) in [(1, "line 55 of 1"), (2, "line 105 of 2"), (1, "line 55 of 1")] {
        show_text(window.state_mut(), text);
        window.run_steps(4);
        assert!(in_sight(&window, line), "{line}");
    }
    // Read anew it stays where it is.
    show_text(window.state_mut(), 1);
    window.run_steps(4);
    assert!(in_sight(&window, "line 55 of 1"));
}

#[test]
fn a_table_opens_at_its_top_or_where_it_was() {
    let samples = kit::samples();
    let mut window = window_with([samples.join("Bonebox.u"), samples.join("Ossie.psk")]);
    let [first, second] = read(&window, |s| [0, 1].map(|at| s.core.library.files[at].id));
    let whole = |file: FileId| Place { file, entry: EntryId::FILE };
    let show = |window: &mut Window, file: FileId| {
        apply(window, Command::Selection(SelectionCommand::Select(whole(file))));
        apply(window, Command::Stage(StageCommand::ShowTable(file)));
    };
    show(&mut window, first);
    let last = read(&window, |s| {
        let file = s.core.file(first).unwrap();
        Place { file: first, entry: file.document.outline().entries().last().unwrap().id }
    });
    // What is selected is brought into sight.
    apply(&mut window, Command::Selection(SelectionCommand::Select(last)));
    let path = read(&window, |s| s.core.file(first).unwrap().entry(last.entry).unwrap().path().into_owned());
    assert!(has(&window, &path));
    let top = read(&window, |s| s.core.file(second).unwrap().entry(EntryId(1)).unwrap().path().into_owned());
    show(&mut window, second);
    assert!(has(&window, &top), "another file's list opens at its top");
    for _ in 0..4 {
        if read(&window, |s| s.core.selection) != Some(last) {
            back(&mut window);
        }
    }
    assert!(has(&window, &path), "and the first where it was");
}
