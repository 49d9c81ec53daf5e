//! A Mesh or a LodMesh as the files have it that the editor imports a mesh from (§8.8).

use super::{
    super::{
        encode::{FilePolygon, Sequence, Vertices, pack_vertex},
        kind::Kind,
        object::Fault,
        package::Package,
        tables::ObjectRef,
    },
    layout::{AnimSeq, Mesh},
    lod::LodMesh,
    materials::{PLACEHOLDER, poly_flags, surface_type},
    sequences::{SequenceCache, SequenceOwner},
    space::whole_frames,
};
use std::sync::Arc;

/// A mesh of vertices that move, as the editor imports it, and what its import lines say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexMesh {
    /// Name of the mesh: that of its object, or of its import line.
    pub name: String,
    /// Whole frames, one after the other.
    pub vertices: Vertices,
    /// Vertices of a frame.
    pub frame_vertices: usize,
    /// Number of whole frames.
    pub frames: usize,
    /// Triangles at full detail; those of a LodMesh begin with its attachment triangles.
    pub polygons: Vec<FilePolygon>,
    /// Named runs of frames.
    pub sequences: Vec<Sequence>,
    /// The path of the texture in each slot; empty where an actor's skin goes.
    pub textures: Vec<String>,
    /// Factor of each axis, applied after `origin` is subtracted (§8.4).
    pub scale: [f32; 3],
    /// Point that is subtracted from every vertex, in the unit of the stored vertices (§8.4).
    pub origin: [f32; 3],
    /// Pitch, yaw, roll; 65536 is a full turn.
    pub rot_origin: [i32; 3],
    /// Polygons that are written with other flags or another texture slot: those of their own have no place in the files.
    pub changed: usize,
    /// Polygons that are left out: their vertices do not exist.
    pub left_out: usize,
    /// It loses triangles with distance; that is not in the files.
    pub has_levels: bool,
}

/// Whether objects of a kind can be written as such files.
pub fn is_vertex_mesh(kind: Kind) -> bool {
    matches!(kind, Kind::Mesh | Kind::LodMesh)
}

/// The mesh that an export is.
///
/// # Errors
/// Where the object cannot be read on, or is none.
pub fn vertex_mesh(package: &Arc<Package>, export: usize, kind: Kind) -> Result<VertexMesh, Fault> {
    let owner = package.memory.of::<SequenceCache>().get(package, export, kind)?;
    let name = package.object_name(ObjectRef::export(export)).unwrap_or_default();
    let (made, mesh) = match &*owner {
        SequenceOwner::Mesh(mesh) => (of_mesh(mesh), mesh),
        SequenceOwner::Lod(lod) => (of_lod_mesh(lod), &lod.mesh),
        SequenceOwner::Animation(_) => {
            let offset = package.export(export).map_or(0, |e| u64::from(e.offset));
            return Err(Fault::new(offset, "a skeletal animation has no vertices"));
        }
    };
    let path = |texture: &ObjectRef| if texture.is_none() { String::new() } else { package.object_path(*texture) };
    Ok(VertexMesh { name: name.to_owned(), textures: mesh.textures.iter().map(path).collect(), ..made })
}

/// What a mesh has whatever its triangles are.
fn frames_of(mesh: &Mesh, stride: i32) -> VertexMesh {
    let frames = whole_frames(mesh.verts.len(), stride, mesh.anim_frames);
    let stride = usize::try_from(stride).unwrap_or(0);
    let verts = mesh.verts.get(..frames.saturating_mul(stride)).unwrap_or_default();
    let vertices = match mesh.is_wide {
        true => Vertices::Wide(verts.to_vec()),
        false => Vertices::Packed(verts.iter().map(|vert| pack_vertex(vert.map(i32::from))).collect()),
    };
    VertexMesh {
        vertices,
        frame_vertices: stride,
        frames,
        sequences: mesh.sequences.iter().map(sequence).collect(),
        scale: mesh.scale,
        origin: mesh.origin,
        rot_origin: mesh.rot_origin,
        ..VertexMesh::default()
    }
}

/// A mesh that was read from such files: its polygons as they are stored.
pub fn of_files(mesh: &Mesh, polygons: &[FilePolygon]) -> VertexMesh {
    let mut made = frames_of(mesh, mesh.frame_verts);
    let is_whole =
        |polygon: &&FilePolygon| polygon.vertices.iter().all(|vertex| usize::from(*vertex) < made.frame_vertices);
    made.polygons = polygons.iter().filter(is_whole).copied().collect();
    made.left_out = polygons.len().saturating_sub(made.polygons.len());
    made
}

fn sequence(sequence: &AnimSeq) -> Sequence {
    Sequence {
        name: sequence.name.to_string(),
        group: sequence.group.to_string(),
        start_frame: sequence.start_frame,
        frame_count: sequence.frames,
        notifications: sequence.notifies.iter().map(|n| (n.time, n.function.to_string())).collect(),
        rate_hz: sequence.rate,
    }
}

impl VertexMesh {
    /// Adds a polygon, or counts it as left out where a vertex is none of a frame.
    fn add(&mut self, vertices: [Option<usize>; 3], uvs: [[u8; 2]; 3], flags: u32, texture: i32) {
        let inside = |vertex: Option<usize>| u16::try_from(vertex.filter(|v| *v < self.frame_vertices)?).ok();
        let [Some(a), Some(b), Some(c)] = vertices.map(inside) else {
            self.left_out = self.left_out.saturating_add(1);
            return;
        };
        let surface = surface_type(flags);
        let slot = u8::try_from(texture).ok();
        // A hidden polygon is hidden, with one side or with two.
        let is_same = surface & 0xF == PLACEHOLDER || poly_flags(surface) == flags;
        self.changed = self.changed.saturating_add(usize::from(!is_same || slot.is_none()));
        let texture = slot.unwrap_or_default();
        self.polygons.push(FilePolygon { vertices: [a, b, c], surface, uvs, texture, ..FilePolygon::default() });
    }
}

fn of_mesh(mesh: &Mesh) -> VertexMesh {
    let mut made = frames_of(mesh, mesh.frame_verts);
    for tri in &mesh.tris {
        made.add(tri.vertices.map(|vertex| Some(usize::from(vertex))), tri.uvs, tri.poly_flags, tri.texture);
    }
    made
}

/// The whole mesh, its attachment triangles first: the game takes the first triangle for where a weapon is held.
fn of_lod_mesh(lod: &LodMesh) -> VertexMesh {
    let mut made = frames_of(&lod.mesh, lod.stride());
    let special = usize::try_from(lod.special_verts).unwrap_or(0);
    for face in &lod.special_faces {
        let vertex = |number: u16| lod.frame_vertex(usize::from(number)).filter(|_| usize::from(number) < special);
        made.add(face.wedges.map(vertex), [[0; 2]; 3], poly_flags(PLACEHOLDER), 0);
    }
    for face in &lod.faces {
        let material = lod.materials.get(usize::from(face.material)).copied().unwrap_or_default();
        let wedges = face.wedges.map(|wedge| lod.wedges.get(usize::from(wedge)).copied());
        let vertex = |number: u16| lod.frame_vertex(usize::from(number).checked_add(special)?);
        let vertices = wedges.map(|wedge| vertex(wedge?.vertex));
        // Bytes once; they are shares of 255 since they were read.
        let uvs = wedges.map(|wedge| wedge.unwrap_or_default().uv.map(|share| (share * 255.0).round() as u8));
        made.add(vertices, uvs, material.poly_flags, material.texture);
    }
    made.has_levels = !lod.collapse_wedges.is_empty() && lod.face_levels.iter().any(|level| *level > 0);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_that_lead_nowhere_are_counted_and_left_out() {
        let mut mesh = VertexMesh { frame_vertices: 3, ..VertexMesh::default() };
        mesh.add([Some(0), Some(1), Some(2)], [[1, 2], [3, 4], [5, 6]], 0x102, 1);
        mesh.add([Some(0), Some(1), Some(3)], [[0; 2]; 3], 0, 0);
        mesh.add([Some(0), None, Some(2)], [[0; 2]; 3], 0, 0);
        mesh.add([Some(2), Some(1), Some(0)], [[0; 2]; 3], 0x4, -1);
        assert_eq!((mesh.polygons.len(), mesh.left_out, mesh.changed), (2, 2, 1));
        let first = mesh.polygons[0];
        assert_eq!((first.vertices, first.surface, first.uvs[1], first.texture), ([0, 1, 2], 3, [3, 4], 1));
        assert_eq!((mesh.polygons[1].surface, mesh.polygons[1].texture), (2, 0));
    }
}
