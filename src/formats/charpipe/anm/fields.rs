//! The fields of a bank: its tables, and what its keys point to. Tracks share keys, and keys share values: each byte is
//! a field once.

use super::{
    super::codes,
    track::{HEADER, Header, KEY, Layout, SEQUENCE, Sequence, TRACK, Track, read_key, read_sequence, read_track},
    values::{read_setting, read_ways},
};
use crate::{
    bytes::{Source, text},
    formats::{
        Field, Table, Value,
        charpipe::{container, info::USER_DATA},
        claims::Claims,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        read_budget::ReadBudget,
    },
};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Values end at multiples of this many bytes.
const ALIGNMENT: u64 = 4;
/// Keys whose values are looked for beyond those that the bank has room for.
const SHARED_KEYS: u64 = 1 << 16;

/// Records what lies behind the table of sequences: `r` has read it.
pub fn record(r: &mut FieldReader<'_>, header: &Header, sequences: &[Sequence]) {
    let mut claims = Claims::default();
    let start = r.range().start;
    claims.take(start..start.saturating_add(HEADER.into()));
    let table = u64::from(SEQUENCE).saturating_mul(sequences.len() as u64);
    let table_start = start.saturating_add(header.sequences.into());
    claims.take(table_start..table_start.saturating_add(table));

    let sequences_end = header.sequences.saturating_add(SEQUENCE.saturating_mul(sequences.len() as u32));
    let mut spans: Vec<(u32, u32)> = sequences.iter().map(|s| (s.tracks, s.track_count.into())).collect();
    add_whole_table(&mut spans, sequences_end, header.track_count);
    let track_runs = runs(r, spans, TRACK);
    for (offset, count) in &track_runs {
        tables(r, &mut claims, "Tracks", "Track", (*offset, *count), TRACK, |r, _| read_track(r).map(|_| ()));
    }
    let tracks = all_tracks(r, &track_runs);
    let tracks_end = sequences_end.saturating_add(TRACK.saturating_mul(header.track_count.into()));
    let mut spans: Vec<(u32, u32)> = tracks.iter().map(|t| (t.keys, t.key_count.into())).collect();
    add_whole_table(&mut spans, tracks_end, header.key_count);
    for (offset, count) in runs(r, spans, KEY) {
        tables(r, &mut claims, "Keys", "Key", (offset, count), KEY, |r, _| read_key(r).map(|_| ()));
    }
    values(r, &mut claims, &tracks);
    names(r, &mut claims, sequences);
    let (offset, size) = (start.saturating_add(header.user_data.into()), u64::from(header.user_data_size));
    if size > 0 && offset.saturating_add(size) <= r.range().end && claims.take(offset..offset.saturating_add(size)) {
        r.push(Field::new("UserData", format!("u8[{size}]"), Value::Opaque(USER_DATA), offset, size));
    }
}

/// A table of all records follows what it belongs to, where the records that are pointed to begin there.
fn add_whole_table(spans: &mut Vec<(u32, u32)>, offset: u32, count: u16) {
    let first = spans.iter().filter(|(_, count)| *count > 0).map(|(offset, _)| *offset).min();
    if first.is_none_or(|first| first == offset) {
        spans.push((offset, count.into()));
    }
}

/// Joins spans of records (offset and count) that overlap or touch; what leads out of the bank is cut off.
fn runs(r: &FieldReader<'_>, spans: Vec<(u32, u32)>, stride: u32) -> Vec<(u32, u32)> {
    let size = r.range().end.saturating_sub(r.range().start);
    let mut by_phase: BTreeMap<u32, Vec<Range<u64>>> = BTreeMap::new();
    for (offset, count) in spans {
        let room = size.saturating_sub(offset.into()).checked_div(stride.into()).unwrap_or(0);
        let count = room.min(count.into());
        if count > 0 {
            let end = u64::from(offset).saturating_add(count.saturating_mul(stride.into()));
            by_phase.entry(offset.checked_rem(stride).unwrap_or(0)).or_default().push(offset.into()..end);
        }
    }
    let mut joined: Vec<Range<u64>> = Vec::new();
    for mut spans in by_phase.into_values() {
        spans.sort_by_key(|s| s.start);
        let first = joined.len();
        for span in spans {
            match joined.get_mut(first..).and_then(|own| own.last_mut()) {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
    }
    joined.sort_by_key(|s| s.start);
    let count = |s: &Range<u64>| s.end.saturating_sub(s.start).checked_div(stride.into()).unwrap_or(0);
    joined.iter().map(|s| (s.start as u32, count(s) as u32)).collect()
}

fn tables(
    r: &mut FieldReader<'_>,
    claims: &mut Claims,
    name: &'static str,
    kind: &'static str,
    (offset, count): (u32, u32),
    stride: u32,
    read: impl Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync + 'static,
) {
    let start = r.range().start.saturating_add(offset.into());
    let size = u64::from(count).saturating_mul(stride.into());
    if claims.take(start..start.saturating_add(size)) && r.seek(start).is_ok() {
        // All of them fit, and any bytes are one.
        let _ = r.records(name, kind, count.into(), stride.into(), read);
    }
}

fn all_tracks(r: &FieldReader<'_>, runs: &[(u32, u32)]) -> Vec<Track> {
    let mut r = r.fork();
    let mut tracks = Vec::new();
    for (offset, count) in runs {
        if r.seek_in_range(*offset).is_ok() {
            tracks.extend((0..*count).map_while(|_| read_track(&mut r).ok()));
        }
    }
    tracks
}

/// What a key points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Setting(Layout),
    Curve(Layout),
}

impl Part {
    fn size(&self) -> u64 {
        match self {
            Self::Setting(layout) => layout.setting_size().into(),
            Self::Curve(layout) => layout.curve_size().into(),
        }
    }

    fn read(&self, r: &mut FieldReader<'_>) -> Result<(), Fault> {
        match self {
            Self::Setting(layout) => read_setting(r, layout).map(|_| ()),
            Self::Curve(layout) => read_ways(r, layout).map(|_| ()),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Setting(_) => "Setting",
            Self::Curve(_) => "Curve",
        }
    }
}

/// What a key points to, and where.
#[derive(Clone, Copy, Debug)]
struct Placed {
    /// Bytes from the start of the file.
    offset: u64,
    part: Part,
    /// Zeros up to the next multiple of four.
    padding: u64,
}

impl Placed {
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.part.size()).saturating_add(self.padding)
    }
}

/// Settings and curves of all keys, in tables as long as they follow each other.
fn values(r: &mut FieldReader<'_>, claims: &mut Claims, tracks: &[Track]) {
    let (start, end) = (r.range().start, r.range().end);
    let size = end.saturating_sub(start);
    let mut keys_left = size.checked_div(KEY.into()).unwrap_or(0).saturating_add(SHARED_KEYS);
    let mut found: BTreeMap<u32, Part> = BTreeMap::new();
    let mut keys = r.fork();
    for track in tracks {
        let (Ok(layout), Ok(())) = (Layout::of(track), keys.seek_in_range(track.keys)) else { continue };
        let Some(left) = keys_left.checked_sub(track.key_count.into()) else { break };
        keys_left = left;
        for key in (0..track.key_count).map_while(|_| read_key(&mut keys).ok()) {
            for (offset, part) in [(key.setting, Part::Setting(layout)), (key.curve, Part::Curve(layout))] {
                let fits = u64::from(offset).saturating_add(part.size()) <= size;
                if fits && part.size() > found.get(&offset).map_or(0, Part::size) {
                    found.insert(offset, part);
                }
            }
        }
    }
    let mut rows: Vec<Placed> = Vec::new();
    let mut next = found.iter().skip(1).map(|(offset, _)| start.saturating_add((*offset).into())).chain([end]);
    for (offset, part) in &found {
        let offset = start.saturating_add((*offset).into());
        let behind = offset.saturating_add(part.size());
        let most = next.next().unwrap_or(end);
        let padding = behind.saturating_sub(start).next_multiple_of(ALIGNMENT).saturating_add(start);
        let padding = padding.saturating_sub(behind);
        let zeros = r.source().slice(behind, padding).is_some_and(|s| s.as_slice().iter().all(|b| *b == 0));
        if !claims.take(offset..behind) {
            continue;
        }
        let padded = behind.saturating_add(padding);
        let is_padding = padding > 0 && zeros && padded <= most && claims.take(behind..padded);
        let placed = Placed { offset, part: *part, padding: if is_padding { padding } else { 0 } };
        if rows.last().is_some_and(|last| last.end() != placed.offset) {
            push_values(r, std::mem::take(&mut rows));
        }
        rows.push(placed);
    }
    push_values(r, rows);
}

fn push_values(r: &mut FieldReader<'_>, rows: Vec<Placed>) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let (offset, end) = (first.offset, last.end());
    let table = Values { source: r.source().clone(), rows };
    r.push(Field::table("Values", "Values", offset, end.saturating_sub(offset), Arc::new(table)));
}

#[derive(Debug)]
struct Values {
    source: Source,
    rows: Vec<Placed>,
}

impl Table for Values {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let placed = self.rows.get(index)?;
        let mut r = container::reader(&self.source, placed.offset..placed.end()).recording();
        // All of it is there.
        let _ = placed.part.read(&mut r);
        if placed.padding > 0 {
            let _ = r.pad(placed.padding as usize);
        }
        let size = placed.end().saturating_sub(placed.offset);
        Some(Field::group(index.to_string(), placed.part.name(), placed.offset, size, r.into_fields()))
    }
}

fn names(r: &mut FieldReader<'_>, claims: &mut Claims, sequences: &[Sequence]) {
    for sequence in sequences.iter().filter(|s| s.name != 0) {
        let mut at = r.fork();
        let Some(bytes) = name_bytes(&mut at, sequence.name) else { continue };
        let offset = r.range().start.saturating_add(sequence.name.into());
        // With its NUL, where it has one.
        let text_end = offset.saturating_add(bytes.len() as u64);
        let ends = r.source().slice(text_end, 1).is_some_and(|b| b.as_slice() == [0]) && text_end < r.range().end;
        let end = text_end.saturating_add(u64::from(ends));
        if claims.take(offset..end) {
            let size = end.saturating_sub(offset);
            r.push(Field::new("Name", format!("char[{size}]"), Value::Text(text::decode(bytes)), offset, size));
        }
    }
}

/// The fields of a sequence: its record, its name and its tracks, shown again. `bank` and `record` are where they lie in the
/// file.
pub fn of_sequence(source: &Source, bank: &Range<u64>, record: &Range<u64>, sequence: &Sequence) -> Vec<Field> {
    let mut r = container::reader(source, record.clone()).recording();
    // It was read once without a fault.
    let _ = read_sequence(&mut r);
    let mut fields = r.into_fields();
    let mut r = container::reader(source, bank.clone());
    let count = match r.seek_in_range(sequence.tracks) {
        Ok(()) => r.whole_records(sequence.track_count.into(), TRACK.into()),
        Err(_) => 0,
    };
    if count > 0 {
        let first = r.offset();
        let size = u64::from(TRACK).saturating_mul(count as u64);
        let rows = TrackRows { source: source.clone(), bank: bank.clone(), first, count };
        fields.push(Field::table("Tracks", "Track", first, size, Arc::new(rows)));
    }
    fields.into_iter().map(Field::mirrored).collect()
}

/// Tracks of a sequence, each with its keys and what they say.
#[derive(Debug)]
struct TrackRows {
    source: Source,
    bank: Range<u64>,
    /// Bytes from the start of the file.
    first: u64,
    count: usize,
}

impl Table for TrackRows {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        let at = self.first.checked_add((index as u64).checked_mul(TRACK.into())?).filter(|_| index < self.count)?;
        let mut r = container::reader(&self.source, at..at.checked_add(TRACK.into())?).recording();
        let track = read_track(&mut r).ok()?;
        let mut fields = r.into_fields();
        let mut keys = container::reader(&self.source, self.bank.clone());
        if keys.seek_in_range(track.keys).is_ok() {
            let count = keys.whole_records(track.key_count.into(), KEY.into());
            let first = keys.offset();
            let layout = Layout::of(&track).ok();
            let rows = KeyRows { source: self.source.clone(), bank: self.bank.clone(), first, count, layout };
            let size = u64::from(KEY).saturating_mul(count as u64);
            fields.push(Field::table("Keys", "Key", first, size, Arc::new(rows)).mirrored());
        }
        Some(Field::group(index.to_string(), "Track", at, TRACK.into(), fields))
    }
}

#[derive(Debug)]
struct KeyRows {
    source: Source,
    bank: Range<u64>,
    first: u64,
    count: usize,
    layout: Option<Layout>,
}

impl Table for KeyRows {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        let at = self.first.checked_add((index as u64).checked_mul(KEY.into())?).filter(|_| index < self.count)?;
        let mut r = container::reader(&self.source, at..at.checked_add(KEY.into())?).recording();
        let key = read_key(&mut r).ok()?;
        let mut fields = r.into_fields();
        if let Some(layout) = self.layout {
            for (offset, part) in [(key.setting, Part::Setting(layout)), (key.curve, Part::Curve(layout))] {
                let mut r = container::reader(&self.source, self.bank.clone()).recording();
                if part.size() > 0 && r.seek_in_range(offset).is_ok() && part.read(&mut r).is_ok() {
                    let start = self.bank.start.saturating_add(offset.into());
                    fields.push(Field::group(part.name(), "", start, part.size(), r.into_fields()).mirrored());
                }
            }
        }
        Some(Field::group(index.to_string(), "Key", at, KEY.into(), fields))
    }
}

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
fn name_bytes<'a>(r: &mut FieldReader<'a>, offset: u32) -> Option<&'a [u8]> {
    r.seek_in_range(offset).ok()?;
    let room = r.left().min(LONGEST_NAME);
    let bytes = r.raw().bytes(room).ok()?;
    (room > 0).then(|| bytes.split(|b| *b == 0).next().unwrap_or_default())
}
