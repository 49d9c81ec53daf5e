//! Two files side by side: the entries that differ, and what differs in the chosen one.

use crate::{
    formats::EntryId,
    library::{
        OpenFile,
        compare::{
            AssetDifference, ClipDifference, EntryPair, FieldRow, Line, ModelDifference, PictureDifference,
            State as Differs,
        },
    },
    scene::Image,
    ui::{
        command::{Command, CompareCommand},
        state::{Comparing, Detail, State},
        theme::{self, Palette},
        widgets::{empty, numbers::grouped},
    },
};
use egui::{
    Align, Align2, Color32, ColorImage, FontId, Label, Layout, RichText, ScrollArea, Sense, TextureHandle,
    TextureOptions, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// Width of the list of entries, as a share of the page.
const LIST: f32 = 0.34;
/// Height that lines of text take at most, as a share of the page, where fields stand above them.
const LOWER: f32 = 0.5;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct CompareView {
    /// The pictures of the chosen entry.
    pictures: Option<(Arc<Image>, TextureHandle, Arc<Image>, TextureHandle)>,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut CompareView, commands: &mut Vec<Command>) {
    let comparing = &state.comparing;
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        let (Some(left), Some(right)) = (&comparing.left, &comparing.right) else {
            return choose_other(ui, state, commands);
        };
        head(ui, comparing, left, right, commands);
        ui.add_space(4.0);
        let Some(found) = &comparing.found else {
            let sentence = "What differs stands here as soon as it is known.";
            return empty::show(ui, icon::GIT_DIFF, "Comparing", sentence);
        };
        let listed = comparing.listed();
        if listed.is_empty() {
            let sentence = match found.equal_bytes {
                true => "Both files are the same, byte for byte.",
                false => "Their entries say the same; the bytes are others.",
            };
            return empty::show(ui, icon::EQUALS, "Nothing differs", sentence);
        }
        let size = ui.available_size();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.allocate_ui(vec2(size.x * LIST, size.y), |ui| {
                entries(ui, comparing, (left, right), &found.entries, &listed, commands);
            });
            ui.vertical(|ui| detail(ui, comparing, view));
        });
    });
}

/// The other file is one of those that are open.
fn choose_other(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(left) = &state.comparing.left else {
        let sentence = "Choose “Compare with…” in the menu of a file.";
        return empty::show(ui, icon::GIT_DIFF, "Nothing to compare", sentence);
    };
    ui.add(Label::new(RichText::new(format!("Compare {} with", left.name)).strong()));
    ui.add_space(4.0);
    let others = state.library.files.iter().filter(|opened| !Arc::ptr_eq(&opened.file, left));
    let mut any = false;
    ScrollArea::vertical().auto_shrink(false).id_salt("compare files").show(ui, |ui| {
        for other in others {
            any = true;
            let button = ui.button(format!("{}  {}", icon::FILE, other.file.name));
            if button.on_hover_text(other.file.path.display().to_string()).clicked() {
                commands.push(Command::Compare(CompareCommand::With(other.id)));
            }
        }
        if !any {
            ui.weak("No other file is open: open one, and it is listed here.");
        }
    });
}

fn head(ui: &mut Ui, comparing: &Comparing, left: &OpenFile, right: &OpenFile, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.add(Label::new(RichText::new(&left.name).strong()).selectable(false).truncate())
            .on_hover_text(left.path.display().to_string());
        if theme::icon_button(ui, icon::ARROWS_LEFT_RIGHT, "Change the sides").clicked() {
            commands.push(Command::Compare(CompareCommand::Swap));
        }
        ui.add(Label::new(RichText::new(&right.name).strong()).selectable(false).truncate())
            .on_hover_text(right.path.display().to_string());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut only = !comparing.with_same;
            if ui.checkbox(&mut only, "Changed only").changed() {
                commands.push(Command::Compare(CompareCommand::ChangedOnly(only)));
            }
            if let Some(found) = &comparing.found {
                let counts = found.counts();
                let text = format!("{} differ, {} are the same", grouped(counts.differing()), grouped(counts.same));
                let label = ui.label(theme::figures(text.clone()).weak());
                label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
            }
        });
    });
}

/// Sign and colour of a state.
fn look(state: Differs, p: &Palette) -> (&'static str, Color32) {
    let color = match state {
        Differs::Same => p.weak,
        Differs::Changed => p.warning,
        Differs::Added => p.good,
        Differs::Gone => p.error,
        Differs::Moved => p.accent,
    };
    let sign = if state == Differs::Same { " " } else { state.sign() };
    (sign, color)
}

fn name(file: &OpenFile, id: Option<EntryId>) -> Option<String> {
    let entry = file.entry(id?)?;
    Some(if entry.id == EntryId::FILE { "the file itself".to_owned() } else { entry.path().into_owned() })
}

fn entries(
    ui: &mut Ui,
    comparing: &Comparing,
    (left, right): (&OpenFile, &OpenFile),
    all: &[EntryPair],
    listed: &[usize],
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).id_salt("compared entries").show_rows(
        ui,
        theme::ROW,
        listed.len(),
        |ui, range| {
            for at in listed.get(range).unwrap_or_default() {
                let Some(pair) = all.get(*at) else { continue };
                let (of_left, of_right) = (name(left, pair.left), name(right, pair.right));
                let text = match (pair.state, of_left, of_right) {
                    (Differs::Moved, Some(from), Some(to)) => format!("{from} → {to}"),
                    (_, from, to) => from.or(to).unwrap_or_default(),
                };
                let is_chosen = comparing.chosen == Some(*at);
                let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
                let label = format!("{}: {text}", pair.state.word());
                response
                    .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_chosen, label.as_str()));
                let fill = match (is_chosen, response.hovered()) {
                    (true, _) => p.accent_soft,
                    (_, true) => p.hover,
                    _ => Color32::TRANSPARENT,
                };
                let painter = ui.painter_at(rect);
                painter.rect_filled(rect, 4.0, fill);
                let (sign, color) = look(pair.state, &p);
                let middle = rect.center().y;
                painter.text(
                    pos2(rect.left() + 12.0, middle),
                    Align2::CENTER_CENTER,
                    sign,
                    FontId::monospace(14.0),
                    color,
                );
                let font = FontId::proportional(theme::BODY);
                painter.text(pos2(rect.left() + 26.0, middle), Align2::LEFT_CENTER, &text, font, p.text);
                if response.on_hover_text(&text).clicked() {
                    commands.push(Command::Compare(CompareCommand::Choose(*at)));
                }
            }
        },
    );
}

fn detail(ui: &mut Ui, comparing: &Comparing, view: &mut CompareView) {
    let pair = comparing.chosen.and_then(|at| comparing.found.as_ref()?.entries.get(at));
    let Some(pair) = pair else { return };
    if pair.left.is_none() || pair.right.is_none() {
        let sentence = if pair.left.is_none() { "It is only on the right." } else { "It is only on the left." };
        return empty::show(ui, icon::GIT_DIFF, pair.state.word(), sentence);
    }
    let Some((_, detail)) = &comparing.detail else {
        ui.spinner();
        return;
    };
    let height = ui.available_height();
    match &detail.shown {
        Some(AssetDifference::Text(text)) if !text.parts.is_empty() => {
            let lines: Vec<&Line> = text.parts.iter().flat_map(|part| &part.lines).collect();
            text_lines(ui, &lines, height * LOWER);
        }
        Some(AssetDifference::Picture { difference, left, right }) => pictures(ui, difference, left, right, view),
        Some(AssetDifference::Model(model)) => facts(ui, &model_facts(model)),
        Some(AssetDifference::Clip(clip)) => facts(ui, &clip_facts(clip)),
        _ => {}
    }
    fields(ui, detail, comparing.with_same);
}

fn text_lines(ui: &mut Ui, lines: &[&Line], height: f32) {
    let p = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let row = theme::ROW - 4.0;
    ScrollArea::both().auto_shrink([false, true]).max_height(height).id_salt("compared lines").show_rows(
        ui,
        row,
        lines.len(),
        |ui, range| {
            for line in lines.get(range).unwrap_or_default() {
                let (sign, color) = look(line.state, &p);
                let number = |number: Option<usize>| number.map(|number| number.to_string()).unwrap_or_default();
                let text = format!("{:>5} {:>5} {sign} {}", number(line.left), number(line.right), line.text);
                let color = if line.state == Differs::Same { p.text } else { color };
                let label = Label::new(RichText::new(text).monospace().size(12.0).color(color)).extend();
                let said = format!("{}: {}", line.state.word(), line.text);
                ui.add(label).widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, said.as_str()));
            }
        },
    );
    ui.separator();
}

fn pictures(ui: &mut Ui, found: &PictureDifference, left: &Arc<Image>, right: &Arc<Image>, view: &mut CompareView) {
    let is_known = view.pictures.as_ref().is_some_and(|(a, _, b, _)| Arc::ptr_eq(a, left) && Arc::ptr_eq(b, right));
    if !is_known {
        let load = |name: &str, image: &Image| {
            let size = [image.width as usize, image.height as usize];
            // Damaged pictures may hold less than they say.
            let pixels = match size[0] * size[1] * 4 == image.rgba.len() {
                true => ColorImage::from_rgba_unmultiplied(size, &image.rgba),
                false => ColorImage::filled([1, 1], Color32::TRANSPARENT),
            };
            ui.ctx().load_texture(name, pixels, TextureOptions::NEAREST)
        };
        view.pictures = Some((left.clone(), load("compared left", left), right.clone(), load("compared right", right)));
    }
    let Some((_, a, _, b)) = &view.pictures else { return };
    let width = (ui.available_width() / 2.0 - 8.0).max(16.0);
    let height = (ui.available_height() * LOWER).max(16.0);
    ui.horizontal_top(|ui| {
        for (texture, side) in [(a, "left"), (b, "right")] {
            let image = egui::Image::new(texture).max_size(vec2(width, height)).fit_to_fraction(vec2(1.0, 1.0));
            let label = format!("Picture on the {side}");
            ui.add(image.alt_text(label));
        }
    });
    let size = |(width, height): (u32, u32)| format!("{width} × {height}");
    let text = match found.pixels {
        None => format!("{} and {}", size(found.left), size(found.right)),
        Some(0) => "All pixels are the same".to_owned(),
        Some(count) => format!("{} pixels differ, by {} of 255 at most", grouped(count), found.largest),
    };
    facts(ui, &[text]);
}

fn model_facts(model: &ModelDifference) -> Vec<String> {
    let both = |name: &str, [left, right]: [usize; 2]| match left == right {
        true => format!("{} {name}", grouped(left)),
        false => format!("{} → {} {name}", grouped(left), grouped(right)),
    };
    let mut facts = vec![
        both("meshes", model.meshes),
        both("points", model.points),
        both("triangles", model.triangles),
        both("joints", model.joints.counts),
    ];
    facts.extend(model.joints.differing.iter().map(|(state, name)| format!("{} joint {name}", state.sign())));
    if model.moved_points > 0 {
        facts.push(format!("{} points moved, by {} at most", grouped(model.moved_points), model.largest_distance));
    }
    facts
}

fn clip_facts(clip: &ClipDifference) -> Vec<String> {
    let [left, right] = clip.frames;
    let [left_rate, right_rate] = clip.rates;
    let mut facts = vec![format!("{left} → {right} frames, {left_rate} → {right_rate} a second")];
    facts.extend(clip.joints.differing.iter().map(|(state, name)| format!("{} joint {name}", state.sign())));
    facts
}

fn facts(ui: &mut Ui, facts: &[String]) {
    for fact in facts {
        ui.label(theme::figures(fact.clone()));
    }
    ui.separator();
}

fn fields(ui: &mut Ui, detail: &Detail, with_same: bool) {
    let p = theme::palette(ui);
    let is_listed = |row: &&FieldRow| with_same || row.state != Differs::Same;
    let rows: Vec<&FieldRow> = detail.fields.rows.iter().filter(is_listed).collect();
    if rows.is_empty() {
        ui.weak("No field differs.");
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).id_salt("compared fields").show_rows(
        ui,
        theme::ROW,
        rows.len(),
        |ui, range| {
            let first = range.start;
            for (index, row) in rows.get(range).unwrap_or_default().iter().enumerate() {
                field(ui, row, (first + index) % 2 == 1, &p);
            }
        },
    );
}

fn field(ui: &mut Ui, row: &FieldRow, odd: bool, p: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let (left, right) = (value(&row.left), value(&row.right));
    let label = format!("{}: {}: {left}, {right}", row.state.word(), row.path);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
    let painter = ui.painter_at(rect);
    if odd {
        painter.rect_filled(rect, 0.0, p.zebra);
    }
    let (sign, color) = look(row.state, p);
    let middle = rect.center().y;
    painter.text(pos2(rect.left() + 10.0, middle), Align2::CENTER_CENTER, sign, FontId::monospace(13.0), color);
    let (third, start) = ((rect.width() - 22.0) / 3.0, rect.left() + 22.0);
    let font = FontId::proportional(theme::BODY);
    let differs = if row.state == Differs::Same { p.text } else { color };
    for (column, (text, color)) in [(&row.path, p.text), (&left, differs), (&right, differs)].into_iter().enumerate() {
        let x = start + third * column as f32;
        let mut job = egui::text::LayoutJob::simple_singleline(text.clone(), font.clone(), color);
        job.wrap = egui::text::TextWrapping::truncate_at_width((third - 8.0).max(8.0));
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        painter.galley(pos2(x, middle - galley.size().y / 2.0), galley, color);
    }
    response.on_hover_text(label);
}
