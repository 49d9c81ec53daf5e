//! Combiner stages as formulas that people read: `PREV.rgb = clamp((TEX0.rgb × RAS0.rgb) × 2)`. What is multiplied by zero or by
//! one is left out; swap tables are written as the channels they pick.

use super::{ColorCombiner, TevMaterial, TevStage};

/// A formula in pieces, so that each can be told apart by its looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    pub pieces: Vec<Piece>,
}

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub kind: PieceKind,
}

/// What a piece stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Signs, parentheses, numbers.
    Plain,
    /// What the stage before left.
    Previous,
    /// C0 to C2.
    Register(u8),
    /// K0 to K3.
    Konst(u8),
    /// A texture-map slot.
    Texture(u8),
    /// A colour channel.
    Raster(u8),
}

impl std::fmt::Display for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

/// The colour side of a stage.
pub fn color(material: &TevMaterial, stage: &TevStage) -> Formula {
    let side = Side { material, stage, is_color: true };
    side.formula(&stage.color)
}

/// The alpha side of a stage.
pub fn alpha(material: &TevMaterial, stage: &TevStage) -> Formula {
    let side = Side { material, stage, is_color: false };
    side.formula(&stage.alpha)
}

/// The channels of what a stage reads.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Zero,
    One,
    Number(&'static str),
    /// A name and one letter a channel: red, green and blue, or alpha alone.
    Part {
        name: String,
        channels: String,
        kind: PieceKind,
    },
    /// A code without a meaning.
    Unknown(u8),
}

impl Term {
    fn part(name: impl Into<String>, channels: impl Into<String>, kind: PieceKind) -> Self {
        Self::Part { name: name.into(), channels: channels.into(), kind }
    }

    fn piece(&self) -> Piece {
        self.channels_piece(|channels| channels.to_owned())
    }

    /// Some channels alone, by their places.
    fn picked(&self, places: &[usize]) -> Piece {
        self.channels_piece(|channels| places.iter().filter_map(|place| channels.chars().nth(*place)).collect())
    }

    fn channels_piece(&self, pick: impl Fn(&str) -> String) -> Piece {
        let plain = |text: String| Piece { text, kind: PieceKind::Plain };
        match self {
            Self::Zero => plain("0".to_owned()),
            Self::One => plain("1".to_owned()),
            Self::Number(number) => plain((*number).to_owned()),
            Self::Part { name, channels, kind } => Piece { text: format!("{name}.{}", pick(channels)), kind: *kind },
            Self::Unknown(code) => plain(format!("?{code}")),
        }
    }
}

/// One side of a stage.
struct Side<'a> {
    material: &'a TevMaterial,
    stage: &'a TevStage,
    is_color: bool,
}

impl Side<'_> {
    /// `letter` once for alpha, thrice for colours.
    fn spread(&self, letter: char) -> String {
        if self.is_color { [letter; 3].iter().collect() } else { letter.to_string() }
    }

    /// What a channel of a swap table's input comes from.
    fn swapped(&self, table: u8, channels: &[usize]) -> String {
        let table = self.material.swap_tables.get(usize::from(table)).copied().unwrap_or([0, 1, 2, 3]);
        let letter = |channel: &usize| {
            let source = table.get(*channel).copied().unwrap_or(0);
            "rgba".chars().nth(usize::from(source)).unwrap_or('?')
        };
        channels.iter().map(letter).collect()
    }

    fn texture(&self, alpha: bool) -> Term {
        let Some(map) = self.stage.texture else { return Term::One };
        let letters = self.swapped(self.stage.texture_swap, if alpha { &[3] } else { &[0, 1, 2] });
        self.sampled(format!("TEX{map}"), letters, PieceKind::Texture(map))
    }

    fn raster(&self, alpha: bool) -> Term {
        let (name, kind) = match self.stage.channel {
            0 | 2 | 4 => ("RAS0", PieceKind::Raster(0)),
            1 | 3 | 5 => ("RAS1", PieceKind::Raster(1)),
            7 => ("BUMP", PieceKind::Plain),
            8 => ("BUMPN", PieceKind::Plain),
            _ => return Term::Zero,
        };
        let letters = self.swapped(self.stage.raster_swap, if alpha { &[3] } else { &[0, 1, 2] });
        self.sampled(name.to_owned(), letters, kind)
    }

    fn sampled(&self, name: String, letters: String, kind: PieceKind) -> Term {
        let mut all = letters.chars();
        match (all.next(), all.next()) {
            (Some(letter), None) => Term::Part { name, channels: self.spread(letter), kind },
            _ => Term::Part { name, channels: letters, kind },
        }
    }

    fn konst(&self) -> Term {
        let code = if self.is_color { self.stage.konst_color } else { self.stage.konst_alpha };
        const FRACTIONS: [&str; 8] = ["1", "7/8", "3/4", "5/8", "1/2", "3/8", "1/4", "1/8"];
        let (name, part) = match code {
            0 => return Term::One,
            1..=7 => return FRACTIONS.get(usize::from(code)).map_or(Term::Unknown(code), |f| Term::Number(f)),
            12..=15 if self.is_color => (code.wrapping_sub(12), None),
            16..=31 => (code.wrapping_sub(16) % 4, "rgba".chars().nth(usize::from(code.wrapping_sub(16) / 4))),
            _ => return Term::Unknown(code),
        };
        let channels = part.map_or_else(|| "rgb".to_owned(), |letter| self.spread(letter));
        Term::part(format!("K{name}"), channels, PieceKind::Konst(name))
    }

    fn input(&self, code: u8) -> Term {
        let register = |index: u8, channels: String| match index {
            0 => Term::part("PREV", channels, PieceKind::Previous),
            index => {
                let index = index.wrapping_sub(1);
                Term::part(format!("C{index}"), channels, PieceKind::Register(index))
            }
        };
        if self.is_color {
            match code {
                0..=7 if code.is_multiple_of(2) => register(code / 2, "rgb".to_owned()),
                0..=7 => register(code / 2, "aaa".to_owned()),
                8 | 9 => self.texture(code == 9),
                10 | 11 => self.raster(code == 11),
                12 => Term::One,
                13 => Term::Number("1/2"),
                14 => self.konst(),
                15 => Term::Zero,
                _ => Term::Unknown(code),
            }
        } else {
            match code {
                0..=3 => register(code, "a".to_owned()),
                4 => self.texture(true),
                5 => self.raster(true),
                6 => self.konst(),
                7 => Term::Zero,
                _ => Term::Unknown(code),
            }
        }
    }

    fn formula(&self, combiner: &ColorCombiner) -> Formula {
        let [a, b, c, d] = combiner.inputs.map(|code| self.input(code));
        let mut f = Writer::default();
        let (name, kind) = match combiner.destination {
            0 => ("PREV".to_owned(), PieceKind::Previous),
            1..=3 => {
                let index = combiner.destination.wrapping_sub(1);
                (format!("C{index}"), PieceKind::Register(index))
            }
            code => (format!("?{code}"), PieceKind::Plain),
        };
        f.piece(Piece { text: format!("{name}.{}", if self.is_color { "rgb" } else { "a" }), kind });
        f.text(" = ");
        if combiner.clamp {
            f.text("clamp(");
        }
        if combiner.op >= 8 {
            self.compare(&mut f, combiner.op, a, b, &c, &d)
        } else {
            arithmetic(&mut f, combiner, a, b, c, d)
        }
        if combiner.clamp {
            f.text(")");
        }
        f.0
    }

    /// `D + (A > B ? C : 0)`.
    fn compare(&self, f: &mut Writer, op: u8, mut a: Term, mut b: Term, c: &Term, d: &Term) {
        let places: &[usize] = match op {
            8 | 9 => &[0],
            10 | 11 => &[1, 0],
            12 | 13 => &[2, 1, 0],
            _ if self.is_color => &[0, 1, 2],
            _ => &[0],
        };
        // Up to 13 the alpha side compares what the colour side has in A and B.
        if op < 14 && !self.is_color {
            let color = Side { is_color: true, ..*self };
            let [color_a, color_b, ..] = self.stage.color.inputs;
            (a, b) = (color.input(color_a), color.input(color_b));
        }
        if *d != Term::Zero {
            f.term(d);
            f.text(" + (");
        }
        f.piece(a.picked(places));
        f.text(if op.is_multiple_of(2) { " > " } else { " = " });
        f.piece(b.picked(places));
        f.text(" ? ");
        f.term(c);
        f.text(" : 0");
        if *d != Term::Zero {
            f.text(")");
        }
    }
}

/// `(D + bias ± (A × (1 − C) + B × C)) × scale`, without what does nothing.
fn arithmetic(f: &mut Writer, combiner: &ColorCombiner, a: Term, b: Term, c: Term, d: Term) {
    let subtracts = combiner.op % 2 == 1;
    let bias = match combiner.bias {
        1 => " + 1/2",
        2 => " − 1/2",
        _ => "",
    };
    let scale = match combiner.scale {
        1 => " × 2",
        2 => " × 4",
        3 => " ÷ 2",
        _ => "",
    };
    let mut mixed = Writer::default();
    let parts = mix(&mut mixed, a, b, c);
    let has_d = d != Term::Zero;
    // One thing alone needs no parentheses before the scale.
    let count = usize::from(has_d).saturating_add(usize::from(!bias.is_empty())).saturating_add(parts);
    let wrapped = !scale.is_empty() && (count > 1 || parts == 1 && mixed.0.pieces.len() > 1);
    if wrapped {
        f.text("(");
    }
    if has_d || parts == 0 {
        f.term(&d);
        f.text(bias);
    }
    if parts > 0 {
        match (has_d, subtracts) {
            (true, true) => f.text(" − "),
            (true, false) => f.text(" + "),
            (false, true) => f.text("−"),
            (false, false) => {}
        }
        let inside = subtracts && parts > 1;
        if inside {
            f.text("(");
        }
        f.0.pieces.extend(mixed.0.pieces);
        if inside {
            f.text(")");
        }
        if !has_d {
            f.text(bias);
        }
    }
    if wrapped {
        f.text(")");
    }
    f.text(scale);
}

/// `A × (1 − C) + B × C`, and how many parts the sum has.
fn mix(f: &mut Writer, a: Term, b: Term, c: Term) -> usize {
    match (&a, &b, &c) {
        (Term::Zero, Term::Zero, _) | (Term::Zero, _, Term::Zero) | (_, Term::Zero, Term::One) => 0,
        (_, _, Term::Zero) => {
            f.term(&a);
            1
        }
        (_, _, Term::One) => {
            f.term(&b);
            1
        }
        (Term::Zero, Term::One, _) => {
            f.term(&c);
            1
        }
        (Term::Zero, _, _) => {
            f.term(&b);
            f.text(" × ");
            f.term(&c);
            1
        }
        (Term::One, Term::Zero, _) => {
            f.text("1 − ");
            f.term(&c);
            2
        }
        (_, Term::Zero, _) => {
            f.term(&a);
            f.text(" × (1 − ");
            f.term(&c);
            f.text(")");
            1
        }
        _ if a == b => {
            f.term(&a);
            1
        }
        _ => {
            f.text("mix(");
            f.term(&a);
            f.text(", ");
            f.term(&b);
            f.text(", ");
            f.term(&c);
            f.text(")");
            1
        }
    }
}

/// Collects pieces; plain ones side by side become one.
#[derive(Default)]
struct Writer(Formula);

impl Writer {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.piece(Piece { text: text.to_owned(), kind: PieceKind::Plain });
    }

    fn term(&mut self, term: &Term) {
        self.piece(term.piece());
    }

    fn piece(&mut self, piece: Piece) {
        match self.0.pieces.last_mut() {
            Some(last) if last.kind == PieceKind::Plain && piece.kind == PieceKind::Plain => {
                last.text.push_str(&piece.text)
            }
            _ => self.0.pieces.push(piece),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combiner(inputs: [u8; 4]) -> ColorCombiner {
        ColorCombiner { inputs, op: 0, bias: 0, scale: 0, clamp: true, destination: 0 }
    }

    /// A stage of texture 0 and channel 0.
    fn stage(color: ColorCombiner, alpha: ColorCombiner) -> TevStage {
        TevStage { color, alpha, tex_coord: Some(0), texture: Some(0), channel: 4, ..TevStage::default() }
    }

    fn colors(change: impl Fn(&mut TevStage, &mut TevMaterial)) -> String {
        let mut stage = stage(combiner([15; 4]), combiner([7; 4]));
        let mut material = TevMaterial::default();
        change(&mut stage, &mut material);
        color(&material, &stage).to_string()
    }

    #[test]
    fn what_does_nothing_is_left_out() {
        let of = |inputs| colors(|stage, _| stage.color.inputs = inputs);
        assert_eq!(of([15, 15, 15, 15]), "PREV.rgb = clamp(0)");
        assert_eq!(of([15, 8, 10, 15]), "PREV.rgb = clamp(TEX0.rgb × RAS0.rgb)");
        assert_eq!(of([8, 15, 10, 15]), "PREV.rgb = clamp(TEX0.rgb × (1 − RAS0.rgb))");
        assert_eq!(of([12, 15, 10, 15]), "PREV.rgb = clamp(1 − RAS0.rgb)");
        assert_eq!(of([15, 12, 10, 15]), "PREV.rgb = clamp(RAS0.rgb)");
        assert_eq!(of([8, 10, 12, 15]), "PREV.rgb = clamp(RAS0.rgb)");
        assert_eq!(of([8, 10, 15, 15]), "PREV.rgb = clamp(TEX0.rgb)");
        assert_eq!(of([10, 15, 15, 0]), "PREV.rgb = clamp(PREV.rgb + RAS0.rgb)");
        assert_eq!(of([2, 4, 8, 15]), "PREV.rgb = clamp(mix(C0.rgb, C1.rgb, TEX0.rgb))");
        assert_eq!(of([2, 2, 8, 15]), "PREV.rgb = clamp(C0.rgb)");
        assert_eq!(of([3, 15, 13, 9]), "PREV.rgb = clamp(TEX0.aaa + C0.aaa × (1 − 1/2))");
    }

    #[test]
    fn bias_scale_sign_clamp_and_destination_are_written() {
        let of = |op, bias, scale, clamp| {
            colors(|stage, _| {
                stage.color = ColorCombiner { inputs: [15, 8, 10, 0], op, bias, scale, clamp, destination: 2 };
            })
        };
        assert_eq!(of(0, 0, 1, true), "C1.rgb = clamp((PREV.rgb + TEX0.rgb × RAS0.rgb) × 2)");
        assert_eq!(of(1, 2, 0, false), "C1.rgb = PREV.rgb − 1/2 − TEX0.rgb × RAS0.rgb");
        assert_eq!(of(0, 1, 3, false), "C1.rgb = (PREV.rgb + 1/2 + TEX0.rgb × RAS0.rgb) ÷ 2");
        let scaled = colors(|stage, _| stage.color = ColorCombiner { scale: 1, ..combiner([15, 8, 10, 15]) });
        assert_eq!(scaled, "PREV.rgb = clamp((TEX0.rgb × RAS0.rgb) × 2)");
        let alone = colors(|stage, _| stage.color = ColorCombiner { scale: 2, ..combiner([15, 15, 15, 8]) });
        assert_eq!(alone, "PREV.rgb = clamp(TEX0.rgb × 4)");
        let negative = colors(|stage, _| stage.color = ColorCombiner { op: 1, bias: 1, ..combiner([8, 15, 15, 15]) });
        assert_eq!(negative, "PREV.rgb = clamp(−TEX0.rgb + 1/2)");
    }

    #[test]
    fn constants_are_named_and_swaps_are_the_channels_they_pick() {
        let konst = |code| {
            colors(|stage, _| {
                stage.color.inputs = [15, 14, 8, 15];
                stage.konst_color = code;
            })
        };
        assert_eq!(konst(0), "PREV.rgb = clamp(TEX0.rgb)");
        assert_eq!(konst(4), "PREV.rgb = clamp(1/2 × TEX0.rgb)");
        assert_eq!(konst(13), "PREV.rgb = clamp(K1.rgb × TEX0.rgb)");
        assert_eq!(konst(18), "PREV.rgb = clamp(K2.rrr × TEX0.rgb)");
        assert_eq!(konst(31), "PREV.rgb = clamp(K3.aaa × TEX0.rgb)");
        assert_eq!(konst(9), "PREV.rgb = clamp(?9 × TEX0.rgb)");
        let swapped = colors(|stage, material| {
            stage.color.inputs = [15, 8, 11, 9];
            stage.texture_swap = 1;
            stage.raster_swap = 2;
            material.swap_tables[1] = [0, 0, 0, 1];
            material.swap_tables[2] = [3, 3, 3, 2];
        });
        assert_eq!(swapped, "PREV.rgb = clamp(TEX0.ggg + TEX0.rrr × RAS0.bbb)");
    }

    #[test]
    fn what_is_not_there_is_what_the_chip_reads() {
        let of = |texture, channel| {
            colors(|stage, _| {
                (stage.texture, stage.channel) = (texture, channel);
                stage.color.inputs = [15, 8, 10, 0];
            })
        };
        assert_eq!(of(None, 5), "PREV.rgb = clamp(PREV.rgb + RAS1.rgb)");
        assert_eq!(of(Some(3), 0xFF), "PREV.rgb = clamp(PREV.rgb)");
        assert_eq!(of(Some(3), 7), "PREV.rgb = clamp(PREV.rgb + TEX3.rgb × BUMP.rgb)");
    }

    #[test]
    fn comparisons_name_the_channels_they_compare() {
        let of = |op| {
            let material = TevMaterial::default();
            let color_side = ColorCombiner { op, ..combiner([8, 2, 14, 0]) };
            let alpha_side = ColorCombiner { op, ..combiner([4, 1, 6, 0]) };
            let stage = stage(color_side, alpha_side);
            (color(&material, &stage).to_string(), alpha(&material, &stage).to_string())
        };
        let (color_8, alpha_8) = of(8);
        assert_eq!(color_8, "PREV.rgb = clamp(PREV.rgb + (TEX0.r > C0.r ? K0.rgb : 0))");
        assert_eq!(alpha_8, "PREV.a = clamp(PREV.a + (TEX0.r > C0.r ? K0.a : 0))");
        assert_eq!(of(11).0, "PREV.rgb = clamp(PREV.rgb + (TEX0.gr = C0.gr ? K0.rgb : 0))");
        assert_eq!(of(12).1, "PREV.a = clamp(PREV.a + (TEX0.bgr > C0.bgr ? K0.a : 0))");
        let (color_14, alpha_14) = of(14);
        assert_eq!(color_14, "PREV.rgb = clamp(PREV.rgb + (TEX0.rgb > C0.rgb ? K0.rgb : 0))");
        assert_eq!(alpha_14, "PREV.a = clamp(PREV.a + (TEX0.a > C0.a ? K0.a : 0))");
    }

    #[test]
    fn pieces_say_what_they_stand_for() {
        let mut one = stage(combiner([15, 14, 8, 2]), combiner([7; 4]));
        one.konst_color = 14;
        let formula = color(&TevMaterial::default(), &one);
        let kinds: Vec<PieceKind> = formula.pieces.iter().map(|p| p.kind).filter(|k| *k != PieceKind::Plain).collect();
        assert_eq!(kinds, [PieceKind::Previous, PieceKind::Register(0), PieceKind::Konst(2), PieceKind::Texture(0)]);
    }
}
