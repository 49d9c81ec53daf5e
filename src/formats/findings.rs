//! What reading finds before it is known which entry it is about.

use super::{Code, Diagnostics, EntryId};

/// What was found while reading, before it is known which entry it is about.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    code: &'static Code,
    offset: Option<u64>,
    message: String,
}

/// Findings that are kept of one part of a file; a hostile one could make millions.
const MAX_FINDINGS: usize = 1000;

impl Findings {
    /// `offset`: bytes from the start of the file.
    pub fn add(&mut self, code: &'static Code, offset: Option<u64>, message: impl Into<String>) {
        if self.list.len() < MAX_FINDINGS {
            self.list.push(Finding { code, offset, message: message.into() });
        }
    }

    /// Returns true if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Codes in the order they were found, for tests.
    #[cfg(test)]
    pub fn codes(&self) -> Vec<&'static str> {
        self.list.iter().map(|f| f.code.id).collect()
    }

    /// Hands everything over as findings about `entry`.
    pub fn report(self, entry: Option<EntryId>, diagnostics: &mut Diagnostics) {
        for finding in self.list {
            diagnostics.report(finding.code, entry, finding.offset, finding.message);
        }
    }
}
