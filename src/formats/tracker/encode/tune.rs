//! The contents of a module, and the fields that all four formats share.

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

/// A text in a field of `size` bytes, filled with NUL; the last byte is one.
pub fn field(text: &str, size: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.bytes().filter(u8::is_ascii).take(size.saturating_sub(1)).collect();
    bytes.resize(size, 0);
    bytes
}

/// The notes of a row, by channel.
pub fn row_of(pattern: &[TuneNote], row: u8) -> Vec<TuneNote> {
    let mut notes: Vec<TuneNote> = pattern.iter().filter(|n| n.row == row).copied().collect();
    notes.sort_by_key(|n| n.channel);
    notes.dedup_by_key(|n| n.channel);
    notes
}

/// An effect as S3M and IT write it.
pub fn letter(effect: TuneEffect) -> [u8; 2] {
    match effect {
        TuneEffect::Jump(order) => [2, order],
        TuneEffect::Break => [3, 0],
        TuneEffect::Loop(count) => [19, 0xB0 | count & 0xF],
    }
}

/// An effect as MOD and XM write it.
pub fn number(effect: TuneEffect) -> [u8; 2] {
    match effect {
        TuneEffect::Jump(order) => [0xB, order],
        TuneEffect::Break => [0xD, 0],
        TuneEffect::Loop(count) => [0xE, 0x60 | count & 0xF],
    }
}

/// A count in a field of 16 bits.
pub fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// A size or an offset in a field of 32 bits.
pub fn long(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Writes over what was left open at `at`.
pub fn set(file: &mut [u8], at: usize, bytes: &[u8]) {
    let end = at.saturating_add(bytes.len());
    if let Some(place) = file.get_mut(at..end) {
        place.copy_from_slice(bytes);
    }
}
