//! LodMesh (§8.3).

use super::{
    super::object::{Fault, ObjectReader},
    layout::{Mesh, POLY_FLAGS, read_mesh},
};

/// A triangle of wedges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    pub wedges: [u16; 3],
    pub material: u16,
}

/// A corner: a vertex with texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wedge {
    pub vertex: u16,
    pub uv: [f32; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LodMaterial {
    pub poly_flags: u32,
    pub texture: i32,
}

/// A mesh that loses triangles with distance.
#[derive(Clone, Debug, Default)]
pub struct LodMesh {
    pub mesh: Mesh,
    /// For each face, the number of vertices below which it is gone.
    pub face_levels: Vec<u16>,
    pub faces: Vec<Face>,
    /// For each wedge, the one that it becomes when its vertex is gone.
    pub collapse_wedges: Vec<u16>,
    pub wedges: Vec<Wedge>,
    pub materials: Vec<LodMaterial>,
    pub special_faces: Vec<Face>,
    pub model_verts: i32,
    pub special_verts: i32,
    pub min_verts: i32,
    pub remap_anim_verts: Vec<u16>,
    pub old_frame_verts: i32,
}

impl LodMesh {
    /// Vertices of one frame.
    pub fn stride(&self) -> i32 {
        if self.remap_anim_verts.is_empty() { self.mesh.frame_verts } else { self.old_frame_verts }
    }

    /// Which vertex of a frame a number of the special faces or, `special_verts` further on, of a wedge means.
    pub fn frame_vertex(&self, number: usize) -> Option<usize> {
        if self.remap_anim_verts.is_empty() {
            Some(number)
        } else {
            self.remap_anim_verts.get(number).map(|vertex| usize::from(*vertex))
        }
    }
}

fn read_face(r: &mut ObjectReader<'_>) -> Result<Face, Fault> {
    let wedges = [r.u16("Wedge0")?, r.u16("Wedge1")?, r.u16("Wedge2")?];
    Ok(Face { wedges, material: r.u16("MaterialIndex")? })
}

/// Reads a LodMesh behind its properties.
pub fn read_lod_mesh(r: &mut ObjectReader<'_>) -> Result<LodMesh, Fault> {
    let mesh = read_mesh(r)?;
    r.array("CollapsePointThus", "u16", 2, |r| r.u16("Point"))?;
    let face_levels = r.array("FaceLevel", "u16", 2, |r| r.u16("Level"))?;
    let faces = r.array("Faces", "MeshFace", 8, read_face)?;
    let collapse_wedges = r.array("CollapseWedgeThus", "u16", 2, |r| r.u16("Wedge"))?;
    let wedges = r.array("Wedges", "MeshWedge", 4, |r| {
        let vertex = r.u16("Vertex")?;
        let (u, v) = (r.u8("U")?, r.u8("V")?);
        Ok(Wedge { vertex, uv: [f32::from(u) / 255.0, f32::from(v) / 255.0] })
    })?;
    let materials = r.array("Materials", "MeshMaterial", 8, |r| {
        let poly_flags = r.flags("PolyFlags", POLY_FLAGS)?;
        Ok(LodMaterial { poly_flags, texture: r.i32("TextureIndex")? })
    })?;
    let special_faces = r.array("SpecialFaces", "MeshFace", 8, read_face)?;
    let model_verts = r.i32("ModelVerts")?;
    let special_verts = r.i32("SpecialVerts")?;
    r.f32("MeshScaleMax")?;
    r.f32("LODHysteresis")?;
    r.f32("LODStrength")?;
    let min_verts = r.i32("LODMinVerts")?;
    r.f32("LODMorph")?;
    r.f32("LODZDisplace")?;
    let remap_anim_verts = r.array("RemapAnimVerts", "u16", 2, |r| r.u16("Vertex"))?;
    let old_frame_verts = r.i32("OldFrameVerts")?;
    Ok(LodMesh {
        mesh,
        face_levels,
        faces,
        collapse_wedges,
        wedges,
        materials,
        special_faces,
        model_verts,
        special_verts,
        min_verts,
        remap_anim_verts,
        old_frame_verts,
    })
}
