//! Every chunk and every variant of it, on bytes made here; and what comes out of the encoder.

use bonebox::formats::actorx::{
    AnimInfo, AnimKey, Bone, ChunkKind, Curve, CurveChunk, Face, Matt, MorphData, MorphInfo, Parsed, Psa, Psk,
    RawWeight, ScaleKey, SkelSock, Wedge, encode_psa, encode_psk, parse_psa, parse_psk,
};

fn chunk(id: &[u8], stride: i32, count: i32, body: &[u8]) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.resize(20, 0);
    for number in [0, stride, count] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(body);
    bytes
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn head() -> Vec<u8> {
    chunk(b"ACTRHEAD", 0, 0, &[])
}

fn points(count: usize) -> Vec<u8> {
    chunk(b"PNTS0000", 12, count as i32, &vec![0; count * 12])
}

fn psk(parts: &[Vec<u8>]) -> Parsed<Psk> {
    let mut bytes = head();
    bytes.extend(parts.concat());
    parse_psk(&bytes).unwrap()
}

fn codes<T>(parsed: &Parsed<T>) -> Vec<&'static str> {
    parsed.findings.list.iter().map(|f| f.code.id).collect()
}

fn full_psk() -> Psk {
    Psk {
        type_flag: 20220723,
        points: vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [-6.0, 7.0, 8.5]],
        wedges: (0..3).map(|i| Wedge { point: i, uv: [i as f32, 0.25], material: 1 }).collect(),
        faces: vec![Face { wedges: [0, 1, 2], material: 1, aux_material: 2, smoothing_groups: 0x8000_0001 }],
        materials: vec![
            Matt { name: "Skin".into(), texture_index: 3, poly_flags: 0x12, ..Matt::default() },
            Matt { name: "Händ".into(), aux_material: -1, aux_flags: 9, lod_bias: 5, lod_style: 6, ..Matt::default() },
        ],
        bones: vec![
            Bone { name: "Root".into(), parent: -1, rotation: [0.0, 0.0, 0.0, 1.0], ..Bone::default() },
            Bone {
                name: "手".into(),
                flags: 7,
                child_count: 2,
                parent: 0,
                rotation: [0.5, -0.5, 0.5, 0.5],
                position: [1.0, 2.0, 3.0],
                length: 4.0,
                size: [5.0, 6.0, 7.0],
            },
        ],
        weights: vec![RawWeight { weight: 0.5, point: 2, bone: 1 }],
        colors: vec![[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
        extra_uvs: vec![vec![[0.0, 1.0]; 3], vec![[2.0, 3.0]; 3]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        morphs: vec![
            MorphInfo {
                name: "Smile".into(),
                count: 2,
                data: vec![
                    MorphData { position: [1.0, 2.0, 3.0], normal: [0.0, 0.1, 0.2], point: 2 },
                    MorphData { point: 0, ..MorphData::default() },
                ],
            },
            MorphInfo { name: "None".into(), ..MorphInfo::default() },
            MorphInfo { name: "Frown".into(), count: 1, data: vec![MorphData { point: 1, ..MorphData::default() }] },
        ],
        sockets: vec![SkelSock {
            name: "Grip".into(),
            bone: "手".into(),
            location: [1.0, 2.0, 3.0],
            rotation_degrees: [90.0, 45.0, 10.0],
            scale: [1.0, 1.0, 2.0],
        }],
    }
}

fn full_psa() -> Psa {
    let key = |i: usize| AnimKey { position: [i as f32, 0.0, 1.0], rotation: [0.0, 0.6, 0.0, 0.8], time: 1.0 };
    Psa {
        type_flag: 2003321,
        bones: vec![Bone { name: "Root".into(), ..Bone::default() }, Bone { name: "Tail".into(), ..Bone::default() }],
        sequences: vec![AnimInfo {
            name: "Walk cycle, long name".into(),
            group: "None".into(),
            total_bones: 2,
            scale_include: 1,
            key_compression_style: 2,
            key_quotum: 6,
            key_reduction: 1.0,
            track_time: 3.0,
            rate_hz: 24.5,
            start_bone: 1,
            first_raw_frame: 0,
            raw_frames: 3,
        }],
        keys: (0..6).map(key).collect(),
        scale_keys: (0..6).map(|i| ScaleKey { scale: [1.0, 2.0, i as f32], time: 1.0 }).collect(),
        flags: vec![0, 3],
        curves: vec![CurveChunk {
            sequence: "Walk cycle, lon".into(),
            curves: vec![
                Curve { name: "Smile".into(), values: vec![0.0, 0.5, 1.0] },
                Curve { name: "Frown".into(), values: vec![1.0, 0.5, 0.25] },
            ],
        }],
    }
}

#[test]
fn what_is_written_reads_back() {
    let psk = full_psk();
    let parsed = parse_psk(&encode_psk(&psk)).unwrap();
    assert_eq!(parsed.value, psk);
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    let psa = full_psa();
    let parsed = parse_psa(&encode_psa(&psa)).unwrap();
    assert_eq!(parsed.value, psa);
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    for empty in [Psk::default(), Psk { type_flag: 5, ..Psk::default() }] {
        assert_eq!(parse_psk(&encode_psk(&empty)).unwrap().value, empty);
    }
    assert_eq!(parse_psa(&encode_psa(&Psa::default())).unwrap().value, Psa::default());
}

#[test]
fn more_than_65536_wedges_and_points_take_wide_indices() {
    let count = 65_537_u32;
    let psk = Psk {
        points: (0..count).map(|i| [i as f32, 0.0, 0.0]).collect(),
        wedges: (0..count).map(|i| Wedge { point: count - 1 - i, uv: [0.0; 2], material: 0 }).collect(),
        faces: vec![Face { wedges: [0, 65_535, 65_536], smoothing_groups: 5, ..Face::default() }],
        ..Psk::default()
    };
    let bytes = encode_psk(&psk);
    let parsed = parse_psk(&bytes).unwrap();
    assert!(parsed.chunks.iter().any(|c| c.kind == ChunkKind::WideFaces && c.stride == 18));
    assert_eq!(parsed.value, psk);
    let fewer = Psk { wedges: psk.wedges[..65_536].to_vec(), faces: vec![], ..psk };
    assert!(parse_psk(&encode_psk(&fewer)).unwrap().chunks.iter().any(|c| c.kind == ChunkKind::NarrowFaces));
}

#[test]
fn faces_have_three_layouts() {
    let wide: Vec<u8> = [7_u32, 70_000, 9].iter().flat_map(|v| v.to_le_bytes()).chain([3, 4]).collect();
    let smoothing = 0xA000_000B_u32.to_le_bytes();
    let packed = psk(&[chunk(b"FACE3200", 18, 1, &[&wide[..], &smoothing].concat())]);
    let aligned = psk(&[chunk(b"FACE3200", 20, 1, &[&wide[..], &[0xCD; 2], &smoothing].concat())]);
    let expected = Face { wedges: [7, 70_000, 9], material: 3, aux_material: 4, smoothing_groups: 0xA000_000B };
    assert_eq!(packed.value.faces, [expected]);
    assert_eq!(aligned.value.faces, [expected]);
    let narrow = psk(&[chunk(b"FACE0000", 12, 1, &[7, 0, 8, 0, 9, 1, 3, 4, 0x0B, 0, 0, 0xA0])]);
    assert_eq!(narrow.value.faces, [Face { wedges: [7, 8, 265], ..expected }]);
}

#[test]
fn wedges_have_two_layouts_and_garbage_in_the_high_half() {
    let mut padded = vec![5, 0, 0xCD, 0xCD];
    padded.extend(floats(&[0.25, -1.5]));
    padded.extend([6, 0xCD, 0xCD, 0xCD]);
    let expected = Wedge { point: 5, uv: [0.25, -1.5], material: 6 };
    for id in [b"VTXW0000", b"VTXW3200"] {
        let parsed = psk(&[points(9), chunk(id, 16, 1, &padded)]);
        assert_eq!(parsed.value.wedges, [expected]);
    }
    // The points may come later.
    assert_eq!(psk(&[chunk(b"VTXW0000", 16, 1, &padded), points(65_536)]).value.wedges, [expected]);
    let wide = psk(&[chunk(b"VTXW0000", 16, 1, &padded), points(65_537)]);
    assert_eq!(wide.value.wedges[0].point, 0xCDCD_0005);
    let mut unpadded = vec![5, 0];
    unpadded.extend(floats(&[0.25, -1.5]));
    unpadded.extend([6, 0]);
    assert_eq!(psk(&[points(9), chunk(b"VTXW0000", 12, 1, &unpadded)]).value.wedges, [expected]);
    let between = psk(&[points(9), chunk(b"VTXW0000", 14, 1, &[0; 14])]);
    assert!(between.value.wedges.is_empty());
    assert_eq!(codes(&between), ["actorx.bad-stride"]);
}

#[test]
fn extra_uv_sets_are_known_by_every_spelling_and_kept_in_order() {
    let set = |id: &[u8], u: f32| chunk(id, 8, 1, &floats(&[u, 0.0]));
    let parsed = psk(&[points(1), set(b"EXTRAUV2", 2.0), set(b"EXTRAUVS", 0.0), set(b"EXTRAUVS1", 1.0)]);
    let us: Vec<f32> = parsed.value.extra_uvs.iter().map(|s| s[0][0]).collect();
    assert_eq!(us, [0.0, 1.0, 2.0]);
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    assert_eq!(codes(&psk(&[points(1), set(b"EXTRAUVX", 0.0)])), ["actorx.unknown-chunk"]);
}

#[test]
fn aliases_are_the_chunks_they_stand_for() {
    let weight = [floats(&[1.0]), 3_i32.to_le_bytes().to_vec(), 2_i32.to_le_bytes().to_vec()].concat();
    for id in [&b"RAWWEIGHTS"[..], b"RAWW0000", b"RAWWEIGH"] {
        let parsed = psk(&[points(1), chunk(id, 12, 1, &weight)]);
        assert_eq!(parsed.value.weights, [RawWeight { weight: 1.0, point: 3, bone: 2 }]);
    }
    let mut bone = b"Root".to_vec();
    bone.resize(120, 0);
    for id in [b"REFSKELT", b"REFSKEL0"] {
        assert_eq!(psk(&[chunk(id, 120, 1, &bone)]).value.bones[0].name, "Root");
    }
}

#[test]
fn ids_end_at_the_first_nul_whatever_follows() {
    let mut bytes = head();
    bytes[9..20].fill(0xEE);
    let parsed = parse_psk(&[bytes, points(2)].concat()).unwrap();
    assert_eq!(parsed.value.points.len(), 2);
    assert_eq!(codes(&parsed), [] as [&str; 0]);
    assert_eq!(parsed.chunks[0].id, "ACTRHEAD");
}

#[test]
fn chunks_come_in_any_order() {
    let psk = full_psk();
    let bytes = encode_psk(&psk);
    let parsed = parse_psk(&bytes).unwrap();
    let mut parts: Vec<&[u8]> = parsed.chunks.iter().map(|c| &bytes[c.offset..c.offset + c.size]).collect();
    parts[1..].reverse();
    assert_eq!(parse_psk(&parts.concat()).unwrap().value, psk);
    let psa = full_psa();
    let bytes = encode_psa(&psa);
    let parsed = parse_psa(&bytes).unwrap();
    let mut parts: Vec<&[u8]> = parsed.chunks.iter().map(|c| &bytes[c.offset..c.offset + c.size]).collect();
    parts[1..].reverse();
    assert_eq!(parse_psa(&parts.concat()).unwrap().value, psa);
}

#[test]
fn of_repeated_chunks_the_first_that_is_not_empty_counts() {
    let one = chunk(b"PNTS0000", 12, 1, &floats(&[1.0; 3]));
    let two = chunk(b"PNTS0000", 12, 1, &floats(&[2.0; 3]));
    let parsed = psk(&[head(), points(0), one, two]);
    assert_eq!(parsed.value.points, [[1.0; 3]]);
    assert_eq!(codes(&parsed), ["actorx.duplicate-chunk"]);
}

#[test]
fn longer_records_are_stepped_over() {
    let body: Vec<u8> = [floats(&[1.0, 2.0, 3.0, 9.0]), floats(&[4.0, 5.0, 6.0, 9.0])].concat();
    let parsed = psk(&[chunk(b"PNTS0000", 16, 2, &body)]);
    assert_eq!(parsed.value.points, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(codes(&parsed), ["actorx.long-record"]);
}

#[test]
fn counts_that_are_too_large_end_at_the_next_chunk() {
    // As CUE4Parse writes morphs and sockets whose data it leaves out.
    let mut info = b"Smile".to_vec();
    info.resize(68, 0);
    for count in 2..5 {
        let parsed = psk(&[points(1), chunk(b"MRPHINFO", 68, count, &info), chunk(b"REFSKELT", 120, 0, &[])]);
        assert_eq!(parsed.value.morphs.len(), 1, "{count}");
        assert_eq!(codes(&parsed), ["actorx.chunk-count"], "{count}");
        assert_eq!(parsed.chunks.last().unwrap().id, "REFSKELT");
    }
    // A morph may be called like a chunk.
    let mut named = b"MRPHDATA".to_vec();
    named.resize(68, 0);
    assert_eq!(psk(&[points(1), chunk(b"MRPHINFO", 68, 2, &[info, named].concat())]).value.morphs.len(), 2);
}

#[test]
fn a_damaged_count_or_id_costs_no_other_chunk() {
    let faces = chunk(b"FACE0000", 12, 1, &[0; 12]);
    for (stride, count, code) in [
        (12, -1, "actorx.bad-chunk-header"),
        (12, i32::MAX, "actorx.chunk-count"),
        (65_536, 65_536, "actorx.truncated-chunk"),
        (-12, 2, "actorx.bad-chunk-header"),
        (i32::MIN, i32::MIN, "actorx.bad-chunk-header"),
    ] {
        let parsed = psk(&[chunk(b"PNTS0000", stride, count, &[0; 24]), faces.clone()]);
        assert_eq!(parsed.value.faces.len(), 1, "{stride} {count}");
        assert_eq!(parsed.value.points.len(), if stride == 12 { 2 } else { 0 }, "{stride} {count}");
        assert!(codes(&parsed).contains(&code), "{stride} {count}: {:?}", codes(&parsed));
    }
    let parsed = psk(&[points(2), vec![0; 40], faces]);
    assert_eq!(parsed.value.faces.len(), 1);
    assert_eq!(codes(&parsed), ["actorx.bad-chunk-header"]);
}

#[test]
fn records_of_no_size_are_none() {
    let parsed = psk(&[points(1), chunk(b"MATT0000", 0, i32::MAX, &[]), chunk(b"MRPHINFO", 0, i32::MAX, &[])]);
    assert!(parsed.value.materials.is_empty() && parsed.value.morphs.is_empty());
    assert_eq!(codes(&parsed), ["actorx.bad-stride", "actorx.bad-stride"]);
    assert!(parsed.chunks.iter().all(|c| c.count <= 1));
}

#[test]
fn what_is_no_file_of_the_kind_is_refused_in_one_sentence() {
    assert_eq!(parse_psk(b"").unwrap_err(), "the file is empty (0 bytes)");
    assert_eq!(
        parse_psk(&chunk(b"ANIMHEAD", 0, 0, &[])).unwrap_err(),
        "ACTRHEAD expected at offset 0, 41 4E 49 4D 48 45 41 44 found"
    );
    assert_eq!(parse_psa(b"ANIMHEAD\0").unwrap_err(), "the file has only 9 bytes, but the header of ANIMHEAD needs 32");
}

#[test]
fn texts_are_cut_at_their_field() {
    let long = Psk { bones: vec![Bone { name: "x".repeat(70), ..Bone::default() }], ..Psk::default() };
    assert_eq!(parse_psk(&encode_psk(&long)).unwrap().value.bones[0].name, "x".repeat(64));
}
