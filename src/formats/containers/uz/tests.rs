//! Whole files, through the same door as any other.

use super::encode::{huffman, move_to_front, runs, uz, uz_of_blocks};
use crate::{
    bytes::{Cancel, Limits, MemberLimits, Source},
    formats::{
        Content, Diagnostics, Document, EntryId, NO_OVERRIDES, NoFiles, OpenContext, OpenError, containers::zlib,
        coverage::coverage, open,
    },
};
use std::sync::Arc;

fn opened(name: &str, bytes: &[u8]) -> Result<Box<dyn Document>, OpenError> {
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    open(Source::from(bytes.to_vec()), &mut cx)
}

/// The name of the only member, and its bytes or why there are none.
fn member(name: &str, bytes: &[u8], limits: &MemberLimits) -> (String, Result<Vec<u8>, &'static str>) {
    let document = match opened(name, bytes) {
        Ok(document) => document,
        Err(error) => return (String::new(), Err(error.code.unwrap_or("unknown"))),
    };
    let entry = document.outline().with_content(Content::Bytes).next().unwrap();
    let unpacked = document.container().unwrap().unpack(entry.id, limits, Cancel::never());
    let bytes = unpacked.map(|unpacked| unpacked.source.as_slice().to_vec()).map_err(|trouble| trouble.code.id);
    (entry.path().into_owned(), bytes)
}

fn bytes_of(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    member("x.uz", bytes, &MemberLimits::default()).1
}

/// Text, long runs, noise.
fn plain() -> Vec<u8> {
    let noise = (0..2000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 27) as u8);
    b"The quick brown fox. ".repeat(40).into_iter().chain([0; 700]).chain(noise).chain([7; 255]).collect()
}

#[test]
fn both_kinds_read_back_in_blocks_of_any_size_and_every_byte_has_a_name() {
    let plain = plain();
    for nested in [false, true] {
        for size in [1, 7, 1000, 0x4_0000] {
            let text = if size < 7 { &plain[..60] } else { &plain };
            assert_eq!(bytes_of(&uz_of_blocks("a.u", text, nested, size)).as_deref(), Ok(text), "{nested} {size}");
        }
        let document = opened("x.uz", &uz("a.u", &plain, nested)).unwrap();
        let read = coverage(&*document);
        assert_eq!((read.unread.len(), read.doubled.len()), (0, 0));
    }
}

#[test]
fn anything_that_is_written_reads_back() {
    let noise: Vec<u8> =
        (0..40_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 ^ (n >> 9) as u8).collect();
    let text = b"class Bone extends Actor;\r\n".repeat(11_000);
    for plain in [&b""[..], b"x", &[0; 5], &[0; 256], &[9; 70_000], &text, &noise] {
        for nested in [false, true] {
            let packed = uz("Bone.u", plain, nested);
            assert!(bytes_of(&packed).as_deref() == Ok(plain), "{} bytes, {nested}", plain.len());
        }
    }
    // A text that repeats packs well, which a wrong order of rotations would undo.
    assert!(uz("Bone.u", &text, true).len() < text.len() / 20);
    // Names of any length and in any letters.
    for name in ["a".repeat(70).as_str(), "Зебра.u", "Bäcker.u"] {
        assert_eq!(
            member("x.uz", &uz(name, b"x", true), &MemberLimits::default()),
            (name.to_owned(), Ok(b"x".to_vec()))
        );
    }
}

#[test]
fn the_member_is_called_as_the_file_says_or_as_the_file_is() {
    let name = |file: &str, name: &str| member(file, &uz(name, b"x", false), &MemberLimits::default()).0;
    assert_eq!(name("x.uz", "Bone.umx"), "Bone.umx");
    assert_eq!(name("x.uz", "C:\\Game\\System\\Bone.u"), "Bone.u");
    assert_eq!(name("x.uz", "../../Bone.u"), "Bone.u");
    assert_eq!(name("x.uz", ".."), "_");
    assert_eq!(name("Map.unr.UZ", ""), "Map.unr");
    assert_eq!(name("download.bin", ""), "download.bin");
    // UTF-16.
    assert_eq!(name("x.uz", "Зu"), "Зu");
    let mut wide = 5678_u32.to_le_bytes().to_vec();
    wide.extend([0x83, 0x17, 0x04, 0x75, 0, 0, 0]);
    wide.extend(&uz("", b"x", true)[5..]);
    let (name, bytes) = member("x.uz", &wide, &MemberLimits::default());
    assert_eq!((name.as_str(), bytes.as_deref()), ("Зu", Ok(&b"x"[..])));
}

#[test]
fn the_form_with_zlib_is_read() {
    let plain = plain();
    let stream = zlib::tests::packed(&plain);
    let size = 9 + 5 + stream.len();
    let numbers = [plain.len() as u32, size as u32].map(u32::to_le_bytes).concat();
    let file = [numbers, vec![172, 4], b"a.u\0".to_vec(), stream].concat();
    assert_eq!(member("x.bin", &file, &MemberLimits::default()), ("a.u".to_owned(), Ok(plain)));
    assert!(opened("x.uz", &file[..file.len() - 1]).is_err(), "the size is that of another file");
}

#[test]
fn bombs_are_refused() {
    let zeros = uz("a.u", &vec![0; 100_000], false);
    let limits = MemberLimits { ratio: 10, ratio_from: 50_000, ..MemberLimits::default() };
    assert_eq!(member("x.uz", &zeros, &limits).1, Err("container.bomb-ratio"));
    let limits = MemberLimits { bytes: 99_999, ..MemberLimits::default() };
    assert_eq!(member("x.uz", &zeros, &limits).1, Err("container.bomb-size"));
    // A tree of one leaf takes no bits, however many symbols are stated.
    let single = |total: i32| {
        let mut file = uz("a.u", b"", false)[..9].to_vec();
        file.extend(total.to_le_bytes());
        file.extend([0, 0]);
        file
    };
    assert_eq!(bytes_of(&single(i32::MAX)), Err("container.bomb-ratio"));
    // Blocks of nothing.
    assert_eq!(bytes_of(&single(13 * 100)), Ok(Vec::new()));
}

#[test]
fn damaged_stages_say_what_is_wrong() {
    let file = |payload: &[u8]| [&uz("a.u", b"", false)[..9], payload].concat();
    let block = |text: &[u8]| huffman(&move_to_front(&super::encode::block(text)));
    assert_eq!(bytes_of(&file(&block(&runs(b"aaaaaaa")))).as_deref(), Ok(&b"aaaaaaa"[..]));
    assert_eq!(bytes_of(&file(&block(b"aaaaa"))), Err("container.data-truncated"));
    assert_eq!(bytes_of(&file(&block(b"aaaaa\x01"))), Err("container.table-invalid"));
    assert_eq!(bytes_of(&file(&huffman(&move_to_front(&[9; 12])))), Err("container.table-invalid"));
    let header = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(bytes_of(&file(&huffman(&move_to_front(&header)))), Err("container.data-truncated"));
}

#[test]
fn damaged_files_give_a_member_or_say_why_not() {
    let whole = uz("a.u", &plain()[..900], true);
    let limits = MemberLimits { bytes: 1 << 20, ..MemberLimits::default() };
    for length in 0..whole.len() {
        assert!(member("x.uz", &whole[..length], &limits).1.is_err(), "{length}");
    }
    let mut seed = 1_u32;
    for _ in 0..2000 {
        let mut damaged = whole.clone();
        for _ in 0..2 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 16) as usize % damaged.len();
            damaged[at] ^= 1 << (seed >> 8 & 7);
        }
        let _ = member("x.uz", &damaged, &limits);
        if let Ok(document) = opened("x.uz", &damaged) {
            document.check(EntryId::FILE, &mut Diagnostics::new(5));
            assert!(document.fields(EntryId::FILE).is_ok());
        }
    }
}
