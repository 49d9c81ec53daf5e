//! Texture coordinates as WGSL, a vertex at a time (formats/j3d-materials.md §8.2a, §8.2b). Needs `moved` (shaders/tev_*.wgsl),
//! `in`, `place`, `channel0`, `channel1` and, for bumps, `binormal` and `tangent` in view space; leaves `coord0` to `coord7`.

use crate::gpu::program_key::{ProgramKey, TexGenKey};
use crate::scene::gx::FirstMatrix;
use std::fmt::Write;

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
