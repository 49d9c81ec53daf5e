use serde::{Serialize, Serializer};
use std::{
    borrow::{Borrow, Cow},
    cell::RefCell,
    collections::HashMap,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

/// Text that many entries may have: it is stored once, a copy shares it. It takes 16 bytes, since there are millions.
#[derive(Clone)]
pub struct SharedText {
    list: Arc<TextList>,
    index: u32,
}

/// Texts that are stored one after the other: a table of names.
#[derive(Debug, Default)]
pub struct TextList {
    text: Box<str>,
    /// The end of each text. Empty for a single one.
    ends: Box<[u32]>,
}

impl TextList {
    /// Returns the number of texts; 0 for the list of a single [`SharedText`].
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the text at an index; `None` if the index is out of range.
    pub fn get(&self, index: u32) -> Option<&str> {
        let end_of = |index: u32| self.ends.get(index as usize).map(|end| *end as usize);
        let start = index.checked_sub(1).map_or(Some(0), end_of)?;
        self.text.get(start..end_of(index)?)
    }

    /// The text at an index, shared.
    pub fn shared(self: &Arc<Self>, index: u32) -> Option<SharedText> {
        ((index as usize) < self.count()).then(|| SharedText { list: self.clone(), index })
    }
}

/// Collects a [`TextList`].
#[derive(Debug, Default)]
pub struct TextListBuilder {
    text: String,
    ends: Vec<u32>,
}

impl TextListBuilder {
    /// Creates an empty builder with room for `texts` texts.
    pub fn with_capacity(texts: usize) -> Self {
        // Names are seldom longer.
        Self { text: String::with_capacity(texts.saturating_mul(12)), ends: Vec::with_capacity(texts) }
    }

    /// Returns the number of texts added so far, which is the index of the next one.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Adds a text. Texts past 4 GiB are empty.
    pub fn push(&mut self, text: &str) {
        if let Ok(end) = u32::try_from(self.text.len().saturating_add(text.len())) {
            self.text.push_str(text);
            self.ends.push(end);
        } else {
            self.ends.push(self.ends.last().copied().unwrap_or(0));
        }
    }

    /// Returns the list of all texts in the order in which they were added.
    pub fn finish(self) -> Arc<TextList> {
        Arc::new(TextList { text: self.text.into(), ends: self.ends.into() })
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        if self.list.ends.is_empty() { &self.list.text } else { self.list.get(self.index).unwrap_or_default() }
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
        "".into()
    }
}

thread_local! {
    /// The texts of the program itself that the thread has shared.
    static KNOWN: RefCell<HashMap<&'static str, SharedText>> = RefCell::default();
}

impl From<&'static str> for SharedText {
    fn from(text: &'static str) -> Self {
        KNOWN.with_borrow_mut(|known| known.entry(text).or_insert_with(|| text.to_owned().into()).clone())
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self { list: Arc::new(TextList { text: text.into(), ends: Box::default() }), index: 0 }
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
            Cow::Borrowed(text) => text.into(),
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
        assert!(std::ptr::eq::<str>(&*other, &*SharedText::from("a name")));
    }

    #[test]
    fn texts_of_a_list_are_stored_one_after_the_other() {
        let mut builder = TextListBuilder::with_capacity(2);
        for text in ["one", "", "zwölf"] {
            builder.push(text);
        }
        let list = builder.finish();
        let texts: Vec<SharedText> = (0..3).filter_map(|index| list.shared(index)).collect();
        assert_eq!(texts, ["one", "", "zwölf"]);
        assert!(list.count() == 3 && list.get(3).is_none() && list.shared(3).is_none());
        assert!(TextListBuilder::default().finish().shared(0).is_none() && SharedText::default().is_empty());
    }
}
