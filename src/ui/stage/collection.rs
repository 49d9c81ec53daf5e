//! The collection: what it holds, a field to search it, and what was found.

use crate::{
    formats::{Content, EntryId},
    library::collection::{About, HINT, Row, marks},
    ui::{
        command::{CollectionCommand, Command, LibraryCommand},
        stage::{
            collection_gallery::{self, CollectionGallery},
            collection_menu::menu,
            links::{self, LinksView},
        },
        state::{CollectionFound, State},
        theme::{self, Palette},
        widgets::{
            empty, entry_icon,
            numbers::{counted, grouped},
        },
    },
};
use egui::{
    Align, Align2, FontId, Key, Layout, RichText, ScrollArea, Sense, Stroke, TextEdit, Ui, WidgetInfo, WidgetType,
    pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use egui_phosphor::regular as icon;

/// Height of a row of two lines, in points.
const ROW: f32 = 40.0;
/// Files with problems that are named.
const MAX_TROUBLES: usize = 12;
/// Kinds as they are shown, and as `type:` calls them.
const KINDS: [(&str, &str); 7] = [
    ("Models", "model"),
    ("Clips", "clip"),
    ("Textures", "texture"),
    ("Sounds", "sound"),
    ("Levels", "level"),
    ("Landscapes", "landscape"),
    ("Scripts", "script"),
];

/// What the page remembers between frames.
#[derive(Default)]
pub struct CollectionView {
    words: String,
    /// The field had the keyboard for this turn.
    focused: u64,
    /// The row that keys go on from.
    cursor: Option<usize>,
    made_for: u64,
    links: LinksView,
    gallery: CollectionGallery,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        if !collection.has_store() {
            let why = "There is no folder for its index. Set BONEBOX_COLLECTIONS to a file and start again.";
            return empty::show(ui, icon::STACK, "No collection", why);
        }
        if state.settings.collection.is_empty() {
            return nothing(ui, commands);
        }
        if view.made_for != collection.search.turn {
            view.made_for = collection.search.turn;
            view.cursor = None;
            view.words.clone_from(&collection.search.words);
        }
        header(ui, state, commands);
        ui.add_space(8.0);
        field(ui, state, view, commands);
        ui.add_space(4.0);
        if let Some(of) = &collection.links.of {
            return links::show(ui, state, of, &mut view.links, commands);
        }
        kinds(ui, state, commands);
        ui.add_space(4.0);
        summary(ui, state);
        ui.add_space(4.0);
        if collection.search.found.is_empty() {
            let (title, sentence) = match (collection.search.work, collection.work) {
                (Some(_), _) => ("Searching", "Entries stand here as soon as they are found."),
                (None, Some(_)) => ("Indexing", "Entries stand here as soon as they are known."),
                _ if view.words.is_empty() => {
                    ("Nothing to list", "No file of the collection has anything of this kind.")
                }
                _ => ("Not found", "Try fewer words or letters. The field says on hover what can be asked."),
            };
            empty::show(ui, icon::MAGNIFYING_GLASS, title, sentence);
        } else if collection.pictures.are_shown && collection.search.found.lines.is_empty() {
            collection_gallery::show(ui, state, &mut view.gallery, commands);
        } else {
            rows(ui, state, view, commands);
        }
    });
}

/// What to do while the collection is empty.
fn nothing(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space(24.0);
        let button = ui.button(format!("{}  Open folder…", icon::FOLDERS));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Add a folder to the collection"));
        if button.clicked() {
            commands.push(Command::Library(LibraryCommand::OpenFolderDialog));
        }
    });
    let sentence =
        "Drop a game's folder, a disc image or a mod. Everything in it is indexed and can be found from here.";
    empty::show(ui, icon::STACK, "The collection is empty", sentence);
}

fn header(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Collection").size(theme::LARGE).strong());
        if let Some(catalog) = &collection.catalog {
            let entries = catalog.row_count().saturating_sub(catalog.files().len());
            let files = counted(catalog.files().len(), "file");
            let entries = if entries == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(entries)) };
            let text = format!("{files} · {entries}");
            let label = ui.label(theme::figures(text.clone()).weak());
            label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
        }
        troubles(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if theme::icon_button(ui, icon::ARROWS_CLOCKWISE, "Read what changed").clicked() {
                commands.push(Command::Collection(CollectionCommand::Update));
            }
            ui.menu_button(counted(state.settings.collection.len(), "root"), |ui| roots(ui, state, commands));
            if let Some(work) = state.works().iter().find(|work| Some(work.id) == collection.work) {
                let progress = work.progress();
                if progress.total > 0 {
                    let done = progress.done as f32 / progress.total as f32;
                    let text = format!("{} of {} files", grouped(progress.done), grouped(progress.total));
                    ui.add(egui::ProgressBar::new(done).desired_width(180.0).text(text));
                } else {
                    ui.spinner();
                }
            }
        });
    });
}

/// The folders and containers, each with a button that leaves it out.
fn roots(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    for root in &state.settings.collection {
        ui.horizontal(|ui| {
            let path = root.display().to_string();
            let remove = theme::icon_button(ui, icon::X, &format!("Leave out {path}"));
            if remove.clicked() {
                commands.push(Command::Collection(CollectionCommand::Remove(root.clone())));
            }
            ui.label(path);
        });
    }
    ui.separator();
    if ui.button("Open folder…").clicked() {
        commands.push(Command::Library(LibraryCommand::OpenFolderDialog));
        ui.close();
    }
}

fn troubles(ui: &mut Ui, state: &State) {
    let collection = &state.collection;
    let p = theme::palette(ui);
    if let Some(problem) = &collection.problem {
        ui.label(RichText::new(format!("{}  not indexed", icon::WARNING)).color(p.warning)).on_hover_text(problem);
    }
    if collection.troubles.is_empty() {
        return;
    }
    let text = format!("{}  {}", icon::WARNING, counted(collection.troubles.len(), "problem"));
    let lines = collection.troubles.iter().take(MAX_TROUBLES).map(|(path, why)| format!("{}: {why}", path.display()));
    let mut lines: Vec<String> = lines.collect();
    let more = collection.troubles.len().saturating_sub(lines.len());
    if more > 0 {
        lines.push(format!("and {} more", grouped(more)));
    }
    ui.label(RichText::new(text).color(p.warning)).on_hover_text(lines.join("\n"));
}

fn field(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let (collection, before) = (&state.collection, view.words.clone());
    let hint = format!("{}  Search everything: hand class:texture bones>30 text:word", icon::MAGNIFYING_GLASS);
    let edit = TextEdit::singleline(&mut view.words).hint_text(hint).desired_width(f32::INFINITY);
    let edit = ui.add(edit.char_limit(1_000)).on_hover_text(HINT);
    edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search everything"));
    if view.focused != collection.focus {
        view.focused = collection.focus;
        edit.request_focus();
    }
    let count = collection.search.found.len();
    if edit.has_focus() && count > 0 {
        let pressed = |key| ui.input(|i| i.key_pressed(key));
        let by = isize::from(pressed(Key::ArrowDown)) - isize::from(pressed(Key::ArrowUp));
        if by != 0 {
            let last = count - 1;
            view.cursor = Some(match view.cursor {
                None if by > 0 => 0,
                None => last,
                Some(at) => at.saturating_add_signed(by).min(last),
            });
        }
    }
    if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) && count > 0 {
        commands.push(Command::Collection(CollectionCommand::Open(view.cursor.unwrap_or(0))));
    }
    if view.words != before {
        // Typing goes on while the answer is on its way.
        commands.push(Command::Collection(CollectionCommand::Search(view.words.clone())));
    }
}

fn kinds(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let chosen = state.collection.search.kind;
    ui.horizontal_wrapped(|ui| {
        let all = std::iter::once(("All", None));
        for (name, kind) in all.chain(KINDS.map(|(name, kind)| (name, Some(kind)))) {
            let on = chosen == kind;
            let chip = ui.add(egui::Button::new(name).selected(on));
            chip.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, format!("List: {name}")));
            if chip.clicked() && !on {
                commands.push(Command::Collection(CollectionCommand::SetKind(kind)));
            }
        }
        ui.separator();
        let shown = state.collection.pictures.are_shown;
        for (sign, label, pictures) in [(icon::LIST, "As rows", false), (icon::GRID_FOUR, "As pictures", true)] {
            if theme::icon_toggle(ui, sign, label, shown == pictures).clicked() {
                commands.push(Command::Collection(CollectionCommand::ShowPictures(pictures)));
            }
        }
    });
}

/// How much was found.
fn summary(ui: &mut Ui, state: &State) {
    let found = &state.collection.search.found;
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        let what = if found.query.text().is_some() { "line" } else { "result" };
        let listed = if found.total > found.len() || found.lines.len() >= crate::ui::state::MAX_LISTED {
            format!("; the first {} are listed", grouped(found.len()))
        } else {
            String::new()
        };
        let text = format!("{}{listed}", counted(found.total, what));
        let label = ui.label(theme::figures(text.clone()).weak());
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
        for problem in found.query.problems().iter().chain(&found.problem) {
            ui.label(RichText::new(problem).color(p.warning));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(format!("{} {} choose · Enter opens", icon::ARROW_DOWN, icon::ARROW_UP));
        });
    });
}

fn rows(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let found = &state.collection.search.found;
    let p = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let moved = view.cursor.filter(|_| ui.input(|i| i.key_pressed(Key::ArrowDown) || i.key_pressed(Key::ArrowUp)));
    ScrollArea::vertical().auto_shrink(false).id_salt("collection").show_rows(ui, ROW, found.len(), |ui, range| {
        if let Some(at) = moved {
            let y = ui.min_rect().top() + (at as f32 - range.start as f32) * ROW;
            let rect = egui::Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, ROW));
            ui.scroll_to_rect(rect, None);
        }
        for index in range {
            let line = index.checked_sub(found.hits.len()).and_then(|at| found.lines.get(at));
            let hit = found.hits.get(index).map(|hit| hit.row);
            let of = hit.or_else(|| line.and_then(|line| found.catalog.row_of(line.file, line.entry)));
            let Some(of) = of.and_then(|of| found.catalog.row(of)) else { continue };
            let below = match line {
                Some(line) => format!("{}: {}", line.line.saturating_add(1), line.text),
                None => known(&of),
            };
            let response = row(ui, &p, found, &of, &below, view.cursor == Some(index), index % 2 == 1);
            if response.clicked() {
                view.cursor = Some(index);
                commands.push(Command::Collection(CollectionCommand::Open(index)));
            }
            response.context_menu(|ui| menu(ui, state, &of, index, commands));
        }
    });
}

/// Draws a result.
fn row(
    ui: &mut Ui,
    p: &Palette,
    found: &CollectionFound,
    of: &Row<'_>,
    known: &str,
    current: bool,
    odd: bool,
) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let file = found.catalog.file(of.file).map(|file| file.path.display().to_string()).unwrap_or_default();
    let way = if of.entry == EntryId::FILE { file } else { format!("{file} › {}", of.path) };
    let label = format!("{}, {}, {known}, {way}", of.name, of.class);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, current, label.as_str()));
    let painter = ui.painter_at(rect);
    let fill = match (current, response.hovered(), odd) {
        (true, ..) => p.accent_soft,
        (_, true, _) => p.hover,
        (_, _, true) => p.zebra,
        _ => egui::Color32::TRANSPARENT,
    };
    painter.rect_filled(rect, 4.0, fill);
    let (sign, color) = match of.entry {
        EntryId::FILE => (icon::FILE, p.text),
        _ if of.content == Content::Map => (icon::HOUSE_LINE, entry_icon::of_role(of.role, p).1),
        _ => entry_icon::of_role(of.role, p),
    };
    let (first, second) = (rect.top() + 11.0, rect.top() + 28.0);
    painter.text(
        pos2(rect.left() + 20.0, rect.center().y),
        Align2::CENTER_CENTER,
        sign,
        FontId::proportional(18.0),
        color,
    );
    let small = FontId::proportional(theme::SMALL);
    let class = painter.text(pos2(rect.right() - 12.0, first), Align2::RIGHT_CENTER, of.class, small.clone(), p.weak);
    let left = rect.left() + 40.0;
    let mut name = LayoutJob::default();
    let plain = TextFormat::simple(FontId::proportional(theme::BODY), p.strong);
    let marked = TextFormat { color: p.accent, underline: Stroke::new(1.0, p.accent), ..plain.clone() };
    let mut done = 0;
    for mark in marks(&found.query, of.name) {
        name.append(of.name.get(done..mark.start).unwrap_or_default(), 0.0, plain.clone());
        name.append(of.name.get(mark.clone()).unwrap_or_default(), 0.0, marked.clone());
        done = mark.end;
    }
    name.append(of.name.get(done..).unwrap_or_default(), 0.0, plain);
    if !known.is_empty() {
        name.append(known, 12.0, TextFormat::simple(small.clone(), p.text));
    }
    let mut where_it_lies = LayoutJob::default();
    where_it_lies.append(&way, 0.0, TextFormat::simple(small, p.weak));
    let lines = [(name, first, class.left() - 12.0), (where_it_lies, second, rect.right() - 12.0)];
    for (mut job, middle, right) in lines {
        job.break_on_newline = false;
        job.wrap = TextWrapping::truncate_at_width((right - left).max(20.0));
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        painter.galley(pos2(left, middle - galley.size().y / 2.0), galley, p.text);
    }
    response.on_hover_text(way)
}

/// What is known of an entry, in words.
fn known(row: &Row<'_>) -> String {
    match row.about {
        About::Nothing => String::new(),
        About::Model { joint_count: 0, triangles, .. } => counted(triangles as usize, "triangle"),
        About::Model { joint_count, triangles, .. } => {
            format!("{} · {}", counted(joint_count as usize, "bone"), counted(triangles as usize, "triangle"))
        }
        About::Clip { joint_count, frames, .. } => {
            format!("{} · {}", counted(joint_count as usize, "bone"), counted(frames as usize, "frame"))
        }
        About::Picture { width, height } => format!("{width} × {height}"),
        About::Sound { duration_secs } => format!("{duration_secs:.1} s"),
        About::Text { lines } => counted(lines as usize, "line"),
    }
}
