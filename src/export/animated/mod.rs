//! Moving pictures as files: GIF, APNG and WebP, and MP4 and WebM through ffmpeg. Pictures are encoded as they come: no more than
//! one is held.

mod apng;
mod ffmpeg;
mod format;
mod gif;
mod timing;
mod webp;

pub use ffmpeg::find_ffmpeg;
pub use format::AnimatedFormat;
pub use format::{MAX_PICTURES, MAX_SIDE, MAX_TOTAL_PIXELS, check_count, check_timing};
pub use timing::Timing;

pub(super) use gif::Indexed;

use super::{
    ExportError, ExportJob,
    write::{write_file, write_named},
};
use crate::scene::Image;
use std::{io, path::Path};

/// Whether a format can be written here.
///
/// # Errors
/// Where it takes ffmpeg and there is none; the message says what to do.
pub fn check_available(format: AnimatedFormat) -> Result<(), String> {
    let is_missing = format.needs_ffmpeg() && find_ffmpeg().is_none();
    if is_missing { Err(ffmpeg::missing(format)) } else { Ok(()) }
}

/// Writes a moving picture. `next` draws the picture of a number, each once, in order, in the size of `timing`.
///
/// # Errors
/// When the format cannot hold it, a picture cannot be drawn, it is cancelled, ffmpeg is missing or fails, or the file is not
/// written. Then nothing is left of it, and a file that was there stays.
pub fn write_animated(
    path: &Path,
    format: AnimatedFormat,
    timing: &Timing,
    job: &ExportJob<'_>,
    next: &mut dyn FnMut(u32) -> Result<Image, String>,
) -> Result<(), ExportError> {
    check_timing(format, timing).map_err(ExportError::TooLarge)?;
    // What a picture could not be made for, which is not the file's fault.
    let mut failure = None;
    let mut number = 0;
    let mut pictures = || -> io::Result<Image> {
        let mut fail = |error: ExportError| {
            let stopped = io::Error::other(error.to_string());
            failure = Some(error);
            stopped
        };
        job.check().map_err(&mut fail)?;
        let picture = next(number).map_err(ExportError::Drawing).map_err(&mut fail)?;
        if (picture.width, picture.height) != (timing.width, timing.height) {
            let size = format!("{} × {}", picture.width, picture.height);
            let wanted = format!("{} × {}", timing.width, timing.height);
            return Err(fail(ExportError::Drawing(format!(
                "the image has {size} pixels, but the animation has {wanted}"
            ))));
        }
        number += 1;
        (job.progress)(number.into(), timing.count.into(), "images");
        Ok(picture)
    };
    let written = match format {
        AnimatedFormat::Gif => write_file(path, job.force, |out| gif::encode(out, timing, &mut pictures)),
        AnimatedFormat::Apng => write_file(path, job.force, |out| apng::encode(out, timing, &mut pictures)),
        AnimatedFormat::WebP => write_file(path, job.force, |out| webp::encode(out, timing, &mut pictures)),
        AnimatedFormat::Mp4 | AnimatedFormat::WebM => {
            let program = find_ffmpeg().ok_or_else(|| ExportError::Unsupported(ffmpeg::missing(format)))?;
            write_named(path, job.force, |part| {
                ffmpeg::encode(&program, part, format, timing, job.force, &mut pictures)
            })
        }
    };
    match failure {
        Some(failure) => Err(failure),
        None => written.map_err(ExportError::from),
    }
}
