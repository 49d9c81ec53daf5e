//! What all forms of `diff` say alike.

use super::output::counted;
use crate::{
    formats::Entry,
    library::compare::{Counts, FieldRow, State},
};
use serde::Serialize;
use std::process::ExitCode;

#[derive(Serialize)]
pub struct Place<'a> {
    id: u32,
    path: String,
    class: &'a str,
    size: u64,
}

#[derive(Serialize)]
pub struct FieldJson<'a> {
    path: &'a str,
    state: State,
    left: Option<&'a str>,
    right: Option<&'a str>,
}

impl<'a> Place<'a> {
    pub fn of(entry: &'a Entry) -> Self {
        Self { id: entry.id.0, path: entry.path().into_owned(), class: &entry.class, size: entry.size }
    }
}

impl<'a> FieldJson<'a> {
    pub fn of(row: &'a FieldRow) -> Self {
        Self { path: &row.path, state: row.state, left: row.left.as_deref(), right: row.right.as_deref() }
    }
}

/// As diff(1): 0 where nothing differs, 1 where something does.
pub fn status(counts: Counts) -> ExitCode {
    ExitCode::from(u8::from(counts.differing() > 0))
}

/// `DrawScale 1.0 → 2.0`; what is on one side alone has its sign before it.
pub fn field_text(row: &FieldRow) -> String {
    let value = |value: &Option<String>| value.clone().filter(|text| !text.is_empty());
    match (row.state, value(&row.left), value(&row.right)) {
        (State::Gone, Some(left), _) => format!("- {} {left}", row.path),
        (State::Added, _, Some(right)) => format!("+ {} {right}", row.path),
        (State::Gone, None, _) => format!("- {}", row.path),
        (State::Added, _, None) => format!("+ {}", row.path),
        // Long values may be cut before they differ.
        (_, Some(left), Some(right)) if left == right => format!("{} differs", row.path),
        (_, left, right) => {
            let nothing = || "(empty)".to_owned();
            format!("{} {} → {}", row.path, left.unwrap_or_else(nothing), right.unwrap_or_else(nothing))
        }
    }
}

/// One line of all: `2 changed, 1 added; 14 entries identical`.
pub fn summary(counts: Counts, noun: &str) -> String {
    let same = counted(counts.same, noun);
    let named = [
        (counts.changed, State::Changed),
        (counts.added, State::Added),
        (counts.gone, State::Gone),
        (counts.moved, State::Moved),
    ];
    let told: Vec<String> = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, state)| format!("{count} {}", state.word()))
        .collect();
    match told.is_empty() {
        true => format!("all contents are identical ({same}), but other bytes differ"),
        false => format!("{}; {same} identical", told.join(", ")),
    }
}
