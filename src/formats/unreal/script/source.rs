//! Finding a function or a state in the source of its class.
//!
//! Which lines of a source a script's statements were made from. Bytecode says it in two places only: where a function
//! begins (formats/unreal.md §10.3), and at each assertion (§11). Between these the names in a statement and those in
//! the lines tell.

use super::{
    bytecode::{Operand, Piece, Script},
    natives::native,
    opcode,
};
use crate::scene::LineMark;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Lines above the first statement in which the declaration is looked for: local variables stand between.
const FARTHEST: usize = 200;

/// Bytes of a declaration at most: where a block does not end, it is not looked for further.
const LONGEST_BLOCK: usize = 64 << 10;

/// The lines of `source` that declare `name`, whose first statement is on line `line` (from 1, as the compiler notes it).
/// `words` are those that begin such a declaration. `None` where no such lines are found.
pub fn declaration_lines<'a>(source: &'a str, name: &str, line: u32, words: &[&str]) -> Option<&'a str> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.match_indices('\n').map(|(at, _)| at.saturating_add(1)))
        .take((line as usize).saturating_add(1))
        .collect();
    let last = (line as usize).min(starts.len());
    let first = last.saturating_sub(FARTHEST);
    let start = starts.get(first..last)?.iter().rev().copied().find(|start| {
        let line = source.get(*start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        declares(line, name, words)
    })?;
    let rest = source.get(start..)?;
    let length = block_length(rest.as_bytes().get(..LONGEST_BLOCK).unwrap_or(rest.as_bytes()))?;
    rest.get(..length)
}

/// Whether a line begins the declaration of `name`.
fn declares(line: &str, name: &str, words: &[&str]) -> bool {
    let line = line.split("//").next().unwrap_or_default();
    let mut pieces = line.split(|c: char| c.is_whitespace() || "(){};,".contains(c)).filter(|p| !p.is_empty());
    pieces.any(|piece| words.iter().any(|word| piece.eq_ignore_ascii_case(word)))
        && pieces.any(|piece| piece.eq_ignore_ascii_case(name))
}

/// Bytes up to the end of the line on which the first block ends, or the declaration where it has none.
fn block_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..)?;
        let next = at.saturating_add(1);
        at = match byte {
            b'/' if rest.starts_with(b"//") => {
                at.saturating_add(rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()))
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/")?;
                at.saturating_add(end).saturating_add(4)
            }
            b'"' => {
                let mut end = next;
                while let Some(inside) = bytes.get(end) {
                    end = end.saturating_add(if *inside == b'\\' { 2 } else { 1 });
                    if *inside == b'"' || *inside == b'\n' {
                        break;
                    }
                }
                end
            }
            b'{' => {
                depth = depth.saturating_add(1);
                next
            }
            b'}' | b';' if depth == 0 || *byte == b'}' && depth == 1 => {
                let line = bytes.get(next..)?.iter().position(|b| *b == b'\n');
                return Some(line.map_or(bytes.len(), |line| next.saturating_add(line).saturating_add(1)));
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                next
            }
            _ => next,
        };
    }
    None
}

/// Lines of a function that are looked at.
const MAX_LINES: usize = 4_000;
/// Lines that a name may stand on and still tell something.
const MAX_OF_NAME: usize = 64;

/// The source that a script was made from.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    pub source: &'a str,
    /// The lines that its declaration takes, from 0.
    pub lines: Range<u32>,
    /// The line that the file states for it, from 0.
    pub stated: Option<u32>,
    /// The first line of what is shown of the source.
    pub shown_from: u32,
}

/// Says of the marks of one script, one for each statement in order, which lines of its block they were made from.
pub fn note_lines(marks: &mut [LineMark], script: &Script, block: &Block<'_>) {
    if block.lines.is_empty() {
        return;
    }
    let by_name = lines_by_name(block);
    let last_line = block.lines.end.saturating_sub(1);
    let mut known: Vec<Option<u32>> = Vec::with_capacity(marks.len());
    let mut before = block.stated.filter(|line| block.lines.contains(line)).unwrap_or(block.lines.start);
    let start = before;
    for statement in script.statements().take(marks.len()) {
        let found = stated_line(script, statement).filter(|line| block.lines.contains(line) && *line >= before);
        before = found.unwrap_or(before);
        known.push(found);
    }
    // Names narrow down what lies between two lines that are stated.
    let mut statements = script.statements();
    let stated = known.clone();
    let mut from = start;
    for (at, line) in known.iter_mut().enumerate() {
        let Some(statement) = statements.next() else { break };
        if let Some(line) = line {
            from = *line;
            continue;
        }
        let to = stated.get(at..).unwrap_or_default().iter().flatten().next().copied().unwrap_or(last_line);
        *line = line_of_names(&by_name, &names_of(script, statement), from, to);
    }
    // Statements that are in the order of their lines bound those between them; loops lead back, and bound nothing.
    for (at, mark) in marks.iter_mut().enumerate() {
        let lines = match known.get(at).copied().flatten() {
            Some(line) => line..line.saturating_add(1),
            None => {
                let low = known.get(..at).unwrap_or_default().iter().rev().flatten().next().copied().unwrap_or(start);
                let high = known.get(at..).unwrap_or_default().iter().flatten().next().copied().unwrap_or(last_line);
                low.min(high)..high.max(low).saturating_add(1)
            }
        };
        let shown = |line: u32| line.saturating_sub(block.shown_from);
        mark.source_lines = shown(lines.start)..shown(lines.end);
    }
}

/// The line that an assertion states.
fn stated_line(script: &Script, statement: usize) -> Option<u32> {
    if script.tokens.get(statement)?.opcode != opcode::ASSERT {
        return None;
    }
    match script.pieces(statement).first()? {
        Piece::Value { operand: Operand::Word(line), .. } => u32::from(*line).checked_sub(1),
        _ => None,
    }
}

/// The words of a text in small letters.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let pieces = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    pieces.filter(|piece| piece.len() > 1 || piece.chars().all(char::is_alphabetic)).filter_map(|piece| {
        let first = piece.chars().next()?;
        (first.is_alphabetic() || first == '_').then(|| piece.to_lowercase())
    })
}

/// On which lines of a block each word stands; comments and the line that declares the function count for nothing.
fn lines_by_name(block: &Block<'_>) -> HashMap<String, Vec<u32>> {
    let mut found: HashMap<String, Vec<u32>> = HashMap::new();
    let count = (block.lines.end.saturating_sub(block.lines.start) as usize).min(MAX_LINES);
    let lines = (0_u32..).zip(block.source.lines()).skip(block.lines.start as usize).take(count);
    let mut is_head = true;
    for (number, line) in lines {
        let code = line.split("//").next().unwrap_or_default();
        let inside = match (is_head, code.split_once('{')) {
            (true, None) => continue,
            (true, Some((_, inside))) => inside,
            (false, _) => code,
        };
        is_head = false;
        if inside.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("local ")) {
            continue;
        }
        for word in words(inside) {
            let at = found.entry(word).or_default();
            if at.last() != Some(&number) && at.len() <= MAX_OF_NAME {
                at.push(number);
            }
        }
    }
    found
}

/// The names that a statement holds, as its source has them.
fn names_of(script: &Script, statement: usize) -> HashSet<String> {
    let package = script.package();
    let mut names = HashSet::new();
    let end = script.tokens.get(statement).map_or(0, |token| token.next as usize);
    for at in statement..end.min(script.tokens.len()) {
        let pieces = script.pieces(at);
        let Some(token) = script.tokens.get(at) else { break };
        let next = match pieces.first() {
            Some(Piece::Value { operand: Operand::Byte(next), .. }) => Some(*next),
            _ => None,
        };
        if let Some((name, _)) = opcode::native_number(token.opcode, next).and_then(native) {
            names.extend(words(name));
        }
        for piece in &pieces {
            let Piece::Value { operand, .. } = piece else { continue };
            match operand {
                Operand::Name(name) => names.extend(package.name(*name).into_iter().flat_map(words)),
                // A call's own object may be an operator, whose name is made up.
                Operand::Object(_) if token.opcode == opcode::FINAL_FUNCTION => {}
                Operand::Object(object) => names.extend(package.object_name(*object).into_iter().flat_map(words)),
                Operand::Text(text) => names.extend(words(text)),
                _ => {}
            }
        }
    }
    names
}

/// The one line between two that has all of the names.
fn line_of_names(by_name: &HashMap<String, Vec<u32>>, names: &HashSet<String>, from: u32, to: u32) -> Option<u32> {
    let rarest = names.iter().filter_map(|name| by_name.get(name)).min_by_key(|lines| lines.len())?;
    if rarest.len() > MAX_OF_NAME {
        return None;
    }
    let has_all = |line: &&u32| {
        (from..=to).contains(line)
            && names.iter().all(|name| by_name.get(name).is_some_and(|lines| lines.binary_search(line).is_ok()))
    };
    let mut found = rarest.iter().filter(has_all);
    let line = found.next().copied();
    line.filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTION: &[&str] = &["function", "event"];

    #[test]
    fn a_function_is_found_above_its_first_statement() {
        let source = "class A;\n\n// function Work() was here\nfunction int Work(int A)\n{\n  local int B;\n  Log(\"}\"); // }\n  if (A > 1) { B = 2; }\n  /* } */\n}\n\nfunction Other() {}\nevent Call();\n";
        let wanted =
            "function int Work(int A)\n{\n  local int B;\n  Log(\"}\"); // }\n  if (A > 1) { B = 2; }\n  /* } */\n}\n";
        assert_eq!(declaration_lines(source, "work", 7, FUNCTION), Some(wanted));
        assert_eq!(declaration_lines(source, "Other", 12, FUNCTION), Some("function Other() {}\n"));
        assert_eq!(declaration_lines(source, "Call", 13, FUNCTION), Some("event Call();\n"));
        assert_eq!(declaration_lines(source, "Missing", 12, FUNCTION), None);
        assert_eq!(declaration_lines(source, "Work", u32::MAX, FUNCTION), Some(wanted));
        assert_eq!(declaration_lines("", "Work", 3, FUNCTION), None);
    }

    #[test]
    fn what_does_not_end_is_not_cut_short() {
        assert_eq!(declaration_lines("function A()\n{\n", "A", 1, FUNCTION), None);
        assert_eq!(declaration_lines("function A() /* {", "A", 1, FUNCTION), None);
        assert_eq!(declaration_lines("function A()\n{ \"ä\\", "A", 1, FUNCTION), None);
        assert_eq!(
            declaration_lines("event A()\n{ S = \"手}\"; }", "A", 1, FUNCTION),
            Some("event A()\n{ S = \"手}\"; }")
        );
    }
}
