//! Words that are looked for in texts, and the set of letters of a text: most names lack a letter of a word, and need
//! no closer look.

use aho_corasick::AhoCorasick;

/// Letters of a text, whatever their case. Of a text that is not ASCII all: a letter with an accent stands for one without.
pub fn of(text: &str) -> u64 {
    if text.is_ascii() { text.bytes().fold(0, |letters, byte| letters | bit(byte)) } else { u64::MAX }
}

/// Letters that a text has to have for a word to occur in it, also with others between its letters.
pub fn needed(word: &str) -> u64 {
    word.bytes().filter(u8::is_ascii).fold(0, |letters, byte| letters | bit(byte))
}

/// 26 letters, ten digits, and the others in groups.
fn bit(byte: u8) -> u64 {
    let place = match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A',
        b'0'..=b'9' => byte - b'0' + 26,
        b'_' => 36,
        b'.' => 37,
        b'-' => 38,
        b' ' => 39,
        _ => 40 + byte % 24,
    };
    1 << place
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_letters_of_what_occurs_in_it() {
        let may_occur = |word: &str, text: &str| needed(word) & !of(text) == 0;
        assert!(may_occur("hnd7", "Hand_L07") && may_occur("", "") && may_occur("~[", "a~b["));
        assert!(!may_occur("hands", "Hand") && !may_occur("7", "Hand") && !may_occur("_", "Hand"));
        // Accents and letters that have another length in lower case.
        assert!(may_occur("a", "ä") && may_occur("ä", "x") && may_occur("ärm", "ÄRM"));
        for byte in 0..=127_u8 {
            let (small, large) = ((byte as char).to_string(), (byte as char).to_ascii_uppercase().to_string());
            assert!(may_occur(&small, &large) && needed(&small) != 0, "{byte}");
        }
    }
}
