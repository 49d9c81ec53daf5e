use super::tune::{Tune, TuneNote, field, number, row_of, short};

/// The period of each key from 48 up, an octave.
const PERIODS: [u16; 12] = [856, 808, 762, 720, 678, 640, 604, 570, 538, 508, 480, 453];

pub(super) fn encode(tune: &Tune) -> Vec<u8> {
    let channels = if tune.channels > 4 { 8 } else { 4 };
    let mut file = field(&tune.title, 20);
    for index in 0..31 {
        let voice = tune.voices.get(index);
        file.extend(field(voice.map_or("", |v| &v.name), 22));
        let words = short(voice.map_or(0, |v| v.samples.len() / 2));
        file.extend(words.to_be_bytes());
        file.extend([0, 64, 0, 0]);
        file.extend(voice.filter(|v| v.loops).map_or(1, |_| words).to_be_bytes());
    }
    let length = tune.orders.len().min(128);
    file.extend([u8::try_from(length).unwrap_or(128), 127]);
    let at = file.len();
    file.extend(tune.orders.iter().take(128).map(|o| o & 0x7F));
    file.resize(at.saturating_add(128), 0);
    file.extend(if channels == 8 { b"8CHN" } else { b"M.K." });
    let patterns =
        tune.orders.iter().take(128).copied().max().map_or(0, |last| usize::from(last & 0x7F).saturating_add(1));
    for index in 0..patterns {
        let pattern = tune.patterns.get(index).map(Vec::as_slice).unwrap_or_default();
        for row in 0..64 {
            let notes = row_of(pattern, row);
            for channel in 0..channels {
                file.extend(notes.iter().find(|n| n.channel == channel).map_or([0; 4], cell));
            }
        }
    }
    for voice in tune.voices.iter().take(31) {
        file.extend(voice.samples.iter().take(voice.samples.len() & !1).map(|s| s.cast_unsigned()));
    }
    file
}

fn cell(note: &TuneNote) -> [u8; 4] {
    let above = usize::from(note.key.saturating_sub(48));
    let octave = u32::try_from(above / 12).unwrap_or(0);
    let period = match PERIODS.get(above % 12) {
        Some(period) if note.key >= 48 => period.checked_shr(octave).unwrap_or(0),
        _ => 0,
    };
    let [high, low] = period.to_be_bytes();
    let [effect, value] = match (note.effect, note.volume) {
        (Some(effect), _) => number(effect),
        (None, Some(volume)) => [0xC, volume.min(64)],
        (None, None) => [0, 0],
    };
    [note.voice & 0xF0 | high & 0xF, low, (note.voice & 0xF) << 4 | effect, value]
}
