//! A pixel through the whole of a material: the reference that the generated shaders are held to.

use super::combiner::{StageInputs, combine, initial_registers, konst_alpha, konst_color, swapped};
use super::indirect::{Carried, TEXEL, step};
use super::texture::sample;
use super::{Constants, Fog, Register, TevMaterial, TevStage, Texture};
use glam::Vec3;

/// What reaches a pixel from the vertices, interpolated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// Of both channels.
    pub colors: [[u8; 4]; 2],
    /// `s`, `t` and `q` of each coordinate.
    pub coords: [[f32; 3]; 8],
    /// In view space; only fog reads it.
    pub position: Vec3,
}

/// The colour of a pixel before it is blended; `None` where the alpha compare drops it. `maps` are the textures by map slot;
/// a stage without one reads white, one without a coordinate reads at (0, 0).
pub fn shade_pixel(
    material: &TevMaterial,
    constants: &Constants,
    maps: &[Option<&Texture>; 8],
    fog: Option<&Fog>,
    pixel: &Pixel,
) -> Option<[u8; 4]> {
    let shaded = combined(material, constants, maps, pixel);
    let [_, _, _, alpha] = shaded;
    if !material.alpha_compare.passes(alpha) {
        return None;
    }
    Some(match fog {
        Some(fog) if fog.kind != 0 => fog.over(shaded, fog.amount(pixel.position)),
        _ => shaded,
    })
}

/// What the stages make of it.
fn combined(material: &TevMaterial, constants: &Constants, maps: &[Option<&Texture>; 8], pixel: &Pixel) -> [u8; 4] {
    let coords = texel_coords(material, maps, pixel);
    let indirect = indirect_samples(material, maps, &coords);
    let mut registers = initial_registers(constants);
    let mut carried = Carried::default();
    for stage in &material.stages {
        let own = stage.tex_coord.and_then(|coord| coords.get(usize::from(coord))).copied().unwrap_or([0.0; 2]);
        let looked_up = indirect.get(usize::from(stage.indirect.stage)).copied().flatten();
        let fixed = own.map(|texels| (texels * TEXEL + 0.5).floor() as i32);
        carried = step(&stage.indirect, &material.indirect_matrices, fixed, looked_up, carried);
        let map = stage.texture.and_then(|map| maps.get(usize::from(map)).copied().flatten());
        let texture = map.map_or([255; 4], |map| sample(map, carried.coord.map(|c| c as f32 / TEXEL)));
        let table = |index: u8| material.swap_tables.get(usize::from(index)).copied().unwrap_or([0, 1, 2, 3]);
        let [r, g, b] = konst_color(stage.konst_color, constants);
        let inputs = StageInputs {
            texture: swapped(texture.map(i32::from), &table(stage.texture_swap)),
            raster: swapped(raster(stage, pixel, carried.bump).map(i32::from), &table(stage.raster_swap)),
            konst: [r, g, b, konst_alpha(stage.konst_alpha, constants)],
        };
        combine(stage, &inputs, &mut registers);
    }
    let Some(last) = material.stages.last() else { return pixel.colors[0] };
    let register = |from: Register| registers.get(from.index()).copied().unwrap_or_default();
    let ([r, g, b, _], [_, _, _, a]) = (register(last.color.destination), register(last.alpha.destination));
    [r, g, b, a].map(|value| (value & 255) as u8)
}

fn raster(stage: &TevStage, pixel: &Pixel, bump: u8) -> [u8; 4] {
    let [first, second] = pixel.colors;
    match stage.channel {
        0 | 2 | 4 => first,
        1 | 3 | 5 => second,
        7 => [bump; 4],
        8 => [bump | (bump >> 5); 4],
        _ => [0; 4],
    }
}

/// The texels that a coordinate of 1 stands for, by coordinate: of the map of the last indirect stage that reads it, else of the
/// last stage. 0 for one that nothing reads.
pub fn coord_sizes(material: &TevMaterial, map_size: impl Fn(u8) -> [u32; 2]) -> [[u32; 2]; 8] {
    let mut sizes = [[0; 2]; 8];
    let stages = material.stages.iter().filter_map(|stage| stage.tex_coord.zip(stage.texture));
    let orders = material.indirect_orders.iter().map(|order| (order.tex_coord, order.texture));
    for (coord, map) in stages.chain(orders) {
        if let Some(size) = sizes.get_mut(usize::from(coord)) {
            *size = map_size(map);
        }
    }
    sizes
}

/// The pixel's coordinates in texels.
fn texel_coords(material: &TevMaterial, maps: &[Option<&Texture>; 8], pixel: &Pixel) -> [[f32; 2]; 8] {
    let size_of = |map: u8| {
        let (width, height) = maps.get(usize::from(map)).copied().flatten().map_or((1, 1), Texture::size);
        [width, height]
    };
    let mut coords = [[0.0; 2]; 8];
    let sizes = coord_sizes(material, size_of);
    for ((coord, [s, t, q]), [width, height]) in coords.iter_mut().zip(pixel.coords).zip(sizes) {
        let q = if q == 0.0 { 1.0 } else { q };
        *coord = [s / q * width as f32, t / q * height as f32];
    }
    coords
}

/// What each indirect stage finds: alpha, blue and green.
fn indirect_samples(
    material: &TevMaterial,
    maps: &[Option<&Texture>; 8],
    coords: &[[f32; 2]; 8],
) -> [Option<[u8; 3]>; 4] {
    let mut samples = [None; 4];
    for (out, order) in samples.iter_mut().zip(&material.indirect_orders) {
        let [s, t] = coords.get(usize::from(order.tex_coord)).copied().unwrap_or_default();
        let scaled = |texels: f32, scale: u8| texels / f32::from(1u16 << scale.min(8));
        let place = [scaled(s, order.scale_s), scaled(t, order.scale_t)];
        let map = maps.get(usize::from(order.texture)).copied().flatten();
        let [_, g, b, a] = map.map_or([255; 4], |map| sample(map, place));
        *out = Some([a, b, g]);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Image;
    use crate::scene::gx::{
        AlphaCompare, AlphaOp, Combiner, Compare, Filter, IndirectMatrix, IndirectOrder, IndirectStage, MaterialState,
        Wrap,
    };
    use std::sync::Arc;

    /// Red is the column, green the row; blue and alpha as given.
    fn texture(width: u8, height: u8, blue: u8, alpha: u8) -> Texture {
        let texels = (0..height).flat_map(|y| (0..width).map(move |x| [x, y, blue, alpha]));
        let rgba: Vec<u8> = texels.flatten().collect();
        let (width, height) = (u32::from(width), u32::from(height));
        let image = Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: "test".into() };
        Texture {
            mips: vec![Arc::new(image)],
            wrap_s: Wrap::Repeat,
            wrap_t: Wrap::Repeat,
            mag_filter: Filter::Near,
            ..Texture::default()
        }
    }

    /// D alone.
    fn passing(color: u8, alpha: u8) -> TevStage {
        TevStage {
            color: Combiner::of_codes([15, 15, 15, color], [0; 3], false, 0),
            alpha: Combiner::of_codes([7, 7, 7, alpha], [0; 3], false, 0),
            tex_coord: Some(0),
            texture: Some(0),
            channel: 4,
            ..TevStage::default()
        }
    }

    fn pixel(s: f32, t: f32, q: f32) -> Pixel {
        let mut coords = [[0.0, 0.0, 1.0]; 8];
        coords[0] = [s, t, q];
        Pixel { colors: [[1, 2, 3, 4], [5, 6, 7, 8]], coords, position: Vec3::new(0.0, 0.0, -50.0) }
    }

    fn shaded(material: &TevMaterial, maps: [Option<&Texture>; 2], pixel: &Pixel) -> Option<[u8; 4]> {
        let [first, second] = maps;
        let maps = [first, second, None, None, None, None, None, None];
        shade_pixel(material, &Constants::of(&MaterialState::of(material)), &maps, Some(&material.fog), pixel)
    }

    #[test]
    fn without_stages() {
        assert_eq!(shaded(&TevMaterial::default(), [None; 2], &pixel(0.0, 0.0, 1.0)), Some([1, 2, 3, 4]));
    }

    #[test]
    fn textures_and_swaps() {
        let map = texture(16, 8, 99, 200);
        let mut material = TevMaterial { stages: vec![passing(8, 4)], ..TevMaterial::default() };
        material.swap_tables[2] = [3, 2, 1, 0];
        // s/q = ½: column 8.5; t/q = ¼: row 2.5.
        assert_eq!(shaded(&material, [Some(&map), None], &pixel(1.0625, 0.625, 2.0)), Some([8, 2, 99, 200]));
        assert_eq!(shaded(&material, [Some(&map), None], &pixel(0.5, 0.3, 0.0)), Some([8, 2, 99, 200]));
        assert_eq!(shaded(&material, [None; 2], &pixel(0.5, 0.25, 1.0)), Some([255; 4]));
        material.stages[0].texture_swap = 2;
        assert_eq!(shaded(&material, [Some(&map), None], &pixel(0.53, 0.3, 1.0)), Some([200, 99, 2, 8]));
        material.stages[0] = TevStage { raster_swap: 2, channel: 1, ..passing(10, 5) };
        assert_eq!(shaded(&material, [None; 2], &pixel(0.5, 0.3, 1.0)), Some([8, 7, 6, 5]));
        material.stages[0].channel = 6;
        assert_eq!(shaded(&material, [None; 2], &pixel(0.5, 0.3, 1.0)), Some([0; 4]));
    }

    #[test]
    fn the_last_stage_s_registers() {
        let registers = [[-1, 256, 300, -256], [10, 20, 30, 40], [0; 4]];
        let mut material = TevMaterial { registers, ..TevMaterial::default() };
        let mut stage = passing(2, 2);
        stage.color.destination = Register::C2;
        stage.alpha.destination = Register::C0;
        material.stages = vec![passing(10, 5), stage];
        // C0's colour went to C2 as it is, C1's alpha to C0; eight bits remain.
        assert_eq!(shaded(&material, [None; 2], &pixel(0.0, 0.0, 1.0)), Some([255, 0, 44, 40]));
    }

    #[test]
    fn alpha_and_fog() {
        let mut material = TevMaterial { stages: vec![passing(10, 5)], ..TevMaterial::default() };
        material.fog = Fog { kind: 2, start: 0.0, end: 100.0, color: [201, 0, 0, 0], ..Fog::default() };
        assert_eq!(shaded(&material, [None; 2], &pixel(0.0, 0.0, 1.0)), Some([101, 1, 1, 4]));
        material.alpha_compare = AlphaCompare {
            compare0: Compare::Greater,
            reference0: 4,
            op: AlphaOp::And,
            compare1: Compare::Always,
            reference1: 0,
        };
        assert_eq!(shaded(&material, [None; 2], &pixel(0.0, 0.0, 1.0)), None);
    }

    #[test]
    fn an_indirect_lookup() {
        let (base, moves) = (texture(64, 32, 0, 255), texture(16, 16, 3, 8));
        let indirect = IndirectStage { matrix: 1, alpha: 1, ..IndirectStage::default() };
        let mut material = TevMaterial { stages: vec![passing(8, 4)], ..TevMaterial::default() };
        material.stages[0].tex_coord = Some(1);
        material.stages[0].indirect = indirect;
        material.indirect_orders = vec![IndirectOrder { tex_coord: 0, texture: 1, scale_s: 0, scale_t: 1 }];
        material.indirect_matrices[0] = IndirectMatrix { rows: [[0.5, 0.0, 0.0], [0.0, 0.0, 0.5]], exponent: 1 };
        let mut at = pixel(0.3, 0.78, 1.0);
        at.coords[1] = [0.5 + 1.0 / 128.0, 0.5 + 1.0 / 64.0, 1.0];
        // Row 0.78·16/2 = 6: green; s = alpha 8 moves by 8 texels, u = green 6 by 6: column 32 + 8, row 16 + 6.
        assert_eq!(shaded(&material, [Some(&base), Some(&moves)], &at), Some([40, 22, 0, 255]));
        // The bump: 8 & 0xF8, and 8 | 8 >> 5.
        material.stages[0] = TevStage { channel: 7, ..TevStage { indirect, ..passing(10, 5) } };
        assert_eq!(shaded(&material, [Some(&base), Some(&moves)], &at), Some([8; 4]));
        let bright = texture(16, 16, 3, 0xFF);
        material.stages[0].channel = 8;
        assert_eq!(shaded(&material, [Some(&base), Some(&bright)], &at), Some([0xFF; 4]));
        // Without orders the stage is direct.
        material.indirect_orders.clear();
        assert_eq!(shaded(&material, [Some(&base), Some(&bright)], &at), Some([0; 4]));
    }

    #[test]
    fn one_size_a_coordinate() {
        let mut material = TevMaterial { stages: vec![passing(8, 4), passing(8, 4)], ..TevMaterial::default() };
        material.stages[1].texture = Some(1);
        let size = |map| [10 + u32::from(map), 20];
        assert_eq!(coord_sizes(&material, size)[..2], [[11, 20], [0, 0]]);
        material.indirect_orders = vec![IndirectOrder { tex_coord: 0, texture: 3, scale_s: 0, scale_t: 0 }];
        assert_eq!(coord_sizes(&material, size)[0], [13, 20]);
        // Half of an indirect map twice as large is texel 16 of the stage's.
        let (base, moves) = (texture(16, 16, 0, 255), texture(32, 32, 0, 0));
        material.stages.truncate(1);
        material.indirect_orders[0].texture = 1;
        assert_eq!(shaded(&material, [Some(&base), Some(&moves)], &pixel(0.52, 0.55, 1.0)), Some([0, 1, 0, 255]));
    }
}
