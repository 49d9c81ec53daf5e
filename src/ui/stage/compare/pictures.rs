//! Two pictures beside each other, one of them, where they differ, or one wiped over the other.

use crate::ui::stage::compare::facts;
use crate::{
    library::compare::ComparedPictures,
    scene::Image,
    ui::{
        stage::image::canvas::{Canvas, CanvasImage, Look},
        theme,
        widgets::numbers::counted,
    },
};
use egui::{Rect, Sense, Slider, Stroke, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// How far the middle of the slider's knob stays from its ends, in points.
const KNOB: f32 = 8.0;

/// What is seen of two pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Beside,
    Left,
    Right,
    Difference,
    Wipe,
}

/// How two pictures are looked at.
pub struct PicturesView {
    mode: Mode,
    /// How much of the left one is seen, 0 to 1.
    wipe: f32,
    canvas: Canvas,
    /// Which comparison and entry the canvas holds.
    made_for: (u64, usize),
}

impl Default for PicturesView {
    fn default() -> Self {
        Self { mode: Mode::Beside, wipe: 0.5, canvas: Canvas::default(), made_for: (0, 0) }
    }
}

pub fn show(
    ui: &mut Ui,
    pictures: &ComparedPictures,
    of: (u64, usize),
    names: [&str; 2],
    view: &mut PicturesView,
    height: f32,
) {
    if view.made_for != of {
        view.made_for = of;
        view.canvas.reset();
    }
    // Of pictures of two sizes no pixel lies over another.
    let has_one_size = pictures.difference.pixels.is_some();
    let mode = match view.mode {
        Mode::Difference if pictures.picture.is_none() => Mode::Beside,
        Mode::Wipe if !has_one_size => Mode::Beside,
        mode => mode,
    };
    switch(ui, pictures, mode, view);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let item = |image: &'_ Arc<Image>, key: u64| -> Shown { Shown { image: image.clone(), key } };
    let (left, right) = (item(&pictures.left, 0), item(&pictures.right, 1));
    let shown = match mode {
        Mode::Beside => vec![(&left, names[0]), (&right, names[1])],
        Mode::Left => vec![(&left, names[0])],
        Mode::Right => vec![(&right, names[1])],
        Mode::Wipe => vec![(&left, "")],
        Mode::Difference => Vec::new(),
    };
    let difference = pictures.picture.as_ref().map(|image| item(image, 2));
    let shown = match &difference {
        Some(difference) if mode == Mode::Difference => vec![(difference, "")],
        _ => shown,
    };
    let images: Vec<CanvasImage<'_>> = shown.iter().map(|(shown, label)| shown.on_canvas(label)).collect();
    let look = Look { channels: [true; 4], uses_alpha: mode != Mode::Difference, tiled: false, range: None };
    let drawn = view.canvas.show(ui, rect, &images, &look);
    if mode == Mode::Wipe
        && let Some(place) = drawn.places.first()
    {
        let line = rect.left() + KNOB + (rect.width() - 2.0 * KNOB) * view.wipe;
        let clip = Rect::from_min_max(pos2(line.max(rect.left()), rect.top()), rect.max);
        if clip.is_positive() {
            view.canvas.paint(ui, clip, *place, &right.on_canvas(""), &look);
        }
        ui.painter_at(rect).vline(line, rect.y_range(), Stroke::new(1.5, theme::palette(ui).accent));
        ui.spacing_mut().slider_width = rect.width();
        let slider = ui.add(Slider::new(&mut view.wipe, 0.0..=1.0).show_value(false));
        slider.widget_info(|| WidgetInfo::slider(true, f64::from(view.wipe), "Wipe"));
    }
    let mut facts = vec![fact(pictures)];
    if let Some(pixel) = drawn.pixel {
        let of = |image: &Image| color(image, pixel.x, pixel.y);
        let (a, b) = (of(&pictures.left), of(&pictures.right));
        let values =
            if has_one_size { format!("{a}, {b}") } else { if pixel.image == 0 { a.clone() } else { b.clone() } };
        facts.push((format!("{}, {}: {values}", pixel.x, pixel.y), has_one_size && a != b));
    }
    facts::show(ui, &facts);
}

/// An image with the number that it has on the canvas.
struct Shown {
    image: Arc<Image>,
    key: u64,
}

impl Shown {
    fn on_canvas<'a>(&'a self, label: &'a str) -> CanvasImage<'a> {
        let size = (self.image.width, self.image.height);
        CanvasImage { image: &self.image, key: self.key, size, label }
    }
}

fn switch(ui: &mut Ui, pictures: &ComparedPictures, mode: Mode, view: &mut PicturesView) {
    let has_one_size = pictures.difference.pixels.is_some();
    ui.horizontal(|ui| {
        for (name, of, is_possible, what) in [
            ("Side by side", Mode::Beside, true, "Both images next to each other"),
            ("Left", Mode::Left, true, "Only the left image"),
            ("Right", Mode::Right, true, "Only the right image"),
            ("Difference", Mode::Difference, pictures.picture.is_some(), "Difference of each channel, brightened"),
            ("Wipe", Mode::Wipe, has_one_size, "One image over the other, divided by a slider"),
        ] {
            let button = ui.add_enabled(is_possible, egui::Button::selectable(mode == of, name));
            let why = "The images are identical or differ in size";
            if button.on_hover_text(what).on_disabled_hover_text(why).clicked() {
                view.mode = of;
            }
        }
    });
}

/// What differs, in words.
fn fact(pictures: &ComparedPictures) -> facts::Fact {
    let found = &pictures.difference;
    let size = |(width, height): (u32, u32)| format!("{width} × {height}");
    match found.pixels {
        None => (format!("{} → {}", size(found.left), size(found.right)), true),
        Some(0) => (format!("All {} pixels are identical", size(found.left)), false),
        Some(count) => {
            let verb = if count == 1 { "differs" } else { "differ" };
            (format!("{} {verb} by up to {} of 255", counted(count, "pixel"), found.largest), true)
        }
    }
}

/// `#rrggbbaa`; nothing outside of the picture.
fn color(image: &Image, x: u32, y: u32) -> String {
    let at = (y as usize * image.width as usize + x as usize) * 4;
    match image.rgba.get(at..at + 4).filter(|_| x < image.width) {
        Some([r, g, b, a]) => format!("#{r:02x}{g:02x}{b:02x}{a:02x}"),
        _ => "outside the image".to_owned(),
    }
}
