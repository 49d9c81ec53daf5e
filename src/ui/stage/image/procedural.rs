//! Textures that are computed: running, with what they are made of beside them.

use crate::{
    scene::{Image, procedural::Procedural},
    ui::{
        command::{Command, PictureCommand},
        stage::image::{
            bar,
            canvas::{self, CanvasImage},
            flip_book,
            readout::{self, Reading},
            sources, swatches,
            view::{ComputedView, ImageView, bar_at, canvas_rect, key_of},
        },
        state::{Running, ShownPicture},
        theme,
    },
};
use egui::{Align, Layout, RichText, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// From this width on the parameters stand beside the picture; in a narrower panel they are one click away.
const WIDE: f32 = 640.0;

pub fn show(
    ui: &mut Ui,
    shown: &ShownPicture,
    texture: &Procedural,
    view: &mut ImageView,
    commands: &mut Vec<Command>,
) {
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
    if let Some(running) = &shown.running {
        bar_at(ui, false, "computed timeline", |ui| transport(ui, shown, running, commands));
    }
    if wide {
        sources::beside(ui, texture);
    }
    let rect = canvas_rect(ui);
    let Some((key, image)) = image else {
        canvas::nothing(ui, rect, "A texture of this size is not computed.");
        return;
    };
    let images = [CanvasImage { image, key, size: (image.width, image.height), label: "" }];
    let look = super::Look {
        channels: view.channels.0,
        uses_alpha: view.choice.uses_alpha.unwrap_or(texture.masked),
        tiled: view.tiled,
    };
    let drawn = view.canvas.show(ui, rect, &images, &look);
    view.last_pixel = drawn.pixel;
    // What is told of the pixel is laid out before the canvas: told in the next frame.
    if drawn.pixel != last {
        ui.ctx().request_repaint();
    }
}

/// The picture of the frame that the simulation is at, and a number that stands for it.
fn image_of<'a>(shown: &ShownPicture, running: &Running, view: &'a mut ComputedView) -> (u64, &'a Image) {
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
        (sparks, 0) => parts.push(format!("{sparks} sparks")),
        (_, drops) => parts.push(format!("{drops} drops")),
    }
    if let Some(motes) = running.map(|r| r.simulation().motes()).filter(|motes| *motes > 0) {
        parts.push(format!("{motes} motes"));
    }
    if texture.program.has_stand_ins() {
        parts.push("a pattern stands in for what is missing".to_owned());
    }
    if texture.prime_frames > 0 {
        parts.push(format!("{} frames run before", texture.prime_frames));
    }
    if !texture.palette.name.is_empty() {
        parts.push(format!("palette {}", texture.palette.name));
    }
    parts
}

/// Play, step, start again, the frame and the speed.
fn transport(ui: &mut Ui, shown: &ShownPicture, running: &Running, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        flip_book::play_button(ui, shown.player.playing, &p, commands);
        if theme::icon_button(ui, icon::ARROW_COUNTER_CLOCKWISE, "From the first frame").clicked() {
            commands.push(Command::Picture(PictureCommand::Restart));
        }
        if theme::icon_button(ui, icon::CARET_LEFT, "Previous frame").clicked() {
            commands.push(Command::Picture(PictureCommand::Step(-1)));
        }
        if theme::icon_button(ui, icon::CARET_RIGHT, "Next frame").clicked() {
            commands.push(Command::Picture(PictureCommand::Step(1)));
        }
        let frame = running.simulation().frame();
        let rate_hz = running.simulation().what().rate_hz;
        let text = format!("Frame {frame}");
        ui.add_space(8.0);
        let label = ui.label(theme::figures(text.as_str()).color(p.strong));
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
        label.on_hover_text("Steps since the first frame");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut speed = running.speed();
            let field = egui::DragValue::new(&mut speed).speed(0.01).range(0.1..=4.0).fixed_decimals(2).suffix("×");
            let response = ui.add_sized(vec2(56.0, 24.0), field).on_hover_text("Speed. Double click for 1×");
            response.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Speed of the picture"));
            if response.double_clicked() {
                commands.push(Command::Picture(PictureCommand::SetSpeed(1.0)));
            } else if response.changed() {
                commands.push(Command::Picture(PictureCommand::SetSpeed(speed)));
            }
            let rate = format!("{:.1} Hz", rate_hz * running.speed());
            ui.label(RichText::new(rate).small().color(p.weak)).on_hover_text("Frames a second");
        });
    });
    flip_book::repaint_for(ui, &shown.player, running.rate_hz());
}
