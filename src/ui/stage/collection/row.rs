//! A result of the collection as a row of two lines.

use crate::{
    files::text_of,
    formats::{Content, EntryId},
    library::collection::{About, Catalog, Row},
    ui::{
        theme,
        widgets::{entry_icon, numbers::counted, put::put_text, rows},
    },
};
use egui::{
    Align, Align2, FontId, Response, Stroke, Ui, pos2,
    text::{LayoutJob, TextFormat},
};
use egui_phosphor::regular as icon;
use std::ops::Range;

/// Height of a row of two lines, in points.
pub const ROW: f32 = 40.0;

/// What a row says.
pub struct ResultRow<'a> {
    pub of: &'a Row<'a>,
    /// What is known of it, behind its name.
    pub known: &'a str,
    /// Why it is there; nothing where that is plain.
    pub reason: &'a str,
    /// Where it lies.
    pub way: &'a str,
    /// Letters of its name that are marked, in bytes.
    pub marks: Vec<Range<usize>>,
    pub is_current: bool,
    /// Its root is not there.
    pub is_gone: bool,
}

/// Draws a row.
pub fn show(ui: &Ui, at: &rows::Row<'_>, row: &ResultRow<'_>) -> Response {
    let (p, rect) = (&theme::palette(ui), at.rect);
    let (of, way) = (row.of, row.way);
    let gone = if row.is_gone { "missing" } else { "" };
    let parts = [of.name, of.class, row.known, row.reason, gone, way];
    let label = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let response = at.selectable(ui, row.is_current, &label);
    let painter = ui.painter_at(rect);
    let (sign, color) = match of.entry {
        EntryId::FILE => (icon::FILE, p.text),
        _ if of.content == Content::Map => (icon::HOUSE_LINE, entry_icon::of_role(of.role, p).1),
        _ => entry_icon::of_role(of.role, p),
    };
    let (sign, color) = if row.is_gone { (icon::PLUGS, p.warning) } else { (sign, color) };
    let (first, second) = (rect.top() + 11.0, rect.top() + 28.0);
    let middle = pos2(rect.left() + 20.0, rect.center().y);
    painter.text(middle, Align2::CENTER_CENTER, sign, FontId::proportional(18.0), color);
    let small = FontId::proportional(theme::SMALL);
    let class = painter.text(pos2(rect.right() - 12.0, first), Align2::RIGHT_CENTER, of.class, small.clone(), p.weak);
    let mut name = LayoutJob::default();
    let plain = TextFormat::simple(FontId::proportional(theme::BODY), if row.is_gone { p.weak } else { p.strong });
    let marked = TextFormat { color: p.accent, underline: Stroke::new(1.0, p.accent), ..plain.clone() };
    let mut done = 0;
    for mark in &row.marks {
        name.append(of.name.get(done..mark.start).unwrap_or_default(), 0.0, plain.clone());
        name.append(of.name.get(mark.clone()).unwrap_or_default(), 0.0, marked.clone());
        done = mark.end;
    }
    name.append(of.name.get(done..).unwrap_or_default(), 0.0, plain);
    if !row.known.is_empty() {
        name.append(row.known, 12.0, TextFormat::simple(small.clone(), p.text));
    }
    let mut below = LayoutJob::default();
    if !row.reason.is_empty() {
        below.append(row.reason, 0.0, TextFormat::simple(small.clone(), p.text));
    }
    let gap = if row.reason.is_empty() { 0.0 } else { 12.0 };
    below.append(way, gap, TextFormat::simple(small, p.weak));
    for (job, middle, right) in [(name, first, class.left() - 12.0), (below, second, rect.right() - 12.0)] {
        let line = rect.with_min_y(middle - 10.0).with_max_y(middle + 10.0);
        put_text(ui, line.with_min_x(rect.left() + 40.0).with_max_x(right), Align::Min, p.text, job);
    }
    let gone =
        if row.is_gone { "The folder of this entry is missing. Restore the folder or reconnect its drive" } else { "" };
    let hover = [row.reason, way, gone].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    response.on_hover_text(hover)
}

/// Where an entry lies: its file, and its path in it.
pub fn way(catalog: &Catalog, of: &Row<'_>) -> String {
    let file = catalog.file(of.file).map(|file| text_of(&file.path).into_owned()).unwrap_or_default();
    if of.entry == EntryId::FILE { file } else { format!("{file} › {}", of.path) }
}

/// What is known of an entry, in words.
pub fn known(row: &Row<'_>) -> String {
    match row.about {
        About::Nothing => String::new(),
        About::Model { joint_count: 0, triangles, .. } => counted(triangles as usize, "triangle"),
        About::Model { joint_count, triangles, .. } => {
            format!("{} · {}", counted(joint_count as usize, "bone"), counted(triangles as usize, "triangle"))
        }
        About::Clip { joint_count: 0, frames, .. } => counted(frames as usize, "frame"),
        About::Clip { joint_count, frames, .. } => {
            format!("{} · {}", counted(joint_count as usize, "bone"), counted(frames as usize, "frame"))
        }
        About::Picture { width, height } => format!("{width} × {height}"),
        About::Sound { duration_secs } => format!("{duration_secs:.1} s"),
        About::Text { lines } => counted(lines as usize, "line"),
    }
}
