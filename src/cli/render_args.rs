//! The arguments of `render`.

use super::{
    ClipName, ReadingArgs, ShadingSwitch, Switches,
    export_args::folder,
    posing::{ClockArgs, MomentArgs},
    registers::RegisterArgs,
};
use crate::{
    export::animated::{AnimatedFormat, MAX_PICTURES, MAX_SIDE},
    gpu::Background,
    scene::{ShotRate, Turntable, camera::ViewDirection},
};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Valid image rates, in images per second.
const RATES: std::ops::RangeInclusive<f32> = 0.1..=240.0;
/// Valid lengths of a turn, in seconds.
const TURNS: std::ops::RangeInclusive<f32> = 0.1..=600.0;
/// Default size of a cell of a contact sheet, in pixels.
const CELL: (u32, u32) = (192, 192);
/// Maximum width and height of a thumbnail, in pixels.
const MAX_THUMBNAIL_SIDE: i64 = 1_024;
/// Options that cannot be used for thumbnails.
const NOT_OF_THUMBNAILS: [&str; 17] = [
    "clips",
    "frame",
    "time",
    "frames",
    "rate",
    "turntable",
    "animated",
    "contact_sheet",
    "cell",
    "size",
    "view",
    "background",
    "shading",
    "colors",
    "textures",
    "bone",
    "past_limits",
];

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to render
    pub file: PathBuf,
    /// Entry path or #N id, as printed by `list`. Default: the file's main level, landscape or model
    pub entry: Option<String>,
    /// Clip to play. Clips of different kinds can be combined. NAME is a fitting clip in this file or a file next to it; a file called NAME
    /// takes precedence
    #[arg(long = "clip", value_name = "FILE[::ENTRY]|NAME", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    #[command(flatten)]
    pub moment: MomentArgs,
    #[command(flatten)]
    pub clock: ClockArgs,
    /// Number of images, spread evenly over the clip, the turn, or each clip of a contact sheet
    #[arg(long, value_name = "N", conflicts_with_all = ["frame", "time"], value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PICTURES)))]
    pub frames: Option<u32>,
    /// Images per second. Default for animations: the clip's frame rate, up to 50
    #[arg(long, value_name = "F", conflicts_with_all = ["frame", "time", "frames"], value_parser = rate)]
    pub rate: Option<f32>,
    /// Turn the camera once around the model while the clip plays, in SECS seconds or in whole loops of the clip
    #[arg(long, value_name = "SECS", num_args = 0..=1, conflicts_with_all = ["frame", "time"], value_parser = turn)]
    pub turntable: Option<Option<f32>>,
    /// Write an animated PNG to OUT.png, instead of one image or a sequence
    #[arg(long, conflicts_with_all = ["frame", "time"])]
    pub animated: bool,
    /// Render one image of all clips of the model, or of all textures of the file, with their names
    #[arg(long, value_name = "CONTENT", num_args = 0..=1, value_enum, conflicts_with_all = ["frame", "time", "rate", "turntable", "animated", "size"])]
    pub contact_sheet: Option<Option<SheetOf>>,
    /// Size of each cell of a contact sheet in pixels. Default: 192x192
    #[arg(long, value_name = "WxH", requires = "contact_sheet", value_parser = size)]
    pub cell: Option<(u32, u32)>,
    /// Render a thumbnail for a file manager, at most SIDE pixels wide and high: of a model, level, landscape, texture or sound. Takes at
    /// most 10 seconds and overwrites OUT, whatever its extension
    #[arg(long, value_name = "SIDE", value_parser = clap::value_parser!(u32).range(1..=MAX_THUMBNAIL_SIDE), conflicts_with_all = NOT_OF_THUMBNAILS)]
    pub thumbnail: Option<u32>,
    /// Image size in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x768", value_parser = size)]
    pub size: (u32, u32),
    /// Camera direction
    #[arg(long, value_name = "DIRECTION", value_enum, default_value_t)]
    pub view: View,
    /// Background: RRGGBB or transparent. Default: the window's background
    #[arg(long, value_name = "RRGGBB|transparent", value_parser = background)]
    pub background: Option<Background>,
    /// Shading mode
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub shading: ShadingSwitch,
    /// Search this folder and its subfolders for textures before the model's own folder
    #[arg(long, value_name = "FOLDER", value_parser = folder)]
    pub textures: Option<PathBuf>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Bone for --shading weights, by name or #N
    #[arg(long, value_name = "NAME|#N")]
    pub bone: Option<String>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Image to write: .png; for animations also .gif, .apng, .webp and, with ffmpeg, .mp4 and .webm. In the name of a PNG sequence,
    /// {frame:04} is replaced by the number of the image
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub switches: Switches,
}

/// Content of a contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SheetOf {
    Clips,
    Textures,
}

/// Kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Picture,
    /// Numbered images.
    Sequence,
    Animated(AnimatedFormat),
}

impl Args {
    /// Returns the kind of output, by its extension and the options for animations.
    pub fn output_kind(&self) -> Output {
        match AnimatedFormat::of(&self.output) {
            Some(format) => Output::Animated(format),
            None if self.animated => Output::Animated(AnimatedFormat::Apng),
            None if self.frames.is_some() || self.rate.is_some() || self.turntable.is_some() => Output::Sequence,
            None => Output::Picture,
        }
    }

    /// Returns true if the extension of the output is known.
    pub fn has_known_ending(&self) -> bool {
        is_picture(&self.output)
    }

    pub fn shot_rate(&self) -> ShotRate {
        match (self.frames, self.rate) {
            (Some(count), _) => ShotRate::Count(count),
            (None, Some(rate)) => ShotRate::PerSecond(rate),
            (None, None) => ShotRate::Own,
        }
    }

    pub fn turntable(&self) -> Turntable {
        match self.turntable {
            None => Turntable::Off,
            Some(None) => Turntable::Usual,
            Some(Some(secs)) => Turntable::Secs(secs),
        }
    }

    pub fn cell_size(&self) -> (u32, u32) {
        self.cell.unwrap_or(CELL)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum View {
    #[default]
    Iso,
    Front,
    Back,
    Left,
    Right,
    Top,
    /// Levels only: the player start
    Start,
}

impl View {
    /// Returns the camera direction, or `None` for the player start of a level.
    pub fn direction(self) -> Option<ViewDirection> {
        Some(match self {
            Self::Iso => ViewDirection::Iso,
            Self::Front => ViewDirection::Front,
            Self::Back => ViewDirection::Back,
            Self::Left => ViewDirection::Left,
            Self::Right => ViewDirection::Right,
            Self::Top => ViewDirection::Top,
            Self::Start => return None,
        })
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {MAX_SIDE}"))
}

fn background(text: &str) -> Result<Background, String> {
    if text.eq_ignore_ascii_case("transparent") {
        return Ok(Background::Transparent);
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    if digits.len() == 6
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && let Ok(color) = u32::from_str_radix(digits, 16)
    {
        let [_, r, g, b] = color.to_be_bytes();
        return Ok(Background::Color([r, g, b]));
    }
    Err("expected RRGGBB (six hexadecimal digits) or transparent".to_owned())
}

fn rate(text: &str) -> Result<f32, String> {
    within(text, &RATES)
}

fn turn(text: &str) -> Result<f32, String> {
    within(text, &TURNS)
}

fn within(text: &str, range: &std::ops::RangeInclusive<f32>) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}

fn is_picture(path: &Path) -> bool {
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    is_png || AnimatedFormat::of(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_backgrounds_are_read_strictly() {
        assert_eq!(size("640x480"), Ok((640, 480)));
        for wrong in ["", "640", "0x5", "5x0", "99999x5", "-1x5", "5x5x5", "axb"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(background("Transparent"), Ok(Background::Transparent));
        assert_eq!(background("ff8000"), Ok(Background::Color([255, 128, 0])));
        assert_eq!(background("#ff8000"), Ok(Background::Color([255, 128, 0])));
        for wrong in ["", "ff80", "ff80000", "+f8000", "gg0000", "ä8000"] {
            assert!(background(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_ending_says_what_is_written() {
        for right in ["a.PNG", "a.gif", "a.apng", "a.WebP", "a.mp4", "a.webm"] {
            assert!(is_picture(Path::new(right)), "{right}");
        }
        for wrong in ["a.jpg", "png", "a", "a.gif.txt", ""] {
            assert!(!is_picture(Path::new(wrong)), "{wrong}");
        }
    }

    #[test]
    fn rates_and_turns_are_bounded() {
        assert_eq!((rate("12.5"), turn("6")), (Ok(12.5), Ok(6.0)));
        for wrong in ["", "0", "-3", "nan", "inf", "1e9", "x"] {
            assert!(rate(wrong).is_err() && turn(wrong).is_err(), "{wrong}");
        }
    }
}
