//! A stage: its content, and everything that belongs to viewing it.

pub mod curves;
pub(super) mod history;
pub mod key_frames;
pub mod landscape;
pub mod layers;
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
pub mod shading;
pub mod sound;
pub mod text;
pub mod textures;
pub mod top_down;
pub mod view;
pub mod viewport;

pub(super) use history::Left;

use crate::ui::{
    place::{FileId, Place},
    state::stage::{
        curves::Curves,
        history::History,
        landscape::LandscapeStage,
        level::LevelStage,
        model::{ModelSelection, ModelStage},
        parts::StageParts,
        pending::Pending,
        picture::ImageStage,
        playback::Playback,
        scene::StageScene,
        sound::SoundStage,
        text::TextStage,
        textures::StageTextures,
        view::View,
        viewport::Viewport,
    },
    subject::{StageId, Subject, TimeOf},
};

/// What a stage holds.
#[derive(Default)]
pub enum StageContent {
    #[default]
    Empty,
    Model(ModelStage),
    Level(LevelStage),
    Landscape(LandscapeStage),
    /// A picture, an image, a computed texture, a palette or a font.
    Image(ImageStage),
    Sound(SoundStage),
    Text(TextStage),
    /// A clip on its own: its curves. The clip itself is in [`Stage::curves`].
    Clip(Place),
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
    /// An entry that could not be read, and why.
    Failed(Place, String),
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
            Self::Clip(place) | Self::Failed(place, _) => *place,
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

    /// Whether it is seen through a camera.
    pub fn is_space(&self) -> bool {
        matches!(self, Self::Model(_) | Self::Level(_) | Self::Landscape(_))
    }
}

/// What is looked at, with its camera, its player and its history.
pub struct Stage {
    pub id: StageId,
    pub content: StageContent,
    pub view: View,
    pub playback: Playback,
    pub curves: Curves,
    /// Models beside the shown one.
    pub scene: StageScene,
    /// The selection within the shown model.
    pub selected: ModelSelection,
    /// What of the shown model is hidden.
    pub parts: StageParts,
    /// Images in the places of the model's own textures.
    pub textures: StageTextures,
    pub viewport: Viewport,
    pub(super) pending: Pending,
    pub history: History,
}

impl Stage {
    pub(super) fn new(id: StageId, view: View) -> Self {
        Self {
            id,
            content: StageContent::Empty,
            view,
            playback: Playback::default(),
            curves: Curves::default(),
            scene: StageScene::default(),
            selected: ModelSelection::default(),
            parts: StageParts::default(),
            textures: StageTextures::default(),
            viewport: Viewport::default(),
            pending: Pending::default(),
            history: History::default(),
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
            Some(TimeOf::Model) => self.playback.is_moving() || self.scene_is_moving(),
            Some(TimeOf::Clip) => self.curves.is_moving(),
            Some(TimeOf::Picture | TimeOf::Sound) | None => false,
        };
        plays || self.level_is_moving() || self.flies() && !self.viewport.steer.is_still() || self.view.tween.is_some()
    }

    /// Whether keys steer the camera.
    pub fn flies(&self) -> bool {
        self.view.fly.is_some() && self.content.is_space()
    }

    /// Puts something else in the place of what is on the stage.
    pub(super) fn put(&mut self, content: StageContent, selection: Option<Place>) {
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
        if before != subject {
            self.parts = StageParts::default();
            self.selected.vertex = None;
            self.viewport.follows = None;
        }
        if before != subject {
            self.leave_scene();
            (self.pending.tools, self.pending.survey) = (None, None);
        } else if matches!(content, StageContent::Failed(..)) {
            match &mut self.content {
                StageContent::Level(shown) => self.pending.tools = Some(std::mem::take(&mut shown.tools)),
                StageContent::Landscape(shown) => self.pending.survey = Some(std::mem::take(&mut shown.survey)),
                _ => {}
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
