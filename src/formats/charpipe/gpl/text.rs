//! Names in a palette.

use crate::{
    bytes::text,
    formats::{
        claims::Claims,
        field_reader::{Fault, FieldReader},
    },
};

/// Bytes that a name is read to.
const LONGEST_NAME: usize = 256;

/// Text up to its NUL, or as far as names go.
pub fn read_text(r: &mut FieldReader<'_>, name: &'static str, claims: &mut Claims) -> Result<String, Fault> {
    let mut ahead = r.fork();
    let bytes = ahead.raw().bytes(r.left().min(LONGEST_NAME))?;
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let size = length.saturating_add(1).min(bytes.len());
    let decode = |bytes: &[u8]| {
        let bytes = bytes.get(..length).unwrap_or(bytes);
        text::decode(bytes)
    };
    let at = r.offset();
    claims.read(r, at..at.saturating_add(size as u64), |r| r.text(name, size, decode))
}
