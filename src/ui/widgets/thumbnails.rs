//! Pictures side by side as thumbnails.

use crate::{
    scene::Image,
    ui::{
        state::{FileId, Place, Thumbnail, ThumbnailState},
        theme::{self, Palette},
        widgets::{put::put_text, rows::Rows},
    },
};
use egui::{
    Align, Align2, Color32, ColorImage, FontId, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, WidgetInfo, WidgetType, pos2, text::LayoutJob, vec2,
};
use egui_phosphor::regular as icon;
use std::{collections::HashMap, hash::Hash, sync::Arc};

/// Room for name and size below a thumbnail, in points.
const CAPTION: f32 = 36.0;

/// Between cells, in points.
const GAP: f32 = 8.0;

/// Textures kept; beyond that those out of sight go.
const MAX_TEXTURES: usize = 600;

/// Textures that are made in one frame.
const NEW_A_FRAME: usize = 24;

/// Thumbnails on the window's device.
pub struct ThumbnailTextures<K = Place> {
    textures: HashMap<K, (Arc<Image>, TextureHandle, u64)>,
    frame: u64,
    made: usize,
}

impl<K> Default for ThumbnailTextures<K> {
    fn default() -> Self {
        Self { textures: HashMap::new(), frame: 0, made: 0 }
    }
}

impl ThumbnailTextures {
    /// Lets go of those whose files are closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        self.textures.retain(|place, _| is_open(place.file));
        self.textures.shrink_to_fit();
    }
}

impl<K: Copy + Eq + Hash + std::fmt::Debug> ThumbnailTextures<K> {
    /// Another frame begins.
    pub fn begin(&mut self) {
        let last = self.frame;
        if self.textures.len() > MAX_TEXTURES {
            self.textures.retain(|_, (_, _, used)| *used == last);
        }
        self.frame += 1;
        self.made = 0;
    }

    fn texture(&mut self, ui: &Ui, place: K, thumbnail: &Thumbnail) -> Option<egui::TextureId> {
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

/// How a cell is marked.
#[derive(Clone, Copy, Default)]
pub struct Marks {
    pub selected: bool,
    /// It is on a stage.
    pub shown: bool,
}

/// A picture that stands among others.
pub struct Cell<'a, K = Place> {
    pub place: K,
    /// What its format calls it.
    pub class: &'a str,
    /// What is said below its name; its size where nothing is.
    pub says: &'a str,
    /// What stands for it until its picture is made.
    pub sign: &'a str,
    /// What it is called: the entry's name, or the file's for one that is its file.
    pub name: &'a str,
    /// As its name is drawn.
    pub line: LayoutJob,
    pub known: Option<&'a ThumbnailState>,
    pub marks: Marks,
}

/// Cells beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns {
    pub count: usize,
    size: Vec2,
    /// From one cell to the next.
    step: f32,
}

impl Columns {
    /// As many as there is room for.
    pub fn of(width: f32, side: f32) -> Self {
        let size = vec2(side, side + CAPTION);
        let width = width - 24.0;
        let count = (((width + GAP) / (size.x + GAP)) as usize).max(1);
        // What is left over is shared between the columns.
        let step = (width - size.x * count as f32) / count.max(2).saturating_sub(1) as f32 + size.x;
        let step = if count > 1 { step.min(size.x + GAP * 4.0) } else { size.x };
        Self { count, size, step }
    }

    /// Height of a row of cells with the gap below it.
    pub fn height(&self) -> f32 {
        self.size.y + GAP
    }

    /// Where a cell of a row is.
    pub fn cell(&self, row: Rect, column: usize) -> Rect {
        Rect::from_min_size(pos2(row.left() + 12.0 + self.step * column as f32, row.top()), self.size)
    }
}

/// Lays out `count` cells with this `side` in rows, and draws those in view with `cell`. Scrolls to the cell that `follow` returns
/// when its key changes.
pub fn grid(
    ui: &mut Ui,
    salt: impl Hash + std::fmt::Debug,
    (count, side): (usize, f32),
    follow: (impl Hash, impl FnOnce() -> Option<usize>),
    mut cell: impl FnMut(&mut Ui, Rect, usize),
) {
    let columns = Columns::of(ui.available_width(), side);
    let each = columns.count;
    let rows = Rows::new(salt, count.div_ceil(each)).height(columns.height());
    rows.follow(ui, follow.0, || (follow.1)().map(|index| index / each)).show(ui, |ui, row| {
        for (column, index) in (row.index * each..count.min((row.index + 1) * each)).enumerate() {
            cell(ui, columns.cell(row.rect, column), index);
        }
    });
}

/// Draws the tooltip of a cell.
pub fn tip<K>(ui: &mut Ui, path: &str, cell: &Cell<'_, K>, hint: &str) {
    ui.label(path);
    let text = match cell.known {
        Some(ThumbnailState::None(why)) => format!("{}: {why}", cell.class),
        Some(ThumbnailState::Ready(thumbnail)) => format!("{}  {}", cell.class, size_text(thumbnail)),
        Some(ThumbnailState::Waiting) | None => cell.class.to_owned(),
    };
    for text in [&text, hint] {
        ui.label(RichText::new(text).small().weak());
    }
}

/// Draws a cell.
pub fn cell<K: Copy + Eq + Hash + std::fmt::Debug>(
    ui: &Ui,
    rect: Rect,
    cell: &Cell<'_, K>,
    textures: &mut ThumbnailTextures<K>,
    p: &Palette,
) -> Response {
    let response = ui.interact(rect, ui.id().with(cell.place), Sense::click());
    let name = format!("Image {}", cell.name);
    let is_selected = cell.marks.selected;
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, name.as_str()));
    let picture = Rect::from_min_size(rect.min, vec2(rect.width(), rect.width()));
    let fill = match (is_selected, response.hovered()) {
        (true, _) => p.accent_soft,
        (false, true) => p.hover,
        (false, false) => p.zebra,
    };
    ui.painter().rect_filled(rect, 6.0, fill);
    let frame = picture.shrink(4.0);
    ui.painter().rect_filled(frame, 4.0, p.field);
    let mut size = String::new();
    match cell.known {
        Some(ThumbnailState::Ready(thumbnail)) => {
            size = size_text(thumbnail);
            if let Some(texture) = textures.texture(ui, cell.place, thumbnail) {
                let pixels = vec2(thumbnail.image.width as f32, thumbnail.image.height as f32);
                let room = frame.size().min_elem();
                let place = Rect::from_center_size(frame.center(), pixels * (room / pixels.max_elem().max(1.0)));
                let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                ui.painter().image(texture, place, uv, Color32::WHITE);
            }
        }
        Some(ThumbnailState::None(_)) => sign(ui, frame, icon::IMAGE_BROKEN, p),
        Some(ThumbnailState::Waiting) | None => sign(ui, frame, cell.sign, p),
    }
    if is_selected {
        ui.painter().rect_stroke(rect, 6.0, Stroke::new(1.5, p.accent), StrokeKind::Inside);
    }
    if cell.marks.shown {
        let at = picture.right_top() + vec2(-8.0, 8.0);
        let eye = ui.painter().layout_no_wrap(icon::EYE.to_owned(), FontId::proportional(13.0), p.strong);
        let back = Rect::from_min_size(pos2(at.x - eye.size().x, at.y), eye.size()).expand(2.0);
        ui.painter().rect_filled(back, 4.0, p.panel.gamma_multiply(0.85));
        ui.painter().galley(back.min + vec2(2.0, 2.0), eye, p.strong);
    }
    let caption = Rect::from_min_max(picture.left_bottom(), rect.max).shrink2(vec2(6.0, 0.0));
    let (upper, lower) = caption.split_top_bottom_at_fraction(0.5);
    let color = if is_selected { p.strong } else { p.text };
    let mut line = cell.line.clone();
    line.wrap = egui::text::TextWrapping::truncate_at_width(upper.width());
    let line = ui.painter().layout_job(line);
    ui.painter_at(upper).galley(upper.center() - line.size() / 2.0, line, color);
    let small = match (cell.says, size.is_empty()) {
        ("", true) => cell.class.to_owned(),
        ("", false) => size,
        (says, _) => says.to_owned(),
    };
    put_text(ui, lower.translate(vec2(0.0, -3.0)), Align::Center, p.weak, RichText::new(small).size(theme::SMALL));
    response
}

/// Draws one of so many moments that stand side by side in a strip, in the place of a cell's picture.
pub fn moment<K: Copy + Eq + Hash + std::fmt::Debug>(
    ui: &Ui,
    rect: Rect,
    (place, strip): (K, &Thumbnail),
    (at, of): (u32, u32),
    textures: &mut ThumbnailTextures<K>,
    p: &Palette,
) {
    let Some(texture) = textures.texture(ui, place, strip) else { return };
    let frame = Rect::from_min_size(rect.min, vec2(rect.width(), rect.width())).shrink(4.0);
    ui.painter().rect_filled(frame, 4.0, p.field);
    let share = 1.0 / of.max(1) as f32;
    let uv = Rect::from_min_max(pos2(at as f32 * share, 0.0), pos2((at + 1) as f32 * share, 1.0));
    let square = Rect::from_center_size(frame.center(), Vec2::splat(frame.size().min_elem()));
    ui.painter().image(texture, square, uv, Color32::WHITE);
    // Which of them it is.
    let line = Rect::from_min_max(pos2(frame.left(), frame.bottom() - 3.0), frame.right_bottom());
    ui.painter().rect_filled(line, 0.0, p.line);
    let part = frame.width() * share;
    let left = frame.left() + part * at as f32;
    let done = Rect::from_min_max(pos2(left, line.top()), pos2(left + part, line.bottom()));
    ui.painter().rect_filled(done, 0.0, p.accent);
}

/// A name as a cell has it where nothing of it is marked.
pub fn plain_line(name: &str, p: &Palette) -> LayoutJob {
    let format = egui::text::TextFormat::simple(FontId::proportional(12.0), p.text);
    LayoutJob { break_on_newline: false, ..LayoutJob::single_section(name.to_owned(), format) }
}

/// `256 × 128`: of the picture, not of its thumbnail.
pub fn size_text(thumbnail: &Thumbnail) -> String {
    format!("{} × {}", thumbnail.size.0, thumbnail.size.1)
}

fn sign(ui: &Ui, frame: Rect, sign: &str, p: &Palette) {
    let font = FontId::proportional(24.0);
    ui.painter().text(frame.center(), Align2::CENTER_CENTER, sign, font, p.weak.gamma_multiply(0.6));
}
