//! Keys of clips in ActorX files: those of clips that name bones and play on no known model, and those of clips as they
//! play on a model.

use super::rig::{Rig, bone, inverse, point, rotation, scale};
use crate::{
    bytes::{numbers::counted, text},
    export::{Note, NoteSubject, Notes},
    formats::actorx::{AnimInfo, AnimKey, Bone, Psa, ScaleKey},
    scene::{
        Binding, BindingOptions, Channel, Clip, ClipEnd, Frame, KeyRule, Layer, LoopMode, Model, Sampler, Target,
        Transform, evaluate,
    },
};
use glam::{Quat, Vec3};
use std::{collections::HashMap, sync::Arc};

/// Frames that a clip has in the file: its own, and where it does not loop the one that it ends on.
pub fn frames_of(clip: &Clip) -> u32 {
    let stops = !matches!(clip.default_loop, LoopMode::Loop);
    let ends_on_one_more = stops && !matches!(clip.end, ClipEnd::LastFrame);
    clip.frame_count.saturating_add(u32::from(ends_on_one_more)).max(1)
}

/// The sequence of a clip whose keys come next.
fn info(clip: &Clip, name: String, frames: u32, psa: &Psa) -> AnimInfo {
    let bones = psa.bones.len() as i32;
    let first_frame = psa.sequences.last().map_or(0, |s| s.first_raw_frame.saturating_add(s.raw_frames));
    AnimInfo {
        name,
        group: if clip.group.is_empty() { "None".to_owned() } else { clip.group.clone() },
        total_bones: bones,
        key_quotum: (frames as i32).saturating_mul(bones),
        track_time: frames as f32,
        rate_hz: clip.rate_hz,
        first_raw_frame: first_frame,
        raw_frames: frames as i32,
        ..AnimInfo::default()
    }
}

/// Bones that any of the clips speaks of; the n-th of several equal names is the n-th everywhere.
pub fn joint_names(clips: &[&Clip]) -> Vec<String> {
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

/// The bones of these names: those that a file has already, others without a place.
pub fn named_bones(names: &[String], known: &[Bone]) -> Vec<Bone> {
    let one = |(index, name): (usize, &String)| match known.get(index) {
        Some(own) if own.name == *name => own.clone(),
        _ => bone(name, 0, &Transform::IDENTITY, index == 0),
    };
    names.iter().enumerate().map(one).collect()
}

/// What moves, turns and scales a bone.
type Track<'a> = [Option<&'a Sampler>; 3];

/// Adds a sequence with a key for each bone and frame; `scaled`: with scale keys too.
pub fn add_clip(psa: &mut Psa, clip: &Clip, names: &[String], scaled: bool, notes: &mut Notes) {
    let next = info(clip, clip.name.clone(), clip.frame_count, psa);
    psa.sequences.push(next);
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
    let bones: Vec<([f32; 3], [f32; 4], Track<'_>)> = own_joints(clip, names)
        .into_iter()
        .zip(&psa.bones)
        .map(|(joint, bone)| {
            let track = joint.and_then(|j| tracks.get(j)).copied().unwrap_or_default();
            still += usize::from(track[0].is_none() || track[1].is_none());
            (bone.position, bone.rotation, track)
        })
        .collect();
    if still > 0 {
        let text = format!(
            "“{}” does not animate {}; keys of the rest pose were added, because PSA has keys for every bone",
            clip.name,
            counted(still, "bone")
        );
        let several = "do not animate all bones; keys of the rest pose were added, because PSA has keys for every bone";
        notes.push(Note::on(NoteSubject::Clip, &clip.name, text, several));
    }
    for frame in 0..clip.frame_count {
        let frame = frame as f32;
        for (index, (position, rotation, [translation, turn, size])) in bones.iter().enumerate() {
            let position = translation.and_then(|s| s.vec3(frame, None)).map_or(*position, point);
            let turned = turn.and_then(|s| s.rotation(frame, None));
            let rotation = turned.map_or(*rotation, |q| stored(index == 0, q, clip.key_rule));
            psa.keys.push(AnimKey { position, rotation, time: 1.0 });
            if scaled {
                let factors = size.and_then(|s| s.vec3(frame, None)).map_or([1.0; 3], scale);
                psa.scale_keys.push(ScaleKey { scale: factors, time: 1.0 });
            }
        }
    }
}

/// A key as it is stored; the first bone is taken for the root.
fn stored(is_first: bool, key: Quat, rule: KeyRule) -> [f32; 4] {
    let inverted = rule == KeyRule::InverseOnFirstJoint && is_first;
    let turned = rotation(if inverted { key.conjugate() } else { key });
    if is_first { turned } else { inverse(turned) }
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

/// A model that clips play on, and how.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The model that the clips play on.
    pub model: &'a Model,
    /// Options for binding the clips to the model.
    pub options: BindingOptions,
}

/// How far scales of keys may be from one that are not written.
const UNSCALED: f32 = 1e-5;

/// Adds a sequence with a key for each bone and frame, scales among them; says whether any of them is not one. An error in words,
/// and nothing is added, when the clip plays nothing on the model or bones would have to be sheared.
pub fn add_played_clip(
    psa: &mut Psa,
    rig: &Rig<'_>,
    played: &Played<'_>,
    clip: &Clip,
    notes: &mut Notes,
) -> Result<bool, String> {
    let binding = Binding::new(clip, played.model, played.options);
    if !binding.fit.any() {
        return Err(format!("“{}” does not play on “{}”: {}", clip.name, played.model.name, binding.fit));
    }
    let frames = frames_of(clip);
    let before = (psa.keys.len(), psa.scale_keys.len());
    let mut frame = Frame::default();
    let mut last: Vec<Quat> = Vec::new();
    let mut scaled = false;
    for number in 0..frames {
        let moment = (number as f32).min(clip.last_frame());
        evaluate(played.model, &[Layer { clip, binding: &binding, frame: moment, looping: false }], &[], &mut frame);
        let (mut locals, off) = rig.pose(&frame);
        if let Some(joint) = off {
            psa.keys.truncate(before.0);
            psa.scale_keys.truncate(before.1);
            let (name, bone) = (&clip.name, rig.name(joint));
            return Err(format!(
                "PSA does not support shear: in frame {number} of “{name}”, non-uniform scale of parent bones shears the children of “{bone}”"
            ));
        }
        // Programs that go from key to key by the numbers must not take the long way round.
        for (local, last) in locals.iter_mut().zip(&last) {
            if local.rotation.dot(*last) < 0.0 {
                local.rotation = -local.rotation;
            }
        }
        last.clear();
        last.extend(locals.iter().map(|local| local.rotation));
        let root = rig.order.added_root.then_some(Transform::IDENTITY);
        let of_joints = rig.order.joints.iter().filter_map(|joint| locals.get(*joint as usize).copied());
        for (bone, local) in root.into_iter().chain(of_joints).enumerate() {
            let turned = rotation(local.rotation);
            let rotation = if bone == 0 { turned } else { inverse(turned) };
            psa.keys.push(AnimKey { position: point(local.translation), rotation, time: 1.0 });
            scaled |= !local.scale.abs_diff_eq(Vec3::ONE, UNSCALED);
            psa.scale_keys.push(ScaleKey { scale: scale(local.scale), time: 1.0 });
        }
    }
    let name = unique(psa, &clip.name);
    let next = info(clip, name, frames, psa);
    psa.sequences.push(next);
    if let ClipEnd::Length(length) = clip.end
        && length.fract() > 0.0
    {
        let text = format!(
            "PSA supports only whole frames: “{}” is exported with a length of {frames} instead of {length}",
            clip.name
        );
        let several = "are exported with whole frames, because PSA does not support fractional lengths";
        notes.push(Note::on(NoteSubject::Clip, &clip.name, text, several));
    }
    Ok(scaled)
}

/// A name that no sequence of the file has yet.
fn unique(psa: &Psa, name: &str) -> String {
    let is_taken = |name: &str| psa.sequences.iter().any(|s| s.name.eq_ignore_ascii_case(name));
    let mut candidate = name.to_owned();
    let mut number = 2_u32;
    while is_taken(&candidate) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}
