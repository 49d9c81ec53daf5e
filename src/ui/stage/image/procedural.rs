//! Textures that are computed: running, with what they are made of beside them.

use crate::{
    scene::{Image, procedural::Procedural},
    ui::{
        stage::image::{
            bar,
            canvas::{self, CanvasImage},
            readout::{self, Reading},
            sources, swatches,
            view::{ComputedView, ImageView, bar_at, canvas_rect, key_of},
        },
        state::{ImageStage, Running},
        widgets::numbers::counted,
    },
};
use egui::{Align, Layout, Ui};

/// From this width on the parameters stand beside the picture; in a narrower panel they are one click away.
const WIDE: f32 = 640.0;

pub fn show(ui: &mut Ui, shown: &ImageStage, texture: &Procedural, view: &mut ImageView) {
    let wide = ui.available_width() >= WIDE;
    bar_at(ui, true, "computed bar", |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            bar::zoom(ui, view);
            ui.separator();
            bar::channels(ui, view);
            bar::alpha_and_tiling(ui, view, texture.masked);
            if !wide {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| bar::facts(ui, &texture.facts));
            }
        });
    });
    let last = view.last_pixel.take();
    let image = shown.running.as_ref().map(|running| image_of(shown, running, &mut view.computed));
    let reading = last.and_then(|pixel| read(image.as_ref()?.1, pixel, texture));
    bar_at(ui, false, "computed facts", |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        readout::pixel(ui, reading.as_ref());
        readout::facts(ui, &texture.name, &facts(texture, shown.running.as_ref()));
    });
    if !texture.palette.colors.is_empty() {
        let marked = reading.as_ref().and_then(|r| r.index).map(|(index, _)| index);
        bar_at(ui, false, "computed palette", |ui| swatches::strip(ui, &texture.palette, marked));
    }
    if wide {
        sources::beside(ui, texture);
    }
    let rect = canvas_rect(ui);
    let Some((key, image)) = image else {
        canvas::nothing(ui, rect, "Procedural textures of this size are not supported.");
        return;
    };
    let images = [CanvasImage { image, key, size: (image.width, image.height), label: "" }];
    let look = super::Look {
        channels: view.channels.0,
        uses_alpha: view.choice.uses_alpha.unwrap_or(texture.masked),
        tiled: view.tiled,
        range: None,
    };
    let drawn = view.canvas.show(ui, rect, &images, &look);
    view.last_pixel = drawn.pixel;
    // What is told of the pixel is laid out before the canvas: told in the next frame.
    if drawn.pixel != last {
        ui.ctx().request_repaint();
    }
}

/// The picture of the frame that the simulation is at, and a number that stands for it.
fn image_of<'a>(shown: &ImageStage, running: &Running, view: &'a mut ComputedView) -> (u64, &'a Image) {
    let key = key_of((shown.generation, "computed", running.simulation().frame()));
    let last = view.last.take().filter(|(drawn, _)| *drawn == key);
    let (key, image) = view.last.insert(last.unwrap_or_else(|| (key, running.simulation().image())));
    (*key, image)
}

fn read(image: &Image, pixel: canvas::Pixel, texture: &Procedural) -> Option<Reading> {
    let at = pixel.y as usize * image.width as usize + pixel.x as usize;
    let rgba: [u8; 4] = image.rgba.get(at * 4..at * 4 + 4)?.try_into().ok()?;
    // The picture came from the palette: the first index with its colour is as good as the one that it had.
    let index = texture.palette.colors.iter().position(|c| c[..3] == rgba[..3]);
    let index = index.and_then(|index| u8::try_from(index).ok()).map(|index| (index, Some(rgba)));
    Some(Reading { x: pixel.x, y: pixel.y, rgba, index, of: String::new() })
}

fn facts(texture: &Procedural, running: Option<&Running>) -> Vec<String> {
    let mut parts = vec![format!("{} × {}", texture.width, texture.height), texture.program.name().to_owned()];
    match (texture.program.sparks().len(), texture.program.drops().len()) {
        (0, 0) => {}
        (sparks, 0) => parts.push(counted(sparks, "spark")),
        (_, drops) => parts.push(counted(drops, "drop")),
    }
    if let Some(motes) = running.map(|r| r.simulation().motes()).filter(|motes| *motes > 0) {
        parts.push(counted(motes, "particle"));
    }
    if texture.program.has_stand_ins() {
        parts.push("missing textures replaced with a pattern".to_owned());
    }
    if texture.prime_frames > 0 {
        parts.push(format!("{} computed in advance", counted(texture.prime_frames, "frame")));
    }
    if !texture.palette.name.is_empty() {
        parts.push(format!("palette {}", texture.palette.name));
    }
    parts
}
