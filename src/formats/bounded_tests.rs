use super::*;
use crate::{
    bytes::{Allowance, Cancel, Endian, Reader},
    formats::{EditorForms, Facts, FormatInfo, LoadOptions, NO_OVERRIDES, NoFiles, Outline, Role, Score, Severity},
};
use std::sync::Arc;

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
    let [Field { value: Value::UInt(times), .. }, Field { value: Value::Text(said), .. }] = fields.as_slice() else {
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
