//! Clips of any family as animation files.

use super::bones::{BoneOrder, TYPE_FLAG, bone, inverse, point, rotation, scale};
use crate::{
    bytes::text,
    export::{Budget, ExportError, Share},
    formats::actorx::{AnimInfo, AnimKey, Bone, Curve, CurveChunk, Psa, ScaleKey},
    scene::{Channel, Clip, Joint, KeyRule, Model, Sampler, Skeleton, Target, Transform},
};
use glam::Quat;
use std::{collections::HashMap, sync::Arc};

/// Keys of a PSA at most, of 32 bytes: a clip may be of any length.
const MAX_KEYS: i64 = 1 << 24;

/// Clips as an animation file: a sequence each, a key for every bone and frame. `model` says which bone is the first one and
/// what bones do that a clip leaves alone; `bones` the same for a clip that comes out of an animation file.
///
/// # Errors
/// When there would be more keys than a file may hold.
pub fn psa(
    clips: &[&Clip],
    model: Option<&Model>,
    bones: &[Bone],
    notes: &mut Vec<String>,
) -> Result<Psa, ExportError> {
    psa_within(clips, model, bones, &mut Budget::unbounded().share(""), notes)
}

/// Bytes that an animation file of so many keys and bones takes.
pub fn psa_bytes(keys: u64, bones: u64) -> u64 {
    const KEY: u64 = 32;
    const BONE: u64 = 120;
    keys.saturating_mul(KEY).saturating_add(bones.saturating_mul(BONE))
}

/// [`psa`] of no more bytes than its share allows.
///
/// # Errors
/// As [`psa`], and when there is no room for the keys.
pub fn psa_within(
    clips: &[&Clip],
    model: Option<&Model>,
    bones: &[Bone],
    share: &mut Share<'_>,
    notes: &mut Vec<String>,
) -> Result<Psa, ExportError> {
    let names = joint_names(clips);
    let frames = clips.iter().fold(0_u64, |sum, clip| sum.saturating_add(clip.frame_count.into()));
    let scaled = clips.iter().any(|c| c.channels.iter().any(|ch| matches!(ch.target, Target::JointScale(_))));
    let keys = frames.saturating_mul(names.len() as u64);
    let scales = if scaled { keys.saturating_mul(16) } else { 0 };
    share.need(psa_bytes(keys, names.len() as u64).saturating_add(scales))?;
    let rest = Rest::new(model.and_then(|m| m.skeleton.as_ref()), bones, &names);
    let mut psa = Psa { type_flag: TYPE_FLAG, bones: rest.psa_bones(), ..Psa::default() };
    let mut first_frame = 0_i64;
    for clip in clips {
        let frames = i64::from(clip.frame_count);
        let keys = frames.saturating_mul(names.len() as i64);
        if (first_frame.saturating_add(frames)).saturating_mul(names.len() as i64) > MAX_KEYS {
            return Err(ExportError::TooLarge(format!("“{}” would take more than {MAX_KEYS} keys", clip.name)));
        }
        psa.sequences.push(AnimInfo {
            name: clip.name.clone(),
            group: if clip.group.is_empty() { "None".to_owned() } else { clip.group.clone() },
            total_bones: names.len() as i32,
            key_quotum: keys as i32,
            track_time: frames as f32,
            rate_hz: clip.rate_hz,
            first_raw_frame: first_frame as i32,
            raw_frames: frames as i32,
            ..AnimInfo::default()
        });
        first_frame += frames;
        add_keys(&mut psa, clip, &rest, scaled, notes);
        add_curves(&mut psa, clip);
    }
    Ok(psa)
}

/// Bones that any of the clips speaks of; the n-th of several equal names is the n-th everywhere.
fn joint_names(clips: &[&Clip]) -> Vec<String> {
    // Clips of one file share their names.
    if let [first, others @ ..] = clips
        && others.iter().all(|clip| Arc::ptr_eq(&clip.joints, &first.joints))
    {
        return first.joints.to_vec();
    }
    let mut names: Vec<String> = Vec::new();
    let mut known: HashMap<(String, usize), ()> = HashMap::new();
    for clip in clips {
        for (key, name) in numbered(&clip.joints) {
            if known.insert(key, ()).is_none() {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Names with which of several equal ones each is.
fn numbered(names: &[String]) -> impl Iterator<Item = ((String, usize), &String)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    names.iter().map(move |name| {
        let folded = text::fold(name);
        let count = counts.entry(folded.clone()).or_insert(0);
        *count += 1;
        ((folded, *count), name)
    })
}

/// What bones do when nothing moves them, and what they are in the model.
struct Rest<'a> {
    joints: &'a [Joint],
    bones: &'a [Bone],
    names: &'a [String],
    /// The model's joint of each bone.
    joint_of: Vec<Option<usize>>,
    /// The joint that is bone 0 of the model's PSK.
    first_joint: Option<usize>,
}

impl<'a> Rest<'a> {
    fn new(skeleton: Option<&'a Skeleton>, bones: &'a [Bone], names: &'a [String]) -> Self {
        let joints = skeleton.map(|s| s.joints()).unwrap_or_default();
        let of_model: Vec<String> = joints.iter().map(|j| j.name.clone()).collect();
        let by_name: HashMap<(String, usize), usize> =
            numbered(&of_model).enumerate().map(|(index, (key, _))| (key, index)).collect();
        let joint_of = match by_name.is_empty() {
            true => vec![None; names.len()],
            false => numbered(names).map(|(key, _)| by_name.get(&key).copied()).collect(),
        };
        let first_joint = skeleton.and_then(|s| BoneOrder::of(s).first_joint());
        Self { joints, bones, names, joint_of, first_joint }
    }

    fn joint(&self, bone: usize) -> Option<usize> {
        self.joint_of.get(bone).copied().flatten()
    }

    /// Whether the bone is the one that stores rotations as they are; without a model the first one is taken for it.
    fn is_first(&self, bone: usize) -> bool {
        if self.joints.is_empty() { bone == 0 } else { self.joint(bone).is_some_and(|j| Some(j) == self.first_joint) }
    }

    /// A key as it is stored.
    fn stored(&self, bone: usize, key: Quat, rule: KeyRule) -> [f32; 4] {
        let on_joint_0 = if self.joints.is_empty() { bone == 0 } else { self.joint(bone) == Some(0) };
        let inverted = rule == KeyRule::InverseOnFirstJoint && on_joint_0;
        let turned = rotation(if inverted { key.conjugate() } else { key });
        if self.is_first(bone) { turned } else { inverse(turned) }
    }

    fn psa_bones(&self) -> Vec<Bone> {
        let mut bones_of: HashMap<usize, usize> = HashMap::new();
        for (bone, joint) in self.joint_of.iter().enumerate() {
            joint.map(|joint| bones_of.entry(joint).or_insert(bone));
        }
        let bone_of = |joint: usize| bones_of.get(&joint).copied();
        let one = |(index, name): (usize, &String)| match (
            self.joint(index).and_then(|j| self.joints.get(j)),
            self.bones.get(index),
        ) {
            (Some(joint), _) => {
                let parent = joint.parent.and_then(|p| bone_of(p as usize));
                bone(name, parent.unwrap_or(0), &joint.bind, self.is_first(index))
            }
            (None, Some(own)) if own.name == *name => own.clone(),
            _ => bone(name, 0, &Transform::IDENTITY, index == 0),
        };
        self.names.iter().enumerate().map(one).collect()
    }
}

/// What moves, turns and scales a bone.
type Track<'a> = [Option<&'a Sampler>; 3];

fn add_keys(psa: &mut Psa, clip: &Clip, rest: &Rest<'_>, scaled: bool, notes: &mut Vec<String>) {
    let mut tracks: Vec<Track<'_>> = vec![[None; 3]; clip.joints.len()];
    for Channel { target, sampler, .. } in &clip.channels {
        let (joint, kind) = match target {
            Target::JointTranslation(joint) => (joint, 0),
            Target::JointRotation(joint) => (joint, 1),
            Target::JointScale(joint) => (joint, 2),
            _ => continue,
        };
        if let Some(track) = tracks.get_mut(joint.as_usize()) {
            track[kind] = Some(sampler);
        }
    }
    let mut still = 0_usize;
    let bones: Vec<([f32; 3], [f32; 4], Track<'_>)> = own_joints(clip, rest.names)
        .into_iter()
        .zip(&psa.bones)
        .map(|(joint, bone)| {
            let track = joint.and_then(|j| tracks.get(j)).copied().unwrap_or_default();
            still += usize::from(track[0].is_none() || track[1].is_none());
            (bone.position, bone.rotation, track)
        })
        .collect();
    if still > 0 {
        notes.push(format!(
            "PSA has a key for every bone: {still} bones that “{}” leaves alone, wholly or in part, keep their rest pose",
            clip.name
        ));
    }
    for frame in 0..clip.frame_count {
        let frame = frame as f32;
        for (index, (position, rotation, [translation, turn, size])) in bones.iter().enumerate() {
            let position = translation.and_then(|s| s.vec3(frame, None)).map_or(*position, point);
            let turned = turn.and_then(|s| s.rotation(frame, None));
            let rotation = turned.map_or(*rotation, |q| rest.stored(index, q, clip.key_rule));
            psa.keys.push(AnimKey { position, rotation, time: 1.0 });
            if scaled {
                let factors = size.and_then(|s| s.vec3(frame, None)).map_or([1.0; 3], scale);
                psa.scale_keys.push(ScaleKey { scale: factors, time: 1.0 });
            }
        }
    }
}

/// Which joint of the clip each bone is.
fn own_joints(clip: &Clip, names: &[String]) -> Vec<Option<usize>> {
    if *clip.joints == *names {
        return (0..names.len()).map(Some).collect();
    }
    let own: HashMap<(String, usize), usize> =
        numbered(&clip.joints).enumerate().map(|(index, (key, _))| (key, index)).collect();
    numbered(names).map(|(key, _)| own.get(&key).copied()).collect()
}

fn add_curves(psa: &mut Psa, clip: &Clip) {
    let curve = |channel: &Channel| match &channel.target {
        Target::MorphWeight(name) => {
            let value = |frame: u32| channel.sampler.scalar(frame as f32, None).unwrap_or(0.0);
            Some(Curve { name: name.clone(), values: (0..clip.frame_count).map(value).collect() })
        }
        _ => None,
    };
    let curves: Vec<Curve> = clip.channels.iter().filter_map(curve).collect();
    if !curves.is_empty() {
        psa.curves.push(CurveChunk { sequence: clip.name.chars().take(15).collect(), curves });
    }
}
