//! Where a person wants to jump to: an offset, the number of an entry, or a name.

/// Characters of what was typed that a message quotes.
const MAX_QUOTED: usize = 60;

/// The jump that is being asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Jump {
    /// Why what was entered last leads nowhere; empty before that.
    pub problem: String,
}

/// What was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpTarget<'a> {
    /// Bytes from the start of the file, or of the decompressed data that the selected entry lies in.
    Offset(u64),
    /// The number of an entry.
    Number(u32),
    /// The path or the name of an entry, or the name of a file.
    Name(&'a str),
}

impl<'a> JumpTarget<'a> {
    /// Reads what was typed: `0x1f0`, `1f0h` and `496` are offsets, `#12` is a number, the rest are names.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence.
    pub fn of(text: &'a str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("Type an offset (0x1f0, 1f0h, 496), an entry number (#12), a name or a path.".to_owned());
        }
        if let Some(number) = text.strip_prefix('#') {
            let number = number.trim_start().parse();
            return number.map(Self::Number).map_err(|_| format!("{} is not an entry number.", quoted(text)));
        }
        let starts_with_digit = text.starts_with(|letter: char| letter.is_ascii_digit());
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        // “each” ends with an h too, and is a name.
        let hex = hex.or_else(|| text.strip_suffix(['h', 'H']).filter(|_| starts_with_digit));
        let (digits, radix) = hex.map_or((text, 10), |digits| (digits, 16));
        let is_digit = |letter: char| letter.is_digit(radix) || letter == '_';
        if !digits.chars().all(is_digit) || !digits.chars().any(|letter| letter != '_') {
            return Ok(Self::Name(text));
        }
        let digits: String = digits.chars().filter(|letter| *letter != '_').collect();
        let offset = u64::from_str_radix(&digits, radix);
        offset.map(Self::Offset).map_err(|_| format!("The offset {} is too large.", quoted(text)))
    }
}

/// What was typed, or its beginning, in quotation marks.
pub fn quoted(text: &str) -> String {
    let mut letters = text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let shown: String = letters.by_ref().take(MAX_QUOTED).collect();
    let more = if letters.next().is_some() { "…" } else { "" };
    format!("“{shown}{more}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_numbers_and_names_are_told_apart() {
        for (text, target) in [
            ("0x1f0", JumpTarget::Offset(0x1f0)),
            (" 0X1F0 ", JumpTarget::Offset(0x1f0)),
            ("1f0h", JumpTarget::Offset(0x1f0)),
            ("496", JumpTarget::Offset(496)),
            ("0x1_0000", JumpTarget::Offset(0x1_0000)),
            ("0xffffffffffffffff", JumpTarget::Offset(u64::MAX)),
            ("#12", JumpTarget::Number(12)),
            ("# 0", JumpTarget::Number(0)),
            ("each", JumpTarget::Name("each")),
            ("1f0", JumpTarget::Name("1f0")),
            ("0x", JumpTarget::Name("0x")),
            ("0h", JumpTarget::Offset(0)),
            ("___", JumpTarget::Name("___")),
            ("MATT0000/Ossie_Eyes", JumpTarget::Name("MATT0000/Ossie_Eyes")),
            ("-1", JumpTarget::Name("-1")),
        ] {
            assert_eq!(JumpTarget::of(text), Ok(target), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_says_why_in_a_short_sentence() {
        for text in ["", "  ", "#", "#x", "#99999999999", "0x10000000000000000", "99999999999999999999999"] {
            assert!(JumpTarget::of(text).is_err(), "{text:?}");
        }
        for text in [format!("#{}", "x".repeat(100_000)), "9".repeat(100_000), format!("0x{}", "f".repeat(100_000))] {
            assert!(JumpTarget::of(&text).unwrap_err().chars().count() < 120);
        }
        assert_eq!(quoted(" a\nb "), "“a b”");
    }
}
