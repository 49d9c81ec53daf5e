//! The list of a disc's files, `fst.bin`, in one pass from its start to its end: nothing in it is followed, so that nothing leads in a
//! circle (formats/containers.md §8.2).

use crate::{
    bytes::{Endian, text},
    formats::{
        containers::{
            codes,
            contents::{Item, Reading, Trouble},
            flat::Flat,
            window::Window,
        },
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// Bytes of an entry.
pub const ENTRY: u64 = 12;
/// Bytes of a name that are read.
const LONGEST_NAME: usize = 1024;

const FILE: u8 = 0;
const FOLDER: u8 = 1;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    kind: u8,
    /// Among the names.
    name: u32,
    /// Where a file begins; the folder above of a folder.
    first: u32,
    /// Bytes of a file; the number of the entry after the last one of a folder.
    second: u32,
}

impl Entry {
    /// # Errors
    /// When it ends too early.
    pub fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let kind = r.named_u8("Type", |kind| match kind {
            FILE => Some("file"),
            FOLDER => Some("folder"),
            _ => None,
        })?;
        let at = r.offset();
        let [high, middle, low] = r.raw().array::<3>()?;
        let name = u32::from_be_bytes([0, high, middle, low]);
        r.record("Name offset", "u24", at, || crate::formats::Value::UInt(u64::from(name)));
        let (first, second) = match kind {
            FOLDER => ("Parent folder", "Next entry"),
            _ => ("Offset", "Size"),
        };
        Ok(Self { kind, name, first: r.u32(first)?, second: r.u32(second)? })
    }
}

/// Where a list lies, and what its offsets count from.
#[derive(Clone, Debug)]
pub struct Place {
    /// Bytes of the disc.
    pub list: Range<u64>,
    /// What is taken off the offset of a file, and what is added.
    pub less: u64,
    pub more: u64,
    /// The list lies in the file itself, so that entries are bytes of it.
    pub is_file: bool,
}

/// A list whose entries can be read.
pub struct FileList {
    pub items: Vec<Item>,
    /// Where its entries are, in bytes of the disc.
    pub entries: Range<u64>,
}

/// Reads the list: what of it is damaged is reported, the rest stays.
///
/// # Errors
/// When its bytes cannot be read.
pub fn read(disc: &dyn Flat, place: &Place, cx: &mut Reading<'_>) -> Result<FileList, Trouble> {
    let start = place.list.start.min(disc.size());
    let mut end = place.list.end.min(disc.size());
    if end < place.list.end {
        let message = format!("the file list should end at offset {}, but the disc ends at {end}", place.list.end);
        cx.report(Trouble::new(&codes::TRUNCATED, start, message));
    }
    let none = |cx: &mut Reading<'_>, message: String| {
        cx.report(Trouble::new(&codes::TABLE, start, message));
        Ok(FileList { items: Vec::new(), entries: start..start })
    };
    if end.saturating_sub(start) < ENTRY {
        return none(cx, "the file list is too small for its first entry. No files are listed".to_owned());
    }
    if cx.check_table(end.saturating_sub(start), start).map_err(|trouble| cx.report(trouble)).is_err() {
        end = start.saturating_add(cx.limits.table);
    }
    let window = Window::read(disc, start..end)?;
    let root = window.parse(start..end, Endian::Big, Entry::read)?;
    let count = u64::from(root.second);
    let names = start.saturating_add(count.saturating_mul(ENTRY));
    if root.kind != FOLDER || names > end {
        let left = end.saturating_sub(start);
        let message = format!(
            "the root folder of the file list is invalid or exceeds the {left} bytes of the list. No files are listed"
        );
        return none(cx, message);
    }
    let listed = match cx.check_count(count, ENTRY, end.saturating_sub(start), start) {
        Ok(()) => count,
        Err(trouble) => {
            cx.report(trouble);
            cx.most_entries()
        }
    };
    let mut pass =
        Pass { window: &window, names: names..end, place, size: disc.size(), cx, items: Vec::new(), open: Vec::new() };
    for number in 1..listed {
        match pass.entry(number, start, count) {
            Err(trouble) if trouble.code.id == codes::TOO_MANY.id => {
                pass.cx.report(trouble);
                break;
            }
            read => read?,
        }
    }
    let items = pass.items;
    Ok(FileList { items, entries: start..names })
}

struct Pass<'a, 'b> {
    window: &'a Window,
    names: Range<u64>,
    place: &'a Place,
    /// Bytes of the disc.
    size: u64,
    cx: &'a mut Reading<'b>,
    items: Vec<Item>,
    /// Folders that have not ended, with the number of the entry after them.
    open: Vec<(usize, u64)>,
}

impl Pass<'_, '_> {
    fn entry(&mut self, number: u64, start: u64, count: u64) -> Result<(), Trouble> {
        let at = start.saturating_add(number.saturating_mul(ENTRY));
        let record = at..at.saturating_add(ENTRY);
        let entry = self.window.parse(record.clone(), Endian::Big, Entry::read)?;
        while self.open.pop_if(|(_, end)| number >= *end).is_some() {}
        let (parent, above) = self.open.last().map_or((None, count), |(item, end)| (Some(*item), *end));
        let index = self.items.len();
        if entry.kind != FILE && entry.kind != FOLDER {
            let message = format!("entry {number} has the unknown type {} and is skipped", entry.kind);
            self.cx.report(Trouble::new(&codes::TABLE, at, message));
            return Ok(());
        }
        let found = name(self.window, &self.names, entry.name);
        // Entries may share one long name.
        self.cx.take_name(found.as_ref().map_or(0, String::len), at)?;
        let mut odd =
            |what: String| self.cx.report(Trouble::new(&codes::TABLE, at, format!("entry {number} {what}")).of(index));
        let name = match found {
            Some(name) => name,
            None => {
                odd(format!("has the name offset {}, which is outside the name table", entry.name));
                format!("#{number}")
            }
        };
        let record = if self.place.is_file { record } else { 0..0 };
        if entry.kind == FOLDER {
            let mut end = u64::from(entry.second);
            if end <= number {
                odd(format!("is a folder with an invalid end index ({end}). It is shown as empty"));
                end = number.saturating_add(1);
            } else if end > above {
                odd(format!("is a folder that ends at entry {end}, but its parent folder ends at entry {above}"));
                end = above;
            }
            self.items.push(Item { parent, ..Item::folder(name, record) });
            self.open.push((index, end));
            return Ok(());
        }
        let size = u64::from(entry.second);
        let offset = u64::from(entry.first).saturating_add(self.place.more).checked_sub(self.place.less);
        let stored = match offset {
            _ if size == 0 => 0..0,
            Some(offset) => offset..offset.saturating_add(size),
            None => {
                odd(format!("starts at offset {}, below the minimum offset {}", entry.first, self.place.less));
                self.size..self.size.saturating_add(size)
            }
        };
        self.items.push(Item { parent, ..Item::plain(name, record, stored) });
        Ok(())
    }
}

/// A name, up to its zero; `None` where it does not begin among the names.
fn name(window: &Window, names: &Range<u64>, offset: u32) -> Option<String> {
    let size = names.end.saturating_sub(names.start);
    let names = window.bytes().len().checked_sub(usize::try_from(size).ok()?)?;
    let start = names.checked_add(usize::try_from(offset).ok()?)?;
    let bytes = window.bytes().get(start..).filter(|bytes| !bytes.is_empty())?;
    let bytes = bytes.get(..LONGEST_NAME).unwrap_or(bytes);
    Some(text::shift_jis(bytes.split(|byte| *byte == 0).next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{MemberLimits, Source};

    /// The entries of a list (kind, place of the name, two numbers) and the names, one after the other.
    fn list(entries: &[(u8, u32, u32, u32)], names: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (kind, name, first, second) in entries {
            bytes.push(*kind);
            bytes.extend(&name.to_be_bytes()[1..]);
            bytes.extend(first.to_be_bytes());
            bytes.extend(second.to_be_bytes());
        }
        bytes.extend(names);
        bytes
    }

    /// The paths that a list gives, with the codes of what is wrong.
    fn paths(bytes: &[u8]) -> (Vec<String>, Vec<&'static str>) {
        let limits = MemberLimits { count: 50, ..MemberLimits::default() };
        let mut cx = Reading::new("a.gcm", &limits);
        let size = bytes.len() as u64;
        let place = Place { list: 0..size, less: 0, more: 0, is_file: true };
        let found = read(&Source::new(bytes), &place, &mut cx).unwrap();
        let path = |item: &Item| {
            let (mut path, mut parent) = (item.name.clone(), item.parent);
            while let Some(above) = parent.map(|parent| &found.items[parent]) {
                path = format!("{}/{path}", above.name);
                parent = above.parent;
            }
            path
        };
        let codes = cx.into_troubles().iter().map(|trouble| trouble.code.id).collect();
        let paths = found.items.iter().map(path).collect();
        (paths, codes)
    }

    const NAMES: &[u8] = b"a\0b\0\x83\x66\0";

    #[test]
    fn folders_hold_what_follows_up_to_their_end() {
        let bytes = list(&[(1, 0, 0, 5), (1, 0, 0, 4), (0, 2, 8, 1), (1, 4, 1, 4), (0, 0, 0, 0)], NAMES);
        assert_eq!(paths(&bytes), (["a", "a/b", "a/デ", "a"].map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn ends_that_lead_back_or_too_far_are_no_ends() {
        let table = "container.table-invalid";
        // At itself, before itself, and past the folder around it.
        let bytes = list(&[(1, 0, 0, 6), (1, 0, 0, 1), (0, 2, 8, 1), (1, 0, 0, 0), (1, 2, 0, 99), (0, 4, 8, 1)], NAMES);
        assert_eq!(paths(&bytes), (["a", "b", "a", "b", "b/デ"].map(str::to_owned).to_vec(), vec![table; 3]));
    }

    #[test]
    fn what_there_is_not_is_said() {
        let table = "container.table-invalid";
        // A kind that there is not, a name outside the names, and one at their very end.
        let bytes = list(&[(1, 0, 0, 4), (7, 0, 0, 0), (0, 500, 8, 1), (0, 7, 8, 1)], NAMES);
        assert_eq!(paths(&bytes), (["#2", "#3"].map(str::to_owned).to_vec(), vec![table; 3]));
        // A first entry that is none, or that states more than there is.
        for count in [3, 357_913_942, u32::MAX] {
            assert_eq!(paths(&list(&[(1, 0, 0, count)], b"")), (vec![], vec![table]), "{count}");
        }
        assert_eq!(paths(&list(&[(0, 0, 0, 1)], b"")), (vec![], vec![table]));
        assert_eq!(paths(b"\x01\0\0\0\0\0\0\0\0\0\0"), (vec![], vec![table]));
        // More than the limit.
        let many: Vec<_> = [(1, 0, 0, 60)].into_iter().chain([(0, 0, 0, 0); 59]).collect();
        let (found, codes) = paths(&list(&many, NAMES));
        assert_eq!((found.len(), codes), (49, vec!["container.bomb-count"]));
    }

    #[test]
    fn entries_that_share_a_long_name_are_listed_as_far_as_names_may_go() {
        let entries: Vec<_> = [(1, 0, 0, 40)].into_iter().chain([(0, 0, 0, 0); 39]).collect();
        let bytes = list(&entries, &[b'x'; 1000]);
        let limits = MemberLimits { paths: crate::bytes::Allowance { base: 5_500, per_byte: 0 }, ..Default::default() };
        let mut cx = Reading::new("a.gcm", &limits);
        let place = Place { list: 0..bytes.len() as u64, less: 0, more: 0, is_file: true };
        let found = read(&Source::new(bytes), &place, &mut cx).unwrap();
        let codes: Vec<_> = cx.into_troubles().iter().map(|trouble| trouble.code.id).collect();
        assert_eq!((found.items.len(), codes), (5, vec!["container.bomb-count"]));
    }

    #[test]
    fn a_name_without_end_is_cut() {
        let bytes = list(&[(1, 0, 0, 2), (0, 0, 0, 0)], &[b'x'; 5000]);
        assert_eq!(paths(&bytes).0[0].len(), LONGEST_NAME);
    }
}
