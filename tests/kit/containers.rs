//! Containers: what the corpus expects of them, and made ones.

use super::{
    open::{Opened, Opening},
    sha1::sha1,
};
use bonebox::{
    bytes::{Cancel, MemberLimits},
    formats::{EntryId, Role},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Of the corpus, where bytes lie that no table leads to: what is expected of a file does not tell of them.
const UNLISTED: [&str; 9] = [
    // Filled up with what looks like noise.
    "disc/bones_junk.rvz",
    // Members that share bytes leave a hole where theirs were.
    "disc/overlap.gcm",
    "umod/overlap.umod",
    "zip/overlap.zip",
    // Nothing leads to a member any more, or to what is in a folder.
    "disc/bad_count_wrap.gcm",
    "disc/bad_file_offset.gcm",
    "iso/bad_cycle.iso",
    "iso/bad_extent.iso",
    "iso/bad_record.iso",
];

/// Every container of a folder of the corpus with what is expected of it.
pub fn expected_of(folder: &Path) -> Vec<(PathBuf, Value)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let with_json = files.into_iter().filter_map(|path| {
        let json = fs::read(format!("{}.json", path.display())).ok()?;
        Some((path, serde_json::from_slice(&json).unwrap()))
    });
    with_json.collect()
}

/// The project's code for one of the specification's: `data.truncated`.
fn code(of: &Value) -> String {
    format!("container.{}", of.as_str().unwrap().replace('.', "-"))
}

/// The bytes of a member; `None` where nothing of it can be used.
pub fn unpacked(opened: &Opened, entry: EntryId) -> Option<Vec<u8>> {
    let container = opened.document.container().unwrap();
    let unpacked = container.unpack(entry, &MemberLimits::default(), Cancel::never()).ok()?;
    Some(unpacked.source.as_slice().to_vec())
}

/// Asserts that a file opens or not, with what is wrong with it, and that its members have the paths, sizes and bytes that are
/// expected. `others` are folders that the expectation leaves out.
pub fn assert_as_expected(path: &Path, expected: &Value, others: &[&str]) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let codes: BTreeSet<String> = expected["diagnostics"].as_array().unwrap().iter().map(code).collect();
    let opened = Opening::of(&name).open(fs::read(path).unwrap());
    let opened = match (opened, expected["opens"].as_bool()) {
        (Ok(_), Some(false)) => panic!("{name} opens"),
        (Err(error), Some(true)) => panic!("{error}"),
        (Err(error), _) => {
            if !codes.contains("container.unknown-format") && expected["opens"].is_boolean() {
                assert!(codes.contains(error.code.unwrap_or_default()), "{name}: {error:?}, not {codes:?}");
            }
            return;
        }
        (Ok(opened), _) => opened.checked(),
    };
    let found: BTreeSet<String> = opened.diagnostics.iter().map(|found| found.code.to_owned()).collect();
    let unlisted = UNLISTED.iter().any(|file| path.ends_with(file)).then(|| "container.data-unlisted".to_owned());
    let codes: BTreeSet<String> = codes.into_iter().chain(unlisted).collect();
    assert_eq!(found, codes, "{name}: {:#?}", opened.diagnostics);
    let outline = opened.document.outline();
    let members = expected["members"].as_array().map(Vec::as_slice).unwrap_or_default();
    for member in members {
        let path = member["path"].as_str().unwrap();
        let entry = outline.find_path(path).unwrap_or_else(|| panic!("{name} has no {path}"));
        if member["folder"] == true {
            assert_eq!(entry.role, Role::Folder, "{name}: {path}");
            continue;
        }
        let is_refused = member["refused"] == true || member["encrypted"] == true;
        let bytes = unpacked(&opened, entry.id);
        assert!(!is_refused || bytes.is_none(), "{name}: {path}");
        if let Some(sha) = member["sha1"].as_str().filter(|_| member["damaged"] != true) {
            let bytes = bytes.unwrap_or_else(|| panic!("{name}: {path} cannot be unpacked"));
            assert_eq!(
                (bytes.len() as u64, sha1(&bytes)),
                (member["size"].as_u64().unwrap(), sha.to_owned()),
                "{name}: {path}"
            );
        }
    }
    if let Some(count) = expected["count"].as_u64() {
        let files = outline.entries().iter().filter(|entry| entry.role == Role::Member).count();
        assert_eq!(files as u64, count, "{name}");
    } else if !members.is_empty() {
        let is_other = |path: &str| others.iter().any(|folder| path.starts_with(&format!("{folder}/")));
        let listed = outline.entries().iter().filter(|entry| entry.role == Role::Member && !is_other(&entry.path()));
        let listed: BTreeSet<String> = listed.map(|entry| entry.path().into_owned()).collect();
        let wanted = members.iter().filter(|member| member["folder"] != true);
        let wanted: BTreeSet<String> = wanted.map(|member| member["path"].as_str().unwrap().to_owned()).collect();
        assert_eq!(listed, wanted, "{name}");
    }
}

/// An Unreal installer of these members: name, bytes, flags.
#[allow(unused_imports, reason = "each test executable uses its part")]
pub use bonebox::formats::containers::encode::umod;

/// A member of a made zip archive.
#[derive(Clone, Default)]
pub struct ZipMember {
    pub name: String,
    pub flags: u16,
    pub method: u16,
    /// As it is stored.
    pub stored: Vec<u8>,
    pub size: u32,
    pub sum: u32,
}

impl ZipMember {
    pub fn stored(name: &str, bytes: &[u8]) -> Self {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        Self {
            name: name.to_owned(),
            stored: bytes.to_vec(),
            size: bytes.len() as u32,
            sum: sum.sum(),
            ..Self::default()
        }
    }

    pub fn deflated(name: &str, bytes: &[u8]) -> Self {
        let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, bytes).unwrap();
        Self { method: 8, stored: packed.finish().unwrap(), ..Self::stored(name, bytes) }
    }

    pub fn bzipped(name: &str, bytes: &[u8]) -> Self {
        let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        std::io::Write::write_all(&mut packed, bytes).unwrap();
        Self { method: 12, stored: packed.finish().unwrap(), ..Self::stored(name, bytes) }
    }
}

/// A zip archive.
pub fn zip(members: &[ZipMember]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let at = bytes.len() as u32;
        let mut common = Vec::new();
        for number in [20, member.flags, member.method, 0, 0x21] {
            common.extend(number.to_le_bytes());
        }
        for number in [member.sum, member.stored.len() as u32, member.size] {
            common.extend(number.to_le_bytes());
        }
        common.extend((member.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04".iter().chain(&common).copied().chain(member.name.bytes()));
        bytes.extend(&member.stored);
        directory.extend(b"PK\x01\x02\x14\0".iter().chain(&common));
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(member.name.bytes());
    }
    let at = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    for count in [members.len() as u16; 2] {
        bytes.extend(count.to_le_bytes());
    }
    for number in [directory.len() as u32, at] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([0, 0]);
    bytes
}

/// A 7z archive of one file that is stored as it is; name and bytes are short.
pub fn seven_zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        sum.sum().to_le_bytes()
    };
    let size = bytes.len() as u8;
    let letters: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    // Streams: where one lies and its size; one folder of one coder, which copies; its size.
    let mut header = vec![1, 4, 6, 0, 1, 9, size, 0, 7, 0x0B, 1, 0, 1, 1, 0, 0x0C, size, 0, 8, 0, 0];
    // Files: one, with its name.
    header.extend([5, 1, 0x11, letters.len() as u8 + 1, 0]);
    header.extend(letters);
    header.extend([0, 0]);
    let next = [(bytes.len() as u64).to_le_bytes(), (header.len() as u64).to_le_bytes()].concat();
    let start = [next, crc(&header).to_vec()].concat();
    [b"7z\xBC\xAF\x27\x1C\0\x04", &crc(&start)[..], &start, bytes, &header].concat()
}
