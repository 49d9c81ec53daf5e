//! Name tables (formats/j3d.md §1).

use super::file::{Chunk, count16};

/// The sum that looks names up: `h · 3 + byte` over the bytes of a name.
pub(super) fn hash(name: &[u8]) -> u16 {
    name.iter().fold(0_u16, |hash, byte| hash.wrapping_mul(3).wrapping_add(u16::from(*byte)))
}

/// Writes a table of names in Shift-JIS; repeats are written again.
pub(super) fn name_table<'a>(out: &mut Chunk, names: impl IntoIterator<Item = &'a str>) {
    let names: Vec<Vec<u8>> =
        names.into_iter().map(|name| encoding_rs::SHIFT_JIS.encode(name).0.into_owned()).collect();
    out.u16(count16(names.len()));
    out.u16(0xFFFF);
    let mut offset = names.len().saturating_mul(4).saturating_add(4);
    for name in &names {
        out.u16(hash(name));
        out.u16(count16(offset));
        offset = offset.saturating_add(name.len()).saturating_add(1);
    }
    for name in &names {
        out.bytes(name);
        out.u8(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_fold_by_three() {
        // ((97 · 3) + 98) · 3 + 99
        assert_eq!(hash(b"abc"), 1266);
        assert_eq!(hash(b"."), 46);
        assert_eq!(hash(b".."), 184);
    }

    #[test]
    fn a_table_points_at_its_names() {
        let mut out = Chunk::new(b"TEST");
        name_table(&mut out, ["a", "目"]);
        let bytes = out.finish();
        assert_eq!(bytes[8..12], [0, 2, 0xFF, 0xFF]);
        // 目 is 96 DA: 0x96 · 3 + 0xDA = 0x29C.
        assert_eq!(bytes[12..20], [0, 97, 0, 12, 0x02, 0x9C, 0, 14]);
        assert_eq!(bytes[20..25], [b'a', 0, 0x96, 0xDA, 0]);
    }
}
