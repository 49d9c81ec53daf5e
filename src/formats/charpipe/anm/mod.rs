//! Animation banks: sequences of tracks with keys (formats/charpipe.md §8).

mod clip;
mod fields;
mod track;
mod values;

use super::{codes, container};
use crate::{
    bytes::{Source, text},
    formats::{
        Asset, Content, Field, LoadContext, Role,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
        structure::{Part, Structure},
    },
};
use std::{any::Any, ops::Range, sync::Arc};
use track::{HEADER, SEQUENCE, Sequence, read_header, read_sequence};

/// The longest name that is read, in bytes.
const LONGEST_NAME: usize = 255;

/// An animation bank: its sequences. Tracks and keys are read when one of them is asked for.
#[derive(Debug)]
pub struct AnimationBank {
    /// Bytes from the start of the file.
    range: Range<u64>,
    sequences: Vec<NamedSequence>,
}

#[derive(Debug)]
struct NamedSequence {
    name: String,
    /// Of its record: bytes from the start of the file.
    range: Range<u64>,
    sequence: Sequence,
}

/// Reads a bank from its header on.
///
/// # Errors
/// When it is shorter than its header.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    let range = r.range();
    let header = r.group("Header", "AnimationBank", read_header)?;
    let mut sequences = Vec::new();
    if header.sequence_count > 0 && header.sequences < HEADER {
        let message = format!("the sequences would begin at {}, inside the header", header.sequences);
        findings.add(&codes::CUT_BANK, Some(range.start), message);
    } else if let Err(fault) = r.seek_in_range(header.sequences) {
        findings.add(&codes::CUT_BANK, Some(fault.offset), format!("the sequences: {}", fault.message));
    } else {
        let count = u64::from(header.sequence_count);
        let whole = r.whole_records(count, SEQUENCE.into()) as u64;
        if whole < count {
            let message = format!("a bank of {count} sequences has room for {whole}");
            findings.add(&codes::CUT_BANK, Some(r.offset()), message);
        }
        let first = r.offset();
        let records = r.records("Sequences", "Sequence", whole, SEQUENCE.into(), |r, _| read_sequence(r))?;
        let mut names = Names { budget: ReadBudget::new(range.end.saturating_sub(range.start)) };
        for (index, sequence) in (0_u64..).zip(records) {
            let start = first.saturating_add(index.saturating_mul(SEQUENCE.into()));
            let name = names.read(&r.fork(), &sequence, start, index, findings);
            sequences.push(NamedSequence { name, range: start..start.saturating_add(SEQUENCE.into()), sequence });
        }
    }
    if r.is_recording() {
        let list: Vec<Sequence> = sequences.iter().map(|s| s.sequence).collect();
        fields::record(r, &header, &list);
    }
    Ok(Box::new(AnimationBank { range, sequences }))
}

/// Names of sequences. Many may share one: all of them together are no longer than the bank.
struct Names {
    budget: ReadBudget,
}

impl Names {
    fn read(
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
            let message = format!("the name of sequence {index} lies outside the bank");
            findings.add(&codes::CUT_BANK, Some(at), message);
            return unnamed;
        };
        let name = text::decode(bytes);
        if !name.is_empty() && self.budget.take(bytes.len() as u64) { name } else { unnamed }
    }
}

/// A name up to its NUL, without it.
fn name_bytes<'a>(r: &mut FieldReader<'a>, offset: u32) -> Option<&'a [u8]> {
    r.seek_in_range(offset).ok()?;
    let room = r.left().min(LONGEST_NAME);
    let bytes = r.raw().bytes(room).ok()?;
    (room > 0).then(|| bytes.split(|b| *b == 0).next().unwrap_or_default())
}

impl Structure for AnimationBank {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        let part = |s: &NamedSequence| Part {
            name: s.name.clone(),
            role: Role::Clip,
            class: "Sequence",
            range: s.range.clone(),
            content: Content::Clip,
        };
        self.sequences.iter().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let sequence = self.sequences.get(part);
        let fields = sequence.map(|s| fields::of_sequence(source, &self.range, &s.range, &s.sequence));
        fields.unwrap_or_default()
    }

    fn load_part(
        &self,
        source: &Source,
        part: usize,
        _cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let Some(NamedSequence { name, sequence, .. }) = self.sequences.get(part) else {
            return Err("there is nothing to show for this entry".to_owned());
        };
        let mut r = container::reader(source, self.range.clone());
        Ok(Asset::Clip(Arc::new(clip::clip_of(&mut r, sequence, name, findings))))
    }
}

#[cfg(test)]
mod tests;
