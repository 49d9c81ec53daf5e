//! What a stage waits for.

use crate::{
    scene::{LoopMode, Player, PlayerLayer},
    ui::{
        place::{FileId, Place, PlayMode, TextureSource},
        saved_view::{LayerState, SavedModel, SavedScene, SavedStage, SavedTexturePlace},
        scene_member::SceneModelId,
        state::{loads::Loads, stage::text::WantedLine},
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
    /// A text that is being loaded, the line to show, and the selection afterwards.
    pub line: Option<(Place, Option<WantedLine>, Option<Place>)>,
    /// Models that are added to the scene once its main model is there.
    pub joins: Vec<Place>,
    /// A clip that plays when the model that is being loaded is shown.
    pub clip_after_model: Option<(Place, PlayMode)>,
    /// The clip file that a person opened together with the model. Its clips play, regardless of its location.
    pub meant: Option<FileId>,
    /// Clip files that were opened together with the model. If they do not fit, a notice is shown.
    pub to_judge: Vec<FileId>,
    /// Number of the last search for clips. An earlier search may end after it, and has fewer files.
    pub clip_search: u64,
}

impl Pending {
    /// Updates the clip for the next model after a file was reloaded.
    pub fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) {
        self.clip_after_model = self.clip_after_model.and_then(|(place, how)| Some((to(place)?, how)));
    }
}

/// The view of an entry that is restored when the entry is shown.
pub(crate) struct Coming {
    pub place: Place,
    pub stage: SavedStage,
    /// True if the clip of the view is missing, so that a clip that fits plays.
    pub plays_by_itself: bool,
}

/// The clip of a restored view, and its state.
pub(crate) struct ComingClip {
    /// The model.
    pub on: Place,
    pub place: Place,
    /// Clips of other kinds that play with it.
    pub also: Vec<(Place, Option<LayerState>)>,
    pub stage: SavedStage,
}

/// The clock of a saved stage.
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

    /// Sets a player to this time.
    pub fn bring_back(&self, player: &mut Player) {
        player.playing = self.playing;
        // A clip with its own clock has its own state.
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

/// A clip of a restored view in addition to the main one, while it is loaded.
pub(crate) struct ReturningLayer {
    pub place: Place,
    pub state: Option<LayerState>,
    /// The clip may be the one that determines the clock.
    pub clock: ReturningClock,
}

/// The other models and the textures of a restored scene.
pub(crate) struct ComingScene {
    /// The model.
    pub on: Place,
    pub scene: SavedScene,
    /// The entries of the models; `None` for a missing model.
    pub models: Vec<Option<ComingModel>>,
    pub textures: Vec<(TextureSource, Vec<SavedTexturePlace>)>,
}

/// The entry of a model of a scene, and its clip.
#[derive(Clone, Copy)]
pub(crate) struct ComingModel {
    pub place: Place,
    pub clip: Option<Place>,
}

/// A model of a restored scene, while it is loaded.
#[derive(Clone)]
pub(crate) struct ReturningModel {
    pub id: SceneModelId,
    pub clip: Option<Place>,
    pub is_selected: bool,
    pub saved: SavedModel,
}

/// The clip of a model of a restored scene, while it is loaded.
#[derive(Clone, Copy)]
pub(crate) struct ReturningClip {
    pub clip: Place,
    pub frame: f32,
    pub playing: bool,
    pub loop_mode: LoopMode,
    pub own_clock: bool,
}
