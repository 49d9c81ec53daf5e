//! Finding a function or a state in the source of its class.

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
