//! Standard output and standard error: one JSON document or text for people, diagnostics, progress.

pub use crate::{bytes::numbers::counted, export::json::entry_label};
use crate::{
    export::{Note, grouped},
    formats::{Content, Diagnostic, EntryId, Outline, Role, Severity},
    library::OpenFile,
};
use std::{
    borrow::Cow,
    collections::HashSet,
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

/// Prints the findings that concern an entry, each once.
pub fn print_findings_of<'a>(file: &OpenFile, entry: EntryId, found: impl IntoIterator<Item = &'a Diagnostic>) {
    let mut printed = HashSet::new();
    for diagnostic in found.into_iter().filter(|diagnostic| concerns(file.document.outline(), entry, diagnostic)) {
        let line = diagnostic_line(file, diagnostic);
        if !printed.contains(&line) {
            say(&line);
            printed.insert(line);
        }
    }
}

/// Whether a finding concerns an entry: it is about the entry, about something above or below the entry, or about something that no other
/// shown thing owns, such as a table of the file.
fn concerns(outline: &Outline, entry: EntryId, diagnostic: &Diagnostic) -> bool {
    let Some(place) = diagnostic.entry.filter(|_| entry != EntryId::FILE) else { return true };
    let is_shown = |id: &EntryId| {
        outline.get(*id).is_some_and(|found| found.content != Content::None || found.role == Role::Member)
    };
    let of_entry: Vec<EntryId> = outline.with_those_above(entry).collect();
    let of_place: Vec<EntryId> = outline.with_those_above(place).collect();
    let owner = of_place.iter().find(|id| **id != EntryId::FILE && is_shown(id));
    of_place.contains(&entry) || owner.is_none_or(|owner| of_entry.contains(owner))
}

/// Prints notes on an export: a line for each reason, or each note with `verbose`.
pub fn print_notes<'a>(notes: impl IntoIterator<Item = &'a Note>, verbose: bool) {
    let lines = match verbose {
        true => notes.into_iter().map(|note| note.to_string()).collect(),
        false => grouped(notes),
    };
    lines.iter().for_each(|line| say(format_args!("note: {}", plain(line))));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_other_members_do_not_concern_an_entry() {
        let mut outline = Outline::new(Role::Archive, "Archive", 1000);
        let mut add =
            |parent, name: &'static str, role, content| outline.add(parent, name, name, role, "Thing", 0, 1, content);
        let folder = add(EntryId::FILE, "models", Role::Folder, Content::None);
        let model = add(folder, "arm", Role::Model, Content::Model);
        let chunk = add(model, "JNT1", Role::Group, Content::None);
        let texture = add(model, "skin", Role::Texture, Content::Image);
        let clip = add(folder, "wave", Role::Clip, Content::Clip);
        let keys = add(clip, "ANK1", Role::Group, Content::None);
        let member = add(folder, "readme", Role::Member, Content::None);
        let table = add(EntryId::FILE, "names", Role::Data, Content::None);
        let finding = |entry| Diagnostic {
            code: "test.odd",
            severity: Severity::Warning,
            entry,
            offset: None,
            message: String::new(),
        };
        let concerning = |entry| {
            let all = [folder, model, chunk, texture, clip, keys, member, table];
            let concerned = all.into_iter().filter(|place| concerns(&outline, entry, &finding(Some(*place))));
            concerned.collect::<Vec<EntryId>>()
        };
        assert_eq!(concerning(model), [folder, model, chunk, texture, table]);
        assert_eq!(concerning(texture), [folder, model, chunk, texture, table]);
        assert_eq!(concerning(clip), [folder, clip, keys, table]);
        assert_eq!(concerning(EntryId::FILE).len(), 8);
        assert!(concerns(&outline, clip, &finding(None)));
    }
}
