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
    /// How a texture matrix is put together (formats/j3d.md §8.3); a code that the chip's runtime does not have counts as none.
    MapMode {
        /// Scale, rotation and translation alone.
        None = 0,
        EnvironmentBasic = 1,
        ProjectionBasic = 2,
        ViewProjectionBasic = 3,
        Effect = 4,
        EnvironmentEffectBasic = 5,
        EnvironmentOld = 6,
        Environment = 7,
        Projection = 8,
        ViewProjection = 9,
        EnvironmentOldEffect = 10,
        EnvironmentEffect = 11,
    }

    /// What a combiner stage does with its inputs (formats/j3d.md §8.4); a code that the chip does not have counts as adding.
    CombineOp {
        /// `D + mix(A, B, C)`
        Add = 0,
        /// `D − mix(A, B, C)`
        Subtract = 1,
        /// `D + (A > B ? C : 0)`, A and B by their red.
        RedGreater = 8,
        /// As [`CombineOp::RedGreater`], where they are equal.
        RedEqual = 9,
        /// A and B as one number of green and red.
        GreenRedGreater = 10,
        GreenRedEqual = 11,
        /// A and B as one number of blue, green and red.
        BlueGreenRedGreater = 12,
        BlueGreenRedEqual = 13,
        /// Each component by itself.
        EachGreater = 14,
        EachEqual = 15,
    }

    /// What is added to D; a code that the chip does not have counts as nothing.
    CombineBias {
        Zero = 0,
        AddHalf = 1,
        SubtractHalf = 2,
    }

    /// What a stage's outcome is multiplied with; a code that the chip does not have counts as one.
    CombineScale {
        One = 0,
        Two = 1,
        Four = 2,
        Half = 3,
    }

    /// Where a stage writes, and what the next ones read.
    Register {
        Previous = 0,
        C0 = 1,
        C1 = 2,
        C2 = 3,
    }

    /// A, B, C or D of a stage's colours; a code that the chip does not have counts as zero.
    ColorInput {
        Previous = 0,
        /// Alpha in all three components.
        PreviousAlpha = 1,
        C0 = 2,
        C0Alpha = 3,
        C1 = 4,
        C1Alpha = 5,
        C2 = 6,
        C2Alpha = 7,
        Texture = 8,
        TextureAlpha = 9,
        Raster = 10,
        RasterAlpha = 11,
        One = 12,
        Half = 13,
        Konst = 14,
        Zero = 15,
    }

    /// A, B, C or D of a stage's alpha; a code that the chip does not have counts as zero.
    AlphaInput {
        Previous = 0,
        C0 = 1,
        C1 = 2,
        C2 = 3,
        Texture = 4,
        Raster = 5,
        Konst = 6,
        Zero = 7,
    }

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

impl CombineOp {
    /// It compares A and B; there is neither bias nor scale then.
    pub fn compares(self) -> bool {
        u8::from(self) >= 8 && !matches!(self, Self::Unknown(_))
    }

    /// It compares by equality.
    pub fn asks_for_equality(self) -> bool {
        matches!(self, Self::RedEqual | Self::GreenRedEqual | Self::BlueGreenRedEqual | Self::EachEqual)
    }
}

impl Register {
    /// Its place among the four; the chip looks at two bits of the code.
    pub fn index(self) -> usize {
        usize::from(u8::from(self) & 3)
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
