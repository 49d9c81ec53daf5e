//! Animation banks: sequences of tracks with keys (formats/charpipe.md §8).

mod clip;
mod fields;
mod names;
mod track;
mod values;

use super::{codes, container};
use crate::{
    bytes::Source,
    formats::{
        Asset, Content, Field, LoadContext, Role,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        structure::{Part, Structure},
    },
};
use names::Names;
use std::{any::Any, ops::Range, sync::Arc};
use track::{HEADER, SEQUENCE, Sequence, read_header, read_sequence};

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
        let mut names = Names::of(&range);
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
