//! Banks of animations, written from plain descriptions and read back: poses of every kind of track at any time are those of
//! a computation in double precision from the description.

use crate::kit::{
    Noise,
    charpipe::{
        clips,
        described::{Described, Wanted, local},
        model,
    },
    near::{assert_close, assert_near},
};
use bonebox::{
    formats::charpipe::encode::{
        Bank, BankVersion, Bone, Control, Parts, Quantization, QuaternionCurve, QuaternionKey, Rotation, RotationKeys,
        Sequence, Track, UserData, VectorCurve, VectorKey, encode_anm,
    },
    scene::{Binding, BindingOptions, Frame, JointIndex, Layer, evaluate},
};
use glam::{DAffine3, DMat3, DQuat, DVec3, DVec4};

const QUANTIZATION: Quantization = Quantization::FLOAT;

/// A quaternion or an ease as a file keeps it.
fn unit(value: f32) -> f64 {
    (f64::from(value) * 16384.0).round() / 16384.0
}

fn wide(v: [f32; 3]) -> DVec3 {
    DVec3::from(v.map(f64::from))
}

/// Keys around a time: their places, and how far it is between them.
fn around(track: &Track, time: f64) -> (usize, usize, f64) {
    let length = f64::from(track.length);
    let time = if time > length { time - (time / length).floor() * length } else { time };
    let start = track.times.iter().rposition(|t| f64::from(*t) <= time).unwrap_or(0);
    let from = f64::from(track.times[start]);
    let (next, to) = match track.times.get(start + 1) {
        Some(to) => (start + 1, f64::from(*to)),
        None => (0, length),
    };
    let share = if to > from { ((time - from) / (to - from)).max(0.0) } else { 0.0 };
    (start, next, share)
}

fn eased(u: f64, out: f64, into: f64) -> f64 {
    if out + into == 0.0 {
        return u;
    }
    let k = 1.0 / (2.0 - out - into);
    if u < out {
        k / out * u * u
    } else if u < 1.0 - into {
        k * (2.0 * u - out)
    } else {
        1.0 - k / into * (1.0 - u) * (1.0 - u)
    }
}

fn vector(curve: VectorCurve, keys: &[VectorKey], (start, next, u): (usize, usize, f64), is_euler: bool) -> DVec3 {
    let (a, b) = (keys[start], keys[next]);
    let (mut from, to) = (wide(a.value), wide(b.value));
    match curve {
        VectorCurve::Step => from,
        VectorCurve::Linear => {
            if is_euler {
                for axis in 0..3 {
                    let off = from[axis] - to[axis];
                    from[axis] -= if off > 180.0 {
                        360.0
                    } else if off < -180.0 {
                        -360.0
                    } else {
                        0.0
                    };
                }
            }
            from + (to - from) * u
        }
        VectorCurve::Bezier => {
            let (out, into) = (from + wide(a.control_out), to + wide(b.control_in));
            let v = 1.0 - u;
            from * (v * v * v) + out * (3.0 * v * v * u) + into * (3.0 * v * u * u) + to * (u * u * u)
        }
        VectorCurve::Hermite => {
            let u = eased(u, unit(a.ease_out), unit(b.ease_in));
            let (uu, uuu) = (u * u, u * u * u);
            from * (2.0 * uuu - 3.0 * uu + 1.0)
                + to * (3.0 * uu - 2.0 * uuu)
                + wide(a.control_out) * (uuu - 2.0 * uu + u)
                + wide(b.control_in) * (uuu - uu)
        }
    }
}

fn slerp(a: DVec4, b: DVec4, u: f64) -> DVec4 {
    let angle = a.normalize().dot(b.normalize()).clamp(-1.0, 1.0).acos();
    if angle.sin().abs() < 1e-6 {
        return a + (b - a) * u;
    }
    (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()) / angle.sin()
}

fn quaternion(curve: QuaternionCurve, keys: &[QuaternionKey], (start, next, u): (usize, usize, f64)) -> DVec4 {
    let fixed = |q: [f32; 4]| DVec4::from(q.map(unit));
    let (a, b) = (keys[start], keys[next]);
    let (from, to) = (fixed(a.value), fixed(b.value));
    match curve {
        QuaternionCurve::Step => from,
        QuaternionCurve::Slerp => slerp(from, to, u),
        QuaternionCurve::Squad | QuaternionCurve::EasedSquad => {
            let u = if curve == QuaternionCurve::Squad { u } else { eased(u, unit(a.ease_out), unit(b.ease_in)) };
            let inner = slerp(fixed(a.control_out), fixed(b.control_in), u);
            slerp(slerp(from, to, u), inner, 2.0 * u * (1.0 - u))
        }
    }
}

/// A bone's local matrix under a track.
fn animated(track: &Track, bind: Option<&Control>, time: f64) -> DAffine3 {
    let at = around(track, time);
    let whole = local(bind);
    let own = if track.matrices.is_empty() {
        let none = Parts::default();
        let parts = match bind {
            Some(Control::Parts(parts)) => parts,
            _ => &none,
        };
        let scale = match &track.scale {
            Some((curve, keys)) => vector(*curve, keys, at, false),
            None => parts.scale.map_or(DVec3::ONE, wide),
        };
        let rotation = match &track.rotation {
            Some(RotationKeys::Quaternion(curve, keys)) => {
                DMat3::from_quat(DQuat::from_vec4(quaternion(*curve, keys, at)).normalize())
            }
            Some(RotationKeys::Euler(curve, keys)) => {
                let [x, y, z] = vector(*curve, keys, at, true).to_array().map(f64::to_radians);
                DMat3::from_rotation_z(z) * DMat3::from_rotation_y(y) * DMat3::from_rotation_x(x)
            }
            None => local(Some(&Control::Parts(Parts { rotation: parts.rotation, ..none }))).matrix3,
        };
        let translation = match &track.translation {
            Some((curve, keys)) => vector(*curve, keys, at, false),
            None => parts.translation.map_or(DVec3::ZERO, wide),
        };
        DAffine3::from_mat3_translation(rotation * DMat3::from_diagonal(scale), translation)
    } else {
        local(Some(&Control::Matrix(track.matrices[at.0])))
    };
    if track.replaces { own } else { whole * own }
}

fn vector_keys(noise: &mut Noise, count: usize, reach: f32, middle: f32) -> Vec<VectorKey> {
    let mut some = |reach: f32| noise.vector().map(|v| v * reach);
    let mut key = |_| VectorKey {
        value: some(reach).map(|v| v + middle),
        control_in: some(reach * 0.4),
        control_out: some(reach * 0.4),
        ease_in: 0.25,
        ease_out: 0.5,
    };
    (0..count).map(&mut key).collect()
}

fn track(noise: &mut Noise, id: u16, kind: usize) -> Track {
    const VECTORS: [VectorCurve; 4] =
        [VectorCurve::Step, VectorCurve::Linear, VectorCurve::Bezier, VectorCurve::Hermite];
    const TURNS: [QuaternionCurve; 4] =
        [QuaternionCurve::Step, QuaternionCurve::Squad, QuaternionCurve::EasedSquad, QuaternionCurve::Slerp];
    let count = 1 + noise.below(5);
    let times = (0..count).map(|key| key as f32 * 7.5).collect();
    let mut track = Track { quantization: QUANTIZATION, ..Track::new(id, count as f32 * 7.5 + 2.0, times) };
    track.replaces = noise.below(3) > 0;
    let curve = VECTORS[kind % 4];
    // A relative track says all there is, so that nothing of the bind pose is taken twice.
    let all = !track.replaces;
    if all || noise.coin() {
        track.translation = Some((curve, vector_keys(noise, count, 2.0, 0.0)));
    }
    if all || noise.coin() {
        track.scale = Some((VECTORS[(kind + 1) % 4], vector_keys(noise, count, 0.3, 1.0)));
    }
    match noise.below(4) {
        0 if !all => {}
        1 => {
            // No Hermite curves for angles.
            let curve = if curve == VectorCurve::Hermite { VectorCurve::Linear } else { curve };
            track.rotation = Some(RotationKeys::Euler(curve, vector_keys(noise, count, 170.0, 0.0)));
        }
        _ => {
            let key = |noise: &mut Noise| QuaternionKey {
                value: noise.quaternion(),
                control_in: noise.quaternion(),
                control_out: noise.quaternion(),
                ease_in: 0.125,
                ease_out: 0.375,
            };
            let keys = (0..count).map(|_| key(noise)).collect();
            track.rotation = Some(RotationKeys::Quaternion(TURNS[kind % 4], keys));
        }
    }
    if track.translation.is_none() && track.scale.is_none() && track.rotation.is_none() {
        track.translation = Some((curve, vector_keys(noise, count, 2.0, 0.0)));
    }
    if noise.below(8) == 0 {
        track.matrices = (0..count).map(|_| std::array::from_fn(|_| noise.unit())).collect();
    }
    track
}

fn assert_plays(version: BankVersion, seed: u64, has_table: bool) {
    let mut described = Described::new(Wanted { bones: 9, vertices: 30, wild: false, ..Wanted::new(seed) });
    let mut noise = Noise::new(seed + 1000);
    for bone in &mut described.actor.bones {
        let scale = Some(noise.vector().map(|v| 1.0 + 0.2 * v));
        let turn = Some(Rotation::Quaternion(noise.quaternion()));
        let at = Some(noise.vector());
        bone.control = Some(Control::Parts(Parts { scale, rotation: turn, translation: at, ..Parts::default() }));
    }
    let ids: Vec<u16> = (0..9).map(|id: u16| if has_table { (id * 5 + 2) % 9 } else { id }).collect();
    if has_table {
        described.actor.user_data = vec![UserData::Tracks(ids.clone())];
        described.actor.uncounted = seed % 2 == 1;
    }
    // The last bone has no track.
    let tracks: Vec<Track> = (0..8).map(|bone| track(&mut noise, ids[bone], bone + seed as usize)).collect();
    let sequence = Sequence { name: "made".to_owned(), tracks: tracks.clone() };
    let clip =
        clips("made.anm", &encode_anm(&Bank { version, id: 1, sequences: vec![sequence], user_data: Vec::new() }));
    let model = model("made.model", &described.file());
    let binding = Binding::new(&clip[0], &model, BindingOptions::default());
    for step in 0..40 {
        let time = step as f32 * 0.9;
        let mut frame = Frame::default();
        evaluate(&model, &[Layer { clip: &clip[0], binding: &binding, frame: time, looping: true }], &[], &mut frame);
        let local_of = |bone: &Bone| match tracks.get(usize::from(bone.id)) {
            Some(track) => animated(track, bone.control.as_ref(), f64::from(time)),
            None => local(bone.control.as_ref()),
        };
        let locals: Vec<DAffine3> = described.actor.bones.iter().map(local_of).collect();
        for (place, (bone, wanted)) in described.actor.bones.iter().zip(&locals).enumerate() {
            let got = frame.local(JointIndex(place as u32)).unwrap();
            let track = tracks.get(usize::from(bone.id));
            assert_near(
                &got.to_cols_array(),
                &wanted.to_cols_array(),
                1e-4,
                format_args!("seed {seed} at {time}: bone {}: {track:?}", bone.id),
            );
        }
        for (got, wanted) in frame.world_from_joint.iter().zip(described.world(&locals)) {
            let most = 1e-3 * wanted.translation.length().max(1.0);
            assert_close(&got.translation, &wanted.translation, most, format_args!("seed {seed} at {time}"));
        }
    }
}

#[test]
fn tracks_of_every_kind_play_as_described() {
    for seed in 0..20 {
        assert_plays(BankVersion::Sluggers2006, seed, true);
    }
}

#[test]
fn banks_of_the_sdk_go_by_the_numbers_of_bones() {
    for seed in 20..26 {
        assert_plays(BankVersion::Sdk, seed, false);
    }
}
