//! Which bytes of a document were read: every byte lies in one typed field, in a named opaque range, or is unread.

use super::{Children, Document, EntryId, Field, Purpose, ReadError, Value};
use crate::bytes::Source;
use std::ops::Range;

/// A range of bytes of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Entry of the bytes; for unread bytes, the entry of the field before them, or else the first of the source.
    pub entry: EntryId,
    /// Name of the opaque range; empty for unread bytes.
    pub name: &'static str,
    /// Offset in the entry's source ([`Document::source_of`]), in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
}

/// Bytes that two fields claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The entry whose field comes later.
    pub entry: EntryId,
    /// The entry of the other field: the same one where a reader is at fault, another one where the file has them overlap.
    pub other: EntryId,
    /// Offset in the entry's source ([`Document::source_of`]), in bytes.
    pub offset: u64,
    /// Size of the shared range, in bytes.
    pub size: u64,
}

/// What of a document's bytes was read.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Named ranges without typed fields.
    pub opaque: Vec<Span>,
    /// Ranges that no field claims.
    pub unread: Vec<Span>,
    /// Bytes that two fields claim.
    pub doubled: Vec<Overlap>,
}

/// A range that [`CoverageReader`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A named range without typed fields.
    Opaque(Span),
    /// A range that no field claims.
    Unread(Span),
    /// A range that two fields claim.
    Doubled(Overlap),
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
    let mut coverage = Coverage::default();
    let mut keep = |found| match found {
        Found::Opaque(span) => coverage.opaque.push(span),
        Found::Unread(span) => coverage.unread.push(span),
        Found::Doubled(overlap) => coverage.doubled.push(overlap),
    };
    let mut reader = CoverageReader::new(document);
    for entry in document.outline().entries() {
        // Bytes of fields that cannot be read are unread.
        let _ = reader.read(entry.id, &mut keep);
    }
    reader.finish(&mut keep);
    coverage
}

/// Finds which bytes of a document are read, entry by entry. Ranges are passed on as they are found: a damaged file may have
/// millions.
pub struct CoverageReader<'a> {
    document: &'a dyn Document,
    spaces: Vec<Space<'a>>,
}

impl<'a> CoverageReader<'a> {
    /// Starts with the document's own source. No entry has been read yet.
    pub fn new(document: &'a dyn Document) -> Self {
        Self { document, spaces: vec![Space::of(document, EntryId::FILE)] }
    }

    /// Reads the fields of the next entry. Passes its opaque ranges to `keep`.
    ///
    /// # Errors
    /// Returns an error if the fields cannot be read.
    pub fn read(&mut self, entry: EntryId, keep: &mut impl FnMut(Found)) -> Result<(), ReadError> {
        let source = self.document.source_of(entry);
        // Entries of one space follow each other as a rule.
        let known = self.spaces.iter().rposition(|space| space.source.is_same(source));
        if known.is_none() {
            self.spaces.push(Space::of(self.document, entry));
        }
        let space = known.map_or_else(|| self.spaces.len().checked_sub(1), Some).and_then(|i| self.spaces.get_mut(i));
        let Some(space) = space else { return Ok(()) };
        let mut opaque = Vec::new();
        for field in &self.document.fields_for(entry, Purpose::Cover)?.fields {
            collect(entry, field, &mut space.claims, &mut opaque);
            opaque.drain(..).map(Found::Opaque).for_each(&mut *keep);
        }
        Ok(())
    }

    /// Passes the ranges that no field or several fields claim to `keep`.
    pub fn finish(self, keep: &mut impl FnMut(Found)) {
        for space in self.spaces {
            space.find_gaps(keep);
        }
    }
}

/// A range of bytes that a field claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    offset: u64,
    size: u64,
    entry: EntryId,
}

/// Bytes that offsets count from, and what was read of them.
struct Space<'a> {
    source: &'a Source,
    /// The first entry in it.
    first: EntryId,
    claims: Vec<Claim>,
}

impl<'a> Space<'a> {
    fn of(document: &'a dyn Document, entry: EntryId) -> Self {
        Self { source: document.source_of(entry), first: entry, claims: Vec::new() }
    }

    fn find_gaps(mut self, keep: &mut impl FnMut(Found)) {
        self.claims.sort_unstable();
        let mut end = 0_u64;
        // The entries of the claim before, and of the one that reaches furthest.
        let (mut last, mut furthest) = (self.first, self.first);
        for claim in &self.claims {
            if claim.offset > end {
                let size = claim.offset.saturating_sub(end);
                keep(Found::Unread(Span { entry: last, name: "", offset: end, size }));
            } else if claim.offset < end {
                let size = end.min(claim.offset.saturating_add(claim.size)).saturating_sub(claim.offset);
                keep(Found::Doubled(Overlap { entry: claim.entry, other: furthest, offset: claim.offset, size }));
            }
            if claim.offset.saturating_add(claim.size) > end {
                end = claim.offset.saturating_add(claim.size);
                furthest = claim.entry;
            }
            last = claim.entry;
        }
        let size = self.source.len() as u64;
        if size > end {
            keep(Found::Unread(Span { entry: last, name: "", offset: end, size: size.saturating_sub(end) }));
        }
    }
}

/// The parts of `range` that none of the fields claims.
pub fn gaps(fields: &[Field], range: std::ops::Range<u64>) -> Vec<std::ops::Range<u64>> {
    let (mut claims, mut opaque) = (Vec::new(), Vec::new());
    for field in fields {
        collect(EntryId::FILE, field, &mut claims, &mut opaque);
    }
    claims.sort_unstable();
    let mut gaps = Vec::new();
    let mut end = range.start;
    for claim in claims.iter().filter(|claim| claim.offset < range.end) {
        if claim.offset > end {
            gaps.push(end..claim.offset);
        }
        end = end.max(claim.offset.saturating_add(claim.size));
    }
    if end < range.end {
        gaps.push(end..range.end);
    }
    gaps
}

/// Notes the bytes of a field. Neighbours of one entry are joined: tables of many rows stay small.
fn push(entry: EntryId, field: &Field, claims: &mut Vec<Claim>) {
    match claims.last_mut() {
        Some(last) if last.entry == entry && last.offset.saturating_add(last.size) == field.offset => {
            last.size = last.size.saturating_add(field.size);
        }
        _ => claims.push(Claim { offset: field.offset, size: field.size, entry }),
    }
}

fn collect(entry: EntryId, field: &Field, claims: &mut Vec<Claim>, opaque: &mut Vec<Span>) {
    // An explicit stack: nesting comes from the file.
    let mut stack = vec![field.clone()];
    while let Some(field) = stack.pop() {
        if field.mirror {
            continue;
        }
        match &field.children {
            Children::Table(table) if table.is_solid() => push(entry, &field, claims),
            Children::None if field.size > 0 => {
                if let Value::Opaque(name) = field.value {
                    opaque.push(Span { entry, name, offset: field.offset, size: field.size });
                }
                push(entry, &field, claims);
            }
            Children::None => {}
            Children::Fields(fields) => stack.extend(fields.iter().rev().cloned()),
            Children::Table(table) => {
                for index in 0..table.len() {
                    if let Some(row) = table.row(index) {
                        collect(entry, &row, claims, opaque);
                    }
                }
            }
        }
    }
}
