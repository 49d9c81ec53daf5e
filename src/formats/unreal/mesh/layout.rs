//! Primitive and Mesh (§8.1, §8.2).

use super::super::{
    object::{Fault, ObjectReader},
    tables::ObjectRef,
};
use crate::formats::{SharedText, Value};

/// PolyFlags of meshes (§8.4).
pub const POLY_FLAGS: &[(u64, &str)] = &[
    (0x1, "Invisible"),
    (0x2, "Masked"),
    (0x4, "Translucent"),
    (0x10, "Environment"),
    (0x40, "Modulated"),
    (0x100, "TwoSided"),
    (0x4000, "Flat"),
    (0x40_0000, "Unlit"),
];

/// A triangle with its own texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tri {
    pub vertices: [u16; 3],
    pub uvs: [[u8; 2]; 3],
    pub poly_flags: u32,
    pub texture: i32,
}

/// A named run of frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimSeq {
    pub name: SharedText,
    pub group: SharedText,
    pub start_frame: i32,
    pub frames: i32,
    pub notifies: Vec<Notify>,
    /// Frames a second.
    pub rate: f32,
    /// Bytes from the start of the file.
    pub offset: u64,
    pub size: u64,
}

/// A function that is called at a moment of a sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notify {
    /// From 0 to 1.
    pub time: f32,
    pub function: SharedText,
}

/// A mesh whose vertices are stored anew for every frame.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Frame by frame.
    pub verts: Vec<[i16; 3]>,
    /// They are stored as 16-bit numbers instead of 11 and 10 bits.
    pub is_wide: bool,
    pub tris: Vec<Tri>,
    pub sequences: Vec<AnimSeq>,
    pub textures: Vec<ObjectRef>,
    pub frame_verts: i32,
    pub anim_frames: i32,
    pub scale: [f32; 3],
    pub origin: [f32; 3],
    /// Pitch, yaw, roll.
    pub rot_origin: [i32; 3],
}

/// The box and the sphere that every Primitive starts with (§2.7).
pub fn read_bounds(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    read_box(r, "BoundingBox")?;
    read_sphere(r, "BoundingSphere")
}

fn read_box(r: &mut ObjectReader<'_>, name: &'static str) -> Result<(), Fault> {
    r.group(name, "Box", |r| {
        r.vector("Min")?;
        r.vector("Max")?;
        r.u8("IsValid").map(drop)
    })
}

fn read_sphere(r: &mut ObjectReader<'_>, name: &'static str) -> Result<(), Fault> {
    if r.version() <= 61 { r.vector(name).map(drop) } else { r.floats::<4>(name, "Sphere").map(drop) }
}

/// Vertices: packed in 32 bits, or 8 bytes each as Deus Ex has them, and which of them; the offset behind the array tells (§8.2).
fn read_verts(r: &mut ObjectReader<'_>) -> Result<(Vec<[i16; 3]>, bool), Fault> {
    let end = r.skip_offset()?;
    let count = r.count("Verts count")?;
    let size = end.and_then(|end| u64::from(end).checked_sub(r.offset()));
    if count > 0 && size == count.checked_mul(8) {
        let verts = r.elements("Verts", "FMeshVert (8 bytes)", count, 8, |r| {
            let at = r.offset();
            let (x, y, z) = (r.raw().i16()?, r.raw().i16()?, r.raw().i16()?);
            record_vert(r, [x, y, z], at);
            let at = r.offset();
            r.raw().skip(2)?;
            r.record("Padding", "bytes", at, || Value::Raw);
            Ok([x, y, z])
        })?;
        return Ok((verts, true));
    }
    let verts = r.elements("Verts", "FMeshVert", count, 4, |r| {
        let at = r.offset();
        let vert = unpacked(r.raw().u32()?);
        record_vert(r, vert, at);
        Ok(vert)
    })?;
    Ok((verts, false))
}

fn record_vert(r: &mut ObjectReader<'_>, vert: [i16; 3], at: u64) {
    if r.is_recording() {
        r.record("Position", "vertex", at, || Value::Ints(vert.map(i64::from).to_vec()));
    }
}

/// x in bits 0 to 10, y in 11 to 21, z in 22 to 31, all signed.
pub fn unpacked(word: u32) -> [i16; 3] {
    let signed = |value: u32, unused: u32| (value.wrapping_shl(unused) as i32).wrapping_shr(unused) as i16;
    [signed(word & 0x7FF, 21), signed((word >> 11) & 0x7FF, 21), signed(word >> 22, 22)]
}

pub fn read_sequence(r: &mut ObjectReader<'_>) -> Result<AnimSeq, Fault> {
    let offset = r.offset();
    let name = r.shared_name("Name")?;
    let group = r.shared_name("Group")?;
    let start_frame = r.i32("StartFrame")?;
    let frames = r.i32("NumFrames")?;
    let notifies = r.array("Notifys", "MeshAnimNotify", 5, |r| {
        let time = r.f32("Time")?;
        Ok(Notify { time, function: r.shared_name("Function")? })
    })?;
    let rate = r.f32("Rate")?;
    let size = r.offset().saturating_sub(offset);
    Ok(AnimSeq { name, group, start_frame, frames, notifies, rate, offset, size })
}

/// Bytes of the smallest sequence.
pub const SMALLEST_SEQUENCE: u64 = 15;

pub fn read_sequences(r: &mut ObjectReader<'_>) -> Result<Vec<AnimSeq>, Fault> {
    r.array("AnimSeqs", "MeshAnimSeq", SMALLEST_SEQUENCE, read_sequence)
}

/// Reads a Mesh behind its properties.
pub fn read_mesh(r: &mut ObjectReader<'_>) -> Result<Mesh, Fault> {
    read_bounds(r)?;
    let (verts, is_wide) = read_verts(r)?;
    let tris = r.lazy_array("Tris", "MeshTri", 20, |r| {
        let mut tri = Tri::default();
        for (vertex, name) in tri.vertices.iter_mut().zip(["Vertex0", "Vertex1", "Vertex2"]) {
            *vertex = r.u16(name)?;
        }
        for (uv, [u, v]) in tri.uvs.iter_mut().zip([["U0", "V0"], ["U1", "V1"], ["U2", "V2"]]) {
            *uv = [r.u8(u)?, r.u8(v)?];
        }
        tri.poly_flags = r.flags("PolyFlags", POLY_FLAGS)?;
        tri.texture = r.i32("TextureIndex")?;
        Ok(tri)
    })?;
    let sequences = read_sequences(r)?;
    r.lazy_array("Connects", "MeshVertConnect", 8, |r| {
        r.i32("NumVertTriangles")?;
        r.i32("TriangleListOffset")
    })?;
    read_box(r, "BoundingBox2")?;
    read_sphere(r, "BoundingSphere2")?;
    r.lazy_array("VertLinks", "i32", 4, |r| r.i32("Triangle"))?;
    let textures = r.array("Textures", "Texture", 1, |r| r.object("Texture"))?;
    r.array("BoundingBoxes", "Box", 25, |r| read_box(r, "Box"))?;
    let sphere_size = if r.version() <= 61 { 12 } else { 16 };
    r.array("BoundingSpheres", "Sphere", sphere_size, |r| read_sphere(r, "Sphere"))?;
    let frame_verts = r.i32("FrameVerts")?;
    let anim_frames = r.i32("AnimFrames")?;
    r.flags("ANDFlags", POLY_FLAGS)?;
    r.flags("ORFlags", POLY_FLAGS)?;
    let scale = r.vector("Scale")?;
    let origin = r.vector("Origin")?;
    let rot_origin = r.rotator("RotOrigin")?;
    r.i32("CurPoly")?;
    r.i32("CurVertex")?;
    match r.version() {
        0..65 => {}
        65 => drop(r.f32("TextureLOD")?),
        _ => drop(r.array("TextureLOD", "f32", 4, |r| r.f32("TextureLOD"))?),
    }
    Ok(Mesh { verts, is_wide, tris, sequences, textures, frame_verts, anim_frames, scale, origin, rot_origin })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_vertices_are_signed() {
        assert_eq!(unpacked(1 | 2 << 11 | 3 << 22), [1, 2, 3]);
        assert_eq!(unpacked(0x7FF | 0x400 << 11 | 0x200 << 22), [-1, -1024, -512]);
        assert_eq!(unpacked(0x3FF | 0x3FF << 11 | 0x1FF << 22), [1023, 1023, 511]);
    }
}
