//! Colours of props.

use crate::scene::{Prop, PropClass, PropColors, Terrain, TerrainView};
use bytemuck::{Pod, Zeroable};

/// How a prop looks: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Look {
    /// RGB; in the last byte 1 for shown, 2 for selected, 4 for a type with a model.
    pub fill: [u8; 4],
    /// RGB of the edges.
    pub edge: [u8; 4],
}

pub(super) const LOOK_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Look>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![7 => Uint8x4, 8 => Unorm8x4],
};

/// What props that differ in type are told apart by, RGB: hues a golden section apart.
pub fn kind_color(kind: u32) -> [u8; 3] {
    let turn = (f64::from(kind) * 0.618_033_988_749_895 + 0.1).fract() as f32;
    let (lightness, chroma) = (0.68 + 0.07 * (kind as f32 * 2.1).sin(), 0.125);
    from_oklch(lightness, chroma, turn * std::f32::consts::TAU)
}

/// OKLab (B. Ottosson, 2020) to gamma-space RGB; as in `shaders/color.wgsl`.
fn from_oklch(lightness: f32, chroma: f32, hue: f32) -> [u8; 3] {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let cubes = [
        lightness + 0.396_337_78 * a + 0.215_803_76 * b,
        lightness - 0.105_561_346 * a - 0.063_854_17 * b,
        lightness - 0.089_484_18 * a - 1.291_485_5 * b,
    ]
    .map(|v| v * v * v);
    let rows = [
        [4.076_741_7, -3.307_711_6, 0.230_969_94],
        [-1.268_438, 2.609_757_4, -0.341_319_38],
        [-0.004_196_086_3, -0.703_418_6, 1.707_614_7],
    ];
    rows.map(|row| {
        let linear = row.iter().zip(cubes).map(|(m, c)| m * c).sum::<f32>().clamp(0.0, 1.0);
        let gamma = if linear < 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
        (gamma * 255.0).round() as u8
    })
}

/// A prop's colours and what else its picture hangs on; `modelled` when its type's model can stand for it. Alpha of the file's colours is no opacity (formats/visitor.md §1.0).
pub(super) fn look_of(terrain: &Terrain, view: &TerrainView, prop: &Prop, selected: bool, modelled: bool) -> Look {
    let kind = terrain.kind_of(prop);
    let rgb = |[r, g, b, _]: [u8; 4]| [r, g, b];
    let fill = match view.prop_colors {
        PropColors::File => rgb(terrain.fill_of(prop)),
        PropColors::Class => kind.map_or(PropClass::Unresolved, |k| k.class).color(),
        PropColors::Kind => kind_color(prop.kind),
    };
    let outline = prop.outline.or_else(|| kind.and_then(|k| k.outline)).map(rgb);
    let edge = match view.prop_colors {
        PropColors::File => outline.unwrap_or(darker(fill)),
        PropColors::Class | PropColors::Kind => darker(fill),
    };
    let [r, g, b] = fill;
    let [edge_r, edge_g, edge_b] = edge;
    let shown = view.shows_kind(prop.kind);
    let flags = u8::from(shown) | u8::from(selected) << 1 | u8::from(modelled) << 2;
    Look { fill: [r, g, b, flags], edge: [edge_r, edge_g, edge_b, 0] }
}

fn darker(color: [u8; 3]) -> [u8; 3] {
    color.map(|channel| (u16::from(channel) * 5 / 8) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_kinds_are_told_apart() {
        let apart = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum::<u32>();
        for kind in 0..200 {
            for other in kind + 1..kind + 5 {
                assert!(apart(kind_color(kind), kind_color(other)) > 45, "{kind} {other}");
            }
        }
    }
}
