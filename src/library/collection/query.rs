//! What is asked of a collection: `hand -left type:clip in:creatures frames>30`.

use super::needle::Needle;
use crate::library::words::{self, MAX_TERMS, Typed};

/// The grammar, for the hover text of fields. It holds what filters of lists know, and more.
pub const HINT: &str = "All words must match. Case is ignored. Other letters may appear between the typed letters.\n\
                        Words with / or . search the path.\n\
                        \"two words\"  exact phrase\n\
                        -word  excludes matches\n\
                        class:FireTexture  class name\n\
                        type:texture  type or class name\n\
                        in:name  folder, file, package or group\n\
                        refs:name  files that reference this name\n\
                        text:words  lines of scripts and texts that contain these words\n\
                        bones>30 frames>=100 vertices<500 triangles>1000 width>=256 height=64 lines>10 size>1MB seconds>2";

const CLASS: &str = "class:";
const TYPE: &str = "type:";
const IN: &str = "in:";
const REFS: &str = "refs:";
const TEXT: &str = "text:";

/// A query of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    terms: Vec<Term>,
    text: Option<Needle>,
    problems: Vec<String>,
}

/// One thing that is asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub asks: Asks,
    /// True if matches are excluded.
    pub excludes: bool,
}

/// Words are in lower case, letter by letter, and not empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asks {
    /// Its letters stand in the name in their order.
    Word(String),
    /// It stands in the name, or in what the format calls it, as it is.
    Phrase(String),
    Class(String),
    Type(String),
    In(String),
    Refs(String),
    Number(Quantity, Comparison, f64),
}

/// What can be counted or measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Bones,
    Frames,
    Vertices,
    Triangles,
    Width,
    Height,
    Lines,
    /// Bytes.
    Size,
    Seconds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

const QUANTITIES: [(&str, Quantity); 9] = [
    ("bones", Quantity::Bones),
    ("frames", Quantity::Frames),
    ("vertices", Quantity::Vertices),
    ("triangles", Quantity::Triangles),
    ("width", Quantity::Width),
    ("height", Quantity::Height),
    ("lines", Quantity::Lines),
    ("size", Quantity::Size),
    ("seconds", Quantity::Seconds),
];

/// Longer ones first: each begins with the one behind it.
const COMPARISONS: [(&str, Comparison); 5] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    (">", Comparison::More),
    ("<", Comparison::Less),
    ("=", Comparison::Equal),
];

/// Bytes, by what follows their number.
const UNITS: [(&str, f64); 11] = [
    ("", 1.0),
    ("b", 1.0),
    ("k", 1e3),
    ("kb", 1e3),
    ("kib", 1024.0),
    ("m", 1e6),
    ("mb", 1e6),
    ("mib", 1_048_576.0),
    ("g", 1e9),
    ("gb", 1e9),
    ("gib", 1_073_741_824.0),
];

/// Two measured numbers that are as near as this are equal.
const NEAR: f64 = 1e-3;

impl Query {
    /// Reads what was typed. Any text is a query; what is still being typed (`-`, `type:`, `bones>`) asks for nothing.
    pub fn of(words: &str) -> Self {
        let mut query = Self::default();
        for typed in words::typed(words, &[CLASS, TYPE, IN, REFS, TEXT]) {
            if query.terms.len().saturating_add(query.problems.len()) >= MAX_TERMS {
                break;
            }
            match asked(&typed) {
                Ok(Some(Asked::Term(asks))) => {
                    let term = Term { asks, excludes: typed.excludes };
                    if !query.terms.contains(&term) {
                        query.terms.push(term);
                    }
                }
                Ok(Some(Asked::Text(text))) if typed.excludes => {
                    query.problems.push(format!("-{TEXT}{text} is ignored: matches of {TEXT} cannot be excluded"));
                }
                Ok(Some(Asked::Text(text))) => match &query.text {
                    Some(first) if first.words() == text => {}
                    Some(first) => {
                        let first = first.words();
                        query
                            .problems
                            .push(format!("only one {TEXT} filter is allowed: “{first}” is used, “{text}” is ignored"));
                    }
                    None => match Needle::new(text) {
                        Some(needle) => query.text = Some(needle),
                        None => query.problems.push(format!("cannot search texts for “{text}”")),
                    },
                },
                Ok(None) => {}
                Err(problem) => query.problems.push(problem),
            }
        }
        query
    }

    /// Whether it asks for nothing: everything is found.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.text.is_none()
    }

    /// What is looked for in scripts and texts.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Needle::words)
    }

    /// What was not understood and is not asked for, a sentence each.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    pub(super) fn needle(&self) -> Option<&Needle> {
        self.text.as_ref()
    }
}

/// Whether a word is looked for in paths.
pub(super) fn is_of_path(word: &str) -> bool {
    word.contains(['/', '.'])
}

enum Asked<'a> {
    Term(Asks),
    Text(&'a str),
}

/// What a word asks for; `None` for what is still being typed.
fn asked<'a>(typed: &Typed<'a>) -> Result<Option<Asked<'a>>, String> {
    if typed.word.is_empty() {
        return Ok(None);
    }
    let lower = || words::lower(typed.word);
    Ok(Some(Asked::Term(match typed.field {
        Some(CLASS) => Asks::Class(lower()),
        Some(TYPE) => Asks::Type(lower()),
        Some(IN) => Asks::In(lower()),
        Some(REFS) => Asks::Refs(lower()),
        Some(_) => return Ok(Some(Asked::Text(typed.word))),
        None if typed.is_quoted => Asks::Phrase(lower()),
        None => match number(typed.word)? {
            Number::Asked(quantity, comparison, value) => Asks::Number(quantity, comparison, value),
            Number::Unfinished => return Ok(None),
            // What is left out has to occur as it is: letters in their order occur in too much.
            Number::No if typed.excludes => Asks::Phrase(lower()),
            Number::No => Asks::Word(lower()),
        },
    })))
}

enum Number {
    Asked(Quantity, Comparison, f64),
    Unfinished,
    No,
}

/// Reads `bones>=30`; a word of letters, a comparison and anything is meant as one.
fn number(word: &str) -> Result<Number, String> {
    let Some(at) = word.find(['<', '>', '=']) else { return Ok(Number::No) };
    let (name, rest) = word.split_at(at);
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok(Number::No);
    }
    let Some((comparison, value)) =
        COMPARISONS.iter().find_map(|(sign, comparison)| Some((*comparison, rest.strip_prefix(sign)?)))
    else {
        return Ok(Number::No);
    };
    if value.is_empty() {
        return Ok(Number::Unfinished);
    }
    let Some((_, quantity)) = QUANTITIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
        let known = QUANTITIES.map(|(known, _)| known).join(", ");
        return Err(format!("{word}: unknown property “{name}”. Use {known}"));
    };
    let value = value.to_ascii_lowercase();
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = value.get(digits.len()..).unwrap_or_default();
    let factor = match quantity {
        Quantity::Size => UNITS.iter().find(|(known, _)| *known == unit).map(|(_, factor)| *factor),
        _ => unit.is_empty().then_some(1.0),
    };
    match (digits.parse::<f64>(), factor) {
        (Ok(value), Some(factor)) if value.is_finite() => Ok(Number::Asked(*quantity, comparison, value * factor)),
        (Ok(_), None) if *quantity == Quantity::Size => {
            Err(format!("{word}: unknown unit “{unit}”. Use B, KB, KiB, MB, MiB, GB or GiB"))
        }
        _ => Err(format!("{word}: the value of {name} must be a number")),
    }
}

impl Comparison {
    /// Whether a number compares so with the one that was typed.
    pub fn holds(self, number: f64, typed: f64) -> bool {
        let is_near = (number - typed).abs() <= NEAR;
        match self {
            Self::Less => number < typed && !is_near,
            Self::AtMost => number < typed || is_near,
            Self::Equal => is_near,
            Self::AtLeast => number > typed || is_near,
            Self::More => number > typed && !is_near,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(words: &str) -> Vec<(Asks, bool)> {
        let query = Query::of(words);
        assert!(query.problems().is_empty(), "{words}: {:?}", query.problems());
        query.terms().iter().map(|term| (term.asks.clone(), term.excludes)).collect()
    }

    #[test]
    fn words_phrases_and_fields_are_told_apart() {
        let word = |word: &str| Asks::Word(word.to_owned());
        let phrase = |word: &str| Asks::Phrase(word.to_owned());
        for (words, expected) in [
            ("", vec![]),
            (" \t ", vec![]),
            ("  HAND Bone ", vec![(word("hand"), false), (word("bone"), false)]),
            ("-Left", vec![(phrase("left"), true)]),
            ("\"Two words\" -\"not these\"", vec![(phrase("two words"), false), (phrase("not these"), true)]),
            ("class:FireTexture", vec![(Asks::Class("firetexture".into()), false)]),
            (
                "TYPE:clip -in:\"my folder\"",
                vec![(Asks::Type("clip".into()), false), (Asks::In("my folder".into()), true)],
            ),
            ("refs:Brick", vec![(Asks::Refs("brick".into()), false)]),
            // In quotes nothing has another meaning.
            ("\"bones>3\" \"-x\"", vec![(phrase("bones>3"), false), (phrase("-x"), false)]),
            // What is half-typed asks for nothing.
            ("- type: in: class: refs: text: -text: \"\" bones> size<= bonse>", vec![]),
            ("a A a", vec![(word("a"), false)]),
            ("types:a >3 =", vec![(word("types:a"), false), (word(">3"), false), (word("="), false)]),
            ("x1>3", vec![(word("x1>3"), false)]),
        ] {
            assert_eq!(terms(words), expected, "{words:?}");
        }
    }

    #[test]
    fn numbers_are_compared_in_their_units() {
        let number = |words: &str| match terms(words).as_slice() {
            [(Asks::Number(quantity, comparison, value), excludes)] => (*quantity, *comparison, *value, *excludes),
            other => panic!("{words}: {other:?}"),
        };
        assert_eq!(number("bones>30"), (Quantity::Bones, Comparison::More, 30.0, false));
        assert_eq!(number("Bones>=30"), (Quantity::Bones, Comparison::AtLeast, 30.0, false));
        assert_eq!(number("-frames<5"), (Quantity::Frames, Comparison::Less, 5.0, true));
        assert_eq!(number("vertices<=5"), (Quantity::Vertices, Comparison::AtMost, 5.0, false));
        assert_eq!(number("triangles=2"), (Quantity::Triangles, Comparison::Equal, 2.0, false));
        assert_eq!(number("width>=256").0, Quantity::Width);
        assert_eq!(number("height>1").0, Quantity::Height);
        assert_eq!(number("lines>1").0, Quantity::Lines);
        assert_eq!(number("seconds>2.5").2, 2.5);
        for (words, bytes) in [("size>5", 5.0), ("size>1.5kb", 1500.0), ("size>1KiB", 1024.0), ("size<2M", 2e6)] {
            assert_eq!(number(words).2, bytes, "{words}");
        }
        assert_eq!(number("size>=1GiB").2, 1_073_741_824.0);
        let holds = |comparison: Comparison| [1.0, 2.0, 3.0].map(|number| comparison.holds(number, 2.0));
        assert_eq!(holds(Comparison::Less), [true, false, false]);
        assert_eq!(holds(Comparison::AtMost), [true, true, false]);
        assert_eq!(holds(Comparison::Equal), [false, true, false]);
        assert_eq!(holds(Comparison::AtLeast), [false, true, true]);
        assert_eq!(holds(Comparison::More), [false, false, true]);
    }

    #[test]
    fn what_is_not_understood_is_said_and_not_asked() {
        for (words, said) in [
            ("bonse>3", "bonse>3: unknown property “bonse”. Use bones, frames"),
            ("bones>many", "bones>many: the value of bones must be a number"),
            ("bones>3kb", "the value of bones must be a number"),
            ("bones>>3", "the value of bones must be a number"),
            ("size>3lb", "unknown unit “lb”. Use B, KB"),
            ("size>nan", "size>nan: "),
            ("bones>inf", "the value of bones must be a number"),
            ("bones>1e999", "the value of bones must be a number"),
            ("-text:x", "matches of text: cannot be excluded"),
            ("text:a text:b", "only one text: filter is allowed: “a” is used, “b” is ignored"),
        ] {
            let query = Query::of(words);
            assert!(matches!(query.problems(), [one] if one.contains(said)), "{words}: {:?}", query.problems());
            assert!(query.terms().is_empty(), "{words}");
        }
        let query = Query::of("hand bonse>3 text:\"Super. Tick\"");
        assert_eq!((query.terms().len(), query.problems().len(), query.text()), (1, 1, Some("Super. Tick")));
        assert!(!Query::of("text:a").is_empty() && Query::of("bonse>3").is_empty() && Query::default().is_empty());
    }

    #[test]
    fn queries_of_any_length_are_bounded() {
        let many: String = (0..500).map(|at| format!("w{at} x>{at} ")).collect();
        let long = ["a".repeat(100_000), "\"".repeat(100_000), "ä ".repeat(100_000), "x>y ".repeat(100_000), many];
        for words in long {
            let query = Query::of(&words);
            assert!(query.terms().len() + query.problems().len() <= MAX_TERMS);
            assert!(query.problems().iter().all(|problem| problem.len() < 2 * words::MAX_CHARS));
        }
    }
}
