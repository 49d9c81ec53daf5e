//! Tags of a level: selections, properties, sharp edges, masses (formats/visitor.md §2.4).

use super::{face, info::TAG, lod_kind::LodKind};
use crate::{
    bytes::text,
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
};
use std::ops::Range;

/// The tag behind which a level's resolution stands.
pub const END: &str = "#EndOfFile#";
/// Bytes of a tag's name in older levels, and of a property's name and value.
const NAME_FIELD: usize = 64;
/// Members of a selection that are listed.
const MAX_LISTED: usize = 16;

/// What tags must know of their level.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub kind: LodKind,
    pub points: u32,
    pub faces: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// Bytes from the start of the file.
    pub data: Range<u64>,
}

impl Tag {
    /// Placeholders of other models that the game puts there.
    pub fn is_proxy(&self) -> bool {
        self.name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("proxy:"))
    }
}

/// Reads a tag with its data.
///
/// # Errors
/// When it does not fit.
pub fn read(r: &mut FieldReader<'_>, shape: Shape) -> Result<Tag, Fault> {
    let name = match shape.kind {
        LodKind::P3dm => {
            r.u8("Active")?;
            face::name(r, "Name")?
        }
        LodKind::Sp3x => r.text("Name", NAME_FIELD, text::decode_field)?,
    };
    let size = r.u32("Size")?;
    if size as usize > r.left() {
        return Err(r.fault(format!("expected {size} bytes in the tag “{name}”, found {}", r.left())));
    }
    let start = r.offset();
    let end = start.saturating_add(u64::from(size));
    read_data(r, &name, size, shape)?;
    let rest = end.saturating_sub(r.offset());
    if rest > 0 {
        r.bytes("Data", format!("u8[{rest}]"), rest as usize, Value::Opaque(TAG))?;
    }
    Ok(Tag { name, data: start..end })
}

fn read_data(r: &mut FieldReader<'_>, name: &str, size: u32, shape: Shape) -> Result<(), Fault> {
    let size = u64::from(size);
    let rows = |bytes: u64, stride: u64| bytes.checked_div(stride).unwrap_or(0);
    match name {
        "#Property#" if size == 128 => {
            r.text("Name", NAME_FIELD, text::decode_field)?;
            r.text("Value", NAME_FIELD, text::decode_field)?;
        }
        "#SharpEdges#" => r.table("Edges", "u32[2]", rows(size, 8), 8, |r, _| {
            r.u32("From")?;
            r.u32("To").map(|_| ())
        })?,
        "#Mass#" => r.table("Masses", "f32", rows(size, 4), 4, |r, _| r.f32("Mass").map(|_| ()))?,
        "#UVSet#" if size >= 4 => {
            r.u32("Set")?;
            let count = rows(size.saturating_sub(4), 8);
            r.table("Coordinates", "f32[2]", count, 8, |r, _| r.floats::<2>("Coordinate", "f32[2]").map(|_| ()))?;
        }
        "#Animation#" if size >= 4 => {
            r.f32("Time")?;
            let count = rows(size.saturating_sub(4), 12);
            r.table("Positions", "Vector", count, 12, |r, _| r.floats::<3>("Position", "Vector").map(|_| ()))?;
        }
        _ if size > 0 && size == u64::from(shape.points).saturating_add(u64::from(shape.faces)) => {
            members(r, "Points", shape.points as usize)?;
            members(r, "Faces", shape.faces as usize)?;
        }
        _ => {}
    }
    Ok(())
}

/// One byte each: 0 for those that do not belong.
fn members(r: &mut FieldReader<'_>, name: &'static str, count: usize) -> Result<(), Fault> {
    let at = r.offset();
    let bytes = r.raw().bytes(count)?;
    r.record(name, format!("u8[{count}]"), at, || Value::Text(chosen(bytes)));
    Ok(())
}

/// `3 of 40: 1 5 7`.
fn chosen(bytes: &[u8]) -> String {
    let members = || bytes.iter().enumerate().filter(|(_, b)| **b != 0);
    let count = members().count();
    let list: String = members().take(MAX_LISTED).map(|(index, _)| format!(" {index}")).collect();
    let more = if count > MAX_LISTED { " …" } else { "" };
    format!("{count} of {}:{list}{more}", bytes.len())
}
