//! What the bar below a stage tells: the same for clips, moving pictures, sounds and music.

use crate::{
    scene::{LoopMode, Marker},
    ui::widgets::time_text::clock,
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
    /// What a clip calls at its moments.
    pub flags: &'a [Marker],
    /// What repeats.
    pub spans: Vec<Range<f64>>,
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

    /// Names of what goes back to the start, a step back, a step on and to the end.
    pub fn steps(self) -> [&'static str; 4] {
        match self {
            Self::Frames { .. } | Self::Pictures { .. } => {
                ["First frame", "Previous frame", "Next frame", "Last frame"]
            }
            Self::Seconds => ["To the start", "A second back", "A second on", "To the end"],
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
            Unit::Seconds => (format!("{at} / {total}"), format!("At {at} of {total}")),
            Unit::Frames { .. } | Unit::Pictures { .. } => {
                let text = format!("{at} / {total}");
                (text.clone(), format!("Frame {text}"))
            }
        }
    }
}
