//! What becomes of a combined material's alpha: its test and its blending in the three ways that glTF has.

use crate::scene::gx::{AlphaCompare, BlendFactor as F, BlendKind, BlendMode, CullMode, LogicOp, TevMaterial};

/// How a surface is blended in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Opaque,
    /// Drawn where alpha is at least so much.
    Mask(f32),
    Blend,
}

/// What is made of a colour before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rewrite {
    /// Alpha does not count.
    Opaque,
    Keep,
    /// Alpha is all or nothing, by the test.
    Cut,
    InverseAlpha,
    /// What is added, with the alpha of its brightest component: blending as usual comes near, and `color × alpha` is what is
    /// added. By its own alpha, or as it is.
    Add {
        by_alpha: bool,
    },
    /// Black with the alpha that darkens as much as multiplying would.
    Multiply,
    /// Black with the alpha of its brightness.
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaPlan {
    pub mode: Mode,
    rewrite: Rewrite,
    /// What does not pass is written without alpha.
    compare: Option<AlphaCompare>,
    /// How it is really blended, where glTF has no such way.
    pub blend: Option<&'static str>,
    /// Nothing of it is ever seen.
    pub hidden: bool,
}

impl AlphaPlan {
    /// `alphas`: those that the material has where its meshes show it.
    pub fn of(tev: &TevMaterial, alphas: impl Iterator<Item = u8> + Clone) -> Self {
        let plan =
            |mode, rewrite, blend| Self { mode, rewrite, compare: None, blend, hidden: tev.cull == CullMode::All };
        let passing: Vec<u8> = (0..=255).filter(|alpha| tev.alpha_compare.passes(*alpha)).collect();
        let Some(least) = passing.first().copied() else {
            return Self { hidden: true, ..plan(Mode::Mask(0.5), Rewrite::Cut, None) };
        };
        let tests = passing.len() < 256;
        let is_threshold = passing.len() == 256 - usize::from(least);
        let mask = match (tests, is_threshold) {
            (false, _) => plan(Mode::Opaque, Rewrite::Opaque, None),
            // Half a step below: so what is rounded still passes, and 128 of 255 is one half.
            (true, true) => plan(Mode::Mask((f32::from(least) - 0.5) / 255.0), Rewrite::Keep, None),
            (true, false) => Self { compare: Some(tev.alpha_compare), ..plan(Mode::Mask(0.5), Rewrite::Cut, None) },
        };
        let all_opaque = alphas.clone().all(|alpha| alpha == 255);
        let blended = match kind_of(tev.blend) {
            Kind::Replace => return mask,
            // Alpha is what blending is for: a material that is drawn with the opaque ones uses it for its test.
            Kind::Alpha if !tev.translucent && (tests || all_opaque) => return mask,
            Kind::Alpha => plan(Mode::Blend, Rewrite::Keep, None),
            Kind::Nothing => return Self { hidden: true, ..mask },
            Kind::InverseAlpha => plan(Mode::Blend, Rewrite::InverseAlpha, None),
            Kind::Premultiplied => plan(Mode::Blend, Rewrite::Keep, Some("premultiplied")),
            Kind::Add { by_alpha } => plan(Mode::Blend, Rewrite::Add { by_alpha }, Some("additive")),
            Kind::Screen => plan(Mode::Blend, Rewrite::Add { by_alpha: false }, Some("screen")),
            Kind::Multiply => plan(Mode::Blend, Rewrite::Multiply, Some("multiply")),
            Kind::Subtract => plan(Mode::Blend, Rewrite::Subtract, Some("subtract")),
            Kind::Logic => plan(Mode::Blend, Rewrite::Keep, Some("logic")),
            Kind::Other => plan(Mode::Blend, Rewrite::Keep, Some("other")),
        };
        let fails = alphas.into_iter().any(|alpha| alpha > 0 && !tev.alpha_compare.passes(alpha));
        Self { compare: fails.then_some(tev.alpha_compare), ..blended }
    }

    /// Alpha decides what is seen, or what is written.
    pub fn counts(&self) -> bool {
        let is_lost = matches!(
            self.rewrite,
            Rewrite::Opaque | Rewrite::Add { by_alpha: false } | Rewrite::Multiply | Rewrite::Subtract
        );
        !is_lost || self.compare.is_some()
    }

    /// A factor of the combiner's colour is one of the written colour.
    pub fn keeps_color_factors(&self) -> bool {
        !matches!(self.rewrite, Rewrite::Multiply | Rewrite::Subtract)
    }

    /// A factor of the combiner's alpha is one of the written alpha.
    pub fn keeps_alpha_factors(&self) -> bool {
        matches!(self.rewrite, Rewrite::Keep | Rewrite::Add { by_alpha: true }) && self.compare.is_none()
    }

    /// Colours are written as they are.
    pub fn keeps(&self) -> bool {
        matches!(self.rewrite, Rewrite::Opaque | Rewrite::Keep) && self.compare.is_none()
    }

    /// A colour of the combiner as it is written.
    pub fn written(&self, color: [u8; 4]) -> [u8; 4] {
        let [r, g, b, a] = color;
        let passes = self.compare.is_none_or(|compare| compare.passes(a));
        let brightest = r.max(g).max(b);
        match self.rewrite {
            Rewrite::Opaque => [r, g, b, 255],
            Rewrite::Cut => [r, g, b, if passes { 255 } else { 0 }],
            _ if !passes => [r, g, b, 0],
            Rewrite::Keep => color,
            Rewrite::InverseAlpha => [r, g, b, 255 - a],
            Rewrite::Add { by_alpha } => {
                let share = if by_alpha { f32::from(a) / 255.0 } else { 1.0 };
                let full = |c: u8| if brightest == 0 { 0 } else { (u32::from(c) * 255 / u32::from(brightest)) as u8 };
                [full(r), full(g), full(b), (f32::from(brightest) * share).round() as u8]
            }
            Rewrite::Multiply => [0, 0, 0, 255 - luminance(color)],
            Rewrite::Subtract => [0, 0, 0, luminance(color)],
        }
    }
}

fn luminance([r, g, b, _]: [u8; 4]) -> u8 {
    (0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)).round() as u8
}

enum Kind {
    Replace,
    Nothing,
    Alpha,
    InverseAlpha,
    Premultiplied,
    Add { by_alpha: bool },
    Screen,
    Multiply,
    Subtract,
    Logic,
    Other,
}

fn kind_of(blend: BlendMode) -> Kind {
    match (blend.kind, blend.source, blend.destination) {
        (BlendKind::None | BlendKind::Unknown(_), _, _) | (BlendKind::Blend, F::One, F::Zero) => Kind::Replace,
        (BlendKind::Blend, F::Zero, F::One) => Kind::Nothing,
        (BlendKind::Blend, F::SourceAlpha, F::InverseSourceAlpha) => Kind::Alpha,
        (BlendKind::Blend, F::InverseSourceAlpha, F::SourceAlpha) => Kind::InverseAlpha,
        (BlendKind::Blend, F::One, F::InverseSourceAlpha) => Kind::Premultiplied,
        (BlendKind::Blend, F::SourceAlpha, F::One) => Kind::Add { by_alpha: true },
        (BlendKind::Blend, F::One, F::One) => Kind::Add { by_alpha: false },
        (BlendKind::Blend, F::One, F::InverseOtherColor) => Kind::Screen,
        (BlendKind::Blend, F::Zero, F::OtherColor) | (BlendKind::Blend, F::OtherColor, F::Zero) => Kind::Multiply,
        (BlendKind::Blend, _, _) => Kind::Other,
        (BlendKind::Subtract, _, _) => Kind::Subtract,
        (BlendKind::Logic, _, _) => match blend.logic {
            LogicOp::Copy => Kind::Replace,
            LogicOp::Noop => Kind::Nothing,
            _ => Kind::Logic,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::{AlphaOp, Compare};

    fn test(compare: Compare, reference: u8) -> TevMaterial {
        let alpha_compare =
            AlphaCompare { compare0: compare, reference0: reference, op: AlphaOp::And, ..AlphaCompare::default() };
        let blend = BlendMode { kind: BlendKind::None, ..BlendMode::default() };
        TevMaterial { alpha_compare, blend, ..TevMaterial::default() }
    }

    fn blended(source: F, destination: F) -> TevMaterial {
        let blend = BlendMode { kind: BlendKind::Blend, source, destination, logic: LogicOp::Copy };
        TevMaterial { blend, translucent: true, ..TevMaterial::default() }
    }

    fn plan(tev: &TevMaterial) -> AlphaPlan {
        AlphaPlan::of(tev, [0, 40, 200].into_iter())
    }

    #[test]
    fn cutoffs_are_what_the_test_says() {
        assert_eq!(plan(&test(Compare::GreaterOrEqual, 128)).mode, Mode::Mask(0.5));
        assert_eq!(plan(&test(Compare::Greater, 0)).mode, Mode::Mask(0.5 / 255.0));
        assert_eq!(plan(&test(Compare::Greater, 127)).mode, Mode::Mask(0.5));
        assert_eq!(plan(&test(Compare::GreaterOrEqual, 0)).mode, Mode::Opaque);
        // What passes below: alpha is written by the test.
        let below = plan(&test(Compare::LessOrEqual, 100));
        assert_eq!((below.mode, below.keeps()), (Mode::Mask(0.5), false));
        assert_eq!([below.written([1, 2, 3, 100]), below.written([1, 2, 3, 101])], [[1, 2, 3, 255], [1, 2, 3, 0]]);
        assert!(plan(&test(Compare::Never, 0)).hidden);
    }

    #[test]
    fn ways_of_blending() {
        let usual = plan(&blended(F::SourceAlpha, F::InverseSourceAlpha));
        assert_eq!((usual.mode, usual.blend, usual.keeps()), (Mode::Blend, None, true));
        // Drawn with the opaque ones: only what is less than opaque is blended.
        let early = TevMaterial { translucent: false, ..blended(F::SourceAlpha, F::InverseSourceAlpha) };
        assert_eq!(AlphaPlan::of(&early, [255, 255].into_iter()).mode, Mode::Opaque);
        assert_eq!(AlphaPlan::of(&early, [255, 254].into_iter()).mode, Mode::Blend);
        assert_eq!(plan(&blended(F::One, F::Zero)).mode, Mode::Opaque);
        assert!(plan(&blended(F::Zero, F::One)).hidden);
        let added = plan(&blended(F::One, F::One));
        assert_eq!((added.mode, added.blend), (Mode::Blend, Some("additive")));
        // One + one adds the colour whatever its alpha is; source alpha + one does not.
        assert!(!added.counts() && plan(&blended(F::SourceAlpha, F::One)).counts());
        // 100 and 50 of 100 at full alpha: 255, 127 at 100.
        assert_eq!(added.written([100, 50, 0, 7]), [255, 127, 0, 100]);
        assert_eq!(plan(&blended(F::SourceAlpha, F::One)).written([255, 0, 0, 51]), [255, 0, 0, 51]);
        assert_eq!(plan(&blended(F::Zero, F::OtherColor)).written([255, 255, 255, 9]), [0, 0, 0, 0]);
        assert_eq!(plan(&blended(F::InverseSourceAlpha, F::SourceAlpha)).written([1, 2, 3, 255]), [1, 2, 3, 0]);
    }

    #[test]
    fn blending_and_a_test() {
        let alpha_compare = test(Compare::Greater, 100).alpha_compare;
        let both = TevMaterial { alpha_compare, ..blended(F::SourceAlpha, F::InverseSourceAlpha) };
        let plan = plan(&both);
        assert_eq!((plan.mode, plan.keeps()), (Mode::Blend, false));
        assert_eq!([plan.written([1, 2, 3, 100]), plan.written([1, 2, 3, 101])], [[1, 2, 3, 0], [1, 2, 3, 101]]);
    }
}
