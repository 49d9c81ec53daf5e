//! Standard output and standard error: one JSON document or text for people, diagnostics, progress, failures, pictures.

pub use crate::{bytes::numbers::counted, export::json::entry_label};

use crate::{
    export::{Note, grouped, write::WriteError},
    formats::{Content, Diagnostic, EntryId, OpenError, Outline, Role, Severity},
    library::OpenFile,
    scene::Image,
};
use image::ImageEncoder as _;
use image::{ExtendedColorType, codecs::png::PngEncoder};
use serde::Serialize;
use std::{
    borrow::Cow,
    collections::HashSet,
    fmt::{self, Display},
    io::{self, BufWriter, IsTerminal as _, Write},
    process::ExitCode,
};

/// Why a verb ended before it had done what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense: exit status 2.
    Usage(String),
    /// A file cannot be opened, or what was asked is not in it: exit status 1. One sentence that names the file.
    Failed(String),
    /// Whoever read standard output has gone (`| head`): nothing is wrong and nothing more can be said.
    ClosedPipe,
}

impl Failure {
    /// What was asked cannot be done with this file.
    pub fn failed(message: impl Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// The same with the file's name in front.
    pub fn of_file(file: &str, message: impl Display) -> Self {
        Self::Failed(format!("{file}: {message}"))
    }

    /// Says on standard error what went wrong and yields the exit status.
    pub fn report(&self) -> ExitCode {
        self.report_as(1)
    }

    /// As [`Failure::report`], with another status where a file cannot be opened, or what was asked is not in it.
    pub fn report_as(&self, failed: u8) -> ExitCode {
        match self {
            Self::Usage(message) => {
                say(format_args!("error: {}\n\nFor more information, try '--help'.", plain_lines(message)));
                ExitCode::from(2)
            }
            Self::Failed(message) => {
                say(format_args!("error: {}", plain_lines(message)));
                ExitCode::from(failed)
            }
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
            Self::ClosedPipe => f.write_str("standard output was closed"),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Of writing to standard output; files say which file it was.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

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
fn plain_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(plain).collect();
    lines.join("\n")
}

/// One line about a finding: `warning: mesh.psk: RAWWEIGHTS: at offset 120: … [actorx.code]`.
fn diagnostic_line(file: &OpenFile, diagnostic: &Diagnostic) -> String {
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

/// Prints one JSON document and a line end.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let mut out = stdout();
    serde_json::to_writer(&mut out, document)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Why a picture was not written, with what helps.
pub fn not_written(error: WriteError) -> Failure {
    match error {
        WriteError::Exists(_) => Failure::failed(format!("{error} (--force overwrites it)")),
        WriteError::NotAFile(_) | WriteError::Io { .. } => Failure::failed(error),
    }
}

/// Writes a picture as PNG.
pub fn write_png(picture: &Image, out: &mut impl io::Write) -> io::Result<()> {
    PngEncoder::new(out)
        .write_image(&picture.rgba, picture.width, picture.height, ExtendedColorType::Rgba8)
        .map_err(io::Error::other)
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
