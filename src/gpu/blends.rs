//! How what is drawn combines with what is there.

use crate::scene::Blend;

/// The formulas of [`Blend`], for colours that are premultiplied in the target.
pub(super) fn blend_of(blend: Blend) -> Option<wgpu::BlendState> {
    use wgpu::{BlendComponent, BlendFactor as F, BlendOperation, BlendState};
    let add = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    match blend {
        Blend::Opaque | Blend::Masked => None,
        Blend::Alpha => Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        Blend::Translucent => {
            Some(BlendState { color: add(F::One, F::OneMinusSrc), alpha: add(F::One, F::OneMinusSrcAlpha) })
        }
        Blend::Modulated => Some(BlendState { color: add(F::Dst, F::Src), alpha: add(F::Zero, F::One) }),
    }
}

/// Multiplies the picture by the pass' constant and adds to it, as far as it covers anything.
pub(super) fn seen_from_within() -> wgpu::BlendState {
    use wgpu::{BlendComponent, BlendFactor as F, BlendOperation};
    let component = |src_factor, dst_factor| BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    wgpu::BlendState { color: component(F::DstAlpha, F::Constant), alpha: component(F::Zero, F::One) }
}

/// Adds colours up.
pub(super) fn sum() -> wgpu::BlendState {
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: add, alpha: add }
}

/// Keeps the darker of two shadows.
pub(super) fn darkest() -> wgpu::BlendState {
    let max = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    };
    wgpu::BlendState { color: max, alpha: max }
}

/// Adds colours to what covers the picture, and covers nothing itself.
pub(super) fn added() -> wgpu::BlendState {
    let keeps = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { alpha: keeps, ..sum() }
}
