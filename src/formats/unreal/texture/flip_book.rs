//! Flip-books: textures that name the next one (§5.1, AnimNext).

use super::{
    super::{
        codes,
        package::{Found, Package},
        properties::PropertyList,
        tables::ObjectRef,
    },
    decode::Decoder,
    first_image::first_image,
    is_texture,
    room::Room,
    with_object,
};
use crate::{
    formats::LoadContext,
    scene::{FlipBook, Image},
};
use std::{collections::HashSet, sync::Arc};

/// Frames that are followed at most.
const MAX_FRAMES: usize = 1_024;
/// Where a texture says nothing of its rate.
const USUAL_RATE_HZ: f32 = 15.0;

/// The pictures that follow one another from `first` on, until there is no next or one comes again. `None` for a picture that is
/// alone.
pub fn flip_book(
    start: &Found,
    properties: &PropertyList,
    first: &Arc<Image>,
    cx: &mut LoadContext<'_>,
    room: &mut Room,
) -> Option<FlipBook> {
    let key = |found: &Found| (Arc::as_ptr(&found.package), found.export);
    let mut seen: HashSet<(*const Package, usize)> = HashSet::from([key(start)]);
    let mut frames = vec![first.clone()];
    let mut package = start.package.clone();
    let mut next = properties.object("AnimNext").unwrap_or(ObjectRef::NONE);
    while !next.is_none() && frames.len() < MAX_FRAMES && !cx.cancelled() {
        let Some(found) = package.resolve(next).filter(is_texture) else {
            let path = package.object_path(next);
            let mut decoder = Decoder::new(&start.package, start.export, &first.name, cx, room);
            let message = format!("{}: the next image of the animation ({path}) was not found", first.name);
            decoder.report(&codes::UNRESOLVED, None, message);
            break;
        };
        if !seen.insert(key(&found)) {
            break;
        }
        let read = with_object(&found, |properties, reader| {
            let image = first_image(&found, properties, reader, cx, room);
            Some((image, properties.object("AnimNext").unwrap_or(ObjectRef::NONE)))
        });
        let Some((image, after)) = read else { break };
        frames.extend(image);
        (package, next) = (found.package, after);
    }
    (frames.len() > 1).then(|| FlipBook { frames, rate_hz: rate_hz(properties) })
}

/// The flip-book that a texture is the first picture of: [`flip_book`]. `left`: bytes that may still be decoded.
pub fn flip_book_of(start: &Found, first: &Arc<Image>, cx: &mut LoadContext<'_>, left: &mut u64) -> Option<FlipBook> {
    let mut room = Room::of(*left);
    let book = with_object(start, |properties, _| flip_book(start, properties, first, cx, &mut room));
    *left = room.left;
    book
}

/// As fast as the texture allows: the engine held the pictures back to MaxFrameRate and no further than to MinFrameRate.
fn rate_hz(properties: &PropertyList) -> f32 {
    let rate = |name: &str| properties.float(name).filter(|rate| rate.is_finite() && *rate > 0.0);
    rate("MaxFrameRate").or_else(|| rate("MinFrameRate")).unwrap_or(USUAL_RATE_HZ).clamp(0.1, 120.0)
}
