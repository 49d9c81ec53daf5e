//! A texture: its forms, mips and palette, and the frames of its flip-book.

use crate::{
    scene::{Image, Picture, StoredPixels},
    ui::{
        command::{Command, ExportCommand, StageCommand, WindowCommand},
        stage::image::{
            bar,
            canvas::{self, CanvasImage},
            histogram,
            readout::{self, Reading},
            swatches,
            view::{ImageView, bar_at, canvas_rect, key_of},
        },
        state::ImageStage,
        theme,
        widgets::numbers::counted,
    },
};
use egui::{Align, Layout, Ui};
use egui_phosphor::regular as icon;

/// An image on the canvas with what belongs to it.
struct Seen<'a> {
    image: &'a Image,
    indices: Option<&'a [u8]>,
    key: u64,
    size: (u32, u32),
    form: &'a str,
}

pub fn show(ui: &mut Ui, shown: &ImageStage, picture: &Picture, view: &mut ImageView, commands: &mut Vec<Command>) {
    let at = view.choice.form.unwrap_or(picture.preferred).min(picture.forms.len().saturating_sub(1));
    let uses_alpha = picture.forms.get(at).map_or(picture.masked, |form| picture.uses_alpha(form));
    bar_at(ui, true, "picture bar", |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            bar::zoom(ui, view);
            ui.separator();
            bar::channels(ui, view);
            bar::alpha_and_tiling(ui, view, uses_alpha);
            ui.separator();
            bar::form_and_mip(ui, picture, &mut view.choice);
            let on = view.histogram.is_open;
            if theme::icon_toggle(ui, icon::CHART_BAR, "Histogram", on).clicked() {
                view.histogram.is_open = !on;
                view.range = view.range.filter(|_| !on);
            }
            if theme::icon_button(ui, icon::COPY, "Copy image").clicked() {
                commands.push(Command::Stage(StageCommand::CopyPicture(None)));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| bar::facts(ui, &picture.facts));
        });
    });
    let seen = seen(shown, picture, view);
    let last = view.last_pixel.take().filter(|pixel| pixel.image < seen.len());
    let reading = last.and_then(|pixel| read(&seen, pixel, picture));
    bar_at(ui, false, "picture facts", |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        readout::pixel(ui, reading.as_ref());
        readout::facts(ui, &picture.name, &facts(picture, &seen));
    });
    if let Some(palette) = &picture.palette {
        bar_at(ui, false, "palette strip", |ui| {
            let marked = reading.as_ref().and_then(|r| r.index).map(|(index, _)| index);
            swatches::strip(ui, palette, marked);
        });
    }
    if let Some(first) = seen.first().filter(|_| view.histogram.is_open) {
        let (image, key) = (first.image, first.key);
        bar_at(ui, false, "histogram", |ui| histogram::show(ui, image, key, view));
    }
    let rect = canvas_rect(ui);
    if seen.is_empty() {
        canvas::nothing(ui, rect, "The file contains no pixels for this image.");
        return;
    }
    let many = seen.len() > 1;
    let images: Vec<CanvasImage<'_>> = seen
        .iter()
        .map(|s| CanvasImage { image: s.image, key: s.key, size: s.size, label: if many { s.form } else { "" } })
        .collect();
    let look = view.look(uses_alpha);
    let drawn = view.canvas.show(ui, rect, &images, &look);
    view.last_pixel = drawn.pixel;
    if let Some(response) = drawn.response {
        if response.secondary_clicked() {
            view.menu_pixel = drawn.pixel.and_then(|pixel| read(&seen, pixel, picture)).map(|reading| reading.text());
        }
        let pixel = view.menu_pixel.clone();
        response.context_menu(|ui| menu(ui, shown, pixel, commands));
    }
    // What is told of the pixel is laid out before the canvas: told in the next frame.
    if drawn.pixel != last {
        ui.ctx().request_repaint();
    }
}

/// What can be copied of a picture.
fn menu(ui: &mut Ui, shown: &ImageStage, pixel: Option<String>, commands: &mut Vec<Command>) {
    if let Some(text) = pixel
        && ui.button(format!("{}  Copy pixel {text}", icon::EYEDROPPER)).clicked()
    {
        commands.push(Command::Window(WindowCommand::Copy(text)));
        ui.close();
    }
    for (sign, name, command) in [
        (icon::COPY, "Copy image", Command::Stage(StageCommand::CopyPicture(None))),
        (icon::EXPORT, "Export…", Command::Export(ExportCommand::Prepare(shown.place))),
    ] {
        if ui.button(format!("{sign}  {name}")).clicked() {
            commands.push(command);
            ui.close();
        }
    }
}

/// What is on the canvas: a frame of the flip-book, or a mip of one form or of all.
fn seen<'a>(shown: &'a ImageStage, picture: &'a Picture, view: &ImageView) -> Vec<Seen<'a>> {
    let first = picture.image();
    let base = first.map_or((1, 1), |image| (image.width, image.height));
    if let Some((frame, image)) = shown.flip_frame()
        && frame > 0
    {
        let (key, size) = (key_of((shown.generation, "frame", frame)), (image.width, image.height));
        return vec![Seen { image, indices: None, key, size, form: "" }];
    }
    let at = view.choice.form.unwrap_or(picture.preferred);
    let forms = picture.forms.iter().enumerate();
    forms
        .filter(|(index, _)| view.choice.side_by_side || *index == at.min(picture.forms.len().saturating_sub(1)))
        .filter_map(|(index, form)| {
            // A form with fewer mips shows its smallest.
            let mip = view.choice.mip.min(form.mips.len().checked_sub(1)?);
            let indices = match &form.stored {
                StoredPixels::Indices(mips) => mips.get(mip).map(|indices| &**indices),
                _ => None,
            };
            let key = key_of((shown.generation, index, mip));
            Some(Seen { image: form.mips.get(mip)?, indices, key, size: base, form: &form.name })
        })
        .collect()
}

fn read(seen: &[Seen<'_>], pixel: canvas::Pixel, picture: &Picture) -> Option<Reading> {
    let of = seen.get(pixel.image)?;
    let at = pixel.y as usize * of.image.width as usize + pixel.x as usize;
    let rgba: [u8; 4] = of.image.rgba.get(at * 4..at * 4 + 4)?.try_into().ok()?;
    let color = |index: u8| picture.palette.as_ref()?.colors.get(usize::from(index)).copied();
    let index = of.indices.and_then(|indices| indices.get(at)).map(|index| (*index, color(*index)));
    let of = if seen.len() > 1 { of.form.to_owned() } else { String::new() };
    Some(Reading { x: pixel.x, y: pixel.y, rgba, index, of })
}

fn facts(picture: &Picture, seen: &[Seen<'_>]) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(first) = picture.image() {
        parts.push(bar::size_text(first));
    }
    if let Some((width, height)) = picture.used {
        parts.push(format!("used area {width} × {height}"));
    }
    let names: Vec<String> = picture
        .forms
        .iter()
        .map(|form| match form.mips.len() {
            0 => format!("{}, no pixels", form.name),
            1 => form.name.clone(),
            mips => format!("{}, {mips} mips", form.name),
        })
        .collect();
    if !names.is_empty() {
        parts.push(names.join(" + "));
    }
    if let Some(one) = seen.first().filter(|s| (s.image.width, s.image.height) != s.size) {
        parts.push(format!("shown: {}", bar::size_text(one.image)));
    }
    if picture.masked {
        parts.push("masked".to_owned());
    }
    if let Some(palette) = &picture.palette {
        parts.push(format!("palette {}", palette.name));
    }
    if let Some(book) = &picture.flip_book {
        parts.push(counted(book.frames.len(), "frame"));
    }
    parts
}
