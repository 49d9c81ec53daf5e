//! A sequence of an animation file as a scene clip.

use super::{
    Bone, Psa, bind, codes,
    container::{Findings, Place},
    sequences::{Sequence, Sequences},
    sidecar::Config,
    space,
};
use crate::{
    bytes::numbers::counted,
    formats::RootConjugate,
    scene::{Channel, Clip, ClipJoint, KeyRule, Keys, LoopMode, Sampler, Skeleton, Target, Unit},
};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// What a clip is made from.
pub struct Source<'a> {
    pub psa: &'a Psa,
    pub sequences: &'a Sequences,
    /// Which sequence each curve chunk belongs to.
    pub curves: &'a [Option<usize>],
    /// One name for each key of a frame.
    pub joints: &'a Arc<[String]>,
    pub config: Config,
    pub root_conjugate: RootConjugate,
}

/// Names of the bones that keys speak of, one for each key of a frame.
pub fn joints(psa: &Psa, sequences: &Sequences) -> Arc<[String]> {
    // A stride beyond the names was checked against the keys that are there.
    let name = |index: usize| psa.bones.get(index).map_or_else(|| format!("unnamed {index}"), |b| b.name.clone());
    (0..sequences.stride).map(name).collect()
}

/// Builds the clip of sequence `index`; `None` when there is no such sequence.
pub fn clip(source: &Source<'_>, index: usize, findings: &mut Findings) -> Option<Clip> {
    let info = source.psa.sequences.get(index)?;
    let sequence = source.sequences.list.get(index)?;
    let mut channels = Vec::with_capacity(source.joints.len().saturating_mul(2));
    let mut bad = Bad::default();
    for (bone, name) in source.joints.iter().enumerate() {
        let (no_translation, no_rotation) = removed(source, index, &info.name, bone);
        let joint = ClipJoint(bone as u32);
        let mut add = |target, keys, muted| {
            channels.push(Channel { target, sampler: Sampler::every_frame(keys), unit: Unit::Plain, muted });
        };
        if !no_translation && let Some(keys) = translations(source, sequence, bone, &mut bad) {
            add(Target::JointTranslation(joint), Keys::Vec3(keys), !source.config.moves(bone, name));
        }
        if !no_rotation && sequence.frames > 0 {
            add(Target::JointRotation(joint), Keys::Rotation(rotations(source, sequence, bone, &mut bad)), false);
        }
        if let Some(keys) = scales(source, sequence, bone, &mut bad) {
            add(Target::JointScale(joint), Keys::Vec3(keys), false);
        }
    }
    for (_, chunk) in source.curves.iter().zip(&source.psa.curves).filter(|(of, _)| **of == Some(index)) {
        for curve in &chunk.curves {
            let finite = |v: &f32| if v.is_finite() { *v } else { bad.number() };
            let keys = Keys::Scalar(curve.values.iter().map(finite).collect());
            channels.push(Channel {
                target: Target::MorphWeight(curve.name.clone()),
                sampler: Sampler::every_frame(keys),
                unit: Unit::Plain,
                muted: false,
            });
        }
    }
    bad.report(index, &info.name, findings);
    Some(Clip {
        name: info.name.clone(),
        group: if info.group.eq_ignore_ascii_case("none") { String::new() } else { info.group.clone() },
        frame_count: u32::try_from(sequence.frames).unwrap_or(u32::MAX),
        rate_hz: sequence.rate_hz,
        default_loop: LoopMode::Loop,
        blends_across_seam: true,
        file_from_scene: space::file_from_scene(),
        joints: source.joints.clone(),
        key_rule: match source.root_conjugate {
            RootConjugate::On => KeyRule::Plain,
            RootConjugate::Auto | RootConjugate::Off => KeyRule::InverseOnFirstJoint,
        },
        channels,
        ..Clip::default()
    })
}

/// Which tracks ANIMFLAGS and `.config` take away: translation, rotation.
fn removed(source: &Source<'_>, sequence: usize, name: &str, bone: usize) -> (bool, bool) {
    let at = sequence.saturating_mul(source.sequences.stride).saturating_add(bone);
    let flags = source.psa.flags.get(at).copied().unwrap_or(0);
    let (translation, rotation) = source.config.removes(name, bone);
    (translation || flags & 1 != 0, rotation || flags & 2 != 0)
}

/// The records of one bone, frame by frame.
fn track<'a, T>(
    records: &'a [T],
    first: usize,
    sequence: &Sequence,
    bone: usize,
    stride: usize,
) -> impl Iterator<Item = &'a T> {
    let own = records.get(first.saturating_add(bone)..).unwrap_or_default();
    own.iter().step_by(stride.max(1)).take(sequence.frames)
}

/// `None` where no key is finite: the bind pose stays.
fn translations(source: &Source<'_>, sequence: &Sequence, bone: usize, bad: &mut Bad) -> Option<Vec<Vec3>> {
    let keys = track(&source.psa.keys, sequence.first_key, sequence, bone, source.sequences.stride);
    let keys: Vec<Vec3> = keys.map(|k| space::point(k.position)).collect();
    held(keys, bad)
}

fn scales(source: &Source<'_>, sequence: &Sequence, bone: usize, bad: &mut Bad) -> Option<Vec<Vec3>> {
    let first = sequence.first_scale_key?;
    let keys = track(&source.psa.scale_keys, first, sequence, bone, source.sequences.stride);
    let keys: Vec<Vec3> = keys.map(|k| space::scale(k.scale)).collect();
    held(keys, bad)
}

/// Keys that are not finite take the value before them, at the start the first finite one.
fn held(mut keys: Vec<Vec3>, bad: &mut Bad) -> Option<Vec<Vec3>> {
    let Some(mut last) = keys.iter().copied().find(|k| k.is_finite()) else {
        bad.numbers = bad.numbers.saturating_add(keys.len());
        return None;
    };
    for key in &mut keys {
        if key.is_finite() {
            last = *key;
        } else {
            bad.number();
            *key = last;
        }
    }
    Some(keys)
}

/// True rotations of a joint that is not the first; the first one's are turned round when the clip is bound.
fn rotations(source: &Source<'_>, sequence: &Sequence, bone: usize, bad: &mut Bad) -> Vec<Quat> {
    let keys = track(&source.psa.keys, sequence.first_key, sequence, bone, source.sequences.stride);
    keys.map(|k| {
        if bind::is_rotation(k.rotation) {
            space::rotation(space::inverse(k.rotation))
        } else {
            bad.rotations = bad.rotations.saturating_add(1);
            Quat::IDENTITY
        }
    })
    .collect()
}

/// Numbers that had to be replaced.
#[derive(Default)]
struct Bad {
    numbers: usize,
    rotations: usize,
}

impl Bad {
    fn number(&mut self) -> f32 {
        self.numbers = self.numbers.saturating_add(1);
        0.0
    }

    fn report(&self, index: usize, name: &str, findings: &mut Findings) {
        if self.numbers > 0 {
            let keys = counted(self.numbers, "non-finite key");
            let message = format!("“{name}” has {keys}; safe defaults are used instead");
            findings.add(&codes::NOT_FINITE, Place::Sequence(index), None, message);
        }
        if self.rotations > 0 {
            let keys = counted(self.rotations, "invalid rotation key");
            let message = format!("“{name}” has {keys}; the identity rotation is used");
            findings.add(&codes::BAD_ROTATION, Place::Sequence(index), None, message);
        }
    }
}

/// Whether the bones' parents mean something: exporters that do not know them hang every bone on the first.
pub fn has_hierarchy(bones: &[Bone]) -> bool {
    bones.iter().skip(1).any(|b| b.parent > 0)
}

/// The skeleton of an animation file, to be shown without a mesh. Its rest pose is the first key of the first sequence:
/// BONENAMES holds a usable one only in files of ActorX itself.
pub fn skeleton(
    psa: &Psa,
    sequences: &Sequences,
    parents: &[Option<u32>],
    root_conjugate: RootConjugate,
    findings: &mut Findings,
) -> Skeleton {
    let mut bones = psa.bones.clone();
    if let Some(first) = sequences.list.iter().find(|s| s.frames > 0) {
        let keys = psa.keys.get(first.first_key..).unwrap_or_default();
        for (bone, key) in bones.iter_mut().zip(keys).take(sequences.stride) {
            (bone.position, bone.rotation) = (key.position, key.rotation);
        }
    }
    bind::skeleton(&bones, parents, Vec::new(), root_conjugate, findings)
}
