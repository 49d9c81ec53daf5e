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

/// Of so many files each may have a notice of its own; of more only the request has one.
pub(crate) const MAX_NOTICES: usize = 3;

/// What comes back from workers and dialogs.
pub enum Message {
    /// A dialog was answered.
    Command(Command),
    Log(LogEntry),
    /// The files of a request are counted.
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
        /// What a limit refused, which a person may lift.
        refused: Option<Refused>,
    },
    /// All files of a request were tried.
    AllOpened {
        work: u64,
    },
    /// A reference led to an entry of this file.
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
        /// Or why the bytes cannot be read.
        hits: Result<Arc<Hits>, String>,
    },
    Stepped(SteppedFile),
    ThumbnailsMade(MadeThumbnails),
    /// Pictures of entries of the collection.
    CollectionPictures(MadePictures),
    /// The classes of the files that were open at a revision of the library.
    ClassesRead(Classes),
    Compared(Compared),
    /// An entry was decoded for a stage, or cannot be decoded.
    Loaded(Arrival),
    /// The view of a file was read.
    ViewRead(Box<ReadView>),
    /// Open files changed, came or went on disk.
    FilesChanged(Vec<PathBuf>),
    /// A file was read anew.
    Reread(Box<Reread>),
    /// The numbers of the landscape on show.
    TerrainCounted {
        generation: u64,
        numbers: Arc<TerrainStatistics>,
    },
    Fits(FoundClips),
    /// Which model the clips of some files belong to.
    Paired {
        clip: Place,
        model: PairedModel,
    },
    /// The clips that fit another model of the scene.
    SceneFits {
        id: SceneModelId,
        generation: u64,
        /// The library's when the search began.
        revision: u64,
        fits: Vec<ClipFit>,
    },
    SoundReady(SoundReady),
    /// The files that a file needs, at a revision of the library.
    DependenciesFound {
        file: FileId,
        revision: u64,
        list: Arc<[Dependency]>,
    },
    /// What is known of the collection.
    CollectionRead(CollectionRead),
    /// The collections that have a name, or why they cannot be read or written.
    CollectionNames(Result<Vec<Collection>, String>),
    /// Something below the roots of the collection changed, or a root came or went.
    RootsChanged,
    /// Who takes what from whom; `None` for a file that is not in the collection.
    LinksFound {
        turn: u64,
        shown: Option<Arc<ShownLinks>>,
    },
    /// What fits what in the collection; `None` for what is not in it.
    CollectionFitsFound {
        turn: u64,
        shown: Option<Arc<ShownFits>>,
    },
    CollectionSearched {
        turn: u64,
        found: Box<CollectionFound>,
    },
    /// What a search through all scripts found in a file.
    ScriptsFound(ScriptsFound),
    /// What a name in the text on the stage means.
    NameMeant(Box<NameMeant>),
    /// An image that is to be a texture of the model.
    TextureRead(Box<TextureRead>),
    /// The texture of a material, to be shown as a picture.
    TextureFound {
        file: Arc<OpenFile>,
        entry: EntryId,
    },
    /// A picture for the clipboard.
    PictureToCopy(Arc<Image>),
    /// For a stage, if it is still there.
    OnStage(StageId, Box<Message>),
}

/// Sends what workers have to the stage that asked for it.
pub(crate) struct StageSender {
    pub(super) stage: StageId,
    pub(super) outbox: crossbeam_channel::Sender<Message>,
}

impl StageSender {
    pub(crate) fn send(&self, message: Message) {
        // Nobody listens once the window is gone.
        let _ = self.outbox.send(Message::OnStage(self.stage, Box::new(message)));
    }
}

/// A file that a step through its folder led to.
pub struct SteppedFile {
    pub(crate) from: FileId,
    pub(crate) file: Arc<OpenFile>,
    /// It went around the end of the folder.
    pub(crate) wrapped: bool,
    pub(crate) by: i32,
}

/// The model that clips belong to.
pub enum PairedModel {
    /// Open already.
    Open(Place),
    /// Lies beside the clips.
    Beside(Arc<OpenFile>),
    /// None; what came nearest, in words.
    None(String),
}

/// Which clips fit the shown model.
pub struct FoundClips {
    pub(crate) generation: u64,
    /// Which search this is.
    pub(crate) turn: u64,
    pub(crate) fits: Vec<ClipFit>,
    /// Files beside the model that were not open when the search began.
    pub(crate) found: Vec<Arc<OpenFile>>,
}

/// An image that was read to be a texture.
pub struct TextureRead {
    /// The model that it is for.
    pub(crate) model: Place,
    pub(crate) places: Vec<TexturePlace>,
    pub(crate) words: String,
    pub(crate) name: String,
    pub(crate) source: TextureSource,
    /// It was on the model when that was looked at last.
    pub(crate) returns: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Nothing where the entry is shown in another way.
    pub(crate) result: Result<Option<Arc<Image>>, String>,
}

/// What a search through all scripts found in a file.
pub struct ScriptsFound {
    /// The search.
    pub(crate) turn: u64,
    pub(crate) file: FileId,
    pub(crate) found: Vec<ScriptMatch>,
    /// Classes that were looked at.
    pub(crate) classes: usize,
    pub(crate) is_last: bool,
}

/// What is known of the collection.
#[derive(Default)]
pub struct CollectionRead {
    /// Which reading this is.
    pub(crate) turn: u64,
    pub(crate) catalog: Option<Arc<Catalog>>,
    /// Files that were read and that had not changed, once that is known.
    pub(crate) updated: Option<(usize, usize)>,
    /// Roots that are not there.
    pub(crate) gone: Vec<PathBuf>,
    pub(crate) troubles: Vec<(PathBuf, String)>,
    pub(crate) problem: Option<String>,
}

impl CollectionRead {
    /// What was known before anything is read.
    pub(crate) fn known(turn: u64, catalog: Catalog) -> Self {
        Self { turn, catalog: Some(Arc::new(catalog)), ..Self::default() }
    }
}

/// What a name was found to mean.
pub struct NameMeant {
    /// The text that it stands in.
    pub(crate) text: Place,
    pub(crate) at: TextPlace,
    pub(crate) meaning: Option<Meaning>,
    /// The file of the definition, where it is another one, and only where it is to be gone to.
    pub(crate) file: Option<Result<Arc<OpenFile>, Box<LogEntry>>>,
    pub(crate) goes: bool,
}

/// A file that was read anew.
pub struct Reread {
    pub(crate) file: FileId,
    /// Which of the file's readings this is: a later one makes it void.
    pub(crate) turn: u64,
    pub(crate) cause: RereadCause,
    /// One of so many that it has no notice of its own.
    pub(crate) quiet: bool,
    /// Nothing where the file is as it was; or why it stays so.
    pub(crate) opened: Result<Option<Box<NewReading>>, String>,
}

/// Why a file is read anew.
#[derive(Clone, Debug)]
pub(crate) enum RereadCause {
    /// It changed on disk.
    Changed,
    /// A person asks for it.
    Asked,
    /// There is another folder to look in for what it needs.
    NewFolder,
    /// What it is to be read as, and what it was read as before: that holds again when it cannot be read so.
    Reading { wanted: Overrides, before: Overrides },
}

/// A file as it is now, with those of its entries that are looked at.
pub struct NewReading {
    pub(crate) file: Arc<OpenFile>,
    pub(crate) loaded: HashMap<EntryId, Result<Arc<Loaded>, String>>,
    /// Files that it missed before and finds now.
    pub(crate) found: Vec<String>,
}

/// A sound that is ready to be drawn and played.
pub struct SoundReady {
    pub(crate) generation: u64,
    pub(crate) result: Result<(Arc<Peaks>, Option<Arc<Rendering>>), String>,
}

/// What came of comparing two files, or an entry of them.
pub enum Compared {
    Found { turn: u64, found: Result<Found, String> },
    Entry { turn: u64, at: usize, detail: Arc<Detail> },
}

/// What was found of two folders, or of two files.
pub enum Found {
    Folders(Arc<FilesComparison>),
    Files { left: Arc<OpenFile>, right: Arc<OpenFile>, found: Arc<Comparison> },
}
