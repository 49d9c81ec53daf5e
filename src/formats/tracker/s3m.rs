//! Scream Tracker 3 modules.

use super::layout::{Layout, MAX_SLOTS, Pattern, TrackerError, letter_move};
use crate::bytes::{OutOfBytes, Reader, text};

const CHANNELS: usize = 32;
const ROWS: usize = 64;

pub(super) fn layout(bytes: &[u8]) -> Result<Layout, TrackerError> {
    let mut reader = Reader::little(bytes);
    let title = text::decode_field(reader.bytes(28)?);
    reader.skip(4)?;
    let (orders, instruments, patterns) = (reader.u16()?, reader.u16()?, reader.u16()?);
    let (_flags, made_with) = (reader.u16()?, reader.u16()?);
    reader.seek(0x31)?;
    let (speed, tempo) = (reader.u8()?, reader.u8()?);
    reader.seek(0x60)?;
    let most = usize::from(instruments.max(patterns));
    if most > MAX_SLOTS {
        let message = format!("too many patterns or samples: {most}. The limit is {MAX_SLOTS}");
        return Err(TrackerError::Unplayable(message));
    }
    let orders = reader.bytes(usize::from(orders))?;
    // The first end counts; what is skipped is not there for the player.
    let orders = orders.iter().copied().take_while(|o| *o != 255).filter(|o| *o != 254).collect();
    let mut offsets = |count: u16| -> Result<Vec<u64>, OutOfBytes> {
        let count = reader.check_count(u64::from(count), 2)?;
        (0..count).map(|_| reader.u16().map(|o| u64::from(o).saturating_mul(16))).collect()
    };
    let (instrument_offsets, pattern_offsets) = (offsets(instruments)?, offsets(patterns)?);
    let mut layout = Layout {
        title,
        made_with: version(made_with),
        channels: CHANNELS,
        orders,
        samples: usize::from(instruments),
        speed: u16::from(speed),
        tempo: u16::from(tempo),
        loops_resume: true,
        ..Layout::default()
    };
    for offset in instrument_offsets.into_iter().filter(|o| *o > 0) {
        instrument(bytes, offset, &mut layout)?;
    }
    let mut used = 0_u32;
    for offset in pattern_offsets {
        layout.patterns.push(if offset == 0 { Pattern::default() } else { pattern(bytes, offset, &mut used)? });
    }
    layout.channels_used = used.count_ones() as usize;
    Ok(layout)
}

/// The program that wrote the file, from its number.
fn version(number: u16) -> String {
    match number >> 12 {
        1 => format!("Scream Tracker {:X}.{:02X}", (number >> 8) & 0xF, number & 0xFF),
        2 => "Imago Orpheus".to_owned(),
        3 => "Impulse Tracker".to_owned(),
        4 => "Schism Tracker".to_owned(),
        5 => "OpenMPT".to_owned(),
        _ => format!("unknown tracker ({number:04X})"),
    }
}

fn instrument(bytes: &[u8], offset: u64, layout: &mut Layout) -> Result<(), OutOfBytes> {
    let mut reader = Reader::little(bytes);
    reader.seek(offset)?;
    let kind = reader.u8()?;
    reader.skip(12)?;
    let (high, low) = (reader.u8()?, reader.u16()?);
    let length = u64::from(reader.u32()?);
    reader.skip(11)?;
    let flags = reader.u8()?;
    reader.skip(16)?;
    layout.add_name(text::decode_field(reader.bytes(28)?));
    if kind == 1 {
        let data = (u64::from(high) << 16 | u64::from(low)).saturating_mul(16);
        let left = (bytes.len() as u64).saturating_sub(data);
        let width = if flags & 4 != 0 { 2 } else { 1 };
        layout.add_sample(length.saturating_mul(width).min(left));
    }
    Ok(())
}

fn pattern(bytes: &[u8], offset: u64, used: &mut u32) -> Result<Pattern, TrackerError> {
    let mut reader = Reader::little(bytes);
    reader.seek(offset)?;
    let size = usize::from(reader.u16()?);
    let mut packed = Reader::little(reader.bytes(size.min(reader.left()))?);
    let mut pattern = Pattern { rows: ROWS, ..Pattern::default() };
    // A cell that is cut off ends the pattern.
    let _ = read_rows(&mut packed, &mut pattern, used);
    Ok(pattern)
}

fn read_rows(packed: &mut Reader<'_>, pattern: &mut Pattern, used: &mut u32) -> Result<(), OutOfBytes> {
    let mut row = 0_usize;
    while row < ROWS {
        let what = packed.u8()?;
        if what == 0 {
            row = row.saturating_add(1);
            continue;
        }
        let channel = usize::from(what & 31);
        packed.skip(if what & 0x20 != 0 { 2 } else { 0 })?;
        packed.skip(if what & 0x40 != 0 { 1 } else { 0 })?;
        let (letter, value) = if what & 0x80 != 0 { (packed.u8()?, packed.u8()?) } else { (0, 0) };
        pattern.add(row, letter_move(channel, letter, value, true));
        *used |= 1_u32.wrapping_shl(channel as u32);
    }
    Ok(())
}
