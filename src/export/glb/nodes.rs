use super::buffers::Builder;
use super::rig::Rig;
use crate::scene::{Model, Transform, rotation_or_identity};
use glam::{Quat, Vec3};
use gltf_json::{self as json, Index, scene::UnitQuaternion};

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
