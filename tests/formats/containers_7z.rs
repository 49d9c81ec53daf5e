//! 7z archives of every method, written by 7-Zip 26.02, and what damage does to them.
//!
//! The archives are in `tests/data/containers/7z`, without an extension: the tests of all formats would damage each of them as well.

use crate::kit::{
    self,
    containers::unpacked,
    exercise::exercise,
    open::{Opened, Opening, open},
    sha1::sha1,
};
use bonebox::formats::{EntryId, coverage::coverage};

const CODE: (&str, &str) = ("code.bin", "7d66b80c21e60c90e78c5274b474a1686e87744e");
const SOUND: (&str, &str) = ("sound.raw", "4d2f696b12dff954b1397f61564374c2463e6677");
const TEXT: (&str, &str) = ("text.txt", "bf63226e1a90adeda2a6b74118ea3584d8acb64b");
const SMALL: (&str, &str) = ("folder/small.txt", "86a83d30702d729bc8e5ca38d4d91c44413cb8a6");
const EMPTY: (&str, &str) = ("empty.txt", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
const ALL: &[(&str, &str)] = &[CODE, SOUND, TEXT, SMALL, EMPTY];

/// The members that can be unpacked. `-mf=off` in what follows: 7-Zip adds no filter of its own.
const ARCHIVES: &[(&str, &[(&str, &str)])] = &[
    // 7zz a -m0=METHOD -mf=off, and with -ms=off -mhc=off
    ("copy_solid", ALL),
    ("copy_apart", ALL),
    ("lzma_solid", ALL),
    ("lzma_apart", ALL),
    ("lzma2_solid", ALL),
    ("lzma2_apart", ALL),
    ("ppmd_solid", ALL),
    ("ppmd_apart", ALL),
    ("bzip2_solid", ALL),
    ("bzip2_apart", ALL),
    ("deflate_solid", ALL),
    ("deflate_apart", ALL),
    // 7zz a -m0=FILTER -m1=lzma
    ("filter_bcj", &[CODE, SOUND]),
    ("filter_arm", &[CODE, SOUND]),
    ("filter_armt", &[CODE, SOUND]),
    ("filter_arm64", &[CODE, SOUND]),
    ("filter_ppc", &[CODE, SOUND]),
    ("filter_ia64", &[CODE, SOUND]),
    ("filter_sparc", &[CODE, SOUND]),
    ("filter_riscv", &[CODE, SOUND]),
    ("filter_delta", &[CODE, SOUND]),
    // 7zz a -m0=bcj2 -m1=lzma -m2=lzma -m3=lzma -mb0:1 -mb0s1:2 -mb0s2:3
    ("bcj2", ALL),
    // 7zz a -m0=delta:4 -m1=bcj -m2=ppmd
    ("bcj_ppmd", ALL),
    ("deflate64", &[]),
    // 7zz a -pbone
    ("encrypted", &[EMPTY]),
];

fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(kit::data().join("containers/7z").join(name)).unwrap()
}

fn entry(opened: &Opened, path: &str) -> EntryId {
    opened.document.outline().find_path(path).unwrap_or_else(|| panic!("no {path}")).id
}

#[test]
fn members_of_every_method_are_unpacked_in_any_order() {
    for (name, members) in ARCHIVES {
        let opened = open("a.7z", bytes_of(name)).checked();
        let refused = if members.len() < 2 { 1 } else { 0 };
        assert_eq!(opened.diagnostics.len(), refused, "{name}: {:?}", opened.diagnostics);
        assert_eq!(coverage(opened.document.as_ref()).unread, Vec::new(), "{name}");
        // Forwards, backwards, and each of them twice.
        for (path, sha) in members.iter().chain(members.iter().rev()).chain(members.iter().flat_map(|m| [m, m])) {
            let bytes = unpacked(&opened, entry(&opened, path)).unwrap_or_else(|| panic!("{name}: {path}"));
            assert_eq!(sha1(&bytes), *sha, "{name}: {path}");
        }
    }
    let apart = open("a.7z", bytes_of("copy_apart"));
    assert!(apart.document.outline().find_path("folder/nothing").is_some());
}

#[test]
fn what_is_encrypted_or_unknown_says_so() {
    let codes = |name: &str| open("a.7z", bytes_of(name)).checked().codes();
    assert_eq!(codes("encrypted"), ["container.encrypted"]);
    assert_eq!(codes("deflate64"), ["container.method-unsupported"]);
    let list = Opening::of("a.7z").open(bytes_of("encrypted_list")).err().unwrap();
    assert_eq!(list.code, Some("container.encrypted"));
    assert!(list.to_string().contains("Passwords are not supported"), "{list}");
}

/// The same bytes with the checksums that belong to them, so that what follows the checksums is read.
fn with_sums(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |at: usize| usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())).ok();
    let start = number(12).and_then(|offset| offset.checked_add(32));
    let range = start.zip(number(20)).and_then(|(start, size)| Some(start..start.checked_add(size)?));
    let sum = |bytes: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        sum.sum().to_le_bytes()
    };
    if let Some(header) = range.and_then(|range| bytes.get(range)) {
        let header = sum(header);
        bytes[28..32].copy_from_slice(&header);
    }
    let start = sum(&bytes[12..32]);
    bytes[8..12].copy_from_slice(&start);
    bytes
}

#[test]
fn archives_with_any_byte_changed_or_cut_off_open_or_say_why() {
    for (name, _) in ARCHIVES {
        let whole = bytes_of(name);
        for length in 0..whole.len() {
            let cut = exercise("a.7z", &whole[..length], false);
            assert!(!cut.opened, "{name} cut at {length}: the list is at the end");
        }
        let mut opens = 0;
        // Of those whose list is plain each byte, and of the others some.
        let step = if name.ends_with("_apart") { 1 } else { 4 };
        for at in (0..whole.len()).step_by(step) {
            let mut damaged = whole.clone();
            damaged[at] ^= [0xFF, 1, 0x80, 0x10, 0x40][at % 5];
            let sums_hold = exercise("a.7z", &with_sums(damaged.clone()), false);
            opens += usize::from(sums_hold.opened);
            if (8..32).contains(&at) {
                assert!(!exercise("a.7z", &damaged, false).opened, "{name}: byte {at} is in no checksum");
            }
        }
        assert!(opens > 0, "{name}");
    }
}
