//! What a stage waits for.

use crate::{
    scene::{LoopMode, Player, PlayerLayer},
    ui::{
        place::{Place, TextureSource},
        saved_view::{LayerState, SavedModel, SavedScene, SavedStage, SavedTexturePlace},
        scene_member::SceneModelId,
        state::{
            loads::Loads,
            stage::{landscape::Survey, level::LevelTools, text::WantedLine},
        },
    },
};

/// Frames by which a clock may miss what it was read for.
const SAME_FRAME: f32 = 1e-2;

/// What a stage waits for, and how it is shown when it arrives.
#[derive(Default)]
pub(crate) struct Pending {
    /// The entries that are being decoded.
    pub loads: Loads,
    /// The view of the entry that is being restored.
    pub look: Option<Box<Coming>>,
    /// The clip that played on the model that is being restored.
    pub clip: Option<ComingClip>,
    /// The other models and textures of the scene that is being restored.
    pub scene: Option<Box<ComingScene>>,
    /// The restored model had no clip: nothing starts to play.
    pub without_clip: bool,
    /// The text that is shown for one of its lines, the line, and the selection afterwards.
    pub line: Option<(Place, Option<WantedLine>, Option<Place>)>,
    /// The tools of a level that could not be read again.
    pub tools: Option<Box<LevelTools>>,
    /// The measure on a landscape that could not be read again.
    pub survey: Option<Survey>,
    /// Models that are added to the scene once its main model is there.
    pub joins: Vec<Place>,
}

/// How a stage is to be looked at as soon as its subject is there.
pub(crate) struct Coming {
    pub place: Place,
    pub stage: SavedStage,
    /// The clip that played is gone: what fits plays.
    pub plays_by_itself: bool,
}

/// Where a clip is to be as soon as it plays.
pub(crate) struct ComingClip {
    /// The model.
    pub on: Place,
    pub place: Place,
    /// Clips of other kinds that play with it.
    pub also: Vec<(Place, Option<LayerState>)>,
    pub stage: SavedStage,
}

/// Where the clock of a stage was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReturningClock {
    pub frame: f32,
    pub secs: Option<f64>,
    pub range: Option<[f32; 2]>,
    pub playing: bool,
}

impl ReturningClock {
    pub fn of(saved: &SavedStage) -> Self {
        Self { frame: saved.frame, secs: saved.clock_secs, range: saved.range, playing: saved.playing }
    }

    /// Brings a player there.
    pub fn bring_back(&self, player: &mut Player) {
        player.playing = self.playing;
        // What is off the clock is where it was by itself.
        if player.main().is_none_or(PlayerLayer::is_detached) {
            return;
        }
        match self.range {
            Some([first, last]) => player.set_range(first, last),
            None => player.clear_range(),
        }
        player.seek(self.frame);
        if let Some(secs) = self.secs.filter(|_| player.range().is_none()) {
            let frame = player.frame();
            player.follow_clock(secs);
            if (player.frame() - frame).abs() > SAME_FRAME {
                player.seek(frame);
            }
        }
    }
}

/// A clip that played beside the main one, while it is being read.
pub(crate) struct ReturningLayer {
    pub place: Place,
    pub state: Option<LayerState>,
    /// A clip that joins may be the one that the clock counts.
    pub clock: ReturningClock,
}

/// What is to stand beside the model of a stage and on it, as soon as that is there.
pub(crate) struct ComingScene {
    /// The model.
    pub on: Place,
    pub scene: SavedScene,
    /// Where the models of the scene lie; `None` for one that is gone.
    pub models: Vec<Option<ComingModel>>,
    pub textures: Vec<(TextureSource, Vec<SavedTexturePlace>)>,
}

/// Where a model of a scene lies, and the clip that played on it.
#[derive(Clone, Copy)]
pub(crate) struct ComingModel {
    pub place: Place,
    pub clip: Option<Place>,
}

/// A model that stood in a scene, while it is being read.
#[derive(Clone)]
pub(crate) struct ReturningModel {
    pub id: SceneModelId,
    pub clip: Option<Place>,
    pub is_selected: bool,
    pub saved: SavedModel,
}

/// A clip that played on a model of a scene, while it is being read.
#[derive(Clone, Copy)]
pub(crate) struct ReturningClip {
    pub clip: Place,
    pub frame: f32,
    pub playing: bool,
    pub loop_mode: LoopMode,
    pub own_clock: bool,
}
