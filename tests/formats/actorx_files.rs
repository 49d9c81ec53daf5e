//! Whole files: what is listed, that every byte is read, what damage leaves, and that each diagnostic can happen.

use crate::kit::{
    self, Noise,
    actorx::{self, Beside, bytes, files},
    codes::{Trigger, assert_table},
    open::{Loading, Opened, codes, model_in, open, refusal},
    remains::{Remains, keys},
};
use bonebox::{
    formats::{
        Asset, Children, Content, Diagnostic, Field, Role, Severity, Value,
        actorx::{
            AnimInfo, AnimKey, Bone, Chunk, Curve, CurveChunk, Face, Matt, MorphData, MorphInfo, Psa, Psk, RawWeight,
            ScaleKey, SkelSock, Wedge, encode_psa, encode_psk, parse_psa, parse_psk,
        },
        common_codes,
        coverage::coverage,
    },
    scene::{Clip, ClipJoint, MaterialKind, Target},
};
use std::{collections::BTreeSet, fmt::Write, fs, path::Path, sync::Arc};

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Opens a file of the disk.
fn open_path(path: &Path) -> Opened {
    open(&name(path), fs::read(path).unwrap())
}

/// Loads everything that shows, reads every field; what is found joins the rest.
fn everything(mut opened: Opened) -> Opened {
    for entry in opened.document.outline().entries().to_vec() {
        opened.document.fields(entry.id).unwrap();
        let asset = opened.load_adding(entry.id);
        let may_be_left_out = entry.role == Role::Clip && opened.codes().contains(&"actorx.shared-keys");
        let is_shown = entry.content != Content::None;
        assert!(asset.is_ok() == is_shown || may_be_left_out, "{} {}", opened.name, entry.path());
    }
    opened
}

#[test]
fn every_byte_of_good_files_is_read_once() {
    let mut paths = files(|n| !n.starts_with("bad_") && n != "zero_bytes.psk");
    if let Some(corpus) = kit::corpus_beside() {
        for name in ["C4.psk", "C4.psa", "Skull.psk", "SmoothedSkull.psk", "Suzanne.psk"] {
            paths.push(corpus.join("actorx").join(name));
        }
    }
    assert!(paths.len() >= 13);
    for path in paths {
        let opened = open_path(&path);
        opened.assert_read();
        let unknown: Vec<&str> = coverage(opened.document.as_ref()).opaque.iter().map(|s| s.name).collect();
        let expected = if name(&path).starts_with("syn_ext") || name(&path).contains("count_bug") { 1 } else { 0 };
        assert_eq!(unknown.len(), expected, "{} {unknown:?}", path.display());
        for name in unknown {
            assert!(opened.document.format().opaque.iter().any(|(listed, _)| *listed == name));
        }
    }
}

#[test]
fn good_files_have_no_errors() {
    for path in files(|n| !n.starts_with("bad_") && n != "zero_bytes.psk") {
        let opened = everything(open_path(&path));
        let errors: Vec<_> = opened.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(errors, [] as [&Diagnostic; 0], "{}", path.display());
    }
}

#[test]
fn bad_files_give_what_is_left_of_them_and_say_what_is_wrong() {
    let paths = files(|n| n.starts_with("bad_"));
    assert!(paths.len() >= 12);
    for path in paths {
        let opened = open_path(&path);
        assert!(opened.document.outline().entries().iter().any(|e| e.content != Content::None), "{}", path.display());
        let opened = everything(opened);
        let serious = opened.diagnostics.iter().filter(|d| d.severity >= Severity::Warning).count();
        assert!(serious > 0, "{}: {:?}", path.display(), opened.diagnostics);
    }
    assert_eq!(refusal("zero_bytes.psk", Vec::new()), "zero_bytes.psk: the file is empty (0 bytes)");
}

fn dump_field(out: &mut String, field: &Field, depth: usize) {
    let indent = "  ".repeat(depth);
    let mirror = if field.mirror { " (shown again)" } else { "" };
    let _ = write!(out, "{indent}{} {} {}+{}{mirror}", field.name, field.kind, field.offset, field.size);
    match &field.value {
        Value::None => {}
        value => {
            let _ = write!(out, " = {value:?}");
        }
    }
    out.push('\n');
    match &field.children {
        Children::None => {}
        Children::Fields(fields) => fields.iter().for_each(|f| dump_field(out, f, depth + 1)),
        // The first row shows what a row is made of.
        Children::Table(table) => table.row(0).iter().for_each(|f| dump_field(out, f, depth + 1)),
    }
}

#[test]
fn every_own_file_lists_as_it_did() {
    for path in files(|n| n != "zero_bytes.psk") {
        let Opened { name, document, diagnostics } = everything(open_path(&path));
        let mut out = String::new();
        for entry in document.outline().entries() {
            let parent = entry.parent.map(|p| p.0.to_string()).unwrap_or_default();
            let _ = writeln!(
                out,
                "#{} <{parent} {:?} {} {:?} {}+{}",
                entry.id.0,
                entry.path(),
                entry.class,
                entry.content,
                entry.offset,
                entry.size
            );
        }
        for d in &diagnostics {
            let entry = d.entry.and_then(|e| document.outline().get(e)).map_or("-".into(), |e| e.path());
            let _ = writeln!(out, "{:?} {} {entry} @{:?}: {}", d.severity, d.code, d.offset, d.message);
        }
        insta::assert_snapshot!(name.replace('.', "_"), out);
    }
}

#[test]
fn fields_of_every_chunk_are_as_they_were() {
    let mut out = String::new();
    for file in ["syn_ext.psk", "syn_arm_scale_packed.psa", "syn_arm_curves.psa"] {
        let document = open(file, bytes(file)).document;
        for entry in document.outline().entries() {
            let _ = writeln!(out, "{file} #{} {}", entry.id.0, entry.path());
            document.fields(entry.id).unwrap().fields.iter().for_each(|f| dump_field(&mut out, f, 1));
        }
    }
    insta::assert_snapshot!("fields", out);
}

/// The chunks of a good file as its parser lists them.
fn chunks_of(name: &str, bytes: &[u8]) -> Vec<Chunk> {
    if name.ends_with("psa") { parse_psa(bytes).unwrap().chunks } else { parse_psk(bytes).unwrap().chunks }
}

/// Id, place and size.
type Listed = (String, u64, u64);

fn listed(chunk: &Chunk) -> Listed {
    (chunk.id.clone(), chunk.offset as u64, chunk.size as u64)
}

/// The chunks of a document.
fn chunk_entries(opened: &Opened) -> Vec<Listed> {
    let entries = opened.document.outline().entries().iter().filter(|e| e.class == "Chunk");
    entries.map(|e| (e.path().into_owned(), e.offset, e.size)).collect()
}

/// Whether nothing is wrong with where a file's chunks end.
fn is_good(name: &str) -> bool {
    !name.starts_with("bad_") && !name.contains("count_bug")
}

/// Looks at all of a damaged file. Nothing that shows fails to load, and no more shows than its bytes can hold.
fn survive(name: &str, bytes: &[u8]) -> Option<Opened> {
    let left = Remains::of(name, bytes)?;
    assert_eq!(left.refused, [], "{name}");
    left.assert_read_once();
    for (_, asset) in &left.shown {
        // A point takes 12 bytes, a triangle as many, and a key of a curve 4.
        match asset {
            Asset::Model(model) => {
                let points: usize = model.meshes.iter().map(|mesh| mesh.points.len()).sum();
                assert!(points.max(model.triangle_count()) * 12 <= bytes.len(), "{name}: {points} points");
            }
            Asset::Clip(clip) => {
                let longest = keys(clip).into_iter().map(|keys| keys.len()).max().unwrap_or(0);
                assert!(longest * 4 <= bytes.len(), "{name}: {longest} keys");
            }
            _ => {}
        }
    }
    Some(left.file)
}

#[test]
fn files_cut_at_any_length_open_or_say_why() {
    for path in files(|n| n != "zero_bytes.psk") {
        let (bytes, name) = (fs::read(&path).unwrap(), name(&path));
        let head = if name.ends_with("psa") { "ANIMHEAD" } else { "ACTRHEAD" };
        for length in 0..bytes.len().min(32) {
            let why = refusal(&name, &bytes[..length]);
            let expected = match length {
                0 => "the file is empty (0 bytes)".to_owned(),
                1..8 => format!("{head} expected at offset 0, "),
                _ => format!("the file has only {length} bytes, but the header of {head} needs 32"),
            };
            assert!(why.starts_with(&format!("{name}: {expected}")), "{length}: {why}");
        }
        let whole = chunks_of(&name, &bytes);
        for length in 32..bytes.len() {
            let opened = survive(&name, &bytes[..length]).unwrap();
            if !is_good(&name) {
                continue;
            }
            // All chunks before the cut, and of the one that is cut its whole records.
            let cut = |c: &Chunk| {
                let records = c.size.min(length - c.offset).saturating_sub(32).checked_div(c.stride).unwrap_or(0);
                (c.id.clone(), c.offset as u64, (32 + records * c.stride) as u64)
            };
            let left: Vec<_> = whole.iter().filter(|c| c.offset + 32 <= length).map(cut).collect();
            assert_eq!(chunk_entries(&opened), left, "{name} cut at {length}");
            let within = whole.iter().find(|c| c.offset < length && length < c.offset + c.size);
            let expected: Vec<_> = within
                .map(|c| if length < c.offset + 32 { "header" } else { "chunk" }.to_owned() + &format!(" {}", c.offset))
                .into_iter()
                .collect();
            let truncated = opened
                .diagnostics
                .iter()
                .filter_map(|d| Some(format!("{} {}", d.code.strip_prefix("actorx.truncated-")?, d.offset.unwrap())));
            assert_eq!(truncated.collect::<Vec<_>>(), expected, "{name} cut at {length}");
            // What is left of a record or a header is no part of anything.
            let unread: u64 = coverage(opened.document.as_ref()).unread.iter().map(|span| span.size).sum();
            let (_, offset, size) = left.last().unwrap();
            assert_eq!(unread, length as u64 - offset - size, "{name} cut at {length}");
        }
    }
}

#[test]
fn files_with_flipped_bytes_open_or_say_why() {
    let mut noise = Noise::new(1);
    let mut seen = BTreeSet::new();
    for path in files(|n| n != "zero_bytes.psk") {
        let (bytes, name) = (fs::read(&path).unwrap(), name(&path));
        let whole = chunks_of(&name, &bytes);
        for round in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..=round % 8 {
                // Every fourth time in a header, where it hurts most.
                let end = if round % 4 == 0 { damaged.len().min(64) } else { damaged.len() };
                damaged[noise.below(end)] = [0xFF, 0x7F, 0, noise.byte(256)][noise.below(4)];
            }
            let Some(opened) = survive(&name, &damaged) else {
                assert_ne!(damaged[..9], bytes[..9], "{name} round {round}: nothing else says what a file is");
                continue;
            };
            seen.extend(opened.codes());
            if is_good(&name) {
                let first = (0..bytes.len()).find(|at| damaged[*at] != bytes[*at]).unwrap_or(bytes.len());
                let before: Vec<Listed> = whole.iter().take_while(|c| c.offset + c.size <= first).map(listed).collect();
                assert!(chunk_entries(&opened).starts_with(&before), "{name} round {round}, damaged from {first} on");
            }
        }
    }
    assert!(seen.len() >= 25, "much can be wrong: {seen:?}");
}

#[test]
fn a_file_with_each_count_at_its_largest_opens() {
    for path in files(|n| n.starts_with("syn_")) {
        let (bytes, name) = (fs::read(&path).unwrap(), name(&path));
        for at in (24..bytes.len() - 8).step_by(4) {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            let opened = survive(&name, &damaged).unwrap();
            assert!(!chunk_entries(&opened).is_empty(), "{name} at {at}");
        }
    }
}

#[test]
fn thousands_of_bones_in_a_chain_need_no_deep_stack() {
    let bone =
        |i: i32| Bone { name: format!("b{i}"), parent: i - 1, rotation: [0.0, 0.0, 0.0, 1.0], ..Bone::default() };
    let bytes = encode_psk(&Psk { bones: (0..20_000).map(bone).collect(), ..Psk::default() });
    let worker = std::thread::Builder::new().stack_size(512 << 10).name("chain".into());
    let count = worker.spawn(move || {
        let opened = everything(open("chain.psk", bytes));
        assert_eq!(opened.codes(), [] as [&str; 0]);
        opened.document.outline().entries().len()
    });
    assert_eq!(count.unwrap().join().unwrap(), 20_000 + 2 + 7);
}

fn triangle() -> Psk {
    Psk {
        points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        wedges: (0..3).map(|point| Wedge { point, ..Wedge::default() }).collect(),
        faces: vec![Face { wedges: [0, 1, 2], ..Face::default() }],
        materials: vec![Matt { name: "None".into(), ..Matt::default() }],
        bones: vec![bone("Root", 0)],
        weights: (0..3).map(|point| RawWeight { weight: 1.0, point, bone: 0 }).collect(),
        ..Psk::default()
    }
}

fn bone(name: &str, parent: i32) -> Bone {
    Bone { name: name.into(), parent, rotation: [0.0, 0.0, 0.0, 1.0], ..Bone::default() }
}

fn two_frames() -> Psa {
    let key = AnimKey { rotation: [0.0, 0.0, 0.0, 1.0], time: 1.0, ..AnimKey::default() };
    Psa {
        bones: vec![bone("Root", 0)],
        sequences: vec![AnimInfo {
            name: "Walk".into(),
            total_bones: 1,
            rate_hz: 30.0,
            raw_frames: 2,
            ..AnimInfo::default()
        }],
        keys: vec![key; 2],
        ..Psa::default()
    }
}

pub fn mesh(change: impl FnOnce(&mut Psk)) -> Vec<u8> {
    let mut psk = triangle();
    change(&mut psk);
    encode_psk(&psk)
}

fn animation(change: impl FnOnce(&mut Psa)) -> Vec<u8> {
    let mut psa = two_frames();
    change(&mut psa);
    encode_psa(&psa)
}

/// A mesh file with bytes after it.
fn followed_by(bytes: &[u8]) -> Vec<u8> {
    [&mesh(|_| {})[..], bytes].concat()
}

fn header(id: &[u8], stride: i32, count: i32) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.resize(20, 0);
    [0, stride, count].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    bytes
}

/// A damaged file for each code.
pub fn triggers() -> Vec<Trigger> {
    let nan = f32::NAN;
    let long = [header(b"SCALEKEYS", 20, 1), vec![0; 20]].concat();
    let rows = vec![
        ("actorx.truncated-header", "a.psk", followed_by(b"MATT")),
        ("actorx.truncated-chunk", "a.psk", followed_by(&header(b"VTXNORMS", 12, 3))),
        ("actorx.bad-chunk-header", "a.psk", followed_by(&header(b"VTXNORMS", 12, -3))),
        ("actorx.bad-stride", "a.psk", followed_by(&[header(b"VTXNORMS", 4, 1), vec![0; 4]].concat())),
        ("actorx.long-record", "a.psa", [animation(|_| {}), long].concat()),
        ("actorx.unknown-chunk", "a.psk", followed_by(&header(b"SHAPEXYZ", 5, 0))),
        ("actorx.duplicate-chunk", "a.psk", followed_by(&[header(b"PNTS0000", 12, 1), vec![0; 12]].concat())),
        (
            "actorx.chunk-count",
            "a.psk",
            followed_by(&[header(b"SKELSOCK", 164, 1), header(b"VTXNORMS", 12, 0), vec![0; 200]].concat()),
        ),
        ("actorx.empty", "a.psk", encode_psk(&Psk::default())),
        ("actorx.morph-count", "a.psk", mesh(|p| p.morphs = vec![MorphInfo { count: 2, ..MorphInfo::default() }])),
        ("actorx.second-root", "a.psk", mesh(|p| p.bones.push(bone("Two", -1)))),
        ("actorx.bad-parent", "a.psk", mesh(|p| p.bones.push(bone("Two", 9)))),
        ("actorx.parent-cycle", "a.psk", mesh(|p| p.bones.extend([bone("A", 2), bone("B", 1)]))),
        ("actorx.forward-parent", "a.psk", mesh(|p| p.bones.extend([bone("A", 2), bone("B", 0)]))),
        ("actorx.duplicate-bone-name", "a.psk", mesh(|p| p.bones.push(bone("ROOT ", 0)))),
        ("actorx.bad-rotation", "a.psk", mesh(|p| p.bones[0].rotation = [0.0; 4])),
        ("actorx.not-finite", "a.psk", mesh(|p| p.points[1][2] = nan)),
        ("actorx.bad-normals", "a.psk", mesh(|p| p.normals = vec![[nan, 0.0, 1.0]; p.points.len()])),
        ("actorx.bad-face", "a.psk", mesh(|p| p.faces[0].wedges[1] = 3)),
        ("actorx.bad-weight", "a.psk", mesh(|p| p.weights[1].weight = -0.5)),
        ("actorx.unweighted-points", "a.psk", mesh(|p| p.weights.truncate(1))),
        ("actorx.count-mismatch", "a.psk", mesh(|p| p.colors = vec![[0; 4]; 2])),
        ("actorx.missing-material", "a.psk", mesh(|p| p.faces[0].material = 1)),
        (
            "actorx.bad-morph-point",
            "a.psk",
            mesh(|p| {
                let data = vec![MorphData { point: 3, ..MorphData::default() }];
                p.morphs = vec![MorphInfo { name: "M".into(), count: 1, data }];
            }),
        ),
        (
            "actorx.socket-bone",
            "a.psk",
            mesh(|p| p.sockets = vec![SkelSock { bone: "Nobody".into(), ..SkelSock::default() }]),
        ),
        ("actorx.first-frame", "a.psa", animation(|p| p.sequences[0].first_raw_frame = 2)),
        ("actorx.frames-cut", "a.psa", animation(|p| p.sequences[0].raw_frames = 3)),
        (
            "actorx.shared-keys",
            "a.psa",
            animation(|p| {
                p.keys = vec![p.keys[0]; 10_000];
                p.sequences[0].raw_frames = 10_000;
                p.sequences = vec![p.sequences[0].clone(); 12];
            }),
        ),
        ("actorx.bone-count", "a.psa", animation(|p| p.sequences[0].total_bones = 2)),
        ("actorx.scale-keys", "a.psa", animation(|p| p.scale_keys = vec![ScaleKey::default(); 3])),
        ("actorx.bad-rate", "a.psa", animation(|p| p.sequences[0].rate_hz = 0.0)),
        (
            "actorx.curve-without-sequence",
            "a.psa",
            animation(|p| p.curves = vec![CurveChunk { sequence: "Run".into(), curves: vec![] }]),
        ),
        (
            "actorx.curve-length",
            "a.psa",
            animation(|p| {
                let curves = vec![Curve { name: "M".into(), values: vec![0.0; 3] }];
                p.curves = vec![CurveChunk { sequence: "Walk".into(), curves }];
            }),
        ),
        ("actorx.flag-count", "a.psa", animation(|p| p.flags = vec![0; 2])),
    ];
    rows.into_iter().map(|(code, name, bytes)| Trigger::new(code, name, bytes)).collect()
}

#[test]
fn every_code_is_reported_by_a_file_that_has_the_fault() {
    for (file, bytes) in [("a.psk", mesh(|_| {})), ("a.psa", animation(|_| {}))] {
        assert_eq!(everything(open(file, bytes)).diagnostics, [], "the undamaged file is clean");
    }
    assert_table("actorx.", &triggers());
}

#[test]
fn references_lead_to_bones_and_materials() {
    let document = open("syn_ext.psk", bytes("syn_ext.psk")).document;
    let outline = document.outline();
    let reference = |path: &str, field: &str| {
        let fields = document.fields(outline.find(path).unwrap().id).unwrap().fields;
        let field = fields.into_iter().find(|f| f.name == field).unwrap();
        let Value::Reference(reference) = field.value else { panic!("{path} {:?}", field.value) };
        (reference.path, reference.entry.map(|e| outline.get(e).unwrap().path().into_owned()))
    };
    let both = |path: &str| (path.to_owned(), Some(path.to_owned()));
    assert_eq!(reference("REFSKELT/Händ", "ParentIndex"), both("REFSKELT/Upper Arm"));
    assert_eq!(reference("SKELSOCK/Grip", "BoneName"), both("REFSKELT/Händ"));
    assert_eq!(outline.get(outline.find("REFSKELT/Händ").unwrap().parent.unwrap()).unwrap().name, "Upper Arm");
}

#[test]
fn flags_and_config_take_tracks_away() {
    let bytes = animation(|p| {
        p.bones.push(bone("Tail", 0));
        p.keys = vec![p.keys[0]; 4];
        p.sequences[0].total_bones = 2;
        p.flags = vec![1, 2];
    });
    let clip = |folder: &Path| -> Arc<Clip> { actorx::clips_of("a.psa", bytes.clone(), folder).remove(0) };
    let plain = clip(Path::new("/nowhere"));
    let targets: Vec<&Target> = plain.channels.iter().map(|c| &c.target).collect();
    assert_eq!(targets, [&Target::JointRotation(ClipJoint(0)), &Target::JointTranslation(ClipJoint(1))]);
    let folder = tempfile::tempdir().unwrap();
    let config = "[AnimSet]\nbAnimRotationOnly=1\n[RemoveTracks]\nWALK.0=rot\n";
    fs::write(folder.path().join("a.config"), config).unwrap();
    let configured = clip(folder.path());
    let targets: Vec<(&Target, bool)> = configured.channels.iter().map(|c| (&c.target, c.muted)).collect();
    assert_eq!(targets, [(&Target::JointTranslation(ClipJoint(1)), true)]);
}

#[test]
fn textures_are_found_by_material_mat_and_props() {
    let folder = tempfile::tempdir().unwrap();
    let at = |file: &str| folder.path().join(file);
    image::RgbaImage::from_pixel(2, 1, image::Rgba([9, 8, 7, 255])).save(at("Direct.png")).unwrap();
    image::RgbaImage::from_pixel(1, 1, image::Rgba([1, 2, 3, 255])).save(at("Skin_D.tga")).unwrap();
    fs::write(at("Body.mat"), "Diffuse=Skin_D\n").unwrap();
    fs::write(at("Lost.mat"), "Diffuse=Nowhere\n").unwrap();
    fs::write(at("Broken.png"), b"\x89PNG\r\n\x1a\nno").unwrap();
    fs::write(at("a.props.txt"), "Material = None\nMaterial = Texture'Pack.Grp.Direct'\n").unwrap();
    let names = ["Body", "material_1", "Lost", "Broken", "Direct"];
    let bytes = mesh(|p| p.materials = names.map(|n| Matt { name: n.into(), ..Matt::default() }).to_vec());
    let opened = open("a.psk", bytes);
    let beside = Beside(folder.path().to_owned());
    let loading = Loading { name: "a.psk", resolver: &beside, ..Loading::default() };
    let (asset, found) = loading.load(opened.document.as_ref(), opened.entry("Mesh"));
    let model = model_in(asset.unwrap());
    let images = model.materials.iter().map(|m| {
        let MaterialKind::Basic(basic) = &m.kind else { panic!() };
        basic.image.map(|i| model.images[i as usize].name.as_str())
    });
    assert_eq!(images.collect::<Vec<_>>(), [Some("Skin_D"), Some("Direct"), None, None, Some("Direct")]);
    assert_eq!(model.images.len(), 2);
    assert_eq!(codes(&found), [common_codes::MISSING_FILE.id, common_codes::BAD_PICTURE.id]);
    assert_eq!(model.missing.len(), 2);
    let missing = model.missing_textures.iter().map(|m| (m.material.0, m.object.as_str(), m.package.as_deref()));
    assert_eq!(missing.collect::<Vec<_>>(), [(2, "Lost", None), (3, "Broken", None)]);
}
