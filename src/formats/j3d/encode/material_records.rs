//! The records that materials are made of (formats/j3d.md §7.1, formats/j3d-materials.md §7.1).

use crate::scene::gx::{
    AlphaCompare, BlendMode, ChannelControl, Combiner, Fog, IndirectStage, Light, TevMaterial, TevStage, TexGen,
    TextureMatrix, ZMode,
};

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|value| out.extend_from_slice(&value.to_be_bytes()));
}

pub(super) fn channel(control: ChannelControl) -> Vec<u8> {
    vec![
        u8::from(control.lit),
        u8::from(control.material_from_vertex),
        control.light_mask,
        control.diffuse.into(),
        control.attenuation.into(),
        u8::from(control.ambient_from_vertex),
        0xFF,
        0xFF,
    ]
}

pub(super) fn light(light: Light) -> Vec<u8> {
    let mut out = Vec::with_capacity(0x34);
    floats(&mut out, &light.position);
    floats(&mut out, &light.direction);
    out.extend_from_slice(&light.color);
    floats(&mut out, &light.angle_attenuation);
    floats(&mut out, &light.distance_attenuation);
    out
}

pub(super) fn texgen(texgen: TexGen) -> Vec<u8> {
    vec![texgen.kind, texgen.source, texgen.matrix, 0xFF]
}

pub(super) fn texture_matrix(matrix: &TextureMatrix) -> Vec<u8> {
    let mut out = vec![u8::from(!matrix.projects), u8::from(matrix.map_mode) | u8::from(matrix.maya) << 7, 0xFF, 0xFF];
    floats(&mut out, &matrix.center);
    floats(&mut out, &matrix.scale);
    let angle = (matrix.rotation * 32768.0 / std::f32::consts::PI).round();
    out.extend_from_slice(&(angle as i32 as i16).to_be_bytes());
    out.extend_from_slice(&[0xFF; 2]);
    floats(&mut out, &matrix.translation);
    matrix.effect.iter().for_each(|row| floats(&mut out, row));
    out
}

pub(super) fn order(stage: &TevStage) -> Vec<u8> {
    vec![stage.tex_coord.unwrap_or(0xFF), stage.texture.unwrap_or(0xFF), stage.channel, 0xFF]
}

pub(super) fn register(color: [i16; 4]) -> Vec<u8> {
    color.iter().flat_map(|part| part.to_be_bytes()).collect()
}

pub(super) fn stage(stage: &TevStage) -> Vec<u8> {
    let mut out = vec![0xFF];
    out.extend_from_slice(&side(&stage.color));
    out.extend_from_slice(&side(&stage.alpha));
    out.push(0xFF);
    out
}

pub(super) fn fog(fog: &Fog) -> Vec<u8> {
    let mut out = vec![fog.kind, u8::from(fog.adjusts_range)];
    out.extend_from_slice(&fog.center.to_be_bytes());
    floats(&mut out, &[fog.start, fog.end, fog.near, fog.far]);
    out.extend_from_slice(&fog.color);
    fog.range.iter().for_each(|entry| out.extend_from_slice(&entry.to_be_bytes()));
    out
}

pub(super) fn alpha_compare(compare: AlphaCompare) -> Vec<u8> {
    let AlphaCompare { compare0, reference0, op, compare1, reference1 } = compare;
    vec![compare0.into(), reference0, op.into(), compare1.into(), reference1, 0xFF, 0xFF, 0xFF]
}

pub(super) fn blend(blend: BlendMode) -> Vec<u8> {
    vec![blend.kind.into(), blend.source.into(), blend.destination.into(), blend.logic.into()]
}

pub(super) fn z_mode(mode: ZMode) -> Vec<u8> {
    vec![u8::from(mode.test), mode.compare.into(), u8::from(mode.write), 0xFF]
}

pub(super) fn nbt_scale(scale: Option<[f32; 3]>) -> Vec<u8> {
    let mut out = vec![u8::from(scale.is_some()), 0xFF, 0xFF, 0xFF];
    floats(&mut out, &scale.unwrap_or([1.0; 3]));
    out
}

/// The block of a material's indirect textures, 0x138 bytes; switched off when there are none.
pub(super) fn indirect(material: &TevMaterial) -> Vec<u8> {
    let count = material.indirect_orders.len().min(4);
    let mut out = vec![u8::from(count > 0), u8::try_from(count).unwrap_or(4), 0xFF, 0xFF];
    let orders = || (0..4).map(|index| material.indirect_orders.get(index));
    for order in orders() {
        let [coordinate, texture] = order.map_or([0xFF; 2], |order| [order.tex_coord, order.texture]);
        out.extend_from_slice(&[coordinate, texture, 0xFF, 0xFF]);
    }
    for matrix in &material.indirect_matrices {
        matrix.rows.iter().for_each(|row| floats(&mut out, row));
        out.extend_from_slice(&[matrix.exponent.cast_unsigned(), 0xFF, 0xFF, 0xFF]);
    }
    for order in orders() {
        let [s, t] = order.map_or([0; 2], |order| [order.scale_s, order.scale_t]);
        out.extend_from_slice(&[s, t, 0xFF, 0xFF]);
    }
    for index in 0..16 {
        let stage = material.stages.get(index).map_or_else(IndirectStage::default, |stage| stage.indirect);
        out.extend_from_slice(&[
            stage.stage,
            stage.format,
            stage.bias,
            stage.matrix,
            stage.wrap_s,
            stage.wrap_t,
            u8::from(stage.add_previous),
            u8::from(stage.original_lod),
            stage.alpha,
            0xFF,
            0xFF,
            0xFF,
        ]);
    }
    out
}

fn side<I: Copy + Into<u8>>(combiner: &Combiner<I>) -> [u8; 9] {
    let [a, b, c, d] = combiner.inputs.map(Into::into);
    let (op, bias, scale) = (combiner.op.into(), combiner.bias.into(), combiner.scale.into());
    [a, b, c, d, op, bias, scale, combiner.clamp.into(), combiner.destination.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_specified_sizes() {
        let material = TevMaterial::default();
        let matrix = TextureMatrix::default();
        let light = Light {
            position: [0.0; 3],
            direction: [0.0; 3],
            color: [0; 4],
            angle_attenuation: [0.0; 3],
            distance_attenuation: [0.0; 3],
        };
        let sizes = [
            channel(material.channels[0]).len(),
            super::light(light).len(),
            texture_matrix(&matrix).len(),
            stage(&TevStage::default()).len(),
            fog(&material.fog).len(),
            nbt_scale(None).len(),
            indirect(&material).len(),
        ];
        assert_eq!(sizes, [8, 0x34, 0x64, 0x14, 0x2C, 0x10, 0x138]);
    }

    #[test]
    fn half_a_turn_wraps_into_sixteen_bits() {
        let matrix = TextureMatrix { rotation: std::f32::consts::PI, ..TextureMatrix::default() };
        assert_eq!(texture_matrix(&matrix)[0x18..0x1A], [0x80, 0]);
    }
}
