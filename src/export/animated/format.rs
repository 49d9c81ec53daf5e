//! The formats of moving pictures.

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
}
