//! Moving pictures as GIF: at most 256 colours a picture, pixels that are opaque or not there, times in hundredths of a second.

use super::{Timing, palette::Indexed};
use crate::scene::Image;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::io::{self, Write};

/// Encodes pictures as they come, each with colours of its own, to be shown over and over.
pub fn encode(out: &mut impl Write, timing: &Timing, next: &mut dyn FnMut() -> io::Result<Image>) -> io::Result<()> {
    let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
    let (width, height) = (side(timing.width)?, side(timing.height)?);
    let mut encoder = Encoder::new(out, width, height, &[]).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    for delay in timing.delays(100) {
        let Indexed { colors, indices, transparent } = Indexed::of(&next()?);
        let frame = Frame {
            delay: u16::try_from(delay).map_err(io::Error::other)?,
            // Otherwise the picture before would show through.
            dispose: if transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent,
            width,
            height,
            palette: Some(colors.concat()),
            buffer: indices.into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    encoder.into_inner().map_err(failed)?;
    Ok(())
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    }
}
