//! Texture matrices by map mode, in two steps (formats/j3d-materials.md §8.2b): the first with the vertex's own matrix, the second
//! shared by the whole shape.

use super::{MapMode, MaterialState, TevMaterial, TextureMatrix, TextureSrt};
use glam::{Affine3A, Mat4};

/// What a texture coordinate's source goes through first, with `w` as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstMatrix {
    /// Leaves the source as it is.
    #[default]
    Identity,
    /// The linear part of `view_from_point`, the matrix of the vertex: no translation.
    Normal,
    /// `view_from_point`.
    ModelView,
}

/// How the source of a texture coordinate becomes the coordinate: `rows · (first · source, 1)`, where `first · source` has three
/// components and `source` four.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordTransform {
    /// First step, with the matrix of the vertex.
    pub first: FirstMatrix,
    /// A generator of two rows takes the first two and 1.
    pub rows: [[f32; 4]; 3],
}

impl CoordTransform {
    /// Leaves the source's first three components as they are.
    pub const IDENTITY: Self =
        Self { first: FirstMatrix::Identity, rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// That of a texture-matrix slot in this state; the identity for a slot without a matrix.
    pub fn of_slot(material: &TevMaterial, state: &MaterialState, slot: u8, view_from_world: &Affine3A) -> Self {
        let matrix = material.texture_matrices.get(usize::from(slot)).copied().flatten();
        let srt = state.texture_srt.get(usize::from(slot)).copied().flatten();
        let Some(srt) = srt.or(matrix.map(|m| m.srt())) else { return Self::IDENTITY };
        let matrix = matrix.unwrap_or_default();
        Self { first: first_matrix(matrix.map_mode), rows: post_matrix(&matrix, &srt, view_from_world) }
    }
}

/// What a texture generator's matrix code selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SelectedMatrix {
    /// No matrix.
    Identity,
    /// The vertex's own `view_from_point`.
    Position,
    /// A texture-matrix slot, 0 to 9.
    Slot(u8),
}

impl SelectedMatrix {
    /// From [`super::TexGen::matrix`], or a vertex's own slot (0xFF for none).
    pub fn of(code: u8, vertex_slot: u8) -> Self {
        match (vertex_slot, code) {
            (0..=9, _) => Self::Slot(vertex_slot),
            (_, 0..=29) => Self::Position,
            (_, 30..=59) => Self::Slot(code.saturating_sub(30) / 3),
            _ => Self::Identity,
        }
    }
}

/// The first step of a map mode.
pub fn first_matrix(map_mode: MapMode) -> FirstMatrix {
    match map_mode {
        MapMode::EnvironmentBasic
        | MapMode::EnvironmentEffectBasic
        | MapMode::EnvironmentOld
        | MapMode::Environment
        | MapMode::EnvironmentOldEffect
        | MapMode::EnvironmentEffect => FirstMatrix::Normal,
        MapMode::ProjectionBasic | MapMode::ViewProjectionBasic | MapMode::Projection | MapMode::ViewProjection => {
            FirstMatrix::ModelView
        }
        MapMode::None | MapMode::Effect | MapMode::Unknown(_) => FirstMatrix::Identity,
    }
}

/// The second step of a map mode: three rows over the result of the first and 1.
pub fn post_matrix(matrix: &TextureMatrix, srt: &TextureSrt, view_from_world: &Affine3A) -> [[f32; 4]; 3] {
    let effect = from_rows(matrix.effect);
    let world_from_view = || Mat4::from(view_from_world.inverse());
    let turned = || Mat4::from_mat3a(view_from_world.inverse().matrix3);
    let (old, new) = (|| srt_old(srt), || srt_new(srt));
    let product = match matrix.map_mode {
        MapMode::ProjectionBasic => old() * effect * world_from_view(),
        MapMode::ViewProjectionBasic | MapMode::Effect => old() * effect,
        MapMode::EnvironmentEffectBasic => old() * effect * turned(),
        MapMode::EnvironmentOld => old() * remap_old(),
        MapMode::Environment => new() * remap_new(),
        MapMode::Projection => new() * remap_new() * effect * world_from_view(),
        MapMode::ViewProjection => new() * remap_new() * effect,
        MapMode::EnvironmentOldEffect => old() * remap_old() * effect * turned(),
        MapMode::EnvironmentEffect => new() * remap_new() * effect * turned(),
        MapMode::None | MapMode::EnvironmentBasic | MapMode::Unknown(_) => old(),
    };
    [product.row(0).into(), product.row(1).into(), product.row(2).into()]
}

fn from_rows(rows: [[f32; 4]; 4]) -> Mat4 {
    Mat4::from_cols_array_2d(&rows).transpose()
}

/// Translation in the fourth column.
fn srt_old(&[a, b, s, c, d, t]: &TextureSrt) -> Mat4 {
    from_rows([[a, b, 0.0, s], [c, d, 0.0, t], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}

/// Translation in the third column.
fn srt_new(&[a, b, s, c, d, t]: &TextureSrt) -> Mat4 {
    from_rows([[a, b, s, 0.0], [c, d, t, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}

/// −1..1 to 0..1, with the half in the fourth column.
fn remap_old() -> Mat4 {
    from_rows([[0.5, 0.0, 0.0, 0.5], [0.0, -0.5, 0.0, 0.5], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}

/// −1..1 to 0..1, with the half in the third column: divided by the third row later.
fn remap_new() -> Mat4 {
    from_rows([[0.5, 0.0, 0.5, 0.0], [0.0, -0.5, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    /// s' = 2s + 3t + 5, t' = 7s + 11t + 13.
    const SRT: TextureSrt = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0];

    fn mode(map_mode: u8) -> TextureMatrix {
        let effect = [[1.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 1.0], [0.0, 0.0, 1.0, 4.0]];
        TextureMatrix { map_mode: map_mode.into(), effect, ..TextureMatrix::default() }
    }

    fn rows(map_mode: u8) -> [[f32; 4]; 3] {
        // The camera stands at (10, 0, 0) and looks along +X: what is to its right in the view is at +Z in the world.
        let world_from_view =
            Affine3A::from_rotation_translation(Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2), Vec3::X * 10.0);
        let rows = post_matrix(&mode(map_mode), &SRT, &world_from_view.inverse());
        rows.map(|row| row.map(|v| (v * 1000.0).round() / 1000.0 + 0.0))
    }

    #[test]
    fn modes_without_a_camera() {
        let old = [[2.0, 3.0, 0.0, 5.0], [7.0, 11.0, 0.0, 13.0], [0.0, 0.0, 1.0, 0.0]];
        for map_mode in [0, 1, 12, 63] {
            assert_eq!(rows(map_mode), old, "{map_mode}");
        }
        // SRTold · E: the fourth column (5, 13) meets E's fourth row (0, 0, 1, 4).
        let with_effect = [[2.0, 6.0, 5.0, 24.0], [7.0, 22.0, 13.0, 66.0], [0.0, 0.0, 3.0, 1.0]];
        assert_eq!((rows(3), rows(4)), (with_effect, with_effect));
        assert_eq!(rows(6), [[1.0, -1.5, 0.0, 7.5], [3.5, -5.5, 0.0, 22.0], [0.0, 0.0, 1.0, 0.0]]);
        assert_eq!(rows(7), [[1.0, -1.5, 7.5, 0.0], [3.5, -5.5, 22.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
        // SRTnew · Qnew · E.
        assert_eq!(rows(9), [[1.0, -3.0, 22.5, 9.5], [3.5, -11.0, 66.0, 29.0], [0.0, 0.0, 3.0, 1.0]]);
    }

    #[test]
    fn modes_with_a_camera() {
        // world = (−z + 10, y, x) of the view: columns are permuted, and the tenth is added to the fourth.
        let moved = |[x, y, z, w]: [f32; 4]| [z, y, -x, w + 10.0 * x];
        let turned = |[x, y, z, w]: [f32; 4]| [z, y, -x, w];
        assert_eq!(rows(2), rows(3).map(moved));
        assert_eq!(rows(8), rows(9).map(moved));
        assert_eq!(rows(5), rows(4).map(turned));
        assert_eq!(rows(11), rows(9).map(turned));
        // SRTold · Qold · E: the fourth column of SRTold · Qold is (7.5, 22) and meets E's fourth row.
        let old = [[1.0, -3.0, 7.5, 32.0], [3.5, -11.0, 22.0, 95.0], [0.0, 0.0, 3.0, 1.0]];
        assert_eq!(rows(10), old.map(turned));
    }

    #[test]
    fn first_steps() {
        use FirstMatrix::{Identity, ModelView, Normal};
        let expected = [
            Identity, Normal, ModelView, ModelView, Identity, Normal, Normal, Normal, ModelView, ModelView, Normal,
            Normal, Identity,
        ];
        for (map_mode, first) in (0u8..).zip(expected) {
            assert_eq!(first_matrix(map_mode.into()), first, "{map_mode}");
        }
    }

    #[test]
    fn what_a_generator_selects() {
        assert_eq!(SelectedMatrix::of(60, 0xFF), SelectedMatrix::Identity);
        assert_eq!(SelectedMatrix::of(30, 0xFF), SelectedMatrix::Slot(0));
        assert_eq!(SelectedMatrix::of(57, 0xFF), SelectedMatrix::Slot(9));
        assert_eq!(SelectedMatrix::of(3, 0xFF), SelectedMatrix::Position);
        assert_eq!(SelectedMatrix::of(60, 4), SelectedMatrix::Slot(4));
        assert_eq!(SelectedMatrix::of(255, 10), SelectedMatrix::Identity);
    }

    #[test]
    fn a_slot_moves_by_its_state() {
        let mut material = TevMaterial::default();
        material.texture_matrices[2] = Some(mode(1));
        let mut state = MaterialState::of(&material);
        let of = |state: &MaterialState, slot| CoordTransform::of_slot(&material, state, slot, &Affine3A::IDENTITY);
        assert_eq!(of(&state, 0), CoordTransform::IDENTITY);
        assert_eq!(of(&state, 2).first, FirstMatrix::Normal);
        state.texture_srt[0] = Some(SRT);
        assert_eq!(of(&state, 0).rows[0], [2.0, 3.0, 0.0, 5.0]);
        assert_eq!(of(&state, 9), CoordTransform::IDENTITY);
        assert_eq!(of(&state, 99), CoordTransform::IDENTITY);
    }
}
