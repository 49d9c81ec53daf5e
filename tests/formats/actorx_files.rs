//! Whole files: what is listed, that every byte is read, what damage leaves, and that each diagnostic can happen.

use crate::kit::actorx;
use crate::kit::actorx::{corpus, files, load_with, open_bytes};
use bonebox::{
    formats::{
        self, Children, Content, Diagnostic, Document, Field, LoadOptions, NoFiles, Severity, Value,
        actorx::{
            AnimInfo, AnimKey, Bone, Curve, CurveChunk, Face, Matt, MorphData, MorphInfo, Psa, Psk, RawWeight,
            ScaleKey, SkelSock, Wedge, encode_psa, encode_psk,
        },
        common_codes,
        coverage::coverage,
    },
    scene::Target,
};
use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Loads everything that shows, reads every field.
fn everything(document: &dyn Document, file: &str) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for entry in document.outline().entries() {
        document.fields(entry.id).unwrap();
        let (asset, found) = load_with(document, entry.id, file, &NoFiles, LoadOptions::default());
        assert_eq!(asset.is_ok(), entry.content != Content::None, "{file} {}", entry.path);
        diagnostics.extend(found);
    }
    let _ = coverage(document);
    diagnostics
}

#[test]
fn every_byte_of_good_files_is_read_once() {
    let mut paths = files(|n| !n.starts_with("bad_") && n != "zero_bytes.psk");
    if let Some(folder) = corpus() {
        for name in ["C4.psk", "C4.psa", "Skull.psk", "SmoothedSkull.psk", "Suzanne.psk"] {
            paths.push(folder.join(name));
        }
    }
    assert!(paths.len() >= 13);
    for path in paths {
        let (document, _) = open_bytes(&name(&path), fs::read(&path).unwrap()).unwrap();
        let coverage = coverage(&*document);
        assert_eq!(coverage.unread, [], "{}", path.display());
        assert_eq!(coverage.doubled, [], "{}", path.display());
        let unknown = coverage.opaque.iter().map(|s| s.name).collect::<Vec<_>>();
        let expected = if name(&path).starts_with("syn_ext") || name(&path).contains("count_bug") { 1 } else { 0 };
        assert_eq!(unknown.len(), expected, "{} {unknown:?}", path.display());
        for name in unknown {
            assert!(document.format().opaque.iter().any(|(listed, _)| *listed == name));
        }
    }
}

#[test]
fn good_files_have_no_errors() {
    for path in files(|n| !n.starts_with("bad_") && n != "zero_bytes.psk") {
        let (document, mut diagnostics) = open_bytes(&name(&path), fs::read(&path).unwrap()).unwrap();
        diagnostics.extend(everything(&*document, &name(&path)));
        let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(errors, [] as [&Diagnostic; 0], "{}", path.display());
    }
}

#[test]
fn bad_files_give_what_is_left_of_them_and_say_what_is_wrong() {
    let paths = files(|n| n.starts_with("bad_"));
    assert!(paths.len() >= 12);
    for path in paths {
        let (document, mut diagnostics) = open_bytes(&name(&path), fs::read(&path).unwrap()).unwrap();
        assert!(document.outline().entries().iter().any(|e| e.content != Content::None), "{}", path.display());
        diagnostics.extend(everything(&*document, &name(&path)));
        let serious = diagnostics.iter().filter(|d| d.severity >= Severity::Warning).count();
        assert!(serious > 0, "{}: {diagnostics:?}", path.display());
    }
    let zero = open_bytes("zero_bytes.psk", Vec::new()).err().unwrap();
    assert_eq!(zero, "zero_bytes.psk: the file is empty (0 bytes)");
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
        let file = name(&path);
        let (document, mut diagnostics) = open_bytes(&file, fs::read(&path).unwrap()).unwrap();
        diagnostics.extend(everything(&*document, &file));
        let mut out = String::new();
        for entry in document.outline().entries() {
            let parent = entry.parent.map(|p| p.0.to_string()).unwrap_or_default();
            let _ = writeln!(
                out,
                "#{} <{parent} {:?} {} {:?} {}+{}",
                entry.id.0, entry.path, entry.class, entry.content, entry.offset, entry.size
            );
        }
        for d in &diagnostics {
            let entry = d.entry.and_then(|e| document.outline().get(e)).map(|e| e.path.as_str()).unwrap_or("-");
            let _ = writeln!(out, "{:?} {} {entry} @{:?}: {}", d.severity, d.code, d.offset, d.message);
        }
        insta::assert_snapshot!(file.replace('.', "_"), out);
    }
}

#[test]
fn fields_of_every_chunk_are_as_they_were() {
    let mut out = String::new();
    for file in ["syn_ext.psk", "syn_arm_scale_packed.psa", "syn_arm_curves.psa"] {
        let (document, _) = open_bytes(file, fs::read(actorx::own().join(file)).unwrap()).unwrap();
        for entry in document.outline().entries() {
            let _ = writeln!(out, "{file} #{} {}", entry.id.0, entry.path);
            document.fields(entry.id).unwrap().fields.iter().for_each(|f| dump_field(&mut out, f, 1));
        }
    }
    insta::assert_snapshot!("fields", out);
}

/// Everything that can be done with bytes; errors are fine, panics are not.
fn survive(file: &str, bytes: Vec<u8>) {
    if let Ok((document, _)) = open_bytes(file, bytes) {
        everything(&*document, file);
    }
}

#[test]
fn files_cut_at_any_length_open_or_say_why() {
    for path in files(|_| true) {
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            survive(&name(&path), bytes[..length].to_vec());
        }
    }
}

#[test]
fn files_with_flipped_bytes_open_or_say_why() {
    // xorshift: the same damage in every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for path in files(|n| n != "zero_bytes.psk") {
        let bytes = fs::read(&path).unwrap();
        for round in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..=round % 8 {
                let at = random() % damaged.len();
                // Every fourth time in a header, where it hurts most.
                let at = if round % 4 == 0 { at % 64 } else { at } % damaged.len();
                damaged[at] = match random() % 4 {
                    0 => 0xFF,
                    1 => 0x7F,
                    2 => 0,
                    _ => random() as u8,
                };
            }
            survive(&name(&path), damaged);
        }
    }
}

#[test]
fn a_file_with_each_count_at_its_largest_opens() {
    for path in files(|n| n.starts_with("syn_")) {
        let bytes = fs::read(&path).unwrap();
        for at in (24..bytes.len() - 8).step_by(4) {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            survive(&name(&path), damaged);
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
        let (document, _) = open_bytes("chain.psk", bytes).unwrap();
        everything(&*document, "chain.psk");
        document.outline().entries().len()
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

fn mesh(change: impl FnOnce(&mut Psk)) -> Vec<u8> {
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

/// One damaged file for each code, except those about files beside.
fn triggers() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let nan = f32::NAN;
    let long = [header(b"SCALEKEYS", 20, 1), vec![0; 20]].concat();
    vec![
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
    ]
}

fn found_in(file: &str, bytes: Vec<u8>) -> Vec<Diagnostic> {
    let (document, mut diagnostics) = open_bytes(file, bytes).unwrap();
    diagnostics.extend(everything(&*document, file));
    diagnostics
}

#[test]
fn every_code_is_reported_by_a_file_that_has_the_fault() {
    for (file, bytes) in [("a.psk", mesh(|_| {})), ("a.psa", animation(|_| {}))] {
        assert_eq!(found_in(file, bytes), [], "the undamaged file is clean");
    }
    let mut seen = BTreeSet::new();
    for (code, file, bytes) in triggers() {
        let found = found_in(file, bytes);
        let hit = found.iter().find(|d| d.code == code);
        let hit = hit.unwrap_or_else(|| panic!("{code} is not among {found:?}"));
        assert!(!hit.message.is_empty());
        seen.insert(code);
    }
    let listed = |id: &str| formats::FORMATS.iter().find(|f| f.info().id == id).unwrap().info().codes;
    let listed: BTreeSet<&str> = listed("psk").iter().chain(listed("psa")).map(|c| c.id).collect();
    let elsewhere = [common_codes::MISSING_FILE.id, common_codes::BAD_PICTURE.id];
    assert_eq!(listed.iter().copied().filter(|c| !elsewhere.contains(c)).collect::<BTreeSet<_>>(), seen);
}

#[test]
fn only_listed_codes_are_reported() {
    for (_, file, bytes) in triggers() {
        let (document, mut diagnostics) = open_bytes(file, bytes).unwrap();
        diagnostics.extend(everything(&*document, file));
        for d in diagnostics {
            assert!(document.format().codes.iter().any(|c| c.id == d.code), "{file}: {}", d.code);
        }
    }
}

#[test]
fn references_lead_to_bones_and_materials() {
    let (document, _) = open_bytes("syn_ext.psk", fs::read(actorx::own().join("syn_ext.psk")).unwrap()).unwrap();
    let outline = document.outline();
    let reference = |path: &str, field: &str| {
        let fields = document.fields(outline.find(path).unwrap().id).unwrap().fields;
        let field = fields.into_iter().find(|f| f.name == field).unwrap();
        let Value::Reference(reference) = field.value else { panic!("{path} {:?}", field.value) };
        (reference.path, reference.entry.map(|e| outline.get(e).unwrap().path.clone()))
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
    let (clip, _) = actorx::clip_of("a.psa", bytes.clone(), 0, Path::new("/nowhere"));
    let targets: Vec<&Target> = clip.channels.iter().map(|c| &c.target).collect();
    assert_eq!(targets, [&Target::JointRotation(0), &Target::JointTranslation(1)]);
    let folder = tempfile::tempdir().unwrap();
    let config = "[AnimSet]\nbAnimRotationOnly=1\n[RemoveTracks]\nWALK.0=rot\n";
    fs::write(folder.path().join("a.config"), config).unwrap();
    let (clip, _) = actorx::clip_of("a.psa", bytes, 0, folder.path());
    let targets: Vec<(&Target, bool)> = clip.channels.iter().map(|c| (&c.target, c.muted)).collect();
    assert_eq!(targets, [(&Target::JointTranslation(1), true)]);
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
    let (document, _) = open_bytes("a.psk", bytes).unwrap();
    let entry = document.outline().find("Mesh").unwrap().id;
    let beside = actorx::Beside(folder.path().to_owned());
    let (asset, found) = load_with(&*document, entry, "a.psk", &beside, LoadOptions::default());
    let Ok(formats::Asset::Model(model)) = asset else { panic!() };
    let images = model.materials.iter().map(|m| {
        let bonebox::scene::MaterialKind::Basic(basic) = &m.kind else { panic!() };
        basic.image.map(|i| model.images[i as usize].name.as_str())
    });
    assert_eq!(images.collect::<Vec<_>>(), [Some("Skin_D"), Some("Direct"), None, None, Some("Direct")]);
    assert_eq!(model.images.len(), 2);
    let codes: Vec<&str> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, [common_codes::MISSING_FILE.id, common_codes::BAD_PICTURE.id]);
    assert_eq!(model.missing.len(), 2);
}
