use super::tune::{Tune, TuneNote, Voice, field, letter, long, row_of, set, short};

pub(super) fn encode(tune: &Tune) -> Vec<u8> {
    let mut file = field(&tune.title, 28);
    file.extend([0x1A, 16, 0, 0]);
    // The number of orders is even.
    let mut orders = tune.orders.clone();
    orders.push(255);
    if !orders.len().is_multiple_of(2) {
        orders.push(255);
    }
    for count in [orders.len(), tune.voices.len(), tune.patterns.len()] {
        file.extend(short(count).to_le_bytes());
    }
    // Scream Tracker 3.20, unsigned samples.
    file.extend([0, 0, 0x20, 0x13, 2, 0]);
    file.extend(b"SCRM");
    file.extend([64, tune.speed, tune.tempo, 0xB0, 16, 0]);
    file.extend([0; 10]);
    file.extend((0..32_u8).map(|channel| if channel < tune.channels { channel % 16 } else { 255 }));
    file.extend(orders);
    let table = file.len();
    let entries = tune.voices.len().saturating_add(tune.patterns.len());
    file.resize(table.saturating_add(entries.saturating_mul(2)), 0);
    let mut next = table;
    let mut point = |file: &mut Vec<u8>| {
        file.resize(file.len().next_multiple_of(16), 0);
        let here = short(file.len() / 16).to_le_bytes();
        set(file, next, &here);
        next = next.saturating_add(2);
    };
    let mut data = Vec::new();
    for voice in &tune.voices {
        point(&mut file);
        data.push((file.len().saturating_add(13), voice));
        instrument(&mut file, voice);
    }
    for pattern in &tune.patterns {
        point(&mut file);
        let packed = packed(pattern);
        file.extend(short(packed.len()).to_le_bytes());
        file.extend(packed);
    }
    for (at, voice) in data {
        file.resize(file.len().next_multiple_of(16), 0);
        let [low, middle, high, _] = long(file.len() / 16).to_le_bytes();
        set(&mut file, at, &[high, low, middle]);
        file.extend(voice.samples.iter().map(|s| s.cast_unsigned() ^ 0x80));
    }
    file
}

fn instrument(file: &mut Vec<u8>, voice: &Voice) {
    file.push(1);
    file.extend([0; 15]);
    let length = long(voice.samples.len());
    for number in [length, 0, if voice.loops { length } else { 0 }] {
        file.extend(number.to_le_bytes());
    }
    file.extend([64, 0, 0, u8::from(voice.loops)]);
    file.extend(voice.rate_hz.to_le_bytes());
    file.extend([0; 12]);
    file.extend(field(&voice.name, 28));
    file.extend(b"SCRS");
}

fn packed(pattern: &[TuneNote]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..64 {
        for note in row_of(pattern, row) {
            let flag = |on: bool, bit: u8| if on { bit } else { 0 };
            let what = flag(note.key > 0 || note.voice > 0, 0x20)
                | flag(note.volume.is_some(), 0x40)
                | flag(note.effect.is_some(), 0x80);
            if what == 0 {
                continue;
            }
            bytes.push(what | (note.channel & 31));
            if what & 0x20 != 0 {
                // Octave and semitone; key 60 is C-4, the pitch of the recording.
                let key = note.key.saturating_sub(12);
                bytes.extend([if note.key > 0 { ((key / 12) << 4) | (key % 12) } else { 255 }, note.voice]);
            }
            bytes.extend(note.volume.map(|v| v.min(64)));
            bytes.extend(note.effect.into_iter().flat_map(letter));
        }
        bytes.push(0);
    }
    bytes
}
