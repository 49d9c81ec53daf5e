//! Mesh and LodMesh (formats/unreal.md §8).

use super::object::ObjectWriter;
use super::primitives::Ref;
use super::properties::{Properties, write_properties};

/// A box and a ball around something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    pub min: [f32; 3],
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

    pub fn center(&self) -> [f32; 3] {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        [(ax + bx) * 0.5, (ay + by) * 0.5, (az + bz) * 0.5]
    }

    pub fn radius(&self) -> f32 {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        ((bx - ax).powi(2) + (by - ay).powi(2) + (bz - az).powi(2)).sqrt() * 0.5
    }

    pub(super) fn write_box(&self, out: &mut ObjectWriter<'_>) {
        out.bounding_box(self.min, self.max, true);
    }

    pub(super) fn write_sphere(&self, out: &mut ObjectWriter<'_>) {
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
    pub vertices: [u16; 3],
    pub uvs: [[u8; 2]; 3],
    pub poly_flags: u32,
    pub texture: i32,
}

/// A named run of frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    pub name: String,
    pub group: String,
    pub start_frame: i32,
    pub frame_count: i32,
    /// Time from 0 to 1, and what is called then.
    pub notifications: Vec<(f32, String)>,
    pub rate_hz: f32,
}

/// What a Mesh is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    pub bounds: Bounds,
    /// Frame by frame.
    pub vertices: Vertices,
    pub triangles: Vec<Tri>,
    pub sequences: Vec<Sequence>,
    /// For each vertex, how many triangles use it and where their list begins in `vertex_links`.
    pub connects: Vec<[i32; 2]>,
    pub vertex_links: Vec<i32>,
    pub textures: Vec<Ref>,
    /// One for each frame.
    pub frame_bounds: Vec<Bounds>,
    pub frame_vertices: i32,
    pub frames: i32,
    pub and_flags: u32,
    pub or_flags: u32,
    pub scale: [f32; 3],
    pub origin: [f32; 3],
    /// Pitch, yaw, roll.
    pub rotation_origin: [i32; 3],
}

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

pub(super) fn write_sequences(out: &mut ObjectWriter<'_>, sequences: &[Sequence]) {
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
    pub wedges: [u16; 3],
    pub material: u16,
}

/// A corner of a LodMesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodWedge {
    pub vertex: u16,
    pub uv: [u8; 2],
}

/// How a face is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodMaterial {
    pub poly_flags: u32,
    pub texture: i32,
}

/// What a LodMesh has beyond a Mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LodData {
    /// For each point (first those of the special faces), the point that it collapses into.
    pub collapse_points: Vec<u16>,
    /// For each face, the number of points below which it is gone.
    pub face_levels: Vec<u16>,
    pub faces: Vec<LodFace>,
    /// For each wedge, the wedge that it collapses into.
    pub collapse_wedges: Vec<u16>,
    pub wedges: Vec<LodWedge>,
    pub materials: Vec<LodMaterial>,
    pub special_faces: Vec<LodFace>,
    pub model_vertices: i32,
    pub special_vertices: i32,
    pub mesh_scale_max: f32,
    pub hysteresis: f32,
    pub strength: f32,
    pub min_vertices: i32,
    pub morph: f32,
    pub z_displacement: f32,
    pub remap_vertices: Vec<u16>,
    pub old_frame_vertices: i32,
}

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
