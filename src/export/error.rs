use super::{size_text::size_text, write::WriteError};
use crate::formats::ReadError;
use std::path::PathBuf;

/// An export did not happen.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{} exists already; nothing is overwritten unless that is asked for", .0.display())]
    Exists(PathBuf),
    #[error("{}: {source}", .path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// What was asked for does not exist for this content; the message says why and what would do.
    #[error("{0}")]
    Unsupported(String),
    /// The result would be larger than the program makes files.
    #[error("{0}")]
    TooLarge(String),
    /// The result would be larger than its source gives reason to expect ([`super::Budget`]).
    #[error("“{name}” would take {}, and the exports of its file may take {} together", size_text(*.size), size_text(*.most))]
    OverBudget {
        name: String,
        /// Bytes of this export alone.
        size: u64,
        most: u64,
    },
    /// Only files are written over, and links that lead to files.
    #[error("{} is no file and is not written over", .0.display())]
    NotAFile(PathBuf),
    #[error("the picture “{name}” cannot be encoded: {message}")]
    Picture { name: String, message: String },
    /// A picture of a model could not be drawn; the message says why.
    #[error("{0}")]
    Drawing(String),
    #[error("cancelled")]
    Cancelled,
}

impl ExportError {
    /// Turns an I/O error into one that names the file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
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
