//! A tune as a ProTracker module: four voices, eight samples, all computed.

use std::f32::consts::TAU;

/// Periods of the notes from C-1 on, for a sample of 8287 frames a second at C-2.
fn period(note: i32) -> u16 {
    (856.0 / (note as f32 / 12.0).exp2()).round() as u16
}

struct Sample {
    name: &'static str,
    wave: Vec<i8>,
    volume: u8,
    /// First byte and length of the part that repeats, in bytes.
    repeat: Option<[usize; 2]>,
}

const LEAD: u8 = 1;
const PLUCK: u8 = 2;
const BASS: u8 = 3;
const PAD: u8 = 4;
const KICK: u8 = 5;
const SNARE: u8 = 6;
const HAT: u8 = 7;
const CHIME: u8 = 8;

fn quantized(count: usize, wave: impl Fn(f32) -> f32) -> Vec<i8> {
    let values: Vec<f32> = (0..count).map(|i| wave(i as f32)).collect();
    let loudest = values.iter().fold(1e-6f32, |most, v| most.max(v.abs()));
    values.iter().map(|v| (v / loudest * 120.0).round() as i8).collect()
}

fn noise(at: usize) -> f32 {
    let mut h = (at as u32).wrapping_mul(0x9e37_79b1) ^ 0x5bd1_e995;
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    (h ^ (h >> 13)) as f32 / u32::MAX as f32 * 2.0 - 1.0
}

fn samples() -> Vec<Sample> {
    const CYCLE: f32 = 32.0;
    // A plucked sound: harmonics die the faster the higher they are, then its last cycles go on.
    let plucked = |cycles: usize, harmonics: usize, decay: f32, name, volume| {
        let count = cycles * CYCLE as usize;
        let wave = quantized(count, |i| {
            (1..=harmonics)
                .map(|h| {
                    let h = h as f32;
                    (TAU * h * i / CYCLE).sin() / h * (-i / CYCLE * decay * (0.4 + 0.6 * h)).exp()
                })
                .sum()
        });
        Sample { name, wave, volume, repeat: None }
    };
    let looped = |name, volume, length: f32, wave: &dyn Fn(f32) -> f32| {
        let count = length as usize;
        Sample { name, wave: quantized(count, |i| wave(i / CYCLE)), volume, repeat: Some([0, count]) }
    };
    let drum = |name, volume, count: usize, wave: &dyn Fn(f32) -> f32| Sample {
        name,
        wave: quantized(count, |i| wave(i / 8_287.0) * ((count as f32 - i) / 60.0).min(1.0)),
        volume,
        repeat: None,
    };
    vec![
        // Two cycles slightly apart sing softly.
        looped("lead", 40, CYCLE * 16.0, &|t| {
            let one = (TAU * t).sin() + 0.30 * (TAU * 2.0 * t).sin() + 0.16 * (TAU * 3.0 * t).sin();
            one + 0.35 * (TAU * t * 17.0 / 16.0).sin()
        }),
        plucked(60, 8, 0.075, "pluck", 46),
        looped("bass", 56, CYCLE, &|t| (TAU * t).sin() + 0.42 * (TAU * 2.0 * t).sin() + 0.1 * (TAU * 3.0 * t).sin()),
        looped("pad", 22, CYCLE * 8.0, &|t| {
            (TAU * t).sin() + 0.5 * (TAU * 2.0 * t).sin() + 0.5 * (TAU * t * 9.0 / 8.0).sin()
        }),
        drum("kick", 60, 1_400, &|t| (TAU * (52.0 * t + 5.2 * (1.0 - (-t * 34.0).exp()))).sin() * (-t * 16.0).exp()),
        drum("snare", 42, 1_500, &|t| {
            (noise((t * 8_287.0).round() as usize) * 0.8 + (TAU * 190.0 * t).sin() * 0.6) * (-t * 24.0).exp()
        }),
        drum("hat", 22, 400, &|t| {
            let i = (t * 8_287.0).round() as usize;
            (noise(i + 1) - noise(i)) * (-t * 90.0).exp()
        }),
        plucked(110, 3, 0.04, "chime", 34),
    ]
}

/// What a voice does in a row: note (semitones above C-1), sample, effect and its parameter.
#[derive(Clone, Copy, Default)]
struct Cell {
    note: Option<i32>,
    sample: u8,
    effect: u8,
    parameter: u8,
}

type Pattern = Vec<[Cell; 4]>;

/// Notes as they are named: `c2`, `f#1`.
fn note(name: &str) -> i32 {
    let (letter, rest) = name.split_at(1);
    let semitone = match letter {
        "c" => 0,
        "d" => 2,
        "e" => 4,
        "f" => 5,
        "g" => 7,
        "a" => 9,
        _ => 11,
    };
    let (sharp, octave) = rest.strip_prefix('#').map_or((0, rest), |octave| (1, octave));
    semitone + sharp + 12 * (octave.parse::<i32>().unwrap_or(1) - 1)
}

fn set(pattern: &mut Pattern, row: usize, voice: usize, name: &str, sample: u8, volume: Option<u8>) {
    let (effect, parameter) = volume.map_or((0, 0), |volume| (0xC, volume));
    pattern[row][voice] = Cell { note: Some(note(name)), sample, effect, parameter };
}

/// Four bars of one chord each: its root, and the notes that are broken over it.
const CHORDS: [[(&str, [&str; 3]); 4]; 2] = [
    [("c1", ["c2", "e2", "g2"]), ("a1", ["c2", "e2", "a2"]), ("f1", ["c2", "f2", "a2"]), ("g1", ["d2", "g2", "b2"])],
    [("f1", ["c2", "f2", "a2"]), ("g1", ["b1", "d2", "g2"]), ("e1", ["b1", "e2", "g2"]), ("a1", ["c2", "e2", "a2"])],
];

/// Row in the four bars, note.
const MELODY: [&[(usize, &str)]; 2] = [
    &[
        (0, "e3"),
        (6, "d3"),
        (8, "c3"),
        (12, "g2"),
        (16, "a2"),
        (20, "c3"),
        (24, "e3"),
        (30, "d3"),
        (32, "c3"),
        (36, "a2"),
        (40, "f2"),
        (44, "a2"),
        (48, "b2"),
        (52, "d3"),
        (56, "g3"),
        (60, "f3"),
    ],
    &[
        (0, "a3"),
        (4, "g3"),
        (8, "f3"),
        (12, "c3"),
        (16, "b2"),
        (20, "d3"),
        (24, "g3"),
        (28, "d3"),
        (32, "e3"),
        (38, "f#3"),
        (40, "g3"),
        (44, "b3"),
        (48, "a3"),
        (54, "e3"),
        (56, "c3"),
        (60, "d3"),
    ],
];

fn pattern(part: usize, melody: bool, drums: bool) -> Pattern {
    let mut pattern = vec![[Cell::default(); 4]; 64];
    for (bar, (root, chord)) in CHORDS[part].iter().enumerate() {
        let first = bar * 16;
        // Bass: root, its octave, and a step before the next bar.
        for (row, name, volume) in
            [(0, *root, 56), (6, *root, 40), (8, chord[0], 34), (11, *root, 44), (14, chord[2], 30)]
        {
            set(&mut pattern, first + row, 0, name, BASS, Some(volume));
        }
        pattern[first + 4][0] = Cell { effect: 0xA, parameter: 0x04, ..Cell::default() };
        for (step, index) in [0, 1, 2, 1, 2, 0, 2, 1].into_iter().enumerate() {
            set(&mut pattern, first + step * 2, 1, chord[index], PLUCK, Some(if step % 4 == 0 { 40 } else { 26 }));
        }
        if drums {
            for (row, sample, name) in [
                (0, KICK, "c2"),
                (4, HAT, "c3"),
                (6, HAT, "c3"),
                (8, SNARE, "c2"),
                (10, KICK, "c2"),
                (12, HAT, "c3"),
                (14, HAT, "e3"),
            ] {
                set(&mut pattern, first + row, 3, name, sample, None);
            }
        } else {
            // Before the drums come in, chimes.
            set(&mut pattern, first, 3, chord[2], CHIME, None);
            set(&mut pattern, first + 8, 3, chord[1], CHIME, Some(20));
        }
    }
    if melody {
        for (row, name) in MELODY[part] {
            set(&mut pattern, *row, 2, name, LEAD, None);
            // Long notes tremble.
            if row + 3 < 64 && pattern[row + 2][2].note.is_none() && pattern[row + 3][2].note.is_none() {
                pattern[row + 2][2] = Cell { effect: 0x4, parameter: 0x52, ..Cell::default() };
                pattern[row + 3][2] = Cell { effect: 0x4, ..Cell::default() };
            }
        }
    } else {
        for bar in 0..4 {
            set(&mut pattern, bar * 16, 2, CHORDS[part][bar].1[1], PAD, None);
            pattern[bar * 16 + 10][2] = Cell { effect: 0xA, parameter: 0x02, ..Cell::default() };
        }
    }
    pattern
}

/// The module: an opening and two parts with drums, about 23 seconds.
pub fn module() -> Vec<u8> {
    let mut patterns = vec![pattern(0, false, false), pattern(0, true, true), pattern(1, true, true)];
    // 125 beats a minute, six ticks a row.
    patterns[0][0][3].effect = 0xF;
    patterns[0][0][3].parameter = 6;
    let samples = samples();
    let mut out = Vec::new();
    let padded = |out: &mut Vec<u8>, text: &str, width: usize| {
        out.extend_from_slice(text.as_bytes());
        out.extend(std::iter::repeat_n(0, width - text.len()));
    };
    let word = |out: &mut Vec<u8>, bytes: usize| out.extend_from_slice(&((bytes / 2) as u16).to_be_bytes());
    padded(&mut out, "The Bone Box", 20);
    for index in 0..31 {
        let sample = samples.get(index);
        padded(&mut out, sample.map_or("", |s| s.name), 22);
        word(&mut out, sample.map_or(0, |s| s.wave.len()));
        out.extend_from_slice(&[0, sample.map_or(0, |s| s.volume)]);
        let [first, length] = sample.and_then(|s| s.repeat).unwrap_or([0, 2]);
        word(&mut out, first);
        word(&mut out, length);
    }
    let order = [0u8, 1, 2];
    out.push(order.len() as u8);
    out.push(127);
    out.extend((0..128).map(|i| order.get(i).copied().unwrap_or(0)));
    out.extend_from_slice(b"M.K.");
    for pattern in &patterns {
        for cell in pattern.iter().flatten() {
            let period = cell.note.map_or(0, period).to_be_bytes();
            out.extend_from_slice(&[
                cell.sample & 0xF0 | period[0],
                period[1],
                cell.sample << 4 | cell.effect,
                cell.parameter,
            ]);
        }
    }
    for sample in &samples {
        // The first two bytes rest: players repeat them after a sample that does not.
        let quiet = usize::from(sample.repeat.is_none()) * 2;
        out.extend(sample.wave.iter().enumerate().map(|(i, v)| if i < quiet { 0 } else { v.cast_unsigned() }));
    }
    out
}
