//! Indirect texturing as WGSL, a pixel at a time, in steps of 1/128 texel (formats/j3d-materials.md §8.5a).

use crate::gpu::program_key::ProgramKey;
use crate::scene::gx::{IndirectStage, TevStage};
use std::fmt::Write;

/// Looks the indirect textures up: `seen0` to `seen3` hold alpha, blue and green of each.
pub fn write_lookups(out: &mut String, key: &ProgramKey) {
    for (index, order) in key.indirect_orders.iter().enumerate() {
        let coordinate = coordinate(key, Some(order.tex_coord));
        let map = order.texture & 7;
        let _ = writeln!(
            out,
            "    let seen{index} = texel_of(textureSampleBias(map{map}, sampler{map}, {coordinate} * \
             tev.indirect_lookups[{index}].xy, tev.indirect_lookups[{index}].z)).abg;"
        );
    }
    if uses_indirect(key) {
        out.push_str("    var shifted = vec2<i32>(0);\n    var bump = 0;\n");
    }
}

pub fn uses_indirect(key: &ProgramKey) -> bool {
    !key.indirect_orders.is_empty()
}

/// A texture coordinate of the pixel.
pub fn coordinate(key: &ProgramKey, index: Option<u8>) -> String {
    match index.map(usize::from).filter(|i| *i < key.coordinate_count()) {
        Some(index) => format!("uv{index}"),
        None => "vec2<f32>(0.0)".into(),
    }
}

/// Whether a stage's lookup goes elsewhere than its coordinate says.
pub fn moves(stage: &IndirectStage) -> bool {
    stage.matrix != 0 || stage.wrap_s != 0 || stage.wrap_t != 0 || stage.add_previous
}

/// A stage's `shifted`, and `bump`; inside the stage's scope.
pub fn write_stage(out: &mut String, key: &ProgramKey, index: usize, stage: &TevStage) {
    let indirect = &stage.indirect;
    let looked_up = usize::from(indirect.stage) < key.indirect_orders.len();
    let seen = if looked_up { format!("seen{}", indirect.stage) } else { "vec3<i32>(0)".into() };
    let (kept, rest) = match indirect.format & 3 {
        0 => (255, 0xF8),
        1 => (31, 0xE0),
        2 => (15, 0xF0),
        _ => (7, 0xF8),
    };
    if let component @ 1..=3 = indirect.alpha & 3 {
        let component = ["x", "y", "z"][usize::from(component - 1)];
        let _ = writeln!(out, "        bump = {seen}.{component} & {rest};");
    }
    let _ = writeln!(
        out,
        "        let base = vec2<i32>(floor({} * tev.coords[{}].xy * 128.0 + 0.5));",
        coordinate(key, stage.tex_coord),
        stage.tex_coord.unwrap_or(0) & 7,
    );
    let bias = if indirect.format & 3 == 0 { -128 } else { 1 };
    let part = |bit: u8| if indirect.bias >> bit & 1 == 1 { bias } else { 0 };
    let _ = writeln!(
        out,
        "        let amount = ({seen} & vec3<i32>({kept})) + vec3<i32>({}, {}, {});",
        part(0),
        part(1),
        part(2),
    );
    let matrix = usize::from(indirect.matrix & 3).saturating_sub(1) * 2;
    let exponent = format!("tev.indirect[{matrix}].w");
    let offset = match (indirect.matrix >> 2 & 3, indirect.matrix & 3) {
        (_, 0) => "vec2<i32>(0)".to_owned(),
        (0, _) => format!(
            "scaled_by(vec2<i32>(sum_of(tev.indirect[{matrix}].xyz * amount), sum_of(tev.indirect[{}].xyz * amount)) >> \
             vec2<u32>(3u), {exponent})",
            matrix + 1,
        ),
        (1, _) => format!("scaled_by((base * amount.x) >> vec2<u32>(8u), {exponent})"),
        (2, _) => format!("scaled_by((base * amount.y) >> vec2<u32>(8u), {exponent})"),
        _ => "vec2<i32>(0)".to_owned(),
    };
    let wrapped = |axis: &str, code: u8| match code {
        0 => format!("base.{axis}"),
        1..=5 => format!("(base.{axis} & {})", (256 >> (code - 1)) * 128 - 1),
        _ => "0".into(),
    };
    let base = format!("vec2<i32>({}, {})", wrapped("x", indirect.wrap_s), wrapped("y", indirect.wrap_t));
    let before = if indirect.add_previous { " + shifted" } else { "" };
    let _ = writeln!(
        out,
        "        shifted = (({base} + {offset}{before}) << vec2<u32>(8u)) >> vec2<u32>(8u);\n        \
         let slope{index} = tev.lookups[{index}].w;"
    );
}
