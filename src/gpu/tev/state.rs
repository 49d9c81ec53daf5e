//! Blending, depth and culling of the chip in the device's terms (formats/j3d-materials.md §8.6a).

use crate::scene::gx::{BlendFactor, BlendKind, BlendMode, Compare, CullMode, LogicOp, TevMaterial, ZMode};
use wgpu::{BlendComponent, BlendFactor as F, BlendOperation, BlendState, CompareFunction, Face};

/// What of a material's state lies beside its shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TevState {
    /// Without what the kind ignores.
    pub blend: BlendMode,
    pub z: ZMode,
    /// Never [`CullMode::All`].
    pub cull: CullMode,
}

impl TevState {
    /// `None`: nothing of it is drawn. `mirrored`: triangles are turned around. Lines have no sides to cull.
    pub fn of(material: &TevMaterial, mirrored: bool, is_lines: bool) -> Option<Self> {
        let cull = match (material.cull, mirrored) {
            _ if is_lines => CullMode::None,
            (CullMode::All, _) => return None,
            (CullMode::Front, true) => CullMode::Back,
            (CullMode::Back, true) => CullMode::Front,
            (cull, _) => cull,
        };
        let BlendMode { kind, source, destination, logic } = material.blend;
        let plain =
            BlendMode { kind, source: BlendFactor::Zero, destination: BlendFactor::Zero, logic: LogicOp::Clear };
        let blend = match kind {
            BlendKind::Blend if (source, destination) == (BlendFactor::One, BlendFactor::Zero) => {
                BlendMode { kind: BlendKind::None, ..plain }
            }
            BlendKind::Blend => BlendMode { source, destination, ..plain },
            BlendKind::Logic => BlendMode { logic, ..plain },
            BlendKind::None | BlendKind::Subtract | BlendKind::Unknown(_) => plain,
        };
        let z = if material.z_mode.test {
            material.z_mode
        } else {
            ZMode { test: false, compare: Compare::Always, write: false }
        };
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
        BlendKind::Blend
            if covers
                && (blend.source, blend.destination) == (BlendFactor::SourceAlpha, BlendFactor::InverseSourceAlpha) =>
        {
            Some(BlendState {
                color: of(F::SrcAlpha, F::OneMinusSrcAlpha, BlendOperation::Add),
                alpha: of(F::One, F::OneMinusSrcAlpha, BlendOperation::Add),
            })
        }
        BlendKind::Blend => add(factor(blend.source, F::Dst), factor(blend.destination, F::Src)),
        // Exact where a channel is all ones or all zeros; between, what is nearest.
        BlendKind::Logic => match blend.logic {
            LogicOp::And => add(F::Dst, F::Zero),
            LogicOp::ReverseAnd | LogicOp::Nor | LogicOp::Inverse => add(F::OneMinusDst, F::Zero),
            LogicOp::InverseAnd => add(F::Zero, F::OneMinusSrc),
            LogicOp::Noop => add(F::Zero, F::One),
            LogicOp::Xor | LogicOp::Equivalent => add(F::OneMinusDst, F::OneMinusSrc),
            LogicOp::Or => add(F::One, F::One),
            LogicOp::InverseOr => add(F::One, F::OneMinusSrc),
            _ => None,
        },
        BlendKind::Subtract => both(of(F::One, F::One, BlendOperation::ReverseSubtract)),
        BlendKind::None | BlendKind::Unknown(_) => None,
    }
}

/// `color`: what the other side's colour means on this side.
fn factor(factor: BlendFactor, color: F) -> F {
    match (factor, color) {
        (BlendFactor::Zero, _) => F::Zero,
        (BlendFactor::One, _) => F::One,
        (BlendFactor::OtherColor, color) => color,
        (BlendFactor::InverseOtherColor, F::Dst) => F::OneMinusDst,
        (BlendFactor::InverseOtherColor, _) => F::OneMinusSrc,
        (BlendFactor::SourceAlpha, _) => F::SrcAlpha,
        (BlendFactor::InverseSourceAlpha, _) => F::OneMinusSrcAlpha,
        (BlendFactor::DestinationAlpha, _) => F::DstAlpha,
        (BlendFactor::InverseDestinationAlpha | BlendFactor::Unknown(_), _) => F::OneMinusDstAlpha,
    }
}

/// Comparison and writing for a depth of which 1 is near.
pub fn depth_of(z: ZMode) -> (CompareFunction, bool) {
    if !z.test {
        return (CompareFunction::Always, false);
    }
    let compare = match z.compare {
        Compare::Never => CompareFunction::Never,
        Compare::Less => CompareFunction::Greater,
        Compare::Equal => CompareFunction::Equal,
        Compare::LessOrEqual => CompareFunction::GreaterEqual,
        Compare::Greater => CompareFunction::Less,
        Compare::NotEqual => CompareFunction::NotEqual,
        Compare::GreaterOrEqual => CompareFunction::LessEqual,
        Compare::Always | Compare::Unknown(_) => CompareFunction::Always,
    };
    (compare, z.write)
}

pub fn cull_of(mode: CullMode) -> Option<Face> {
    match mode {
        CullMode::Front => Some(Face::Front),
        CullMode::Back => Some(Face::Back),
        CullMode::None | CullMode::All | CullMode::Unknown(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_factors_mean_the_other_side() {
        let blend = |source: u8, destination: u8| {
            let (source, destination) = (source.into(), destination.into());
            let mode = BlendMode { kind: BlendKind::Blend, source, destination, logic: LogicOp::Clear };
            let state = blend_of(mode, false).unwrap();
            assert_eq!(state.color, state.alpha);
            (state.color.src_factor, state.color.dst_factor)
        };
        assert_eq!(blend(2, 2), (F::Dst, F::Src));
        assert_eq!(blend(3, 3), (F::OneMinusDst, F::OneMinusSrc));
        assert_eq!(blend(6, 7), (F::DstAlpha, F::OneMinusDstAlpha));
    }

    #[test]
    fn nothing_is_drawn_when_all_is_culled_and_mirrors_turn_sides() {
        let of = |cull, mirrored| TevState::of(&TevMaterial { cull, ..TevMaterial::default() }, mirrored, false);
        assert_eq!(of(CullMode::All, false), None);
        assert_eq!(of(CullMode::Back, true).unwrap().cull, CullMode::Front);
        assert_eq!(of(CullMode::Front, false).unwrap().cull, CullMode::Front);
        assert_eq!(of(CullMode::None, true).unwrap().cull, CullMode::None);
    }

    #[test]
    fn without_a_depth_test_nothing_is_written() {
        assert_eq!(
            depth_of(ZMode { test: false, compare: Compare::Never, write: true }),
            (CompareFunction::Always, false)
        );
        assert_eq!(
            depth_of(ZMode { test: true, compare: Compare::LessOrEqual, write: true }),
            (CompareFunction::GreaterEqual, true)
        );
        assert_eq!(
            depth_of(ZMode { test: true, compare: Compare::Greater, write: false }),
            (CompareFunction::Less, false)
        );
    }
}
