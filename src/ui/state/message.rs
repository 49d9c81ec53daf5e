//! Results of background work and answers of dialogs.

use crate::{
    audio::Peaks,
    bytes::search::Hits,
    formats::{Dependency, Diagnostic, EntryId, Meaning, Overrides},
    library::{
        ClipFit, Loaded, OpenFile, ScriptMatch,
        collection::{Catalog, Collection},
        compare::{Comparison, FilesComparison},
    },
    scene::{Image, Rendering, TerrainStatistics, TexturePlace},
    ui::{
        command::Command,
        place::{FileId, Place, StageId, TextPlace, TextureSource},
        scene_member::SceneModelId,
        state::{
            collection::CollectionFound,
            collection_fits::ShownFits,
            collection_links::ShownLinks,
            collection_pictures::MadePictures,
            comparing::Detail,
            loads::Arrival,
            log::LogEntry,
            lookups::{Classes, UsedBy},
            refused::Refused,
            thumbnails::MadeThumbnails,
        },
        view_file::ReadView,
    },
};
use std::{collections::HashMap, path::PathBuf, sync::Arc};

/// Maximum number of files with separate notices. For more files, only the request has a notice.
pub(crate) const MAX_NOTICES: usize = 3;

/// A result of a job or dialog.
pub enum Message {
    /// The answer of a dialog.
    Command(Command),
    Log(LogEntry),
    /// The number of files of a request is known.
    Opening {
        work: u64,
        files: usize,
    },
    Opened {
        work: u64,
        file: Arc<OpenFile>,
    },
    NotOpened {
        work: u64,
        path: PathBuf,
        why: String,
        /// The exceeded limit, if the user can lift it.
        refused: Option<Refused>,
    },
    /// A request is complete.
    AllOpened {
        work: u64,
    },
    /// The target of a reference was found in this file.
    Followed {
        file: Arc<OpenFile>,
        entry: EntryId,
    },
    UsesFound {
        of: Place,
        list: Vec<UsedBy>,
    },
    BytesFound {
        turn: u64,
        /// The matches, or the reason for which the bytes cannot be read.
        hits: Result<Arc<Hits>, String>,
    },
    Stepped(SteppedFile),
    ThumbnailsMade(MadeThumbnails),
    /// Thumbnails of entries of the collection.
    CollectionPictures(MadePictures),
    /// The class hierarchy of the open files, with the revision of the library.
    ClassesRead(Classes),
    Compared(Compared),
    /// An entry was decoded for a stage, or cannot be decoded.
    Loaded(Arrival),
    /// A saved view was read.
    ViewRead(Box<ReadView>),
    /// Open files were changed, created or deleted on disk.
    FilesChanged(Vec<PathBuf>),
    /// A file was reloaded.
    Reread(Box<Reread>),
    /// The statistics of the shown landscape.
    TerrainCounted {
        generation: u64,
        numbers: Arc<TerrainStatistics>,
    },
    Fits(FoundClips),
    /// The model that the clips of opened files belong to.
    Paired {
        clip: Place,
        model: PairedModel,
    },
    /// The clips that fit an added model of the scene.
    SceneFits {
        id: SceneModelId,
        generation: u64,
        /// The revision of the library at the start of the search.
        revision: u64,
        fits: Vec<ClipFit>,
    },
    SoundReady(SoundReady),
    /// The dependencies of a file, with the revision of the library.
    DependenciesFound {
        file: FileId,
        revision: u64,
        list: Arc<[Dependency]>,
    },
    /// The index of the collection.
    CollectionRead(CollectionRead),
    /// The named collections, or the reason for which they cannot be read or written.
    CollectionNames(Result<Vec<Collection>, String>),
    /// Files below the roots of the collection, or the roots, were changed, created or deleted.
    RootsChanged,
    /// The links of a file or entry; `None` if it is not in the collection.
    LinksFound {
        turn: u64,
        shown: Option<Arc<ShownLinks>>,
    },
    /// The matches of a model or clip; `None` if it is not in the collection.
    CollectionFitsFound {
        turn: u64,
        shown: Option<Arc<ShownFits>>,
    },
    CollectionSearched {
        turn: u64,
        found: Box<CollectionFound>,
    },
    /// The results of a script search in one file.
    ScriptsFound(ScriptsFound),
    /// The meaning of a name in the shown text.
    NameMeant(Box<NameMeant>),
    /// An image that replaces a texture of the model.
    TextureRead(Box<TextureRead>),
    /// The texture of a material, to be shown on the stage.
    TextureFound {
        file: Arc<OpenFile>,
        entry: EntryId,
    },
    /// An image for the clipboard.
    PictureToCopy(Arc<Image>),
    /// A result for a stage. It is dropped if the stage was closed.
    OnStage(StageId, Box<Message>),
}

/// Sends results of a job to the stage that requested them.
pub(crate) struct StageSender {
    pub(super) stage: StageId,
    pub(super) outbox: crossbeam_channel::Sender<Message>,
}

impl StageSender {
    pub(crate) fn send(&self, message: Message) {
        // Sending fails if the window is closed.
        let _ = self.outbox.send(Message::OnStage(self.stage, Box::new(message)));
    }
}

/// The next or previous file of a folder.
pub struct SteppedFile {
    pub(crate) from: FileId,
    pub(crate) file: Arc<OpenFile>,
    /// True if the end of the folder was passed.
    pub(crate) wrapped: bool,
    pub(crate) by: i32,
}

/// The model that clips belong to.
pub enum PairedModel {
    /// A model of an open file.
    Open(Place),
    /// A file in the folder of the clips.
    Beside(Arc<OpenFile>),
    /// No model fits; describes the closest match.
    None(String),
}

/// The clips that fit the shown model.
pub struct FoundClips {
    pub(crate) generation: u64,
    /// The number of the search.
    pub(crate) turn: u64,
    pub(crate) fits: Vec<ClipFit>,
    /// Files in the folder of the model that were not open at the start of the search.
    pub(crate) found: Vec<Arc<OpenFile>>,
}

/// An image that replaces a texture.
pub struct TextureRead {
    /// The model with the texture.
    pub(crate) model: Place,
    pub(crate) places: Vec<TexturePlace>,
    pub(crate) words: String,
    pub(crate) name: String,
    pub(crate) source: TextureSource,
    /// True if a restored view contains the texture.
    pub(crate) returns: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The image; `None` if the entry is not an image.
    pub(crate) result: Result<Option<Arc<Image>>, String>,
}

/// What a search through all scripts found in a file.
pub struct ScriptsFound {
    /// The number of the search.
    pub(crate) turn: u64,
    pub(crate) file: FileId,
    pub(crate) found: Vec<ScriptMatch>,
    /// Number of searched classes.
    pub(crate) classes: usize,
    pub(crate) is_last: bool,
}

/// What is known of the collection.
#[derive(Default)]
pub struct CollectionRead {
    /// The number of the update.
    pub(crate) turn: u64,
    pub(crate) catalog: Option<Arc<Catalog>>,
    /// Number of updated and of unchanged files, after the update.
    pub(crate) updated: Option<(usize, usize)>,
    /// Missing roots.
    pub(crate) gone: Vec<PathBuf>,
    pub(crate) troubles: Vec<(PathBuf, String)>,
    pub(crate) problem: Option<String>,
}

impl CollectionRead {
    /// Creates a result with the index before an update.
    pub(crate) fn known(turn: u64, catalog: Catalog) -> Self {
        Self { turn, catalog: Some(Arc::new(catalog)), ..Self::default() }
    }
}

/// The meaning of a name in a text.
pub struct NameMeant {
    /// The text that contains the name.
    pub(crate) text: Place,
    pub(crate) at: TextPlace,
    pub(crate) meaning: Option<Meaning>,
    /// The file of the definition, if it is another file and the stage goes there.
    pub(crate) file: Option<Result<Arc<OpenFile>, Box<LogEntry>>>,
    pub(crate) goes: bool,
}

/// A reloaded file.
pub struct Reread {
    pub(crate) file: FileId,
    /// The number of the reload; only the last one of a file is used.
    pub(crate) turn: u64,
    pub(crate) cause: RereadCause,
    /// True if the file has no separate notice, because many files were reloaded.
    pub(crate) quiet: bool,
    /// The new version; `None` if the file is unchanged; or the reason for which it cannot be read.
    pub(crate) opened: Result<Option<Box<NewReading>>, String>,
}

/// The reason for reloading a file.
#[derive(Clone, Debug)]
pub(crate) enum RereadCause {
    /// The file was changed on disk.
    Changed,
    /// The user requested it.
    Asked,
    /// A search folder was added.
    NewFolder,
    /// Another interpretation was selected. If it fails, the previous one is restored.
    Reading { wanted: Overrides, before: Overrides },
}

/// The new version of a file, with the entries that are shown.
pub struct NewReading {
    pub(crate) file: Arc<OpenFile>,
    pub(crate) loaded: HashMap<EntryId, Result<Arc<Loaded>, String>>,
    /// Names of files that were missing before.
    pub(crate) found: Vec<String>,
}

/// The waveform of a sound, and the rendering of music.
pub struct SoundReady {
    pub(crate) generation: u64,
    pub(crate) result: Result<(Arc<Peaks>, Option<Arc<Rendering>>), String>,
}

/// The result of a comparison.
pub enum Compared {
    Found { turn: u64, found: Result<Found, String> },
    Entry { turn: u64, at: usize, detail: Arc<Detail> },
}

/// The result of comparing two folders or two files.
pub enum Found {
    Folders(Arc<FilesComparison>),
    Files { left: Arc<OpenFile>, right: Arc<OpenFile>, found: Arc<Comparison> },
}
