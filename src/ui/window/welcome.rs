//! The empty window: where to drop files, what was open lately, what there is to try.

use crate::{
    formats::{FORMATS, FormatInfo},
    ui::{
        command::{Command, LibraryCommand},
        favourite::Favourite,
        theme,
        widgets::{
            figure,
            put::{put, put_text},
        },
        window_system::NoDrops,
    },
};
use egui::{
    Align, Button, Color32, Key, Label, Layout, Rect, RichText, ScrollArea, Sense, Shape, Stroke, TextEdit, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

const MAX_RECENTS: usize = 6;

const ROW_HEIGHT: f32 = 28.0;

/// What the empty window offers.
pub struct Offers<'a> {
    /// Files that were opened, the newest first.
    pub recents: &'a [PathBuf],
    /// What has a star.
    pub favourites: &'a [Favourite],
    /// Files that come with the program.
    pub samples: &'a [PathBuf],
    /// Why the window system delivers no drops, where it does not.
    pub no_drops: Option<NoDrops>,
}

/// What the empty window remembers between frames.
#[derive(Default)]
pub struct WelcomeView {
    path: String,
}

/// Shows the empty window.
pub fn show(ui: &mut Ui, offers: &Offers<'_>, view: &mut WelcomeView, commands: &mut Vec<Command>) {
    let dropping = ui.input(|i| !i.raw.hovered_files.is_empty());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let room = ui.available_size();
        let width = (room.x - 48.0).clamp(200.0, 600.0);
        let longest = offers.recents.len().max(offers.samples.len()).max(offers.favourites.len());
        let rows = longest.min(MAX_RECENTS);
        let lists = if rows == 0 { 0.0 } else { 32.0 + rows as f32 * ROW_HEIGHT };
        let note = if offers.no_drops.is_some() { 44.0 } else { 0.0 };
        let zone = (room.y - lists - note - 112.0).clamp(216.0, 340.0);
        let total = zone + lists + note + 64.0;
        ui.add_space(((room.y - total) / 2.0).max(16.0).floor());
        ui.horizontal(|ui| {
            ui.add_space(((room.x - width) / 2.0).max(0.0).floor());
            ui.vertical(|ui| {
                ui.set_width(width);
                let title = match (offers.no_drops, dropping) {
                    (Some(_), _) => "Open files here",
                    (None, true) => "Drop to open",
                    (None, false) => "Drop files here",
                };
                drop_zone(ui, vec2(width, zone), title, dropping, commands);
                ui.add_space(12.0);
                // A page cannot open what lies on the disk by its path.
                if !cfg!(target_arch = "wasm32") {
                    path_field(ui, width, view, commands);
                }
                if let Some(reason) = offers.no_drops {
                    no_drops_note(ui, width, reason);
                }
                ui.add_space(20.0);
                lists_of_files(ui, offers, width, commands);
                ui.add_space(16.0);
            });
        });
    });
}

fn drop_zone(ui: &mut Ui, size: egui::Vec2, title: &str, dropping: bool, commands: &mut Vec<Command>) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let p = theme::palette(ui);
    let painter = ui.painter();
    let (line, fill) =
        if dropping { (p.accent, p.accent_soft) } else { (p.weak.gamma_multiply(0.6), Color32::TRANSPARENT) };
    painter.rect_filled(rect, 12.0, fill);
    painter.extend(Shape::dashed_line(&rounded_outline(rect.shrink(1.0), 12.0), Stroke::new(1.5, line), 6.0, 5.0));

    let known = known_formats();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let lines = painter.layout(known.clone(), font, p.weak, rect.width() - 32.0);
    let text_height = 97.0 + lines.size().y;
    let picture = Rect::from_min_max(
        rect.min + vec2(24.0, 16.0),
        pos2(rect.right() - 24.0, (rect.bottom() - text_height).max(rect.top() + 60.0)),
    );
    figure::paint(&painter.with_clip_rect(rect.shrink(8.0)), picture, p.text.gamma_multiply(0.85), p.accent);

    let below = Rect::from_min_max(pos2(rect.left() + 16.0, rect.bottom() - text_height + 4.0), rect.max);
    put(ui, below, Layout::top_down(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.set_max_width(rect.width() - 32.0);
        ui.add(Label::new(RichText::new(title).size(theme::LARGE).color(p.strong)).selectable(false));
        let known = Label::new(RichText::new(known).color(p.weak)).selectable(false).wrap();
        ui.add(known).on_hover_text(known_extensions());
        ui.add_space(8.0);
        // Two buttons of one width, in the middle.
        let button = vec2(136.0, 32.0);
        let row = 2.0 * button.x + 8.0;
        ui.allocate_ui_with_layout(vec2(row, button.y), Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let open = RichText::new(format!("{}  Open files…", icon::FOLDER_OPEN)).color(p.on_accent).strong();
            let response = ui.add(Button::new(open).fill(p.accent).min_size(button));
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Open files"));
            if response.clicked() {
                commands.push(Command::Library(LibraryCommand::OpenFilesDialog));
            }
            let folder = ui.add(Button::new(format!("{}  Open folder…", icon::FOLDERS)).min_size(button));
            folder.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Open folder"));
            if folder.clicked() {
                commands.push(Command::Library(LibraryCommand::OpenFolderDialog));
            }
        });
    });
}

fn known_formats() -> String {
    let mut seen = HashSet::new();
    let families = FORMATS.iter().map(|f| f.info().family).filter(|family| seen.insert(*family));
    format!("{} or a folder", families.collect::<Vec<_>>().join(", "))
}

/// A line for each format: its name and its files' extensions.
fn known_extensions() -> String {
    let line = |info: &FormatInfo| format!("{}: {}", info.name, info.extensions.join(" ").to_uppercase());
    let lines: Vec<String> = FORMATS.iter().map(|f| line(f.info())).collect();
    lines.join("\n")
}

/// The outline of a rounded rectangle as one path, for dashes that go around the corners.
fn rounded_outline(rect: Rect, radius: f32) -> Vec<egui::Pos2> {
    let corners = [
        (rect.right_top() + vec2(-radius, radius), -90.0_f32),
        (rect.right_bottom() + vec2(-radius, -radius), 0.0),
        (rect.left_bottom() + vec2(radius, -radius), 90.0),
        (rect.left_top() + vec2(radius, radius), 180.0),
    ];
    let mut path = Vec::with_capacity(41);
    for (center, start) in corners {
        for step in 0..=8 {
            let angle = (start + 90.0 * step as f32 / 8.0).to_radians();
            path.push(center + radius * vec2(angle.cos(), angle.sin()));
        }
    }
    path.extend(path.first().copied());
    path
}

fn path_field(ui: &mut Ui, width: f32, view: &mut WelcomeView, commands: &mut Vec<Command>) {
    let hint = "Or paste a path and press Enter";
    let edit = ui.add(
        TextEdit::singleline(&mut view.path)
            .hint_text(hint)
            .desired_width(width)
            .margin(egui::Margin::symmetric(10, 6)),
    );
    edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Path to open"));
    if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) && !view.path.trim().is_empty() {
        commands.push(Command::Library(LibraryCommand::OpenPasted(std::mem::take(&mut view.path))));
    }
}

fn no_drops_note(ui: &mut Ui, width: f32, reason: NoDrops) {
    ui.add_space(8.0);
    let weak = ui.visuals().weak_text_color();
    ui.horizontal_top(|ui| {
        ui.set_width(width);
        ui.add(Label::new(RichText::new(icon::INFO).size(16.0).color(ui.visuals().warn_fg_color)).selectable(false));
        let text = match reason {
            NoDrops::WaylandChosen => {
                "Drag and drop does not work on Wayland. Open or paste files, or start Bonebox with --x11."
            }
            NoDrops::WaylandAlone => {
                "Drag and drop does not work on Wayland, and XWayland is missing. Open or paste files."
            }
        };
        ui.add(Label::new(RichText::new(text).color(weak)).wrap());
    });
}

fn lists_of_files(ui: &mut Ui, offers: &Offers<'_>, width: f32, commands: &mut Vec<Command>) {
    let files = |paths: &[PathBuf]| -> Vec<Row> { paths.iter().take(MAX_RECENTS).map(|path| Row::of(path)).collect() };
    // The newest first, as the recent files are.
    let favourites = offers.favourites.iter().rev().take(MAX_RECENTS).map(Row::of_favourite).collect();
    let lists = [
        ("Favourites", icon::STAR, favourites),
        ("Recent", icon::CLOCK_COUNTER_CLOCKWISE, files(offers.recents)),
        ("Samples", icon::SPARKLE, files(offers.samples)),
    ];
    let shown: Vec<_> = lists.into_iter().filter(|(_, _, rows)| !rows.is_empty()).collect();
    let column = (width - 24.0 * shown.len().saturating_sub(1) as f32) / shown.len().max(1) as f32;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 24.0;
        for (title, glyph, rows) in shown {
            ui.vertical(|ui| {
                ui.set_width(column);
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.add(Label::new(RichText::new(title).weak()).selectable(false));
                ui.add_space(4.0);
                for row in rows {
                    if file_row(ui, glyph, &row) {
                        commands.push(Command::Library(row.command));
                    }
                }
            });
        }
    });
}

/// Something that can be opened.
struct Row {
    name: String,
    /// What it lies in.
    folder: String,
    /// The whole way to it.
    way: String,
    command: LibraryCommand,
}

impl Row {
    fn of(path: &Path) -> Self {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        let way = path.display().to_string();
        Self { name, folder: folder_of(path), way, command: LibraryCommand::Open(vec![path.to_owned()]) }
    }

    fn of_favourite(favourite: &Favourite) -> Self {
        Self {
            name: favourite.name(),
            folder: folder_of(&favourite.path),
            way: favourite.way(),
            command: LibraryCommand::OpenFavourite(favourite.clone()),
        }
    }
}

fn folder_of(path: &Path) -> String {
    path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn file_row(ui: &mut Ui, glyph: &str, row: &Row) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let Row { name, folder, way, .. } = row;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Open {name}")));
    let response = response.on_hover_text(way).on_hover_cursor(egui::CursorIcon::PointingHand);
    let p = theme::palette(ui);
    let is_lit = response.hovered() || response.has_focus();
    if is_lit {
        ui.painter().rect_filled(rect, 4.0, p.hover);
    }
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let column = |from: f32, to: f32| Rect::from_min_max(pos2(from, inner.top()), pos2(to, inner.bottom()));
    // The folder is left out where the name needs the room.
    let folder_left = if inner.width() > 240.0 { inner.right() - inner.width() * 0.3 } else { inner.right() };
    let name_left = inner.left() + 26.0;
    let lit = |plain: egui::Color32, lit: egui::Color32| if is_lit { lit } else { plain };
    put_text(ui, column(inner.left(), name_left), Align::Min, lit(p.weak, p.accent), RichText::new(glyph).size(16.0));
    put_text(ui, column(name_left, folder_left - 8.0), Align::Min, lit(p.text, p.strong), RichText::new(name));
    put_text(ui, column(folder_left, inner.right()), Align::Max, p.weak, RichText::new(folder).small());
    response.clicked()
}
