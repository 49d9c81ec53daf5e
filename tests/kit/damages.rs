//! The ways in which a small file is damaged: cut at every length, bits turned, and a large number at every place.

use super::Noise;

/// Gives each damaged form of `whole` to `survive`. `worst`: numbers that are put at every place, low byte first.
pub fn each_damage(whole: &[u8], seed: u64, worst: &[u32], mut survive: impl FnMut(&[u8])) {
    for cut in 0..whole.len() {
        survive(&whole[..cut]);
    }
    let mut noise = Noise::new(seed);
    for _ in 0..600 {
        let mut damaged = whole.to_vec();
        for _ in 0..1 + noise.below(3) {
            let at = noise.below(damaged.len());
            damaged[at] ^= 1 << noise.below(8);
        }
        survive(&damaged);
    }
    for at in 0..whole.len().saturating_sub(3) {
        for number in worst {
            let mut damaged = whole.to_vec();
            damaged[at..at + 4].copy_from_slice(&number.to_le_bytes());
            survive(&damaged);
        }
    }
}
