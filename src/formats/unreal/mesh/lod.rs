//! LodMesh, and its levels of detail (§8.3): as vertices go, wedges collapse into others and faces vanish.

use super::{
    super::object::{Fault, ObjectReader},
    layout::{Mesh, POLY_FLAGS, read_mesh},
};
use std::collections::HashMap;

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

/// Shares of the vertices that the levels keep.
const SHARES: [f32; 5] = [0.75, 0.5, 0.35, 0.2, 0.1];
/// Fewer vertices than this make no mesh.
const FEWEST: u16 = 4;

/// The faces that are left at a level: their number, and the wedges of their corners.
pub struct Level {
    pub vertex_count: u32,
    pub faces: Vec<(usize, [usize; 3])>,
}

/// Coarser and coarser levels, each with fewer triangles than the one before; none for a mesh that does not say how it
/// collapses.
pub fn levels(lod: &LodMesh, wedge_count: usize, vertex_of: impl Fn(usize) -> Option<usize>) -> Vec<Level> {
    if lod.collapse_wedges.len() < wedge_count || lod.face_levels.len() < lod.faces.len() {
        return Vec::new();
    }
    let all = u16::try_from(lod.model_verts).unwrap_or(0);
    let fewest = u16::try_from(lod.min_verts).unwrap_or(0).max(FEWEST);
    let mut out: Vec<Level> = Vec::new();
    let mut before = lod.faces.len();
    for share in SHARES {
        let keep = ((f32::from(all) * share) as u16).max(fewest);
        if keep >= all {
            continue;
        }
        let faces = faces_at(lod, keep, &vertex_of);
        if !faces.is_empty() && faces.len() < before {
            before = faces.len();
            out.push(Level { vertex_count: u32::from(keep), faces });
        }
    }
    out
}

fn faces_at(lod: &LodMesh, keep: u16, vertex_of: &impl Fn(usize) -> Option<usize>) -> Vec<(usize, [usize; 3])> {
    // What each wedge becomes; worked out once, whatever the chains look like.
    let mut becomes: HashMap<usize, Option<usize>> = HashMap::new();
    let mut collapsed = |wedge: u16| -> Option<usize> {
        let mut wedge = usize::from(wedge);
        let mut way = Vec::new();
        let end = loop {
            if let Some(known) = becomes.get(&wedge) {
                break *known;
            }
            // Until its end is known a wedge leads nowhere: so do circles.
            becomes.insert(wedge, None);
            way.push(wedge);
            match vertex_of(wedge) {
                None => break None,
                Some(vertex) if vertex < usize::from(keep) => break Some(wedge),
                Some(_) => match lod.collapse_wedges.get(wedge) {
                    Some(next) => wedge = usize::from(*next),
                    None => break None,
                },
            }
        };
        for passed in way {
            becomes.insert(passed, end);
        }
        end
    };
    let mut out = Vec::new();
    for (index, (face, level)) in lod.faces.iter().zip(&lod.face_levels).enumerate() {
        if *level > keep {
            continue;
        }
        let [Some(a), Some(b), Some(c)] = face.wedges.map(&mut collapsed) else { continue };
        let corners = [a, b, c].map(vertex_of);
        let [a_at, b_at, c_at] = corners;
        if a_at != b_at && b_at != c_at && a_at != c_at {
            out.push((index, [a, b, c]));
        }
    }
    out
}
