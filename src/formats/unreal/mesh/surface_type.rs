//! What a polygon of `_d.3d` is, and the PolyFlags that the editor makes of it (§8.8).

use crate::formats::unreal::poly_flags::{
    ENVIRONMENT, FLAT, INVISIBLE, MASKED, MODULATED, NO_SMOOTH, TRANSLUCENT, TWO_SIDED, UNLIT,
};

/// The triangle that says where a weapon is held.
pub const PLACEHOLDER: u8 = 8;

/// What the low four bits of a type say, and the PolyFlags that come of it.
const KINDS: [(u8, u32, &str); 6] = [
    (0, 0, "Normal"),
    (1, TWO_SIDED, "TwoSided"),
    (2, TWO_SIDED | TRANSLUCENT, "Translucent"),
    (3, TWO_SIDED | MASKED, "Masked"),
    (4, TWO_SIDED | MODULATED, "Modulated"),
    (PLACEHOLDER, TWO_SIDED | INVISIBLE, "Placeholder"),
];

/// What the high four bits of a type say.
const EFFECTS: [(u8, u32, &str); 4] =
    [(0x10, UNLIT, "Unlit"), (0x20, FLAT, "Flat"), (0x40, ENVIRONMENT, "Environment"), (0x80, NO_SMOOTH, "NoSmooth")];

fn kind_of(surface: u8) -> Option<&'static (u8, u32, &'static str)> {
    KINDS.iter().find(|(kind, ..)| *kind == surface & 0xF)
}

fn effects_of(surface: u8) -> impl Iterator<Item = &'static (u8, u32, &'static str)> {
    EFFECTS.iter().filter(move |(bit, ..)| surface & bit != 0)
}

/// Whether the low four bits of a type say something that is known.
pub fn is_known_type(surface: u8) -> bool {
    kind_of(surface).is_some()
}

/// What a type says, in words: what it is where that is known, then its effects.
pub fn type_names(surface: u8) -> Vec<&'static str> {
    kind_of(surface).into_iter().chain(effects_of(surface)).map(|(.., name)| *name).collect()
}

/// The PolyFlags of a polygon of a type; those of a normal one where the type is not known.
pub fn poly_flags(surface: u8) -> u32 {
    let kind = kind_of(surface).map_or(0, |(_, flags, _)| *flags);
    effects_of(surface).fold(kind, |flags, (_, effect, _)| flags | effect)
}

/// The type that comes nearest to PolyFlags: as they are drawn, what adds light comes before what is cut out.
pub fn surface_type(flags: u32) -> u8 {
    let kind = match flags {
        _ if flags & INVISIBLE != 0 => PLACEHOLDER,
        _ if flags & TRANSLUCENT != 0 => 2,
        _ if flags & MODULATED != 0 => 4,
        _ if flags & MASKED != 0 => 3,
        _ if flags & TWO_SIDED != 0 => 1,
        _ => 0,
    };
    let effects = EFFECTS.iter().filter(|(_, effect, _)| flags & effect != 0);
    effects.fold(kind, |surface, (bit, ..)| surface | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_comes_back_from_its_flags() {
        for kind in [0, 1, 2, 3, 4, 8_u8] {
            for effects in (0..=0xF0_u8).step_by(0x10) {
                assert_eq!(surface_type(poly_flags(kind | effects)), kind | effects);
            }
        }
        assert_eq!(poly_flags(0x13), 0x40_0102);
        assert_eq!(poly_flags(0xE8), 0x4911);
        assert_eq!((poly_flags(5), poly_flags(0x27)), (0, 0x4000), "unknown types are read as normal");
        assert_eq!(type_names(0x93), ["Masked", "Unlit", "NoSmooth"]);
        assert_eq!((type_names(0x27), is_known_type(0x27), is_known_type(0xF8)), (vec!["Flat"], false, true));
    }

    #[test]
    fn flags_without_a_type_take_the_nearest() {
        // One side of what adds light, is cut out, or is both: the files know it with two sides alone.
        assert_eq!([0x4, 0x2, 0x6, 0x142].map(surface_type), [2, 3, 2, 4]);
        assert_eq!(surface_type(0x8000_0100), 1);
    }
}
