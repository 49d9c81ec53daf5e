//! Reading records: values come back typed, and where asked for each is recorded as a field with the bytes it was read from.
//! One description of a layout thus serves both the structures and the inspector.

use super::{Field, ReadErrorKind, Table, Value};
use crate::bytes::{Endian, OutOfBytes, Reader, Source, budget};
use std::{borrow::Cow, ops::Range, sync::Arc};

/// Records that room is made for before they are read.
const MAX_AT_ONCE: usize = 1 << 16;

/// Something cannot be read on: where, and one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at offset {offset}: {message}")]
pub struct Fault {
    /// Bytes from the start of the nearest container.
    pub offset: u64,
    /// One sentence on the cause.
    pub message: String,
    /// The reason.
    pub kind: ReadErrorKind,
}

impl Fault {
    /// Creates a fault of the kind [`ReadErrorKind::Invalid`].
    pub fn new(offset: u64, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), kind: ReadErrorKind::Invalid }
    }
}

impl From<OutOfBytes> for Fault {
    fn from(error: OutOfBytes) -> Self {
        let message = format!("{} bytes expected, {} left", error.wanted, error.left);
        Self { kind: ReadErrorKind::Truncated, ..Self::new(error.offset, message) }
    }
}

/// Reads a range of a source; offsets count from the source's start.
pub struct FieldReader<'a> {
    source: &'a Source,
    reader: Reader<'a>,
    range: Range<u64>,
    endian: Endian,
    fields: Option<Vec<Field>>,
}

type Name = Cow<'static, str>;

/// A group that is being read, with what was recorded before it.
#[must_use]
pub struct OpenGroup {
    at: u64,
    outside: Option<Vec<Field>>,
}

macro_rules! number {
    ($name:ident, $type:ty, $value:ident as $as:ty) => {
        /// Reads one number in the byte order of the reader and records it as a field.
        ///
        /// # Errors
        /// Returns an error if the number goes past the end of the range.
        pub fn $name(&mut self, name: impl Into<Name>) -> Result<$type, Fault> {
            let at = self.offset();
            let value = self.reader.$name()?;
            self.record(name, stringify!($name), at, || Value::$value(value as $as));
            Ok(value)
        }
    };
}

impl<'a> FieldReader<'a> {
    /// Reads the part of `range` that lies in the source, from its start.
    pub fn new(source: &'a Source, range: Range<u64>, endian: Endian) -> Self {
        let end = range.end.min(source.len() as u64);
        let start = range.start.min(end);
        let bytes = source.part(start..end);
        Self { source, reader: Reader::new(bytes, start, endian), range: start..end, endian, fields: None }
    }

    /// From here on every value is recorded as a field.
    pub fn recording(mut self) -> Self {
        self.fields = Some(Vec::new());
        self
    }

    /// Returns true if values that are read are recorded as fields.
    pub fn is_recording(&self) -> bool {
        self.fields.is_some()
    }

    /// What was recorded.
    pub fn into_fields(self) -> Vec<Field> {
        self.fields.unwrap_or_default()
    }

    /// What was recorded so far, outside the group that is being read.
    pub fn fields(&self) -> &[Field] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// Another reader at the same place, which records nothing.
    pub fn fork(&self) -> Self {
        Self { reader: self.reader.clone(), range: self.range.clone(), fields: None, ..*self }
    }

    /// What is read: bytes from the source's start.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the source that is read.
    pub fn source(&self) -> &'a Source {
        self.source
    }

    /// Bytes from the start of the source.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Bytes to the end of the range.
    pub fn left(&self) -> usize {
        self.reader.left()
    }

    /// A fault at the cursor.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.offset(), message.into())
    }

    /// The bare cursor: for bulk data that is not recorded here, or is recorded with [`FieldReader::push`].
    pub fn raw(&mut self) -> &mut Reader<'a> {
        &mut self.reader
    }

    /// Moves to an absolute offset inside the range.
    pub fn seek(&mut self, offset: u64) -> Result<(), Fault> {
        self.reader.seek(offset).map_err(|_| {
            Fault::new(
                self.offset(),
                format!("offset {offset} is outside the data ({} to {})", self.range.start, self.range.end),
            )
        })
    }

    /// As [`FieldReader::seek`], counted from the start of the range: what chunks' own offsets are.
    pub fn seek_in_range(&mut self, offset: u32) -> Result<(), Fault> {
        self.seek(self.range.start.saturating_add(u64::from(offset)))
    }

    /// How many records of `stride` bytes are whole from the cursor on, at most `count`.
    pub fn whole_records(&self, count: u64, stride: u64) -> usize {
        self.reader.whole_records(count, stride)
    }

    /// Records what was read since `at` as one field.
    pub fn record(&mut self, name: impl Into<Name>, kind: impl Into<Name>, at: u64, value: impl FnOnce() -> Value) {
        if self.fields.is_some() {
            let size = self.offset().saturating_sub(at);
            self.push(Field::new(name, kind, value(), at, size));
        }
    }

    /// Adds a field that is made already; dropped when nothing is recorded.
    pub fn push(&mut self, field: Field) {
        if let Some(fields) = &mut self.fields
            && budget::charge_bytes(size_of::<Field>() as u64)
        {
            fields.push(field);
        }
    }

    number!(u8, u8, UInt as u64);
    number!(i8, i8, Int as i64);
    number!(u16, u16, UInt as u64);
    number!(i16, i16, Int as i64);
    number!(u32, u32, UInt as u64);
    number!(i32, i32, Int as i64);
    number!(u64, u64, UInt as u64);
    number!(f32, f32, Float as f32);

    /// A code with a name; one that has none is shown as a number.
    pub fn named_u8(&mut self, name: impl Into<Name>, names: impl Fn(u8) -> Option<&'static str>) -> Result<u8, Fault> {
        let at = self.offset();
        let value = self.reader.u8()?;
        self.record(name, "u8", at, || enumerated(i64::from(value), names(value)));
        Ok(value)
    }

    /// Reads a code of 16 bits and records it as a field, with its name from `names`. A code without a name is a number.
    ///
    /// # Errors
    /// Returns an error if fewer than 2 bytes are left.
    pub fn named_u16(
        &mut self,
        name: impl Into<Name>,
        names: impl Fn(u16) -> Option<&'static str>,
    ) -> Result<u16, Fault> {
        let at = self.offset();
        let value = self.reader.u16()?;
        self.record(name, "u16", at, || enumerated(i64::from(value), names(value)));
        Ok(value)
    }

    /// Reads a code of 32 bits and records it as a field, with its name from `names`. A code without a name is a number.
    ///
    /// # Errors
    /// Returns an error if fewer than 4 bytes are left.
    pub fn named_u32(
        &mut self,
        name: impl Into<Name>,
        names: impl Fn(u32) -> Option<&'static str>,
    ) -> Result<u32, Fault> {
        let at = self.offset();
        let value = self.reader.u32()?;
        self.record(name, "u32", at, || enumerated(i64::from(value), names(value)));
        Ok(value)
    }

    /// `N` floats that belong together.
    pub fn floats<const N: usize>(&mut self, name: impl Into<Name>, kind: &'static str) -> Result<[f32; N], Fault> {
        let at = self.offset();
        let values = self.reader.f32s::<N>()?;
        self.record(name, kind, at, || Value::Floats(values.to_vec()));
        Ok(values)
    }

    /// Reads `N` bytes that belong together and records them as one field.
    ///
    /// # Errors
    /// Returns an error if fewer than `N` bytes are left.
    pub fn u8s<const N: usize>(&mut self, name: impl Into<Name>) -> Result<[u8; N], Fault> {
        let at = self.offset();
        let values = self.reader.array::<N>()?;
        self.record(name, format!("u8[{N}]"), at, || Value::Ints(values.iter().map(|v| i64::from(*v)).collect()));
        Ok(values)
    }

    /// Reads `N` unsigned 16-bit numbers that belong together and records them as one field.
    ///
    /// # Errors
    /// Returns an error if fewer than `2 * N` bytes are left.
    pub fn u16s<const N: usize>(&mut self, name: impl Into<Name>) -> Result<[u16; N], Fault> {
        let at = self.offset();
        let mut values = [0; N];
        for value in &mut values {
            *value = self.reader.u16()?;
        }
        self.record(name, format!("u16[{N}]"), at, || Value::Ints(values.iter().map(|v| i64::from(*v)).collect()));
        Ok(values)
    }

    /// Reads `N` signed 16-bit numbers that belong together and records them as one field.
    ///
    /// # Errors
    /// Returns an error if fewer than `2 * N` bytes are left.
    pub fn i16s<const N: usize>(&mut self, name: impl Into<Name>) -> Result<[i16; N], Fault> {
        let at = self.offset();
        let mut values = [0; N];
        for value in &mut values {
            *value = self.reader.i16()?;
        }
        self.record(name, format!("s16[{N}]"), at, || Value::Ints(values.iter().map(|v| i64::from(*v)).collect()));
        Ok(values)
    }

    /// Red, green, blue, alpha.
    pub fn color(&mut self, name: impl Into<Name>) -> Result<[u8; 4], Fault> {
        let at = self.offset();
        let value = self.reader.array::<4>()?;
        self.record(name, "RGBA8", at, || Value::Color(value));
        Ok(value)
    }

    /// Characters of a tag.
    pub fn tag<const N: usize>(&mut self, name: impl Into<Name>) -> Result<[u8; N], Fault> {
        let at = self.offset();
        let value = self.reader.array::<N>()?;
        let kind = format!("char[{N}]");
        self.record(name, kind, at, || Value::Text(value.escape_ascii().to_string()));
        Ok(value)
    }

    /// Text in bytes of its own, decoded by `decode`.
    pub fn text(
        &mut self,
        name: impl Into<Name>,
        size: usize,
        decode: impl FnOnce(&[u8]) -> String,
    ) -> Result<String, Fault> {
        let at = self.offset();
        let text = decode(self.reader.bytes(size)?);
        self.record(name, format!("char[{size}]"), at, || Value::Text(text.clone()));
        Ok(text)
    }

    /// Bytes of one meaning; `value` says which: [`Value::Raw`] for unused ones, [`Value::Opaque`] for a range of the family's
    /// list.
    pub fn bytes(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        count: usize,
        value: Value,
    ) -> Result<&'a [u8], Fault> {
        let at = self.offset();
        let bytes = self.reader.bytes(count)?;
        self.record(name, kind, at, || value);
        Ok(bytes)
    }

    /// Unused bytes between fields.
    pub fn pad(&mut self, count: usize) -> Result<(), Fault> {
        self.bytes("Padding", format!("u8[{count}]"), count, Value::Raw).map(|_| ())
    }

    /// What `read` records becomes one field with the others inside it. It covers all that lies between its first and last byte,
    /// so `read` may move about.
    pub fn group<T>(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.valued_group(name, kind, |r| read(r).map(|t| (t, Value::None)))
    }

    /// As [`FieldReader::group`], with a value shown beside the group's name.
    pub fn valued_group<T>(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        read: impl FnOnce(&mut Self) -> Result<(T, Value), Fault>,
    ) -> Result<T, Fault> {
        let group = self.begin_group();
        let result = read(self);
        self.end_group(group, name, kind, result.as_ref().ok().map(|(_, value)| value));
        result.map(|(t, _)| t)
    }

    /// What is recorded from here on belongs to a group, up to [`FieldReader::end_group`]: for readers around this one, whose
    /// closures take themselves.
    pub fn begin_group(&mut self) -> OpenGroup {
        let outside = self.fields.as_mut().map(std::mem::take);
        OpenGroup { at: self.offset(), outside }
    }

    /// Ends a group; `value` is none where it could not be read to its end.
    pub fn end_group(&mut self, group: OpenGroup, name: impl Into<Name>, kind: impl Into<Name>, value: Option<&Value>) {
        let Some(outside) = group.outside else { return };
        let inside = self.fields.replace(outside).unwrap_or_default();
        let start = inside.iter().map(|f| f.offset).min().unwrap_or(group.at);
        let end = inside.iter().map(|f| f.offset.saturating_add(f.size)).max().unwrap_or(group.at);
        // A fault inside leaves the fields before it; the group covers no more than they do.
        if !inside.is_empty() || value.is_some() {
            let mut field = Field::group(name, kind, start, end.saturating_sub(start), inside);
            field.value = value.cloned().unwrap_or(Value::None);
            self.push(field);
        }
    }

    /// Stops recording, up to [`FieldReader::put_fields`]; `None` when nothing is recorded.
    pub fn take_fields(&mut self) -> Option<Vec<Field>> {
        self.fields.take()
    }

    /// Continues recording with the fields of [`FieldReader::take_fields`]; `None` disables recording.
    pub fn put_fields(&mut self, fields: Option<Vec<Field>>) {
        self.fields = fields;
    }

    /// `count` records of `stride` bytes each, one after the other. They are one field, a table whose rows are read again when
    /// they are looked at. `read` gets a reader of that row's bytes alone and its number.
    ///
    /// # Errors
    /// When not all of them fit, or one cannot be read. Ask [`FieldReader::whole_records`] first where fewer will do.
    pub fn records<T>(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        count: u64,
        stride: u64,
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Result<Vec<T>, Fault> {
        let count = self.reader.check_count(count, stride)?;
        let at = self.offset();
        let size = (count as u64).saturating_mul(stride);
        let mut list = Vec::with_capacity(count.min(MAX_AT_ONCE));
        for index in 0..count {
            let start = at.saturating_add((index as u64).saturating_mul(stride));
            let mut row = FieldReader::new(self.source, start..start.saturating_add(stride), self.endian);
            list.push(read(&mut row, index)?);
        }
        self.reader.skip(usize::try_from(size).unwrap_or(usize::MAX))?;
        self.push_rows(name, kind, at..at.saturating_add(size), (count, stride), read);
        Ok(list)
    }

    /// As [`FieldReader::records`], but nothing is read before its row is looked at: for bulk data that is decoded elsewhere.
    ///
    /// # Errors
    /// When not all of them fit.
    pub fn table(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        count: u64,
        stride: u64,
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Result<(), Fault> {
        let count = self.reader.check_count(count, stride)?;
        let at = self.offset();
        let size = (count as u64).saturating_mul(stride);
        self.reader.skip(usize::try_from(size).unwrap_or(usize::MAX))?;
        self.push_rows(name, kind, at..at.saturating_add(size), (count, stride), read);
        Ok(())
    }

    fn push_rows<T>(
        &mut self,
        name: impl Into<Name>,
        kind: impl Into<Name>,
        bytes: Range<u64>,
        (count, stride): (usize, u64),
        read: impl Fn(&mut FieldReader<'_>, usize) -> Result<T, Fault> + Send + Sync + 'static,
    ) {
        if count > 0 && self.is_recording() {
            let at = bytes.start;
            let rows = Rows {
                source: self.source.clone(),
                at,
                count,
                stride,
                endian: self.endian,
                read: Box::new(move |r, i| read(r, i).map(|_| ())),
            };
            self.push(Field::table(name, kind, at, bytes.end.saturating_sub(at), Arc::new(rows)));
        }
    }
}

/// A number with its name, or as it is.
pub fn enumerated(value: i64, name: Option<&'static str>) -> Value {
    match name.filter(|n| !n.is_empty()) {
        Some(name) => Value::Enum { value, name: name.into() },
        None => Value::Int(value),
    }
}

/// Reads one record.
type ReadRow = dyn Fn(&mut FieldReader<'_>, usize) -> Result<(), Fault> + Send + Sync;

/// Records that are read again, one at a time, when they are looked at.
struct Rows {
    source: Source,
    at: u64,
    count: usize,
    stride: u64,
    endian: Endian,
    read: Box<ReadRow>,
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rows({})", self.count)
    }
}

impl Table for Rows {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        if index >= self.count {
            return None;
        }
        let start = self.at.checked_add((index as u64).checked_mul(self.stride)?)?;
        let end = start.checked_add(self.stride)?;
        let mut reader = FieldReader::new(&self.source, start..end, self.endian).recording();
        // It was read once without a fault.
        let _ = (self.read)(&mut reader, index);
        let mut fields = reader.into_fields();
        if fields.len() == 1
            && let Some(mut field) = fields.pop()
        {
            field.name = index.to_string().into();
            return Some(field);
        }
        Some(Field::group(index.to_string(), "", start, self.stride, fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Children;

    #[test]
    fn values_are_read_and_recorded_by_the_same_description() {
        let source = Source::from(vec![9, 9, 0, 5, 2, 0, 1, 0, 2]);
        let read = |r: &mut FieldReader<'_>| {
            let id = r.u16("Id")?;
            let count = r.u8("Count")?;
            let list = r.records("List", "u16", u64::from(count), 2, |r, _| r.u16("Value"))?;
            Ok::<_, Fault>((id, list))
        };
        let mut plain = FieldReader::new(&source, 2..9, Endian::Big);
        assert_eq!(read(&mut plain).unwrap(), (5, vec![1, 2]));
        let mut recording = FieldReader::new(&source, 2..9, Endian::Big).recording();
        read(&mut recording).unwrap();
        let fields = recording.into_fields();
        assert_eq!(fields.iter().map(|f| (f.offset, f.size)).collect::<Vec<_>>(), [(2, 2), (4, 1), (5, 4)]);
        let Children::Table(table) = &fields[2].children else { panic!() };
        assert_eq!((table.len(), table.row(1).unwrap().value, table.row(2).is_none()), (2, Value::UInt(2), true));
    }

    #[test]
    fn groups_cover_what_lies_in_them_wherever_that_is() {
        let source = Source::from(vec![0, 0, 0, 6, 7, 8, 9, 1]);
        let mut reader = FieldReader::new(&source, 0..8, Endian::Big).recording();
        reader
            .group("Group", "", |r| {
                let offset = r.u32("Offset")?;
                r.seek_in_range(offset)?;
                r.u8("Value")
            })
            .unwrap();
        let group = &reader.into_fields()[0];
        assert_eq!((group.offset, group.size), (0, 7));
    }

    #[test]
    fn counts_and_offsets_that_lead_out_are_faults() {
        let source = Source::from(vec![0; 8]);
        let mut reader = FieldReader::new(&source, 0..8, Endian::Big);
        assert!(reader.records("List", "u32", u64::MAX, 4, |r, _| r.u32("Value")).is_err());
        assert!(reader.seek_in_range(9).is_err() && reader.seek_in_range(u32::MAX).is_err());
        assert_eq!(reader.offset(), 0);
        assert_eq!(FieldReader::new(&source, 4..100, Endian::Big).left(), 4);
        assert_eq!(FieldReader::new(&source, 50..100, Endian::Big).left(), 0);
    }
}
