//! One question that a file leaves open, as a card.

use crate::{
    formats::Choice,
    ui::{
        command::{Command, LibraryCommand},
        state::FileId,
        theme,
    },
};
use egui::{
    Align, Button, Color32, FontId, Key, Label, Layout, Margin, RichText, Sense, Stroke, TextEdit, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use std::collections::HashMap;

/// Numbers that are being typed, by the choice's id.
pub type Drafts = HashMap<&'static str, String>;

/// Room for the values of rivals, in points: at least, and at most. Their sentences stand below each other.
const VALUE: (f32, f32) = (72.0, 220.0);

pub fn show(ui: &mut Ui, file: FileId, choice: &Choice, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let frame = egui::Frame::new().fill(p.card).corner_radius(6).inner_margin(Margin {
        left: 16,
        right: 12,
        top: 8,
        bottom: 10,
    });
    let card = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            ui.add(Label::new(RichText::new(choice.label).strong()).selectable(false));
            pill(ui, &with_unit(choice, &choice.value), choice.overridden);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if choice.overridden {
                    let back = ui.add(Button::new(format!("{}  Reset to automatic", icon::ARROW_COUNTER_CLOCKWISE)));
                    let label = format!("Reset to automatic: {}", choice.label);
                    back.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
                    if back.clicked() {
                        commands.push(Command::Library(LibraryCommand::SetReading {
                            file,
                            id: choice.id.to_owned(),
                            value: None,
                        }));
                    }
                    ui.label(RichText::new("set manually").size(theme::SMALL).color(p.accent));
                }
            });
        });
        if !choice.evidence.is_empty() {
            ui.add(Label::new(RichText::new(sentence(&choice.evidence)).color(p.text)).wrap());
        }
        if choice.number.is_some() {
            number(ui, file, choice, drafts, commands);
        }
        if !choice.rivals.is_empty() {
            ui.add_space(2.0);
            let values: Vec<String> = choice.rivals.iter().map(|rival| with_unit(choice, &rival.value)).collect();
            let width = |text: &String| {
                let text = text.clone();
                ui.painter().layout_no_wrap(text, FontId::monospace(12.5), p.text).size().x
            };
            let widest = values.iter().map(width).fold(0.0, f32::max);
            let room = (widest + 28.0).clamp(VALUE.0, VALUE.1);
            for (rival, value) in choice.rivals.iter().zip(&values) {
                let label = format!("Use {value} for {}", choice.label);
                if rival_row(ui, room, value, &rival.evidence, &label) {
                    let value = Some(rival.value.clone());
                    commands.push(Command::Library(LibraryCommand::SetReading {
                        file,
                        id: choice.id.to_owned(),
                        value,
                    }));
                }
            }
        }
    });
    if choice.overridden {
        let bar = card.response.rect.with_max_x(card.response.rect.left() + 4.0);
        ui.painter().rect_filled(bar, egui::CornerRadius { nw: 6, sw: 6, ne: 0, se: 0 }, p.accent);
    }
}

/// The value that holds.
fn pill(ui: &mut Ui, text: &str, overridden: bool) {
    let p = theme::palette(ui);
    let (fill, color) = if overridden { (p.accent_soft, p.strong) } else { (p.field, p.strong) };
    egui::Frame::new().fill(fill).corner_radius(4).inner_margin(Margin::symmetric(8, 2)).show(ui, |ui| {
        ui.add(Label::new(theme::figures(text).color(color)).selectable(true));
    });
}

/// A rival: its value, what speaks for it, and a button; says whether that was pressed.
fn rival_row(ui: &mut Ui, room: f32, value: &str, evidence: &str, label: &str) -> bool {
    let p = theme::palette(ui);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(room, 22.0), Sense::hover());
        let dot = pos2(rect.left() + 4.0, rect.center().y);
        ui.painter().circle_stroke(dot, 3.5, Stroke::new(1.0, p.weak));
        let text = RichText::new(value).font(FontId::monospace(12.5));
        crate::ui::widgets::put::put_text(ui, rect.with_min_x(rect.left() + 16.0), Align::Min, p.text, text);
        let used = ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let used = ui.add(Button::new("Use this").min_size(vec2(72.0, 22.0)).fill(p.hover));
            let enabled = ui.is_enabled();
            used.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, label));
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.add_space(3.0);
                ui.add(Label::new(RichText::new(sentence(evidence)).color(p.weak)).wrap());
            });
            used.clicked()
        });
        used.inner
    })
    .inner
}

/// Any number in the place of what is listed.
fn number(ui: &mut Ui, file: FileId, choice: &Choice, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let draft = drafts.entry(choice.id).or_insert_with(|| choice.value.clone());
    ui.horizontal(|ui| {
        let unit = choice.number.unwrap_or_default();
        ui.label(RichText::new("Other value").color(p.weak));
        let good = parsed(draft);
        let color = if good.is_some() { p.text } else { p.error };
        let edit = TextEdit::singleline(draft).desired_width(72.0).font(FontId::monospace(12.5)).text_color(color);
        let field = ui.add(edit);
        let label = format!("{}, in {unit}", choice.label);
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, label.as_str()));
        ui.label(RichText::new(unit).color(p.weak));
        let value = parsed(draft);
        let is_new = value.is_some_and(|v| Some(v) != parsed(&choice.value));
        let button = ui.add_enabled(is_new, Button::new("Use"));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, is_new, format!("Use this {}", choice.label)));
        let entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if let (true, Some(value)) = (is_new && (button.clicked() || entered), value) {
            commands.push(Command::Library(LibraryCommand::SetReading {
                file,
                id: choice.id.to_owned(),
                value: Some(value.to_string()),
            }));
        }
        if value.is_none() {
            ui.label(RichText::new("Enter a number greater than 0").size(theme::SMALL).color(warn(ui)));
        }
    });
}

fn warn(ui: &Ui) -> Color32 {
    theme::palette(ui).error
}

/// A positive number, with a point or a comma.
fn parsed(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|v: &f64| v.is_finite() && *v > 0.0)
}

fn with_unit(choice: &Choice, value: &str) -> String {
    match choice.number {
        Some(unit) => format!("{value} {unit}"),
        None => value.to_owned(),
    }
}

/// As a sentence of its own.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let Some(first) = letters.next() else { return String::new() };
    let mut text: String = first.to_uppercase().chain(letters).collect();
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_positive_and_sentences_end() {
        assert_eq!(parsed(" 7,5 "), Some(7.5));
        for bad in ["", "0", "-1", "inf", "NaN", "ten"] {
            assert_eq!(parsed(bad), None, "{bad}");
        }
        assert_eq!(sentence("9 of 9 strings end so"), "9 of 9 strings end so.");
        assert_eq!(sentence("all zero."), "All zero.");
        assert_eq!(sentence("  "), "");
    }
}
