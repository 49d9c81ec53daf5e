//! What a module is made of, as far as it decides what playing it costs.

/// The most instruments or samples that a module may have; no tracker writes more.
pub(super) const MAX_SLOTS: usize = 4000;

/// A module, laid out.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub title: String,
    /// The tracker and its version; empty when the format does not say.
    pub made_with: String,
    pub message: String,
    /// Channels that a player has to follow: the width of every row.
    pub channels: usize,
    /// Channels that the music uses.
    pub channels_used: usize,
    /// Patterns in playing order; 254 stands for a skipped place, 255 ends a song.
    pub orders: Vec<u8>,
    pub patterns: Vec<Pattern>,
    /// `None` where samples are the instruments.
    pub instruments: Option<usize>,
    pub samples: usize,
    /// Bytes that the samples take when they are decoded.
    pub sample_bytes: u64,
    /// The longest of them.
    pub longest_sample_bytes: u64,
    /// Ticks a row.
    pub speed: u16,
    /// Beats a minute.
    pub tempo: u16,
    /// Of instruments and samples, without those that are empty.
    pub names: Vec<String>,
    /// An expired loop starts the next one after itself (S3M, IT).
    pub loops_resume: bool,
    /// A break waits for loops to end (IT).
    pub loops_hold_breaks: bool,
}

/// The part of a pattern that moves the player about.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub rows: usize,
    /// Cells that hold something.
    pub cells: usize,
    /// By row.
    pub moves: Vec<(usize, Move)>,
}

/// An effect that changes which row comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// To the start of this order.
    Jump(usize),
    /// To this row of the next order.
    Break(usize),
    /// On this channel: 0 starts a loop, else repeats it so many times.
    Loop(usize, usize),
    /// The row lasts this many times longer.
    Delay(usize),
}

impl Layout {
    pub fn add_sample(&mut self, bytes: u64) {
        self.sample_bytes = self.sample_bytes.saturating_add(bytes);
        self.longest_sample_bytes = self.longest_sample_bytes.max(bytes);
    }

    /// A name of an instrument or a sample.
    pub fn add_name(&mut self, name: String) {
        if !name.trim().is_empty() && self.names.len() < MAX_SLOTS {
            self.names.push(name);
        }
    }
}

impl Pattern {
    pub fn add(&mut self, row: usize, step: Option<Move>) {
        self.cells = self.cells.saturating_add(1);
        if let Some(step) = step {
            self.moves.push((row, step));
        }
    }
}

/// The effects of IT and S3M, by letter (A is 1).
pub(super) fn letter_move(channel: usize, letter: u8, value: u8, decimal_break: bool) -> Option<Move> {
    let value = usize::from(value);
    match letter {
        2 => Some(Move::Jump(value)),
        3 => Some(Move::Break(if decimal_break { decimal(value) } else { value })),
        19 => extended(channel, value),
        _ => None,
    }
}

/// The effects of MOD and XM, by number.
pub(super) fn number_move(channel: usize, number: u8, value: u8) -> Option<Move> {
    let value = usize::from(value);
    match (number, value >> 4) {
        (0xB, _) => Some(Move::Jump(value)),
        (0xD, _) => Some(Move::Break(decimal(value))),
        (0xE, 6) => Some(Move::Loop(channel, value & 0xF)),
        (0xE, 0xE) => Some(Move::Delay(value & 0xF)),
        _ => None,
    }
}

fn extended(channel: usize, value: usize) -> Option<Move> {
    match value >> 4 {
        0xB => Some(Move::Loop(channel, value & 0xF)),
        0xE => Some(Move::Delay(value & 0xF)),
        _ => None,
    }
}

/// Two decimal digits written as hexadecimal.
fn decimal(value: usize) -> usize {
    (value >> 4).saturating_mul(10).saturating_add(value & 0xF)
}
