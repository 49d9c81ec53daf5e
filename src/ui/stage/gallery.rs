//! All pictures of a file as thumbnails.

use crate::{
    formats::{Content, Entry},
    library::OpenFile,
    ui::{
        command::{Command, ExportCommand, LibraryCommand, SelectionCommand, StageCommand, WindowCommand},
        query::{EntryQuery, Query},
        state::{FileId, Place, State, THUMBNAIL_SIDE, folder_name},
        theme,
        widgets::{
            empty, filter_field,
            numbers::{counted, grouped},
            put,
            thumbnails::{self, Cell, Marks, ThumbnailTextures},
        },
    },
};
use egui::{Align, FontId, Label, RichText, Slider, Ui, WidgetInfo};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// What the panel remembers between frames.
pub struct GalleryView {
    filter: String,
    /// What the filter asks for.
    query: Query,
    /// Side of a thumbnail, in points.
    side: f32,
    textures: ThumbnailTextures,
    /// The file, its reading and the filter that the list of entries was made for, and the list.
    listed: Option<(FileId, u64, String, Arc<[Place]>)>,
}

impl Default for GalleryView {
    fn default() -> Self {
        Self {
            filter: String::new(),
            query: Query::default(),
            side: 96.0,
            textures: ThumbnailTextures::default(),
            listed: None,
        }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut GalleryView, commands: &mut Vec<Command>) {
    let id = state.core.selection.map(|place| place.file).or_else(|| state.core.library.files.first().map(|f| f.id));
    let Some((id, file)) = id.and_then(|id| Some((id, state.core.file(id)?.clone()))) else {
        empty::show(ui, icon::GRID_FOUR, "No images", "Open a package with textures to see its images here.");
        return;
    };
    let all = file.textures().count();
    if all == 0 {
        let sentence = format!("{} contains no images. Select another file in the library.", file.name);
        return empty::show(ui, icon::GRID_FOUR, "No images", &sentence);
    }
    view.textures.begin();
    let goes_down = bar(ui, &file, all, view, id);
    let before = view.listed.as_ref().map(|(_, _, _, places)| places.clone());
    let places = view.places(id, &file);
    hand_over(state, &places, before.as_ref(), goes_down, commands);
    if places.is_empty() {
        let sentence = "No image matches the filter.";
        return empty::show(ui, icon::FUNNEL, "Nothing found", sentence);
    }
    grid(ui, state, id, &file, &places, view, commands);
}

/// Keys go through the pictures once the filter was left for them; what they go through follows the filter.
fn hand_over(
    state: &State,
    places: &Arc<[Place]>,
    before: Option<&Arc<[Place]>>,
    goes_down: bool,
    commands: &mut Vec<Command>,
) {
    let in_hand = before.zip(state.stages.list_of_stage());
    let is_in_hand = in_hand.is_some_and(|(own, taken)| Arc::ptr_eq(own, &taken));
    let is_other = before.is_none_or(|before| !Arc::ptr_eq(before, places));
    if goes_down && let Some(first) = places.first() {
        let selected = state.core.selection.filter(|selected| places.contains(selected)).unwrap_or(*first);
        commands.push(Command::Selection(SelectionCommand::Select(selected)));
    }
    if goes_down || is_other && is_in_hand {
        commands.push(Command::Selection(SelectionCommand::TakeList(places.clone())));
    }
}

impl GalleryView {
    /// Lets go of pictures whose files are closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        self.textures.keep_open(&is_open);
        self.listed.take_if(|(file, ..)| !is_open(*file));
    }

    /// The pictures that the filter finds by their path.
    fn places(&mut self, id: FileId, file: &OpenFile) -> Arc<[Place]> {
        let entries = file.document.outline().entries();
        if let Some((known, reading, filter, places)) = &self.listed
            && *known == id
            && *reading == file.reading
            && *filter == self.filter
        {
            return places.clone();
        }
        self.query = Query::of(&self.filter);
        let folder = folder_name(&file.path);
        let mut asked = EntryQuery::new(&self.query, file.document.outline(), &file.name, &folder);
        let pictures = entries.iter().filter(|e| e.content == Content::Image && asked.finds_path(e));
        let places: Arc<[Place]> = pictures.map(|e| Place { file: id, entry: e.id }).collect();
        self.listed = Some((id, file.reading, self.filter.clone(), places.clone()));
        places
    }
}

/// Says whether Down was pressed in the filter.
fn bar(ui: &mut Ui, file: &OpenFile, all: usize, view: &mut GalleryView, id: FileId) -> bool {
    let mut goes_down = false;
    let p = theme::palette(ui);
    let found = match &view.listed {
        Some((known, _, filter, places)) if *known == id && *filter == view.filter => places.len(),
        _ => all,
    };
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 6)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let field = filter_field::show(ui, &mut view.filter, "Filter images", 180.0, "Filter images");
            if filter_field::is_given_up(ui, &field) {
                view.filter.clear();
            }
            goes_down = filter_field::leaves_for_list(ui, &field);
            let count = if found == all {
                counted(all, "image")
            } else {
                format!("{} of {}", grouped(found), counted(all, "image"))
            };
            ui.add(Label::new(RichText::new(count).small().color(p.weak)).selectable(false));
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().slider_width = 120.0;
                ui.visuals_mut().widgets.inactive.bg_fill = p.line;
                let slider = ui.add(Slider::new(&mut view.side, 48.0..=THUMBNAIL_SIDE as f32 * 1.5).show_value(false));
                let side = f64::from(view.side);
                slider.widget_info(|| WidgetInfo::slider(true, side, "Thumbnail size"));
                slider.on_hover_text("Thumbnail size");
                ui.label(RichText::new(icon::IMAGE).color(p.weak));
                ui.add(Label::new(RichText::new(&file.name).small().color(p.weak)).truncate().selectable(false));
            });
        });
    });
    goes_down
}

fn grid(
    ui: &mut Ui,
    state: &State,
    id: FileId,
    file: &OpenFile,
    places: &Arc<[Place]>,
    view: &mut GalleryView,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let shown = state.stages.front.image().map(|picture| picture.place);
    let selected = state.core.selection;
    let (mut missing, mut seen, mut clicked) = (false, Vec::new(), false);
    // Each file's pictures are scrolled on their own. The selected one stays in view when the filter changes.
    let target = || selected.and_then(|at| places.iter().position(|place| *place == at));
    let follow = ((selected, view.filter.clone()), target);
    thumbnails::grid(ui, ("gallery", id), (places.len(), view.side), follow, |ui, rect, index| {
        let place = places[index];
        let Some(entry) = file.entry(place.entry) else { return };
        seen.push(place);
        let known = state.thumbnails.get(place);
        missing |= known.is_none();
        let marks = Marks { selected: selected == Some(place), shown: shown == Some(place) };
        let color = if marks.selected { p.strong } else { p.text };
        let line = put::marked_line(&entry.name, &view.query, FontId::proportional(12.0), color, &p);
        let (class, name) = (&*entry.class, &*entry.name);
        let cell = Cell { place, class, says: "", sign: icon::IMAGE, name, line, known, marks };
        let response = thumbnails::cell(ui, rect, &cell, &mut view.textures, &p);
        if response.clicked() {
            commands.push(Command::Stage(StageCommand::Show(place)));
            clicked = true;
        }
        response.context_menu(|ui| clicked |= menu(ui, place, entry, commands));
        response.on_hover_ui(|ui| thumbnails::tip(ui, &entry.path(), &cell, "Click to show"));
    });
    // A click takes the keys along.
    if clicked {
        commands.push(Command::Selection(SelectionCommand::TakeList(places.clone())));
    }
    if missing {
        commands.push(Command::Library(LibraryCommand::WantThumbnails(seen)));
    }
}

/// Draws the menu of a picture. Returns true if the picture is shown.
fn menu(ui: &mut Ui, place: Place, entry: &Entry, commands: &mut Vec<Command>) -> bool {
    let mut shows = false;
    for (sign, name, command) in [
        (icon::EYE, "Show", Command::Stage(StageCommand::Show(place))),
        (icon::EXPORT, "Export…", Command::Export(ExportCommand::Prepare(place))),
        (icon::COPY, "Copy path", Command::Window(WindowCommand::Copy(entry.path().into_owned()))),
    ] {
        if ui.button(format!("{sign}  {name}")).clicked() {
            shows = name == "Show";
            commands.push(command);
            ui.close();
        }
    }
    shows
}
