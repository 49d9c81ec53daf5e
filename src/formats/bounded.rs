//! A document whose reading is bounded: each act is given a [`Budget`](crate::bytes::Budget) by the file's size.

use super::{
    Base, Capabilities, Choice, Diagnostics, Document, EntryId, Field, FieldTree, Format, LoadContext, Member,
    OpenContext, OpenError, Purpose, ReadError, ReadErrorKind, Value, common_codes::TOO_MUCH_WORK, document::Asset,
};
use crate::bytes::{
    Limits, Source,
    budget::{Exceeded, within},
};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Opens a file by its format, within a budget.
pub fn open(format: &'static dyn Format, source: Source, cx: &mut OpenContext<'_>) -> Result<Bounded, OpenError> {
    let limits = cx.limits;
    let whole = source.clone();
    let (opened, exceeded) = within(limits.budget(source.len() as u64), || format.open(source, cx));
    if let Some(why) = whole.failure() {
        return Err(OpenError::new(cx.file, Source::read_failed(why)));
    }
    match (opened, exceeded) {
        (Err(_), Some(exceeded)) => Err(OpenError::new(cx.file, exceeded.message())),
        (Err(error), None) => Err(error),
        (Ok(inner), exceeded) => {
            report(cx.diagnostics, None, exceeded);
            Ok(Bounded { inner, limits, choices: Vec::new() })
        }
    }
}

fn report(diagnostics: &mut Diagnostics, entry: Option<EntryId>, exceeded: Option<Exceeded>) {
    if let Some(exceeded) = exceeded {
        diagnostics.report(&TOO_MUCH_WORK, entry, None, exceeded.message().to_owned());
    }
}

/// A document that is read within a budget.
pub struct Bounded {
    inner: Box<dyn Document>,
    limits: Limits,
    /// Those of the document with one that is not its own; empty where there is none such.
    choices: Vec<Choice>,
}

impl Bounded {
    /// The same with a choice that is about the file as a whole.
    pub fn with_choice(mut self, choice: Choice) -> Self {
        self.choices = self.inner.reading().iter().cloned().chain([choice]).collect();
        self
    }

    /// Runs an act on an entry.
    fn act<T>(&self, entry: EntryId, act: impl FnOnce() -> T) -> (T, Option<Exceeded>) {
        // A disc that a container holds may have any size: what is stored of it counts.
        let size = match self.inner.container() {
            Some(container) => container.size(),
            None => self.inner.source_of(entry).len().max(self.inner.source().len()) as u64,
        };
        within(self.limits.budget(size), act)
    }

    /// The error that says why an act failed.
    fn error(&self, entry: EntryId, exceeded: Option<Exceeded>, error: ReadError) -> ReadError {
        match (exceeded, self.inner.outline().get(entry)) {
            (Some(exceeded), Some(entry)) => {
                ReadError::new(entry, exceeded.message()).with_kind(ReadErrorKind::TooLarge)
            }
            _ => error,
        }
    }

    /// Why nothing that an act returns is to be trusted: bytes of the file could not be read.
    fn read_failure(&self, entry: EntryId) -> Option<ReadError> {
        let why = self.inner.source_of(entry).failure()?;
        let entry = self.inner.outline().get(entry)?;
        Some(ReadError::new(entry, Source::read_failed(why)).with_kind(ReadErrorKind::Io))
    }
}

impl Document for Bounded {
    fn base(&self) -> Base<'_> {
        self.inner.base()
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        self.inner.source_of(entry)
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let (fields, exceeded) = self.act(entry, || self.inner.fields_for(entry, purpose));
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        let mut tree = fields.map_err(|error| self.error(entry, exceeded, error))?;
        if let Some(exceeded) = exceeded {
            let text = Value::Text(exceeded.message().to_owned());
            tree.fields.push(Field::new("…", "reading stopped", text, 0, 0).mirrored());
        }
        Ok(tree)
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let (loaded, exceeded) = self.act(entry, || self.inner.load(entry, cx));
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        report(cx.diagnostics, Some(entry), exceeded);
        loaded.map_err(|error| self.error(entry, exceeded, error))
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        let ((), exceeded) = self.act(entry, || self.inner.check(entry, diagnostics));
        report(diagnostics, Some(entry), exceeded);
    }

    fn member(&self, entry: EntryId) -> Option<Member<'_>> {
        self.inner.member(entry)
    }

    fn reading(&self) -> &[Choice] {
        if self.choices.is_empty() { self.inner.reading() } else { &self.choices }
    }

    fn capabilities(&self) -> Capabilities<'_> {
        self.inner.capabilities()
    }

    fn within_budget(&self, entry: EntryId, act: &mut dyn FnMut()) -> Option<ReadError> {
        let ((), exceeded) = self.act(entry, act);
        let too_much = |exceeded: Exceeded| {
            ReadError::new(self.inner.outline().get(entry)?, exceeded.message())
                .with_kind(ReadErrorKind::TooLarge)
                .into()
        };
        self.read_failure(entry).or_else(|| too_much(exceeded?))
    }
}

/// Runs a reader; its panic becomes an error with the panic's text. The fault of one reader is no end to everything else.
///
/// # Errors
/// When it panicked.
pub fn caught<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|panic| reason(&*panic))
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown error").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Allowance, Cancel, Endian, Reader},
        formats::{EditorForms, Facts, FormatInfo, LoadOptions, NO_OVERRIDES, NoFiles, Outline, Role, Score, Severity},
    };
    use std::sync::Arc;

    #[test]
    fn a_panic_is_an_error_with_its_text() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(|| -> u8 { panic!("a word") }), Err("a word".to_owned()));
        assert_eq!(caught(|| -> u8 { panic!("word {}", 2) }), Err("word 2".to_owned()));
        assert_eq!(caught(|| std::panic::panic_any(7)), Err::<(), _>("unknown error".to_owned()));
    }

    static INFO: FormatInfo = FormatInfo {
        id: "loop",
        name: "",
        family: "",
        extensions: &[],
        companions: &[],
        opaque: &[],
        codes: &[],
        metres: 1.0,
    };

    /// A format that believes whatever a file says: it reads the same number for as long as that can be read.
    struct Endless {
        source: Source,
        outline: Outline,
    }

    impl Endless {
        fn read(&self) -> u64 {
            let mut reader = Reader::little(self.source.as_slice());
            let mut times = 0;
            while reader.seek(0).is_ok() && reader.u32().is_ok() {
                times += 1;
            }
            times
        }
    }

    impl Document for Endless {
        fn base(&self) -> Base<'_> {
            Base { format: &INFO, source: &self.source, outline: &self.outline, endian: Endian::Little }
        }

        fn fields_for(&self, _: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
            Ok(FieldTree { fields: vec![Field::new("times", "u64", Value::UInt(self.read()), 0, 4)] })
        }

        fn load(&self, entry: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
            self.read();
            Err(ReadError::no_entry(entry))
        }

        fn check(&self, _: EntryId, _: &mut Diagnostics) {
            self.read();
        }

        fn capabilities(&self) -> Capabilities<'_> {
            Capabilities { editor: Some(self), facts: Some(self), ..Capabilities::default() }
        }
    }

    impl EditorForms for Endless {
        fn t3d(&self, _: EntryId) -> Option<Result<String, ReadError>> {
            Some(Ok(self.read().to_string()))
        }
    }

    impl Facts for Endless {
        fn flags(&self, _: EntryId) -> Option<Value> {
            Some(Value::UInt(self.read()))
        }
    }

    struct EndlessFormat {
        opens: bool,
    }

    impl Format for EndlessFormat {
        fn info(&self) -> &'static FormatInfo {
            &INFO
        }

        fn score(&self, _: &[u8], _: &crate::formats::Hint<'_>) -> Score {
            Score::Certain
        }

        fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
            let outline = Outline::new(Role::Archive, "loop", source.len() as u64);
            let document = Endless { source, outline };
            if self.opens {
                return Ok(Box::new(document));
            }
            document.read();
            Err(OpenError::new(cx.file, "4 bytes expected, 0 left"))
        }
    }

    fn opened(format: &'static EndlessFormat) -> Result<Box<dyn Document>, OpenError> {
        let mut cx = OpenContext {
            file: "file.bin",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut Diagnostics::new(9),
            limits: Limits { steps: Allowance { base: 10_000, per_byte: 0 }, ..Limits::default() },
            overrides: &NO_OVERRIDES,
        };
        open(format, Source::new(vec![0; 64]), &mut cx).map(|document| Box::new(document) as Box<dyn Document>)
    }

    #[test]
    fn a_format_that_checks_nothing_ends_and_says_why() {
        let why = "reading was stopped: it takes too many steps for a file of this size";
        let error = opened(&EndlessFormat { opens: false }).err().unwrap();
        assert_eq!((error.file.as_str(), error.message.as_str()), ("file.bin", why));

        let document = opened(&EndlessFormat { opens: true }).unwrap();
        let fields = document.fields(EntryId::FILE).unwrap().fields;
        let [Field { value: Value::UInt(times), .. }, Field { value: Value::Text(said), .. }] = fields.as_slice()
        else {
            panic!("{fields:?}")
        };
        assert!((8_000..12_000).contains(times) && said == why, "{times} {said}");

        let mut diagnostics = Diagnostics::new(9);
        document.check(EntryId::FILE, &mut diagnostics);
        let mut cx = LoadContext {
            file: "file.bin",
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            options: LoadOptions::default(),
            cancel: Cancel::never(),
        };
        assert_eq!(document.load(EntryId::FILE, &mut cx).unwrap_err().message, why);
        let text = document.ask(EntryId::FILE, |can, entry| can.editor?.t3d(entry));
        assert_eq!(text.unwrap().unwrap_err().message, why);
        // A fact is what was read until then.
        let flags = document.ask(EntryId::FILE, |can, entry| can.facts?.flags(entry));
        assert!(matches!(flags, Some(Value::UInt(8_000..12_000))), "{flags:?}");
        let said = diagnostics.finish();
        assert_eq!(said.len(), 2, "of the check and of what was loaded: {said:?}");
        assert!(said.iter().all(|d| d.code == TOO_MUCH_WORK.id && d.severity == Severity::Error && d.message == why));
    }

    /// What a trait or an implementation of it has methods for.
    fn methods(text: &str, start: &str) -> Vec<String> {
        let body = text.split_once(start).unwrap().1;
        let body = body.split_once("\n}\n").unwrap().0;
        let name = |line: &str| Some(line.strip_prefix("    fn ")?.split(['(', '<']).next()?.to_owned());
        body.lines().filter_map(name).collect()
    }

    #[test]
    fn no_method_is_answered_for_the_document() {
        let asked = methods(include_str!("document.rs"), "pub trait Document");
        let answered = methods(include_str!("bounded.rs"), "impl Document for Bounded");
        assert_eq!(asked.len(), 9);
        assert_eq!(asked, answered);
    }
}
