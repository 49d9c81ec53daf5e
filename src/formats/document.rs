use super::{
    Choice, ClassList, ContainerDocument, Content, Dependency, Diagnostics, Entry, EntryId, FieldTree, FormatInfo,
    Hierarchy, Import, LoadOptions, Meaning, Member, NamePlace, Outline, Overrides, ReadError, Reference, Resolver,
    Role, Section, SurfaceInfo, TerrainCard, TextureHeader, Value, file_name, unreal::VertexMesh,
};
use crate::{
    bytes::{Endian, Limits, Source},
    scene::{Clip, Font, Image, Map, Model, Music, Palette, Picture, Procedural, Sound, Terrain, Text},
};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What opening a file may use.
pub struct OpenContext<'a> {
    /// The file's name without its folder; errors name it.
    pub file: &'a str,
    /// A document may keep it, to follow references when its fields are read.
    pub resolver: Arc<dyn Resolver>,
    pub diagnostics: &'a mut Diagnostics,
    pub limits: Limits,
    /// What a person wants read otherwise than its bytes suggest.
    pub overrides: &'a Overrides,
}

/// What decoding an entry may use.
pub struct LoadContext<'a> {
    /// The file's name without its folder; models and clips without a name of their own take its stem.
    pub file: &'a str,
    pub resolver: &'a dyn Resolver,
    pub diagnostics: &'a mut Diagnostics,
    pub limits: Limits,
    pub options: LoadOptions,
    /// Set from outside when nobody wants the result any more.
    pub cancel: &'a AtomicBool,
}

impl<'a> OpenContext<'a> {
    /// The file's name without its extension.
    pub fn stem(&self) -> &'a str {
        file_name::stem(self.file)
    }
}

impl<'a> LoadContext<'a> {
    /// The file's name without its extension.
    pub fn stem(&self) -> &'a str {
        file_name::stem(self.file)
    }

    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Something that can be shown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Asset {
    Model(Arc<Model>),
    Clip(Arc<Clip>),
    Image(Arc<Image>),
    Picture(Arc<Picture>),
    Procedural(Arc<Procedural>),
    Palette(Arc<Palette>),
    Font(Arc<Font>),
    Sound(Arc<Sound>),
    Music(Arc<Music>),
    Text(Arc<Text>),
    Map(Arc<Map>),
    Terrain(Arc<Terrain>),
}

/// A document's structures in its own format, for exports that write the format again.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Native<'a> {
    Psk(&'a super::actorx::Psk),
    Psa(&'a super::actorx::Psa),
}

/// How large a clip is that has a key for each joint and frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipSize {
    pub joints: u64,
    pub frames: u64,
}

impl ClipSize {
    pub fn keys(self) -> u64 {
        self.joints.saturating_mul(self.frames)
    }
}

/// The end of a reference into another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    pub file: PathBuf,
    /// Into the other file's outline.
    pub entry: EntryId,
}

/// [`Document::part_of`] by roles alone: parts of a model, and bones that came with clips.
fn whole_of(outline: &Outline, entry: &Entry) -> Option<EntryId> {
    match entry.role {
        Role::Part => outline.above_with_content(entry),
        Role::Skeleton => outline.with_content(Content::Clip).next().map(|clip| clip.id),
        _ => None,
    }
}

/// An open file.
///
/// What only some formats can say is asked of every document; a container that knows [`Document::member`] says what the member
/// says, with the member's entries as its own.
pub trait Document: Send + Sync {
    fn format(&self) -> &'static FormatInfo;

    /// The file's own bytes.
    fn source(&self) -> &Source;

    /// The bytes that an entry's offsets, and those of its fields, count from: the file's own, or in a compressed container what
    /// the nearest stream decompressed to. Coverage is counted in each of these for itself.
    fn source_of(&self, entry: EntryId) -> &Source {
        let _ = entry;
        self.source()
    }

    fn outline(&self) -> &Outline;

    /// The typed fields of an entry: every byte that the entry owns.
    ///
    /// # Errors
    /// When the entry does not exist.
    fn fields(&self, entry: EntryId) -> Result<FieldTree, ReadError>;

    /// The fields of an entry that own bytes: [`Document::fields`] without what some formats work out to show besides.
    ///
    /// # Errors
    /// When the entry does not exist.
    fn own_fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.fields(entry)
    }

    /// The fields of an entry that are held against those of another file: what they say besides where in the file things lie.
    ///
    /// # Errors
    /// When the entry does not exist.
    fn compared_fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.own_fields(entry)
    }

    /// Whether an entry with the same bytes says the same in another file. Not where its bytes are numbers into the file's tables.
    fn bytes_say_all(&self) -> bool {
        true
    }

    /// Decodes an entry into something that can be shown.
    ///
    /// # Errors
    /// When there is nothing to show for the entry, or nothing of it can be read.
    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError>;

    /// The member that an entry lies in, for containers: a document of its own.
    fn member(&self, entry: EntryId) -> Option<Member<'_>> {
        let _ = entry;
        None
    }

    /// Which byte of the file's numbers comes first.
    fn endian(&self) -> Endian {
        Endian::Little
    }

    /// What the file's tables say of an entry in bits, where they do.
    fn flags(&self, entry: EntryId) -> Option<Value> {
        let member = self.member(entry)?;
        member.document.flags(member.entry)
    }

    /// What a material looks like, for entries that are materials.
    fn surface(&self, entry: EntryId) -> Option<SurfaceInfo> {
        let member = self.member(entry)?;
        member.document.surface(member.entry).map(|surface| member.shift.surface(surface))
    }

    /// What a texture's header says, for entries that are textures with one.
    fn texture_header(&self, entry: EntryId) -> Option<TextureHeader> {
        let member = self.member(entry)?;
        member.document.texture_header(member.entry)
    }

    /// The width and height of a texture or picture in pixels, where they are known before it is decoded.
    fn picture_size(&self, entry: EntryId) -> Option<(u32, u32)> {
        if let Some(member) = self.member(entry) {
            return member.document.picture_size(member.entry);
        }
        self.texture_header(entry).map(|header| (header.width, header.height))
    }

    /// What of a model belongs to what, for the entry that says so.
    fn hierarchy(&self, entry: EntryId) -> Option<Hierarchy> {
        let member = self.member(entry)?;
        member.document.hierarchy(member.entry).map(|hierarchy| member.shift.hierarchy(hierarchy))
    }

    /// Reads an entry to its end and reports what is wrong with it; [`Document::load`] reports what it finds itself.
    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        if let Some(member) = self.member(entry) {
            member.with_findings(diagnostics, |found| member.document.check(member.entry, found));
        }
    }

    /// Where a reference that leads out of the document ends: the name of the file it lies in (as the resolver finds it) and the
    /// entry's path there. `None` when it cannot be found.
    fn follow(&self, reference: &Reference) -> Option<Followed> {
        let _ = reference;
        None
    }

    /// The classes that the file declares, and those that need no file; empty for files without program code.
    fn classes(&self) -> ClassList {
        ClassList::default()
    }

    /// Whether the file names other files that it takes something from.
    fn has_dependencies(&self) -> bool {
        false
    }

    /// The other files that the file names, and where they are. Looks into folders: ask on a worker.
    fn dependencies(&self) -> Vec<Dependency> {
        Vec::new()
    }

    /// Each thing that the file takes from others, by name: nothing is looked for.
    fn imports(&self) -> Vec<Import> {
        Vec::new()
    }

    /// What a name means that stands in the text of an entry; `None` where no name stands.
    fn meaning(&self, entry: EntryId, place: &NamePlace<'_>) -> Option<Meaning> {
        let _ = (entry, place);
        None
    }

    /// How disputed parts of the layout were read; empty for formats without any.
    fn reading(&self) -> &[Choice] {
        &[]
    }

    /// Where the parts of a file start, for files whose parts have no directory of their own.
    fn sections(&self) -> &[Section] {
        &[]
    }

    /// The ground in a few numbers, for files that are a landscape.
    fn terrain_card(&self) -> Option<TerrainCard> {
        None
    }

    /// The structures that the file was read into, where the format can be written again.
    fn native(&self) -> Option<Native<'_>> {
        None
    }

    /// How large the clip of an entry is, by the file's tables: known before it is decoded. `None` where only decoding it tells.
    fn clip_size(&self, entry: EntryId) -> Option<ClipSize> {
        let member = self.member(entry)?;
        member.document.clip_size(member.entry)
    }

    /// Whether an entry is a file of an archive: unpacking writes its bytes as they are.
    fn is_member(&self, entry: EntryId) -> bool {
        let _ = entry;
        false
    }

    /// The entry whose export has what this one would be exported as: the model of a mesh, the class of a source, the texture of
    /// a palette. `None` for what stands alone.
    fn part_of(&self, entry: EntryId) -> Option<EntryId> {
        match self.member(entry) {
            Some(member) => member.document.part_of(member.entry).map(|whole| member.shift.entry(whole)),
            None => self.outline().get(entry).and_then(|found| whole_of(self.outline(), found)),
        }
    }

    /// The coarser levels of detail of an entry's model that are entries of their own, the finest first.
    fn coarser_levels(&self, entry: EntryId) -> Vec<EntryId> {
        let Some(member) = self.member(entry) else { return Vec::new() };
        let levels = member.document.coarser_levels(member.entry);
        levels.into_iter().map(|level| member.shift.entry(level)).collect()
    }

    /// Whether an entry can be written as the Unreal editor's text.
    fn has_t3d(&self, entry: EntryId) -> bool {
        self.member(entry).is_some_and(|member| member.document.has_t3d(member.entry))
    }

    /// An entry as the Unreal editor's text; `None` for what has no such form. An error when it cannot be read.
    fn t3d(&self, entry: EntryId) -> Option<Result<String, ReadError>> {
        let member = self.member(entry)?;
        let text = member.document.t3d(member.entry)?;
        Some(text.map_err(|error| member.shift.error(self.outline().get(entry), error)))
    }

    /// Whether an entry is a mesh of moving vertices, as the Unreal editor imports them.
    fn has_vertex_mesh(&self, entry: EntryId) -> bool {
        self.member(entry).is_some_and(|member| member.document.has_vertex_mesh(member.entry))
    }

    /// An entry as a mesh that the Unreal editor imports; `None` for what is none. An error when it cannot be read.
    fn vertex_mesh(&self, entry: EntryId) -> Option<Result<VertexMesh, ReadError>> {
        let member = self.member(entry)?;
        let mesh = member.document.vertex_mesh(member.entry)?;
        Some(mesh.map_err(|error| member.shift.error(self.outline().get(entry), error)))
    }

    /// The document as one whose members are files of their own, where it is such a container.
    fn container(&self) -> Option<&ContainerDocument> {
        None
    }

    /// An entry's own bytes.
    fn bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        let found = self.outline().get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        self.source_of(entry)
            .slice(found.offset, found.size)
            .ok_or_else(|| ReadError::new(found, format!("the {} bytes of the entry are outside the file", found.size)))
    }

    /// As [`Document::bytes`], read: in memory all of them.
    fn read_bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        let found = self.outline().get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        self.bytes(entry)?.in_memory().map_err(|error| ReadError::new(found, Source::read_failed(error)))
    }
}
