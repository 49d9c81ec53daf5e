//! The package header (formats/unreal.md §3.1).

/// The version from which on generations stand where the heritage stood.
pub(super) const GENERATIONS_FROM: u16 = 68;

const MAGIC: u32 = 0x9E2A_83C1;

/// Count and offset of each table.
pub(super) struct Tables {
    pub names: (usize, usize),
    pub exports: (usize, usize),
    pub imports: (usize, usize),
    pub heritage: (usize, usize),
}

/// Bytes of the header with one generation or one heritage entry.
pub(super) fn size(version: u16) -> usize {
    if version < GENERATIONS_FROM { 44 } else { 64 }
}

pub(super) fn encode(version: u16, licensee: u16, flags: u32, guid: &[u8; 16], tables: &Tables) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC.to_le_bytes());
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&licensee.to_le_bytes());
    let mut word = |value: u32| out.extend_from_slice(&value.to_le_bytes());
    word(flags);
    for (count, offset) in [tables.names, tables.exports, tables.imports] {
        word(as_u32(count));
        word(as_u32(offset));
    }
    if version < GENERATIONS_FROM {
        word(as_u32(tables.heritage.0));
        word(as_u32(tables.heritage.1));
    } else {
        out.extend_from_slice(guid);
        for value in [1, as_u32(tables.exports.0), as_u32(tables.names.0)] {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
    out
}

fn as_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
