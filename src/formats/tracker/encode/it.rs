use super::tune::{Tune, TuneNote, Voice, field, letter, long, row_of, set, short};

pub(super) fn encode(tune: &Tune) -> Vec<u8> {
    let mut file = b"IMPM".to_vec();
    file.extend(field(&tune.title, 26));
    file.extend([4, 16]);
    for count in [tune.orders.len().saturating_add(1), 0, tune.voices.len(), tune.patterns.len()] {
        file.extend(short(count).to_le_bytes());
    }
    // Version 2.14; stereo, samples instead of instruments, linear slides.
    file.extend([0x14, 0x02, 0x14, 0x02, 0x09, 0, 0, 0]);
    file.extend([128, 48, tune.speed, tune.tempo, 128, 0]);
    file.extend([0; 10]);
    file.extend((0..64).map(|channel| if channel < tune.channels { 32 } else { 0xA0 }));
    file.extend([64; 64]);
    file.extend(&tune.orders);
    file.push(255);
    let table = file.len();
    let entries = tune.voices.len().saturating_add(tune.patterns.len());
    file.resize(table.saturating_add(entries.saturating_mul(4)), 0);
    let mut next = table;
    let mut point = |file: &mut Vec<u8>| {
        let here = long(file.len()).to_le_bytes();
        set(file, next, &here);
        next = next.saturating_add(4);
    };
    let mut data = Vec::new();
    for voice in &tune.voices {
        point(&mut file);
        data.push((file.len().saturating_add(72), voice));
        sample(&mut file, voice);
    }
    for pattern in &tune.patterns {
        point(&mut file);
        let packed = packed(pattern);
        file.extend(short(packed.len()).to_le_bytes());
        file.extend([64, 0, 0, 0, 0, 0]);
        file.extend(packed);
    }
    for (at, voice) in data {
        let here = long(file.len()).to_le_bytes();
        set(&mut file, at, &here);
        file.extend(voice.samples.iter().map(|s| s.cast_unsigned()));
    }
    file
}

fn sample(file: &mut Vec<u8>, voice: &Voice) {
    file.extend(b"IMPS");
    file.extend([0; 13]);
    file.extend([64, if voice.loops { 0x11 } else { 0x01 }, 64]);
    file.extend(field(&voice.name, 26));
    // Signed samples, in the middle.
    file.extend([1, 32]);
    let length = long(voice.samples.len());
    for number in [length, 0, if voice.loops { length } else { 0 }, voice.rate_hz, 0, 0, 0, 0] {
        file.extend(number.to_le_bytes());
    }
}

fn packed(pattern: &[TuneNote]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..64 {
        for note in row_of(pattern, row) {
            let flag = |on: bool, bit: u8| if on { bit } else { 0 };
            let mask = flag(note.key > 0, 1)
                | flag(note.voice > 0, 2)
                | flag(note.volume.is_some(), 4)
                | flag(note.effect.is_some(), 8);
            bytes.extend([0x80 | (note.channel & 63).saturating_add(1), mask]);
            bytes.extend((note.key > 0).then_some(note.key));
            bytes.extend((note.voice > 0).then_some(note.voice));
            bytes.extend(note.volume.map(|v| v.min(64)));
            bytes.extend(note.effect.into_iter().flat_map(letter));
        }
        bytes.push(0);
    }
    bytes
}
