//! The vertex stage as WGSL: place, channels, texture coordinates.

use super::channels::write_channels;
use super::texgens::write_texgens;
use crate::gpu::program_key::ProgramKey;
use std::fmt::Write;

/// What goes from corners to pixels.
pub fn write_varying(out: &mut String, key: &ProgramKey) {
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

pub fn write_vertex(out: &mut String, key: &ProgramKey) {
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
