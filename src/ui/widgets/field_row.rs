//! One line of a field tree: fold mark, name, type, value.

use crate::{
    formats::{Reference, Value},
    ui::{
        short_text::shortened,
        widgets::{
            field_lines::Line,
            put::{put, put_text},
            swatch::swatch,
            value_text,
        },
    },
};
use egui::{
    Align, Align2, Color32, FontId, Label, Layout, Rect, Response, RichText, Sense, TextStyle, TextWrapMode, Ui,
    WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;

/// Height of a line, in points.
pub const ROW_HEIGHT: f32 = 24.0;

const INDENT: f32 = 14.0;

/// Maximum length of the name in a link, in characters, where there is no room for the whole path.
const MAX_LINK: usize = 64;

/// Narrower lines leave the type out: it is in the line's tip.
const TYPE_FROM_WIDTH: f32 = 340.0;

/// What was done to a line.
#[derive(Debug, Default)]
pub struct Done {
    pub response: Option<Response>,
    pub selected: bool,
    pub toggled: bool,
    pub followed: Option<Reference>,
}

/// Shows a line in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, line: &Line, is_selected: bool) -> Done {
    let mut done = Done::default();
    let id = ui.id().with(("field", &line.path));
    let response = ui.interact(rect, id, Sense::click());
    let label = match line.text.as_str() {
        "" => line.field.name.to_string(),
        text => format!("{}: {text}", line.field.name),
    };
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, label.as_str()));
    let visuals = ui.visuals().clone();
    if is_selected {
        ui.painter().rect_filled(rect, 4.0, visuals.selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, visuals.widgets.hovered.weak_bg_fill);
    }
    let strong = if is_selected { visuals.strong_text_color() } else { visuals.text_color() };
    let weak = if is_selected { visuals.text_color() } else { visuals.weak_text_color() };

    let mut x = rect.left() + 4.0 + INDENT * line.depth as f32;
    if let Some(open) = line.open {
        let mark = Rect::from_min_size(pos2(x, rect.top()), vec2(18.0, rect.height()));
        let fold = ui.interact(mark, id.with("fold"), Sense::click());
        let name = &line.field.name;
        let label = if open { format!("Collapse {name}") } else { format!("Expand {name}") };
        fold.widget_info(|| WidgetInfo::labeled(WidgetType::CollapsingHeader, true, label.as_str()));
        let glyph = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        let color = if fold.hovered() { strong } else { weak };
        ui.painter().text(mark.center(), Align2::CENTER_CENTER, glyph, FontId::proportional(12.0), color);
        done.toggled = fold.clicked();
    }
    x += 18.0;

    let body = TextStyle::Body.resolve(ui.style());
    let small = FontId::proportional(TextStyle::Small.resolve(ui.style()).size);
    let right = rect.right() - 8.0;
    let painter = ui.painter();
    let name = painter.layout_no_wrap(line.field.name.to_string(), body.clone(), strong);
    // Numbers lose decimals before they are cut: the tip and the fold have them all.
    let room = (right - x) * 0.66 - 12.0;
    let text = fitting_text(ui, line, room.max(right - x - name.size().x - 12.0));
    let value_width = value_width(ui, line, &text);
    // The name has what the value leaves, but at least a third.
    let name_width = name.size().x.min((right - value_width - x - 12.0).max((right - x) * 0.34)).max(0.0);
    let value_left = x + name_width + 12.0;
    let name_rect = Rect::from_min_size(pos2(x, rect.top()), vec2(name_width + 1.0, rect.height()));
    put_text(ui, name_rect, Align::Min, strong, RichText::new(line.field.name.as_ref()));

    // The type, in a column of its own where there is room for it.
    let type_left = (rect.left() + rect.width() * 0.40).max(value_left);
    let kind = ui.painter().layout_no_wrap(line.field.kind.to_string(), small, weak);
    if rect.width() >= TYPE_FROM_WIDTH && type_left + kind.size().x + 12.0 <= right - value_width {
        let top = rect.center().y - kind.size().y / 2.0;
        ui.painter().galley(pos2(type_left, top), kind, weak);
    }

    let value_rect = Rect::from_min_max(pos2(value_left, rect.top()), pos2(right, rect.bottom()));
    let inner = put(ui, value_rect, Layout::right_to_left(Align::Center), |ui| value(ui, line, &text, strong, weak));
    done.followed = inner.1;
    done.selected = response.clicked() || inner.0;
    done.toggled |= response.double_clicked() && line.open.is_some();
    done.response = Some(response);
    done
}

fn value_font(ui: &Ui, value: &Value) -> FontId {
    let body = TextStyle::Body.resolve(ui.style());
    if value_text::is_number(value) { FontId::monospace(body.size - 1.0) } else { body }
}

fn fitting_text(ui: &Ui, line: &Line, room: f32) -> String {
    if let Value::Floats(values) = &line.field.value
        && values.len() <= 4
    {
        let texts =
            [(4, "  "), (3, "  "), (2, "  "), (2, " ")].map(|(count, space)| value_text::vector(values, count, space));
        let fits = |text: &&String| value_width(ui, line, text) <= room;
        return texts.iter().find(fits).unwrap_or(&texts[3]).clone();
    }
    line.text.clone()
}

fn value_width(ui: &Ui, line: &Line, text: &str) -> f32 {
    let font = value_font(ui, &line.field.value);
    let text = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x;
    let extra = match &line.field.value {
        Value::Color(_) => 24.0,
        Value::Reference(_) => 18.0,
        _ => 0.0,
    };
    text + extra
}

/// Returns the name of an object without its path. Packages separate names by dots, files and folders by slashes.
fn name_in(path: &str) -> &str {
    let in_folder = path.rsplit_once('/').map(|(_, name)| name);
    in_folder.or_else(|| path.rsplit('.').next()).unwrap_or(path)
}

/// Draws a link to an object. Where there is no room for the whole path, the object's name has to do.
fn link(ui: &mut Ui, path: &str) -> Response {
    let fits = |text: &str| {
        let text = RichText::new(format!("{text} {}", icon::ARROW_RIGHT));
        let galley = WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body);
        galley.size().x <= ui.available_width()
    };
    let name = name_in(path);
    let mut shown = if fits(path) { path.to_owned() } else { shortened(name, MAX_LINK) };
    let mut most = shown.chars().count();
    while most > 4 && !fits(&shown) {
        most -= 1;
        shown = shortened(name, most);
    }
    ui.add(egui::Link::new(format!("{shown} {}", icon::ARROW_RIGHT)))
}

/// The value, from the right; says whether it was clicked and which link.
fn value(ui: &mut Ui, line: &Line, text: &str, strong: Color32, weak: Color32) -> (bool, Option<Reference>) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let font = value_font(ui, &line.field.value);
    let text = RichText::new(text).font(font);
    let label = |color| Label::new(text.clone().color(color)).truncate().selectable(true);
    match &line.field.value {
        Value::Reference(reference) if reference.path.is_empty() => {
            (ui.add(Label::new(RichText::new("none").color(weak).italics()).selectable(false)).clicked(), None)
        }
        Value::Reference(reference) if reference.resolved => {
            let link = link(ui, &line.text).on_hover_text(format!("Go to {}", reference.path));
            link.widget_info(|| WidgetInfo::labeled(WidgetType::Link, true, line.text.as_str()));
            (false, link.clicked().then(|| reference.clone()))
        }
        Value::Reference(_) => {
            let shown = ui.add(label(weak)).on_hover_text("Target not found");
            ui.add(Label::new(RichText::new(icon::LINK_BREAK).color(weak)).selectable(false));
            (shown.clicked(), None)
        }
        Value::Color(rgba) => {
            let shown = ui.add(label(strong));
            swatch(ui, *rgba);
            (shown.clicked(), None)
        }
        Value::Text(text) if text.is_empty() => {
            (ui.add(Label::new(RichText::new("empty").color(weak).italics()).selectable(false)).clicked(), None)
        }
        Value::None | Value::Raw | Value::Opaque(_) => {
            (ui.add(Label::new(RichText::new(&line.text).color(weak)).truncate().selectable(false)).clicked(), None)
        }
        _ => (ui.add(label(strong)).clicked(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::name_in;

    #[test]
    fn the_name_of_an_object_is_the_end_of_its_path() {
        for (path, name) in [
            ("Skins.OssieBodyPal", "OssieBodyPal"),
            ("Types/Building/ca/house.p3d", "house.p3d"),
            ("REFSKEL0/Bip01.Head", "Bip01.Head"),
            ("Mesh", "Mesh"),
            ("", ""),
        ] {
            assert_eq!(name_in(path), name);
        }
    }
}
