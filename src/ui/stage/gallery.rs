//! All pictures of a file as thumbnails.

use crate::{
    formats::{Content, Entry},
    library::OpenFile,
    ui::{
        command::{Command, ExportCommand, LibraryCommand, SelectionCommand, StageCommand, WindowCommand},
        query::{EntryQuery, Query},
        state::{FileId, Place, State, THUMBNAIL_SIDE, Thumbnail, ThumbnailState, folder_name},
        theme::{self, Palette},
        widgets::numbers::{counted, grouped},
        widgets::{empty, filter_field, marked, put::put_text},
    },
};
use egui::{
    Align, Align2, Color32, ColorImage, FontId, Label, Rect, RichText, ScrollArea, Sense, Slider, Stroke, StrokeKind,
    TextureHandle, TextureOptions, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use std::{collections::HashMap, sync::Arc};

/// Room for name and size below a thumbnail, in points.
const CAPTION: f32 = 36.0;

/// Between cells, in points.
const GAP: f32 = 8.0;

/// Textures kept; beyond that those out of sight go.
const MAX_TEXTURES: usize = 600;

/// Textures that are made in one frame.
const NEW_A_FRAME: usize = 24;

/// What the panel remembers between frames.
pub struct GalleryView {
    filter: String,
    /// What the filter asks for.
    query: Query,
    /// Side of a thumbnail, in points.
    side: f32,
    textures: HashMap<Place, (Arc<crate::scene::Image>, TextureHandle, u64)>,
    /// The file, its reading and the filter that the list of entries was made for, and the list.
    listed: Option<(FileId, u64, String, Arc<[Place]>)>,
    /// The selection that was last brought into sight.
    followed: Option<Place>,
    frame: u64,
    made: usize,
    /// The file whose pictures are shown, and how far each file's are scrolled, in points.
    file: Option<FileId>,
    offsets: HashMap<FileId, f32>,
}

impl Default for GalleryView {
    fn default() -> Self {
        Self {
            filter: String::new(),
            query: Query::default(),
            side: 96.0,
            textures: HashMap::new(),
            listed: None,
            followed: None,
            frame: 0,
            made: 0,
            file: None,
            offsets: HashMap::new(),
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
    view.begin();
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
        self.textures.retain(|place, _| is_open(place.file));
        self.textures.shrink_to_fit();
        self.listed.take_if(|(file, ..)| !is_open(*file));
        self.offsets.retain(|file, _| is_open(*file));
    }

    fn begin(&mut self) {
        let last = self.frame;
        if self.textures.len() > MAX_TEXTURES {
            self.textures.retain(|_, (_, _, used)| *used == last);
        }
        self.frame += 1;
        self.made = 0;
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
        // What is selected stays in sight among the others.
        self.followed = None;
        places
    }

    fn texture(&mut self, ui: &Ui, place: Place, thumbnail: &Thumbnail) -> Option<egui::TextureId> {
        if let Some((image, texture, used)) = self.textures.get_mut(&place)
            && Arc::ptr_eq(image, &thumbnail.image)
        {
            *used = self.frame;
            return Some(texture.id());
        }
        if self.made >= NEW_A_FRAME {
            ui.ctx().request_repaint();
            return None;
        }
        self.made += 1;
        let image = &thumbnail.image;
        let size = [image.width as usize, image.height as usize];
        let color = |p: &[u8]| match (p, thumbnail.uses_alpha) {
            (&[r, g, b, a], true) => Color32::from_rgba_unmultiplied(r, g, b, a),
            (&[r, g, b, _], false) => Color32::from_rgb(r, g, b),
            _ => Color32::TRANSPARENT,
        };
        let colors: Vec<Color32> = image.rgba.chunks_exact(4).map(color).collect();
        // Small pictures are shown pixel by pixel.
        let smooth = thumbnail.size != (image.width, image.height);
        let options = if smooth { TextureOptions::LINEAR } else { TextureOptions::NEAREST };
        let texture = ui.ctx().load_texture("thumbnail", ColorImage::new(size, colors), options);
        let id = texture.id();
        self.textures.insert(place, (image.clone(), texture, self.frame));
        Some(id)
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
            let edit = filter_field::edit(&mut view.filter).hint_text("Filter images").desired_width(180.0);
            let field = filter_field::with_hint(ui.add(edit));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter images"));
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
    let mut missing = false;
    let mut seen = Vec::new();
    let cell = vec2(view.side, view.side + CAPTION);
    ui.spacing_mut().item_spacing.y = GAP;
    let width = ui.available_width() - 24.0;
    let columns = (((width + GAP) / (cell.x + GAP)) as usize).max(1);
    // What is left over is shared between the columns.
    let step = (width - cell.x * columns as f32) / columns.max(2).saturating_sub(1) as f32 + cell.x;
    let step = if columns > 1 { step.min(cell.x + GAP * 4.0) } else { cell.x };
    let rows = places.len().div_ceil(columns);
    // A selection made elsewhere, or among other pictures than before, is brought into sight.
    let moved = view.followed != state.core.selection;
    view.followed = state.core.selection;
    let target = state.core.selection.filter(|_| moved).and_then(|at| places.iter().position(|place| *place == at));
    let count = commands.len();
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if view.file.replace(id) != Some(id) {
        area = area.vertical_scroll_offset(view.offsets.get(&id).copied().unwrap_or_default());
    }
    let scrolled = area.show_rows(ui, cell.y, rows, |ui, range| {
        if let Some(row) = target.map(|at| at / columns) {
            let y = ui.min_rect().top() + (row as f32 - range.start as f32) * (cell.y + GAP);
            let rect = Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, cell.y));
            if !ui.clip_rect().y_range().contains(rect.center().y) {
                ui.scroll_to_rect(rect, Some(Align::Center));
            }
        }
        for row in range {
            let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), cell.y), Sense::hover());
            let of_row = places.iter().skip(row * columns).take(columns);
            for (column, place) in of_row.enumerate() {
                let Some(entry) = file.entry(place.entry) else { continue };
                let corner = pos2(line.left() + 12.0 + step * column as f32, line.top());
                let rect = Rect::from_min_size(corner, cell);
                seen.push(*place);
                let known = state.thumbnails.get(*place);
                missing |= known.is_none();
                let mark = Marks { selected: state.core.selection == Some(*place), shown: shown == Some(*place) };
                thumbnail(ui, rect, *place, entry, known, mark, view, &p, commands);
            }
        }
    });
    // A click takes the keys along.
    let is_shown = |command: &Command| matches!(command, Command::Stage(StageCommand::Show(_)));
    if commands.get(count..).unwrap_or_default().iter().any(is_shown) {
        commands.push(Command::Selection(SelectionCommand::TakeList(places.clone())));
    }
    view.offsets.insert(id, scrolled.state.offset.y);
    if missing {
        commands.push(Command::Library(LibraryCommand::WantThumbnails(seen)));
    }
}

#[derive(Clone, Copy)]
struct Marks {
    selected: bool,
    shown: bool,
}

#[expect(clippy::too_many_arguments, reason = "a cell needs the state of the grid")]
fn thumbnail(
    ui: &mut Ui,
    rect: Rect,
    place: Place,
    entry: &Entry,
    known: Option<&ThumbnailState>,
    marks: Marks,
    view: &mut GalleryView,
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    let response = ui.interact(rect, ui.id().with(place), Sense::click());
    let name = format!("Image {}", entry.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, marks.selected, name.as_str()));
    let picture = Rect::from_min_size(rect.min, vec2(rect.width(), rect.width()));
    let fill = if marks.selected {
        p.accent_soft
    } else if response.hovered() {
        p.hover
    } else {
        p.zebra
    };
    ui.painter().rect_filled(rect, 6.0, fill);
    let frame = picture.shrink(4.0);
    ui.painter().rect_filled(frame, 4.0, p.field);
    let mut size = String::new();
    match known {
        Some(ThumbnailState::Ready(thumbnail)) => {
            size = format!("{} × {}", thumbnail.size.0, thumbnail.size.1);
            if let Some(texture) = view.texture(ui, place, thumbnail) {
                let pixels = vec2(thumbnail.image.width as f32, thumbnail.image.height as f32);
                let room = frame.size().min_elem();
                let place = Rect::from_center_size(frame.center(), pixels * (room / pixels.max_elem().max(1.0)));
                let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                ui.painter().image(texture, place, uv, Color32::WHITE);
            }
        }
        Some(ThumbnailState::None(_)) => sign(ui, frame, icon::IMAGE_BROKEN, p),
        Some(ThumbnailState::Waiting) | None => sign(ui, frame, icon::IMAGE, p),
    }
    if marks.selected {
        ui.painter().rect_stroke(rect, 6.0, Stroke::new(1.5, p.accent), StrokeKind::Inside);
    }
    if marks.shown {
        let at = picture.right_top() + vec2(-8.0, 8.0);
        let eye = ui.painter().layout_no_wrap(icon::EYE.to_owned(), FontId::proportional(13.0), p.strong);
        let back = Rect::from_min_size(pos2(at.x - eye.size().x, at.y), eye.size()).expand(2.0);
        ui.painter().rect_filled(back, 4.0, p.panel.gamma_multiply(0.85));
        ui.painter().galley(back.min + vec2(2.0, 2.0), eye, p.strong);
    }
    let caption = Rect::from_min_max(picture.left_bottom(), rect.max).shrink2(vec2(6.0, 0.0));
    let (upper, lower) = caption.split_top_bottom_at_fraction(0.5);
    let color = if marks.selected { p.strong } else { p.text };
    let line = marked::line(&entry.name, &view.query, FontId::proportional(12.0), color, p, upper.width());
    let line = ui.painter().layout_job(line);
    let at = upper.center() - line.size() / 2.0;
    ui.painter_at(upper).galley(at, line, color);
    let small = if size.is_empty() { entry.class.to_string() } else { size.clone() };
    put_text(ui, lower.translate(vec2(0.0, -3.0)), Align::Center, p.weak, RichText::new(small).size(theme::SMALL));
    if response.clicked() {
        commands.push(Command::Stage(StageCommand::Show(place)));
    }
    response.context_menu(|ui| {
        for (sign, name, command) in [
            (icon::EYE, "Show", Command::Stage(StageCommand::Show(place))),
            (icon::EXPORT, "Export…", Command::Export(ExportCommand::Prepare(place))),
            (icon::COPY, "Copy path", Command::Window(WindowCommand::Copy(entry.path().into_owned()))),
        ] {
            if ui.button(format!("{sign}  {name}")).clicked() {
                commands.push(command);
                ui.close();
            }
        }
    });
    response.on_hover_ui(|ui| {
        ui.label(entry.path());
        let text = match known {
            Some(ThumbnailState::None(why)) => format!("{}: {why}", entry.class),
            Some(ThumbnailState::Ready(_)) => format!("{}  {size}", entry.class),
            _ => entry.class.to_string(),
        };
        ui.label(RichText::new(text).small().color(p.weak));
        ui.label(RichText::new("Click to show").small().color(p.weak));
    });
}

fn sign(ui: &Ui, frame: Rect, sign: &str, p: &Palette) {
    let font = FontId::proportional(24.0);
    ui.painter().text(frame.center(), Align2::CENTER_CENTER, sign, font, p.weak.gamma_multiply(0.6));
}
