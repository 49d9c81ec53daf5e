//! Keys of clips that know bones by name and play on no known model: as the clips have them, each relative to its own parent.

use super::{
    bones::{bone, inverse, point, rotation, scale},
    sequence::info,
};
use crate::export::{Note, NoteSubject, Notes};
use crate::{
    bytes::{numbers::counted, text},
    formats::actorx::{AnimKey, Bone, Psa, ScaleKey},
    scene::{Channel, Clip, KeyRule, Sampler, Target, Transform},
};
use glam::Quat;
use std::{collections::HashMap, sync::Arc};

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
