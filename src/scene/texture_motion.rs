//! Pictures that move over the surfaces of a level.

use glam::Vec2;

/// How a surface's picture moves over it (formats/unreal.md §16.3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureMotion {
    /// Texels a second along U and V.
    pub pan: Vec2,
    /// Swings in small waves.
    pub wavy: bool,
    /// Texels of the picture each way.
    pub size: Vec2,
}

impl TextureMotion {
    /// Texels after which panning begins anew.
    pub const PAN_WRAP: f32 = 1024.0;

    /// What is added to the texture coordinates at a moment of the level, in pictures.
    pub fn offset(&self, seconds: f64) -> Vec2 {
        let wrap = f64::from(Self::PAN_WRAP);
        let panned = |texels: f32| ((seconds * f64::from(texels)) % wrap) as f32;
        let mut texels = Vec2::new(panned(self.pan.x), panned(self.pan.y));
        if self.wavy {
            let (slow, fast) = (seconds, seconds * 2.3);
            texels.x += (8.0 * slow.sin() + 4.0 * fast.cos()) as f32;
            texels.y += (8.0 * slow.cos() + 4.0 * fast.sin()) as f32;
        }
        texels / self.size.max(Vec2::ONE)
    }

    /// Whether it moves at all.
    pub fn is_still(&self) -> bool {
        self.pan == Vec2::ZERO && !self.wavy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_is_that_worked_out_by_hand() {
        let pan = TextureMotion { pan: Vec2::new(35.0, -70.0), wavy: false, size: Vec2::new(128.0, 64.0) };
        assert!(pan.offset(2.0).distance(Vec2::new(70.0 / 128.0, -140.0 / 64.0)) < 1e-6);
        // 30 · 35 = 1050, which is 26 beyond 1024; 30 · 70 = 2100, which is 52 beyond 2048.
        assert!(pan.offset(30.0).distance(Vec2::new(26.0 / 128.0, -52.0 / 64.0)) < 1e-5);
        let wavy = TextureMotion { pan: Vec2::ZERO, wavy: true, size: Vec2::splat(64.0) };
        assert!(wavy.offset(0.0).distance(Vec2::new(4.0, 8.0) / 64.0) < 1e-6);
        // sin 1 = 0.841471, cos 2.3 = −0.666276; cos 1 = 0.540302, sin 2.3 = 0.745705.
        assert!(wavy.offset(1.0).distance(Vec2::new(4.066_66, 7.305_24) / 64.0) < 1e-5);
        assert!(!wavy.is_still() && TextureMotion::default().is_still());
    }
}
