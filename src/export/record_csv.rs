//! Records that lie one behind the other as a table of comma-separated values.

use crate::{
    bytes::Cancel,
    formats::{Children, Field, FieldTree, Value},
};
use std::{borrow::Cow, collections::HashMap, fmt::Write as _};

/// Columns of a table; what records have more is left out.
const MAX_COLUMNS: usize = 256;

/// Numbers of a vector that have columns of their own.
const MAX_COMPONENTS: usize = 4;

/// A table as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordCsv {
    /// The table: a line with the names of the columns, then one line for each record.
    pub text: String,
    /// Number of records in the text.
    pub rows: usize,
    /// Number of records that the field has. Larger than `rows` if records were left out.
    pub of: usize,
}

/// The field that a path leads to, by the places of fields in groups and of rows in tables.
fn field_at<'a>(tree: &'a FieldTree, path: &[usize]) -> Option<Cow<'a, Field>> {
    let (first, rest) = path.split_first()?;
    let mut field = Cow::Borrowed(tree.fields.get(*first)?);
    for index in rest {
        field = match field {
            Cow::Borrowed(field) => record(field, *index)?,
            Cow::Owned(field) => Cow::Owned(record(&field, *index)?.into_owned()),
        };
    }
    Some(field)
}

fn record(field: &Field, index: usize) -> Option<Cow<'_, Field>> {
    match &field.children {
        Children::Fields(fields) => fields.get(index).map(Cow::Borrowed),
        Children::Table(table) => table.row(index).map(Cow::Owned),
        Children::None => None,
    }
}

/// The records that a field of a tree holds: a line each, with what they are made of as columns, until the text is `at_most` bytes
/// long. `None` when there is no such field, or `cancel` says so.
pub fn record_csv(tree: &FieldTree, path: &[usize], at_most: usize, cancel: &Cancel) -> Option<RecordCsv> {
    let field = field_at(tree, path)?;
    let of = match &field.children {
        Children::Fields(fields) => fields.len(),
        Children::Table(table) => table.len(),
        Children::None => return None,
    };
    let mut titles: Vec<String> = Vec::new();
    let mut column_of: HashMap<String, usize> = HashMap::new();
    let mut lines: Vec<Vec<(usize, String)>> = Vec::new();
    let mut size = 0_usize;
    for index in 0..of {
        if cancel.is_cancelled() {
            return None;
        }
        let Some(record) = record(&field, index) else { break };
        let mut line = vec![(0, index.to_string())];
        let mut add = |title: &str, value: String| {
            let known = column_of.get(title).copied();
            let column = known.or_else(|| {
                (titles.len() < MAX_COLUMNS).then(|| {
                    titles.push(title.to_owned());
                    column_of.insert(title.to_owned(), titles.len());
                    titles.len()
                })
            });
            line.extend(column.map(|column| (column, value)));
        };
        columns(&record, "", &mut add);
        // A comma for each column, at the most.
        let cells: usize = line.iter().map(|(_, value)| value.len()).sum();
        size = size.saturating_add(cells).saturating_add(titles.len() + 2);
        if size > at_most && index > 0 {
            break;
        }
        lines.push(line);
    }
    let mut text = "#".to_owned();
    for title in &titles {
        text.push(',');
        text.push_str(&quoted(title));
    }
    text.push('\n');
    for line in &lines {
        for column in 0..=titles.len() {
            if column > 0 {
                text.push(',');
            }
            // Columns that a record lacks stay empty; of one that it has twice the first counts.
            if let Some((_, value)) = line.iter().find(|(of, _)| *of == column) {
                text.push_str(&quoted(value));
            }
        }
        text.push('\n');
    }
    Some(RecordCsv { text, rows: lines.len(), of })
}

/// What a record is made of, one value a column.
fn columns(record: &Field, name: &str, add: &mut impl FnMut(&str, String)) {
    let below = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    let own = if name.is_empty() { "value" } else { name };
    match &record.children {
        Children::Fields(fields) => {
            for field in fields {
                columns(field, &below(&field.name), add);
            }
            return;
        }
        Children::Table(table) => return add(own, format!("{} rows", table.len())),
        Children::None => {}
    }
    const NAMES: [&str; MAX_COMPONENTS] = ["x", "y", "z", "w"];
    match &record.value {
        Value::Floats(values) if (2..=MAX_COMPONENTS).contains(&values.len()) => {
            values.iter().zip(NAMES).for_each(|(value, part)| add(&below(part), value.to_string()));
        }
        Value::Ints(values) if (2..=MAX_COMPONENTS).contains(&values.len()) => {
            values.iter().zip(NAMES).for_each(|(value, part)| add(&below(part), value.to_string()));
        }
        value => add(own, text_of(value, record.size)),
    }
}

fn text_of(value: &Value, size: u64) -> String {
    fn joined<T: ToString>(values: &[T]) -> String {
        values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
    }
    match value {
        Value::None => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.clone(),
        Value::Floats(values) => joined(values),
        Value::Ints(values) => joined(values),
        Value::Color(rgba) => rgba.iter().fold("#".to_owned(), |mut text, channel| {
            let _ = write!(text, "{channel:02X}");
            text
        }),
        Value::Enum { value, name } if name.is_empty() => value.to_string(),
        Value::Enum { name, .. } => name.to_string(),
        Value::Flags { value, .. } => format!("0x{value:X}"),
        Value::Reference(reference) => reference.path.clone(),
        Value::Raw | Value::Opaque(_) => format!("{size} bytes"),
    }
}

/// A value as a cell: in quotation marks where it has to be.
fn quoted(value: &str) -> Cow<'_, str> {
    match value.contains([',', '"', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", value.replace('"', "\"\""))),
        false => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Table;
    use std::sync::Arc;

    fn bone(index: usize) -> Field {
        let name = if index == 1 { "a \"b\", c".to_owned() } else { format!("bone{index}") };
        let mut fields = vec![
            Field::new("name", "char[8]", Value::Text(name), 0, 8),
            Field::new("at", "Vector", Value::Floats(vec![index as f32, -0.5, 1e-7]), 8, 12),
        ];
        if index == 2 {
            fields.push(Field::new("flags", "u32", Value::Flags { value: 5, names: vec!["A"] }, 20, 4));
        }
        Field::group(index.to_string(), "Bone", 0, 24, fields)
    }

    #[derive(Debug)]
    struct Bones(usize);

    impl Table for Bones {
        fn len(&self) -> usize {
            self.0
        }

        fn row(&self, index: usize) -> Option<Field> {
            (index < self.0).then(|| bone(index))
        }
    }

    fn tree(rows: usize) -> FieldTree {
        let list = Field::group("list", "Bone[3]", 0, 0, (0..3).map(bone).collect());
        let table = Field::table("bones", "Bone[]", 0, 0, Arc::new(Bones(rows)));
        FieldTree { fields: vec![Field::group("head", "Head", 0, 0, vec![list]), table] }
    }

    fn csv(tree: &FieldTree, path: &[usize], at_most: usize) -> Option<RecordCsv> {
        record_csv(tree, path, at_most, Cancel::never())
    }

    #[test]
    fn records_are_lines_and_what_they_are_made_of_columns() {
        let wanted = "#,name,at.x,at.y,at.z,flags\n0,bone0,0,-0.5,0.0000001,\n1,\"a \"\"b\"\", c\",1,-0.5,0.0000001,\n2,bone2,2,-0.5,0.0000001,0x5\n";
        for path in [[0, 0].as_slice(), &[1]] {
            let made = csv(&tree(3), path, 1 << 20).unwrap();
            assert_eq!(made, RecordCsv { text: wanted.to_owned(), rows: 3, of: 3 }, "{path:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut_and_what_is_not_there_is_nothing() {
        let made = csv(&tree(1_000_000), &[1], 10_000).unwrap();
        assert!(made.rows > 100 && made.rows < 1_000 && made.of == 1_000_000);
        assert!(made.text.len() < 12_000 && made.text.lines().count() == made.rows + 1);
        assert_eq!(csv(&tree(3), &[], 100), None);
        assert_eq!(csv(&tree(3), &[9], 100), None);
        assert_eq!(csv(&tree(3), &[1, 0, 0], 100), None, "a value holds no records");
        assert_eq!(csv(&tree(0), &[1], 100).unwrap().text, "#\n");
        assert_eq!(record_csv(&tree(3), &[1], 100, &Cancel::cancelled()), None);
    }
}
