//! Directory records (formats/containers.md §9.2), and numbers that are stored in both orders.

use super::susp;
use crate::{
    bytes::text,
    formats::{
        Value,
        containers::paths,
        field_reader::{Fault, FieldReader},
    },
};

/// The smallest record: one with a name of one byte.
pub const SMALLEST: u8 = 34;
/// The record is a folder.
const FOLDER: u8 = 2;
/// What follows in the next record is of the same file.
const GOES_ON: u8 = 0x80;

/// How names are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Cp437,
    /// UCS-2, high byte first.
    Joliet,
}

impl Charset {
    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Cp437 => paths::decode(bytes),
            Self::Joliet => text::utf_16_be(bytes),
        }
    }
}

/// What a record says.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it begins, in bytes of the disc.
    pub at: u64,
    pub length: u8,
    /// Where its data begins, in blocks.
    pub block: u64,
    /// Bytes of data.
    pub size: u32,
    flags: u8,
    pub name: Vec<u8>,
    /// What extensions say.
    pub system: Vec<u8>,
}

impl Record {
    pub fn is_folder(&self) -> bool {
        self.flags & FOLDER != 0
    }

    pub fn goes_on(&self) -> bool {
        self.flags & GOES_ON != 0
    }

    /// It is the folder itself.
    pub fn is_self(&self) -> bool {
        self.name == [0]
    }

    /// It is the folder itself, or the one above.
    pub fn is_dots(&self) -> bool {
        self.is_self() || self.name == [1]
    }

    /// Reads one, which ends within what the reader has.
    ///
    /// # Errors
    /// When it does not, or is too short for what it must have.
    pub fn read(r: &mut FieldReader<'_>, charset: Charset) -> Result<Self, Fault> {
        let at = r.offset();
        let length = r.u8("Length")?;
        let end = at.saturating_add(u64::from(length));
        if length < SMALLEST {
            let message = format!("a directory record has {length} bytes. The minimum is {SMALLEST}");
            return Err(Fault::new(at, message));
        }
        if end > r.range().end {
            return Err(Fault::new(at, format!("a directory record of {length} bytes extends past its sector")));
        }
        let before = r.u8("Extended attribute blocks")?;
        let block = both_u32(r, "Block")?;
        let size = both_u32(r, "Size")?;
        r.text("Recording date", 7, date)?;
        let flags = r.u8("Flags")?;
        r.u8("Interleaved blocks")?;
        r.u8("Interleave gap")?;
        both_u16(r, "Volume")?;
        let name_size = r.u8("Name length")?;
        let name_at = r.offset();
        if name_at.saturating_add(u64::from(name_size)) > end {
            let message = format!("a name of {name_size} bytes extends past its directory record");
            return Err(Fault::new(name_at, message));
        }
        let shown = |bytes: &[u8]| match bytes {
            [0] => "(this folder)".to_owned(),
            [1] => "(parent folder)".to_owned(),
            bytes => charset.decode(bytes),
        };
        let name = r.raw().bytes(usize::from(name_size))?.to_vec();
        r.record("Name", format!("char[{name_size}]"), name_at, || Value::Text(shown(&name)));
        if name_size % 2 == 0 && r.offset() < end {
            r.pad(1)?;
        }
        let rest = usize::try_from(end.saturating_sub(r.offset())).unwrap_or(0);
        let system = susp::record(r, rest)?;
        let block = u64::from(block).saturating_add(u64::from(before));
        Ok(Self { at, length, block, size, flags, name, system })
    }
}

/// A number in both orders; the half with the low byte first counts.
pub fn both_u32(r: &mut FieldReader<'_>, name: &'static str) -> Result<u32, Fault> {
    let value = r.u32(name)?;
    r.bytes("Big-endian copy", "u8[4]", 4, Value::Raw)?;
    Ok(value)
}

/// As [`both_u32`].
pub fn both_u16(r: &mut FieldReader<'_>, name: &'static str) -> Result<u16, Fault> {
    let value = r.u16(name)?;
    r.bytes("Big-endian copy", "u8[2]", 2, Value::Raw)?;
    Ok(value)
}

/// Year from 1900, month, day, hour, minute, second, quarter hours from GMT.
fn date(bytes: &[u8]) -> String {
    match bytes {
        [year, month, day, hour, minute, second, _] => {
            let year = u32::from(*year).saturating_add(1900);
            format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
        formats::containers::window::Window,
    };

    /// The first record of the specification's layout with values that tell its fields apart.
    fn record(name: &[u8], system: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0, 1];
        bytes.extend(0x0102_0304_u32.to_le_bytes());
        bytes.extend(9_u32.to_be_bytes());
        bytes.extend(77_u32.to_le_bytes());
        bytes.extend(77_u32.to_be_bytes());
        bytes.extend([98, 5, 22, 13, 14, 15, 4, 0x80 | 2, 0, 0, 1, 0, 0, 1, name.len() as u8]);
        bytes.extend(name);
        if name.len().is_multiple_of(2) {
            bytes.push(0);
        }
        bytes.extend(system);
        bytes[0] = bytes.len() as u8;
        bytes
    }

    fn read(bytes: Vec<u8>) -> Result<Record, Fault> {
        let size = bytes.len() as u64;
        let window = Window::read(&Source::new(bytes), 0..size).unwrap();
        window.parse(0..size, Endian::Little, |r| Record::read(r, Charset::Cp437))
    }

    #[test]
    fn a_record_says_what_its_bytes_do() {
        let bytes = record(b"ABC.TXT;1", b"NM\x05\x01\0");
        let found = read(bytes.clone()).unwrap();
        assert_eq!((found.block, found.size, usize::from(found.length)), (0x0102_0305, 77, bytes.len()));
        assert_eq!((found.is_folder(), found.goes_on(), found.is_dots()), (true, true, false));
        assert_eq!((found.name.as_slice(), found.system.as_slice()), (&b"ABC.TXT;1"[..], &b"NM\x05\x01\0"[..]));
        let window = Window::read(&Source::new(bytes.clone()), 0..bytes.len() as u64).unwrap();
        let fields = window.fields(Endian::Little, |r| Record::read(r, Charset::Cp437));
        let covered: u64 = fields.iter().map(|field| field.size).sum();
        assert_eq!(covered, bytes.len() as u64);
        let date = fields.iter().find(|field| field.name == "Recording date").unwrap();
        assert_eq!(date.value, Value::Text("1998-05-22 13:14:15".to_owned()));
        assert!(read(record(&[0], b"")).unwrap().is_self() && read(record(&[1], b"")).unwrap().is_dots());
        assert_eq!(Charset::Joliet.decode(b"\0A\0\xE4"), "Aä");
    }

    #[test]
    fn records_that_are_too_short_are_none() {
        let good = record(b"AB", b"");
        for cut in 0..good.len() {
            assert!(read(good[..cut].to_vec()).is_err(), "{cut}");
        }
        let mut short = good.clone();
        short[0] = 7;
        assert!(read(short).unwrap_err().message.contains("7 bytes"));
        let mut long_name = good.clone();
        long_name[32] = 200;
        assert!(read(long_name).unwrap_err().message.contains("name of 200"));
        let mut past = good;
        past[0] = 200;
        assert!(read(past).unwrap_err().message.contains("past its sector"));
    }
}
