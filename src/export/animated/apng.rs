//! Moving pictures as PNG with an animation (APNG): every pixel as it was drawn. Programs that know none show the first picture.

use super::Timing;
use crate::scene::Image;
use png::{BitDepth, ColorType, Encoder, EncodingError};
use std::io::{self, Write};

/// Units of the times in the file.
const UNITS: u16 = 1_000;

/// Encodes pictures as they come, to be shown over and over.
pub fn encode(out: &mut impl Write, timing: &Timing, next: &mut dyn FnMut() -> io::Result<Image>) -> io::Result<()> {
    let mut encoder = Encoder::new(out, timing.width, timing.height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(timing.count, 0).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for delay in timing.delays(UNITS.into()) {
        let delay = u16::try_from(delay).map_err(io::Error::other)?;
        writer.set_frame_delay(delay, UNITS).map_err(failed)?;
        writer.write_image_data(&next()?.rgba).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        error => io::Error::other(error),
    }
}
