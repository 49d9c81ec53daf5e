//! Writes Mesh, LodMesh, SkeletalMesh and Animation (formats/unreal.md §8).

use super::{
    object::ObjectWriter,
    package::Ref,
    properties::{Properties, write_properties},
};

/// A box and a ball around something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Smallest coordinate of each axis.
    pub min: [f32; 3],
    /// Largest coordinate of each axis.
    pub max: [f32; 3],
}

impl Bounds {
    /// The bounds of points; of none, a point at the origin.
    pub fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Self {
        let mut bounds: Option<Self> = None;
        for point in points {
            let grown = bounds.get_or_insert(Self { min: point, max: point });
            for ((min, max), value) in grown.min.iter_mut().zip(&mut grown.max).zip(point) {
                *min = min.min(value);
                *max = max.max(value);
            }
        }
        bounds.unwrap_or_default()
    }

    /// Returns the centre of the box and of the sphere.
    pub fn center(&self) -> [f32; 3] {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        [(ax + bx) * 0.5, (ay + by) * 0.5, (az + bz) * 0.5]
    }

    /// Returns the radius of the sphere: half of the diagonal of the box.
    pub fn radius(&self) -> f32 {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        ((bx - ax).powi(2) + (by - ay).powi(2) + (bz - az).powi(2)).sqrt() * 0.5
    }

    pub(super) fn write_box(&self, out: &mut ObjectWriter<'_>) {
        out.bounding_box(self.min, self.max, true);
    }

    fn write_sphere(&self, out: &mut ObjectWriter<'_>) {
        out.sphere(self.center(), self.radius());
    }

    /// What every Primitive begins with.
    pub(super) fn write(&self, out: &mut ObjectWriter<'_>) {
        self.write_box(out);
        self.write_sphere(out);
    }
}

/// How vertices are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// One word each: see [`pack_vertex`].
    Packed(Vec<u32>),
    /// Three numbers of 16 bits and two bytes more, as Deus Ex has them.
    Wide(Vec<[i16; 3]>),
}

impl Default for Vertices {
    fn default() -> Self {
        Self::Packed(Vec::new())
    }
}

/// x and y in 11 bits each, z in 10, signed.
pub fn pack_vertex([x, y, z]: [i32; 3]) -> u32 {
    let bits = |value: i32, mask: u32| value.cast_unsigned() & mask;
    bits(x, 0x7FF) | bits(y, 0x7FF) << 11 | bits(z, 0x3FF) << 22
}

/// A triangle of a Mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tri {
    /// Vertex indices of the corners within a frame.
    pub vertices: [u16; 3],
    /// Texture coordinates u, v of each corner, in 1/255.
    pub uvs: [[u8; 2]; 3],
    /// PolyFlags (formats/unreal.md §8.4).
    pub poly_flags: u32,
    /// Index into [`MeshData::textures`].
    pub texture: i32,
}

/// A named run of frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Name of the sequence.
    pub name: String,
    /// Name of its group; the name `None` if it has none.
    pub group: String,
    /// Index of its first frame.
    pub start_frame: i32,
    /// Number of its frames.
    pub frame_count: i32,
    /// Time from 0 to 1, and what is called then.
    pub notifications: Vec<(f32, String)>,
    /// Playback rate in frames per second.
    pub rate_hz: f32,
}

/// What a Mesh is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Bounds of the mesh, written twice (formats/unreal.md §8.2).
    pub bounds: Bounds,
    /// Frame by frame.
    pub vertices: Vertices,
    /// Triangles; usually empty in a LodMesh, which has faces.
    pub triangles: Vec<Tri>,
    /// Named runs of frames.
    pub sequences: Vec<Sequence>,
    /// For each vertex, how many triangles use it and where their list begins in `vertex_links`.
    pub connects: Vec<[i32; 2]>,
    /// Triangle indices, grouped by vertex: see `connects`.
    pub vertex_links: Vec<i32>,
    /// Texture of each slot; null for an empty slot.
    pub textures: Vec<Ref>,
    /// One for each frame.
    pub frame_bounds: Vec<Bounds>,
    /// Number of vertices in a frame.
    pub frame_vertices: i32,
    /// Number of frames.
    pub frames: i32,
    /// `AndFlags`: a mask of PolyFlags (formats/unreal.md §8.2).
    pub and_flags: u32,
    /// `OrFlags`: a mask of PolyFlags (formats/unreal.md §8.2).
    pub or_flags: u32,
    /// Factor of each axis, applied after `origin` is subtracted (formats/unreal.md §8.4).
    pub scale: [f32; 3],
    /// Point that is subtracted from every vertex, in the unit of the stored vertices.
    pub origin: [f32; 3],
    /// Pitch, yaw, roll.
    pub rotation_origin: [i32; 3],
}

/// Writes a Mesh with an empty property list (formats/unreal.md §8.2).
pub fn write_mesh(out: &mut ObjectWriter<'_>, mesh: &MeshData) {
    write_properties(out, &Properties::new());
    mesh.bounds.write(out);
    match &mesh.vertices {
        Vertices::Packed(words) => out.lazy(words, |out, word| out.u32(*word)),
        Vertices::Wide(places) => out.lazy(places, |out, place| {
            place.iter().for_each(|value| out.i16(*value));
            out.i16(0);
        }),
    }
    out.lazy(&mesh.triangles, |out, tri| {
        tri.vertices.iter().for_each(|vertex| out.u16(*vertex));
        tri.uvs.iter().for_each(|uv| out.bytes(uv));
        out.u32(tri.poly_flags);
        out.i32(tri.texture);
    });
    write_sequences(out, &mesh.sequences);
    out.lazy(&mesh.connects, |out, connect| out.i32s(connect));
    mesh.bounds.write(out);
    out.lazy(&mesh.vertex_links, |out, link| out.i32(*link));
    out.array(&mesh.textures, |out, texture| out.object(*texture));
    out.array(&mesh.frame_bounds, |out, bounds| bounds.write_box(out));
    out.array(&mesh.frame_bounds, |out, bounds| bounds.write_sphere(out));
    out.i32(mesh.frame_vertices);
    out.i32(mesh.frames);
    out.u32(mesh.and_flags);
    out.u32(mesh.or_flags);
    out.f32s(&mesh.scale);
    out.f32s(&mesh.origin);
    out.i32s(&mesh.rotation_origin);
    out.i32s(&[0, 0]);
    match out.version() {
        0..65 => {}
        65 => out.f32(1.0),
        _ => out.array(&mesh.textures, |out, _| out.f32(1.0)),
    }
}

fn write_sequences(out: &mut ObjectWriter<'_>, sequences: &[Sequence]) {
    out.array(sequences, |out, sequence| {
        out.name(&sequence.name);
        out.name(&sequence.group);
        out.i32(sequence.start_frame);
        out.i32(sequence.frame_count);
        out.array(&sequence.notifications, |out, (time, function)| {
            out.f32(*time);
            out.name(function);
        });
        out.f32(sequence.rate_hz);
    });
}

/// A triangle of a LodMesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodFace {
    /// Indices into [`LodData::wedges`]; in special faces, vertex indices.
    pub wedges: [u16; 3],
    /// Index into [`LodData::materials`].
    pub material: u16,
}

/// A corner of a LodMesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodWedge {
    /// Vertex index, counted from the first vertex that is not special.
    pub vertex: u16,
    /// Texture coordinates u, v, in 1/255.
    pub uv: [u8; 2],
}

/// How a face is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodMaterial {
    /// PolyFlags (formats/unreal.md §8.4).
    pub poly_flags: u32,
    /// Index into [`MeshData::textures`].
    pub texture: i32,
}

/// What a LodMesh has beyond a Mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LodData {
    /// For each point (first those of the special faces), the point that it collapses into.
    pub collapse_points: Vec<u16>,
    /// For each face, the number of points below which it is gone.
    pub face_levels: Vec<u16>,
    /// Triangles at full detail.
    pub faces: Vec<LodFace>,
    /// For each wedge, the wedge that it collapses into.
    pub collapse_wedges: Vec<u16>,
    /// Corners of the faces.
    pub wedges: Vec<LodWedge>,
    /// Materials of the faces.
    pub materials: Vec<LodMaterial>,
    /// Attachment triangles of the weapon's hand.
    pub special_faces: Vec<LodFace>,
    /// Number of vertices at full detail, without the special ones.
    pub model_vertices: i32,
    /// Number of vertices of the special faces; these are the first vertices of a frame.
    pub special_vertices: i32,
    /// `MeshScaleMax` (formats/unreal.md §8.3).
    pub mesh_scale_max: f32,
    /// `LODHysteresis` (formats/unreal.md §8.3).
    pub hysteresis: f32,
    /// `LODStrength` (formats/unreal.md §8.3).
    pub strength: f32,
    /// Minimum number of vertices, at the lowest level of detail.
    pub min_vertices: i32,
    /// `LODMorph` (formats/unreal.md §8.3).
    pub morph: f32,
    /// `LODZDisplace` (formats/unreal.md §8.3).
    pub z_displacement: f32,
    /// For each vertex, its index in a frame; if empty, both indices are equal.
    pub remap_vertices: Vec<u16>,
    /// Number of stored vertices per frame if `remap_vertices` is not empty.
    pub old_frame_vertices: i32,
}

/// Writes a LodMesh: the Mesh, then the data of its levels of detail (formats/unreal.md §8.3).
pub fn write_lod_mesh(out: &mut ObjectWriter<'_>, mesh: &MeshData, lod: &LodData) {
    let face = |out: &mut ObjectWriter<'_>, face: &LodFace| {
        face.wedges.iter().for_each(|wedge| out.u16(*wedge));
        out.u16(face.material);
    };
    write_mesh(out, mesh);
    out.array(&lod.collapse_points, |out, point| out.u16(*point));
    out.array(&lod.face_levels, |out, level| out.u16(*level));
    out.array(&lod.faces, face);
    out.array(&lod.collapse_wedges, |out, wedge| out.u16(*wedge));
    out.array(&lod.wedges, |out, wedge| {
        out.u16(wedge.vertex);
        out.bytes(&wedge.uv);
    });
    out.array(&lod.materials, |out, material| {
        out.u32(material.poly_flags);
        out.i32(material.texture);
    });
    out.array(&lod.special_faces, face);
    out.i32(lod.model_vertices);
    out.i32(lod.special_vertices);
    out.f32s(&[lod.mesh_scale_max, lod.hysteresis, lod.strength]);
    out.i32(lod.min_vertices);
    out.f32s(&[lod.morph, lod.z_displacement]);
    out.array(&lod.remap_vertices, |out, vertex| out.u16(*vertex));
    out.i32(lod.old_frame_vertices);
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_pack_signed() {
        assert_eq!(pack_vertex([1, 2, 3]), 1 | 2 << 11 | 3 << 22);
        assert_eq!(pack_vertex([-1, 0, 0]), 0x7FF);
        assert_eq!(pack_vertex([0, -1024, -512]), 0x400 << 11 | 0x200 << 22);
    }
}
