//! Choosing a texture for a material, among all images of the open files.

use crate::{
    formats::{Content, EntryId},
    ui::{
        command::{Command, LibraryCommand, ModelCommand},
        query::{EntryQuery, Query},
        state::{Place, State, folder_name},
        theme,
        widgets::{
            filter_field,
            numbers::counted,
            thumbnails::{self, Cell, Marks, ThumbnailTextures},
        },
    },
};
use egui::{Id, Key, Label, Modal, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

const SIZE: egui::Vec2 = vec2(720.0, 520.0);

/// Side of a thumbnail, in points.
const SIDE: f32 = 88.0;

/// What the chooser remembers between frames.
#[derive(Default)]
pub struct TextureChooserView {
    filter: String,
    textures: ThumbnailTextures,
    /// The files and the filter that the list was made for, and the list.
    listed: Option<(u64, String, Vec<Place>)>,
    was_open: bool,
}

/// Shows the chooser while a material waits for a texture.
pub fn show(ui: &Ui, state: &State, view: &mut TextureChooserView, commands: &mut Vec<Command>) {
    let named = state.stages.front.model().and_then(|shown| {
        let index = shown.textures.choosing?;
        Some((index, shown.model.materials.get(index.as_usize())?.name.clone()))
    });
    let Some((material, name)) = named else {
        *view = TextureChooserView::default();
        return;
    };
    view.textures.begin();
    let room = ui.ctx().content_rect().size() - vec2(64.0, 96.0);
    let frame = egui::Frame::popup(ui.style()).inner_margin(16.0).corner_radius(8.0);
    let modal = Modal::new(Id::new("texture chooser")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(SIZE.x.min(room.x));
        ui.set_height(SIZE.y.min(room.y));
        let title =
            if name.is_empty() { format!("Texture of material {material}") } else { format!("Texture of {name}") };
        ui.add(Label::new(RichText::new(title).heading()).truncate().selectable(false));
        ui.add_space(8.0);
        let p = theme::palette(ui);
        let revision = state.core.library.revision();
        ui.horizontal(|ui| {
            let field = filter_field::show(ui, &mut view.filter, "Filter textures", 240.0, "Filter textures");
            if !std::mem::replace(&mut view.was_open, true) {
                field.request_focus();
            }
            list(state, view, revision);
            let found = view.listed.as_ref().map_or(0, |(_, _, places)| places.len());
            ui.add(Label::new(RichText::new(counted(found, "image")).small().color(p.weak)).selectable(false));
        });
        ui.add_space(8.0);
        let Some((_, _, places)) = view.listed.take() else { return };
        if places.is_empty() {
            let text = match view.filter.trim().is_empty() {
                true => "No images in the open files. Open a texture package, or drop images on the window.",
                false => "No image matches the filter.",
            };
            ui.add(Label::new(RichText::new(text).color(p.weak)).wrap());
        }
        if let [only] = places.as_slice()
            && ui.input(|i| i.key_pressed(Key::Enter))
        {
            commands.push(Command::Model(ModelCommand::TextureMaterial(material, *only)));
        }
        let mut seen = Vec::new();
        let mut missing = false;
        thumbnails::grid(ui, "textures", (places.len(), SIDE), ((), || None), |ui, rect, index| {
            let place = places[index];
            let Some((file, entry)) =
                state.core.file(place.file).and_then(|file| Some((file, file.entry(place.entry)?)))
            else {
                return;
            };
            let known = state.thumbnails.get(place);
            seen.push(place);
            missing |= known.is_none();
            let name = if entry.id == EntryId::FILE || entry.name.is_empty() { &*file.name } else { &*entry.name };
            let line = thumbnails::plain_line(name, &p);
            let cell = Cell {
                place,
                class: &entry.class,
                says: "",
                sign: icon::IMAGE,
                name,
                line,
                known,
                marks: Marks::default(),
            };
            let response = thumbnails::cell(ui, rect, &cell, &mut view.textures, &p);
            if response.clicked() {
                commands.push(Command::Model(ModelCommand::TextureMaterial(material, place)));
            }
            response.on_hover_text(format!("{}: {}", file.name, entry.path()));
        });
        if missing {
            commands.push(Command::Library(LibraryCommand::WantThumbnails(seen)));
        }
        view.listed = Some((revision, view.filter.clone(), places));
    });
    if modal.should_close() {
        commands.push(Command::Model(ModelCommand::ChooseTexture(None)));
    }
}

/// Lists the images of all open files that the filter finds by their path.
fn list(state: &State, view: &mut TextureChooserView, revision: u64) {
    if view.listed.as_ref().is_some_and(|(known, filter, _)| *known == revision && *filter == view.filter) {
        return;
    }
    let query = Query::of(&view.filter);
    let mut places = Vec::new();
    for opened in &state.core.library.files {
        let (outline, folder) = (opened.file.document.outline(), folder_name(&opened.file.path));
        let mut asked = EntryQuery::new(&query, outline, &opened.file.name, &folder);
        for entry in outline.with_content(Content::Image) {
            // A file that is a picture has no path in itself.
            let is_found = if entry.id == EntryId::FILE { asked.finds(entry) } else { asked.finds_path(entry) };
            if is_found {
                places.push(Place { file: opened.id, entry: entry.id });
            }
        }
    }
    view.listed = Some((revision, view.filter.clone(), places));
}
