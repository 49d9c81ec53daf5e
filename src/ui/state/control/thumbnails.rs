//! Making thumbnails in the background, those in sight first.

use crate::{
    formats::{Asset, LoadOptions, caught},
    scene::{Image, Palette, procedural::Simulation},
    ui::{
        place::Place,
        state::{
            State,
            message::Message,
            thumbnails::{MadeThumbnails, THUMBNAIL_SIDE, Thumbnail, ThumbnailState},
        },
    },
};
use std::sync::{Arc, atomic::AtomicBool};

/// Thumbnails that are made at the same time.
const AT_ONCE: usize = 3;

/// Thumbnails that one piece of work makes.
const A_WORK: usize = 4;

/// Frames that a computed texture runs before its thumbnail is taken.
const FRAMES_BEFORE: u64 = 48;

impl State {
    /// These are in sight: what of them is missing is made next, what else was waiting is no longer wanted.
    pub(in crate::ui::state) fn want_thumbnails(&mut self, places: Vec<Place>) {
        self.thumbnails.clock += 1;
        let now = self.thumbnails.clock;
        for place in &places {
            if let Some((_, seen)) = self.thumbnails.known.get_mut(place) {
                *seen = now;
            }
        }
        self.thumbnails.queue = places.into_iter().filter(|p| !self.thumbnails.known.contains_key(p)).collect();
        self.make_thumbnails();
    }

    fn make_thumbnails(&mut self) {
        while self.thumbnails.running < AT_ONCE && !self.thumbnails.queue.is_empty() {
            let Some(first) = self.thumbnails.queue.first().copied() else { return };
            let Some(file) = self.file(first.file).cloned() else {
                self.thumbnails.queue.retain(|place| place.file != first.file);
                continue;
            };
            let of_file = |place: &Place| place.file == first.file;
            let (mut batch, rest): (Vec<Place>, Vec<Place>) =
                std::mem::take(&mut self.thumbnails.queue).into_iter().partition(of_file);
            let later = batch.split_off(batch.len().min(A_WORK));
            self.thumbnails.queue = later.into_iter().chain(rest).collect();
            for place in &batch {
                self.thumbnails.put(*place, ThumbnailState::Waiting);
            }
            self.thumbnails.running += 1;
            let options = LoadOptions { first_image_only: true, ..self.load_options() };
            let sender = self.sender();
            self.run_in_background(format!("Making thumbnails of {}", file.name), move |cx| {
                let mut made = Vec::with_capacity(batch.len());
                for place in batch {
                    if cx.cancelled() {
                        made.push((place, Err(None)));
                        continue;
                    }
                    // A fault of the program is one picture's alone.
                    let result = caught(|| thumbnail(&file, place, options, cx.cancel_flag()));
                    let result = result.unwrap_or_else(|_| Err("it failed inside Bonebox".to_owned()));
                    made.push((place, result.map_err(Some)));
                }
                let _ = sender.send(Message::ThumbnailsMade(made));
            });
        }
    }

    pub(in crate::ui::state) fn thumbnails_made(&mut self, made: MadeThumbnails) {
        self.thumbnails.running = self.thumbnails.running.saturating_sub(1);
        for (place, result) in made {
            // The file may be closed by now.
            if self.file(place.file).is_none() {
                continue;
            }
            match result {
                Ok(thumbnail) => self.thumbnails.put(place, ThumbnailState::Ready(thumbnail)),
                Err(Some(why)) => self.thumbnails.put(place, ThumbnailState::None(why)),
                // Stopped: made when it is wanted again.
                Err(None) => self.thumbnails.remove(place),
            }
        }
        self.thumbnails.shrink();
        self.make_thumbnails();
    }
}

fn thumbnail(
    file: &crate::library::OpenFile,
    place: Place,
    options: LoadOptions,
    cancel: &AtomicBool,
) -> Result<Thumbnail, String> {
    let loaded = file.load(place.entry, options, cancel).map_err(|e| e.message)?;
    let (image, uses_alpha) = match &loaded.asset {
        Asset::Image(image) => (image.clone(), image.has_alpha()),
        Asset::Picture(picture) => {
            let form = picture.form().filter(|form| !form.mips.is_empty()).ok_or("no pixels in the file")?;
            (form.mips[0].clone(), picture.uses_alpha(form))
        }
        Asset::Procedural(texture) => {
            let mut simulation = Simulation::new(texture.clone(), 1).map_err(|e| e.to_string())?;
            simulation.seek(FRAMES_BEFORE);
            (Arc::new(simulation.image()), texture.masked)
        }
        Asset::Palette(palette) => (Arc::new(swatches(palette)), false),
        _ => return Err("it is no picture".to_owned()),
    };
    Ok(Thumbnail { size: (image.width, image.height), image: Arc::new(reduced(&image, uses_alpha)), uses_alpha })
}

/// A pixel for each colour, 16 in a row.
fn swatches(palette: &Palette) -> Image {
    let mut rgba: Vec<u8> = palette.colors.iter().flat_map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
    let height = palette.colors.len().div_ceil(16).max(1);
    rgba.resize(height * 64, 0);
    let (name, stored_as) = (palette.name.clone(), "palette".to_owned());
    Image { name, width: 16, height: height as u32, rgba: rgba.into(), stored_as }
}

/// The picture with its longer side at [`THUMBNAIL_SIDE`], each pixel the mean of those it stands for; a smaller one as it is.
fn reduced(image: &Image, uses_alpha: bool) -> Image {
    let longer = image.width.max(image.height);
    if longer <= THUMBNAIL_SIDE {
        return image.clone();
    }
    let side = |length: u32| (u64::from(length) * u64::from(THUMBNAIL_SIDE) / u64::from(longer)).max(1) as u32;
    let (width, height) = (side(image.width), side(image.height));
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    let span = |at: u32, whole: u32, small: u32| {
        let bound = |at: u32| u64::from(at) * u64::from(whole) / u64::from(small);
        bound(at)..bound(at + 1).max(bound(at) + 1)
    };
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut alpha, mut count) = ([0_u64; 3], 0_u64, 0_u64);
            for row in span(y, image.height, height) {
                for column in span(x, image.width, width) {
                    let at = (row * u64::from(image.width) + column) as usize * 4;
                    let Some([r, g, b, a]) = image.rgba.get(at..at + 4) else { continue };
                    // What is cut out lends no colour.
                    let weight = if uses_alpha { u64::from(*a) } else { 255 };
                    for (sum, value) in sum.iter_mut().zip([*r, *g, *b]) {
                        *sum += u64::from(value) * weight;
                    }
                    alpha += weight;
                    count += 1;
                }
            }
            rgba.extend(sum.map(|sum| sum.checked_div(alpha).unwrap_or(0) as u8));
            rgba.push(alpha.checked_div(count).unwrap_or(0) as u8);
        }
    }
    Image { name: image.name.clone(), width, height, rgba: rgba.into(), stored_as: image.stored_as.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, pixel: impl Fn(u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> = (0..width * height).flat_map(pixel).collect();
        Image { name: "i".into(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn pictures_are_made_small_and_keep_their_shape_and_colours() {
        let small = reduced(&image(1_000, 10, |_| [10, 20, 30, 255]), false);
        assert_eq!((small.width, small.height, &small.rgba[..4]), (128, 1, [10, 20, 30, 255].as_slice()));
        assert_eq!(reduced(&image(100, 128, |_| [1; 4]), false).width, 100);
        // Columns of red and of nothing: half as opaque, and as red as before.
        let stripes = image(256, 256, |i| if i % 2 == 0 { [200, 0, 0, 255] } else { [0, 255, 0, 0] });
        assert_eq!(&reduced(&stripes, true).rgba[..4], [200, 0, 0, 127]);
        assert_eq!(&reduced(&stripes, false).rgba[..4], [100, 127, 0, 255]);
    }
}
