//! The nodes of a file, and places as their transforms or as instances.

use super::{
    buffers::{Bounds, Builder, Place},
    node_extension::{INSTANCING, InstancedNode},
    rig::Rig,
};
use crate::{
    export::ExportError,
    scene::{Model, Transform, rotation_or_identity},
};
use glam::{Affine3A, Quat, Vec3};
use gltf_json::{self as json, Index, scene::UnitQuaternion};
use serde_json::Value;

/// The nodes that stand for joints.
pub struct JointNodes {
    /// Those of the rig: one a joint in the skeleton's order, then helpers.
    pub nodes: Vec<Index<json::Node>>,
    /// How many of them are joints.
    pub joint_count: usize,
    /// Nodes without a parent: joints or their helpers, and sockets on the model itself.
    pub roots: Vec<Index<json::Node>>,
    /// Those of the rig among the roots.
    pub root_joints: Vec<Index<json::Node>>,
}

impl JointNodes {
    /// One for each joint, in the skeleton's order.
    pub fn joints(&self) -> &[Index<json::Node>] {
        self.nodes.get(..self.joint_count).unwrap_or_default()
    }
}

/// The nodes of the rig as they rest, then one a socket.
pub fn write_joints(builder: &mut Builder, model: &Model, rig: &Rig, rest: &[Transform]) -> JointNodes {
    let mut joints =
        JointNodes { nodes: Vec::new(), joint_count: rig.joint_count(), roots: Vec::new(), root_joints: Vec::new() };
    let Some(skeleton) = &model.skeleton else { return joints };
    for (of_rig, rest) in rig.nodes.iter().zip(rest) {
        joints.nodes.push(builder.push_node(node(&of_rig.name, rest)));
    }
    for (index, of_rig) in joints.nodes.iter().zip(&rig.nodes) {
        match of_rig.parent.and_then(|parent| joints.nodes.get(parent)) {
            Some(parent) => add_child(builder, *parent, *index),
            None => joints.root_joints.push(*index),
        }
    }
    joints.roots.clone_from(&joints.root_joints);
    for socket in &skeleton.sockets {
        let index = builder.push_node(node(&socket.name, &socket.transform));
        match socket.joint.and_then(|j| joints.joints().get(j as usize)) {
            Some(parent) => add_child(builder, *parent, index),
            None => joints.roots.push(index),
        }
    }
    joints
}

/// A node that groups others.
pub fn group(builder: &mut Builder, name: &str, children: Vec<Index<json::Node>>) -> Index<json::Node> {
    let node = json::Node { name: Some(name.to_owned()), children: Some(children), ..json::Node::default() };
    builder.push_node(node)
}

/// A transform that glTF accepts: what is not finite keeps its default, the rotation is of unit length.
pub fn usable(transform: &Transform) -> Transform {
    let finite = |vector: Vec3, default: Vec3| if vector.is_finite() { vector } else { default };
    Transform {
        translation: finite(transform.translation, Vec3::ZERO),
        rotation: rotation_or_identity(transform.rotation),
        scale: finite(transform.scale, Vec3::ONE),
    }
}

/// A node with this transform.
pub fn node(name: &str, transform: &Transform) -> json::Node {
    let Transform { translation, rotation, scale } = usable(transform);
    json::Node {
        name: Some(name.to_owned()),
        translation: (translation != Vec3::ZERO).then(|| translation.to_array()),
        rotation: (rotation != Quat::IDENTITY).then(|| UnitQuaternion(rotation.to_array())),
        scale: (scale != Vec3::ONE).then(|| scale.to_array()),
        ..json::Node::default()
    }
}

fn add_child(builder: &mut Builder, parent: Index<json::Node>, child: Index<json::Node>) {
    if let Some(parent) = builder.root.nodes.get_mut(parent.value()) {
        parent.children.get_or_insert_default().push(child);
    }
}

/// What of a place's length may be lost before it counts as skewed.
const SKEW: f32 = 1e-3;

pub fn transform_of(place: &Affine3A) -> Transform {
    let (scale, rotation, translation) = place.to_scale_rotation_translation();
    usable(&Transform { translation, rotation, scale })
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
        let Transform { translation, rotation, scale } = usable(transform);
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
        builder.requires_extension(INSTANCING);
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
            _ => group(builder, name, std::mem::take(&mut shown)),
        };
        if let Some(node) = builder.root.nodes.get_mut(whole.value()) {
            node.extras = json::extras::RawValue::from_string(extras.to_string()).ok();
        }
        Ok(whole)
    }
}
