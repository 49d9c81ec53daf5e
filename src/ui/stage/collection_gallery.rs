//! What was found in the collection as pictures side by side.

use crate::{
    formats::Content,
    library::collection::{About, RowIndex},
    ui::{
        command::{CollectionCommand, Command},
        stage::collection_menu::menu,
        state::{CollectionFound, PictureKey, State, ThumbnailState, picture_of},
        theme,
        widgets::{
            empty, entry_icon,
            numbers::{counted, grouped},
            thumbnails::{self, Cell, Marks, ThumbnailTextures},
        },
    },
};
use egui::{ComboBox, RichText, Slider, Ui, UiBuilder, WidgetInfo, WidgetType};
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
    (Order::Found, "as found"),
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
    /// What the list was made for, and the list: into what was found.
    listed: Option<((u64, Order), Vec<usize>)>,
}

impl Default for CollectionGallery {
    fn default() -> Self {
        Self { order: Order::default(), side: 112.0, textures: ThumbnailTextures::default(), listed: None }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut CollectionGallery, commands: &mut Vec<Command>) {
    let found = &state.collection.search.found;
    view.textures.begin();
    let made_for = (found.turn, view.order);
    let list = match view.listed.take() {
        Some((known, list)) if known == made_for => list,
        _ => listed(found, view.order),
    };
    ui.horizontal(|ui| {
        let text = ORDERS.iter().find(|(order, _)| *order == view.order).map_or("", |(_, text)| text);
        let combo = ComboBox::from_id_salt("order of pictures").selected_text(text).show_ui(ui, |ui| {
            for (order, text) in ORDERS {
                ui.selectable_value(&mut view.order, order, text);
            }
        });
        combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Order: {text}")));
        let side = ui.add(Slider::new(&mut view.side, 64.0..=256.0).show_value(false));
        side.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, "Size of pictures"));
        ui.label(theme::figures(counted(list.len(), "picture")).weak());
        if state.collection.pictures.is_busy() {
            ui.spinner();
        }
    });
    ui.add_space(4.0);
    if list.is_empty() {
        let sentence = "None of what was found is a model, clip, picture, sound, level or landscape.";
        empty::show(ui, icon::GRID_FOUR, "No pictures", sentence);
    } else {
        grid(ui, state, view, &list, commands);
    }
    view.listed = Some((made_for, list));
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

fn grid(ui: &mut Ui, state: &State, view: &mut CollectionGallery, list: &[usize], commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let found = &state.collection.search.found;
    let (mut missing, mut seen): (bool, Vec<RowIndex>) = (false, Vec::new());
    thumbnails::grid(ui, list.len(), view.side, |ui, rect, index| {
        let Some(index) = list.get(index).copied() else { return };
        let Some(hit) = found.hits.get(index) else { return };
        let (Some(picture), Some(of)) = (picture_of(&found.catalog, hit.row), found.catalog.row(hit.row)) else {
            return;
        };
        let known = state.collection.pictures.get(picture.key);
        seen.push(hit.row);
        missing |= known.is_none();
        let sign = match of.content {
            Content::Map => icon::HOUSE_LINE,
            _ => entry_icon::of_role(of.role, &p).0,
        };
        let says = match of.about {
            About::Picture { width, height } => format!("{width} × {height}"),
            About::Model { joint_count: 0, triangles, .. } => counted(triangles as usize, "triangle"),
            About::Model { joint_count, .. } => counted(joint_count as usize, "bone"),
            About::Clip { frames, .. } => counted(frames as usize, "frame"),
            About::Sound { duration_secs } => format!("{duration_secs:.1} s"),
            About::Nothing | About::Text { .. } => of.class.to_owned(),
        };
        let line = thumbnails::plain_line(of.name, &p);
        let cell = Cell {
            place: picture.key,
            class: of.class,
            says: &says,
            sign,
            name: of.name,
            line,
            known,
            marks: Marks::default(),
        };
        // Equal files are one picture, and several cells.
        let own = ui.new_child(UiBuilder::new().id_salt(index).max_rect(rect));
        let response = thumbnails::cell(&own, rect, &cell, &mut view.textures, &p);
        if response.clicked() {
            commands.push(Command::Collection(CollectionCommand::Open(index)));
        }
        response.context_menu(|ui| menu(ui, state, &of, index, commands));
        response.on_hover_ui(|ui| {
            let file = found.catalog.file(of.file).map(|file| file.path.display().to_string()).unwrap_or_default();
            ui.label(format!("{file} › {}", of.path));
            let text = match known {
                Some(ThumbnailState::None(why)) => format!("{}: {why}", of.class),
                _ => format!("{}, {} bytes", of.class, grouped(of.size)),
            };
            ui.label(RichText::new(text).small().color(p.weak));
        });
    });
    if missing {
        commands.push(Command::Collection(CollectionCommand::WantPictures(seen)));
    }
}
