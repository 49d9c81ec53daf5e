//! Lumo's joint animations, including one clip for each loop mode.

use super::{
    rig::{Rig, angle16},
    squid::{Joints, LIMBS, SEGMENTS},
};
use bonebox::formats::j3d::encode::{AxisTracks, JointClip, Key, SoundEvent, Track};
use std::f32::consts::TAU;

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// A clip under construction; joints that nothing is said of keep their place.
struct Moves<'a> {
    rig: &'a Rig,
    clip: JointClip,
}

/// `amount · sin(turns · 2π · (frame / duration + phase))`, a key each quarter of a wave.
fn wave(duration: u16, turns: u16, amount: f32, phase: f32) -> Track {
    let length = f32::from(duration);
    let keys = (0..=turns * 4)
        .map(|key| {
            let frame = (f32::from(key) / f32::from(turns * 4) * length).round();
            let angle = (frame / length * f32::from(turns) + phase) * TAU;
            let slope = amount * TAU * f32::from(turns) / length * angle.cos();
            Key { frame, value: amount * angle.sin(), tangent_in: slope, tangent_out: slope }
        })
        .collect();
    Track::Keys(keys)
}

impl<'a> Moves<'a> {
    fn new(rig: &'a Rig, loop_mode: u8, duration: u16, rotation_shift: u8) -> Self {
        let step = f32::from(1_u16 << rotation_shift);
        let joint = |bone: &super::rig::Bone| {
            std::array::from_fn(|axis| AxisTracks {
                scale: Track::Constant(1.0),
                rotation: Track::Constant(f32::from(bone.rotation[axis]) / step),
                translation: Track::Constant(bone.translation[axis]),
            })
        };
        let joints = rig.bones.iter().map(joint).collect();
        Self { rig, clip: JointClip { loop_mode, rotation_shift, duration, joints, sounds: Vec::new() } }
    }

    /// Degrees from where the joint rests.
    fn turn(&mut self, joint: usize, axis: usize, degrees: Track) {
        let step = f32::from(1_u16 << self.clip.rotation_shift);
        let rest = f32::from(self.rig.bones[joint].rotation[axis]) / step;
        let raw = degrees.scaled(angle16(1.0) / step);
        self.clip.joints[joint][axis].rotation = shifted(raw, rest);
    }

    /// From where the joint rests.
    fn shift(&mut self, joint: usize, axis: usize, by: Track) {
        let rest = self.rig.bones[joint].translation[axis];
        self.clip.joints[joint][axis].translation = shifted(by, rest);
    }

    fn scale(&mut self, joint: usize, axes: [usize; 2], by: &Track) {
        for axis in axes {
            self.clip.joints[joint][axis].scale = by.clone();
        }
    }

    /// A wave that runs down every leg and both arms, `amount` degrees at their ends.
    fn ripple(&mut self, joints: &Joints, turns: u16, amount: f32, arms: bool) {
        for (limb, bones) in joints.limbs.iter().enumerate() {
            if limb < 2 && !arms {
                continue;
            }
            let around = LIMBS[limb].1 / 360.0;
            for (index, bone) in bones.iter().enumerate() {
                let along = index as f32 / SEGMENTS as f32;
                let amount = amount * (0.35 + 0.65 * along);
                self.turn(*bone, X, wave(self.clip.duration, turns, amount, around * 2.0 - along * 0.7));
                if index == 1 {
                    self.turn(*bone, Z, wave(self.clip.duration, turns, amount * 0.4, around - 0.2));
                }
            }
        }
    }

    /// What goes on whatever it does: the ring turns, the antenna nods after the head.
    fn alive(&mut self, joints: &Joints, turns: u16, nod: f32) {
        let length = f32::from(self.clip.duration);
        let round =
            |frame: f32, value: f32| Key { frame, value, tangent_in: 360.0 / length, tangent_out: 360.0 / length };
        // One turn, as two keys: the angle runs past half a turn, which sixteen bits wrap.
        let keys = [(0.0, 0.0), (length * 0.25, 90.0), (length * 0.5, 179.9)].map(|(f, v)| round(f, v));
        let rest = [(length * 0.5, -180.0), (length * 0.75, -90.0), (length, 0.0)].map(|(f, v)| round(f, v));
        self.turn(joints.ring, Y, Track::Keys([keys, rest].concat()));
        for (index, bone) in joints.antenna.iter().enumerate() {
            self.turn(*bone, X, wave(self.clip.duration, turns, nod, -0.15 * index as f32));
            self.turn(*bone, Z, wave(self.clip.duration, turns, nod * 0.6, 0.25 - 0.15 * index as f32));
        }
    }
}

fn shifted(track: Track, by: f32) -> Track {
    let add = |keys: Vec<Key>| keys.into_iter().map(|key| Key { value: key.value + by, ..key }).collect();
    match track {
        Track::Default => Track::Constant(by),
        Track::Constant(value) => Track::Constant(value + by),
        Track::Keys(keys) => Track::Keys(add(keys)),
        Track::Split(keys) => Track::Split(add(keys)),
    }
}

/// Keys with a tangent of its own on each side: `(frame, value, in, out)`.
fn split(keys: &[(f32, f32, f32, f32)]) -> Track {
    let key =
        |&(frame, value, tangent_in, tangent_out): &(f32, f32, f32, f32)| Key { frame, value, tangent_in, tangent_out };
    Track::Split(keys.iter().map(key).collect())
}

pub fn clips(rig: &Rig, joints: &Joints) -> Vec<(&'static str, JointClip)> {
    vec![
        ("lumo_idle.bck", idle(rig, joints)),
        ("lumo_swim.bck", swim(rig, joints)),
        ("lumo_hello.bck", hello(rig, joints)),
        ("lumo_spin.bck", spin(rig, joints)),
        ("lumo_peek.bck", peek(rig, joints)),
        ("lumo_sway.bck", sway(rig, joints)),
    ]
}

/// Floats and looks about, again and again.
fn idle(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 2, 120, 0);
    moves.shift(joints.hover, Y, wave(120, 1, 6.0, 0.0));
    moves.turn(joints.hover, Z, wave(120, 1, 2.5, 0.25));
    moves.turn(
        joints.head,
        Y,
        Track::cycle(
            &[(0.0, 0.0), (20.0, 0.0), (35.0, 14.0), (60.0, 12.0), (78.0, -15.0), (100.0, -13.0), (120.0, 0.0)],
            120.0,
        ),
    );
    moves.turn(joints.head, X, wave(120, 2, 3.0, 0.1));
    moves.scale(joints.belly, [X, Z], &shifted(wave(120, 2, 0.018, 0.0), 1.0));
    moves.ripple(joints, 2, 9.0, true);
    moves.alive(joints, 2, 6.0);
    moves.clip
}

/// Legs beat together; the body shoots up and sinks.
fn swim(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 2, 40, 0);
    moves.shift(
        joints.hover,
        Y,
        Track::cycle(&[(0.0, -6.0), (8.0, -9.0), (18.0, 17.0), (28.0, 7.0), (40.0, -6.0)], 40.0),
    );
    moves.shift(joints.hover, Z, wave(40, 1, 5.0, 0.2));
    moves.turn(joints.hover, X, Track::cycle(&[(0.0, 8.0), (10.0, 4.0), (20.0, 15.0), (40.0, 8.0)], 40.0));
    let stretch = Track::cycle(&[(0.0, 1.0), (8.0, 0.9), (17.0, 1.12), (28.0, 1.0), (40.0, 1.0)], 40.0);
    moves.clip.joints[joints.belly][Y].scale = stretch;
    let narrow = Track::cycle(&[(0.0, 1.0), (8.0, 1.05), (17.0, 0.94), (28.0, 1.0), (40.0, 1.0)], 40.0);
    moves.scale(joints.belly, [X, Z], &narrow);
    for (limb, bones) in joints.limbs.iter().enumerate() {
        let power = if limb < 2 { 0.6 } else { 1.0 };
        for (index, bone) in bones.iter().enumerate() {
            let late = index as f32 * 1.6;
            let spread = -34.0 * power * if index == 0 { 1.0 } else { 0.25 };
            let shut = 22.0 * power * if index == 0 { 1.0 } else { 0.7 };
            let beat = [
                (0.0, 0.0),
                (8.0 + late * 0.5, spread),
                (16.0 + late, shut),
                (29.0 + late * 0.5, shut * 0.3),
                (40.0, 0.0),
            ];
            moves.turn(*bone, X, Track::cycle(&beat, 40.0));
        }
    }
    moves.alive(joints, 1, 14.0);
    moves.clip
}

/// Waves with one arm and stays; keys with two tangents make it snappy.
fn hello(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 0, 90, 0);
    moves.ripple(joints, 2, 6.0, false);
    moves.alive(joints, 3, 8.0);
    let arm = joints.limbs[0];
    let raise = split(&[
        (0.0, 0.0, 0.0, 0.0),
        (14.0, -48.0, -2.0, 1.5),
        (20.0, -42.0, 0.0, 0.0),
        (72.0, -42.0, 0.0, 1.0),
        (88.0, 0.0, 4.0, 0.0),
    ]);
    moves.turn(arm[0], X, raise);
    for (index, bone) in arm.iter().enumerate().skip(1) {
        let mut keys = vec![(0.0, 0.0, 0.0, 0.0), (16.0, 0.0, 0.0, 0.0)];
        for beat in 0..4 {
            let frame = 22.0 + 12.0 * beat as f32 + index as f32;
            keys.push((frame, 15.0, 5.0, -5.0));
            keys.push((frame + 6.0, -15.0, -5.0, 5.0));
        }
        keys.push((88.0, 0.0, 0.0, 0.0));
        moves.turn(*bone, Z, split(&keys));
    }
    let hop = split(&[
        (0.0, 0.0, 0.0, 0.0),
        (8.0, -7.0, 0.0, 3.0),
        (18.0, 10.0, 0.0, 0.0),
        (28.0, 0.0, -2.0, 0.6),
        (34.0, 0.0, -0.6, 0.0),
        (90.0, 0.0, 0.0, 0.0),
    ]);
    moves.shift(joints.hover, Y, hop);
    moves.turn(joints.head, Z, Track::smooth(&[(0.0, 0.0), (20.0, -11.0), (70.0, -11.0), (88.0, 0.0)]));
    moves.turn(joints.hover, Z, Track::smooth(&[(0.0, 0.0), (20.0, 5.0), (70.0, 5.0), (88.0, 0.0)]));
    moves.clip.sounds = vec![
        SoundEvent {
            id: 0x0100_0001,
            start_frame: 8.0,
            end_frame: 18.0,
            pitch: 1.0,
            volume: 127,
            ..SoundEvent::default()
        },
        SoundEvent {
            id: 0x0100_0002,
            start_frame: 22.0,
            end_frame: 70.0,
            pitch: 1.2,
            volume: 96,
            ..SoundEvent::default()
        },
    ];
    moves.clip
}

/// Twice around with a leap, then back to the start; angles shifted by four, with a jump from one turn to the next.
fn spin(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 1, 60, 4);
    let speed = 720.0 / 40.0;
    moves.turn(
        joints.hover,
        Y,
        split(&[
            (0.0, 0.0, 0.0, 0.0),
            (10.0, -25.0, 0.0, 0.0),
            (20.0, 180.0, speed, speed),
            (20.0, -180.0, speed, speed),
            (40.0, 180.0, speed, speed),
            (40.0, -180.0, speed, speed),
            (52.0, 8.0, 6.0, 0.0),
            (60.0, 0.0, 0.0, 0.0),
        ]),
    );
    moves.shift(joints.hover, Y, Track::smooth(&[(0.0, 0.0), (10.0, -12.0), (28.0, 34.0), (48.0, -6.0), (60.0, 0.0)]));
    moves.clip.joints[joints.belly][Y].scale =
        Track::smooth(&[(0.0, 1.0), (10.0, 0.86), (24.0, 1.14), (48.0, 0.9), (60.0, 1.0)]);
    let wide = Track::smooth(&[(0.0, 1.0), (10.0, 1.08), (24.0, 0.93), (48.0, 1.06), (60.0, 1.0)]);
    moves.scale(joints.belly, [X, Z], &wide);
    for bones in &joints.limbs {
        for (index, bone) in bones.iter().enumerate() {
            let out = -26.0 + 4.0 * index as f32;
            moves.turn(*bone, X, Track::smooth(&[(0.0, 0.0), (10.0, 10.0), (26.0, out), (42.0, out), (60.0, 0.0)]));
        }
    }
    moves.alive(joints, 2, 12.0);
    moves.clip
}

/// Ducks to one side and comes back, played forth and back once.
fn peek(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 3, 40, 0);
    moves.ripple(joints, 1, 5.0, true);
    moves.alive(joints, 1, 5.0);
    moves.shift(joints.hover, X, Track::smooth(&[(0.0, 0.0), (25.0, 26.0), (40.0, 24.0)]));
    moves.shift(joints.hover, Y, Track::smooth(&[(0.0, 0.0), (15.0, -16.0), (40.0, -4.0)]));
    moves.turn(joints.hover, Z, Track::smooth(&[(0.0, 0.0), (25.0, -26.0), (40.0, -22.0)]));
    moves.turn(joints.head, Z, Track::smooth(&[(0.0, 0.0), (30.0, 16.0), (40.0, 14.0)]));
    moves.turn(joints.head, Y, Track::smooth(&[(0.0, 0.0), (30.0, -12.0), (40.0, -12.0)]));
    moves.clip
}

/// To one side and to the other, forth and back without end.
fn sway(rig: &Rig, joints: &Joints) -> JointClip {
    let mut moves = Moves::new(rig, 4, 45, 0);
    moves.alive(joints, 1, 3.0);
    moves.turn(joints.hover, Z, Track::smooth(&[(0.0, -16.0), (4.0, -15.5), (41.0, 15.5), (45.0, 16.0)]));
    moves.turn(joints.head, Z, Track::smooth(&[(0.0, 18.0), (8.0, 18.0), (37.0, -18.0), (45.0, -18.0)]));
    for (limb, bones) in joints.limbs.iter().enumerate() {
        for (index, bone) in bones.iter().enumerate() {
            let side = LIMBS[limb].1.to_radians().sin();
            let swing = 13.0 * (0.3 + index as f32 * 0.25) * side;
            let late = index as f32 * 1.5;
            moves.turn(
                *bone,
                X,
                Track::smooth(&[(0.0, swing), (late + 2.0, swing), (37.0 + late, -swing), (45.0, -swing)]),
            );
        }
    }
    moves.clip
}
