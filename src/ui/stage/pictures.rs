//! All pictures of all open files as thumbnails: filtered, sorted, several selected.

use crate::ui::{
    command::{Command, ExportCommand, LibraryCommand, StageCommand, WindowCommand},
    stage::picture_list::{Choice, Order, PictureList, Sizes, name_of},
    state::{FileId, Place, State, THUMBNAIL_SIDE},
    theme,
    widgets::{
        empty, filter_field,
        numbers::{counted, grouped},
        rows,
        thumbnails::{self, Cell, Marks, ThumbnailTextures},
    },
};
use egui::{Align, ComboBox, Key, Label, Layout, Modifiers, RichText, Slider, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use std::collections::BTreeSet;

/// Sizes that are read before the list is made anew.
const SIZES_AT_ONCE: usize = 64;

/// What the panel remembers between frames.
pub struct PicturesView {
    choice: Choice,
    /// Side of a thumbnail, in points.
    side: f32,
    textures: ThumbnailTextures,
    selected: BTreeSet<Place>,
    /// Where Shift+click goes on from.
    anchor: Option<Place>,
    /// What the list was made for, and the list.
    listed: Option<((u64, usize), Choice, PictureList)>,
    /// The files and the choice for which no size is left to be read.
    sized: Option<(u64, Choice)>,
}

impl Default for PicturesView {
    fn default() -> Self {
        Self {
            choice: Choice::default(),
            side: 96.0,
            textures: ThumbnailTextures::default(),
            selected: BTreeSet::new(),
            anchor: None,
            listed: None,
            sized: None,
        }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut PicturesView, commands: &mut Vec<Command>) {
    view.textures.begin();
    if state.stages.front.history.pictures.as_ref().is_none() {
        view.choice.in_use = false;
    }
    view.choice.file.take_if(|file| state.core.file(*file).is_none());
    let list = view.list(state);
    bars(ui, state, view, &list, commands);
    if list.all == 0 {
        let (what, sentence) = match view.choice.palettes {
            true => ("No palettes", "No open file contains a palette."),
            false => ("No images", "Open packages with textures to see all their images here."),
        };
        return empty::show(ui, icon::GRID_FOUR, what, sentence);
    }
    if list.places.is_empty() {
        let unknown = view.choice.wants_sizes() && state.thumbnails.is_busy();
        let sentence = if unknown { "Reading image sizes…" } else { "No image matches the filters." };
        want_sizes(state, view, commands);
        return empty::show(ui, icon::FUNNEL, "Nothing found", sentence);
    }
    keys(ui, view, &list);
    grid(ui, state, view, &list, commands);
    view.listed = view.listed.take().map(|(made_for, choice, _)| (made_for, choice, list));
}

impl PicturesView {
    /// Lets go of pictures whose files are closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        self.textures.keep_open(&is_open);
        self.selected.retain(|place| is_open(place.file));
        // It is for the files as they were.
        self.listed = None;
    }

    /// The pictures that are listed; taken out of the view, which gets them back.
    fn list(&mut self, state: &State) -> PictureList {
        let made_for = (state.core.library.revision(), self.sizes(state));
        if let Some((known, choice, list)) = &mut self.listed
            && *known == made_for
            && *choice == self.choice
            && list.all > 0
        {
            return std::mem::take(list);
        }
        self.listed = Some((made_for, self.choice.clone(), PictureList::default()));
        PictureList::of(state, &self.choice)
    }

    /// How many sizes count: while they are being read, the list is not made anew for each.
    fn sizes(&self, state: &State) -> usize {
        let known = if self.choice.wants_sizes() { state.thumbnails.sizes_known() } else { 0 };
        if state.thumbnails.is_busy() { known - known % SIZES_AT_ONCE } else { known }
    }

    /// What the menu of a picture is about: all that are selected where it is one of them.
    fn meant(&self, place: Place) -> Vec<Place> {
        if self.selected.contains(&place) { self.selected.iter().copied().collect() } else { vec![place] }
    }

    /// A click with Ctrl adds or takes out, one with Shift selects all from the last one.
    fn click(&mut self, place: Place, modifiers: Modifiers, list: &PictureList) {
        let before = self.selected.iter().copied();
        self.selected = rows::select(&list.places, before, &mut self.anchor, place, modifiers).into_iter().collect();
    }
}

/// Width of a list of choices, in points.
const COMBO_WIDTH: f32 = 110.0;

fn bars(ui: &mut Ui, state: &State, view: &mut PicturesView, list: &PictureList, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 6)).show(ui, |ui| {
        ui.horizontal(|ui| {
            let field = filter_field::show(ui, &mut view.choice.filter, "Filter images", 180.0, "Filter images");
            if filter_field::is_given_up(ui, &field) {
                view.choice.filter.clear();
            }
            let what = if view.choice.palettes { "palette" } else { "image" };
            let found = list.places.len();
            let count = match found == list.all {
                true => counted(list.all, what),
                false => format!("{} of {}", grouped(found), counted(list.all, what)),
            };
            ui.add(Label::new(RichText::new(count).small().color(p.weak)).selectable(false));
            let selected = view.selected.len();
            if selected > 0 {
                let export = ui.button(format!("{}  Export selected ({})…", icon::EXPORT, grouped(selected)));
                export.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Export the selected images"));
                if export.clicked() {
                    let places = view.selected.iter().copied().collect();
                    commands.push(Command::Export(ExportCommand::SeveralDialog(places)));
                }
                if theme::icon_button(ui, icon::SELECTION_SLASH, "Clear the selection (Esc)").clicked() {
                    view.selected.clear();
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().slider_width = 120.0;
                ui.visuals_mut().widgets.inactive.bg_fill = p.line;
                let slider = ui.add(Slider::new(&mut view.side, 48.0..=THUMBNAIL_SIDE as f32 * 1.5).show_value(false));
                let side = f64::from(view.side);
                slider.widget_info(|| WidgetInfo::slider(true, side, "Thumbnail size"));
                slider.on_hover_text("Thumbnail size");
                ui.label(RichText::new(icon::IMAGE).color(p.weak));
            });
        });
        ui.horizontal_wrapped(|ui| filters(ui, state, &mut view.choice, list));
    });
}

fn filters(ui: &mut Ui, state: &State, choice: &mut Choice, list: &PictureList) {
    for (palettes, name) in [(false, "Images"), (true, "Palettes")] {
        if ui.selectable_label(choice.palettes == palettes, name).clicked() && choice.palettes != palettes {
            choice.palettes = palettes;
            (choice.group, choice.class) = (None, None);
        }
    }
    ui.separator();
    let package = choice.file.and_then(|file| state.core.file(file)).map(|file| file.name.clone());
    let files = state.core.library.files.iter().map(|f| (f.id, f.file.name.clone())).collect::<Vec<_>>();
    combo(ui, "Package", package.as_deref().unwrap_or("All packages"), |ui| {
        ui.selectable_value(&mut choice.file, None, "All packages");
        for (id, name) in &files {
            if state.core.has_gallery(*id) {
                ui.selectable_value(&mut choice.file, Some(*id), name);
            }
        }
    });
    for (what, all, names, chosen) in [
        ("Group", "All groups", &list.groups, &mut choice.group),
        ("Class", "All classes", &list.classes, &mut choice.class),
    ] {
        let text = chosen.clone().unwrap_or_else(|| all.to_owned());
        combo(ui, what, &text, |ui| {
            ui.selectable_value(chosen, None, all);
            for name in names {
                ui.selectable_value(chosen, Some(name.clone()), name);
            }
        });
    }
    combo(ui, "Size", choice.sizes.name(), |ui| {
        for sizes in Sizes::ALL {
            ui.selectable_value(&mut choice.sizes, sizes, sizes.name());
        }
    });
    combo(ui, "Sort", choice.order.name(), |ui| {
        for order in Order::ALL {
            ui.selectable_value(&mut choice.order, order, order.name());
        }
    });
    if let Some(used) = state.stages.front.history.pictures.as_ref() {
        ui.checkbox(&mut choice.in_use, format!("Used by {}", used.name));
    }
}

fn combo(ui: &mut Ui, what: &str, text: &str, add: impl FnOnce(&mut Ui)) {
    // What has no room goes to the next line; it would be cut.
    if ui.available_size_before_wrap().x < COMBO_WIDTH + 2.0 * ui.spacing().button_padding.x {
        ui.end_row();
    }
    let combo = ComboBox::from_id_salt(what).width(COMBO_WIDTH).height(360.0).truncate().selected_text(text);
    let response = combo.show_ui(ui, |ui| add(ui)).response;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, format!("{what}: {text}")));
}

/// Ctrl+A selects all that are listed, Esc none.
fn keys(ui: &Ui, view: &mut PicturesView, list: &PictureList) {
    if ui.ctx().text_edit_focused() || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    if ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::A)) {
        view.selected = list.places.iter().copied().collect();
    }
    if ui.input(|i| i.key_pressed(Key::Escape)) {
        view.selected.clear();
    }
}

fn grid(ui: &mut Ui, state: &State, view: &mut PicturesView, list: &PictureList, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let shown: Vec<Place> = state.stages.iter().filter_map(|stage| stage.content.place()).collect();
    let (mut missing, mut seen) = (false, Vec::new());
    thumbnails::grid(ui, "pictures", (list.places.len(), view.side), ((), || None), |ui, rect, index| {
        let place = list.places[index];
        let Some((file, entry)) = state.core.file(place.file).and_then(|file| Some((file, file.entry(place.entry)?)))
        else {
            return;
        };
        let known = state.thumbnails.get(place);
        seen.push(place);
        missing |= known.is_none();
        let name = name_of(file, entry);
        let marks = Marks { selected: view.selected.contains(&place), shown: shown.contains(&place) };
        let line = thumbnails::plain_line(name, &p);
        let cell = Cell { place, class: &entry.class, says: "", sign: icon::IMAGE, name, line, known, marks };
        let response = thumbnails::cell(ui, rect, &cell, &mut view.textures, &p);
        let modifiers = ui.input(|i| i.modifiers);
        if response.clicked() && (modifiers.command || modifiers.shift) {
            view.click(place, modifiers, list);
        } else if response.clicked() {
            view.selected.clear();
            view.anchor = Some(place);
            commands.push(Command::Stage(StageCommand::Show(place)));
        }
        response.context_menu(|ui| menu(ui, view, place, &entry.path(), commands));
        let path = format!("{}: {}", file.name, entry.path());
        let hint = "Click to show, Ctrl+click or Shift+click to select";
        response.on_hover_ui(|ui| thumbnails::tip(ui, &path, &cell, hint));
    });
    if missing {
        commands.push(Command::Library(LibraryCommand::WantThumbnails(seen)));
    } else {
        want_sizes(state, view, commands);
    }
}

/// Filters and orders by size need the size of every picture: they are read once, those in sight first.
fn want_sizes(state: &State, view: &mut PicturesView, commands: &mut Vec<Command>) {
    if !view.choice.wants_sizes() || state.thumbnails.is_busy() {
        return;
    }
    let any = Choice { sizes: Sizes::Any, ..view.choice.clone() };
    let asked = Some((state.core.library.revision(), any.clone()));
    if view.sized == asked {
        return;
    }
    let unknown = |place: &Place| state.thumbnails.size_of(*place).is_none() && state.thumbnails.get(*place).is_none();
    let places: Vec<Place> = PictureList::of(state, &any).places.into_iter().filter(unknown).take(256).collect();
    match places.is_empty() {
        true => view.sized = asked,
        false => commands.push(Command::Library(LibraryCommand::WantThumbnails(places))),
    }
}

fn menu(ui: &mut Ui, view: &PicturesView, place: Place, path: &str, commands: &mut Vec<Command>) {
    let meant = view.meant(place);
    let export = match meant.as_slice() {
        [one] => ("Export…".to_owned(), Command::Export(ExportCommand::Prepare(*one))),
        many => (
            format!("Export selected ({})…", grouped(many.len())),
            Command::Export(ExportCommand::SeveralDialog(meant.clone())),
        ),
    };
    for (sign, name, command) in [
        (icon::EYE, "Show".to_owned(), Command::Stage(StageCommand::Show(place))),
        (icon::EXPORT, export.0, export.1),
        (icon::COPY, "Copy image".to_owned(), Command::Stage(StageCommand::CopyPicture(Some(place)))),
        (icon::COPY, "Copy path".to_owned(), Command::Window(WindowCommand::Copy(path.to_owned()))),
    ] {
        if ui.button(format!("{sign}  {name}")).clicked() {
            commands.push(command);
            ui.close();
        }
    }
}
