//! GameCube discs in every form of an image (formats/containers.md §8), by the corpus and by made ones.

use crate::kit::{
    containers::{assert_as_expected, expected_of, unpacked},
    corpus,
    discs::{LIST, Packing, ciso, gcm, gcz, sign, tgc, wbfs, wia},
    exercise::exercise,
    open::{Opened, Opening, open},
    sha1::sha1,
    sparse::Sparse,
};
use bonebox::{
    bytes::{Allowance, Cancel, Limits, MemberLimits},
    formats::{EntryId, Role, Value, containers::walk, coverage::coverage},
};

/// The folder of what a disc holds besides its files.
const SYSTEM: &str = "sys";

#[test]
fn discs_of_the_corpus_are_as_expected() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for (path, expected) in expected_of(&corpus.join("containers/disc")) {
        assert_as_expected(&path, &expected, &[SYSTEM]);
        seen += 1;
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        if let Some(flat) = expected["flat_sha1"].as_str() {
            let opened = open(name, bytes);
            let disc = opened.document.source_of(opened.entry("sys/boot.bin"));
            assert_eq!(disc.len() as u64, expected["flat_size"].as_u64().unwrap(), "{name}");
            assert_eq!(sha1(disc.as_slice()), flat, "{name}");
        } else if let Some(title) = expected["title"].as_str() {
            let fields = open(name, bytes).document.fields(EntryId::FILE).unwrap().fields;
            let said = |name: &str| fields.iter().find(|f| f.name == name).map(|f| f.value.clone());
            assert_eq!(said("Title"), Some(Value::Text(title.to_owned())));
            assert_eq!(said("Game"), Some(Value::Text(expected["game"].as_str().unwrap().to_owned())));
        }
    }
    assert!(seen >= 28, "{seen}");
}

/// Files of a made disc: the second is longer than a block, and the third is of zeros.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    // What does not become shorter, so that it is most of what an image stores.
    let mut random = fastrand::Rng::with_seed(7);
    let noise: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(150_000).collect();
    vec![
        ("readme.txt", b"bones".to_vec()),
        ("model/noise.bin", noise),
        ("model/zeros.bin", vec![0; 100_000]),
        ("model/データ/text.txt", b"marrow ".repeat(9000)),
        ("empty.bin", Vec::new()),
    ]
}

fn disc() -> Vec<u8> {
    let files = files();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (*path, &bytes[..])).collect();
    gcm("ボーン disc", &files)
}

/// The disc in every form.
fn forms(disc: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let rvz = |packing| wia(disc, 0x8000, packing, true);
    let wia = |packing| wia(disc, 0x20_0000, packing, false);
    vec![
        ("a.gcm", disc.to_vec()),
        ("a.iso", disc.to_vec()),
        ("a.ciso", ciso(disc, 0x8000)),
        ("a.gcz", gcz(disc, 0x4000)),
        ("a.wbfs", wbfs(disc, 15)),
        ("a.tgc", tgc(disc)),
        ("stored.wia", wia(Packing::Stored)),
        ("purge.wia", wia(Packing::Purge)),
        ("bzip2.wia", wia(Packing::Bzip2)),
        ("stored.rvz", rvz(Packing::Stored)),
        ("bzip2.rvz", rvz(Packing::Bzip2)),
        ("zstd.rvz", rvz(Packing::Zstd)),
        ("packed.rvz", rvz(Packing::Packed)),
    ]
}

#[track_caller]
fn bytes_of(opened: &Opened, path: &str) -> Vec<u8> {
    unpacked(opened, opened.entry(path)).unwrap_or_else(|| panic!("{}: {path}", opened.name))
}

#[test]
fn a_disc_is_the_same_in_every_form() {
    let disc = disc();
    let plain = open("a.gcm", disc.clone());
    for (name, image) in forms(&disc) {
        let opened = open(name, image).checked();
        opened.assert_sound();
        for (path, bytes) in files() {
            assert!(bytes_of(&opened, path) == bytes, "{name}: {path}");
        }
        for path in ["boot.bin", "bi2.bin", "apploader.img", "main.dol", "fst.bin"] {
            let path = format!("{SYSTEM}/{path}");
            assert!(bytes_of(&opened, &path) == bytes_of(&plain, &path), "{name}: {path}");
        }
        assert_eq!(bytes_of(&opened, "sys/main.dol").len(), 0x120, "{name}");
        let fields = opened.document.fields(EntryId::FILE).unwrap().fields;
        let title = fields.iter().find(|field| field.name == "Title").unwrap();
        assert_eq!(title.value, Value::Text("ボーン disc".to_owned()), "{name}");
        // Every byte of the file is in a field; of the disc that it holds, what lies between members is in none.
        let read = coverage(opened.document.as_ref());
        assert!(read.doubled.is_empty(), "{name}: {:?}", read.doubled);
        let is_file = |entry: EntryId| opened.document.source_of(entry).is_same(opened.document.source());
        let unread: Vec<_> = read.unread.iter().filter(|span| is_file(span.entry)).collect();
        assert!(unread.is_empty(), "{name}: {unread:?}");
    }
}

#[test]
fn folders_come_with_their_paths_and_plain_members_are_parts_of_the_disc() {
    let opened = open("a.gcm", disc());
    let paths: Vec<_> = opened.document.outline().entries().iter().skip(1).map(|e| e.path().into_owned()).collect();
    assert_eq!(
        paths,
        [
            "model",
            "model/データ",
            "model/データ/text.txt",
            "model/noise.bin",
            "model/zeros.bin",
            "readme.txt",
            "empty.bin",
            "sys",
            "sys/boot.bin",
            "sys/bi2.bin",
            "sys/apploader.img",
            "sys/main.dol",
            "sys/fst.bin",
        ]
    );
    let entry = opened.document.outline().get(opened.entry("model/noise.bin")).unwrap();
    assert_eq!((entry.role, entry.size), (Role::Member, 150_000));
    let part = opened.document.source().slice(entry.offset, entry.size).unwrap();
    let container = opened.document.container().unwrap();
    let unpacked = container.unpack(entry.id, &MemberLimits::default(), Cancel::never()).unwrap();
    assert!(unpacked.source.is_same(&part));
}

/// Spoils a byte in the middle of a file's block, wherever that is stored.
#[test]
fn a_damaged_block_spoils_what_is_in_it_alone() {
    let disc = disc();
    for (name, whole, code) in [
        ("a.gcz", gcz(&disc, 0x4000), "container.checksum-mismatch"),
        ("a.wia", wia(&disc, 0x8000, Packing::Purge, false), "container.checksum-mismatch"),
        ("b.wia", wia(&disc, 0x8000, Packing::Bzip2, false), "container.decode-failed"),
    ] {
        let mut image = whole;
        // The noise is as long as it was, and is most of what is stored.
        let middle = image.len() / 2;
        image[middle..middle + 64].fill(0x55);
        let opened = open(name, image).checked();
        // The spoilt bytes may lie in two blocks.
        let codes = opened.codes();
        assert!(!codes.is_empty() && codes.iter().all(|found| *found == code), "{name}: {codes:?}");
        let entry = opened.entry("model/noise.bin");
        let container = opened.document.container().unwrap();
        let source = container.unpack(entry, &MemberLimits::default(), Cancel::never()).unwrap().source;
        assert!(source.as_slice().is_empty() && source.failure().is_some(), "{name}");
        for (path, bytes) in files().into_iter().filter(|(path, _)| *path != "model/noise.bin") {
            assert!(bytes_of(&opened, path) == bytes, "{name}: {path}");
        }
    }
}

/// Why a file does not open.
#[track_caller]
fn code(name: &str, bytes: Vec<u8>) -> (&'static str, String) {
    let error = Opening::of(name).open(bytes).err().unwrap_or_else(|| panic!("{name} opens"));
    (error.code.unwrap_or_default(), error.to_string())
}

fn with(mut bytes: Vec<u8>, at: usize, put: &[u8]) -> Vec<u8> {
    bytes[at..at + put.len()].copy_from_slice(put);
    bytes
}

#[test]
fn discs_of_a_wii_are_refused_by_name() {
    let disc = disc();
    let wii = with(disc.clone(), 0x18, &0x5D1C_9EA3_u32.to_be_bytes());
    let mut rvz = wia(&disc, 0x8000, Packing::Zstd, true);
    rvz[0x48 + 3] = 2;
    sign(&mut rvz);
    let nfs = with(disc, 0, b"EGGS");
    for (name, bytes) in [
        ("a.iso", wii.clone()),
        ("a.gcz", gcz(&wii, 0x8000)),
        ("a.ciso", ciso(&wii, 0x8000)),
        ("a.wbfs", wbfs(&wii, 21)),
        ("a.wia", wia(&wii, 0x20_0000, Packing::Bzip2, false)),
        ("a.rvz", rvz),
        ("a.nfs", nfs),
    ] {
        let (code, message) = code(name, bytes);
        assert_eq!(code, "container.format-unsupported", "{name}");
        assert!(message.contains("Wii discs"), "{message}");
    }
}

#[test]
fn headers_that_there_is_no_room_for_are_refused_before_anything_is_made() {
    let disc = disc();
    let (table, many) = ("container.table-invalid", "container.bomb-count");
    let gcz = gcz(&disc, 0x4000);
    let wbfs = wbfs(&disc, 15);
    let ciso = ciso(&disc, 0x8000);
    for (name, bytes, expected) in [
        ("a.gcz", with(gcz.clone(), 0x18, &[0; 4]), table),
        ("a.gcz", with(gcz.clone(), 0x18, &0x4001_u32.to_le_bytes()), table),
        ("a.gcz", with(gcz.clone(), 0x18, &(32_u32 << 20).to_le_bytes()), table),
        ("a.gcz", with(gcz.clone(), 0x1C, &[0xFF; 4]), table),
        ("a.gcz", with(gcz.clone(), 0x10, &[0xFF; 8]), table),
        ("a.gcz", gcz[..0x30].to_vec(), table),
        ("a.ciso", with(ciso.clone(), 4, &[0; 4]), table),
        ("a.ciso", with(ciso.clone(), 4, &0x8001_u32.to_le_bytes()), table),
        ("a.ciso", with(ciso.clone(), 4, &[0, 0, 0, 0x80]), table),
        ("a.ciso", ciso[..0x7FFF].to_vec(), "container.data-truncated"),
        ("a.wbfs", with(wbfs.clone(), 8, &[8]), table),
        ("a.wbfs", with(wbfs.clone(), 8, &[16]), table),
        ("a.wbfs", with(wbfs.clone(), 9, &[14]), table),
        ("a.wbfs", with(wbfs.clone(), 9, &[255]), table),
        ("a.wbfs", with(wbfs.clone(), 12, &[0]), table),
        ("a.wbfs", wbfs[..2000].to_vec(), table),
        ("a.gcm", with(disc.clone(), 0x1C, &[0; 4]), ""),
    ] {
        assert_eq!(code(name, bytes).0, expected, "{name}");
    }
    let rvz = |at: usize, put: &[u8]| {
        let mut file = wia(&disc, 0x8000, Packing::Zstd, true);
        file[0x48 + at..0x48 + at + put.len()].copy_from_slice(put);
        sign(&mut file);
        code("a.rvz", file).0
    };
    assert_eq!(rvz(0, &3_u32.to_be_bytes()), table);
    for chunk in [0, 0x4000, 0x8001, 0x18000, 0x30_0000, 128 << 20, 1 << 31] {
        assert_eq!(rvz(0xC, &u32::to_be_bytes(chunk)), table, "{chunk}");
    }
    assert_eq!(rvz(4, &[0, 0, 0, 9]), "container.method-unsupported");
    assert_eq!(rvz(4, &[0, 0, 0, 1]), "container.method-unsupported", "purge in an RVZ");
    for at in [0x90, 0xB4, 0xC4] {
        assert_eq!(rvz(at, &[0xFF; 4]), many, "{at:X}");
    }
    for at in [0xB8, 0xC0, 0xC8, 0xD0] {
        assert_eq!(rvz(at, &[0x7F; 4]), "container.data-truncated", "{at:X}");
    }
    // Fewer groups than the only area has.
    assert_eq!(rvz(0xC4, &1_u32.to_be_bytes()), table);
    let mut newer = wia(&disc, 0x8000, Packing::Zstd, true);
    newer[8..12].copy_from_slice(&0x0200_0000_u32.to_be_bytes());
    sign(&mut newer);
    assert_eq!(code("a.rvz", newer).0, "container.format-unsupported");
}

/// A small disc: most of its bytes are tables.
fn small() -> Vec<u8> {
    gcm("small", &[("a/b.txt", b"bones"), ("a/c.txt", &b"and more ".repeat(40)), ("d.bin", &[7; 3000])])
}

#[test]
fn discs_that_are_cut_or_spoilt_open_or_say_why() {
    let disc = small();
    for (name, whole) in forms(&disc) {
        let step = whole.len().div_ceil(250);
        for length in (0..whole.len()).step_by(step) {
            exercise(name, &whole[..length], false);
        }
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..120 {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..4) {
                // Headers and tables are what is worth it.
                let end = if random.bool() { bytes.len().min(0x300) } else { bytes.len() };
                let at = random.usize(..end);
                bytes[at] = random.u8(..);
            }
            // Hashes that are right let more of it be read.
            if name.ends_with(".rvz") || name.ends_with(".wia") {
                sign(&mut bytes);
            }
            exercise(name, &bytes, false);
        }
    }
}

#[test]
fn lists_of_files_that_are_spoilt_are_listed_once_through() {
    let whole = small();
    // The entries of the list, the first of which is the disc itself; shown are the other four, the disc, and `sys` with five parts.
    let (opened, size) = (open("a.gcm", whole.clone()), 12 * 5);
    assert_eq!(opened.document.outline().entries().len(), 11);
    let mut random = fastrand::Rng::with_seed(82);
    for _ in 0..1500 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..6) {
            let at = LIST + random.usize(..size);
            bytes[at] = if random.bool() { random.u8(..) } else { random.u8(..8) };
        }
        let outcome = exercise("a.gcm", &bytes, false);
        assert!(outcome.opened && outcome.entries <= 12, "{outcome:?}");
    }
}

#[test]
fn of_a_large_disc_the_tables_alone_are_read() {
    let disc = small();
    let forms =
        [("a.gcm", disc.clone()), ("a.ciso", ciso(&disc, 2 << 20)), ("a.wbfs", wbfs(&disc, 21)), ("a.tgc", tgc(&disc))];
    for (name, start) in forms {
        let file = Sparse::new(start, 4 << 30);
        let opened = Opening::of(name).open_source(file.source()).unwrap();
        let count = file.read();
        assert!(count < 200 << 10, "{name}: {count} bytes were read");
        assert_eq!(bytes_of(&opened, "a/b.txt"), b"bones", "{name}");
        opened.document.fields(opened.entry("d.bin")).unwrap();
        let more = file.read() - count;
        assert!(more < 1000, "{name}: {more} bytes were read for a member");
    }
}

#[test]
fn a_disc_with_a_folder_of_that_name_keeps_its_own() {
    let own = gcm("x", &[("sys/boot.bin", b"mine"), ("SYS/other", b"other")]);
    let opened = open("a.gcm", own);
    assert_eq!(bytes_of(&opened, "sys/boot.bin"), b"mine");
    assert_eq!(bytes_of(&opened, "sys/boot (2).bin").len(), 0x440);
    assert_eq!(bytes_of(&opened, "sys/other"), b"other");
}

#[test]
fn a_walk_through_a_disc_ends_at_the_limit() {
    let image = wia(&disc(), 0x8000, Packing::Zstd, true);
    let members = MemberLimits { work: Allowance { base: 1_000_000, per_byte: 0 }, ..MemberLimits::default() };
    let limits = Limits { members, ..Limits::default() };
    let opened = Opening { limits, ..Opening::of("a.rvz") }.open(image).unwrap().checked();
    assert_eq!(opened.codes(), ["container.bomb-total"]);
}

#[test]
fn the_header_of_a_disc_is_no_disc_of_its_own() {
    let opened = open("a.gcm", disc());
    let mut paths = Vec::new();
    walk(opened.document.container().unwrap(), &Limits::default(), Cancel::never(), &mut |walked| {
        paths.push(walked.path.to_owned());
        true
    });
    let system: Vec<&String> = paths.iter().filter(|path| path.starts_with("sys/")).collect();
    assert_eq!(system, ["sys/boot.bin", "sys/bi2.bin", "sys/apploader.img", "sys/main.dol", "sys/fst.bin"]);
}
