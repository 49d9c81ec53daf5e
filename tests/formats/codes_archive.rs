//! R12: a file for each diagnostic code of archives and compressed streams.

use crate::kit::codes::{Trigger, assert_table, cut, put};

/// A U8 archive of files whose names are all the same 255 bytes.
fn many_names() -> Vec<u8> {
    let count = 80_000_u32;
    let nodes_end = 0x20 + count * 12;
    let words = |words: &[u32]| words.iter().flat_map(|w| w.to_be_bytes()).collect::<Vec<u8>>();
    let mut bytes = words(&[0x55AA_382D, 0x20, count * 12 + 600, nodes_end + 600]);
    bytes.resize(0x20, 0);
    bytes.extend(words(&[0x0100_0000, 0, count]));
    (1..count).for_each(|_| bytes.extend(words(&[1, 0, 0])));
    bytes.push(0);
    bytes.resize(bytes.len() + 599, 0xB1);
    bytes
}

pub fn triggers() -> Vec<Trigger> {
    vec![
        // The end of the header, and a stream in an archive whose bytes begin further on than it becomes long.
        cut("archive.bad-stream", "archive/arm.szs", 6),
        cut("archive.bad-stream", "archive/arm_nested.arc", 290),
        cut("archive.bad-table", "archive/arm_nested.arc", 6),
        // The name of the first node behind the root.
        put("archive.odd-entry", "archive/menu.u8", 0x2D, &[0x7F]),
        // The size that a stream states.
        put("archive.too-large", "archive/arm.szs", 4, &[0xFF]),
        put("archive.too-deep", "archive/menu.u8", 0x3F, &[0]),
        put("archive.shared-bytes", "archive/menu.u8", 7, &[0xFF]),
        Trigger::new("archive.too-many-names", "names.u8", many_names()),
        cut("archive.unreadable-member", "archive/arm.szs", 327),
    ]
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("archive.", &triggers());
}
