//! What was found in the collection as pictures side by side.

use crate::ui::stage::collection::{
    menu::menu,
    row,
    sections::{self, Grouping, HEADER, Section},
};
use crate::{
    formats::Content,
    library::collection::{About, RowIndex},
    ui::{
        command::{CollectionCommand, Command},
        state::{CollectionFound, PictureKey, STRIP_MOMENTS, State, ThumbnailState, picture_of},
        theme::{self, Palette},
        widgets::{
            empty, entry_icon,
            numbers::counted,
            rows::{Rows, Tops},
            thumbnails::{self, Cell, Columns, Marks, ThumbnailTextures},
        },
    },
};
use egui::{ComboBox, Rect, RichText, Slider, Ui, UiBuilder, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use std::cmp::Reverse;

/// What pictures are put in order by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    /// As they were found.
    #[default]
    Found,
    Name,
    Class,
    /// The file that they lie in.
    File,
    /// The largest first.
    Size,
    /// Those of the file that was written last first.
    Date,
}

const ORDERS: [(Order, &str); 6] = [
    (Order::Found, "relevance"),
    (Order::Name, "name"),
    (Order::Class, "class"),
    (Order::File, "file"),
    (Order::Size, "size"),
    (Order::Date, "date"),
];

/// What the gallery remembers between frames.
pub struct CollectionGallery {
    order: Order,
    /// Side of a picture, in points.
    side: f32,
    textures: ThumbnailTextures<PictureKey>,
    /// Of the moments of clips.
    strips: ThumbnailTextures<PictureKey>,
    listed: Listed,
}

/// Pictures in their order.
#[derive(Default)]
struct Listed {
    made_for: Option<(u64, Order, Grouping)>,
    /// Into what was found.
    order: Vec<usize>,
    sections: Vec<Section>,
    shown: Vec<Line>,
    tops: Tops,
}

/// A line: a section's name, or pictures beside each other.
#[derive(Clone, Copy)]
enum Line {
    Section(usize),
    /// The place of the first one in the order, and how many there are.
    Pictures(usize, usize),
}

impl Default for CollectionGallery {
    fn default() -> Self {
        Self {
            order: Order::default(),
            side: 112.0,
            textures: ThumbnailTextures::default(),
            strips: ThumbnailTextures::default(),
            listed: Listed::default(),
        }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut CollectionGallery, grouping: Grouping, commands: &mut Vec<Command>) {
    view.textures.begin();
    view.strips.begin();
    ui.horizontal(|ui| {
        let text = ORDERS.iter().find(|(order, _)| *order == view.order).map_or("", |(_, text)| text);
        ui.label(RichText::new("Sort by").weak());
        let combo = ComboBox::from_id_salt("order of pictures").selected_text(text).show_ui(ui, |ui| {
            for (order, text) in ORDERS {
                ui.selectable_value(&mut view.order, order, text);
            }
        });
        combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Sort by: {text}")));
        let side = ui.add(Slider::new(&mut view.side, 64.0..=256.0).show_value(false));
        side.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, "Thumbnail size"));
        view.listed.follow(&state.collection.search.found, view.order, grouping);
        ui.label(theme::figures(counted(view.listed.order.len(), "thumbnail")).weak());
        if state.collection.pictures.is_busy() {
            ui.spinner();
        }
    });
    ui.add_space(4.0);
    if view.listed.order.is_empty() {
        let sentence = "The results contain no models, clips, images, sounds, levels or landscapes.";
        empty::show(ui, icon::GRID_FOUR, "No thumbnails", sentence);
    } else {
        grid(ui, state, view, commands);
    }
}

impl Listed {
    /// Puts the pictures of what was found in order, where anything about that is another.
    fn follow(&mut self, found: &CollectionFound, order: Order, by: Grouping) {
        let made_for = Some((found.turn, order, by));
        if self.made_for != made_for {
            let mut list = listed(found, order);
            let row = |index: usize| found.catalog.row(found.hits.get(index)?.row);
            let sections = sections::group(&mut list, by, &found.catalog, row);
            *self = Self { made_for, order: list, sections, ..Self::default() };
        }
    }

    /// Lays them out in so many columns.
    fn lay_out(&mut self, columns: Columns) {
        let mut begin = 0;
        self.shown.clear();
        let mut add = |shown: &mut Vec<Line>, end: usize| {
            while begin < end {
                let count = columns.count.min(end - begin);
                shown.push(Line::Pictures(begin, count));
                begin += count;
            }
        };
        let mut end = 0;
        for (number, section) in self.sections.iter().enumerate() {
            self.shown.push(Line::Section(number));
            end += section.count;
            add(&mut self.shown, end);
        }
        add(&mut self.shown, self.order.len());
        self.tops = Tops::of(self.shown.iter().map(|line| match line {
            Line::Section(_) => HEADER,
            Line::Pictures(..) => columns.height(),
        }));
    }
}

fn listed(found: &CollectionFound, order: Order) -> Vec<usize> {
    let rows = found.hits.iter().enumerate();
    let mut list: Vec<usize> =
        rows.filter(|(_, hit)| picture_of(&found.catalog, hit.row).is_some()).map(|(index, _)| index).collect();
    let row = |index: &usize| found.hits.get(*index).and_then(|hit| found.catalog.row(hit.row));
    let file = |index: &usize| row(index).and_then(|row| found.catalog.file(row.file));
    match order {
        Order::Found => {}
        Order::Name => list.sort_by_cached_key(|index| row(index).map(|row| row.name.to_lowercase())),
        Order::Class => {
            list.sort_by_cached_key(|index| row(index).map(|row| (row.class.to_lowercase(), row.name.to_lowercase())));
        }
        Order::File => list.sort_by_cached_key(|index| file(index).map(|file| file.path.clone())),
        Order::Size => list.sort_by_cached_key(|index| Reverse(row(index).map(|row| row.size))),
        Order::Date => list.sort_by_cached_key(|index| Reverse(file(index).and_then(|file| file.modified))),
    }
    list
}

fn grid(ui: &mut Ui, state: &State, view: &mut CollectionGallery, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let found = &state.collection.search.found;
    let (mut missing, mut seen): (bool, Vec<RowIndex>) = (false, Vec::new());
    let columns = Columns::of(ui.available_width() - ui.spacing().scroll.allocated_width(), view.side);
    let CollectionGallery { listed, textures, strips, .. } = view;
    listed.lay_out(columns);
    let list = Rows::new("pictures", listed.shown.len()).tops(&listed.tops);
    list.show(ui, |ui, row| match &listed.shown[row.index] {
        Line::Section(section) => sections::header(ui, row, &listed.sections[*section]),
        Line::Pictures(first, count) => {
            for column in 0..*count {
                let Some(index) = listed.order.get(first + column).copied() else { continue };
                let Some(hit) = found.hits.get(index) else { continue };
                seen.push(hit.row);
                let place = (columns.cell(row.rect, column), index);
                missing |= !picture(ui, state, place, hit.row, (textures, strips), &p, commands);
            }
        }
    });
    if missing {
        commands.push(Command::Collection(CollectionCommand::WantPictures(seen)));
    }
}

/// Draws a picture; whether it was asked for already.
fn picture(
    ui: &mut Ui,
    state: &State,
    (rect, index): (Rect, usize),
    row: RowIndex,
    (textures, strips): (&mut ThumbnailTextures<PictureKey>, &mut ThumbnailTextures<PictureKey>),
    p: &Palette,
    commands: &mut Vec<Command>,
) -> bool {
    let catalog = &state.collection.search.found.catalog;
    let (Some(picture), Some(of)) = (picture_of(catalog, row), catalog.row(row)) else { return true };
    let known = state.collection.pictures.get(picture.key);
    let sign = match of.content {
        Content::Map => icon::HOUSE_LINE,
        _ => entry_icon::of_role(of.role, p).0,
    };
    let says = match of.about {
        About::Picture { width, height } => format!("{width} × {height}"),
        About::Model { joint_count: 0, triangles, .. } => counted(triangles as usize, "triangle"),
        About::Model { joint_count, .. } => counted(joint_count as usize, "bone"),
        About::Clip { frames, .. } => counted(frames as usize, "frame"),
        About::Sound { duration_secs } => format!("{duration_secs:.1} s"),
        About::Nothing | About::Text { .. } => of.class.to_owned(),
    };
    let is_gone = state.collection.is_gone(&picture.path);
    let (sign, says) = if is_gone { (icon::PLUGS, "missing".to_owned()) } else { (sign, says) };
    let cell = Cell {
        place: picture.key,
        class: of.class,
        says: &says,
        sign,
        name: of.name,
        line: thumbnails::plain_line(of.name, p),
        known,
        marks: Marks::default(),
    };
    // Equal files are one picture, and several cells.
    let own = ui.new_child(UiBuilder::new().id_salt(index).max_rect(rect));
    let response = thumbnails::cell(&own, rect, &cell, textures, p);
    if of.content == Content::Clip
        && let Some(pointer) = response.hover_pos()
    {
        moments(&own, state, (picture.key, row), (rect, pointer.x), strips, p, commands);
    }
    let open = Command::Collection(CollectionCommand::Open(index));
    if response.clicked() {
        commands.push(open.clone());
    }
    response.context_menu(|ui| menu(ui, state, (catalog, row), ("Open", open), commands));
    response.on_hover_ui(|ui| {
        ui.label(row::way(catalog, &of));
        let text = match known {
            Some(ThumbnailState::None(why)) => format!("{}: {why}", of.class),
            _ => format!("{}, {}", of.class, counted(of.size as usize, "byte")),
        };
        ui.label(RichText::new(text).small().color(p.weak));
    });
    known.is_some()
}

/// Draws the moment of a clip that the pointer is at: its first at the left, its last at the right.
fn moments(
    ui: &Ui,
    state: &State,
    (key, row): (PictureKey, RowIndex),
    (rect, pointer): (Rect, f32),
    strips: &mut ThumbnailTextures<PictureKey>,
    p: &Palette,
    commands: &mut Vec<Command>,
) {
    match state.collection.pictures.strip(key) {
        Some(ThumbnailState::Ready(strip)) => {
            let share = (pointer - rect.left()) / rect.width().max(1.0);
            let at = ((share * STRIP_MOMENTS as f32).max(0.0) as u32).min(STRIP_MOMENTS - 1);
            thumbnails::moment(ui, rect, (key, strip), (at, STRIP_MOMENTS), strips, p);
        }
        Some(ThumbnailState::Waiting | ThumbnailState::None(_)) => {}
        None => commands.push(Command::Collection(CollectionCommand::WantStrip(row))),
    }
}
