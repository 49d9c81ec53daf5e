//! Combiner stages as formulas that people read: `PREV.rgb = clamp((TEX0.rgb × RAS0.rgb) × 2)`. What is multiplied by zero or by
//! one is left out; swap tables are written as the channels they pick.

use super::{AlphaInput, ColorInput, CombineBias, CombineOp, CombineScale, Combiner, Register, TevMaterial, TevStage};

/// A formula in pieces, so that each can be told apart by its looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// Pieces in reading order; joined, they are the whole formula.
    pub pieces: Vec<Piece>,
}

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Text of the piece.
    pub text: String,
    /// What the text refers to, for its colour.
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
    side.formula(&stage.color, stage.color.inputs.map(|input| side.color_input(input)))
}

/// The alpha side of a stage.
pub fn alpha(material: &TevMaterial, stage: &TevStage) -> Formula {
    let side = Side { material, stage, is_color: false };
    side.formula(&stage.alpha, stage.alpha.inputs.map(|input| side.alpha_input(input)))
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

    fn color_input(&self, input: ColorInput) -> Term {
        match input {
            ColorInput::Previous => register(Register::Previous, "rgb"),
            ColorInput::PreviousAlpha => register(Register::Previous, "aaa"),
            ColorInput::C0 => register(Register::C0, "rgb"),
            ColorInput::C0Alpha => register(Register::C0, "aaa"),
            ColorInput::C1 => register(Register::C1, "rgb"),
            ColorInput::C1Alpha => register(Register::C1, "aaa"),
            ColorInput::C2 => register(Register::C2, "rgb"),
            ColorInput::C2Alpha => register(Register::C2, "aaa"),
            ColorInput::Texture => self.texture(false),
            ColorInput::TextureAlpha => self.texture(true),
            ColorInput::Raster => self.raster(false),
            ColorInput::RasterAlpha => self.raster(true),
            ColorInput::One => Term::One,
            ColorInput::Half => Term::Number("1/2"),
            ColorInput::Konst => self.konst(),
            ColorInput::Zero => Term::Zero,
            ColorInput::Unknown(code) => Term::Unknown(code),
        }
    }

    fn alpha_input(&self, input: AlphaInput) -> Term {
        match input {
            AlphaInput::Previous => register(Register::Previous, "a"),
            AlphaInput::C0 => register(Register::C0, "a"),
            AlphaInput::C1 => register(Register::C1, "a"),
            AlphaInput::C2 => register(Register::C2, "a"),
            AlphaInput::Texture => self.texture(true),
            AlphaInput::Raster => self.raster(true),
            AlphaInput::Konst => self.konst(),
            AlphaInput::Zero => Term::Zero,
            AlphaInput::Unknown(code) => Term::Unknown(code),
        }
    }

    fn formula<I>(&self, combiner: &Combiner<I>, [a, b, c, d]: [Term; 4]) -> Formula {
        let mut f = Writer::default();
        let (name, kind) = match combiner.destination {
            Register::Previous => ("PREV".to_owned(), PieceKind::Previous),
            Register::C0 => ("C0".to_owned(), PieceKind::Register(0)),
            Register::C1 => ("C1".to_owned(), PieceKind::Register(1)),
            Register::C2 => ("C2".to_owned(), PieceKind::Register(2)),
            Register::Unknown(code) => (format!("?{code}"), PieceKind::Plain),
        };
        f.piece(Piece { text: format!("{name}.{}", if self.is_color { "rgb" } else { "a" }), kind });
        f.text(" = ");
        if combiner.clamp {
            f.text("clamp(");
        }
        if combiner.op.compares() {
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
    fn compare(&self, f: &mut Writer, op: CombineOp, mut a: Term, mut b: Term, c: &Term, d: &Term) {
        let places: &[usize] = match op {
            CombineOp::RedGreater | CombineOp::RedEqual => &[0],
            CombineOp::GreenRedGreater | CombineOp::GreenRedEqual => &[1, 0],
            CombineOp::BlueGreenRedGreater | CombineOp::BlueGreenRedEqual => &[2, 1, 0],
            _ if self.is_color => &[0, 1, 2],
            _ => &[0],
        };
        // But for the last pair the alpha side compares what the colour side has in A and B.
        if !matches!(op, CombineOp::EachGreater | CombineOp::EachEqual) && !self.is_color {
            let color = Side { is_color: true, ..*self };
            let [color_a, color_b, ..] = self.stage.color.inputs;
            (a, b) = (color.color_input(color_a), color.color_input(color_b));
        }
        if *d != Term::Zero {
            f.term(d);
            f.text(" + (");
        }
        f.piece(a.picked(places));
        f.text(if op.asks_for_equality() { " = " } else { " > " });
        f.piece(b.picked(places));
        f.text(" ? ");
        f.term(c);
        f.text(" : 0");
        if *d != Term::Zero {
            f.text(")");
        }
    }
}

/// A register with its components.
fn register(register: Register, channels: &str) -> Term {
    let (name, kind) = match register {
        Register::Previous | Register::Unknown(_) => ("PREV", PieceKind::Previous),
        Register::C0 => ("C0", PieceKind::Register(0)),
        Register::C1 => ("C1", PieceKind::Register(1)),
        Register::C2 => ("C2", PieceKind::Register(2)),
    };
    Term::part(name, channels.to_owned(), kind)
}

/// `(D + bias ± (A × (1 − C) + B × C)) × scale`, without what does nothing.
fn arithmetic<I>(f: &mut Writer, combiner: &Combiner<I>, a: Term, b: Term, c: Term, d: Term) {
    let subtracts = combiner.op == CombineOp::Subtract;
    let bias = match combiner.bias {
        CombineBias::AddHalf => " + 1/2",
        CombineBias::SubtractHalf => " − 1/2",
        CombineBias::Zero | CombineBias::Unknown(_) => "",
    };
    let scale = match combiner.scale {
        CombineScale::Two => " × 2",
        CombineScale::Four => " × 4",
        CombineScale::Half => " ÷ 2",
        CombineScale::One | CombineScale::Unknown(_) => "",
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
    use crate::scene::gx::{AlphaCombiner, ColorCombiner};

    fn combiner<I: From<u8>>(inputs: [u8; 4]) -> Combiner<I> {
        Combiner::adding(inputs)
    }

    /// A stage of texture 0 and channel 0.
    fn stage(color: ColorCombiner, alpha: AlphaCombiner) -> TevStage {
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
        let of = |inputs| colors(|stage, _| stage.color = combiner(inputs));
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
                stage.color = Combiner::of_codes([15, 8, 10, 0], [op, bias, scale], clamp, 2);
            })
        };
        assert_eq!(of(0, 0, 1, true), "C1.rgb = clamp((PREV.rgb + TEX0.rgb × RAS0.rgb) × 2)");
        assert_eq!(of(1, 2, 0, false), "C1.rgb = PREV.rgb − 1/2 − TEX0.rgb × RAS0.rgb");
        assert_eq!(of(0, 1, 3, false), "C1.rgb = (PREV.rgb + 1/2 + TEX0.rgb × RAS0.rgb) ÷ 2");
        let scaled = colors(|stage, _| stage.color = Combiner::of_codes([15, 8, 10, 15], [0, 0, 1], true, 0));
        assert_eq!(scaled, "PREV.rgb = clamp((TEX0.rgb × RAS0.rgb) × 2)");
        let alone = colors(|stage, _| stage.color = Combiner::of_codes([15, 15, 15, 8], [0, 0, 2], true, 0));
        assert_eq!(alone, "PREV.rgb = clamp(TEX0.rgb × 4)");
        let negative = colors(|stage, _| stage.color = Combiner::of_codes([8, 15, 15, 15], [1, 1, 0], true, 0));
        assert_eq!(negative, "PREV.rgb = clamp(−TEX0.rgb + 1/2)");
    }

    #[test]
    fn constants_are_named_and_swaps_are_the_channels_they_pick() {
        let konst = |code| {
            colors(|stage, _| {
                stage.color = combiner([15, 14, 8, 15]);
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
            stage.color = combiner([15, 8, 11, 9]);
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
                stage.color = combiner([15, 8, 10, 0]);
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
            let color_side = Combiner::of_codes([8, 2, 14, 0], [op, 0, 0], true, 0);
            let alpha_side = Combiner::of_codes([4, 1, 6, 0], [op, 0, 0], true, 0);
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
