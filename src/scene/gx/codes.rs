//! What the chip's codes stand for. A code that it does not have is kept as it is, so that a file is written as it was read.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $code:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$about])* $variant,)*
            /// A code that the chip does not have.
            Unknown(u8),
        }

        impl From<u8> for $name {
            fn from(code: u8) -> Self {
                match code {
                    $($code => Self::$variant,)*
                    _ => Self::Unknown(code),
                }
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$variant => $code,)*
                    $name::Unknown(code) => code,
                }
            }
        }
    )*};
}

codes! {
    /// Which faces are left out; front faces are counter-clockwise here, as everywhere in the scene.
    CullMode {
        None = 0,
        Front = 1,
        Back = 2,
        All = 3,
    }

    /// How a lamp's light depends on the angle to the surface; a code that the chip does not have counts as none.
    Diffuse {
        None = 0,
        /// A lamp behind the surface takes light away.
        Signed = 1,
        /// A lamp behind the surface does nothing.
        Clamped = 2,
    }

    /// How a lamp's light depends on where it is; a code that the chip does not have counts as a spot.
    Attenuation {
        /// By the angle to the half vector; the diffuse function does not count.
        Specular = 0,
        /// By distance and by the angle to the lamp's direction.
        Spot = 1,
        None = 2,
        /// What the chip does as with [`Attenuation::Spot`].
        SpotAgain = 3,
    }

    /// How two numbers are compared; a code that the chip does not have always holds.
    Compare {
        Never = 0,
        Less = 1,
        Equal = 2,
        LessOrEqual = 3,
        Greater = 4,
        NotEqual = 5,
        GreaterOrEqual = 6,
        Always = 7,
    }

    /// How the two comparisons of an alpha test make one.
    AlphaOp {
        And = 0,
        Or = 1,
        Xor = 2,
        Xnor = 3,
    }

    /// How a pixel combines with what lies behind it.
    BlendKind {
        /// It takes its place.
        None = 0,
        /// Both are multiplied by a factor and added.
        Blend = 1,
        /// Their bits are combined.
        Logic = 2,
        /// It is taken away from what lies behind.
        Subtract = 3,
    }

    /// What a side of the blending is multiplied by.
    BlendFactor {
        Zero = 0,
        One = 1,
        /// The colour of the other side: the destination's for the source, the source's for the destination.
        OtherColor = 2,
        InverseOtherColor = 3,
        SourceAlpha = 4,
        InverseSourceAlpha = 5,
        DestinationAlpha = 6,
        InverseDestinationAlpha = 7,
    }

    /// What a logic operation makes of the source's and the destination's bits.
    LogicOp {
        Clear = 0,
        And = 1,
        /// Source and not destination.
        ReverseAnd = 2,
        Copy = 3,
        /// Not source and destination.
        InverseAnd = 4,
        /// The destination stays.
        Noop = 5,
        Xor = 6,
        Or = 7,
        Nor = 8,
        Equivalent = 9,
        /// Not destination.
        Inverse = 10,
        /// Source or not destination.
        ReverseOr = 11,
        /// Not source.
        InverseCopy = 12,
        /// Not source or destination.
        InverseOr = 13,
        Nand = 14,
        Set = 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_comes_back() {
        for code in 0..=255_u8 {
            assert_eq!(u8::from(CullMode::from(code)), code);
            assert_eq!(u8::from(Diffuse::from(code)), code);
            assert_eq!(u8::from(Attenuation::from(code)), code);
            assert_eq!(u8::from(Compare::from(code)), code);
            assert_eq!(u8::from(AlphaOp::from(code)), code);
            assert_eq!(u8::from(BlendKind::from(code)), code);
            assert_eq!(u8::from(BlendFactor::from(code)), code);
            assert_eq!(u8::from(LogicOp::from(code)), code);
        }
        assert_eq!((Compare::from(7), Compare::from(8)), (Compare::Always, Compare::Unknown(8)));
        assert_eq!((LogicOp::from(15), LogicOp::from(16)), (LogicOp::Set, LogicOp::Unknown(16)));
    }
}
