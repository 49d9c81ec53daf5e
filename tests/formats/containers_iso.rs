//! CD images (formats/containers.md §9), by the corpus and by made ones.

use crate::kit::{
    containers::{assert_as_expected, expected_of, unpacked},
    corpus,
    exercise::exercise,
    isos::{SECTOR, descriptor, image, iso, last_descriptor, raw, record},
    open::{Opened, Opening, open, open_whole},
    sparse::Sparse,
};
use bonebox::{
    bytes::{Limits, MemberLimits},
    formats::{EntryId, Overrides, Value, coverage::coverage},
};
use std::collections::BTreeSet;

#[test]
fn cds_of_the_corpus_are_as_expected() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for (path, expected) in expected_of(&corpus.join("containers/iso")) {
        assert_as_expected(&path, &expected, &[]);
        seen += 1;
        let Some(tree) = expected["tree"].as_str() else { continue };
        let opened = open(path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
        let wanted = if tree == "joliet" { "Joliet" } else { "ISO 9660" };
        assert_eq!(said(&opened, "Names"), wanted, "{}", path.display());
        if let Some(label) = expected["label"].as_str() {
            assert_eq!(said(&opened, "Disc"), label);
        }
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn every_byte_of_whole_cds_is_in_a_field() {
    let files: &[(&str, &[u8])] = &[("a/b/c.txt", b"bones"), ("a/long name.bin", &[7; 5000]), ("empty", b"")];
    open_whole("a.iso", iso("BONES", files, false));
    open_whole("a.iso", iso("Bones", files, true));
    let Some(corpus) = corpus() else { return };
    for name in ["bone_cd.iso", "primary_only.iso"] {
        open_whole(name, std::fs::read(corpus.join("containers/iso").join(name)).unwrap());
    }
}

fn said(opened: &Opened, name: &str) -> String {
    let fields = opened.document.fields(EntryId::FILE).unwrap().fields;
    match &fields.iter().find(|field| field.name == name).unwrap().value {
        Value::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// The files with their bytes.
fn listed(opened: &Opened) -> Vec<(String, Vec<u8>)> {
    let entries = opened.document.outline().entries().iter();
    let bytes = |entry: &bonebox::formats::Entry| Some((entry.path().into_owned(), unpacked(opened, entry.id)?));
    entries.filter_map(bytes).collect()
}

fn names(opened: &Opened) -> BTreeSet<String> {
    opened.document.outline().entries().iter().skip(1).map(|entry| entry.path().into_owned()).collect()
}

#[test]
fn raw_sectors_give_the_same_disc() {
    let files: &[(&str, &[u8])] = &[("music/tune.umx", &[7; 9000]), ("ä readme.txt", b"bones")];
    let flat = iso("BONES", files, true);
    let plain = open("a.iso", flat.clone());
    assert_eq!(listed(&plain).len(), 2);
    for size in [2352, 2448] {
        for mode in [1, 2] {
            let opened = open("a.bin", raw(&flat, size, mode));
            assert_eq!(opened.codes(), Vec::<&str>::new());
            assert_eq!(listed(&opened), listed(&plain), "{size} {mode}");
            assert_eq!(said(&opened, "Disc"), "BONES");
            let read = coverage(opened.document.as_ref());
            assert!(read.doubled.is_empty());
            let space = opened.document.source_of(opened.entry("ä readme.txt"));
            assert!(space.as_slice() == flat, "{size} {mode}");
        }
    }
}

fn joliet(name: &str) -> Vec<u8> {
    name.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// An entry of Rock Ridge.
fn rock(name: &[u8; 2], data: &[u8]) -> Vec<u8> {
    [&name[..], &[data.len() as u8 + 4, 1], data].concat()
}

fn both(value: u32) -> Vec<u8> {
    [value.to_le_bytes(), value.to_be_bytes()].concat()
}

/// A disc of one tree: the root folder in sector 18, and sectors from 19 on.
pub fn one_tree(records: &[Vec<u8>], rest: &[Vec<u8>]) -> Vec<u8> {
    let root = record(&[0], 18, SECTOR as u32, 2, &[]);
    let head = [descriptor(false, "ONE", &root, 0, (0, 0)), last_descriptor(), records.concat()];
    image(&[&head[..], rest].concat())
}

pub fn dots() -> Vec<Vec<u8>> {
    vec![record(&[0], 18, SECTOR as u32, 2, &[]), record(&[1], 18, SECTOR as u32, 2, &[])]
}

#[test]
fn names_of_rock_ridge_are_joined_and_moved_folders_are_where_they_were() {
    let mut records = dots();
    records[0] = record(&[0], 18, SECTOR as u32, 2, &rock(b"SP", &[0xBE, 0xEF, 2]));
    let skipped = |system: Vec<u8>| [vec![0, 0], system].concat();
    // A name in two pieces, the second one elsewhere; a folder that was moved to sector 20; where it was moved to.
    let continued = rock(b"CE", &[both(19), both(100), both(20)].concat());
    let long = [rock(b"NM", b"\x01A longer name, "), continued].concat();
    records.push(record(b"LONG.;1", 21, 5, 0, &skipped(long)));
    let moved = [rock(b"NM", b"\0deep"), rock(b"CL", &both(20))].concat();
    records.push(record(b"DEEP.;1", 0, 0, 0, &skipped(moved)));
    records.push(record(
        b"RR_MOVED",
        20,
        SECTOR as u32,
        2,
        &skipped([rock(b"NM", b"\0rr_moved"), rock(b"RE", &[])].concat()),
    ));
    let area = [vec![0; 100], rock(b"NM", "\0ä.txt".as_bytes())].concat();
    let deep = [
        record(&[0], 20, SECTOR as u32, 2, &[]),
        record(&[1], 18, SECTOR as u32, 2, &[]),
        record(b"IN.TXT;1", 21, 5, 0, &skipped(rock(b"NM", b"\0in.txt"))),
    ];
    let bytes = one_tree(&records, &[area, deep.concat(), b"bones".to_vec()]);
    let opened = open("a.iso", bytes);
    assert_eq!(opened.codes(), Vec::<&str>::new());
    let expected = ["A longer name, ä.txt", "deep", "deep/in.txt"];
    assert_eq!(names(&opened), expected.map(str::to_owned).into());
    assert_eq!(bytes_of(&opened, "deep/in.txt"), b"bones");
    let read = coverage(opened.document.as_ref());
    assert!(read.doubled.is_empty(), "{:?}", read.doubled);
}

#[track_caller]
fn bytes_of(opened: &Opened, path: &str) -> Vec<u8> {
    unpacked(opened, opened.entry(path)).unwrap()
}

/// A disc with all three sets of names: one file, in sector 21.
fn three_trees() -> Vec<u8> {
    let root = |block: u32| record(&[0], block, SECTOR as u32, 2, &[]);
    let own = record(&[0], 19, SECTOR as u32, 2, &rock(b"SP", &[0xBE, 0xEF, 0]));
    let plain = [own, root(19), record(b"README.TXT;1", 21, 5, 0, &rock(b"NM", b"\0read me.text"))].concat();
    let other = [root(20), root(20), record(&joliet("Read me, please.txt"), 21, 5, 0, &[])].concat();
    let descriptors = [descriptor(false, "ONE", &root(19), 0, (0, 0)), descriptor(true, "Two", &root(20), 0, (0, 0))];
    image(&[&descriptors[..], &[last_descriptor()], &[plain, other, b"bones".to_vec()]].concat())
}

#[test]
fn a_person_chooses_among_the_names_that_a_disc_has() {
    let shown = |tree: Option<&str>| {
        let overrides: Overrides = tree.map(|tree| ("tree".to_owned(), tree.to_owned())).into_iter().collect();
        let opened = Opening { overrides: &overrides, ..Opening::of("a.iso") }.open(three_trees()).unwrap();
        let name = names(&opened).into_iter().next().unwrap();
        assert_eq!(bytes_of(&opened, &name), b"bones");
        let choice = opened.document.reading().first().unwrap().clone();
        let rivals: Vec<String> = choice.rivals.iter().map(|rival| rival.value.clone()).collect();
        assert_eq!(choice.id, "tree");
        (name, said(&opened, "Names"), choice.value, rivals.join(" "), choice.overridden, opened.codes())
    };
    let row = |name: &str, names: &str, value: &str, rivals: &str, chosen: bool, codes: Vec<&'static str>| {
        (name.to_owned(), names.to_owned(), value.to_owned(), rivals.to_owned(), chosen, codes)
    };
    let joliet = |chosen, codes| row("Read me, please.txt", "Joliet", "joliet", "rock-ridge iso", chosen, codes);
    assert_eq!(shown(None), joliet(false, vec![]));
    assert_eq!(shown(Some("joliet")), joliet(true, vec![]));
    let rock = row("read me.text", "Rock Ridge", "rock-ridge", "joliet iso", true, vec![]);
    assert_eq!(shown(Some("rock-ridge")), rock);
    assert_eq!(shown(Some("iso")), row("README.TXT", "ISO 9660", "iso", "joliet rock-ridge", true, vec![]));
    assert_eq!(shown(Some("udf")), joliet(false, vec!["container.field-odd"]));
    // With one set of names there is nothing to choose.
    assert!(open("a.iso", iso("ONE", &[("a", b"a")], false)).document.reading().is_empty());
}

#[test]
fn plain_names_lose_their_version_and_a_dot_and_are_of_the_code_page() {
    let mut records = dots();
    for name in [&b"README.TXT;1"[..], b"NO_TYPE.;12", b"K\x84SE.TXT;1", b"ODD;1X", b"NONE"] {
        records.push(record(name, 0, 0, 0, &[]));
    }
    let opened = open("a.iso", one_tree(&records, &[]));
    let expected = ["README.TXT", "NO_TYPE", "KäSE.TXT", "ODD;1X", "NONE"];
    assert_eq!(names(&opened), expected.map(str::to_owned).into());
    assert_eq!(opened.codes(), Vec::<&str>::new());
}

#[test]
fn files_in_several_parts_are_one() {
    let mut records = dots();
    records.push(record(b"BIG.BIN;1", 19, SECTOR as u32, 0x80, &[]));
    records.push(record(b"BIG.BIN;1", 21, 10, 0x80, &[]));
    records.push(record(b"BIG.BIN;1", 20, 3, 0, &[]));
    // What says that it goes on, and does not.
    records.push(record(b"END.BIN;1", 20, 1, 0x80, &[]));
    records.push(record(b"OTHER.BIN;1", 21, 1, 0, &[]));
    let bytes = one_tree(&records, &[vec![1; SECTOR], vec![2; SECTOR], vec![3; SECTOR]]);
    let opened = open("a.iso", bytes);
    assert_eq!(opened.codes(), Vec::<&str>::new());
    assert_eq!(bytes_of(&opened, "BIG.BIN"), [vec![1; SECTOR], vec![3; 10], vec![2; 3]].concat());
    assert_eq!((bytes_of(&opened, "END.BIN"), bytes_of(&opened, "OTHER.BIN")), (vec![2], vec![3]));
}

#[test]
fn the_tree_of_joliet_is_shown_where_it_lists_anything() {
    let plain = record(&[0], 19, SECTOR as u32, 2, &[]);
    let tree = |block: u32, name: Option<&[u8]>| {
        let own = record(&[0], block, SECTOR as u32, 2, &[]);
        [own, name.map(|name| record(name, 0, 0, 0, &[])).unwrap_or_default()].concat()
    };
    let disc = |joliet_root: u32, joliet_name: Option<&[u8]>| {
        let root = record(&[0], joliet_root, SECTOR as u32, 2, &[]);
        let descriptors = [descriptor(false, "ONE", &plain, 0, (0, 0)), descriptor(true, "Two", &root, 0, (0, 0))];
        let trees = [tree(19, Some(b"PLAIN;1")), tree(20, joliet_name)];
        open("a.iso", image(&[&descriptors[..], &[last_descriptor()], &trees].concat()))
    };
    let name = joliet("Ein Näme;1");
    let shown = disc(20, Some(&name));
    assert_eq!((names(&shown), said(&shown, "Disc")), (["Ein Näme".to_owned()].into(), "Two".to_owned()));
    let empty = disc(20, None);
    assert_eq!((names(&empty), empty.codes()), (["PLAIN".to_owned()].into(), vec![]));
    // It lies past the end.
    let cut = disc(2000, None);
    assert_eq!((names(&cut), cut.codes()), (["PLAIN".to_owned()].into(), vec!["container.data-truncated"]));
    assert_eq!(said(&cut, "Names"), "ISO 9660");
}

#[test]
fn folders_without_end_have_one() {
    // Each folder lies one sector on, up to the end of the disc.
    let mut sectors = Vec::new();
    for sector in 19..200 {
        let own = record(&[0], sector, SECTOR as u32, 2, &[]);
        sectors.push([own, record(b"D", sector + 1, SECTOR as u32, 2, &[])].concat());
    }
    let mut records = dots();
    records.push(record(b"D", 19, SECTOR as u32, 2, &[]));
    let opened = open("a.iso", one_tree(&records, &sectors));
    assert_eq!(opened.document.outline().entries().len(), 65);
    // Both of the folder that is not entered and of its place, which is too deep.
    let codes = opened.codes();
    assert!(!codes.is_empty() && codes.iter().all(|code| *code == "container.table-invalid"), "{codes:?}");
    // One that leads to a folder that is listed is a circle, whatever size it states.
    let mut records = dots();
    records.push(record(b"E", 18, 3000, 2, &[]));
    records.push(record(b"F", 18, SECTOR as u32, 2, &[]));
    let opened = open("a.iso", one_tree(&records, &[]));
    assert_eq!((names(&opened), opened.codes()), (["E", "F"].map(str::to_owned).into(), vec!["container.cycle"; 2]));
}

#[test]
fn more_files_than_the_limit_are_not_listed() {
    let mut records = dots();
    (0..20).for_each(|number| records.push(record(format!("F{number}").as_bytes(), 0, 0, 0, &[])));
    let bytes = one_tree(&records, &[]);
    let codes = |members: MemberLimits| {
        let limits = Limits { members, ..Limits::default() };
        let opened = Opening { limits, ..Opening::of("a.iso") }.open(bytes.clone()).unwrap();
        (opened.document.outline().entries().len(), opened.codes())
    };
    let wide = MemberLimits::default();
    assert_eq!(codes(MemberLimits { count: 20, ..wide }), (21, vec![]));
    assert_eq!(codes(MemberLimits { count: 7, ..wide }), (8, vec!["container.bomb-count"]));
    assert_eq!(codes(MemberLimits { table: 2000, ..wide }), (1, vec!["container.bomb-size"]));
}

#[test]
fn what_is_no_cd_says_so() {
    let refused = |bytes: Vec<u8>| {
        let error = Opening::of("a.iso").open(bytes).err().unwrap();
        (error.code.unwrap_or_default(), error.to_string())
    };
    assert_eq!(refused(vec![1; 100]).0, "container.data-truncated");
    assert_eq!(refused(vec![0; 0x9000]).0, "container.table-invalid");
    let mut udf = vec![0; 0x9000];
    udf[0x8001..0x8006].copy_from_slice(b"BEA01");
    let (code, message) = refused(udf);
    assert_eq!(code, "container.format-unsupported");
    assert!(message.contains("UDF"), "{message}");
    // A disc of descriptors that lead nowhere.
    assert_eq!(refused(image(&[last_descriptor()])).0, "container.table-invalid");
}

#[test]
fn cds_that_are_cut_or_spoilt_open_or_say_why() {
    let files: &[(&str, &[u8])] = &[("a/b.txt", b"bones"), ("a/c/d.txt", &[9; 3000]), ("e.txt", b"more")];
    let flat = iso("BONES", files, true);
    for (name, whole) in [("a.iso", flat.clone()), ("a.bin", raw(&flat, 2352, 1))] {
        for length in (0..whole.len()).step_by(199) {
            exercise(name, &whole[..length], false);
        }
        let mut random = fastrand::Rng::with_seed(9);
        // Past the zeros that a disc begins with.
        let first = 16 * (whole.len() / (flat.len() / SECTOR));
        for _ in 0..1200 {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..6) {
                let at = random.usize(first..bytes.len());
                bytes[at] = random.u8(..);
            }
            exercise(name, &bytes, false);
        }
    }
}

#[test]
fn of_a_large_cd_the_tables_alone_are_read() {
    let flat = iso("BONES", &[("a/b.txt", b"bones"), ("c.bin", &[7; 9000])], true);
    for (name, start) in [("a.iso", flat.clone()), ("a.bin", raw(&flat, 2352, 2))] {
        let file = Sparse::new(start, 4 << 30);
        let opened = Opening::of(name).open_source(file.source()).unwrap();
        let count = file.read();
        assert!(count < 300 << 10, "{name}: {count} bytes were read");
        assert_eq!(bytes_of(&opened, "a/b.txt"), b"bones");
    }
}

#[test]
fn the_record_of_a_file_is_shown_where_it_lies() {
    let opened = open("a.iso", iso("BONES", &[("bone/a.txt", b"a"), ("bone/b.txt", b"b"), ("c.txt", b"c")], false));
    let source = opened.document.source();
    let mut seen = 0;
    for entry in opened.document.outline().entries().iter().skip(1) {
        let fields = opened.document.fields(entry.id).unwrap().fields;
        let name = fields.iter().find(|field| field.name == "Name").unwrap();
        let bytes = source.slice(name.offset, name.size).unwrap();
        let letters = String::from_utf8_lossy(bytes.as_slice()).to_lowercase();
        assert!(letters.starts_with(&entry.name.to_lowercase()), "{}: {letters:?}", entry.path());
        seen += 1;
    }
    assert_eq!(seen, 4);
}
