//! The chip's names for its codes. A code that it does not have is `None`.

fn of(table: &'static [&'static str], code: u8) -> Option<&'static str> {
    table.get(usize::from(code)).copied()
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: [$($text:literal),* $(,)?];)*) => {
        $($(#[$doc])*
        pub fn $name(code: u8) -> Option<&'static str> {
            of(&[$($text),*], code)
        })*
    };
}

names! {
    /// A, B, C or D of a colour combiner.
    color_input: ["CPREV", "APREV", "C0", "A0", "C1", "A1", "C2", "A2", "TEXC", "TEXA", "RASC", "RASA", "ONE", "HALF", "KONST", "ZERO"];
    /// A, B, C or D of an alpha combiner.
    alpha_input: ["APREV", "A0", "A1", "A2", "TEXA", "RASA", "KONST", "ZERO"];
    /// Operation of a combiner; empty for codes 2 to 7.
    combiner_op: [
        "ADD", "SUB", "", "", "", "", "", "", "COMP_R8_GT", "COMP_R8_EQ", "COMP_GR16_GT", "COMP_GR16_EQ", "COMP_BGR24_GT",
        "COMP_BGR24_EQ", "COMP_RGB8_GT", "COMP_RGB8_EQ",
    ];
    /// Bias of a combiner.
    combiner_bias: ["ZERO", "ADDHALF", "SUBHALF"];
    /// Scale of a combiner.
    combiner_scale: ["SCALE_1", "SCALE_2", "SCALE_4", "DIVIDE_2"];
    /// Register that a combiner writes to.
    register: ["PREV", "C0", "C1", "C2"];
    /// Compare function of alpha and depth tests.
    compare: ["NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NEQUAL", "GEQUAL", "ALWAYS"];
    /// Operation that combines the two results of an alpha test.
    alpha_op: ["AND", "OR", "XOR", "XNOR"];
    /// Kind of blending.
    blend_type: ["NONE", "BLEND", "LOGIC", "SUBTRACT"];
    /// Blend factor of the source.
    source_factor: ["ZERO", "ONE", "DSTCLR", "INVDSTCLR", "SRCALPHA", "INVSRCALPHA", "DSTALPHA", "INVDSTALPHA"];
    /// Blend factor of the destination.
    destination_factor: ["ZERO", "ONE", "SRCCLR", "INVSRCCLR", "SRCALPHA", "INVSRCALPHA", "DSTALPHA", "INVDSTALPHA"];
    /// Logic operation of blending.
    logic_op: [
        "CLEAR", "AND", "REVAND", "COPY", "INVAND", "NOOP", "XOR", "OR", "NOR", "EQUIV", "INV", "REVOR", "INVCOPY", "INVOR",
        "NAND", "SET",
    ];
    /// Faces that are not drawn.
    cull: ["NONE", "FRONT", "BACK", "ALL"];
    /// Type of a texture generator.
    texgen_type: ["MTX3x4", "MTX2x4", "BUMP0", "BUMP1", "BUMP2", "BUMP3", "BUMP4", "BUMP5", "BUMP6", "BUMP7", "SRTG"];
    /// Source of a texture generator.
    texgen_source: [
        "POS", "NRM", "BINRM", "TANGENT", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7", "TEXCOORD0",
        "TEXCOORD1", "TEXCOORD2", "TEXCOORD3", "TEXCOORD4", "TEXCOORD5", "TEXCOORD6", "COLOR0", "COLOR1",
    ];
    /// How a texture matrix is put together (formats/j3d.md §8.3).
    map_mode: [
        "none", "envmap basic", "projmap basic", "view projmap basic", "effect", "envmap effect basic", "envmap old", "envmap",
        "projmap", "view projmap", "envmap old effect", "envmap effect",
    ];
    /// Diffuse function of a colour channel.
    diffuse: ["NONE", "SIGNED", "CLAMP"];
    /// Attenuation function of a colour channel.
    attenuation: ["SPECULAR", "SPOT", "NONE", "SPOT"];
    /// Source of a material or ambient colour: register or vertex.
    color_source: ["REG", "VTX"];
    /// Number of bits that an indirect lookup uses.
    indirect_format: ["8 bit", "5 bit", "4 bit", "3 bit"];
    /// Components that get the bias of an indirect lookup.
    indirect_bias: ["NONE", "S", "T", "ST", "U", "SU", "TU", "STU"];
    /// Wrap of a coordinate before an indirect offset, in texels.
    indirect_wrap: ["OFF", "256", "128", "64", "32", "16", "0"];
    /// Matrix of an indirect lookup; empty for codes 4 and 8.
    indirect_matrix: ["OFF", "0", "1", "2", "", "S0", "S1", "S2", "", "T0", "T1", "T2"];
    /// Component that an indirect lookup uses as bump alpha.
    bump_alpha: ["OFF", "S", "T", "U"];
    /// Pixel format of a texture (formats/j3d.md §9); empty for unused codes.
    texture_format: ["I4", "I8", "IA4", "IA8", "RGB565", "RGB5A3", "RGBA8", "", "C4", "C8", "C14X2", "", "", "", "CMPR"];
    /// Format of a palette's colours (formats/j3d.md §9).
    palette_format: ["IA8", "RGB565", "RGB5A3"];
    /// Wrap mode of a texture.
    wrap: ["CLAMP", "REPEAT", "MIRROR"];
    /// Filter of a texture.
    filter: ["NEAR", "LINEAR", "NEAR_MIP_NEAR", "LIN_MIP_NEAR", "NEAR_MIP_LIN", "LIN_MIP_LIN"];
    /// Type of fog (formats/j3d-materials.md §7.1c); empty for unused codes.
    fog_type: ["NONE", "", "LINEAR", "", "EXP", "EXP2", "REVEXP", "REVEXP2", "", "", "LINEAR ORTHO", "", "EXP ORTHO", "EXP2 ORTHO", "REVEXP ORTHO", "REVEXP2 ORTHO"];
}

/// A texture-matrix selector: `TEXMTX0` to `TEXMTX9`, `IDENTITY`, or one of the position matrices.
pub fn texture_matrix(code: u8) -> Option<&'static str> {
    const NAMES: [&str; 10] =
        ["TEXMTX0", "TEXMTX1", "TEXMTX2", "TEXMTX3", "TEXMTX4", "TEXMTX5", "TEXMTX6", "TEXMTX7", "TEXMTX8", "TEXMTX9"];
    match code {
        60 => Some("IDENTITY"),
        30..=57 if code.is_multiple_of(3) => NAMES.get(usize::from(code.wrapping_sub(30) / 3)).copied(),
        0..=27 if code.is_multiple_of(3) => Some("PNMTX"),
        _ => None,
    }
}

/// A constant colour or alpha selector: `1`, `7/8` … `K0`, `K3.a`; colour alone takes the whole of a constant.
pub fn konst(code: u8) -> Option<&'static str> {
    const FRACTIONS: [&str; 8] = ["1", "7/8", "3/4", "5/8", "1/2", "3/8", "1/4", "1/8"];
    const WHOLE: [&str; 4] = ["K0", "K1", "K2", "K3"];
    const PARTS: [&str; 16] = [
        "K0.r", "K1.r", "K2.r", "K3.r", "K0.g", "K1.g", "K2.g", "K3.g", "K0.b", "K1.b", "K2.b", "K3.b", "K0.a", "K1.a",
        "K2.a", "K3.a",
    ];
    match code {
        0..=7 => of(&FRACTIONS, code),
        12..=15 => of(&WHOLE, code.wrapping_sub(12)),
        16..=31 => of(&PARTS, code.wrapping_sub(16)),
        _ => None,
    }
}

/// What the rasteriser hands to a stage.
pub fn raster_channel(code: u8) -> Option<&'static str> {
    match code {
        0 | 2 | 4 => Some("COLOR0A0"),
        1 | 3 | 5 => Some("COLOR1A1"),
        6 => Some("ZERO"),
        7 => Some("ALPHA_BUMP"),
        8 => Some("ALPHA_BUMP_N"),
        0xFF => Some("NULL"),
        _ => None,
    }
}
