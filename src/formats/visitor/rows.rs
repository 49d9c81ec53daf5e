//! Tables whose rows differ in length: where each begins is found once, what is in it is read when it is looked at.

use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Table,
        field_reader::{Fault, FieldReader},
    },
};
use std::sync::Arc;

/// Reads one row; the reader ends where the next row begins.
type ReadRow = dyn Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync;

/// Records of any length, one after the other, numbers low byte first.
pub struct VariableRows {
    source: Source,
    starts: Arc<[u64]>,
    end: u64,
    read: Box<ReadRow>,
}

impl VariableRows {
    /// A table as one field. `starts` rise, and lie before `end`: bytes from the start of the source.
    pub fn field(
        name: &'static str,
        kind: &'static str,
        (source, starts, end): (&Source, &Arc<[u64]>, u64),
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Option<Field> {
        let start = *starts.first()?;
        let rows = Self { source: source.clone(), starts: starts.clone(), end, read: Box::new(read) };
        Some(Field::table(name, kind, start, end.saturating_sub(start), Arc::new(rows)))
    }
}

impl std::fmt::Debug for VariableRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VariableRows({})", self.starts.len())
    }
}

impl Table for VariableRows {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index.saturating_add(1)).copied().unwrap_or(self.end);
        let mut reader = FieldReader::new(&self.source, start..end, Endian::Little).recording();
        // It was read once without a fault.
        let _ = (self.read)(&mut reader, index);
        Some(Field::group(index.to_string(), "", start, end.saturating_sub(start), reader.into_fields()))
    }
}
