//! Banks: pools of numbers that tracks point into.

use crate::{
    bytes::Source,
    formats::{
        Field, Table, Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::{marker::PhantomData, sync::Arc};

/// A number as a bank stores it.
pub trait Element: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Bytes.
    const SIZE: usize;
    /// Name of the type in fields, such as `s16`.
    const KIND: &'static str;

    /// From exactly [`Element::SIZE`] big-endian bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Returns the number as the value of a field.
    fn value(self) -> Value;

    /// Returns the number as f32, unscaled.
    fn number(self) -> f32;
}

macro_rules! element {
    ($type:ty, $kind:literal, $value:ident as $as:ty, $number:expr) => {
        impl Element for $type {
            const SIZE: usize = size_of::<$type>();
            const KIND: &'static str = $kind;

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Self::default(), Self::from_be_bytes)
            }

            fn value(self) -> Value {
                Value::$value(<$as>::from(self))
            }

            fn number(self) -> f32 {
                $number(self)
            }
        }
    };
}

element!(u8, "u8", UInt as u64, f32::from);
element!(u16, "u16", UInt as u64, f32::from);
element!(i16, "s16", Int as i64, f32::from);
element!(f32, "f32", Float as f32, |v| v);

/// Numbers that tracks share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bank<T> {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Numbers as stored, including any that are not finite.
    pub numbers: Vec<T>,
}

/// Reads `count` numbers in a row; they are one field, a table of numbers.
///
/// # Errors
/// When they do not fit.
pub fn read_bank<T: Element>(
    r: &mut FieldReader<'_>,
    name: &'static str,
    kind: &'static str,
    count: usize,
) -> Result<Vec<T>, Fault> {
    let at = r.offset();
    let count = r.raw().check_count(count as u64, T::SIZE as u64)?;
    let bytes = r.raw().bytes(count.saturating_mul(T::SIZE))?;
    let numbers = bytes.chunks_exact(T::SIZE).map(T::read).collect();
    if count > 0 && r.is_recording() {
        let rows = Numbers { source: r.source().clone(), at, count, kind, element: PhantomData::<T> };
        r.push(Field::table(name, format!("{}[{count}]", T::KIND), at, bytes.len() as u64, Arc::new(rows)));
    }
    Ok(numbers)
}

/// The numbers of a bank, read again when they are looked at.
#[derive(Debug)]
struct Numbers<T> {
    source: Source,
    at: u64,
    count: usize,
    /// What they are in.
    kind: &'static str,
    element: PhantomData<T>,
}

impl<T: Element> Table for Numbers<T> {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        if index >= self.count {
            return None;
        }
        let size = T::SIZE as u64;
        let at = self.at.checked_add((index as u64).checked_mul(size)?)?;
        let start = usize::try_from(at).ok()?;
        let bytes = self.source.as_slice().get(start..start.checked_add(T::SIZE)?)?;
        Some(Field::new(index.to_string(), self.kind, T::read(bytes).value(), at, size))
    }
}
