use super::tune::{Tune, TuneNote, Voice, field, long, number, row_of, short};

pub(super) fn encode(tune: &Tune) -> Vec<u8> {
    let channels = tune.channels.clamp(1, 32);
    let mut file = b"Extended Module: ".to_vec();
    file.extend(field(&tune.title, 20));
    file.push(0x1A);
    file.extend(field("Bonebox", 20));
    file.extend([4, 1]);
    file.extend(276_u32.to_le_bytes());
    let orders = tune.orders.len().min(256);
    for count in [orders, 0, usize::from(channels), tune.patterns.len(), tune.voices.len(), 1] {
        file.extend(short(count).to_le_bytes());
    }
    file.extend([tune.speed, 0, tune.tempo, 0]);
    let at = file.len();
    file.extend(tune.orders.iter().take(256));
    file.resize(at.saturating_add(256), 0);
    for pattern in &tune.patterns {
        let packed = packed(pattern, channels);
        file.extend(9_u32.to_le_bytes());
        file.extend([0, 64, 0]);
        file.extend(short(packed.len()).to_le_bytes());
        file.extend(packed);
    }
    for voice in &tune.voices {
        instrument(&mut file, voice);
    }
    file
}

fn instrument(file: &mut Vec<u8>, voice: &Voice) {
    let start = file.len();
    file.extend(263_u32.to_le_bytes());
    file.extend(field(&voice.name, 22));
    file.extend([0, 1, 0]);
    file.extend(40_u32.to_le_bytes());
    file.resize(start.saturating_add(263), 0);
    let length = long(voice.samples.len());
    for number in [length, 0, if voice.loops { length } else { 0 }] {
        file.extend(number.to_le_bytes());
    }
    // A recording of 8,363 Hz sounds as it is at C-4.
    let semitones = (f64::from(voice.rate_hz.max(1)) / 8_363.0).log2() * 12.0;
    let finetune = (semitones.fract() * 128.0).round() as i8;
    file.extend([
        64,
        finetune.cast_unsigned(),
        u8::from(voice.loops),
        128,
        (semitones.trunc() as i8).cast_unsigned(),
        0,
    ]);
    file.extend(field(&voice.name, 22));
    let mut last = 0_i8;
    for sample in &voice.samples {
        file.push(sample.wrapping_sub(last).cast_unsigned());
        last = *sample;
    }
}

fn packed(pattern: &[TuneNote], channels: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..64 {
        let notes = row_of(pattern, row);
        for channel in 0..channels {
            let Some(note) = notes.iter().find(|n| n.channel == channel) else {
                bytes.push(0x80);
                continue;
            };
            // Key 60 is note 49, C-4.
            let key = if note.key > 0 { note.key.saturating_sub(11) } else { 0 };
            let volume = note.volume.map_or(0, |v| v.min(64).saturating_add(0x10));
            let [effect, value] = note.effect.map_or([0, 0], number);
            bytes.extend([0x9F, key, note.voice, volume, effect, value]);
        }
    }
    bytes
}
