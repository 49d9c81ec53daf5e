//! Strings (a length, the characters, a NUL; formats/visitor.md §1.0), and tables whose rows differ in length. The
//! start of each row is found once; its contents are read on demand.

use crate::{
    bytes::{Endian, Reader, Source, text},
    formats::{
        Field, Table, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{fmt::Write as _, sync::Arc};

/// What the length of a string counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strings {
    /// The NUL too.
    #[default]
    Inclusive,
    /// The characters alone.
    Exclusive,
}

/// The longest string, in bytes with its NUL.
const LONGEST: u32 = 1024;

/// Bytes of the shortest string.
pub const SHORTEST: u64 = 4;

impl Strings {
    pub const ALL: [Self; 2] = [Self::Inclusive, Self::Exclusive];

    /// As JSON says it, and as an override names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Inclusive => "inclusive",
            Self::Exclusive => "exclusive",
        }
    }
}

/// The characters of the string at the cursor, which is left behind its NUL. `None` for what is none: the cursor is anywhere then.
pub fn take<'a>(reader: &mut Reader<'a>, strings: Strings) -> Option<&'a [u8]> {
    let length = reader.u32().ok()?;
    let size = match strings {
        Strings::Inclusive => length,
        Strings::Exclusive => length.saturating_add(1),
    };
    if size == 0 {
        return Some(&[]);
    }
    if size > LONGEST {
        return None;
    }
    let (last, text) = reader.bytes(size as usize).ok()?.split_last()?;
    (*last == 0 && !text.contains(&0)).then_some(text)
}

/// Reads a string and records it as one field.
///
/// # Errors
/// When what lies at the cursor is none.
pub fn read(r: &mut FieldReader<'_>, name: &'static str, strings: Strings) -> Result<String, Fault> {
    let at = r.offset();
    match take(r.raw(), strings) {
        Some(bytes) => {
            let text = decode(bytes);
            r.record(name, "String", at, || Value::Text(text.clone()));
            Ok(text)
        }
        None => Err(Fault::new(at, format!("{name} is not a valid string"))),
    }
}

/// Whether every byte is a character that is seen.
pub fn is_printable(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| *b >= 0x20 && *b != 0x7F)
}

/// windows-1252; bytes that are no character are escaped.
pub fn decode(bytes: &[u8]) -> String {
    let plain = text::windows_1252(bytes);
    if !plain.chars().any(char::is_control) {
        return plain;
    }
    let mut escaped = String::with_capacity(plain.len());
    for c in plain.chars() {
        if c.is_control() {
            // Those that windows-1252 leaves free keep their number.
            let _ = write!(escaped, "\\x{:02X}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Text in bytes that nobody has described: where it begins, how many bytes it has, and what it is. A run of at least four characters that a NUL ends.
pub fn found_in(bytes: &[u8], most: usize) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut start = 0_usize;
    for (index, byte) in bytes.iter().enumerate() {
        if is_printable(std::slice::from_ref(byte)) {
            continue;
        }
        // Default colours, 0xFF all over, often stand before a name and are no letters of it.
        let colors = bytes.get(start..index).unwrap_or_default().iter().take_while(|b| **b == 0xFF).count();
        start = start.saturating_add(colors);
        let run = bytes.get(start..index).unwrap_or_default();
        if *byte == 0 && run.len() >= 4 && found.len() < most {
            found.push((start, run.len(), decode(run)));
        }
        start = index.saturating_add(1);
    }
    found
}

/// Reads one row; the reader ends where the next row begins.
type ReadRow = dyn Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync;

/// Records of any length, one after the other, numbers low byte first.
pub struct VariableRows {
    source: Source,
    starts: Arc<[u64]>,
    end: u64,
    read: Box<ReadRow>,
}

impl VariableRows {
    /// A table as one field. `starts` rise, and lie before `end`: bytes from the start of the source.
    pub fn field(
        name: &'static str,
        kind: &'static str,
        (source, starts, end): (&Source, &Arc<[u64]>, u64),
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Option<Field> {
        let start = *starts.first()?;
        let rows = Self { source: source.clone(), starts: starts.clone(), end, read: Box::new(read) };
        Some(Field::table(name, kind, start, end.saturating_sub(start), Arc::new(rows)))
    }
}

impl std::fmt::Debug for VariableRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VariableRows({})", self.starts.len())
    }
}

impl Table for VariableRows {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index.saturating_add(1)).copied().unwrap_or(self.end);
        let mut reader = FieldReader::new(&self.source, start..end, Endian::Little).recording();
        // It was read once without a fault.
        let _ = (self.read)(&mut reader, index);
        Some(Field::group(index.to_string(), "", start, end.saturating_sub(start), reader.into_fields()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(bytes: &[u8], strings: Strings) -> (Option<&[u8]>, u64) {
        let mut reader = Reader::little(bytes);
        (take(&mut reader, strings), reader.offset())
    }

    #[test]
    fn lengths_count_the_nul_or_not() {
        assert_eq!(taken(b"\x03\0\0\0ab\0x", Strings::Inclusive), (Some(&b"ab"[..]), 7));
        assert_eq!(taken(b"\x02\0\0\0ab\0x", Strings::Exclusive), (Some(&b"ab"[..]), 7));
        assert_eq!(taken(b"\x03\0\0\0ab\0x", Strings::Exclusive).0, None);
        assert_eq!(taken(b"\x02\0\0\0ab\0x", Strings::Inclusive).0, None);
        assert_eq!(taken(b"\x01\0\0\0\0", Strings::Inclusive), (Some(&b""[..]), 5));
        assert_eq!(taken(b"\0\0\0\0", Strings::Inclusive), (Some(&b""[..]), 4));
        assert_eq!(taken(b"\0\0\0\0\0", Strings::Exclusive), (Some(&b""[..]), 5));
        assert_eq!(taken(b"\xFF\xFF\xFF\xFFab", Strings::Exclusive).0, None);
        assert_eq!(taken(b"\x05\0\0\0ab\0", Strings::Inclusive).0, None);
    }

    #[test]
    fn no_byte_is_lost_in_decoding() {
        assert_eq!(decode(b"p\xE4th\\a.p3d"), "päth\\a.p3d");
        assert_eq!(decode(b"a\x01\x81b"), "a\\x01\\x81b");
    }

    #[test]
    fn text_is_found_between_other_bytes() {
        let bytes = b"\x01\x02cross_a\0\xFF\xFFabc\0long\x01name\0";
        assert_eq!(found_in(bytes, 9), [(2, 7, "cross_a".to_owned()), (21, 4, "name".to_owned())]);
        assert_eq!(found_in(bytes, 1).len(), 1);
    }
}
