use super::{
    buffers::{Bounds, Builder, Place},
    nodes::{self, JointNodes},
};
use crate::bytes::numbers::counted;
use crate::{
    export::{ExportError, Note, NoteSubject},
    scene::{Aabb, Influence, Mesh, Model, Skin, Transform},
};
use glam::Mat4;
use gltf_json::{self as json, Index, buffer::Target};
use std::collections::BTreeSet;

/// The skin that all skinned meshes of the model share.
pub struct WrittenSkin {
    pub index: Index<json::Skin>,
    /// Joints of the skeleton.
    pub joint_count: usize,
    /// A joint that never moves, for points that no joint moves.
    pub still: Option<u32>,
}

/// Joints and weights of a mesh's vertices: one accessor of each for every four influences.
pub struct VertexInfluences {
    pub joints: Vec<Index<json::Accessor>>,
    pub weights: Vec<Index<json::Accessor>>,
}

/// Influences of one point that glTF accepts: each joint once, weights above zero.
fn merged(skin: &Skin, point: usize, joint_count: usize, out: &mut Vec<Influence>) {
    out.clear();
    for influence in skin.influences_of(point) {
        let usable = influence.weight.is_finite() && influence.weight > 0.0;
        if !usable || influence.joint as usize >= joint_count {
            continue;
        }
        match out.iter_mut().find(|i| i.joint == influence.joint) {
            Some(known) => known.weight += influence.weight,
            None => out.push(*influence),
        }
    }
    out.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
}

/// Whether the mesh is skinned but leaves a vertex to no joint.
pub fn has_unmoved_point(mesh: &Mesh) -> bool {
    let Some(skin) = &mesh.skin else { return false };
    let mut influences = Vec::new();
    mesh.vertex_points.iter().any(|point| {
        merged(skin, *point as usize, usize::MAX, &mut influences);
        influences.is_empty()
    })
}

/// How far sources of one point may be apart before that is said, as a share of the mesh's size.
const APART: f32 = 1e-4;

/// What glTF cannot hold of a skin whose influences move sources of their own: a mesh has one position a vertex, which is where the
/// sources lie together in bind pose.
pub fn note_of_sources(mesh: &Mesh) -> Option<Note> {
    let skin = mesh.skin.as_ref().filter(|skin| skin.has_sources())?;
    let bounds = Aabb::of(mesh.points.iter().copied().filter(|p| p.is_finite()))?;
    let limit = (bounds.diagonal() * APART).max(f32::MIN_POSITIVE);
    let drawn: BTreeSet<u32> = mesh.vertex_points.iter().copied().collect();
    let differ = |point: &u32| {
        let sources = skin.sources_of(*point as usize);
        let first = sources.first().map(|s| s.position).unwrap_or_default();
        sources.iter().any(|s| s.position.distance(first) > limit)
    };
    let count = drawn.iter().filter(|point| differ(point)).count();
    (count > 0).then(|| {
        let name = &mesh.name;
        let text = format!(
            "“{name}” has {} with a different position for each bone, which glTF does not support: averaged by weight",
            counted(count, "point")
        );
        let several = "have points with a different position for each bone, which are averaged by weight";
        Note::on(NoteSubject::Mesh, name, text, several)
    })
}

/// Writes the skin. A plain node with the model's name, which `skin.skeleton` names, holds all of its joints: programs that make an
/// armature of a skin make one, and nothing but joints is above a joint.
pub fn write(
    builder: &mut Builder,
    model: &Model,
    joints: &JointNodes,
    needs_still: bool,
    scene_roots: &mut Vec<Index<json::Node>>,
) -> Result<WrittenSkin, ExportError> {
    let mut nodes = joints.joints().to_vec();
    let mut roots = joints.root_joints.clone();
    let still = needs_still.then(|| {
        let index = builder.push_node(nodes::node("unmoved", &Transform::IDENTITY));
        nodes.push(index);
        roots.push(index);
        joints.joint_count as u32
    });
    scene_roots.retain(|node| !roots.contains(node));
    let root = nodes::group(builder, &model.name, roots);
    scene_roots.push(root);
    let inverse_binds: Vec<[f32; 16]> = model
        .skeleton
        .iter()
        .flat_map(|s| s.joint_from_world_bind())
        .map(|m| if m.is_finite() { Mat4::from(*m) } else { Mat4::IDENTITY })
        .chain(still.map(|_| Mat4::IDENTITY))
        .map(|m| m.to_cols_array())
        .collect();
    let accessor = builder.floats(&inverse_binds, Place::Own(None), Bounds::No)?;
    let skin = json::Skin {
        extensions: None,
        extras: None,
        inverse_bind_matrices: Some(accessor),
        joints: nodes,
        name: Some(model.name.clone()),
        skeleton: Some(root),
    };
    let index = Index::push(&mut builder.root.skins, skin);
    Ok(WrittenSkin { index, joint_count: joints.joint_count, still })
}

/// Every influence of every vertex, in as many sets of four as the longest run needs.
pub fn write_influences(
    builder: &mut Builder,
    mesh: &Mesh,
    skin: &Skin,
    written: &WrittenSkin,
) -> Result<VertexInfluences, ExportError> {
    let mut runs: Vec<Vec<Influence>> = vec![Vec::new(); mesh.points.len().max(1)];
    for (point, run) in runs.iter_mut().enumerate() {
        merged(skin, point, written.joint_count, run);
        if run.is_empty() {
            run.push(Influence { joint: written.still.unwrap_or(0), weight: 1.0 });
        }
        normalise(run);
    }
    let longest = mesh.vertex_points.iter().filter_map(|p| runs.get(*p as usize)).map(Vec::len).max().unwrap_or(1);
    let sets = longest.div_ceil(4);
    let weight_bytes = mesh.vertex_points.len().saturating_mul(sets).saturating_mul(24);
    if weight_bytes > super::buffers::MAX_BYTES {
        return Err(ExportError::TooLarge(format!(
            "{longest} influences for each of {} vertices of “{}” exceed the maximum size of a glTF file",
            mesh.vertex_points.len(),
            mesh.name
        )));
    }
    let few_joints = written.joint_count + usize::from(written.still.is_some()) <= 256;
    let mut result = VertexInfluences { joints: Vec::new(), weights: Vec::new() };
    let nothing: &[Influence] = &[];
    for set in 0..sets {
        let mut joints = Vec::with_capacity(mesh.vertex_points.len());
        let mut weights = Vec::with_capacity(mesh.vertex_points.len());
        for point in &mesh.vertex_points {
            let run = runs.get(*point as usize).or(runs.first()).map_or(nothing, Vec::as_slice);
            // Slots without an influence stay at joint 0, weight 0.
            let (mut joint, mut weight) = ([0_u16; 4], [0.0_f32; 4]);
            for ((joint, weight), influence) in joint.iter_mut().zip(&mut weight).zip(run.iter().skip(set * 4)) {
                *joint = influence.joint as u16;
                *weight = influence.weight;
            }
            joints.push(joint);
            weights.push(weight);
        }
        result.joints.push(if few_joints {
            let bytes: Vec<[u8; 4]> = joints.iter().map(|j| j.map(|j| j as u8)).collect();
            builder.bytes4(&bytes, false)?
        } else {
            builder.shorts4(&joints)?
        });
        result.weights.push(builder.floats(&weights, Place::Own(Some(Target::ArrayBuffer)), Bounds::No)?);
    }
    Ok(result)
}

/// Makes the weights sum to one as exactly as floats can: the largest takes the rounding of the others.
fn normalise(run: &mut Vec<Influence>) {
    let sum: f64 = run.iter().map(|i| f64::from(i.weight)).sum();
    for influence in run.iter_mut() {
        influence.weight = (f64::from(influence.weight) / sum) as f32;
    }
    // What became nothing next to the others would name a joint with weight zero.
    run.retain(|i| i.weight > 0.0);
    let others: f64 = run.iter().skip(1).map(|i| f64::from(i.weight)).sum();
    if let Some(largest) = run.first_mut() {
        largest.weight = (1.0 - others) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_within_one_rounding() {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 16_777_216.0 + 1e-6
        };
        for count in 1..40 {
            let mut run: Vec<Influence> = (0..count).map(|joint| Influence { joint, weight: next() }).collect();
            run.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            normalise(&mut run);
            let sum: f64 = run.iter().map(|i| f64::from(i.weight)).sum();
            assert!((sum - 1.0).abs() <= 3e-8, "{count}: {sum}");
        }
        let mut overflowing = vec![Influence { joint: 0, weight: f32::MAX }, Influence { joint: 1, weight: 1e-30 }];
        normalise(&mut overflowing);
        assert_eq!(overflowing, [Influence { joint: 0, weight: 1.0 }]);
    }

    #[test]
    fn repeated_joints_are_summed_and_nonsense_dropped() {
        let influence = |joint, weight| Influence { joint, weight };
        let influences = vec![
            influence(2, 0.25),
            influence(1, 0.3),
            influence(2, 0.25),
            influence(0, f32::NAN),
            influence(0, -1.0),
            influence(9, 0.2),
        ];
        let skin = Skin { runs: vec![crate::scene::Run { first: 0, count: 6 }], influences, ..Skin::default() };
        let mut out = Vec::new();
        merged(&skin, 0, 3, &mut out);
        assert_eq!(out, [influence(2, 0.5), influence(1, 0.3)]);
    }
}
