//! Pictures of compressed blocks of 4 × 4 pixels.

use crate::scene::BlockKind;

/// Decodes the blocks that are there into RGBA rows from the top; pixels of blocks that are missing stay transparent black.
/// One channel becomes grey, two red and green. The caller has checked the size.
pub fn decode_blocks(kind: BlockKind, width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let row_bytes = (width as usize).saturating_mul(4);
    let mut rgba = vec![0; row_bytes.saturating_mul(height as usize)];
    let row_of_blocks = (width.div_ceil(4) as usize).saturating_mul(kind.block_size());
    if row_bytes == 0 || row_of_blocks == 0 {
        return rgba;
    }
    for (rows, blocks) in rgba.chunks_mut(row_bytes.saturating_mul(4)).zip(data.chunks(row_of_blocks)) {
        let mut lines: Vec<&mut [u8]> = rows.chunks_exact_mut(row_bytes).collect();
        for (column, block) in blocks.chunks_exact(kind.block_size()).enumerate() {
            let mut pixels = [0_u8; 64];
            decode_block(kind, block, &mut pixels);
            let at = column.saturating_mul(16);
            for (line, pixels) in lines.iter_mut().zip(pixels.chunks_exact(16)) {
                let rest = line.get_mut(at..).unwrap_or_default();
                let count = rest.len().min(16);
                if let (Some(to), Some(from)) = (rest.get_mut(..count), pixels.get(..count)) {
                    to.copy_from_slice(from);
                }
            }
        }
    }
    rgba
}

/// One block of the right size into 16 RGBA pixels.
fn decode_block(kind: BlockKind, block: &[u8], pixels: &mut [u8; 64]) {
    match kind {
        BlockKind::Bc1 => bcdec_rs::bc1(block, pixels, 16),
        BlockKind::Bc2 => bcdec_rs::bc2(block, pixels, 16),
        BlockKind::Bc3 => bcdec_rs::bc3(block, pixels, 16),
        BlockKind::Bc7 => bcdec_rs::bc7(block, pixels, 16),
        BlockKind::Bc4 => {
            let mut grey = [0_u8; 16];
            bcdec_rs::bc4(block, &mut grey, 4, false);
            fill(pixels, grey.iter().map(|g| [*g, *g, *g]));
        }
        BlockKind::Bc4Signed => {
            let mut grey = [0_f32; 16];
            bcdec_rs::bc4_float(block, &mut grey, 4, true);
            fill(pixels, grey.iter().map(|g| [signed(*g); 3]));
        }
        BlockKind::Bc5 => {
            let mut pairs = [0_u8; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            fill(pixels, pairs.as_chunks::<2>().0.iter().map(|[r, g]| [*r, *g, 0]));
        }
        BlockKind::Bc5Signed => {
            let mut pairs = [0_f32; 32];
            bcdec_rs::bc5_float(block, &mut pairs, 8, true);
            fill(pixels, pairs.as_chunks::<2>().0.iter().map(|[r, g]| [signed(*r), signed(*g), 0]));
        }
        BlockKind::Bc6h | BlockKind::Bc6hSigned => {
            let mut colors = [0_f32; 48];
            bcdec_rs::bc6h_float(block, &mut colors, 12, kind == BlockKind::Bc6hSigned);
            fill(
                pixels,
                colors.as_chunks::<3>().0.iter().map(|c| c.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)),
            );
        }
    }
}

fn fill(pixels: &mut [u8; 64], colors: impl Iterator<Item = [u8; 3]>) {
    for (to, [r, g, b]) in pixels.chunks_exact_mut(4).zip(colors) {
        to.copy_from_slice(&[r, g, b, 255]);
    }
}

/// −1 to 1 as 0 to 255.
fn signed(value: f32) -> u8 {
    ((value.clamp(-1.0, 1.0) * 0.5 + 0.5) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two end points, red and blue; the last row is blue.
    const RED_AND_BLUE: [u8; 8] = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0b0101_0101];

    #[test]
    fn blocks_are_cut_by_the_edge_and_missing_ones_stay_empty() {
        let data = [RED_AND_BLUE, RED_AND_BLUE].concat();
        let rgba = decode_blocks(BlockKind::Bc1, 6, 5, &data);
        assert_eq!(rgba.len(), 6 * 5 * 4);
        assert_eq!(&rgba[..4], [255, 0, 0, 255]);
        assert_eq!(&rgba[5 * 4..6 * 4], [255, 0, 0, 255]);
        assert_eq!(&rgba[6 * 3 * 4..][..4], [0, 0, 255, 255]);
        assert_eq!(&rgba[6 * 4 * 4..][..4], [0; 4]);
        assert_eq!(decode_blocks(BlockKind::Bc1, 0, 5, &data), [0_u8; 0]);
    }

    #[test]
    fn one_and_two_channels_are_spread() {
        // End points 255 and 0, every pixel the first.
        let half = [255, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(&decode_blocks(BlockKind::Bc4, 4, 4, &half)[..4], [255, 255, 255, 255]);
        let both = [half, [0; 8]].concat();
        assert_eq!(&decode_blocks(BlockKind::Bc5, 4, 4, &both)[..4], [255, 0, 0, 255]);
        // −127 is the smallest signed value, 0 the middle.
        let signed = [0x81, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(&decode_blocks(BlockKind::Bc4Signed, 4, 4, &signed)[..4], [0, 0, 0, 255]);
        let both = [signed, [0; 8]].concat();
        assert_eq!(&decode_blocks(BlockKind::Bc5Signed, 4, 4, &both)[..4], [0, 128, 0, 255]);
    }

    #[test]
    fn any_block_of_any_kind_decodes() {
        let mut seed = 1_u32;
        let mut noise = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        for kind in [
            BlockKind::Bc1,
            BlockKind::Bc2,
            BlockKind::Bc3,
            BlockKind::Bc4,
            BlockKind::Bc4Signed,
            BlockKind::Bc5,
            BlockKind::Bc5Signed,
            BlockKind::Bc6h,
            BlockKind::Bc6hSigned,
            BlockKind::Bc7,
        ] {
            for _ in 0..500 {
                let data: Vec<u8> = (0..kind.size_of(8, 8).unwrap()).map(|_| noise()).collect();
                assert_eq!(decode_blocks(kind, 8, 8, &data).len(), 256, "{kind:?}");
            }
        }
    }
}
