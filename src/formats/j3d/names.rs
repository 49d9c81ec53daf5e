//! Name tables (formats/j3d.md §1, JUTNameTab).

use super::{codes, file::Findings};
use crate::{
    bytes::numbers::counted,
    formats::field_reader::{Fault, FieldReader},
};
use encoding_rs::SHIFT_JIS;

/// The longest name that is read, in bytes.
const LONGEST: usize = 4096;
/// Bytes that the names of a table may take besides twice the size of its chunk: names may share one text.
const SHARED: usize = 16 << 10;

/// Shift-JIS; what is no character becomes U+FFFD.
pub fn decode(bytes: &[u8]) -> String {
    SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned()
}

/// A name table at `offset` of the chunk that `r` reads. Fewer names than counted where the table is cut; a name that leads out
/// of the chunk is empty. Leaves the cursor anywhere.
///
/// # Errors
/// When the table's own header does not fit.
pub fn read_names(r: &mut FieldReader<'_>, offset: u32, findings: &mut Findings) -> Result<Vec<String>, Fault> {
    r.seek_in_range(offset)?;
    let start = r.offset();
    r.group("Names", "JUTNameTab", |r| {
        let count = r.u16("Count")?;
        r.u16("Filler")?;
        let there = r.whole_records(u64::from(count), 4);
        if there < usize::from(count) {
            let message = format!("{} specified, but only {there} found", counted(count, "name"));
            findings.add(&codes::BAD_NAMES, Some(start), message);
        }
        let entries = r.records("Entries", "Name", there as u64, 4, |r, _| Ok((r.u16("Hash")?, r.u16("Offset")?)))?;
        let mut names = Vec::with_capacity(entries.len());
        let mut shown = std::collections::HashSet::new();
        let mut bad = 0_usize;
        let size = r.range().end.saturating_sub(r.range().start);
        let mut left = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(2).saturating_add(SHARED);
        let mut left_out = 0_usize;
        r.group("Texts", "", |r| {
            for (_, offset) in &entries {
                let at = start.saturating_add(u64::from(*offset));
                let name = match r.seek(at) {
                    Ok(()) => name_at(r, shown.insert(*offset)),
                    Err(_) => None,
                };
                bad = bad.saturating_add(usize::from(name.is_none()));
                let name = name.unwrap_or_default();
                match left.checked_sub(name.len()) {
                    Some(rest) => {
                        left = rest;
                        names.push(name);
                    }
                    None => {
                        left_out = left_out.saturating_add(1);
                        names.push(String::new());
                    }
                }
            }
            Ok(())
        })?;
        if left_out > 0 {
            let message = format!("{left_out} of {count} names skipped: their total length exceeds the limit");
            findings.add(&codes::BAD_NAMES, Some(start), message);
        }
        if bad > 0 {
            findings.add(&codes::BAD_NAMES, Some(start), format!("names outside the chunk: {bad} of {count}"));
        }
        Ok(names)
    })
}

/// The text from the cursor to its NUL. `first` says that its bytes are not a field yet: names may share one text.
fn name_at(r: &mut FieldReader<'_>, first: bool) -> Option<String> {
    let mut ahead = r.fork();
    let left = ahead.left().min(LONGEST);
    let bytes = ahead.raw().bytes(left).ok()?;
    let length = bytes.iter().position(|b| *b == 0)?;
    let text = decode(bytes.get(..length)?);
    if first && r.is_recording() {
        let _ = r.text("Name", length.saturating_add(1), |_| text.clone());
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
        formats::coverage::gaps,
    };

    fn table(names: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![0, names.len() as u8, 0xFF, 0xFF];
        let mut offset = 4 + names.len() * 4;
        for name in names {
            // Names are told apart by their texts: the hash is not looked at.
            bytes.extend([0xAB, 0xCD]);
            bytes.extend((offset as u16).to_be_bytes());
            offset += name.len() + 1;
        }
        for name in names {
            bytes.extend(*name);
            bytes.push(0);
        }
        bytes
    }

    #[test]
    fn names_are_shift_jis_and_every_byte_is_read() {
        let source = Source::from(table(&[b"root", b"\x8E\xE8"]));
        let mut findings = Findings::default();
        let mut r = FieldReader::new(&source, 0..source.len() as u64, Endian::Big).recording();
        assert_eq!(read_names(&mut r, 0, &mut findings).unwrap(), ["root", "手"]);
        assert!(findings.is_empty() && gaps(&r.into_fields(), 0..source.len() as u64).is_empty());
    }

    #[test]
    fn tables_that_are_cut_keep_what_is_whole() {
        let whole = table(&[b"root", b"tip"]);
        for length in 0..whole.len() {
            let source = Source::from(whole[..length].to_vec());
            let mut findings = Findings::default();
            let mut r = FieldReader::new(&source, 0..length as u64, Endian::Big);
            match read_names(&mut r, 0, &mut findings) {
                Ok(names) => {
                    assert!(!findings.is_empty() && names.iter().all(|n| ["", "root", "tip"].contains(&n.as_str())))
                }
                Err(_) => assert!(length < 4),
            }
        }
    }
}
