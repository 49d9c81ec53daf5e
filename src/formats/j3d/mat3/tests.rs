use super::*;
use crate::{
    bytes::Endian,
    formats::coverage::gaps,
    scene::{
        MaterialKind,
        gx::{AlphaCompare, BlendFactor, BlendKind, BlendMode, Compare, CullMode, LogicOp, TevMaterial, TexGen, ZMode},
    },
};

/// A material set of two materials.
const ARM: &[u8] = include_bytes!("../../../../tests/data/j3d/arm.bmt");

/// Its MAT3 chunk.
fn chunk() -> Vec<u8> {
    ARM[0x20..0x20 + 0x6C0].to_vec()
}

/// The same chunk as MAT2: header and entries without what MAT2 lacks, tables as they are.
fn as_mat2() -> Vec<u8> {
    let old = chunk();
    let word = |at: usize| u32::from_be_bytes(old[at..at + 4].try_into().unwrap());
    let shift = 0x31C - (0x78 + 2 * 0x138);
    let moved = |at: usize| if word(at) == 0 { 0 } else { word(at) - shift };
    let mut new = b"MAT2".to_vec();
    new.extend((old.len() as u32 - shift).to_be_bytes());
    new.extend(&old[8..12]);
    let tables = (0x1C..0x84).step_by(4).filter(|at| ![0x2C, 0x30].contains(at));
    for offset in [0x78, moved(0x10), moved(0x14)].into_iter().chain(tables.map(moved)) {
        new.extend(offset.to_be_bytes());
    }
    for entry in old[0x84..0x31C].chunks(0x14C) {
        new.extend(&entry[..0x14]);
        new.extend(&entry[0x28..]);
    }
    new.extend(&old[0x31C..]);
    // The ambient colour, which nothing refers to any more.
    new[0x5CC - shift as usize..][..4].fill(0);
    new
}

fn read(bytes: Vec<u8>, version: Version) -> (Mat3, Findings) {
    let source = Source::from(bytes);
    let mut findings = Findings::default();
    let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big);
    r.seek(8).unwrap();
    (Mat3::read(&mut r, version, &mut findings).unwrap(), findings)
}

fn tev(mat3: &Mat3, material: usize) -> TevMaterial {
    let materials = mat3.materials(Some(4));
    let MaterialKind::Tev(tev) = &materials[material].kind else { panic!() };
    (**tev).clone()
}

#[test]
fn what_is_there_is_read_and_what_is_absent_has_the_runtimes_default() {
    let (mat3, findings) = read(chunk(), Version::Mat3);
    assert_eq!(mat3.names, ["mat_body", "mat_bb"]);
    assert!(findings.is_empty(), "{:?}", findings.codes());
    let (body, bb) = (tev(&mat3, 0), tev(&mat3, 1));
    assert!(!body.translucent && bb.translucent);
    assert_eq!((body.textures[0], bb.textures[0], body.textures[1]), (Some(2), Some(3), None));
    assert_eq!((body.cull, body.channel_count, body.stages.len()), (CullMode::None, 1, 1));
    assert_eq!(body.registers, [[255, 128, 0, 255], [0; 4], [0; 4]]);
    assert_eq!(body.konst, [[0, 0, 255, 255], [255; 4], [255; 4], [255; 4]]);
    assert_eq!((body.material_colors, body.ambient_colors), ([[255; 4]; 2], [[0x32; 4]; 2]));
    assert_eq!(body.texgens, [TexGen { kind: 1, source: 4, matrix: 30 }]);
    assert_eq!(body.texture_matrices[0].map(|m| m.srt()), Some([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let stage = &body.stages[0];
    assert_eq!((stage.color.inputs.map(u8::from), stage.alpha.inputs.map(u8::from)), ([15, 8, 10, 15], [7, 4, 5, 7]));
    assert_eq!((stage.tex_coord, stage.texture, stage.channel), (Some(0), Some(0), 4));
    assert_eq!((stage.konst_color, stage.konst_alpha), (0x0C, 0x1C));
    assert_eq!(body.swap_tables, [[0, 1, 2, 3]; 4]);
    assert_eq!(body.z_mode, ZMode { test: true, compare: Compare::LessOrEqual, write: true });
    assert_eq!(
        body.blend,
        BlendMode {
            kind: BlendKind::None,
            source: BlendFactor::SourceAlpha,
            destination: BlendFactor::InverseSourceAlpha,
            logic: LogicOp::Copy
        }
    );
    assert_eq!(body.alpha_compare, AlphaCompare::default());
    assert!(body.z_before_texture && body.indirect_orders.is_empty() && body.nbt_scale.is_none());
    assert_eq!(body.fog.kind, 0);
}

#[test]
fn mat2_is_mat3_without_ambient_colours_lights_and_indirect_blocks() {
    let (old, _) = read(chunk(), Version::Mat3);
    let (new, findings) = read(as_mat2(), Version::Mat2);
    assert!(findings.is_empty() && new.indirect.is_empty());
    assert_eq!(new.names, old.names);
    for material in 0..2 {
        assert_eq!(tev(&new, material), tev(&old, material));
    }
}

#[test]
fn every_byte_is_a_field_once_but_for_what_fills_up() {
    for (bytes, version) in [(chunk(), Version::Mat3), (as_mat2(), Version::Mat2)] {
        let source = Source::from(bytes);
        let range = 0..source.len() as u64;
        let mut r = FieldReader::new(&source, range.clone(), Endian::Big).recording();
        r.bytes("Head", "", 8, crate::formats::Value::Raw).unwrap();
        Mat3::read(&mut r, version, &mut Findings::default()).unwrap();
        let fields = r.into_fields();
        for gap in gaps(&fields, range) {
            let bytes = &source.as_slice()[gap.start as usize..gap.end as usize];
            assert!(super::super::padding::is_padding(bytes), "{gap:X?}: {bytes:X?}");
        }
        let mut spans: Vec<_> = fields.iter().map(|f| (f.offset, f.offset + f.size, f.name.clone())).collect();
        spans.sort();
        assert!(spans.windows(2).all(|w| w[0].1 <= w[1].0 || w[0].2 == "Header" || w[0].2 == "Names"), "{spans:X?}");
    }
}

#[test]
fn records_that_do_not_fit_their_table_count_as_absent() {
    let mut bytes = chunk();
    // Material colour 9 of a table of one.
    bytes[0x84 + 9] = 9;
    let (mat3, findings) = read(bytes, Version::Mat3);
    assert_eq!(tev(&mat3, 0).material_colors[0], [255; 4]);
    assert_eq!(findings.codes(), ["j3d.absent-record"]);

    // A light that no table has is usual.
    let mut bytes = chunk();
    bytes[0x84 + 0x18..0x84 + 0x1A].copy_from_slice(&[0, 0]);
    let (mat3, findings) = read(bytes, Version::Mat3);
    assert!(findings.is_empty() && tev(&mat3, 0).lights[0].is_none());
}

/// The game takes the bytes of another table for colours; it takes no light from the file.
#[test]
fn offsets_of_colours_and_lights_into_other_tables_are_said_and_harm_none() {
    let word = |at: usize| u32::from_be_bytes(chunk()[at..at + 4].try_into().unwrap());
    let whole = tev(&read(chunk(), Version::Mat3).0, 0);
    for (header, index, within) in [(0x2C, 0x14, 0), (0x2C, 0x14, 4), (0x30, 0x18, 0), (0x30, 0x18, 4)] {
        let mut bytes = chunk();
        // Among the stages, and material 0 refers to the first record.
        let offset = word(0x5C) + within;
        bytes[header..header + 4].copy_from_slice(&offset.to_be_bytes());
        bytes[0x84 + index..0x84 + index + 2].copy_from_slice(&[0, 0]);
        let there: [u8; 4] = bytes[offset as usize..offset as usize + 4].try_into().unwrap();
        let (mat3, findings) = read(bytes, Version::Mat3);
        assert_eq!(findings.codes(), ["j3d.stray-table"], "{header:X} {within}");
        let said = format!("{findings:?}");
        assert!(said.contains("TevStages") && !(header == 0x30 && said.contains("used as colours")), "{said}");
        let material = tev(&mat3, 0);
        assert_eq!((&material.stages, &material.lights), (&whole.stages, &whole.lights));
        let ambient = if header == 0x2C { there } else { whole.ambient_colors[0] };
        assert_eq!(material.ambient_colors[0], ambient, "{header:X} {within}");
    }
}

/// What a table that leads out of the chunk costs depends on whether a material needs it.
#[test]
fn offsets_out_of_the_chunk_are_as_bad_as_what_refers_to_them() {
    let codes = |header: usize| {
        let mut bytes = chunk();
        bytes[header..header + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_be_bytes());
        read(bytes, Version::Mat3).1.codes()
    };
    // The colours of materials, which each has, and the lights, which none has.
    assert_eq!(codes(0x20)[0], "j3d.bad-table");
    assert_eq!(codes(0x30), ["j3d.unused-table"]);
}

#[test]
fn codes_without_a_meaning_are_named() {
    let word = |at: usize| u32::from_be_bytes(chunk()[at..at + 4].try_into().unwrap()) as usize;
    // Where a table's offset is, a byte of its first record, a value that means nothing.
    let cases = [
        (0x1C, 3, 9, "cull mode 9"),
        (0x38, 0, 11, "texgen type 11"),
        (0x38, 1, 21, "texgen source 21"),
        (0x38, 2, 31, "texgen matrix 31"),
        (0x40, 1, 12, "map mode 12"),
        (0x4C, 2, 9, "raster colour 9"),
        (0x5C, 5, 3, "combiner operation 3"),
        (0x5C, 6, 3, "combiner bias 3"),
        (0x6C, 0, 8, "alpha comparison 8"),
        (0x70, 0, 4, "blend type 4"),
    ];
    for (table, byte, value, message) in cases {
        let mut bytes = chunk();
        bytes[word(table) + byte] = value;
        let (_, findings) = read(bytes, Version::Mat3);
        assert_eq!(findings.codes()[0], "j3d.unknown-code", "{message}");
        assert!(format!("{findings:?}").contains(message), "{message}: {findings:?}");
    }
}

#[test]
fn indirect_blocks_belong_to_materials_and_count_when_they_are_on() {
    let mut bytes = chunk();
    let block = 0x33C + 0x138;
    bytes[block..block + 2].copy_from_slice(&[1, 1]);
    bytes[block + 4..block + 6].copy_from_slice(&[0, 2]);
    bytes[block + 0x14..block + 0x18].copy_from_slice(&0.5_f32.to_be_bytes());
    bytes[block + 0x14 + 24] = 0xFE;
    bytes[block + 0x68] = 1;
    bytes[block + 0x78..block + 0x7C].copy_from_slice(&[0, 0, 7, 1]);
    let (mat3, _) = read(bytes, Version::Mat3);
    let (body, bb) = (tev(&mat3, 0), tev(&mat3, 1));
    assert!(body.indirect_orders.is_empty());
    assert_eq!(bb.indirect_orders.len(), 1);
    assert_eq!((bb.indirect_orders[0].texture, bb.indirect_orders[0].scale_s), (2, 1));
    assert_eq!((bb.indirect_matrices[0].rows[0][0], bb.indirect_matrices[0].exponent), (0.5, -2));
    assert_eq!((bb.stages[0].indirect.bias, bb.stages[0].indirect.matrix), (7, 1));
}

#[test]
fn damaged_chunks_are_read_as_far_as_they_go() {
    let whole = chunk();
    for at in (8..whole.len()).step_by(2) {
        for value in [0, 0x7F, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            bytes[at + 1] = value;
            read(bytes, Version::Mat3).0.materials(None);
        }
        let source = Source::from(whole[..at].to_vec());
        let mut r = FieldReader::new(&source, 0..at as u64, Endian::Big);
        if r.seek(8).is_ok()
            && let Ok(mat3) = Mat3::read(&mut r, Version::Mat3, &mut Findings::default())
        {
            mat3.materials(None);
        }
    }
}
