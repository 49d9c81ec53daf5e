//! Animation banks: sequences of tracks with keys (formats/charpipe.md §8).

mod clip;
mod fields;
mod track;
mod values;

use super::{codes, container};
use crate::{
    bytes::{
        Source,
        numbers::{counted, grouped},
    },
    formats::{
        Asset, Content, Field, LoadContext, Role,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
        structure::{Part, Structure},
    },
};
use fields::Names;
use std::{any::Any, ops::Range, sync::Arc};
use track::{HEADER, KEY, SEQUENCE, Sequence, TRACK, read_header, read_sequence};

/// How often each track and key of a bank may be part of a sequence on average, and how many may besides.
const SHARED_TIMES: u64 = 4;
const SHARED: u64 = 1 << 16;

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
    /// Sequences before it have used up what their bank may be read for.
    left_out: bool,
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
        let message = format!("the sequences start at offset {}, inside the header", header.sequences);
        findings.add(&codes::CUT_BANK, Some(range.start), message);
    } else if let Err(fault) = r.seek_in_range(header.sequences) {
        findings.add(&codes::CUT_BANK, Some(fault.offset), format!("cannot read the sequences: {}", fault.message));
    } else {
        let count = u64::from(header.sequence_count);
        let whole = r.whole_records(count, SEQUENCE.into()) as u64;
        if whole < count {
            let message = format!("expected {}, found {}", counted(count, "sequence"), grouped(whole));
            findings.add(&codes::CUT_BANK, Some(r.offset()), message);
        }
        let first = r.offset();
        let records = r.records("Sequences", "Sequence", whole, SEQUENCE.into(), |r, _| read_sequence(r))?;
        let mut names = Names::of(&range);
        for (index, sequence) in (0_u64..).zip(records) {
            let start = first.saturating_add(index.saturating_mul(SEQUENCE.into()));
            let name = names.read(&r.fork(), &sequence, start, index, findings);
            let range = start..start.saturating_add(SEQUENCE.into());
            sequences.push(NamedSequence { name, range, sequence, left_out: false });
        }
        leave_out_shared(r, &mut sequences, findings);
    }
    if r.is_recording() {
        let list: Vec<Sequence> = sequences.iter().map(|s| s.sequence).collect();
        fields::record(r, &header, &list);
    }
    Ok(Box::new(AnimationBank { range, sequences }))
}

/// Sequences may share their tracks, and tracks their keys: all of them together have no more than a few times what the bank
/// has room for. Otherwise a short bank would take hours to read.
fn leave_out_shared(r: &FieldReader<'_>, sequences: &mut [NamedSequence], findings: &mut Findings) {
    let range = r.range();
    let size = range.end.saturating_sub(range.start);
    let room = |record: u32| size.div_euclid(record.into()).saturating_mul(SHARED_TIMES).saturating_add(SHARED);
    let (mut tracks_left, mut keys_left) = (ReadBudget::new(room(TRACK)), ReadBudget::new(room(KEY)));
    let mut left_out = 0_usize;
    let mut first = None;
    for one in sequences {
        let mut fits = tracks_left.take(one.sequence.track_count.into());
        if fits {
            let tracks = clip::tracks_of(&mut r.fork(), &one.sequence, &mut Findings::default());
            let keys = tracks.iter().map(|(_, track)| u64::from(track.key_count)).fold(0, u64::saturating_add);
            // A clip of more has what fits.
            fits = keys_left.take(keys.min(clip::max_keys(&range)));
        }
        if !fits {
            one.left_out = true;
            left_out = left_out.saturating_add(1);
            first.get_or_insert(one.range.start);
        }
    }
    if left_out > 0 {
        let skipped = counted(left_out, "sequence");
        let message = format!("{skipped} skipped: too many sequences share the same tracks or keys");
        findings.add(&codes::SHARED_KEYS, first, message);
    }
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
        let Some(NamedSequence { name, sequence, left_out, .. }) = self.sequences.get(part) else {
            return Err("this entry cannot be shown".to_owned());
        };
        if *left_out {
            return Err("the sequence cannot be shown: too many sequences share its tracks or keys".to_owned());
        }
        let mut r = container::reader(source, self.range.clone());
        Ok(Asset::Clip(Arc::new(clip::clip_of(&mut r, sequence, name, findings))))
    }
}

#[cfg(test)]
mod tests;
