//! Pictures as DDS: compressed blocks as the file stores them, everything else as plain 32-bit pixels; with all mips.

use super::{ExportError, picture::no_pixels};
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::scene::{BlockKind, Image, Picture, PictureForm, StoredPixels};
use ddsfile::{AlphaMode, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat, Header, Header10};
use std::sync::Arc;

/// What a file holds.
enum Pixels {
    Blocks(BlockKind),
    Plain { alpha: bool },
}

/// Encodes a picture: its first compressed form as it is stored, or the form that is shown.
///
/// # Errors
/// When the file holds no pixels of it.
pub fn dds(picture: &Picture, notes: &mut Notes) -> Result<Vec<u8>, ExportError> {
    let blocks = |form: &PictureForm| matches!(&form.stored, StoredPixels::Blocks { .. }) && !form.mips.is_empty();
    let form = picture.forms.iter().find(|form| blocks(form)).or_else(|| picture.form());
    let form = form.filter(|form| !form.mips.is_empty()).ok_or_else(|| no_pixels(&picture.name))?;
    let count = chain(&form.mips);
    if count < form.mips.len() {
        let left = form.mips.len() - count;
        notes.push(format!("{} omitted: not half the size of the previous level", counted(left, "mip level")));
    }
    if let StoredPixels::Blocks { kind, mips } = &form.stored {
        let whole = |(image, bytes): (&Arc<Image>, &Arc<[u8]>)| {
            kind.size_of(image.width, image.height).filter(|size| *size == bytes.len()).map(|_| bytes.clone())
        };
        let stored: Vec<Arc<[u8]>> = form.mips.iter().zip(mips).take(count).map_while(whole).collect();
        if !stored.is_empty() {
            if stored.len() < count {
                notes.push(format!("{} omitted: incomplete in the file", counted(count - stored.len(), "mip level")));
            }
            return file(&form.mips[0], Pixels::Blocks(*kind), &stored);
        }
        notes.push(
            "the compressed pixels are incomplete in the file: the decoded part is exported uncompressed".to_owned(),
        );
    }
    let alpha = picture.uses_alpha(form);
    let plain: Vec<Arc<[u8]>> = form.mips.iter().take(count).map(|image| bgra(image, alpha)).collect();
    file(&form.mips[0], Pixels::Plain { alpha }, &plain)
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

fn file(first: &Image, pixels: Pixels, mips: &[Arc<[u8]>]) -> Result<Vec<u8>, ExportError> {
    let (height, width, count) = (first.height, first.width, Some(mips.len() as u32));
    let of_direct3d_9 = |format| Ok((Header::new_d3d(height, width, None, format, count, None)?, None));
    let of_dxgi = |format| {
        let header = Header::new_dxgi(height, width, None, format, count, None, None)?;
        let more = Header10::new(format, false, D3D10ResourceDimension::Texture2D, 1, AlphaMode::Straight);
        Ok((header, Some(more)))
    };
    let headers = match pixels {
        Pixels::Plain { alpha: true } => of_direct3d_9(D3DFormat::A8R8G8B8),
        Pixels::Plain { alpha: false } => of_direct3d_9(D3DFormat::X8R8G8B8),
        // More programs know the older names.
        Pixels::Blocks(BlockKind::Bc1) => of_direct3d_9(D3DFormat::DXT1),
        Pixels::Blocks(BlockKind::Bc2) => of_direct3d_9(D3DFormat::DXT3),
        Pixels::Blocks(BlockKind::Bc3) => of_direct3d_9(D3DFormat::DXT5),
        Pixels::Blocks(BlockKind::Bc4) => of_dxgi(DxgiFormat::BC4_UNorm),
        Pixels::Blocks(BlockKind::Bc4Signed) => of_dxgi(DxgiFormat::BC4_SNorm),
        Pixels::Blocks(BlockKind::Bc5) => of_dxgi(DxgiFormat::BC5_UNorm),
        Pixels::Blocks(BlockKind::Bc5Signed) => of_dxgi(DxgiFormat::BC5_SNorm),
        Pixels::Blocks(BlockKind::Bc6h) => of_dxgi(DxgiFormat::BC6H_UF16),
        Pixels::Blocks(BlockKind::Bc6hSigned) => of_dxgi(DxgiFormat::BC6H_SF16),
        Pixels::Blocks(BlockKind::Bc7) => of_dxgi(DxgiFormat::BC7_UNorm),
    };
    let written = headers.and_then(|(header, header10)| {
        let mut out = Vec::with_capacity(148 + mips.iter().map(|mip| mip.len()).sum::<usize>());
        Dds { header, header10, data: Vec::new() }.write(&mut out)?;
        mips.iter().for_each(|mip| out.extend_from_slice(mip));
        Ok(out)
    });
    written.map_err(|error: ddsfile::Error| ExportError::Unsupported(format!("the DDS cannot be written: {error}")))
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
        let file = dds(&of(form.clone()), &mut Notes::default()).unwrap();
        assert_eq!(file.len(), 128 + 24);
        assert_eq!(&file[128..], [&*large, &*small].concat());
        assert_eq!((&file[84..88], file[28]), (b"DXT1".as_slice(), 2));
        let back = picture::decode("x", &file, &Limits::default()).unwrap();
        assert_eq!((back.width, back.height, &back.rgba[..4]), (8, 4, [255, 0, 0, 255].as_slice()));
        let stored = StoredPixels::Blocks { kind: BlockKind::Bc5, mips: vec![vec![7; 32].into()] };
        let later = PictureForm { mips: vec![image(8, 4)], stored, ..form };
        let file = dds(&of(later), &mut Notes::default()).unwrap();
        assert_eq!((file.len(), &file[84..88], file[128]), (148 + 32, b"DX10".as_slice(), 83));
    }

    /// Each kind of file with two mips and with one: the headers as numbers, written down from the format's description.
    #[test]
    fn headers_are_the_same_number_by_number() {
        let header = |count: u32, kind: u32, pitch: u32, format: [u32; 8]| {
            let (more, caps) = if count > 1 { (0x2_0000, 0x40_0008) } else { (0, 0) };
            let start = [u32::from_le_bytes(*b"DDS "), 124, 0x1007 | more | kind, 4, 8, pitch, 0, count];
            [start.as_slice(), &[0; 11], &format, &[0x1000 | caps, 0, 0, 0, 0]].concat()
        };
        let four_cc = |name: &[u8; 4]| [32, 0x4, u32::from_le_bytes(*name), 0, 0, 0, 0, 0];
        let numbers = |file: &[u8], size: usize| -> Vec<u32> {
            file[..size].chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
        };
        let blocks = [
            (BlockKind::Bc1, b"DXT1", None),
            (BlockKind::Bc2, b"DXT3", None),
            (BlockKind::Bc3, b"DXT5", None),
            (BlockKind::Bc4, b"DX10", Some(80)),
            (BlockKind::Bc4Signed, b"DX10", Some(81)),
            (BlockKind::Bc5, b"DX10", Some(83)),
            (BlockKind::Bc5Signed, b"DX10", Some(84)),
            (BlockKind::Bc6h, b"DX10", Some(95)),
            (BlockKind::Bc6hSigned, b"DX10", Some(96)),
            (BlockKind::Bc7, b"DX10", Some(98)),
        ];
        for count in [1, 2] {
            let images = &[image(8, 4), image(4, 2)][..count];
            for (kind, name, dxgi) in blocks {
                let mips: Vec<Arc<[u8]>> =
                    images.iter().map(|i| vec![7; kind.size_of(i.width, i.height).unwrap()].into()).collect();
                let pitch = mips[0].len() as u32;
                let stored = StoredPixels::Blocks { kind, mips };
                let form = PictureForm { name: "w".into(), mips: images.to_vec(), stored, has_alpha: false };
                let file = dds(&of(form), &mut Notes::default()).unwrap();
                let mut expected = header(count as u32, 0x8_0000, pitch, four_cc(name));
                expected.extend(dxgi.iter().flat_map(|dxgi| [*dxgi, 3, 0, 1, 1]));
                assert_eq!(numbers(&file, expected.len() * 4), expected, "{kind:?}, {count} mips");
            }
            for (has_alpha, flags, mask) in [(true, 0x41, 0xFF00_0000), (false, 0x40, 0)] {
                let form =
                    PictureForm { name: "w".into(), mips: images.to_vec(), stored: StoredPixels::Decoded, has_alpha };
                let file = dds(&of(form), &mut Notes::default()).unwrap();
                let format = [32, flags, 0, 32, 0xFF_0000, 0xFF00, 0xFF, mask];
                assert_eq!(numbers(&file, 128), header(count as u32, 0x8, 32, format), "{has_alpha}, {count} mips");
            }
        }
    }

    #[test]
    fn other_pixels_come_back_as_they_were_and_odd_mips_are_left_out() {
        let mips = vec![image(3, 2), image(1, 1), image(1, 1), image(9, 9)];
        let form = PictureForm { name: "P8".into(), mips, stored: StoredPixels::Decoded, has_alpha: true };
        let mut notes = Notes::default();
        let file = dds(&of(form.clone()), &mut notes).unwrap();
        assert_eq!((file.len(), notes.len()), (128 + (6 + 1 + 1) * 4, 1));
        let back = picture::decode("x", &file, &Limits::default()).unwrap();
        assert_eq!(back.rgba, form.mips[0].rgba);
        let opaque = dds(&of(PictureForm { has_alpha: false, ..form }), &mut notes).unwrap();
        assert_eq!(picture::decode("x", &opaque, &Limits::default()).unwrap().rgba[3], 255);
        assert!(dds(&Picture::default(), &mut notes).is_err());
    }
}
