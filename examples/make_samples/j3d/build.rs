//! Builds a model from joints and surfaces.

use super::{pictures, rig::Rig, squid::Part, surfaces};
use bonebox::formats::j3d::encode::{Model, Node, VertexPool};

/// A model of these parts, in this order, under a scaling rule (0 basic, 1 SoftImage, 2 Maya).
pub fn model(rig: &Rig, parts: Vec<Part>, rule: u16) -> Model {
    let mut pool = VertexPool::default();
    let mut materials = surfaces::materials();
    materials.retain(|material| parts.iter().any(|part| part.material == material.name));
    let shapes = (parts.iter())
        .map(|part| {
            let mut shape = pool.shape(&part.triangles);
            if part.billboard {
                shape.matrix_type = 1;
            }
            shape
        })
        .collect();
    let draws = (parts.iter().enumerate())
        .map(|(shape, part)| {
            let material = materials.iter().position(|m| m.name == part.material).expect("each part has a material");
            (material as u16, shape as u16)
        })
        .collect::<Vec<_>>();
    let mut textures = pictures::textures();
    if draws.len() == 1 {
        // A model of one material has what that uses and no more.
        textures.truncate(3);
    }
    Model {
        flags: rule,
        hierarchy: hierarchy(rig, &draws),
        vertices: pool.arrays(),
        envelopes: rig.envelopes(),
        inverse_binds: rig.inverse_binds(),
        draw_matrices: rig.draw_matrices(),
        joints: rig.joints(rule == 2),
        shapes,
        materials,
        textures,
        ..Model::default()
    }
}

/// Every joint below its parent; materials with their shapes below the root, before the other joints.
fn hierarchy(rig: &Rig, draws: &[(u16, u16)]) -> Vec<Node> {
    let mut nodes = vec![Node::Joint(0), Node::Open];
    for (material, shape) in draws {
        nodes.extend([Node::Material(*material), Node::Open, Node::Shape(*shape), Node::Close]);
    }
    below(rig, 0, &mut nodes);
    nodes.push(Node::Close);
    nodes
}

fn below(rig: &Rig, parent: usize, nodes: &mut Vec<Node>) {
    for (index, _) in rig.bones.iter().enumerate().filter(|(_, bone)| bone.parent == Some(parent)) {
        nodes.push(Node::Joint(index as u16));
        if rig.bones.iter().any(|bone| bone.parent == Some(index)) {
            nodes.push(Node::Open);
            below(rig, index, nodes);
            nodes.push(Node::Close);
        }
    }
}
