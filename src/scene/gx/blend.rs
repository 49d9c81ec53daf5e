use super::{BlendFactor, BlendKind, BlendMode, LogicOp};

impl BlendMode {
    /// What a pixel becomes where `source` is drawn over `destination`; alpha by the same rule as colour
    /// (formats/j3d-materials.md §8.6a).
    pub fn apply(&self, source: [u8; 4], destination: [u8; 4]) -> [u8; 4] {
        let mut out = source;
        let [_, _, _, source_alpha] = source;
        let [_, _, _, destination_alpha] = destination;
        for ((out, s), d) in out.iter_mut().zip(source).zip(destination) {
            let alphas = (source_alpha, destination_alpha);
            *out = match self.kind {
                BlendKind::Blend => {
                    let sum = f32::from(s) * factor(self.source, d, alphas)
                        + f32::from(d) * factor(self.destination, s, alphas);
                    sum.round_ties_even().clamp(0.0, 255.0) as u8
                }
                BlendKind::Logic => logic(self.logic, s, d),
                BlendKind::Subtract => d.saturating_sub(s),
                BlendKind::None | BlendKind::Unknown(_) => s,
            };
        }
        out
    }
}

/// A factor, 0..1; `other` is the component of the other side.
fn factor(factor: BlendFactor, other: u8, (source_alpha, destination_alpha): (u8, u8)) -> f32 {
    let part = |value: u8| f32::from(value) / 255.0;
    match factor {
        BlendFactor::Zero => 0.0,
        BlendFactor::One => 1.0,
        BlendFactor::OtherColor => part(other),
        BlendFactor::InverseOtherColor => 1.0 - part(other),
        BlendFactor::SourceAlpha => part(source_alpha),
        BlendFactor::InverseSourceAlpha => 1.0 - part(source_alpha),
        BlendFactor::DestinationAlpha => part(destination_alpha),
        BlendFactor::InverseDestinationAlpha | BlendFactor::Unknown(_) => 1.0 - part(destination_alpha),
    }
}

fn logic(op: LogicOp, s: u8, d: u8) -> u8 {
    match op {
        LogicOp::Clear => 0,
        LogicOp::And => s & d,
        LogicOp::ReverseAnd => s & !d,
        LogicOp::Copy => s,
        LogicOp::InverseAnd => !s & d,
        LogicOp::Noop => d,
        LogicOp::Xor => s ^ d,
        LogicOp::Or => s | d,
        LogicOp::Nor => !(s | d),
        LogicOp::Equivalent => !(s ^ d),
        LogicOp::Inverse => !d,
        LogicOp::ReverseOr => s | !d,
        LogicOp::InverseCopy => !s,
        LogicOp::InverseOr => !s | d,
        LogicOp::Nand => !(s & d),
        LogicOp::Set | LogicOp::Unknown(_) => 255,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: [u8; 4] = [100, 200, 50, 51];
    const D: [u8; 4] = [10, 150, 255, 204];

    fn mode(kind: u8, source: u8, destination: u8, logic: u8) -> [u8; 4] {
        let (source, destination) = (source.into(), destination.into());
        BlendMode { kind: kind.into(), source, destination, logic: logic.into() }.apply(S, D)
    }

    #[test]
    fn factors() {
        assert_eq!(mode(0, 0, 1, 5), S);
        assert_eq!(mode(1, 1, 0, 5), S);
        assert_eq!(mode(1, 0, 1, 5), D);
        assert_eq!(mode(1, 1, 1, 5), [110, 255, 255, 255]);
        // Times destination: 1000/255 = 3.92, 117.6, 50, 40.8; by 1 − it: 96.08, 82.4, 0, 10.2.
        assert_eq!(mode(1, 2, 0, 5), [4, 118, 50, 41]);
        assert_eq!(mode(1, 3, 0, 5), [96, 82, 0, 10]);
        // Times source: 3.92, 117.6, 50, 40.8; by 1 − it: 6.08, 32.4, 205, 163.2.
        assert_eq!(mode(1, 0, 2, 5), [4, 118, 50, 41]);
        assert_eq!(mode(1, 0, 3, 5), [6, 32, 205, 163]);
        // By the source's alpha 0.2 and 0.8: 20 + 8, 40 + 120, 10 + 204, 10.2 + 163.2.
        assert_eq!(mode(1, 4, 5, 5), [28, 160, 214, 173]);
        // By the destination's alpha 0.8 and 0.2: 80 + 2, 160 + 30, 40 + 51, 40.8 + 40.8.
        assert_eq!(mode(1, 6, 7, 5), [82, 190, 91, 82]);
        assert_eq!(mode(1, 7, 6, 5), [28, 160, 214, 173]);
        assert_eq!(mode(1, 5, 4, 5), [82, 190, 91, 82]);
    }

    #[test]
    fn subtract() {
        assert_eq!(mode(3, 4, 5, 3), [0, 0, 205, 153]);
    }

    #[test]
    fn logic_ops() {
        // By truth table: bit of the result for (s, d) = (1, 1), (1, 0), (0, 1), (0, 0).
        let table = [
            0b0000, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110, 0b0001, 0b1001, 0b0101, 0b1101, 0b0011,
            0b1011, 0b0111, 0b1111,
        ];
        for (op, bits) in (0u8..).zip(table) {
            let modes = BlendMode {
                kind: BlendKind::Logic,
                source: BlendFactor::Zero,
                destination: BlendFactor::Zero,
                logic: op.into(),
            };
            assert_eq!(modes.apply([0b1100; 4], [0b1010; 4])[0] & 0b1111, bits, "{op}");
        }
    }
}
