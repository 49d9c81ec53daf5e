//! Parts of a model that are left out of its pictures: their triangles are taken from the list that is drawn.

use super::geometry::SurfaceRange;
use crate::scene::{HiddenParts, MaterialIndex, MeshIndex, Model};

/// All triangles of a model of which some are left out.
pub(super) struct WholeModel {
    pub indices: Vec<u32>,
    pub surfaces: Vec<SurfaceRange>,
    /// What is left out now.
    pub left_out: HiddenParts,
}

/// The triangles and lines that are drawn, and the range of each surface among them: as many surfaces, some of them empty.
pub(super) fn drawn(
    model: &Model,
    hidden: &HiddenParts,
    indices: &[u32],
    surfaces: &[SurfaceRange],
) -> (Vec<u32>, Vec<SurfaceRange>) {
    let mut first_vertices = Vec::with_capacity(model.meshes.len());
    let mut vertices = 0_u32;
    for mesh in &model.meshes {
        first_vertices.push(vertices);
        vertices += mesh.vertex_count() as u32;
    }
    let mut out = Vec::new();
    let ranges = surfaces.iter().map(|surface| {
        let first_index = out.len() as u32;
        let range = surface.first_index as usize..(surface.first_index + surface.index_count) as usize;
        let is_whole = !hidden.has_surface(MeshIndex(surface.mesh), MaterialIndex(surface.material));
        let corners = indices.get(range).filter(|_| is_whole).unwrap_or_default();
        let mesh = model.meshes.get(surface.mesh as usize).zip(first_vertices.get(surface.mesh as usize));
        match mesh.filter(|_| hidden.is_by_joint()) {
            Some((mesh, first)) if surface.is_lines => {
                for ends in corners.as_chunks::<2>().0 {
                    if !hidden.has_line(model, mesh, ends.map(|end| end - first)) {
                        out.extend(ends);
                    }
                }
            }
            Some((mesh, first)) => {
                for corners in corners.chunks_exact(3) {
                    let own = [corners[0] - first, corners[1] - first, corners[2] - first];
                    if !hidden.has_triangle(model, mesh, own) {
                        out.extend(corners);
                    }
                }
            }
            None => out.extend(corners),
        }
        SurfaceRange { first_index, index_count: out.len() as u32 - first_index, ..*surface }
    });
    let ranges = ranges.collect();
    (out, ranges)
}
