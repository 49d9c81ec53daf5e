//! Fields of modules, as all four formats have them.

use super::tune::{TuneEffect, TuneNote};

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
