//! The layout of vertices in the display lists of a shape, and display lists as fields: tables of primitives, each a
//! table of its vertices.

use super::{
    super::{
        file::{self, Findings},
        padding::PADDING,
    },
    shp1::{AttributeList, Shp1},
    vtx1::{self, Vtx1},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Field, Table,
        field_reader::FieldReader,
        gx::{
            display_list::{Column, Command, Commands, columns},
            list_fields,
            vertex::{Attribute, Held},
        },
    },
};
use std::{collections::HashSet, sync::Arc};

/// The columns of a vertex, in the order of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexLayout {
    pub columns: Vec<Column>,
    /// Bytes.
    pub vertex_size: usize,
    /// The file's own order of attributes fits and the chip's does not (formats/j3d.md §12.5).
    pub is_declared_order: bool,
}

/// What of the arrays decides a layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrayLengths {
    /// By attribute.
    lengths: [usize; 26],
    nbt_indices: u8,
}

impl ArrayLengths {
    pub fn of(vtx1: &Vtx1) -> Self {
        let mut arrays = Self { nbt_indices: vtx1.nbt_indices, ..Self::default() };
        for (code, length) in (0..).zip(&mut arrays.lengths) {
            *length = vtx1.len(Attribute(code));
        }
        arrays
    }

    fn length(&self, attribute: Attribute) -> usize {
        self.lengths.get(attribute.0 as usize).copied().unwrap_or(0)
    }
}

/// The arrays of a file that is being looked at; nothing where they cannot be read.
fn arrays_of(source: &Source) -> ArrayLengths {
    let mut findings = Findings::default();
    let Ok(header) = file::read_header(&mut file::reader(source)) else { return ArrayLengths::default() };
    let spans = file::chunks(source, &header, &mut findings);
    let Some(span) = spans.into_iter().find(|span| &span.tag == b"VTX1") else { return ArrayLengths::default() };
    let mut r = FieldReader::new(source, span.range, Endian::Big);
    let read = r.raw().skip(8).is_ok().then(|| vtx1::read(&mut r, &mut findings));
    read.and_then(Result::ok).map_or_else(ArrayLengths::default, |vtx1| ArrayLengths::of(&vtx1))
}

impl VertexLayout {
    /// The attributes alone say how vertices are laid out: they stand in the chip's order and none has several indices.
    pub fn is_plain(attributes: &[(Attribute, Held)]) -> bool {
        attributes.is_sorted_by_key(|(attribute, _)| attribute.place())
            && !attributes.iter().any(|(attribute, _)| *attribute == Attribute::NBT)
    }

    /// The layout of a shape with these attributes: in the chip's order, whatever the file's is, unless only the file's leads
    /// to indices that exist. `lists` are its display lists.
    ///
    /// # Errors
    /// One sentence, when the vertices hold something that models do not have.
    pub fn of<'a>(
        attributes: &[(Attribute, Held)],
        arrays: &ArrayLengths,
        lists: impl Iterator<Item = &'a [u8]> + Clone,
    ) -> Result<Self, String> {
        let mut sorted = attributes.to_vec();
        sorted.sort_by_key(|(attribute, _)| attribute.place());
        let by_chip = Self::in_order(&sorted, arrays, false)?;
        if Self::is_plain(attributes) || sorted == attributes || by_chip.fits(arrays, lists.clone()) {
            return Ok(by_chip);
        }
        let declared = Self::in_order(attributes, arrays, true)?;
        Ok(if declared.fits(arrays, lists) { declared } else { by_chip })
    }

    fn in_order(attributes: &[(Attribute, Held)], arrays: &ArrayLengths, declared: bool) -> Result<Self, String> {
        let columns = columns(attributes, arrays.nbt_indices)
            .ok_or("its vertices contain direct values, which are not supported")?;
        let vertex_size = columns.iter().map(|c| c.size()).sum();
        Ok(Self { columns, vertex_size, is_declared_order: declared })
    }

    /// Whether every index of the lists leads to an element.
    fn fits<'a>(&self, arrays: &ArrayLengths, mut lists: impl Iterator<Item = &'a [u8]>) -> bool {
        let fits_list = |list: &[u8]| {
            Commands::new(list, self.vertex_size).map_while(Result::ok).all(|command| match command {
                Command::Nothing { .. } | Command::Load { .. } => true,
                Command::Draw { vertices, .. } => {
                    vertices.chunks_exact(self.vertex_size.max(1)).all(|vertex| self.vertex_fits(arrays, vertex))
                }
            })
        };
        lists.all(fits_list)
    }

    fn vertex_fits(&self, arrays: &ArrayLengths, vertex: &[u8]) -> bool {
        let mut rest = vertex;
        self.columns.iter().all(|column| {
            let (index, after) = match rest {
                [high, low, after @ ..] if column.wide => (u16::from_be_bytes([*high, *low]), after),
                [byte, after @ ..] => (u16::from(*byte), after),
                [] => (u16::MAX, rest),
            };
            rest = after;
            match column.attribute {
                // Ten matrices, three numbers each.
                matrix if matrix.is_matrix_index() => index < 30 || matrix != Attribute::POSITION_MATRIX,
                attribute => usize::from(index) < arrays.length(attribute),
            }
        })
    }
}

/// Display lists of a chunk.
struct Lists {
    source: Source,
    lists: Vec<List>,
}

/// One display list.
struct List {
    at: u64,
    size: u64,
    columns: Arc<[Column]>,
    vertex_size: usize,
}

/// Every display list once, in the order of the file; `None` without any.
pub fn field(shp1: &Shp1, source: &Source) -> Option<Field> {
    // What follows the order of columns stands in another chunk; it is asked for only where it matters.
    let needs_arrays = |list: &AttributeList| !VertexLayout::is_plain(list);
    let needed = shp1.attribute_lists.values().any(needs_arrays);
    let arrays = if needed { arrays_of(source) } else { ArrayLengths::default() };
    let mut lists: Vec<List> = Vec::new();
    let mut met = HashSet::new();
    let mut budget = shp1.read_budget();
    for shape in shp1.shapes.iter().flatten() {
        if !shp1.may_read(shape, &mut budget) {
            continue;
        }
        let Some(attributes) = shp1.attribute_lists.get(&shape.attribute_list) else { continue };
        let draws = || {
            let first = usize::from(shape.first_draw);
            shp1.draws.get(first..first.saturating_add(usize::from(shape.group_count))).unwrap_or_default()
        };
        let bytes = draws().iter().filter_map(|draw| shp1.list(source, *draw)).map(|(_, bytes)| bytes);
        let Ok(layout) = VertexLayout::of(attributes, &arrays, bytes) else { continue };
        let columns: Arc<[Column]> = layout.columns.into();
        for draw in draws() {
            if let Some((at, bytes)) = shp1.list(source, *draw).filter(|(_, bytes)| !bytes.is_empty())
                && met.insert(at)
            {
                lists.push(List {
                    at,
                    size: bytes.len() as u64,
                    columns: columns.clone(),
                    vertex_size: layout.vertex_size,
                });
            }
        }
    }
    lists.sort_by_key(|list| list.at);
    // Of lists that overlap the first is shown.
    let mut end = 0;
    lists.retain(|list| {
        let apart = list.at >= end;
        if apart {
            end = list.at.saturating_add(list.size);
        }
        apart
    });
    let start = lists.first()?.at;
    let table = Lists { source: source.clone(), lists };
    Some(Field::table("DisplayLists", "DisplayList[]", start, end.saturating_sub(start), Arc::new(table)))
}

impl std::fmt::Debug for Lists {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lists({})", self.lists.len())
    }
}

impl Table for Lists {
    fn len(&self) -> usize {
        self.lists.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        let list = self.lists.get(index)?;
        let table =
            list_fields::table(&self.source, list.at, list.size, list.columns.clone(), list.vertex_size, PADDING)?;
        Some(Field::table(index.to_string(), "Primitive[]", list.at, list.size, table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrays(lengths: &[(u32, usize)]) -> ArrayLengths {
        let mut arrays = ArrayLengths { nbt_indices: 1, ..ArrayLengths::default() };
        for (attribute, length) in lengths {
            arrays.lengths[*attribute as usize] = *length;
        }
        arrays
    }

    #[test]
    fn attributes_stand_in_the_chips_order_unless_only_the_files_own_fits() {
        let list = [Attribute::POSITION, Attribute::TEX_COORD_0, Attribute::NORMAL].map(|a| (a, Held::Index8));
        let bytes: &[u8] = &[0x90, 0, 1, 1, 5, 2];
        let order = |lengths: &[(u32, usize)]| {
            let layout = VertexLayout::of(&list, &arrays(lengths), [bytes].into_iter()).unwrap();
            (layout.columns.iter().map(|c| c.attribute.0).collect::<Vec<_>>(), layout.is_declared_order)
        };
        assert_eq!(order(&[(9, 2), (10, 6), (13, 6)]), (vec![9, 10, 13], false));
        assert_eq!(order(&[(9, 2), (10, 3), (13, 6)]), (vec![9, 13, 10], true));
        assert_eq!(order(&[(9, 2), (10, 3), (13, 3)]), (vec![9, 10, 13], false));
    }
}
