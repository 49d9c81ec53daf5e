//! Looking for bytes: hexadecimal with wildcards, text in the encodings of old games, numbers of any width and order.

use super::{Source, text::encodings};
use std::{ops::Range, str::FromStr};

/// Bytes of a pattern.
pub const MAX_PATTERN: usize = 4_096;

/// Places that are kept.
pub const MAX_HITS: usize = 100_000;

/// Between two questions whether the search goes on, in bytes looked at.
const STEP: usize = 1 << 16;

/// Bytes of a file that are in memory at once.
const PIECE: u64 = 1 << 20;

/// What a search is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// `41 43 ?? 5?`: question marks stand for any digit.
    #[default]
    Hex,
    /// In ASCII or UTF-8, in UTF-16 of both orders, and in Shift-JIS.
    Text {
        /// Capital letters count.
        case: bool,
    },
    /// In both byte orders.
    Number(Width),
}

/// What a number is stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// Whole numbers of 2, 4 and 8 bytes and both kinds of fractions.
    #[default]
    Any,
    /// Unsigned integer of 1 byte.
    U8,
    /// Signed integer of 1 byte.
    I8,
    /// Unsigned integer of 2 bytes.
    U16,
    /// Signed integer of 2 bytes.
    I16,
    /// Unsigned integer of 4 bytes.
    U32,
    /// Signed integer of 4 bytes.
    I32,
    /// Unsigned integer of 8 bytes.
    U64,
    /// Signed integer of 8 bytes.
    I64,
    /// Floating-point number of 4 bytes.
    F32,
    /// Floating-point number of 8 bytes.
    F64,
}

impl Width {
    /// All widths; [`Width::Any`] is the first.
    pub const ALL: [Self; 11] = [
        Self::Any,
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::U64,
        Self::I64,
        Self::F32,
        Self::F64,
    ];

    /// Returns the label of the width, such as `any width` or `u16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any width",
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// A byte that is looked for: one of two values, or some of its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    value: u8,
    /// The same letter in the other case.
    other: u8,
    mask: u8,
}

impl Wanted {
    fn exactly(value: u8) -> Self {
        Self { value, other: value, mask: 0xFF }
    }

    fn is(self, byte: u8) -> bool {
        byte & self.mask == self.value || byte & self.mask == self.other
    }
}

/// What is looked for: any of several runs of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The longest first. None is empty.
    runs: Vec<Vec<Wanted>>,
}

/// Where a pattern was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// In order, apart from each other.
    pub places: Vec<Range<u64>>,
    /// There are more than were kept.
    pub is_cut: bool,
}

impl Pattern {
    /// Reads what was typed.
    ///
    /// # Errors
    /// Why it cannot be looked for, as a sentence.
    pub fn of(text: &str, kind: Kind) -> Result<Self, String> {
        let mut runs = match kind {
            Kind::Hex => vec![hex(text)?],
            Kind::Text { case } => text_runs(text, case)?,
            Kind::Number(width) => number_runs(text.trim(), width)?,
        };
        runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
        Ok(Self { runs })
    }

    /// Bytes of what is found at the start of `bytes`.
    fn found_at(&self, bytes: &[u8]) -> Option<usize> {
        let is_here = |run: &&Vec<Wanted>| {
            run.len() <= bytes.len() && run.iter().zip(bytes).all(|(wanted, byte)| wanted.is(*byte))
        };
        self.runs.iter().find(is_here).map(Vec::len)
    }

    /// Bytes of the longest run.
    fn longest(&self) -> usize {
        self.runs.first().map_or(0, Vec::len)
    }

    /// All places in `source`, whose first byte has the offset `start`. A file is read in pieces. `None` when `cancelled` says so.
    ///
    /// # Errors
    /// When the bytes cannot be read, as a sentence.
    pub fn find(&self, source: &Source, start: u64, cancelled: impl Fn() -> bool) -> Result<Option<Hits>, String> {
        let may_start: [bool; 256] = std::array::from_fn(|byte| {
            self.runs.iter().any(|run| run.first().is_some_and(|first| first.is(u8::try_from(byte).unwrap_or(0))))
        });
        let size = source.len() as u64;
        // What begins in a piece may end in the next one.
        let overlap = (self.longest() as u64).saturating_sub(1);
        let mut hits = Hits::default();
        let mut at = 0_u64;
        while at < size && !hits.is_cut {
            let first = at;
            let next = first.saturating_add(PIECE).min(size);
            let piece = source.slice(first, next.saturating_add(overlap).min(size).saturating_sub(first));
            let piece = piece.ok_or("the data no longer exists")?;
            let bytes = piece.as_slice();
            if let Some(why) = piece.failure() {
                return Err(Source::read_failed(why));
            }
            let starts = usize::try_from(next.saturating_sub(first)).unwrap_or(usize::MAX).min(bytes.len());
            match self.find_in(bytes, starts, start.saturating_add(first), &may_start, &mut hits, &cancelled) {
                Some(past) => at = first.saturating_add(past as u64).max(next),
                None => return Ok(None),
            }
        }
        Ok(Some(hits))
    }

    /// Adds the places in `bytes` that begin before `starts`. Returns how far it came, which may be behind that; `None` when
    /// cancelled.
    fn find_in(
        &self,
        bytes: &[u8],
        starts: usize,
        offset: u64,
        may_start: &[bool; 256],
        hits: &mut Hits,
        cancelled: &impl Fn() -> bool,
    ) -> Option<usize> {
        let mut at = 0_usize;
        let mut asked = 0_usize;
        while let Some(rest) = bytes.get(at..starts).filter(|rest| !rest.is_empty()) {
            if at >= asked {
                if cancelled() {
                    return None;
                }
                asked = at.saturating_add(STEP);
            }
            let step = rest.get(..STEP).unwrap_or(rest);
            let may = |byte: &u8| may_start.get(usize::from(*byte)).copied().unwrap_or(false);
            let Some(skipped) = step.iter().position(may) else {
                at = at.saturating_add(step.len());
                continue;
            };
            at = at.saturating_add(skipped);
            let Some(len) = bytes.get(at..).and_then(|rest| self.found_at(rest)) else {
                at = at.saturating_add(1);
                continue;
            };
            if hits.places.len() == MAX_HITS {
                hits.is_cut = true;
                break;
            }
            let from = offset.saturating_add(at as u64);
            hits.places.push(from..from.saturating_add(len as u64));
            at = at.saturating_add(len);
        }
        Some(at)
    }
}

fn too_long() -> String {
    format!("Too long: the limit is {MAX_PATTERN} bytes.")
}

fn hex(text: &str) -> Result<Vec<Wanted>, String> {
    let digits = text.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|part| !part.is_empty());
    let mut run = Vec::new();
    for part in digits {
        let part = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")).unwrap_or(part);
        let mut nibbles = part.chars().peekable();
        while let Some(high) = nibbles.next() {
            // A question mark alone stands for a byte, as two do.
            let low = match (high, nibbles.next()) {
                (_, Some(low)) => low,
                ('?', None) => '?',
                (_, None) => return Err(format!("Each byte needs two digits: the digit after “{high}” is missing.")),
            };
            let (high, low) = (nibble(high)?, nibble(low)?);
            let value = (high.0 << 4) | low.0;
            run.push(Wanted { value, other: value, mask: (high.1 << 4) | low.1 });
            if run.len() > MAX_PATTERN {
                return Err(too_long());
            }
        }
    }
    // Wildcards at the ends say nothing; of them alone everything would be found.
    if run.iter().all(|wanted| wanted.mask == 0) {
        return Err("Type bytes in hexadecimal, such as 41 43 ?? 58. A ? matches any digit.".to_owned());
    }
    Ok(run)
}

/// The value of a digit and the bits that count.
fn nibble(letter: char) -> Result<(u8, u8), String> {
    match letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok()) {
        Some(digit) => Ok((digit, 0xF)),
        None if letter == '?' => Ok((0, 0)),
        None => Err(format!("“{letter}” is not a hexadecimal digit. Use ? for any digit.")),
    }
}

fn text_runs(text: &str, case: bool) -> Result<Vec<Vec<Wanted>>, String> {
    if text.is_empty() {
        return Err("Type the text to find.".to_owned());
    }
    let mut runs: Vec<Vec<Wanted>> = Vec::new();
    for encode in encodings() {
        // Letter by letter: of one that has another case, both may stand there.
        let mut run = Some(Vec::new());
        for letter in text.chars() {
            let Some(bytes) = encode(letter) else {
                run = None;
                break;
            };
            let other = if case { None } else { other_case(letter).and_then(encode) };
            let Some(run) = run.as_mut() else { break };
            add_letter(run, &bytes, other.as_deref());
            if run.len() > MAX_PATTERN {
                return Err(too_long());
            }
        }
        runs.extend(run.filter(|run| !runs.contains(run)));
    }
    Ok(runs)
}

/// The same letter in the other case, where that is one letter.
fn other_case(letter: char) -> Option<char> {
    let only = |mut letters: Box<dyn Iterator<Item = char>>| {
        let first = letters.next();
        first.filter(|first| letters.next().is_none() && *first != letter)
    };
    only(Box::new(letter.to_lowercase())).or_else(|| only(Box::new(letter.to_uppercase())))
}

fn add_letter(run: &mut Vec<Wanted>, bytes: &[u8], other: Option<&[u8]>) {
    // Where the cases differ in several bytes, those of both would be mixed.
    let differs = |other: &&[u8]| bytes.iter().zip(*other).filter(|(a, b)| a != b).count() == 1;
    let other = other.filter(|other| other.len() == bytes.len()).filter(differs).unwrap_or(bytes);
    run.extend(bytes.iter().zip(other).map(|(value, other)| Wanted { value: *value, other: *other, mask: 0xFF }));
}

fn number_runs(text: &str, width: Width) -> Result<Vec<Vec<Wanted>>, String> {
    let mut runs: Vec<Vec<Wanted>> = Vec::new();
    let mut add = |little: &[u8]| {
        let run: Vec<Wanted> = little.iter().map(|byte| Wanted::exactly(*byte)).collect();
        let turned: Vec<Wanted> = run.iter().rev().copied().collect();
        for run in [run, turned] {
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
    };
    let whole = whole_number(text);
    let is = |wanted: Width| width == wanted || width == Width::Any;
    let mut add_whole = |only: Width, bytes: Option<Vec<u8>>| {
        if let Some(bytes) = bytes.filter(|_| is(only)) {
            add(&bytes);
        }
    };
    macro_rules! whole {
        ($width:expr, $type:ty) => {
            add_whole($width, whole.and_then(|v| <$type>::try_from(v).ok()).map(|v| v.to_le_bytes().to_vec()))
        };
    }
    if width != Width::Any {
        whole!(Width::U8, u8);
        whole!(Width::I8, i8);
    }
    whole!(Width::U16, u16);
    whole!(Width::I16, i16);
    whole!(Width::U32, u32);
    whole!(Width::I32, i32);
    whole!(Width::U64, u64);
    whole!(Width::I64, i64);
    add_whole(Width::F32, fraction::<f32>(text).filter(|v| v.is_finite()).map(|v| v.to_le_bytes().to_vec()));
    add_whole(Width::F64, fraction::<f64>(text).filter(|v| v.is_finite()).map(|v| v.to_le_bytes().to_vec()));
    match (runs.is_empty(), whole.is_some() || fraction::<f64>(text).is_some()) {
        (false, _) => Ok(runs),
        (true, false) => Err("Type a number: 496, -12, 0x1f0 or 0.5.".to_owned()),
        (true, true) => Err(format!("The number does not fit in {}.", width.name())),
    }
}

fn fraction<T: FromStr>(text: &str) -> Option<T> {
    // Words such as “nan” and “infinity” are no numbers here.
    let is_number = text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
    is_number.then(|| text.parse().ok()).flatten()
}

fn whole_number(text: &str) -> Option<i128> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value: u128 = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let value = i128::try_from(value).ok()?;
    if is_negative { value.checked_neg() } else { Some(value) }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "some lists of ranges have one element")]
mod tests {
    use super::*;

    fn found(bytes: &[u8], text: &str, kind: Kind) -> Vec<Range<u64>> {
        let source = Source::from(bytes.to_vec());
        Pattern::of(text, kind).unwrap().find(&source, 0, || false).unwrap().unwrap().places
    }

    const ANY_CASE: Kind = Kind::Text { case: false };

    #[test]
    fn hexadecimal_with_wildcards() {
        let bytes = b"xACTX..AC!X";
        for text in ["41 43 ?? 58", "4143??58", "0x41,0x43,?,0x58", "41 4? ?? 5?"] {
            assert_eq!(found(bytes, text, Kind::Hex), [1..5, 7..11], "{text}");
        }
        assert_eq!(found(bytes, "41 43 54", Kind::Hex), [1..4]);
        assert_eq!(found(b"aaaaa", "61 61", Kind::Hex), [0..2, 2..4], "matches do not overlap");
        assert!(found(b"", "61", Kind::Hex).is_empty());
        assert!(found(b"ab", "61 62 63", Kind::Hex).is_empty(), "the pattern is longer than the data");
        let at = Pattern::of("62", Kind::Hex)
            .unwrap()
            .find(&Source::from(b"ab".to_vec()), 0x100, || false)
            .unwrap()
            .unwrap();
        assert_eq!(at.places, [0x101..0x102], "the start offset is added to the offsets of matches");
    }

    #[test]
    fn text_in_every_encoding_and_case() {
        let mut bytes = b"..Hand..".to_vec();
        bytes.extend("HAND".encode_utf16().flat_map(u16::to_le_bytes));
        bytes.push(0xFF);
        bytes.extend("hand".encode_utf16().flat_map(u16::to_be_bytes));
        assert_eq!(found(&bytes, "hAnD", ANY_CASE), [2..6, 8..16, 17..25]);
        assert_eq!(found(&bytes, "HAND", Kind::Text { case: true }), [8..16]);
        assert_eq!(found(&bytes, "han", Kind::Text { case: true }), [17..23]);
        // Shift-JIS: 手 is 8E E8, a wide A is 82 60 and a wide a is 82 81.
        assert_eq!(found(&[0, 0x8E, 0xE8, 0x82, 0x81], "手Ａ", ANY_CASE), [1..5]);
        assert_eq!(found("ÄRM ärm".as_bytes(), "ärm", ANY_CASE), [0..4, 5..9]);
        assert_eq!(found("a b".as_bytes(), "a b", ANY_CASE), [0..3], "spaces are compared");
    }

    #[test]
    fn numbers_of_every_width_and_order() {
        let number = |width| Kind::Number(width);
        let bytes = [0xFF, 0xF0, 0x01, 0x00, 0x00, 0x01, 0xF0];
        assert_eq!(found(&bytes, "496", number(Width::U16)), [1..3, 5..7]);
        assert_eq!(found(&bytes, "0x1f0", number(Width::U32)), [1..5]);
        assert_eq!(found(&bytes, "496", number(Width::Any)), [1..5, 5..7], "the widest number at each offset is found");
        assert_eq!(found(&bytes, "-1", number(Width::I8)), [0..1]);
        assert_eq!(found(&1.5_f32.to_be_bytes(), "1.5", number(Width::F32)), [0..4]);
        assert_eq!(found(&(-0.1_f64).to_le_bytes(), "-0.1", number(Width::Any)), [0..8]);
        assert_eq!(found(&u64::MAX.to_le_bytes(), "18446744073709551615", number(Width::U64)), [0..8]);
        assert_eq!(found(&i64::MIN.to_be_bytes(), "-9223372036854775808", number(Width::I64)), [0..8]);
        for (text, width, why) in [
            ("256", Width::U8, "does not fit in u8"),
            ("-1", Width::U32, "does not fit in u32"),
            ("1.5", Width::I32, "does not fit in i32"),
            ("1e99", Width::F32, "does not fit in f32"),
            ("", Width::Any, "Type a number"),
            ("x", Width::U8, "Type a number"),
            ("nan", Width::F32, "Type a number"),
        ] {
            let error = Pattern::of(text, number(width)).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        let huge = "9".repeat(1_000_000);
        assert!(Pattern::of(&huge, number(Width::U64)).is_err());
    }

    #[test]
    fn what_cannot_be_looked_for_says_why() {
        for (text, why) in [
            ("", "41 43"),
            ("? ?? ??", "41 43"),
            ("4", "two digits"),
            ("41 4", "two digits"),
            ("4g", "“g”"),
            ("0x", "41 43"),
        ] {
            let error = Pattern::of(text, Kind::Hex).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(Pattern::of("", ANY_CASE).is_err());
        // Of a pattern of a megabyte no more than fits is read.
        for (text, kind) in [("41".repeat(1 << 20), Kind::Hex), ("a".repeat(1 << 20), ANY_CASE)] {
            assert!(Pattern::of(&text, kind).unwrap_err().contains("Too long"));
        }
        assert!(Pattern::of(&"41".repeat(MAX_PATTERN), Kind::Hex).is_ok());
    }

    #[test]
    fn what_lies_across_two_pieces_is_found_once() {
        let mut bytes = vec![0_u8; PIECE as usize * 2 + 10];
        for end in [PIECE as usize, PIECE as usize * 2 + 2] {
            bytes[end - 2..end + 2].copy_from_slice(b"bone");
        }
        let expected = [PIECE - 2..PIECE + 2, PIECE * 2..PIECE * 2 + 4];
        assert_eq!(found(&bytes, "62 6F 6E 65", Kind::Hex), expected);
        // One that is found reaches into the next piece, where nothing begins inside it.
        bytes.fill(0);
        bytes[PIECE as usize - 1000..][..2000].fill(1);
        assert_eq!(found(&bytes, "01 01 01", Kind::Hex).len(), 2000 / 3);
    }

    #[test]
    fn what_is_found_is_bounded_and_can_be_cancelled() {
        let bytes = Source::from(vec![0_u8; 300_000]);
        let hits = Pattern::of("00", Kind::Hex).unwrap().find(&bytes, 0, || false).unwrap().unwrap();
        assert!(hits.is_cut && hits.places.len() == MAX_HITS);
        let hits = Pattern::of("00 00 00", Kind::Hex).unwrap().find(&bytes, 0, || false).unwrap().unwrap();
        assert!(!hits.is_cut && hits.places.len() == 100_000);
        assert_eq!(Pattern::of("01", Kind::Hex).unwrap().find(&bytes, 0, || true), Ok(None));
    }
}
