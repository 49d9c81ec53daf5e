//! Keys at rest. Programs that switch from one animation to another keep the last values of properties without keys, so each animation
//! has keys for every joint that any animation of the file moves.

use super::{
    buffers::{Bounds, Builder, Place},
    nodes::JointNodes,
};
use crate::{export::ExportError, scene::Transform};
use gltf_json::{
    self as json, Index,
    animation::{self, Property},
    validation::Checked::Valid,
};
use std::collections::{BTreeSet, HashMap};

/// Properties of joints.
const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];
/// Bytes of a channel with its sampler in the JSON, about.
const CHANNEL: usize = 128;

/// A property of a node of the rig: an index into the nodes, and one into [`PROPERTIES`].
type Moved = (usize, usize);

/// Gives each animation that moves joints one key at rest for every property of a joint that only other animations move, or that its
/// node does not have at rest (`at_first`: the nodes' own transforms). All animations share these keys.
///
/// # Errors
/// Returns an error if there is no room for the keys.
pub fn write(
    builder: &mut Builder,
    joints: &JointNodes,
    rest: &[Transform],
    at_first: &[Transform],
) -> Result<(), ExportError> {
    let rig: HashMap<usize, usize> = joints.nodes.iter().enumerate().map(|(at, node)| (node.value(), at)).collect();
    let moved = |animation: &json::Animation| -> BTreeSet<Moved> {
        let of_channel = |channel: &animation::Channel| {
            let property = PROPERTIES.iter().position(|property| channel.target.path == Valid(*property))?;
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
            let output = match PROPERTIES[*property] {
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
            let path = Valid(PROPERTIES[property]);
            let target = animation::Target { extensions: None, extras: None, node: *joint, path };
            animation.channels.push(animation::Channel { sampler, target, extensions: None, extras: None });
        }
    }
    Ok(())
}
