use super::{
    super::act::{Act, Bone},
    *,
};
use crate::{
    bytes::{Endian, Source},
    formats::{Children, Field, Value, coverage, field_reader::FieldReader, findings::Findings, structure::Structure},
};
use glam::Vec3;

/// Sources of a slot: its position's X, in halves.
fn source(x: i16) -> [u8; 12] {
    let mut out = [0; 12];
    out[..2].copy_from_slice(&x.to_be_bytes());
    out
}

/// A skin of shift 1 with a list of each kind: SK1 writes slots 3 and 4, SK2 slot 8, SKAcc adds to 8, 12 and twice to 12 again.
fn whole() -> Vec<u8> {
    let mut out = Vec::new();
    let words = |out: &mut Vec<u8>, words: &[u32]| words.iter().for_each(|w| out.extend(w.to_be_bytes()));
    let halves = |out: &mut Vec<u8>, halves: &[u16]| halves.iter().for_each(|h| out.extend(h.to_be_bytes()));
    halves(&mut out, &[1, 1, 1, 0x0100]);
    words(&mut out, &[0x24, 0x64, 0xD8, 128, 64, 0x1D0, 2]);
    // SK1: line 1, 4 bytes on.
    out.resize(0x24 + 0x30, 0xEE);
    words(&mut out, &[0x120, 32]);
    halves(&mut out, &[0, 2, 0x0400, 0]);
    // SK2: line 3 begins a slot.
    out.resize(0x64 + 0x60, 0xEE);
    words(&mut out, &[0x160, 0x1C8, 96]);
    halves(&mut out, &[0, 1, 1, 0]);
    out.resize(0xD8 + 0x30, 0xEE);
    words(&mut out, &[0x180, 0x1B0, 0, 0x1C0]);
    halves(&mut out, &[1, 4]);
    out.resize(0x120, 0);
    out.extend([7, 7, 7, 7]);
    out.extend([source(2), source(4)].concat());
    out.extend([9; 4]);
    out.resize(0x160, 0);
    out.extend(source(8));
    out.resize(0x180, 0);
    out.extend([source(10), source(20), source(20), source(30)].concat());
    out.extend([8_u16, 12, 12, 12].iter().flat_map(|slot| slot.to_be_bytes()));
    out.resize(0x1C0, 0);
    out.extend([64, 128, 64, 64]);
    out.resize(0x1C8, 0);
    out.extend([128, 64]);
    out.resize(0x1D0, 0);
    out.extend([0, 1, 0, 2]);
    out
}

fn act(bones: u32) -> Act {
    // The second bone of the order is the first of the table.
    let order = if bones == 2 { vec![1, 0] } else { (0..bones).collect() };
    let mut act = Act::default();
    act.bones.resize(bones as usize, Bone::default());
    act.order = order;
    act
}

fn read_bytes(bytes: Vec<u8>) -> (Skn, Findings, Vec<Field>) {
    let source = Source::from(bytes);
    let mut findings = Findings::default();
    let skn =
        read::read_skn(&mut FieldReader::new(&source, 0..source.len() as u64, Endian::Big), &mut findings).unwrap();
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
    read::read_skn(&mut r, &mut Findings::default()).unwrap();
    (skn, findings, r.into_fields())
}

#[test]
fn lists_name_slots_weights_and_sources() {
    let (skn, findings, mut fields) = read_bytes(whole());
    assert_eq!(findings.codes(), [""; 0]);
    let of = |index: usize| -> Vec<(u32, [u8; 2], i16)> {
        skn.lists[index].entries(&skn.source).map(|e| (e.slot, e.weights, e.source[0])).collect()
    };
    assert_eq!(of(0), [(3, [0, 0], 2), (4, [0, 0], 4)]);
    assert_eq!(of(1), [(8, [128, 64], 8)]);
    assert_eq!(of(2), [(8, [64, 0], 10), (12, [128, 0], 20), (12, [64, 0], 20), (12, [64, 0], 30)]);
    let size = skn.source.len() as u64;
    coverage::claim_gaps(&skn.source, 0..size, &mut fields, "padding", |bytes| bytes.iter().all(|b| *b == 0));
    assert_eq!(coverage::gaps(&fields, 0..size), []);
    let rests: Vec<_> = fields.iter().filter(|f| f.name.starts_with("Remaining")).map(|f| (f.offset, f.size)).collect();
    assert_eq!(rests[..2], [(0x120, 4), (0x13C, 4)], "other bytes of the copied cache lines");
}

#[test]
fn influences_are_added_up_in_order_from_nothing() {
    let (skn, mut findings, _) = read_bytes(whole());
    let stored = vec![[5, 0, 0, 2, 0, 0]; 10];
    let bound = bind(&skn, &act(2), &stored, 1, &mut findings);
    assert_eq!(findings.codes(), [""; 0]);
    assert_eq!(bound.points.len(), 13, "lists write slots after the stored points");
    let run = |slot: usize| -> Vec<(u32, f32, f32)> {
        let influences = bound.skin.influences_of(slot).iter();
        influences.zip(bound.skin.sources_of(slot)).map(|(i, s)| (i.joint, i.weight, s.position.x)).collect()
    };
    assert_eq!(run(3), [(1, 1.0, 1.0)]);
    assert_eq!(run(8), [(1, 0.5, 4.0), (0, 0.25, 4.0), (0, 0.25, 5.0)]);
    assert_eq!(run(12), [(0, 0.5, 10.0), (0, 0.25, 10.0), (0, 0.25, 15.0)]);
    assert_eq!(run(0), []);
    assert_eq!((bound.points[0], bound.normals[0]), (Vec3::X * 2.5, Vec3::X));
    assert_eq!((bound.points[8].x, bound.points[12].x, bound.points[10]), (4.25, 11.25, Vec3::ZERO));
    assert_eq!(bound.fixed.clear, 128..192);
    assert_eq!(bound.fixed.stored.len(), 13);
    let slots = bound.fixed.evaluate(&[glam::Affine3A::IDENTITY; 2]);
    assert_eq!((slots[0][0], slots[3][0], slots[8][0], slots[12][0]), (5, 2, 8, 22), "units of a half");
}

#[test]
fn a_mesh_of_other_units_decides_how_large_it_is() {
    let (skn, mut findings, _) = read_bytes(whole());
    let bound = bind(&skn, &act(2), &[], 2, &mut findings);
    assert_eq!(findings.codes(), ["charpipe.shift-mismatch"]);
    assert_eq!((bound.points[3].x, bound.skin.influences_of(3)[0].weight), (0.5, 0.5));
}

#[test]
fn what_the_game_would_show_otherwise_is_said() {
    let says = |change: fn(&mut Vec<u8>)| {
        let mut bytes = whole();
        change(&mut bytes);
        let (skn, mut findings, _) = read_bytes(bytes);
        let bound = bind(&skn, &act(2), &[], 1, &mut findings);
        assert!(bound.points.iter().all(|p| p.is_finite()));
        (findings.codes(), bound)
    };
    let (codes, bound) = says(|bytes| bytes[0x1C0] = 60);
    assert_eq!((codes, bound.skin.influences_of(8).len()), (vec!["charpipe.weight-sum"], 3));
    // Slot 12 no longer cleared, slot 3 cleared, an odd start, a bone that is not there.
    let (codes, _) = says(|bytes| bytes[0x1B] = 0);
    assert_eq!(codes, ["charpipe.uncleared-slot"]);
    let (codes, bound) = says(|bytes| bytes[0x17] = 32);
    assert_eq!(codes, ["charpipe.overwritten-slot", "charpipe.uncleared-slot"]);
    assert!(bound.skin.influences_of(3).is_empty() && bound.points[3] == Vec3::ZERO, "cleared after it was written");
    let (codes, _) = says(|bytes| bytes[0x17] = 129);
    assert_eq!(codes, ["charpipe.odd-clear"]);
    let (codes, bound) = says(|bytes| bytes[0x5D] = 9);
    assert_eq!((codes, bound.skin.influences_of(3).len()), (vec!["charpipe.bad-list-bone"], 0));
}

#[test]
fn lists_that_lead_out_are_left_out_and_said() {
    let says = |at: usize, word: u32| {
        let mut bytes = whole();
        bytes[at..at + 4].copy_from_slice(&word.to_be_bytes());
        let (skn, mut findings, _) = read_bytes(bytes);
        let bound = bind(&skn, &act(2), &[], 1, &mut findings);
        (findings.codes(), bound)
    };
    // Destination between two slots, past the last that vertices can name; sources before and behind the section.
    assert_eq!(says(0x58, 33).0, ["charpipe.bad-list-slots"]);
    assert_eq!(says(0x58, 0xFF_FFFC).0[0], "charpipe.bad-list-slots");
    assert_eq!(says(0x54, u32::MAX).0, ["charpipe.short-list"]);
    assert_eq!(says(0x54, 4).0, ["charpipe.short-list"]);
    assert_eq!(says(0x8, u32::MAX).0, ["charpipe.short-table"]);
    assert_eq!(says(0x20, u32::MAX).0, ["charpipe.short-flush"]);
    let (codes, bound) = says(0x5C, 0x0000_FFFF);
    assert_eq!(codes[0], "charpipe.short-list");
    assert!(bound.points.len() > 13, "the existing entries are used");
    // An index near the end of what 16 bits hold is a slot like any other.
    let (codes, bound) = says(0x1B4, 0x000C_FFFF);
    assert_eq!((codes[0], bound.points.len()), ("charpipe.weight-sum", 1 << 16));
    let mut bytes = whole();
    bytes[6] = 32;
    let source = Source::from(bytes);
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big);
    let fault = read::read_skn(&mut r, &mut Findings::default()).unwrap_err();
    assert!(fault.offset == 6 && fault.message.contains("32"), "{fault:?}");
}

#[test]
fn a_list_shows_each_slot() {
    let (skn, ..) = read_bytes(whole());
    let names: Vec<String> = skn.parts().into_iter().map(|p| p.name).collect();
    assert_eq!(names, ["SK1 0", "SK2 0", "SKAcc 0"]);
    let fields = skn.part_fields(&skn.source, 2);
    assert!(fields.iter().all(|f| f.mirror));
    assert_eq!(fields[0].value, Value::Text("8 to 12, 4 entries".to_owned()));
    let Children::Table(entries) = &fields[1].children else { panic!() };
    let row = entries.row(3).unwrap();
    let Children::Fields(inside) = &row.children else { panic!() };
    let shown: Vec<_> = inside.iter().take(3).map(|f| (&*f.name, f.value.clone(), f.offset)).collect();
    let position = Value::Floats(vec![15.0, 0.0, 0.0]);
    assert_eq!(
        shown,
        [("Slot", Value::UInt(12), 0x1B6), ("Weight", Value::Float(0.25), 0x1C3), ("Position", position, 0x1A4)]
    );
    assert!(entries.row(4).is_none() && entries.len() == 4);
}

#[test]
fn lists_may_share_their_sources() {
    let mut bytes = whole();
    // SK2 takes SK1's.
    bytes[0x64 + 0x60..0x64 + 0x64].copy_from_slice(&0x124_u32.to_be_bytes());
    let (_, findings, fields) = read_bytes(bytes);
    assert!(findings.is_empty());
    let shared: Vec<_> = fields.iter().filter(|f| f.name.starts_with("Sources")).map(|f| f.mirror).collect();
    assert_eq!(shared, [false, true, false]);
}
