//! What a polygon of `_d.3d` is, and the PolyFlags that the editor makes of it (§8.8).

use crate::formats::unreal::poly_flags::{
    ENVIRONMENT, FLAT, INVISIBLE, MASKED, MODULATED, NO_SMOOTH, TRANSLUCENT, TWO_SIDED, UNLIT,
};

/// The triangle that says where a weapon is held.
pub const PLACEHOLDER: u8 = 8;

/// What the low four bits of a type say, and the PolyFlags that come of it.
const KINDS: [(u8, u32); 6] = [
    (0, 0),
    (1, TWO_SIDED),
    (2, TWO_SIDED | TRANSLUCENT),
    (3, TWO_SIDED | MASKED),
    (4, TWO_SIDED | MODULATED),
    (PLACEHOLDER, TWO_SIDED | INVISIBLE),
];

/// What the high four bits of a type say.
const EFFECTS: [(u8, u32); 4] = [(0x10, UNLIT), (0x20, FLAT), (0x40, ENVIRONMENT), (0x80, NO_SMOOTH)];

/// The PolyFlags of a polygon of a type; those of a normal one where the type is not known.
pub fn poly_flags(surface: u8) -> u32 {
    let kind = KINDS.iter().find(|(kind, _)| *kind == surface & 0xF).map_or(0, |(_, flags)| *flags);
    let effects = EFFECTS.iter().filter(|(bit, _)| surface & bit != 0);
    effects.fold(kind, |flags, (_, effect)| flags | effect)
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
    let effects = EFFECTS.iter().filter(|(_, effect)| flags & effect != 0);
    effects.fold(kind, |surface, (bit, _)| surface | bit)
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
        assert_eq!((poly_flags(5), poly_flags(0x27)), (0, 0x4000), "what is not known is normal");
    }

    #[test]
    fn flags_without_a_type_take_the_nearest() {
        // One side of what adds light, is cut out, or is both: the files know it with two sides alone.
        assert_eq!([0x4, 0x2, 0x6, 0x142].map(surface_type), [2, 3, 2, 4]);
        assert_eq!(surface_type(0x8000_0100), 1);
    }
}
