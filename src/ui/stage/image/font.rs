//! Bitmap fonts: pages with the boxes of their glyphs, and a line of text set in them.

use crate::{
    scene::{Font, FontPage, Glyph},
    ui::{
        stage::image::{
            bar,
            canvas::{self, CanvasImage, Look},
            readout,
            tiles::Pixels,
            view::{FontView, ImageView, bar_at, canvas_rect, key_of},
        },
        state::ImageStage,
        theme,
        widgets::numbers::counted,
    },
};
use egui::{
    Align2, Color32, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;

/// Room for the sample text, in points.
const SAMPLE_HEIGHT: f32 = 112.0;

/// A character of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    code: u32,
    page: usize,
    glyph: Glyph,
}

pub fn show(ui: &mut Ui, shown: &ImageStage, font: &Font, view: &mut ImageView) {
    if view.font.generation != shown.generation {
        view.font.generation = shown.generation;
        view.font.page = font.pages.iter().position(|page| page.image.is_some()).unwrap_or(0);
        view.font.tiles.clear();
    }
    view.font.page = view.font.page.min(font.pages.len().saturating_sub(1));
    view.font.tiles.begin();
    bar_at(ui, true, "font bar", |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            bar::zoom(ui, view);
            ui.separator();
            let boxes = view.font.boxes;
            if theme::icon_toggle(ui, icon::BOUNDING_BOX, "Glyph boxes", boxes).clicked() {
                view.font.boxes = !boxes;
            }
            if font.pages.len() > 1 {
                ui.separator();
                page_picker(ui, font, view);
            }
        });
    });
    let last = view.font_glyph.take();
    bar_at(ui, false, "font facts", |ui| {
        let glyphs: usize = font.pages.iter().map(|page| page.glyphs.len()).sum();
        let pages = font.pages.len();
        let mut parts = vec![
            counted(pages, "page"),
            counted(glyphs, "glyph"),
            format!("{} per page", counted(font.characters_per_page, "character")),
        ];
        match last.and_then(|code| find(font, code)) {
            Some(found) => {
                let g = found.glyph;
                parts = vec![character(found.code), format!("{} × {} at {}, {}", g.width, g.height, g.x, g.y)];
            }
            None => parts.push("hover over a glyph for details".to_owned()),
        }
        readout::facts(ui, &font.name, &parts);
    });
    bar_at(ui, false, "font sample", |ui| sample(ui, shown, font, &mut view.font));
    let rect = canvas_rect(ui);
    let Some((page, image)) =
        font.pages.get(view.font.page).and_then(|page| page.image.as_ref().map(|image| (page, image)))
    else {
        canvas::nothing(ui, rect, "The image of this page is missing.");
        return;
    };
    let key = key_of((shown.generation, "page", view.font.page));
    let size = (image.width, image.height);
    let look = Look { channels: [true; 4], uses_alpha: true, tiled: false, range: None };
    let drawn = view.canvas.show(ui, rect, &[CanvasImage { image, key, size, label: "" }], &look);
    let Some(place) = drawn.places.first() else { return };
    let first = view.font.page as u32 * font.characters_per_page;
    let hovered = drawn.pixel.and_then(|pixel| glyph_at(page, pixel.x, pixel.y));
    view.font_glyph = hovered.map(|index| first + index as u32);
    if view.font_glyph != last {
        ui.ctx().request_repaint();
    }
    if view.font.boxes {
        boxes(ui, rect, *place, image.width, page, hovered);
    }
}

fn page_picker(ui: &mut Ui, font: &Font, view: &mut ImageView) {
    let name = |page: usize| match font.characters_per_page {
        0 => format!("Page {page}"),
        per_page => {
            let first = page as u64 * u64::from(per_page);
            format!("Page {page}  ({first}…{})", first + u64::from(per_page) - 1)
        }
    };
    let combo = egui::ComboBox::from_id_salt("page").width(150.0).selected_text(name(view.font.page));
    let combo = combo.show_ui(ui, |ui| {
        for page in 0..font.pages.len() {
            if ui.selectable_label(view.font.page == page, name(page)).clicked() {
                view.font.page = page;
                view.canvas.fit();
            }
        }
    });
    let label = format!("Page: {}", view.font.page);
    combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, label.as_str()));
}

/// The glyph whose box holds a pixel.
fn glyph_at(page: &FontPage, x: u32, y: u32) -> Option<usize> {
    let (x, y) = (i64::from(x), i64::from(y));
    page.glyphs.iter().position(|g| {
        let (left, top) = (i64::from(g.x), i64::from(g.y));
        x >= left && y >= top && x < left + i64::from(g.width) && y < top + i64::from(g.height)
    })
}

fn boxes(ui: &Ui, rect: Rect, place: Rect, width: u32, page: &FontPage, hovered: Option<usize>) {
    let p = theme::palette(ui);
    let painter = ui.painter_at(rect);
    let scale = place.width() / width.max(1) as f32;
    let place_of = |g: &Glyph| {
        let corner = place.min + vec2(g.x as f32, g.y as f32) * scale;
        Rect::from_min_size(corner, vec2(g.width as f32, g.height as f32) * scale)
    };
    for glyph in page.glyphs.iter().filter(|g| g.width > 0 && g.height > 0) {
        let at = place_of(glyph);
        if at.intersects(rect) {
            painter.rect_stroke(at, 0.0, Stroke::new(1.0, p.accent.gamma_multiply(0.45)), StrokeKind::Inside);
        }
    }
    if let Some(glyph) = hovered.and_then(|index| page.glyphs.get(index)) {
        painter.rect_stroke(place_of(glyph), 0.0, Stroke::new(2.0, p.accent), StrokeKind::Outside);
    }
}

/// The glyph of a character.
fn find(font: &Font, code: u32) -> Option<Found> {
    let per_page = font.characters_per_page.max(1);
    let page = (code / per_page) as usize;
    let glyph = *font.pages.get(page)?.glyphs.get((code % per_page) as usize)?;
    Some(Found { code, page, glyph })
}

/// `65 “A”`.
fn character(code: u32) -> String {
    match char::from_u32(code).filter(|c| !c.is_control() && !c.is_whitespace()) {
        Some(c) => format!("character {code} “{c}”"),
        None => format!("character {code}"),
    }
}

/// A field to write in, and what was written in the font's own glyphs.
fn sample(ui: &mut Ui, shown: &ImageStage, font: &Font, view: &mut FontView) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 136.0).max(80.0);
        let edit = TextEdit::singleline(&mut view.sample).hint_text("Sample text").desired_width(width);
        let edit = ui.add(edit);
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Sample text"));
        for (scale, name) in [(1.0, "1×"), (2.0, "2×"), (4.0, "4×")] {
            let is_on = view.scale == scale;
            let text = RichText::new(name).color(if is_on { p.accent } else { p.text });
            let button = ui.add(egui::Button::new(text).selected(is_on));
            button.widget_info(|| {
                WidgetInfo::selected(WidgetType::Button, true, is_on, format!("Sample text at {name}"))
            });
            if button.clicked() {
                view.scale = scale;
            }
        }
    });
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), SAMPLE_HEIGHT), Sense::hover());
    ui.painter().rect_filled(rect, 4.0, p.field);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(8.0)));
    ScrollArea::both().auto_shrink(false).id_salt("sample text").show(&mut inner, |ui| set(ui, shown, font, view));
}

/// Sets the sample, line by line where the room ends.
fn set(ui: &mut Ui, shown: &ImageStage, font: &Font, view: &mut FontView) {
    let p = theme::palette(ui);
    let scale = view.scale / ui.ctx().pixels_per_point();
    let width = ui.available_width();
    let lines = lines(font, &view.sample, width / scale);
    let height: f32 = lines.iter().map(|line| line.height.max(1.0) * scale + 2.0).sum();
    let (rect, response) = ui.allocate_exact_size(vec2(width, height.max(8.0)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, format!("Sample: {}", view.sample)));
    if lines.iter().all(|line| line.glyphs.is_empty()) {
        let text = match view.sample.is_empty() {
            true => "Type sample text above.",
            false => "The font does not contain these characters.",
        };
        ui.painter().text(rect.min, Align2::LEFT_TOP, text, FontId::proportional(theme::BODY), p.weak);
        return;
    }
    let mut y = rect.top();
    for line in lines {
        let mut x = rect.left();
        for found in line.glyphs {
            let size = vec2(found.glyph.width as f32, found.glyph.height as f32) * scale;
            let image = font.pages.get(found.page).and_then(|page| page.image.as_ref());
            if let Some(image) = image.filter(|_| size.min_elem() > 0.0) {
                let cell = Rect::from_min_size(pos2(x, y), size);
                let corner = cell.min - vec2(found.glyph.x as f32, found.glyph.y as f32) * scale;
                let whole = Rect::from_min_size(corner, vec2(image.width as f32, image.height as f32) * scale);
                let painter = ui.painter_at(cell);
                let key = key_of((shown.generation, "page", found.page));
                view.tiles.paint(&painter, image, key, whole, Pixels::Cut, Color32::WHITE);
            }
            x += size.x;
        }
        y += line.height * scale + 2.0;
    }
}

#[derive(Default)]
struct Line {
    glyphs: Vec<Found>,
    height: f32,
}

/// The glyphs of a text in lines of at most `width` pixels; characters that the font lacks are left out.
fn lines(font: &Font, text: &str, width: f32) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    let mut x = 0.0;
    for found in text.chars().filter_map(|c| find(font, u32::from(c))) {
        let advance = found.glyph.width.max(0) as f32;
        if x > 0.0 && x + advance > width {
            lines.push(Line::default());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.height = line.height.max(found.glyph.height.max(0) as f32);
            line.glyphs.push(found);
        }
        x += advance;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font() -> Font {
        let glyph = |x| Glyph { x, y: 0, width: 4, height: 6 };
        let page = |count: i32| FontPage { image: None, glyphs: (0..count).map(|i| glyph(i * 4)).collect() };
        Font { name: "F".into(), pages: vec![page(64), page(64)], characters_per_page: 64 }
    }

    #[test]
    fn characters_are_found_on_their_page() {
        assert_eq!(find(&font(), 65).map(|f| (f.page, f.glyph.x)), Some((1, 4)));
        assert_eq!(find(&font(), 128), None);
        assert_eq!(find(&Font::default(), 65), None);
    }

    #[test]
    fn text_wraps_where_the_room_ends() {
        let counts = |width| lines(&font(), "ABCDE€", width).iter().map(|l| l.glyphs.len()).collect::<Vec<_>>();
        assert_eq!(counts(100.0), [5]);
        assert_eq!(counts(8.0), [2, 2, 1]);
        assert_eq!(counts(1.0), [1; 5]);
    }

    #[test]
    fn a_glyph_is_found_by_a_pixel_of_its_box() {
        let font = font();
        assert_eq!(glyph_at(&font.pages[0], 5, 5), Some(1));
        assert_eq!(glyph_at(&font.pages[0], 5, 6), None);
    }
}
