//! The fields of two entries side by side.

use super::{
    pairs::{Hand, paired_by, paired_rows},
    side::{Side, Work},
    state::State,
    values::{is_own, is_same, of_field, shown},
};
use crate::{
    bytes::Cancel,
    formats::{Children, Field, Table, Value},
};

/// Fields in fields.
const DEEPEST: usize = 64;

/// Which fields are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All fields.
    All,
    /// Only fields that differ.
    Differing,
}

/// One line of two lists of fields side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// Names of the fields on the way, joined by dots; rows of tables by their numbers or keys.
    pub path: String,
    /// The result of the comparison.
    pub state: State,
    /// The value on the left, as text; `None` if the field is missing.
    pub left: Option<String>,
    /// The value on the right, as text; `None` if the field is missing.
    pub right: Option<String>,
}

/// The fields of two entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// In the order of the left.
    pub rows: Vec<FieldRow>,
    /// Fields that differ, kept or not.
    pub differing: usize,
    /// Fields that were looked at.
    pub visited: usize,
    /// There are more fields than are looked at.
    pub cut: bool,
}

/// Holds the fields of two entries against each other; at most so many rows that differ are kept, and as many that are the same. Reads
/// what it looks at: call it on a worker.
pub fn compare_fields(
    left: Side<'_>,
    right: Side<'_>,
    rows: Rows,
    most: usize,
    tolerance: Option<f32>,
    cancel: &Cancel,
) -> Fields {
    fields_within(left, right, rows, most, &mut Work::of_files(left.file, right.file, tolerance, cancel))
}

/// As [`compare_fields`]; takes what it costs from the work.
pub fn fields_within(left: Side<'_>, right: Side<'_>, rows: Rows, most: usize, work: &mut Work<'_>) -> Fields {
    work.begin_entry();
    let mut walk = Walk { left, right, rows, most, work, found: Fields::default(), same: 0, path: Vec::new() };
    match (left.fields(), right.fields()) {
        (Ok(of_left), Ok(of_right)) => walk.lists(&of_left.fields, &of_right.fields),
        // Nothing is known of them but their bytes.
        (Err(a), Err(b)) if a.message == b.message => walk.found.cut = true,
        (of_left, of_right) => {
            let said = |side: Result<_, crate::formats::ReadError>| match side {
                Ok(_) => "readable".to_owned(),
                Err(error) => error.message,
            };
            walk.found.differing = 1;
            walk.found.rows.push(FieldRow {
                path: "fields".to_owned(),
                state: State::Changed,
                left: Some(said(of_left)),
                right: Some(said(of_right)),
            });
        }
    }
    walk.found
}

struct Walk<'a, 'w, 'c> {
    left: Side<'a>,
    right: Side<'a>,
    rows: Rows,
    most: usize,
    work: &'w mut Work<'c>,
    found: Fields,
    /// Rows that are kept of fields that are the same.
    same: usize,
    path: Vec<String>,
}

impl Walk<'_, '_, '_> {
    fn is_over(&mut self) -> bool {
        if !self.found.cut && !self.work.field() {
            self.found.cut = true;
        }
        self.found.cut
    }

    fn lists(&mut self, left: &[Field], right: &[Field]) {
        let own = |fields: &[Field]| -> Vec<usize> {
            fields.iter().enumerate().filter(|(_, field)| is_own(field)).map(|(at, _)| at).collect()
        };
        let (of_left, of_right) = (own(left), own(right));
        let names = |fields: &[Field], own: &[usize]| -> Vec<String> {
            own.iter().filter_map(|at| fields.get(*at)).map(|field| field.name.to_string()).collect()
        };
        fn field<'f>(fields: &'f [Field], own: &[usize], at: Option<usize>) -> Option<&'f Field> {
            fields.get(*own.get(at?)?)
        }
        let (own_left, own_right, work) = (self.left, self.right, &mut *self.work);
        // As with rows of tables: numbers that nearly match are paired by their order.
        let by_order = work.tolerance.is_some() && of_left.len() == of_right.len();
        let pairs = paired_by(&names(left, &of_left), &names(right, &of_right), |hand, at| match hand {
            _ if by_order => None,
            Hand::Left => of_field(field(left, &of_left, Some(at))?, own_left, work),
            Hand::Right => of_field(field(right, &of_right, Some(at))?, own_right, work),
        });
        for (a, b) in pairs {
            if self.is_over() {
                return;
            }
            self.pair(field(left, &of_left, a), field(right, &of_right, b));
        }
    }

    fn pair(&mut self, left: Option<&Field>, right: Option<&Field>) {
        self.found.visited += 1;
        match (left, right) {
            (Some(left), Some(right)) => {
                self.path.push(left.name.to_string());
                if matches!(left.value, Value::Raw | Value::Opaque(_)) && !self.work.bytes(left.size) {
                    self.found.cut = true;
                }
                let is_same = is_same((left, self.left), (right, self.right), self.work.tolerance);
                self.row(if is_same { State::Same } else { State::Changed }, Some(left), Some(right));
                // A value that differs says what its parts say.
                if is_same && self.path.len() < DEEPEST {
                    self.children(left, right);
                }
            }
            (Some(field), None) => {
                self.path.push(field.name.to_string());
                self.row(State::Gone, Some(field), None);
            }
            (None, Some(field)) => {
                self.path.push(field.name.to_string());
                self.row(State::Added, None, Some(field));
            }
            (None, None) => return,
        }
        self.path.pop();
    }

    fn children(&mut self, left: &Field, right: &Field) {
        match (&left.children, &right.children) {
            (Children::None, Children::None) => {}
            (Children::Fields(of_left), Children::Fields(of_right)) => self.lists(of_left, of_right),
            (Children::Table(of_left), Children::Table(of_right)) => {
                if !self.has_equal_rows((left, &**of_left), (right, &**of_right)) {
                    self.tables(&**of_left, &**of_right);
                }
            }
            // One is a list and the other is none: each of its fields is there on one side alone.
            (Children::Fields(of_left), _) => self.lists(of_left, &[]),
            (_, Children::Fields(of_right)) => self.lists(&[], of_right),
            (Children::Table(of_left), Children::None) => self.tables(&**of_left, &NoRows),
            (Children::None, Children::Table(of_right)) => self.tables(&NoRows, &**of_right),
        }
    }

    /// Whether two tables need not be looked at row by row.
    fn has_equal_rows(
        &mut self,
        (left, of_left): (&Field, &dyn Table),
        (right, of_right): (&Field, &dyn Table),
    ) -> bool {
        let (left_side, right_side) = (self.left, self.right);
        let bytes = || left_side.bytes_of(left).zip(right_side.bytes_of(right));
        self.rows == Rows::Differing
            && self.left.bytes_say_all()
            && left.size > 0
            && of_left.len() == of_right.len()
            && of_left.is_solid()
            && of_right.is_solid()
            && self.work.bytes(left.size)
            && bytes().is_some_and(|(left, right)| left.is_equal(&right))
    }

    fn tables(&mut self, left: &dyn Table, right: &dyn Table) {
        for (a, b) in paired_rows((left, self.left), (right, self.right), self.work) {
            if self.is_over() {
                return;
            }
            let row = |table: &dyn Table, at: Option<usize>| table.row(at?);
            self.pair(row(left, a).as_ref(), row(right, b).as_ref());
        }
    }

    fn row(&mut self, state: State, left: Option<&Field>, right: Option<&Field>) {
        let kept = self.found.rows.len() - self.same;
        let is_kept = match state {
            State::Same => self.rows == Rows::All && self.same < self.most,
            _ => kept < self.most,
        };
        if state != State::Same {
            self.found.differing += 1;
        }
        if is_kept {
            self.same += usize::from(state == State::Same);
            self.found.rows.push(FieldRow {
                path: self.path.join("."),
                state,
                left: left.map(|field| shown(field, self.left)),
                right: right.map(|field| shown(field, self.right)),
            });
        }
    }
}

/// A table of nothing.
#[derive(Debug)]
struct NoRows;

impl Table for NoRows {
    fn len(&self) -> usize {
        0
    }

    fn row(&self, _: usize) -> Option<Field> {
        None
    }
}
