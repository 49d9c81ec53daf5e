//! Containers whose members are files of their own (formats/containers.md): installers and archives, by the corpus and by made ones.

use crate::kit::{
    self,
    containers::{ZipMember, assert_as_expected, expected_of, umod, unpacked, zip},
    containers_uz::pbo,
    corpus,
    discs::gcm,
    isos::{iso, raw},
    open::{Opening, open, open_whole, refusal},
};
use bonebox::{
    bytes::{Allowance, Cancel, Limits, MemberLimits, Source},
    formats::{EntryId, Role, containers::walk, coverage::coverage},
};

#[test]
fn installers_and_archives_of_the_corpus_are_as_expected() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for folder in ["umod", "zip"] {
        for (path, expected) in expected_of(&corpus.join("containers").join(folder)) {
            assert_as_expected(&path, &expected, &[]);
            seen += 1;
        }
    }
    assert!(seen >= 26, "{seen}");
}

/// Of every file that opens, no byte is left unread.
#[test]
fn every_byte_of_whole_containers_is_in_a_field() {
    let Some(corpus) = corpus() else { return };
    for file in [
        "umod/BonePack.umod",
        "umod/BonePack.ut4mod",
        "zip/pack.zip",
        "zip/pack_stored.zip",
        "zip/sfx.zip",
        "zip/many.zip",
        "zip/pack.7z",
        "zip/pack_copy.7z",
    ] {
        let bytes = std::fs::read(corpus.join("containers").join(file)).unwrap();
        open_whole(file.rsplit('/').next().unwrap(), bytes);
    }
}

/// What no table leads to has a name, whatever stands there: between the members of a disc, and behind an archive.
#[test]
fn bytes_that_no_table_leads_to_are_named() {
    let named = |name: &str, bytes: Vec<u8>| {
        let opened = open(name, bytes);
        let read = coverage(opened.document.as_ref());
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{name}");
        read.opaque
    };
    let disc = gcm("Bones", &[("a.bin", &[1; 100]), ("b.bin", &[2; 100])]);
    let gaps = named("a.gcm", disc.clone());
    let gap = gaps.iter().find(|span| span.name == "padding").unwrap();
    let (start, size) = (gap.offset as usize, gap.size as usize);
    let mut filled = disc;
    filled[start..start + size].fill(0xA5);
    let junk = named("a.gcm", filled.clone());
    assert_eq!(open("a.gcm", filled).checked().codes(), ["container.data-unlisted"]);
    let found = junk.iter().find(|span| span.name == "unlisted bytes").unwrap();
    assert_eq!((found.offset, found.size), (gap.offset, gap.size));

    let archive = pbo(&[("a", b"bone")]);
    let end = archive.len() as u64;
    let behind = named("a.pbo", [archive, b"junk".to_vec()].concat());
    let found = behind.iter().find(|span| span.name == "bytes after the end").unwrap();
    // A checksum counts at the very end of a file alone: this one is among what is left over.
    assert_eq!((found.offset, found.size), (end - 21, 4 + 21));
    // It is said once: by the code of its own.
    let codes = |name: &str, bytes: Vec<u8>| open(name, bytes).checked().codes();
    assert_eq!(codes("a.pbo", [pbo(&[("a", b"bone")]), b"junk".to_vec()].concat()), ["container.data-trailing"]);
    assert_eq!(codes("a.gcm", gcm("Bones", &[("a.bin", &[1; 100]), ("b.bin", &[2; 100])])), Vec::<&str>::new());

    // The tables of a disc in whole sectors lie in what the sectors give.
    let disc = raw(&iso("BONES", &[("readme.txt", b"bones")], true), 2352, 1);
    let tables = named("a.bin", disc);
    assert!(tables.iter().all(|span| ["disc image", "padding", "entry"].contains(&span.name)), "{tables:?}");
}

/// Every byte has a name, and what no table leads to is said, in these and in no others.
#[test]
fn whole_containers_of_the_corpus_leave_no_byte_unread() {
    let Some(corpus) = corpus() else { return };
    for (file, unlisted) in [
        // The disc is filled up with what looks like noise.
        ("disc/bones_junk.rvz", Some(25_039)),
        // Members that share bytes leave a hole where theirs were.
        ("disc/overlap.gcm", Some(14_624)),
        ("umod/overlap.umod", Some(512)),
        ("zip/overlap.zip", Some(75)),
        ("iso/raw_mode1.bin", None),
        // A code of its own says it.
        ("pbo/trailing_bytes.pbo", None),
    ] {
        let bytes = std::fs::read(corpus.join("containers").join(file)).unwrap();
        let opened = open(file.rsplit('/').next().unwrap(), bytes).checked();
        assert_eq!(coverage(opened.document.as_ref()).unread, Vec::new(), "{file}");
        let said = opened.diagnostics.iter().filter(|found| found.code == "container.data-unlisted");
        let said: Vec<u64> = said.filter_map(|found| found.offset).collect();
        assert_eq!(said, Vec::from_iter(unlisted), "{file}");
    }
}

#[test]
fn a_made_installer_has_its_members_and_says_what_it_is() {
    let ini = b"[Setup]\r\nProduct=Bones\r\nVersion=3\r\n";
    let members: &[(&str, &[u8], u32)] =
        &[("System\\Manifest.ini", ini, 3), ("Maps\\a.unr", b"map", 0), ("maps\\A.UNR", b"other", 0)];
    let opened = open("Bones.umod", umod(members)).checked();
    assert_eq!(opened.codes(), ["container.name-duplicate"]);
    let outline = opened.document.outline();
    let paths: Vec<_> = outline.entries().iter().skip(1).map(|e| e.path().into_owned()).collect();
    assert_eq!(paths, ["System", "System/Manifest.ini", "Maps", "Maps/a.unr", "Maps/A (2).UNR"]);
    let at = |path: &str| unpacked(&opened, outline.find_path(path).unwrap().id).unwrap();
    assert_eq!((at("Maps/a.unr"), at("maps/a (2).unr")), (b"map".to_vec(), b"other".to_vec()));
    let fields = opened.document.fields(EntryId::FILE).unwrap().fields;
    let said = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.value.clone());
    assert_eq!(said("Product"), Some(bonebox::formats::Value::Text("Bones".into())));
    assert_eq!(outline.get(EntryId::FILE).unwrap().role, Role::Archive);
}

#[test]
fn members_that_lie_in_the_container_are_not_copied_and_of_a_file_nothing_is_read() {
    let bytes = umod(&[("a.bin", &[7; 100_000], 0), ("b.bin", &[8; 10], 0)]);
    let opened = open("a.umod", bytes);
    let entry = opened.document.outline().find_path("a.bin").unwrap().id;
    let container = opened.document.container().unwrap();
    let unpacked = container.unpack(entry, &MemberLimits::default(), Cancel::never()).unwrap();
    let part = opened.document.source().slice(0, 100_000).unwrap();
    assert!(unpacked.source.is_same(&part));
    assert!(!container.is_packed(entry));
}

#[test]
fn bombs_are_refused_by_size_by_ratio_and_in_all() {
    let zeros = vec![0; 4 << 20];
    let bomb = zip(&[ZipMember::deflated("a", &zeros), ZipMember::deflated("b", &zeros), ZipMember::stored("c", b"c")]);
    let codes = |members: MemberLimits| {
        let limits = Limits { members, ..Limits::default() };
        let opened = Opening { limits, ..Opening::of("bomb.zip") }.open(bomb.clone()).unwrap().checked();
        opened.codes().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let wide = MemberLimits::default();
    assert!(codes(wide).is_empty());
    assert_eq!(codes(MemberLimits { ratio_from: 1 << 20, ..wide }), ["container.bomb-ratio"; 2]);
    assert_eq!(codes(MemberLimits { bytes: 1 << 20, ..wide }), ["container.bomb-size"; 2]);
    // The second one takes more work than all may, and what follows is not looked at.
    let work = Allowance { base: 12_000_000, per_byte: 0 };
    assert_eq!(codes(MemberLimits { work, ..wide }), ["container.bomb-total"]);
    let few = Limits { members: MemberLimits { count: 2, ..wide }, ..Limits::default() };
    let error = Opening { limits: few, ..Opening::of("bomb.zip") }.open(bomb).err().unwrap();
    assert_eq!(error.code, Some("container.bomb-count"));
}

/// The number of members that the end of 64 bits states is looked at before the members are.
#[test]
fn a_count_of_64_bits_is_read_before_what_it_counts() {
    let mut bytes = zip(&[ZipMember::stored("a", b"a")]);
    let end = bytes.split_off(bytes.len() - 22);
    let at = bytes.len() as u64;
    // The size of the record, versions, disks.
    bytes.extend(b"PK\x06\x06\x2C\0\0\0\0\0\0\0\x2D\0\x2D\0\0\0\0\0\0\0\0\0");
    bytes.extend([300_000_u64.to_le_bytes(); 2].concat());
    // The size of the directory, and where it is.
    for number in [&end[12..16], &end[16..20]] {
        bytes.extend([number, &[0; 4]].concat());
    }
    bytes.extend([&b"PK\x06\x07\0\0\0\0"[..], &at.to_le_bytes(), &[1, 0, 0, 0]].concat());
    bytes.extend([&end[..8], &[0xFF; 4], &end[12..]].concat());
    let error = Opening::of("a.zip").open(bytes).err().unwrap();
    assert_eq!(error.code, Some("container.bomb-count"), "{}", error.message);
    assert!(error.message.contains("specifies 300,000 entries"), "{}", error.message);
}

/// Members that no limit is meant for: whatever their method, they are unpacked with the work of their archive's size.
#[test]
fn members_of_each_method_are_within_the_limits_of_their_archive() {
    let mut random = fastrand::Rng::with_seed(5);
    let noise: Vec<u8> = (0..3_000_000).map(|_| random.u8(..)).collect();
    let text: Vec<u8> = (0..8_000_000).map(|_| b"bone skull marrow "[random.usize(..18)]).collect();
    for bytes in [&noise, &text] {
        let members =
            [("a", ZipMember::stored as fn(&str, &[u8]) -> _), ("b", ZipMember::deflated), ("c", ZipMember::bzipped)];
        let archive = zip(&members.map(|(name, make)| make(name, bytes)));
        let opened = Opening::of("a.zip").open(archive).unwrap();
        let container = opened.document.container().unwrap();
        let mut sizes = Vec::new();
        walk(container, &Limits::default(), Cancel::never(), &mut |walked| {
            let unpacked = walked.unpacked.unwrap_or_else(|trouble| panic!("{}: {}", walked.path, trouble.message));
            assert!(unpacked.troubles.is_empty() && unpacked.source.as_slice() == &bytes[..], "{}", walked.path);
            sizes.push(unpacked.source.len());
            true
        });
        assert_eq!(sizes, [bytes.len(); 3]);
    }
}

/// The limits of a container in others are those that its outermost one leaves.
#[test]
fn containers_in_containers_share_the_limits_of_the_outermost() {
    let many = |count: usize| {
        let names: Vec<String> = (0..count).map(|index| format!("{index}")).collect();
        zip(&names.iter().map(|name| ZipMember::stored(name, b"")).collect::<Vec<_>>())
    };
    let inner = many(300);
    let archive = zip(&["a.zip", "b.zip"].map(|name| ZipMember::deflated(name, &inner)));
    let refused = |members: MemberLimits| {
        let limits = Limits { members, ..Limits::default() };
        let opened = Opening { limits, ..Opening::of("outer.zip") }.open(archive.clone()).unwrap();
        let (mut files, mut refused, mut left) = (0, Vec::new(), members.count);
        walk(opened.document.container().unwrap(), &limits, Cancel::never(), &mut |walked| {
            // Who opens a file of the walk has what is left of it.
            assert!(walked.limits.members.count <= left);
            left = walked.limits.members.count;
            match walked.unpacked {
                Ok(_) => files += 1,
                Err(trouble) => refused.push((walked.path.to_owned(), trouble.code.id)),
            }
            true
        });
        assert!(left < members.count);
        (files, refused)
    };
    let wide = MemberLimits::default();
    assert_eq!(refused(wide), (602, Vec::new()));
    let too_many = |path: &str| (path.to_owned(), "container.bomb-count");
    assert_eq!(refused(MemberLimits { count: 400, ..wide }), (302, vec![too_many("b.zip")]));
    assert_eq!(refused(MemberLimits { count: 200, ..wide }), (2, vec![too_many("a.zip"), too_many("b.zip")]));
    let held = |base| MemberLimits { held: Allowance { base, per_byte: 0 }, ..wide };
    assert_eq!(refused(held(1 << 20)), (602, Vec::new()));
    assert_eq!(refused(held(10_000)).0, 0);
}

/// Archives in archives whose members are all the same bytes: what is come to grows with each level, the file does not.
#[test]
fn files_are_counted_across_containers_in_containers() {
    let mut bytes = b"bones".to_vec();
    for _ in 0..7 {
        let first = 31 + bytes.len();
        let members = ["a", "b", "c", "d", "e"].map(|name| ZipMember::stored(name, &bytes));
        bytes = of_first_member(&zip(&members), first);
    }
    let size = bytes.len();
    let work = Allowance { base: 20_000_000, per_byte: 0 };
    let limits = Limits { members: MemberLimits { work, ..MemberLimits::default() }, ..Limits::default() };
    let opened = Opening { limits, ..Opening::of("a.zip") }.open(bytes).unwrap();
    let mut visited = Vec::new();
    let container = opened.document.container().unwrap();
    walk(container, &limits, Cancel::never(), &mut |walked| {
        visited.push(walked.unpacked.map(|_| ()).map_err(|trouble| trouble.code.id));
        true
    });
    // 5 + 25 + … + 5⁷ are 97,655.
    assert!((10..2000).contains(&visited.len()), "{} files of {size} bytes", visited.len());
    let refused: Vec<_> = visited.iter().filter_map(|visit| visit.err()).collect();
    assert!(
        !refused.is_empty()
            && refused.iter().all(|code| ["container.bomb-total", "container.bomb-depth"].contains(code))
    );
}

/// A zip archive of members with names of one letter, whose directory leads to the first one for each of them: the others are left out.
fn of_first_member(zip: &[u8], first: usize) -> Vec<u8> {
    let (rest, end) = zip.split_at(zip.len() - 22);
    let mut directory = rest[u32::from_le_bytes(*end[16..].first_chunk().unwrap()) as usize..].to_vec();
    directory.chunks_mut(47).for_each(|record| record[42..46].fill(0));
    [&zip[..first], &directory, &end[..16], &(first as u32).to_le_bytes(), &end[20..]].concat()
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    assert!(refusal("a.rar", *b"Rar!\x1A\x07\x01\0 and more").contains("Unpack the archive"));
    assert!(refusal("a.7z.001", *b"7z\xBC\xAF\x27\x1C\0\x04 and more").contains("Join the parts"));
    assert!(refusal("a.z01", *b"PK\x07\x08 and more").contains("Join the parts"));
    assert!(refusal("a.umod", *b"no installer, and long enough").contains("the footer starts with"));
    assert!(refusal("a.zip", *b"PK\x03\x04 cut").contains("the file list at the end of the archive is missing"));
}

/// Whatever is cut off or spoilt, what opens says what is wrong, and what does not says why.
#[test]
fn damaged_containers_open_or_say_why() {
    let text = b"bones and more bones and more bones".repeat(20);
    let made = [
        ("a.umod", umod(&[("System\\Manifest.ini", b"[Setup]\nProduct=x\n", 3), ("b\\c.txt", &text, 0)])),
        ("a.zip", zip(&[ZipMember::stored("a/b.txt", &text), ZipMember::deflated("c.txt", &text)])),
    ];
    for (name, whole) in made {
        let mut opens = 0;
        for length in 0..whole.len() {
            let outcome = kit::exercise::exercise(name, &whole[..length], false);
            opens += usize::from(outcome.opened);
        }
        // What stands at the end is needed.
        assert_eq!(opens, 0, "{name}");
        let mut random = fastrand::Rng::with_seed(18);
        for _ in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..bytes.len());
                bytes[at] = random.u8(..);
            }
            kit::exercise::exercise(name, &bytes, false);
        }
    }
}

#[test]
fn a_member_of_a_file_that_changed_is_an_error_not_empty() {
    struct Gone(Vec<u8>, std::sync::atomic::AtomicUsize);
    impl bonebox::bytes::ReadAt for Gone {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            if self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 200 {
                return Err(std::io::Error::other("the disk is gone"));
            }
            buffer.copy_from_slice(&self.0[offset as usize..][..buffer.len()]);
            Ok(())
        }
    }
    let bytes = zip(&[ZipMember::deflated("a", &[7; 1000])]);
    let source = Source::stored(Gone(bytes, 0.into()));
    let opened = Opening::of("a.zip").open_source(source.clone()).unwrap();
    let entry = opened.document.outline().find_path("a").unwrap().id;
    assert_eq!(unpacked(&opened, entry).unwrap().len(), 1000);
    while source.slice(0, 1).unwrap().in_memory().is_ok() {}
    assert_eq!(unpacked(&opened, entry), None);
    assert!(opened.document.read_bytes(entry).is_err());
}
