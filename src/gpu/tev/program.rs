//! The generated shaders: the vertex stage (place, channels, texture coordinates) and the fragment stage (textures,
//! combiner stages, alpha compare, fog) as WGSL.

use super::{
    combiner::{self, REGISTERS},
    texgens::{write_channels, write_texgens},
};
use crate::{
    gpu::{
        program_key::{MeshTraits, Output, ProgramKey, Scene},
        shaders::shader_source,
    },
    scene::{
        Mesh,
        gx::{AlphaCompare, AlphaOp, Compare, TevMaterial, TevStage},
    },
};
use std::fmt::Write;

/// The shader of a key. `skins`: the device skins, rather than the CPU.
pub fn source_of(key: &ProgramKey, skins: bool) -> String {
    let mut out = shader_source(if skins { "tev_skinned.wgsl" } else { "tev_posed.wgsl" }).unwrap_or_default();
    write_varying(&mut out, key);
    write_vertex(&mut out, key);
    write_fragment(&mut out, key);
    out
}

/// The shader that draws a material on a mesh, for tests and for looking at. `skins`: the device skins, rather than the CPU.
pub fn tev_shader(material: &TevMaterial, mesh: &Mesh, lit: bool, fog: bool, skins: bool) -> String {
    source_of(&ProgramKey::new(material, MeshTraits::of(mesh), Scene { lit, fog }), skins)
}

/// What goes from corners to pixels.
fn write_varying(out: &mut String, key: &ProgramKey) {
    out.push_str("struct Varying {\n    @builtin(position) clip: vec4<f32>,\n");
    out.push_str("    @location(0) channel0: vec4<f32>,\n    @location(1) channel1: vec4<f32>,\n");
    for index in 0..key.coordinate_count() {
        let _ = writeln!(out, "    @location({}) coord{index}: vec3<f32>,", index + 2);
    }
    if key.fog != 0 {
        out.push_str("    @location(10) place: vec3<f32>,\n");
    }
    out.push_str("}\n\n");
}

fn write_vertex(out: &mut String, key: &ProgramKey) {
    out.push_str("@vertex\nfn vs_main(in: VertexIn) -> Varying {\n");
    let raw = if key.mesh.tangents { "in.raw_normal * tev.nbt_scale.xyz" } else { "in.raw_normal" };
    let _ = writeln!(out, "    let moved = move_of(in, {raw});");
    out.push_str("    let place = (globals.view_from_world * vec4<f32>(moved.position, 1.0)).xyz;\n");
    let normal = if key.mesh.normals {
        "unit_or((globals.view_from_world * vec4<f32>(moved.normal, 0.0)).xyz, vec3<f32>(0.0))"
    } else {
        "vec3<f32>(0.0)"
    };
    let _ = writeln!(out, "    let normal = {normal};");
    if key.mesh.tangents {
        for name in ["binormal", "tangent"] {
            let vector = format!("moved_vector(moved, vec4<f32>(in.{name} * tev.nbt_scale.xyz, 0.0))");
            let _ = writeln!(out, "    let {name} = (globals.view_from_world * vec4<f32>({vector}, 0.0)).xyz;");
        }
    }
    let bytes = |name: &str| format!("vec4<i32>(floor(in.{name} * 255.0 + 0.5))");
    let first = if key.mesh.colors { bytes("color") } else { "vec4<i32>(255)".into() };
    let second = if key.mesh.second_colors { bytes("second_color") } else { "color0".into() };
    let _ = writeln!(out, "    let color0 = {first};\n    let color1 = {second};");
    write_channels(out, key);
    write_texgens(out, key);
    out.push_str("    var out: Varying;\n    out.clip = globals.clip_from_world * vec4<f32>(moved.position, 1.0);\n");
    out.push_str("    out.channel0 = vec4<f32>(channel0);\n    out.channel1 = vec4<f32>(channel1);\n");
    for index in 0..key.coordinate_count() {
        let _ = writeln!(out, "    out.coord{index} = coord{index};");
    }
    if key.fog != 0 {
        out.push_str("    out.place = place;\n");
    }
    out.push_str("    return out;\n}\n\n");
}

const CHANNELS: [&str; 4] = ["r", "g", "b", "a"];

fn write_fragment(out: &mut String, key: &ProgramKey) {
    out.push_str("@fragment\nfn fs_main(in: Varying) -> @location(0) vec4<f32> {\n");
    for channel in 0..2 {
        let _ = writeln!(out, "    let raster{channel} = byte_of(in.channel{channel});");
    }
    for (index, texgen) in key.texgens.iter().take(8).enumerate() {
        // A bump has the third component of the coordinate that it moves.
        let projects = matches!(texgen.kind, 0 | 2..=9);
        let divided = if projects { format!("divided(in.coord{index})") } else { format!("in.coord{index}.xy") };
        let _ = writeln!(out, "    let uv{index} = {divided};");
    }
    combiner::write_lookups(out, key);
    out.push_str("    var prev = vec4<i32>(0);\n");
    for (index, name) in REGISTERS.iter().skip(1).enumerate() {
        let _ = writeln!(out, "    var {name} = tev.registers[{index}];");
    }
    for (index, stage) in key.stages.iter().enumerate() {
        let _ = writeln!(out, "    {{ // Stage {index}");
        write_inputs(out, key, index, stage);
        combiner::write_stage(out, stage);
        out.push_str("    }\n");
    }
    let result = match key.stages.last() {
        Some(last) => {
            let [color, alpha] = [last.color.destination, last.alpha.destination].map(|from| REGISTERS[from.index()]);
            format!("vec4<i32>({color}.rgb, {alpha}.a) & vec4<i32>(255)")
        }
        None => "raster0".into(),
    };
    let _ = writeln!(out, "    var color = {result};");
    if let Some(alpha) = &key.alpha {
        // The pixel's place has a say so that the branch does not hang on uniforms alone (see shaders/surface.wgsl).
        let _ = writeln!(out, "    if ({}) & (in.clip.x > -1.0) {{\n        discard;\n    }}", fails(alpha));
    }
    write_fog(out, key);
    let value = match key.output {
        Output::Plain => "vec4<f32>(color) / 255.0",
        Output::Inverted => "1.0 - vec4<f32>(color) / 255.0",
        Output::Black => "vec4<f32>(0.0)",
        Output::White => "vec4<f32>(1.0)",
    };
    let _ = writeln!(out, "    return {value};\n}}");
}

fn swapped(table: [u8; 4]) -> String {
    table.iter().map(|from| CHANNELS[usize::from(from & 3)]).collect()
}

/// `tex`, `ras` and `kon` of a stage.
fn write_inputs(out: &mut String, key: &ProgramKey, index: usize, stage: &TevStage) {
    let with_indirect = combiner::uses_indirect(key);
    if with_indirect {
        combiner::write_indirect_stage(out, key, index, stage);
    }
    let table = |index: u8| swapped(key.swap_tables[usize::from(index & 3)]);
    let texel = match stage.texture {
        None => "vec4<i32>(255)".to_owned(),
        Some(map) => {
            let map = map & 7;
            let uv = combiner::coordinate(key, stage.tex_coord);
            let scaled = format!("{uv} * tev.lookups[{index}].xy");
            if with_indirect && combiner::moves(&stage.indirect) {
                let at = format!("vec2<f32>(shifted) / 128.0 * tev.maps[{map}].zw");
                let slopes = format!("dpdx({scaled}) * slope{index}, dpdy({scaled}) * slope{index}");
                format!("texel_of(textureSampleGrad(map{map}, sampler{map}, {at}, {slopes}))")
            } else {
                format!("texel_of(textureSampleBias(map{map}, sampler{map}, {scaled}, tev.lookups[{index}].z))")
            }
        }
    };
    let raster = match stage.channel {
        0 | 2 | 4 => "raster0",
        1 | 3 | 5 => "raster1",
        7 if with_indirect => "vec4<i32>(bump)",
        8 if with_indirect => "vec4<i32>(bump | (bump >> 5u))",
        _ => "vec4<i32>(0)",
    };
    let _ = writeln!(out, "        let tex = ({texel}).{};", table(stage.texture_swap));
    let _ = writeln!(out, "        let ras = ({raster}).{};", table(stage.raster_swap));
    let (color, alpha) = (combiner::konst_color(stage.konst_color), combiner::konst_alpha(stage.konst_alpha));
    let _ = writeln!(out, "        let kon = vec4<i32>({color}, {alpha});");
}

/// Whether a pixel is left out.
fn fails(alpha: &AlphaCompare) -> String {
    let holds = |compare: Compare, reference: u8| match compare {
        Compare::Never => "false".to_owned(),
        Compare::Less => format!("(color.a < {reference})"),
        Compare::Equal => format!("(color.a == {reference})"),
        Compare::LessOrEqual => format!("(color.a <= {reference})"),
        Compare::Greater => format!("(color.a > {reference})"),
        Compare::NotEqual => format!("(color.a != {reference})"),
        Compare::GreaterOrEqual => format!("(color.a >= {reference})"),
        Compare::Always | Compare::Unknown(_) => "true".to_owned(),
    };
    let (a, b) = (holds(alpha.compare0, alpha.reference0), holds(alpha.compare1, alpha.reference1));
    match alpha.op {
        AlphaOp::And => format!("!({a} & {b})"),
        AlphaOp::Or => format!("!({a} | {b})"),
        AlphaOp::Xor => format!("{a} == {b}"),
        AlphaOp::Xnor | AlphaOp::Unknown(_) => format!("{a} != {b}"),
    }
}

/// Fog by distance from the eye (formats/j3d-materials.md §8.7).
fn write_fog(out: &mut String, key: &ProgramKey) {
    let curve = match key.fog {
        2 => "x",
        4 => "1.0 - exp2(-8.0 * x)",
        5 => "1.0 - exp2(-8.0 * x * x)",
        6 => "exp2(-8.0 * (1.0 - x))",
        7 => "exp2(-8.0 * (1.0 - x) * (1.0 - x))",
        _ => return,
    };
    let depth = if key.fog_adjusts_range { "length(in.place.xz)" } else { "-in.place.z" };
    let _ = writeln!(
        out,
        "    let x = clamp(({depth} - tev.fog.x) * tev.fog.y, 0.0, 1.0);\n    \
         let part = i32(floor(({curve}) * 256.0 + 0.5));\n    \
         color = vec4<i32>((color.rgb * (256 - part) + tev.fog_color.rgb * part) >> vec3<u32>(8u), color.a);"
    );
}
