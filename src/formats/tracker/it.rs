//! Impulse Tracker modules.

use super::layout::{Layout, MAX_SLOTS, Pattern, TrackerError, letter_move};
use crate::bytes::{OutOfBytes, Reader, text};

/// Every row of a pattern is this wide, whatever it uses.
const CHANNELS: usize = 64;

pub(super) fn layout(bytes: &[u8]) -> Result<Layout, TrackerError> {
    let mut reader = Reader::little(bytes);
    reader.skip(4)?;
    let title = text::decode_field(reader.bytes(26)?);
    reader.skip(2)?;
    let (orders, instruments, samples, patterns) = (reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?);
    let (made_with, _compatible, flags, special) = (reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?);
    reader.skip(2)?;
    let (speed, tempo) = (reader.u8()?, reader.u8()?);
    reader.skip(2)?;
    let (message_size, message_at) = (reader.u16()?, reader.u32()?);
    reader.seek(0xC0)?;
    let most = [instruments, samples, patterns].into_iter().max().map_or(0, usize::from);
    if most > MAX_SLOTS {
        let message = format!("too many patterns, instruments or samples: {most}. The limit is {MAX_SLOTS}");
        return Err(TrackerError::Unplayable(message));
    }
    let orders = reader.bytes(usize::from(orders))?.to_vec();
    let mut offsets = |count: u16| -> Result<Vec<u32>, OutOfBytes> {
        let count = reader.check_count(u64::from(count), 4)?;
        (0..count).map(|_| reader.u32()).collect()
    };
    let (instrument_offsets, sample_offsets, pattern_offsets) =
        (offsets(instruments)?, offsets(samples)?, offsets(patterns)?);
    let mut layout = Layout {
        title,
        made_with: version(made_with),
        channels: CHANNELS,
        orders,
        instruments: (flags & 4 != 0).then_some(usize::from(instruments)),
        samples: usize::from(samples),
        speed: u16::from(speed),
        tempo: u16::from(tempo),
        loops_resume: true,
        loops_hold_breaks: true,
        ..Layout::default()
    };
    if special & 1 != 0 {
        let mut at = Reader::little(bytes);
        if at.seek(u64::from(message_at)).is_ok() {
            let there = at.left().min(usize::from(message_size));
            layout.message = text::decode_field(at.bytes(there)?).replace('\r', "\n");
        }
    }
    for offset in instrument_offsets {
        let mut at = Reader::little(bytes);
        if at.seek(u64::from(offset).saturating_add(32)).is_ok()
            && let Ok(name) = at.bytes(26)
        {
            layout.add_name(text::decode_field(name));
        }
    }
    for offset in sample_offsets {
        sample(bytes, offset, &mut layout)?;
    }
    let mut used = 0_u64;
    for offset in pattern_offsets {
        layout.patterns.push(if offset == 0 { Pattern::default() } else { pattern(bytes, offset, &mut used)? });
    }
    layout.channels_used = used.count_ones() as usize;
    Ok(layout)
}

/// The program that wrote the file, from its number.
fn version(number: u16) -> String {
    let (program, version) = (number >> 12, number & 0xFFF);
    let name = match program {
        0 => "Impulse Tracker",
        1 => "Schism Tracker",
        5 => "OpenMPT",
        _ => return format!("unknown tracker ({number:04X})"),
    };
    if program == 1 { name.to_owned() } else { format!("{name} {:X}.{:02X}", version >> 8, version & 0xFF) }
}

fn sample(bytes: &[u8], offset: u32, layout: &mut Layout) -> Result<(), OutOfBytes> {
    let mut reader = Reader::little(bytes);
    reader.seek(u64::from(offset))?;
    reader.skip(18)?;
    let flags = reader.u8()?;
    reader.skip(1)?;
    layout.add_name(text::decode_field(reader.bytes(26)?));
    reader.skip(2)?;
    let length = u64::from(reader.u32()?);
    reader.skip(20)?;
    let data = u64::from(reader.u32()?);
    if flags & 1 == 0 {
        return Ok(());
    }
    let width = if flags & 2 != 0 { 2 } else { 1 };
    let channels = if flags & 4 != 0 { 2 } else { 1 };
    // The library fills a compressed sample up with silence to the length that it states.
    let is_compressed = flags & 8 != 0;
    let most = if is_compressed { u64::MAX } else { (bytes.len() as u64).saturating_sub(data) };
    layout.add_sample(length.min(most).saturating_mul(width).saturating_mul(channels));
    Ok(())
}

fn pattern(bytes: &[u8], offset: u32, used: &mut u64) -> Result<Pattern, TrackerError> {
    let mut reader = Reader::little(bytes);
    reader.seek(u64::from(offset))?;
    let (size, rows) = (reader.u16()?, reader.i16()?);
    reader.skip(4)?;
    let mut packed = Reader::little(reader.bytes(usize::from(size))?);
    let mut pattern = Pattern { rows: usize::try_from(rows).unwrap_or(0), ..Pattern::default() };
    let mut masks = [0_u8; CHANNELS];
    let mut effects = [(0_u8, 0_u8); CHANNELS];
    'rows: for row in 0..pattern.rows {
        loop {
            let Ok(channel) = packed.u8() else { break 'rows };
            if channel == 0 {
                break;
            }
            let index = usize::from(channel.wrapping_sub(1) & 63);
            let (Some(mask), Some(effect)) = (masks.get_mut(index), effects.get_mut(index)) else { continue };
            if channel & 0x80 != 0 {
                *mask = packed.u8()?;
            }
            packed.skip((*mask & 7).count_ones() as usize)?;
            if *mask & 8 != 0 {
                *effect = (packed.u8()?, packed.u8()?);
            }
            let moves = if *mask & 0x88 != 0 { letter_move(index, effect.0, effect.1, false) } else { None };
            pattern.add(row, moves);
            *used |= 1_u64.wrapping_shl(index as u32);
        }
    }
    Ok(pattern)
}
