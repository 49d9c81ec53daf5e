//! A picture of the stage that is being prepared, standing or moving.

use crate::{
    export::{
        animated::{AnimatedFormat, Timing, check_count, check_timing},
        numbered,
    },
    scene::{Player, ShotRate, Shots, Turntable},
};
use std::path::{Path, PathBuf};

/// What a picture of the stage is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    /// As many PNG files as there are pictures.
    PngSequence,
    Animated(AnimatedFormat),
}

impl PictureFormat {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png | Self::PngSequence => "png",
            Self::Animated(format) => format.extension(),
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG image (.png)",
            Self::PngSequence => "PNG sequence (.png)",
            Self::Animated(AnimatedFormat::Gif) => "GIF, 256 colours (.gif)",
            Self::Animated(AnimatedFormat::Apng) => "Animated PNG (.apng)",
            Self::Animated(AnimatedFormat::WebP) => "Animated WebP, lossless (.webp)",
            Self::Animated(AnimatedFormat::Mp4) => "MP4 video, needs ffmpeg (.mp4)",
            Self::Animated(AnimatedFormat::WebM) => "WebM video, needs ffmpeg (.webm)",
        }
    }
}

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureMotion {
    /// The clip that plays, or its range, once.
    Clip,
    /// The camera, once around.
    Turntable,
    Both,
}

/// A picture as the dialog holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureDraft {
    /// What it is of.
    pub name: String,
    pub formats: Vec<PictureFormat>,
    pub format: PictureFormat,
    /// The file to write.
    pub path: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub transparent: bool,
    /// There is a clip that takes time.
    pub has_clip: bool,
    pub motion: PictureMotion,
    /// Seconds of a turn; in whole rounds of the clip without.
    pub turn_secs: Option<f32>,
    /// Pictures a second.
    pub fps: f32,
    /// The pictures that follow from it all.
    pub shots: Shots,
    /// Write over files that are there.
    pub overwrite: bool,
}

impl PictureDraft {
    /// Chooses a format; the file's ending follows.
    pub fn set_format(&mut self, format: PictureFormat) {
        self.format = format;
        self.path = Path::new(&self.path).with_extension(format.extension()).display().to_string();
        self.transparent &= self.can_be_transparent();
    }

    /// Works out which pictures there are.
    pub fn follow(&mut self, player: &Player) {
        let still = Player::default();
        let player = if self.moves_clip() { player } else { &still };
        let turntable = match (self.turns(), self.turn_secs) {
            (false, _) => Turntable::Off,
            (true, None) => Turntable::Usual,
            (true, Some(secs)) => Turntable::Secs(secs),
        };
        self.shots = Shots::new(player, turntable, ShotRate::PerSecond(self.fps));
    }

    pub fn moves(&self) -> bool {
        self.format != PictureFormat::Png
    }

    pub fn moves_clip(&self) -> bool {
        self.has_clip && self.motion != PictureMotion::Turntable
    }

    pub fn turns(&self) -> bool {
        self.motion != PictureMotion::Clip
    }

    pub fn can_be_transparent(&self) -> bool {
        !matches!(self.format, PictureFormat::Animated(format) if !format.has_alpha())
    }

    /// Pictures that are drawn.
    pub fn count(&self) -> u32 {
        if self.moves() { self.shots.count() } else { 1 }
    }

    pub fn timing(&self) -> Timing {
        let [width, height] = self.size;
        Timing { width, height, count: self.shots.count(), length_secs: self.shots.length_secs() }
    }

    /// Why it cannot be made; nothing when it can.
    pub fn refusal(&self) -> Option<String> {
        let [width, height] = self.size;
        size_refusal(self.size).or_else(|| match self.format {
            PictureFormat::Png => None,
            PictureFormat::PngSequence => check_count((width, height), self.count()).err(),
            PictureFormat::Animated(format) => check_timing(format, &self.timing()).err(),
        })
    }

    /// The files that it becomes.
    pub fn paths(&self) -> Vec<PathBuf> {
        let path = PathBuf::from(self.path.trim());
        match self.format {
            PictureFormat::PngSequence => (0..self.count()).map(|number| numbered(&path, number)).collect(),
            PictureFormat::Png | PictureFormat::Animated(_) => vec![path],
        }
    }

    /// Whether a file is there already and must stay. Of many, the first is asked for here, and each when it is written.
    pub fn is_in_the_way(&self) -> bool {
        let path = PathBuf::from(self.path.trim());
        let first = if self.format == PictureFormat::PngSequence { numbered(&path, 0) } else { path };
        !self.overwrite && crate::files::exists(&first)
    }
}

/// Pixels of a side.
pub const SIDES: std::ops::RangeInclusive<u32> = 16..=8_192;
/// Pixels of a picture: 7680 × 4320.
pub const MAX_PIXELS: u64 = 7_680 * 4_320;
/// Sizes that are offered.
pub const OFFERED_SIZES: [[u32; 2]; 2] = [[1_920, 1_080], [3_840, 2_160]];

/// Why a picture cannot be so large; nothing when it can.
pub fn size_refusal([width, height]: [u32; 2]) -> Option<String> {
    if !SIDES.contains(&width) || !SIDES.contains(&height) {
        return Some(format!(
            "image size {width} × {height} is not supported: width and height must be {} to {} pixels",
            SIDES.start(),
            SIDES.end()
        ));
    }
    let is_large = u64::from(width) * u64::from(height) > MAX_PIXELS;
    is_large.then(|| format!("image size {width} × {height} is not supported: the maximum area is 7680 × 4320 pixels"))
}

/// Reads `1920x1080`, `1920 × 1080`, `1920 1080`.
pub fn parse_size(text: &str) -> Option<[u32; 2]> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let size = [numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?];
    numbers.next().is_none().then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_sizes_are_read_and_those_that_cannot_be_are_refused() {
        for text in ["1920x1080", " 1920 × 1080 ", "1920 1080", "1920,1080"] {
            assert_eq!(parse_size(text), Some([1_920, 1_080]), "{text}");
        }
        for text in ["", "1920", "x", "1920x", "1 2 3", "99999999999x1"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
        for size in [[0, 0], [0, 100], [100_000, 100_000], [15, 16], [8_193, 16], [8_192, 8_192]] {
            assert!(size_refusal(size).is_some(), "{size:?}");
        }
        for size in OFFERED_SIZES.into_iter().chain([[16, 16], [8_192, 4_050], [7_680, 4_320]]) {
            assert_eq!(size_refusal(size), None);
        }
    }
}
