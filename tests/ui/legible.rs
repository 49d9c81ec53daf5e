//! What is written over pictures and in notices can be read.

use crate::kit::{self, app::*};
use bonebox::{
    formats::{EntryId, Severity},
    ui::{
        command::{Command, SelectionCommand, StageCommand, ViewCommand, WindowCommand},
        state::{LogEntry, Place, Shading},
    },
};
use egui::{Rect, Shape, accesskit::Role, epaint::TextShape};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

/// Everything that is painted, groups taken apart.
fn flat(window: &Window) -> Vec<Shape> {
    let mut waiting: Vec<Shape> = window.output().shapes.iter().map(|clipped| clipped.shape.clone()).collect();
    let mut shapes = Vec::new();
    while let Some(shape) = waiting.pop() {
        match shape {
            Shape::Vec(group) => waiting.extend(group),
            other => shapes.push(other),
        }
    }
    shapes
}

/// A text that is painted and has these words.
#[track_caller]
pub fn text_with(window: &Window, part: &str) -> TextShape {
    let mut texts = flat(window).into_iter().filter_map(|shape| match shape {
        Shape::Text(text) if text.galley.text().contains(part) => Some(text),
        _ => None,
    });
    texts.next().unwrap_or_else(|| panic!("nowhere is {part}"))
}

/// Whether a text stands on a card of its own.
fn is_on_a_card(window: &Window, part: &str) -> bool {
    let text = text_with(window, part);
    let place = Rect::from_min_size(text.pos, text.galley.size());
    flat(window).iter().any(|shape| match shape {
        Shape::Rect(card) => {
            let is_near = card.rect.width() < place.width() + 60.0 && card.rect.height() < place.height() + 60.0;
            card.rect.contains_rect(place) && is_near && card.fill.a() > 128
        }
        _ => false,
    })
}

#[test]
fn the_name_of_a_model_is_read_on_any_background() {
    let mut window = window_with([kit::samples().join("Ossie.psk")]);
    let title = "  ·  3 materials";
    for dark in [true, false] {
        apply(&mut window, Command::Window(WindowCommand::SetDark(dark)));
        assert!(!is_on_a_card(&window, title), "the theme's background fits the print");
        // Black whatever the theme.
        apply(&mut window, Command::View(ViewCommand::SetShading(Shading::Overdraw)));
        assert!(is_on_a_card(&window, title));
        apply(&mut window, Command::View(ViewCommand::SetShading(Shading::Lit)));
        apply(&mut window, Command::View(ViewCommand::SetBackground(Some([128, 128, 128]))));
        assert!(is_on_a_card(&window, title));
        apply(&mut window, Command::View(ViewCommand::SetBackground(None)));
    }
}

#[test]
fn a_notice_has_two_lines_and_says_when_there_is_more() {
    let mut window = window();
    window.run_steps(3);
    let mut lines = |message: &str| {
        change(&window, |s| s.core.log.announce(LogEntry::new(Severity::Info, "a.png", message)));
        window.run_steps(4);
        let galley = text_with(&window, &message[1..]).galley;
        (galley.rows.len(), galley.elided)
    };
    assert_eq!(lines("used on material Skin"), (1, false));
    assert_eq!(lines("used on material Skin; Ctrl+Z restores the original textures of the whole model"), (2, false));
    assert_eq!(lines(&"a message that is much too long for a notice ".repeat(8)), (2, true));
}

#[test]
fn a_notice_stays_where_it_is_when_an_earlier_one_goes() {
    let mut window = window();
    window.run_steps(3);
    change(&window, |s| {
        s.core.log.announce(LogEntry::new(Severity::Info, "a.png", "a short one"));
        let command = Command::Window(WindowCommand::ToggleWatchFiles);
        let text = "a longer one that has two lines and something to decide below them, as a file that changed has";
        s.core.log.announce(LogEntry::new(Severity::Warning, "b.psk", text).with_action("Decide", command));
    });
    window.run_steps(3);
    let at = window.get_by_label("Decide").rect();
    let mut steps = 0;
    while paints(&window, "A short one.") {
        window.step();
        steps += 1;
        assert!(steps < 100, "the first does not go");
        assert_eq!(window.get_by_label("Decide").rect(), at, "after {steps} frames");
    }
    window.run_steps(2);
    assert_eq!(window.get_by_label("Decide").rect(), at);
}

#[test]
fn every_filter_of_pictures_is_seen_in_a_narrow_stage() {
    let mut window = window_with([kit::samples().join("BoneboxFX.utx")]);
    apply(&mut window, Command::Stage(StageCommand::ShowPictures));
    window.run_steps(4);
    let filters = ["Package: All packages", "Group: All groups", "Class: All classes", "Size: Any size"];
    let inspector = window.get_by_label("Filter fields").rect().left();
    let mut seen = 0;
    for node in window.query_all_by_role(Role::ComboBox) {
        let label = node.accesskit_node().label().unwrap_or_default();
        if filters.contains(&label.as_str()) || label.starts_with("Sort: ") {
            seen += 1;
            assert!(node.rect().width() > 80.0 && node.rect().right() < inspector, "{label} {:?}", node.rect());
        }
    }
    assert_eq!(seen, 5);
}

#[test]
fn what_a_package_needs_leaves_the_inspector_as_wide_as_it_is() {
    let mut window = window_with([kit::samples().join("Bonebox.u")]);
    let file = read(&window, |s| Place { file: s.core.library.files[0].id, entry: EntryId::FILE });
    apply(&mut window, Command::Selection(SelectionCommand::Select(file)));
    settle(&mut window);
    assert!(paints(&window, "not needed: built into the game"));
    let filter = window.get_by_label("Filter fields").rect();
    assert!(filter.right() <= SIZE[0], "{filter:?} of {}", SIZE[0]);
}
