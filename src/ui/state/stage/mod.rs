//! A stage: its content, and everything that belongs to viewing it.

pub mod curves;
pub(super) mod history;
pub mod key_frames;
pub mod landscape;
pub mod level;
mod look;
pub mod model;
pub mod parts;
pub(super) mod pending;
pub mod picture;
pub mod pictures_in_use;
pub mod playback;
pub mod procedural;
pub mod scene;
pub mod sound;
pub mod text;
pub mod textures;
pub mod top_down;
pub mod view;

pub(super) use history::Left;

use crate::{
    scene::Player,
    ui::{
        place::{FileId, Place, StageId, Subject, TimeOf},
        state::stage::{
            curves::{ClipStage, Curves},
            history::History,
            landscape::LandscapeStage,
            level::LevelStage,
            model::{ModelSelection, ModelStage},
            pending::Pending,
            picture::ImageStage,
            playback::{PlaySettings, Playback},
            scene::StageScene,
            sound::SoundStage,
            text::TextStage,
            view::{View, Viewport},
        },
    },
};

/// What a stage holds.
#[derive(Default)]
pub enum StageContent {
    #[default]
    Empty,
    Model(Box<ModelStage>),
    Level(LevelStage),
    Landscape(LandscapeStage),
    /// A picture, an image, a computed texture, a palette or a font.
    Image(ImageStage),
    Sound(SoundStage),
    Text(TextStage),
    /// A clip without a model: its curves.
    Clip(ClipStage),
    Gallery(FileId),
    Table(FileId),
    /// The classes of all open files, shown for this one.
    Classes(FileId),
    /// The search through all scripts.
    Scripts,
    /// The collection.
    Collection,
    /// The pictures of all open files.
    Pictures,
    /// Two files side by side.
    Compare,
    Failed(FailedStage),
}

/// An entry that cannot be read.
pub struct FailedStage {
    pub place: Place,
    /// The reason, as a sentence.
    pub why: String,
    /// The content that was shown for the entry before. A later version of the entry takes tools, the scene and hidden parts from it.
    pub(super) before: Option<Box<StageContent>>,
}

impl FailedStage {
    pub fn new(place: Place, why: String) -> Self {
        Self { place, why, before: None }
    }
}

macro_rules! kinds {
    ($($kind:ident $get:ident $get_mut:ident $type:ty;)*) => {
        impl StageContent {
            $(
                pub fn $get(&self) -> Option<&$type> {
                    if let Self::$kind(shown) = self { Some(shown) } else { None }
                }

                pub fn $get_mut(&mut self) -> Option<&mut $type> {
                    if let Self::$kind(shown) = self { Some(shown) } else { None }
                }
            )*
        }

        impl Stage {
            $(
                pub fn $get(&self) -> Option<&$type> {
                    self.content.$get()
                }
            )*
        }
    };
}

kinds! {
    Model model model_mut ModelStage;
    Clip clip clip_mut ClipStage;
    Level level level_mut LevelStage;
    Landscape landscape landscape_mut LandscapeStage;
    Image image image_mut ImageStage;
    Sound sound sound_mut SoundStage;
    Text text text_mut TextStage;
}

impl StageContent {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        Subject::Entry(match self {
            Self::Empty => return Subject::Nothing,
            Self::Gallery(file) => return Subject::Gallery(*file),
            Self::Table(file) => return Subject::Table(*file),
            Self::Classes(file) => return Subject::Classes(*file),
            Self::Scripts => return Subject::Scripts,
            Self::Collection => return Subject::Collection,
            Self::Pictures => return Subject::Pictures,
            Self::Compare => return Subject::Compare,
            Self::Model(shown) => shown.place,
            Self::Level(shown) => shown.place,
            Self::Landscape(shown) => shown.place,
            Self::Image(shown) => shown.place,
            Self::Sound(shown) => shown.place,
            Self::Text(shown) => shown.place,
            Self::Clip(shown) => shown.place,
            Self::Failed(failed) => failed.place,
        })
    }

    /// The entry that is shown; `None` for all of a file's pictures or entries.
    pub fn place(&self) -> Option<Place> {
        match self.subject() {
            Subject::Entry(place) => Some(place),
            Subject::Nothing
            | Subject::Gallery(_)
            | Subject::Table(_)
            | Subject::Classes(_)
            | Subject::Scripts
            | Subject::Collection
            | Subject::Pictures
            | Subject::Compare => None,
        }
    }

    /// The content, or what was shown before the entry could not be read.
    fn succeeded(self) -> Option<Self> {
        match self {
            Self::Failed(failed) => failed.before.map(|before| *before),
            content => Some(content),
        }
    }

    /// Takes what is independent of a new version of the entry from the earlier one. The entry may have `failed` to load in between.
    fn keep(&mut self, former: Self, failed: bool) {
        match (self, former) {
            (Self::Failed(now), former @ (Self::Model(_) | Self::Level(_) | Self::Landscape(_))) => {
                now.before = Some(Box::new(former));
            }
            (Self::Clip(now), Self::Clip(former)) => now.curves = former.curves,
            (Self::Model(now), Self::Model(former)) => now.keep(*former, failed),
            (Self::Level(now), Self::Level(former)) => now.keep(former, failed),
            (Self::Landscape(now), Self::Landscape(former)) => now.survey = former.survey,
            _ => {}
        }
    }

    /// The shown model, or the model that was shown before its entry could not be read.
    fn kept_model(&self) -> Option<&ModelStage> {
        match self {
            Self::Model(shown) => Some(shown),
            Self::Failed(failed) => failed.before.as_ref()?.model(),
            _ => None,
        }
    }

    /// As [`StageContent::kept_model`].
    pub(super) fn kept_model_mut(&mut self) -> Option<&mut ModelStage> {
        match self {
            Self::Model(shown) => Some(shown),
            Self::Failed(failed) => failed.before.as_mut()?.model_mut(),
            _ => None,
        }
    }

    /// Whether it is seen through a camera.
    pub fn is_space(&self) -> bool {
        matches!(self, Self::Model(_) | Self::Level(_) | Self::Landscape(_))
    }
}

/// A place of the window that shows one thing, with its camera and its history.
pub struct Stage {
    pub id: StageId,
    pub content: StageContent,
    pub view: View,
    pub viewport: Viewport,
    pub(super) pending: Pending,
    pub history: History,
    /// The settings of the last model's player, for the next model.
    play_settings: PlaySettings,
}

impl Stage {
    pub(super) fn new(id: StageId, view: View) -> Self {
        Self {
            id,
            content: StageContent::Empty,
            view,
            viewport: Viewport::default(),
            pending: Pending::default(),
            history: History::default(),
            play_settings: PlaySettings::default(),
        }
    }

    /// The player of the shown model and its clips.
    pub fn playback(&self) -> Option<&Playback> {
        self.model().map(|shown| &shown.playback)
    }

    pub(crate) fn playback_mut(&mut self) -> Option<&mut Playback> {
        self.content.model_mut().map(|shown| &mut shown.playback)
    }

    /// The settings of the player. Without a model, the settings for the next one.
    pub fn play_settings(&self) -> PlaySettings {
        self.playback().map_or(self.play_settings, Playback::settings)
    }

    /// Changes the settings of the player. Without a model, the settings are for the next one.
    pub(crate) fn change_play_settings(&mut self, change: impl FnOnce(&mut PlaySettings)) {
        let mut settings = self.play_settings();
        change(&mut settings);
        match self.playback_mut() {
            Some(playback) => playback.set_settings(settings),
            None => self.play_settings = settings,
        }
    }

    /// The models of the scene besides the main one. They are kept while the main model cannot be read.
    pub fn scene(&self) -> Option<&StageScene> {
        self.content.kept_model().map(|shown| &shown.scene)
    }

    /// The curves of the shown clip, or of a clip of the shown model.
    pub fn curves(&self) -> Option<&Curves> {
        match &self.content {
            StageContent::Model(shown) => Some(&shown.curves),
            StageContent::Clip(shown) => Some(&shown.curves),
            _ => None,
        }
    }

    pub(crate) fn curves_mut(&mut self) -> Option<&mut Curves> {
        match &mut self.content {
            StageContent::Model(shown) => Some(&mut shown.curves),
            StageContent::Clip(shown) => Some(&mut shown.curves),
            _ => None,
        }
    }

    /// The selection within the shown model; nothing without a model.
    pub fn selected(&self) -> ModelSelection {
        self.model().map(|shown| shown.selected).unwrap_or_default()
    }

    /// Changes the player of the shown model.
    pub(crate) fn with_player(&mut self, change: impl FnOnce(&mut Player)) {
        if let Some(playback) = self.playback_mut() {
            change(&mut playback.player);
        }
    }

    /// Notes a change of the shown model that is visible in the image.
    pub(crate) fn model_changed(&mut self) {
        if let Some(playback) = self.playback_mut() {
            playback.revision += 1;
        }
    }

    /// What there is to play; `None` where nothing has a time.
    pub fn time_of(&self) -> Option<TimeOf> {
        match &self.content {
            StageContent::Model(_) => Some(TimeOf::Model),
            StageContent::Clip(_) => Some(TimeOf::Clip),
            StageContent::Image(shown) if shown.moves() => Some(TimeOf::Picture),
            StageContent::Sound(_) => Some(TimeOf::Sound),
            StageContent::Empty
            | StageContent::Failed(..)
            | StageContent::Level(_)
            | StageContent::Landscape(_)
            | StageContent::Image(_)
            | StageContent::Text(_)
            | StageContent::Gallery(_)
            | StageContent::Table(_)
            | StageContent::Classes(_)
            | StageContent::Scripts
            | StageContent::Collection
            | StageContent::Pictures
            | StageContent::Compare => None,
        }
    }

    /// Whether what it shows changes by itself.
    pub fn is_moving(&self) -> bool {
        let plays = match self.time_of() {
            Some(TimeOf::Model) => self.model().is_some_and(ModelStage::is_moving),
            Some(TimeOf::Clip) => self.curves().is_some_and(Curves::is_moving),
            Some(TimeOf::Picture | TimeOf::Sound) | None => false,
        };
        plays || self.level_is_moving() || self.flies() && !self.viewport.steer.is_still() || self.view.tween.is_some()
    }

    /// Whether keys steer the camera.
    pub fn flies(&self) -> bool {
        self.view.fly.is_some() && self.content.is_space()
    }

    /// Puts something else in the place of what is on the stage.
    pub(super) fn put(&mut self, mut content: StageContent, selection: Option<Place>) {
        let (before, subject) = (self.content.subject(), content.subject());
        if before != subject {
            self.pending.without_clip = false;
        }
        // Something else was put here meanwhile.
        self.pending.look.take_if(|coming| Subject::Entry(coming.place) != subject);
        self.pending.clip.take_if(|coming| Subject::Entry(coming.on) != subject);
        self.pending.scene.take_if(|coming| Subject::Entry(coming.on) != subject);
        if before != subject && self.content.is_space() {
            self.keep_look(before);
        }
        self.play_settings = self.play_settings();
        self.play_settings.pose.bind_pose = false;
        if before != subject {
            self.viewport.follows = None;
            self.leave_scene();
        } else {
            let failed = matches!(self.content, StageContent::Failed(_));
            if let Some(former) = std::mem::take(&mut self.content).succeeded() {
                content.keep(former, failed);
            }
        }
        self.content = content;
        self.history.is_return = self.history.is_at(subject);
        if self.history.is_return
            && let Subject::Entry(place) = subject
        {
            self.restore_scene(place);
        }
        self.history.note_subject(subject, selection);
    }

    /// Forgets the steps in a file that is closed.
    pub(super) fn forget_file(&mut self, file: FileId) {
        self.history.forget_file(file);
        self.forget_scene_of(file);
    }
}
