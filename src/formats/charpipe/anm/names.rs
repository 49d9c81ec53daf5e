//! The names of a bank's sequences.

use super::{super::codes, track::Sequence};
use crate::{
    bytes::text,
    formats::{field_reader::FieldReader, findings::Findings, read_budget::ReadBudget},
};
use std::ops::Range;

/// The longest name that is read, in bytes.
const LONGEST_NAME: usize = 255;

/// Names of sequences. Many may share one: all of them together are no longer than the bank.
pub struct Names {
    budget: ReadBudget,
}

impl Names {
    /// Those of the bank at `range`.
    pub fn of(range: &Range<u64>) -> Self {
        Self { budget: ReadBudget::new(range.end.saturating_sub(range.start)) }
    }

    pub fn read(
        &mut self,
        r: &FieldReader<'_>,
        sequence: &Sequence,
        at: u64,
        index: u64,
        findings: &mut Findings,
    ) -> String {
        let unnamed = format!("sequence {index}");
        let mut r = r.fork();
        if sequence.name == 0 {
            return unnamed;
        }
        let Some(bytes) = name_bytes(&mut r, sequence.name) else {
            let message = format!("the name of sequence {index} is outside the bank");
            findings.add(&codes::CUT_BANK, Some(at), message);
            return unnamed;
        };
        let name = text::decode(bytes);
        if !name.is_empty() && self.budget.take(bytes.len() as u64) { name } else { unnamed }
    }
}

/// A name up to its NUL, without it.
pub fn name_bytes<'a>(r: &mut FieldReader<'a>, offset: u32) -> Option<&'a [u8]> {
    r.seek_in_range(offset).ok()?;
    let room = r.left().min(LONGEST_NAME);
    let bytes = r.raw().bytes(room).ok()?;
    (room > 0).then(|| bytes.split(|b| *b == 0).next().unwrap_or_default())
}
