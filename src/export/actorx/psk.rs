//! Models of any family as mesh files.

use super::rig::{Rig, TYPE_FLAG, mirrored, point, rotation, rotator, scale};
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::{
    export::{ExportError, resolved_model::resolved},
    formats::actorx::{Face, Matt, MorphData, MorphInfo, Psk, RawWeight, SkelSock, Wedge},
    scene::{Blend, Influence, Material, Mesh, Model, rotation_or_identity},
};
use glam::Vec3;
use std::collections::HashMap;

/// How far weights of a point may be from a sum of one before that is said.
const SUM_TOLERANCE: f32 = 1e-3;

/// A model as a mesh file. What PSK cannot hold is said in `notes`.
///
/// # Errors
/// When there are more than 256 materials, or a bind pose leaves a bone no extent that points follow.
pub fn psk(model: &Model, notes: &mut Notes) -> Result<Psk, ExportError> {
    if model.materials.len() > 256 {
        let count = model.materials.len();
        return Err(ExportError::Unsupported(format!(
            "PSK is limited to 256 materials, but “{}” has {count}",
            model.name
        )));
    }
    let rig = Rig::of(model);
    if let Some(rig) = &rig {
        rig.check_bind(notes)?;
    }
    let mut psk = Psk {
        type_flag: TYPE_FLAG,
        materials: model.materials.iter().enumerate().map(|(index, m)| matt(index, m)).collect(),
        bones: rig.as_ref().map(Rig::bones).unwrap_or_default(),
        sockets: sockets(model, rig.as_ref()),
        ..Psk::default()
    };
    // Points in bind pose and weights of joints, whatever the model's skins are made of.
    let model = resolved(model);
    let colored = model.meshes.iter().any(|m| m.colors.len() == m.vertex_points.len() && !m.colors.is_empty());
    let sets = model.meshes.iter().map(|m| m.uv_sets.len()).max().unwrap_or(0);
    psk.extra_uvs = vec![Vec::new(); sets.saturating_sub(1)];
    let with_normals = model.meshes.iter().all(|m| m.normals.len() == m.vertex_points.len());
    let mut morphs: Vec<MorphInfo> =
        model.morph_names().iter().map(|n| MorphInfo { name: (*n).to_owned(), ..MorphInfo::default() }).collect();
    let mut uneven = 0_usize;
    for mesh in &model.meshes {
        let bone_of = rig.as_ref().map(|r| r.order.bones.as_slice());
        uneven += add_mesh(&mut psk, mesh, bone_of, colored, with_normals, &mut morphs);
    }
    for morph in &mut morphs {
        morph.count = i32::try_from(morph.data.len()).unwrap_or(i32::MAX);
    }
    psk.morphs = morphs;
    if let Some(root) = psk.bones.first().filter(|_| rig.as_ref().is_some_and(|r| r.order.added_root)) {
        notes.push(format!("a static root bone “{}” was added: PSK allows only one root", root.name));
    }
    if uneven > 0 {
        notes.push(format!(
            "the weights of {} do not add up to 1; other programs normalise them",
            counted(uneven, "point")
        ));
    }
    if model.meshes.iter().any(|m| m.skin.as_ref().is_some_and(|s| s.has_sources())) {
        notes.push(
            "points with a different position for each bone are averaged by weight: PSK has one position per point"
                .to_owned(),
        );
    }
    let lines: usize =
        model.meshes.iter().flat_map(|m| &m.line_surfaces).map(|lines| lines.index_count as usize / 2).sum();
    if lines > 0 {
        notes.push(format!("{} omitted: PSK supports only triangles", counted(lines, "line")));
    }
    if model.vertex_frame_count() > 0 {
        notes.push("PSK does not support vertex frames: the mesh is exported in its first frame".to_owned());
    }
    if model.materials.iter().any(|m| m.basic().blend == Blend::Alpha) {
        notes.push(
            "PSK does not support alpha blending: materials with alpha blending are exported as masked".to_owned(),
        );
    }
    Ok(psk)
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

fn sockets(model: &Model, rig: Option<&Rig<'_>>) -> Vec<SkelSock> {
    let Some(skeleton) = &model.skeleton else { return Vec::new() };
    let name_of = |joint: u32| skeleton.joints().get(joint as usize).map(|j| j.name.clone());
    let socket = |s: &crate::scene::Socket| {
        let placed = rig.zip(s.joint).map(|(rig, joint)| rig.on_bone(joint as usize, &s.transform));
        let transform = placed.unwrap_or(s.transform);
        SkelSock {
            name: s.name.clone(),
            bone: s.joint.and_then(name_of).unwrap_or_default(),
            location: mirrored(point(transform.translation)),
            rotation_degrees: rotator(rotation(rotation_or_identity(transform.rotation))),
            scale: scale(transform.scale),
        }
    };
    skeleton.sockets.iter().map(socket).collect()
}

/// Adds a mesh. PSK has one normal a point: a point whose vertices have several becomes several points, as exporters of engines
/// that share vertices write it. `bone_of`: the bone of each joint, where there are any. Says how many points have weights that do
/// not add up to one.
fn add_mesh(
    psk: &mut Psk,
    mesh: &Mesh,
    bone_of: Option<&[u32]>,
    colored: bool,
    with_normals: bool,
    morphs: &mut [MorphInfo],
) -> usize {
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
    let mut uneven = 0_usize;
    let mut weigh = |source: u32, place: u32| {
        let Some(bone_of) = bone_of else { return };
        let mut own = weights(mesh, source as usize, bone_of);
        if own.is_empty() {
            // The first bone never moves where such points are drawn.
            own.push(Influence { joint: 0, weight: 1.0 });
        }
        let sum: f32 = own.iter().map(|i| i.weight).sum();
        uneven += usize::from((sum - 1.0).abs() > SUM_TOLERANCE && place == base + source);
        psk.weights.extend(own.into_iter().map(|influence| RawWeight {
            weight: influence.weight,
            point: i32::try_from(place).unwrap_or(i32::MAX),
            bone: i32::try_from(influence.joint).unwrap_or(i32::MAX),
        }));
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
    uneven
}

/// Bones that move a point, each once.
fn weights(mesh: &Mesh, point: usize, bone_of: &[u32]) -> Vec<Influence> {
    let mut out: Vec<Influence> = Vec::new();
    for Influence { joint, weight } in mesh.skin.iter().flat_map(|s| s.influences_of(point)) {
        let Some(bone) = bone_of.get(*joint as usize) else { continue };
        match out.iter_mut().find(|known| known.joint == *bone) {
            Some(known) => known.weight += weight,
            None => out.push(Influence { joint: *bone, weight: *weight }),
        }
    }
    out.retain(|influence| influence.weight != 0.0);
    out
}
