//! Archives of Bohemia's games: `.pbo` (formats/containers.md §5). A list of headers, then the members in the same
//! order.

use super::{
    codes,
    contents::{Container, Contents, Item, Reading, Trouble, Unpacked, Unpacking},
    output::Cost,
    rows,
};
use crate::{
    bytes::{Endian, Source, numbers::grouped, text},
    formats::{
        Field, Hint, Score, Value,
        field_reader::{Fault, FieldReader},
        lzss::{self, Lzss},
    },
};
use sha1::{Digest as _, Sha1};
use std::{ops::Range, sync::Arc};

pub const EXTENSIONS: &[&str] = &["pbo"];

/// Methods, as the letters of a number.
const STORED: u32 = 0;
const PACKED: u32 = 0x4370_7273;
const ENCRYPTED: u32 = 0x456E_6372;
const VERSION: u32 = 0x5665_7273;

/// An empty name, then the method of the entry that is no member.
const MAGIC: &[u8] = b"\0sreV";
/// A property that says that what follows is enciphered.
const CIPHERED: &str = "encryption";
/// What is read of a file at once to find the end of its headers, and how much more each time that it is not there.
const PIECE: u64 = 64 << 10;
const LARGER: u64 = 8;
/// A zero byte and the SHA-1 of what is before it.
const TAIL: u64 = 21;
/// Bytes of which the hash is made at once.
const HASHED: u64 = 1 << 20;
/// Bytes that are unpacked at once.
const UNPACKED: usize = 64 << 10;
/// The longest name where nothing else says what the file is.
const LONGEST_NAME: usize = 511;
/// Members that confirm each other where neither the start nor the name says what the file is.
const CONFIRMING: usize = 3;

pub fn score(head: &[u8], hint: &Hint<'_>) -> Score {
    match (head.starts_with(MAGIC), is_named(hint)) {
        (true, _) => Score::Certain,
        (false, true) => Score::Name,
        (false, false) => Score::No,
    }
}

fn is_named(hint: &Hint<'_>) -> bool {
    EXTENSIONS.contains(&hint.extension().as_str())
}

/// Files without the entry that says what they are: their whole list must read as one.
pub fn score_whole(source: &Source, hint: &Hint<'_>, sure: Score) -> Score {
    if sure == Score::Certain {
        return Score::No;
    }
    let start = source.slice(0, PIECE.min(source.len() as u64));
    let is_possible = start.is_some_and(|start| {
        let mut r = FieldReader::new(&start, 0..PIECE, Endian::Little);
        let name = r.raw().bytes_until_zero().unwrap_or_default();
        let is_name = (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(|byte| *byte >= 0x20);
        let first = Entry::after_name(&mut r, String::new());
        is_name && first.is_ok_and(|entry| entry.is_known() && u64::from(entry.stored) <= source.len() as u64)
    });
    if !is_possible {
        return Score::No;
    }
    let Ok(headers) = Headers::of(source, u64::MAX, PIECE) else { return Score::No };
    let fits = headers.data().last().is_none_or(|last| last.end <= source.len() as u64);
    match headers.entries.iter().all(Entry::is_known) && (is_named(hint) || fits && headers.entries.len() >= CONFIRMING)
    {
        true => Score::Likely,
        false => Score::No,
    }
}

pub fn read(source: &Source, cx: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let size = source.len() as u64;
    let headers = Headers::of(source, cx.most_entries(), cx.limits.table)?;
    for at in &headers.later_versions {
        let message = "the entry list ends at a properties entry, which is allowed only as the first entry";
        cx.report(Trouble::new(&codes::ODD, *at, message));
    }
    let data = headers.data();
    let item = |(entry, stored): (&Entry, Range<u64>)| {
        let (name, record) = (entry.name.clone(), entry.record.clone());
        let item = match entry.method {
            STORED => Item::plain(name, record, stored),
            method => {
                let size = (method == PACKED).then_some(u64::from(entry.original));
                let method = method_name(method).unwrap_or("unknown");
                Item { name, record, stored: vec![stored], size, method, ..Item::default() }
            }
        };
        Item { is_path: true, ..item }
    };
    let items = headers.entries.iter().zip(data.iter().cloned()).map(item).collect();
    let end = data.last().map_or(headers.end, |last| last.end);
    let has_hash = end.saturating_add(TAIL) == size && zero_at(source, end);
    let trails = end < size && !has_hash;
    if trails {
        let message = format!("extra bytes after the last entry: {}", size.saturating_sub(end));
        cx.report(Trouble::new(&codes::TRAILING, end, message));
    }
    let container = Box::new(Tables { headers, hash: has_hash.then_some(end), trailing: trails.then_some(end) });
    Ok(Contents { items, space: None, may_share: false, container })
}

fn zero_at(source: &Source, at: u64) -> bool {
    source.slice(at, 1).is_some_and(|byte| byte.as_slice() == [0])
}

fn method_name(method: u32) -> Option<&'static str> {
    match method {
        STORED => Some("stored"),
        PACKED => Some("LZSS"),
        ENCRYPTED => Some("encrypted"),
        _ => None,
    }
}

/// The list before the data.
struct Headers {
    /// The first entry says what the file is, and properties follow it.
    has_start: bool,
    properties: Vec<(String, String)>,
    entries: Vec<Entry>,
    /// Entries that say what the file is where none may.
    later_versions: Vec<u64>,
    /// Where the data begins.
    end: u64,
}

struct Entry {
    name: String,
    method: u32,
    original: u32,
    stored: u32,
    record: Range<u64>,
}

impl Entry {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let name = string(r, "Name")?;
        Self::after_name(r, name)
    }

    fn after_name(r: &mut FieldReader<'_>, name: String) -> Result<Self, Fault> {
        let method = r.named_u32("Method", |method| match method {
            VERSION => Some("properties"),
            _ => method_name(method),
        })?;
        let original = r.u32("Original size")?;
        r.u32("Reserved")?;
        r.u32("Time")?;
        let stored = r.u32("Stored size")?;
        Ok(Self { name, method, original, stored, record: 0..0 })
    }

    fn is_known(&self) -> bool {
        method_name(self.method).is_some()
    }
}

/// Text up to its NUL.
fn string(r: &mut FieldReader<'_>, name: impl Into<std::borrow::Cow<'static, str>>) -> Result<String, Fault> {
    let at = r.offset();
    let end = r.fault("unterminated string");
    let value = text::decode(r.raw().bytes_until_zero().ok_or(end)?);
    r.record(name, "string", at, || Value::Text(value.clone()));
    Ok(value)
}

impl Headers {
    /// Of a file, of which no more is read than the headers take, and at most `table` bytes.
    fn of(source: &Source, most: u64, table: u64) -> Result<Self, Trouble> {
        let size = source.len() as u64;
        let mut seen = PIECE;
        loop {
            let piece = source.slice(0, seen.min(size)).unwrap_or_else(|| source.clone());
            let mut r = FieldReader::new(&piece, 0..seen, Endian::Little);
            match Self::read(&mut r, most) {
                Err(trouble) if trouble.code.id == codes::TRUNCATED.id && seen < size => {
                    if seen >= table {
                        let message = format!("the headers exceed the limit of {table} bytes");
                        return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
                    }
                    seen = seen.saturating_mul(LARGER).min(table.max(PIECE));
                }
                read => return read,
            }
        }
    }

    fn empty() -> Self {
        Self { has_start: false, properties: Vec::new(), entries: Vec::new(), later_versions: Vec::new(), end: 0 }
    }

    fn read(r: &mut FieldReader<'_>, most: u64) -> Result<Self, Trouble> {
        let mut headers = Self::empty();
        let mut is_first = true;
        loop {
            let start = r.offset();
            // What an entry is shows once it is read.
            let mut ahead = r.fork();
            let entry = Entry::read(&mut ahead)?;
            let is_version = entry.name.is_empty() && entry.method == VERSION;
            if is_version && is_first {
                headers.has_start = true;
                headers.read_properties(r)?;
            } else if entry.name.is_empty() {
                r.group("End", "Entry", Entry::read)?;
                headers.later_versions.extend(is_version.then_some(start));
                headers.end = r.offset();
                return Ok(headers);
            } else {
                if headers.entries.len() as u64 >= most {
                    let message = format!("the archive exceeds the limit of {} entries", grouped(most));
                    return Err(Trouble::new(&codes::TOO_MANY, start, message));
                }
                let mut entry = Entry::read(r)?;
                entry.record = start..r.offset();
                headers.entries.push(entry);
            }
            is_first = false;
        }
    }

    /// The first entry, and texts in pairs up to an empty one.
    fn read_properties(&mut self, r: &mut FieldReader<'_>) -> Result<(), Trouble> {
        r.group("Start", "Entry", Entry::read)?;
        let group = r.begin_group();
        let read = self.read_pairs(r);
        r.end_group(group, "Properties", "strings", read.is_ok().then_some(&Value::None));
        read?;
        let ciphered = self.properties.iter().find(|(key, _)| key.eq_ignore_ascii_case(CIPHERED));
        match ciphered {
            Some((key, _)) => {
                let message = format!("the headers are encrypted (property “{key}”)");
                Err(Trouble::new(&codes::ENCRYPTED, r.offset(), message))
            }
            None => Ok(()),
        }
    }

    fn read_pairs(&mut self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
        loop {
            let mut ahead = r.fork();
            let key = string(&mut ahead, "")?;
            if key.is_empty() {
                return string(r, "End").map(|_| ());
            }
            string(r, "Key")?;
            let value = string(r, key.clone())?;
            self.properties.push((key, value));
        }
    }

    /// Where the bytes of each entry lie.
    fn data(&self) -> Vec<Range<u64>> {
        let mut end = self.end;
        let data = self.entries.iter().map(|entry| {
            let start = end;
            end = start.saturating_add(u64::from(entry.stored));
            start..end
        });
        data.collect()
    }
}

struct Tables {
    headers: Headers,
    /// Where the zero byte before the hash lies.
    hash: Option<u64>,
    /// Where bytes follow the last member that are no hash.
    trailing: Option<u64>,
}

impl Container for Tables {
    fn said_trailing(&self) -> Option<u64> {
        self.trailing
    }

    fn unpack(&self, index: usize, stored: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let entry = self.headers.entries.get(index);
        let entry = entry.ok_or_else(|| Trouble::new(&codes::TABLE, 0, "the archive does not contain this entry"))?;
        match entry.method {
            PACKED => unpack(stored.as_slice(), u64::from(entry.original), cx),
            ENCRYPTED => Err(Trouble::new(&codes::ENCRYPTED, 0, "the entry is encrypted")),
            method => {
                let message = format!("unknown compression method {method:08X}");
                Err(Trouble::new(&codes::METHOD, 0, message))
            }
        }
    }

    fn fields(&self, file: &Source) -> Vec<Field> {
        let headers = file.slice(0, self.headers.end).unwrap_or_else(|| file.clone());
        let mut r = FieldReader::new(&headers, 0..self.headers.end, Endian::Little).recording();
        let records: Arc<[Range<u64>]> = self.headers.entries.iter().map(|entry| entry.record.clone()).collect();
        let end = records.last().map(|last| last.end);
        // What could be read when it was opened can be read again.
        if self.headers.has_start {
            let _ = Headers::empty().read_properties(&mut r);
        }
        let is_there = end.is_none_or(|end| r.seek(end).is_ok());
        let _ = is_there.then(|| r.group("End", "Entry", Entry::read));
        let mut fields = r.into_fields();
        let read = |r: &mut FieldReader<'_>| Entry::read(r).map(|_| ());
        fields.extend(rows::table("Entries", "Entry", &headers, records, read));
        if let Some(at) = self.hash {
            let end = at.saturating_add(TAIL);
            let tail = file.slice(at, TAIL).map(|tail| tail.as_slice().to_vec()).unwrap_or_default();
            let hash: String = tail.iter().skip(1).map(|byte| format!("{byte:02x}")).collect();
            fields.push(Field::new("Zero", "u8", Value::UInt(0), at, 1));
            let start = at.saturating_add(1);
            fields.push(Field::new("SHA-1", "u8[20]", Value::Text(hash), start, end.saturating_sub(start)));
        }
        fields
    }

    fn record(&self, index: usize, file: &Source) -> Vec<Field> {
        let Some(entry) = self.headers.entries.get(index) else { return Vec::new() };
        let headers = file.slice(0, self.headers.end).unwrap_or_else(|| file.clone());
        let mut r = FieldReader::new(&headers, entry.record.clone(), Endian::Little).recording();
        let _ = Entry::read(&mut r);
        r.into_fields()
    }

    fn check(&self, file: &Source) -> Vec<Trouble> {
        let Some(end) = self.hash else { return Vec::new() };
        let stored = file.slice(end.saturating_add(1), TAIL.saturating_sub(1));
        let (Some(stored), Some(hash)) = (stored, hash(file, end)) else { return Vec::new() };
        if stored.as_slice() == hash {
            return Vec::new();
        }
        let message = "the SHA-1 hash at the end of the file does not match";
        vec![Trouble::new(&codes::CHECKSUM, end.saturating_add(1), message)]
    }
}

/// The SHA-1 of the first bytes. `None` where they cannot be read.
fn hash(file: &Source, size: u64) -> Option<[u8; 20]> {
    let mut hash = Sha1::new();
    for at in (0..size).step_by(usize::try_from(HASHED).unwrap_or(1)) {
        let piece = file.slice(at, HASHED.min(size.saturating_sub(at)))?.in_memory().ok()?;
        hash.update(piece.as_slice());
    }
    Some(hash.finalize().into())
}

/// A stream of LZSS, and the sum of what comes of it.
fn unpack(stored: &[u8], size: u64, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
    let most = (stored.len() as u64).saturating_mul(lzss::MAX_PER_BYTE).min(cx.limits.bytes);
    if size > most {
        let message = format!("the specified size of {size} bytes is too large. The maximum is {most} bytes");
        return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
    }
    cx.work(Cost::LZSS.of(stored.len() as u64, size))?;
    let mut stream = Lzss::new(stored, usize::try_from(size).unwrap_or(usize::MAX));
    loop {
        cx.go_on()?;
        match stream.more(UNPACKED) {
            Ok(true) => break,
            Ok(false) => {}
            Err(lzss::EndOfInput) => {
                return Err(Trouble::new(&codes::TRUNCATED, stored.len() as u64, "the data ends too early"));
            }
        }
    }
    let used = stream.used();
    let mut unpacked = Unpacked::from(stream.into_bytes());
    let (sum, _) = lzss::sums(unpacked.source.as_slice());
    let trouble = |code, message: &str| Trouble::new(code, used as u64, message);
    match stored.get(used..).and_then(|rest| rest.first_chunk()).map(|stated| u32::from_le_bytes(*stated)) {
        Some(stated) if stated == sum => {}
        Some(_) => {
            unpacked.troubles.push(trouble(&codes::CHECKSUM, "the checksum at the end of the entry does not match"))
        }
        None => unpacked.troubles.push(trouble(&codes::CHECKSUM, "the checksum at the end of the entry is missing")),
    }
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Cancel, MemberLimits};

    fn header(name: &str, method: u32, original: u32, stored: u32) -> Vec<u8> {
        let numbers = [method, original, 0, 7, stored].map(u32::to_le_bytes).concat();
        [name.as_bytes(), &[0], &numbers].concat()
    }

    /// A stream of LZSS with its sum.
    fn packed(plain: &[u8]) -> Vec<u8> {
        [lzss::encode(plain), lzss::sums(plain).0.to_le_bytes().to_vec()].concat()
    }

    /// Members with their methods, original sizes and stored bytes; with properties or without, with the hash or without.
    fn pbo(properties: Option<&[(&str, &str)]>, members: &[(&str, u32, u32, Vec<u8>)], has_hash: bool) -> Vec<u8> {
        let mut file = Vec::new();
        if let Some(properties) = properties {
            file.extend(header("", VERSION, 0, 0));
            properties.iter().for_each(|(key, value)| file.extend(format!("{key}\0{value}\0").bytes()));
            file.push(0);
        }
        members
            .iter()
            .for_each(|(name, method, size, bytes)| file.extend(header(name, *method, *size, bytes.len() as u32)));
        file.extend(header("", 0, 0, 0));
        members.iter().for_each(|(.., bytes)| file.extend(bytes));
        if has_hash {
            let hash = Sha1::digest(&file);
            file.push(0);
            file.extend(hash);
        }
        file
    }

    fn three() -> Vec<(&'static str, u32, u32, Vec<u8>)> {
        let text = b"class CfgPatches { class Bone {}; }; ".repeat(20);
        vec![
            ("config.cpp", PACKED, text.len() as u32, packed(&text)),
            ("data\\bone_co.paa", STORED, 0, b"picture".to_vec()),
            ("empty.txt", STORED, 0, Vec::new()),
        ]
    }

    /// The contents, and what was reported.
    fn opened(file: &[u8]) -> Result<(Contents, Vec<&'static str>), &'static str> {
        opened_within(file, &MemberLimits::default())
    }

    fn opened_within(file: &[u8], limits: &MemberLimits) -> Result<(Contents, Vec<&'static str>), &'static str> {
        let mut cx = Reading::new("x.pbo", limits);
        let contents = read(&Source::from(file.to_vec()), &mut cx).map_err(|trouble| trouble.code.id)?;
        Ok((contents, cx.into_troubles().iter().map(|trouble| trouble.code.id).collect()))
    }

    /// What a member unpacks to, and what is wrong with it.
    fn unpacked(file: &[u8], index: usize) -> Result<(Vec<u8>, Vec<&'static str>), &'static str> {
        let (contents, _) = opened(file)?;
        let range = contents.items[index].stored[0].clone();
        let end = range.end.min(file.len() as u64);
        let stored = Source::from(file[range.start as usize..end as usize].to_vec());
        let limits = MemberLimits::default();
        let cx = Unpacking { limits: &limits, cancel: Cancel::never() };
        let unpacked = contents.container.unpack(index, &stored, &cx).map_err(|trouble| trouble.code.id)?;
        let codes = unpacked.troubles.iter().map(|trouble| trouble.code.id).collect();
        Ok((unpacked.source.as_slice().to_vec(), codes))
    }

    fn check(file: &[u8]) -> Vec<&'static str> {
        let (contents, _) = opened(file).unwrap();
        contents.container.check(&Source::from(file.to_vec())).iter().map(|trouble| trouble.code.id).collect()
    }

    #[test]
    fn members_follow_the_headers_in_their_order() {
        let file = pbo(Some(&[("prefix", "bone"), ("version", "1")]), &three(), true);
        let (contents, reported) = opened(&file).unwrap();
        let items: Vec<_> = contents.items.iter().map(|i| (i.name.as_str(), i.size, i.method, i.is_plain)).collect();
        let expected = [
            ("config.cpp", Some(740), "LZSS", false),
            ("data\\bone_co.paa", Some(7), "stored", true),
            ("empty.txt", Some(0), "stored", true),
        ];
        assert_eq!((items, reported), (expected.to_vec(), Vec::new()));
        let range = contents.items[1].stored[0].clone();
        assert_eq!(&file[range.start as usize..range.end as usize], b"picture");
        assert_eq!(unpacked(&file, 0).unwrap(), (b"class CfgPatches { class Bone {}; }; ".repeat(20), Vec::new()));
        assert!(check(&file).is_empty());
        // Every byte but the members' is a field.
        let source = Source::from(file.clone());
        let gaps = crate::formats::coverage::gaps(&contents.container.fields(&source), 0..file.len() as u64);
        let data = contents.items[0].stored[0].start..contents.items[2].stored[0].end;
        assert_eq!(gaps, [data]);
        let record = contents.container.record(1, &source);
        assert_eq!(
            (record[0].offset, &record[0].value),
            (contents.items[1].record.start, &Value::Text("data\\bone_co.paa".into()))
        );
    }

    #[test]
    fn what_lies_after_the_members_is_a_hash_or_trailing() {
        let whole = pbo(None, &three(), true);
        let mut wrong = whole.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert_eq!((opened(&wrong).unwrap().1.len(), check(&wrong)), (0, vec!["container.checksum-mismatch"]));
        wrong[whole.len() - 21] = 1;
        assert_eq!((opened(&wrong).unwrap().1, check(&wrong)), (vec!["container.data-trailing"], Vec::new()));
        assert_eq!(opened(&[&whole[..], b"!"].concat()).unwrap().1, ["container.data-trailing"]);
        assert!(opened(&pbo(None, &three(), false)).unwrap().1.is_empty());
    }

    #[test]
    fn the_list_ends_at_an_empty_name_whatever_its_fields_hold() {
        let mut file = header("a.txt", STORED, 1, 1);
        file.extend(header("", PACKED, 9, 9));
        file.push(b'x');
        let (contents, reported) = opened(&file).unwrap();
        assert_eq!((contents.items.len(), reported.len()), (1, 0));
        let mut later = header("a.txt", STORED, 1, 1);
        later.extend(header("", VERSION, 0, 0));
        later.push(b'x');
        let (contents, reported) = opened(&later).unwrap();
        assert_eq!((contents.items.len(), reported), (1, vec!["container.field-odd"]));
        assert_eq!(opened(&header("a.txt", STORED, 1, 1)).err(), Some("container.data-truncated"));
        assert_eq!(opened(&header("", VERSION, 0, 0)).err(), Some("container.data-truncated"));
    }

    #[test]
    fn offsets_past_four_gigabytes_are_counted() {
        let file = [header("a", STORED, 0, u32::MAX), header("b", STORED, 0, 9), header("", 0, 0, 0)].concat();
        let (contents, _) = opened(&file).unwrap();
        let start = file.len() as u64 + u64::from(u32::MAX);
        assert_eq!(contents.items[1].stored[0], start..start + 9);
    }

    #[test]
    fn methods_decide_and_sizes_do_not() {
        let file = pbo(
            None,
            &[("a", ENCRYPTED, 3, vec![1; 3]), ("b", 0x1234_5678, 3, vec![1; 3]), ("c", STORED, 3, vec![1; 3])],
            false,
        );
        assert_eq!(unpacked(&file, 0), Err("container.encrypted"));
        assert_eq!(unpacked(&file, 1), Err("container.method-unsupported"));
        assert!(opened(&file).unwrap().0.items[2].is_plain);
        let ciphered = pbo(Some(&[("prefix", "x"), ("encryption", "e")]), &three(), false);
        assert_eq!(opened(&ciphered).err(), Some("container.encrypted"));
    }

    #[test]
    fn packed_members_say_what_is_wrong_with_them() {
        let text = b"bone bone bone bone bone".to_vec();
        let file = |size: u32, bytes: Vec<u8>| pbo(None, &[("a", PACKED, size, bytes)], false);
        assert_eq!(unpacked(&file(24, packed(&text)), 0).unwrap(), (text.clone(), Vec::new()));
        assert_eq!(unpacked(&file(u32::MAX, packed(&text)), 0), Err("container.bomb-size"));
        assert_eq!(unpacked(&file(60, packed(&text)), 0), Err("container.data-truncated"));
        let mut wrong = packed(&text);
        *wrong.last_mut().unwrap() ^= 1;
        assert_eq!(unpacked(&file(24, wrong), 0).unwrap(), (text.clone(), vec!["container.checksum-mismatch"]));
        let cut = packed(&text)[..packed(&text).len() - 1].to_vec();
        assert_eq!(unpacked(&file(24, cut), 0).unwrap(), (text, vec!["container.checksum-mismatch"]));
    }

    #[test]
    fn content_tells_and_the_name_where_it_says_little() {
        let hint = |file_name| Hint { file_name };
        let scores = |file: &[u8], name| {
            (
                score(&file[..file.len().min(256)], &hint(name)),
                score_whole(&Source::from(file.to_vec()), &hint(name), Score::No),
            )
        };
        assert_eq!(scores(&pbo(Some(&[]), &[], false), "x.bin").0, Score::Certain);
        let old = pbo(None, &three(), false);
        assert_eq!(scores(&old, "x.bin"), (Score::No, Score::Likely));
        let two = pbo(None, &three()[..2], false);
        assert_eq!(scores(&two, "x.bin"), (Score::No, Score::No));
        assert_eq!(scores(&two, "x.PBO"), (Score::Name, Score::Likely));
        let unknown = pbo(None, &[("a", 5, 0, vec![1]), ("b", 5, 0, vec![1]), ("c", 5, 0, vec![1])], false);
        assert_eq!(scores(&unknown, "x.bin"), (Score::No, Score::No));
        assert_eq!(scores(&old[..old.len() - 30], "x.bin"), (Score::No, Score::No));
        assert_eq!(scores(b"plain text, and no NUL in it", "x.txt"), (Score::No, Score::No));
    }

    #[test]
    fn long_lists_are_read_piece_by_piece_and_have_an_end() {
        let many: Vec<_> = (0..6000).map(|_| ("a\\name\\that\\is\\not\\short.sqf", STORED, 0, vec![7])).collect();
        let file = pbo(Some(&[("prefix", "x")]), &many, true);
        let (contents, _) = opened(&file).unwrap();
        assert_eq!((contents.items.len(), check(&file).len()), (6000, 0));
        let few = MemberLimits { count: 5999, ..MemberLimits::default() };
        assert_eq!(opened_within(&file, &few).err(), Some("container.bomb-count"));
        let small = MemberLimits { table: 100_000, ..MemberLimits::default() };
        assert_eq!(opened_within(&file, &small).err(), Some("container.bomb-size"));
    }

    #[test]
    fn damaged_files_give_members_or_say_why_not() {
        let whole = pbo(Some(&[("prefix", "bone")]), &three(), true);
        let survive = |file: &[u8]| {
            let Ok((contents, _)) = opened(file) else { return };
            let source = Source::from(file.to_vec());
            contents.container.fields(&source);
            contents.container.check(&source);
            for (index, item) in contents.items.iter().enumerate() {
                contents.container.record(index, &source);
                if item.stored[0].start <= file.len() as u64 {
                    let _ = unpacked(file, index);
                }
            }
        };
        for length in 0..whole.len() {
            survive(&whole[..length]);
        }
        for at in 0..whole.len() - 3 {
            for number in [0, 1, 0x7FFF_FFFF, u32::MAX] {
                let mut damaged = whole.clone();
                damaged[at..at + 4].copy_from_slice(&number.to_le_bytes());
                survive(&damaged);
            }
        }
    }
}
