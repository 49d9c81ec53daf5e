use super::{Code, Entry, FORMATS, Hint, field_reader::Fault, foreign};
use std::{io, sync::Arc};

/// The reason for which a file cannot be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenErrorKind {
    /// The operating system cannot read the file. Its error is the source of [`OpenError`].
    Io(io::ErrorKind),
    /// The path leads to a folder, a pipe or a device.
    NotAFile,
    /// The file exceeds a limit of [`Limits`](crate::bytes::Limits).
    TooLarge,
    /// No format recognises the file.
    UnknownFormat,
    /// The file is damaged, or a variant that its format does not support.
    #[default]
    Invalid,
    /// A reader failed. This is a fault of Bonebox.
    Internal,
}

/// The error of a file that cannot be opened.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{file}: {message}")]
#[non_exhaustive]
pub struct OpenError {
    /// Name of the file that cannot be opened.
    pub file: String,
    /// One sentence: what was expected, what was there, at which offset.
    pub message: String,
    /// The code of what is wrong, where the format has one for it.
    pub code: Option<&'static str>,
    /// The reason.
    pub kind: OpenErrorKind,
    /// The error of the operating system, if it could not read the file.
    pub source: Option<Arc<io::Error>>,
}

impl OpenError {
    /// Creates an error of the kind [`OpenErrorKind::Invalid`], without a diagnostic code.
    pub fn new(file: &str, message: impl Into<String>) -> Self {
        let (file, message) = (file.to_owned(), message.into());
        Self { file, message, code: None, kind: OpenErrorKind::default(), source: None }
    }

    /// Changes the kind.
    pub fn with_kind(self, kind: OpenErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// The same with the code of what is wrong.
    pub fn with_code(self, code: &'static Code) -> Self {
        Self { code: Some(code.id), ..self }
    }

    /// No format takes these bytes: says what the file starts with and what can be opened.
    pub fn unknown(file: &str, bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::new(file, "the file is empty (0 bytes)").with_kind(OpenErrorKind::UnknownFormat);
        }
        let kind = foreign::kind(bytes).map(|kind| format!("this is {kind}: ")).unwrap_or_default();
        let start: String = bytes.iter().take(8).map(|b| format!("{b:02X} ")).collect();
        let extension = Hint { file_name: file }.extension();
        let is_known = FORMATS.iter().any(|format| format.info().extensions.contains(&extension.as_str()));
        let what = match extension.as_str() {
            extension if is_known => format!("not a valid .{extension} file"),
            "" => "unknown format".to_owned(),
            extension if extension.len() > 12 || !extension.chars().all(char::is_alphanumeric) => {
                "unknown format".to_owned()
            }
            extension => format!("Bonebox does not support .{extension} files"),
        };
        let message = format!("{kind}{what} (the file begins with {})", start.trim_end());
        Self::new(file, message).with_kind(OpenErrorKind::UnknownFormat)
    }
}

/// The reason for which something of an open file cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file has no such entry.
    NoEntry,
    /// The entry has no asset, or an asset of another type than requested.
    NotAnAsset,
    /// The data ends too early.
    Truncated,
    /// Reading exceeds a limit of [`Limits`](crate::bytes::Limits).
    TooLarge,
    /// The caller cancelled with [`Cancel`](crate::bytes::Cancel).
    Cancelled,
    /// The operating system cannot read the file.
    Io,
    /// The data is damaged, or a variant that its format does not support.
    #[default]
    Invalid,
    /// A reader failed. This is a fault of Bonebox.
    Internal,
}

/// Something of an open file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entry}: at offset {offset}: {message}")]
#[non_exhaustive]
pub struct ReadError {
    /// Path of the entry.
    pub entry: String,
    /// Bytes from the start of the nearest container.
    pub offset: u64,
    /// One sentence on the cause.
    pub message: String,
    /// The reason.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// Creates an error of the kind [`ReadErrorKind::Invalid`], at the offset of the entry.
    pub fn new(entry: &Entry, message: impl Into<String>) -> Self {
        let kind = ReadErrorKind::default();
        Self { entry: entry.path().into_owned(), offset: entry.offset, message: message.into(), kind }
    }

    /// Creates an error of an entry that cannot be read on.
    pub fn of_fault(entry: &Entry, fault: Fault) -> Self {
        Self { offset: fault.offset, ..Self::new(entry, fault.message) }.with_kind(fault.kind)
    }

    /// Creates an error for an entry id that the document does not have.
    pub fn no_entry(id: super::EntryId) -> Self {
        let (entry, message) = (format!("#{}", id.0), "this entry does not exist".to_owned());
        Self { entry, offset: 0, message, kind: ReadErrorKind::NoEntry }
    }

    /// Changes the kind.
    pub fn with_kind(self, kind: ReadErrorKind) -> Self {
        Self { kind, ..self }
    }
}
