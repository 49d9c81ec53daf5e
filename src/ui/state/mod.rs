//! All that the window knows. It holds no widget and no GPU object, so it outlives both.

mod apply;
mod classes;
mod clock;
mod collection;
mod collection_fits;
mod collection_links;
mod collection_pictures;
mod comparing;
mod control;
mod core;
mod dependencies;
mod dialogs;
mod effect;
mod exports;
mod favourites;
mod file_step;
mod guide;
mod guide_step;
mod key_change;
mod library;
mod listening;
mod log;
mod lookups;
mod message;
mod possible;
pub mod refused;
mod restoring;
mod scene_message;
mod scripts;
mod stage;
mod stages;
mod thumbnails;
mod uses;
mod works;

pub use self::core::Core;
pub use crate::{
    gpu::{ColorChannel, Shading},
    ui::{
        ask::Ask,
        command::LargeExport,
        entry_group::Group,
        export_draft::{DraftClip, ExportDraft},
        library_row::{FolderId, LibraryOrder, RowId},
        light_preset::LightPreset,
        picture_draft::{PictureDraft, PictureFormat, PictureMotion},
        place::{FileId, Place, TextPlace},
        scene_member::SceneLook,
        subject::{DrawerPage, StageId, Subject, TimeOf},
        up_axis::UpAxis,
    },
};
pub use classes::Classes;
pub use clock::Clock;
pub use collection::{Collection, CollectionFound, CollectionSearch, KINDS, MAX_LISTED};
pub use collection_fits::{CollectionFits, FitsOf, ShownFits, fits_of};
pub use collection_links::{CollectionLinks, LinkLine, NeedLine, ShownLinks};
pub use collection_pictures::{
    CollectionPictures, MadePictures, PictureKey, PictureWork, STRIP_MOMENTS, WantedPicture, picture_of,
};
pub use comparing::{ComparedFolders, Comparing, Detail, Target, names_apart};
pub use control::{marks::PosedSocket, opening::paths_in_text, texturing::TextureTarget, thumbnails::thumbnail_of};
pub use dependencies::Dependencies;
pub use dialogs::Dialogs;
pub use effect::{CopiedPicture, Effect, GpuStatus};
pub use exports::Exports;
pub use guide_step::GuideStep;
pub use key_change::KeyChange;
pub use library::{LibraryRow, LibraryState, OpenedFile, Trouble, count_found, folder_name};
pub use log::{Log, LogEntry};
pub use lookups::Lookups;
pub use message::{Message, Reread};
pub use scripts::ScriptSearch;
pub use stage::{
    Stage, StageContent,
    curves::{Curves, ShownCurves},
    empty_slots::EmptySlot,
    landscape::{LandscapeStage, ShownStatistics},
    layers::next_mode,
    level::{LevelStage, MoverRun, PickedSurface},
    level_tools::{AlikeSurfaces, LevelTools, SetOff, TypedPlace},
    model::ModelStage,
    parts::StageParts,
    picture::{ImageStage, PicturePlayer},
    playback::{ClipItem, LayerPlaces, Playback},
    procedural::Running,
    scene::{SceneModel, StageScene, anchors},
    sound::SoundStage,
    survey::{Survey, coordinates},
    text::{Explained, TextStage, WantedLine},
    textures::{StageTextures, TextureSource},
    top_down::{Tilt, Tween},
    view::{GAMMAS, GxTraits, View},
};
pub use stages::Stages;
pub use thumbnails::{MadeThumbnails, THUMBNAIL_SIDE, Thumbnail, ThumbnailState, Thumbnails};
pub use uses::{UsedBy, Uses};
pub use works::{Work, Works};

use control::rereading::Reloads;
use favourites::Favourites;
use file_step::FileStep;
use restoring::Restore;

use crate::{
    library::read_container_as,
    ui::{kept_reading::KeptReading, settings::Settings, window_system::NoDrops},
};

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
            self.on_stage(id, |state| state.stages.front.advance(&mut state.core, passed));
        }
        self.stages.follow_front();
        self.follow_guide();
    }

    /// What the window is called.
    pub fn title(&self) -> String {
        match self.stages.front.content.subject().file().and_then(|file| self.core.file(file)) {
            Some(file) => format!("{} — Bonebox", file.name),
            None => "Bonebox".to_owned(),
        }
    }
}

impl Stage {
    /// Lets time pass for the stage in front.
    fn advance(&mut self, core: &mut Core, passed_secs: f32) {
        self.playback.advance(passed_secs);
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
