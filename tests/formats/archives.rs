//! Archives: what is in them, in each other and compressed; damaged, hostile, unpacked.

use crate::kit::{
    self,
    exercise::exercise,
    j3d,
    open::{Opened, Opening, open, refusal},
    remains::Remains,
};
use bonebox::{
    bytes::{Cancel, Limits},
    export::{ExportJob, ExportSource, Manifest, Tree, What, export_all, obj::ObjSpace},
    formats::{
        Content, EntryId, LoadOptions, NoFiles, Severity, Value,
        archive::encode::{ArchiveFile, Folder, encode_rarc, encode_yay0, encode_yaz0},
        coverage::{Span, coverage},
    },
    scene::{BindingOptions, Model},
};
use std::path::Path;

fn open_within(name: &str, bytes: Vec<u8>, limits: Limits) -> Opened {
    Opening { limits, ..Opening::of(name) }.open(bytes).unwrap_or_else(|e| panic!("{e}"))
}

fn own(name: &str) -> Vec<u8> {
    std::fs::read(kit::data().join("archive").join(name)).unwrap()
}

fn paths(opened: &Opened) -> Vec<String> {
    opened.document.outline().entries().iter().skip(1).map(|e| e.path().into_owned()).collect()
}

fn file(name: &str, bytes: &[u8]) -> ArchiveFile {
    ArchiveFile { name: name.into(), bytes: bytes.to_vec() }
}

fn folder(name: &str, files: Vec<ArchiveFile>, folders: Vec<Folder>) -> Folder {
    Folder { name: name.into(), files, folders }
}

/// What the archives themselves report; members' formats say their own.
fn codes(opened: &Opened) -> Vec<&'static str> {
    opened.codes().into_iter().filter(|code| code.starts_with("archive.")).collect()
}

#[test]
fn a_compressed_archive_is_one_tree_of_all_that_is_in_it() {
    let opened = open("arm.szs", own("arm.szs"));
    let listed = paths(&opened);
    for path in [
        "arm.arc",
        "arm.arc/bmd",
        "arm.arc/bmd/arm.bmd",
        "arm.arc/bmd/arm.bmd/JNT1",
        "arm.arc/bck/wave.bck",
        "arm.arc/bck/wave.bck/ANK1",
        "arm.arc/btp/arm.btp",
    ] {
        assert!(listed.iter().any(|one| one == path), "{path} in {listed:?}");
    }
    assert_eq!(codes(&opened), [] as [&str; 0]);
    let outline = opened.document.outline();
    let model = outline.find("ARM.arc/bmd/arm.BMD").unwrap();
    assert_eq!((model.content, &*model.class, model.offset, model.size), (Content::Model, "Bmd", 640, 4416));
    assert_eq!(outline.find("arm.arc/bck/wave.bck").unwrap().content, Content::Clip);
    // Offsets count the decompressed archive, with the same bytes as the archive beside it.
    let space = opened.document.source_of(model.id);
    assert_eq!((space.len(), opened.document.source().len()), (7008, 2607));
    assert!(space.as_slice().starts_with(b"RARC"));
    assert!(opened.document.bytes(model.id).unwrap().as_slice().starts_with(b"J3D2bmd3"));
    assert_eq!(opened.document.bytes(opened.entry("arm.arc")).unwrap().as_slice(), space.as_slice());
    let chunk = outline.find("arm.arc/bmd/arm.bmd/JNT1").unwrap();
    assert!(opened.document.bytes(chunk.id).unwrap().as_slice().starts_with(b"JNT1"));
    let fields = opened.document.fields(chunk.id).unwrap().fields;
    assert_eq!((fields[0].offset, &fields[0].value), (chunk.offset, &Value::Text("JNT1".into())));
    let flags = opened.document.ask(model.id, |can, entry| can.facts?.flags(entry));
    assert_eq!(flags, Some(Value::Flags { value: 0x11, names: vec!["FILE", "MRAM"] }));
}

#[test]
fn a_compressed_member_is_one_entry_with_its_stream_below_it() {
    let opened = open("arm_nested.arc", own("arm_nested.arc"));
    assert_eq!(codes(&opened), [] as [&str; 0]);
    let outline = opened.document.outline();
    let model = outline.find("bmd/arm.bmd").unwrap();
    assert_eq!((model.content, model.offset, model.size), (Content::Model, 0, 4416));
    let stream = outline.find("bmd/arm.bmd/Yaz0").unwrap();
    assert_eq!((stream.offset, stream.size), (256, 1524));
    assert!(opened.document.bytes(stream.id).unwrap().as_slice().starts_with(b"Yaz0"));
    assert!(opened.document.bytes(model.id).unwrap().as_slice().starts_with(b"J3D2bmd3"));
}

#[test]
fn yay0_and_u8_open_too() {
    let opened = open("arm_wave.yay0", own("arm_wave.yay0"));
    assert_eq!(opened.document.outline().find("arm_wave.bck").unwrap().content, Content::Clip);
    let opened = open("menu.u8", own("menu.u8"));
    assert_eq!(codes(&opened), [] as [&str; 0]);
    assert_eq!(opened.document.outline().find("menu/title.bck").unwrap().content, Content::Clip);
    let text = opened.entry("menu/read me.txt");
    assert_eq!(opened.document.bytes(text).unwrap().as_slice(), b"hello\n");
    assert_eq!(opened.document.outline().get(opened.entry("end.txt")).unwrap().parent, Some(EntryId::FILE));
}

#[test]
fn what_is_decompressed_equals_the_files_beside_it() {
    let member = |archive: &str, path: &str| {
        let opened = open(archive, own(archive));
        opened.document.bytes(opened.entry(path)).unwrap().as_slice().to_vec()
    };
    let loose = |name: &str| std::fs::read(j3d::own().join(name)).unwrap();
    assert_eq!(member("arm.szs", "arm.arc"), own("arm.arc"));
    assert_eq!(member("arm_wave.yay0", "arm_wave.bck"), loose("arm_wave.bck"));
    assert_eq!(member("arm.arc", "bck/wave.bck"), loose("arm_wave.bck"));
    assert_eq!(member("arm.szs", "arm.arc/bck/full.bca"), loose("arm_full.bca"));
    let packed = member("arm_nested.arc", "bmd/arm.bmd");
    assert_eq!(member("arm.arc", "bmd/arm.bmd"), packed);
}

/// Of the archives' own bytes; what members' formats read is theirs to say.
fn assert_covered(opened: &Opened) {
    let covered = coverage(opened.document.as_ref());
    assert_eq!(covered.doubled, [], "{}", opened.name);
    let of_archives = |span: &&Span| {
        let class = &*opened.document.outline().get(span.entry).unwrap().class;
        matches!(class, "RARC" | "U8" | "Yaz0" | "Yay0" | "Folder" | "File")
    };
    assert_eq!(covered.unread.iter().find(of_archives), None, "{}", opened.name);
}

#[test]
fn every_byte_of_an_archive_is_read_or_named() {
    for name in ["arm.szs", "arm_nested.arc", "arm_wave.yay0", "menu.u8"] {
        let opened = open(name, own(name));
        assert_covered(&opened);
        let spaces: u64 = if name == "arm_nested.arc" { 1792 + 4416 } else { 0 };
        if spaces > 0 {
            let opaque: u64 = coverage(opened.document.as_ref()).opaque.iter().map(|s| s.size).sum();
            assert!(opaque >= 1524 - 16 && opaque < spaces, "the stream is opaque: {opaque}");
        }
    }
}

#[test]
fn archives_nest_in_each_other_however_they_are_compressed() {
    let inner = encode_rarc(&folder("inner", vec![file("日本.bin", b"deep")], vec![]));
    let outer = folder(
        "outer",
        vec![
            file("plain.arc", &inner),
            file("packed.szs", &encode_yaz0(&inner)),
            file("other.szp", &encode_yay0(&inner)),
            file("twice", &encode_yaz0(&encode_yay0(b"twice packed"))),
            file("note.txt", b"text"),
            file("empty", b""),
        ],
        vec![folder("sub", vec![file("note.txt", b"below")], vec![])],
    );
    let bytes = encode_yaz0(&encode_rarc(&outer));
    let opened = open("stage.szs", bytes);
    assert_eq!(codes(&opened), [] as [&str; 0]);
    let expected = [
        "stage.arc",
        "stage.arc/plain.arc",
        "stage.arc/plain.arc/日本.bin",
        "stage.arc/packed.szs",
        "stage.arc/packed.szs/packed.arc",
        "stage.arc/packed.szs/packed.arc/日本.bin",
        "stage.arc/other.szp",
        "stage.arc/other.szp/other.arc",
        "stage.arc/other.szp/other.arc/日本.bin",
        "stage.arc/twice",
        "stage.arc/twice/Yaz0",
        "stage.arc/twice/twice",
        "stage.arc/note.txt",
        "stage.arc/empty",
        "stage.arc/sub",
        "stage.arc/sub/note.txt",
    ];
    assert_eq!(paths(&opened), expected);
    for (path, bytes) in [
        ("stage.arc/plain.arc/日本.bin", &b"deep"[..]),
        ("stage.arc/other.szp/other.arc/日本.bin", b"deep"),
        ("stage.arc/twice/twice", b"twice packed"),
        ("stage.arc/sub/note.txt", b"below"),
        ("stage.arc/empty", b""),
    ] {
        assert_eq!(opened.document.bytes(opened.entry(path)).unwrap().as_slice(), bytes, "{path}");
    }
    assert_covered(&opened);
}

#[test]
fn a_damaged_member_harms_no_other() {
    let mut stream = encode_yaz0(&encode_rarc(&folder("a", vec![file("x.bin", &[7; 900])], vec![])));
    stream.truncate(stream.len() - 3);
    let files = vec![
        file("cut.szs", &stream),
        file("bad.bck", b"J3D1bck1"),
        file("wrong.bmd", b"no model at all, but text"),
        file("good.bin", b"good"),
    ];
    let opened = open("all.arc", encode_rarc(&folder("all", files, vec![])));
    assert_eq!(opened.document.bytes(opened.entry("good.bin")).unwrap().as_slice(), b"good");
    assert_eq!(opened.document.outline().find("wrong.bmd").unwrap().content, Content::Bytes);
    // What came out of the stream until it ended is there.
    assert!(opened.document.outline().find("cut.szs/cut.arc/x.bin").is_some(), "{:?}", paths(&opened));
    let of = |path: &str| {
        let entry = opened.entry(path);
        opened.diagnostics.iter().filter(|d| d.entry == Some(entry)).map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(of("cut.szs"), ["archive.bad-stream"]);
    assert_eq!(of("wrong.bmd"), ["archive.unreadable-member"]);
    assert!(!of("bad.bck").is_empty());
    assert_eq!(of("good.bin"), [] as [&str; 0]);
    assert!(opened.diagnostics.iter().any(|d| d.code == "archive.bad-stream" && d.severity == Severity::Error));
}

/// A stream that declares more than it may become is not decompressed; its header is still read.
#[test]
fn bombs_are_refused_before_they_are_made() {
    let mut bomb = b"Yaz0\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0".to_vec();
    bomb.extend_from_slice(&[0; 4096]);
    let opened = open("bomb.szs", bomb);
    assert_eq!(codes(&opened), ["archive.too-large"]);
    assert_eq!(opened.document.outline().entries().len(), 1);
    assert_eq!(opened.document.fields(EntryId::FILE).unwrap().fields[1].value, Value::UInt(0xFFFF_FFFF));
    // Many small bombs share one budget.
    let zeros = encode_yaz0(&vec![0; 1 << 20]);
    let files = (0..40).map(|i| file(&format!("{i}.szs"), &zeros)).collect();
    let limits = Limits { decoded_bytes: 10 << 20, ..Limits::default() };
    let opened = open_within("many.arc", encode_rarc(&folder("many", files, vec![])), limits);
    let made = opened.document.outline().entries().iter().filter(|e| e.size == 1 << 20).count();
    assert_eq!(made, 10);
    assert_eq!(codes(&opened).len(), 30);
    let limits = Limits { container_bytes: 1 << 19, ..Limits::default() };
    assert_eq!(codes(&open_within("one.szs", zeros, limits)), ["archive.too-large"]);
}

#[test]
fn nesting_ends_at_the_limit_and_needs_no_stack() {
    let mut bytes = b"the innermost file".to_vec();
    for level in 0..120 {
        bytes = encode_rarc(&folder("a", vec![file("a.szs", &bytes)], vec![]));
        // Packing what is packed makes it larger: not at every level.
        bytes = if level % 4 == 0 { encode_yaz0(&bytes) } else { bytes };
    }
    bytes = encode_yaz0(&bytes);
    let small = std::thread::Builder::new().name("small stack".into()).stack_size(512 << 10);
    let run = small.spawn(move || {
        let opened = open("deep.szs", bytes.clone());
        assert_eq!(codes(&opened), ["archive.too-deep"]);
        let deepest = opened.document.outline().entries().last().unwrap();
        assert_eq!(deepest.content, Content::Bytes);
        assert_eq!(exercise("deep.szs", &bytes, true).entries, opened.document.outline().entries().len());
    });
    run.unwrap().join().unwrap();
}

/// The record of a folder's entry, by the name of the folder.
fn entry_at(bytes: &[u8], name: &str) -> usize {
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (count, entries, strings) = (word(0x28), word(0x2C) + 0x20, word(0x34) + 0x20);
    let named = |at: &usize| {
        let text = strings + (word(at + 4) & 0xFF_FFFF);
        bytes[text..].starts_with(format!("{name}\0").as_bytes())
    };
    (0..count).map(|i| entries + i * 0x14).find(named).unwrap()
}

#[test]
fn folders_that_contain_themselves_are_listed_once() {
    let below = folder("sub", vec![file("x.bin", b"x")], vec![folder("deep", vec![file("y.bin", b"y")], vec![])]);
    let good = encode_rarc(&folder("root", vec![], vec![below]));
    for target in [0_u32, 1, 2, 99, u32::MAX] {
        let mut bytes = good.clone();
        let at = entry_at(&bytes, "deep");
        bytes[at + 8..at + 12].copy_from_slice(&target.to_be_bytes());
        let opened = open("cycle.arc", bytes);
        assert!(opened.document.outline().entries().len() <= 6, "{:?}", paths(&opened));
        assert!(opened.document.outline().find("sub/x.bin").is_some());
        assert_eq!(codes(&opened).is_empty(), target == 2, "{target}: {:?}", opened.diagnostics);
    }
    // Two folders of the same entries.
    let mut bytes = good;
    let nodes = 0x40;
    bytes.copy_within(nodes + 0x1A..nodes + 0x20, nodes + 0x2A);
    let opened = open("twins.arc", bytes);
    assert!(codes(&opened).contains(&"archive.odd-entry"));
}

/// Thousands of entries of one file, or of one long name, take no more than a part of it each.
#[test]
fn members_that_share_bytes_are_not_all_looked_into() {
    let inner = encode_rarc(&folder("i", (0..500).map(|i| file(&format!("{i}"), b"1")).collect(), vec![]));
    let files = (0..1_000).map(|i| file(&format!("{i}.arc"), if i == 0 { &inner } else { b"" })).collect();
    let mut bytes = encode_rarc(&folder("many", files, vec![]));
    let first = entry_at(&bytes, "0.arc");
    let same: [u8; 8] = bytes[first + 8..first + 16].try_into().unwrap();
    for i in 1..1_000 {
        let at = first + i * 0x14;
        bytes[at + 8..at + 16].copy_from_slice(&same);
    }
    let size = bytes.len();
    let opened = open("shared.arc", bytes);
    assert_eq!(codes(&opened), ["archive.shared-bytes"]);
    let entries = opened.document.outline().entries().len();
    assert!(entries > 1_500 && entries < 1_000 + size / 20, "{entries} entries of {size} bytes");
    assert!(coverage(opened.document.as_ref()).doubled.is_empty());
}

#[test]
fn long_names_end_before_they_fill_the_memory() {
    let mut long = "n".repeat(100_000);
    long.push_str(".bin");
    let files: Vec<_> = (0..2_000).map(|i| file(if i == 0 { &long } else { "b" }, b"1")).collect();
    let mut bytes = encode_rarc(&folder("many", files, vec![]));
    let strings = u32::from_be_bytes(bytes[0x34..0x38].try_into().unwrap()) as usize + 0x20;
    let at = bytes[strings..].windows(4).position(|w| w == b"nnnn").unwrap() as u32;
    let first = 0x20 + u32::from_be_bytes(bytes[0x2C..0x30].try_into().unwrap()) as usize;
    for i in 0..2_000 {
        bytes[first + i * 0x14 + 5..first + i * 0x14 + 8].copy_from_slice(&at.to_be_bytes()[1..]);
    }
    let opened = open("long.arc", bytes);
    assert!(opened.document.outline().entries().iter().all(|e| e.name.len() <= 255));
}

#[test]
fn archives_cut_at_every_length_give_a_document_or_an_error() {
    for (name, file) in [
        ("a.szs", "arm.szs"),
        ("a.arc", "arm_nested.arc"),
        ("b.arc", "arm.arc"),
        ("a.yay0", "arm_wave.yay0"),
        ("a.u8", "menu.u8"),
    ] {
        let bytes = own(file);
        let whole = open(name, bytes.as_slice());
        let is_stream = matches!(&*whole.document.outline().entries()[0].class, "Yaz0" | "Yay0");
        // Members in the file's own bytes; all tables come before them.
        let members = || {
            let entries = whole.document.outline().entries().iter().filter(|e| whole.document.is_member(e.id));
            entries.filter(|e| whole.document.source_of(e.id).is_same(whole.document.source()))
        };
        let tables_end = members().map(|member| member.offset).min().unwrap_or(0);
        // Every length of tables and streams; within members their own formats are cut elsewhere.
        for length in (0..bytes.len()).filter(|l| *l < 700 || l % 7 == 0) {
            let what = format!("{file} cut at {length}");
            let Some(left) = Remains::of(name, &bytes[..length]) else {
                assert!(length < 4, "{what}");
                assert!(refusal(name, &bytes[..length]).ends_with("”"), "{what}");
                continue;
            };
            left.assert_read_once();
            if bytes[length..].iter().any(|b| *b != 0) {
                let code = if is_stream { "archive.bad-stream" } else { "archive.bad-table" };
                assert!(left.codes().contains(code), "{what}: {:?}", left.file.diagnostics);
            }
            if is_stream && let Some(inner) = left.file.document.outline().get(EntryId(1)) {
                let (found, wanted) = (left.file.document.bytes(inner.id), whole.document.bytes(inner.id));
                assert!(wanted.unwrap().as_slice().starts_with(found.unwrap().as_slice()), "{what}");
            }
            let is_whole = |end: u64| end <= length as u64;
            for member in members().filter(|member| is_whole(tables_end) && is_whole(member.offset + member.size)) {
                let found = left.file.document.bytes(left.file.entry(&member.path())).unwrap();
                assert_eq!(found.as_slice(), whole.document.bytes(member.id).unwrap().as_slice(), "{what}");
            }
        }
    }
}

#[test]
fn archives_of_other_consoles_are_named() {
    let why = refusal("a.arc", b"CRAR then something");
    assert!(why.starts_with("a.arc: ") && why.contains("3DS"), "{why}");
}

#[test]
fn a_table_of_nodes_in_the_header_is_reported_and_not_read() {
    let mut itself = own("menu.u8");
    itself[4..8].fill(0);
    let opened = open("a.u8", itself);
    let bad = opened.diagnostics.iter().find(|d| d.code == "archive.bad-table");
    let why = &bad.unwrap_or_else(|| panic!("{:?}", opened.diagnostics)).message;
    assert!(why.contains("invalid node offset 0, which is within the header"), "{why}");
    assert_eq!(paths(&opened), [""; 0]);
}

fn export(opened: &Opened, what: What, target: &Path) -> Manifest {
    let clips_for = |_: &Model, _| Vec::new();
    let source = ExportSource {
        file: "stage.szs",
        document: opened.document.as_ref(),
        resolver: &NoFiles,
        limits: Limits::default(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: &clips_for,
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::Scene,
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
        glb: Default::default(),
    };
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    export_all(
        &[Tree {
            source,
            what,
            only: None,
            kinds: Default::default(),
            models: Default::default(),
            name: "stage.szs",
            folders: &[],
        }],
        Vec::new(),
        target,
        &job,
    )
    .unwrap()
}

#[test]
fn archives_are_unpacked_with_names_that_stay_in_the_folder() {
    let sub = folder("../up", vec![file("../../out.txt", b"1"), file("NUL", b"2")], vec![]);
    let files = vec![
        file("a.txt", b"3"),
        file("A.TXT", b"4"),
        file("packed.bin", &encode_yaz0(b"five")),
        file("/etc/passwd", b"6"),
        file("manifest.json", b"7"),
    ];
    let bytes = encode_yaz0(&encode_rarc(&folder("root", files, vec![sub])));
    let opened = open("stage.szs", bytes);
    let target = tempfile::tempdir().unwrap();
    let inside = target.path().join("out");
    let below = opened.entry("stage.arc");
    let manifest = export(&opened, What::Members { below }, &inside);
    assert!(manifest.failed.is_empty(), "{:?}", manifest.failed);
    let mut found: Vec<(String, Vec<u8>)> = kit::files_below(&inside)
        .iter()
        .map(|p| (p.strip_prefix(&inside).unwrap().to_string_lossy().into_owned(), std::fs::read(p).unwrap()))
        .filter(|(name, _)| name != "manifest (2).json")
        .collect();
    found.sort();
    let expected: Vec<(String, Vec<u8>)> = [
        (".._up/.._.._out.txt", "1"),
        (".._up/_NUL", "2"),
        ("A (2).TXT", "4"),
        ("_etc_passwd", "6"),
        ("a.txt", "3"),
        ("manifest.json", "7"),
        ("packed.bin", "five"),
    ]
    .map(|(name, bytes)| (name.to_owned(), bytes.as_bytes().to_vec()))
    .to_vec();
    assert_eq!(found, expected);
    assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 1);
    // A folder of it alone.
    let folder = target.path().join("sub");
    let below = opened.document.outline().entries().iter().find(|e| e.name == "../up").unwrap().id;
    assert_eq!(export(&opened, What::Members { below }, &folder).exported.len(), 2);
}

#[test]
fn exporting_everything_hands_members_of_unknown_formats_out_under_their_names() {
    let files = vec![file("course.kcl", b"collision"), file("none", b"")];
    let opened = open("stage.arc", encode_rarc(&folder("root", files, vec![])));
    let target = tempfile::tempdir().unwrap();
    let manifest = export(&opened, What::Natural, target.path());
    assert!(manifest.failed.is_empty(), "{:?}", manifest.failed);
    assert_eq!(std::fs::read(target.path().join("course.kcl")).unwrap(), b"collision");
    assert_eq!(std::fs::read(target.path().join("none")).unwrap(), b"");
}
