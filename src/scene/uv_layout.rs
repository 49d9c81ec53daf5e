//! The triangles of a model as they lie in its texture.

use super::{MaterialIndex, MeshIndex, Model, ModelPart, Surface};
use glam::Vec2;
use std::collections::HashSet;

/// Unwrapped triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvLayout {
    /// Edges between two places in the texture, each once.
    pub edges: Vec<[Vec2; 2]>,
    /// Number of triangles with finite texture coordinates, including triangles whose edges were left out.
    pub triangles: usize,
    /// There are more edges than were taken.
    pub is_cut: bool,
}

/// Most edges that are taken.
const MAX_EDGES: usize = 300_000;

impl UvLayout {
    /// The triangles of a part at a level of detail, in a set of texture coordinates; in the first where a mesh has none such.
    pub fn of(model: &Model, part: ModelPart, set: u32, level: u32) -> Self {
        let mut out = Self::default();
        let mut seen: HashSet<[[u32; 2]; 2]> = HashSet::new();
        for (index, mesh) in (0..).map(MeshIndex).zip(&model.meshes) {
            let own = mesh.uv_sets.get(set as usize).filter(|set| !set.is_empty());
            let Some(uvs) = own.or(mesh.uv_sets.first()) else { continue };
            let (indices, surfaces) = mesh.drawn_at(level);
            let whole = [Surface { first_index: 0, index_count: u32::MAX, material: u32::MAX }];
            let surfaces = if surfaces.is_empty() { whole.as_slice() } else { surfaces };
            for surface in surfaces.iter().filter(|s| part.has(index, MaterialIndex(s.material))) {
                let first = surface.first_index as usize;
                let last = first.saturating_add(surface.index_count as usize).min(indices.len());
                for corners in indices.get(first..last).unwrap_or_default().chunks_exact(3) {
                    let [a, b, c] = corners else { continue };
                    let at = |vertex: &u32| uvs.get(*vertex as usize).copied().filter(|uv| uv.is_finite());
                    let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) else { continue };
                    out.triangles = out.triangles.saturating_add(1);
                    for (from, to) in [(a, b), (b, c), (c, a)] {
                        let bits = |uv: Vec2| uv.to_array().map(f32::to_bits);
                        let mut ends = [bits(from), bits(to)];
                        ends.sort_unstable();
                        if out.edges.len() >= MAX_EDGES {
                            out.is_cut = true;
                        } else if seen.insert(ends) {
                            out.edges.push([from, to]);
                        }
                    }
                }
            }
        }
        out
    }

    /// The square of the texture, and what lies beside it: at most so many repeats on each side.
    pub fn extent(&self, repeats: f32) -> (Vec2, Vec2) {
        let ends = self.edges.iter().flatten();
        let (low, high) = ends.fold((Vec2::ZERO, Vec2::ONE), |(low, high), uv| (low.min(*uv), high.max(*uv)));
        (low.max(Vec2::splat(-repeats)), high.min(Vec2::splat(1.0 + repeats)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Mesh;

    /// A square of two triangles with a material each, over the whole texture; the second set is shifted.
    fn model() -> Model {
        let surface = |first_index, material| Surface { first_index, index_count: 3, material };
        let uvs = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let shifted = uvs.iter().map(|uv| *uv + 2.0).collect();
        let mesh = Mesh {
            vertex_points: vec![0, 1, 2, 3],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![surface(0, 0), surface(3, 1)],
            uv_sets: vec![uvs, shifted],
            ..Mesh::default()
        };
        Model { meshes: vec![mesh], ..Model::empty("square") }
    }

    #[test]
    fn edges_that_triangles_share_come_once() {
        let all = UvLayout::of(&model(), ModelPart::default(), 0, 0);
        assert_eq!((all.triangles, all.edges.len(), all.is_cut), (2, 5, false));
        assert_eq!(all.extent(4.0), (Vec2::ZERO, Vec2::ONE));
        let part = ModelPart { material: Some(MaterialIndex(1)), ..ModelPart::default() };
        let own = UvLayout::of(&model(), part, 0, 0);
        assert_eq!((own.triangles, own.edges[0]), (1, [Vec2::ZERO, Vec2::ONE]));
    }

    #[test]
    fn what_lies_beside_the_texture_is_in_the_extent() {
        let second = UvLayout::of(&model(), ModelPart::default(), 1, 0);
        assert_eq!(second.extent(4.0), (Vec2::ZERO, Vec2::splat(3.0)));
        assert_eq!(second.extent(1.0), (Vec2::ZERO, Vec2::splat(2.0)));
        // A set that is not there is the first.
        assert_eq!(UvLayout::of(&model(), ModelPart::default(), 7, 3).edges.len(), 5);
    }

    #[test]
    fn coordinates_that_are_none_are_left_out() {
        let mut broken = model();
        broken.meshes[0].uv_sets[0][1].x = f32::NAN;
        broken.meshes[0].indices[5] = 99;
        assert_eq!(UvLayout::of(&broken, ModelPart::default(), 0, 0), UvLayout::default());
        broken.meshes[0].uv_sets.clear();
        assert_eq!(UvLayout::of(&broken, ModelPart::default(), 0, 0).triangles, 0);
    }
}
