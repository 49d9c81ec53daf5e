//! Clips of any family as animation files.

use super::{
    keys::{self, Played, frames_of},
    rig::{Rig, TYPE_FLAG},
};
use crate::bytes::numbers::counted;
use crate::export::{Note, NoteSubject, Notes};
use crate::{
    export::{Budget, ExportError, Share},
    formats::actorx::{Bone, Curve, CurveChunk, Psa},
    scene::{BindingOptions, Channel, Clip, JointAddressing, Model, Target, TargetKind},
};

/// Keys of a PSA at most, of 32 bytes: a clip may be of any length.
const MAX_KEYS: u64 = 1 << 24;

/// Clips as an animation file: a sequence each, a key for every bone and frame. With `model` the bones are those of its mesh file,
/// and the keys say where they are as the clips play on it; without one keys are the clips' own, and `bones` says what the file that
/// they come from knows of their bones.
///
/// # Errors
/// When no clip moves a joint or a morph; when one speaks of joints by number and there is no model; when bones would have to be
/// sheared; when there would be more keys than a file may hold.
pub fn psa(clips: &[&Clip], model: Option<&Model>, bones: &[Bone], notes: &mut Notes) -> Result<Psa, ExportError> {
    let played = model.map(|model| Played { model, options: BindingOptions::default() });
    psa_within(clips, played, bones, &mut Budget::unbounded().share(""), notes)
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
    played: Option<Played<'_>>,
    bones: &[Bone],
    share: &mut Share<'_>,
    notes: &mut Notes,
) -> Result<Psa, ExportError> {
    let (moving, still): (Vec<&Clip>, Vec<&Clip>) = clips.iter().copied().partition(|clip| is_held(clip));
    if moving.is_empty() {
        let which = match clips {
            [] => "there are no clips".to_owned(),
            [one] => format!("“{}” does not animate bones", one.name),
            _ => "no clip animates bones".to_owned(),
        };
        return Err(ExportError::Unsupported(format!(
            "{which}: the PSA would be empty (use json to export every field)"
        )));
    }
    let rig = played.as_ref().and_then(|played| Rig::of(played.model).map(|rig| (rig, played)));
    match rig {
        Some((rig, played)) => {
            if !still.is_empty() {
                notes.push(format!("{} skipped: no bone animation", counted(still.len(), "clip")));
            }
            on_model(&moving, &rig, played, share, notes)
        }
        None => by_name(clips, bones, share, notes),
    }
}

/// Whether an animation file holds something of a clip.
fn is_held(clip: &Clip) -> bool {
    moves_joints(clip) || clip.channels.iter().any(|c| c.target.kind() == TargetKind::Morphs)
}

/// Whether a clip has keys for joints.
pub fn moves_joints(clip: &Clip) -> bool {
    let driven = match clip.addressing {
        JointAddressing::ByPlace { driven } => driven > 0,
        JointAddressing::ByName | JointAddressing::ByTrack(_) => false,
    };
    driven || clip.channels.iter().any(|c| c.target.kind() == TargetKind::Joints)
}

fn on_model(
    clips: &[&Clip],
    rig: &Rig<'_>,
    played: &Played<'_>,
    share: &mut Share<'_>,
    notes: &mut Notes,
) -> Result<Psa, ExportError> {
    let mut psa = Psa { type_flag: TYPE_FLAG, bones: rig.bones(), ..Psa::default() };
    let count = psa.bones.len() as u64;
    let total = clips.iter().fold(0_u64, |sum, clip| sum.saturating_add(frames_of(clip).into()));
    share.need(psa_bytes(total.saturating_mul(count), count))?;
    let (mut scaled, mut refused) = (false, Vec::new());
    for clip in clips {
        let keys = u64::from(frames_of(clip)).saturating_mul(count).saturating_add(psa.keys.len() as u64);
        check_keys(clip, keys)?;
        match keys::add_played_clip(&mut psa, rig, played, clip, notes) {
            Ok(is_scaled) => {
                if is_scaled && !scaled {
                    let keys = total.saturating_mul(count);
                    share.need(psa_bytes(keys, count).saturating_add(keys.saturating_mul(16)))?;
                }
                scaled |= is_scaled;
                add_curves(&mut psa, clip, frames_of(clip));
            }
            Err(why) => refused.push((clip, why)),
        }
    }
    if psa.sequences.is_empty() {
        return Err(ExportError::Unsupported(refused.into_iter().next().map(|(_, why)| why).unwrap_or_default()));
    }
    notes.extend(refused.into_iter().map(|(clip, why)| {
        let several = "are skipped because they do not play on the model or need shear, which PSA does not support";
        Note::on(NoteSubject::Clip, &clip.name, format!("a clip is skipped: {why}"), several)
    }));
    if !scaled {
        psa.scale_keys = Vec::new();
    }
    Ok(psa)
}

fn by_name(clips: &[&Clip], bones: &[Bone], share: &mut Share<'_>, notes: &mut Notes) -> Result<Psa, ExportError> {
    if let Some(clip) = clips.iter().find(|clip| needs_model(clip)) {
        let message = format!(
            "“{}” refers to bones by index, and no model next to it fits: export the model with --clip",
            clip.name
        );
        return Err(ExportError::Unsupported(message));
    }
    let names = keys::joint_names(clips);
    let frames = clips.iter().fold(0_u64, |sum, clip| sum.saturating_add(clip.frame_count.into()));
    let scaled = clips.iter().any(|c| c.channels.iter().any(|ch| matches!(ch.target, Target::JointScale(_))));
    let keys = frames.saturating_mul(names.len() as u64);
    let scales = if scaled { keys.saturating_mul(16) } else { 0 };
    share.need(psa_bytes(keys, names.len() as u64).saturating_add(scales))?;
    let mut psa = Psa { type_flag: TYPE_FLAG, bones: keys::named_bones(&names, bones), ..Psa::default() };
    for clip in clips {
        let own = u64::from(clip.frame_count).saturating_mul(names.len() as u64);
        check_keys(clip, own.saturating_add(psa.keys.len() as u64))?;
        keys::add_clip(&mut psa, clip, &names, scaled, notes);
        add_curves(&mut psa, clip, clip.frame_count);
    }
    Ok(psa)
}

/// Whether only a model tells which bones a clip moves, or where it puts them.
fn needs_model(clip: &Clip) -> bool {
    clip.addressing != JointAddressing::ByName
        || clip.channels.iter().any(|c| {
            matches!(
                c.target,
                Target::JointMatrix(_)
                    | Target::JointScaleAxis { .. }
                    | Target::JointEulerAxis { .. }
                    | Target::JointTranslationAxis { .. }
            )
        })
}

fn check_keys(clip: &Clip, keys: u64) -> Result<(), ExportError> {
    if keys > MAX_KEYS {
        return Err(ExportError::TooLarge(format!("“{}” would need more than {MAX_KEYS} keys", clip.name)));
    }
    Ok(())
}

fn add_curves(psa: &mut Psa, clip: &Clip, frames: u32) {
    let curve = |channel: &Channel| match &channel.target {
        Target::MorphWeight(name) => {
            let value = |frame: u32| channel.sampler.scalar(frame as f32, None).unwrap_or(0.0);
            Some(Curve { name: name.clone(), values: (0..frames).map(value).collect() })
        }
        _ => None,
    };
    let curves: Vec<Curve> = clip.channels.iter().filter_map(curve).collect();
    if !curves.is_empty() {
        let name = psa.sequences.last().map(|s| s.name.as_str()).unwrap_or_default();
        psa.curves.push(CurveChunk { sequence: name.chars().take(15).collect(), curves });
    }
}
