//! Which row of one table is held against which of another.

use super::{
    align::{Pair, aligned, pairs},
    content::{of_field, of_key},
    side::Side,
    work::Work,
};
use crate::formats::{Field, Table};

/// Rows of a table that are matched by what they say; of larger ones those of a number are.
const MAX_ROWS: usize = 1 << 18;

/// Pairs of rows: by their keys where all have one, by what they say where not. With a tolerance, rows without keys of tables of one
/// length are paired by their numbers.
pub fn paired_rows(
    (left, of_left): (&dyn Table, Side<'_>),
    (right, of_right): (&dyn Table, Side<'_>),
    work: &mut Work<'_>,
) -> Box<dyn Iterator<Item = Pair>> {
    let (left_len, right_len) = (left.len(), right.len());
    let by_number = || {
        let place = |at: usize, len: usize| (at < len).then_some(at);
        Box::new((0..left_len.max(right_len)).map(move |at| (place(at, left_len), place(at, right_len))))
    };
    // A table without rows, and one with too many, is not looked into.
    if left.is_empty() || right.is_empty() || left.len() > MAX_ROWS || right.len() > MAX_ROWS {
        return by_number();
    }
    let key = |row: &Field, _: Side<'_>, work: &mut Work<'_>| of_key(row).filter(|_| work.glance());
    let keys = numbers((left, of_left), work, key).zip(numbers((right, of_right), work, key));
    if let Some((of_left, of_right)) = keys {
        return Box::new(pairs(&aligned(&of_left, &of_right), true).into_iter());
    }
    if work.tolerance.is_some() && left_len == right_len {
        return by_number();
    }
    let says = numbers((left, of_left), work, of_field).zip(numbers((right, of_right), work, of_field));
    match says {
        Some((of_left, of_right)) => Box::new(pairs(&aligned(&of_left, &of_right), false).into_iter()),
        None => by_number(),
    }
}

/// A number for each row; `None` where one has none.
fn numbers(
    (table, side): (&dyn Table, Side<'_>),
    work: &mut Work<'_>,
    number: impl Fn(&Field, Side<'_>, &mut Work<'_>) -> Option<u64>,
) -> Option<Vec<u64>> {
    (0..table.len()).map(|at| number(&table.row(at)?, side, work)).collect()
}
