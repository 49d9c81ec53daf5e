//! Indirect texturing and the combiner's stages as WGSL, in integers (formats/j3d.md §8.4, formats/j3d-materials.md
//! §8.5a).
//!
//! The combiner's stages as WGSL, in integers (formats/j3d.md §8.4). Values live in `prev`, `c0`, `c1`, `c2`
//! (`vec4<i32>`); a stage's texture, raster and constant colours in `tex`, `ras`, `kon`.

use crate::{
    gpu::program_key::ProgramKey,
    scene::gx::{AlphaInput, ColorInput, CombineBias, CombineOp, CombineScale, Combiner, IndirectStage, TevStage},
};
use std::fmt::Write;

pub const REGISTERS: [&str; 4] = ["prev", "c0", "c1", "c2"];

/// A colour input, three components.
fn color_input(input: ColorInput) -> &'static str {
    match input {
        ColorInput::Previous => "prev.rgb",
        ColorInput::PreviousAlpha => "prev.aaa",
        ColorInput::C0 => "c0.rgb",
        ColorInput::C0Alpha => "c0.aaa",
        ColorInput::C1 => "c1.rgb",
        ColorInput::C1Alpha => "c1.aaa",
        ColorInput::C2 => "c2.rgb",
        ColorInput::C2Alpha => "c2.aaa",
        ColorInput::Texture => "tex.rgb",
        ColorInput::TextureAlpha => "tex.aaa",
        ColorInput::Raster => "ras.rgb",
        ColorInput::RasterAlpha => "ras.aaa",
        ColorInput::One => "vec3<i32>(255)",
        ColorInput::Half => "vec3<i32>(128)",
        ColorInput::Konst => "kon.rgb",
        ColorInput::Zero | ColorInput::Unknown(_) => "vec3<i32>(0)",
    }
}

fn alpha_input(input: AlphaInput) -> &'static str {
    match input {
        AlphaInput::Previous => "prev.a",
        AlphaInput::C0 => "c0.a",
        AlphaInput::C1 => "c1.a",
        AlphaInput::C2 => "c2.a",
        AlphaInput::Texture => "tex.a",
        AlphaInput::Raster => "ras.a",
        AlphaInput::Konst => "kon.a",
        AlphaInput::Zero | AlphaInput::Unknown(_) => "0",
    }
}

/// The constant colour of a selector, three components; codes that do not exist are black.
pub fn konst_color(code: u8) -> String {
    match code {
        0..=7 => format!("vec3<i32>({})", konst_part(code)),
        12..=15 => format!("tev.konst[{}].rgb", code - 12),
        16..=31 => {
            format!("tev.konst[{}].{}", (code - 16) % 4, ["rrr", "ggg", "bbb", "aaa"][usize::from((code - 16) / 4)])
        }
        _ => "vec3<i32>(0)".into(),
    }
}

pub fn konst_alpha(code: u8) -> String {
    match code {
        0..=7 => konst_part(code).to_string(),
        16..=31 => format!("tev.konst[{}].{}", (code - 16) % 4, ["r", "g", "b", "a"][usize::from((code - 16) / 4)]),
        _ => "0".into(),
    }
}

fn konst_part(code: u8) -> u8 {
    [255, 223, 191, 159, 128, 96, 64, 32][usize::from(code & 7)]
}

/// One side of a stage: its type in WGSL, the names of its inputs.
struct Side<'a, I> {
    combiner: &'a Combiner<I>,
    /// `vec3<i32>` or `i32`.
    kind: &'static str,
    /// For names: `c` or `a`.
    prefix: char,
    input: fn(I) -> &'static str,
}

impl<I: Copy> Side<'_, I> {
    fn write(&self, out: &mut String) {
        let Self { combiner, kind, prefix, input } = self;
        let names = ["a", "b", "c", "d"];
        for (name, code) in names.into_iter().zip(combiner.inputs) {
            let value = input(code);
            // Only D keeps its sign.
            let value = if name == "d" { value.to_owned() } else { format!("({value}) & {kind}(255)") };
            let _ = writeln!(out, "        let {prefix}{name} = {value};");
        }
        let value = if combiner.op.compares() { self.comparison() } else { self.sum() };
        let (low, high) = if combiner.clamp { (0, 255) } else { (-1024, 1023) };
        let _ = writeln!(out, "        let {prefix}r = clamp({value}, {kind}({low}), {kind}({high}));");
    }

    fn sum(&self) -> String {
        let (p, kind) = (self.prefix, self.kind);
        let subtracts = self.combiner.op == CombineOp::Subtract;
        let bias = match self.combiner.bias {
            CombineBias::AddHalf => 128,
            CombineBias::SubtractHalf => -128,
            CombineBias::Zero | CombineBias::Unknown(_) => 0,
        };
        let shifted = |value: String, by: u32, right: bool| match (by, right, kind) {
            (0, ..) => value,
            (_, false, "i32") => format!("({value} << {by}u)"),
            (_, true, "i32") => format!("({value} >> {by}u)"),
            (_, false, _) => format!("({value} << vec3<u32>({by}u))"),
            (_, true, _) => format!("({value} >> vec3<u32>({by}u))"),
        };
        let halves = self.combiner.scale == CombineScale::Half;
        let scale = match self.combiner.scale {
            CombineScale::Two => 1,
            CombineScale::Four => 2,
            CombineScale::One | CombineScale::Half | CombineScale::Unknown(_) => 0,
        };
        let round = match (halves, subtracts) {
            (true, _) => 0,
            (false, false) => 128,
            (false, true) => 127,
        };
        let carry = shifted(format!("{p}c"), 7, true);
        let start = shifted(format!("{p}a"), 8, false);
        let mixed = shifted(format!("({start} + ({p}b - {p}a) * ({p}c + {carry}))"), scale, false);
        let lerp = shifted(format!("({mixed} + {kind}({round}))"), 8, true);
        let base = shifted(format!("({p}d + {kind}({bias}))"), scale, false);
        let sign = if subtracts { '-' } else { '+' };
        shifted(format!("({base} {sign} {lerp})"), u32::from(halves), true)
    }

    fn comparison(&self) -> String {
        let (p, kind, op) = (self.prefix, self.kind, self.combiner.op);
        let relation = if op.asks_for_equality() { "==" } else { ">" };
        // The alpha side compares what the colour side compares, but for the last pair.
        let number = |v: &str| match op {
            CombineOp::RedGreater | CombineOp::RedEqual => format!("{v}.r"),
            CombineOp::GreenRedGreater | CombineOp::GreenRedEqual => format!("(({v}.g << 8u) | {v}.r)"),
            CombineOp::BlueGreenRedGreater | CombineOp::BlueGreenRedEqual => {
                format!("(({v}.b << 16u) | ({v}.g << 8u) | {v}.r)")
            }
            _ => format!("{p}{}", &v[1..]),
        };
        let (a, b) = (number("ca"), number("cb"));
        format!("{p}d + select({kind}(0), {p}c, {a} {relation} {b})")
    }
}

/// A stage's arithmetic; what it reads is in scope.
pub fn write_stage(out: &mut String, stage: &TevStage) {
    Side { combiner: &stage.color, kind: "vec3<i32>", prefix: 'c', input: color_input }.write(out);
    Side { combiner: &stage.alpha, kind: "i32", prefix: 'a', input: alpha_input }.write(out);
    // Everything is read before anything is written.
    let [color, alpha] = [stage.color.destination, stage.alpha.destination].map(|to| REGISTERS[to.index()]);
    let _ = writeln!(out, "        {color} = vec4<i32>(cr, {color}.a);");
    let _ = writeln!(out, "        {alpha}.a = ar;");
}

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
pub fn write_indirect_stage(out: &mut String, key: &ProgramKey, index: usize, stage: &TevStage) {
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
