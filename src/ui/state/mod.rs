//! All data of the window, without widgets and GPU objects: it is kept when both are replaced.

pub(crate) mod apply;
pub(crate) mod collection;
pub(crate) mod collection_fits;
pub(crate) mod collection_links;
pub(crate) mod collection_pictures;
pub(crate) mod comparing;
pub(crate) mod control;
pub(crate) mod core;
pub(crate) mod dialogs;
pub(crate) mod effect;
pub(crate) mod favourites;
pub(crate) mod guide;
pub(crate) mod library;
pub(crate) mod loads;
pub(crate) mod log;
pub(crate) mod lookups;
pub(crate) mod message;
pub(crate) mod possible;
pub mod refused;
pub(crate) mod stage;
pub(crate) mod stages;
pub(crate) mod thumbnails;
pub(crate) mod unfinished;
pub(crate) mod works;

pub use self::core::{Clock, Core};
pub use crate::{
    gpu::{ColorChannel, Shading},
    ui::{
        command::LargeExport,
        export_draft::{DraftClip, ExportDraft},
        library_row::{FolderId, Group, LibraryOrder, RowId},
        picture_draft::{PictureDraft, PictureFormat, PictureMotion},
        place::{DrawerPage, FileId, Place, StageId, Subject, TextPlace, TextureSource, TimeOf},
        saved_view::{LightPreset, UpAxis},
        scene_member::SceneLook,
    },
};
pub use collection::{Collection, CollectionFound, CollectionSearch, KINDS, MAX_LISTED};
pub use collection_fits::{CollectionFits, FitsOf, ShownFits, fits_of};
pub use collection_links::{CollectionLinks, LinkLine, NeedLine, ShownLinks};
pub use collection_pictures::{
    CollectionPictures, MadePictures, PictureKey, PictureWork, STRIP_MOMENTS, WantedPicture, picture_of,
};
pub use comparing::{ComparedFolders, Comparing, Detail, Target, names_apart};
pub use control::{marks::PosedSocket, opening::paths_in_text, texturing::TextureTarget, thumbnails::thumbnail_of};
pub use dialogs::{Dialogs, Exports, KeyChange};
pub use effect::{CopiedPicture, Effect, GpuStatus};
pub use guide::GuideStep;
pub use library::{LibraryRow, LibraryState, OpenedFile, Trouble, count_found, folder_name};
pub use log::{Log, LogEntry};
pub use lookups::{Classes, Dependencies, Lookups, ScriptSearch, UsedBy, Uses};
pub use message::{Message, Reread};
pub use stage::{
    FailedStage, Stage, StageContent,
    curves::{ClipStage, Curves, ShownCurves},
    landscape::{LandscapeStage, ShownStatistics, Survey, coordinates},
    level::{AlikeSurfaces, LevelStage, LevelTools, MoverRun, PickedSurface, SetOff, TypedPlace},
    model::{ModelSelection, ModelStage},
    parts::{LevelActors, ModelParts},
    picture::{ImageStage, PicturePlayer},
    playback::{ClipItem, LayerPlaces, PlaySettings, Playback, next_mode},
    procedural::Running,
    scene::{Leader, SceneModel, StageScene, anchors},
    sound::SoundStage,
    text::{Explained, TextStage, WantedLine},
    textures::{EmptySlot, StageTextures},
    top_down::{Tilt, Tween},
    view::{GxTraits, View},
};
pub use stages::Stages;
pub use thumbnails::{MadeThumbnails, THUMBNAIL_SIDE, Thumbnail, ThumbnailState, Thumbnails};
pub use works::{Work, Works};

use crate::{
    library::{ClassTree, OpenFile, read_container_as},
    ui::{command::Listening, kept_reading::KeptReading, settings::Settings, window_system::NoDrops},
};
use favourites::Favourites;
use std::sync::Arc;
use unfinished::{FileStep, Reloads, Restore};

pub struct State {
    pub core: Core,
    pub stages: Stages,
    pub thumbnails: Thumbnails,
    /// Searches in the open files, and their results.
    pub lookups: Lookups,
    /// The index of the folders and containers that were opened.
    pub collection: Collection,
    /// Two files side by side.
    pub comparing: Comparing,
    pub dialogs: Dialogs,
    pub exports: Exports,
    pub favourites: Favourites,
    pub reloads: Reloads,
    restore: Restore,
    /// A step to another file of a folder.
    file_step: FileStep,
    pub gpu: GpuStatus,
    /// The reason for which the window system delivers no drops, if it delivers none (Wayland).
    pub no_drops: Option<NoDrops>,
    last_tick_secs: f64,
}

impl State {
    pub fn new(settings: Settings, clock: Clock) -> Self {
        for (path, overrides) in settings.readings.iter().map(KeptReading::parts) {
            read_container_as(path, overrides, false);
        }
        let core = Core::new(settings, clock);
        Self {
            last_tick_secs: core.clock.now_secs(),
            stages: Stages::new(&core),
            core,
            thumbnails: Thumbnails::default(),
            lookups: Lookups::default(),
            collection: Collection::default(),
            comparing: Comparing::default(),
            dialogs: Dialogs::default(),
            exports: Exports::default(),
            favourites: Favourites::default(),
            reloads: Reloads::default(),
            restore: Restore::default(),
            file_step: FileStep::default(),
            gpu: GpuStatus::default(),
            no_drops: None,
        }
    }

    /// Takes what workers have finished and lets time pass. Call it once a frame.
    pub fn tick(&mut self) {
        self.receive();
        self.follow_classes();
        self.lookups.follow_dependencies(&mut self.core);
        self.collection.follow_collection(&mut self.core);
        let now = self.core.clock.now_secs();
        let passed = (now - self.last_tick_secs).clamp(0.0, 1.0) as f32;
        self.last_tick_secs = now;
        for id in self.stages.iter().filter(|stage| stage.viewport.is_seen).map(|stage| stage.id).collect::<Vec<_>>() {
            if let Some(stage) = self.stages.get_mut(id) {
                stage.advance(&mut self.core, passed);
            }
        }
        self.stages.follow_front();
        self.follow_guide();
    }

    /// Reads the classes again if a stage shows them and other files are open.
    pub(crate) fn follow_classes(&mut self) {
        let revision = self.core.library.revision();
        let is_shown = self.stages.iter().any(|stage| matches!(stage.content, StageContent::Classes(_)));
        let is_known = self.lookups.classes.as_ref().is_some_and(|classes| classes.revision == revision);
        if !is_shown || is_known || self.lookups.classes_wanted == Some(revision) {
            return;
        }
        self.lookups.classes_wanted = Some(revision);
        let files: Vec<Arc<OpenFile>> = self.core.library.files.iter().map(|opened| opened.file.clone()).collect();
        let ids: Arc<[FileId]> = self.core.library.files.iter().map(|opened| opened.id).collect();
        let sender = self.core.works.sender();
        self.core.works.run("Reading the classes", move |cx| {
            if let Some(tree) = ClassTree::of(&files, cx.cancel()) {
                let _ = sender.send(Message::ClassesRead(Classes { revision, tree: Arc::new(tree), files: ids }));
            }
        });
    }

    /// Ticks the steps that were taken, while the card is there.
    pub(super) fn follow_guide(&mut self) {
        let Some(mut done) = self.dialogs.guide.take() else { return };
        done.extend(
            GuideStep::ALL.into_iter().filter(|step| !done.contains(step) && step.is_taken(self)).collect::<Vec<_>>(),
        );
        self.dialogs.guide = Some(done);
    }

    /// Returns which commands can be given by keys. Behind a dialog, none can.
    pub fn listening(&self) -> Listening {
        let front = &self.stages.front;
        match self.exports.is_open() || front.chooses_texture() || front.asks_place() {
            true => Listening::ToNone,
            false => self.dialogs.listening(),
        }
    }
}

impl Stages {
    /// Returns the title of the window.
    pub fn title(&self, core: &Core) -> String {
        match self.front.content.subject().file().and_then(|file| core.file(file)) {
            Some(file) => format!("{} — Bonebox", file.name),
            None => "Bonebox".to_owned(),
        }
    }
}

impl Stage {
    /// Lets time pass for the stage in front.
    fn advance(&mut self, core: &mut Core, passed_secs: f32) {
        if let Some(playback) = self.playback_mut() {
            playback.advance(passed_secs);
        }
        self.advance_scene(passed_secs);
        self.advance_curves(passed_secs);
        self.advance_picture(passed_secs);
        self.advance_level(passed_secs);
        if let Some(shown) = self.content.sound_mut() {
            shown.watch(core);
        }
        self.advance_flight(passed_secs);
        self.advance_tween(core);
        self.note_bone_keys();
        self.pose();
    }
}

impl GuideStep {
    pub(crate) fn is_taken(self, state: &State) -> bool {
        match self {
            Self::Open => !state.core.library.files.is_empty(),
            Self::Play => state.stages.front.playback().is_some_and(|playback| playback.player.is_moving()),
            Self::Curve => {
                state.stages.front.selected().joint.is_some()
                    && state.stages.front.viewport.drawer == Some(DrawerPage::Curves)
            }
            Self::Bytes => state.core.selected_bytes.is_some(),
            Self::Write => state.core.log.entries().iter().any(|entry| entry.is_export),
        }
    }
}
