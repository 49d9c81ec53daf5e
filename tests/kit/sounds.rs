//! Sounds and music made for tests, alone and in packages.

use bonebox::{
    export::wav,
    formats::{
        tracker::{
            Tracker,
            encode::{Tune, TuneEffect, TuneNote, Voice, encode},
        },
        unreal::encode::{Export, PackageWriter, Properties, write_music, write_sound},
    },
    scene::Pcm,
};

/// A tone of 440 Hz that dies away, on both channels, the right one softer.
pub fn bell(rate_hz: u32, seconds: f32) -> Pcm {
    let frames = (rate_hz as f32 * seconds) as usize;
    let sample = |frame: usize| {
        let time = frame as f32 / rate_hz as f32;
        let swing = (1.0 + 0.4 * (time * 5.0 * std::f32::consts::TAU).sin()) * (-time * 2.2).exp();
        (time * 440.0 * std::f32::consts::TAU).sin() * swing * 0.68
    };
    let both = |frame| [sample(frame), sample(frame) * 0.55].map(|v| (v * 32_767.0) as i16);
    Pcm { channels: 2, rate_hz, samples: (0..frames).flat_map(both).collect() }
}

/// A WAV with a loop.
pub fn looped_wav() -> Vec<u8> {
    wav(&bell(22_050, 1.6), &std::iter::once(8_000..24_000).collect::<Vec<_>>()).unwrap()
}

/// Eight patterns of two voices; order 8 goes back to order 2.
pub fn tune() -> Tune {
    let scale = [60, 62, 64, 67, 69, 72, 69, 67];
    let wave = |period: usize, height: i8| -> Vec<i8> {
        (0..4 * period).map(|i| if i % period < period / 2 { height } else { -height }).collect()
    };
    let mut patterns = Vec::new();
    for bar in 0..8_u8 {
        let mut notes = Vec::new();
        for step in 0..16_u8 {
            let key = scale[usize::from((step + bar) % 8)];
            notes.push(TuneNote { row: step * 4, channel: 0, key, voice: 1, volume: Some(48), effect: None });
            if step % 4 == 0 {
                let key = scale[usize::from(bar % 4)] - 12;
                notes.push(TuneNote { row: step * 4, channel: 1, key, voice: 2, ..TuneNote::default() });
            }
        }
        patterns.push(notes);
    }
    patterns[7].push(TuneNote { row: 63, channel: 3, effect: Some(TuneEffect::Jump(2)), ..TuneNote::default() });
    let voice = |name: &str, samples| Voice { name: name.into(), samples, rate_hz: 8_363, loops: true };
    Tune {
        title: "Eight bars".into(),
        channels: 4,
        speed: 3,
        tempo: 150,
        orders: (0..8).collect(),
        patterns,
        voices: vec![voice("a small lead", wave(32, 56)), voice("and its bass", wave(64, 64))],
    }
}

pub fn module(tracker: Tracker) -> Vec<u8> {
    encode(&tune(), tracker)
}

/// A package of this version with sounds and music in groups.
pub fn package(version: u16) -> Vec<u8> {
    let mut package = PackageWriter::new(version, 0);
    let (sound, music) = (package.class("Engine", "Sound"), package.class("Engine", "Music"));
    let doors = package.group("Doors");
    let none = Properties::new;
    package.add(&Export::new(sound, "Bell").inside(doors), |out| write_sound(out, &none(), "WAV", &looped_wav()));
    package.add(&Export::new(sound, "Gone").inside(doors), |out| write_sound(out, &none(), "WAV", b""));
    package.add(&Export::new(sound, "Speech"), |out| write_sound(out, &none(), "OGG", b"OggS\0\x02 and so on"));
    // The name of its format is not what it is.
    package.add(&Export::new(music, "Song"), |out| write_music(out, &none(), "s3m", &module(Tracker::It)));
    package.add(&Export::new(music, "Other"), |out| write_music(out, &none(), "xm", &module(Tracker::Xm)));
    package.finish()
}
