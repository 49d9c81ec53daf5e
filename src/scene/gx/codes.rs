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
        /// Environment map without a remap: `SRTold · MV₀`.
        EnvironmentBasic = 1,
        /// Projection from world space without a remap: `SRTold · E · M`.
        ProjectionBasic = 2,
        /// Projection from view space without a remap: `SRTold · E · MV`.
        ViewProjectionBasic = 3,
        /// Effect matrix alone: `SRTold · E`.
        Effect = 4,
        /// Effect matrix over a normal in world space, without a remap: `SRTold · E · M₀`.
        EnvironmentEffectBasic = 5,
        /// Environment map, translation in the fourth column: `SRTold · Qold · MV₀`.
        EnvironmentOld = 6,
        /// Environment map, translation in the third column: `SRTnew · Qnew · MV₀`.
        Environment = 7,
        /// Projection from world space: `SRTnew · Qnew · E · M`.
        Projection = 8,
        /// Projection from view space: `SRTnew · Qnew · E · MV`.
        ViewProjection = 9,
        /// Effect matrix over a normal in world space: `SRTold · Qold · E · M₀`.
        EnvironmentOldEffect = 10,
        /// As [`MapMode::EnvironmentOldEffect`], translation in the third column: `SRTnew · Qnew · E · M₀`.
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
        /// `D + (A = B ? C : 0)`, A and B by their red.
        RedEqual = 9,
        /// A and B as one number of green and red.
        GreenRedGreater = 10,
        /// As [`CombineOp::GreenRedGreater`], where they are equal.
        GreenRedEqual = 11,
        /// A and B as one number of blue, green and red.
        BlueGreenRedGreater = 12,
        /// As [`CombineOp::BlueGreenRedGreater`], where they are equal.
        BlueGreenRedEqual = 13,
        /// Each component by itself.
        EachGreater = 14,
        /// As [`CombineOp::EachGreater`], where they are equal.
        EachEqual = 15,
    }

    /// What is added to D; a code that the chip does not have counts as nothing.
    CombineBias {
        /// Adds nothing.
        Zero = 0,
        /// Adds 128.
        AddHalf = 1,
        /// Subtracts 128.
        SubtractHalf = 2,
    }

    /// What a stage's outcome is multiplied with; a code that the chip does not have counts as one.
    CombineScale {
        /// Leaves the outcome as it is.
        One = 0,
        /// Multiplies by 2.
        Two = 1,
        /// Multiplies by 4.
        Four = 2,
        /// Divides by 2.
        Half = 3,
    }

    /// Where a stage writes, and what the next ones read.
    Register {
        /// PREV, which starts as 0.
        Previous = 0,
        /// C0, colour and alpha.
        C0 = 1,
        /// C1, colour and alpha.
        C1 = 2,
        /// C2, colour and alpha.
        C2 = 3,
    }

    /// A, B, C or D of a stage's colours; a code that the chip does not have counts as zero.
    ColorInput {
        /// Colour of PREV.
        Previous = 0,
        /// Alpha in all three components.
        PreviousAlpha = 1,
        /// Colour of C0.
        C0 = 2,
        /// Alpha of C0 in all three components.
        C0Alpha = 3,
        /// Colour of C1.
        C1 = 4,
        /// Alpha of C1 in all three components.
        C1Alpha = 5,
        /// Colour of C2.
        C2 = 6,
        /// Alpha of C2 in all three components.
        C2Alpha = 7,
        /// Colour of the texel, swapped.
        Texture = 8,
        /// Alpha of the texel, swapped, in all three components.
        TextureAlpha = 9,
        /// Raster colour, swapped.
        Raster = 10,
        /// Raster alpha, swapped, in all three components.
        RasterAlpha = 11,
        /// 255 in all three components.
        One = 12,
        /// 128 in all three components.
        Half = 13,
        /// Constant that [`super::TevStage::konst_color`] selects.
        Konst = 14,
        /// 0 in all three components.
        Zero = 15,
    }

    /// A, B, C or D of a stage's alpha; a code that the chip does not have counts as zero.
    AlphaInput {
        /// Alpha of PREV.
        Previous = 0,
        /// Alpha of C0.
        C0 = 1,
        /// Alpha of C1.
        C1 = 2,
        /// Alpha of C2.
        C2 = 3,
        /// Alpha of the texel, swapped.
        Texture = 4,
        /// Raster alpha, swapped.
        Raster = 5,
        /// Constant that [`super::TevStage::konst_alpha`] selects.
        Konst = 6,
        /// 0.
        Zero = 7,
    }

    /// Which faces are left out; front faces are counter-clockwise here, as everywhere in the scene.
    CullMode {
        /// Draws both sides.
        None = 0,
        /// Omits front faces.
        Front = 1,
        /// Omits back faces.
        Back = 2,
        /// Omits all faces.
        All = 3,
    }

    /// How a lamp's light depends on the angle to the surface; a code that the chip does not have counts as none.
    Diffuse {
        /// The angle has no effect.
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
        /// Neither distance nor the lamp's direction has an effect; the diffuse function counts.
        None = 2,
        /// What the chip does as with [`Attenuation::Spot`].
        SpotAgain = 3,
    }

    /// How two numbers are compared; a code that the chip does not have always holds.
    Compare {
        /// Never holds.
        Never = 0,
        /// Holds if the first is less than the second.
        Less = 1,
        /// Holds if both are equal.
        Equal = 2,
        /// Holds if the first is less than the second or equal to it.
        LessOrEqual = 3,
        /// Holds if the first is greater than the second.
        Greater = 4,
        /// Holds if both are different.
        NotEqual = 5,
        /// Holds if the first is greater than the second or equal to it.
        GreaterOrEqual = 6,
        /// Always holds.
        Always = 7,
    }

    /// How the two comparisons of an alpha test make one.
    AlphaOp {
        /// Passes if both hold.
        And = 0,
        /// Passes if at least one holds.
        Or = 1,
        /// Passes if exactly one holds.
        Xor = 2,
        /// Passes if both hold or neither does.
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
        /// 0.
        Zero = 0,
        /// 1.
        One = 1,
        /// The colour of the other side: the destination's for the source, the source's for the destination.
        OtherColor = 2,
        /// One minus [`BlendFactor::OtherColor`].
        InverseOtherColor = 3,
        /// Alpha of the source.
        SourceAlpha = 4,
        /// One minus the alpha of the source.
        InverseSourceAlpha = 5,
        /// Alpha of the destination.
        DestinationAlpha = 6,
        /// One minus the alpha of the destination.
        InverseDestinationAlpha = 7,
    }

    /// What a logic operation makes of the source's and the destination's bits.
    LogicOp {
        /// All bits are zero.
        Clear = 0,
        /// Source and destination.
        And = 1,
        /// Source and not destination.
        ReverseAnd = 2,
        /// Source.
        Copy = 3,
        /// Not source and destination.
        InverseAnd = 4,
        /// The destination stays.
        Noop = 5,
        /// Source exclusive-or destination.
        Xor = 6,
        /// Source or destination.
        Or = 7,
        /// Not (source or destination).
        Nor = 8,
        /// Not (source exclusive-or destination).
        Equivalent = 9,
        /// Not destination.
        Inverse = 10,
        /// Source or not destination.
        ReverseOr = 11,
        /// Not source.
        InverseCopy = 12,
        /// Not source or destination.
        InverseOr = 13,
        /// Not (source and destination).
        Nand = 14,
        /// All bits are one.
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
