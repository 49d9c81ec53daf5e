//! SHP1: shapes, each with the attributes of its vertices, the matrices it is drawn with and its display lists
//! (formats/j3d.md §6.6).

use super::super::{codes, file::Findings};
use crate::{
    bytes::{
        Source,
        numbers::{counted, grouped},
    },
    formats::{
        field_reader::{Fault, FieldReader, enumerated},
        gx::vertex::{Attribute, Held},
        read_budget::ReadBudget,
    },
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Where a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The bytes that are there; of a record past the end of its chunk, the number that selects it.
    pub range: Range<u64>,
    pub is_there: bool,
}

/// A table of records behind a list of 16-bit numbers. All offsets count from the start of the file.
pub struct RecordTable {
    /// Where the numbers begin.
    pub remap_at: u64,
    /// Where the records begin.
    pub at: u64,
    /// Where their chunk ends.
    pub end: u64,
    /// Bytes of a record.
    pub size: u64,
}

impl RecordTable {
    /// The place of each record that the numbers select.
    pub fn places(&self, remap: &[u16]) -> Vec<RecordPlace> {
        let numbers = (0_u64..).map(|index| self.remap_at.saturating_add(index.saturating_mul(2)));
        let place = |(entry, number): (&u16, u64)| {
            let start = self.at.saturating_add(u64::from(*entry).saturating_mul(self.size));
            match start < self.end {
                true => RecordPlace { range: start..start.saturating_add(self.size).min(self.end), is_there: true },
                false => RecordPlace { range: number..number.saturating_add(2), is_there: false },
            }
        };
        remap.iter().zip(numbers).map(place).collect()
    }
}

/// Bytes of a shape.
const SHAPE_SIZE: u64 = 0x28;
/// Attributes that a list is read to; the chip has two dozen.
const MAX_ATTRIBUTES: usize = 32;
/// Shapes that may share entries; each has one of its own in real files.
const MAX_SHARING: usize = 4096;

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Shp1 {
    /// Shapes as the others name them: the table's entries through the list of indices. `None`: its entry is not there.
    pub shapes: Vec<Option<StoredShape>>,
    /// Where each shape's entry lies.
    pub places: Vec<RecordPlace>,
    /// By their offsets in the chunk's part for them.
    pub attribute_lists: HashMap<u16, AttributeList>,
    pub matrix_table: Vec<u16>,
    pub matrix_groups: Vec<MatrixGroup>,
    pub draws: Vec<Draw>,
    /// Where the display lists begin, in bytes from the start of the file.
    pub lists_offset: u64,
    /// The chunk.
    pub range: Range<u64>,
}

/// Attributes in the file's own order.
pub type AttributeList = Arc<[(Attribute, Held)]>;

/// A shape as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredShape {
    /// 0 one matrix, 1 billboard, 2 billboard about Y, 3 up to ten matrices.
    pub matrix_type: u8,
    pub group_count: u16,
    pub attribute_list: u16,
    pub first_matrix_group: u16,
    pub first_draw: u16,
    pub radius: f32,
    pub box_min: [f32; 3],
    pub box_max: [f32; 3],
}

/// The matrices of a run of primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixGroup {
    /// Into DRW1, for shapes with one matrix.
    pub use_matrix: u16,
    pub count: u16,
    /// Into [`Shp1::matrix_table`].
    pub first: u32,
}

/// Where a display list lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    pub size: u32,
    /// From [`Shp1::lists_offset`].
    pub offset: u32,
}

impl Shp1 {
    /// A display list's bytes and where they begin; `None` where they lie outside the chunk.
    pub fn list<'a>(&self, source: &'a Source, draw: Draw) -> Option<(u64, &'a [u8])> {
        let start = self.lists_offset.checked_add(u64::from(draw.offset))?;
        let end = start.checked_add(u64::from(draw.size)).filter(|end| *end <= self.range.end)?;
        let bytes = source.as_slice().get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        Some((start, bytes))
    }

    /// What of display lists may be read: shapes and groups may share them.
    pub fn read_budget(&self) -> ReadBudget {
        let size = self.range.end.saturating_sub(self.range.start);
        ReadBudget::new(size.saturating_mul(2).saturating_add(SHARED))
    }

    /// Whether a shape's lists may be read too.
    pub fn may_read(&self, shape: &StoredShape, budget: &mut ReadBudget) -> bool {
        if !budget.take(u64::from(shape.group_count).saturating_mul(OF_GROUP).saturating_add(OF_SHAPE)) {
            return false;
        }
        let first = usize::from(shape.first_draw);
        let draws = self.draws.get(first..first.saturating_add(usize::from(shape.group_count))).unwrap_or_default();
        budget.take(draws.iter().fold(0_u64, |sum, draw| sum.saturating_add(u64::from(draw.size))))
    }
}

/// Bytes of display lists that may be read besides the size of their chunk.
const SHARED: u64 = 1 << 20;
/// What a shape and a group of it count as, in bytes.
const OF_SHAPE: u64 = 64;
const OF_GROUP: u64 = 16;

fn matrix_type_name(code: u8) -> Option<&'static str> {
    ["single", "billboard", "Y billboard", "multi"].get(usize::from(code)).copied()
}

/// What the chunk's header says: offsets count from the chunk's start.
struct Header {
    count: u16,
    shapes: u32,
    remap: u32,
    names: u32,
    attributes: u32,
    matrices: u32,
    lists: u32,
    groups: u32,
    draws: u32,
}

fn read_header(r: &mut FieldReader<'_>) -> Result<Header, Fault> {
    let count = r.u16("ShapeCount")?;
    r.pad(2)?;
    Ok(Header {
        count,
        shapes: r.u32("ShapesOffset")?,
        remap: r.u32("RemapOffset")?,
        names: r.u32("NamesOffset")?,
        attributes: r.u32("AttributeListsOffset")?,
        matrices: r.u32("MatrixTableOffset")?,
        lists: r.u32("DisplayListsOffset")?,
        groups: r.u32("MatrixGroupsOffset")?,
        draws: r.u32("DrawsOffset")?,
    })
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Shp1, Fault> {
    let header = read_header(r)?;
    r.seek_in_range(header.remap)?;
    let remap_at = r.offset();
    let mut remap = r.records("Remap", "u16", u64::from(header.count), 2, |r, _| r.u16("Entry"))?;
    let wanted = remap.iter().max().map_or(0, |last| u64::from(*last).saturating_add(1));
    let shapes_at = r.range().start.saturating_add(u64::from(header.shapes));
    let table = table(r, header.shapes, "Shapes", "Shape", wanted, SHAPE_SIZE, findings, read_shape)?;
    let most = table.len().max(MAX_SHARING);
    if remap.len() > most {
        let message = format!(
            "{} share {}: only the first {} shapes are kept",
            counted(remap.len(), "shape"),
            counted(table.len(), "entry"),
            grouped(most)
        );
        findings.add(&codes::BAD_INDEX, Some(remap_at), message);
        remap.truncate(most);
    }
    let attribute_lists = attribute_lists(r, header.attributes, &table, findings)?;
    let end = |first: u16, count: u16| u64::from(first).saturating_add(u64::from(count));
    let wanted = table.iter().map(|s| end(s.first_matrix_group, s.group_count)).max().unwrap_or(0);
    let matrix_groups = self::table(r, header.groups, "MatrixGroups", "MatrixGroup", wanted, 8, findings, |r| {
        Ok(MatrixGroup { use_matrix: r.u16("UseMatrix")?, count: r.u16("Count")?, first: r.u32("First")? })
    })?;
    let wanted = table.iter().map(|s| end(s.first_draw, s.group_count)).max().unwrap_or(0);
    let draws = self::table(r, header.draws, "Draws", "Draw", wanted, 8, findings, |r| {
        Ok(Draw { size: r.u32("Size")?, offset: r.u32("Offset")? })
    })?;
    let of_group = |g: &MatrixGroup| u64::from(g.first).saturating_add(u64::from(g.count));
    let wanted = matrix_groups.iter().map(of_group).max().unwrap_or(0);
    let matrix_table =
        self::table(r, header.matrices, "MatrixTable", "u16", wanted, 2, findings, |r| r.u16("DrawMatrix"))?;
    if header.names != 0 {
        super::super::names::read_names(r, header.names, findings)?;
    }
    let range = r.range();
    Ok(Shp1 {
        shapes: remap.iter().map(|entry| table.get(usize::from(*entry)).copied()).collect(),
        places: RecordTable { remap_at, at: shapes_at, end: range.end, size: SHAPE_SIZE }.places(&remap),
        attribute_lists,
        matrix_table,
        matrix_groups,
        draws,
        lists_offset: range.start.saturating_add(u64::from(header.lists)),
        range,
    })
}

/// One entry of the table.
pub fn read_shape(r: &mut FieldReader<'_>) -> Result<StoredShape, Fault> {
    let matrix_type = r.named_u8("MatrixType", matrix_type_name)?;
    r.pad(1)?;
    let group_count = r.u16("GroupCount")?;
    let attribute_list = r.u16("AttributeListOffset")?;
    let first_matrix_group = r.u16("FirstMatrixGroup")?;
    let first_draw = r.u16("FirstDraw")?;
    r.pad(2)?;
    Ok(StoredShape {
        matrix_type,
        group_count,
        attribute_list,
        first_matrix_group,
        first_draw,
        radius: r.f32("Radius")?,
        box_min: r.floats("BoxMin", "f32[3]")?,
        box_max: r.floats("BoxMax", "f32[3]")?,
    })
}

/// A table of which the others say how long it must be: shorter where the chunk ends.
#[expect(clippy::too_many_arguments, reason = "a table has an offset, names and a layout")]
fn table<T>(
    r: &mut FieldReader<'_>,
    offset: u32,
    name: &'static str,
    kind: &'static str,
    wanted: u64,
    stride: u64,
    findings: &mut Findings,
    read: impl Fn(&mut FieldReader<'_>) -> Result<T, Fault> + Send + Sync + 'static,
) -> Result<Vec<T>, Fault> {
    if wanted == 0 {
        return Ok(Vec::new());
    }
    r.seek_in_range(offset)?;
    let there = r.whole_records(wanted, stride) as u64;
    if there < wanted {
        let message = format!("{name} needs {}, but has only {there}", counted(wanted, "entry"));
        findings.add(&codes::SHORT_ARRAY, Some(r.offset()), message);
    }
    r.records(name, kind, there, stride, move |r, _| read(r))
}

fn attribute_lists(
    r: &mut FieldReader<'_>,
    offset: u32,
    shapes: &[StoredShape],
    findings: &mut Findings,
) -> Result<HashMap<u16, AttributeList>, Fault> {
    let mut starts: Vec<u16> = shapes.iter().map(|s| s.attribute_list).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut lists = HashMap::with_capacity(starts.len());
    r.group("AttributeLists", "", |r| {
        // A list that begins inside the one before is shown once.
        let mut shown = 0_u64;
        for start in starts {
            let Ok(()) = r.seek_in_range(offset.saturating_add(u32::from(start))) else {
                findings.add(
                    &codes::SHORT_ARRAY,
                    Some(r.offset()),
                    format!("the attribute list at offset {start} is outside its table"),
                );
                continue;
            };
            let at = r.offset();
            let list = if at < shown {
                read_attributes(&mut r.fork())
            } else {
                r.group(format!("Offset {start}"), "Attribute[]", read_attributes)
            };
            shown = shown.max(r.offset());
            match list {
                Ok(list) => {
                    lists.insert(start, list.into());
                }
                Err(fault) => {
                    findings.add(
                        &codes::SHORT_ARRAY,
                        Some(at),
                        format!("cannot read an attribute list: {}", fault.message),
                    );
                }
            }
        }
        Ok(())
    })?;
    Ok(lists)
}

fn read_attributes(r: &mut FieldReader<'_>) -> Result<Vec<(Attribute, Held)>, Fault> {
    let mut list = Vec::new();
    loop {
        let (attribute, held) = r.group(list.len().to_string(), "Attribute", |r| {
            let attribute = Attribute(r.named_u32("Attribute", |code| Attribute(code).name())?);
            let at = r.offset();
            let code = r.raw().u32()?;
            let name = if attribute == Attribute::END { None } else { Held::name_of_code(code) };
            r.record("Type", "u32", at, || enumerated(i64::from(code), name));
            Ok((attribute, Held::of_code(code)))
        })?;
        if attribute == Attribute::END {
            return Ok(list);
        }
        if list.len() >= MAX_ATTRIBUTES {
            return Err(r.fault("the list has no end marker"));
        }
        list.extend(held.map(|held| (attribute, held)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_past_the_end_is_where_its_number_is() {
        let table = RecordTable { remap_at: 10, at: 20, end: 34, size: 8 };
        let place = |range, is_there| RecordPlace { range, is_there };
        let expected = [place(28..34, true), place(20..28, true), place(14..16, false)];
        assert_eq!(table.places(&[1, 0, 9]), expected);
    }
}
