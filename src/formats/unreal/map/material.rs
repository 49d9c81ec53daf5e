//! Surfaces by their PolyFlags (formats/unreal.md §9.2).

use crate::formats::unreal::poly_flags::{
    AUTO_U_PAN, AUTO_V_PAN, ENVIRONMENT, FAKE_BACKDROP, INVISIBLE, MASKED, MODULATED, NAMES, NO_SMOOTH, PORTAL,
    SMALL_WAVY, TRANSLUCENT, TWO_SIDED, UNLIT,
};
use crate::scene::{BasicMaterial, Blend, SurfaceRole, TextureMotion};
use glam::Vec2;

/// The flags that a surface's look depends on.
pub const LOOK: u32 =
    INVISIBLE | MASKED | TRANSLUCENT | ENVIRONMENT | MODULATED | FAKE_BACKDROP | TWO_SIDED | NO_SMOOTH | UNLIT | PORTAL;

/// What a surface is there for. A portal with a picture that one looks through, such as the face of water, is there to be seen.
pub fn role(flags: u32) -> SurfaceRole {
    if flags & FAKE_BACKDROP != 0 {
        SurfaceRole::Backdrop
    } else if flags & PORTAL != 0 && (flags & INVISIBLE != 0 || flags & (TRANSLUCENT | MODULATED) == 0) {
        SurfaceRole::Portal
    } else if flags & INVISIBLE != 0 {
        SurfaceRole::Invisible
    } else {
        SurfaceRole::Ordinary
    }
}

/// The surface that flags describe, without pictures.
pub fn basic(flags: u32) -> BasicMaterial {
    let role = role(flags);
    let blend = if flags & TRANSLUCENT != 0 {
        Blend::Translucent
    } else if flags & MODULATED != 0 {
        Blend::Modulated
    } else if flags & MASKED != 0 {
        Blend::Masked
    } else {
        Blend::Opaque
    };
    BasicMaterial {
        blend,
        two_sided: flags & TWO_SIDED != 0,
        unlit: flags & UNLIT != 0,
        environment: flags & ENVIRONMENT != 0,
        nearest: flags & NO_SMOOTH != 0,
        hidden: role != SurfaceRole::Ordinary,
        role,
        ..BasicMaterial::default()
    }
}

/// Texels a second that a picture pans at in a zone whose speed is one.
const PAN_SPEED: f32 = 35.0;

/// How a picture of so many texels moves over a surface of a zone that pans as fast as `speed`; `None` where it does not
/// (formats/unreal.md §16.3).
pub fn motion(flags: u32, speed: Vec2, size: [f32; 2]) -> Option<TextureMotion> {
    let pans = |flag: u32, speed: f32| if flags & flag != 0 { PAN_SPEED * speed } else { 0.0 };
    let pan = Vec2::new(pans(AUTO_U_PAN, speed.x), pans(AUTO_V_PAN, speed.y));
    let motion = TextureMotion { pan, wavy: flags & SMALL_WAVY != 0, size: Vec2::from(size) };
    (!motion.is_still()).then_some(motion)
}

/// The flags in words, for a person who points at a surface.
pub fn traits(flags: u32) -> String {
    let set = NAMES.iter().filter(|(bit, _)| u64::from(flags) & bit != 0);
    set.map(|(_, name)| words(name)).collect::<Vec<_>>().join(", ")
}

/// `TwoSided` as `two-sided`.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        // `AutoUPan` has a letter that is a word.
        if letter.is_ascii_uppercase() && before.is_ascii_lowercase() || before == 'U' || before == 'V' {
            words.push('-');
        }
        words.push(letter.to_ascii_lowercase());
        before = if words.len() == 1 { ' ' } else { letter };
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_and_looks_follow_the_flags() {
        assert_eq!(role(0), SurfaceRole::Ordinary);
        assert_eq!(role(INVISIBLE), SurfaceRole::Invisible);
        assert_eq!(role(FAKE_BACKDROP | INVISIBLE), SurfaceRole::Backdrop);
        assert_eq!(role(PORTAL | INVISIBLE | TRANSLUCENT), SurfaceRole::Portal);
        assert_eq!(role(PORTAL), SurfaceRole::Portal);
        assert_eq!(role(PORTAL | TRANSLUCENT), SurfaceRole::Ordinary);
        assert!(basic(PORTAL).hidden && !basic(UNLIT).hidden && basic(UNLIT).unlit);
        assert_eq!(basic(MASKED).blend, Blend::Masked);
        assert_eq!(basic(MASKED | MODULATED).blend, Blend::Modulated);
        assert!(basic(TWO_SIDED).two_sided);
    }

    #[test]
    fn pictures_pan_as_fast_as_their_zone_says() {
        let speed = Vec2::new(2.0, -0.5);
        assert_eq!(motion(MASKED, speed, [64.0; 2]), None);
        assert_eq!(motion(AUTO_U_PAN, Vec2::ZERO, [64.0; 2]), None);
        let pans = motion(AUTO_U_PAN | AUTO_V_PAN, speed, [64.0, 32.0]).unwrap();
        assert_eq!((pans.pan, pans.wavy, pans.size), (Vec2::new(70.0, -17.5), false, Vec2::new(64.0, 32.0)));
        let waves = motion(SMALL_WAVY | AUTO_V_PAN, speed, [64.0; 2]).unwrap();
        assert_eq!((waves.pan, waves.wavy), (Vec2::new(0.0, -17.5), true));
    }

    #[test]
    fn flags_are_told_in_words() {
        assert_eq!(traits(0), "");
        assert_eq!(traits(MASKED | TWO_SIDED | FAKE_BACKDROP), "masked, fake-backdrop, two-sided");
    }
}
