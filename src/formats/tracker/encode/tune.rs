//! What a module is made of.

/// A piece of music of few means: every tracker can hold it.
#[derive(Clone, Debug, Default)]
pub struct Tune {
    /// Title. Characters outside ASCII are dropped.
    pub title: String,
    /// 1 … 32; an Amiga module has 4 or 8.
    pub channels: u8,
    /// Ticks a row; 6 is usual.
    pub speed: u8,
    /// Beats a minute; 125 is usual.
    pub tempo: u8,
    /// Patterns in playing order.
    pub orders: Vec<u8>,
    /// 64 rows each.
    pub patterns: Vec<Vec<TuneNote>>,
    /// Voices; [`TuneNote::voice`] 1 is the first.
    pub voices: Vec<Voice>,
}

/// What happens on a channel in a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct TuneNote {
    /// 0 … 63.
    pub row: u8,
    /// Channel, counted from 0.
    pub channel: u8,
    /// In semitones, 60 where the voice sounds as it was recorded; 48 … 83, and 0 for none.
    pub key: u8,
    /// Counted from 1; 0 for none.
    pub voice: u8,
    /// 0 … 64.
    pub volume: Option<u8>,
    /// Effect on the order of rows; `None` if the next row follows.
    pub effect: Option<TuneEffect>,
}

/// Where the player goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneEffect {
    /// To the start of this order.
    Jump(u8),
    /// To the next order.
    Break,
    /// 0 starts a loop on this channel, else it repeats so many times (up to 15).
    Loop(u8),
}

/// A recorded sound that notes play.
#[derive(Clone, Debug, Default)]
pub struct Voice {
    /// Name of the voice. Characters outside ASCII are dropped.
    pub name: String,
    /// Signed 8-bit samples of one channel.
    pub samples: Vec<i8>,
    /// Of the recording; an Amiga module plays all at 8,287.
    pub rate_hz: u32,
    /// Whether it repeats while a note is held.
    pub loops: bool,
}
