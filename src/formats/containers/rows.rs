//! Records of a container's tables as fields, which are read when they are looked at: a container of 200,000 members has millions.

use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Table,
        field_reader::{Fault, FieldReader},
    },
};
use std::{ops::Range, sync::Arc};

/// Reads the fields of a record.
pub type ReadRow = fn(&mut FieldReader<'_>) -> Result<(), Fault>;

/// A table of records, little-endian, wherever each of them is, in bytes of the file; `None` without records.
pub fn table(
    name: &'static str,
    kind: &'static str,
    file: &Source,
    records: Arc<[Range<u64>]>,
    read: ReadRow,
) -> Option<Field> {
    let size = file.len() as u64;
    let (start, end) = (records.first()?.start.min(size), records.last()?.end.min(size));
    let rows = Rows { file: file.clone(), kind, records, read };
    Some(Field::table(name, kind, start, end.saturating_sub(start), Arc::new(rows)))
}

struct Rows {
    file: Source,
    kind: &'static str,
    records: Arc<[Range<u64>]>,
    read: ReadRow,
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rows({} of {})", self.records.len(), self.kind)
    }
}

impl Table for Rows {
    fn len(&self) -> usize {
        self.records.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let record = self.records.get(index)?;
        let end = self.file.len() as u64;
        let mut r = FieldReader::new(&self.file, record.start..end, Endian::Little).recording();
        // What comes before a fault is shown.
        let _ = r.group(index.to_string(), self.kind, self.read);
        r.into_fields().into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Children;

    #[test]
    fn records_are_read_where_they_are() {
        let file = Source::new(*b"\x01\x00..\x02\x00\x03");
        let read: ReadRow = |r| r.u16("Number").map(|_| ());
        // The last one leads out of the file.
        let field = table("Records", "Record", &file, Arc::new([0..2, 4..6, 6..8]), read).unwrap();
        assert_eq!((field.offset, field.size), (0, 7));
        let Children::Table(table) = &field.children else { panic!() };
        let rows: Vec<_> =
            (0..4).map(|index| table.row(index).map(|row| (row.name.to_string(), row.offset, row.size))).collect();
        let row = |name: &str, offset, size| Some((name.to_owned(), offset, size));
        // What ends too early has no field, and what is past the end has no row.
        assert_eq!((table.len(), rows), (3, vec![row("0", 0, 2), row("1", 4, 2), None, None]));
        assert!(super::table("Records", "Record", &file, Arc::new([]), read).is_none());
    }
}
