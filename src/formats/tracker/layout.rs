//! The parts of a module that determine the cost of playing it, an estimate of this cost for the player's library, and
//! the reasons for which music does not play.

use crate::bytes::OutOfBytes;
use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Why music does not play: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackerError {
    /// Rendering was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The music is damaged or has an unknown format; contains the sentence to show.
    #[error("{0}")]
    Unplayable(String),
}

impl From<OutOfBytes> for TrackerError {
    fn from(error: OutOfBytes) -> Self {
        Self::Unplayable(format!("the module ends too early ({error})"))
    }
}

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

/// Heap that any module may take, and what it may take for each byte of its file.
const BASE: u64 = 60 << 20;
const FOR_EACH_BYTE: u64 = 15;

/// What the library keeps, in bytes (measured with it): a cell of a pattern, in its three forms; a cell that holds something; a
/// row of the song as it is played, and its part for each channel; an instrument or a sample.
const CELL: u64 = 190;
const FULL_CELL: u64 = 420;
const PLAYED_ROW: u64 = 280;
const PLAYED_ROW_CHANNEL: u64 = 16;
const SLOT: u64 = 6 << 10;
/// The player itself.
const PLAYER: u64 = 4 << 20;

/// More rows are not followed, of all songs of a file together: at the usual speed they play for five hours.
const MAX_ROWS: usize = 150_000;

/// Refuses a module that would take more than its size justifies.
pub(super) fn check(layout: &Layout, file_bytes: usize) -> Result<(), TrackerError> {
    let allowed = BASE.saturating_add((file_bytes as u64).saturating_mul(FOR_EACH_BYTE));
    let rows =
        played_rows(layout).ok_or_else(|| TrackerError::Unplayable("the patterns repeat endlessly".to_owned()))?;
    let wanted = heap_bytes(layout, rows);
    if wanted > allowed {
        return Err(TrackerError::Unplayable(format!(
            "playback needs {} MiB of memory, but the limit for a file of {file_bytes} bytes is {} MiB",
            wanted >> 20,
            allowed >> 20
        )));
    }
    Ok(())
}

/// Bytes of heap that loading and playing takes.
fn heap_bytes(layout: &Layout, played_rows: u64) -> u64 {
    let channels = layout.channels as u64;
    let sum =
        |count: fn(&Pattern) -> usize| layout.patterns.iter().map(|p| count(p) as u64).fold(0, u64::saturating_add);
    let (rows, cells) = (sum(|p| p.rows), sum(|p| p.cells));
    let slots = (layout.instruments.unwrap_or(0) as u64).saturating_add(layout.samples as u64);
    let row = PLAYED_ROW.saturating_add(channels.saturating_mul(PLAYED_ROW_CHANNEL));
    [
        rows.saturating_mul(channels).saturating_mul(CELL),
        cells.saturating_mul(FULL_CELL),
        played_rows.saturating_mul(row),
        slots.saturating_mul(SLOT),
        layout.sample_bytes.saturating_mul(2),
        layout.longest_sample_bytes.saturating_mul(4),
        PLAYER,
    ]
    .into_iter()
    .fold(0, u64::saturating_add)
}

/// Rows that play from the start of each song to its end or to where it was before; `None` when they are too many.
pub fn played_rows(layout: &Layout) -> Option<u64> {
    let (mut total, mut left) = (0, MAX_ROWS);
    for song in layout.orders.split(|o| *o == 255) {
        let song: Vec<usize> = song.iter().filter(|o| **o != 254).map(|o| usize::from(*o)).collect();
        walk(layout, &song, &mut total, &mut left)?;
    }
    Some(total)
}

/// Loops of each channel: where they start, and how often they are still to be taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Loops {
    start: Vec<usize>,
    left: Vec<Option<usize>>,
}

fn walk(layout: &Layout, song: &[usize], total: &mut u64, rows_left: &mut usize) -> Option<()> {
    let none = Loops { start: vec![0; layout.channels], left: vec![None; layout.channels] };
    let (mut order, mut row, mut loops) = (0_usize, 0_usize, none.clone());
    let mut seen = HashSet::new();
    while let Some(index) = song.get(order) {
        let Some(pattern) = layout.patterns.get(*index).filter(|p| row < p.rows) else {
            (order, row) = (order.saturating_add(1), 0);
            loops.left.fill(None);
            continue;
        };
        // With no loop under way, which is nearly always, the place alone says it. The loops of 64 channels are a thousand
        // bytes, and there may be as many of these as rows: their hash is kept.
        let under_way = loops.left.iter().any(Option::is_some).then(|| hash(&loops.left));
        if !seen.insert((order, row, under_way)) {
            return Some(());
        }
        *rows_left = rows_left.checked_sub(1)?;
        let next = step(layout, pattern, row, &mut loops, total);
        (order, row) = match next {
            Next::Row => (order, row.saturating_add(1)),
            Next::Back(to) => (order, to),
            Next::Order(to, at) => (to.unwrap_or(order.saturating_add(1)), at),
        };
        if matches!(next, Next::Order(..)) {
            loops.clone_from(&none);
        }
    }
    Some(())
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

enum Next {
    Row,
    /// To a row of the same pattern.
    Back(usize),
    /// To an order, the next one without a number, and a row there.
    Order(Option<usize>, usize),
}

fn step(layout: &Layout, pattern: &Pattern, row: usize, loops: &mut Loops, total: &mut u64) -> Next {
    let first = pattern.moves.partition_point(|(at, _)| *at < row);
    let moves = pattern.moves.iter().skip(first).take_while(|(at, _)| *at == row).map(|(_, step)| *step);
    let (mut jump, mut leave, mut back, mut times) = (None, None, None, 1_u64);
    for step in moves {
        match step {
            Move::Jump(order) => jump = Some(order),
            Move::Break(row) => leave = Some(row),
            Move::Delay(rows) => times = times.saturating_add(rows as u64),
            Move::Loop(channel, count) => {
                let (Some(start), Some(left)) = (loops.start.get_mut(channel), loops.left.get_mut(channel)) else {
                    continue;
                };
                if count == 0 {
                    *start = row;
                    continue;
                }
                *left = match left {
                    Some(0) => None,
                    Some(n) => Some(n.saturating_sub(1)),
                    None => Some(count.saturating_sub(1)),
                };
                match left {
                    Some(_) => back = Some(*start),
                    None if layout.loops_resume => *start = row.saturating_add(1),
                    None => {}
                }
            }
        }
    }
    *total = total.saturating_add(times);
    let held = layout.loops_hold_breaks && loops.left.iter().any(Option::is_some);
    match (jump, leave, back) {
        (Some(order), ..) => Next::Order(Some(order), 0),
        (None, Some(row), _) if !held => Next::Order(None, row),
        (None, _, Some(start)) => Next::Back(start),
        _ => Next::Row,
    }
}
