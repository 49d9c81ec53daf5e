//! A stage: what is looked at, and everything that belongs to looking at it.

use super::{
    Curves, FileId, LogEntry, Place, Playback, Shown, ShownMap, ShownPicture, ShownSound, ShownStatistics,
    ShownTerrain, ShownText, StageTextures, State, View,
};
use crate::{
    audio::SoundPlayer,
    formats::Severity,
    scene::{
        Frame,
        camera::{FlyCamera, OrbitCamera, Steer},
    },
};
use std::mem;

/// Stages that can be open at once.
const MAX_STAGES: usize = 6;
/// Steps that a stage remembers; the oldest go first.
const MAX_VISITS: usize = 500;
/// Subjects whose camera is remembered.
const MAX_LEFT: usize = 50;

/// A stage, for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct StageId(pub u32);

impl StageId {
    /// The stage that is always there.
    pub const FIRST: Self = Self(0);
}

/// What a stage is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    #[default]
    Nothing,
    Entry(Place),
    /// All pictures of a file.
    Gallery(FileId),
    /// All entries of a file.
    Table(FileId),
}

impl Subject {
    /// The file that it lies in.
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Nothing => None,
            Self::Entry(place) => Some(place.file),
            Self::Gallery(file) | Self::Table(file) => Some(file),
        }
    }
}

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
    /// An entry that could not be read, and why.
    Failed(Place, String),
}

/// A page of the drawer below a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawerPage {
    Clips,
    Tracks,
    Curves,
}

/// What can be looked through in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOf {
    /// The clips on a model.
    Model,
    /// A clip on its own.
    Clip,
    /// A flip-book or a computed texture.
    Picture,
    Sound,
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
            Subject::Nothing | Subject::Gallery(_) | Subject::Table(_) => None,
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

/// How something was looked at.
#[derive(Clone, Debug)]
struct Left {
    camera: OrbitCamera,
    fly: Option<FlyCamera>,
    clip: Option<Place>,
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
    pub curves: Curves,
    /// A joint of the shown model.
    pub selected_joint: Option<u32>,
    /// Images in the places of the model's own textures.
    pub textures: StageTextures,
    pub statistics: Option<ShownStatistics>,
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
            curves: Curves::default(),
            selected_joint: None,
            textures: StageTextures::default(),
            statistics: None,
            drawer: None,
            sound_trouble: None,
            audio: SoundPlayer::new(waker),
            fps: 0.0,
            failure: None,
            aspect: 1.5,
            is_seen: true,
            wanted_asset: None,
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
            | StageContent::Table(_) => None,
        }
    }

    /// Whether what it shows changes by itself.
    pub fn is_moving(&self) -> bool {
        let plays = match self.time_of() {
            Some(TimeOf::Model) => self.playback.player.is_moving(),
            Some(TimeOf::Clip) => self.curves.is_moving(),
            Some(TimeOf::Picture | TimeOf::Sound) | None => false,
        };
        plays || self.flies() && !self.steer.is_still() || self.view.tween.is_some()
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
        if before != subject && self.content.is_space() {
            self.left.retain(|(known, _)| *known != before);
            self.left.truncate(MAX_LEFT - 1);
            let view = &self.view;
            let left = Left { camera: view.camera, fly: view.fly, clip: self.playback.playing };
            self.left.insert(0, (before, left));
        }
        self.audio.unload();
        self.content = content;
        self.is_return = self.is_visited(subject);
        self.note_subject(subject, selection);
    }

    /// Looks at what was put on the stage on a way through the history as it was looked at when it was left; gives the clip
    /// that played then.
    pub(super) fn look_as_before(&mut self) -> Option<Place> {
        let subject = self.content.subject();
        let (_, left) = self.left.iter().find(|(known, _)| self.is_return && *known == subject)?.clone();
        self.view.camera = left.camera;
        self.view.fly = left.fly;
        self.view.camera_touched = true;
        left.clip
    }

    /// Forgets the steps in a file that is closed.
    pub(super) fn forget_file(&mut self, file: FileId) {
        let gone =
            |visit: &Visit| visit.subject.file() == Some(file) || visit.selection.is_some_and(|p| p.file == file);
        self.history.retain(|visit| !gone(visit));
        self.left.retain(|(subject, _)| subject.file() != Some(file));
        self.history_at = self.history.len().saturating_sub(1);
    }
}

impl State {
    /// The stages, the one in front first.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        std::iter::once(&self.stage).chain(&self.others)
    }

    pub(super) fn stages_mut(&mut self) -> impl Iterator<Item = &mut Stage> {
        std::iter::once(&mut self.stage).chain(&mut self.others)
    }

    /// Puts something in the place of what is on the stage in front.
    pub(super) fn take_stage(&mut self, content: StageContent) {
        let same = content.subject() == self.stage.content.subject();
        let (is_model, is_clip) = (matches!(content, StageContent::Model(_)), matches!(content, StageContent::Clip(_)));
        self.drop_sound_work();
        let selection = self.selection.or(content.place());
        self.stage.put(content, selection);
        if !is_model {
            self.stage.playback.forget_model(0);
            self.stage.playback.wanted_model = None;
        }
        if !same {
            self.stage.textures.clear();
            self.stage.selected_joint = None;
            if !is_clip {
                self.stage.curves = Curves::default();
            }
        }
    }

    /// A second stage beside the others, for an entry or for what is selected.
    pub(super) fn open_beside(&mut self, place: Option<Place>) {
        let Some(place) = place.or(self.selection).or(self.stage.content.place()) else { return };
        if self.file(place.file).is_none() {
            return;
        }
        let id = StageId(self.stages().map(|stage| stage.id.0).max().unwrap_or(0) + 1);
        if self.others.len() + 1 >= MAX_STAGES {
            let text = format!("{MAX_STAGES} stages are open already; close one first");
            return self.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        let view = View { grid: self.settings.grid, ..View::default() };
        self.others.push(Stage::new(id, self.waker.clone(), view));
        self.bring_to_front(id);
        self.show(place);
    }

    /// Closes a stage and frees what it holds; the first one stays.
    pub(super) fn close_stage(&mut self, id: StageId) {
        if id == StageId::FIRST {
            return;
        }
        if self.stage.id == id {
            self.bring_to_front(StageId::FIRST);
        }
        if let Some(at) = self.others.iter().position(|stage| stage.id == id) {
            let mut gone = self.others.remove(at);
            if let Some(work) = gone.content.sound_mut().and_then(|shown| shown.work.take()) {
                self.works.retain(|w| w.id != work);
            }
        }
        self.linked &= !self.others.is_empty();
    }

    /// Makes a stage the one that keys and the selection are for.
    pub(super) fn focus_stage(&mut self, id: StageId) {
        if self.bring_to_front(id).is_some()
            && let Some(place) = self.stage.content.place()
            && self.selection.is_none_or(|selected| selected.file != place.file)
        {
            self.select(place);
        }
    }

    /// Whether cameras and clocks of the stages move together.
    pub fn stages_are_linked(&self) -> bool {
        self.linked
    }

    pub(super) fn link_stages(&mut self, on: bool) {
        self.linked = on && !self.others.is_empty();
        self.follow_front();
    }

    /// Brings cameras and clocks of the other models to those of the stage in front.
    pub(super) fn follow_front(&mut self) {
        if !self.linked || !matches!(self.stage.content, StageContent::Model(_)) {
            return;
        }
        let (camera, front) = (self.stage.view.camera, &self.stage.playback.player);
        let (secs, playing, speed) = (front.time_secs(), front.playing, front.speed);
        for stage in self.others.iter_mut().filter(|stage| matches!(stage.content, StageContent::Model(_))) {
            stage.view.camera = camera;
            stage.view.camera_touched = true;
            let player = &mut stage.playback.player;
            (player.playing, player.speed) = (playing, speed);
            let frame = secs * player.rate_hz();
            if player.clip().is_some() && (player.frame() - frame).abs() > 1e-4 {
                player.seek(frame);
                stage.playback.revision += 1;
            }
        }
    }

    /// Every stage counts as hidden until its panel is drawn.
    pub fn forget_seen(&mut self) {
        self.stages_mut().for_each(|stage| stage.is_seen = false);
    }

    /// Does something with a stage as the one in front; `None` when it is gone.
    pub fn on_stage<T>(&mut self, id: StageId, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if id == self.stage.id {
            return Some(what(self));
        }
        let front = self.stage.id;
        self.bring_to_front(id)?;
        let done = what(self);
        // Another one may have come to the front meanwhile.
        if self.stage.id == id {
            self.bring_to_front(front);
        }
        Some(done)
    }

    /// Makes a stage the one that keys and selections are for; `None` when it is gone.
    pub(super) fn bring_to_front(&mut self, id: StageId) -> Option<()> {
        let other = self.others.iter_mut().find(|stage| stage.id == id)?;
        mem::swap(&mut self.stage, other);
        Some(())
    }
}
