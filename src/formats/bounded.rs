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
        // A disc that a container holds may have any size: what is stored of it counts.
        let size = match self.inner.container() {
            Some(container) => container.size(),
            None => self.inner.source_of(entry).len().max(self.inner.source().len()) as u64,
        };
        within(self.limits.budget(size), || act(&*self.inner))
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
            tree.fields.push(Field::new("…", "reading stopped", text, 0, 0).mirrored());
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
#[path = "bounded_tests.rs"]
mod tests;
