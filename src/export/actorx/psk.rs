//! Models of any family as mesh files.

use super::bones::{BoneOrder, TYPE_FLAG, bone, mirrored, point, rotation, rotator, scale};
use crate::{
    export::ExportError,
    formats::actorx::{Bone, Face, Matt, MorphData, MorphInfo, Psk, RawWeight, SkelSock, Wedge},
    scene::{Blend, Material, Mesh, Model, Skeleton, Transform, rotation_or_identity},
};
use glam::Vec3;
use std::collections::HashMap;

/// How far a bind pose's scale may be from one.
const SCALE_TOLERANCE: f32 = 1e-4;

/// A model as a mesh file. What PSK cannot hold is said in `notes`.
///
/// # Errors
/// When there are more than 256 materials, or a bind pose has scales.
pub fn psk(model: &Model, notes: &mut Vec<String>) -> Result<Psk, ExportError> {
    if model.materials.len() > 256 {
        let count = model.materials.len();
        return Err(ExportError::Unsupported(format!("PSK holds 256 materials, “{}” has {count}", model.name)));
    }
    let order = model.skeleton.as_ref().map(BoneOrder::of);
    let mut psk = Psk {
        type_flag: TYPE_FLAG,
        materials: model.materials.iter().enumerate().map(|(index, m)| matt(index, m)).collect(),
        bones: match (&model.skeleton, &order) {
            (Some(skeleton), Some(order)) => bones(skeleton, order)?,
            _ => Vec::new(),
        },
        sockets: sockets(model),
        ..Psk::default()
    };
    let colored = model.meshes.iter().any(|m| m.colors.len() == m.vertex_points.len() && !m.colors.is_empty());
    let sets = model.meshes.iter().map(|m| m.uv_sets.len()).max().unwrap_or(0);
    psk.extra_uvs = vec![Vec::new(); sets.saturating_sub(1)];
    let with_normals = model.meshes.iter().all(|m| m.normals.len() == m.vertex_points.len());
    let mut morphs: Vec<MorphInfo> =
        model.morph_names().iter().map(|n| MorphInfo { name: (*n).to_owned(), ..MorphInfo::default() }).collect();
    for mesh in &model.meshes {
        let bone_of = order.as_ref().map(|o| o.bones.as_slice()).unwrap_or_default();
        add_mesh(&mut psk, mesh, bone_of, colored, with_normals, &mut morphs);
    }
    for morph in &mut morphs {
        morph.count = i32::try_from(morph.data.len()).unwrap_or(i32::MAX);
    }
    psk.morphs = morphs;
    if order.is_some_and(|o| o.added_root) {
        notes.push("PSK has one root: a bone “Root” was added above the model's".to_owned());
    }
    if model.materials.iter().any(|m| m.basic().blend == Blend::Alpha) {
        notes.push("PSK knows no alpha blending: such materials are written as masked".to_owned());
    }
    Ok(psk)
}

fn bones(skeleton: &Skeleton, order: &BoneOrder) -> Result<Vec<Bone>, ExportError> {
    let mut bones = Vec::with_capacity(order.joints.len() + 1);
    if order.added_root {
        bones.push(bone("Root", 0, &Transform::IDENTITY, true));
    }
    for joint in order.joints.iter().filter_map(|j| skeleton.joints().get(*j as usize)) {
        if !(joint.bind.scale - Vec3::ONE).abs().cmple(Vec3::splat(SCALE_TOLERANCE)).all() {
            let message = format!("PSK holds no scale: the bind pose of “{}” has {}", joint.name, joint.bind.scale);
            return Err(ExportError::Unsupported(message));
        }
        let parent = joint.moving_parent().and_then(|p| order.bones.get(p as usize)).copied().unwrap_or(0);
        bones.push(bone(&joint.name, parent as usize, &joint.bind, bones.is_empty()));
    }
    for index in 1..bones.len() {
        let parent = bones[index].parent as usize;
        if let Some(parent) = bones.get_mut(parent) {
            parent.child_count += 1;
        }
    }
    Ok(bones)
}

fn matt(index: usize, material: &Material) -> Matt {
    let basic = material.basic();
    let kind = match basic.blend {
        _ if basic.hidden => 8,
        Blend::Translucent => 2,
        Blend::Masked | Blend::Alpha => 3,
        Blend::Modulated => 4,
        Blend::Opaque => u32::from(basic.two_sided),
    };
    let bits = [(basic.unlit, 0x10), (basic.environment, 0x40), (basic.nearest, 0x80)];
    let flags = bits.iter().filter(|(set, _)| *set).fold(kind, |flags, (_, bit)| flags | bit);
    let texture_index = i32::try_from(index).unwrap_or(0);
    Matt { name: material.name.clone(), texture_index, poly_flags: flags, ..Matt::default() }
}

fn sockets(model: &Model) -> Vec<SkelSock> {
    let Some(skeleton) = &model.skeleton else { return Vec::new() };
    let name_of = |joint: u32| skeleton.joints().get(joint as usize).map(|j| j.name.clone());
    let socket = |s: &crate::scene::Socket| SkelSock {
        name: s.name.clone(),
        bone: s.joint.and_then(name_of).unwrap_or_default(),
        location: mirrored(point(s.transform.translation)),
        rotation_degrees: rotator(rotation(rotation_or_identity(s.transform.rotation))),
        scale: scale(s.transform.scale),
    };
    skeleton.sockets.iter().map(socket).collect()
}

/// Adds a mesh. PSK has one normal a point: a point whose vertices have several becomes several points, as exporters of engines
/// that share vertices write it.
fn add_mesh(psk: &mut Psk, mesh: &Mesh, bone_of: &[u32], colored: bool, with_normals: bool, morphs: &mut [MorphInfo]) {
    let first_wedge = psk.wedges.len() as u32;
    // Places of each point in the file: the first is the point's own, further ones are for further normals.
    let base = psk.points.len() as u32;
    psk.points.extend(mesh.points.iter().map(|p| point(*p)));
    if with_normals {
        let unused = |index: usize| mesh.point_normals.get(index).copied().unwrap_or(Vec3::Y);
        psk.normals.extend((0..mesh.points.len()).map(|index| point(unused(index))));
    }
    let mut owner: Vec<Option<[u32; 3]>> = vec![None; mesh.points.len()];
    let mut split: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
    let mut copies: Vec<(u32, u32)> = Vec::new();
    for (vertex, source) in mesh.vertex_points.iter().enumerate() {
        let normal = mesh.normals.get(vertex).copied().unwrap_or(Vec3::Y);
        let bits = normal.to_array().map(f32::to_bits);
        let place = match owner.get_mut(*source as usize) {
            Some(own) if !with_normals || own.is_none() || *own == Some(bits) => {
                *own = Some(bits);
                if with_normals && let Some(slot) = psk.normals.get_mut((base + source) as usize) {
                    *slot = point(normal);
                }
                base + source
            }
            Some(_) => *split.entry((*source, bits)).or_insert_with(|| {
                let place = psk.points.len() as u32;
                psk.points.push(point(mesh.points.get(*source as usize).copied().unwrap_or_default()));
                psk.normals.push(point(normal));
                copies.push((*source, place));
                place
            }),
            // A vertex that names no point: no triangle may use it.
            None => base,
        };
        let uv = mesh.uv_sets.first().and_then(|set| set.get(vertex)).copied().unwrap_or_default();
        psk.wedges.push(Wedge { point: place, uv: uv.to_array(), material: 0 });
        if colored {
            psk.colors.push(mesh.colors.get(vertex).copied().unwrap_or([255; 4]));
        }
        for (set, uvs) in psk.extra_uvs.iter_mut().enumerate() {
            let uv = mesh.uv_sets.get(set + 1).and_then(|s| s.get(vertex)).copied().unwrap_or_default();
            uvs.push(uv.to_array());
        }
    }
    for surface in &mesh.surfaces {
        let first = surface.first_index as usize;
        let end = first.saturating_add(surface.index_count as usize).min(mesh.indices.len());
        let material = surface.material.min(255) as u8;
        for triangle in mesh.indices.get(first..end).unwrap_or_default().chunks_exact(3) {
            let shows =
                |v: &u32| mesh.vertex_points.get(*v as usize).is_some_and(|p| (*p as usize) < mesh.points.len());
            if !triangle.iter().all(shows) {
                continue;
            }
            let wedges = [triangle[0], triangle[2], triangle[1]].map(|v| v + first_wedge);
            for wedge in wedges {
                psk.wedges[wedge as usize].material = material;
            }
            psk.faces.push(Face { wedges, material, aux_material: 0, smoothing_groups: 1 });
        }
    }
    let mut weigh = |source: u32, place: u32| {
        for influence in mesh.skin.iter().flat_map(|s| s.influences_of(source as usize)) {
            let Some(bone) = bone_of.get(influence.joint as usize) else { continue };
            psk.weights.push(RawWeight {
                weight: influence.weight,
                point: i32::try_from(place).unwrap_or(i32::MAX),
                bone: i32::try_from(*bone).unwrap_or(i32::MAX),
            });
        }
    };
    (0..mesh.points.len() as u32).for_each(|source| weigh(source, base + source));
    copies.iter().for_each(|(source, place)| weigh(*source, *place));
    let mut copies_of: HashMap<u32, Vec<u32>> = HashMap::new();
    for (source, place) in copies {
        copies_of.entry(source).or_default().push(place);
    }
    for morph in &mesh.morphs {
        let Some(info) = morphs.iter_mut().find(|m| m.name == morph.name) else { continue };
        for delta in morph.deltas.iter().filter(|d| (d.point as usize) < mesh.points.len()) {
            let more = copies_of.get(&delta.point).map(Vec::as_slice).unwrap_or_default();
            for place in std::iter::once(&(base + delta.point)).chain(more) {
                info.data.push(MorphData {
                    position: mirrored(point(delta.position)),
                    normal: mirrored(point(delta.normal)),
                    point: i32::try_from(*place).unwrap_or(i32::MAX),
                });
            }
        }
    }
}
