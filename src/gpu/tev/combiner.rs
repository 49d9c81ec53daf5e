//! The combiner's stages as WGSL, in integers (formats/j3d.md §8.4). Values live in `prev`, `c0`, `c1`, `c2` (`vec4<i32>`);
//! a stage's texture, raster and constant colours in `tex`, `ras`, `kon`.

use crate::scene::gx::{ColorCombiner, TevStage};
use std::fmt::Write;

pub const REGISTERS: [&str; 4] = ["prev", "c0", "c1", "c2"];

/// A colour input, three components.
fn color_input(code: u8) -> &'static str {
    match code {
        0 => "prev.rgb",
        1 => "prev.aaa",
        2 => "c0.rgb",
        3 => "c0.aaa",
        4 => "c1.rgb",
        5 => "c1.aaa",
        6 => "c2.rgb",
        7 => "c2.aaa",
        8 => "tex.rgb",
        9 => "tex.aaa",
        10 => "ras.rgb",
        11 => "ras.aaa",
        12 => "vec3<i32>(255)",
        13 => "vec3<i32>(128)",
        14 => "kon.rgb",
        _ => "vec3<i32>(0)",
    }
}

fn alpha_input(code: u8) -> &'static str {
    match code {
        0 => "prev.a",
        1 => "c0.a",
        2 => "c1.a",
        3 => "c2.a",
        4 => "tex.a",
        5 => "ras.a",
        6 => "kon.a",
        _ => "0",
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
struct Side<'a> {
    combiner: &'a ColorCombiner,
    /// `vec3<i32>` or `i32`.
    kind: &'static str,
    /// For names: `c` or `a`.
    prefix: char,
    input: fn(u8) -> &'static str,
}

impl Side<'_> {
    fn write(&self, out: &mut String) {
        let Self { combiner, kind, prefix, input } = self;
        let names = ["a", "b", "c", "d"];
        for (name, code) in names.into_iter().zip(combiner.inputs) {
            let value = input(code);
            // Only D keeps its sign.
            let value = if name == "d" { value.to_owned() } else { format!("({value}) & {kind}(255)") };
            let _ = writeln!(out, "        let {prefix}{name} = {value};");
        }
        let value = match combiner.op {
            8..=15 => self.comparison(),
            op => self.sum(op & 1),
        };
        let (low, high) = if combiner.clamp { (0, 255) } else { (-1024, 1023) };
        let _ = writeln!(out, "        let {prefix}r = clamp({value}, {kind}({low}), {kind}({high}));");
    }

    fn sum(&self, op: u8) -> String {
        let (p, kind) = (self.prefix, self.kind);
        let bias = match self.combiner.bias {
            1 => 128,
            2 => -128,
            _ => 0,
        };
        let shifted = |value: String, by: u32, right: bool| match (by, right, kind) {
            (0, ..) => value,
            (_, false, "i32") => format!("({value} << {by}u)"),
            (_, true, "i32") => format!("({value} >> {by}u)"),
            (_, false, _) => format!("({value} << vec3<u32>({by}u))"),
            (_, true, _) => format!("({value} >> vec3<u32>({by}u))"),
        };
        let halves = self.combiner.scale == 3;
        let scale = if halves { 0 } else { u32::from(self.combiner.scale & 3) };
        let round = match (halves, op) {
            (true, _) => 0,
            (false, 0) => 128,
            (false, _) => 127,
        };
        let carry = shifted(format!("{p}c"), 7, true);
        let start = shifted(format!("{p}a"), 8, false);
        let mixed = shifted(format!("({start} + ({p}b - {p}a) * ({p}c + {carry}))"), scale, false);
        let lerp = shifted(format!("({mixed} + {kind}({round}))"), 8, true);
        let base = shifted(format!("({p}d + {kind}({bias}))"), scale, false);
        let sign = if op == 0 { '+' } else { '-' };
        shifted(format!("({base} {sign} {lerp})"), u32::from(halves), true)
    }

    fn comparison(&self) -> String {
        let (p, kind, op) = (self.prefix, self.kind, self.combiner.op);
        let relation = if op & 1 == 0 { ">" } else { "==" };
        // The alpha side compares what the colour side compares, but for the last pair.
        let number = |v: &str| match op {
            8 | 9 => format!("{v}.r"),
            10 | 11 => format!("(({v}.g << 8u) | {v}.r)"),
            12 | 13 => format!("(({v}.b << 16u) | ({v}.g << 8u) | {v}.r)"),
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
    let [color, alpha] = [stage.color, stage.alpha].map(|side| REGISTERS[usize::from(side.destination & 3)]);
    let _ = writeln!(out, "        {color} = vec4<i32>(cr, {color}.a);");
    let _ = writeln!(out, "        {alpha}.a = ar;");
}
