//! One row of the library.

use crate::{
    formats::{Content, Entry, EntryId, Role},
    ui::{
        command::{Command, LibraryCommand, PartsCommand, SelectionCommand, StageCommand},
        library::{
            look::{Look, RowView, Subject},
            menus,
        },
        state::{LibraryOrder, OpenedFile, RowId},
        theme,
        widgets::{
            diagnostic_card,
            numbers::{counted, grouped},
            put, rows,
        },
    },
};
use egui::{
    Align2, Color32, FontId, Painter, Rect, Response, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use egui_phosphor::regular as icon;

/// How far a row stands to the right of the one that it lies in; far down, where names would have no room, less.
const STEP: f32 = 14.0;
const SMALL_STEP: f32 = 5.0;
/// Levels with the large step.
const MAX_LARGE_STEPS: u16 = 6;
/// Width that is left for sign and name, however deep a row lies.
const LEAST_WIDTH: f32 = 120.0;

/// Draws a row and adds the commands of clicks on it.
pub fn show(ui: &mut Ui, line: &rows::Row<'_>, view: &RowView<'_>, commands: &mut Vec<Command>) {
    let (p, row, rect) = (view.p, view.row, line.rect);
    let Some(look) = view.look() else { return };
    let response = line.selectable(ui, view.is_selected(), &view.label(&look));
    let painter = ui.painter_at(rect);
    if row.place().is_none() && view.library.cursor() == Some(row.id) {
        let back = rect.shrink2(vec2(4.0, 0.0));
        painter.rect_stroke(back, 4.0, Stroke::new(1.0, p.accent), egui::StrokeKind::Inside);
    }
    let middle = rect.center().y;
    let left = 8.0 + indent(row.depth).min((rect.width() - LEAST_WIDTH).max(0.0));
    let caret = if row.has_children { line.triangle(ui, left + 7.0, row.open, p) } else { Rect::NOTHING };
    // A flat list has nothing to expand.
    let mut x = rect.left() + left + if view.library.is_filtered() { 4.0 } else { 18.0 };
    let (sign, color) = look.sign;
    painter.text(pos2(x, middle), Align2::LEFT_CENTER, sign, FontId::proportional(15.0), color);
    x += 20.0;
    let mut right = rect.right() - 12.0;
    if view.is_playing() || view.is_shown() {
        let (mark, color) = if view.is_playing() { (icon::PLAY_CIRCLE, p.accent) } else { (icon::EYE, p.weak) };
        let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, mark, FontId::proportional(14.0), color);
        right = drawn.left() - 6.0;
    }
    if let Some(left) = eye(ui, view, &look, rect, right, commands) {
        right = left;
    }
    if view.is_starred() {
        let font = FontId::proportional(12.0);
        let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, icon::STAR, font, p.weak);
        right = drawn.left() - 6.0;
    }
    let (right, is_on_badge) = badge(ui, &painter, view, &look, pos2(right, middle));
    let is_cut = row_text(ui, &painter, view, &look, pos2(x, middle), right);
    react(&response, view, &look, caret, commands);
    response.context_menu(|ui| match &look.subject {
        Subject::Entry(opened, entry) => menus::of_entry(ui, view, &opened.file, entry, commands),
        Subject::Folder(_) | Subject::Group => menus::of_fold(ui, view, commands),
    });
    // The badge has a hint of its own.
    if !is_on_badge {
        response.on_hover_ui(|ui| hint(ui, view, &look, is_cut));
    }
}

/// The eye of a part of the model on the stage: closed while it is hidden, open while the pointer is on the row. Says where it
/// begins.
fn eye(
    ui: &Ui,
    view: &RowView<'_>,
    look: &Look<'_>,
    row: Rect,
    right: f32,
    commands: &mut Vec<Command>,
) -> Option<f32> {
    let place = view.row.place()?;
    let is_hidden = view.state.stages.front.is_hidden(place)?;
    let area = Rect::from_min_max(pos2(right - 18.0, row.top()), pos2(right + 4.0, row.bottom()));
    let response = ui.interact(area, ui.id().with(("eye", view.row.id)), Sense::click());
    let label = format!("{} is shown", look.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, !is_hidden, label.as_str()));
    if response.clicked() {
        commands.push(Command::Parts(PartsCommand::Hide(place, !is_hidden)));
    }
    if is_hidden || ui.rect_contains_pointer(row) {
        let sign = if is_hidden { icon::EYE_SLASH } else { icon::EYE };
        let color = if response.hovered() { view.p.strong } else { view.p.weak };
        let at = pos2(right, row.center().y);
        ui.painter().text(at, Align2::RIGHT_CENTER, sign, FontId::proportional(14.0), color);
    }
    response.on_hover_text(if is_hidden { "Unhide" } else { "Hide" });
    Some(area.left())
}

fn indent(depth: u16) -> f32 {
    let large = depth.min(MAX_LARGE_STEPS);
    f32::from(large) * STEP + f32::from(depth - large) * SMALL_STEP
}

fn react(response: &Response, view: &RowView<'_>, look: &Look<'_>, caret: Rect, commands: &mut Vec<Command>) {
    let row = view.row;
    let pointer = response.interact_pointer_pos();
    let on_caret = row.has_children && pointer.is_some_and(|at| at.x < caret.right());
    let fold = Command::Library(LibraryCommand::Expand(row.id, !row.open));
    let Subject::Entry(_, entry) = &look.subject else {
        if response.clicked() {
            commands.push(fold);
        }
        return;
    };
    let Some(place) = row.place() else { return };
    if response.clicked() && on_caret {
        commands.push(fold);
        return;
    }
    if response.clicked() {
        commands.push(match row.id {
            RowId::Branch { .. } => Command::Selection(SelectionCommand::Row(row.id)),
            _ => Command::Selection(SelectionCommand::Select(place)),
        });
    }
    if response.double_clicked() {
        // A bone of the shown model comes into view.
        let shows = !matches!(entry.content, Content::None | Content::Bytes | Content::Actor)
            || entry.id == EntryId::FILE
            || entry.role == Role::Bone;
        let is_branch = matches!(row.id, RowId::Branch { .. });
        let shows = (shows || !row.has_children) && !is_branch;
        commands.push(if shows { Command::Stage(StageCommand::Show(place)) } else { fold });
    }
}

fn hint(ui: &mut Ui, view: &RowView<'_>, look: &Look<'_>, is_cut: bool) {
    let weak = view.p.weak;
    match &look.subject {
        Subject::Folder(path) => {
            ui.label(path);
            let files = counted(view.row.count.unwrap_or_default() as usize, "file");
            ui.label(theme::figures(files).color(weak));
        }
        Subject::Group => {
            ui.label(view.label(look));
        }
        Subject::Entry(opened, entry) => {
            if entry.id == EntryId::FILE {
                ui.label(opened.file.path.display().to_string());
            } else if view.library.is_filtered() {
                ui.label(entry.path());
            } else if is_cut {
                ui.label(&look.name);
            }
            let unpacked = opened.file.document.container().and_then(|container| container.unpacked_size(entry.id));
            let text = format!("{}  {}", entry.class, counted(unpacked.unwrap_or(entry.size) as usize, "byte"));
            ui.label(theme::figures(text).color(weak));
        }
    }
}

/// Draws the name with marked matches, followed by a count or a location. Returns true if the name was cut.
pub fn row_text(ui: &Ui, painter: &Painter, view: &RowView<'_>, look: &Look<'_>, at: egui::Pos2, right: f32) -> bool {
    let p = view.p;
    let is_file = matches!(view.row.id, RowId::File(_) | RowId::Folder(_));
    let color = if view.is_selected() || is_file { p.strong } else { p.text };
    let plain = TextFormat::simple(FontId::proportional(theme::BODY), color);
    let mut job = LayoutJob::default();
    put::append_marked(&mut job, &look.name, view.library.query(), &plain, p);
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

/// Returns the location of an entry in three forms, the longest first. The nearest parents are kept in all of them.
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

/// Sentences that a badge tells.
const MAX_FINDINGS: usize = 4;

/// What is wrong with the row: a sign and how much of it, its right end at `at`. Returns where the room for text ends and whether
/// the pointer is on it.
pub fn badge(ui: &Ui, painter: &Painter, view: &RowView<'_>, look: &Look<'_>, at: egui::Pos2) -> (f32, bool) {
    let Some((severity, count)) = view.row.trouble.worst() else { return (at.x, false) };
    let (sign, word, color) = diagnostic_card::sign(ui, severity);
    let number = painter.text(at, Align2::RIGHT_CENTER, count, FontId::monospace(theme::SMALL), color);
    let place = pos2(number.left() - 2.0, at.y);
    let drawn = painter.text(place, Align2::RIGHT_CENTER, sign, FontId::proportional(14.0), color);
    let area = drawn.union(number);
    let id = ui.id().with(("trouble", view.row.id));
    let response = ui.interact(area.expand(2.0), id, Sense::hover());
    let told = format!("{} in {}", counted(usize::from(count), &word.to_lowercase()), look.name);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &told));
    let is_pointed_at = response.contains_pointer();
    response.on_hover_ui(|ui| {
        ui.set_max_width(360.0);
        let trouble = view.row.trouble;
        let all = usize::from(trouble.errors) + usize::from(trouble.warnings);
        let findings = view.library.findings(view.row, MAX_FINDINGS);
        for (severity, message) in &findings {
            let (sign, word, color) = diagnostic_card::sign(ui, *severity);
            ui.horizontal_top(|ui| {
                ui.label(egui::RichText::new(sign).color(color));
                ui.add(egui::Label::new(format!("{word}: {message}")).wrap());
            });
        }
        if all > findings.len() {
            let text = format!("{} more", grouped(all - findings.len()));
            ui.label(egui::RichText::new(text).color(view.p.weak));
        }
    });
    (area.left() - 6.0, is_pointed_at)
}
