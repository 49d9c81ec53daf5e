//! A document whose reading is bounded: each act is given a [`Budget`](crate::bytes::Budget) by the file's size.

use super::{
    Choice, ClassList, ClipSize, ContainerDocument, Dependency, Diagnostics, Document, EntryId, Field, FieldTree,
    Followed, Format, FormatInfo, Hierarchy, Import, LoadContext, Meaning, Member, NamePlace, Native, OpenContext,
    OpenError, Outline, ReadError, Reference, Section, SurfaceInfo, TerrainCard, TextureHeader, Value,
    common_codes::TOO_MUCH_WORK, document::Asset, unreal::VertexMesh,
};
use crate::bytes::{
    Endian, Limits, Source,
    budget::{Exceeded, within},
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
    fn act<T>(&self, entry: EntryId, act: impl FnOnce(&dyn Document) -> T) -> (T, Option<Exceeded>) {
        let size = self.inner.source_of(entry).len().max(self.inner.source().len());
        within(self.limits.budget(size as u64), || act(&*self.inner))
    }

    /// The error that says why an act failed.
    fn error(&self, entry: EntryId, exceeded: Option<Exceeded>, error: ReadError) -> ReadError {
        match (exceeded, self.inner.outline().get(entry)) {
            (Some(exceeded), Some(entry)) => ReadError::new(entry, exceeded.message()),
            _ => error,
        }
    }

    /// Why nothing that an act returns is to be trusted: bytes of the file could not be read.
    fn read_failure(&self, entry: EntryId) -> Option<ReadError> {
        let why = self.inner.source_of(entry).failure()?;
        let entry = self.inner.outline().get(entry)?;
        Some(ReadError::new(entry, Source::read_failed(why)))
    }

    /// What an act reads of an entry, where that may be something: nothing of it where not all could be read.
    fn whole<T>(
        &self,
        entry: EntryId,
        read: impl FnOnce(&dyn Document) -> Option<Result<T, ReadError>>,
    ) -> Option<Result<T, ReadError>> {
        let (read, exceeded) = self.act(entry, read);
        let read = read?;
        match (self.read_failure(entry), exceeded.zip(self.inner.outline().get(entry))) {
            (Some(failure), _) => Some(Err(failure)),
            (None, Some((exceeded, entry))) => Some(Err(ReadError::new(entry, exceeded.message()))),
            (None, None) => Some(read),
        }
    }

    fn fields_by(
        &self,
        entry: EntryId,
        read: impl FnOnce(&dyn Document) -> Result<FieldTree, ReadError>,
    ) -> Result<FieldTree, ReadError> {
        let (fields, exceeded) = self.act(entry, read);
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        let mut tree = fields.map_err(|error| self.error(entry, exceeded, error))?;
        if let Some(exceeded) = exceeded {
            let text = Value::Text(exceeded.message().to_owned());
            tree.fields.push(Field::new("…", "not read on", text, 0, 0).mirrored());
        }
        Ok(tree)
    }
}

impl Document for Bounded {
    fn format(&self) -> &'static FormatInfo {
        self.inner.format()
    }

    fn source(&self) -> &Source {
        self.inner.source()
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        self.inner.source_of(entry)
    }

    fn outline(&self) -> &Outline {
        self.inner.outline()
    }

    fn fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.fields_by(entry, |inner| inner.fields(entry))
    }

    fn own_fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.fields_by(entry, |inner| inner.own_fields(entry))
    }

    fn compared_fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.fields_by(entry, |inner| inner.compared_fields(entry))
    }

    fn bytes_say_all(&self) -> bool {
        self.inner.bytes_say_all()
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let (loaded, exceeded) = self.act(entry, |inner| inner.load(entry, cx));
        if let Some(error) = self.read_failure(entry) {
            return Err(error);
        }
        report(cx.diagnostics, Some(entry), exceeded);
        loaded.map_err(|error| self.error(entry, exceeded, error))
    }

    fn member(&self, entry: EntryId) -> Option<Member<'_>> {
        self.inner.member(entry)
    }

    fn endian(&self) -> Endian {
        self.inner.endian()
    }

    fn flags(&self, entry: EntryId) -> Option<Value> {
        self.act(entry, |inner| inner.flags(entry)).0
    }

    fn surface(&self, entry: EntryId) -> Option<SurfaceInfo> {
        self.act(entry, |inner| inner.surface(entry)).0
    }

    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        self.act(entry, |inner| inner.texture_header(entry)).0
    }

    fn picture_size(&self, entry: EntryId) -> Option<(u32, u32)> {
        self.act(entry, |inner| inner.picture_size(entry)).0
    }

    fn hierarchy(&self, entry: EntryId) -> Option<Hierarchy> {
        self.act(entry, |inner| inner.hierarchy(entry)).0
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        let ((), exceeded) = self.act(entry, |inner| inner.check(entry, diagnostics));
        report(diagnostics, Some(entry), exceeded);
    }

    fn follow(&self, reference: &Reference) -> Option<Followed> {
        self.act(EntryId::FILE, |inner| inner.follow(reference)).0
    }

    fn classes(&self) -> ClassList {
        self.act(EntryId::FILE, |inner| inner.classes()).0
    }

    fn has_dependencies(&self) -> bool {
        self.inner.has_dependencies()
    }

    fn dependencies(&self) -> Vec<Dependency> {
        self.act(EntryId::FILE, |inner| inner.dependencies()).0
    }

    fn imports(&self) -> Vec<Import> {
        self.act(EntryId::FILE, |inner| inner.imports()).0
    }

    fn meaning(&self, entry: EntryId, place: &NamePlace<'_>) -> Option<Meaning> {
        self.act(entry, |inner| inner.meaning(entry, place)).0
    }

    fn reading(&self) -> &[Choice] {
        if self.choices.is_empty() { self.inner.reading() } else { &self.choices }
    }

    fn sections(&self) -> &[Section] {
        self.inner.sections()
    }

    fn terrain_card(&self) -> Option<TerrainCard> {
        self.act(EntryId::FILE, |inner| inner.terrain_card()).0
    }

    fn native(&self) -> Option<Native<'_>> {
        self.inner.native()
    }

    fn clip_size(&self, entry: EntryId) -> Option<ClipSize> {
        self.act(entry, |inner| inner.clip_size(entry)).0
    }

    fn is_member(&self, entry: EntryId) -> bool {
        self.inner.is_member(entry)
    }

    fn part_of(&self, entry: EntryId) -> Option<EntryId> {
        self.act(entry, |inner| inner.part_of(entry)).0
    }

    fn coarser_levels(&self, entry: EntryId) -> Vec<EntryId> {
        self.act(entry, |inner| inner.coarser_levels(entry)).0
    }

    fn has_t3d(&self, entry: EntryId) -> bool {
        self.inner.has_t3d(entry)
    }

    fn t3d(&self, entry: EntryId) -> Option<Result<String, ReadError>> {
        self.whole(entry, |inner| inner.t3d(entry))
    }

    fn has_vertex_mesh(&self, entry: EntryId) -> bool {
        self.inner.has_vertex_mesh(entry)
    }

    fn vertex_mesh(&self, entry: EntryId) -> Option<Result<VertexMesh, ReadError>> {
        self.whole(entry, |inner| inner.vertex_mesh(entry))
    }

    fn container(&self) -> Option<&ContainerDocument> {
        self.inner.container()
    }

    fn bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        self.inner.bytes(entry)
    }

    fn read_bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        self.inner.read_bytes(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Allowance, Reader},
        formats::{LoadOptions, NO_OVERRIDES, NoFiles, Role, Score, Severity},
    };
    use std::sync::{Arc, atomic::AtomicBool};

    static INFO: FormatInfo =
        FormatInfo { id: "loop", name: "", family: "", extensions: &[], companions: &[], opaque: &[], codes: &[] };

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
        fn format(&self) -> &'static FormatInfo {
            &INFO
        }

        fn source(&self) -> &Source {
            &self.source
        }

        fn outline(&self) -> &Outline {
            &self.outline
        }

        fn fields(&self, _: EntryId) -> Result<FieldTree, ReadError> {
            Ok(FieldTree { fields: vec![Field::new("times", "u64", Value::UInt(self.read()), 0, 4)] })
        }

        fn load(&self, entry: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
            self.read();
            Err(ReadError::no_entry(entry))
        }

        fn check(&self, _: EntryId, _: &mut Diagnostics) {
            self.read();
        }

        fn t3d(&self, _: EntryId) -> Option<Result<String, ReadError>> {
            Some(Ok(self.read().to_string()))
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
        let why = "reading was stopped: it takes more steps than a file of this size may ask for";
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
            cancel: &AtomicBool::new(false),
        };
        assert_eq!(document.load(EntryId::FILE, &mut cx).unwrap_err().message, why);
        assert_eq!(document.t3d(EntryId::FILE).unwrap().unwrap_err().message, why);
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
        assert!(asked.len() > 20);
        assert_eq!(asked, answered);
    }
}
