//! What is typed into a filter, the same in every list: words, `-left out`, `type:texture`, `in:folder`, `"a phrase"`.

pub use crate::library::words::{MAX_CHARS, contains};

use crate::{
    formats::{Entry, EntryId, Outline},
    library::words::{self, MAX_TERMS},
};
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

/// Asks a query of the entries of one file. What they lie in is looked at once for each of them, however deep they lie.
pub struct EntryQuery<'a> {
    query: &'a Query,
    outline: &'a Outline,
    file_name: &'a str,
    folder: &'a str,
    /// Of each term that asks for it: which entries have it in their name or lie in what has. Empty for the others.
    within: Vec<Vec<Within>>,
    way: Vec<EntryId>,
    path: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Unknown,
    /// It is being found out: parents that lead in a circle come back here.
    Asked,
    No,
    Yes,
}

impl<'a> EntryQuery<'a> {
    /// `folder` is the name of the folder that the file lies in.
    pub fn new(query: &'a Query, outline: &'a Outline, file_name: &'a str, folder: &'a str) -> Self {
        let count = outline.entries().len();
        let within = |of| if of == TermOf::In { vec![Within::Unknown; count] } else { Vec::new() };
        let within = query.terms().iter().map(|term| within(term.of)).collect();
        Self { query, outline, file_name, folder, within, way: Vec::new(), path: String::new() }
    }

    /// Whether an entry is found by its name or its class.
    pub fn finds(&mut self, entry: &Entry) -> bool {
        let name = if entry.id == EntryId::FILE { self.file_name } else { &entry.name };
        self.ask(entry, &[name, &entry.class])
    }

    /// Whether an entry is found by its path or its class; the file itself by its name.
    pub fn finds_path(&mut self, entry: &Entry) -> bool {
        if entry.id == EntryId::FILE {
            return self.finds(entry);
        }
        let mut path = std::mem::take(&mut self.path);
        entry.write_path(&mut path);
        let found = self.ask(entry, &[&path, &entry.class]);
        self.path = path;
        found
    }

    fn ask(&mut self, entry: &Entry, texts: &[&str]) -> bool {
        let query = self.query;
        query.finds(texts, &[entry.role.word(), &entry.class], |at, word| match entry.parent {
            Some(parent) => self.is_within(at, parent, word),
            None => contains(self.folder, word),
        })
    }

    /// Whether an entry or what it lies in has a word in its name.
    fn is_within(&mut self, term: usize, entry: EntryId, word: &str) -> bool {
        let (outline, file_name, folder) = (self.outline, self.file_name, self.folder);
        let Some(known) = self.within.get_mut(term) else { return false };
        self.way.clear();
        let mut next = Some(entry);
        let found = loop {
            let Some((id, entry)) = next.and_then(|id| Some((id, outline.get(id)?))) else {
                break contains(file_name, word) || contains(folder, word);
            };
            match known.get_mut(id.0 as usize) {
                Some(Within::Yes) => break true,
                Some(Within::No | Within::Asked) | None => break false,
                Some(unknown) => *unknown = Within::Asked,
            }
            self.way.push(id);
            // The file itself has no name but that of the file.
            if id != EntryId::FILE && contains(&entry.name, word) {
                break true;
            }
            next = entry.parent;
        };
        for id in &self.way {
            if let Some(known) = known.get_mut(id.0 as usize) {
                *known = if found { Within::Yes } else { Within::No };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role};

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

    fn found(outline: &Outline, filter: &str) -> Vec<u32> {
        let query = Query::of(filter);
        let mut entries = EntryQuery::new(&query, outline, "room.utx", "Textures");
        outline.entries().iter().filter(|entry| entries.finds(entry)).map(|entry| entry.id.0).collect()
    }

    fn package() -> Outline {
        let mut outline = Outline::new(Role::File, "Package", 100);
        let group = outline.add(EntryId::FILE, "Walls", "Walls", Role::Group, "Group", 0, 0, Content::None);
        outline.add(group, "Brick", "Walls.Brick", Role::Texture, "FireTexture", 10, 5, Content::Image);
        outline.add(group, "BrickColors", "Walls.BrickColors", Role::Palette, "Palette", 15, 5, Content::Palette);
        let deep = outline.add(group, "Inner", "Walls.Inner", Role::Group, "Group", 0, 0, Content::None);
        outline.add(deep, "Tile", "Walls.Inner.Tile", Role::Texture, "Texture", 20, 5, Content::Image);
        outline.add(EntryId::FILE, "Sky", "Sky", Role::Texture, "Texture", 30, 5, Content::Image);
        outline
    }

    #[test]
    fn entries_are_found_by_what_they_are_and_lie_in() {
        let outline = package();
        assert_eq!(found(&outline, "brick"), [2, 3]);
        assert_eq!(found(&outline, "type:texture"), [2, 5, 6]);
        assert_eq!(found(&outline, "type:firetex"), [2], "as the format calls it");
        assert_eq!(found(&outline, "type:texture in:walls"), [2, 5]);
        assert_eq!(found(&outline, "type:texture -in:inner"), [2, 6]);
        assert_eq!(found(&outline, "in:inner"), [5]);
        assert_eq!(found(&outline, "in:room.utx type:palette"), [3]);
        assert_eq!(found(&outline, "in:textures type:file"), [0], "a file lies in its folder");
        assert_eq!(found(&outline, "in:room"), [1, 2, 3, 4, 5, 6], "a file is not inside itself");
        assert_eq!(found(&outline, "in:sky"), [0; 0]);
        assert_eq!(found(&outline, "-type:group -type:file brick -colors"), [2]);
        assert_eq!(found(&outline, "room"), [0], "the file by its name");
    }

    #[test]
    fn paths_are_looked_at_as_a_whole() {
        let outline = package();
        let query = Query::of("walls.in tile");
        let mut entries = EntryQuery::new(&query, &outline, "room.utx", "");
        let found: Vec<u32> = outline.entries().iter().filter(|e| entries.finds_path(e)).map(|e| e.id.0).collect();
        assert_eq!(found, [5]);
        let query = Query::of("room");
        let mut entries = EntryQuery::new(&query, &outline, "room.utx", "");
        let found: Vec<u32> = outline.entries().iter().filter(|e| entries.finds_path(e)).map(|e| e.id.0).collect();
        assert_eq!(found, [0], "a file has no path, but a name");
    }

    #[test]
    fn parents_that_lead_in_a_circle_end() {
        let mut entries = package().entries().to_vec();
        entries[1].parent = Some(EntryId(4));
        let outline = Outline::of(entries);
        assert_eq!(found(&outline, "in:nothing"), [0; 0]);
        assert_eq!(found(&outline, "in:inner"), [1, 2, 3, 4, 5]);
    }
}
