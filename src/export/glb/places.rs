//! Where things stand, as nodes and instances can say it.

use super::{
    buffers::{Bounds, Builder, Place},
    instances::{EXTENSION, InstancedNode},
    nodes,
};
use crate::{export::ExportError, scene::Transform};
use glam::{Affine3A, Quat, Vec3};
use gltf_json::{self as json, Index};
use serde_json::Value;

/// What of a place's length may be lost before it counts as skewed.
const SKEW: f32 = 1e-3;

pub fn transform_of(place: &Affine3A) -> Transform {
    let (scale, rotation, translation) = place.to_scale_rotation_translation();
    nodes::usable(&Transform { translation, rotation, scale })
}

pub fn is_skewed(place: &Affine3A, transform: &Transform) -> bool {
    let again = transform.to_affine();
    let columns = |m: &Affine3A| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis];
    let size = columns(place).map(|c| c.length()).into_iter().fold(0.0, f32::max).max(1e-9);
    let away = columns(place).into_iter().zip(columns(&again)).map(|(a, b)| (a - b).length()).fold(0.0, f32::max);
    // What is not a number is not skewed.
    away > size * SKEW
}

/// Whether an instance can stand in a place: its translation, rotation and scale say all of it. Mirrored ones cannot, because
/// clients tell which way triangles face once for a node.
pub fn fits(place: &Affine3A, transform: &Transform) -> bool {
    place.matrix3.determinant() > 0.0 && !is_skewed(place, transform)
}

/// The places of one thing.
#[derive(Default)]
pub struct Places {
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    scales: Vec<[f32; 3]>,
}

impl Places {
    pub fn push(&mut self, transform: &Transform) {
        let Transform { translation, rotation, scale } = nodes::usable(transform);
        self.translations.push(translation.to_array());
        self.rotations.push(rotation.to_array());
        self.scales.push(scale.to_array());
    }

    /// Writes a node that shows meshes in all of the places; at least one.
    ///
    /// # Errors
    /// When there is no room for them.
    pub fn write(
        &self,
        builder: &mut Builder,
        name: &str,
        meshes: &[Index<json::Mesh>],
        extras: &Value,
    ) -> Result<Index<json::Node>, ExportError> {
        let mut attributes = vec![("TRANSLATION", builder.floats(&self.translations, Place::Own(None), Bounds::No)?)];
        if self.rotations.iter().any(|rotation| *rotation != Quat::IDENTITY.to_array()) {
            attributes.push(("ROTATION", builder.floats(&self.rotations, Place::Own(None), Bounds::No)?));
        }
        if self.scales.iter().any(|scale| *scale != Vec3::ONE.to_array()) {
            attributes.push(("SCALE", builder.floats(&self.scales, Place::Own(None), Bounds::No)?));
        }
        builder.requires_extension(EXTENSION);
        let mut shown: Vec<Index<json::Node>> = meshes
            .iter()
            .map(|mesh| {
                let name = Some(name.to_owned());
                builder.push_node(json::Node { mesh: Some(*mesh), name, ..json::Node::default() })
            })
            .collect();
        builder
            .instances
            .extend(shown.iter().map(|node| InstancedNode { node: *node, attributes: attributes.clone() }));
        let whole = match shown.as_slice() {
            [only] => *only,
            _ => nodes::group(builder, name, std::mem::take(&mut shown)),
        };
        if let Some(node) = builder.root.nodes.get_mut(whole.value()) {
            node.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
        }
        Ok(whole)
    }
}
