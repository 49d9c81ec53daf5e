//! Sounds made of sines: a bark, a bell and a looping hum.

use std::f32::consts::TAU;

/// Frames a second of everything here.
pub const RATE_HZ: u32 = 22_050;

fn noise(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn rendered(seconds: f32, mut at: impl FnMut(f32) -> f32) -> Vec<f32> {
    let count = (seconds * RATE_HZ as f32) as usize;
    let wave: Vec<f32> = (0..count).map(|i| at(i as f32 / RATE_HZ as f32)).collect();
    let loudest = wave.iter().fold(1e-6f32, |most, v| most.max(v.abs()));
    wave.iter().map(|v| v / loudest * 0.92).collect()
}

/// Two short barks of a small wooden dog.
pub fn bark() -> Vec<f32> {
    let mut phase = 0.0f32;
    let mut random = 7u32;
    let mut low = 0.0f32;
    rendered(0.52, |t| {
        let mut sum = 0.0;
        for (start, pitch, loud) in [(0.0, 1.0, 1.0), (0.24, 1.12, 0.8)] {
            let s = t - start;
            if !(0.0..0.22).contains(&s) {
                continue;
            }
            // The pitch leaps up and falls off; the throat opens, then closes.
            let pitch_hz = (230.0 + 330.0 * (-((s - 0.045) / 0.045).powi(2)).exp()) * pitch;
            phase += pitch_hz / RATE_HZ as f32;
            let envelope = (s / 0.012).min(1.0) * (-(s - 0.03).max(0.0) * 19.0).exp();
            let throat: f32 = (1..=9)
                .map(|harmonic| {
                    let formant = |at: f32, wide: f32| (-((pitch_hz * harmonic as f32 - at) / wide).powi(2)).exp();
                    let weight = 0.9 * formant(700.0, 420.0) + 0.6 * formant(1_500.0, 500.0) + 0.25 / harmonic as f32;
                    weight * (phase * harmonic as f32 * TAU).sin()
                })
                .sum();
            low += (noise(&mut random) - low) * 0.45;
            sum += (throat + low * 1.1 * (-s * 30.0).exp()) * envelope * loud;
        }
        sum
    })
}

/// A small bell: its partials are those of no string.
pub fn bell() -> Vec<f32> {
    let partials = [
        (0.5, 0.5, 1.6),
        (1.0, 1.0, 2.2),
        (1.19, 0.5, 2.8),
        (1.56, 0.35, 3.6),
        (2.0, 0.45, 4.4),
        (2.66, 0.25, 6.5),
        (3.76, 0.2, 10.0),
    ];
    rendered(1.5, |t| {
        let fade = ((1.5 - t) / 0.15).min(1.0);
        partials
            .iter()
            .map(|(ratio, loud, decay)| loud * (-t * decay).exp() * (t * TAU * 880.0 * ratio).sin())
            .sum::<f32>()
            * fade
    })
}

/// A hum whose second half second can be repeated for ever, with the frames of that loop.
pub fn hum() -> (Vec<f32>, [u32; 2]) {
    let wave = rendered(0.75, |t| {
        let swell = (t / 0.2).min(1.0);
        // Whole numbers of swings in half a second, so that its ends meet.
        let swing = 1.0 + 0.25 * (t * TAU * 4.0).sin();
        (1..=6).map(|h| (t * TAU * 110.0 * h as f32).sin() / (h * h) as f32).sum::<f32>() * swing * swell
    });
    let half = RATE_HZ / 2;
    (wave, [half / 2, half / 2 + half - 1])
}

/// A WAV file of one channel; `bits` is 8 or 16, `repeat` the first and last frame of a loop.
pub fn wav(wave: &[f32], bits: u16, repeat: Option<[u32; 2]>) -> Vec<u8> {
    let data: Vec<u8> = match bits {
        8 => wave.iter().map(|v| (v.clamp(-1.0, 1.0) * 127.0 + 128.0).round() as u8).collect(),
        _ => wave.iter().flat_map(|v| ((v.clamp(-1.0, 1.0) * 32_767.0).round() as i16).to_le_bytes()).collect(),
    };
    let frame = bits / 8;
    let mut out = b"RIFF\0\0\0\0WAVEfmt ".to_vec();
    let words = |out: &mut Vec<u8>, values: &[u32]| values.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
    let halves =
        |out: &mut Vec<u8>, values: &[u16]| values.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
    words(&mut out, &[16]);
    halves(&mut out, &[1, 1]);
    words(&mut out, &[RATE_HZ, RATE_HZ * u32::from(frame)]);
    halves(&mut out, &[frame, bits]);
    out.extend_from_slice(b"data");
    words(&mut out, &[data.len() as u32]);
    out.extend_from_slice(&data);
    if data.len() % 2 == 1 {
        out.push(0);
    }
    if let Some([first, last]) = repeat {
        out.extend_from_slice(b"smpl");
        words(&mut out, &[60, 0, 0, 1_000_000_000 / RATE_HZ, 60, 0, 0, 0, 1, 0, 0, 0, first, last, 0, 0]);
    }
    let size = out.len() as u32 - 8;
    out[4..8].copy_from_slice(&size.to_le_bytes());
    out
}
