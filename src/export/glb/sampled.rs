//! Clips whose keys glTF has no like of, or that move nodes which no key of theirs is for: worked out at moments, and written as the
//! simplest keys that will do.

use super::{
    BoundClip,
    animation_writer::{Writer, WrittenModel},
    curve::{Curve, Track},
    moments::{self, Moments},
};
use crate::{export::ExportError, scene::Transform};
use glam::Vec4;
use gltf_json::{self as json, Index, animation::Property};

/// Errors between keys above which moments are added, as a share of the model's size or in radians.
const AWAY: f32 = 1e-4;
/// Times that moments are added.
const MAX_ROUNDS: usize = 4;
/// Error of keys that are left out, as a share of the model's size, or of 1 in the numbers of rotations and scales.
const THIN: f32 = 1e-5;

const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];

/// Writes the nodes of the rig that the clip moves.
pub fn write(writer: &mut Writer<'_>, written: &WrittenModel<'_>, bound: &BoundClip<'_>) -> Result<(), ExportError> {
    let WrittenModel { played, rig, rest, .. } = *written;
    let size = played.bounds().diagonal();
    let (moments, away) = moments_of(written, bound, size)?;
    let driven = moments::driven(bound, rig.joint_count());
    let mut curves: Vec<(Index<json::Node>, Property, Curve)> = Vec::new();
    for (at, ((node, of_rig), rest)) in written.joints.nodes.iter().zip(&rig.nodes).zip(rest).enumerate() {
        let is_driven = driven.get(of_rig.joint.as_usize()) == Some(&true);
        for property in PROPERTIES {
            let track = track(&moments, at, property, size);
            let rests = track.constant() == Some(value(rest, property));
            if rests && (!is_driven || rig.is_helped(of_rig.joint)) {
                continue;
            }
            curves.push((*node, property, track.curve(&moments.frames, writer.rate_hz())));
        }
    }
    // An animation is as long as its longest curve.
    let end = moments.frames.last().map_or(0.0, |frame| frame / writer.rate_hz());
    if curves.iter().all(|(_, _, curve)| curve.times.iter().all(|time| *time < end))
        && let Some((_, _, Curve { times, values, .. })) = curves.first_mut()
    {
        times.push(end);
        values.extend(values.last().copied());
    }
    for (node, property, curve) in &curves {
        writer.curve(*node, *property, curve)?;
    }
    if away > AWAY {
        let percent = away * 100.0;
        writer.note(
            &format!(
                "the motion is too fast for the maximum number of keys: between keys, it deviates by up to {percent:.2} % of \
                 the model's size"
            ),
            "are too fast for the maximum number of keys and deviate between keys",
        );
    }
    Ok(())
}

/// The moments of a clip, more where it moves fast, and the error that is left between them.
fn moments_of(written: &WrittenModel<'_>, bound: &BoundClip<'_>, size: f32) -> Result<(Moments, f32), ExportError> {
    let WrittenModel { played, rig, options, .. } = *written;
    let nodes = rig.nodes.len();
    let mut moments = moments::moments(played, rig, bound, moments::frames(bound.clip, nodes, options))?;
    let mut round = 0;
    loop {
        let mut errors = vec![0.0_f32; moments.ways()];
        for node in 0..nodes {
            for property in PROPERTIES {
                let unit = if property == Property::Translation && size > 0.0 { size } else { 1.0 };
                let found = track(&moments, node, property, size).errors();
                errors.iter_mut().zip(found).for_each(|(error, found)| *error = error.max(found / unit));
            }
        }
        let away = errors.iter().copied().fold(0.0, f32::max);
        let more = moments::refined(&moments.frames, &errors, AWAY, nodes).filter(|_| round < MAX_ROUNDS);
        let Some(frames) = more else { return Ok((moments, away)) };
        moments = moments::moments(played, rig, bound, frames)?;
        round += 1;
    }
}

fn value(transform: &Transform, property: Property) -> Vec4 {
    match property {
        Property::Translation => transform.translation.extend(0.0),
        Property::Rotation => transform.rotation.into(),
        Property::Scale | Property::MorphTargetWeights => transform.scale.extend(0.0),
    }
}

fn track(moments: &Moments, node: usize, property: Property, size: f32) -> Track {
    let value = |transform: Transform| value(&transform, property);
    let ways = (0..moments.ways()).map(|way| moments.way(way, node).map(value)).collect();
    let last = value(moments.last(node));
    match property {
        Property::Rotation => Track::rotations(ways, last).within(THIN),
        Property::Translation if size > 0.0 => Track::vectors(ways, last).within(THIN * size),
        _ => Track::vectors(ways, last).within(THIN),
    }
}
