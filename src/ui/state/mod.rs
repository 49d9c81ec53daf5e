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
mod dependencies;
mod effect;
mod file_step;
mod guide;
mod guide_step;
mod key_change;
mod library;
mod listening;
mod log;
mod message;
mod possible;
pub mod refused;
mod restoring;
mod scene_message;
mod scripts;
mod stage;
mod thumbnails;
mod uses;

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
pub use effect::{CopiedPicture, Effect, GpuStatus};
pub use guide_step::GuideStep;
pub use key_change::KeyChange;
pub use library::{LibraryRow, LibraryState, OpenedFile, Trouble, count_found, folder_name};
pub use log::{Log, LogEntry};
pub use message::{Message, Reread, Work};
use restoring::Restoring;
pub use scripts::ScriptSearch;
pub use stage::{
    Stage, StageContent,
    curves::{Curves, ShownCurves},
    empty_slots::EmptySlot,
    landscape::{ShownStatistics, ShownTerrain},
    layers::next_mode,
    level::{MoverRun, PickedSurface, ShownMap},
    level_tools::{AlikeSurfaces, LevelTools, SetOff, TypedPlace},
    model::Shown,
    parts::StageParts,
    picture::{PicturePlayer, ShownPicture},
    playback::{ClipItem, LayerPlaces, Playback},
    procedural::Running,
    scene::{SceneModel, StageScene, anchors},
    sound::ShownSound,
    survey::{Survey, coordinates},
    text::{Explained, ShownText, WantedLine},
    textures::{StageTextures, TextureSource},
    top_down::{Tilt, Tween},
    view::{GAMMAS, GxTraits, View},
};
pub use thumbnails::{MadeThumbnails, THUMBNAIL_SIDE, Thumbnail, ThumbnailState, Thumbnails};
pub use uses::{UsedBy, Uses};

use file_step::FileStep;

use crate::{
    formats::LoadOptions,
    jobs::Jobs,
    library::{AssetCache, OpenFile, read_container_as},
    ui::{
        byte_search::ByteSearch, jump::Jump, kept_reading::KeptReading, settings::Settings, theme, view_file::ReadView,
        window_system::NoDrops,
    },
};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Bytes of decoded data kept for switching back and forth.
const CACHE_BYTES: u64 = 256 << 20;

/// Wakes the window; filled in once there is one.
type WakeSlot = Arc<Mutex<Option<Box<dyn Fn() + Send>>>>;

pub struct State {
    pub clock: Clock,
    pub settings: Settings,
    pub library: LibraryState,
    pub selection: Option<Place>,
    /// Marked bytes of the selected file.
    pub selected_bytes: Option<Range<u64>>,
    /// The stage in front: keys and what is selected are for it.
    pub stage: Stage,
    /// Stages beside it.
    others: Vec<Stage>,
    /// Cameras and clocks of the stages move together.
    linked: bool,
    pub thumbnails: Thumbnails,
    /// What the bytes are searched for.
    pub byte_search: ByteSearch,
    /// What refers to an entry, once that was asked.
    pub uses: Option<Uses>,
    /// The classes of the open files, once that was asked.
    pub classes: Option<Classes>,
    /// The files that the selected file needs.
    pub dependencies: Option<Dependencies>,
    /// The search through all scripts.
    pub scripts: ScriptSearch,
    /// What is indexed of the folders and containers that were opened.
    pub collection: Collection,
    /// Two files side by side.
    pub comparing: Comparing,
    /// The revision of the library whose classes are being read.
    classes_wanted: Option<u64>,
    pub log: Log,
    pub gpu: GpuStatus,
    /// The export that is being prepared.
    pub export: Option<ExportDraft>,
    /// The picture of the stage that is being prepared.
    pub picture_export: Option<PictureDraft>,
    /// The export that nobody has said yes to yet.
    pub large_export: Option<LargeExport>,
    /// The view whose files outside its folder wait for an answer.
    pub asked_view: Option<Box<ReadView>>,
    pub show_palette: bool,
    pub show_keys: bool,
    pub show_about: bool,
    /// A step to another file of a folder.
    file_step: FileStep,
    /// The list of a stage that keys go through.
    list_in_hand: Option<(StageId, Arc<[Place]>)>,
    /// The open entries that have a star, and what they were looked up for.
    starred: ((u64, u64), Arc<HashSet<Place>>),
    favourites_revision: u64,
    /// The jump that is being asked for.
    pub jump: Option<Jump>,
    pub show_settings: bool,
    /// The change of keys that is being made.
    pub key_change: Option<KeyChange>,
    /// First steps that were taken, while their card is shown.
    pub guide: Option<Vec<GuideStep>>,
    /// The picture that is saved once its folder is chosen: without background, or with it.
    picture_after: Option<bool>,
    /// What our own file dialog asks for.
    pub file_dialog: Option<Ask>,
    /// Why the window system delivers no drops, where it does not (Wayland).
    pub no_drops: Option<NoDrops>,
    pub effects: Vec<Effect>,
    last_export_folder: Option<PathBuf>,
    works: Vec<Work>,
    /// Files that are being read anew, and which reading of theirs counts.
    rereads: HashMap<FileId, u64>,
    /// Files that are no longer what lies on disk, and why that was not taken.
    outdated: HashMap<FileId, String>,
    /// The view that is coming back.
    restoring: Option<Box<Restoring>>,
    /// What is selected once all of it is there.
    coming_selection: Option<Place>,
    /// When what is looked at was noted last.
    view_kept_secs: f64,
    cache: AssetCache,
    load_options: LoadOptions,
    jobs: Jobs,
    wake: WakeSlot,
    waker: crate::jobs::Waker,
    inbox: crossbeam_channel::Receiver<Message>,
    outbox: crossbeam_channel::Sender<Message>,
    next_id: u64,
    last_tick_secs: f64,
}

impl State {
    pub fn new(settings: Settings, clock: Clock) -> Self {
        let wake: WakeSlot = Arc::default();
        let slot = wake.clone();
        let waker: crate::jobs::Waker = Arc::new(move || {
            if let Some(wake) = slot.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                wake();
            }
        });
        let (outbox, inbox) = crossbeam_channel::unbounded();
        let view = View { grid: settings.grid, level_speed: settings.fly_speed, ..View::default() };
        for (path, overrides) in settings.readings.iter().map(KeptReading::parts) {
            read_container_as(path, overrides, false);
        }
        Self {
            last_tick_secs: clock.now_secs(),
            clock,
            library: LibraryState::new(settings.library_order),
            settings,
            selection: None,
            selected_bytes: None,
            stage: Stage::new(StageId::FIRST, waker.clone(), view),
            others: Vec::new(),
            linked: false,
            thumbnails: Thumbnails::default(),
            byte_search: ByteSearch::default(),
            uses: None,
            classes: None,
            classes_wanted: None,
            dependencies: None,
            scripts: ScriptSearch::default(),
            collection: Collection::default(),
            comparing: Comparing::default(),
            log: Log::default(),
            gpu: GpuStatus::default(),
            export: None,
            picture_export: None,
            large_export: None,
            asked_view: None,
            last_export_folder: None,
            show_palette: false,
            show_keys: false,
            show_about: false,
            file_step: FileStep::default(),
            list_in_hand: None,
            starred: Default::default(),
            favourites_revision: 1,
            jump: None,
            show_settings: false,
            key_change: None,
            guide: None,
            picture_after: None,
            file_dialog: None,
            no_drops: None,
            effects: Vec::new(),
            works: Vec::new(),
            rereads: HashMap::new(),
            outdated: HashMap::new(),
            restoring: None,
            coming_selection: None,
            view_kept_secs: f64::NEG_INFINITY,
            cache: AssetCache::new(CACHE_BYTES),
            load_options: LoadOptions::default(),
            jobs: Jobs::for_machine(waker.clone()),
            waker,
            wake,
            inbox,
            outbox,
            next_id: 1,
        }
    }

    /// Says how to wake the window when background work has something to show.
    pub fn set_wake(&mut self, wake: impl Fn() + Send + 'static) {
        *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    }

    /// Where workers and dialogs send what they have.
    pub fn sender(&self) -> crossbeam_channel::Sender<Message> {
        self.outbox.clone()
    }

    /// Wakes the window, from any thread.
    pub fn waker(&self) -> impl Fn() + Send + 'static {
        let wake = self.wake.clone();
        move || {
            if let Some(wake) = wake.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                wake();
            }
        }
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<OpenFile>> {
        self.library.file(id)
    }

    /// The selected entry's file.
    pub fn selected_file(&self) -> Option<&Arc<OpenFile>> {
        self.file(self.selection?.file)
    }

    pub fn load_options(&self) -> LoadOptions {
        self.load_options
    }

    pub fn works(&self) -> &[Work] {
        &self.works
    }

    /// Whether anything runs in the background.
    pub fn is_busy(&self) -> bool {
        !self.works.is_empty()
    }

    /// Runs jobs that have no thread, where there is none, for about this long.
    pub fn work(&self, time: Duration) {
        self.jobs.run_for(time);
    }

    /// Exports go into this folder where no other was chosen.
    pub fn export_into(&mut self, folder: PathBuf) {
        self.last_export_folder = Some(folder);
    }

    /// Whether what is seen changes by itself.
    pub fn is_moving(&self) -> bool {
        self.stages().filter(|stage| stage.is_seen).any(Stage::is_moving)
    }

    /// Takes what workers have finished and lets time pass. Call it once a frame.
    pub fn tick(&mut self) {
        self.receive();
        self.follow_classes();
        self.follow_dependencies();
        self.follow_collection();
        let now = self.clock.now_secs();
        let passed = (now - self.last_tick_secs).clamp(0.0, 1.0) as f32;
        self.last_tick_secs = now;
        for id in self.stages().filter(|stage| stage.is_seen).map(|stage| stage.id).collect::<Vec<_>>() {
            self.on_stage(id, |state| state.advance(passed));
        }
        self.follow_front();
        self.follow_guide();
    }

    /// Lets time pass for the stage in front.
    fn advance(&mut self, passed_secs: f32) {
        self.stage.playback.advance(passed_secs);
        self.stage.advance_scene(passed_secs);
        self.stage.advance_curves(passed_secs);
        self.stage.advance_picture(passed_secs);
        self.stage.advance_level(passed_secs);
        self.watch_sound();
        self.stage.advance_flight(passed_secs);
        self.advance_tween();
        self.stage.note_bone_keys();
        self.stage.pose();
    }

    fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// The accent colour of the theme, for what the renderer draws.
    pub fn accent(&self) -> [u8; 3] {
        let accent = theme::Palette::of(self.settings.dark).accent;
        [accent.r(), accent.g(), accent.b()]
    }

    /// The entry that is on the stage.
    pub fn place_on_show(&self) -> Option<Place> {
        self.stage.content.place()
    }

    /// What the window is called.
    pub fn title(&self) -> String {
        match self.stage.content.subject().file().and_then(|file| self.file(file)) {
            Some(file) => format!("{} — Bonebox", file.name),
            None => "Bonebox".to_owned(),
        }
    }
}
