//! Display lists as fields: each a table of its primitives, each of those a table of its vertices, read when looked at.

use super::{
    super::opaque::PADDING,
    layout::{ArrayLengths, VertexLayout, arrays_of},
    shp1::{AttributeList, Shp1},
};
use crate::{
    bytes::Source,
    formats::{
        Field, Table,
        gx::{display_list::Column, list_fields},
    },
};
use std::{collections::HashSet, sync::Arc};

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
