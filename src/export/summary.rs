//! What an export of many entries says at its end: how many of what, and why others failed.

use super::{ExportKind, Failed, Item};
use std::{cmp::Reverse, collections::HashMap};

/// Entries that failed for one reason.
#[derive(Debug)]
pub struct Cause<'a> {
    /// Number of entries.
    pub count: usize,
    /// Of one entry its whole message; of several what they have in common.
    pub message: &'a str,
    /// The entry that failed first.
    pub first: &'a Failed,
}

/// Why entries failed, the most frequent first.
pub fn causes(failed: &[Failed]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for entry in failed {
        match known.get(entry.cause.as_str()) {
            Some(index) => {
                causes[*index].count += 1;
                causes[*index].message = &entry.cause;
            }
            None => {
                known.insert(&entry.cause, causes.len());
                causes.push(Cause { count: 1, message: &entry.error, first: entry });
            }
        }
    }
    // Of equal ones the first that happened stays first.
    causes.sort_by_key(|cause| Reverse(cause.count));
    causes
}

/// How many of each kind were written: `3 models, 1 brush`; empty for none.
pub fn counts(exported: &[Item]) -> String {
    let of = |kind| exported.iter().filter(|item| item.kind == kind).count();
    let counted = ExportKind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, count)| *count > 0);
    let words: Vec<String> = counted.map(|(kind, count)| kind.counted(count)).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(entry: &str, error: &str, cause: &str) -> Failed {
        Failed {
            file: "a.u".to_owned(),
            entry: entry.to_owned(),
            id: 1,
            kind: ExportKind::Clip,
            format: "psa",
            error: error.to_owned(),
            cause: cause.to_owned(),
            over_budget: None,
        }
    }

    #[test]
    fn failures_of_one_cause_are_one_line() {
        let failed = [
            failed("Odd", "“Odd” is odd", "“…” is odd"),
            failed("Walk", "“Walk” is empty", "“…” is empty"),
            failed("Run", "“Run” is empty", "“…” is empty"),
        ];
        let causes = causes(&failed);
        let said: Vec<(usize, &str, &str)> = causes.iter().map(|c| (c.count, c.message, &*c.first.entry)).collect();
        assert_eq!(said, [(2, "“…” is empty", "Walk"), (1, "“Odd” is odd", "Odd")]);
    }

    #[test]
    fn what_was_written_is_counted_by_kind() {
        let item = |kind| Item {
            file: String::new(),
            entry: String::new(),
            id: 1,
            kind,
            format: "glb",
            path: String::new(),
            also: Vec::new(),
            size: 0,
            notes: Vec::new(),
        };
        let items = [ExportKind::Clip, ExportKind::Model, ExportKind::Clip].map(item);
        assert_eq!(counts(&items), "1 model, 2 clips");
        assert_eq!(counts(&[]), "");
    }
}
