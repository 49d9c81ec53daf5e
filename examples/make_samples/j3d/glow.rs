//! Lumo's material animations: blinks, glances, scrolling signs, pulsing colours, a removable helmet.

use super::{pictures::number, rig::angle16};
use bonebox::formats::j3d::encode::{
    AxisTracks, ColorTracks, Key, MaterialColorClip, PatternClip, PatternTrack, RegisterClip, TextureClip,
    TextureTracks, Track, VisibilityClip,
};

/// Frames that all of them take.
const LENGTH: u16 = 240;
const END: f32 = 240.0;

/// From one value to another at one speed.
fn ramp(from: f32, to: f32) -> Track {
    let slope = (to - from) / END;
    let key = |frame, value| Key { frame, value, tangent_in: slope, tangent_out: slope };
    Track::Keys(vec![key(0.0, from), key(END, to)])
}

/// Holds each value until the next one's frame: two keys at one time.
fn steps(values: &[(f32, f32)]) -> Track {
    let mut keys = Vec::new();
    let mut held: Option<f32> = None;
    for (frame, value) in values {
        let key = |value| Key { frame: *frame, value, ..Key::default() };
        keys.extend(held.map(key));
        keys.push(key(*value));
        held = Some(*value);
    }
    Track::Keys(keys)
}

fn slot(material: &str, slot: u8, axes: [AxisTracks; 3]) -> TextureTracks {
    TextureTracks { material: material.into(), slot, center: [0.5; 3], axes }
}

fn still(scale: f32) -> AxisTracks {
    AxisTracks { scale: Track::Constant(scale), rotation: Track::Constant(0.0), translation: Track::Constant(0.0) }
}

fn moving(scale: f32, translation: Track) -> AxisTracks {
    AxisTracks { translation, ..still(scale) }
}

/// Texture matrices: pupils, the ring's three textures, the star.
pub fn matrices() -> TextureClip {
    let look_s =
        steps(&[(0.0, 0.0), (26.0, 0.07), (70.0, -0.08), (108.0, 0.0), (150.0, 0.05), (196.0, 0.0), (240.0, 0.0)]);
    let look_t =
        steps(&[(0.0, 0.0), (26.0, 0.02), (70.0, 0.0), (108.0, -0.06), (150.0, 0.05), (196.0, 0.0), (240.0, 0.0)]);
    let turning = AxisTracks { rotation: ramp(-angle16(90.0), angle16(90.0)), ..still(1.0) };
    TextureClip {
        loop_mode: 2,
        duration: LENGTH,
        tracks: vec![
            slot("Eyes", 0, [moving(1.25, look_s), moving(1.25, look_t), still(1.0)]),
            slot("Ring", 0, [moving(2.0, ramp(0.0, -4.0)), still(1.0), still(1.0)]),
            slot("Ring", 1, [moving(3.0, ramp(0.0, 9.0)), moving(0.5, ramp(0.0, 2.0)), still(1.0)]),
            slot("Ring", 2, [moving(2.0, ramp(0.0, 5.0)), moving(0.5, ramp(0.0, -3.0)), still(1.0)]),
            slot("Glint", 0, [still(1.0), still(1.0), turning]),
        ],
        ..TextureClip::default()
    }
}

/// Which picture eyes and mouth have.
pub fn faces() -> PatternClip {
    let frames = |at: &dyn Fn(u32) -> u32| (0..u32::from(LENGTH)).map(|frame| at(frame) as u16).collect();
    let [open, half, shut, laugh] = [0, 1, 2, 3].map(|lid| number::LIDS + lid);
    let blink = |start: u32, frame: u32| match frame.checked_sub(start) {
        Some(0 | 1 | 5 | 6) => Some(half),
        Some(2..=4) => Some(shut),
        _ => None,
    };
    let eyes = frames(&|frame| {
        let blinks = [22, 66, 104, 112, 146, 230].into_iter().find_map(|start| blink(start, frame));
        if (196..226).contains(&frame) { laugh } else { blinks.unwrap_or(open) }
    });
    let mouth = frames(&|frame| match frame {
        100..130 => number::MOUTHS + 1,
        196..226 => number::MOUTHS + 2,
        _ => number::MOUTHS,
    });
    let track = |material: &str, slot, textures| PatternTrack { material: material.into(), slot, textures };
    PatternClip { loop_mode: 2, duration: LENGTH, tracks: vec![track("Eyes", 1, eyes), track("Mouth", 0, mouth)] }
}

/// From `low` to `high` and back, so many times.
fn pulse(low: f32, high: f32, times: u16) -> Track {
    let step = END / f32::from(times) / 2.0;
    let key = |index: u16| Key {
        frame: f32::from(index) * step,
        value: if index.is_multiple_of(2) { low } else { high },
        ..Key::default()
    };
    Track::Keys((0..=times * 2).map(key).collect())
}

fn color(material: &str, id: u8, low: [f32; 3], high: [f32; 3], times: u16) -> ColorTracks {
    let part = |index: usize| pulse(low[index], high[index], times);
    ColorTracks { material: material.into(), id, parts: [part(0), part(1), part(2), Track::Constant(255.0)] }
}

/// Registers and constants: the rim of the skin, the lamp, its star, the ring.
pub fn registers() -> RegisterClip {
    let (dim, bright) = ([200.0, 120.0, 60.0], [255.0, 224.0, 130.0]);
    RegisterClip {
        loop_mode: 2,
        duration: LENGTH,
        registers: vec![
            color("Skin", 2, [40.0, 80.0, 130.0], [150.0, 220.0, 190.0], 2),
            color("Suit", 2, [70.0, 40.0, 20.0], [120.0, 96.0, 60.0], 2),
        ],
        konsts: vec![
            color("Lamp", 0, dim, bright, 4),
            color("Glint", 0, dim, bright, 4),
            color("Ring", 0, [150.0, 170.0, 190.0], [255.0; 3], 4),
            color("Ring", 1, [40.0, 30.0, 70.0], [110.0, 120.0, 150.0], 3),
        ],
    }
}

/// Colours of materials: no light on the squid for a while, so that it glows by its rim alone.
pub fn colors() -> MaterialColorClip {
    let dark = |low: f32| {
        Track::smooth(&[(0.0, 255.0), (30.0, 255.0), (60.0, low), (120.0, low), (160.0, 255.0), (240.0, 255.0)])
    };
    let of = |material: &str, low| ColorTracks {
        material: material.into(),
        id: 0,
        parts: [dark(low), dark(low), dark(low), Track::Constant(255.0)],
    };
    MaterialColorClip {
        loop_mode: 2,
        duration: LENGTH,
        colors: vec![of("Skin", 20.0), of("Suit", 20.0), of("Chrome", 60.0)],
    }
}

/// Which surfaces are drawn: the glass is off for a while, the star winks.
pub fn shown(materials: &[&str]) -> VisibilityClip {
    let shape = |material: &&str| match *material {
        "Glass" => (0..LENGTH).map(|frame| !(80..170).contains(&frame)).collect(),
        "Glint" => (0..LENGTH).map(|frame| frame % 60 < 52 || frame % 4 < 2).collect(),
        _ => vec![true],
    };
    VisibilityClip { loop_mode: 2, duration: LENGTH, shapes: materials.iter().map(shape).collect() }
}
