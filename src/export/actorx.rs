//! Models and clips of any family as ActorX structures (formats/actorx.md §2 to §5).
//!
//! The way of the PSK and PSA readers, backwards: scene `(x, y, z)` is file `(x, −z, y)`; bone 0 stores its rotation, every
//! other bone the inverse; triangles are clockwise.

use super::ExportError;
use crate::{
    bytes::text,
    formats::actorx::{
        AnimInfo, AnimKey, Bone, Curve, CurveChunk, Face, Matt, MorphData, MorphInfo, Psa, Psk, RawWeight, ScaleKey,
        SkelSock, Wedge,
    },
    scene::{
        Blend, Channel, Clip, Joint, KeyRule, Material, Mesh, Model, Sampler, Skeleton, Target, Transform,
        rotation_or_identity,
    },
};
use glam::{Quat, Vec3};
use std::collections::HashMap;

/// TypeFlag of the writers that know vertex colours.
const TYPE_FLAG: i32 = 20_100_422;
/// Keys of a PSA at most, of 32 bytes: a clip may be of any length.
const MAX_KEYS: i64 = 1 << 24;
/// How far a bind pose's scale may be from one.
const SCALE_TOLERANCE: f32 = 1e-4;

fn point(scene: Vec3) -> [f32; 3] {
    [scene.x, -scene.z, scene.y]
}

/// A true rotation in file space.
fn rotation(scene: Quat) -> [f32; 4] {
    [scene.x, -scene.z, scene.y, scene.w]
}

fn scale(scene: Vec3) -> [f32; 3] {
    [scene.x, scene.z, scene.y]
}

fn inverse([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// File space to Unreal space and back.
fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// Pitch, yaw and roll in degrees of a rotation in file space.
fn rotator(file: [f32; 4]) -> [f32; 3] {
    let [x, y, z, w] = [-file[0], file[1], -file[2], file[3]];
    let half_sine = z * x - w * y;
    let yaw = (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z));
    let around = |angle: f32| angle.sin().atan2(angle.cos());
    let (pitch, roll) = if half_sine.abs() > 0.499_999_5 {
        // Straight up or down: only the sum of yaw and roll counts.
        let sign = half_sine.signum();
        (sign * std::f32::consts::FRAC_PI_2, around(sign * yaw - 2.0 * x.atan2(w)))
    } else {
        ((2.0 * half_sine).asin(), (-2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)))
    };
    [pitch, yaw, roll].map(f32::to_degrees)
}

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

/// In which order joints become bones: their own, unless a parent comes after its child (programs that read PSK pose such
/// bones wrongly) or the root is not the first.
struct BoneOrder {
    /// Joint of each bone, without the root that is added.
    joints: Vec<u32>,
    /// Bone of each joint.
    bones: Vec<u32>,
    /// Several roots get one above them: bone 0 is the only one.
    added_root: bool,
}

impl BoneOrder {
    fn of(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let in_order = joints.iter().enumerate().all(|(i, j)| j.parent.is_none_or(|p| (p as usize) < i));
        let order = if in_order { (0..joints.len() as u32).collect() } else { skeleton.order().to_vec() };
        let added_root = joints.iter().filter(|j| j.parent.is_none()).count() > 1;
        let mut bones = vec![0; joints.len()];
        for (place, joint) in order.iter().enumerate() {
            bones[*joint as usize] = place as u32 + u32::from(added_root);
        }
        Self { joints: order, bones, added_root }
    }

    /// The joint that becomes bone 0.
    fn first_joint(&self) -> Option<usize> {
        if self.added_root { None } else { self.joints.first().map(|j| *j as usize) }
    }
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

fn bone(name: &str, parent: usize, bind: &Transform, plain: bool) -> Bone {
    let turned = rotation(rotation_or_identity(bind.rotation));
    Bone {
        name: name.to_owned(),
        parent: i32::try_from(parent).unwrap_or(0),
        rotation: if plain { turned } else { inverse(turned) },
        position: point(bind.translation),
        ..Bone::default()
    }
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

/// Clips as an animation file: a sequence each, a key for every bone and frame. `model` says which bone is the first one and
/// what bones do that a clip leaves alone; `bones` the same for a clip that comes out of an animation file.
///
/// # Errors
/// When there would be more keys than a file may hold.
pub fn psa(
    clips: &[&Clip],
    model: Option<&Model>,
    bones: &[Bone],
    notes: &mut Vec<String>,
) -> Result<Psa, ExportError> {
    let names = joint_names(clips);
    let rest = Rest::new(model.and_then(|m| m.skeleton.as_ref()), bones, &names);
    let mut psa = Psa { type_flag: TYPE_FLAG, bones: rest.psa_bones(), ..Psa::default() };
    let scaled = clips.iter().any(|c| c.channels.iter().any(|ch| matches!(ch.target, Target::JointScale(_))));
    let mut first_frame = 0_i64;
    for clip in clips {
        let frames = i64::from(clip.frame_count);
        let keys = frames.saturating_mul(names.len() as i64);
        if (first_frame.saturating_add(frames)).saturating_mul(names.len() as i64) > MAX_KEYS {
            return Err(ExportError::TooLarge(format!("“{}” would take more than {MAX_KEYS} keys", clip.name)));
        }
        psa.sequences.push(AnimInfo {
            name: clip.name.clone(),
            group: if clip.group.is_empty() { "None".to_owned() } else { clip.group.clone() },
            total_bones: names.len() as i32,
            key_quotum: keys as i32,
            track_time: frames as f32,
            rate_hz: clip.rate_hz,
            first_raw_frame: first_frame as i32,
            raw_frames: frames as i32,
            ..AnimInfo::default()
        });
        first_frame += frames;
        add_keys(&mut psa, clip, &rest, scaled, notes);
        add_curves(&mut psa, clip);
    }
    Ok(psa)
}

/// Bones that any of the clips speaks of; the n-th of several equal names is the n-th everywhere.
fn joint_names(clips: &[&Clip]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut known: HashMap<(String, usize), ()> = HashMap::new();
    for clip in clips {
        for (key, name) in numbered(&clip.joints) {
            if known.insert(key, ()).is_none() {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Names with which of several equal ones each is.
fn numbered(names: &[String]) -> impl Iterator<Item = ((String, usize), &String)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    names.iter().map(move |name| {
        let folded = text::fold(name);
        let count = counts.entry(folded.clone()).or_insert(0);
        *count += 1;
        ((folded, *count), name)
    })
}

/// What bones do when nothing moves them, and what they are in the model.
struct Rest<'a> {
    joints: &'a [Joint],
    bones: &'a [Bone],
    names: &'a [String],
    /// The model's joint of each bone.
    joint_of: Vec<Option<usize>>,
    /// The joint that is bone 0 of the model's PSK.
    first_joint: Option<usize>,
}

impl<'a> Rest<'a> {
    fn new(skeleton: Option<&'a Skeleton>, bones: &'a [Bone], names: &'a [String]) -> Self {
        let joints = skeleton.map(|s| s.joints()).unwrap_or_default();
        let of_model: Vec<String> = joints.iter().map(|j| j.name.clone()).collect();
        let by_name: HashMap<(String, usize), usize> =
            numbered(&of_model).enumerate().map(|(index, (key, _))| (key, index)).collect();
        let joint_of = numbered(names).map(|(key, _)| by_name.get(&key).copied()).collect();
        let first_joint = skeleton.and_then(|s| BoneOrder::of(s).first_joint());
        Self { joints, bones, names, joint_of, first_joint }
    }

    fn joint(&self, bone: usize) -> Option<usize> {
        self.joint_of.get(bone).copied().flatten()
    }

    /// Whether the bone is the one that stores rotations as they are; without a model the first one is taken for it.
    fn is_first(&self, bone: usize) -> bool {
        if self.joints.is_empty() { bone == 0 } else { self.joint(bone).is_some_and(|j| Some(j) == self.first_joint) }
    }

    /// A key as it is stored.
    fn stored(&self, bone: usize, key: Quat, rule: KeyRule) -> [f32; 4] {
        let on_joint_0 = if self.joints.is_empty() { bone == 0 } else { self.joint(bone) == Some(0) };
        let inverted = rule == KeyRule::InverseOnFirstJoint && on_joint_0;
        let turned = rotation(if inverted { key.conjugate() } else { key });
        if self.is_first(bone) { turned } else { inverse(turned) }
    }

    fn psa_bones(&self) -> Vec<Bone> {
        let bone_of = |joint: usize| self.joint_of.iter().position(|j| *j == Some(joint));
        let one = |(index, name): (usize, &String)| match (
            self.joint(index).and_then(|j| self.joints.get(j)),
            self.bones.get(index),
        ) {
            (Some(joint), _) => {
                let parent = joint.parent.and_then(|p| bone_of(p as usize));
                bone(name, parent.unwrap_or(0), &joint.bind, self.is_first(index))
            }
            (None, Some(own)) if own.name == *name => own.clone(),
            _ => bone(name, 0, &Transform::IDENTITY, index == 0),
        };
        self.names.iter().enumerate().map(one).collect()
    }
}

fn add_keys(psa: &mut Psa, clip: &Clip, rest: &Rest<'_>, scaled: bool, notes: &mut Vec<String>) {
    let own: HashMap<(String, usize), usize> =
        numbered(&clip.joints).enumerate().map(|(index, (key, _))| (key, index)).collect();
    let mut tracks: Vec<[Option<&Sampler>; 3]> = vec![[None; 3]; clip.joints.len()];
    for Channel { target, sampler, .. } in &clip.channels {
        let (joint, kind) = match target {
            Target::JointTranslation(joint) => (joint, 0),
            Target::JointRotation(joint) => (joint, 1),
            Target::JointScale(joint) => (joint, 2),
            _ => continue,
        };
        if let Some(track) = tracks.get_mut(joint.as_usize()) {
            track[kind] = Some(sampler);
        }
    }
    let mut still = 0_usize;
    let bones: Vec<(usize, [Option<&Sampler>; 3])> = numbered(rest.names)
        .enumerate()
        .map(|(index, (key, _))| {
            let track = own.get(&key).and_then(|j| tracks.get(*j)).copied().unwrap_or_default();
            still += usize::from(track[0].is_none() || track[1].is_none());
            (index, track)
        })
        .collect();
    if still > 0 {
        notes.push(format!(
            "PSA has a key for every bone: {still} bones that “{}” leaves alone, wholly or in part, keep their rest pose",
            clip.name
        ));
    }
    for frame in 0..clip.frame_count {
        let frame = frame as f32;
        for (index, [translation, turn, size]) in &bones {
            let bind = psa.bones.get(*index).cloned().unwrap_or_default();
            let position = translation.and_then(|s| s.vec3(frame, None)).map_or(bind.position, point);
            let turned = turn.and_then(|s| s.rotation(frame, None));
            let rotation = turned.map_or(bind.rotation, |q| rest.stored(*index, q, clip.key_rule));
            psa.keys.push(AnimKey { position, rotation, time: 1.0 });
            if scaled {
                let factors = size.and_then(|s| s.vec3(frame, None)).map_or([1.0; 3], scale);
                psa.scale_keys.push(ScaleKey { scale: factors, time: 1.0 });
            }
        }
    }
}

fn add_curves(psa: &mut Psa, clip: &Clip) {
    let curve = |channel: &Channel| match &channel.target {
        Target::MorphWeight(name) => {
            let value = |frame: u32| channel.sampler.scalar(frame as f32, None).unwrap_or(0.0);
            Some(Curve { name: name.clone(), values: (0..clip.frame_count).map(value).collect() })
        }
        _ => None,
    };
    let curves: Vec<Curve> = clip.channels.iter().filter_map(curve).collect();
    if !curves.is_empty() {
        psa.curves.push(CurveChunk { sequence: clip.name.chars().take(15).collect(), curves });
    }
}
