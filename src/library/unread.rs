//! Why nothing can be read where a path leads.

use crate::formats::{OpenError, containers::Trouble};

/// A sentence that goes after the path, and the code of what is wrong, where there is one.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    pub message: String,
    pub code: Option<&'static str>,
}

impl From<String> for Unread {
    fn from(message: String) -> Self {
        Self { message, code: None }
    }
}

impl From<&str> for Unread {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<Trouble> for Unread {
    fn from(trouble: Trouble) -> Self {
        Self { message: trouble.message, code: Some(trouble.code.id) }
    }
}

impl From<OpenError> for Unread {
    fn from(error: OpenError) -> Self {
        Self { message: error.message, code: error.code }
    }
}

impl From<Unread> for String {
    fn from(why: Unread) -> Self {
        why.message
    }
}
