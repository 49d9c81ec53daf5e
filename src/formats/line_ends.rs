//! Files whose line ends were converted on their way, as transfers in text mode do to files that are no texts: recognised where the
//! bytes say so, and read again with the ends as they were.

use super::{
    Choice, Diagnostics, Document, Format, OpenContext, OpenError, Rival, Severity,
    bounded::{self, Bounded},
    common_codes::LINE_ENDS,
};
use crate::bytes::{
    Source,
    numbers::{counted, grouped},
};

/// Id of the choice between the bytes as they are and as they were.
const CHOICE: &str = "line-ends";
const STORED: &str = "stored";
/// The largest file that is mended, in bytes: the mended bytes are in memory.
const LARGEST: usize = 64 << 20;
const LARGEST_NARROWED: usize = 1 << 20;
/// The fewest line feeds that say something.
const FEWEST: usize = 3;

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    /// Each LF became CR LF.
    Widened,
    /// Each CR LF became LF. Where LF stood alone too, nothing tells them apart: such a file is not mended.
    Narrowed,
}

impl Damage {
    /// What may have been done to these bytes, and their line feeds.
    fn of(bytes: &[u8]) -> Option<(Self, usize)> {
        let count = bytes.iter().filter(|byte| **byte == b'\n').count();
        let pairs = bytes.array_windows().filter(|pair| **pair == *b"\r\n").count();
        match pairs {
            _ if count < FEWEST => None,
            0 => Some((Self::Narrowed, count)),
            _ => (pairs == count).then_some((Self::Widened, count)),
        }
    }

    /// As [`Damage::of`], of a file that can be mended.
    fn of_source(source: &Source, format: &dyn Format) -> Option<(Self, usize)> {
        let size = source.len();
        let found = if size <= LARGEST { Self::of(source.as_slice()) } else { None };
        found.filter(|(damage, _)| source.failure().is_none() && damage.may_be(size, format))
    }

    /// What is narrowed looks like most small files: only where each byte too few shows, mending says something.
    fn may_be(self, size: usize, format: &dyn Format) -> bool {
        match self {
            Self::Widened => true,
            Self::Narrowed => size <= LARGEST_NARROWED && format.states_sizes(),
        }
    }

    fn mended(self, bytes: &[u8], count: usize) -> Vec<u8> {
        let mut mended = Vec::with_capacity(match self {
            Self::Widened => bytes.len().saturating_sub(count),
            Self::Narrowed => bytes.len().saturating_add(count),
        });
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match (self, line) {
                (Self::Widened, [line @ .., b'\r', b'\n']) => {
                    mended.extend_from_slice(line);
                    mended.push(b'\n');
                }
                (Self::Narrowed, [line @ .., b'\n']) => {
                    mended.extend_from_slice(line);
                    mended.extend_from_slice(b"\r\n");
                }
                _ => mended.extend_from_slice(line),
            }
        }
        mended
    }

    /// The value of the choice.
    fn value(self) -> &'static str {
        match self {
            Self::Widened => "lf",
            Self::Narrowed => "crlf",
        }
    }

    fn words(self, count: usize) -> String {
        let count = grouped(count);
        match self {
            Self::Widened => {
                format!("all {count} line feeds follow a carriage return, which indicates a transfer in text mode")
            }
            Self::Narrowed => {
                format!(
                    "none of the {count} line feeds follows a carriage return, which indicates a transfer in text mode"
                )
            }
        }
    }

    /// Whether what the mended bytes say is so much better that they are what was meant. Bytes that are added may fill up what is
    /// missing for another reason: only if everything fits then, they are. So it is with containers, whose texts have such line ends
    /// of their own.
    fn is_undone(self, stored: Option<usize>, mended: &[Severity], holds_files: bool) -> bool {
        match self {
            Self::Widened if holds_files => mended.is_empty(),
            Self::Widened => stored.is_none_or(|stored| count_errors(mended) < stored),
            Self::Narrowed => mended.is_empty(),
        }
    }
}

/// Opens a file by its format, within a budget. One that has errors and whose line ends look converted is opened again as it was: which
/// of both is shown is a choice, and the mended one is taken where the file does not open as it is.
///
/// # Errors
/// Those of the format.
pub fn open(
    format: &'static dyn Format,
    source: Source,
    cx: &mut OpenContext<'_>,
) -> Result<Box<dyn Document>, OpenError> {
    // The question is none of the format's own.
    let mut overrides = cx.overrides.clone();
    let wanted = overrides.remove(CHOICE);
    let before = cx.diagnostics.clone();
    let OpenContext { file, resolver, limits, .. } = cx;
    let open = |source: Source, diagnostics: &mut Diagnostics| {
        let resolver = resolver.clone();
        let mut cx = OpenContext { file, resolver, diagnostics, limits: *limits, overrides: &overrides };
        bounded::open(format, source, &mut cx)
    };
    let opened = open(source.clone(), cx.diagnostics);
    let errors = count_errors(&severities(cx.diagnostics, &before));
    let errors = opened.is_ok().then_some(errors);
    let Some((damage, count)) = (errors != Some(0)).then(|| Damage::of_source(&source, format)).flatten() else {
        return Ok(Box::new(opened?));
    };
    // Of two readings one is in memory at a time.
    let failed = opened.err();
    let mended = mend(&source, (damage, count), format.holds_files(), &before, errors, open);
    let stored = |diagnostics: &mut Diagnostics| match failed {
        Some(error) => Err(error),
        None => {
            *diagnostics = before.clone();
            open(source.clone(), diagnostics)
        }
    };
    match mended {
        Some(mended) => chosen(mended, stored, errors.is_some(), wanted.as_deref(), cx.diagnostics),
        None => Ok(Box::new(stored(cx.diagnostics)?)),
    }
}

/// A file with its line ends as they were.
struct Mended {
    document: Bounded,
    diagnostics: Diagnostics,
    damage: Damage,
    /// What speaks for it.
    evidence: String,
}

/// Opens the file as it was, where that is better. `errors`: of the file as it is; `None` where it does not open.
fn mend(
    source: &Source,
    (damage, count): (Damage, usize),
    holds_files: bool,
    before: &Diagnostics,
    errors: Option<usize>,
    open: impl FnOnce(Source, &mut Diagnostics) -> Result<Bounded, OpenError>,
) -> Option<Mended> {
    let mut diagnostics = before.clone();
    let document = open(Source::from(damage.mended(source.as_slice(), count)), &mut diagnostics).ok()?;
    let said = severities(&diagnostics, before);
    if !damage.is_undone(errors, &said, holds_files) {
        return None;
    }
    let left = count_errors(&said);
    let than = match errors {
        Some(errors) => format!("{} when repaired, {} without the repair", counted(left, "error"), grouped(errors)),
        None => "the file can be opened only when repaired".to_owned(),
    };
    let evidence = format!("{} ({than})", damage.words(count));
    Some(Mended { document, diagnostics, damage, evidence })
}

/// Of both readings the one that is wanted, with the choice between them. `stored` opens the file as it is.
fn chosen(
    mended: Mended,
    stored: impl FnOnce(&mut Diagnostics) -> Result<Bounded, OpenError>,
    opens: bool,
    wanted: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Result<Box<dyn Document>, OpenError> {
    let Mended { document, diagnostics: found, damage, evidence } = mended;
    let wanted = wanted.filter(|wanted| [STORED, damage.value()].contains(wanted));
    let is_mended = wanted.map_or(!opens, |wanted| wanted == damage.value());
    let message = match is_mended {
        true => format!("{evidence}. The repaired file is shown"),
        false => format!(
            "{evidence}. To repair the file, use “Line endings” under Reading, or --reading {CHOICE}={}",
            damage.value()
        ),
    };
    let answer = |value: &str, evidence: String| Rival { value: value.to_owned(), evidence };
    let mut answers = [answer(STORED, "the bytes are used as stored".to_owned()), answer(damage.value(), evidence)];
    if is_mended {
        answers.reverse();
    }
    let [taken, rival] = answers;
    let choice = Choice {
        id: CHOICE,
        label: "Line endings",
        value: taken.value,
        evidence: taken.evidence,
        rivals: vec![rival],
        overridden: wanted.is_some(),
        number: None,
    };
    let document = match is_mended {
        true => {
            *diagnostics = found;
            document
        }
        false => {
            drop(document);
            stored(diagnostics)?
        }
    };
    diagnostics.report(&LINE_ENDS, None, None, message);
    Ok(Box::new(document.with_choice(choice)))
}

/// Of what was found since.
fn severities(now: &Diagnostics, before: &Diagnostics) -> Vec<Severity> {
    let since = now.as_slice().get(before.as_slice().len()..).unwrap_or_default();
    since.iter().map(|found| found.severity).collect()
}

fn count_errors(said: &[Severity]) -> usize {
    said.iter().filter(|severity| **severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widened(bytes: &[u8]) -> Vec<u8> {
        bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..])
    }

    #[test]
    fn what_is_mended_is_what_was() {
        for whole in [&b"\n\n\n"[..], b"a\nb\r\nc\n\r", b"\r\n\r\r\n\n\x0B\r", b"\n1\n\n\r"] {
            let damaged = widened(whole);
            let count = whole.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(Damage::of(&damaged), Some((Damage::Widened, count)), "{whole:?}");
            assert_eq!(Damage::Widened.mended(&damaged, count), whole, "{whole:?}");
        }
        let narrow = b"a\nb\n\n";
        assert_eq!(Damage::of(narrow), Some((Damage::Narrowed, 3)));
        assert_eq!(Damage::Narrowed.mended(narrow, 3), b"a\r\nb\r\n\r\n");
    }

    #[test]
    fn few_and_mixed_line_feeds_say_nothing() {
        for bytes in [&b"a\r\nb\r\n"[..], b"\n\n", b"\r\n\r\n\r\n\n", b"no end"] {
            assert_eq!(Damage::of(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn only_what_reads_better_counts() {
        use Severity::{Error, Info, Warning};
        let (wide, narrow) = (Damage::Widened, Damage::Narrowed);
        assert!(wide.is_undone(None, &[Error], false) && wide.is_undone(Some(2), &[Error, Warning], false));
        assert!(!wide.is_undone(Some(1), &[Error], false) && wide.is_undone(Some(1), &[Info], false));
        // Texts in an archive have such line ends of their own.
        assert!(!wide.is_undone(None, &[Warning], true) && wide.is_undone(None, &[], true));
        assert!(
            narrow.is_undone(Some(1), &[], false)
                && !narrow.is_undone(Some(3), &[Info], false)
                && !narrow.is_undone(None, &[Error], false)
        );
    }
}
