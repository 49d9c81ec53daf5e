//! Colour channels as WGSL, a vertex at a time (formats/j3d-materials.md §8.1a). Needs `place` and `normal` in view space and
//! `color0`, `color1` (`vec4<i32>`); leaves `channel0` and `channel1`.

use crate::gpu::program_key::ProgramKey;
use crate::scene::gx::{Attenuation, ChannelControl, Diffuse};
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
