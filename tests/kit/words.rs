//! The words of the program and of its documents: docs/STYLE.md, counted.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Phrases that docs/STYLE.md replaces.
const HABITS: [&str; 14] = [
    "says", "said", "tells", "told", "lies", "stands", "beside", "anew", "whereof", "thereof", "is none", "of none",
    "is of", "are of",
];

/// Words that no sentence begins with.
const ODD_BEGINNINGS: [&str; 16] = [
    "what", "where", "whose", "whom", "it", "its", "those", "these", "of", "that", "whether", "as", "so", "there",
    "by", "how",
];

/// Sums over many texts.
#[derive(Default)]
pub struct Count {
    words: usize,
    texts: usize,
    /// Texts with habits, one for each habit in the text.
    pub with_habits: Vec<String>,
    pub with_odd_beginnings: Vec<String>,
}

impl Count {
    /// Adds a text from `place`. Headings, tables and pictures of a document begin with any word.
    pub fn add(&mut self, place: &str, text: &str) {
        let words: Vec<String> =
            text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_').map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        let Some(first) = words.first() else { return };
        self.texts += 1;
        self.words += words.len();
        let line = || format!("{place}: {}", text.trim().chars().take(160).collect::<String>());
        for habit in HABITS {
            let parts: Vec<&str> = habit.split(' ').collect();
            self.with_habits.extend(words.windows(parts.len()).filter(|window| *window == parts).map(|_| line()));
        }
        let is_sentence = text.trim_start().starts_with(|c: char| !"#|!".contains(c));
        if is_sentence && ODD_BEGINNINGS.contains(first) {
            self.with_odd_beginnings.push(line());
        }
    }

    /// Habits in 10,000 words.
    pub fn habits(&self) -> f64 {
        self.with_habits.len() as f64 / self.words.max(1) as f64 * 1e4
    }

    /// Odd beginnings in 100 texts.
    pub fn odd_beginnings(&self) -> f64 {
        self.with_odd_beginnings.len() as f64 / self.texts.max(1) as f64 * 1e2
    }

    pub fn words(&self) -> usize {
        self.words
    }
}

/// The string literals of at least three words in Rust code, with 0 for their arguments, without comments, documentation and tests.
pub fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(code.parse().expect("Rust code"), &mut found);
    found.retain(|text| text.split_whitespace().count() >= 3 && text.contains(|c: char| c.is_ascii_lowercase()));
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_left_out = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                // The mark of an attribute of the whole module.
                tokens.next_if(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '!'));
                let Some(TokenTree::Group(attribute)) = tokens.peek() else { continue };
                let attribute = attribute.stream().to_string().replace(' ', "");
                is_left_out |= attribute == "cfg(test)";
                if attribute.starts_with("doc=") || attribute == "cfg(test)" {
                    tokens.next();
                }
            }
            // The end of an item that only tests have.
            TokenTree::Punct(mark) if mark.as_char() == ';' => is_left_out = false,
            TokenTree::Group(group) if is_left_out => is_left_out = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) if !is_left_out => found.extend(text_of(&literal.to_string())),
            TokenTree::Literal(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The text of a string literal, with its escapes except those that continue a line.
fn text_of(literal: &str) -> Option<String> {
    let text = literal.trim_start_matches('r').trim_matches('#').strip_prefix('"')?.strip_suffix('"')?;
    let mut lines = text.split("\\\n");
    let first = lines.next()?.to_owned();
    let text = lines.fold(first, |text, line| text + line.trim_start());
    // An argument begins a part, and its name ends there: a number in its place is a word too.
    let mut parts = text.split('{');
    let first = parts.next()?.to_owned();
    Some(parts.fold(first, |text, part| text + "0" + part.split_once('}').map_or(part, |(_, after)| after)))
}
