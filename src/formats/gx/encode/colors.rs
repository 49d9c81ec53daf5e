//! Colours in fewer bits.

/// Rec. 601.
pub fn luma([r, g, b, _]: [u8; 4]) -> u8 {
    (0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)).round() as u8
}

/// The nearest of `2ᵇⁱᵗˢ` steps.
pub fn to_bits(value: u8, bits: u32) -> u8 {
    let most = f32::from(u8::MAX >> 8_u32.saturating_sub(bits));
    (f32::from(value) / 255.0 * most).round() as u8
}

pub fn rgb565([r, g, b, _]: [u8; 4]) -> u16 {
    u16::from(to_bits(r, 5)) << 11 | u16::from(to_bits(g, 6)) << 5 | u16::from(to_bits(b, 5))
}

pub fn rgb5a3([r, g, b, a]: [u8; 4]) -> u16 {
    let part = |value, bits| u16::from(to_bits(value, bits));
    match part(a, 3) {
        7 => 0x8000 | part(r, 5) << 10 | part(g, 5) << 5 | part(b, 5),
        alpha => alpha << 12 | part(r, 4) << 8 | part(g, 4) << 4 | part(b, 4),
    }
}
