//! The collection: what it holds, a field to search it, what was found as rows or pictures, and which clips fit which models.

mod chips;
mod fits;
mod gallery;
mod header;
mod menu;
mod roots;
mod row;
mod rows;
mod sections;

use crate::{
    library::collection::HINT,
    ui::{
        command::{CollectionCommand, Command, LibraryCommand},
        stage::{
            collection::{fits::FitsView, gallery::CollectionGallery, rows::ResultRows, sections::Grouping},
            links::{self, LinksView},
        },
        state::State,
        theme,
        widgets::{
            empty,
            numbers::{counted, grouped},
            rows::Step,
        },
    },
};
use egui::{
    Align, Align2, FontId, Key, LayerId, Layout, Margin, Order, Rect, RichText, Stroke, StrokeKind, TextEdit, Ui,
    WidgetInfo, WidgetType,
};
use egui_phosphor::regular as icon;

/// Room that the keys need to be named, in points.
const KEYS: f32 = 200.0;

/// What the page remembers between frames.
#[derive(Default)]
pub struct CollectionView {
    words: String,
    /// The field had the keyboard for this turn.
    focused: u64,
    /// The row that keys go on from.
    cursor: Option<usize>,
    /// The search, and the question after fits, that the cursor is for.
    made_for: (u64, u64),
    grouping: Grouping,
    /// What is typed as the name of the roots.
    name: String,
    rows: ResultRows,
    links: LinksView,
    fits: FitsView,
    gallery: CollectionGallery,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    let whole = ui.available_rect_before_wrap();
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        if !collection.has_store() {
            let why = "Cannot find a folder for the index. Set BONEBOX_COLLECTIONS to a file path and restart Bonebox.";
            return empty::show(ui, icon::STACK, "No collection", why);
        }
        if state.core.settings.collection.is_empty() {
            return nothing(ui, state, commands);
        }
        let turns = (collection.search.turn, collection.fits.turn());
        if view.made_for != turns {
            view.cursor = None;
            if view.made_for.0 != turns.0 {
                view.words.clone_from(&collection.search.words);
            }
            view.made_for = turns;
        }
        view.rows.follow(&collection.search.found, view.grouping);
        header::show(ui, state, &mut view.name, commands);
        ui.add_space(8.0);
        field(ui, state, view, commands);
        ui.add_space(4.0);
        if collection.fits.of.is_some() {
            return fits::show(ui, state, &mut view.fits, &mut view.cursor, commands);
        }
        if let Some(of) = &collection.links.of {
            return links::show(ui, state, of, &mut view.links, commands);
        }
        chips::show(ui, state, commands);
        ui.add_space(4.0);
        summary(ui, state, &mut view.grouping, commands);
        ui.add_space(4.0);
        found(ui, state, view, commands);
    });
    if collection.has_store() && ui.input(|i| !i.raw.hovered_files.is_empty()) {
        drop_hint(ui, whole);
    }
}

/// What letting go of files would do.
fn drop_hint(ui: &Ui, whole: Rect) {
    let p = theme::palette(ui);
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, ui.id().with("drop")));
    painter.rect(whole.shrink(6.0), 8.0, p.panel, Stroke::new(2.0, p.accent), StrokeKind::Inside);
    let text = "Drop files to add them to the collection";
    painter.text(whole.center(), Align2::CENTER_CENTER, text, FontId::proportional(theme::LARGE), p.strong);
}

/// What was found, or why nothing was.
fn found(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    let found = &collection.search.found;
    if found.is_empty() {
        let (title, sentence) = match (collection.search.work, collection.work) {
            (Some(_), _) => ("Searching…", "Results will appear here."),
            (None, Some(_)) => ("Indexing…", "Entries will appear here."),
            _ if view.words.is_empty() => ("No entries", "The collection has no entries of this kind."),
            _ => ("No results", "Try fewer words. Hover over the search field to see the search syntax."),
        };
        empty::show(ui, icon::MAGNIFYING_GLASS, title, sentence);
    } else if collection.pictures.are_shown && found.lines.is_empty() {
        gallery::show(ui, state, &mut view.gallery, view.grouping, commands);
    } else {
        // The grouping may have been changed above.
        view.rows.follow(found, view.grouping);
        rows::show(ui, state, &view.rows, &mut view.cursor, commands);
    }
}

/// What to do while the collection is empty.
fn nothing(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space(24.0);
        let button = ui.button(format!("{}  Open folder…", icon::FOLDERS));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Add a folder to the collection"));
        if button.clicked() {
            commands.push(Command::Library(LibraryCommand::OpenFolderDialog));
        }
        roots::to_choose(ui, state, commands);
    });
    let sentence = "Drop a game's folder, a disc image or a mod to index it and search its contents.";
    empty::show(ui, icon::STACK, "The collection is empty", sentence);
}

fn field(ui: &mut Ui, state: &State, view: &mut CollectionView, commands: &mut Vec<Command>) {
    let (collection, before) = (&state.collection, view.words.clone());
    let hint =
        format!("{}  Search the collection. Example: hand class:texture bones>30 text:word", icon::MAGNIFYING_GLASS);
    let edit = TextEdit::singleline(&mut view.words).hint_text(hint).desired_width(f32::INFINITY);
    let edit = ui.add(edit.char_limit(1_000).margin(Margin::symmetric(8, 6))).on_hover_text(HINT);
    edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search collection"));
    if view.focused != collection.focus {
        view.focused = collection.focus;
        edit.request_focus();
    }
    // Keys go through what stands below the field.
    let fits = collection.fits.of.is_some().then(|| collection.fits.shown.as_ref().map_or(0, |fits| fits.fits.len()));
    let count = match (fits, &collection.links.of) {
        (Some(fits), _) => fits,
        (None, Some(_)) => 0,
        (None, None) => view.rows.len(),
    };
    if edit.has_focus()
        && count > 0
        && let Some(step) = Step::pressed_in_field(ui)
    {
        view.cursor = step.row_after(view.cursor, count);
    }
    if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) && count > 0 {
        let at = view.cursor.unwrap_or(0);
        let command = match fits {
            Some(_) => Some(CollectionCommand::PlayFit(at)),
            None => view.rows.at(at).map(CollectionCommand::Open),
        };
        commands.extend(command.map(Command::Collection));
    }
    if view.words != before {
        // Typing goes on while the answer is on its way.
        commands.push(Command::Collection(CollectionCommand::Search(view.words.clone())));
    }
}

/// How much was found, and how it is arranged.
fn summary(ui: &mut Ui, state: &State, grouping: &mut Grouping, commands: &mut Vec<Command>) {
    let found = &state.collection.search.found;
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        let what = if found.query.text().is_some() { "line" } else { "result" };
        let listed = if found.total > found.len() || found.lines.len() >= crate::ui::state::MAX_LISTED {
            format!("; only the first {} are shown", grouped(found.len()))
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
            chips::arrangement(ui, state, grouping, commands);
            if !state.collection.pictures.are_shown && ui.available_width() > KEYS {
                ui.add_space(8.0);
                ui.weak(format!("{} {} to select · Enter to open", icon::ARROW_DOWN, icon::ARROW_UP));
            }
        });
    });
}
