//! Fields of a document inside another one, as fields of the outer one.

use crate::formats::{Children, EntryId, Field, Reference, Table, Value};
use std::sync::Arc;

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

    fn row(&self, index: usize) -> Option<Field> {
        self.table.row(index).map(|row| self.shift.field(row))
    }
}
