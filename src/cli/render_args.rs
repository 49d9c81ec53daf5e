//! The arguments of `render`.

use super::{
    ClipName, ReadingArgs, ShadingSwitch, Switches,
    posing::{ClockArgs, MomentArgs},
};
use crate::{gpu::Background, scene::camera::ViewDirection};
use clap::ValueEnum;
use std::path::PathBuf;

/// Pixels in one direction; the graphics device may hold fewer.
const LARGEST_SIDE: u32 = 32_768;
/// Pictures of one run.
const MAX_PICTURES: u32 = 100_000;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The file with the model
    pub file: PathBuf,
    /// The entry, as `list` prints it (#N is its id); without it what the file is about: a level, a landscape or a model
    pub entry: Option<String>,
    /// A clip to play; several of different kinds combine
    #[arg(long = "clip", value_name = "FILE[::ENTRY]", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    #[command(flatten)]
    pub moment: MomentArgs,
    #[command(flatten)]
    pub clock: ClockArgs,
    /// This many pictures spread evenly over the clip
    #[arg(long, value_name = "N", conflicts_with_all = ["frame", "time"], value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PICTURES)))]
    pub frames: Option<u32>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x768", value_parser = size)]
    pub size: (u32, u32),
    /// Where to look from
    #[arg(long, value_name = "FROM", value_enum, default_value_t)]
    pub view: View,
    /// RRGGBB or transparent; without it the window's
    #[arg(long, value_name = "RRGGBB|transparent", value_parser = background)]
    pub background: Option<Background>,
    /// How surfaces are coloured
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub shading: ShadingSwitch,
    /// The bone that --shading weights shows, by name or #N
    #[arg(long, value_name = "NAME|#N")]
    pub bone: Option<String>,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
    /// The picture to write; with --frames, {frame:04} in it is the running number
    #[arg(short, long, value_name = "OUT.png", value_parser = png_path)]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub switches: Switches,
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
    /// Of a level: from where a visitor starts
    Start,
}

impl View {
    /// `None` for a place in a level.
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
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST_SIDE).contains(side));
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {LARGEST_SIDE}"))
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

fn png_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("expected a name that ends in .png".to_owned()),
    }
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
    fn pictures_end_in_png() {
        assert!(png_path("a.PNG").is_ok() && png_path("a.jpg").is_err() && png_path("png").is_err());
    }
}
