//! What targets share that write valid files by the project's encoders and spoil them: how a file is spoilt, and how it is read.

#![allow(dead_code, reason = "each target uses its part")]

use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Content, Diagnostics, LoadContext, LoadOptions, NO_OVERRIDES, NoFiles, OpenContext, Severity, common_codes,
        coverage::coverage,
    },
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use std::sync::{Arc, atomic::AtomicBool};

/// The largest file that is read.
const MAX_SIZE: usize = 64 << 10;

/// A place in a file: its share of all aligned places.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub struct At {
    share: u16,
    /// 1, 2 or 4 bytes.
    alignment: u8,
}

impl At {
    fn of(self, size: usize) -> usize {
        let alignment = 1 << (self.alignment % 3);
        (size * usize::from(self.share) >> 16) / alignment * alignment
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
}

impl Number {
    fn of(self, size: usize) -> u32 {
        match self {
            Self::Small(value) => value.into(),
            Self::Largest(below) => u32::MAX - u32::from(below),
            Self::LargestSigned(below) => 0x7FFF_FFFF_u32.wrapping_add(u32::from(below)).wrapping_sub(8),
            Self::Round(which) => (1_u32 << (which % 32)).wrapping_add(u32::from(which / 32)).wrapping_sub(2),
            Self::Any(value) => value,
            Self::Place(at) => at.of(size) as u32,
        }
    }
}

/// One way to spoil a file.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Spoil {
    /// A count, an offset or a link becomes another.
    Set { at: At, number: Number, width: u8, is_big: bool },
    /// Records lie over each other, or there twice.
    Copy { from: At, to: At, size: u8 },
    /// What lies here comes many times.
    Repeat { at: At, size: u8, times: u8 },
    /// Something is missing.
    Remove { at: At, size: u8 },
    Cut { at: At },
}

impl Spoil {
    fn apply(self, bytes: &mut Vec<u8>) {
        let size = bytes.len();
        let part = |at: At, length: u8| {
            let start = at.of(size);
            start..(start + usize::from(length)).min(size)
        };
        match self {
            Self::Set { at, number, width, is_big } => {
                let (value, width) = (number.of(size), 1 << (width % 3));
                let value = if is_big { (value << (32 - width * 8)).to_be_bytes() } else { value.to_le_bytes() };
                for (place, byte) in bytes[at.of(size)..].iter_mut().zip(&value[..width]) {
                    *place = *byte;
                }
            }
            Self::Copy { from, to, size: length } => {
                let part = bytes[part(from, length)].to_vec();
                for (place, byte) in bytes[to.of(size)..].iter_mut().zip(part) {
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
            Self::Remove { at, size: length } => _ = bytes.drain(part(at, length)),
            Self::Cut { at } => bytes.truncate(at.of(size)),
        }
    }
}

/// What a target is given: a file, how it is spoilt, and whether all that shows is decoded too: once in eight times, which leaves most
/// of the time for reading.
#[derive(Debug, Arbitrary)]
pub struct Input<S> {
    shape: S,
    spoils: Vec<Spoil>,
    loads: u8,
}

/// Writes, spoils and reads a file. One that is not spoilt has nothing wrong with it, and all of it can be decoded.
pub fn run<S>(input: Input<S>, write: impl FnOnce(&S) -> (&'static str, Vec<u8>)) {
    read(input, write, true);
}

/// As [`run`], for files whose parts may refer to each other wrongly before they are spoilt: no byte of them is read twice.
pub fn run_linked<S>(input: Input<S>, write: impl FnOnce(&S) -> (&'static str, Vec<u8>)) {
    read(input, write, false);
}

fn read<S>(input: Input<S>, write: impl FnOnce(&S) -> (&'static str, Vec<u8>), is_sound: bool) {
    let (name, mut bytes) = write(&input.shape);
    if bytes.len() > MAX_SIZE {
        return;
    }
    input.spoils.iter().take(8).for_each(|spoil| spoil.apply(&mut bytes));
    let limits = Limits { decoded_bytes: 16 << 20, container_bytes: 4 << 20, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext { file: name, resolver: Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides: &NO_OVERRIDES };
    let document = match formats::open(Source::new(bytes), &mut cx) {
        Ok(document) => document,
        Err(error) => {
            assert!(!input.spoils.is_empty(), "{error}");
            return;
        }
    };
    let never = AtomicBool::new(false);
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
        let _ = document.fields(entry.id);
        if entry.content != Content::None && input.loads % 8 == 0 {
            let mut cx = LoadContext {
                file: name,
                resolver: &NoFiles,
                diagnostics: &mut diagnostics,
                limits,
                options: LoadOptions::default(),
                cancel: &never,
            };
            let loaded = document.load(entry.id, &mut cx);
            assert!(loaded.is_ok() || !input.spoils.is_empty() || !is_sound, "{}: {:?}", entry.path(), loaded.err());
        }
    }
    let found = diagnostics.finish();
    let is_fault = |code: &str| code == common_codes::TOO_MUCH_WORK.id;
    assert!(found.iter().all(|d| !is_fault(d.code)), "nothing of this size is much work: {found:?}");
    if input.spoils.is_empty() {
        assert!(!is_sound || found.iter().all(|d| d.severity != Severity::Error), "{name}: {found:?}");
        let doubled = coverage(&*document).doubled;
        assert!(doubled.is_empty(), "{doubled:?}");
    }
}
