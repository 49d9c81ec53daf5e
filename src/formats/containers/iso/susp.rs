//! What Rock Ridge says of a file behind its directory record: its name as it was on the system that wrote the disc, and where a
//! folder was moved to (formats/containers.md §9.3).

use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
};

/// Areas that continue what a record says; a disc may lead in a circle.
const MAX_AREAS: usize = 8;
/// Bytes of a name that are read: no system has longer ones.
const LONGEST_NAME: usize = 255;
/// Bytes of an area that are read.
pub const LARGEST_AREA: u64 = 2048;

/// A piece of a name that stands for the folder itself or the one above.
const NO_NAME: u8 = 6;

/// Where more is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub block: u32,
    pub offset: u32,
    pub size: u32,
}

/// What is said of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub name: Option<Vec<u8>>,
    /// It is a folder that was moved here from below, where it is listed.
    pub is_moved: bool,
    /// It stands for a folder that was moved to this block.
    pub moved_to: Option<u32>,
}

/// One entry: two letters, and the data after its length and version.
struct Entry<'a> {
    name: [u8; 2],
    data: &'a [u8],
}

/// The entries of an area, up to one that is none.
fn entries(mut area: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    std::iter::from_fn(move || {
        let (head, _) = area.split_first_chunk::<4>()?;
        let [first, second, length, _] = *head;
        let entry = area.get(..usize::from(length)).filter(|_| length >= 4)?;
        area = area.get(usize::from(length)..).unwrap_or_default();
        Some(Entry { name: [first, second], data: entry.get(4..).unwrap_or_default() })
    })
}

/// How many bytes come before the entries of every record but the root's own, which says so; `None` on a disc without them.
pub fn skipped_bytes(system: &[u8]) -> Option<usize> {
    let first = entries(system).next()?;
    match (first.name, first.data) {
        ([b'S', b'P'], [0xBE, 0xEF, skip, ..]) => Some(usize::from(*skip)),
        _ => None,
    }
}

/// What the entries of a record say; `more` gives the bytes of an area.
pub fn said(system: &[u8], skip: usize, mut more: impl FnMut(Area) -> Option<Vec<u8>>) -> Said {
    let mut said = Said::default();
    let mut next = said.read(system.get(skip..).unwrap_or_default());
    for _ in 0..MAX_AREAS {
        let Some(area) = next.and_then(&mut more) else { break };
        next = said.read(&area);
    }
    said
}

impl Said {
    /// Reads an area; where more is said.
    fn read(&mut self, area: &[u8]) -> Option<Area> {
        let mut more = None;
        for entry in entries(area) {
            match (&entry.name, entry.data) {
                (b"NM", [flags, piece @ ..]) if flags & NO_NAME == 0 => {
                    let name = self.name.get_or_insert_default();
                    let room = LONGEST_NAME.saturating_sub(name.len());
                    name.extend(piece.iter().take(room));
                }
                (b"RE", _) => self.is_moved = true,
                (b"CL", data) => self.moved_to = number(data, 0),
                (b"CE", data) => {
                    let area = |(block, offset), size| Area { block, offset, size };
                    more = number(data, 0).zip(number(data, 8)).zip(number(data, 16)).map(|(at, size)| area(at, size));
                }
                (b"ST", _) => break,
                _ => {}
            }
        }
        more
    }
}

/// A number that is stored in both orders.
fn number(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

/// Reads so many bytes of entries and records each as a field; what is none is shown as bytes.
///
/// # Errors
/// When there are fewer bytes.
pub fn record(r: &mut FieldReader<'_>, size: usize) -> Result<Vec<u8>, Fault> {
    if !r.is_recording() {
        return Ok(r.raw().bytes(size)?.to_vec());
    }
    let all = r.fork().raw().bytes(size)?.to_vec();
    let mut left = size;
    for entry in entries(&all) {
        let length = entry.data.len().saturating_add(4);
        if entry.name.iter().all(u8::is_ascii_uppercase) {
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            r.bytes(name, format!("u8[{length}]"), length, Value::Raw)?;
            left = left.saturating_sub(length);
        } else {
            break;
        }
    }
    if left > 0 {
        r.bytes("System use", format!("u8[{left}]"), left, Value::Raw)?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(value: u32) -> Vec<u8> {
        [value.to_le_bytes(), value.to_be_bytes()].concat()
    }

    fn entry(name: &[u8; 2], data: &[u8]) -> Vec<u8> {
        [&name[..], &[data.len() as u8 + 4, 1], data].concat()
    }

    fn continued(block: u32, offset: u32, size: u32) -> Vec<u8> {
        entry(b"CE", &[both(block), both(offset), both(size)].concat())
    }

    #[test]
    fn names_are_joined_over_areas() {
        let first = [entry(b"PX", &[0; 8]), entry(b"NM", b"\x01long "), continued(30, 100, 12)].concat();
        let second = [entry(b"NM", b"\0name"), entry(b"ST", &[]), entry(b"NM", b"\0not")].concat();
        let found = said(&first, 0, |area| {
            assert_eq!(area, Area { block: 30, offset: 100, size: 12 });
            Some(second.clone())
        });
        assert_eq!(found, Said { name: Some(b"long name".to_vec()), ..Said::default() });
        // Names of the folder itself and of the one above are none.
        assert_eq!(said(&entry(b"NM", b"\x02."), 0, |_| None).name, None);
        let skipped = [&[1, 2, 3][..], &entry(b"NM", b"\0a")].concat();
        assert_eq!(said(&skipped, 3, |_| None).name, Some(b"a".to_vec()));
        assert_eq!(said(&skipped, 9, |_| None), Said::default());
    }

    #[test]
    fn moved_folders_are_told() {
        assert!(said(&entry(b"RE", &[]), 0, |_| None).is_moved);
        assert_eq!(said(&entry(b"CL", &both(40)), 0, |_| None).moved_to, Some(40));
    }

    #[test]
    fn circles_and_damage_end() {
        let mut asked = 0;
        let around = [entry(b"NM", &[b'x'; 100]), continued(1, 0, 99)].concat();
        let found = said(&around, 0, |_| {
            asked += 1;
            Some(around.clone())
        });
        assert_eq!((asked, found.name.unwrap().len()), (MAX_AREAS, LONGEST_NAME));
        let whole = [entry(b"NM", b"\0name"), continued(1, 2, 3)].concat();
        for cut in 0..whole.len() {
            said(&whole[..cut], 0, |_| None);
        }
        for length in 0..4 {
            assert_eq!(said(&[b'N', b'M', length, 1, 0, b'a'], 0, |_| None), Said::default());
        }
        assert_eq!(said(&[b'C', b'E', 8, 1, 0, 0, 0, 0], 0, |_| unreachable!()), Said::default());
    }

    #[test]
    fn the_first_record_says_that_there_are_entries() {
        assert_eq!(skipped_bytes(&entry(b"SP", &[0xBE, 0xEF, 15])), Some(15));
        assert_eq!(skipped_bytes(&entry(b"SP", &[0xBE, 0xEE, 15])), None);
        assert_eq!((skipped_bytes(&entry(b"NM", b"\0a")), skipped_bytes(b"")), (None, None));
    }
}
