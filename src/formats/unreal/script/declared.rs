//! What the source of a class declares, and on which lines: read as far as that takes, and no further.

use std::ops::Range;

/// What a declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    Class,
    Const,
    Enum,
    EnumValue,
    Struct,
    Variable,
    Function,
    State,
    Parameter,
    Local,
}

/// A name that a source declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared<'a> {
    pub kind: DeclaredKind,
    pub name: &'a str,
    /// The line of the name, from 0.
    pub line: u32,
    /// The lines from the first of the declaration to the end of its block.
    pub lines: Range<u32>,
    /// The struct, state, enum or function that it is declared in, by its place in the list.
    pub within: Option<usize>,
}

/// Names that one source declares at most.
const MAX_DECLARED: usize = 1 << 16;
/// Pieces of one statement that are looked at: declarations are shorter.
const MAX_STATEMENT: usize = 4_096;

/// A word or a sign of a source.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    text: &'a str,
    line: u32,
}

impl Piece<'_> {
    fn is(&self, text: &str) -> bool {
        self.text.eq_ignore_ascii_case(text)
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// The words and signs of a source, without comments, texts and directives.
struct Pieces<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    /// Nothing but blanks stand before it on its line.
    starts_line: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let rest = self.source.get(self.at..)?;
            let first = rest.chars().next()?;
            let starts_line = std::mem::replace(&mut self.starts_line, false);
            let line = self.line;
            if first == '\n' {
                self.line = self.line.saturating_add(1);
                self.starts_line = true;
                self.at = self.at.saturating_add(1);
            } else if first.is_whitespace() {
                self.starts_line = starts_line;
                self.at = self.at.saturating_add(first.len_utf8());
            } else if rest.starts_with("//") || (first == '#' && starts_line) {
                self.pass(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let end = rest.get(2..).and_then(|inside| inside.find("*/"));
                self.pass(end.map_or(rest.len(), |end| end.saturating_add(4)));
            } else if first == '"' {
                self.pass(text_length(rest));
            } else if first == '\'' {
                let end = rest.get(1..).and_then(|inside| inside.find(['\'', '\n']));
                self.pass(end.map_or(rest.len(), |end| end.saturating_add(2)));
            } else {
                let in_word = |c: char| c.is_alphanumeric() || c == '_';
                let length =
                    if in_word(first) { rest.find(|c| !in_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
                self.at = self.at.saturating_add(length);
                return Some(Piece { text: rest.get(..length)?, line });
            }
        }
    }
}

impl Pieces<'_> {
    /// Passes over so many bytes, and counts the lines in them.
    fn pass(&mut self, length: usize) {
        let end = self.at.saturating_add(length).min(self.source.len());
        let lines =
            self.source.as_bytes().get(self.at..end).unwrap_or_default().iter().filter(|b| **b == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = end;
    }
}

/// Bytes of a text in quotes; one that does not end ends with its line.
fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at.saturating_add(1),
            _ => {}
        }
    }
    rest.len()
}

/// Everything that a source declares, in its order.
pub fn declared(source: &str) -> Vec<Declared<'_>> {
    let mut reading = Reading { pieces: Pieces { source, at: 0, line: 0, starts_line: true }, found: Vec::new() };
    reading.read();
    reading.found
}

/// What ends a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Semicolon,
    Open,
    Close,
    /// A label of a state.
    Colon,
    File,
}

struct Reading<'a> {
    pieces: Pieces<'a>,
    found: Vec<Declared<'a>>,
}

impl<'a> Reading<'a> {
    /// The pieces up to the end of a statement.
    fn statement(&mut self) -> (Vec<Piece<'a>>, End) {
        let mut list = Vec::new();
        let mut brackets = 0_usize;
        for piece in self.pieces.by_ref() {
            match piece.text {
                ";" if brackets == 0 => return (list, End::Semicolon),
                "{" => return (list, End::Open),
                "}" => return (list, End::Close),
                ":" if brackets == 0 && list.len() == 1 => return (list, End::Colon),
                "(" => brackets = brackets.saturating_add(1),
                ")" => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            if list.len() < MAX_STATEMENT {
                list.push(piece);
            }
        }
        (list, End::File)
    }

    fn add(&mut self, kind: DeclaredKind, name: Piece<'a>, from: u32, within: Option<usize>) -> Option<usize> {
        if self.found.len() >= MAX_DECLARED {
            return None;
        }
        let lines = from..name.line.saturating_add(1);
        self.found.push(Declared { kind, name: name.text, line: name.line, lines, within });
        Some(self.found.len().saturating_sub(1))
    }

    /// The declaration ends on the line that was read last.
    fn close(&mut self, declared: Option<usize>) {
        let end = self.pieces.line.saturating_add(1);
        if let Some(found) = declared.and_then(|at| self.found.get_mut(at)) {
            found.lines.end = end;
        }
    }

    fn read(&mut self) {
        let mut state: Option<Option<usize>> = None;
        loop {
            let (list, end) = self.statement();
            let within = state.flatten();
            match end {
                End::File => return,
                End::Close => {
                    if let Some(open) = state.take() {
                        self.close(open);
                    }
                    continue;
                }
                End::Colon => continue,
                End::Semicolon | End::Open => {}
            }
            let Some(first) = list.first().copied() else {
                if end == End::Open {
                    self.pass_block(None, None);
                }
                continue;
            };
            let has = |words: &[&str]| list.iter().any(|piece| words.iter().any(|word| piece.is(word)));
            if first.is("var") {
                self.variables(&list, end, within);
            } else if first.is("enum") {
                self.enumeration(&list, end, first.line, within);
            } else if first.is("struct") {
                self.structure(&list, end, within);
            } else if first.is("const") {
                if let Some(name) = list.get(1).copied() {
                    self.add(DeclaredKind::Const, name, first.line, within);
                }
            } else if first.is("class") {
                if let Some(name) = list.get(1).copied() {
                    self.add(DeclaredKind::Class, name, first.line, None);
                }
            } else if has(&["function", "event", "operator", "preoperator", "postoperator", "delegate"]) {
                self.function(&list, end, within);
            } else if end == End::Open && state.is_none() && has(&["state"]) {
                let at = list.iter().position(|piece| piece.is("state"));
                let name = list.iter().skip(at.unwrap_or_default()).skip(1).find(|piece| piece.is_word()).copied();
                state = Some(name.and_then(|name| self.add(DeclaredKind::State, name, first.line, None)));
            } else if end == End::Open {
                // Code of a state, what is replicated, defaults.
                self.pass_block(None, None);
            }
        }
    }

    /// Passes over a block to its end; what it declares as local belongs to `function`.
    fn pass_block(&mut self, function: Option<usize>, close: Option<usize>) {
        let mut depth = 1_usize;
        while depth > 0 {
            let (list, end) = self.statement();
            match end {
                End::Open => depth = depth.saturating_add(1),
                End::Close => depth = depth.saturating_sub(1),
                End::File => return,
                End::Semicolon | End::Colon => {}
            }
            if function.is_some()
                && let Some(first) = list.first().filter(|first| first.is("local"))
            {
                for name in names(list.get(1..).unwrap_or_default()) {
                    self.add(DeclaredKind::Local, name, first.line, function);
                }
            }
        }
        self.close(close);
    }

    fn function(&mut self, list: &[Piece<'a>], end: End, within: Option<usize>) {
        // Flags have brackets too: `native(123) final operator(20) int + ( int A, int B )`. The last ones hold the parameters.
        let Some(close) = list.iter().rposition(|piece| piece.text == ")") else {
            if end == End::Open {
                self.pass_block(None, None);
            }
            return;
        };
        let mut depth = 0_usize;
        let open = list.iter().take(close.saturating_add(1)).rposition(|piece| {
            match piece.text {
                ")" => depth = depth.saturating_add(1),
                "(" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let open = open.unwrap_or_default();
        let Some(name) = open.checked_sub(1).and_then(|at| list.get(at)).copied() else { return };
        let from = list.first().map_or(name.line, |first| first.line);
        let function = self.add(DeclaredKind::Function, name, from, within);
        for parameter in names(list.get(open.saturating_add(1)..close).unwrap_or_default()) {
            self.add(DeclaredKind::Parameter, parameter, parameter.line, function);
        }
        match end {
            End::Open => self.pass_block(function, function),
            _ => self.close(function),
        }
    }

    /// `var(Category) config int A, B[4];`, with an enum or a struct before the names where it is declared there.
    fn variables(&mut self, list: &[Piece<'a>], end: End, within: Option<usize>) {
        let Some(first) = list.first().copied() else { return };
        if end != End::Open {
            for name in names(list.get(1..).unwrap_or_default()) {
                self.add(DeclaredKind::Variable, name, first.line, within);
            }
            return;
        }
        if list.iter().any(|piece| piece.is("enum")) {
            self.enum_values(list, first.line, within);
        } else {
            self.members(list, first.line, within);
        }
        let (list, _) = self.statement();
        for name in names(&list) {
            self.add(DeclaredKind::Variable, name, name.line, within);
        }
    }

    fn enumeration(&mut self, list: &[Piece<'a>], end: End, from: u32, within: Option<usize>) {
        if end == End::Open {
            self.enum_values(list, from, within);
        }
    }

    fn enum_values(&mut self, head: &[Piece<'a>], from: u32, within: Option<usize>) {
        let name = head.iter().rev().find(|piece| piece.is_word()).copied();
        let declared = name.and_then(|name| self.add(DeclaredKind::Enum, name, from, within));
        let (values, _) = self.statement();
        for value in values.iter().filter(|piece| piece.is_word()) {
            self.add(DeclaredKind::EnumValue, *value, value.line, declared);
        }
        self.close(declared);
    }

    fn structure(&mut self, list: &[Piece<'a>], end: End, within: Option<usize>) {
        if let (End::Open, Some(first)) = (end, list.first()) {
            self.members(list, first.line, within);
        }
    }

    /// What a struct holds, up to its end.
    fn members(&mut self, head: &[Piece<'a>], from: u32, within: Option<usize>) {
        let extends = head.iter().position(|piece| piece.is("extends") || piece.is("expands")).unwrap_or(head.len());
        let name = head.get(..extends).unwrap_or_default().iter().rev().find(|piece| piece.is_word()).copied();
        let declared = name.and_then(|name| self.add(DeclaredKind::Struct, name, from, within));
        loop {
            let (list, end) = self.statement();
            if list.first().is_some_and(|first| first.is("var")) && end == End::Semicolon {
                for name in names(list.get(1..).unwrap_or_default()) {
                    self.add(DeclaredKind::Variable, name, name.line, declared);
                }
            }
            match end {
                End::Open => self.pass_block(None, None),
                End::Close | End::File => break,
                End::Semicolon | End::Colon => {}
            }
        }
        self.close(declared);
    }
}

/// The names that a list of variables or parameters declares: the last word of each, without what stands in brackets.
fn names<'a>(list: &[Piece<'a>]) -> Vec<Piece<'a>> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut last: Option<Piece<'a>> = None;
    for piece in list {
        match piece.text {
            "(" | "[" | "<" => depth = depth.saturating_add(1),
            ")" | "]" | ">" => depth = depth.saturating_sub(1),
            "," if depth == 0 => names.extend(last.take()),
            _ if depth == 0 && piece.is_word() => last = Some(*piece),
            _ => {}
        }
    }
    names.extend(last);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(source: &str) -> Vec<String> {
        let found = declared(source);
        let line = |d: &Declared<'_>| {
            let within = d.within.map(|at| format!(" in {}", found[at].name)).unwrap_or_default();
            format!("{:?} {} {} {:?}{within}", d.kind, d.name, d.line, d.lines)
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn what_a_class_declares_is_found_with_its_lines() {
        let source = "\
// class Wrong;
class Timer expands Actor
    config(User);
#exec TEXTURE IMPORT NAME=var int Not;
const Max = 4; /* var int Not; */
enum EMood { Calm, Happy };
struct Trick extends Deed
{
    var() name Sequence;
    var float Seconds, Weights[4];
};
var() config EMood Mood; var array<int> List;
var(Sounds) enum EKind { A, B } Kind, Other[2];
native(123) static final operator(20) int + ( int A, optional out int B );
simulated function float Speed( Actor Who ) {
    local int I, J[2];
    local Pawn P;
    Log(\"} function Not() {\");
    if ( I > 0 ) { I = 0; }
}
auto state Idle
{
    ignores Bump;
    event Touch( Actor Other ) {}
Begin:
    if ( Mood == Calm ) { Sleep( 1 ); }
    goto 'Begin';
}
defaultproperties { Mood=Happy }
";
        assert_eq!(
            listed(source),
            [
                "Class Timer 1 1..2",
                "Const Max 4 4..5",
                "Enum EMood 5 5..6",
                "EnumValue Calm 5 5..6 in EMood",
                "EnumValue Happy 5 5..6 in EMood",
                "Struct Trick 6 6..10",
                "Variable Sequence 8 8..9 in Trick",
                "Variable Seconds 9 9..10 in Trick",
                "Variable Weights 9 9..10 in Trick",
                "Variable Mood 11 11..12",
                "Variable List 11 11..12",
                "Enum EKind 12 12..13",
                "EnumValue A 12 12..13 in EKind",
                "EnumValue B 12 12..13 in EKind",
                "Variable Kind 12 12..13",
                "Variable Other 12 12..13",
                "Function + 13 13..14",
                "Parameter A 13 13..14 in +",
                "Parameter B 13 13..14 in +",
                "Function Speed 14 14..20",
                "Parameter Who 14 14..15 in Speed",
                "Local I 15 15..16 in Speed",
                "Local J 15 15..16 in Speed",
                "Local P 16 16..17 in Speed",
                "State Idle 20 20..28",
                "Function Touch 23 23..24 in Idle",
                "Parameter Other 23 23..24 in Touch",
            ]
            .map(|line| line.replace("6..10", "6..11"))
        );
    }

    #[test]
    fn what_does_not_end_is_read_to_the_end_of_the_file() {
        for source in ["function A(", "state B {", "var int", "enum E { A", "struct S { var int", "\"", "'", "/*", "#"]
        {
            let _ = declared(source);
        }
        let open = "{ ".repeat(100_000);
        assert!(declared(&open).is_empty());
        assert_eq!(declared(&format!("function A() {open}")).len(), 1);
        assert_eq!(declared("operator(\nstate ö { function ä( int ü ) { } }").len(), 0);
        assert_eq!(declared(&"const A = 1;".repeat(MAX_DECLARED + 9)).len(), MAX_DECLARED);
    }
}
