//! Arrays of a display object: a header each, and elements in whole or floating-point numbers (formats/charpipe.md §3, §4).

use crate::{
    bytes::Source,
    formats::{
        Value,
        claims::Claims,
        field_reader::{Fault, FieldReader},
        gx::vertex::{ArrayFormat, ColorKind, Number},
    },
};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Numbers of an element of a skinned object: a position, and its normal behind it.
pub const SKINNED: u8 = 6;

/// What an array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    Positions,
    Colors,
    TexCoords(u8),
    Normals,
}

impl ArrayKind {
    /// Name of its header's field.
    fn header(self) -> String {
        match self {
            Self::Positions => "Positions".to_owned(),
            Self::Colors => "Colors".to_owned(),
            Self::TexCoords(channel) => format!("TexCoords{channel}"),
            Self::Normals => "Lighting".to_owned(),
        }
    }

    /// Name of its elements' field.
    fn elements(self) -> String {
        match self {
            Self::Positions => "PositionArray".to_owned(),
            Self::Colors => "ColorArray".to_owned(),
            Self::TexCoords(channel) => format!("TexCoordArray{channel}"),
            Self::Normals => "NormalArray".to_owned(),
        }
    }

    /// Kind of its elements' field.
    fn kind(self) -> &'static str {
        match self {
            Self::Positions => "Position[]",
            Self::Colors => "Color[]",
            Self::TexCoords(_) => "TexCoord[]",
            Self::Normals => "Normal[]",
        }
    }

    /// For people.
    pub fn words(self) -> String {
        match self {
            Self::Positions => "positions".to_owned(),
            Self::Colors => "colours".to_owned(),
            Self::TexCoords(channel) => format!("UV set {channel}"),
            Self::Normals => "normals".to_owned(),
        }
    }

    /// Numbers of an element that are its own; further ones belong to something else between the elements.
    fn own_numbers(self) -> usize {
        match self {
            Self::TexCoords(_) => 2,
            _ => 3,
        }
    }
}

/// An array, undecoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Array {
    /// Bytes from the start of the file; 0 for normals: the SDK's own table, which no file has.
    pub at: u64,
    /// Elements that are there.
    pub count: u16,
    /// Elements that the header counts.
    pub wanted: u16,
    pub format: ArrayFormat,
    /// Numbers of an element, as the header has them.
    pub components: u8,
    own: usize,
}

impl Array {
    /// Bytes from one element to the next.
    pub fn stride(&self) -> usize {
        self.format.stride()
    }

    /// Bytes of an element that are its own.
    fn own_size(&self) -> usize {
        match self.format {
            ArrayFormat::Numbers { number, count, .. } => number.size().saturating_mul(count.min(self.own)),
            ArrayFormat::Colors(kind) => kind.size(),
        }
    }

    /// From the first element to the end of the last.
    pub fn range(&self) -> Range<u64> {
        let strides = u64::from(self.count).saturating_sub(1).saturating_mul(self.stride() as u64);
        let size = if self.count == 0 { 0 } else { strides.saturating_add(self.own_size() as u64) };
        self.at..self.at.saturating_add(size)
    }

    /// The elements' own bytes, one after the other.
    fn packed(&self, source: &Source) -> Vec<u8> {
        let range = self.range();
        let size = range.end.saturating_sub(range.start);
        let Some(bytes) = source.slice(range.start, size) else { return Vec::new() };
        let (stride, own) = (self.stride().max(1), self.own_size());
        if stride == own {
            return bytes.as_slice().to_vec();
        }
        bytes.as_slice().chunks(stride).filter_map(|element| element.get(..own)).flatten().copied().collect()
    }

    fn packed_format(&self) -> ArrayFormat {
        match self.format {
            ArrayFormat::Numbers { number, count, shift } => {
                ArrayFormat::Numbers { number, count: count.min(self.own), shift }
            }
            colors @ ArrayFormat::Colors(_) => colors,
        }
    }

    pub fn vectors(&self, source: &Source) -> Vec<Vec3> {
        self.packed_format().vectors(&self.packed(source))
    }

    pub fn pairs(&self, source: &Source) -> Vec<Vec2> {
        self.packed_format().pairs(&self.packed(source))
    }

    pub fn colors(&self, source: &Source) -> Vec<[u8; 4]> {
        self.packed_format().colors(&self.packed(source))
    }

    /// The six numbers of 16 bits of each element of a skinned object; none for another array.
    pub fn slots(&self, source: &Source) -> Vec<[i16; 6]> {
        let is_skinned = self.components == SKINNED && self.stride() == 12;
        let size = u64::from(self.count).saturating_mul(12);
        let Some(bytes) = source.slice(self.at, size).filter(|_| is_skinned) else { return Vec::new() };
        let slot = |bytes: &[u8; 12]| {
            let mut values = [0; 6];
            for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<2>().0) {
                *value = i16::from_be_bytes(*bytes);
            }
            values
        };
        bytes.as_slice().as_chunks::<12>().0.iter().map(slot).collect()
    }

    /// The power of two that its numbers are divided by.
    pub fn shift(&self) -> u8 {
        match self.format {
            ArrayFormat::Numbers { shift, .. } => shift,
            ArrayFormat::Colors(_) => 0,
        }
    }
}

/// Reads an array's header at the cursor (`more` reads what follows its 8 bytes), then its elements, which lie at an offset from
/// the display object. A header that promises more than there is yields what is there.
///
/// # Errors
/// When the header cannot be read, or the numbers are of a type that does not exist.
pub fn read_array<T>(
    r: &mut FieldReader<'_>,
    object: u64,
    kind: ArrayKind,
    claims: &mut Claims,
    more: impl FnOnce(&mut FieldReader<'_>, u8) -> Result<T, Fault>,
) -> Result<(Array, T), Fault> {
    let header = |r: &mut FieldReader<'_>| {
        r.group(kind.header(), "ArrayHeader", |r| {
            let offset = r.u32("ArrayOffset")?;
            let wanted = r.u16("Count")?;
            let at = r.offset();
            let code = r.raw().u8()?;
            let format_at = at;
            let components_at = r.offset();
            let components = r.raw().u8()?;
            let format = format_of(kind, code, components);
            if r.is_recording() {
                let name = format.map_or_else(|| "unknown".to_owned(), ArrayFormat::name);
                let value = Value::Enum { value: i64::from(code), name: name.into() };
                r.push(crate::formats::Field::new("Quantization", "u8", value, format_at, 1));
                let value = Value::UInt(u64::from(components));
                r.push(crate::formats::Field::new("Components", "u8", value, components_at, 1));
            }
            let more = more(r, components)?;
            let format = format.ok_or_else(|| {
                Fault::new(
                    format_at,
                    format!("invalid format for {}: {components} components of type {code:#04X}", kind.words()),
                )
            })?;
            Ok((offset, wanted, components, format, more))
        })
    };
    let header_at = r.offset();
    let header_end = header_at.saturating_add(header_size(kind));
    let (offset, wanted, components, format, more) = claims.read(r, header_at..header_end, header)?;
    let mut array = Array { at: 0, count: wanted, wanted, format, components, own: kind.own_numbers() };
    if kind == ArrayKind::Normals && offset == 0 {
        return Ok((array, more));
    }
    array.at = object.saturating_add(u64::from(offset));
    r.seek(array.at)?;
    // Of the last element only its own bytes must be there.
    let left = (r.left() as u64).saturating_add(array.stride().saturating_sub(array.own_size()) as u64);
    let whole = left.checked_div(array.stride() as u64).unwrap_or(0);
    array.count = u16::try_from(whole).unwrap_or(u16::MAX).min(wanted);
    if r.is_recording() && claims.take(array.range()) {
        let whole = r.whole_records(u64::from(array.count), array.stride() as u64) as u64;
        let read = move |r: &mut FieldReader<'_>, _| read_element(r, kind, array.format);
        r.table(kind.elements(), kind.kind(), whole, array.stride() as u64, read)?;
    }
    Ok((array, more))
}

/// Bytes of an array's header.
fn header_size(kind: ArrayKind) -> u64 {
    match kind {
        ArrayKind::Positions | ArrayKind::Colors => 8,
        ArrayKind::TexCoords(_) => 16,
        ArrayKind::Normals => 12,
    }
}

/// The high half of the code is the type, the low half the power of two (§3).
fn format_of(kind: ArrayKind, code: u8, components: u8) -> Option<ArrayFormat> {
    if kind == ArrayKind::Colors {
        return ColorKind::of_code(u32::from(code >> 4)).map(ArrayFormat::Colors);
    }
    let number = Number::of_code(u32::from(code >> 4))?;
    let most = if matches!(kind, ArrayKind::TexCoords(_)) { 3 } else { 9 };
    let count = Some(usize::from(components)).filter(|c| (1..=most).contains(c))?;
    Some(ArrayFormat::Numbers { number, count, shift: code & 15 })
}

fn read_element(r: &mut FieldReader<'_>, kind: ArrayKind, format: ArrayFormat) -> Result<(), Fault> {
    match format {
        ArrayFormat::Colors(color) => {
            let at = r.offset();
            let bytes = r.raw().bytes(color.size())?;
            r.record("Color", color.name(), at, || Value::Color(color.color(bytes)));
            Ok(())
        }
        ArrayFormat::Numbers { number, count, shift } => {
            let part = kind.own_numbers();
            let mut left = count;
            let mut names = match kind {
                ArrayKind::Positions => ["Position", "Normal", "Extra"],
                ArrayKind::Normals => ["Normal", "Binormal", "Tangent"],
                _ => ["TexCoord", "Extra", "Extra"],
            }
            .into_iter();
            while left > 0 {
                let format = ArrayFormat::Numbers { number, count: left.min(part), shift };
                let at = r.offset();
                let bytes = r.raw().bytes(format.stride())?;
                let values = || {
                    let row = format.rows::<3>(bytes).into_iter().flatten().take(left.min(part));
                    Value::Floats(row.collect())
                };
                r.record(names.next().unwrap_or("Extra"), format.name(), at, values);
                left = left.saturating_sub(part);
            }
            Ok(())
        }
    }
}
