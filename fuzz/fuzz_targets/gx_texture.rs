//! Textures of the GX chip: any format, size, palette and data.
#![no_main]

use bonebox::formats::gx::texture::{Format, Palette, PaletteFormat, decode_into, mips};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([format, palette, width, height, many, colors], data)) = bytes.split_first_chunk::<6>() else { return };
    let format = Format::ALL[usize::from(*format) % Format::ALL.len()];
    let (words, data) = data.split_at(data.len().min(usize::from(*colors) * 2));
    let palette = PaletteFormat::of_code(palette % 4).map(|format| Palette::decode(format, words));
    let mut out = vec![0xAA; 9];
    for mip in mips(format, u32::from(*width), u32::from(*height), many % 12) {
        let data = data.get(mip.offset..).unwrap_or_default();
        if let Ok(decoded) = decode_into(format, mip.width, mip.height, data, palette.as_ref(), &mut out) {
            assert_eq!(out.len(), (mip.width * mip.height * 4) as usize);
            assert_eq!(decoded.missing_bytes, mip.size.saturating_sub(data.len()));
        }
    }
});
