//! R12: a file for each diagnostic code of containers.

use crate::{
    containers_iso::{dots, one_tree},
    kit::{
        codes::{Trigger, assert_table, with},
        containers::{ZipMember, umod, zip},
        containers_uz::pbo,
        isos::record,
    },
};
use bonebox::bytes::{Allowance, Limits, MemberLimits};

pub fn triggers() -> Vec<Trigger> {
    let limits = |members: MemberLimits| Limits { members, ..Limits::default() };
    let wide = MemberLimits::default();
    let installer = umod(&[("a", b"one", 0), ("b", b"two", 0)]);
    // The footer, and before it the records: name with its length, offset, size, flags.
    let footer = installer.len() - 20;
    let (size_of_b, offset_of_b) = (footer - 8, footer - 12);
    let zeros = || zip(&[ZipMember::deflated("a", &[0; 1 << 20]), ZipMember::deflated("b", &[0; 1 << 20])]);
    let text = ZipMember::deflated("a", b"bones and bones and bones");
    let lying = ZipMember { size: 3, ..text.clone() };
    let broken = ZipMember { stored: vec![0xFF; text.stored.len()], ..text.clone() };
    // A folder that is the one that it lies in.
    let circle = [dots(), vec![record(b"E", 18, 2048, 2, &[])]].concat();
    vec![
        Trigger::new("container.cycle", "a.iso", one_tree(&circle, &[])),
        Trigger::new("container.data-truncated", "a.umod", with(installer.clone(), size_of_b, &[0xFF; 3])),
        Trigger::new("container.data-overlap", "a.umod", with(installer.clone(), offset_of_b, &[1])),
        Trigger::new("container.data-trailing", "a.pbo", [pbo(&[("a", b"bone")]), vec![1]].concat()),
        // The last bytes of b, which begins too early, are nobody's.
        Trigger::new("container.data-unlisted", "a.umod", with(installer.clone(), offset_of_b, &[1])),
        Trigger::new("container.table-invalid", "a.umod", umod(&[(&"a\\".repeat(70), b"", 0)])),
        Trigger::new("container.size-mismatch", "a.zip", zip(&[lying])),
        Trigger::new("container.checksum-mismatch", "a.umod", with(installer.clone(), footer + 16, &[0; 4])),
        Trigger::new("container.decode-failed", "a.zip", zip(&[broken])),
        Trigger::new("container.method-unsupported", "a.zip", zip(&[ZipMember { method: 97, ..text.clone() }])),
        Trigger::new("container.encrypted", "a.zip", zip(&[ZipMember { flags: 1, ..text }])),
        Trigger::new("container.file-missing", "a.cue", "FILE a.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"),
        Trigger::new("container.field-odd", "a.umod", with(installer.clone(), footer + 8, &[1])),
        Trigger::new("container.name-unsafe", "a.umod", umod(&[("..\\a", b"", 0)])),
        Trigger::new("container.name-duplicate", "a.umod", umod(&[("a", b"", 0), ("A", b"", 0)])),
        Trigger::new("container.bomb-size", "a.zip", zeros()).within(limits(MemberLimits { bytes: 1000, ..wide })),
        Trigger::new("container.bomb-ratio", "a.zip", zeros())
            .within(limits(MemberLimits { ratio_from: 1000, ..wide })),
        Trigger::new("container.bomb-count", "a.umod", installer).within(Limits { entries: 2, ..Limits::default() }),
        Trigger::new("container.bomb-total", "a.zip", zeros())
            .within(limits(MemberLimits { work: Allowance { base: 200_000, per_byte: 0 }, ..wide })),
    ]
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("container.", &triggers());
}
