//! The rest of a material's state in words (formats/j3d-materials.md §8).

use super::{
    AlphaCompare, AlphaOp, Attenuation, BlendFactor, BlendKind, BlendMode, ChannelControl, Compare, CullMode, Diffuse,
    Fog, IndirectStage, MapMode, TevMaterial, TexGen, ZMode, names,
};

/// Which faces are left out.
pub fn cull(mode: CullMode) -> String {
    match mode {
        CullMode::None => "both sides are drawn".to_owned(),
        CullMode::Front => "only back faces are drawn".to_owned(),
        CullMode::Back => "only front faces are drawn".to_owned(),
        CullMode::All => "nothing is drawn".to_owned(),
        CullMode::Unknown(code) => format!("unknown cull mode {code}"),
    }
}

/// Where a colour comes from and what lights it.
pub fn channel(control: &ChannelControl) -> String {
    let source = |from_vertex: bool| if from_vertex { "vertex colour" } else { "material colour" };
    let own = source(control.material_from_vertex);
    if !control.lit {
        return format!("{own}, unlit");
    }
    let ambient = if control.ambient_from_vertex { "vertex colour" } else { "ambient colour" };
    let lights: Vec<String> =
        (0..8_u8).filter(|bit| control.light_mask >> bit & 1 == 1).map(|bit| bit.to_string()).collect();
    let lights = match lights.as_slice() {
        [] => "no light".to_owned(),
        [one] => format!("light {one}"),
        many => format!("lights {}", many.join(", ")),
    };
    let how = match (control.attenuation, control.diffuse) {
        (Attenuation::Specular, _) => "specular",
        (Attenuation::None, Diffuse::None) => "uniform",
        (Attenuation::None, Diffuse::Signed) => "signed diffuse",
        (Attenuation::None, _) => "diffuse",
        (_, Diffuse::None) => "attenuated by distance and angle",
        (_, Diffuse::Signed) => "signed diffuse, attenuated by distance and angle",
        _ => "diffuse, attenuated by distance and angle",
    };
    format!("{own} × ({ambient} + {lights}), {how}")
}

/// What a texture coordinate is made of.
pub fn texgen(material: &TevMaterial, texgen: &TexGen) -> String {
    let source = names::texgen_source(texgen.source).unwrap_or("?");
    match texgen.kind {
        0 | 1 => {}
        2..=9 => return format!("{source} offset by light {}", texgen.kind.wrapping_sub(2)),
        10 => return format!("red and green channels of {source} after lighting"),
        code => return format!("unknown type {code}"),
    }
    let rows = if texgen.kind == 0 { " projected" } else { "" };
    match texgen.matrix {
        60 => format!("{source}{rows}, without a matrix"),
        code @ 30..=57 if code % 3 == 0 => {
            let slot = code.wrapping_sub(30) / 3;
            let matrix = material.texture_matrices.get(usize::from(slot)).copied().flatten();
            let mode = match matrix.map(|m| m.map_mode) {
                None => "missing".to_owned(),
                Some(MapMode::None) => String::new(),
                Some(MapMode::Unknown(mode)) => format!("unknown mode {mode}"),
                Some(mode) => names::map_mode(mode.into()).unwrap_or_default().to_owned(),
            };
            let mode = if mode.is_empty() { mode } else { format!(" ({mode})") };
            format!("{source}{rows} × texture matrix {slot}{mode}")
        }
        code => format!("{source}{rows} × {}", names::texture_matrix(code).unwrap_or("?")),
    }
}

/// Which pixels stay.
pub fn alpha_compare(compare: &AlphaCompare) -> String {
    if compare.always_passes() {
        return "every pixel is drawn".to_owned();
    }
    if !(0..=255).any(|alpha| compare.passes(alpha)) {
        return "no pixel is drawn".to_owned();
    }
    let one = |compare: Compare, reference: u8| match compare {
        Compare::Never => "never".to_owned(),
        Compare::Always => "always".to_owned(),
        compare => format!("alpha {} {reference}", sign(compare)),
    };
    let first = one(compare.compare0, compare.reference0);
    let second = one(compare.compare1, compare.reference1);
    let op = if compare.op == AlphaOp::And { "and" } else { "or" };
    match (compare.op, first.as_str(), second.as_str()) {
        (AlphaOp::And, "always", other)
        | (AlphaOp::And, other, "always")
        | (AlphaOp::Or, "never", other)
        | (AlphaOp::Or, other, "never") => {
            format!("drawn where {other}")
        }
        (AlphaOp::Xor, a, b) => format!("drawn where either {a} or {b}, but not both"),
        (AlphaOp::Xnor, a, b) => format!("drawn where {a} and {b} are both true or both false"),
        (AlphaOp::And | AlphaOp::Or | AlphaOp::Unknown(_), a, b) => format!("drawn where {a} {op} {b}"),
    }
}

fn sign(compare: Compare) -> &'static str {
    match compare {
        Compare::Less => "<",
        Compare::Equal => "=",
        Compare::LessOrEqual => "≤",
        Compare::Greater => ">",
        Compare::NotEqual => "≠",
        Compare::GreaterOrEqual => "≥",
        Compare::Never | Compare::Always | Compare::Unknown(_) => "?",
    }
}

/// How a pixel combines with what lies behind it.
pub fn blend(mode: &BlendMode) -> String {
    let factor = |factor: BlendFactor, other: &'static str| match factor {
        BlendFactor::Zero => "0".to_owned(),
        BlendFactor::One => "1".to_owned(),
        BlendFactor::OtherColor => other.to_owned(),
        BlendFactor::InverseOtherColor => format!("(1 − {other})"),
        BlendFactor::SourceAlpha => "alpha".to_owned(),
        BlendFactor::InverseSourceAlpha => "(1 − alpha)".to_owned(),
        BlendFactor::DestinationAlpha => "destination alpha".to_owned(),
        BlendFactor::InverseDestinationAlpha => "(1 − destination alpha)".to_owned(),
        BlendFactor::Unknown(code) => format!("unknown factor {code}"),
    };
    let part = |what: &str, factor: String| match factor.as_str() {
        "0" => None,
        "1" => Some(what.to_owned()),
        factor => Some(format!("{what} × {factor}")),
    };
    match mode.kind {
        BlendKind::None => "replaces the destination".to_owned(),
        BlendKind::Blend => {
            let parts = [
                part("colour", factor(mode.source, "destination")),
                part("destination", factor(mode.destination, "colour")),
            ];
            match parts {
                [Some(a), Some(b)] => format!("{a} + {b}"),
                [Some(one), None] | [None, Some(one)] => one,
                [None, None] => "black".to_owned(),
            }
        }
        BlendKind::Logic => {
            format!("logic operation {}", names::logic_op(mode.logic.into()).unwrap_or("unknown"))
        }
        BlendKind::Subtract => "destination − colour".to_owned(),
        BlendKind::Unknown(code) => format!("unknown blend type {code}"),
    }
}

/// What happens with depth.
pub fn depth(mode: &ZMode, before_texture: bool) -> String {
    if !mode.test {
        return "depth is neither tested nor written".to_owned();
    }
    let test = match mode.compare {
        Compare::Never => "never passes".to_owned(),
        Compare::Always => "always passes".to_owned(),
        compare => format!("passes where depth {} stored depth", sign(compare)),
    };
    let write = if mode.write { "depth is written" } else { "depth is not written" };
    let when = if before_texture { " (tested before texturing)" } else { "" };
    format!("{test}, {write}{when}")
}

/// What fog does.
pub fn fog(fog: &Fog) -> String {
    if fog.kind == 0 {
        return "none".to_owned();
    }
    let kind = names::fog_type(fog.kind).filter(|name| !name.is_empty()).unwrap_or("unknown type");
    let range = if fog.adjusts_range { ", range-adjusted" } else { "" };
    format!("{}, {} to {}{range}", kind.to_lowercase(), fog.start, fog.end)
}

/// What an indirect texture does to a stage's coordinate; `None` where it does nothing.
pub fn indirect(stage: &IndirectStage) -> Option<String> {
    let moves = stage.matrix != 0;
    let wraps = stage.wrap_s != 0 || stage.wrap_t != 0;
    if !moves && !wraps && !stage.add_previous && stage.alpha == 0 {
        return None;
    }
    let mut parts = Vec::new();
    if moves {
        let matrix = names::indirect_matrix(stage.matrix).filter(|name| !name.is_empty()).unwrap_or("?");
        let format = names::indirect_format(stage.format).unwrap_or("?");
        let bias = match names::indirect_bias(stage.bias) {
            Some("NONE") => String::new(),
            Some(bias) => format!(", bias {bias}"),
            None => ", bias ?".to_owned(),
        };
        parts.push(format!("offset by indirect texture {} with matrix {matrix} ({format}{bias})", stage.stage));
    }
    if wraps {
        let wrap = |code| names::indirect_wrap(code).unwrap_or("?");
        parts.push(format!("wrapped {} × {}", wrap(stage.wrap_s), wrap(stage.wrap_t)));
    }
    if stage.add_previous {
        parts.push("added to the coordinates of the previous stage".to_owned());
    }
    if stage.alpha != 0 {
        parts.push(format!("bump alpha {}", names::bump_alpha(stage.alpha).unwrap_or("?")));
    }
    Some(parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::{LogicOp, TextureMatrix};

    #[test]
    fn alpha_tests_say_no_more_than_they_do() {
        let of = |compare0: u8, reference0, op: u8, compare1: u8, reference1| {
            let (compare0, op, compare1) = (compare0.into(), op.into(), compare1.into());
            alpha_compare(&AlphaCompare { compare0, reference0, op, compare1, reference1 })
        };
        assert_eq!(of(7, 0, 1, 7, 0), "every pixel is drawn");
        assert_eq!(of(6, 0, 0, 3, 255), "every pixel is drawn");
        assert_eq!(of(0, 0, 0, 7, 0), "no pixel is drawn");
        assert_eq!(of(6, 128, 0, 7, 0), "drawn where alpha ≥ 128");
        assert_eq!(of(4, 10, 1, 0, 0), "drawn where alpha > 10");
        assert_eq!(of(6, 128, 0, 1, 200), "drawn where alpha ≥ 128 and alpha < 200");
        assert_eq!(of(4, 1, 2, 4, 9), "drawn where either alpha > 1 or alpha > 9, but not both");
        assert_eq!(of(4, 1, 3, 4, 9), "drawn where alpha > 1 and alpha > 9 are both true or both false");
    }

    #[test]
    fn blending_is_a_sum() {
        let of = |kind: u8, source: u8, destination: u8| {
            let (source, destination) = (source.into(), destination.into());
            blend(&BlendMode { kind: kind.into(), source, destination, logic: LogicOp::Copy })
        };
        assert_eq!(of(0, 4, 5), "replaces the destination");
        assert_eq!(of(1, 4, 5), "colour × alpha + destination × (1 − alpha)");
        assert_eq!(of(1, 1, 1), "colour + destination");
        assert_eq!(of(1, 0, 2), "destination × colour");
        assert_eq!(of(1, 2, 0), "colour × destination");
        assert_eq!(of(1, 0, 0), "black");
        assert_eq!(of(2, 0, 0), "logic operation COPY");
        assert_eq!(of(3, 0, 0), "destination − colour");
    }

    #[test]
    fn channels_say_what_lights_them() {
        let control = ChannelControl {
            lit: true,
            light_mask: 0b101,
            diffuse: Diffuse::Clamped,
            attenuation: Attenuation::Spot,
            ..Default::default()
        };
        assert_eq!(
            channel(&control),
            "material colour × (ambient colour + lights 0, 2), diffuse, attenuated by distance and angle"
        );
        let specular = ChannelControl { attenuation: Attenuation::Specular, light_mask: 4, ..control };
        assert_eq!(channel(&specular), "material colour × (ambient colour + light 2), specular");
        let unlit = ChannelControl { lit: false, material_from_vertex: true, ..control };
        assert_eq!(channel(&unlit), "vertex colour, unlit");
        let dark = ChannelControl { light_mask: 0, attenuation: Attenuation::None, ..control };
        assert_eq!(channel(&dark), "material colour × (ambient colour + no light), diffuse");
    }

    #[test]
    fn texture_coordinates_name_their_matrix_and_its_mode() {
        let mut material = TevMaterial::default();
        material.texture_matrices[1] =
            Some(TextureMatrix { map_mode: MapMode::Environment, ..TextureMatrix::default() });
        material.texture_matrices[0] = Some(TextureMatrix::default());
        let of = |kind, source, matrix| texgen(&material, &TexGen { kind, source, matrix });
        assert_eq!(of(1, 4, 60), "TEX0, without a matrix");
        assert_eq!(of(1, 5, 30), "TEX1 × texture matrix 0");
        assert_eq!(of(0, 1, 33), "NRM projected × texture matrix 1 (envmap)");
        assert_eq!(of(1, 4, 36), "TEX0 × texture matrix 2 (missing)");
        assert_eq!(of(10, 19, 60), "red and green channels of COLOR0 after lighting");
        assert_eq!(of(3, 12, 60), "TEXCOORD0 offset by light 1");
    }

    #[test]
    fn depth_fog_and_faces_are_sentences() {
        assert_eq!(
            depth(&ZMode::default(), true),
            "passes where depth ≤ stored depth, depth is written (tested before texturing)"
        );
        assert_eq!(depth(&ZMode { test: false, ..ZMode::default() }, false), "depth is neither tested nor written");
        assert_eq!(fog(&Fog::default()), "none");
        assert_eq!(fog(&Fog { kind: 2, start: 10.0, end: 2000.0, ..Fog::default() }), "linear, 10 to 2000");
        assert_eq!(cull(CullMode::Back), "only front faces are drawn");
    }

    #[test]
    fn indirect_lookups_say_what_they_move() {
        assert_eq!(indirect(&IndirectStage::default()), None);
        let stage = IndirectStage { bias: 7, matrix: 1, ..IndirectStage::default() };
        assert_eq!(indirect(&stage).unwrap(), "offset by indirect texture 0 with matrix 0 (8 bit, bias STU)");
    }
}
