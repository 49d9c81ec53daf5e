//! Colour channels and texture coordinates as WGSL, a vertex at a time (formats/j3d-materials.md §8.1a, §8.2a, §8.2b).
//!
//! Colour channels as WGSL, a vertex at a time (formats/j3d-materials.md §8.1a). Needs `place` and `normal` in view
//! space and `color0`, `color1` (`vec4<i32>`); leaves `channel0` and `channel1`.
//!
//! Texture coordinates as WGSL, a vertex at a time (formats/j3d-materials.md §8.2a, §8.2b). Needs `moved`
//! (shaders/tev_*.wgsl), `in`, `place`, `channel0`, `channel1` and, for bumps, `binormal` and `tangent` in view space;
//! leaves `coord0` to `coord7`.

use crate::{
    gpu::program_key::{ProgramKey, TexGenKey},
    scene::gx::{Attenuation, ChannelControl, Diffuse, FirstMatrix},
};
use std::fmt::Write;

pub fn write_channels(out: &mut String, key: &ProgramKey) {
    let count = usize::from(key.channel_count);
    let lamps = key.channels.iter().filter(|c| c.lit).fold(0, |mask, c| mask | c.light_mask);
    for lamp in (0..8).filter(|lamp| lamps >> lamp & 1 == 1) {
        let _ = writeln!(
            out,
            "    let away{lamp} = tev.lamps[{lamp}].position.xyz - place;\n    \
             let distance{lamp} = length(away{lamp});\n    \
             let toward{lamp} = select(away{lamp} / distance{lamp}, vec3<f32>(0.0), distance{lamp} == 0.0);"
        );
    }
    for channel in 0..2 {
        if channel >= count {
            // What emulators show for a channel that the material does not have.
            let has_color = if channel == 0 { key.mesh.colors } else { key.mesh.second_colors };
            let value = match (has_color, channel) {
                (true, _) => format!("color{channel}"),
                (false, 1) => "channel0".to_owned(),
                _ => "vec4<i32>(255)".to_owned(),
            };
            let _ = writeln!(out, "    let channel{channel} = {value};");
            continue;
        }
        for (side, swizzle) in [(0, "rgb"), (1, "a")] {
            let Some(control) = key.channels.get(channel * 2 + side) else { continue };
            write_control(out, control, channel, swizzle);
        }
        let _ = writeln!(out, "    let channel{channel} = vec4<i32>(lit{channel}rgb, lit{channel}a);");
    }
}

/// One control: `lit0rgb`, `lit0a` and so on.
fn write_control(out: &mut String, control: &ChannelControl, channel: usize, swizzle: &str) {
    let (kind, float) = if swizzle == "a" { ("i32", "f32") } else { ("vec3<i32>", "vec3<f32>") };
    let name = format!("lit{channel}{swizzle}");
    let of = |from_vertex: bool, register: &str| {
        if from_vertex { format!("color{channel}.{swizzle}") } else { format!("tev.{register}[{channel}].{swizzle}") }
    };
    let own = of(control.material_from_vertex, "material");
    if !control.lit {
        let _ = writeln!(out, "    let {name} = {own};");
        return;
    }
    let sum = format!("sum{channel}{swizzle}");
    let _ = writeln!(out, "    var {sum} = {};", of(control.ambient_from_vertex, "ambient"));
    for lamp in (0..8).filter(|lamp| control.light_mask >> lamp & 1 == 1) {
        let toward = format!("toward{lamp}");
        // Without attenuation a lamp at the vertex shines along the normal.
        let along = format!("select({toward}, normal, distance{lamp} == 0.0)");
        let (attenuation, toward) = match control.attenuation {
            Attenuation::Specular => (format!("specular_of(tev.lamps[{lamp}], normal, {toward})"), toward),
            Attenuation::None => ("1.0".to_owned(), along),
            Attenuation::Spot | Attenuation::SpotAgain | Attenuation::Unknown(_) => {
                (format!("spot_of(tev.lamps[{lamp}], {toward}, distance{lamp})"), toward)
            }
        };
        let diffuse = match (control.attenuation, control.diffuse) {
            (Attenuation::Specular, _) => "1.0".to_owned(),
            (_, Diffuse::Signed) => format!("dot(normal, {toward})"),
            (_, Diffuse::Clamped) => format!("max(dot(normal, {toward}), 0.0)"),
            (_, Diffuse::None | Diffuse::Unknown(_)) => "1.0".to_owned(),
        };
        let color = format!("tev.lamps[{lamp}].color.{swizzle}");
        let _ = writeln!(out, "    {sum} += {kind}(floor({float}({diffuse} * {attenuation}) * {color} + 0.5));");
    }
    let shift = |by: u32| if swizzle == "a" { format!("{by}u") } else { format!("vec3<u32>({by}u)") };
    let _ = writeln!(
        out,
        "    {sum} = clamp({sum}, {kind}(0), {kind}(255));\n    \
         let {name} = ({own} * ({sum} + ({sum} >> {}))) >> {};",
        shift(7),
        shift(8),
    );
}

/// What is read where the vertices lack the source.
const MISSING: &str = "vec4<f32>(0.0, 0.0, 1.0, 1.0)";

pub fn write_texgens(out: &mut String, key: &ProgramKey) {
    for (index, texgen) in key.texgens.iter().take(8).enumerate() {
        match texgen.kind {
            0 | 1 => write_matrix(out, key, index, texgen),
            2..=9 => write_bump(out, key, index, texgen),
            _ => {
                let channel = usize::from(texgen.source != 19);
                let _ = writeln!(out, "    let coord{index} = vec3<f32>(vec2<f32>(channel{channel}.rg) / 255.0, 1.0);");
            }
        }
    }
}

/// The source vector, raw as the file has it.
fn source(key: &ProgramKey, code: u8) -> String {
    match code {
        0 => "vec4<f32>(moved.raw_position, 1.0)".into(),
        1 => "vec4<f32>(moved.raw_normal, 1.0)".into(),
        2 if key.mesh.tangents => "vec4<f32>(in.binormal, 1.0)".into(),
        3 if key.mesh.tangents => "vec4<f32>(in.tangent, 1.0)".into(),
        4..=11 => {
            let set = usize::from(code - 4);
            format!("vec4<f32>(in.uv{}.{}, 1.0, 1.0)", set / 2, if set % 2 == 0 { "xy" } else { "zw" })
        }
        _ => MISSING.into(),
    }
}

/// The source after a first step.
fn stepped(first: FirstMatrix, code: u8, vector: &str) -> String {
    match (first, code) {
        (FirstMatrix::Identity, _) => format!("{vector}.xyz"),
        // Positions and normals are moved exactly wherever skinning runs.
        (FirstMatrix::ModelView, 0) => "place".into(),
        (FirstMatrix::ModelView, _) => {
            format!("(globals.view_from_world * vec4<f32>(moved_vector(moved, {vector}), 1.0)).xyz")
        }
        (FirstMatrix::Normal, 1) => "(globals.view_from_world * vec4<f32>(moved.turned, 0.0)).xyz".into(),
        (FirstMatrix::Normal, _) => {
            let vector = format!("vec4<f32>({vector}.xyz, 0.0)");
            format!("(globals.view_from_world * vec4<f32>(moved_vector(moved, {vector}), 0.0)).xyz")
        }
    }
}

fn write_matrix(out: &mut String, key: &ProgramKey, index: usize, texgen: &TexGenKey) {
    let _ = writeln!(out, "    let source{index} = {};", source(key, texgen.source));
    let vector = format!("source{index}");
    let first = stepped(texgen.first, texgen.source, &vector);
    let _ = writeln!(out, "    var step{index} = vec4<f32>({first}, 1.0) * tev.texgens[{index}];");
    if key.mesh.matrix_slots {
        let slot = format!("in.slots{}.{}", index / 4, ["x", "y", "z", "w"][index % 4]);
        let of = |step| stepped(step, texgen.source, &vector);
        let _ = writeln!(
            out,
            "    let slot{index} = min({slot}, 9u);\n    \
             let kind{index} = tev.slot_steps[slot{index}].x;\n    \
             let own{index} = select(select({}, {}, kind{index} == 1u), {}, kind{index} == 2u);\n    \
             step{index} = select(vec4<f32>(own{index}, 1.0) * tev.slots[slot{index}], step{index}, {slot} > 9u);",
            of(FirstMatrix::Identity),
            of(FirstMatrix::ModelView),
            of(FirstMatrix::Normal),
        );
    }
    let coordinate = if texgen.kind == 0 { format!("step{index}") } else { format!("vec3<f32>(step{index}.xy, 1.0)") };
    let _ = writeln!(out, "    let coord{index} = {coordinate};");
}

/// Another coordinate moved by where a lamp stands.
fn write_bump(out: &mut String, key: &ProgramKey, index: usize, texgen: &TexGenKey) {
    let before = usize::from(texgen.source.wrapping_sub(12));
    let base = if before < index { format!("coord{before}") } else { "vec3<f32>(0.0, 0.0, 1.0)".into() };
    if !key.mesh.tangents {
        let _ = writeln!(out, "    let coord{index} = {base};");
        return;
    }
    let lamp = texgen.kind - 2;
    let _ = writeln!(
        out,
        "    let bump{index} = unit_or(tev.lamps[{lamp}].position.xyz - place, vec3<f32>(0.0));\n    \
         let coord{index} = {base} + vec3<f32>(dot(bump{index}, binormal), dot(bump{index}, tangent), 0.0);"
    );
}
