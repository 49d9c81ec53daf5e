//! The text of a row of the library: the name, and behind it how much there is or where it lies.

use crate::ui::library::look::{Look, RowView, Subject};
use crate::ui::widgets::{marked, numbers::grouped};
use crate::{
    formats::{Entry, EntryId, Role},
    ui::{
        state::{LibraryOrder, OpenedFile, RowId},
        theme,
    },
};
use egui::{
    Color32, FontId, Painter, Ui, pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
};

/// The name with what the filter found in it marked, and behind it how many there are or where it lies. Whether it is cut short.
pub fn show(ui: &Ui, painter: &Painter, view: &RowView<'_>, look: &Look<'_>, at: egui::Pos2, right: f32) -> bool {
    let p = view.p;
    let is_file = matches!(view.row.id, RowId::File(_) | RowId::Folder(_));
    let color = if view.is_selected() || is_file { p.strong } else { p.text };
    let plain = TextFormat::simple(FontId::proportional(theme::BODY), color);
    let mut job = LayoutJob::default();
    marked::append(&mut job, &look.name, view.library.query(), &plain, p);
    // Long names go to the end of the row rather than onto a second line.
    job.break_on_newline = false;
    let count = view.row.count.map(|count| grouped(count as usize));
    let count = count.map(|count| ui.painter().layout_no_wrap(count, FontId::monospace(theme::SMALL), p.weak));
    let room = count.as_ref().map_or(0.0, |count| count.size().x + 6.0);
    job.wrap = TextWrapping::truncate_at_width((right - at.x - room).max(8.0));
    let name = ui.fonts_mut(|f| f.layout_job(job));
    let end = at.x + name.size().x + 6.0;
    let is_cut = name.elided;
    painter.galley(pos2(at.x, at.y - name.size().y / 2.0), name, color);
    if let Some(count) = count {
        painter.galley(pos2(end, at.y - count.size().y / 2.0 + 0.5), count, p.weak);
    } else if let Subject::Entry(opened, entry) = &look.subject
        && view.library.is_filtered()
        && right - end > 24.0
    {
        let ways = ways_to(opened, entry, view.library.order(), view.library.files.len() > 1);
        let path = shortened(ui, &ways, right - end, p.weak);
        painter.galley(pos2(end, at.y - path.size().y / 2.0 + 0.5), path, p.weak);
    }
    is_cut
}

/// What an entry lies in, said shorter and shorter: the nearest levels count most, the file where it is not the only one.
fn ways_to(opened: &OpenedFile, entry: &Entry, order: LibraryOrder, with_file: bool) -> [String; 3] {
    let outline = opened.file.document.outline();
    let above = std::iter::successors(entry.parent.and_then(|id| outline.get(id)), |e| outline.get(e.parent?));
    // Chunks say nothing about what is meant.
    let tells = |e: &&Entry| e.id != EntryId::FILE && (order == LibraryOrder::Structure || e.role != Role::Group);
    let mut above = above.filter(tells).map(|e| &*e.name);
    let (first, second, is_deeper) = (above.next(), above.next(), above.next().is_some());
    let is_file = entry.id == EntryId::FILE;
    let file = (!is_file && (with_file || first.is_none())).then_some(opened.file.name.as_str());
    let way = |names: &[Option<&str>]| names.iter().flatten().copied().collect::<Vec<_>>().join(" › ");
    let more = |is_more: bool| is_more.then_some("…");
    [
        way(&[file, more(is_deeper), second, first]),
        way(&[more(second.is_some() || file.is_some() && first.is_some()), first.or(file)]),
        way(&[first.or(file)]),
    ]
}

/// The first of these texts that there is room for; the last one is cut short.
fn shortened(ui: &Ui, texts: &[String], room: f32, color: Color32) -> std::sync::Arc<egui::Galley> {
    let layout = |text: &String| {
        let mut job = LayoutJob::simple_singleline(text.clone(), FontId::proportional(theme::SMALL), color);
        job.wrap = TextWrapping::truncate_at_width(room);
        ui.fonts_mut(|f| f.layout_job(job))
    };
    let fits = texts.iter().map(layout).find(|galley| !galley.elided);
    fits.unwrap_or_else(|| layout(&texts.last().cloned().unwrap_or_default()))
}
