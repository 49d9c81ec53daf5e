//! Findings of `verify`, folded as they are made: a damaged file may have millions, most of them alike.

use crate::{
    bytes::numbers::{counted, grouped},
    formats::{Diagnostic, EntryId},
};
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, Hash as _, Hasher as _, RandomState},
};

/// Maximum number of findings with the same code and a like message that are listed.
pub const MAX_ALIKE: usize = 10;
/// Maximum number of different messages of one code.
const MAX_MESSAGES: usize = 50;
/// Number of findings that are remembered at least, to leave out repeated ones.
const REMEMBERED: usize = 1 << 16;

/// Findings of one file. Of those that are alike the first are kept, and the others are counted.
#[derive(Default)]
pub struct FoldedFindings {
    groups: Vec<Group>,
    /// Index of each group, by the hash of code and message.
    by_message: HashMap<u64, usize>,
    /// Number of groups of each code.
    messages: HashMap<&'static str, usize>,
    /// Hashes of the latest findings, and of those before.
    latest: HashSet<u64>,
    earlier: HashSet<u64>,
    hasher: RandomState,
    /// Number of findings that are kept.
    kept: usize,
}

/// Findings with the same code, whose messages differ only in numbers and names.
#[derive(Default)]
struct Group {
    kept: Vec<Kept>,
    /// Number of findings that are counted only.
    more: usize,
    /// Whether the messages of the group differ: those of a code that has too many.
    is_mixed: bool,
}

struct Kept {
    /// Position in the list.
    position: (Stage, usize),
    hash: u64,
    diagnostic: Diagnostic,
}

/// The steps of `verify`, in the order in which their findings are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Opening,
    Fields,
    Decoding,
    Overlaps,
}

impl FoldedFindings {
    /// Adds a finding. One that was made before is left out: decoding often repeats what opening found.
    pub fn add(&mut self, stage: Stage, mut diagnostic: Diagnostic) {
        diagnostic.entry = diagnostic.entry.filter(|entry| *entry != EntryId::FILE);
        let hash = self.hasher.hash_one((diagnostic.code, &diagnostic.message, diagnostic.entry, diagnostic.offset));
        if self.latest.len() >= REMEMBERED {
            self.earlier = std::mem::take(&mut self.latest);
        }
        if self.earlier.contains(&hash) || !self.latest.insert(hash) {
            return;
        }
        let position = (stage, self.kept);
        let group = self.group_of(&diagnostic);
        if group.kept.iter().any(|kept| kept.hash == hash) {
            return;
        }
        if group.kept.len() >= MAX_ALIKE {
            group.more += 1;
            return;
        }
        group.kept.push(Kept { position, hash, diagnostic });
        self.kept += 1;
    }

    fn group_of(&mut self, diagnostic: &Diagnostic) -> &mut Group {
        let message = self.hash_of_message(diagnostic);
        let messages = self.messages.entry(diagnostic.code).or_default();
        let is_mixed = *messages >= MAX_MESSAGES && !self.by_message.contains_key(&message);
        let key = if is_mixed { self.hasher.hash_one(diagnostic.code) } else { message };
        let index = *self.by_message.entry(key).or_insert_with(|| {
            *messages += 1;
            self.groups.push(Group { is_mixed, ..Group::default() });
            self.groups.len() - 1
        });
        &mut self.groups[index]
    }

    /// Returns the hash of code and message, without numbers, names in quotation marks and the number of nouns.
    fn hash_of_message(&self, diagnostic: &Diagnostic) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        diagnostic.code.hash(&mut hasher);
        let mut is_quoted = false;
        for word in diagnostic.message.split_whitespace() {
            let is_name = is_quoted || word.contains('“');
            is_quoted = is_name && !word.contains('”');
            if !is_name && !word.contains(|c: char| c.is_ascii_digit()) {
                singular(word).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The kept findings in the order of the steps. Those of each group that were only counted follow as one, with their number.
    pub fn finish(self) -> impl Iterator<Item = (Diagnostic, Option<usize>)> {
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        for group in self.groups {
            if let Some(Kept { diagnostic, .. }) = group.kept.first().filter(|_| group.more > 0) {
                let message = match group.is_mixed {
                    true => format!("{} with code {}", counted(group.more, "more diagnostic"), diagnostic.code),
                    false => format!("{} more like this: {}", grouped(group.more), diagnostic.message),
                };
                let folded = Diagnostic { message, entry: None, offset: None, ..*diagnostic };
                rest.push((folded, Some(group.more)));
            }
            kept.extend(group.kept);
        }
        kept.sort_by_key(|kept| kept.position);
        kept.into_iter().map(|kept| (kept.diagnostic, None)).chain(rest)
    }
}

/// Returns the same for a noun and its plural, with the punctuation behind it: the stem of both. Forms of verbs follow them.
fn singular(word: &str) -> (&str, &str) {
    let (noun, punctuation) = word.split_at(word.trim_end_matches(|c: char| !c.is_alphanumeric()).len());
    let noun = match noun {
        "are" => "is",
        "were" => "was",
        "have" => "has",
        _ => noun,
    };
    let stem = noun.trim_end_matches(['e', 's']);
    let endings = ["y", "i", "ex", "ic"];
    (endings.iter().find_map(|ending| stem.strip_suffix(ending)).unwrap_or(stem), punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Code, Severity};

    const BAD: Code = Code { id: "test.bad", severity: Severity::Error, meaning: "" };
    const ODD: Code = Code { id: "test.odd", severity: Severity::Warning, meaning: "" };

    fn finding(code: &'static Code, entry: u32, message: String) -> Diagnostic {
        let (entry, offset) = (Some(EntryId(entry)), None);
        Diagnostic { code: code.id, severity: code.severity, entry, offset, message }
    }

    fn lines(findings: FoldedFindings) -> Vec<(String, Option<usize>)> {
        findings.finish().map(|(diagnostic, more)| (diagnostic.message, more)).collect()
    }

    #[test]
    fn the_first_of_findings_that_are_alike_are_kept_and_the_others_counted() {
        let mut findings = FoldedFindings::default();
        for entry in 1..=1000 {
            findings.add(Stage::Decoding, finding(&BAD, entry, format!("name {entry} of “a b{entry} c” is meant")));
            findings.add(Stage::Fields, finding(&ODD, entry, format!("name {entry} of “x” is meant")));
        }
        findings.add(Stage::Opening, finding(&BAD, 3, "another message".into()));
        let lines = lines(findings);
        assert_eq!(lines.len(), 1 + 2 * MAX_ALIKE + 2);
        assert_eq!(lines[0], ("another message".into(), None));
        assert_eq!(lines[1], ("name 1 of “x” is meant".into(), None));
        assert_eq!(lines[MAX_ALIKE + 1], ("name 1 of “a b1 c” is meant".into(), None));
        assert_eq!(lines[2 * MAX_ALIKE], ("name 10 of “a b10 c” is meant".into(), None));
        let more = |text: &str| (format!("990 more like this: {text}"), Some(990));
        assert_eq!(lines[2 * MAX_ALIKE + 1..], [more("name 1 of “a b1 c” is meant"), more("name 1 of “x” is meant")]);
    }

    #[test]
    fn a_finding_that_is_repeated_counts_once() {
        let mut findings = FoldedFindings::default();
        let many = 3 * REMEMBERED as u32;
        for entry in 0..many {
            findings.add(Stage::Fields, finding(&BAD, entry, format!("at {entry}")));
            findings.add(Stage::Decoding, finding(&BAD, entry, format!("at {entry}")));
            findings.add(Stage::Decoding, finding(&ODD, 1, "the same".into()));
        }
        assert!(findings.latest.len() <= REMEMBERED && findings.earlier.len() <= REMEMBERED);
        let lines = lines(findings);
        assert_eq!(lines.len(), MAX_ALIKE + 2);
        assert_eq!(lines.last().unwrap().1, Some(many as usize - MAX_ALIKE));
    }

    #[test]
    fn of_a_code_with_many_messages_the_further_ones_are_one_group() {
        let mut findings = FoldedFindings::default();
        // No word has the ending of a plural.
        let letter = |digit: u8| char::from(b"abdfghjkmn"[usize::from(digit - b'0')]);
        let letters = |number: u32| number.to_string().bytes().map(letter).collect::<String>();
        for entry in 0..100_000 {
            findings.add(Stage::Decoding, finding(&BAD, entry, letters(entry)));
        }
        assert_eq!(findings.groups.len(), MAX_MESSAGES + 1);
        let lines = lines(findings);
        let left = 100_000 - MAX_MESSAGES - MAX_ALIKE;
        assert_eq!(lines.len(), MAX_MESSAGES + MAX_ALIKE + 1);
        assert_eq!(lines.last().unwrap(), &("99,940 more diagnostics with code test.bad".to_owned(), Some(left)));
    }

    #[test]
    fn messages_that_differ_only_in_the_number_of_a_noun_are_one_group() {
        let mut findings = FoldedFindings::default();
        let pairs = [
            ("1 entry is left out; the table is short", "2 entries are left out; the table is short"),
            ("the table ends after 1 vertex", "the table ends after 12 vertices"),
            ("the list has 1 index, which is unused", "the list has 3 indices, which are unused"),
            ("1 BSP node was skipped: bad", "1,200 BSP nodes were skipped: bad"),
            ("1 box has no name", "2 boxes have no name"),
            ("1 pose (of a clip)", "2 poses (of a clip)"),
            ("1 key", "2 keys"),
        ];
        for (number, (one, many)) in (0..).zip(pairs) {
            for message in [one, many] {
                findings.add(Stage::Decoding, finding(&BAD, number, message.to_owned()));
            }
        }
        assert_eq!(findings.groups.iter().map(|group| group.kept.len()).collect::<Vec<_>>(), [2; 7]);
        findings.add(Stage::Decoding, finding(&BAD, 1, "1 joint has no name".to_owned()));
        findings.add(Stage::Decoding, finding(&BAD, 1, "1 box has no name: bad".to_owned()));
        assert_eq!(findings.groups.len(), 9, "other nouns and other texts are others");
    }

    #[test]
    fn the_rest_of_a_group_agrees_with_its_number() {
        let mut findings = FoldedFindings::default();
        for entry in 0..=MAX_ALIKE as u32 {
            findings.add(Stage::Decoding, finding(&BAD, entry, "bad".to_owned()));
        }
        for entry in 0..1_500 + MAX_ALIKE as u32 {
            findings.add(Stage::Decoding, finding(&ODD, entry, "odd".to_owned()));
        }
        let lines = lines(findings);
        assert_eq!(
            lines[2 * MAX_ALIKE..],
            [("1 more like this: bad".into(), Some(1)), ("1,500 more like this: odd".into(), Some(1_500))]
        );
    }
}
