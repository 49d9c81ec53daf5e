//! Keys of clips as they play on a model: where its bones are in each frame.

use super::{
    bones::{inverse, point, rotation, scale},
    rig::Rig,
    sequence::{frames_of, info},
};
use crate::export::{Note, NoteSubject, Notes};
use crate::{
    formats::actorx::{AnimKey, Psa, ScaleKey},
    scene::{Binding, BindingOptions, Clip, ClipEnd, Frame, Layer, Model, Transform, evaluate},
};
use glam::{Quat, Vec3};

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
pub fn add_clip(
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
