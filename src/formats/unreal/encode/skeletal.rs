//! SkeletalMesh and Animation (formats/unreal.md §8.5, §8.6).

use super::mesh::{LodData, MeshData, Sequence, write_lod_mesh, write_sequences};
use super::object::ObjectWriter;
use super::primitives::Ref;
use super::properties::{Properties, write_properties};

/// A bone at rest, relative to its parent; bone 0 is its own parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkeletonBone {
    /// Name; animations find their bones by it.
    pub name: String,
    /// Rotation as a quaternion: x, y, z, w.
    pub orientation: [f32; 4],
    /// Position relative to the parent.
    pub position: [f32; 3],
    /// Length (formats/unreal.md §8.5).
    pub length: f32,
    /// Size (formats/unreal.md §8.5).
    pub size: [f32; 3],
    /// Number of children.
    pub child_count: i32,
    /// The parent's index; 0 for bone 0.
    pub parent: i32,
}

/// A corner with texture coordinates in full.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExtWedge {
    /// Index into [`SkeletalData::points`].
    pub vertex: u16,
    /// Texture coordinates u, v; 0 to 1 covers the texture once.
    pub uv: [f32; 2],
}

/// Which of the weights are a bone's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneWeightIndex {
    /// Index of the bone's first weight in [`SkeletalData::weights`].
    pub first: u16,
    /// Number of the bone's weights.
    pub count: u16,
    /// `DetailA` (formats/unreal.md §8.5).
    pub detail_a: u16,
    /// `DetailB` (formats/unreal.md §8.5).
    pub detail_b: u16,
}

/// How much a bone moves a point, of 65535.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneWeight {
    /// Index into [`SkeletalData::points`].
    pub point: u16,
    /// Weight in 1/65535.
    pub weight: u16,
}

/// What a SkeletalMesh has beyond a LodMesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkeletalData {
    /// Corners; if empty, [`LodData::wedges`] are used.
    pub wedges: Vec<ExtWedge>,
    /// At rest.
    pub points: Vec<[f32; 3]>,
    /// Bones; the first is the root.
    pub skeleton: Vec<SkeletonBone>,
    /// One for each bone.
    pub weight_indices: Vec<BoneWeightIndex>,
    /// Weights, grouped by bone.
    pub weights: Vec<BoneWeight>,
    /// `LocalPoints` (formats/unreal.md §8.5).
    pub local_points: Vec<[f32; 3]>,
    /// `SkeletalDepth` (formats/unreal.md §8.5): depth of the hierarchy of bones.
    pub skeletal_depth: i32,
    /// `DefaultAnimation`: an Animation, or null.
    pub default_animation: Ref,
    /// Index of the bone that a weapon is attached to; −1 if there is none.
    pub weapon_bone: i32,
    /// Origin and axes.
    pub weapon_adjust: [[f32; 3]; 4],
}

/// Writes a SkeletalMesh: the LodMesh, then its own data (formats/unreal.md §8.5).
pub fn write_skeletal_mesh(out: &mut ObjectWriter<'_>, mesh: &MeshData, lod: &LodData, skeletal: &SkeletalData) {
    write_lod_mesh(out, mesh, lod);
    out.array(&skeletal.wedges, |out, wedge| {
        out.u16(wedge.vertex);
        out.u16(0);
        out.f32s(&wedge.uv);
    });
    out.array(&skeletal.points, |out, point| out.f32s(point));
    out.array(&skeletal.skeleton, |out, bone| {
        out.name(&bone.name);
        out.u32(0);
        out.f32s(&bone.orientation);
        out.f32s(&bone.position);
        out.f32(bone.length);
        out.f32s(&bone.size);
        out.i32s(&[bone.child_count, bone.parent]);
    });
    out.array(&skeletal.weight_indices, |out, index| {
        [index.first, index.count, index.detail_a, index.detail_b].iter().for_each(|value| out.u16(*value));
    });
    out.array(&skeletal.weights, |out, weight| {
        out.u16(weight.point);
        out.u16(weight.weight);
    });
    out.array(&skeletal.local_points, |out, point| out.f32s(point));
    out.i32(skeletal.skeletal_depth);
    out.object(skeletal.default_animation);
    out.i32(skeletal.weapon_bone);
    skeletal.weapon_adjust.iter().for_each(|axis| out.f32s(axis));
}

/// A bone that an animation moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationBone {
    /// Name; meshes find their bones by it.
    pub name: String,
    /// The parent's index.
    pub parent: i32,
}

/// The keys of one bone; one key of a kind holds for all time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Rotation keys as quaternions: x, y, z, w.
    pub rotations: Vec<[f32; 4]>,
    /// Position keys relative to the parent.
    pub positions: Vec<[f32; 3]>,
    /// Time of each key, in the unit of [`Move::track_time`].
    pub times: Vec<f32>,
}

/// The tracks of one sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Move {
    /// `RootSpeed` (formats/unreal.md §8.6).
    pub root_speed: [f32; 3],
    /// Length of the tracks, in the unit of the key times.
    pub track_time: f32,
    /// `StartBone` (formats/unreal.md §8.6).
    pub start_bone: i32,
    /// For each bone of the animation, its track, or −1.
    pub bone_indices: Vec<i32>,
    /// Tracks that `bone_indices` refers to.
    pub tracks: Vec<Track>,
    /// `RootTrack` (formats/unreal.md §8.6).
    pub root_track: Track,
}

/// Sequences are those of the moves, in the same order.
pub fn write_animation(out: &mut ObjectWriter<'_>, bones: &[AnimationBone], moves: &[Move], sequences: &[Sequence]) {
    write_properties(out, &Properties::new());
    out.array(bones, |out, bone| {
        out.name(&bone.name);
        out.u32(0);
        out.i32(bone.parent);
    });
    out.array(moves, |out, motion| {
        out.f32s(&motion.root_speed);
        out.f32(motion.track_time);
        out.i32(motion.start_bone);
        out.u32(0);
        out.array(&motion.bone_indices, |out, index| out.i32(*index));
        out.array(&motion.tracks, write_track);
        write_track(out, &motion.root_track);
    });
    write_sequences(out, sequences);
}

fn write_track(out: &mut ObjectWriter<'_>, track: &Track) {
    out.u32(0);
    out.array(&track.rotations, |out, key| out.f32s(key));
    out.array(&track.positions, |out, key| out.f32s(key));
    out.array(&track.times, |out, key| out.f32(*key));
}
