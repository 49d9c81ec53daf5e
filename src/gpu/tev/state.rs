//! Blending, depth and culling of the chip in the device's terms (formats/j3d-materials.md §8.6a).

use crate::scene::gx::{BlendMode, TevMaterial, ZMode};
use wgpu::{BlendComponent, BlendFactor as F, BlendOperation, BlendState, CompareFunction, Face};

/// What of a material's state lies beside its shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TevState {
    /// Without what the kind ignores.
    pub blend: BlendMode,
    pub z: ZMode,
    /// 0 none, 1 front, 2 back.
    pub cull: u8,
}

impl TevState {
    /// `None`: nothing of it is drawn. `mirrored`: triangles are turned around.
    pub fn of(material: &TevMaterial, mirrored: bool) -> Option<Self> {
        let cull = match (material.cull, mirrored) {
            (3, _) => return None,
            (1, true) => 2,
            (2, true) => 1,
            (cull, _) => cull,
        };
        let BlendMode { kind, source, destination, logic } = material.blend;
        let plain = BlendMode { kind, source: 0, destination: 0, logic: 0 };
        let blend = match kind {
            1 if (source, destination) == (1, 0) => BlendMode { kind: 0, ..plain },
            1 => BlendMode { source, destination, ..plain },
            2 => BlendMode { logic, ..plain },
            _ => plain,
        };
        let z = if material.z_mode.test { material.z_mode } else { ZMode { test: false, compare: 7, write: false } };
        Some(Self { blend, z, cull })
    }
}

/// The blending of a kind; `None` writes the colour as it is. The target's alpha follows the same factors.
///
/// `covers`: the picture's alpha tells how much of it is covered, so that of the common blending alpha adds up that way.
pub fn blend_of(blend: BlendMode, covers: bool) -> Option<BlendState> {
    let of = |src_factor, dst_factor, operation| BlendComponent { src_factor, dst_factor, operation };
    let both = |component| Some(BlendState { color: component, alpha: component });
    let add = |source, destination| both(of(source, destination, BlendOperation::Add));
    match blend.kind {
        1 if covers && (blend.source, blend.destination) == (4, 5) => Some(BlendState {
            color: of(F::SrcAlpha, F::OneMinusSrcAlpha, BlendOperation::Add),
            alpha: of(F::One, F::OneMinusSrcAlpha, BlendOperation::Add),
        }),
        1 => add(factor(blend.source, F::Dst), factor(blend.destination, F::Src)),
        // Exact where a channel is all ones or all zeros; between, what is nearest.
        2 => match blend.logic {
            1 => add(F::Dst, F::Zero),
            2 | 8 | 10 => add(F::OneMinusDst, F::Zero),
            4 => add(F::Zero, F::OneMinusSrc),
            5 => add(F::Zero, F::One),
            6 | 9 => add(F::OneMinusDst, F::OneMinusSrc),
            7 => add(F::One, F::One),
            13 => add(F::One, F::OneMinusSrc),
            _ => None,
        },
        3 => both(of(F::One, F::One, BlendOperation::ReverseSubtract)),
        _ => None,
    }
}

/// `color`: what codes 2 and 3 mean on this side.
fn factor(code: u8, color: F) -> F {
    match (code, color) {
        (0, _) => F::Zero,
        (1, _) => F::One,
        (2, color) => color,
        (3, F::Dst) => F::OneMinusDst,
        (3, _) => F::OneMinusSrc,
        (4, _) => F::SrcAlpha,
        (5, _) => F::OneMinusSrcAlpha,
        (6, _) => F::DstAlpha,
        _ => F::OneMinusDstAlpha,
    }
}

/// Comparison and writing for a depth of which 1 is near.
pub fn depth_of(z: ZMode) -> (CompareFunction, bool) {
    if !z.test {
        return (CompareFunction::Always, false);
    }
    let compare = match z.compare {
        0 => CompareFunction::Never,
        1 => CompareFunction::Greater,
        2 => CompareFunction::Equal,
        3 => CompareFunction::GreaterEqual,
        4 => CompareFunction::Less,
        5 => CompareFunction::NotEqual,
        6 => CompareFunction::LessEqual,
        _ => CompareFunction::Always,
    };
    (compare, z.write)
}

pub fn cull_of(code: u8) -> Option<Face> {
    match code {
        1 => Some(Face::Front),
        2 => Some(Face::Back),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_factors_mean_the_other_side() {
        let blend = |source, destination| {
            let state = blend_of(BlendMode { kind: 1, source, destination, logic: 0 }, false).unwrap();
            assert_eq!(state.color, state.alpha);
            (state.color.src_factor, state.color.dst_factor)
        };
        assert_eq!(blend(2, 2), (F::Dst, F::Src));
        assert_eq!(blend(3, 3), (F::OneMinusDst, F::OneMinusSrc));
        assert_eq!(blend(6, 7), (F::DstAlpha, F::OneMinusDstAlpha));
    }

    #[test]
    fn nothing_is_drawn_when_all_is_culled_and_mirrors_turn_sides() {
        let of = |cull, mirrored| TevState::of(&TevMaterial { cull, ..TevMaterial::default() }, mirrored);
        assert_eq!(of(3, false), None);
        assert_eq!(of(2, true).unwrap().cull, 1);
        assert_eq!(of(1, false).unwrap().cull, 1);
        assert_eq!(of(0, true).unwrap().cull, 0);
    }

    #[test]
    fn without_a_depth_test_nothing_is_written() {
        assert_eq!(depth_of(ZMode { test: false, compare: 0, write: true }), (CompareFunction::Always, false));
        assert_eq!(depth_of(ZMode { test: true, compare: 3, write: true }), (CompareFunction::GreaterEqual, true));
        assert_eq!(depth_of(ZMode { test: true, compare: 4, write: false }), (CompareFunction::Less, false));
    }
}
