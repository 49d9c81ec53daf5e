//! What the bar below a stage tells: the same for clips, moving pictures, sounds and music.

use crate::{
    scene::{LoopMode, Marker},
    ui::widgets::value_text::clock,
};
use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

/// What the bar tells and offers: made from a stage by what its time is of.
pub struct TransportBar<'a> {
    pub name: &'a str,
    pub playing: bool,
    /// Music is rendered before it can be played.
    pub is_ready: bool,
    pub unit: Unit,
    /// Of the playhead, in frames or seconds.
    pub position: f64,
    /// Frames or seconds altogether; `None` for what never ends.
    pub length: Option<f64>,
    /// The same in other words: seconds, or frames a second.
    pub aside: String,
    /// Further numbers that go along, with their names: order, pattern and row of music.
    pub places: Vec<(&'static str, usize)>,
    pub looping: Option<LoopMode>,
    pub speed: Option<Speed>,
    /// 0 … 1, for what is heard.
    pub volume: Option<f32>,
    /// `None` while there is nothing to move through.
    pub ruler: Option<Ruler<'a>>,
}

/// What a position counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Frames of a clip, with what lies between them.
    Frames {
        rate_hz: f32,
    },
    /// Whole pictures, of which the first has this number.
    Pictures {
        rate_hz: f32,
        first: u32,
    },
    Seconds,
}

/// Times the rate that something has of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    pub now: f32,
    pub range: RangeInclusive<f32>,
}

/// Says more of a position.
pub type Hint<'a> = Box<dyn Fn(f64) -> String + 'a>;

/// What the ruler shows, in the unit of its bar.
#[derive(Default)]
pub struct Ruler<'a> {
    /// Where it ends.
    pub end: f64,
    /// The last position that can be gone to; while a clip loops, what follows leads back to the first.
    pub last: f64,
    /// Keys of a clip, marks of a sound.
    pub ticks: Arc<[f32]>,
    /// Keys of the selected bone.
    pub bone_keys: Arc<[f32]>,
    /// What a clip calls at its moments.
    pub flags: &'a [Marker],
    /// What repeats.
    pub spans: Vec<Range<f64>>,
    /// What plays of a clip; `None` where there is nothing to choose from.
    pub range: Option<PlayRange>,
}

/// The stretch of a clip that plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayRange {
    pub first: f64,
    pub last: f64,
    /// It is not all of the clip.
    pub is_part: bool,
}

impl Unit {
    /// A position as it stands at the playhead.
    pub fn text(self, position: f64) -> String {
        match self {
            Self::Frames { .. } => format!("{position:.1}"),
            Self::Pictures { first, .. } => (position as u64 + u64::from(first)).to_string(),
            Self::Seconds => clock(position, true),
        }
    }

    /// What is told at the pointer: the position, and in seconds too.
    pub fn hint(self, position: f64) -> String {
        let at = self.text(position);
        match self {
            Self::Frames { rate_hz } if rate_hz > 0.0 => format!("{at}   {:.2} s", position / f64::from(rate_hz)),
            Self::Pictures { rate_hz, .. } if rate_hz > 0.0 => {
                format!("{at}   {:.2} s", position.floor() / f64::from(rate_hz))
            }
            Self::Frames { .. } | Self::Pictures { .. } | Self::Seconds => at,
        }
    }

    pub fn total(self, length: f64) -> String {
        match self {
            Self::Frames { .. } | Self::Pictures { .. } => (length as u64).to_string(),
            Self::Seconds => clock(length, true),
        }
    }

    /// The position that a person typed: in the unit itself, in seconds (`1.2s`) or as on a clock (`0:01.2`). What stands
    /// behind a stroke is the length.
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = text.split('/').next().unwrap_or_default().trim().to_lowercase().replace(',', ".");
        let (number, in_seconds) = match text.strip_suffix('s') {
            Some(number) => (number.trim(), true),
            None => (text.as_str(), text.contains(':')),
        };
        let position = match number.split_once(':') {
            Some((minutes, seconds)) => {
                f64::from(minutes.trim().parse::<u32>().ok()?) * 60.0 + seconds.trim().parse::<f64>().ok()?
            }
            None => number.parse::<f64>().ok()?,
        };
        let position = match self {
            Self::Seconds => position,
            Self::Frames { rate_hz } | Self::Pictures { rate_hz, .. } if in_seconds => position * f64::from(rate_hz),
            Self::Frames { .. } => position,
            Self::Pictures { first, .. } => position - f64::from(first),
        };
        position.is_finite().then_some(position.max(0.0))
    }

    /// What can be typed in the place of a position; on a line of its own where something stands before it.
    pub fn typing_hint(self, is_more: bool) -> String {
        let line = if is_more { "\n" } else { "" };
        match self {
            Self::Frames { .. } | Self::Pictures { .. } => {
                format!("{line}Click to type a frame, or seconds such as 1.2s")
            }
            Self::Seconds => format!("{line}Click to type a time, such as 1.2 or 0:01.2"),
        }
    }

    /// Names of what goes back to the start, a step back, a step on and to the end.
    pub fn steps(self) -> [&'static str; 4] {
        match self {
            Self::Frames { .. } | Self::Pictures { .. } => {
                ["First frame", "Previous frame", "Next frame", "Last frame"]
            }
            Self::Seconds => ["Go to start", "Back 1 second", "Forward 1 second", "Go to end"],
        }
    }
}

impl TransportBar<'_> {
    /// `12.4 / 40`, as wide as it gets, so that nothing moves while the numbers run; and how it is read aloud.
    pub fn position_text(&self) -> (String, String) {
        let at = self.unit.text(self.position);
        let Some(total) = self.length.map(|length| self.unit.total(length)) else {
            return (at.clone(), format!("Frame {at}"));
        };
        match self.unit {
            Unit::Seconds => (format!("{at} / {total}"), format!("Position {at} of {total}")),
            Unit::Frames { .. } | Unit::Pictures { .. } => {
                let text = format!("{at} / {total}");
                (text.clone(), format!("Frame {text}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_typed_in_frames_seconds_and_as_on_a_clock() {
        let clip = Unit::Frames { rate_hz: 30.0 };
        let typed =
            ["12.5", " 12,5 ", "12.5 / 40", "1.2s", "1.2 s", "0:01.5", "-4", "1e3"].map(|text| clip.parse(text));
        let wanted = [12.5, 12.5, 12.5, 36.0, 36.0, 45.0, 0.0, 1000.0];
        for (typed, wanted) in typed.into_iter().zip(wanted) {
            assert!(typed.is_some_and(|typed| (typed - wanted).abs() < 1e-6), "{typed:?} for {wanted}");
        }
        for rubbish in ["", "NaN", "nan s", "inf", "-inf", "1e999", "frame", "s", "1:2:3", "/ 40", "x:1", "--3"] {
            assert_eq!(clip.parse(rubbish), None, "{rubbish}");
        }
        let pictures = Unit::Pictures { rate_hz: 8.0, first: 1 };
        assert_eq!(
            (pictures.parse("3 / 8"), pictures.parse("0.5s"), pictures.parse("0")),
            (Some(2.0), Some(4.0), Some(0.0))
        );
        assert_eq!((Unit::Seconds.parse("1:02.345"), Unit::Seconds.parse("0.8")), (Some(62.345), Some(0.8)));
    }
}
