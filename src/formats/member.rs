//! Documents inside others: what they say, as what the outer one says.

use super::{
    Children, ClassList, ClipSize, Dependency, Diagnostic, Diagnostics, Document, Entry, EntryId, Field, Followed,
    FormatInfo, Hierarchy, Import, Meaning, ReadError, Reference, SurfaceInfo, Table, TerrainCard, TextureHeader,
    Value,
};
use std::sync::Arc;

/// A document inside another one, and an entry of it.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    /// The inner document.
    pub document: &'a dyn Document,
    /// Into the inner outline.
    pub entry: EntryId,
    /// Position of the inner document in the outer one.
    pub shift: Shift,
}

impl Member<'_> {
    /// Runs something that reports findings of the inner document; they are handed on as the outer one's.
    pub fn with_findings<T>(&self, into: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> T) -> T {
        let mut found = Diagnostics::new(into.cap());
        let result = run(&mut found);
        for diagnostic in found.finish() {
            into.add(self.shift.diagnostic(diagnostic));
        }
        result
    }
}

/// Returns the format of the innermost document that contains an entry.
pub fn format_of(document: &dyn Document, entry: EntryId) -> &'static FormatInfo {
    match document.member(entry) {
        Some(member) => format_of(member.document, member.entry),
        None => document.format(),
    }
}

/// Where an inner document lies in the outer one.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    /// Bytes from the start of the space to the start of the inner file.
    pub by: u64,
    /// The inner file's own entry.
    pub own: EntryId,
    /// The inner entry 1; the others follow it.
    pub first: u32,
    /// Another member owns the bytes.
    pub mirrored: bool,
}

impl Shift {
    /// An inner entry as an outer one.
    pub fn entry(self, inner: EntryId) -> EntryId {
        match inner.0.checked_sub(1) {
            None => self.own,
            Some(index) => EntryId(self.first.saturating_add(index)),
        }
    }

    /// Converts a field of the inner document, its children and its references to those of the outer document.
    pub fn field(self, mut field: Field) -> Field {
        field.offset = field.offset.saturating_add(self.by);
        field.mirror |= self.mirrored;
        if let Value::Reference(reference) = field.value {
            field.value = Value::Reference(self.reference(reference));
        }
        field.children = match field.children {
            Children::None => Children::None,
            Children::Fields(fields) => Children::Fields(fields.into_iter().map(|f| self.field(f)).collect()),
            Children::Table(table) => Children::Table(Arc::new(Shifted { table, shift: self })),
        };
        field
    }

    /// Converts a finding of the inner document to one of the outer document. A finding without an entry gets the inner file's own entry.
    pub fn diagnostic(self, inner: Diagnostic) -> Diagnostic {
        Diagnostic {
            entry: Some(inner.entry.map_or(self.own, |entry| self.entry(entry))),
            offset: inner.offset.map(|offset| offset.saturating_add(self.by)),
            ..inner
        }
    }

    /// `entry` is the outer one.
    pub fn error(self, entry: Option<&Entry>, inner: ReadError) -> ReadError {
        let path = entry.map(|e| e.path().into_owned()).unwrap_or_default();
        ReadError { entry: path, offset: inner.offset.saturating_add(self.by), ..inner }
    }

    /// References out of an inner file lead nowhere from here: they are what they say.
    fn reference(self, reference: Reference) -> Reference {
        Reference { entry: reference.entry.map(|entry| self.entry(entry)), external: None, ..reference }
    }
}

/// Rows of a table, shifted as they are read.
#[derive(Debug)]
struct Shifted {
    table: Arc<dyn Table>,
    shift: Shift,
}

impl Table for Shifted {
    fn len(&self) -> usize {
        self.table.len()
    }

    fn is_solid(&self) -> bool {
        self.table.is_solid()
    }

    fn row(&self, index: usize) -> Option<Field> {
        self.table.row(index).map(|row| self.shift.field(row))
    }
}

/// An answer of a document about an entry, which a document around it can give as its own.
pub trait Answer: Sized {
    /// Converts the answer of a member to one of the outer document; `outer` is the entry that was asked about there. Data that
    /// refers to no entry and no offset stays unchanged.
    #[must_use]
    fn shifted(self, _shift: Shift, _outer: Option<&Entry>) -> Self {
        self
    }

    /// Replaces an answer that must be complete by the reason why it is not.
    #[must_use]
    fn or_fault(self, _fault: ReadError) -> Self {
        self
    }
}

impl Answer for () {}
impl Answer for (u32, u32) {}
impl Answer for ClassList {}
impl Answer for ClipSize {}
impl Answer for Dependency {}
impl Answer for Followed {}
impl Answer for Import {}
impl Answer for Meaning {}
impl Answer for String {}
impl Answer for TerrainCard {}
impl Answer for TextureHeader {}
impl Answer for Value {}
#[cfg(feature = "unreal")]
impl Answer for super::unreal::VertexMesh {}

impl Answer for EntryId {
    fn shifted(self, shift: Shift, _: Option<&Entry>) -> Self {
        shift.entry(self)
    }
}

impl Answer for Hierarchy {
    fn shifted(mut self, shift: Shift, _: Option<&Entry>) -> Self {
        for node in &mut self.nodes {
            node.entry = node.entry.map(|entry| shift.entry(entry));
        }
        self
    }
}

impl Answer for SurfaceInfo {
    fn shifted(self, shift: Shift, outer: Option<&Entry>) -> Self {
        Self { owner: shift.entry(self.owner), textures: self.textures.shifted(shift, outer), ..self }
    }
}

impl<T: Answer> Answer for Vec<T> {
    fn shifted(self, shift: Shift, outer: Option<&Entry>) -> Self {
        self.into_iter().map(|answer| answer.shifted(shift, outer)).collect()
    }
}

impl<T: Answer> Answer for Result<T, ReadError> {
    fn shifted(self, shift: Shift, outer: Option<&Entry>) -> Self {
        self.map(|answer| answer.shifted(shift, outer)).map_err(|error| shift.error(outer, error))
    }

    fn or_fault(self, fault: ReadError) -> Self {
        Err(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Outline, ReadErrorKind, Role};

    #[test]
    fn answers_of_a_member_become_answers_of_the_outer_document() {
        let shift = Shift { by: 100, own: EntryId(4), first: 7, mirrored: false };
        assert_eq!(EntryId::FILE.shifted(shift, None), EntryId(4));
        assert_eq!(vec![EntryId(1), EntryId(3)].shifted(shift, None), [EntryId(7), EntryId(9)]);

        let outline = Outline::new(Role::Archive, "loop", 200);
        let outer = outline.get(EntryId::FILE).unwrap();
        let kind = ReadErrorKind::TooLarge;
        let failed = || ReadError { entry: "inner/entry".to_owned(), offset: 8, message: "broken".to_owned(), kind };
        let error = Err::<EntryId, _>(failed()).shifted(shift, Some(outer)).unwrap_err();
        let expected = ReadError { entry: outer.path().into_owned(), offset: 108, message: "broken".to_owned(), kind };
        assert_eq!(error, expected);
        assert_eq!(Ok::<_, ReadError>(EntryId(2)).shifted(shift, Some(outer)).unwrap(), EntryId(8));
        // Only an answer that can be an error has to be complete.
        assert!(Ok::<_, ReadError>(EntryId(2)).or_fault(failed()).is_err());
        assert_eq!(EntryId(2).or_fault(failed()), EntryId(2));
    }
}
