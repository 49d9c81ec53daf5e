use serde::{Serialize, Serializer};
use std::{
    borrow::{Borrow, Cow},
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

/// Text that many entries may have: it is stored once, a copy shares it.
#[derive(Clone)]
pub enum SharedText {
    Static(&'static str),
    /// A pointer to a pointer: a copy takes 16 bytes, and there are millions.
    Shared(Arc<Box<str>>),
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl Default for SharedText {
    fn default() -> Self {
        Self::Static("")
    }
}

impl From<&'static str> for SharedText {
    fn from(text: &'static str) -> Self {
        Self::Static(text)
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self::Shared(Arc::new(text.into()))
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        (*text).to_owned()
    }
}

impl From<Cow<'static, str>> for SharedText {
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Static(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for SharedText {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

impl Eq for SharedText {}

impl Hash for SharedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        self
    }
}

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_the_text() {
        let (text, other) = (SharedText::from("a name".to_owned()), SharedText::from("a name"));
        let copy = text.clone();
        assert!(
            std::ptr::eq::<str>(&*text, &*copy)
                && text == other
                && copy == "a name"
                && format!("{other:>7}") == " a name"
        );
    }
}
