//! Clips whose keys glTF has no like of, or that move nodes which no key of theirs is for: worked out at moments, and
//! written as the simplest keys that will do.
//!
//! Keys at rest. Programs that switch from one animation to another keep the last values of properties without keys, so
//! each animation has keys for every joint that any animation of the file moves.

use super::{
    BoundClip,
    animation_writer::{Writer, WrittenModel},
    buffers::{Bounds, Builder, Place},
    curve::{Curve, Track},
    moments::{self, Moments},
    nodes::JointNodes,
};
use crate::{export::ExportError, scene::Transform};
use glam::Vec4;
use gltf_json::{
    self as json, Index,
    animation::{self, Property},
    validation::Checked::Valid,
};
use std::collections::{BTreeSet, HashMap};

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

/// Properties of joints.
const REST_PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];
/// Bytes of a channel with its sampler in the JSON, about.
const CHANNEL: usize = 128;

/// A property of a node of the rig: an index into the nodes, and one into [`REST_PROPERTIES`].
type Moved = (usize, usize);

/// Gives each animation that moves joints one key at rest for every property of a joint that only other animations move, or that its
/// node does not have at rest (`at_first`: the nodes' own transforms). All animations share these keys.
///
/// # Errors
/// Returns an error if there is no room for the keys.
pub fn write_rest_keys(
    builder: &mut Builder,
    joints: &JointNodes,
    rest: &[Transform],
    at_first: &[Transform],
) -> Result<(), ExportError> {
    let rig: HashMap<usize, usize> = joints.nodes.iter().enumerate().map(|(at, node)| (node.value(), at)).collect();
    let moved = |animation: &json::Animation| -> BTreeSet<Moved> {
        let of_channel = |channel: &animation::Channel| {
            let property = REST_PROPERTIES.iter().position(|property| channel.target.path == Valid(*property))?;
            Some((*rig.get(&channel.target.node.value())?, property))
        };
        animation.channels.iter().filter_map(of_channel).collect()
    };
    let by_animation: Vec<BTreeSet<Moved>> = builder.root.animations.iter().map(moved).collect();
    let differing = rest.iter().zip(at_first).enumerate().flat_map(|(node, (rest, first))| {
        let differ =
            [rest.translation != first.translation, rest.rotation != first.rotation, rest.scale != first.scale];
        (0..).zip(differ).filter(|(_, differs)| *differs).map(move |(property, _)| (node, property))
    });
    let all: BTreeSet<Moved> = by_animation.iter().flatten().copied().chain(differing).collect();
    let lacking: Vec<(usize, Vec<Moved>)> = by_animation
        .iter()
        .enumerate()
        // One that moves no joint, of materials or of morphs, plays together with others.
        .filter(|(_, own)| !own.is_empty() && own.len() < all.len())
        .map(|(animation, own)| (animation, all.difference(own).copied().collect()))
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let channels = lacking.iter().map(|(_, lacking)| lacking.len()).fold(0, usize::saturating_add);
    builder.check(channels.saturating_mul(CHANNEL))?;
    let view = builder.open_view();
    let place = Place::Open(view);
    let input = builder.floats(&[[0.0]], place, Bounds::Yes)?;
    let mut outputs: HashMap<Moved, Index<json::Accessor>> = HashMap::new();
    for (_, lacking) in &lacking {
        for (node, property) in lacking {
            let Some(rest) = rest.get(*node).filter(|_| !outputs.contains_key(&(*node, *property))) else { continue };
            let output = match REST_PROPERTIES[*property] {
                Property::Rotation => builder.floats(&[rest.rotation.to_array()], place, Bounds::No)?,
                Property::Scale => builder.floats(&[rest.scale.to_array()], place, Bounds::No)?,
                _ => builder.floats(&[rest.translation.to_array()], place, Bounds::No)?,
            };
            outputs.insert((*node, *property), output);
        }
    }
    builder.close_view(view);
    for (animation, lacking) in lacking {
        let Some(animation) = builder.root.animations.get_mut(animation) else { continue };
        for (node, property) in lacking {
            let (Some(output), Some(joint)) = (outputs.get(&(node, property)), joints.nodes.get(node)) else {
                continue;
            };
            let interpolation = Valid(animation::Interpolation::Step);
            let sampler = animation::Sampler { extensions: None, extras: None, input, interpolation, output: *output };
            let sampler = Index::push(&mut animation.samplers, sampler);
            let path = Valid(REST_PROPERTIES[property]);
            let target = animation::Target { extensions: None, extras: None, node: *joint, path };
            animation.channels.push(animation::Channel { sampler, target, extensions: None, extras: None });
        }
    }
    Ok(())
}
