//! R5, R7: files made to cost far more than their size. Each shares something among as many users as its counts allow.

use crate::heap::{self, MAX_SECS, held_by_chunks as held_by};
use bonebox::{
    bytes::Limits,
    scene::{Clip, ClipValues, PoseOptions},
};
use std::time::Instant;

/// Big-endian bytes that are put together from numbers.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u8(&mut self, values: &[u8]) -> &mut Self {
        self.0.extend(values);
        self
    }

    fn u16(&mut self, values: &[u16]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|v| v.to_be_bytes()));
        self
    }

    fn u32(&mut self, values: &[u32]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|v| v.to_be_bytes()));
        self
    }

    fn up_to(&mut self, size: usize) -> &mut Self {
        assert!(self.0.len() <= size, "{} bytes are there already", self.0.len());
        self.0.resize(size, 0);
        self
    }
}

fn file(magic: &[u8; 8], chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = Bytes::default();
    file.u8(magic).u32(&[0, chunks.len() as u32]).u8(&[0xFF; 16]);
    for (tag, body) in chunks {
        let size = (body.len() + 8).next_multiple_of(32);
        let start = file.0.len();
        file.u8(*tag).u32(&[size as u32]).u8(body).up_to(start + size);
    }
    let size = file.0.len() as u32;
    file.0[8..12].copy_from_slice(&size.to_be_bytes());
    file.0
}

const COUNT: u16 = 0xFFFF;

/// A name table of as many names as there can be that are one text.
fn one_name(out: &mut Bytes, text: u8, length: usize) {
    let at = 4 + 4 * usize::from(COUNT);
    // Offsets have 16 bits: the text stands where the entries are.
    out.u16(&[COUNT, 0xFFFF]);
    let start = 4;
    let end = out.0.len() + at - 4;
    let first = out.0.len();
    for _ in 0..COUNT {
        out.u16(&[0x4141, start]);
    }
    out.0[first..first + length].fill(text);
    out.0[first + length] = 0;
    assert_eq!(out.0.len(), end);
}

fn no_names(out: &mut Bytes) {
    out.u16(&[0, 0xFFFF]);
}

/// INF1 with these nodes.
fn inf1(nodes: &[(u16, u16)]) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u16(&[0, 0xFFFF]).u32(&[0, 0, 0x18]);
    for (kind, value) in nodes {
        out.u16(&[*kind, *value]);
    }
    out.u16(&[0, 0]);
    out.0
}

/// JNT1 of `count` joints that are one entry.
fn jnt1(count: u16, names: impl FnOnce(&mut Bytes)) -> Vec<u8> {
    let (table, remap) = (0x18_u32, 0x58_u32);
    let names_at = remap + u32::from(count) * 2 + 2;
    let mut out = Bytes::default();
    out.u16(&[count, 0xFFFF]).u32(&[table, remap, names_at]);
    out.u8(&[0, 0, 0, 0xFF]).u32(&[1_f32.to_bits(); 3]).u16(&[0; 4]).u32(&[0; 3]).u32(&[0; 7]);
    out.up_to(remap as usize - 8).u16(&vec![0; usize::from(count)]).up_to(names_at as usize - 8);
    names(&mut out);
    out.0
}

#[test]
fn names_that_share_one_text_do_not_fill_the_memory() {
    let _alone = heap::alone();
    for text in [b'A', 0xB1] {
        // One byte of kana becomes three.
        let outcome =
            held_by("names.bmd", file(b"J3D2bmd3", &[(b"JNT1", jnt1(COUNT, |out| one_name(out, text, 4000)))]));
        assert!(outcome.model().skeleton.is_some());
        outcome.assert_said("j3d.bad-names");
    }
}

#[test]
fn texture_matrix_chunks_that_all_run_to_the_end_are_not_read_again_and_again() {
    let _alone = heap::alone();
    // 255 chunks of a header, then one of the largest table: each has its table there.
    let mut body = Bytes::default();
    body.u8(&[0, 0]).u16(&[1, COUNT, 0, 0, 0]).u32(&[0x60, 0, 0, 0, 0, 0, 0]).up_to(0x58);
    let mut chunks: Vec<(&[u8; 4], Vec<u8>)> = vec![(b"TTK1", body.0.clone()); 255];
    body.up_to(1 << 20);
    chunks.push((b"TTK1", body.0));
    held_by("chunks.btk", file(b"J3D1btk1", &chunks));
}

/// SHP1 of `shapes` shapes that are one entry, which draws `groups` times the same list.
fn shp1(shapes: u16, groups: u16, list: &[u8]) -> Vec<u8> {
    let (count, groups) = (usize::from(shapes), usize::from(groups));
    let table = 0x30_usize;
    let remap = table + 0x28;
    let attributes = (remap + 2 * count).next_multiple_of(4);
    let matrices = attributes + 16;
    let group_table = matrices + 4;
    let draws = group_table + 8 * groups;
    let lists = draws + 8 * groups;
    let at = |offset: usize| offset as u32;
    let mut out = Bytes::default();
    out.u16(&[shapes, 0xFFFF]).u32(&[
        at(table),
        at(remap),
        0,
        at(attributes),
        at(matrices),
        at(lists),
        at(group_table),
        at(draws),
    ]);
    out.up_to(table - 8).u8(&[0, 0xFF]).u16(&[groups as u16, 0, 0, 0, 0xFFFF]).u32(&[0; 7]);
    out.up_to(remap - 8).u16(&vec![0; count]).up_to(attributes - 8);
    // Positions by an index of one byte.
    out.u32(&[9, 2, 0xFF, 0]).u16(&[0, 0]);
    for _ in 0..groups {
        out.u16(&[0, 1]).u32(&[0]);
    }
    for _ in 0..groups {
        out.u32(&[list.len() as u32, 0]);
    }
    out.u8(list);
    out.0
}

fn vtx1() -> Vec<u8> {
    let (formats, positions) = (0x40_u32, 0x60_u32);
    let mut out = Bytes::default();
    out.u32(&[formats, positions]).u32(&[0; 12]).up_to(formats as usize - 8);
    out.u32(&[9, 1, 4]).u8(&[0, 0xFF, 0xFF, 0xFF]).u32(&[0xFF, 1, 0]).u8(&[0, 0xFF, 0xFF, 0xFF]);
    out.up_to(positions as usize - 8).u32(&[0; 3 * 256]);
    out.0
}

/// A strip of `count` vertices.
fn strip(count: u16) -> Vec<u8> {
    let mut list = Bytes::default();
    list.u8(&[0x98]).u16(&[count]);
    list.0.extend((0..count).map(|i| i as u8));
    list.0
}

#[test]
fn shapes_that_share_a_display_list_do_not_read_it_again_and_again() {
    let _alone = heap::alone();
    let shapes = (0..COUNT).map(|shape| (0x12, shape)).collect::<Vec<_>>();
    for (name, count, groups, nodes) in [
        ("shapes.bmd", COUNT, 1, &shapes[..]),
        ("groups.bmd", 1, COUNT, &shapes[..1]),
        ("both.bmd", 2000, 2000, &shapes[..2000]),
    ] {
        let chunks: [(&[u8; 4], Vec<u8>); 4] = [
            (b"INF1", inf1(nodes)),
            (b"VTX1", vtx1()),
            (b"JNT1", jnt1(1, no_names)),
            (b"SHP1", shp1(count, groups, &strip(60_000))),
        ];
        let outcome = held_by(name, file(b"J3D2bmd3", &chunks));
        assert_eq!(outcome.model().meshes.len(), usize::from(count).min(4096), "{name}");
        outcome.assert_said("j3d.bad-shape");
    }
}

#[test]
fn draw_matrices_that_share_an_envelope_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let mut evp1 = Bytes::default();
    evp1.u16(&[1, 0xFFFF]).u32(&[0x20, 0x40, 0x240, 0x640]).up_to(0x18).u8(&[255]).up_to(0x38).u16(&[0; 255]);
    evp1.up_to(0x238).u32(&[0.003_f32.to_bits(); 255]).up_to(0x638 + 48);
    let mut drw1 = Bytes::default();
    let indices = 0x18 + u32::from(COUNT) + 1;
    drw1.u16(&[COUNT, 0xFFFF]).u32(&[0x18, indices]).up_to(0x10).u8(&[1; COUNT as usize]).up_to(indices as usize - 8);
    drw1.u16(&[0; COUNT as usize]);
    let joint = jnt1(1, no_names);
    let chunks: [(&[u8; 4], Vec<u8>); 4] =
        [(b"INF1", inf1(&[(0x10, 0)])), (b"EVP1", evp1.0), (b"DRW1", drw1.0), (b"JNT1", joint)];
    let outcome = held_by("envelopes.bmd", file(b"J3D2bmd3", &chunks));
    let model = outcome.model();
    let skeleton = model.skeleton.as_ref().expect("a skeleton");
    assert_eq!(skeleton.draw_matrices.len(), usize::from(COUNT));
    assert_eq!(skeleton.draw_matrices[0].terms.len(), 255);
}

#[test]
fn materials_that_share_an_entry_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let mut mat3 = Bytes::default();
    let (entries, remap) = (0x84_u32, 0x84 + 0x14C_u32);
    mat3.u16(&[COUNT, 0xFFFF]).u32(&[entries, remap]).up_to(entries as usize - 8).u8(&[1]).up_to(remap as usize - 8);
    mat3.u16(&[0; COUNT as usize]);
    let chunks: [(&[u8; 4], Vec<u8>); 3] =
        [(b"INF1", inf1(&[(0x10, 0)])), (b"JNT1", jnt1(1, no_names)), (b"MAT3", mat3.0)];
    let outcome = held_by("materials.bmd", file(b"J3D2bmd3", &chunks));
    assert!(outcome.model().materials.len() > 1000);
}

#[test]
fn hierarchies_of_many_nodes_are_shown_within_the_memory() {
    let _alone = heap::alone();
    let nodes = vec![(0x01, 0); 260_000];
    held_by("deep.bmd", file(b"J3D2bmd3", &[(b"INF1", inf1(&nodes)), (b"JNT1", jnt1(COUNT, no_names))]));
}

/// TEX1 whose headers all name the same bytes.
#[test]
fn textures_that_share_a_palette_do_not_decode_it_for_ever() {
    let _alone = heap::alone();
    let count = 16_000_u32;
    let mut tex1 = Bytes::default();
    tex1.u16(&[count as u16, 0xFFFF]).u32(&[0x20, 0]).up_to(0x18);
    let end = 0x20 + count * 0x20;
    for texture in 0..count {
        let at = 0x20 + texture * 0x20;
        // Eight bits a pixel; no two palettes start at the same place.
        tex1.u8(&[9, 0]).u16(&[8, 4]).u8(&[0, 0, 1, 2]).u16(&[COUNT]).u32(&[end + 64 + texture - at]);
        tex1.u8(&[0; 8]).u8(&[1, 0, 0, 0]).u32(&[end - at]);
    }
    tex1.up_to(1 << 20);
    let joint = jnt1(1, no_names);
    let outcome = held_by("palettes.bmd", file(b"J3D2bmd3", &[(b"JNT1", joint), (b"TEX1", tex1.0)]));
    assert_eq!(outcome.model().textures.len(), count as usize);
}

#[test]
fn textures_that_share_their_pixels_are_counted_each() {
    let _alone = heap::alone();
    let count = 4000_u32;
    let mut tex1 = Bytes::default();
    tex1.u16(&[count as u16, 0xFFFF]).u32(&[0x20, 0]).up_to(0x18);
    let end = 0x20 + count * 0x20;
    for texture in 0..count {
        let at = 0x20 + texture * 0x20;
        // Half a byte a pixel: 32 KiB in the file become 256 KiB.
        tex1.u8(&[0, 0]).u16(&[256, 256]).u8(&[0; 6]).u32(&[0]).u8(&[0; 8]).u8(&[1, 0, 0, 0]).u32(&[end - at]);
    }
    tex1.up_to(end as usize - 8 + (32 << 10));
    let outcome = held_by("shared.bmd", file(b"J3D2bmd3", &[(b"JNT1", jnt1(1, no_names)), (b"TEX1", tex1.0)]));
    let size: usize = outcome.model().textures.iter().flat_map(|t| &t.mips).map(|image| image.rgba.len()).sum();
    assert!(size >= 500 << 20 && size as u64 <= Limits::default().decoded_bytes, "{size} bytes");
    outcome.assert_said("j3d.bad-texture");
}

/// RARC with these nodes (count, first) and entries (is a folder, name, data, size).
fn rarc(nodes: &[(u16, u32)], entries: &[(bool, u32, u32, u32)], names: &[u8], data: &[u8]) -> Vec<u8> {
    let nodes_at = 0x20_u32;
    let entries_at = nodes_at + nodes.len() as u32 * 16;
    let names_at = entries_at + entries.len() as u32 * 20;
    let data_at = (names_at + names.len() as u32).next_multiple_of(32);
    let mut out = Bytes::default();
    out.u8(b"RARC").u32(&[0, 0x20, data_at, data.len() as u32, 0, 0, 0]);
    out.u32(&[nodes.len() as u32, nodes_at, entries.len() as u32, entries_at, names.len() as u32, names_at, 0, 0]);
    for (count, first) in nodes {
        out.u8(b"ROOT").u32(&[0]).u16(&[0, *count]).u32(&[*first]);
    }
    for (is_folder, name, data, size) in entries {
        out.u16(&[0xFFFF, 0]).u32(&[if *is_folder { 0x0200_0000 } else { 0x1100_0000 } | name]).u32(&[*data, *size, 0]);
    }
    out.u8(names).up_to(data_at as usize + 0x20).u8(data);
    out.0
}

#[test]
fn folders_that_all_hold_everything_are_not_gone_through_for_ever() {
    let _alone = heap::alone();
    let count = 25_000_u32;
    let nodes = vec![(count as u16, 0); count as usize];
    let entries: Vec<_> = (0..count).map(|node| (true, 0, node, 0)).collect();
    let outcome = held_by("folders.arc", rarc(&nodes, &entries, b"a\0", &[]));
    outcome.assert_said("archive.bad-table");
    assert!(outcome.entries() > 1000);
}

#[test]
fn names_without_an_end_are_not_searched_for_it_again_and_again() {
    let _alone = heap::alone();
    let count = 25_000_u32;
    let entries: Vec<_> = (0..count).map(|index| (false, index, 0, 0)).collect();
    for text in [b'a', 0xB1] {
        let outcome = held_by("names.arc", rarc(&[(count as u16, 0)], &entries, &vec![text; 500_000], &[]));
        assert!(outcome.entries() > 1000);
    }
}

/// U8 of files that all have a name of 255 kana.
#[test]
fn names_of_a_u8_archive_do_not_fill_the_memory() {
    let _alone = heap::alone();
    let count = 80_000_u32;
    let names_at = 0x20 + count * 12;
    let mut out = Bytes::default();
    out.u32(&[0x55AA_382D, 0x20, count * 12 + 600, names_at + 600]).up_to(0x20);
    out.u32(&[0x0100_0000, 0, count]);
    for _ in 1..count {
        out.u32(&[1, 0, 0]);
    }
    out.u8(&[0]).u8(&[0xB1; 599]);
    let outcome = held_by("names.u8", out.0);
    outcome.assert_said("archive.too-many-names");
    assert!(outcome.entries() > 1000);
}

#[test]
fn names_of_materials_are_not_compared_each_with_each() {
    let _alone = heap::alone();
    let text = "x".repeat(200);
    let clip = Clip { materials: (0..COUNT).map(|i| format!("{text}{i:05}")).collect(), ..Clip::default() };
    let start = Instant::now();
    let values = ClipValues::at(&clip, 0.0, PoseOptions::default());
    let secs = start.elapsed().as_secs_f64();
    println!("{} materials in {secs:.2} s", values.materials.len());
    assert_eq!(values.materials.len(), usize::from(COUNT));
    assert!(secs < MAX_SECS, "{secs:.1} s");
}
