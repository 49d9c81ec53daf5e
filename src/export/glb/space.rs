//! The whole file in another space than the scene's. Sizes become others in the numbers themselves, because skins follow joints
//! and not the nodes above their meshes; which way is up is said by one node above all.

use super::{buffers::Builder, node_extension::InstancedNode};
use crate::export::{ExportError, ExportSpace, ExportUp};
use gltf_json::{
    self as json, Index, animation::Property, extensions::scene::khr_lights_punctual::Type, mesh::Semantic,
    scene::UnitQuaternion, validation::Checked::Valid,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, f32::consts::FRAC_1_SQRT_2, ops::Range};

const FLOAT: usize = 4;
const MATRIX: usize = 16 * FLOAT;
/// Where the translation lies in a matrix, column by column.
const TRANSLATION: Range<usize> = 12 * FLOAT..15 * FLOAT;

/// Turns what was written in the scene's space into what the builder's is, and says so in the asset's `extras`.
///
/// # Errors
/// When a number would be larger than the file can hold.
pub fn apply(builder: &mut Builder) -> Result<(), ExportError> {
    let space = builder.space;
    if space == ExportSpace::default() {
        return Ok(());
    }
    if space.scale != 1.0 {
        scale(builder, space.scale)?;
    }
    if space.up == ExportUp::Z {
        turn(builder);
        builder.note("Z is up: programs that expect Y up, as glTF specifies, show the scene rotated by 90°".to_owned());
    }
    let extras = json!({ "scale": space.decimal_scale(), "up": space.up.id() });
    builder.root.asset.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
    Ok(())
}

/// Multiplies all lengths: positions, their deltas, translations of nodes, of instances, of animations and of inverse bind matrices, ranges
/// of lights.
fn scale(builder: &mut Builder, scale: f32) -> Result<(), ExportError> {
    let (mut lengths, matrices) = (lengths(&builder.root), matrices(&builder.root));
    let places = builder.instances.iter().filter_map(InstancedNode::translations);
    lengths.extend(places.map(|index| index.value()));
    for accessor in lengths {
        for range in ranges(&builder.root, accessor, 3 * FLOAT) {
            multiply(builder.bin.get_mut(range).unwrap_or_default(), scale)?;
        }
        if let Some(accessor) = builder.root.accessors.get_mut(accessor) {
            for bound in [&mut accessor.min, &mut accessor.max] {
                *bound = bound.take().map(|bound| multiplied(bound, scale));
            }
        }
    }
    for accessor in matrices {
        for range in ranges(&builder.root, accessor, MATRIX) {
            let matrices = builder.bin.get_mut(range).unwrap_or_default();
            for matrix in matrices.chunks_exact_mut(MATRIX) {
                multiply(matrix.get_mut(TRANSLATION).unwrap_or_default(), scale)?;
            }
        }
    }
    let lights = builder.root.extensions.as_mut().and_then(|extensions| extensions.khr_lights_punctual.as_mut());
    for light in lights.into_iter().flat_map(|lights| &mut lights.lights) {
        light.range = light.range.map(|range| range * scale);
        // What reaches a surface falls with the square of the distance; that of the sun does not.
        if light.type_ != Valid(Type::Directional) {
            light.intensity *= scale * scale;
        }
        if !light.intensity.is_finite() || light.range.is_some_and(|range| !range.is_finite()) {
            return Err(too_large(scale));
        }
    }
    for node in &mut builder.root.nodes {
        if let Some(translation) = &mut node.translation {
            *translation = translation.map(|length| length * scale);
            if translation.iter().any(|length| !length.is_finite()) {
                return Err(too_large(scale));
            }
        }
    }
    Ok(())
}

/// Accessors of vectors that are lengths.
fn lengths(root: &json::Root) -> BTreeSet<usize> {
    let primitives = || root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let positions = primitives().filter_map(|primitive| primitive.attributes.get(&Valid(Semantic::Positions)).copied());
    let targets = primitives().flat_map(|primitive| primitive.targets.iter().flatten());
    let deltas = targets.filter_map(|target| target.positions);
    let moved = root.animations.iter().flat_map(|animation| {
        let moves = animation.channels.iter().filter(|channel| channel.target.path == Valid(Property::Translation));
        moves.filter_map(|channel| Some(animation.samplers.get(channel.sampler.value())?.output))
    });
    positions.chain(deltas).chain(moved).map(|index| index.value()).collect()
}

/// Accessors of inverse bind matrices.
fn matrices(root: &json::Root) -> BTreeSet<usize> {
    root.skins.iter().filter_map(|skin| skin.inverse_bind_matrices).map(|index| index.value()).collect()
}

/// Where the numbers of an accessor lie, whose elements take `size` bytes: those that are written whole and those that are
/// written apart.
fn ranges(root: &json::Root, accessor: usize, size: usize) -> Vec<Range<usize>> {
    let Some(accessor) = root.accessors.get(accessor) else { return Vec::new() };
    let range = |view: Index<json::buffer::View>, offset: u64, count: u64| {
        let view = root.buffer_views.get(view.value())?;
        let start = (view.byte_offset.map_or(0, |offset| offset.0) + offset) as usize;
        Some(start..start + count as usize * size)
    };
    let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
    let whole = accessor.buffer_view.and_then(|view| range(view, offset, accessor.count.0));
    let sparse = accessor.sparse.as_ref();
    let apart = sparse.and_then(|s| range(s.values.buffer_view, s.values.byte_offset.0, s.count.0));
    whole.into_iter().chain(apart).collect()
}

/// Multiplies little-endian floats.
fn multiply(bytes: &mut [u8], scale: f32) -> Result<(), ExportError> {
    for bytes in bytes.as_chunks_mut::<FLOAT>().0 {
        let number = f32::from_le_bytes(*bytes) * scale;
        if !number.is_finite() {
            return Err(too_large(scale));
        }
        *bytes = number.to_le_bytes();
    }
    Ok(())
}

/// Bounds times a positive factor are the bounds of what is multiplied, to the last bit.
fn multiplied(bound: Value, scale: f32) -> Value {
    let Value::Array(numbers) = bound else { return bound };
    numbers.iter().map(|number| Value::from(number.as_f64().unwrap_or_default() as f32 * scale)).collect()
}

fn too_large(scale: f32) -> ExportError {
    ExportError::Unsupported(format!("the scale {scale} is too large: use a smaller scale"))
}

/// Puts a node above all that turns the scene's Y into Z. Nodes of skinned meshes stay where they are: they follow their joints
/// alone, and glTF wants nothing above them.
fn turn(builder: &mut Builder) {
    for scene in 0..builder.root.scenes.len() {
        let roots = std::mem::take(&mut builder.root.scenes[scene].nodes);
        let is_skinned = |node: &Index<json::Node>| builder.root.nodes[node.value()].skin.is_some();
        let (skinned, turned): (Vec<_>, Vec<_>) = roots.into_iter().partition(is_skinned);
        let above = builder.push_node(json::Node {
            name: Some("Z up".to_owned()),
            rotation: Some(UnitQuaternion([FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2])),
            children: Some(turned),
            ..json::Node::default()
        });
        builder.root.scenes[scene].nodes = std::iter::once(above).chain(skinned).collect();
    }
}
