//! The bytes of the selected entry or of its whole file.

use crate::{
    bytes::{Endian, Source},
    formats::{Entry, EntryId, FieldTree},
    ui::{
        byte_search::ByteScope,
        command::{BytesCommand, Command, CopyBytes, SelectionCommand},
        inspector::byte_search,
        place::owner_entry,
        state::Place,
        theme,
        widgets::{
            byte_reading::{Order, readings},
            diagnostic_card, empty, field_path,
            hex_rows::{Grid, ROW_HEIGHT},
            numbers,
            put::put,
            subject::{EntryFields, Subject},
            value_text,
        },
    },
};
use egui::{
    Align, Button, Color32, EventFilter, Label, Layout, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use std::ops::Range;

/// Panels narrower than this read the numbers in two lines.
const READING_IN_ONE_LINE: f32 = 372.0;

/// What the byte view remembers between frames.
#[derive(Default)]
pub struct BytesView {
    pub whole_file: bool,
    order: Order,
    place: Option<Place>,
    /// The byte that was clicked, whose numbers are read.
    cursor: Option<u64>,
    /// Where a drag began and where it is.
    drag: Option<(u64, u64)>,
    /// The marked bytes when they were drawn last: when others are marked, they are brought into view.
    marked: Option<Range<u64>>,
    /// True if the view scrolls to the marked bytes, or to the start of the entry, when it is drawn next.
    scroll_to_start: bool,
    /// A byte of another entry that was clicked: its field is marked as soon as that entry is shown.
    pending: Option<u64>,
    grid: Option<Grid>,
    /// They were clicked last: Ctrl+F is for them.
    pub has_keyboard: bool,
}

impl BytesView {
    /// Where a byte was drawn last.
    pub fn byte_rect(&self, offset: u64) -> Option<Rect> {
        self.grid.as_ref()?.byte_rect(offset)
    }
}

/// Bytes of the longest number that is read at the cursor.
const LONGEST_NUMBER: u64 = 8;

/// Shows the bytes of an entry.
pub fn show(
    ui: &mut Ui,
    subject: Option<&Subject<'_>>,
    fields: &mut EntryFields,
    view: &mut BytesView,
    commands: &mut Vec<Command>,
) {
    let Some((subject, entry)) = subject.and_then(|s| Some((s, s.entry()?))) else {
        empty::show(ui, icon::BINARY, "No bytes to show", "Select an entry to see its bytes, coloured by field.");
        return;
    };
    let none = FieldTree::default();
    let tree = fields.of(subject).unwrap_or(&none);
    if view.place.map(|p| p.file) != Some(subject.place.file) {
        view.pending = None;
        view.order = match subject.document.base().endian {
            Endian::Little => Order::Little,
            Endian::Big => Order::Big,
        };
    }
    if view.place != Some(subject.place) {
        view.place = Some(subject.place);
        view.drag = None;
        view.cursor = view.pending;
        if let Some(bytes) = view.pending.take().and_then(|offset| owner_bytes(tree, offset)) {
            view.marked = Some(bytes.clone());
            commands.push(Command::Selection(SelectionCommand::Bytes(Some(bytes))));
        } else {
            // Whole files are scrolled to the entry, entries to their start.
            view.scroll_to_start = true;
        }
    }
    bar(ui, subject, view, commands);
    searched(ui, subject, view, commands);
    let source = if view.whole_file || entry.id == EntryId::FILE {
        Ok(subject.document.source_of(entry.id).clone())
    } else {
        subject.document.bytes(entry.id)
    };
    let (source, start) = match source {
        Ok(source) => (source, if view.whole_file { 0 } else { entry.offset }),
        Err(error) => {
            diagnostic_card::failure(ui, &error.to_string(), commands);
            return;
        }
    };
    if source.is_empty() {
        empty::show(
            ui,
            icon::BINARY,
            "No bytes in this entry",
            "This entry consists of other entries. Select File above to see the bytes of the file.",
        );
        return;
    }
    let footer = if ui.available_width() < READING_IN_ONE_LINE { 52.0 } else { 34.0 };
    rows(ui, subject, entry, tree, &source, start, footer, view, commands);
    ui.add_space(4.0);
    reading(ui, &source, start, view);
}

fn bar(ui: &mut Ui, subject: &Subject<'_>, view: &mut BytesView, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let document = subject.document;
        let whole = if document.source_of(subject.place.entry).is_same(document.source()) {
            ("File", true, "All bytes of the file")
        } else {
            ("Decompressed", true, "The decompressed data that contains the entry")
        };
        for (name, whole_file, tip) in [("Entry", false, "The bytes of the selected entry"), whole] {
            if ui.selectable_label(view.whole_file == whole_file, name).on_hover_text(tip).clicked() {
                view.whole_file = whole_file;
                view.scroll_to_start = true;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_marked = subject.selected_bytes.is_some();
            let copy = ui
                .add_enabled(is_marked, Button::new(icon::COPY).frame(false))
                .on_hover_text("Copy bytes as hex")
                .on_disabled_hover_text("Select bytes first: click a field or drag over bytes");
            copy.widget_info(|| WidgetInfo::labeled(WidgetType::Button, is_marked, "Copy bytes as hex"));
            if copy.clicked() {
                commands.push(Command::Bytes(BytesCommand::Copy(CopyBytes::Hex)));
            }
            if let Some(search) = subject.byte_search {
                let button = ui
                    .add(Button::new(icon::MAGNIFYING_GLASS).frame(false).selected(search.is_open))
                    .on_hover_text("Search bytes");
                button.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, search.is_open, "Search bytes"));
                if button.clicked() {
                    let open = if search.is_open { BytesCommand::CloseSearch } else { BytesCommand::OpenSearch };
                    commands.push(Command::Bytes(open));
                }
            }
            if let Some(bytes) = subject.selected_bytes {
                let size = usize::try_from(bytes.end - bytes.start).unwrap_or(usize::MAX);
                let text = format!("0x{:X}  ·  {}", bytes.start, numbers::counted(size, "byte"));
                ui.add(Label::new(RichText::new(text).weak()).truncate());
            }
        });
    });
}

/// What can be copied of the bytes and of the field that they belong to.
fn menu(ui: &mut Ui, subject: &Subject<'_>, commands: &mut Vec<Command>) {
    let is_marked = subject.selected_bytes.is_some();
    for (sign, name, what, needs_mark) in [
        (icon::COPY, "Copy bytes as hex", CopyBytes::Hex, true),
        (icon::TEXT_T, "Copy bytes as text", CopyBytes::Text, true),
        (icon::BRACKETS_CURLY, "Copy bytes as C array", CopyBytes::Array, true),
        (icon::EQUALS, "Copy field value", CopyBytes::Value, true),
        (icon::HASH, "Copy offset", CopyBytes::Offset, false),
        (icon::PATH, "Copy entry path", CopyBytes::Path, false),
    ] {
        if ui.add_enabled(is_marked || !needs_mark, Button::new(format!("{sign}  {name}"))).clicked() {
            commands.push(Command::Bytes(BytesCommand::Copy(what)));
            ui.close();
        }
    }
    ui.separator();
    if ui.button(format!("{}  Search bytes", icon::MAGNIFYING_GLASS)).clicked() {
        commands.push(Command::Bytes(BytesCommand::OpenSearch));
        ui.close();
    }
}

/// The search, while it is open.
fn searched(ui: &mut Ui, subject: &Subject<'_>, view: &BytesView, commands: &mut Vec<Command>) {
    let Some(search) = subject.byte_search.filter(|search| search.is_open) else { return };
    let scope = ByteScope { place: subject.place, whole: view.whole_file, revision: subject.revision };
    let is_current = search.scope.is_some_and(|searched| searched.is_same(&scope, subject.document));
    byte_search::show(ui, search, scope, is_current, subject.selected_bytes, commands);
}

#[expect(clippy::too_many_arguments, reason = "drawing the rows requires the entry, its bytes and the view's state")]
fn rows(
    ui: &mut Ui,
    subject: &Subject<'_>,
    entry: &Entry,
    tree: &FieldTree,
    source: &Source,
    start: u64,
    footer: f32,
    view: &mut BytesView,
    commands: &mut Vec<Command>,
) {
    let end = start + source.len() as u64;
    // Whole rows: none is cut at the bottom.
    let height = ((ui.available_height() - footer) / ROW_HEIGHT).floor().max(1.0) * ROW_HEIGHT;
    let bar_width = ui.spacing().scroll.allocated_width();
    let mut grid = Grid::new(ui, ui.available_width() - bar_width, end);
    let columns = grid.columns as u64;
    let total_rows = source.len().div_ceil(grid.columns);
    let mut area = ScrollArea::vertical()
        .auto_shrink(false)
        .min_scrolled_height(ROW_HEIGHT)
        .max_height(height)
        .id_salt(("bytes", view.whole_file));
    let first_show = std::mem::take(&mut view.scroll_to_start);
    if first_show || view.marked.as_ref() != subject.selected_bytes {
        view.marked = subject.selected_bytes.cloned();
        let target = view.marked.as_ref().map(|m| m.start).or(first_show.then_some(entry.offset));
        let shown = view.grid.as_ref().map(Grid::shown).unwrap_or_default();
        if let Some(target) = target.filter(|t| (start..end).contains(t) && (first_show || !shown.contains(t))) {
            let row = ((target - start) / columns) as f32;
            area = area.vertical_scroll_offset((row * ROW_HEIGHT - height / 3.0).max(0.0));
        }
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    // Rows at the edge are as readable as the others.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    area.show_viewport(ui, |ui, viewport| {
        // One row more than there are, so that the last is never cut; scrolling goes by whole rows, which keeps every
        // offset exact however long the file is.
        ui.set_height((total_rows + 1) as f32 * ROW_HEIGHT);
        ui.set_width(grid.width());
        let visible = ui.clip_rect();
        let first_row = ((viewport.min.y / ROW_HEIGHT).round() as usize).min(total_rows.saturating_sub(1));
        let row_count = ((viewport.height() / ROW_HEIGHT).ceil() as usize + 1).min(total_rows - first_row);
        let area = Rect::from_min_size(
            pos2(ui.max_rect().left(), visible.top()),
            vec2(ui.max_rect().width(), visible.height().min(viewport.height())),
        );
        grid.place(area.min, start + first_row as u64 * columns, end, row_count);
        let response = ui.interact(area, ui.id().with("bytes"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Bytes"));
        paint(ui, &grid, tree, source, start, subject, view);
        if response.clicked() || response.drag_started() || response.secondary_clicked() {
            response.request_focus();
        }
        view.has_keyboard = response.has_focus();
        // Arrows go on meaning what they mean elsewhere.
        let keeps = EventFilter { horizontal_arrows: true, vertical_arrows: true, tab: false, escape: false };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, keeps));
        response.context_menu(|ui| menu(ui, subject, commands));

        let at = |pos: Option<egui::Pos2>| pos.and_then(|p| grid.byte_at(p));
        if response.clicked()
            && let Some(offset) = at(response.interact_pointer_pos())
        {
            click(subject, entry, tree, offset, view, commands);
        }
        if response.drag_started() {
            let origin = ui.input(|i| i.pointer.press_origin());
            view.drag = at(origin).map(|offset| (offset, offset));
        }
        if let (Some((from, _)), true) = (view.drag, response.dragged())
            && let Some(to) = at(response.interact_pointer_pos())
        {
            view.drag = Some((from, to));
        }
        if response.drag_stopped()
            && let Some((from, to)) = view.drag.take()
        {
            let bytes = from.min(to)..from.max(to) + 1;
            view.cursor = Some(bytes.start);
            view.marked = Some(bytes.clone());
            commands.push(Command::Selection(SelectionCommand::Bytes(Some(bytes))));
        }
        if let Some(offset) = at(response.hover_pos()) {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Cell);
            response.on_hover_ui_at_pointer(|ui| tip(ui, subject, entry, tree, offset));
        }
    });
    view.grid = Some(grid);
}

fn paint(ui: &Ui, grid: &Grid, tree: &FieldTree, source: &Source, start: u64, subject: &Subject<'_>, view: &BytesView) {
    let shown = grid.shown();
    let dragged = view.drag.map(|(from, to)| from.min(to)..from.max(to) + 1);
    let marked = dragged.as_ref().or(subject.selected_bytes);
    let painter = ui.painter();
    for leaf in field_path::leaves_in(tree, shown.clone()) {
        let color = field_color(ui, leaf.place);
        for rect in grid.boxes(&leaf.bytes) {
            painter.rect_filled(rect.shrink2(vec2(0.5, 0.0)), 2.0, color);
        }
    }
    for place in subject.byte_search.map(|search| search.within(&shown)).unwrap_or_default() {
        for rect in grid.boxes(place) {
            painter.rect_stroke(rect, 2.0, Stroke::new(1.0, theme::palette(ui).accent), StrokeKind::Inside);
        }
    }
    if let Some(marked) = marked {
        for rect in grid.boxes(marked) {
            painter.rect_filled(rect, 2.0, theme::palette(ui).accent);
        }
    }
    // Of a large file no more is read than is shown.
    let piece = source.slice(shown.start - start, shown.end - shown.start);
    grid.paint(ui, piece.as_ref().map(Source::as_slice).unwrap_or_default(), |o| {
        marked.is_some_and(|m| m.contains(&o))
    });
    if let Some(cursor) = view.cursor {
        for rect in grid.boxes(&(cursor..cursor + 1)) {
            painter.rect_stroke(rect, 2.0, Stroke::new(1.0, ui.visuals().strong_text_color()), StrokeKind::Inside);
        }
    }
}

/// Muted grounds for fields, told apart by their place among their siblings.
fn field_color(ui: &Ui, place: usize) -> Color32 {
    const HUES: [[u8; 3]; 6] =
        [[88, 140, 214], [196, 148, 74], [96, 168, 118], [176, 110, 176], [200, 112, 104], [92, 168, 176]];
    let [r, g, b] = HUES.get(place % HUES.len()).copied().unwrap_or_default();
    let alpha = if ui.visuals().dark_mode { 56 } else { 72 };
    Color32::from_rgba_unmultiplied(r, g, b, alpha)
}

fn owner_bytes(tree: &FieldTree, offset: u64) -> Option<Range<u64>> {
    let leaf = field_path::leaves_in(tree, offset..offset.saturating_add(1)).into_iter().next()?;
    Some(leaf.bytes)
}

fn click(
    subject: &Subject<'_>,
    entry: &Entry,
    tree: &FieldTree,
    offset: u64,
    view: &mut BytesView,
    commands: &mut Vec<Command>,
) {
    view.cursor = Some(offset);
    if let Some(bytes) = owner_bytes(tree, offset) {
        view.marked = Some(bytes.clone());
        commands.push(Command::Selection(SelectionCommand::Bytes(Some(bytes))));
        return;
    }
    match owner_entry(subject.document, entry.id, offset).filter(|owner| owner.id != entry.id) {
        Some(owner) => {
            view.pending = Some(offset);
            commands.push(Command::Selection(SelectionCommand::Select(Place {
                file: subject.place.file,
                entry: owner.id,
            })));
        }
        None => {
            let bytes = Some(offset..offset + 1);
            view.marked = bytes.clone();
            commands.push(Command::Selection(SelectionCommand::Bytes(bytes)));
        }
    }
}

fn tip(ui: &mut Ui, subject: &Subject<'_>, entry: &Entry, tree: &FieldTree, offset: u64) {
    let found = field_path::owner(tree, offset);
    match found.as_ref().and_then(|path| Some((path, field_path::at(tree, path)?))) {
        Some((path, field)) => {
            ui.label(RichText::new(field_path::names(tree, path)).strong());
            let value: String = value_text::shown(&field).chars().take(120).collect();
            ui.label(format!("{} {value}", field.kind));
            let size = usize::try_from(field.size).unwrap_or(usize::MAX);
            let bytes = numbers::counted(size, "byte");
            ui.label(RichText::new(format!("0x{offset:X}, in a field of {bytes} at 0x{:X}", field.offset)).weak());
        }
        None => {
            let owner = owner_entry(subject.document, entry.id, offset).filter(|owner| owner.id != entry.id);
            match owner {
                Some(owner) if owner.id != EntryId::FILE => {
                    ui.label(RichText::new(owner.path()).strong());
                    ui.label(format!("{}: click to select", owner.class));
                }
                _ => {
                    ui.label("This byte is not part of a field");
                }
            }
            ui.label(RichText::new(format!("0x{offset:X}")).weak());
        }
    }
}

/// The numbers at the cursor.
fn reading(ui: &mut Ui, source: &Source, start: u64, view: &mut BytesView) {
    let rect = ui.available_rect_before_wrap();
    let lines = if rect.width() < READING_IN_ONE_LINE { 2 } else { 1 };
    let toggle_rect = Rect::from_min_max(pos2(rect.right() - 32.0, rect.top()), rect.max);
    put(ui, toggle_rect, Layout::right_to_left(Align::Min), |ui| {
        let name = match view.order {
            Order::Little => "LE",
            Order::Big => "BE",
        };
        let toggle = ui.add(Button::new(name).small()).on_hover_text("Byte order of the numbers at the cursor");
        toggle.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Byte order"));
        if toggle.clicked() {
            view.order = view.order.other();
        }
    });
    let text_rect = Rect::from_min_max(rect.min, pos2(toggle_rect.left() - 4.0, rect.bottom()));
    let at = view.cursor.and_then(|cursor| {
        let offset = cursor.checked_sub(start)?;
        source.slice(offset, (source.len() as u64).checked_sub(offset)?.min(LONGEST_NUMBER))
    });
    let readings = at.map(|at| readings(at.as_slice(), view.order)).unwrap_or_default();
    put(ui, text_rect, Layout::top_down(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        if readings.is_empty() {
            ui.add(Label::new(RichText::new("Click a byte to see its values").weak()).truncate());
        }
        for line in readings.chunks(4 / lines) {
            let mut job = egui::text::LayoutJob::default();
            for (index, (kind, value)) in line.iter().enumerate() {
                let space = if index == 0 { 0.0 } else { 10.0 };
                let (text, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
                job.append(kind, space, egui::TextFormat::simple(egui::FontId::proportional(12.0), weak));
                job.append(value, 4.0, egui::TextFormat::simple(egui::FontId::monospace(12.0), text));
            }
            ui.add(Label::new(job).truncate().selectable(true));
        }
    });
    ui.advance_cursor_after_rect(rect);
}
