//! Two files, folders or entries side by side: what differs, and how.

mod detail;
mod facts;
mod fields;
mod lists;
mod models;
mod pictures;
mod signs;

pub use detail::CompareView;
pub use models::{DrawModels, Drawn};

use crate::{
    library::compare::{Counts, State as Differs},
    ui::{
        command::{CollectionCommand, Command, CompareCommand, ComparedThing, WindowCommand},
        state::{Comparing, State, Work, names_apart},
        theme,
        widgets::{empty, numbers::grouped},
    },
};
use egui::{Align, Button, Label, Layout, RichText, ScrollArea, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;
use std::path::Path;

/// Width of the list of entries, as a share of the page.
const LIST: f32 = 0.34;
/// The list is no wider than that, in points.
const WIDEST_LIST: f32 = 420.0;
/// Height of the line above both, in points.
const HEAD: f32 = 26.0;
/// Width of the button that changes the sides, with what is around it.
const SWAP: f32 = 48.0;

/// Shows the comparison; `draw` draws two models.
pub fn show(
    ui: &mut Ui,
    state: &State,
    view: &mut CompareView,
    draw: &mut DrawModels<'_>,
    commands: &mut Vec<Command>,
) {
    let comparing = &state.comparing;
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        let Some(targets) = &comparing.targets else { return choose_other(ui, state, commands) };
        head(ui, comparing, commands);
        ui.add_space(4.0);
        if let Some(work) = comparing.work {
            return match state.core.works.get(work) {
                Some(work) => progress(ui, work, commands),
                None => problem(ui, "Stopped", "The comparison is incomplete.", commands),
            };
        }
        if let Some(why) = &comparing.failure {
            return problem(ui, "Cannot compare", why, commands);
        }
        if let Some(folders) = comparing.folders_in_front() {
            return match folders.listed.is_empty() && folders.found.troubles.is_empty() {
                true => same(ui, "All files are identical."),
                false => lists::files(ui, folders, commands),
            };
        }
        let (Some(left), Some(right), Some(found)) = (&comparing.left, &comparing.right, &comparing.found) else {
            return;
        };
        if comparing.listed.is_empty() {
            return same(
                ui,
                match found.equal_bytes {
                    true => "The files are identical.",
                    false if targets.iter().any(|target| target.thing.entry.is_some()) => "The contents are identical.",
                    false => "All entries are identical. The files differ outside the entries.",
                },
            );
        }
        let size = ui.available_size();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let list = vec2((size.x * LIST).min(WIDEST_LIST), size.y);
            ui.allocate_ui_with_layout(list, Layout::top_down(Align::Min), |ui| {
                lists::entries(ui, comparing, (left, right), &found.entries, commands);
            });
            ui.vertical(|ui| detail::show(ui, comparing, view, draw, commands));
        });
    });
}

fn same(ui: &mut Ui, sentence: &str) {
    empty::show(ui, icon::EQUALS, "No differences", sentence);
}

/// Why nothing is shown, with a way to try it once more.
fn problem(ui: &mut Ui, title: &str, sentence: &str, commands: &mut Vec<Command>) {
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.35).max(8.0));
        ui.add(Label::new(RichText::new(icon::WARNING).size(32.0).weak()).selectable(false));
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(title).strong()).selectable(false));
        ui.add(Label::new(RichText::new(sentence).weak()).wrap());
        ui.add_space(8.0);
        let again = ui.button(format!("{}  Compare again", icon::ARROWS_CLOCKWISE));
        again.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Compare again"));
        if again.clicked() {
            commands.push(Command::Compare(CompareCommand::Again));
        }
    });
}

/// How far the work is, with a button that ends it.
fn progress(ui: &mut Ui, work: &Work, commands: &mut Vec<Command>) {
    let progress = work.progress();
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.4).max(8.0));
        ui.add(Label::new(RichText::new("Comparing…").strong()).selectable(false));
        ui.add_space(8.0);
        if progress.total > 0 {
            let share = progress.done as f32 / progress.total as f32;
            let text = format!("{} of {} {}", grouped(progress.done), grouped(progress.total), progress.step);
            ui.add(egui::ProgressBar::new(share).desired_width(280.0).text(text));
        } else {
            ui.spinner();
        }
        ui.add_space(8.0);
        if ui.button(format!("{}  Stop", icon::STOP)).clicked() {
            commands.push(Command::Window(WindowCommand::CancelWork(work.id)));
        }
    });
}

/// The other side is an open file, or one that is pointed at.
fn choose_other(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let first = state.comparing.first.as_ref().map(|first| &first.thing);
    ui.horizontal(|ui| {
        let heading = first.map_or_else(|| "Compare".to_owned(), |first| format!("Compare {} with", first.name()));
        let label = ui.add(Label::new(RichText::new(heading).size(theme::LARGE).strong()).truncate());
        if let Some(first) = first {
            label.on_hover_text(first.path.display().to_string());
            if theme::icon_button(ui, icon::X, "Clear this selection").clicked() {
                commands.push(Command::Compare(CompareCommand::Forget));
            }
        }
    });
    ui.add_space(8.0);
    ui.horizontal_wrapped(|ui| {
        let collected = (icon::STACK, "Collection entry…", Command::Collection(CollectionCommand::Show));
        for (sign, name, command) in [
            (icon::FILE, "File…", Command::Compare(CompareCommand::AskFile)),
            (icon::FOLDER, "Folder…", Command::Compare(CompareCommand::AskFolder)),
        ]
        .into_iter()
        .chain((!state.core.settings.collection.is_empty()).then_some(collected))
        {
            let button = ui.button(format!("{sign}  {name}"));
            button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Compare with {name}")));
            if button.clicked() {
                commands.push(command);
            }
        }
    });
    ui.add_space(12.0);
    offers(ui, state, first, commands);
}

/// Open files, and the folders and containers of the collection.
fn offers(ui: &mut Ui, state: &State, first: Option<&ComparedThing>, commands: &mut Vec<Command>) {
    let is_first = |path: &Path| first.is_some_and(|first| first.entry.is_none() && first.path == path);
    let width = ui.available_width().min(WIDEST_LIST);
    let mut offer = |ui: &mut Ui, sign: &str, path: &Path, command: Command| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        // Two versions of a file have one name.
        let above = path.ancestors().skip(1).take(2).filter_map(Path::file_name);
        let mut above: Vec<_> = above.map(|name| name.to_string_lossy()).collect();
        above.reverse();
        let button = Button::new(format!("{sign}  {name}")).shortcut_text(above.join("/"));
        let button = ui.add(button.min_size(vec2(width, theme::ROW + 4.0)).truncate());
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Compare with {name}")));
        if button.on_hover_text(path.display().to_string()).clicked() {
            commands.push(command);
        }
    };
    let heading = |ui: &mut Ui, text: &str| {
        ui.add(Label::new(RichText::new(text).strong()).selectable(false));
        ui.add_space(2.0);
    };
    ScrollArea::vertical().auto_shrink(false).id_salt("compare files").show(ui, |ui| {
        heading(ui, "Open files");
        let others: Vec<_> = state.core.library.files.iter().filter(|opened| !is_first(&opened.file.path)).collect();
        if others.is_empty() {
            ui.weak(if first.is_some() { "No other file is open." } else { "No file is open." });
        }
        for other in others {
            offer(ui, icon::FILE, &other.file.path, Command::Compare(CompareCommand::With(other.id)));
        }
        let roots: Vec<_> = state.core.settings.collection.iter().filter(|root| !is_first(root)).collect();
        if !roots.is_empty() {
            ui.add_space(12.0);
            heading(ui, "Folders and containers in the collection");
        }
        for root in roots {
            let thing = ComparedThing::whole(root.clone());
            offer(ui, icon::FOLDER, root, Command::Compare(CompareCommand::WithThing(thing)));
        }
    });
}

/// What is compared, the way back to the folders, how much differs.
fn head(ui: &mut Ui, comparing: &Comparing, commands: &mut Vec<Command>) {
    let Some(targets) = &comparing.targets else { return };
    let size = vec2(ui.available_width(), HEAD);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let mut only = !comparing.with_same;
        if ui.checkbox(&mut only, "Differences only").changed() {
            commands.push(Command::Compare(CompareCommand::ChangedOnly(only)));
        }
        let counts = match comparing.folders_in_front() {
            Some(folders) => Some(folders.counts),
            None => comparing.found.as_ref().map(|_| comparing.counts),
        };
        if let Some(counts) = counts {
            tally(ui, counts);
        }
        let size = vec2(ui.available_width(), HEAD);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            way_back(ui, comparing, commands);
            let names = names_apart(targets);
            // Each has at least half of the room, and what the other leaves.
            let room = (ui.available_width() - SWAP).max(48.0);
            let font = egui::TextStyle::Body.resolve(ui.style());
            let color = ui.visuals().strong_text_color();
            let width = |name: &String| ui.fonts_mut(|f| f.layout_no_wrap(name.clone(), font.clone(), color).size().x);
            let widths = names.each_ref().map(width);
            let name = |ui: &mut Ui, at: usize| {
                let most = (room / 2.0).max(room - widths[1 - at]).min(widths[at] + 1.0);
                let text = RichText::new(&names[at]).color(color);
                ui.allocate_ui_with_layout(vec2(most, HEAD), Layout::left_to_right(Align::Center), |ui| {
                    let label = ui.add(Label::new(text).selectable(false).truncate());
                    label.on_hover_text(targets[at].thing.path.display().to_string());
                });
            };
            name(ui, 0);
            if theme::icon_button(ui, icon::ARROWS_LEFT_RIGHT, "Swap sides").clicked() {
                commands.push(Command::Compare(CompareCommand::Swap));
            }
            name(ui, 1);
        });
    });
}

/// From a pair of files to the folders that they lie in.
fn way_back(ui: &mut Ui, comparing: &Comparing, commands: &mut Vec<Command>) {
    let Some(folders) = comparing.folders.as_ref().filter(|folders| folders.is_inside) else { return };
    let [a, b] = names_apart(&folders.targets);
    let names = if a == b { a } else { format!("{a} and {b}") };
    let back = ui.add(Button::new(format!("{}  All files", icon::CARET_LEFT)));
    back.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Back to all files"));
    if back.on_hover_text(format!("All files in {names}")).clicked() {
        commands.push(Command::Compare(CompareCommand::Back));
    }
}

/// How many there are of each kind, in its colour.
fn tally(ui: &mut Ui, counts: Counts) {
    let p = theme::palette(ui);
    let same = ui.label(theme::figures(format!("{} identical", grouped(counts.same))).weak());
    let text = format!("{} different, {} identical", grouped(counts.differing()), grouped(counts.same));
    same.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
    // From right to left.
    for (count, state) in [
        (counts.moved, Differs::Moved),
        (counts.gone, Differs::Gone),
        (counts.added, Differs::Added),
        (counts.changed, Differs::Changed),
    ] {
        if count > 0 {
            let color = signs::of(state, &p).1;
            ui.label(theme::figures(format!("{} {}", grouped(count), state.word())).color(color));
        }
    }
}
