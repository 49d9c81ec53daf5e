//! Which lines of a source a script's statements were made from. Bytecode says it in two places only: where a function begins
//! (formats/unreal.md §10.3), and at each assertion (§11). Between these the names in a statement and those in the lines tell.

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
