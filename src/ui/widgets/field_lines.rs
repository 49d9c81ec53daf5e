//! The lines that a field tree shows as, given what is folded and what is searched for.

use crate::ui::widgets::{
    field_path::{FieldPath, child, child_count},
    record_table::Columns,
    value_text,
};
use crate::{
    formats::{Children, Field, FieldTree, Table, Value},
    ui::query::{Query, contains},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Groups with more fields than this start folded.
const OPEN_UP_TO: usize = 32;

/// What of a tree is folded and which rows of its tables are open.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Fields that are not as they start.
    toggled: HashSet<FieldPath>,
    /// The row of a table that shows its fields below it.
    pub open_rows: HashMap<FieldPath, usize>,
    /// Groups of records that are shown as a table.
    as_tables: HashSet<FieldPath>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    pub path: FieldPath,
    /// Levels of indentation.
    pub depth: usize,
    /// The field without its children.
    pub field: Field,
    /// The value as it is shown.
    pub text: String,
    /// Whether it is open; `None` for a field that holds nothing.
    pub open: Option<bool>,
    /// An open table's rows, below the line.
    pub table: Option<Rows>,
}

/// The rows of an open table.
#[derive(Clone, Debug)]
pub struct Rows {
    pub table: Arc<dyn Table>,
    pub columns: Arc<Columns>,
}

/// Whether a group holds several records that are made of the same fields.
pub fn is_records(field: &Field) -> bool {
    let Children::Fields(fields) = &field.children else { return false };
    let Some((first, others)) = fields.split_first().filter(|(_, others)| !others.is_empty()) else { return false };
    let Children::Fields(wanted) = &first.children else { return false };
    let is_alike = |field: &Field| match &field.children {
        Children::Fields(own) => {
            field.kind == first.kind
                && own.len() == wanted.len()
                && own.iter().zip(wanted).all(|(a, b)| a.name == b.name)
        }
        Children::None | Children::Table(_) => false,
    };
    !wanted.is_empty() && others.iter().all(is_alike)
}

/// Records of a group as the rows of a table.
#[derive(Debug)]
struct Records(Vec<Field>);

impl Table for Records {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        self.0.get(index).cloned()
    }
}

impl Folds {
    pub fn toggle(&mut self, path: &[usize]) {
        if !self.toggled.remove(path) {
            self.toggled.insert(path.to_vec());
        }
    }

    /// Shows a group of records as a table, or as fields again.
    pub fn toggle_table(&mut self, path: &[usize]) {
        if !self.as_tables.remove(path) {
            self.as_tables.insert(path.to_vec());
        }
    }

    pub fn is_table(&self, path: &[usize]) -> bool {
        self.as_tables.contains(path)
    }

    fn is_open(&self, path: &[usize], starts_open: bool) -> bool {
        starts_open != self.toggled.contains(path)
    }

    /// Opens what lies above a field, so that it shows.
    pub fn reveal(&mut self, tree: &FieldTree, path: &[usize]) {
        for depth in 1..path.len() {
            let Some(above) = path.get(..depth) else { continue };
            let Some(field) = super::field_path::at(tree, above) else { continue };
            // Numbers of a vector stay folded: the vector itself says them.
            let holds_fields = !matches!(field.children, Children::None);
            if holds_fields && !self.is_open(above, starts_open(tree, &field, above)) && !self.is_open_row(above) {
                self.toggle(above);
            }
            let has_rows = matches!(field.children, Children::Table(_)) || self.is_table(above);
            if let (true, Some(row)) = (has_rows, path.get(depth)) {
                self.open_rows.insert(above.to_vec(), *row);
            }
        }
    }

    fn is_open_row(&self, path: &[usize]) -> bool {
        path.split_last().is_some_and(|(row, table)| self.open_rows.get(table) == Some(row))
    }
}

fn starts_open(tree: &FieldTree, field: &Field, path: &[usize]) -> bool {
    match &field.children {
        Children::None => false,
        // A value says what its parts say; a long list at the top is what the entry is about.
        Children::Fields(fields) => {
            let most = if path.len() == 1 { 4 * OPEN_UP_TO } else { OPEN_UP_TO };
            path.len() <= 2 && fields.len() <= most && field.value == Value::None
        }
        // The only table of an entry is what the entry is about.
        Children::Table(_) => {
            path.len() == 1 && tree.fields.iter().filter(|f| matches!(f.children, Children::Table(_))).count() == 1
        }
    }
}

/// The lines of a tree. With a search, those that are found by their name, what they hold, and what holds them. A field is of its
/// kind and lies in the fields above it.
pub fn lines(tree: &FieldTree, folds: &Folds, search: &Query) -> Vec<Line> {
    let mut builder = Builder { tree, folds, search, above: Vec::new(), lines: Vec::new() };
    for (index, field) in tree.fields.iter().enumerate() {
        builder.add(field, &mut vec![index], 0, false);
    }
    builder.lines
}

struct Builder<'a> {
    tree: &'a FieldTree,
    folds: &'a Folds,
    search: &'a Query,
    /// Names of what the field that is looked at lies in.
    above: Vec<Cow<'static, str>>,
    lines: Vec<Line>,
}

impl Builder<'_> {
    fn add(&mut self, field: &Field, path: &mut FieldPath, depth: usize, above_matches: bool) {
        let searching = !self.search.is_empty();
        let matches = if above_matches { !self.is_left_out(field) } else { self.is_found(field) };
        if !matches && !self.holds_match(field) {
            return;
        }
        let starts_open = starts_open(self.tree, field, path) || (searching && !matches);
        let can_open = match &field.children {
            Children::None => matches!(field.value, Value::Floats(_) | Value::Ints(_)) && child_count(field) > 1,
            Children::Fields(fields) => !fields.is_empty(),
            Children::Table(table) => !table.is_empty(),
        };
        let open = can_open.then(|| self.folds.is_open(path, starts_open));
        let rows = match (&field.children, open) {
            (Children::Table(table), Some(true)) => {
                Some(Rows { table: table.clone(), columns: Arc::new(Columns::of(table.as_ref())) })
            }
            (Children::Fields(fields), Some(true)) if self.folds.is_table(path) && is_records(field) => {
                let table: Arc<dyn Table> = Arc::new(Records(fields.clone()));
                Some(Rows { columns: Arc::new(Columns::of(table.as_ref())), table })
            }
            _ => None,
        };
        let is_table = rows.is_some();
        self.lines.push(Line {
            path: path.clone(),
            depth,
            field: shallow(field),
            text: value_text::shown(field),
            open,
            table: rows,
        });
        if open != Some(true) {
            return;
        }
        if is_table {
            self.add_open_row(field, path, depth);
            return;
        }
        self.above.push(field.name.clone());
        for index in 0..child_count(field) {
            if let Some(child) = child(field, index) {
                path.push(index);
                self.add(&child, path, depth + 1, matches && searching);
                path.pop();
            }
        }
        self.above.pop();
    }

    fn is_found(&self, field: &Field) -> bool {
        let lies_in = |_: usize, word: &str| self.above.iter().any(|name| contains(name, word));
        self.search.finds(&[&field.name], &[&field.kind], lies_in)
    }

    fn is_left_out(&self, field: &Field) -> bool {
        let lies_in = |_: usize, word: &str| self.above.iter().any(|name| contains(name, word));
        self.search.leaves_out(&[&field.name], &[&field.kind], lies_in)
    }

    /// The fields of a table's open row, below the table.
    fn add_open_row(&mut self, field: &Field, path: &mut FieldPath, depth: usize) {
        let Some(index) = self.folds.open_rows.get(path).copied() else { return };
        let Some(row) = child(field, index) else { return };
        path.push(index);
        let mut head = shallow(&row);
        head.name = format!("row {}", row.name).into();
        self.lines.push(Line {
            path: path.clone(),
            depth: depth + 1,
            text: value_text::shown(&row),
            field: head,
            open: None,
            table: None,
        });
        for index in 0..child_count(&row) {
            if let Some(child) = child(&row, index) {
                path.push(index);
                self.add(&child, path, depth + 2, true);
                path.pop();
            }
        }
        path.pop();
    }

    fn holds_match(&mut self, field: &Field) -> bool {
        self.above.push(field.name.clone());
        let holds = match &field.children {
            Children::None => false,
            Children::Fields(fields) => fields.iter().any(|f| self.is_found(f) || self.holds_match(f)),
            Children::Table(table) => table.row(0).is_some_and(|row| self.holds_match(&row)),
        };
        self.above.pop();
        holds
    }
}

fn shallow(field: &Field) -> Field {
    Field {
        name: field.name.clone(),
        kind: field.kind.clone(),
        value: field.value.clone(),
        children: Children::None,
        ..*field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> FieldTree {
        let inner = vec![
            Field::new("Spine", "f32", Value::Float(1.0), 4, 4),
            Field::new("turn", "Quat", Value::Floats(vec![0.0; 4]), 8, 16),
        ];
        FieldTree {
            fields: vec![Field::new("count", "u32", Value::UInt(1), 0, 4), Field::group("bone", "Bone", 4, 20, inner)],
        }
    }

    fn names(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|l| l.field.name.as_ref()).collect()
    }

    #[test]
    fn folding_hides_children_and_vectors_open_into_numbers() {
        let (tree, mut folds) = (tree(), Folds::default());
        assert_eq!(names(&lines(&tree, &folds, &Query::of(""))), ["count", "bone", "Spine", "turn"]);
        folds.toggle(&[1, 1]);
        assert_eq!(
            names(&lines(&tree, &folds, &Query::of(""))),
            ["count", "bone", "Spine", "turn", "x", "y", "z", "w"]
        );
        folds.toggle(&[1]);
        assert_eq!(names(&lines(&tree, &folds, &Query::of(""))), ["count", "bone"]);
        folds.reveal(&tree, &[1, 0]);
        assert!(names(&lines(&tree, &folds, &Query::of(""))).contains(&"Spine"));
    }

    #[test]
    fn a_group_of_like_records_can_be_a_table() {
        let bone = |index: u64| {
            let fields = vec![
                Field::new("name", "char[4]", Value::Text(format!("b{index}")), index * 8, 4),
                Field::new("parent", "u32", Value::UInt(index), index * 8 + 4, 4),
            ];
            Field::group(index.to_string(), "Bone", index * 8, 8, fields)
        };
        let list = Field::group("bones", "Bone[]", 0, 24, (0..3).map(bone).collect());
        assert!(is_records(&list));
        let other = Field::group("x", "Other", 24, 4, vec![Field::new("y", "u32", Value::UInt(0), 24, 4)]);
        assert!(!is_records(&Field::group("mixed", "", 0, 28, vec![bone(0), other])));
        assert!(!is_records(&Field::group("one", "", 0, 8, vec![bone(0)])) && !is_records(&bone(0)));

        let (tree, mut folds) = (FieldTree { fields: vec![list] }, Folds::default());
        let everything = Query::default();
        assert_eq!(lines(&tree, &folds, &everything).len(), 10);
        folds.toggle_table(&[0]);
        folds.open_rows.insert(vec![0], 1);
        let shown = lines(&tree, &folds, &everything);
        let rows = shown[0].table.as_ref().unwrap();
        assert_eq!((rows.table.len(), rows.columns.titles().collect::<Vec<_>>()), (3, vec!["name", "parent"]));
        assert_eq!(names(&shown), ["bones", "row 1", "name", "parent"]);
        assert_eq!(shown[2].path, [0, 1, 0], "the path is the same as without the table");
        folds.toggle_table(&[0]);
        assert!(lines(&tree, &folds, &everything)[0].table.is_none());
    }

    #[test]
    fn a_search_keeps_matches_and_what_holds_them() {
        let tree = tree();
        assert_eq!(names(&lines(&tree, &Folds::default(), &Query::of("SPINE"))), ["bone", "Spine"]);
        assert_eq!(names(&lines(&tree, &Folds::default(), &Query::of("bone"))), ["bone", "Spine", "turn"]);
        assert!(lines(&tree, &Folds::default(), &Query::of("nothing")).is_empty());
        let cases: [(&str, &[&str]); 6] = [
            ("type:quat", &["bone", "turn"]),
            ("in:bone", &["bone", "Spine", "turn"]),
            ("in:bone -turn", &["bone", "Spine"]),
            ("bone -turn", &["bone", "Spine"]),
            ("-type:u32 -type:f32 -type:quat", &["bone"]),
            ("\"spi\" bone", &[]),
        ];
        for (search, expected) in cases {
            assert_eq!(names(&lines(&tree, &Folds::default(), &Query::of(search))), expected, "{search}");
        }
    }
}
