//! A picture of the stage that is being prepared, standing or moving.

use crate::ui::picture_size;
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
        picture_size::refusal(self.size).or_else(|| match self.format {
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
