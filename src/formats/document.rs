use super::{
    Answer, Capabilities, Choice, ContainerDocument, Content, Diagnostics, EntryId, FieldTree, FormatInfo, Member,
    Outline, Overrides, ReadError, ReadErrorKind, Resolver, Role, Section, TerrainCard, file_name,
};
use crate::{
    bytes::{Cancel, Endian, Limits, Source},
    scene::{Clip, Font, Image, Map, Model, Music, Palette, Picture, Procedural, Sound, Terrain, Text},
};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// Whether bone 0 of an ActorX mesh stores the conjugate of its rotation, as the other bones do (formats/actorx.md §4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootConjugate {
    /// As every known writer does: bone 0 stores the rotation itself.
    #[default]
    Auto,
    /// Bone 0 stores the conjugate, as the other bones do.
    On,
    /// Bone 0 stores the rotation itself.
    Off,
}

/// Switches of a family that change what an entry decodes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct LoadOptions {
    /// Rule for the rotation of bone 0 in ActorX meshes and their clips.
    pub root_conjugate: RootConjugate,
    /// VERTEXCOLOR is stored blue first (ActorX's own writers).
    pub swap_red_blue: bool,
    /// Give a morph's delta also to points at the same position that have none (formats/actorx.md §2, MRPHDATA).
    pub repair_morphs: bool,
    /// Of pictures only the image that is shown first: no further mips, forms and flip-book frames (thumbnails, PNG).
    pub first_image_only: bool,
    /// Of levels no baked light: it has its places, and its pictures have no pixels (where many levels are exported).
    pub without_light: bool,
}

/// What opening a file may use.
pub struct OpenContext<'a> {
    /// The file's name without its folder; errors name it.
    pub file: &'a str,
    /// A document may keep it, to follow references when its fields are read.
    pub resolver: Arc<dyn Resolver>,
    /// Receives the findings of opening.
    pub diagnostics: &'a mut Diagnostics,
    /// Limits on size and work.
    pub limits: Limits,
    /// What a person wants read otherwise than its bytes suggest.
    pub overrides: &'a Overrides,
}

/// What decoding an entry may use.
pub struct LoadContext<'a> {
    /// The file's name without its folder; models and clips without a name of their own take its stem.
    pub file: &'a str,
    /// Finds other files, such as textures.
    pub resolver: &'a dyn Resolver,
    /// Receives the findings of decoding.
    pub diagnostics: &'a mut Diagnostics,
    /// Limits on size and work.
    pub limits: Limits,
    /// Choices that change what is decoded.
    pub options: LoadOptions,
    /// Set from outside when nobody wants the result any more.
    pub cancel: &'a Cancel,
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

    /// Returns true if the caller has cancelled decoding.
    pub fn cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// Something that can be shown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Asset {
    /// A model that can be posed and drawn.
    Model(Arc<Model>),
    /// An animation.
    Clip(Arc<Clip>),
    /// A decoded image in 8-bit RGBA.
    Image(Arc<Image>),
    /// A picture with its stored form, mips, palette and flip-book frames.
    Picture(Arc<Picture>),
    /// A texture that a program draws.
    Procedural(Arc<Procedural>),
    /// Colours that pictures refer to by number.
    Palette(Arc<Palette>),
    /// A bitmap font.
    Font(Arc<Font>),
    /// A sound.
    Sound(Arc<Sound>),
    /// A piece of tracker music.
    Music(Arc<Music>),
    /// Text in one or several parts.
    Text(Arc<Text>),
    /// A level.
    Map(Arc<Map>),
    /// A landscape.
    Terrain(Arc<Terrain>),
}

/// A document's structures in its own format, for exports that write the format again.
#[cfg(feature = "actorx")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Native<'a> {
    /// A mesh file of ActorX.
    Psk(&'a super::actorx::Psk),
    /// An animation file of ActorX.
    Psa(&'a super::actorx::Psa),
}

/// How large a clip is that has a key for each joint and frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipSize {
    /// Number of joints.
    pub joints: u64,
    /// Number of frames.
    pub frames: u64,
}

impl ClipSize {
    /// Returns the number of keys: joints times frames.
    pub fn keys(self) -> u64 {
        self.joints.saturating_mul(self.frames)
    }
}

/// The end of a reference into another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Path of the other file.
    pub file: PathBuf,
    /// Into the other file's outline.
    pub entry: EntryId,
}

/// Finds the whole of an entry by roles alone: parts of a model, and bones that came with clips.
fn whole_of(outline: &Outline, entry: EntryId) -> Option<EntryId> {
    let entry = outline.get(entry)?;
    match entry.role {
        Role::Part => outline.above_with_content(entry),
        Role::Skeleton => outline.with_content(Content::Clip).next().map(|clip| clip.id),
        _ => None,
    }
}

/// The purpose of reading the fields of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Showing them: every field of the entry, with those that the format derives.
    Show,
    /// Counting bytes: the fields that own bytes.
    Cover,
    /// Comparing them with another file: the fields that own bytes, without positions in the file.
    Compare,
}

/// The parts that every document has.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    /// The format of the file.
    pub format: &'static FormatInfo,
    /// The file's own bytes.
    pub source: &'a Source,
    /// The tree of entries.
    pub outline: &'a Outline,
    /// The byte order of the file's numbers.
    pub endian: Endian,
}

/// An open file. Data that only some formats have is a capability, for which [`Document::ask`](#method.ask) asks.
pub trait Document: Send + Sync {
    /// Returns the parts that every document has.
    fn base(&self) -> Base<'_>;

    /// Returns the bytes to which the offsets of an entry and its fields refer: those of the file, or in a compressed container
    /// those of the nearest decompressed stream. Coverage is counted in each of them separately.
    fn source_of(&self, _entry: EntryId) -> &Source {
        self.base().source
    }

    /// Reads the typed fields of an entry: every byte that the entry owns.
    ///
    /// # Errors
    /// Returns an error if the entry does not exist.
    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError>;

    /// Decodes an entry into an asset that can be shown.
    ///
    /// # Errors
    /// Returns an error if the entry contains no asset, or if no part of it can be read.
    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError>;

    /// Reads a whole entry and reports errors that [`Document::load`] does not report itself.
    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        if let Some(member) = self.member(entry) {
            member.with_findings(diagnostics, |found| member.document.check(member.entry, found));
        }
    }

    /// Returns the member of a container that contains an entry: a document of its own.
    fn member(&self, _entry: EntryId) -> Option<Member<'_>> {
        None
    }

    /// Returns the layouts that were selected for ambiguous data; empty for formats without any.
    fn reading(&self) -> &[Choice] {
        &[]
    }

    /// Returns the document's own capabilities. Only documents call it: everything else asks.
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities::default()
    }

    /// Runs an act that reads an entry, within the budget of the document if it has one. Returns the reason why the result is
    /// incomplete.
    fn within_budget(&self, _entry: EntryId, act: &mut dyn FnMut()) -> Option<ReadError> {
        act();
        None
    }
}

/// A question about an entry that is asked of a document and of its members.
type Question<'a, T> = &'a dyn Fn(&dyn Document, EntryId) -> Option<T>;

impl dyn Document + '_ {
    /// Returns the format of the file.
    pub fn format(&self) -> &'static FormatInfo {
        self.base().format
    }

    /// Returns the file's own bytes.
    pub fn source(&self) -> &Source {
        self.base().source
    }

    /// Returns the tree of entries.
    pub fn outline(&self) -> &Outline {
        self.base().outline
    }

    /// Asks a capability about an entry: first the document's own, then that of the member that contains the entry. The answer of a
    /// member becomes one of this document ([`Answer::shifted`]), and a budget applies to the whole.
    pub fn ask<T: Answer>(
        &self,
        entry: EntryId,
        question: impl Fn(Capabilities<'_>, EntryId) -> Option<T>,
    ) -> Option<T> {
        self.bounded_answer(entry, &|document, entry| question(document.capabilities(), entry))
    }

    /// Asks a capability whether something applies to an entry; false for documents without the capability.
    pub fn has(&self, entry: EntryId, question: impl Fn(Capabilities<'_>, EntryId) -> Option<bool>) -> bool {
        self.ask(entry, |can, entry| question(can, entry)?.then_some(())).is_some()
    }

    fn bounded_answer<T: Answer>(&self, entry: EntryId, question: Question<'_, T>) -> Option<T> {
        let mut answer = None;
        let fault = self.within_budget(entry, &mut || answer = self.answer(entry, question));
        match fault {
            Some(fault) => answer.map(|answer| answer.or_fault(fault)),
            None => answer,
        }
    }

    fn answer<T: Answer>(&self, entry: EntryId, question: Question<'_, T>) -> Option<T> {
        question(self, entry).or_else(|| {
            let member = self.member(entry)?;
            let answer = member.document.answer(member.entry, question)?;
            Some(answer.shifted(member.shift, self.outline().get(entry)))
        })
    }

    /// Returns the entry whose export contains this one ([`Wholes::part_of`](super::Wholes::part_of)); `None` for an entry that is
    /// exported by itself.
    pub fn part_of(&self, entry: EntryId) -> Option<EntryId> {
        self.bounded_answer(entry, &|document, entry| match document.capabilities().wholes {
            Some(wholes) => wholes.part_of(entry),
            None if document.member(entry).is_some() => None,
            None => whole_of(document.outline(), entry),
        })
    }

    /// Reads the fields of an entry to show them.
    ///
    /// # Errors
    /// Returns an error if the entry does not exist.
    pub fn fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        self.fields_for(entry, Purpose::Show)
    }

    /// Returns the document as a container whose members are files of their own.
    pub fn container(&self) -> Option<&ContainerDocument> {
        self.capabilities().container
    }

    /// Returns true if an entry is a file of an archive.
    pub fn is_member(&self, entry: EntryId) -> bool {
        self.capabilities().facts.is_some_and(|facts| facts.is_member(entry))
    }

    /// Returns the structures that the file was read into.
    #[cfg(feature = "actorx")]
    pub fn native(&self) -> Option<Native<'_>> {
        self.capabilities().native
    }

    /// Returns the positions of a landscape's sections.
    pub fn sections(&self) -> &[Section] {
        self.capabilities().ground.map_or(&[], |ground| ground.sections())
    }

    /// Returns a summary of a landscape's terrain.
    pub fn terrain_card(&self) -> Option<TerrainCard> {
        self.ask(EntryId::FILE, |can, _| can.ground?.terrain_card())
    }

    /// Returns true if the file names other files that it takes something from.
    pub fn has_dependencies(&self) -> bool {
        self.has(EntryId::FILE, |can, _| Some(can.links?.has_dependencies()))
    }

    /// Returns an entry's own bytes.
    ///
    /// # Errors
    /// Returns an error if the entry does not exist or is outside the file.
    pub fn bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        let found = self.outline().entry(entry)?;
        self.source_of(entry).slice(found.offset, found.size).ok_or_else(|| {
            let message = format!("the {} bytes of the entry are outside the file", found.size);
            ReadError::new(found, message).with_kind(ReadErrorKind::Truncated)
        })
    }

    /// Reads the bytes of an entry into memory; those of a container's member are unpacked.
    ///
    /// # Errors
    /// Returns an error if they cannot be read or unpacked.
    pub fn read_bytes(&self, entry: EntryId) -> Result<Source, ReadError> {
        let found = self.outline().entry(entry)?;
        let bytes = match self.container().filter(|container| container.is_file(entry)) {
            Some(container) => {
                let unpacked = container.unpack(entry, container.limits(), Cancel::never());
                unpacked.map_err(|trouble| trouble.of_entry(found))?.source
            }
            None => self.bytes(entry)?,
        };
        let failed = |error| ReadError::new(found, Source::read_failed(error)).with_kind(ReadErrorKind::Io);
        bytes.in_memory().map_err(failed)
    }
}
