//! Reading objects: values come back typed, and where asked for each is recorded as a field with the bytes it was read from.
//! One description of a class's layout thus serves both its structures and the inspector.

use super::{
    package::Package,
    tables::{ObjectRef, Pointee},
};
pub use crate::formats::field_reader::Fault;
use crate::{
    bytes::{
        Endian,
        budget::Nested,
        numbers::{counted, grouped},
    },
    formats::{EntryId, Field, Reference, SharedText, Table, Value, compact, field_reader::FieldReader},
};
use std::{
    borrow::Cow,
    ops::{Deref, DerefMut, Range},
    sync::Arc,
};

/// Values of properties that are read of one object, those in structs and arrays counted: far more than any game's objects have.
const MAX_VALUES: usize = 32_768;
/// Elements that room is made for before they are read.
const MAX_AT_ONCE: usize = 1 << 16;

/// Entries of the outline are made from exports, one each but for holes: this says which.
pub fn entry_of(package: &Package, export: usize) -> Option<EntryId> {
    let holes = package.holes.partition_point(|hole| (*hole as usize) < export);
    let is_hole = package.holes.get(holes).is_some_and(|hole| *hole as usize == export);
    let number = export.saturating_add(1).saturating_sub(holes);
    (!is_hole && package.export(export).is_some()).then_some(EntryId(u32::try_from(number).unwrap_or(u32::MAX)))
}

/// The export that an entry of the outline was made from, by its place in the table; `None` for the file and for sequences.
pub fn export_of(package: &Package, entry: EntryId) -> Option<usize> {
    let number = (entry.0 as usize).checked_sub(1)?;
    // The number of holes before it: those that have no more entries before them than it has.
    let (mut holes, mut past) = (0, package.holes.len());
    while holes < past {
        let middle = holes.midpoint(past);
        let hole = *package.holes.get(middle)? as usize;
        match hole.saturating_sub(middle) <= number {
            true => holes = middle.saturating_add(1),
            false => past = middle,
        }
    }
    let export = number.saturating_add(holes);
    package.export(export).map(|_| export)
}

/// A reference as a field's value.
pub fn reference(package: &Arc<Package>, object: ObjectRef) -> Value {
    match object.pointee() {
        Pointee::None => {
            Value::Reference(Reference { path: String::new(), entry: None, external: None, resolved: true })
        }
        Pointee::Export(index) => {
            Value::Reference(Reference::inside(package.object_path(object), entry_of(package, index)))
        }
        Pointee::Import(_) => Value::Reference(Reference {
            path: package.object_path(object),
            entry: None,
            external: Some(object.0 as u32),
            resolved: package.is_found(object),
        }),
    }
}

/// Reads an object's bytes; offsets count from the start of the file. Plain values are a [`FieldReader`]'s.
pub struct ObjectReader<'a> {
    reader: FieldReader<'a>,
    package: &'a Arc<Package>,
    /// The object that is read.
    export: usize,
    /// How many values of properties may still be read.
    values_left: usize,
}

impl<'a> Deref for ObjectReader<'a> {
    type Target = FieldReader<'a>;

    fn deref(&self) -> &Self::Target {
        &self.reader
    }
}

impl DerefMut for ObjectReader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

impl<'a> ObjectReader<'a> {
    /// Reads a range of the package.
    pub fn new(package: &'a Arc<Package>, range: Range<u64>) -> Self {
        Self {
            reader: FieldReader::new(&package.source, range, Endian::Little),
            package,
            export: usize::MAX,
            values_left: MAX_VALUES,
        }
    }

    /// Reads an export's bytes from their start.
    pub fn of_export(package: &'a Arc<Package>, export: usize) -> Self {
        let offset = package.export(export).map_or(0, |e| u64::from(e.offset));
        let size = package.export_size(export);
        Self { export, ..Self::new(package, offset..offset.saturating_add(size)) }
    }

    /// From here on every value is recorded as a field.
    pub fn recording(self) -> Self {
        Self { reader: self.reader.recording(), ..self }
    }

    /// What was recorded.
    pub fn into_fields(self) -> Vec<Field> {
        self.reader.into_fields()
    }

    /// Another reader at the same place, which records nothing.
    pub fn fork(&self) -> Self {
        Self { reader: self.reader.fork(), ..*self }
    }

    /// A reader of a value that lies in what this one reads, which counts the same values; it records where this one does.
    pub fn inside(&self, range: Range<u64>) -> Self {
        let inner = Self { values_left: self.values_left, ..Self::new(self.package, range) };
        if self.is_recording() { inner.recording() } else { inner }
    }

    /// Reads a value that lies in another one.
    ///
    /// # Errors
    /// Those of `read`, and when values nest more deeply than the act may ([`Budget::depth`](crate::bytes::Budget)).
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        let Some(_level) = Nested::enter() else {
            return Err(self.fault("values are nested too deeply"));
        };
        read(self)
    }

    /// Counts a value of a property.
    ///
    /// # Errors
    /// When the object has had too many.
    pub fn count_value(&mut self) -> Result<(), Fault> {
        match self.values_left.checked_sub(1) {
            Some(left) => self.values_left = left,
            None => return Err(self.fault(format!("more than {} values: the rest is not read", grouped(MAX_VALUES)))),
        }
        Ok(())
    }

    /// Takes over how many values a reader of a part has read.
    pub fn join(&mut self, part: &Self) {
        self.values_left = part.values_left;
    }

    /// Records what lies from each of the offsets to the next one as the rows of a table, which are read again when they are
    /// looked at; the last offset is where the last row ends.
    pub fn push_rows(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        offsets: Vec<u64>,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<(), Fault> + Send + Sync + 'static,
    ) {
        let (Some(at), Some(end)) = (offsets.first().copied(), offsets.last().copied()) else { return };
        let rows = Rows { package: self.package.clone(), offsets, read: Box::new(read) };
        self.push(Field::table(name, kind, at, end.saturating_sub(at), Arc::new(rows)));
    }

    pub fn package(&self) -> &'a Arc<Package> {
        self.package
    }

    /// The export that is read, by its place in the table; no export where something else is read.
    pub fn export(&self) -> usize {
        self.export
    }

    pub fn version(&self) -> u16 {
        self.package.version()
    }

    /// What `read` records becomes one field with the others inside it. `value` says what the group as a whole is.
    pub fn group<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.valued_group(name, kind, |r| read(r).map(|t| (t, Value::None)))
    }

    /// As [`ObjectReader::group`], with a value shown beside the group's name.
    pub fn valued_group<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        read: impl FnOnce(&mut Self) -> Result<(T, Value), Fault>,
    ) -> Result<T, Fault> {
        let group = self.begin_group();
        let result = read(self);
        self.end_group(group, name, kind, result.as_ref().ok().map(|(_, value)| value));
        result.map(|(t, _)| t)
    }

    /// A compact index (§2.2).
    pub fn index(&mut self, name: impl Into<Cow<'static, str>>) -> Result<i32, Fault> {
        let at = self.offset();
        let value = compact::read_index(self.raw())?;
        self.record(name, "index", at, || Value::Int(i64::from(value)));
        Ok(value)
    }

    /// A u32 of flags; `names` are the known bits.
    pub fn flags(&mut self, name: impl Into<Cow<'static, str>>, names: &[(u64, &'static str)]) -> Result<u32, Fault> {
        let at = self.offset();
        let value = self.raw().u32()?;
        self.record(name, "u32", at, || flags(u64::from(value), names));
        Ok(value)
    }

    /// A name of the name table (§2.4).
    pub fn name(&mut self, name: impl Into<Cow<'static, str>>) -> Result<&'a str, Fault> {
        let index = self.name_index(name)?;
        Ok(self.package.name(index).unwrap_or_default())
    }

    /// As [`Self::name`], shared with the table.
    pub fn shared_name(&mut self, name: impl Into<Cow<'static, str>>) -> Result<SharedText, Fault> {
        let index = self.name_index(name)?;
        Ok(self.package.name_text(index).unwrap_or_default())
    }

    fn name_index(&mut self, name: impl Into<Cow<'static, str>>) -> Result<u32, Fault> {
        let at = self.offset();
        let index = compact::read_unsigned(self.raw())?;
        let Some(text) = self.package.name(index) else {
            return Err(Fault::new(
                at,
                format!(
                    "name {index} does not exist: the package has only {}",
                    counted(self.package.tables.names.count(), "name")
                ),
            ));
        };
        self.record(name, "name", at, || Value::Text(text.to_owned()));
        Ok(index)
    }

    /// A reference to an object (§2.5); one that leads nowhere is a fault.
    pub fn object(&mut self, name: impl Into<Cow<'static, str>>) -> Result<ObjectRef, Fault> {
        let at = self.offset();
        let object = ObjectRef(compact::read_index(self.raw())?);
        self.check_object(object, at)?;
        let package = self.package;
        self.record(name, "object", at, || reference(package, object));
        Ok(object)
    }

    fn check_object(&self, object: ObjectRef, at: u64) -> Result<(), Fault> {
        let exists = match object.pointee() {
            Pointee::None => true,
            Pointee::Export(index) => self.package.export(index).is_some(),
            Pointee::Import(index) => self.package.import(index).is_some(),
        };
        if exists { Ok(()) } else { Err(Fault::new(at, format!("object {} does not exist", object.0))) }
    }

    /// A string (§2.3).
    pub fn string(&mut self, name: impl Into<Cow<'static, str>>) -> Result<String, Fault> {
        let at = self.offset();
        let version = self.version();
        let text = compact::read_string(self.raw(), version)?;
        self.record(name, "string", at, || Value::Text(text.clone()));
        Ok(text)
    }

    pub fn vector(&mut self, name: impl Into<Cow<'static, str>>) -> Result<[f32; 3], Fault> {
        self.floats::<3>(name, "Vector")
    }

    /// Pitch, yaw, roll; 65536 is a full turn.
    pub fn rotator(&mut self, name: impl Into<Cow<'static, str>>) -> Result<[i32; 3], Fault> {
        let at = self.offset();
        let values = [self.raw().i32()?, self.raw().i32()?, self.raw().i32()?];
        self.record(name, "Rotator", at, || Value::Ints(values.iter().map(|v| i64::from(*v)).collect()));
        Ok(values)
    }

    /// `count` records of at least `smallest` bytes each. They are one field, a table whose rows are read again when they are
    /// looked at.
    pub fn elements<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        count: u64,
        smallest: u64,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Result<Vec<T>, Fault> {
        let count = self.raw().check_count(count, smallest)?;
        let mut list = Vec::with_capacity(count.min(MAX_AT_ONCE));
        let Some(outside) = self.take_fields() else {
            for _ in 0..count {
                list.push(read(self)?);
            }
            return Ok(list);
        };
        let at = self.offset();
        let mut offsets = Vec::with_capacity(count.min(MAX_AT_ONCE));
        let mut fault = None;
        for _ in 0..count {
            offsets.push(self.offset());
            match read(self) {
                Ok(value) => list.push(value),
                Err(error) => {
                    fault = Some(error);
                    break;
                }
            }
        }
        // Of a row that cannot be read nothing is shown.
        let end = if fault.is_some() { offsets.pop().unwrap_or(at) } else { self.offset() };
        offsets.push(end);
        self.put_fields(Some(outside));
        if count > 0 {
            self.push_rows(name, kind, offsets, move |reader| read(reader).map(|_| ()));
        }
        fault.map_or(Ok(list), Err)
    }

    /// As [`Self::elements`], of a table that may have millions of rows: nothing is kept of them but where they are. `read`
    /// records all that it reads.
    pub fn solid_table(
        &mut self,
        name: &'static str,
        count: u64,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<(), Fault> + Send + Sync + 'static,
    ) {
        let outside = self.take_fields();
        let count = usize::try_from(count).unwrap_or(0).min(self.left());
        let at = self.offset();
        let mut marks = Vec::with_capacity(count.div_ceil(MARKED));
        let mut rows = 0_usize;
        let mut end = at;
        while rows < count {
            if rows.checked_rem(MARKED) == Some(0) {
                marks.push(end);
            }
            // It was read once; damage behind it stays unread.
            if read(self).is_err() {
                break;
            }
            end = self.offset();
            rows = rows.saturating_add(1);
        }
        self.put_fields(outside);
        if rows > 0 {
            let table = SolidRows { package: self.package.clone(), marks, rows, end, read: Box::new(read) };
            self.push(Field::table(name, "table", at, end.saturating_sub(at), Arc::new(table)));
        }
    }

    /// An array: its count as an index, then the elements (§2.6).
    pub fn array<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        smallest: u64,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Result<Vec<T>, Fault> {
        let name = name.into();
        let count = self.count(format!("{name} count"))?;
        self.elements(name, kind, count, smallest, read)
    }

    /// The count of an array: a negative one is a fault.
    pub fn count(&mut self, name: impl Into<Cow<'static, str>>) -> Result<u64, Fault> {
        let at = self.offset();
        let count = self.index(name)?;
        u64::try_from(count).map_err(|_| Fault::new(at, format!("invalid count {count}")))
    }

    /// The offset behind a lazy array that is written in front of it from version 62 on (§2.6). It is never relied on; at 62
    /// itself it is read only where it can be one. Returns it where it is there.
    pub fn skip_offset(&mut self) -> Result<Option<u32>, Fault> {
        let version = self.version();
        let end = self.offset().saturating_add(self.left() as u64);
        let likely = self.raw().clone().u32().is_ok_and(|o| u64::from(o) > self.offset() && u64::from(o) <= end);
        if version > 62 || version == 62 && likely { self.u32("SkipOffset").map(Some) } else { Ok(None) }
    }

    /// A lazy array.
    pub fn lazy_array<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: impl Into<Cow<'static, str>>,
        smallest: u64,
        read: impl Fn(&mut ObjectReader<'_>) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> Result<Vec<T>, Fault> {
        self.skip_offset()?;
        self.array(name, kind, smallest, read)
    }

    /// A lazy array of bytes, as they are; `value` says what they are.
    pub fn lazy_bytes(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        kind: &'static str,
        value: Value,
    ) -> Result<&'a [u8], Fault> {
        self.skip_offset()?;
        let name = name.into();
        let count = self.count(format!("{name} size"))?;
        let count = self.raw().check_count(count, 1)?;
        self.bytes(name, kind, count, value)
    }
}

/// Flags with the names of those that are set.
pub fn flags(value: u64, names: &[(u64, &'static str)]) -> Value {
    Value::Flags { value, names: names.iter().filter(|(bit, _)| value & bit == *bit).map(|(_, name)| *name).collect() }
}

/// Of how many rows of a [`SolidRows`] one is remembered.
const MARKED: usize = 16;

/// Rows of a table that are read again, from the last one whose place is known, when they are looked at.
struct SolidRows {
    package: Arc<Package>,
    /// Where every [`MARKED`]th row starts.
    marks: Vec<u64>,
    rows: usize,
    /// Where the last one ends.
    end: u64,
    read: Box<ReadRow>,
}

impl std::fmt::Debug for SolidRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SolidRows({})", self.rows)
    }
}

impl Table for SolidRows {
    fn len(&self) -> usize {
        self.rows
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn row(&self, index: usize) -> Option<Field> {
        let start = *self.marks.get(index.checked_div(MARKED)?).filter(|_| index < self.rows)?;
        let mut reader = ObjectReader::new(&self.package, start..self.end);
        for _ in 0..index.checked_rem(MARKED)? {
            (self.read)(&mut reader).ok()?;
        }
        let start = reader.offset();
        let mut reader = reader.recording();
        // It was read once without a fault.
        let _ = (self.read)(&mut reader);
        let end = reader.offset();
        Some(as_row(index, start, end, reader.into_fields()))
    }
}

/// Reads one record.
type ReadRow = dyn Fn(&mut ObjectReader<'_>) -> Result<(), Fault> + Send + Sync;

/// Records that are read again, one at a time, when they are looked at.
struct Rows {
    package: Arc<Package>,
    /// Where each row starts, and where the last one ends.
    offsets: Vec<u64>,
    read: Box<ReadRow>,
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rows({})", self.len())
    }
}

impl Table for Rows {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn row(&self, index: usize) -> Option<Field> {
        let (start, end) = (*self.offsets.get(index)?, *self.offsets.get(index.checked_add(1)?)?);
        let mut reader = ObjectReader::new(&self.package, start..end).recording();
        // It was read once without a fault.
        let _ = (self.read)(&mut reader);
        Some(as_row(index, start, end, reader.into_fields()))
    }
}

/// The fields of a row as one; a single one is the row.
fn as_row(index: usize, start: u64, end: u64, mut fields: Vec<Field>) -> Field {
    if fields.len() == 1
        && let Some(mut field) = fields.pop()
    {
        field.name = index.to_string().into();
        return field;
    }
    Field::group(index.to_string(), "", start, end.saturating_sub(start), fields)
}
