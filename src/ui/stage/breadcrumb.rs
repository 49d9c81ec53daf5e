//! The frame around what is on a stage: its title, the way to it, and what stands there while nothing is on it.

use crate::{
    formats::{Content, EntryId, Role},
    library::OpenFile,
    ui::{
        command::{Command, SelectionCommand, StageCommand, with_keys},
        short_text::shortened,
        state::{Place, Stage, StageContent, State, Subject},
        theme::{self, Palette},
        widgets::{empty, entry_icon, numbers::counted},
    },
};
use egui::{Align, Button, Label, Layout, RichText, Stroke, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use std::path::{Path, PathBuf};

/// Letters of a name in the way to something; the middle of longer ones is left out.
const MAX_LETTERS: usize = 36;

/// Entries in each other that the way names.
const MAX_DEPTH: usize = 64;

/// Sign and name of what is on a stage.
pub fn title(state: &State, stage: &Stage) -> String {
    let subject = stage.content.subject();
    let file = subject.file().and_then(|file| state.core.file(file));
    let entry = match subject {
        Subject::Entry(place) => file.and_then(|file| file.entry(place.entry)),
        Subject::Nothing
        | Subject::Gallery(_)
        | Subject::Table(_)
        | Subject::Classes(_)
        | Subject::Scripts
        | Subject::Collection
        | Subject::Pictures
        | Subject::Compare => None,
    };
    let palette = Palette::of(state.core.settings.dark);
    match (subject, entry, file) {
        (Subject::Pictures, ..) => format!("{}  All images", icon::IMAGES),
        (Subject::Gallery(_), _, Some(file)) => format!("{}  {}", icon::GRID_FOUR, short(&file.name)),
        (Subject::Table(_), _, Some(file)) => format!("{}  {}", icon::TABLE, short(&file.name)),
        (Subject::Collection, ..) => format!("{}  Collection", icon::STACK),
        (Subject::Compare, ..) => format!("{}  Compare", icon::GIT_DIFF),
        (Subject::Scripts, ..) => format!("{}  Search", icon::FILE_MAGNIFYING_GLASS),
        (Subject::Classes(_), ..) => format!("{}  Classes", icon::TREE_STRUCTURE),
        (_, Some(entry), Some(file)) => {
            let name = if entry.id == EntryId::FILE || entry.name.is_empty() { &*file.name } else { &*entry.name };
            format!("{}  {}", entry_icon::of(entry, &palette).0, short(name))
        }
        _ => format!("{}  Stage", icon::CUBE),
    }
}

fn short(name: &str) -> String {
    shortened(name, MAX_LETTERS)
}

/// The way from the file to what is on the stage and what of it is selected, with back and forward before it.
pub fn breadcrumb(ui: &mut Ui, state: &State, is_front: bool, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let top = ui.max_rect();
    let frame = egui::Frame::new().fill(p.panel).inner_margin(egui::Margin::symmetric(8, 2));
    egui::Panel::top(ui.id().with("way")).frame(frame).resizable(false).show_separator_line(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (sign, name, can, command) in [
                (
                    icon::CARET_LEFT,
                    "Go back",
                    state.stages.front.history.can_go_back(),
                    Command::Stage(StageCommand::Back),
                ),
                (
                    icon::CARET_RIGHT,
                    "Go forward",
                    state.stages.front.history.can_go_forward(),
                    Command::Stage(StageCommand::Forward),
                ),
            ] {
                let label = with_keys(ui.ctx(), name, &command);
                let button = ui.add_enabled_ui(can, |ui| theme::icon_button(ui, sign, &label)).inner;
                if button.clicked() {
                    commands.push(command);
                }
            }
            ui.add_space(6.0);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                ways_to_look(ui, state, commands);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| crumbs(ui, state, &p, commands));
            });
        });
    });
    if is_front && state.stages.iter().nth(1).is_some() {
        // The keys are for this one.
        ui.painter().hline(top.x_range(), top.top() + 1.0, Stroke::new(2.0, p.accent));
    }
}

/// The pictures and the entries of the file on the stage, and a second stage.
fn ways_to_look(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(file) = state.stages.front.content.subject().file() else { return };
    let beside = with_keys(ui.ctx(), "Open to the side", &Command::Stage(StageCommand::OpenBeside(None)));
    if theme::icon_button(ui, icon::SQUARE_SPLIT_HORIZONTAL, &beside).clicked() {
        commands.push(Command::Stage(StageCommand::OpenBeside(
            state.stages.front.content.place().or(state.core.selection),
        )));
    }
    if state.stages.iter().nth(1).is_some() {
        let on = state.stages.are_linked();
        let sign = if on { icon::LINK } else { icon::LINK_BREAK };
        if theme::icon_toggle(ui, sign, "Link cameras and playback", on).clicked() {
            commands.push(Command::Stage(StageCommand::Link(!on)));
        }
    }
    if state.core.has_classes() {
        let on = matches!(state.stages.front.content, StageContent::Classes(_));
        if theme::icon_toggle(ui, icon::TREE_STRUCTURE, "Class hierarchy", on).clicked() && !on {
            commands.push(Command::Stage(StageCommand::ShowClasses(file)));
        }
    }
    let on = matches!(state.stages.front.content, StageContent::Table(_));
    if theme::icon_toggle(ui, icon::TABLE, "All entries of the file as a table", on).clicked() && !on {
        commands.push(Command::Stage(StageCommand::ShowTable(file)));
    }
    if state.core.has_gallery(file) {
        let on = matches!(state.stages.front.content, StageContent::Gallery(_));
        if theme::icon_toggle(ui, icon::GRID_FOUR, "All images of the file", on).clicked() && !on {
            commands.push(Command::Stage(StageCommand::ShowGallery(file)));
        }
    }
}

fn crumbs(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let subject = state.stages.front.content.subject();
    let Some((id, file)) = subject.file().and_then(|id| Some((id, state.core.file(id)?))) else { return };
    let outline = file.document.outline();
    let chain = |entry: EntryId| {
        let mut chain: Vec<EntryId> =
            std::iter::successors(Some(entry), |entry| outline.get(*entry).and_then(|e| e.parent))
                .take(MAX_DEPTH)
                .filter(|entry| *entry != EntryId::FILE)
                .collect();
        chain.reverse();
        chain
    };
    let shown = state.stages.front.content.place().map(|place| place.entry).unwrap_or(EntryId::FILE);
    let selected = state.core.selection.filter(|place| place.file == id).map(|place| place.entry);
    let mut way = chain(shown);
    let known = way.len();
    // What is selected inside of it goes on from there.
    if let Some(inner) = selected.map(chain).filter(|inner| inner.len() > known && inner.starts_with(&way)) {
        way = inner;
    }
    let crumb = |ui: &mut Ui, name: &str, is_shown: bool, entry: EntryId, commands: &mut Vec<Command>| {
        let text = RichText::new(short(name)).color(if is_shown { p.strong } else { p.weak });
        let button = ui.add(Button::new(text).frame(false).truncate());
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Go to {name}")));
        if button.on_hover_text(name).clicked() {
            commands.push(Command::Selection(SelectionCommand::Select(Place { file: id, entry })));
        }
    };
    for above in containers_of(file) {
        let name = above.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = RichText::new(short(&name)).color(p.weak);
        match state.core.library.at_path(&above) {
            Some(container) => {
                let button = ui.add(Button::new(text).frame(false).truncate());
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Go to {name}")));
                if button.on_hover_text(&name).clicked() {
                    let place = Place { file: container, entry: EntryId::FILE };
                    commands.push(Command::Selection(SelectionCommand::Select(place)));
                }
            }
            None => _ = ui.add(Label::new(text).selectable(false)),
        }
        arrow(ui, p);
    }
    crumb(ui, &file.name, known == 0, EntryId::FILE, commands);
    for (index, entry) in way.iter().enumerate() {
        let Some(found) = outline.get(*entry) else { continue };
        arrow(ui, p);
        crumb(ui, &found.name, index + 1 == known, *entry, commands);
    }
    let all = match state.stages.front.content {
        StageContent::Gallery(_) => "All images",
        StageContent::Table(_) => "All entries",
        StageContent::Classes(_) => "Classes",
        _ => return,
    };
    arrow(ui, p);
    ui.add(Label::new(RichText::new(all).color(p.strong)).selectable(false));
}

/// What a file lies in, the file on the disk first: containers, and folders of them. Nothing for one that lies on the disk itself.
fn containers_of(file: &OpenFile) -> Vec<PathBuf> {
    let is_inside = |above: &&Path| above.starts_with(&file.on_disk);
    let mut above: Vec<PathBuf> = file.path.ancestors().skip(1).take_while(is_inside).map(Path::to_owned).collect();
    above.reverse();
    above
}

fn arrow(ui: &mut Ui, p: &Palette) {
    ui.add_space(3.0);
    ui.add(Label::new(RichText::new("›").color(p.weak)).selectable(false));
    ui.add_space(3.0);
}

/// What stands on a stage that shows nothing.
pub fn empty(ui: &mut Ui, state: &State) {
    match &state.stages.front.content {
        StageContent::Failed(failed) => empty::show(ui, icon::WARNING, "Cannot show this entry", &failed.why),
        _ => match state.core.selected_file().filter(|file| !shows_something(file)) {
            Some(file) if file.document.container().is_some() => {
                let files = file.document.outline().entries().iter().filter(|e| e.role == Role::Member).count();
                let sentence = "Double-click a file in the library to open it.";
                empty::show(ui, icon::PACKAGE, &format!("{} in {}", counted(files, "file"), file.name), sentence);
            }
            Some(file) => {
                let sentence = format!(
                    "{} contains no model, image, sound or text. The inspector shows its fields and bytes.",
                    file.name
                );
                empty::show(ui, icon::FILE_DASHED, "Nothing to show", &sentence);
            }
            None => {
                let sentence = "Double-click an entry in the library, or drop a file here.";
                empty::show(ui, icon::CUBE, "No file is open", sentence);
            }
        },
    }
}

/// Whether a file has an entry that a stage can show.
fn shows_something(file: &OpenFile) -> bool {
    let entries = file.document.outline().entries();
    entries.iter().any(|entry| !matches!(entry.content, Content::None | Content::Bytes))
}
