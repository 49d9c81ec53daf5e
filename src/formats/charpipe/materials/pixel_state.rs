//! Sluggers' pixel state: what becomes of a pixel behind the combiner (formats/charpipe.md §4.1, display state 6).

use crate::scene::gx::{
    AlphaCompare, BlendFactor, BlendKind, BlendMode, Compare, CullMode, LogicOp, TevMaterial, ZMode,
};

/// The state of what no display state says: blended, with depth, clear pixels left out.
pub const USUAL: u32 = 0x374;

/// Bits.
const DOUBLE_SIDED: u32 = 1;
const DEPTH_TEST: u32 = 1 << 6;
const ALWAYS_NEARER: u32 = 1 << 7;
const DEPTH_WRITE: u32 = 1 << 8;
const DEPTH_FIRST: u32 = 1 << 9;
const HALF_ALPHA: u32 = 1 << 10;

/// Sets what the bits say. Bit 1 (fog) has no fog to go with it in the file; bit 5 (alpha is written) is not seen.
pub fn apply(bits: u32, material: &mut TevMaterial) {
    let is_on = |bit: u32| bits & bit != 0;
    material.cull = if is_on(DOUBLE_SIDED) { CullMode::None } else { CullMode::Back };
    material.blend = blend(bits >> 2 & 3);
    let compare = if is_on(ALWAYS_NEARER) { Compare::Always } else { Compare::LessOrEqual };
    material.z_mode = ZMode { test: is_on(DEPTH_TEST), compare, write: is_on(DEPTH_WRITE) };
    material.z_before_texture = is_on(DEPTH_FIRST);
    let (compare0, reference0) = if is_on(HALF_ALPHA) { (Compare::GreaterOrEqual, 128) } else { (Compare::Greater, 0) };
    material.alpha_compare = AlphaCompare { compare0, reference0, ..AlphaCompare::default() };
}

fn blend(code: u32) -> BlendMode {
    let (kind, source, destination) = match code {
        0 => (BlendKind::None, BlendFactor::One, BlendFactor::Zero),
        1 => (BlendKind::Blend, BlendFactor::SourceAlpha, BlendFactor::InverseSourceAlpha),
        2 => (BlendKind::Blend, BlendFactor::SourceAlpha, BlendFactor::One),
        _ => (BlendKind::Subtract, BlendFactor::One, BlendFactor::One),
    };
    BlendMode { kind, source, destination, logic: LogicOp::Clear }
}
