//! Skeleton and skin of a mesh (formats/actorx.md §4 to §6).

use super::{
    Bone, Psk, codes,
    container::{ChunkKind, Findings, Place},
    space,
};
use crate::{
    bytes::{numbers::grouped, text},
    formats::RootConjugate,
    scene::{Influence, Joint, Run, Skeleton, Skin, Socket, Transform, rotation_or_identity},
};
use glam::{Quat, Vec3};

/// The bind pose. Bone 0 stores its rotation, every other bone the inverse; with `root_conjugate` on, bone 0 too.
pub fn skeleton(
    bones: &[Bone],
    parents: &[Option<u32>],
    sockets: Vec<Socket>,
    root_conjugate: RootConjugate,
    findings: &mut Findings,
) -> Skeleton {
    let joints = bones.iter().zip(parents).enumerate().map(|(index, (bone, parent))| {
        let plain = index == 0 && root_conjugate != RootConjugate::On;
        Joint {
            name: bone.name.clone(),
            parent: *parent,
            bind: Transform {
                translation: space::point(position(index, bone, findings)),
                rotation: rotation(index, bone, plain, findings),
                scale: Vec3::ONE,
            },
            ..Joint::default()
        }
    });
    Skeleton::new(joints.collect(), sockets)
}

fn position(index: usize, bone: &Bone, findings: &mut Findings) -> [f32; 3] {
    if bone.position.iter().all(|v| v.is_finite()) {
        return bone.position;
    }
    let message = format!("the position of bone “{}” is not finite; the bone is placed at its parent", bone.name);
    findings.add(&codes::NOT_FINITE, Place::Bone(index), None, message);
    [0.0; 3]
}

fn rotation(index: usize, bone: &Bone, plain: bool, findings: &mut Findings) -> Quat {
    let stored = bone.rotation;
    if !is_rotation(stored) {
        let message = format!("the rotation of bone “{}” is zero or not finite", bone.name);
        findings.add(&codes::BAD_ROTATION, Place::Bone(index), None, message);
    }
    rotation_or_identity(space::rotation(if plain { stored } else { space::inverse(stored) }))
}

/// Whether a quaternion can be brought to unit length.
pub fn is_rotation(stored: [f32; 4]) -> bool {
    let length_squared: f32 = stored.iter().map(|v| v * v).sum();
    length_squared.is_finite() && length_squared > 1e-20
}

/// Sockets, from Unreal space. Without a bone (static meshes) they are relative to the model.
pub fn sockets(psk: &Psk, findings: &mut Findings) -> Vec<Socket> {
    let mut joint_of = std::collections::HashMap::new();
    for (index, bone) in psk.bones.iter().enumerate() {
        joint_of.entry(text::fold(&bone.name)).or_insert(index as u32);
    }
    psk.sockets
        .iter()
        .map(|socket| {
            let joint = joint_of.get(&text::fold(&socket.bone)).copied();
            if joint.is_none() && !socket.bone.is_empty() {
                let message = format!("the bone “{}” of socket “{}” does not exist", socket.bone, socket.name);
                findings.add(&codes::SOCKET_BONE, Place::Of(ChunkKind::Sockets), None, message);
            }
            let numbers = [socket.location, socket.rotation_degrees, socket.scale];
            let mut transform = Transform {
                translation: space::point(space::mirrored(socket.location)),
                rotation: rotation_or_identity(space::rotation(space::rotator(socket.rotation_degrees))),
                scale: space::scale(socket.scale),
            };
            if !numbers.as_flattened().iter().all(|v| v.is_finite()) {
                let name = &socket.name;
                let message =
                    format!("the transform of socket “{name}” is not finite; the socket is placed at its bone");
                findings.add(&codes::NOT_FINITE, Place::Of(ChunkKind::Sockets), None, message);
                transform = Transform::IDENTITY;
            }
            Socket { name: socket.name.clone(), joint, transform }
        })
        .collect()
}

/// Influences of every point: broken ones left out, those of one bone added up, brought to a sum of one; points without any
/// follow bone 0.
pub fn skin(psk: &Psk, findings: &mut Findings) -> Skin {
    let mut firsts = vec![0_u32; psk.points.len().saturating_add(1)];
    let mut bad = 0_usize;
    let usable: Vec<(u32, Influence)> = psk
        .weights
        .iter()
        .filter_map(|raw| {
            let point = usize::try_from(raw.point).ok().filter(|p| *p < psk.points.len());
            let joint = usize::try_from(raw.bone).ok().filter(|b| *b < psk.bones.len());
            let finite = raw.weight.is_finite() && raw.weight >= 0.0;
            match (point, joint) {
                (Some(point), Some(joint)) if finite => {
                    Some((point as u32, Influence { joint: joint as u32, weight: raw.weight }))
                }
                _ => {
                    bad = bad.saturating_add(1);
                    None
                }
            }
        })
        // Zero weights are usual and say nothing.
        .filter(|(_, influence)| influence.weight > 0.0)
        .collect();
    if bad > 0 {
        let message = format!(
            "{} of {} influences skipped because of invalid weights, points or bones",
            grouped(bad),
            grouped(psk.weights.len())
        );
        findings.add(&codes::BAD_WEIGHT, Place::Of(ChunkKind::Weights), None, message);
    }
    // Sorted by point, in the order of the file within one: counts, then places, then each into its place.
    for (point, _) in &usable {
        if let Some(first) = firsts.get_mut((*point as usize).saturating_add(1)) {
            *first = first.saturating_add(1);
        }
    }
    let mut sum = 0_u32;
    for first in &mut firsts {
        sum = sum.saturating_add(*first);
        *first = sum;
    }
    let mut sorted = vec![Influence { joint: 0, weight: 0.0 }; usable.len()];
    let mut next = firsts.clone();
    for (point, influence) in &usable {
        if let Some(place) = next.get_mut(*point as usize) {
            if let Some(slot) = sorted.get_mut(*place as usize) {
                *slot = *influence;
            }
            *place = place.saturating_add(1);
        }
    }
    let mut skin = Skin {
        runs: Vec::with_capacity(psk.points.len()),
        influences: Vec::with_capacity(sorted.len()),
        ..Skin::default()
    };
    let mut unweighted = 0_usize;
    // Where a joint's influence of the point at hand went: found at once, however many there are.
    let mut merged: Vec<(u32, u32)> = vec![(u32::MAX, 0); psk.bones.len()];
    for (point, range) in firsts.windows(2).enumerate() {
        let own = match range {
            [first, end] => sorted.get(*first as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        };
        let first = skin.influences.len() as u32;
        for influence in own {
            let Some(seen) = merged.get_mut(influence.joint as usize) else { continue };
            if seen.0 == point as u32 {
                if let Some(kept) = skin.influences.get_mut(seen.1 as usize) {
                    kept.weight += influence.weight;
                }
            } else {
                *seen = (point as u32, skin.influences.len() as u32);
                skin.influences.push(*influence);
            }
        }
        normalise(skin.influences.get_mut(first as usize..).unwrap_or_default());
        if own.is_empty() {
            unweighted = unweighted.saturating_add(1);
            skin.influences.push(Influence { joint: 0, weight: 1.0 });
        }
        skin.runs.push(Run { first, count: (skin.influences.len() as u32).saturating_sub(first) });
    }
    if unweighted > 0 {
        let message = format!(
            "{} of {} points have no influences and follow the first bone",
            grouped(unweighted),
            grouped(psk.points.len())
        );
        findings.add(&codes::UNWEIGHTED, Place::Of(ChunkKind::Weights), None, message);
    }
    skin
}

fn normalise(influences: &mut [Influence]) {
    // Summed in f64: weights near the largest f32 must not overflow.
    let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
    let count = influences.len() as f32;
    for influence in influences {
        let share = (f64::from(influence.weight) / sum) as f32;
        // Equal shares where adding up went over the largest number.
        influence.weight = if share.is_finite() { share } else { 1.0 / count };
    }
}
