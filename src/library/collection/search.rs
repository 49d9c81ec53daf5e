//! Finding entries of a collection.

use super::{
    Catalog, Query, RowIndex,
    catalog::{KindMask, Kinds, MetKinds},
    filters::{self, Filters, Looked},
    needle,
    query::{Asks, Term, is_of_path},
};
use crate::{
    bytes::Cancel,
    formats::EntryId,
    library::words::{self, contains},
};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{Atom, AtomKind, CaseMatching, Normalization},
};
use rayon::prelude::*;
use std::{cmp::Reverse, ops::Range};

/// Rows that one thread looks at before it takes others.
const CHUNK: u32 = 16_384;
/// Rows between two looks at whether the search was cancelled.
const STRIDE: u32 = 512;
/// Characters of a name that words are looked for in.
const MAX_LETTERS: usize = 1_024;
/// Parts of a file's path that words with a separator are looked for in.
const PATH_PARTS: usize = 3;

/// An entry that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The entry.
    pub row: RowIndex,
    /// The higher, the better the words fit; 0 where no words were asked for.
    pub score: u32,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best first: by score, then shorter names, then in the catalog's order. In the catalog's order alone where no words were
    /// asked for.
    pub hits: Vec<Hit>,
    /// All that were found, also those that are not among the hits.
    pub total: usize,
    /// By kind that was asked about how many are of it, and last how many there are of any kind; nothing where none was asked about.
    pub counts: Vec<usize>,
}

/// Kinds of entries that are counted, each by a word as `type:` takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted<'a> {
    /// Names of the kinds, as `type:` takes them.
    pub kinds: &'a [&'a str],
    /// The one of them that hits are of; all where there is none.
    pub only: Option<usize>,
}

/// What one thread found.
#[derive(Default)]
struct Part {
    ranks: Vec<Rank>,
    total: usize,
    counts: Vec<usize>,
}

/// The best hits first.
type Rank = (Reverse<u32>, u32, u32);

/// A word whose letters stand in a name in their order.
struct Word {
    atom: Atom,
    letters: u64,
    lower: String,
    /// It is looked for in the path.
    in_path: bool,
    /// For each class whether it stands in what the format calls an entry.
    in_class: Vec<bool>,
}

/// What one thread works with.
struct Desk {
    matcher: Matcher,
    chars: Vec<char>,
    path: String,
    looked: Looked,
    met: MetKinds,
}

/// Finds the entries that a query asks for. A text that it looks for is found by [`super::text_hits`]; here it restricts what is found
/// to scripts and texts. Blocks: call it on a worker. What was cancelled found nothing.
pub fn search(catalog: &Catalog, query: &Query, at_most: usize, cancel: &Cancel) -> Found {
    search_counted(catalog, query, Counted::default(), at_most, cancel)
}

/// As [`search`], and counts what is found by kind on the way.
pub fn search_counted(
    catalog: &Catalog,
    query: &Query,
    counted: Counted<'_>,
    at_most: usize,
    cancel: &Cancel,
) -> Found {
    let words: Vec<Word> = query.terms().iter().filter_map(|term| Word::of(term, catalog)).collect();
    let asked =
        Asked { catalog, filters: Filters::of(catalog, query), words, kinds: Kinds::of(catalog, counted.kinds) };
    let rows = u32::try_from(catalog.row_count()).unwrap_or(u32::MAX);
    let chunks: Vec<Range<u32>> =
        (0..rows).step_by(CHUNK as usize).map(|at| at..at.saturating_add(CHUNK).min(rows)).collect();
    let new_desk = || Desk {
        matcher: Matcher::new(Config::DEFAULT),
        chars: Vec::new(),
        path: String::new(),
        looked: Looked::default(),
        met: MetKinds::default(),
    };
    let parts: Option<Vec<Part>> = chunks
        .into_par_iter()
        .map_init(new_desk, |desk, rows| part(&asked, counted.only, rows, at_most, desk, cancel))
        .collect();
    let Some(parts) = parts else { return Found::default() };
    let mut found = Found { counts: vec![0; asked.kinds.counts()], ..Found::default() };
    let mut ranks: Vec<Rank> = Vec::new();
    for part in parts {
        found.total = found.total.saturating_add(part.total);
        for (sum, count) in found.counts.iter_mut().zip(part.counts) {
            *sum = sum.saturating_add(count);
        }
        ranks.extend(part.ranks);
    }
    keep_best(&mut ranks, at_most);
    ranks.sort_unstable();
    found.hits = ranks.into_iter().map(|(Reverse(score), _, row)| Hit { row: RowIndex(row), score }).collect();
    found
}

/// What is looked for, and in what.
struct Asked<'a> {
    catalog: &'a Catalog,
    filters: Filters<'a>,
    words: Vec<Word>,
    kinds: Kinds,
}

/// What is found among some rows, the best of it; `None` where the search was cancelled.
fn part(
    asked: &Asked<'_>,
    only: Option<usize>,
    rows: Range<u32>,
    at_most: usize,
    desk: &mut Desk,
    cancel: &Cancel,
) -> Option<Part> {
    let enough = at_most.saturating_mul(2).saturating_add(256);
    let mut part = Part { counts: vec![0; asked.kinds.counts()], ..Part::default() };
    for at in rows {
        if at.is_multiple_of(STRIDE) && cancel.is_cancelled() {
            return None;
        }
        let Some((score, name_len, kinds)) = score(asked, RowIndex(at), desk) else { continue };
        kinds.count(&mut part.counts);
        if only.is_some_and(|only| !kinds.has(only)) {
            continue;
        }
        part.total = part.total.saturating_add(1);
        part.ranks.push((Reverse(score), if asked.words.is_empty() { 0 } else { name_len }, at));
        if part.ranks.len() >= enough {
            keep_best(&mut part.ranks, at_most);
        }
    }
    keep_best(&mut part.ranks, at_most);
    Some(part)
}

fn keep_best(ranks: &mut Vec<Rank>, at_most: usize) {
    if ranks.len() > at_most {
        ranks.select_nth_unstable(at_most);
        ranks.truncate(at_most);
    }
}

/// How well a row fits, how long its name is, and of which kinds it is; `None` for one that is not found.
fn score(asked: &Asked<'_>, at: RowIndex, desk: &mut Desk) -> Option<(u32, u32, KindMask)> {
    let Asked { catalog, filters, words, kinds } = asked;
    let (known, class) = catalog.letters_and_class(at)?;
    let lacks_letters =
        |word: &Word| !word.in_path && word.letters & !known != 0 && !filters::has(&word.in_class, class);
    if words.iter().any(lacks_letters) {
        return None;
    }
    let row = catalog.row(at)?;
    if !filters.pass(&row, class, &mut desk.looked) {
        return None;
    }
    let mut sum = 0_u32;
    for word in words {
        let score = if word.in_path {
            if row.entry == EntryId::FILE {
                desk.path.clear();
                filters.write_path_end(row.file, PATH_PARTS, &mut desk.path);
                word.score(&desk.path, &mut desk.matcher, &mut desk.chars)
            } else {
                word.score(row.path, &mut desk.matcher, &mut desk.chars)
            }
        } else if word.letters & !known != 0 {
            None
        } else {
            word.score(row.name, &mut desk.matcher, &mut desk.chars)
        };
        match score {
            Some(score) => sum = sum.saturating_add(score.into()),
            // It is what the format calls it: found, after those that are called so.
            None if filters::has(&word.in_class, class) => {}
            None => return None,
        }
    }
    Some((sum, u32::try_from(row.name.len()).unwrap_or(u32::MAX), kinds.of_row(&row, class, &mut desk.met)))
}

impl Word {
    fn of(term: &Term, catalog: &Catalog) -> Option<Self> {
        match &term.asks {
            Asks::Word(word) if !term.excludes => Some(Self {
                atom: atom(word),
                letters: needle::needed(word),
                lower: word.clone(),
                in_path: is_of_path(word),
                in_class: catalog.classes().iter().map(|class| contains(class, word)).collect(),
            }),
            _ => None,
        }
    }

    fn score(&self, text: &str, matcher: &mut Matcher, chars: &mut Vec<char>) -> Option<u16> {
        let text = beginning(text);
        let score = self.atom.score(in_letters(text, chars), matcher);
        // Letters that have no small form of one letter are found as filters find them.
        score.or_else(|| (!text.is_ascii() && contains(text, &self.lower)).then_some(0))
    }
}

fn atom(word: &str) -> Atom {
    Atom::new(word, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy, false)
}

fn beginning(text: &str) -> &str {
    if text.len() <= MAX_LETTERS {
        return text;
    }
    let end = text.char_indices().nth(MAX_LETTERS).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// A text as the matcher takes it: one item a character, so that numbers of items are numbers of characters.
fn in_letters<'a>(text: &'a str, chars: &'a mut Vec<char>) -> Utf32Str<'a> {
    if text.is_ascii() {
        return Utf32Str::Ascii(text.as_bytes());
    }
    chars.clear();
    chars.extend(text.chars());
    Utf32Str::Unicode(chars)
}

/// Letters of a shown name that are to be marked, in bytes: those of the words and phrases that a query looks for, in their order,
/// apart from each other.
pub fn marks(query: &Query, name: &str) -> Vec<Range<usize>> {
    let asked = query.terms().iter().filter(|term| !term.excludes);
    let mut marks = Vec::new();
    let mut matcher = None;
    let shown = beginning(name);
    for term in asked {
        match &term.asks {
            Asks::Phrase(phrase) => marks.extend(words::marks(name, std::iter::once(phrase.as_str()))),
            Asks::Word(word) => {
                let matcher = matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT));
                let (mut indices, mut chars) = (Vec::new(), Vec::new());
                if atom(word).indices(in_letters(shown, &mut chars), matcher, &mut indices).is_none() {
                    marks.extend(words::marks(name, std::iter::once(word.as_str())));
                    continue;
                }
                indices.sort_unstable();
                indices.dedup();
                let mut wanted = indices.into_iter().peekable();
                for (number, (at, letter)) in (0_u32..).zip(shown.char_indices()) {
                    if wanted.next_if_eq(&number).is_some() {
                        marks.push(at..at + letter.len_utf8());
                    }
                }
            }
            _ => {}
        }
    }
    words::apart(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::Cancel,
        formats::{Content, Role},
        library::collection::{
            About,
            made::{catalog, file},
        },
    };

    fn games() -> Catalog {
        catalog([
            file("/games/Isle/Textures/Walls.utx", "unreal")
                .entry("Stone", "Package", Role::Group, Content::None)
                .texture("Stone.Brick", 256, 128)
                .texture("Stone.BrickWall", 64, 64)
                .entry("Stone.Fire", "FireTexture", Role::Texture, Content::Image),
            file("/games/Isle/Maps/Hall.unr", "unreal")
                .entry("MyLevel", "Level", Role::Level, Content::Map)
                .import("Walls", "Stone.Brick", "Texture")
                .import("Sounds", "Door", "Sound"),
            file("/games/Isle/hand.psa", "psa").clip("ANIMINFO/Wave", &["Root", "Hand", "Thumb"], 60).clip(
                "ANIMINFO/HandLeft",
                &["Root", "Hand"],
                15,
            ),
            file("/games/Isle/hand.psk", "psk").bytes(2_000_000, 1).model("Hand", &["Root", "Hand", "Thumb", "Tip"]),
            file("/games/Isle/Bark.u", "unreal")
                .entry("Dog", "Class", Role::Class, Content::Text)
                .about(About::Text { lines: 40 })
                .entry("Bark", "Sound", Role::Sound, Content::Sound)
                .about(About::Sound { duration_secs: 2.5 }),
        ])
    }

    fn found(catalog: &Catalog, words: &str) -> Vec<String> {
        let found = search(catalog, &Query::of(words), usize::MAX, Cancel::never());
        assert_eq!(found.total, found.hits.len());
        found.hits.iter().map(|hit| catalog.row(hit.row).unwrap().name.to_owned()).collect()
    }

    #[test]
    fn words_are_found_in_names_the_best_first() {
        let games = games();
        assert_eq!(found(&games, "brick"), ["Brick", "BrickWall"], "of equal score the shorter first");
        assert_eq!(found(&games, "bkwl"), ["BrickWall"], "letters in their order");
        assert_eq!(found(&games, "llwkb"), [""; 0], "not in another one");
        assert_eq!(found(&games, "hand"), ["Hand", "hand.psa", "HandLeft", "hand.psk"]);
        assert_eq!(found(&games, "hand left"), ["HandLeft"], "all words");
        assert_eq!(found(&games, "-brick walls"), ["Walls.utx"]);
        assert_eq!(found(&games, "firetexture"), ["Fire"], "what the format calls it");
        assert_eq!(found(&games, "-texture fire"), [""; 0], "and left out by it");
        assert_eq!(found(&games, "\"rickw\""), ["BrickWall"]);
        assert_eq!(found(&games, "\"wrick\""), [""; 0], "a phrase stands as it is");
        assert_eq!(found(&games, "stone.b"), ["Brick", "BrickWall"], "with a separator in the path");
        assert_eq!(found(&games, "textures/wall"), ["Walls.utx"], "of a file its end");
        assert_eq!(found(&games, "games/walls.utx"), [""; 0]);
        assert_eq!(found(&games, ".psk"), ["hand.psk"]);
    }

    #[test]
    fn what_something_is_and_lies_in_is_asked_as_in_filters() {
        let games = games();
        assert_eq!(found(&games, "class:texture"), ["Brick", "BrickWall", "Fire"]);
        assert_eq!(found(&games, "class:Fire"), ["Fire"]);
        assert_eq!(found(&games, "type:clip"), ["Wave", "HandLeft"], "without words in the catalog's order");
        assert_eq!(found(&games, "type:image -type:firetex"), ["Brick", "BrickWall"]);
        assert_eq!(found(&games, "type:map"), ["MyLevel"], "what can be shown of it");
        assert_eq!(found(&games, "in:stone"), ["Brick", "BrickWall", "Fire"]);
        assert_eq!(found(&games, "in:textures type:file"), ["Walls.utx"], "a file lies in its folder");
        assert_eq!(found(&games, "in:walls.utx"), ["Stone", "Brick", "BrickWall", "Fire"], "and not in itself");
        assert_eq!(found(&games, "in:isle -in:textures type:texture"), [""; 0]);
        assert_eq!(found(&games, "refs:brick"), ["Hall.unr"]);
        assert_eq!(found(&games, "refs:sounds"), ["Hall.unr"], "a package");
        assert_eq!(found(&games, "type:file -refs:walls -.psa -.psk -.utx"), ["Bark.u"]);
        assert_eq!(found(&games, "text:bark"), ["Dog"], "scripts and texts");
        assert_eq!(found(&games, "").len(), games.row_count());
    }

    #[test]
    fn numbers_are_asked_of_what_has_them() {
        let games = games();
        for (words, expected) in [
            ("bones>3", &["Hand"][..]),
            ("bones>=3", &["Wave", "Hand"]),
            ("bones<3", &["HandLeft"]),
            ("frames=60", &["Wave"]),
            ("seconds<1", &["HandLeft"]),
            ("seconds>2", &["Bark"]),
            ("seconds=2", &["Wave"]),
            ("width>=256", &["Brick"]),
            ("height<=64 type:image", &["BrickWall"]),
            ("vertices=100 triangles=50", &["Hand"]),
            ("size>1MB", &["hand.psk"]),
            ("lines>30", &["Dog"]),
            ("-width>100 type:image", &["BrickWall", "Fire"]),
            ("bones>3 bonse>9", &["Hand"]),
        ] {
            assert_eq!(found(&games, words), expected, "{words}");
        }
    }

    #[test]
    fn the_best_are_kept_whatever_their_place_and_the_threads() {
        let names: Vec<String> =
            (0..60_000_u32).map(|at| format!("{}Brick{}", "x".repeat((at % 7) as usize), at % 1_000)).collect();
        let many = catalog(names.chunks(20_000).enumerate().map(|(at, names)| {
            let mut made = file(&format!("/g/{at}.utx"), "unreal");
            for name in names {
                made = made.texture(name, 8, 8);
            }
            made
        }));
        let cancel = Cancel::new();
        let query = Query::of("brick");
        let all = search(&many, &query, usize::MAX, &cancel);
        assert_eq!(all.total, 60_000);
        let key = |hit: &Hit| (Reverse(hit.score), many.row(hit.row).unwrap().name.len(), hit.row);
        assert!(all.hits.is_sorted_by_key(key));
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for at_most in [0, 1, 10, 300, 59_999] {
                let some = pool.install(|| search(&many, &query, at_most, &cancel));
                assert_eq!((some.total, some.hits.as_slice()), (60_000, &all.hits[..at_most]), "{threads} threads");
            }
        }
        let first = search(&many, &Query::of("type:texture"), 3, &cancel);
        assert_eq!(first.hits.iter().map(|hit| hit.row.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(search(&many, &query, 5, &Cancel::cancelled()), Found::default(), "cancelled");
    }

    #[test]
    fn names_of_any_kind_are_searched() {
        let strange = catalog([
            file("", "").texture("", 0, 0).texture("Ärmel", 1, 1).texture("İstanbul", 1, 1).texture(
                "ＷＡＬＬ\u{301}\r\n",
                1,
                1,
            ),
            file("/\u{202e}/..", "x").texture(&"Long".repeat(100_000), 1, 1).texture(&"ä".repeat(100_000), 1, 1),
            file("/g/e\u{301}.utx", "unreal").texture("a.", 1, 1).texture("😀", u32::MAX, 1),
        ]);
        assert_eq!(found(&strange, "ärm"), ["Ärmel"]);
        assert_eq!(found(&strange, "arm"), ["Ärmel"], "a letter with an accent is found by the one without");
        assert_eq!(found(&strange, "longlong").len(), 1);
        assert_eq!(found(&strange, "😀"), ["😀"]);
        assert_eq!(found(&strange, "width>4000000000"), ["😀"]);
        let cancel = Cancel::new();
        for words in [
            "a",
            "ä",
            "İ",
            "\r",
            "l",
            "/",
            ".",
            "..",
            "-a",
            "\"\u{301}\"",
            "in:/",
            "in:\u{202e}",
            "refs:a",
            "class:",
            "\u{0}",
        ] {
            for word in [words.to_owned(), words.repeat(50), words.repeat(2_000)] {
                let query = Query::of(&word);
                let found = search(&strange, &query, 4, &cancel);
                for hit in &found.hits {
                    let row = strange.row(hit.row).unwrap();
                    for name in [row.name, row.path, row.class] {
                        assert!(marks(&query, name).iter().all(|mark| name.get(mark.clone()).is_some()));
                    }
                }
            }
        }
        assert_eq!(search(&Catalog::default(), &Query::of("a"), 4, &cancel), Found::default());
    }

    #[test]
    fn marks_are_of_the_letters_that_were_found() {
        let marked = |words: &str, name: &str| -> Vec<String> {
            marks(&Query::of(words), name).into_iter().map(|range| name[range].to_owned()).collect()
        };
        assert_eq!(marked("brick", "MyBrickWall"), ["Brick"]);
        assert_eq!(marked("mwall", "MyBrickWall"), ["M", "Wall"]);
        assert_eq!(marked("ärm el", "xÄrmel"), ["Ärmel"]);
        assert_eq!(marked("\"ck\" -my type:brick", "MyBrick"), ["ck"]);
        assert_eq!(marked("zzz", "MyBrick"), [""; 0]);
        assert_eq!(marked("", "MyBrick"), [""; 0]);
        assert_eq!(marked("a", ""), [""; 0]);
    }

    #[test]
    fn what_the_words_find_is_counted_by_kind_and_one_kind_alone_is_listed() {
        let games = games();
        let kinds = ["model", "clip", "texture", "sound"];
        let counted = |words: &str, only| {
            let asked = Counted { kinds: &kinds, only };
            let found = search_counted(&games, &Query::of(words), asked, 1, Cancel::never());
            let names: Vec<&str> = found.hits.iter().map(|hit| games.row(hit.row).unwrap().name).collect();
            (found.counts, found.total, names.join(" "))
        };
        // As many as `type:` finds of each, and all of them last; what is listed is cut.
        let each = kinds.map(|kind| found(&games, &format!("type:{kind}")).len());
        assert_eq!(each, [1, 2, 3, 1]);
        assert_eq!(counted("", None).0, [1, 2, 3, 1, 15]);
        assert_eq!(counted("", Some(1)), (vec![1, 2, 3, 1, 15], 2, "Wave".to_owned()));
        assert_eq!(counted("hand", None), (vec![1, 1, 0, 0, 4], 4, "Hand".to_owned()));
        assert_eq!(counted("hand", Some(1)), (vec![1, 1, 0, 0, 4], 1, "HandLeft".to_owned()));
        assert_eq!(counted("hand", Some(2)), (vec![1, 1, 0, 0, 4], 0, String::new()));
    }
}
