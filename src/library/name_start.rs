//! How the names of a model and of its clips begin alike.

use crate::formats::file_name;

/// Letters that two names must begin with alike where a word ends there in both, in one of them, or in none. Fewer are chance:
/// “beach” is no “beast”.
const LEAST: [usize; 3] = [3, 4, 6];

/// A name in lower case, without what follows the last dot.
pub fn lower_stem(name: &str) -> String {
    file_name::stem(name).to_lowercase()
}

/// How two names in lower case begin alike, without the separators that follow; empty where that is chance.
pub fn common_start<'a>(a: &'a str, b: &str) -> &'a str {
    if a == b {
        return if a.chars().any(char::is_alphanumeric) { a } else { "" };
    }
    let len: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let common = a.get(..len).unwrap_or_default();
    let next = |name: &str, from: usize| name.get(from..).and_then(|rest| rest.chars().next());
    let is_digit = |next: Option<char>| next.is_some_and(|c| c.is_ascii_digit());
    // Of a number that goes on nothing is common.
    let number_goes_on = is_digit(next(a, len)) || is_digit(next(b, len));
    let common = if number_goes_on { common.trim_end_matches(|c: char| c.is_ascii_digit()) } else { common };
    let word = common.trim_end_matches(|c: char| !c.is_alphanumeric());
    let goes_on = [a, b].iter().filter(|name| next(name, word.len()).is_some_and(char::is_alphabetic)).count();
    let least = LEAST.get(goes_on).copied().unwrap_or(usize::MAX);
    if word.chars().count() >= least { word } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_that_begin_two_names_are_no_chance() {
        for (a, b, word) in [
            ("beast", "beast_walk", "beast"),
            ("kinopio_body", "kinopio_run", "kinopio"),
            ("tripodbosshead", "tripodbosswalk", "tripodboss"),
            ("body", "bodywalk", "body"),
            ("cl", "cl", "cl"),
            ("arm", "arm_wave", "arm"),
            ("enemy01", "enemy01_run", "enemy01"),
            ("enemy01", "enemy02_run", "enemy"),
            ("größe", "größe2", "größe"),
            // What is left is chance.
            ("beast", "beach_ball", ""),
            ("kite", "king", ""),
            ("cat", "catapult", ""),
            ("ms_mdl", "ms_wait", ""),
            ("___", "___", ""),
            ("a1", "a2", ""),
            ("", "walk", ""),
        ] {
            assert_eq!(common_start(a, b), word, "{a} {b}");
            assert_eq!(common_start(b, a), word, "{b} {a}");
        }
    }
}
