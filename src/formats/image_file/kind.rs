//! The kinds of picture files.

use super::{layout, opaque::OPAQUE};
use crate::formats::{FormatInfo, Hint, Score};

/// What tells one kind of picture file from the others.
pub struct Kind {
    /// Id, name and extensions of the format.
    pub info: FormatInfo,
    /// Scores the first bytes of a file and its name.
    pub is: fn(head: &[u8], hint: &Hint<'_>) -> Score,
    /// Reads a whole file into fields.
    pub layout: layout::Layout,
}

const fn info(id: &'static str, name: &'static str, extensions: &'static [&'static str]) -> FormatInfo {
    FormatInfo { id, name, family: "pictures", extensions, companions: &[], opaque: OPAQUE, codes: &[], metres: 1.0 }
}

fn certain(is: bool) -> Score {
    if is { Score::Certain } else { Score::No }
}

/// PNG, recognised by its signature.
pub static PNG: Kind = Kind {
    info: info("png", "PNG image", &["png"]),
    is: |head, _| certain(head.starts_with(b"\x89PNG\r\n\x1A\n")),
    layout: layout::png,
};
/// DDS, recognised by its magic and the size of its header.
pub static DDS: Kind = Kind {
    info: info("dds", "DirectDraw surface", &["dds"]),
    is: |head, _| certain(head.starts_with(b"DDS \x7C\0\0\0")),
    layout: layout::dds,
};
/// BMP, recognised by its magic, unused bytes and the size of its second header.
pub static BMP: Kind =
    Kind { info: info("bmp", "BMP image", &["bmp"]), is: |head, _| certain(is_bmp(head)), layout: layout::bmp };
/// Nothing at its start says what it is, so the file's name must.
pub static TGA: Kind = Kind {
    info: info("tga", "TGA image", &["tga"]),
    is: |head, hint| if hint.extension() == "tga" && is_tga(head) { Score::Likely } else { Score::No },
    layout: layout::tga,
};

/// Two letters alone would take any text that starts with them: the unused bytes and the size of the second header as well.
fn is_bmp(head: &[u8]) -> bool {
    let [b'B', b'M', _, _, _, _, 0, 0, 0, 0, _, _, _, _, size, 0, 0, 0, ..] = head else { return false };
    matches!(size, 12 | 40 | 52 | 56 | 64 | 108 | 124)
}

fn is_tga(head: &[u8]) -> bool {
    let [_, map, kind, _, _, _, _, map_bits, _, _, _, _, _, _, _, _, bits, _, ..] = head else { return false };
    let has_map = *map == 1 && matches!(map_bits, 15 | 16 | 24 | 32);
    (*map == 0 || has_map) && matches!(kind, 1 | 2 | 3 | 9 | 10 | 11) && matches!(bits, 8 | 15 | 16 | 24 | 32)
}
