//! VTX1: the arrays that vertices take their positions, normals, colours and texture coordinates from (formats/j3d.md §6.2).

use super::super::{codes, file::Findings};
use crate::{
    bytes::numbers::counted,
    formats::{
        Value,
        field_reader::{Fault, FieldReader, enumerated},
        gx::vertex::{ArrayFormat, Attribute},
    },
};
use glam::{Vec2, Vec3};

/// Entries of the format list that are read; the chip has two dozen attributes.
const MAX_FORMATS: usize = 64;

/// The arrays in the order in which their offsets stand in the chunk, each with its name.
const ARRAYS: [(Attribute, &str); 13] = [
    (Attribute::POSITION, "Positions"),
    (Attribute::NORMAL, "Normals"),
    (Attribute::NBT, "NormalsBinormalsTangents"),
    (Attribute::COLOR_0, "Colors0"),
    (Attribute::COLOR_1, "Colors1"),
    (Attribute(13), "TexCoords0"),
    (Attribute(14), "TexCoords1"),
    (Attribute(15), "TexCoords2"),
    (Attribute(16), "TexCoords3"),
    (Attribute(17), "TexCoords4"),
    (Attribute(18), "TexCoords5"),
    (Attribute(19), "TexCoords6"),
    (Attribute(20), "TexCoords7"),
];

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Vtx1 {
    pub positions: Vec<Vec3>,
    pub normals: Normals,
    /// What the attribute NBT reads instead of `normals`.
    pub nbt: Normals,
    pub colors: [Vec<[u8; 4]>; 2],
    pub tex_coords: [Vec<Vec2>; 8],
    /// Indices that a vertex has for normal, binormal and tangent together: 1 or 3.
    pub nbt_indices: u8,
}

/// An array of normals.
#[derive(Clone, Debug, Default)]
pub struct Normals {
    pub normals: Vec<Vec3>,
    /// Binormal and tangent of each, or none.
    pub tangents: Vec<[Vec3; 2]>,
}

/// One line of the format list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FormatLine {
    attribute: Attribute,
    count: u32,
    kind: u32,
    shift: u8,
}

impl Vtx1 {
    /// Elements in the array of an attribute.
    pub fn len(&self, attribute: Attribute) -> usize {
        match attribute {
            Attribute::POSITION => self.positions.len(),
            Attribute::NORMAL => self.normals.normals.len(),
            Attribute::NBT => self.nbt.normals.len(),
            _ => match (attribute.color(), attribute.tex_coord()) {
                (Some(index), _) => self.colors.get(index).map_or(0, Vec::len),
                (_, Some(index)) => self.tex_coords.get(index).map_or(0, Vec::len),
                _ => 0,
            },
        }
    }

    fn put(&mut self, attribute: Attribute, format: ArrayFormat, bytes: &[u8]) {
        match attribute {
            Attribute::POSITION => self.positions = format.vectors(bytes),
            Attribute::NORMAL => self.normals = normals(format, bytes),
            Attribute::NBT => self.nbt = normals(format, bytes),
            _ => {
                if let Some(colors) = attribute.color().and_then(|i| self.colors.get_mut(i)) {
                    *colors = format.colors(bytes);
                } else if let Some(pairs) = attribute.tex_coord().and_then(|i| self.tex_coords.get_mut(i)) {
                    *pairs = format.pairs(bytes);
                }
            }
        }
    }

    /// Puts zeros in the place of numbers that are not finite, and says how many elements have some.
    fn make_finite(&mut self) -> usize {
        let mut bad = 0_usize;
        let mut vectors = |list: &mut Vec<Vec3>| {
            for vector in list.iter_mut().filter(|v| !v.is_finite()) {
                *vector = Vec3::ZERO;
                bad = bad.saturating_add(1);
            }
        };
        vectors(&mut self.positions);
        vectors(&mut self.normals.normals);
        vectors(&mut self.nbt.normals);
        let tangents = self.normals.tangents.iter_mut().chain(&mut self.nbt.tangents);
        for tangents in tangents.filter(|t| !t.iter().all(|v| v.is_finite())) {
            *tangents = [Vec3::ZERO; 2];
            bad = bad.saturating_add(1);
        }
        for pair in self.tex_coords.iter_mut().flatten().filter(|v| !v.is_finite()) {
            *pair = Vec2::ZERO;
            bad = bad.saturating_add(1);
        }
        bad
    }
}

fn normals(format: ArrayFormat, bytes: &[u8]) -> Normals {
    match format {
        ArrayFormat::Numbers { count: 9, .. } => {
            let rows = format.rows::<9>(bytes);
            let parts =
                |[a, b, c, d, e, f, g, h, i]: [f32; 9]| (Vec3::new(a, b, c), [Vec3::new(d, e, f), Vec3::new(g, h, i)]);
            let (normals, tangents) = rows.into_iter().map(parts).unzip();
            Normals { normals, tangents }
        }
        _ => Normals { normals: format.vectors(bytes), tangents: Vec::new() },
    }
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Vtx1, Fault> {
    let list_offset = r.u32("FormatListOffset")?;
    let offsets_at = r.offset();
    let offsets = r.group("ArrayOffsets", "u32[13]", |r| {
        let mut offsets = [0; 13];
        for (offset, (_, name)) in offsets.iter_mut().zip(ARRAYS) {
            *offset = r.u32(name)?;
        }
        Ok(offsets)
    })?;
    r.seek_in_range(list_offset)?;
    let lines = r.group("Formats", "AttributeFormat[]", |r| read_formats(r, findings))?;
    let mut vtx1 = Vtx1 { nbt_indices: 1, ..Vtx1::default() };
    let line_of = |attribute| lines.iter().find(|l| l.attribute == attribute).copied();
    if [Attribute::NORMAL, Attribute::NBT].into_iter().filter_map(line_of).any(|l| l.count == 2) {
        vtx1.nbt_indices = 3;
    }
    for (index, ((attribute, name), offset)) in ARRAYS.into_iter().zip(offsets).enumerate() {
        if offset == 0 {
            continue;
        }
        let at = offsets_at.saturating_add((index as u64).saturating_mul(4));
        let line = line_of(attribute).or_else(|| match attribute {
            // The same numbers, three times as many.
            Attribute::NBT => line_of(Attribute::NORMAL).map(|l| FormatLine { count: l.count.max(1), ..l }),
            _ => None,
        });
        let format = line.and_then(|l| ArrayFormat::of_codes(attribute, l.count, l.kind, l.shift));
        let Some(format) = format else {
            let why = if line.is_some() { "has an unknown type" } else { "is missing from the format list" };
            findings.add(&codes::BAD_VALUE, Some(at), format!("the array {name} {why}; the array is treated as empty"));
            continue;
        };
        // Two attributes may read one array: its bytes are shown once.
        let is_first = !offsets.iter().take(index).any(|o| *o == offset);
        let next = offsets.iter().copied().chain([list_offset]).filter(|o| *o > offset).min();
        match array_bytes(r, offset, next, format.stride()) {
            Ok(bytes) => {
                if is_first && r.is_recording() {
                    show(r, name, offset, format, bytes.len())?;
                }
                vtx1.put(attribute, format, bytes);
            }
            Err(fault) => {
                let message = format!("the array {name} cannot be read: {}", fault.message);
                findings.add(&codes::SHORT_ARRAY, Some(at), message);
            }
        }
    }
    let bad = vtx1.make_finite();
    if bad > 0 {
        let message = format!("the arrays contain {}; 0 is used instead", counted(bad, "non-finite element"));
        findings.add(&codes::NOT_FINITE, Some(r.range().start), message);
    }
    Ok(vtx1)
}

fn read_formats(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Vec<FormatLine>, Fault> {
    let mut lines = Vec::new();
    loop {
        let line = r.group(lines.len().to_string(), "AttributeFormat", read_format)?;
        if line.attribute == Attribute::END {
            return Ok(lines);
        }
        if lines.len() >= MAX_FORMATS {
            let message = "the format list has no end marker; the formats found are used";
            findings.add(&codes::BAD_VALUE, Some(r.offset()), message);
            return Ok(lines);
        }
        lines.push(line);
    }
}

fn read_format(r: &mut FieldReader<'_>) -> Result<FormatLine, Fault> {
    let attribute = Attribute(r.named_u32("Attribute", |code| Attribute(code).name())?);
    let count_at = r.offset();
    let count = r.raw().u32()?;
    r.record("ComponentCount", "u32", count_at, || enumerated(i64::from(count), count_name(attribute, count)));
    let kind_at = r.offset();
    let kind = r.raw().u32()?;
    r.record("ComponentType", "u32", kind_at, || enumerated(i64::from(kind), kind_name(attribute, kind)));
    let shift = r.u8("FractionBits")?;
    r.pad(3)?;
    Ok(FormatLine { attribute, count, kind, shift })
}

fn count_name(attribute: Attribute, count: u32) -> Option<&'static str> {
    let names: &[&str] = match attribute {
        Attribute::POSITION => &["XY", "XYZ"],
        Attribute::NORMAL | Attribute::NBT => &["XYZ", "NBT", "NBT3"],
        _ if attribute.color().is_some() => &["RGB", "RGBA"],
        _ if attribute.tex_coord().is_some() => &["S", "ST"],
        _ => &[],
    };
    names.get(count as usize).copied()
}

fn kind_name(attribute: Attribute, kind: u32) -> Option<&'static str> {
    use crate::formats::gx::vertex::{ColorKind, Number};
    if attribute == Attribute::END {
        None
    } else if attribute.color().is_some() {
        ColorKind::of_code(kind).map(ColorKind::name)
    } else {
        Number::of_code(kind).map(Number::name)
    }
}

/// The bytes of an array from its offset to the next one, without what fills up.
fn array_bytes<'a>(r: &mut FieldReader<'a>, offset: u32, next: Option<u32>, stride: usize) -> Result<&'a [u8], Fault> {
    let mut ahead = r.fork();
    ahead.seek_in_range(offset)?;
    let room = next.map_or(usize::MAX, |next| next.saturating_sub(offset) as usize);
    let room = room.min(ahead.left());
    let bytes = ahead.raw().bytes(room)?;
    Ok(bytes.get(..without_filler(bytes, stride)).unwrap_or(bytes))
}

/// Bytes of the elements: tools fill up to a multiple of 32 with a text, which looks like further elements.
fn without_filler(bytes: &[u8], stride: usize) -> usize {
    const TEXTS: [&[u8]; 2] = [b"This is padding data to align", b"Model made with SuperBMD by Gam"];
    let whole = bytes.len().checked_div(stride).unwrap_or(0);
    // Fewer than four letters may as well be numbers.
    let tails = (0..whole.saturating_add(1)).rev().map(|count| count.saturating_mul(stride));
    let tails = tails.take_while(|start| bytes.len().saturating_sub(*start) < 32);
    let starts = |tail: &[u8], text: &[u8]| tail.iter().zip(text).all(|(a, b)| a == b);
    let filled = |start: &usize| {
        let tail = bytes.get(*start..).unwrap_or_default();
        tail.len() >= 4 && TEXTS.iter().any(|text| starts(tail, text))
    };
    tails.filter(filled).last().unwrap_or(whole.saturating_mul(stride))
}

fn show(
    r: &mut FieldReader<'_>,
    name: &'static str,
    offset: u32,
    format: ArrayFormat,
    size: usize,
) -> Result<(), Fault> {
    let stride = format.stride();
    let count = size.checked_div(stride).unwrap_or(0);
    let kind = format.name();
    let row_kind = kind.clone();
    r.seek_in_range(offset)?;
    r.records(name, kind, count as u64, stride as u64, move |r, _| {
        let at = r.offset();
        let bytes = r.raw().bytes(stride)?;
        r.record("Element", row_kind.clone(), at, || value(format, bytes));
        Ok(())
    })?;
    Ok(())
}

/// An element with its real values.
fn value(format: ArrayFormat, bytes: &[u8]) -> Value {
    match format {
        ArrayFormat::Colors(kind) => Value::Color(kind.color(bytes)),
        ArrayFormat::Numbers { count, .. } => {
            let row = format.rows::<9>(bytes).pop().unwrap_or_default();
            Value::Floats(row.into_iter().take(count).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_fills_up_is_no_element() {
        let filled = |real: usize, letters: usize| {
            let mut bytes = vec![7; real];
            bytes.extend(&b"This is padding data to alignme"[..letters]);
            bytes
        };
        assert_eq!(without_filler(&filled(36, 28), 6), 36);
        assert_eq!(without_filler(&filled(36, 4), 4), 36);
        assert_eq!(without_filler(&filled(36, 2), 2), 38);
        assert_eq!(without_filler(&filled(36, 5), 12), 36);
        assert_eq!(without_filler(b"\x12\x34\x56\x78Model made with Supe", 2), 4);
        assert_eq!(without_filler(&[0; 64], 6), 60);
        assert_eq!(without_filler(b"Thi", 0), 0);
    }
}
