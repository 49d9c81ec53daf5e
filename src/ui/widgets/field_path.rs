//! Where a field stands in the tree of its entry, and which field owns a byte.

use crate::formats::{Children, Field, FieldTree, Table, Value};
use std::{borrow::Cow, ops::Range};

/// Indices from the top of the tree: of a field in its group, of a row in its table, of a number in its vector.
pub type FieldPath = Vec<usize>;

/// Tables longer than this are searched by halving, which needs rows in file order (every format's own order).
const LINEAR_SEARCH_ROWS: usize = 256;

/// The field that a path leads to.
pub fn at<'a>(tree: &'a FieldTree, path: &[usize]) -> Option<Cow<'a, Field>> {
    let (first, rest) = path.split_first()?;
    let mut field = Cow::Borrowed(tree.fields.get(*first)?);
    for index in rest {
        field = match field {
            Cow::Borrowed(field) => child(field, *index)?,
            Cow::Owned(field) => Cow::Owned(child(&field, *index)?.into_owned()),
        };
    }
    Some(field)
}

/// Names from the top to the field: `bones / 12 / rotation / x`.
pub fn names(tree: &FieldTree, path: &[usize]) -> String {
    (1..=path.len())
        .filter_map(|depth| at(tree, path.get(..depth)?).map(|f| f.name.to_string()))
        .collect::<Vec<_>>()
        .join(" / ")
}

/// A field's child: a field of a group, a row of a table, a number of a vector.
pub fn child(field: &Field, index: usize) -> Option<Cow<'_, Field>> {
    match &field.children {
        Children::Fields(fields) => fields.get(index).map(Cow::Borrowed),
        Children::Table(table) => table.row(index).map(Cow::Owned),
        Children::None => component(field, index).map(Cow::Owned),
    }
}

/// How many children a field has.
pub fn child_count(field: &Field) -> usize {
    match &field.children {
        Children::Fields(fields) => fields.len(),
        Children::Table(table) => table.len(),
        Children::None => match &field.value {
            Value::Floats(values) => values.len(),
            Value::Ints(values) => values.len(),
            _ => 0,
        },
    }
}

/// What a vector's numbers are called.
pub fn component_name(index: usize, count: usize) -> Cow<'static, str> {
    match (count, index) {
        (2..=4, 0) => "x".into(),
        (2..=4, 1) => "y".into(),
        (3..=4, 2) => "z".into(),
        (4, 3) => "w".into(),
        _ => format!("[{index}]").into(),
    }
}

fn component(field: &Field, index: usize) -> Option<Field> {
    let (value, count) = match &field.value {
        Value::Floats(values) => (Value::Float(*values.get(index)?), values.len()),
        Value::Ints(values) => (Value::Int(*values.get(index)?), values.len()),
        _ => return None,
    };
    let each = if field.size.is_multiple_of(count as u64) { field.size / count as u64 } else { 0 };
    let (offset, size) = if each > 0 { (field.offset + each * index as u64, each) } else { (field.offset, field.size) };
    let kind = match value {
        Value::Float(_) if each == 4 => "f32",
        _ => "",
    };
    Some(Field::new(component_name(index, count), kind, value, offset, size))
}

/// A field without children and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub path: FieldPath,
    /// Bytes, from the start of the nearest container.
    pub bytes: Range<u64>,
    /// Place among its siblings: neighbours differ, and one column of a table keeps its place in every row.
    pub place: usize,
}

/// The leaves that own bytes of `window`, in file order. Reads no more rows of a table than lie in it.
pub fn leaves_in(tree: &FieldTree, window: Range<u64>) -> Vec<Leaf> {
    let mut found = Vec::new();
    for (index, field) in tree.fields.iter().enumerate() {
        collect(field, &mut vec![index], &window, &mut found);
    }
    found.sort_by_key(|l: &Leaf| l.bytes.start);
    found
}

/// The innermost field that owns a byte.
pub fn owner(tree: &FieldTree, offset: u64) -> Option<FieldPath> {
    leaves_in(tree, offset..offset.saturating_add(1)).into_iter().next().map(|leaf| leaf.path)
}

fn touches(field: &Field, window: &Range<u64>) -> bool {
    field.size > 0 && field.offset < window.end && field.offset.saturating_add(field.size) > window.start
}

fn collect(field: &Field, path: &mut FieldPath, window: &Range<u64>, found: &mut Vec<Leaf>) {
    match &field.children {
        Children::None => {
            if touches(field, window) {
                found.push(Leaf {
                    path: path.clone(),
                    bytes: field.offset..field.offset.saturating_add(field.size),
                    place: path.last().copied().unwrap_or_default(),
                });
            }
        }
        // A group need not state its size: its children decide.
        Children::Fields(fields) => {
            for (index, field) in fields.iter().enumerate() {
                path.push(index);
                collect(field, path, window, found);
                path.pop();
            }
        }
        Children::Table(table) => {
            if !touches(field, window) {
                return;
            }
            for index in first_row(table.as_ref(), window.start)..table.len() {
                let Some(row) = table.row(index) else { break };
                if table.len() > LINEAR_SEARCH_ROWS && row.offset >= window.end {
                    break;
                }
                if touches(&row, window) {
                    path.push(index);
                    collect(&row, path, window, found);
                    path.pop();
                }
            }
        }
    }
}

/// The first row that can reach past `start`.
fn first_row(table: &dyn Table, start: u64) -> usize {
    if table.len() <= LINEAR_SEARCH_ROWS {
        return 0;
    }
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match table.row(middle) {
            Some(row) if row.offset.saturating_add(row.size) <= start => low = middle + 1,
            _ => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Debug)]
    struct Pairs(usize);

    impl Table for Pairs {
        fn len(&self) -> usize {
            self.0
        }
        fn row(&self, index: usize) -> Option<Field> {
            let offset = 8 + index as u64 * 8;
            (index < self.0).then(|| {
                let fields = vec![
                    Field::new("a", "u32", Value::UInt(index as u64), offset, 4),
                    Field::new("b", "f32", Value::Float(0.5), offset + 4, 4),
                ];
                Field::group(index.to_string(), "Pair", offset, 8, fields)
            })
        }
    }

    fn tree() -> FieldTree {
        FieldTree {
            fields: vec![
                Field::new("at", "Vector", Value::Floats(vec![1.0, 2.0]), 0, 8),
                Field::table("pairs", "Pair", 8, 800_000, Arc::new(Pairs(100_000))),
            ],
        }
    }

    #[test]
    fn the_owner_of_a_byte_is_found_in_a_long_table() {
        let tree = tree();
        assert_eq!(owner(&tree, 3), Some(vec![0]));
        assert_eq!(owner(&tree, 8), Some(vec![1, 0, 0]));
        assert_eq!(owner(&tree, 8 + 77_777 * 8 + 5), Some(vec![1, 77_777, 1]));
        assert_eq!(owner(&tree, 800_007), Some(vec![1, 99_999, 1]));
        assert_eq!(owner(&tree, 800_008), None);
        let leaves = leaves_in(&tree, 4..20);
        let ranges: Vec<_> = leaves.iter().map(|l| l.bytes.clone()).collect();
        assert_eq!(ranges, [0..8, 8..12, 12..16, 16..20]);
        assert_eq!(leaves[1].place, leaves[3].place);
    }

    #[test]
    fn a_path_leads_to_groups_rows_and_components() {
        let tree = tree();
        let y = at(&tree, &[0, 1]).unwrap();
        assert_eq!((y.name.as_ref(), y.offset, y.size, &y.value), ("y", 4, 4, &Value::Float(2.0)));
        assert_eq!(at(&tree, &[1, 5, 0]).unwrap().value, Value::UInt(5));
        assert_eq!(names(&tree, &[1, 5, 1]), "pairs / 5 / b");
        assert!(at(&tree, &[1, 100_000]).is_none() && at(&tree, &[0, 2]).is_none() && at(&tree, &[]).is_none());
    }
}
