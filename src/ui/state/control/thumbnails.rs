//! Making thumbnails in the background, visible ones first.

use crate::{
    bytes::Cancel,
    export::{reduced, still},
    formats::{Asset, LoadOptions, caught},
    ui::{
        place::Place,
        state::{
            core::Core,
            message::Message,
            thumbnails::{MadeThumbnails, THUMBNAIL_SIDE, Thumbnail, ThumbnailState, Thumbnails},
        },
    },
};
use std::sync::Arc;

/// Thumbnails that are made at the same time.
const AT_ONCE: usize = 3;

/// Thumbnails that one piece of work makes.
const A_WORK: usize = 4;

impl Thumbnails {
    /// These are in sight: what of them is missing is made next, what else was waiting is no longer wanted.
    pub(crate) fn want_thumbnails(&mut self, core: &mut Core, places: Vec<Place>) {
        self.clock += 1;
        let now = self.clock;
        for place in &places {
            if let Some((_, seen)) = self.known.get_mut(place) {
                *seen = now;
            }
        }
        self.queue = places.into_iter().filter(|p| !self.known.contains_key(p)).collect();
        self.make_thumbnails(core);
    }

    fn make_thumbnails(&mut self, core: &mut Core) {
        while self.running < AT_ONCE && !self.queue.is_empty() {
            let Some(first) = self.queue.first().copied() else { return };
            let Some(file) = core.file(first.file).cloned() else {
                self.queue.retain(|place| place.file != first.file);
                continue;
            };
            let of_file = |place: &Place| place.file == first.file;
            let (mut batch, rest): (Vec<Place>, Vec<Place>) =
                std::mem::take(&mut self.queue).into_iter().partition(of_file);
            let later = batch.split_off(batch.len().min(A_WORK));
            self.queue = later.into_iter().chain(rest).collect();
            for place in &batch {
                self.put(*place, ThumbnailState::Waiting);
            }
            self.running += 1;
            let options = LoadOptions { first_image_only: true, ..core.load_options() };
            let sender = core.works.sender();
            core.works.run(format!("Creating thumbnails for {}", file.name), move |cx| {
                let mut made = Vec::with_capacity(batch.len());
                for place in batch {
                    if cx.cancelled() {
                        made.push((place, Err(None)));
                        continue;
                    }
                    // A fault of the program is one picture's alone.
                    let result = caught(|| thumbnail(&file, place, options, cx.cancel()));
                    let result = result.unwrap_or_else(|_| Err("internal error in Bonebox".to_owned()));
                    made.push((place, result.map_err(Some)));
                }
                let _ = sender.send(Message::ThumbnailsMade(made));
            });
        }
    }

    pub(crate) fn thumbnails_made(&mut self, core: &mut Core, made: MadeThumbnails) {
        self.running = self.running.saturating_sub(1);
        for (place, result) in made {
            // The file may be closed by now.
            if core.file(place.file).is_none() {
                continue;
            }
            match result {
                Ok(thumbnail) => self.put(place, ThumbnailState::Ready(thumbnail)),
                Err(Some(why)) => self.put(place, ThumbnailState::None(why)),
                // Stopped: made when it is wanted again.
                Err(None) => self.remove(place),
            }
        }
        self.shrink();
        self.make_thumbnails(core);
    }
}

fn thumbnail(
    file: &crate::library::OpenFile,
    place: Place,
    options: LoadOptions,
    cancel: &Cancel,
) -> Result<Thumbnail, String> {
    let loaded = file.load(place.entry, options, cancel).map_err(|e| e.message)?;
    thumbnail_of(&loaded.asset)
}

/// A picture, made small.
///
/// # Errors
/// For what is no picture, or has no pixels.
pub fn thumbnail_of(asset: &Asset) -> Result<Thumbnail, String> {
    let (image, uses_alpha) = still(asset)?;
    Ok(Thumbnail {
        size: (image.width, image.height),
        image: Arc::new(reduced(&image, (THUMBNAIL_SIDE, THUMBNAIL_SIDE), uses_alpha)),
        uses_alpha,
    })
}
