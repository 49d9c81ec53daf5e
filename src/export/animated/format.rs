//! The formats of moving pictures, and the limits that are checked before anything is drawn.

use super::Timing;
use crate::bytes::numbers::{counted, grouped};
use std::path::Path;

/// What a moving picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnimatedFormat {
    /// Animated GIF.
    Gif,
    /// Animated PNG.
    Apng,
    /// Animated WebP.
    WebP,
    /// MP4 video, without transparency. The program ffmpeg writes the file.
    Mp4,
    /// WebM video. The program ffmpeg writes the file.
    WebM,
}

impl AnimatedFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Gif, Self::Apng, Self::WebP, Self::Mp4, Self::WebM];

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Apng => "apng",
            Self::WebP => "webp",
            Self::Mp4 => "mp4",
            Self::WebM => "webm",
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gif => "GIF",
            Self::Apng => "animated PNG",
            Self::WebP => "WebP",
            Self::Mp4 => "MP4",
            Self::WebM => "WebM",
        }
    }

    /// The format that a file's ending says.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// Whether the program ffmpeg writes it.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::WebM)
    }

    /// Whether pixels can be transparent.
    pub fn has_alpha(self) -> bool {
        self != Self::Mp4
    }
}

/// Pictures of one run.
pub const MAX_PICTURES: u32 = 100_000;
/// Pixels in one direction; the graphics device may hold fewer.
pub const MAX_SIDE: u32 = 32_768;
/// Pixels of all pictures together: nine hours of 1920 × 1080 at one picture a second.
pub const MAX_TOTAL_PIXELS: u64 = 1 << 36;

/// Pixels in one direction of a WebP picture: 14 bits.
const MAX_WEBP_SIDE: u32 = 1 << 14;
/// Programs that show GIFs slow down what is shorter.
const SHORTEST_GIF_SECS: f64 = 0.02;
/// The longest that one picture is shown, in seconds: an animated PNG counts thousandths in 16 bits.
const LONGEST_PICTURE_SECS: f64 = 60.0;

/// Whether so many pictures of a size are written.
///
/// # Errors
/// One sentence that says what the most is.
pub fn check_count((width, height): (u32, u32), count: u32) -> Result<(), String> {
    if count > MAX_PICTURES {
        return Err(format!(
            "cannot write {}: the maximum is {} (use fewer frames or a lower frame rate)",
            counted(count, "image"),
            grouped(MAX_PICTURES)
        ));
    }
    let pixels = u64::from(width) * u64::from(height) * u64::from(count);
    if pixels > MAX_TOTAL_PIXELS {
        return Err(format!(
            "{} of {width} × {height} exceed the maximum of {} pixels in total: use fewer or smaller images",
            counted(count, "image"),
            grouped(MAX_TOTAL_PIXELS)
        ));
    }
    Ok(())
}

/// Whether a format can hold what is to be written.
///
/// # Errors
/// One sentence that says what it can hold.
pub fn check_timing(format: AnimatedFormat, timing: &Timing) -> Result<(), String> {
    let Timing { width, height, count, length_secs } = *timing;
    check_count((width, height), count)?;
    let most = if format == AnimatedFormat::WebP { MAX_WEBP_SIDE } else { MAX_SIDE };
    if width.max(height) > most || width.min(height) == 0 {
        let name = format.name();
        return Err(format!(
            "{name} does not support {width} × {height} pixels: each side must have 1 to {most} pixels"
        ));
    }
    let each = timing.picture_secs();
    // Rounded for lengths that are whole pictures but for the last bit of a float.
    if format == AnimatedFormat::Gif && each < SHORTEST_GIF_SECS - 1e-6 {
        let fits = ((length_secs / SHORTEST_GIF_SECS + 1e-6) as u32).max(1);
        return Err(format!(
            "a GIF has at most 50 images per second: {length_secs:.2} seconds can have {fits}, but {count} were requested"
        ));
    }
    if !(each > 0.0 && each <= LONGEST_PICTURE_SECS) {
        return Err(format!(
            "each image would be shown for {each} seconds: the maximum is {LONGEST_PICTURE_SECS} seconds"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format() {
        assert_eq!(AnimatedFormat::of(Path::new("out/walk.GIF")), Some(AnimatedFormat::Gif));
        for format in AnimatedFormat::ALL {
            assert_eq!(AnimatedFormat::of(&Path::new("a").with_extension(format.extension())), Some(format));
        }
        for other in ["walk.png", "gif", "walk", ".gif"] {
            assert_eq!(AnimatedFormat::of(Path::new(other)), None, "{other}");
        }
    }

    fn refused(format: AnimatedFormat, width: u32, height: u32, count: u32, length_secs: f64) -> bool {
        check_timing(format, &Timing { width, height, count, length_secs }).is_err()
    }

    #[test]
    fn what_cannot_be_is_refused() {
        use AnimatedFormat as F;
        for format in F::ALL {
            assert!(!refused(format, 640, 480, 50, 1.0), "{format:?}");
            assert!(refused(format, 0, 480, 50, 1.0), "{format:?}");
            assert!(refused(format, 640, 40_000, 1, 1.0), "{format:?}");
            assert!(refused(format, 1, 1, 100_001, 5_000.0), "{format:?}");
            assert!(refused(format, 32_768, 32_768, 65, 10.0), "{format:?}: 2^36 pixels and more");
            assert!(refused(format, 64, 64, 1, 61.0), "{format:?}");
            assert!(refused(format, 64, 64, 1, f64::NAN) && refused(format, 64, 64, 1, 0.0), "{format:?}");
        }
        assert!(refused(F::WebP, 16_385, 4, 1, 1.0) && !refused(F::WebP, 16_384, 4, 1, 1.0));
        assert!(refused(F::Gif, 4, 4, 51, 1.0) && !refused(F::Apng, 4, 4, 51, 1.0));
        assert!(!refused(F::Gif, 4, 4, 15, f64::from(0.3_f32)), "50 a second, in a float");
    }
}
