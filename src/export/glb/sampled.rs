//! Clips whose keys glTF has no like of, or that move nodes which no key of theirs is for: worked out at moments, and written as the
//! simplest keys that will do.

use super::{
    BoundClip,
    animation_writer::{Writer, WrittenModel},
    curve::Track,
    moments::{self, Moments},
};
use crate::{export::ExportError, scene::Transform};
use glam::Vec4;
use gltf_json::animation::Property;

/// How far from a clip its keys may lead in between before that is said, as a share of the model's size.
const AWAY: f32 = 1e-4;

/// Writes the nodes of the rig that the clip moves.
pub fn write(writer: &mut Writer<'_>, written: &WrittenModel<'_>, bound: &BoundClip<'_>) -> Result<(), ExportError> {
    let WrittenModel { played, rig, rest, options, .. } = *written;
    let moments = moments::moments(played, rig, bound, options)?;
    let driven = moments::driven(bound, rig.joint_count());
    let size = played.bounds().diagonal();
    let mut away = 0.0_f32;
    for (at, ((node, of_rig), rest)) in written.joints.nodes.iter().zip(&rig.nodes).zip(rest).enumerate() {
        let is_driven = driven.get(of_rig.joint.as_usize()) == Some(&true);
        for property in [Property::Translation, Property::Rotation, Property::Scale] {
            let track = track(&moments, at, property);
            let rests = track.constant() == Some(value(rest, property));
            if rests && (!is_driven || rig.is_helped(of_rig.joint)) {
                continue;
            }
            let curve = track.curve(&moments.frames, writer.rate_hz());
            away = away.max(match property {
                Property::Translation if size > 0.0 => curve.error / size,
                Property::Translation => 0.0,
                _ => curve.error,
            });
            writer.curve(*node, property, &curve)?;
        }
    }
    if away > AWAY {
        let percent = away * 100.0;
        writer.note(
            &format!(
                "between its keys it is off by up to {percent:.2} % of the model's size: it moves faster than its rate shows, and \
                 keys at a higher rate follow it closer"
            ),
            "move faster than their rate shows and are off between their keys",
        );
    }
    Ok(())
}

fn value(transform: &Transform, property: Property) -> Vec4 {
    match property {
        Property::Translation => transform.translation.extend(0.0),
        Property::Rotation => transform.rotation.into(),
        Property::Scale | Property::MorphTargetWeights => transform.scale.extend(0.0),
    }
}

fn track(moments: &Moments, node: usize, property: Property) -> Track {
    let value = |transform: Transform| value(&transform, property);
    let ways = (0..moments.ways()).map(|way| moments.way(way, node).map(value)).collect();
    let last = value(moments.last(node));
    match property {
        Property::Rotation => Track::rotations(ways, last),
        _ => Track::vectors(ways, last),
    }
}
