//! The reason for which a file or a member of a container cannot be read.

use crate::formats::{OpenError, OpenErrorKind, containers::Trouble};
use std::{io, sync::Arc};

/// A message that follows the path, with the details of an [`OpenError`].
#[derive(Clone, Debug)]
pub(super) struct Unread {
    pub message: String,
    pub code: Option<&'static str>,
    pub kind: OpenErrorKind,
    pub source: Option<Arc<io::Error>>,
}

impl Unread {
    pub fn new(message: impl Into<String>, kind: OpenErrorKind) -> Self {
        Self { message: message.into(), code: None, kind, source: None }
    }

    /// The error of a missing file or member of a container.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(message, OpenErrorKind::Io(io::ErrorKind::NotFound))
    }
}

impl From<String> for Unread {
    fn from(message: String) -> Self {
        Self::new(message, OpenErrorKind::Invalid)
    }
}

impl From<&str> for Unread {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let (message, kind) = (error.to_string(), OpenErrorKind::Io(error.kind()));
        Self { source: Some(Arc::new(error)), ..Self::new(message, kind) }
    }
}

impl From<Trouble> for Unread {
    fn from(trouble: Trouble) -> Self {
        Self { code: Some(trouble.code.id), ..trouble.message.into() }
    }
}

impl From<OpenError> for Unread {
    fn from(error: OpenError) -> Self {
        let OpenError { message, code, kind, source, .. } = error;
        Self { message, code, kind, source }
    }
}

impl From<Unread> for String {
    fn from(why: Unread) -> Self {
        why.message
    }
}
