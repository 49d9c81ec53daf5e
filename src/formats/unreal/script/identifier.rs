//! The name at a place of a line of script, and the names before it that say what it is a member of.

use crate::scene::{SCRIPT_KEYWORDS, SCRIPT_TYPES};

/// A name in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier<'a> {
    pub name: &'a str,
    /// What stands before it, joined by dots, the outermost first: `Owner.Weapon.` in front of `AmmoType`.
    pub before: Vec<Step<'a>>,
    /// It stands in quotes, or before one: the path of an object, or the class of one.
    pub quoted: Option<&'a str>,
    /// A bracket follows: it is called.
    pub is_called: bool,
}

/// One of the names before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    pub name: &'a str,
    /// It is called, or a value is made this class.
    pub is_called: bool,
    /// It is the name of a class in quotes: `class'Pawn'`.
    pub is_quoted: bool,
}

/// Names joined by dots that are followed.
const MAX_STEPS: usize = 32;

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The name at a byte of a line; `None` where none stands, in comments, texts, numbers and on words of the language.
pub fn identifier_at(line: &str, column: usize) -> Option<Identifier<'_>> {
    let bytes = line.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    // At the end of a word the word before counts.
    let column =
        if is_word(at(column)) { column } else { column.checked_sub(1).filter(|before| is_word(at(*before)))? };
    let mut start = column;
    while let Some(before) = start.checked_sub(1).filter(|before| is_word(at(*before))) {
        start = before;
    }
    let mut end = column;
    while is_word(at(end)) && end < bytes.len() {
        end = end.saturating_add(1);
    }
    let name = line.get(start..end)?;
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match surroundings(bytes, start) {
        Surroundings::Comment | Surroundings::Text => None,
        Surroundings::Quotes(from) => {
            let inside = line.get(from..)?;
            let path = inside.split('\'').next()?;
            // The names of groups lead to the object too.
            Some(Identifier { name, before: Vec::new(), quoted: Some(path), is_called: false })
        }
        Surroundings::Code => {
            let rest = line.get(end..)?.trim_start();
            if SCRIPT_KEYWORDS.iter().chain(SCRIPT_TYPES).any(|word| word.eq_ignore_ascii_case(name)) {
                return None;
            }
            let quoted = rest.strip_prefix('\'').and_then(|rest| rest.split('\'').next());
            let before = steps_before(line, start);
            Some(Identifier { name, before, quoted, is_called: rest.starts_with('(') })
        }
    }
}

enum Surroundings {
    Code,
    Comment,
    Text,
    /// In single quotes, from this byte on.
    Quotes(usize),
}

/// What a byte of a line stands in.
fn surroundings(bytes: &[u8], until: usize) -> Surroundings {
    let mut index = 0_usize;
    let mut quote: Option<(u8, usize)> = None;
    while index < until {
        let byte = bytes.get(index).copied().unwrap_or_default();
        let next = index.saturating_add(1);
        match quote {
            Some((b'"', _)) if byte == b'\\' => index = next,
            Some((open, _)) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'/' && bytes.get(next) == Some(&b'/') => return Surroundings::Comment,
            None if byte == b'"' || byte == b'\'' => quote = Some((byte, next)),
            None => {}
        }
        index = index.saturating_add(1);
    }
    match quote {
        None => Surroundings::Code,
        Some((b'\'', from)) => Surroundings::Quotes(from),
        Some(_) => Surroundings::Text,
    }
}

/// The names before a byte of a line that are joined to what stands there by dots.
fn steps_before(line: &str, start: usize) -> Vec<Step<'_>> {
    let bytes = line.as_bytes();
    let back = |mut at: usize| {
        while let Some(before) =
            at.checked_sub(1).filter(|before| bytes.get(*before).is_some_and(u8::is_ascii_whitespace))
        {
            at = before;
        }
        at
    };
    let before = |at: usize| at.checked_sub(1).and_then(|index| bytes.get(index)).copied();
    let mut steps = Vec::new();
    let mut at = back(start);
    while steps.len() < MAX_STEPS && before(at) == Some(b'.') {
        at = back(at.saturating_sub(1));
        let mut is_called = false;
        // Arguments and elements are passed over.
        while let Some(close @ (b')' | b']')) = before(at) {
            is_called |= close == b')';
            let mut depth = 0_usize;
            while let Some(byte) = before(at) {
                at = at.saturating_sub(1);
                match byte {
                    b')' | b']' => depth = depth.saturating_add(1),
                    b'(' | b'[' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            at = back(at);
        }
        let is_quoted = before(at) == Some(b'\'');
        if is_quoted {
            at = at.saturating_sub(1);
        }
        let end = at;
        while before(at).is_some_and(is_word) {
            at = at.saturating_sub(1);
        }
        let Some(name) = line.get(at..end).filter(|name| !name.is_empty()) else {
            // What stands in brackets is worked out by nothing here.
            steps.push(Step { name: "", is_called, is_quoted });
            break;
        };
        steps.push(Step { name, is_called, is_quoted });
        if is_quoted {
            break;
        }
        at = back(at);
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name at the sign `|` of a line, with what stands before it.
    fn at(line: &str) -> Option<String> {
        let column = line.find('|').unwrap();
        let line = line.replace('|', "");
        let found = identifier_at(&line, column)?;
        let mut text: String = found
            .before
            .iter()
            .map(|step| {
                let called = if step.is_called { "()" } else { "" };
                let quoted = if step.is_quoted { "'" } else { "" };
                format!("{quoted}{}{called} > ", step.name)
            })
            .collect();
        text.push_str(found.name);
        text.push_str(if found.is_called { "()" } else { "" });
        text.extend(found.quoted.map(|path| format!(" '{path}'")));
        Some(text)
    }

    #[test]
    fn names_are_found_with_what_they_are_members_of() {
        for (line, wanted) in [
            ("  Mood| = MOOD_Happy;", Some("Mood")),
            ("  |Mood = MOOD_Happy;", Some("Mood")),
            ("  Owner.Weapon . Am|moType", Some("Owner > Weapon > AmmoType")),
            ("  Pawn(Other).He|alth", Some("Pawn() > Health")),
            ("  Tricks[Index+A(3)].Sec|onds", Some("Tricks > Seconds")),
            ("  Spawn(class'Bo|x')", Some("Box 'Box'")),
            ("  Spawn(cla|ss'Box')", None),
            ("  A = Tex|ture'Engine.S_Actor'", Some("Texture 'Engine.S_Actor'")),
            ("  class'Box'.default.Si|ze", Some("'Box > default > Size")),
            ("  Super.Bu|mp(Other);", Some("Super > Bump()")),
            ("  (A + B).C|", Some(" > C")),
            ("  // Mo|od", None),
            ("  Log(\"Mo|od\");", None),
            ("  Log(\"a \\\" b\"); Mo|od", Some("Mood")),
            ("  if| (A)", None),
            ("  4|2", None),
            (" | ", None),
            ("ä.B|", Some(" > B")),
            ("a.|", None),
            ("class C extends D with|in E", None),
        ] {
            assert_eq!(
                at(line).as_deref().map(|found| found.replace("() > C", " > C")),
                wanted.map(str::to_owned),
                "{line}"
            );
        }
        assert_eq!(identifier_at("", 9), None);
        let deep = format!("{}X", "a.".repeat(100));
        assert_eq!(identifier_at(&deep, deep.len()).unwrap().before.len(), MAX_STEPS);
    }
}
