//! The colours of lines in both themes.

use crate::ui::transport::curves::lines::Hue;
use egui::Color32;

/// A line's colour: light on the dark theme, deep on the light one.
pub fn of(hue: Hue, dark: bool) -> Color32 {
    let rgb = |r, g, b| Color32::from_rgb(r, g, b);
    match (hue, dark) {
        (Hue::Red, true) => rgb(0xff, 0x6b, 0x6b),
        (Hue::Red, false) => rgb(0xc6, 0x28, 0x28),
        (Hue::Green, true) => rgb(0x6f, 0xd1, 0x6f),
        (Hue::Green, false) => rgb(0x2b, 0x7d, 0x32),
        (Hue::Blue, true) => rgb(0x6a, 0xa5, 0xff),
        (Hue::Blue, false) => rgb(0x1f, 0x5f, 0xc4),
        (Hue::LightRed, true) => rgb(0xff, 0xa8, 0xa8),
        (Hue::LightRed, false) => rgb(0xe0, 0x5a, 0x5a),
        (Hue::LightGreen, true) => rgb(0xac, 0xe6, 0xac),
        (Hue::LightGreen, false) => rgb(0x3f, 0x94, 0x48),
        (Hue::LightBlue, true) => rgb(0xab, 0xcd, 0xff),
        (Hue::LightBlue, false) => rgb(0x4f, 0x8c, 0xe6),
        (Hue::DeepRed, true) => rgb(0xd0, 0x3c, 0x3c),
        (Hue::DeepRed, false) => rgb(0x8c, 0x12, 0x12),
        (Hue::DeepGreen, true) => rgb(0x3f, 0xa0, 0x3f),
        (Hue::DeepGreen, false) => rgb(0x16, 0x54, 0x1b),
        (Hue::DeepBlue, true) => rgb(0x3d, 0x78, 0xd8),
        (Hue::DeepBlue, false) => rgb(0x10, 0x3c, 0x86),
        (Hue::Orange, true) => rgb(0xff, 0xb8, 0x6b),
        (Hue::Orange, false) => rgb(0xb8, 0x5c, 0x00),
        (Hue::Lime, true) => rgb(0xc5, 0xe0, 0x5a),
        (Hue::Lime, false) => rgb(0x66, 0x7a, 0x00),
        (Hue::Violet, true) => rgb(0xbf, 0x96, 0xff),
        (Hue::Violet, false) => rgb(0x6f, 0x42, 0xc1),
        (Hue::Pink, true) => rgb(0xff, 0x8f, 0xc8),
        (Hue::Pink, false) => rgb(0xb8, 0x2f, 0x7b),
        (Hue::Yellow, true) => rgb(0xf0, 0xd9, 0x60),
        (Hue::Yellow, false) => rgb(0x8a, 0x6d, 0x00),
        (Hue::Cyan, true) => rgb(0x5f, 0xd6, 0xd6),
        (Hue::Cyan, false) => rgb(0x00, 0x78, 0x85),
        (Hue::Grey, true) => rgb(0xc9, 0xc6, 0xc0),
        (Hue::Grey, false) => rgb(0x5a, 0x57, 0x52),
    }
}
