//! What happened, for the log panel and the toasts.

use crate::{
    formats::Severity,
    ui::{
        command::{Command, WindowCommand},
        place::Place,
    },
};
use std::{borrow::Cow, collections::VecDeque, path::Path};

/// Entries kept.
const MAX_ENTRIES: usize = 5_000;

/// One line of the log.
#[derive(Clone, Debug)]
pub struct LogEntry {
    pub severity: Severity,
    /// The name of the file; may be empty.
    pub file: String,
    /// The entry, if the file is open.
    pub place: Option<Place>,
    /// Bytes from the start of the nearest container.
    pub offset: Option<u64>,
    /// Stable code of a diagnostic, or empty.
    pub code: &'static str,
    /// One plain sentence.
    pub message: String,
    /// Something that can be done about it, with the words for its button.
    pub action: Option<(Cow<'static, str>, Command)>,
    /// True if the line reports a written export or screenshot.
    pub is_export: bool,
}

impl LogEntry {
    pub fn new(severity: Severity, file: &str, message: impl Into<String>) -> Self {
        Self {
            severity,
            file: file.to_owned(),
            place: None,
            offset: None,
            code: "",
            message: message.into(),
            action: None,
            is_export: false,
        }
    }

    /// Reports what was written to a file; the button shows the file's folder.
    pub fn exported(severity: Severity, file: &str, message: impl Into<String>, path: &Path) -> Self {
        let entry = Self { is_export: true, ..Self::new(severity, file, message) };
        let path = crate::files::absolute(path).ok().filter(|_| cfg!(not(target_arch = "wasm32")));
        match path.as_deref().and_then(Path::parent) {
            Some(folder) => {
                entry.with_action("Show folder", Command::Window(WindowCommand::ShowFolder(folder.to_owned())))
            }
            None => entry,
        }
    }

    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    pub fn with_action(mut self, name: impl Into<Cow<'static, str>>, command: Command) -> Self {
        self.action = Some((name.into(), command));
        self
    }

    /// Returns the text of the line.
    pub fn text(&self) -> String {
        if self.file.is_empty() { self.message.clone() } else { format!("{}: {}", self.file, self.message) }
    }
}

/// The newest entries, oldest first.
#[derive(Default)]
pub struct Log {
    entries: VecDeque<LogEntry>,
    toasts: Vec<LogEntry>,
    warnings: usize,
    errors: usize,
}

impl Log {
    /// Notes something.
    pub fn push(&mut self, entry: LogEntry) {
        match entry.severity {
            Severity::Info => {}
            Severity::Warning => self.warnings += 1,
            Severity::Error => self.errors += 1,
        }
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
    }

    /// Notes something and shows it for a moment.
    pub fn announce(&mut self, entry: LogEntry) {
        self.toasts.push(entry.clone());
        self.push(entry);
    }

    pub fn entries(&self) -> &VecDeque<LogEntry> {
        &self.entries
    }

    /// Takes the lines that are shown as notices.
    pub fn take_toasts(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.toasts)
    }

    /// Returns the number of warnings and of errors.
    pub fn counts(&self) -> (usize, usize) {
        (self.warnings, self.errors)
    }

    pub fn clear(&mut self) {
        let toasts = std::mem::take(&mut self.toasts);
        *self = Self { toasts, ..Self::default() };
    }
}
