use super::EntryId;
use crate::bytes::numbers::counted;
use serde::Serialize;

/// How bad it is: `verify` fails on errors only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; the file is as its writers make it.
    Info,
    /// Odd; what is shown may not be what the author meant.
    Warning,
    /// Damage: something is lost.
    Error,
}

/// A stable code that scripts and tests can rely on.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `family.what`: `actorx.truncated-chunk`.
    pub id: &'static str,
    /// Severity of every finding with this code.
    pub severity: Severity,
    /// One sentence on what it means, for the documentation.
    pub meaning: &'static str,
}

/// One finding in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Identifier of the code ([`Code::id`]).
    pub code: &'static str,
    /// Severity of the code.
    pub severity: Severity,
    /// The entry that it is about; `None` for the file.
    #[serde(skip)]
    pub entry: Option<EntryId>,
    /// Where the file says the wrong thing, in bytes from the start of the nearest container; never past the end of its bytes.
    pub offset: Option<u64>,
    /// One plain sentence.
    pub message: String,
}

/// Codes that belong to no family.
pub mod common_codes {
    use super::{Code, Severity};

    /// Diagnostic code for the findings of a code beyond its limit.
    pub const MORE: Code = Code {
        id: "bonebox.more-of-these",
        severity: Severity::Info,
        meaning: "More diagnostics with this code were found but are not listed.",
    };
    /// Diagnostic code for a referenced file that was not found.
    pub const MISSING_FILE: Code =
        Code { id: "bonebox.missing-file", severity: Severity::Info, meaning: "A referenced file was not found." };
    /// Diagnostic code for reading that was stopped at a limit on work or memory.
    pub const TOO_MUCH_WORK: Code = Code {
        id: "bonebox.too-much-work",
        severity: Severity::Error,
        meaning: "Reading was stopped because it takes too many steps or too much memory for a file of this size.",
    };
    /// Diagnostic code for an image next to the file that cannot be decoded.
    pub const BAD_PICTURE: Code = Code {
        id: "bonebox.bad-picture",
        severity: Severity::Warning,
        meaning: "An image next to the file cannot be decoded.",
    };
    /// Diagnostic code for line endings converted by a transfer in text mode.
    pub const LINE_ENDS: Code = Code {
        id: "bonebox.line-ends",
        severity: Severity::Warning,
        meaning: "The line endings were converted during a transfer in text mode. The file has fewer errors with the original line endings.",
    };
}

/// Collects findings; keeps a bounded number of each code.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    counts: Vec<(&'static str, usize)>,
    cap: usize,
}

impl Diagnostics {
    /// Keeps at most `cap` of each code.
    pub fn new(cap: usize) -> Self {
        Self { list: Vec::new(), counts: Vec::new(), cap }
    }

    /// How many of each code are kept.
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// Adds a finding. `entry`: `None` for the whole file. `offset`: as in [`Diagnostic::offset`].
    pub fn report(&mut self, code: &'static Code, entry: Option<EntryId>, offset: Option<u64>, message: String) {
        self.add(Diagnostic { code: code.id, severity: code.severity, entry, offset, message });
    }

    /// Takes a finding that was made already, of a document inside this one.
    pub fn add(&mut self, mut diagnostic: Diagnostic) {
        // Names of the file are part of messages, and terminals obey control characters.
        if diagnostic.message.contains(char::is_control) {
            diagnostic.message = diagnostic.message.replace(char::is_control, "\u{FFFD}");
        }
        let count = match self.counts.iter_mut().find(|(id, _)| *id == diagnostic.code) {
            Some((_, count)) => {
                *count = count.saturating_add(1);
                *count
            }
            None => {
                self.counts.push((diagnostic.code, 1));
                1
            }
        };
        if count <= self.cap {
            self.list.push(diagnostic);
        }
    }

    /// The findings in the order they were made, with a line for each code of which some were left out.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for (id, count) in &self.counts {
            let left_out = count.saturating_sub(self.cap);
            if left_out > 0 {
                self.list.push(Diagnostic {
                    code: common_codes::MORE.id,
                    severity: common_codes::MORE.severity,
                    entry: None,
                    offset: None,
                    message: format!("{} with code {id}", counted(left_out, "more diagnostic")),
                });
            }
        }
        self.list
    }

    /// Returns the kept findings in the order in which they were added.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_file_send_nothing_to_a_terminal() {
        let mut diagnostics = Diagnostics::new(2);
        diagnostics.report(&common_codes::MISSING_FILE, None, None, "“\u{1b}[2J\r\n” was not found".into());
        assert_eq!(diagnostics.finish()[0].message, "“\u{FFFD}[2J\u{FFFD}\u{FFFD}” was not found");
    }

    #[test]
    fn a_flood_of_one_code_is_counted_and_others_stay() {
        let mut diagnostics = Diagnostics::new(2);
        for i in 0..5 {
            diagnostics.report(&common_codes::MISSING_FILE, None, Some(i), "gone".into());
        }
        diagnostics.report(&common_codes::BAD_PICTURE, None, None, "bad".into());
        let list = diagnostics.finish();
        assert_eq!(list.len(), 4);
        assert_eq!(list[3].message, "3 more diagnostics with code bonebox.missing-file");
    }
}
