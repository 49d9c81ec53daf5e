//! Converts a rigged mesh and its clips to PSK and PSA structures, with the format's conventions.

use std::collections::BTreeMap;

use bonebox::formats::actorx as file;
use glam::{Quat, Vec3};

use super::mesh::{MORPHS, Mesh};
use super::rig::{Pose, Rig};

/// TypeFlag of files with scale keys and extension chunks.
const TYPE_FLAG: i32 = 20_100_422;

/// A place on a bone for things to hang on; position relative to the bone, in model units.
pub struct Socket {
    pub name: &'static str,
    pub bone: &'static str,
    pub location: Vec3,
    /// Pitch, yaw, roll.
    pub rotation_degrees: [f32; 3],
}

/// One clip: a pose for every frame, and the weights of its morphs.
pub struct Clip {
    pub name: &'static str,
    pub group: &'static str,
    pub rate_hz: f32,
    pub frames: Vec<Pose>,
    pub curves: Vec<(&'static str, Vec<f32>)>,
}

/// Bone 0 stores its rotation, every other bone the conjugate.
fn stored(bone: usize, rotation: Quat) -> [f32; 4] {
    if bone == 0 { rotation.to_array() } else { rotation.conjugate().to_array() }
}

/// Unreal's space mirrors Y.
fn unreal(v: Vec3) -> [f32; 3] {
    [v.x, -v.y, v.z].map(|value| value + 0.0)
}

fn bones(rig: &Rig) -> Vec<file::Bone> {
    (0..rig.bones.len())
        .map(|bone| {
            let (position, rotation) = rig.rest_local(bone);
            let children = rig.bones.iter().filter(|child| child.parent == Some(bone)).count();
            file::Bone {
                name: rig.bones[bone].name.clone(),
                flags: 0,
                child_count: children as i32,
                parent: rig.bones[bone].parent.unwrap_or(0) as i32,
                rotation: stored(bone, rotation),
                position: position.to_array(),
                length: 1.0,
                size: [1.0; 3],
            }
        })
        .collect()
}

pub fn psk<P: Copy>(
    mesh: &Mesh<P>,
    rig: &Rig,
    materials: &[&str],
    sockets: &[Socket],
    weights: impl Fn(P, Vec3) -> Vec<(usize, f32)>,
) -> file::Psk {
    let mut corner_material = vec![0u8; mesh.corners.len()];
    let faces = mesh
        .triangles
        .iter()
        .map(|triangle| {
            for corner in triangle.corners {
                corner_material[corner] = triangle.material;
            }
            let [a, b, c] = triangle.corners.map(|corner| corner as u32);
            // Clockwise from outside.
            file::Face {
                wedges: [a, c, b],
                material: triangle.material,
                aux_material: 0,
                smoothing_groups: triangle.groups,
            }
        })
        .collect();
    let wedges = mesh
        .corners
        .iter()
        .zip(&corner_material)
        .map(|(corner, material)| file::Wedge {
            point: corner.point as u32,
            uv: corner.uv.to_array(),
            material: *material,
        })
        .collect();
    let mut raw = Vec::new();
    for (index, point) in mesh.points.iter().enumerate() {
        let mut shares: BTreeMap<usize, f32> = BTreeMap::new();
        for (bone, weight) in weights(point.part, point.vertex.position) {
            *shares.entry(bone).or_default() += weight;
        }
        let total: f32 = shares.values().sum();
        shares.retain(|_, weight| *weight / total > 0.004);
        let total: f32 = shares.values().sum();
        raw.extend(shares.into_iter().map(|(bone, weight)| file::RawWeight {
            weight: weight / total,
            point: index as i32,
            bone: bone as i32,
        }));
    }
    let normals = mesh.point_normals(None);
    let morphs = (0..MORPHS.len())
        .map(|morph| {
            let moved = mesh.point_normals(Some(morph));
            let data: Vec<file::MorphData> = mesh
                .points
                .iter()
                .enumerate()
                .filter(|(_, point)| point.vertex.morphs[morph].length_squared() > 1e-8)
                .map(|(index, point)| file::MorphData {
                    position: unreal(point.vertex.morphs[morph]),
                    normal: unreal(moved[index] - normals[index]),
                    point: index as i32,
                })
                .collect();
            file::MorphInfo { name: MORPHS[morph].to_owned(), count: data.len() as i32, data }
        })
        .collect();
    file::Psk {
        type_flag: TYPE_FLAG,
        points: mesh.points.iter().map(|point| point.vertex.position.to_array()).collect(),
        wedges,
        faces,
        materials: materials
            .iter()
            .enumerate()
            .map(|(index, name)| file::Matt {
                name: (*name).to_owned(),
                texture_index: index as i32,
                lod_bias: 5,
                ..Default::default()
            })
            .collect(),
        bones: bones(rig),
        weights: raw,
        morphs,
        sockets: sockets
            .iter()
            .map(|socket| file::SkelSock {
                name: socket.name.to_owned(),
                bone: socket.bone.to_owned(),
                location: unreal(socket.location),
                rotation_degrees: socket.rotation_degrees,
                scale: [1.0; 3],
            })
            .collect(),
        ..Default::default()
    }
}

/// Scale keys lie parallel to the keys.
pub fn psa(rig: &Rig, clips: &[Clip]) -> file::Psa {
    let mut psa = file::Psa { type_flag: TYPE_FLAG, bones: bones(rig), ..Default::default() };
    let mut first = 0;
    for clip in clips {
        let frames = clip.frames.len() as i32;
        psa.sequences.push(file::AnimInfo {
            name: clip.name.to_owned(),
            group: clip.group.to_owned(),
            total_bones: rig.bones.len() as i32,
            key_quotum: frames * rig.bones.len() as i32,
            key_reduction: 1.0,
            track_time: frames as f32,
            rate_hz: clip.rate_hz,
            first_raw_frame: first,
            raw_frames: frames,
            ..Default::default()
        });
        first += frames;
        for pose in &clip.frames {
            for bone in 0..rig.bones.len() {
                let (position, rotation, scale) = pose.local(rig, bone);
                psa.keys.push(file::AnimKey {
                    position: position.to_array(),
                    rotation: stored(bone, rotation),
                    time: 1.0,
                });
                psa.scale_keys.push(file::ScaleKey { scale: scale.to_array(), time: 1.0 });
            }
        }
        let curves =
            clip.curves.iter().map(|(name, values)| file::Curve { name: (*name).to_owned(), values: values.clone() });
        psa.curves.push(file::CurveChunk { sequence: clip.name.to_owned(), curves: curves.collect() });
    }
    psa
}
