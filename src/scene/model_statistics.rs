//! Counts of a model, or of a piece of it.

use super::{HiddenParts, MaterialIndex, MaterialKind, MeshIndex, Model, ModelPiece, Surface};
use std::collections::BTreeSet;

/// How much there is of a model, or of a piece of it, at one level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelStatistics {
    /// Surfaces: each of a mesh with a material.
    pub parts: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of lines.
    pub lines: usize,
    /// That triangles and lines use.
    pub vertices: usize,
    /// Points that those vertices share.
    pub points: usize,
    /// Number of materials that the counted surfaces use, each once.
    pub materials: usize,
    /// That the materials use.
    pub textures: usize,
    /// Number of joints: all for the whole model, or those that move the counted piece.
    pub joints: usize,
    /// Maximum number of influences of one point.
    pub max_influences: usize,
    /// Total number of influences over all points.
    pub influences: usize,
    /// Points that something moves.
    pub moved_points: usize,
}

impl ModelStatistics {
    /// Influences of a point that has any, on average; 0 where none has.
    pub fn mean_influences(&self) -> f32 {
        if self.moved_points == 0 { 0.0 } else { self.influences as f32 / self.moved_points as f32 }
    }

    /// Counts all of a model, or a piece of it.
    pub fn of(model: &Model, piece: Option<ModelPiece>, level: u32) -> Self {
        let mut out = Self::default();
        let (part, others) = match piece {
            None => (None, None),
            Some(ModelPiece::Surfaces(part)) => (Some(part), None),
            Some(joint @ ModelPiece::Joint(_)) => match HiddenParts::all_but(model, joint) {
                Some(others) => (None, Some(others)),
                None => return out,
            },
        };
        let mut materials: BTreeSet<u32> = BTreeSet::new();
        let mut moving: BTreeSet<u32> = BTreeSet::new();
        for (index, mesh) in (0..).map(MeshIndex).zip(&model.meshes) {
            let (indices, surfaces) = mesh.drawn_at(level);
            let whole = [Surface { first_index: 0, index_count: u32::MAX, material: u32::MAX }];
            let surfaces = if surfaces.is_empty() { whole.as_slice() } else { surfaces };
            let mut used = vec![false; mesh.vertex_count()];
            for surface in surfaces {
                if part.is_some_and(|part| !part.has(index, MaterialIndex(surface.material))) {
                    continue;
                }
                let first = surface.first_index as usize;
                let last = first.saturating_add(surface.index_count as usize).min(indices.len());
                let mut own = 0_usize;
                for corners in indices.get(first..last).unwrap_or_default().chunks_exact(3) {
                    let [a, b, c] = corners else { continue };
                    if others.as_ref().is_some_and(|others| others.has_triangle(model, mesh, [*a, *b, *c])) {
                        continue;
                    }
                    own = own.saturating_add(1);
                    for corner in corners {
                        if let Some(used) = used.get_mut(*corner as usize) {
                            *used = true;
                        }
                    }
                }
                if own > 0 {
                    out.parts = out.parts.saturating_add(1);
                    out.triangles = out.triangles.saturating_add(own);
                    if (surface.material as usize) < model.materials.len() {
                        materials.insert(surface.material);
                    }
                }
            }
            for surface in &mesh.line_surfaces {
                if part.is_some_and(|part| !part.has(index, MaterialIndex(surface.material))) {
                    continue;
                }
                let is_counted =
                    |ends: &&[u32; 2]| others.as_ref().is_none_or(|others| !others.has_line(model, mesh, **ends));
                let before = out.lines;
                for ends in mesh.lines_of(surface).iter().filter(is_counted) {
                    out.lines = out.lines.saturating_add(1);
                    for end in ends {
                        if let Some(used) = used.get_mut(*end as usize) {
                            *used = true;
                        }
                    }
                }
                if out.lines > before {
                    let is_like = |other: &Surface| other.material == surface.material;
                    // Triangles and lines of one material are one part.
                    out.parts = out.parts.saturating_add(usize::from(!surfaces.iter().any(is_like)));
                    if (surface.material as usize) < model.materials.len() {
                        materials.insert(surface.material);
                    }
                }
            }
            let mut points = vec![false; mesh.points.len()];
            for (_, point) in used.iter().zip(&mesh.vertex_points).filter(|(used, _)| **used) {
                out.vertices = out.vertices.saturating_add(1);
                if let Some(point) = points.get_mut(*point as usize) {
                    *point = true;
                }
            }
            for (point, _) in points.iter().enumerate().filter(|(_, used)| **used) {
                out.points = out.points.saturating_add(1);
                let influences = mesh.joints_of_point(model, point);
                out.moved_points = out.moved_points.saturating_add(usize::from(!influences.is_empty()));
                out.influences = out.influences.saturating_add(influences.len());
                out.max_influences = out.max_influences.max(influences.len());
                moving.extend(influences.iter().map(|(joint, _)| joint.0));
            }
        }
        out.materials = materials.len();
        out.joints = match piece {
            None => model.joint_count(),
            Some(_) => moving.len(),
        };
        out.textures = textures_of(model, &materials);
        out
    }
}

/// Textures that materials use, each once.
fn textures_of(model: &Model, materials: &BTreeSet<u32>) -> usize {
    let mut used: BTreeSet<u32> = BTreeSet::new();
    for material in materials.iter().filter_map(|index| model.materials.get(*index as usize)) {
        match &material.kind {
            MaterialKind::Basic(basic) => used.extend(basic.image.into_iter().chain(basic.lightmap)),
            MaterialKind::Tev(tev) => used.extend(tev.textures.into_iter().flatten()),
        }
    }
    used.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        BasicMaterial, Image, Influence, Joint, JointIndex, Material, Mesh, MeshLevel, ModelPart, Run, Skeleton, Skin,
    };
    use glam::Vec3;
    use std::sync::Arc;

    /// A square of two triangles with a material each; its left points follow joint 0, its right ones both joints. A coarser
    /// level has one triangle.
    fn model() -> Model {
        let run = |first, count| Run { first, count };
        let influence = |joint, weight| Influence { joint, weight };
        let surface = |first_index, material| Surface { first_index, index_count: 3, material };
        let mesh = Mesh {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y, Vec3::Z],
            // The first point has two vertices.
            vertex_points: vec![0, 1, 2, 0, 2, 3],
            indices: vec![0, 1, 2, 3, 4, 5],
            surfaces: vec![surface(0, 0), surface(3, 1)],
            skin: Some(Skin {
                runs: vec![run(0, 1), run(1, 2), run(1, 2), run(0, 1), run(0, 1)],
                influences: vec![influence(0, 1.0), influence(0, 0.2), influence(1, 0.8)],
                sources: Vec::new(),
            }),
            levels: vec![MeshLevel { point_count: 3, indices: vec![0, 1, 2], surfaces: vec![surface(0, 0)] }],
            ..Mesh::default()
        };
        let image = |name: &str| {
            Arc::new(Image {
                name: name.into(),
                width: 1,
                height: 1,
                rgba: vec![0; 4].into(),
                stored_as: "test".into(),
            })
        };
        let kind = |image| MaterialKind::Basic(BasicMaterial { image, ..BasicMaterial::default() });
        let material = |image| Material { name: String::new(), kind: kind(image) };
        Model {
            meshes: vec![mesh],
            images: vec![image("a"), image("b")],
            materials: vec![material(Some(1)), material(Some(1)), material(Some(0))],
            skeleton: Some(Skeleton::new(vec![Joint::default(); 3], vec![])),
            ..Model::empty("square")
        }
    }

    #[test]
    fn all_of_a_model_is_counted() {
        let all = ModelStatistics::of(&model(), None, 0);
        assert_eq!((all.parts, all.triangles, all.vertices, all.points), (2, 2, 6, 4));
        // The third material is on nothing, and both others have the same texture.
        assert_eq!((all.materials, all.textures, all.joints), (2, 1, 3));
        assert_eq!((all.max_influences, all.influences, all.mean_influences()), (2, 6, 1.5));
        let coarse = ModelStatistics::of(&model(), None, 1);
        assert_eq!((coarse.parts, coarse.triangles, coarse.vertices, coarse.materials), (1, 1, 3, 1));
        assert_eq!(ModelStatistics::of(&Model::empty("nothing"), None, 3), ModelStatistics::default());
    }

    #[test]
    fn a_piece_is_counted_by_itself() {
        let part = ModelPart { material: Some(MaterialIndex(1)), ..ModelPart::default() };
        let own = ModelStatistics::of(&model(), Some(ModelPiece::Surfaces(part)), 0);
        assert_eq!((own.parts, own.triangles, own.vertices, own.points), (1, 1, 3, 3));
        assert_eq!((own.max_influences, own.influences, own.joints), (2, 4, 2));
        // Most of the first triangle moves with joint 1.
        let joint = |joint| ModelStatistics::of(&model(), Some(ModelPiece::Joint(JointIndex(joint))), 0);
        assert_eq!((joint(1).triangles, joint(0).triangles, joint(2).triangles), (1, 1, 0));
        assert_eq!(joint(9), ModelStatistics::default());
    }
}
