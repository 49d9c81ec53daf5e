//! Helix's looping animations, at 60 frames per second.

use super::{
    super::mesh::smoothstep,
    build::{rest_place, rest_turn, track_of},
    snail::bone::{self, *},
};
use bonebox::formats::charpipe::encode::{
    Bank, BankVersion, Quantization, QuaternionCurve, QuaternionKey, RotationKeys, Sequence, Track, VectorCurve,
    VectorKey,
};
use glam::{EulerRot, Quat, Vec3};
use std::f32::consts::TAU;

/// What a bone does beyond rest.
#[derive(Clone, Copy)]
struct Moved {
    /// Degrees about X, Y and Z.
    turn: Vec3,
    shift: Vec3,
    scale: Vec3,
}

type Pose = [Moved; bone::COUNT];

/// How a clip's keys are kept.
#[derive(Clone, Copy)]
enum Kept {
    /// Squads; Hermite curves.
    Smooth,
    /// Squads that slow down at their keys; Hermite curves that do, too.
    Eased,
    /// Angles and Bézier curves.
    Angles,
    /// The shortest way between keys.
    Straight,
}

/// A clip: its length, its keys, and the pose at each.
struct Clip {
    name: &'static str,
    length: f32,
    keys: usize,
    kept: Kept,
    pose: fn(f32) -> Pose,
}

const CLIPS: [Clip; 4] = [
    Clip { name: "Idle", length: 240.0, keys: 16, kept: Kept::Smooth, pose: idle },
    Clip { name: "Glide", length: 96.0, keys: 12, kept: Kept::Straight, pose: glide },
    Clip { name: "Hide", length: 288.0, keys: 24, kept: Kept::Eased, pose: hide },
    Clip { name: "Hello", length: 150.0, keys: 20, kept: Kept::Angles, pose: hello },
];

pub fn bank() -> Bank {
    let sequences = CLIPS.iter().map(|clip| Sequence { name: clip.name.to_owned(), tracks: tracks(clip) });
    Bank { version: BankVersion::Sluggers2007, id: 1, sequences: sequences.collect(), user_data: Vec::new() }
}

fn rest() -> Pose {
    [Moved { turn: Vec3::ZERO, shift: Vec3::ZERO, scale: Vec3::ONE }; bone::COUNT]
}

/// The value at `t` of keys, eased in and out of each.
fn keyed(keys: &[(f32, f32)], t: f32) -> f32 {
    for pair in keys.windows(2) {
        let [(from, a), (to, b)] = [pair[0], pair[1]];
        if t <= to {
            return a + (b - a) * smoothstep(from, to, t);
        }
    }
    keys.last().map_or(0.0, |key| key.1)
}

/// Stalks sway, each in its own time; `pitch` and `yaw` are where they lean.
fn stalks(pose: &mut Pose, t: f32, sway: f32, [pitch, yaw]: [f32; 2]) {
    for (index, [low, mid, tip, _]) in STALKS.into_iter().enumerate() {
        let phase = index as f32 * 1.3;
        let side = if index == 0 { -1.0 } else { 1.0 };
        for (joint, (bone, gain)) in [(low, 1.0), (mid, 0.8), (tip, 0.5)].into_iter().enumerate() {
            let late = joint as f32 * 0.7;
            let nod = (TAU * 2.0 * t - late - phase).sin() * sway;
            let roll = (TAU * t - late + phase).sin() * sway * 0.8;
            pose[bone].turn = Vec3::new(pitch * gain + nod * gain, yaw * gain, side * 2.0 * sway / 4.0 + roll * gain);
        }
    }
    for (index, feeler) in FEELERS.into_iter().enumerate() {
        let phase = index as f32 * 2.1;
        pose[feeler].turn = Vec3::new((TAU * 3.0 * t + phase).sin() * 12.0, (TAU * 2.0 * t - phase).sin() * 9.0, 0.0);
    }
}

fn look(pose: &mut Pose, pitch: f32, yaw: f32) {
    for [_, _, _, ball] in STALKS {
        pose[ball].turn = Vec3::new(pitch, yaw, 0.0);
    }
}

fn idle(t: f32) -> Pose {
    let mut pose = rest();
    let breath = (TAU * 2.0 * t).sin();
    let yaw = keyed(&[(0.0, 0.0), (0.12, 0.0), (0.25, 1.0), (0.42, 1.0), (0.6, -1.0), (0.78, -1.0), (0.95, 0.0)], t);
    let up = keyed(&[(0.0, 0.0), (0.5, 0.0), (0.62, 1.0), (0.78, 1.0), (0.92, 0.0)], t);
    pose[TORSO].scale = Vec3::new(1.0 + 0.02 * breath, 1.0 + 0.035 * breath, 1.0);
    pose[SHELL].shift = Vec3::Y * (0.07 * breath);
    pose[SHELL].turn = Vec3::new(1.5 * breath, 0.0, 2.0 * (TAU * t).sin());
    pose[CHEST].turn = Vec3::new(-2.0 * breath, 4.0 * yaw, 0.0);
    pose[NECK].turn = Vec3::new(2.0 * breath - 6.0 * up, 9.0 * yaw, -4.0 * yaw);
    pose[HEAD].turn = Vec3::new(-8.0 * up, 14.0 * yaw, 5.0 * yaw);
    pose[TAIL_1].turn = Vec3::Y * (5.0 * (TAU * t).sin());
    pose[TAIL_2].turn = Vec3::Y * (9.0 * (TAU * t - 0.7).sin());
    stalks(&mut pose, t, 4.0, [-4.0 * up, 8.0 * yaw]);
    look(&mut pose, -10.0 * up, 22.0 * yaw);
    pose
}

fn glide(t: f32) -> Pose {
    let mut pose = rest();
    let wave = |late: f32| (TAU * t - late).sin();
    // A wave of stretching runs along the foot.
    for (bone, late) in [(TAIL_2, 0.0), (TAIL_1, 0.9), (TORSO, 1.8), (CHEST, 2.7)] {
        pose[bone].shift = Vec3::new(0.0, 0.05 * wave(late + 0.8).max(0.0), 0.16 * wave(late));
    }
    pose[TAIL_2].turn = Vec3::Y * (8.0 * wave(0.5));
    pose[TAIL_1].turn = Vec3::Y * (-6.0 * wave(0.0));
    pose[TORSO].turn = Vec3::Y * (3.0 * wave(1.0));
    pose[CHEST].turn = Vec3::new(3.0 * wave(2.0), -4.0 * wave(1.6), 0.0);
    pose[NECK].turn = Vec3::new(9.0 + 5.0 * wave(2.6), 0.0, 2.0 * wave(1.0));
    pose[HEAD].turn = Vec3::new(-8.0 - 5.0 * wave(3.2), 2.0 * wave(1.8), 0.0);
    pose[SHELL].turn = Vec3::new(-2.0 + 3.5 * wave(2.4), 0.0, 3.5 * wave(0.9));
    pose[SHELL].shift = Vec3::new(0.0, 0.05 * wave(0.6), 0.12 * wave(2.2));
    stalks(&mut pose, t, 3.0, [-8.0 + 7.0 * wave(3.9), 0.0]);
    pose
}

/// Something frightens it: into the shell, a look, and out again.
fn hide(t: f32) -> Pose {
    let mut pose = rest();
    let inside = keyed(
        &[
            (0.0, 0.0),
            (0.12, 0.0),
            (0.17, -0.12),
            (0.25, 1.0),
            (0.5, 1.0),
            (0.56, 0.55),
            (0.72, 0.55),
            (0.8, -0.1),
            (0.9, 0.0),
        ],
        t,
    );
    let deep = inside.max(0.0);
    let stretch = (-inside).max(0.0);
    let shaken = keyed(&[(0.0, 0.0), (0.2, 0.0), (0.27, 1.0), (0.48, 0.4), (0.54, 0.0)], t);
    pose[BODY].shift = Vec3::Y * (-0.55 * deep);
    pose[TORSO].scale = Vec3::new(1.0 - 0.8 * deep, 1.0 - 0.72 * deep + 0.8 * stretch, 1.0 - 0.8 * deep);
    // Within, it sits back; on its way it comes out in front.
    pose[TORSO].shift = Vec3::new(0.0, 1.3 * deep, 1.3 * deep * (1.0 - deep));
    pose[CHEST].turn = Vec3::X * (-14.0 * deep - 20.0 * stretch);
    pose[NECK].turn = Vec3::X * (26.0 * deep);
    pose[HEAD].turn = Vec3::X * (20.0 * deep + 30.0 * stretch);
    pose[TAIL_1].turn = Vec3::X * (30.0 * deep);
    pose[TAIL_2].turn = Vec3::X * (50.0 * deep);
    let tremble = (TAU * t * 12.0).sin() * shaken;
    pose[SHELL].turn = Vec3::new(6.0 * deep, 5.0 * tremble, 7.0 * tremble);
    pose[SHELL].shift = Vec3::new(0.0, -0.1 * deep + 0.15 * stretch, 0.0);
    let peek = keyed(&[(0.0, 0.0), (0.54, 0.0), (0.59, 1.0), (0.64, 1.0), (0.68, -1.0), (0.74, -1.0), (0.8, 0.0)], t);
    stalks(&mut pose, t, 2.0, [-10.0 * stretch, 14.0 * peek]);
    for [low, mid, _, _] in STALKS {
        pose[low].turn.x += 24.0 * deep;
        pose[mid].turn.x -= 10.0 * deep;
    }
    look(&mut pose, 0.0, 26.0 * peek);
    pose
}

/// It rises and waves with both stalks.
fn hello(t: f32) -> Pose {
    let mut pose = rest();
    let up = keyed(&[(0.0, 0.0), (0.2, 1.0), (0.75, 1.0), (1.0, 0.0)], t);
    let wave = (TAU * 4.0 * t).sin() * up;
    pose[CHEST].turn = Vec3::X * (-16.0 * up);
    pose[NECK].turn = Vec3::new(-8.0 * up, 0.0, 6.0 * wave);
    pose[HEAD].turn = Vec3::new(18.0 * up, 0.0, 9.0 * wave);
    pose[TORSO].scale = Vec3::new(1.0, 1.0 + 0.05 * up, 1.0);
    pose[SHELL].turn = Vec3::new(-6.0 * up, 0.0, -5.0 * wave);
    pose[TAIL_1].turn = Vec3::Y * (-8.0 * wave);
    pose[TAIL_2].turn = Vec3::Y * (-18.0 * wave);
    stalks(&mut pose, t, 3.0, [-6.0 * up, 0.0]);
    for (index, [low, mid, tip, ball]) in STALKS.into_iter().enumerate() {
        let swing = (TAU * 4.0 * t - 0.6 - index as f32 * 0.5).sin() * up;
        let late = (TAU * 4.0 * t - 1.5 - index as f32 * 0.5).sin() * up;
        pose[low].turn.z += 14.0 * swing;
        pose[mid].turn.z += 18.0 * late;
        pose[tip].turn.z += 10.0 * late;
        pose[ball].turn = Vec3::new(4.0 * up, 0.0, 0.0);
    }
    pose
}

/// Tracks of the bones that a clip moves.
fn tracks(clip: &Clip) -> Vec<Track> {
    let step = clip.length / clip.keys as f32;
    let poses: Vec<Pose> = (0..clip.keys).map(|key| (clip.pose)(key as f32 / clip.keys as f32)).collect();
    let mut tracks = Vec::new();
    for number in 0..bone::COUNT {
        let moved: Vec<Moved> = poses.iter().map(|pose| pose[number]).collect();
        let differs = |of: fn(&Moved) -> Vec3, from: Vec3| moved.iter().any(|m| (of(m) - from).length() > 1e-4);
        let turns = differs(|m| m.turn, Vec3::ZERO);
        let shifts = differs(|m| m.shift, Vec3::ZERO);
        let scales = differs(|m| m.scale, Vec3::ONE);
        if !(turns || shifts || scales) {
            continue;
        }
        let times = (0..clip.keys).map(|key| key as f32 * step).collect();
        let mut track = Track::new(track_of(number), clip.length, times);
        // Angles reach farther than places.
        let shift = if matches!(clip.kept, Kept::Angles) && turns { 8 } else { 12 };
        track.quantization = Quantization::s16(shift);
        track.scale = scales.then(|| vectors(clip.kept, moved.iter().map(|m| m.scale).collect()));
        let places = || moved.iter().map(|m| rest_place(number) + m.shift).collect();
        track.translation = shifts.then(|| vectors(clip.kept, places()));
        track.rotation = turns.then(|| rotations(clip.kept, number, &moved));
        tracks.push(track);
    }
    tracks
}

/// Slopes at the keys of a loop, from neighbour to neighbour.
fn slopes(values: &[Vec3]) -> Vec<Vec3> {
    let count = values.len();
    (0..count).map(|key| (values[(key + 1) % count] - values[(key + count - 1) % count]) / 2.0).collect()
}

fn vectors(kept: Kept, values: Vec<Vec3>) -> (VectorCurve, Vec<VectorKey>) {
    let slopes = slopes(&values);
    let key = |(value, slope): (&Vec3, &Vec3)| {
        let value = value.to_array();
        match kept {
            Kept::Straight => VectorKey::from(value),
            Kept::Angles => {
                let out = *slope / 3.0;
                VectorKey { value, control_in: (-out).to_array(), control_out: out.to_array(), ..VectorKey::default() }
            }
            Kept::Smooth | Kept::Eased => {
                let ease = if matches!(kept, Kept::Eased) { 0.15 } else { 0.0 };
                let [control_in, control_out] = [slope.to_array(); 2];
                VectorKey { value, control_in, control_out, ease_in: ease, ease_out: ease }
            }
        }
    };
    let curve = match kept {
        Kept::Straight => VectorCurve::Linear,
        Kept::Angles => VectorCurve::Bezier,
        Kept::Smooth | Kept::Eased => VectorCurve::Hermite,
    };
    (curve, values.iter().zip(&slopes).map(key).collect())
}

fn rotations(kept: Kept, number: usize, moved: &[Moved]) -> RotationKeys {
    let quaternion = |m: &Moved| {
        let [x, y, z] = m.turn.to_array().map(f32::to_radians);
        rest_turn(number) * Quat::from_euler(EulerRot::ZYX, z, y, x)
    };
    let values: Vec<Quat> = moved.iter().map(quaternion).collect();
    let keys = |ease: f32| {
        let count = values.len();
        let key = |index: usize| {
            let value = values[index];
            let [before, after] = [values[(index + count - 1) % count], values[(index + 1) % count]];
            let between =
                ((value.inverse() * after).to_scaled_axis() + (value.inverse() * before).to_scaled_axis()) / -4.0;
            let control = value * Quat::from_scaled_axis(between);
            QuaternionKey {
                value: value.to_array(),
                control_in: control.to_array(),
                control_out: control.to_array(),
                ease_in: ease,
                ease_out: ease,
            }
        };
        (0..count).map(key).collect::<Vec<_>>()
    };
    match kept {
        Kept::Smooth => RotationKeys::Quaternion(QuaternionCurve::Squad, keys(0.0)),
        Kept::Eased => RotationKeys::Quaternion(QuaternionCurve::EasedSquad, keys(0.15)),
        Kept::Straight => RotationKeys::Quaternion(QuaternionCurve::Slerp, keys(0.0)),
        Kept::Angles => {
            let degrees = values.iter().map(|value| {
                let (z, y, x) = value.to_euler(EulerRot::ZYX);
                Vec3::new(x, y, z) * 360.0 / TAU
            });
            let (curve, keys) = vectors(kept, degrees.collect());
            RotationKeys::Euler(curve, keys)
        }
    }
}
