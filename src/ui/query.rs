//! What is typed into a filter, the same in every list: words, `-left out`, `type:texture`, `in:folder`, `"a phrase"`.

mod entries;

pub use crate::library::words::{MAX_CHARS, contains};
pub use entries::EntryQuery;

use crate::library::words::{self, MAX_TERMS};
use std::ops::Range;

/// The grammar, for the hover text of fields.
pub const HINT: &str = "All words must match.\n-word excludes matches of this word\n\
                        type:texture matches the type or the class\n\
                        in:name matches the name of the file, folder or package\n\
                        \"two words\" matches a phrase";

const TYPE: &str = "type:";
const IN: &str = "in:";

/// What a word of a filter is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermOf {
    /// The name, and what else a list shows.
    Text,
    /// What it is, or what its format calls it.
    Type,
    /// What it lies in.
    In,
}

/// A word or a phrase of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// In lower case, letter by letter; not empty.
    pub word: String,
    pub of: TermOf,
    /// What has it is left out.
    pub excludes: bool,
}

/// What a filter asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
}

impl Query {
    /// Reads a filter. Any text is one; what is still being typed (`-`, `type:`) asks for nothing.
    pub fn of(filter: &str) -> Self {
        let mut terms: Vec<Term> = Vec::new();
        for typed in words::typed(filter, &[TYPE, IN]) {
            if terms.len() >= MAX_TERMS {
                break;
            }
            let of = match typed.field {
                Some(TYPE) => TermOf::Type,
                Some(_) => TermOf::In,
                None => TermOf::Text,
            };
            let term = Term { word: words::lower(typed.word), of, excludes: typed.excludes };
            if !term.word.is_empty() && !terms.contains(&term) {
                terms.push(term);
            }
        }
        Self { terms }
    }

    /// Whether it asks for nothing: everything is found.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether a row is found that says these texts, is of these types and lies in what `lies_in` says. It is given each word
    /// that asks for that, with its place among the [`Query::terms`].
    pub fn finds(&self, texts: &[&str], types: &[&str], mut lies_in: impl FnMut(usize, &str) -> bool) -> bool {
        self.terms.iter().enumerate().all(|(at, term)| has(term, at, texts, types, &mut lies_in) != term.excludes)
    }

    /// Whether a row has what is to be left out.
    pub fn leaves_out(&self, texts: &[&str], types: &[&str], mut lies_in: impl FnMut(usize, &str) -> bool) -> bool {
        let mut terms = self.terms.iter().enumerate().filter(|(_, term)| term.excludes);
        terms.any(|(at, term)| has(term, at, texts, types, &mut lies_in))
    }

    /// The same for a row that lies in things of these names.
    pub fn finds_in(&self, texts: &[&str], types: &[&str], above: &[&str]) -> bool {
        self.finds(texts, types, |_, word| above.iter().any(|name| contains(name, word)))
    }

    /// The words that are looked for in texts, for lists that rank what they find, and what else it asks for.
    pub fn split(&self) -> (String, Self) {
        let (words, terms): (Vec<_>, Vec<_>) =
            self.terms.iter().cloned().partition(|term| term.of == TermOf::Text && !term.excludes);
        let words: Vec<String> = words.into_iter().map(|term| term.word).collect();
        (words.join(" "), Self { terms })
    }

    /// Where the words occur in a text, in bytes: in their order, apart from each other.
    pub fn marks(&self, name: &str) -> Vec<Range<usize>> {
        let words = self.terms.iter().filter(|term| term.of == TermOf::Text && !term.excludes);
        words::marks(name, words.map(|term| term.word.as_str()))
    }
}

fn has(term: &Term, at: usize, texts: &[&str], types: &[&str], lies_in: &mut impl FnMut(usize, &str) -> bool) -> bool {
    match term.of {
        TermOf::Text => texts.iter().any(|text| contains(text, &term.word)),
        TermOf::Type => types.iter().any(|text| contains(text, &term.word)),
        TermOf::In => lies_in(at, &term.word),
    }
}

/// The text of a field with what it asks for, read once for each change.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub text: String,
    read: String,
    query: Query,
}

impl Filter {
    pub fn query(&mut self) -> &Query {
        if self.read != self.text {
            self.read.clone_from(&self.text);
            self.query = Query::of(&self.text);
        }
        &self.query
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(word: &str, of: TermOf, excludes: bool) -> Term {
        Term { word: word.to_owned(), of, excludes }
    }

    #[test]
    fn a_filter_is_words_phrases_types_places_and_what_is_left_out() {
        let (text, kind, place) = (TermOf::Text, TermOf::Type, TermOf::In);
        for (filter, terms) in [
            ("", vec![]),
            ("  \t ", vec![]),
            ("  HAND bone ", vec![term("hand", text, false), term("bone", text, false)]),
            ("-x", vec![term("x", text, true)]),
            ("type:Texture", vec![term("texture", kind, false)]),
            ("TYPE:texture -type:palette", vec![term("texture", kind, false), term("palette", kind, true)]),
            ("in:creature.psk", vec![term("creature.psk", place, false)]),
            ("-in:\"my folder\" a", vec![term("my folder", place, true), term("a", text, false)]),
            ("\"two words\"", vec![term("two words", text, false)]),
            ("-\"two words\"b", vec![term("two words", text, true), term("b", text, false)]),
            // In quotes nothing has another meaning.
            ("\"-x\" \"type:y\"", vec![term("-x", text, false), term("type:y", text, false)]),
            // What is still being typed asks for nothing.
            ("- type: in: -type: \" \"\"", vec![term(" ", text, false)]),
            ("hand -", vec![term("hand", text, false)]),
            ("\"not closed yet", vec![term("not closed yet", text, false)]),
            ("a A a -a", vec![term("a", text, false), term("a", text, true)]),
            ("types:a win:b", vec![term("types:a", text, false), term("win:b", text, false)]),
            ("b-c 7-", vec![term("b-c", text, false), term("7-", text, false)]),
            ("ÄRM ΟΔΟΣ", vec![term("ärm", text, false), term("οδοσ", text, false)]),
        ] {
            assert_eq!(Query::of(filter).terms(), terms, "{filter:?}");
        }
    }

    #[test]
    fn every_word_has_to_occur_and_nothing_that_is_left_out() {
        let finds = |filter: &str, name: &str| {
            Query::of(filter).finds_in(&[name, "AnimInfo"], &["clip", "AnimInfo"], &["creature.psa", "models"])
        };
        assert!(finds("", "Walk") && finds("wa ALK", "Walk") && finds("anim", "Walk"));
        assert!(!finds("walk run", "Walk") && !finds("-walk", "Walk") && !finds("-anim", "Run"));
        assert!(finds("-walk", "Run") && finds("run -walk", "Run") && !finds("run -walk", "RunWalk"));
        assert!(finds("type:clip", "Walk") && finds("type:anim in:models -in:sounds", "Walk"));
        assert!(!finds("type:walk", "Walk") && !finds("in:walk", "Walk") && !finds("-type:clip", "Walk"));
        assert!(finds("\"walk fast\"", "Walk Fast") && !finds("\"fast walk\"", "Walk Fast"));
        let query = Query::of("a -b -type:c");
        let lies_in = |_: usize, _: &str| false;
        assert!(query.leaves_out(&["b"], &[], lies_in) && query.leaves_out(&[""], &["C"], lies_in));
        assert!(!query.leaves_out(&["nothing"], &["d"], lies_in));
    }

    #[test]
    fn words_are_told_apart_from_the_rest() {
        let (words, rest) = Query::of("Walk type:clip \"to and\" -run fro").split();
        assert_eq!((words.as_str(), rest), ("walk to and fro", Query::of("type:clip -run")));
        let (words, rest) = Query::of("-x").split();
        assert!(words.is_empty() && !rest.is_empty());
    }

    #[test]
    fn marks_are_of_the_words_that_are_looked_for() {
        let marks = |filter: &str, name: &str| -> Vec<String> {
            Query::of(filter).marks(name).into_iter().map(|range| name[range].to_owned()).collect()
        };
        assert_eq!(marks("hand l", "Hand_L"), ["Hand", "L"]);
        assert_eq!(marks("\"d_l\" -hand type:hand in:hand", "Hand_L"), ["d_L"]);
        assert_eq!(marks("-hand", "Hand"), [""; 0]);
    }

    #[test]
    fn filters_of_any_length_cost_no_more_than_the_longest_that_counts() {
        for filter in ["a".repeat(100_000), "-ab ".repeat(100_000), "\"".repeat(100_000), "ä ".repeat(100_000)] {
            let query = Query::of(&filter);
            assert!(query.terms().len() <= MAX_TERMS);
            assert!(query.terms().iter().all(|term| term.word.chars().count() <= MAX_CHARS));
        }
        let many: String = (0..200).map(|n| format!("-w{n} ")).collect();
        assert_eq!(Query::of(&many).terms().len(), MAX_TERMS);
        assert!(!Query::of(&"a".repeat(100_000)).finds_in(&["aaa"], &[], &[]));
    }

    #[test]
    fn a_filter_is_read_when_its_text_changed() {
        let mut filter = Filter { text: "hand".to_owned(), ..Filter::default() };
        assert_eq!(*filter.query(), Query::of("hand"));
        filter.text.push_str(" -l");
        assert_eq!(*filter.query(), Query::of("hand -l"));
        filter.text.clear();
        assert!(filter.query().is_empty());
    }
}
