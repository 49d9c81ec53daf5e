//! Documents inside others: what they say, as what the outer one says.

use super::{
    Children, Diagnostic, Diagnostics, Document, Entry, EntryId, Field, FormatInfo, Hierarchy, ReadError, Reference,
    SurfaceInfo, Table, Value,
};
use std::sync::Arc;

/// A document inside another one, and an entry of it.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    pub document: &'a dyn Document,
    /// Into the inner outline.
    pub entry: EntryId,
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
        ReadError { entry: path, offset: inner.offset.saturating_add(self.by), message: inner.message }
    }

    pub fn surface(self, inner: SurfaceInfo) -> SurfaceInfo {
        let textures = inner.textures.into_iter().map(|texture| self.entry(texture)).collect();
        SurfaceInfo { owner: self.entry(inner.owner), textures, ..inner }
    }

    pub fn hierarchy(self, mut inner: Hierarchy) -> Hierarchy {
        for node in &mut inner.nodes {
            node.entry = node.entry.map(|entry| self.entry(entry));
        }
        inner
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
