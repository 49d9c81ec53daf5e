//! Pictures as files.

use super::failure::Failure;
use crate::{export::write::WriteError, scene::Image};
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use std::io;

/// Why a picture was not written, with what helps.
pub fn not_written(error: WriteError) -> Failure {
    match error {
        WriteError::Exists(_) => Failure::failed(format!("{error} (--force overwrites it)")),
        WriteError::NotAFile(_) | WriteError::Io { .. } => Failure::failed(error),
    }
}

/// Writes a picture as PNG.
pub fn write_png(picture: &Image, out: &mut impl io::Write) -> io::Result<()> {
    PngEncoder::new(out)
        .write_image(&picture.rgba, picture.width, picture.height, ExtendedColorType::Rgba8)
        .map_err(io::Error::other)
}
