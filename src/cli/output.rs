//! Standard output and standard error: one JSON document or text for people, diagnostics, progress.

pub use crate::export::json::entry_label;
use crate::{
    formats::{Diagnostic, Severity},
    library::OpenFile,
};
use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, BufWriter, IsTerminal as _, Write},
};

/// Standard output with a buffer that large documents need.
pub fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Text out of a file, safe for a terminal: control characters are shown, not sent.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// [`plain`] for text of several lines.
pub fn plain_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(plain).collect();
    lines.join("\n")
}

/// One line about a finding: `warning: mesh.psk: RAWWEIGHTS: at offset 120: … [actorx.code]`.
pub fn diagnostic_line(file: &OpenFile, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let entry = entry_label(&*file.document, diagnostic.entry).map(|e| format!("{e}: ")).unwrap_or_default();
    let offset = diagnostic.offset.map(|o| format!("at offset {o}: ")).unwrap_or_default();
    let line = format!("{severity}: {}: {entry}{offset}{} [{}]", file.name, diagnostic.message, diagnostic.code);
    plain(&line).into_owned()
}

/// A line on standard error. Whoever reads it may have gone (`2>&1 | head`): that ends nothing.
pub fn say(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Findings on standard error.
pub fn print_diagnostics(file: &OpenFile, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        say(diagnostic_line(file, diagnostic));
    }
}

/// A count on one line of standard error, where that is a terminal.
pub struct Progress {
    what: &'static str,
    shown: bool,
}

impl Progress {
    pub fn new(what: &'static str) -> Self {
        Self { what, shown: io::stderr().is_terminal() }
    }

    pub fn of(&self, done: usize, total: usize) {
        if self.shown && total > 1 {
            let _ = write!(io::stderr().lock(), "\r{} {done} of {total}", self.what);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
