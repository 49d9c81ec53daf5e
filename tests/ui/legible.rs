//! What is written over pictures and in notices can be read.

use crate::kit::{self, app::*};
use bonebox::{
    formats::Severity,
    ui::{
        command::{Command, ViewCommand, WindowCommand},
        state::{LogEntry, Shading},
    },
};
use egui::{Rect, Shape, epaint::TextShape};

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

fn text_with(window: &Window, part: &str) -> TextShape {
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
        change(&window, |s| s.log.announce(LogEntry::new(Severity::Info, "a.png", message)));
        window.run_steps(4);
        let galley = text_with(&window, &message[1..]).galley;
        (galley.rows.len(), galley.elided)
    };
    assert_eq!(lines("shown on material Skin"), (1, false));
    assert_eq!(lines("shown on material Skin; Ctrl+Z or “Own textures” brings the ones of the model back"), (2, false));
    assert_eq!(lines(&"a message that is much too long for a notice ".repeat(8)), (2, true));
}
