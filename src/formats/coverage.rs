//! Which bytes of a document were read: every byte lies in one typed field, in a named opaque range, or is unread.

use super::{Children, Document, EntryId, Field, ReadError, Value};
use crate::bytes::Source;
use std::ops::Range;

/// A range of bytes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub entry: EntryId,
    /// Name of the opaque range; empty for unread bytes.
    pub name: &'static str,
    pub offset: u64,
    pub size: u64,
}

/// Bytes that two fields claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The entry whose field comes later.
    pub entry: EntryId,
    /// The entry of the other field: the same one where a reader is at fault, another one where the file has them overlap.
    pub other: EntryId,
    pub offset: u64,
    pub size: u64,
}

/// What of a document's bytes was read.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    pub opaque: Vec<Span>,
    pub unread: Vec<Span>,
    /// Bytes that two fields claim.
    pub doubled: Vec<Overlap>,
    /// Entries whose fields cannot be read, with why.
    pub unreadable: Vec<(EntryId, ReadError)>,
}

/// Makes fields of the parts of `range` that no field claims and that `is_fill` takes for what writers fill up with: opaque, by
/// the name `name` of the family's list.
pub fn claim_gaps(
    source: &Source,
    range: Range<u64>,
    fields: &mut Vec<Field>,
    name: &'static str,
    is_fill: impl Fn(&[u8]) -> bool,
) {
    for gap in gaps(fields, range) {
        let size = gap.end.saturating_sub(gap.start);
        let bytes = usize::try_from(gap.start).ok().zip(usize::try_from(gap.end).ok());
        let bytes = bytes.and_then(|(start, end)| source.as_slice().get(start..end)).unwrap_or_default();
        if is_fill(bytes) {
            fields.push(Field::new("Padding", format!("u8[{size}]"), Value::Opaque(name), gap.start, size));
        }
    }
    fields.sort_by_key(|f| f.offset);
}

/// Reads every field of every entry and finds what is left, in each of the document's sources for itself.
pub fn coverage(document: &dyn Document) -> Coverage {
    let mut spaces: Vec<Space<'_>> = vec![Space::of(document, EntryId::FILE)];
    let mut coverage = Coverage::default();
    for entry in document.outline().entries() {
        let source = document.source_of(entry.id);
        // Entries of one space follow each other as a rule.
        let known = spaces.iter().rposition(|space| space.source.is_same(source));
        if known.is_none() {
            spaces.push(Space::of(document, entry.id));
        }
        let Some(space) = known.map_or_else(|| spaces.len().checked_sub(1), Some).and_then(|i| spaces.get_mut(i))
        else {
            continue;
        };
        match document.own_fields(entry.id) {
            Ok(tree) => {
                for field in &tree.fields {
                    collect(entry.id, field, &mut space.spans, &mut coverage.opaque);
                }
            }
            Err(error) => coverage.unreadable.push((entry.id, error)),
        }
    }
    for space in spaces {
        space.find_gaps(&mut coverage);
    }
    coverage
}

/// Bytes that offsets count from, and what was read of them.
struct Space<'a> {
    source: &'a Source,
    /// The first entry in it.
    first: EntryId,
    spans: Vec<Span>,
}

impl<'a> Space<'a> {
    fn of(document: &'a dyn Document, entry: EntryId) -> Self {
        Self { source: document.source_of(entry), first: entry, spans: Vec::new() }
    }

    fn find_gaps(mut self, coverage: &mut Coverage) {
        self.spans.sort_by_key(|s| (s.offset, s.size));
        let mut end = 0_u64;
        // The entries of the span before, and of the one that reaches furthest.
        let (mut last, mut furthest) = (self.first, self.first);
        for span in &self.spans {
            if span.offset > end {
                let size = span.offset.saturating_sub(end);
                coverage.unread.push(Span { entry: last, name: "", offset: end, size });
            } else if span.offset < end {
                let size = end.min(span.offset.saturating_add(span.size)).saturating_sub(span.offset);
                coverage.doubled.push(Overlap { entry: span.entry, other: furthest, offset: span.offset, size });
            }
            if span.offset.saturating_add(span.size) > end {
                end = span.offset.saturating_add(span.size);
                furthest = span.entry;
            }
            last = span.entry;
        }
        let size = self.source.len() as u64;
        if size > end {
            coverage.unread.push(Span { entry: last, name: "", offset: end, size: size.saturating_sub(end) });
        }
    }
}

/// The parts of `range` that none of the fields claims.
pub fn gaps(fields: &[Field], range: std::ops::Range<u64>) -> Vec<std::ops::Range<u64>> {
    let (mut spans, mut opaque) = (Vec::new(), Vec::new());
    for field in fields {
        collect(EntryId::FILE, field, &mut spans, &mut opaque);
    }
    spans.sort_by_key(|s| s.offset);
    let mut gaps = Vec::new();
    let mut end = range.start;
    for span in spans.iter().filter(|s| s.offset < range.end) {
        if span.offset > end {
            gaps.push(end..span.offset);
        }
        end = end.max(span.offset.saturating_add(span.size));
    }
    if end < range.end {
        gaps.push(end..range.end);
    }
    gaps
}

/// Notes the bytes of a field. Neighbours of one entry are joined: tables of many rows stay small.
fn push(entry: EntryId, field: &Field, spans: &mut Vec<Span>) {
    match spans.last_mut() {
        Some(last) if last.entry == entry && last.offset.saturating_add(last.size) == field.offset => {
            last.size = last.size.saturating_add(field.size);
        }
        _ => spans.push(Span { entry, name: "", offset: field.offset, size: field.size }),
    }
}

fn collect(entry: EntryId, field: &Field, spans: &mut Vec<Span>, opaque: &mut Vec<Span>) {
    // An explicit stack: nesting comes from the file.
    let mut stack = vec![field.clone()];
    while let Some(field) = stack.pop() {
        if field.mirror {
            continue;
        }
        match &field.children {
            Children::Table(table) if table.is_solid() => push(entry, &field, spans),
            Children::None if field.size > 0 => {
                if let Value::Opaque(name) = field.value {
                    opaque.push(Span { entry, name, offset: field.offset, size: field.size });
                }
                push(entry, &field, spans);
            }
            Children::None => {}
            Children::Fields(fields) => stack.extend(fields.iter().rev().cloned()),
            Children::Table(table) => {
                for index in 0..table.len() {
                    if let Some(row) = table.row(index) {
                        collect(entry, &row, spans, opaque);
                    }
                }
            }
        }
    }
}
