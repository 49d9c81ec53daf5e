//! Pictures as DDS: compressed blocks as the file stores them, everything else as plain 32-bit pixels; with all mips.

use super::{ExportError, picture::no_pixels};
use crate::scene::{BlockKind, Image, Picture, PictureForm, StoredPixels};
use std::sync::Arc;

const CAPS: u32 = 0x1;
const HEIGHT: u32 = 0x2;
const WIDTH: u32 = 0x4;
const PITCH: u32 = 0x8;
const PIXEL_FORMAT: u32 = 0x1000;
const MIP_COUNT: u32 = 0x2_0000;
const LINEAR_SIZE: u32 = 0x8_0000;
/// Of the pixel format.
const ALPHA_PIXELS: u32 = 0x1;
const FOUR_CC: u32 = 0x4;
const RGB: u32 = 0x40;
/// Of the caps.
const COMPLEX: u32 = 0x8;
const TEXTURE: u32 = 0x1000;
const MIP_MAP: u32 = 0x40_0000;

/// What a file holds.
enum Pixels {
    Blocks(BlockKind),
    Plain { alpha: bool },
}

/// Encodes a picture: its first compressed form as it is stored, or the form that is shown.
///
/// # Errors
/// When the file holds no pixels of it.
pub fn dds(picture: &Picture, notes: &mut Vec<String>) -> Result<Vec<u8>, ExportError> {
    let blocks = |form: &PictureForm| matches!(&form.stored, StoredPixels::Blocks { .. }) && !form.mips.is_empty();
    let form = picture.forms.iter().find(|form| blocks(form)).or_else(|| picture.form());
    let form = form.filter(|form| !form.mips.is_empty()).ok_or_else(|| no_pixels(&picture.name))?;
    let count = chain(&form.mips);
    if count < form.mips.len() {
        let left = form.mips.len() - count;
        notes.push(format!("{left} mips do not halve the one before and are left out"));
    }
    if let StoredPixels::Blocks { kind, mips } = &form.stored {
        let whole = |(image, bytes): (&Arc<Image>, &Arc<[u8]>)| {
            kind.size_of(image.width, image.height).filter(|size| *size == bytes.len()).map(|_| bytes.clone())
        };
        let stored: Vec<Arc<[u8]>> = form.mips.iter().zip(mips).take(count).map_while(whole).collect();
        if !stored.is_empty() {
            if stored.len() < count {
                notes.push(format!("{} mips are not whole in the file and are left out", count - stored.len()));
            }
            return Ok(file(&form.mips[0], Pixels::Blocks(*kind), &stored));
        }
        notes.push("the blocks are not whole in the file: what could be decoded is written as plain pixels".to_owned());
    }
    let alpha = picture.uses_alpha(form);
    let plain: Vec<Arc<[u8]>> = form.mips.iter().take(count).map(|image| bgra(image, alpha)).collect();
    Ok(file(&form.mips[0], Pixels::Plain { alpha }, &plain))
}

/// How many images from the first on are mips of it as DDS knows them: each half of the last.
fn chain(mips: &[Arc<Image>]) -> usize {
    let halves = |pair: &&[Arc<Image>]| {
        let [large, small] = pair else { return false };
        (small.width, small.height) == ((large.width / 2).max(1), (large.height / 2).max(1))
    };
    1 + mips.windows(2).take_while(halves).count()
}

fn bgra(image: &Image, alpha: bool) -> Arc<[u8]> {
    let pixel = |p: &[u8]| [p[2], p[1], p[0], if alpha { p[3] } else { 255 }];
    image.rgba.chunks_exact(4).flat_map(pixel).collect()
}

fn file(first: &Image, pixels: Pixels, mips: &[Arc<[u8]>]) -> Vec<u8> {
    let size: usize = mips.iter().map(|mip| mip.len()).sum();
    let mut out = Vec::with_capacity(148 + size);
    out.extend_from_slice(b"DDS ");
    let mip_flags = if mips.len() > 1 { MIP_COUNT } else { 0 };
    let (kind_flags, pitch) = match pixels {
        Pixels::Blocks(_) => (LINEAR_SIZE, mips.first().map_or(0, |mip| mip.len() as u32)),
        Pixels::Plain { .. } => (PITCH, first.width.saturating_mul(4)),
    };
    let flags = CAPS | HEIGHT | WIDTH | PIXEL_FORMAT | mip_flags | kind_flags;
    numbers(&mut out, &[124, flags, first.height, first.width, pitch, 0, mips.len() as u32]);
    numbers(&mut out, &[0; 11]);
    let four_cc = |name: &[u8; 4]| [32, FOUR_CC, u32::from_le_bytes(*name), 0, 0, 0, 0, 0];
    let (format, dxgi) = match pixels {
        Pixels::Plain { alpha } => {
            let (flag, mask) = if alpha { (ALPHA_PIXELS, 0xFF00_0000) } else { (0, 0) };
            ([32, RGB | flag, 0, 32, 0xFF_0000, 0xFF00, 0xFF, mask], None)
        }
        Pixels::Blocks(BlockKind::Bc1) => (four_cc(b"DXT1"), None),
        Pixels::Blocks(BlockKind::Bc2) => (four_cc(b"DXT3"), None),
        Pixels::Blocks(BlockKind::Bc3) => (four_cc(b"DXT5"), None),
        Pixels::Blocks(kind) => (four_cc(b"DX10"), Some(dxgi(kind))),
    };
    numbers(&mut out, &format);
    let caps = TEXTURE | if mips.len() > 1 { COMPLEX | MIP_MAP } else { 0 };
    numbers(&mut out, &[caps, 0, 0, 0, 0]);
    if let Some(dxgi) = dxgi {
        // Format, two dimensions, no flags, one picture, straight alpha.
        numbers(&mut out, &[dxgi, 3, 0, 1, 1]);
    }
    for mip in mips {
        out.extend_from_slice(mip);
    }
    out
}

/// DXGI_FORMAT of blocks.
fn dxgi(kind: BlockKind) -> u32 {
    match kind {
        BlockKind::Bc1 => 71,
        BlockKind::Bc2 => 74,
        BlockKind::Bc3 => 77,
        BlockKind::Bc4 => 80,
        BlockKind::Bc4Signed => 81,
        BlockKind::Bc5 => 83,
        BlockKind::Bc5Signed => 84,
        BlockKind::Bc6h => 95,
        BlockKind::Bc6hSigned => 96,
        BlockKind::Bc7 => 98,
    }
}

fn numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::Limits, formats::picture};

    fn image(width: u32, height: u32) -> Arc<Image> {
        let rgba: Vec<u8> = (0..width * height).flat_map(|i| [i as u8, 2, 3, 128]).collect();
        Arc::new(Image { name: "w".into(), width, height, rgba: rgba.into(), stored_as: String::new() })
    }

    fn of(form: PictureForm) -> Picture {
        Picture { name: "w".into(), forms: vec![form], ..Picture::default() }
    }

    #[test]
    fn blocks_are_written_as_they_are_stored() {
        let red = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0];
        let (large, small): (Arc<[u8]>, Arc<[u8]>) = (red.repeat(2).into(), red.into());
        let stored = StoredPixels::Blocks { kind: BlockKind::Bc1, mips: vec![large.clone(), small.clone()] };
        let form = PictureForm { name: "DXT1".into(), mips: vec![image(8, 4), image(4, 2)], stored, has_alpha: false };
        let file = dds(&of(form.clone()), &mut Vec::new()).unwrap();
        assert_eq!(file.len(), 128 + 24);
        assert_eq!(&file[128..], [&*large, &*small].concat());
        assert_eq!((&file[84..88], file[28]), (b"DXT1".as_slice(), 2));
        let back = picture::decode("x", &file, &Limits::default()).unwrap();
        assert_eq!((back.width, back.height, &back.rgba[..4]), (8, 4, [255, 0, 0, 255].as_slice()));
        let stored = StoredPixels::Blocks { kind: BlockKind::Bc5, mips: vec![vec![7; 32].into()] };
        let later = PictureForm { mips: vec![image(8, 4)], stored, ..form };
        let file = dds(&of(later), &mut Vec::new()).unwrap();
        assert_eq!((file.len(), &file[84..88], file[128]), (148 + 32, b"DX10".as_slice(), 83));
    }

    #[test]
    fn other_pixels_come_back_as_they_were_and_odd_mips_are_left_out() {
        let mips = vec![image(3, 2), image(1, 1), image(1, 1), image(9, 9)];
        let form = PictureForm { name: "P8".into(), mips, stored: StoredPixels::Decoded, has_alpha: true };
        let mut notes = Vec::new();
        let file = dds(&of(form.clone()), &mut notes).unwrap();
        assert_eq!((file.len(), notes.len()), (128 + (6 + 1 + 1) * 4, 1));
        let back = picture::decode("x", &file, &Limits::default()).unwrap();
        assert_eq!(back.rgba, form.mips[0].rgba);
        let opaque = dds(&of(PictureForm { has_alpha: false, ..form }), &mut notes).unwrap();
        assert_eq!(picture::decode("x", &opaque, &Limits::default()).unwrap().rgba[3], 255);
        assert!(dds(&Picture::default(), &mut notes).is_err());
    }
}
