//! FastTracker 2 modules.

use super::layout::{Layout, MAX_SLOTS, Pattern, TrackerError, number_move};
use crate::bytes::{OutOfBytes, Reader, numbers::counted, text};

/// A pattern may have more rows than FastTracker wrote; more than this are not played.
const MAX_ROWS: usize = 1024;
/// A sample that is cut off by the end of the file is filled up, by no more than this beyond its own size.
const FILLED: u64 = 64 << 10;

pub(super) fn layout(bytes: &[u8]) -> Result<Layout, TrackerError> {
    let mut reader = Reader::little(bytes);
    reader.skip(17)?;
    let title = text::decode_field(reader.bytes(20)?);
    reader.skip(1)?;
    let made_with = text::decode_field(reader.bytes(20)?);
    reader.skip(2)?;
    let header_size = reader.u32()?;
    let (length, _restart, channels) = (reader.u16()?, reader.u16()?, usize::from(reader.u16()?));
    let (patterns, instruments, _flags) = (reader.u16()?, usize::from(reader.u16()?), reader.u16()?);
    let (speed, tempo) = (reader.u16()?, reader.u16()?);
    if channels == 0 || channels > 64 || length > 256 || patterns > 256 || instruments > MAX_SLOTS {
        return Err(TrackerError::Unplayable(format!(
            "invalid counts in the XM header: {}, {}, {}, {}",
            counted(channels, "channel"),
            counted(length, "order"),
            counted(patterns, "pattern"),
            counted(instruments, "instrument")
        )));
    }
    let orders = reader.bytes(usize::from(length))?.to_vec();
    reader.seek(u64::from(header_size).saturating_add(60))?;
    let mut layout = Layout {
        title,
        made_with,
        channels,
        channels_used: channels,
        orders,
        instruments: Some(instruments),
        speed,
        tempo,
        ..Layout::default()
    };
    for _ in 0..patterns {
        layout.patterns.push(pattern(&mut reader, channels)?);
    }
    // Orders without a pattern of their own play empty ones.
    let empty = layout.orders.len().saturating_sub(layout.patterns.len());
    layout.patterns.extend((0..empty).map(|_| Pattern { rows: 64, ..Pattern::default() }));
    for _ in 0..instruments {
        if instrument(&mut reader, &mut layout).is_err() {
            // The player goes on with what it has.
            break;
        }
    }
    Ok(layout)
}

fn pattern(reader: &mut Reader<'_>, channels: usize) -> Result<Pattern, OutOfBytes> {
    let start = reader.offset();
    let header = reader.u32()?;
    reader.skip(1)?;
    let (rows, size) = (usize::from(reader.u16()?), reader.u16()?);
    reader.seek(start.saturating_add(u64::from(header)))?;
    let mut packed = Reader::little(reader.bytes(usize::from(size))?);
    let rows = if rows == 0 { 64 } else { rows.min(MAX_ROWS) };
    let mut pattern = Pattern { rows, ..Pattern::default() };
    let mut index = 0_usize;
    while packed.left() > 0 {
        let first = packed.u8()?;
        let mask = if first & 0x80 != 0 { first } else { 0xFE };
        let mut cell = [0_u8; 5];
        for (bit, value) in cell.iter_mut().enumerate() {
            if mask & 1_u8.wrapping_shl(bit as u32) != 0 {
                *value = packed.u8()?;
            }
        }
        let [.., number, value] = cell;
        let (row, channel) = (index.checked_div(channels).unwrap_or(0), index.checked_rem(channels).unwrap_or(0));
        if first != 0x80 {
            pattern.add(row, number_move(channel, number, value));
        }
        index = index.saturating_add(1);
    }
    // More rows than were declared are kept by the player as well.
    pattern.rows = pattern.rows.max(index.checked_div(channels).unwrap_or(0));
    Ok(pattern)
}

fn instrument(reader: &mut Reader<'_>, layout: &mut Layout) -> Result<(), OutOfBytes> {
    let start = reader.offset();
    let size = reader.u32()?;
    if size > 4 {
        layout.add_name(text::decode_field(reader.bytes(22.min(reader.left()))?));
        reader.skip(1)?;
    }
    // A short record ends before its number of samples.
    let samples = if size >= 29 { usize::from(reader.u16()?) } else { 0 };
    reader.seek(start.saturating_add(u64::from(size.max(4))))?;
    let mut lengths = Vec::new();
    for _ in 0..reader.whole_records(samples as u64, 40) {
        lengths.push(u64::from(reader.u32()?));
        reader.skip(14)?;
        layout.add_name(text::decode_field(reader.bytes(22)?));
    }
    layout.samples = layout.samples.saturating_add(samples);
    for length in lengths {
        let there = length.min(reader.left() as u64);
        reader.skip(usize::try_from(there).unwrap_or(0))?;
        let filled = length.saturating_sub(there).min(there.saturating_add(FILLED));
        layout.add_sample(there.saturating_add(if there > 0 { filled } else { 0 }));
    }
    Ok(())
}
