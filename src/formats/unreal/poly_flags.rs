//! Flags of polygons and surfaces (formats/unreal.md §8.4, §9.2).

pub const INVISIBLE: u32 = 0x1;
pub const MASKED: u32 = 0x2;
pub const TRANSLUCENT: u32 = 0x4;
pub const ENVIRONMENT: u32 = 0x10;
pub const MODULATED: u32 = 0x40;
pub const FAKE_BACKDROP: u32 = 0x80;
pub const TWO_SIDED: u32 = 0x100;
pub const AUTO_U_PAN: u32 = 0x200;
pub const AUTO_V_PAN: u32 = 0x400;
pub const NO_SMOOTH: u32 = 0x800;
pub const SMALL_WAVY: u32 = 0x2000;
pub const FLAT: u32 = 0x4000;
pub const UNLIT: u32 = 0x40_0000;
pub const PORTAL: u32 = 0x400_0000;
pub const MIRRORED: u32 = 0x800_0000;

/// Bits with the names that the editor's descriptions give them.
pub const NAMES: &[(u64, &str)] = &[
    (0x1, "Invisible"),
    (0x2, "Masked"),
    (0x4, "Translucent"),
    (0x8, "NotSolid"),
    (0x10, "Environment"),
    (0x20, "Semisolid"),
    (0x40, "Modulated"),
    (0x80, "FakeBackdrop"),
    (0x100, "TwoSided"),
    (0x200, "AutoUPan"),
    (0x400, "AutoVPan"),
    (0x800, "NoSmooth"),
    (0x1000, "BigWavy"),
    (0x2000, "SmallWavy"),
    (0x4000, "Flat"),
    (0x8000, "LowShadowDetail"),
    (0x1_0000, "NoMerge"),
    (0x4_0000, "DirtyShadows"),
    (0x8_0000, "BrightCorners"),
    (0x10_0000, "SpecialLit"),
    (0x40_0000, "Unlit"),
    (0x80_0000, "HighShadowDetail"),
    (0x400_0000, "Portal"),
    (0x800_0000, "Mirrored"),
];
