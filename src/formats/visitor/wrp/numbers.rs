//! Numbers over a grid: heights, and what covers each cell (formats/visitor.md §1.9).

use crate::{
    bytes::Source,
    formats::{Field, Table, Value},
};
use std::sync::Arc;

/// What the numbers of a grid are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    F32,
    I16,
    U16,
}

impl NumberKind {
    /// Bytes of one.
    pub fn size(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::I16 | Self::U16 => 2,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I16 => "i16",
            Self::U16 => "u16",
        }
    }
}

/// Where the numbers of a grid lie: from west to east and then from south to north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Bytes from the start of the file.
    pub at: u64,
    pub columns: u32,
    pub rows: u32,
    /// Numbers that the file has; fewer than columns × rows where it is cut short.
    pub present: u64,
    pub kind: NumberKind,
}

impl Numbers {
    /// Those at `at`, as many as `left` bytes hold.
    pub fn new(at: u64, [columns, rows]: [u32; 2], kind: NumberKind, left: u64) -> Self {
        let whole = u64::from(columns).saturating_mul(u64::from(rows));
        let present = whole.min(left.checked_div(kind.size()).unwrap_or(0));
        Self { at, columns, rows, present, kind }
    }

    pub fn is_whole(&self) -> bool {
        self.present == u64::from(self.columns).saturating_mul(u64::from(self.rows))
    }

    /// Bytes of those that there are.
    pub fn size(&self) -> u64 {
        self.present.saturating_mul(self.kind.size())
    }

    pub fn end(&self) -> u64 {
        self.at.saturating_add(self.size())
    }

    /// Rows of which something is there.
    pub fn present_rows(&self) -> u32 {
        let rows = self.present.div_ceil(u64::from(self.columns.max(1)));
        u32::try_from(rows).unwrap_or(self.rows)
    }

    pub fn bytes<'a>(&self, source: &'a Source) -> &'a [u8] {
        source.as_slice().get(self.at as usize..self.end() as usize).unwrap_or_default()
    }

    /// A table with one field a row.
    pub fn field(&self, name: &'static str, source: &Source) -> Option<Field> {
        let rows = NumberRows { source: source.clone(), numbers: *self };
        (self.present > 0).then(|| Field::table(name, self.kind.name(), self.at, self.size(), Arc::new(rows)))
    }
}

#[derive(Debug)]
struct NumberRows {
    source: Source,
    numbers: Numbers,
}

impl Table for NumberRows {
    fn len(&self) -> usize {
        self.numbers.present_rows() as usize
    }

    fn row(&self, index: usize) -> Option<Field> {
        let Numbers { columns, kind, at, .. } = self.numbers;
        let width = u64::from(columns).checked_mul(kind.size())?;
        let start = (index as u64).checked_mul(width)?;
        let end = start.saturating_add(width).min(self.numbers.size());
        let bytes = self.numbers.bytes(&self.source).get(start as usize..end as usize).filter(|b| !b.is_empty())?;
        let halves = || bytes.as_chunks::<2>().0.iter();
        let value = match kind {
            NumberKind::F32 => Value::Floats(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
            NumberKind::I16 => Value::Ints(halves().map(|b| i64::from(i16::from_le_bytes(*b))).collect()),
            NumberKind::U16 => Value::Ints(halves().map(|b| i64::from(u16::from_le_bytes(*b))).collect()),
        };
        let count = (bytes.len() as u64).checked_div(kind.size())?;
        let label = format!("{}[{count}]", kind.name());
        Some(Field::new(index.to_string(), label, value, at.saturating_add(start), bytes.len() as u64))
    }
}
