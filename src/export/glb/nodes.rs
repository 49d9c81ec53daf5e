use super::buffers::Builder;
use crate::scene::{Model, Transform, rotation_or_identity};
use glam::{Quat, Vec3};
use gltf_json::{self as json, Index, scene::UnitQuaternion};

/// The nodes that stand for joints.
pub struct JointNodes {
    /// In the skeleton's order.
    pub nodes: Vec<Index<json::Node>>,
    /// Nodes without a parent: joints, and sockets on the model itself.
    pub roots: Vec<Index<json::Node>>,
    /// The joints among the roots.
    pub root_joints: Vec<Index<json::Node>>,
}

/// One node a joint in the skeleton's order, then one a socket.
pub fn write_joints(builder: &mut Builder, model: &Model) -> JointNodes {
    let mut joints = JointNodes { nodes: Vec::new(), roots: Vec::new(), root_joints: Vec::new() };
    let Some(skeleton) = &model.skeleton else { return joints };
    for joint in skeleton.joints() {
        joints.nodes.push(builder.push_node(node(&joint.name, &joint.bind)));
    }
    for (index, joint) in joints.nodes.iter().zip(skeleton.joints()) {
        match joint.parent.and_then(|p| joints.nodes.get(p as usize)) {
            Some(parent) => add_child(builder, *parent, *index),
            None => joints.root_joints.push(*index),
        }
    }
    joints.roots.clone_from(&joints.root_joints);
    for socket in &skeleton.sockets {
        let index = builder.push_node(node(&socket.name, &socket.transform));
        match socket.joint.and_then(|j| joints.nodes.get(j as usize)) {
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
