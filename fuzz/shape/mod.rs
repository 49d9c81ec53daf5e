//! What targets share that write valid files by the project's encoders and spoil them: how a file is spoilt, and what must hold of one
//! that is not.

#![allow(dead_code, reason = "each target uses its part")]

#[path = "../read/mod.rs"]
mod read;

use bonebox::formats::{Severity, common_codes, coverage::coverage};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use read::Parts;
pub use read::Read;

/// The largest file that is read.
const MAX_SIZE: usize = 64 << 10;

/// A place in a file.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub struct At {
    /// Of all places of its kind.
    share: u16,
    kind: u8,
}

impl At {
    fn of(self, bytes: &[u8]) -> usize {
        let size = bytes.len();
        let alignment = 1 << (self.kind % 3);
        let among = |many: usize| many * usize::from(self.share) >> 16;
        match self.kind / 3 % 4 {
            0 => among(size) / alignment * alignment,
            // In the header.
            1 => among(size.min(256)) / alignment * alignment,
            // Numbers that are at most the file's size: counts, offsets and links, most likely.
            is_big => {
                let number =
                    |word: &[u8; 4]| if is_big == 2 { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
                let is_link = |word: &[u8; 4]| (1..=size).contains(&(number(word) as usize));
                let words = bytes.as_chunks::<4>().0;
                let wanted = among(words.iter().filter(|word| is_link(word)).count());
                words.iter().enumerate().filter(|(_, word)| is_link(word)).nth(wanted).map_or(0, |(index, _)| index * 4)
            }
        }
    }
}

/// A number as counts and offsets are: small, near the ends of its type, or anything.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Number {
    Small(u8),
    Largest(u8),
    LargestSigned(u8),
    /// 255, 256, 65,535, 65,536 and their neighbours.
    Round(u8),
    Any(u32),
    /// A place in the file itself.
    Place(At),
    /// What is written at another place: a link in a circle, a count that belongs to another table.
    There(At),
}

impl Number {
    fn of(self, bytes: &[u8]) -> u32 {
        match self {
            Self::Small(value) => value.into(),
            Self::Largest(below) => u32::MAX - u32::from(below),
            Self::LargestSigned(below) => 0x7FFF_FFFF_u32.wrapping_add(u32::from(below)).wrapping_sub(8),
            Self::Round(which) => (1_u32 << (which % 32)).wrapping_add(u32::from(which / 32)).wrapping_sub(2),
            Self::Any(value) => value,
            Self::Place(at) => at.of(bytes) as u32,
            Self::There(at) => {
                bytes.get(at.of(bytes)..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_be_bytes(*word))
            }
        }
    }
}

/// One way to spoil a file.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Spoil {
    /// A count, an offset or a link becomes another.
    Set {
        at: At,
        number: Number,
        width: u8,
        is_big: bool,
    },
    /// A number becomes a little more or less.
    Add {
        at: At,
        step: i8,
    },
    /// Records lie over each other, or there twice.
    Copy {
        from: At,
        to: At,
        size: u8,
    },
    /// What lies here comes many times.
    Repeat {
        at: At,
        size: u8,
        times: u8,
    },
    /// Something is missing.
    Remove {
        at: At,
        size: u8,
    },
    Cut {
        at: At,
    },
}

impl Spoil {
    fn apply(self, bytes: &mut Vec<u8>) {
        let size = bytes.len();
        let part = |at: At, length: u8| {
            let start = at.of(bytes);
            start..(start + usize::from(length)).min(size)
        };
        match self {
            Self::Set { at, number, width, is_big } => {
                let (value, width) = (number.of(bytes), 1 << (width % 3));
                let value = if is_big { (value << (32 - width * 8)).to_be_bytes() } else { value.to_le_bytes() };
                let at = at.of(bytes);
                for (place, byte) in bytes[at..].iter_mut().zip(&value[..width]) {
                    *place = *byte;
                }
            }
            Self::Add { at, step } => {
                let at = at.of(bytes);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = byte.wrapping_add_signed(step);
                }
            }
            Self::Copy { from, to, size: length } => {
                let (part, to) = (bytes[part(from, length)].to_vec(), to.of(bytes));
                for (place, byte) in bytes[to..].iter_mut().zip(part) {
                    *place = byte;
                }
            }
            Self::Repeat { at, size: length, times } => {
                let range = part(at, length);
                let many = bytes[range.clone()].repeat(times.into());
                if size + many.len() <= MAX_SIZE {
                    bytes.splice(range.end..range.end, many);
                }
            }
            Self::Remove { at, size: length } => {
                let range = part(at, length);
                bytes.drain(range);
            }
            Self::Cut { at } => bytes.truncate(at.of(bytes)),
        }
    }
}

/// What a target is given: what is read, how the file is spoilt, and the file. In this order, so that an input that is too short for
/// all of it makes a file of few parts that is spoilt all the same.
#[derive(Debug, Arbitrary)]
pub struct Input<S> {
    /// Which parts are read. A multiple of 32: the file is not spoilt, and all of it is read.
    how: u8,
    spoil: Spoil,
    more_spoils: Vec<Spoil>,
    shape: S,
}

/// Writes, spoils and reads a file. One that is not spoilt has nothing wrong with it, all of it can be decoded, and `says` asserts that
/// it has what was written.
pub fn run<S>(input: Input<S>, write: impl FnOnce(&S) -> (&'static str, Vec<u8>), says: impl FnOnce(&S, &Read)) {
    test(input, write, says, true);
}

/// As [`run`], for files whose parts may refer to each other wrongly before they are spoilt: no byte of them is read twice.
pub fn run_linked<S>(input: Input<S>, write: impl FnOnce(&S) -> (&'static str, Vec<u8>), says: impl FnOnce(&S, &Read)) {
    test(input, write, says, false);
}

fn test<S>(
    input: Input<S>,
    write: impl FnOnce(&S) -> (&'static str, Vec<u8>),
    says: impl FnOnce(&S, &Read),
    is_sound: bool,
) {
    let (name, mut bytes) = write(&input.shape);
    if bytes.len() > MAX_SIZE {
        return;
    }
    let is_spoilt = input.how % 32 != 0;
    if is_spoilt {
        std::iter::once(&input.spoil).chain(&input.more_spoils).take(8).for_each(|spoil| spoil.apply(&mut bytes));
    }
    let parts = if is_spoilt { Parts::of(input.how) } else { Parts::ALL };
    let read = match read::read(name, bytes, parts) {
        Ok(read) => read,
        Err(error) => {
            assert!(is_spoilt, "{error}");
            return;
        }
    };
    let found = &read.found;
    let is_much = found.iter().any(|d| d.code == common_codes::TOO_MUCH_WORK.id);
    assert!(!is_much, "nothing of this size is much work: {found:?}");
    if is_spoilt {
        return;
    }
    let failed: Vec<_> = read.assets.iter().filter_map(|asset| asset.as_ref().err()).collect();
    assert!(!is_sound || failed.is_empty(), "{name}: {failed:?}");
    assert!(!is_sound || found.iter().all(|d| d.severity != Severity::Error), "{name}: {found:?}");
    let doubled = coverage(&*read.document).doubled;
    assert!(doubled.is_empty(), "{doubled:?}");
    says(&input.shape, &read);
}
