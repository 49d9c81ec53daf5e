//! Words that are looked for in texts.

use aho_corasick::AhoCorasick;

/// Words that are looked for in texts; letters of ASCII in any case.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    words: String,
    pub finder: AhoCorasick,
}

impl Needle {
    /// `None` where nothing can be looked for: a text that is empty, or too long.
    pub fn new(words: &str) -> Option<Self> {
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build([words]).ok()?;
        (!words.is_empty()).then(|| Self { words: words.to_owned(), finder })
    }

    pub fn words(&self) -> &str {
        &self.words
    }
}

impl PartialEq for Needle {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}
