//! A stage: what is looked at, and everything that belongs to looking at it.

pub(super) mod coming;
pub mod curves;
pub mod empty_slots;
pub mod key_frames;
pub mod landscape;
pub mod layers;
mod left;
pub mod level;
pub mod level_tools;
mod look;
pub mod model;
pub mod parts;
pub mod picture;
pub mod pictures_in_use;
pub mod playback;
pub mod procedural;
pub mod scene;
pub mod shading;
pub mod sound;
pub mod survey;
pub mod text;
pub mod textures;
pub mod top_down;
pub mod view;

use crate::{
    audio::SoundPlayer,
    scene::{Frame, MeshIndex, ModelPart, camera::Steer},
    ui::{
        place::{FileId, Place},
        state::stage::{
            coming::{Coming, ComingClip, ComingScene},
            curves::Curves,
            landscape::{ShownStatistics, ShownTerrain},
            level::ShownMap,
            level_tools::LevelTools,
            model::Shown,
            parts::StageParts,
            picture::ShownPicture,
            pictures_in_use::PicturesInUse,
            playback::Playback,
            scene::StageScene,
            sound::ShownSound,
            survey::Survey,
            text::{ShownText, WantedLine},
            textures::StageTextures,
            view::View,
        },
        subject::{DrawerPage, StageId, Subject, TimeOf},
    },
};

use glam::Vec3;
pub(super) use left::Left;

/// Steps that a stage remembers; the oldest go first.
const MAX_VISITS: usize = 500;

/// What a stage holds.
#[derive(Default)]
pub enum StageContent {
    #[default]
    Empty,
    Model(Shown),
    Level(ShownMap),
    Landscape(ShownTerrain),
    /// A picture, an image, a computed texture, a palette or a font.
    Image(ShownPicture),
    Sound(ShownSound),
    Text(ShownText),
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
    Model model model_mut Shown;
    Level level level_mut ShownMap;
    Landscape landscape landscape_mut ShownTerrain;
    Image image image_mut ShownPicture;
    Sound sound sound_mut ShownSound;
    Text text text_mut ShownText;
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

/// A step of a stage's history.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub(super) subject: Subject,
    pub(super) selection: Option<Place>,
}

/// What is looked at, with its camera, its player and its history.
pub struct Stage {
    pub id: StageId,
    pub content: StageContent,
    pub view: View,
    /// Which way the fly camera is going.
    pub steer: Steer,
    pub playback: Playback,
    /// The shown model at the player's time.
    pub frame: Frame,
    /// The joint that the camera goes along with, and where it was last, in the world.
    pub(super) follows: Option<(u32, Vec3)>,
    pub curves: Curves,
    /// Models beside the shown one.
    pub scene: StageScene,
    /// The scene of the model that was left last.
    pub(super) left_scene: Option<(Place, StageScene)>,
    /// Models that are to stand beside the one that is on its way to the stage.
    pub(super) to_join: Vec<Place>,
    /// A joint of the shown model.
    pub selected_joint: Option<u32>,
    /// Surfaces of the shown model; an outline marks them.
    pub selected_part: Option<ModelPart>,
    /// A socket of the shown model.
    pub selected_socket: Option<u32>,
    /// A vertex of the shown model, of a mesh: what moves it is listed beside its weights.
    pub selected_vertex: Option<(MeshIndex, u32)>,
    /// What of the shown model is hidden.
    pub parts: StageParts,
    /// Images in the places of the model's own textures.
    pub textures: StageTextures,
    pub statistics: Option<ShownStatistics>,
    /// Of the model or the level that was on the stage before all pictures were.
    pub pictures_in_use: Option<PicturesInUse>,
    /// What is measured on the ground of a landscape.
    pub survey: Survey,
    /// What is done in a level.
    pub tools: LevelTools,
    /// The page of the drawer that is pulled out.
    pub drawer: Option<DrawerPage>,
    /// Why the last sound was not heard.
    pub sound_trouble: Option<String>,
    pub(super) audio: SoundPlayer,
    /// Pictures a second while something moves; 0 when nothing does.
    pub fps: f32,
    /// Why there is no picture.
    pub failure: Option<String>,
    /// Width by height of the picture, for framing.
    pub aspect: f32,
    /// Its panel was drawn in the last frame: otherwise nothing on it moves.
    pub is_seen: bool,
    /// What is being decoded to be shown.
    pub(super) wanted_asset: Option<Place>,
    /// How it is looked at as soon as it is there.
    pub(super) coming: Option<Box<Coming>>,
    /// The clip that played on it.
    pub(super) coming_clip: Option<ComingClip>,
    /// What stood beside it and on it.
    pub(super) coming_scene: Option<Box<ComingScene>>,
    /// What is on it came back: nothing plays by itself.
    pub(super) restored_without_clip: bool,
    /// The text that is shown for one of its lines, the line, and what is selected then.
    pub(super) wanted_line: Option<(Place, Option<WantedLine>, Option<Place>)>,
    pub(super) history: Vec<Visit>,
    /// Position in the history: what is shown and selected.
    pub(super) history_at: usize,
    /// How subjects were looked at when they were left, the last one first.
    left: Vec<(Subject, Left)>,
    /// What is on the stage was put there on a way through the history.
    is_return: bool,
}

impl Stage {
    pub(super) fn new(id: StageId, waker: crate::jobs::Waker, view: View) -> Self {
        Self {
            id,
            content: StageContent::Empty,
            view,
            steer: Steer::default(),
            playback: Playback::default(),
            frame: Frame::default(),
            follows: None,
            curves: Curves::default(),
            scene: StageScene::default(),
            left_scene: None,
            to_join: Vec::new(),
            selected_joint: None,
            selected_part: None,
            selected_socket: None,
            selected_vertex: None,
            parts: StageParts::default(),
            textures: StageTextures::default(),
            statistics: None,
            pictures_in_use: None,
            survey: Survey::default(),
            tools: LevelTools::default(),
            drawer: None,
            sound_trouble: None,
            audio: SoundPlayer::new(waker),
            fps: 0.0,
            failure: None,
            aspect: 1.5,
            is_seen: true,
            wanted_asset: None,
            coming: None,
            coming_clip: None,
            coming_scene: None,
            restored_without_clip: false,
            wanted_line: None,
            history: Vec::new(),
            history_at: 0,
            left: Vec::new(),
            is_return: false,
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
        plays || self.level_is_moving() || self.flies() && !self.steer.is_still() || self.view.tween.is_some()
    }

    /// Whether keys steer the camera.
    pub fn flies(&self) -> bool {
        self.view.fly.is_some() && self.content.is_space()
    }

    /// A selection is a step; nothing when it is the one that is selected.
    pub(super) fn note_selection(&mut self, place: Place) {
        if self.history.get(self.history_at).is_some_and(|visit| visit.selection == Some(place)) {
            return;
        }
        let subject = self.content.subject();
        self.push(Visit { subject, selection: Some(place) });
    }

    /// Whether the present step of the history is about this.
    pub(super) fn is_visited(&self, subject: Subject) -> bool {
        self.history.get(self.history_at).is_some_and(|visit| visit.subject == subject)
    }

    /// What is on the stage from now on. Selecting something and then showing it is one step.
    fn note_subject(&mut self, subject: Subject, selection: Option<Place>) {
        let subject_at = |at: usize| self.history.get(at).map(|visit| visit.subject);
        let before = self.history_at.checked_sub(1).and_then(subject_at);
        let now = subject_at(self.history_at);
        // Nothing but the selection has changed in the last step.
        let only_selected = now == Some(Subject::Nothing) || before.is_some() && before == now;
        match self.history.get_mut(self.history_at) {
            Some(visit) if visit.subject == subject => {}
            Some(visit) if only_selected && visit.selection == selection => visit.subject = subject,
            _ => self.push(Visit { subject, selection }),
        }
    }

    fn push(&mut self, visit: Visit) {
        self.history.truncate(self.history_at + 1);
        self.history.push(visit);
        if self.history.len() > MAX_VISITS {
            self.history.remove(0);
        }
        self.history_at = self.history.len() - 1;
    }

    /// Puts something else in the place of what is on the stage.
    pub(super) fn put(&mut self, content: StageContent, selection: Option<Place>) {
        let (before, subject) = (self.content.subject(), content.subject());
        if before != subject {
            self.restored_without_clip = false;
        }
        // Something else was put here meanwhile.
        self.coming.take_if(|coming| Subject::Entry(coming.place) != subject);
        self.coming_clip.take_if(|coming| Subject::Entry(coming.on) != subject);
        self.coming_scene.take_if(|coming| Subject::Entry(coming.on) != subject);
        if before != subject && self.content.is_space() {
            self.keep_look(before);
        }
        if before != subject {
            self.parts = StageParts::default();
            self.tools = LevelTools::default();
            self.selected_vertex = None;
            self.follows = None;
        }
        self.audio.unload();
        if before != subject {
            self.leave_scene();
        }
        self.content = content;
        self.is_return = self.is_visited(subject);
        if self.is_return
            && let Subject::Entry(place) = subject
        {
            self.restore_scene(place);
        }
        self.note_subject(subject, selection);
    }

    /// Forgets the steps in a file that is closed.
    pub(super) fn forget_file(&mut self, file: FileId) {
        let gone =
            |visit: &Visit| visit.subject.file() == Some(file) || visit.selection.is_some_and(|p| p.file == file);
        self.history.retain(|visit| !gone(visit));
        self.left.retain(|(subject, _)| subject.file() != Some(file));
        self.forget_scene_of(file);
        self.history_at = self.history.len().saturating_sub(1);
    }
}

impl Stage {
    pub fn can_go_back(&self) -> bool {
        self.history_at > 0
    }

    pub fn can_go_forward(&self) -> bool {
        self.history_at + 1 < self.history.len()
    }
}
