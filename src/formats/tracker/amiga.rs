//! Amiga modules (ProTracker and those that followed it) with 31 samples, which name themselves at offset 1080.

use super::layout::{Layout, Pattern, TrackerError, number_move};
use crate::bytes::{Endian, Reader, text};

const TAG_AT: usize = 1080;
const ROWS: usize = 64;

/// The number of channels that the tag stands for; `None` where there is no tag.
pub(super) fn channels_of(bytes: &[u8]) -> Option<usize> {
    let tag = bytes.get(TAG_AT..)?.first_chunk::<4>()?;
    let digit = |b: u8| char::from(b).to_digit(10).map(|d| d as usize);
    let channels = match tag {
        b"M.K." | b"M!K!" | b"M&K!" | b"N.T." | b"FLT4" | b"EXO4" | b"NSMS" | b"LARD" | b"PATT" | b"FEST" | b"CD61" => {
            4
        }
        b"FLT8" | b"EXO8" | b"CD81" | b"OKTA" | b"OCTA" => 8,
        [b'T', b'D', b'Z', n] => digit(*n).filter(|n| (1..=3).contains(n))?,
        [n, b'C', b'H', b'N'] => digit(*n)?,
        [tens, ones, b'C', b'H' | b'N'] => digit(*tens)?.checked_mul(10)?.checked_add(digit(*ones)?)?,
        _ => return None,
    };
    (channels > 0).then_some(channels)
}

pub(super) fn layout(bytes: &[u8]) -> Result<Layout, TrackerError> {
    let channels = channels_of(bytes).ok_or_else(|| TrackerError::Unplayable("unknown module type".to_owned()))?;
    if channels > 64 {
        return Err(TrackerError::Unplayable(format!("too many channels: {channels}. The limit is 64")));
    }
    let mut reader = Reader::new(bytes, 0, Endian::Big);
    let mut layout = Layout {
        title: text::decode_field(reader.bytes(20)?),
        // A tag for 4 channels may stand before 8 of them.
        channels: channels.max(8),
        channels_used: channels,
        samples: 31,
        speed: 6,
        tempo: 125,
        ..Layout::default()
    };
    for _ in 0..31 {
        layout.add_name(text::decode_field(reader.bytes(22)?));
        layout.add_sample(u64::from(reader.u16()?).saturating_mul(2).min(bytes.len() as u64));
        reader.skip(6)?;
    }
    let length = usize::from(reader.u8()?);
    reader.skip(1)?;
    let orders = reader.bytes(128)?;
    let patterns = orders.iter().copied().max().map_or(0, |last| usize::from(last).saturating_add(1));
    layout.orders = orders.get(..length.min(128)).unwrap_or_default().to_vec();
    reader.skip(4)?;
    let tag = bytes.get(TAG_AT..).and_then(|b| b.get(..4)).unwrap_or_default();
    layout.made_with = format!("“{}”", text::decode(tag));
    let size = channels.saturating_mul(ROWS * 4) as u64;
    for _ in 0..reader.whole_records(patterns as u64, size) {
        let mut pattern = Pattern { rows: ROWS, ..Pattern::default() };
        for row in 0..ROWS {
            for channel in 0..channels {
                let [a, b, c, value] = reader.array()?;
                if [a, b, c, value] != [0; 4] {
                    pattern.add(row, number_move(channel, c & 0xF, value));
                }
            }
        }
        layout.patterns.push(pattern);
    }
    Ok(layout)
}
