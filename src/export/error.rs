use super::write::WriteError;
use crate::{files::text_of, formats::ReadError};
use std::path::PathBuf;

/// Bytes in the unit that suits them, for people.
pub fn size_text(bytes: u64) -> String {
    const MIB: f64 = 1_048_576.0;
    match bytes as f64 {
        bytes if bytes >= 1024.0 * MIB => format!("{:.1} GiB", bytes / (1024.0 * MIB)),
        bytes if bytes >= MIB => format!("{:.1} MiB", bytes / MIB),
        bytes if bytes >= 1024.0 => format!("{:.1} KiB", bytes / 1024.0),
        bytes => format!("{bytes} bytes"),
    }
}

/// An export did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The entry cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file with this path exists, and must not be replaced.
    #[error("{} already exists and was not overwritten", text_of(.0))]
    Exists(PathBuf),
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", text_of(.path))]
    Io {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// What was asked for does not exist for this content; the message says why and what would do.
    #[error("{0}")]
    Unsupported(String),
    /// There is nothing in it to write; the message says of what.
    #[error("“{name}” is empty: {what}")]
    Empty {
        /// Name of the entry or object.
        name: String,
        /// The reason, as a part of a sentence.
        what: &'static str,
    },
    /// The result would be larger than the program makes files.
    #[error("{0}")]
    TooLarge(String),
    /// The result would be larger than its source gives reason to expect ([`super::Budget`]).
    #[error("“{name}” would take {}, but the limit for all exports of the file is {}", size_text(*.size), size_text(*.most))]
    OverBudget {
        /// Name of the entry or object.
        name: String,
        /// Bytes of this export alone.
        size: u64,
        /// Maximum number of bytes of all exports of the file.
        most: u64,
    },
    /// Only files are written over, and links that lead to files.
    #[error("{} is not a regular file and was not overwritten", text_of(.0))]
    NotAFile(PathBuf),
    /// An image cannot be encoded.
    /// An image has no pixels, or cannot be encoded in the format.
    #[error("the image “{name}” cannot be encoded: {message}")]
    Picture {
        /// Name of the image.
        name: String,
        /// The reason, as a part of a sentence.
        message: String,
    },
    /// A picture of a model could not be drawn; the message says why.
    #[error("{0}")]
    Drawing(String),
    /// The export was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl ExportError {
    /// Turns an I/O error into one that names the file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Why it did not happen, in a sentence that is the same for every entry that failed for this reason.
    pub fn cause(&self) -> String {
        match self {
            Self::Read(error) => without_names(&error.message),
            Self::Exists(_) => "the file already exists and was not overwritten".to_owned(),
            Self::Io { source, .. } => source.to_string(),
            Self::Unsupported(message) | Self::TooLarge(message) => without_names(message),
            Self::Empty { what, .. } => format!("empty: {what}"),
            Self::OverBudget { .. } => "larger than the limit for all exports of the file".to_owned(),
            Self::NotAFile(_) => "not a regular file; it was not overwritten".to_owned(),
            Self::Picture { message, .. } => format!("the image cannot be encoded: {}", without_names(message)),
            Self::Drawing(message) => without_names(message),
            Self::Cancelled => self.to_string(),
        }
    }
}

/// A sentence in which what is quoted and every number are three points.
fn without_names(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut is_quoted = false;
    let mut is_number = false;
    let mut chars = message.chars().peekable();
    while let Some(c) = chars.next() {
        let was_number = is_number;
        let goes_on = matches!(c, '.' | ',') && chars.peek().is_some_and(char::is_ascii_digit);
        is_number = c.is_ascii_digit() || was_number && goes_on;
        match c {
            _ if was_number && goes_on && !is_quoted => {}
            '“' => {
                is_quoted = true;
                out.push_str("“…");
            }
            '”' => {
                is_quoted = false;
                out.push(c);
            }
            _ if is_quoted => {}
            c if c.is_ascii_digit() => {
                // Digits of a name, as of `Engine2.u`, belong to it.
                let in_a_name = out.chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_');
                if in_a_name {
                    out.push(c);
                } else if !was_number {
                    out.push('…');
                }
            }
            c => out.push(c),
        }
    }
    out
}

impl From<WriteError> for ExportError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Exists(path) => Self::Exists(path),
            WriteError::NotAFile(path) => Self::NotAFile(path),
            WriteError::Io { path, source } => Self::Io { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ReadErrorKind;

    #[test]
    fn sizes_are_said_in_a_unit_that_suits_them() {
        let said = [512, 2048, 720_000_000, 3 << 30].map(size_text);
        assert_eq!(said, ["512 bytes", "2.0 KiB", "686.6 MiB", "3.0 GiB"]);
    }

    #[test]
    fn the_cause_is_the_same_for_every_entry() {
        let read = |entry: &str, offset, message: &str| {
            let (entry, message) = (entry.to_owned(), message.to_owned());
            ExportError::Read(ReadError { entry, offset, message, kind: ReadErrorKind::Invalid }).cause()
        };
        assert_eq!(read("a", 1, "its 120 bytes lie outside “a”"), read("b", 9, "its 7 bytes lie outside “b c”"));
        assert_eq!(read("a", 1, "its 120 bytes, 2.5 of 8, in Engine2.u"), "its … bytes, … of …, in Engine2.u");
        let exists = |path: &str| ExportError::Exists(path.into()).cause();
        assert_eq!(exists("a/b.png"), exists("c.png"));
        let empty = |name: &str| ExportError::Empty { name: name.to_owned(), what: "it has no keys" };
        assert_eq!(empty("Walk").cause(), empty("Run").cause());
        assert_eq!(empty("Walk").to_string(), "“Walk” is empty: it has no keys");
    }
}
