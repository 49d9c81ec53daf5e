use super::{FixedSkin, VertexFrames};
use glam::{Affine3A, Mat3A, Vec2, Vec3, Vec3A};
use std::sync::Arc;

/// A triangle mesh in two levels: *points* that are moved (skinned, morphed), and *vertices* that are drawn, each of which
/// names its point.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name of the mesh; can be empty.
    pub name: String,
    /// Bind-pose positions, one for each point of the file, used or not. With [`super::Skeleton::draw_matrices`]: positions in the
    /// space that the point's draw matrix starts from (the joint's, or the model's bind pose); normals likewise.
    pub points: Vec<Vec3>,
    /// One unit normal a point, in bind pose; a point with several (a hard edge) has their mean. As many as points, or none.
    pub point_normals: Vec<Vec3>,
    /// Joints and weights of the points; `None` if the points are not skinned.
    pub skin: Option<Skin>,
    /// The skin as the game's processor computed it, in whole numbers; `skin` says the same.
    pub fixed_skin: Option<Arc<FixedSkin>>,
    /// Shapes that can be added to the points; empty for a mesh without morphs.
    pub morphs: Vec<Morph>,
    /// Positions of the points at whole frames, which take the place of `points` while a clip of them plays. As many points
    /// each as there are in `points`, which hold the first frame.
    pub vertex_frames: Option<VertexFrames>,
    /// The point of each vertex: its length is the number of vertices.
    pub vertex_points: Vec<u32>,
    /// The file's own index of each vertex (PSK: its wedge); several vertices share one where a hard edge splits it.
    pub vertex_sources: Vec<u32>,
    /// Unit normals of the vertices, in bind pose.
    pub normals: Vec<Vec3>,
    /// Texture coordinate sets, each as long as the vertices, or empty for one that the file leaves out before another; V = 0 is the image's top row.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// One RGBA colour a vertex, or none.
    pub colors: Vec<[u8; 4]>,
    /// A second colour a vertex, or none ([`super::gx::TevMaterial`]).
    pub second_colors: Vec<[u8; 4]>,
    /// Binormal and tangent of each vertex as the file has them, or none.
    pub tangents: Vec<[Vec3; 2]>,
    /// For each vertex and texture coordinate the texture matrix it takes instead of the material's: its slot, or 0xFF for the
    /// material's own. One a vertex, or none.
    pub texture_matrix_slots: Vec<[u8; 8]>,
    /// It turns towards the camera.
    pub billboard: Billboard,
    /// Triangles, three vertices each, counter-clockwise from outside; grouped by surface.
    pub indices: Vec<u32>,
    /// Runs of `indices` with one material each.
    pub surfaces: Vec<Surface>,
    /// What each triangle was made from: into [`super::Map::surfaces`] for the models of a level, otherwise the file's own
    /// number. One a triangle, or none.
    pub triangle_sources: Vec<u32>,
    /// The zone of its level that each vertex lies in; one a vertex, or none.
    pub vertex_zones: Vec<u8>,
    /// Lines between two vertices each. Lines of no line surface are outlines of brushes, in the vertices' colours.
    pub lines: Vec<[u32; 2]>,
    /// Runs of `lines` with one material each: indices into the ends of the lines, two a line.
    pub line_surfaces: Vec<Surface>,
    /// The same mesh with fewer and fewer triangles, the finest first; `indices` themselves are no part of the list.
    pub levels: Vec<MeshLevel>,
}

/// How a mesh turns towards the camera: its skinning matrices are changed in view space (formats/j3d.md §6.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Billboard {
    /// Does not turn towards the camera.
    #[default]
    None,
    /// Faces the camera; scale and place stay.
    Full,
    /// Turns about its own Y axis.
    UprightY,
}

/// Triangles of a mesh that is seen from farther away, over the same vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshLevel {
    /// Points that its triangles use.
    pub point_count: u32,
    /// As [`Mesh::indices`].
    pub indices: Vec<u32>,
    /// As [`Mesh::surfaces`], into these indices.
    pub surfaces: Vec<Surface>,
}

/// A run of triangles, or of lines, with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Into [`Mesh::indices`], or for [`Mesh::line_surfaces`] into the ends of [`Mesh::lines`].
    pub first_index: u32,
    /// Number of indices from `first_index`: three a triangle, or two a line.
    pub index_count: u32,
    /// Into [`super::Model::materials`].
    pub material: u32,
}

/// Which joints move each point, and how much.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// One run for each point.
    pub runs: Vec<Run>,
    /// All influences; a run's weights sum to one.
    pub influences: Vec<Influence>,
    /// What each influence moves in place of the mesh's point: one an influence, or none. Such a skin adds up
    /// `weight × matrix × source`, positions and normals alike, and normals by the matrix itself, not its inverse transpose
    /// (formats/charpipe.md §6). Morphs are added to every source of a point.
    pub sources: Vec<InfluenceSource>,
}

/// A range of [`Skin::influences`], of any length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Index of the first influence.
    pub first: u32,
    /// Number of influences; 0 for a point that no joint moves.
    pub count: u32,
}

/// A point and its normal in bind pose, as one influence has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InfluenceSource {
    /// Position in the space that the influence's matrix starts from.
    pub position: Vec3,
    /// As stored, not necessarily of unit length.
    pub normal: Vec3,
}

/// A joint that moves a point, with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Into [`super::Skeleton::joints`], or into [`super::Skeleton::draw_matrices`] where the skeleton has any.
    pub joint: u32,
    /// Share of the joint; the weights of a run sum to one.
    pub weight: f32,
}

/// A shape that can be added with a weight.
#[derive(Clone, Debug)]
pub struct Morph {
    /// Name of the morph; morphs with the same name in several meshes share one weight.
    pub name: String,
    /// Changes to the points; a point without a delta stays where it is.
    pub deltas: Vec<MorphDelta>,
}

/// What a morph of weight one adds to a point before skinning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphDelta {
    /// Index into [`Mesh::points`].
    pub point: u32,
    /// Offset that is added to the point's position.
    pub position: Vec3,
    /// Offset that is added to the point's normal.
    pub normal: Vec3,
}

impl Skin {
    /// Whether its influences move sources of their own.
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty() && self.sources.len() == self.influences.len()
    }

    /// The influences of a point.
    pub fn influences_of(&self, point: usize) -> &[Influence] {
        self.runs
            .get(point)
            .and_then(|run| {
                let first = run.first as usize;
                self.influences.get(first..first.checked_add(run.count as usize)?)
            })
            .unwrap_or_default()
    }
}

impl InfluenceSource {
    /// The source half way to another.
    pub fn midpoint(&self, other: &Self) -> Self {
        Self { position: self.position.midpoint(other.position), normal: self.normal.midpoint(other.normal) }
    }
}

impl Skin {
    /// The sources of a point's influences, where they have any.
    pub fn sources_of(&self, point: usize) -> &[InfluenceSource] {
        let run = self.runs.get(point).filter(|_| self.has_sources());
        run.and_then(|run| {
            let first = run.first as usize;
            self.sources.get(first..first.checked_add(run.count as usize)?)
        })
        .unwrap_or_default()
    }
}

impl Mesh {
    /// Number of triangles at full detail.
    pub fn triangle_count(&self) -> usize {
        self.indices.len() / 3
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_points.len()
    }

    /// Adds lines and a surface of them.
    pub fn add_lines(&mut self, lines: &[[u32; 2]], material: u32) {
        let count = |lines: &[[u32; 2]]| u32::try_from(lines.as_flattened().len()).unwrap_or(u32::MAX);
        if !lines.is_empty() {
            let (first_index, index_count) = (count(&self.lines), count(lines));
            self.lines.extend_from_slice(lines);
            self.line_surfaces.push(Surface { first_index, index_count, material });
        }
    }

    /// The lines of a line surface that the mesh has.
    pub fn lines_of(&self, surface: &Surface) -> &[[u32; 2]] {
        let first = (surface.first_index / 2) as usize;
        let last = first.saturating_add((surface.index_count / 2) as usize).min(self.lines.len());
        self.lines.get(first..last).unwrap_or_default()
    }

    /// Whether each point is in a triangle or a line.
    pub fn drawn_points(&self) -> Vec<bool> {
        let mut drawn = vec![false; self.points.len()];
        let vertices = self.indices.iter().chain(self.lines.as_flattened());
        for point in vertices.filter_map(|vertex| self.vertex_points.get(*vertex as usize)) {
            if let Some(drawn) = drawn.get_mut(*point as usize) {
                *drawn = true;
            }
        }
        drawn
    }

    /// Points that say how large the mesh is: all of them, but where lists write slots only those that are drawn, since between
    /// lists lie slots with anything in them.
    pub fn counted_points(&self) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        let drawn = self.fixed_skin.as_ref().map(|_| self.drawn_points());
        let points = self.points.iter().copied().enumerate();
        points.filter(move |(index, _)| drawn.as_ref().is_none_or(|drawn| drawn.get(*index) == Some(&true)))
    }

    /// The corners of a surface's triangles, as far as they are there.
    pub fn corners_of(&self, surface: &Surface) -> &[u32] {
        let first = surface.first_index as usize;
        let last = first.saturating_add(surface.index_count as usize).min(self.indices.len());
        self.indices.get(first..last).unwrap_or_default()
    }

    /// Bind-pose position of a vertex.
    pub fn position(&self, vertex: usize) -> Vec3 {
        self.vertex_points.get(vertex).and_then(|p| self.points.get(*p as usize)).copied().unwrap_or_default()
    }
}

impl Billboard {
    /// A matrix that keeps its place and its sizes and faces the camera (formats/j3d.md §6.7).
    pub fn turned(self, matrix: Affine3A, view_from_model: &Affine3A) -> Affine3A {
        let seen = *view_from_model * matrix;
        let [x, y, z] = [seen.matrix3.x_axis, seen.matrix3.y_axis, seen.matrix3.z_axis].map(Vec3A::length);
        let up = match self {
            Self::None => return matrix,
            Self::Full => Vec3A::Y,
            Self::UprightY => seen.matrix3.y_axis.normalize_or(Vec3A::Y),
        };
        let ahead = Vec3A::X.cross(up).normalize_or(Vec3A::Z);
        let matrix3 = Mat3A::from_cols(Vec3A::X * x, up * y, ahead * z);
        view_from_model.inverse() * Affine3A { matrix3, translation: seen.translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn a_billboard_keeps_place_and_size_and_faces_the_camera() {
        let view = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(1.0, 2.0, -9.0));
        let matrix = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 3.0),
            Quat::from_rotation_x(0.4),
            Vec3::new(5.0, 6.0, 7.0),
        );
        let seen = view * Billboard::Full.turned(matrix, &view);
        let expected = Mat3A::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
        assert!(seen.matrix3.abs_diff_eq(expected, 1e-5), "{seen:?}");
        assert!(seen.translation.abs_diff_eq((view * matrix).translation, 1e-4));
    }

    #[test]
    fn an_upright_one_turns_about_its_own_axis() {
        let view = Affine3A::from_translation(Vec3::new(0.0, 0.0, -9.0));
        let matrix = Affine3A::from_rotation_y(1.2) * Affine3A::from_rotation_z(0.3);
        let seen = view * Billboard::UprightY.turned(matrix, &view);
        let own = (view * matrix).matrix3.y_axis;
        assert!(seen.matrix3.y_axis.abs_diff_eq(own, 1e-5));
        assert!(seen.matrix3.x_axis.abs_diff_eq(Vec3A::X, 1e-5));
        assert!(seen.matrix3.z_axis.dot(own).abs() < 1e-5);
    }
}
