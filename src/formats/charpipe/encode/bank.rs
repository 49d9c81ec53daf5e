//! ANM: a bank of animations (formats/charpipe.md §8).

use super::{
    bytes::{Bytes, Slot, count16, count32},
    numbers::{NumberKind, Quantization},
};

/// The SDK's version, and those of Sluggers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BankVersion {
    /// 8092000: the SDK.
    Sdk,
    /// 20060925: Sluggers.
    #[default]
    Sluggers2006,
    /// 20070619: Sluggers.
    Sluggers2007,
}

/// A vector of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VectorKey {
    /// Value at the key: a scale, angles in degrees or a translation.
    pub value: [f32; 3],
    /// Control points or slopes, for curves.
    pub control_in: [f32; 3],
    /// Outgoing control point or slope, for curves.
    pub control_out: [f32; 3],
    /// 0 to 1, for Hermite curves.
    pub ease_in: f32,
    /// 0 to 1, for Hermite curves.
    pub ease_out: f32,
}

impl From<[f32; 3]> for VectorKey {
    fn from(value: [f32; 3]) -> Self {
        Self { value, ..Self::default() }
    }
}

/// A rotation of a key: x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuaternionKey {
    /// Rotation at the key.
    pub value: [f32; 4],
    /// For squads.
    pub control_in: [f32; 4],
    /// Outgoing control rotation, for squads.
    pub control_out: [f32; 4],
    /// 0 to 1, for eased squads.
    pub ease_in: f32,
    /// 0 to 1, for eased squads.
    pub ease_out: f32,
}

impl From<[f32; 4]> for QuaternionKey {
    fn from(value: [f32; 4]) -> Self {
        Self { value, control_in: value, control_out: value, ease_in: 0.0, ease_out: 0.0 }
    }
}

/// How vectors come about between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VectorCurve {
    /// Keeps the value of the first key.
    Step,
    /// Interpolates linearly.
    #[default]
    Linear,
    /// Cubic Bézier curve; control points are relative to their key.
    Bezier,
    /// Hermite curve with slopes and eases.
    Hermite,
}

impl VectorCurve {
    fn code(self) -> u8 {
        match self {
            Self::Step => 0,
            Self::Linear => 1,
            Self::Bezier => 2,
            Self::Hermite => 3,
        }
    }
}

/// How rotations come about between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuaternionCurve {
    /// Keeps the value of the first key.
    Step,
    /// Spherical cubic interpolation with control rotations.
    Squad,
    /// Squad whose time is eased first.
    EasedSquad,
    /// Spherical linear interpolation.
    #[default]
    Slerp,
}

impl QuaternionCurve {
    fn code(self) -> u8 {
        match self {
            Self::Step => 0,
            Self::Squad => 4,
            Self::EasedSquad => 5,
            Self::Slerp => 6,
        }
    }
}

/// What a track turns: as many keys as the track has times.
#[derive(Clone, Debug, PartialEq)]
pub enum RotationKeys {
    /// Degrees; no Hermite curves.
    Euler(VectorCurve, Vec<VectorKey>),
    /// Quaternions.
    Quaternion(QuaternionCurve, Vec<QuaternionKey>),
}

/// What moves one bone. Every component has as many keys as there are times.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// A bone's number, or what the actor's table of tracks says.
    pub id: u16,
    /// In frames.
    pub length: f32,
    /// Times of the keys, in frames.
    pub times: Vec<f32>,
    /// Of everything but quaternions.
    pub quantization: Quantization,
    /// Scale keys; `None` if the track has no scale.
    pub scale: Option<(VectorCurve, Vec<VectorKey>)>,
    /// Rotation keys; `None` if the track has no rotation.
    pub rotation: Option<RotationKeys>,
    /// Translation keys; `None` if the track has no translation.
    pub translation: Option<(VectorCurve, Vec<VectorKey>)>,
    /// Takes the place of the rest.
    pub matrices: Vec<[f32; 12]>,
    /// Takes the place of the bind pose; else it is multiplied to it.
    pub replaces: bool,
}

impl Track {
    /// Nothing yet, which would take the place of the bind pose.
    pub fn new(id: u16, length: f32, times: Vec<f32>) -> Self {
        Self {
            id,
            length,
            times,
            quantization: Quantization::FLOAT,
            scale: None,
            rotation: None,
            translation: None,
            matrices: Vec::new(),
            replaces: true,
        }
    }

    /// Type and interpolation as the file has them.
    fn codes(&self) -> [u8; 2] {
        if !self.matrices.is_empty() {
            return [0x10, 0];
        }
        let (mut kind, mut interpolation) = (0, 0);
        if let Some((curve, _)) = &self.translation {
            kind |= 1;
            interpolation |= curve.code();
        }
        if let Some((curve, _)) = &self.scale {
            kind |= 2;
            interpolation |= curve.code() << 2;
        }
        match &self.rotation {
            Some(RotationKeys::Euler(curve, _)) => {
                kind |= 4;
                interpolation |= curve.code() << 4;
            }
            Some(RotationKeys::Quaternion(curve, _)) => {
                kind |= 8;
                interpolation |= curve.code() << 4;
            }
            None => {}
        }
        [kind, interpolation]
    }

    fn write_setting(&self, out: &mut Bytes, key: usize) {
        let q = self.quantization;
        let vector = |out: &mut Bytes, keys: &[VectorKey]| {
            keys.get(key).copied().unwrap_or_default().value.iter().for_each(|v| q.push(*v, &mut out.bytes));
        };
        if !self.matrices.is_empty() {
            self.matrices.get(key).into_iter().flatten().for_each(|v| q.push(*v, &mut out.bytes));
            return;
        }
        if let Some((_, keys)) = &self.scale {
            vector(out, keys);
        }
        match &self.rotation {
            Some(RotationKeys::Euler(_, keys)) => vector(out, keys),
            Some(RotationKeys::Quaternion(_, keys)) => quaternion(out, keys.get(key).map(|k| k.value)),
            None => {}
        }
        if let Some((_, keys)) = &self.translation {
            vector(out, keys);
        }
    }

    fn write_curves(&self, out: &mut Bytes, key: usize) {
        if !self.matrices.is_empty() {
            return;
        }
        let vector = |out: &mut Bytes, curve: VectorCurve, keys: &[VectorKey]| {
            let Some(key) = keys.get(key) else { return };
            if matches!(curve, VectorCurve::Bezier | VectorCurve::Hermite) {
                let both = key.control_in.iter().chain(&key.control_out);
                both.for_each(|v| self.quantization.push(*v, &mut out.bytes));
            }
            if curve == VectorCurve::Hermite {
                eases(out, key.ease_in, key.ease_out);
            }
        };
        if let Some((curve, keys)) = &self.scale {
            vector(out, *curve, keys);
        }
        match &self.rotation {
            Some(RotationKeys::Euler(curve, keys)) => vector(out, *curve, keys),
            Some(RotationKeys::Quaternion(curve @ (QuaternionCurve::Squad | QuaternionCurve::EasedSquad), keys)) => {
                if let Some(key) = keys.get(key) {
                    quaternion(out, Some(key.control_in));
                    quaternion(out, Some(key.control_out));
                    if *curve == QuaternionCurve::EasedSquad {
                        eases(out, key.ease_in, key.ease_out);
                    }
                }
            }
            _ => {}
        }
        if let Some((curve, keys)) = &self.translation {
            vector(out, *curve, keys);
        }
    }
}

/// Quaternions and eases are kept in 2^−14ths.
const UNIT: Quantization = Quantization { kind: NumberKind::S16, shift: 14 };

fn quaternion(out: &mut Bytes, value: Option<[f32; 4]>) {
    let value = value.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    value.iter().for_each(|v| UNIT.push(*v, &mut out.bytes));
}

fn eases(out: &mut Bytes, ease_in: f32, ease_out: f32) {
    [ease_in, ease_out].iter().for_each(|v| UNIT.push(*v, &mut out.bytes));
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Name of the sequence.
    pub name: String,
    /// Tracks of the sequence, in file order.
    pub tracks: Vec<Track>,
}

/// Animations of one actor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bank {
    /// Version of the file.
    pub version: BankVersion,
    /// Bank ID.
    pub id: u16,
    /// Sequences in file order.
    pub sequences: Vec<Sequence>,
    /// User data, stored unchanged; empty for none.
    pub user_data: Vec<u8>,
}

/// The file.
pub fn encode_anm(bank: &Bank) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u32(match bank.version {
        BankVersion::Sdk => 8_092_000,
        BankVersion::Sluggers2006 => 20_060_925,
        BankVersion::Sluggers2007 => 20_070_619,
    });
    let tracks: Vec<&Track> = bank.sequences.iter().flat_map(|sequence| &sequence.tracks).collect();
    let keys = tracks.iter().map(|track| track.times.len()).fold(0, usize::saturating_add);
    out.u32(0x18);
    out.u16s([bank.id, count16(bank.sequences.len()), count16(tracks.len()), count16(keys)]);
    out.u32(count32(bank.user_data.len()));
    let user = out.slot();
    let mut names = Vec::new();
    let mut sequence_tracks = Vec::new();
    for sequence in &bank.sequences {
        names.push(out.slot());
        sequence_tracks.push(out.slot());
        out.u16s([count16(sequence.tracks.len()), 0]);
    }
    let mut track_keys = Vec::new();
    for (sequence, slot) in bank.sequences.iter().zip(sequence_tracks) {
        out.fill(slot);
        for track in &sequence.tracks {
            out.f32s([track.length]);
            track_keys.push(out.slot());
            out.u16s([count16(track.times.len()), track.id]);
            out.u8(track.quantization.code());
            out.bytes(&track.codes());
            out.u8(u8::from(track.replaces));
        }
    }
    let mut key_data: Vec<[Slot; 2]> = Vec::new();
    for (track, slot) in tracks.iter().zip(track_keys) {
        out.fill(slot);
        for time in &track.times {
            out.f32s([*time]);
            key_data.push([out.slot(), out.slot()]);
        }
    }
    let places = tracks.iter().flat_map(|track| (0..track.times.len()).map(move |key| (track, key)));
    for ((track, key), [setting, curves]) in places.zip(key_data) {
        out.align(4);
        out.fill(setting);
        track.write_setting(&mut out, key);
        out.align(4);
        let start = out.offset();
        track.write_curves(&mut out, key);
        if out.offset() > start {
            out.set(curves, start);
        }
    }
    for (sequence, slot) in bank.sequences.iter().zip(names) {
        out.fill(slot);
        out.bytes(sequence.name.as_bytes());
        out.u8(0);
    }
    if !bank.user_data.is_empty() {
        out.align(4);
        out.fill(user);
        out.bytes(&bank.user_data);
    }
    out.bytes
}
