//! The stages of the window: which one is active, and what they have in common.

use crate::ui::{
    place::{Place, StageId},
    state::{
        core::Core,
        stage::{Stage, view::View},
    },
};
use std::{mem, sync::Arc};

/// All stages of the window.
pub struct Stages {
    /// The active stage: keys and the selection apply to it.
    pub front: Stage,
    /// The other stages.
    pub(super) others: Vec<Stage>,
    /// True if the cameras and clocks of all stages are linked.
    linked: bool,
    /// The list of a stage that the arrow keys go through.
    pub(super) list_in_hand: Option<(StageId, Arc<[Place]>)>,
}

impl Stages {
    pub(super) fn new(core: &Core) -> Self {
        let front = Stage::new(StageId::FIRST, View::new(&core.settings));
        Self { front, others: Vec::new(), linked: false, list_in_hand: None }
    }

    /// Returns the stages, the active one first.
    pub fn iter(&self) -> impl Iterator<Item = &Stage> {
        std::iter::once(&self.front).chain(&self.others)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Stage> {
        std::iter::once(&mut self.front).chain(&mut self.others)
    }

    /// Returns the ids of the stages, the active one first.
    pub(super) fn ids(&self) -> Vec<StageId> {
        self.iter().map(|stage| stage.id).collect()
    }

    pub fn get(&self, id: StageId) -> Option<&Stage> {
        self.iter().find(|stage| stage.id == id)
    }

    pub(super) fn get_mut(&mut self, id: StageId) -> Option<&mut Stage> {
        self.iter_mut().find(|stage| stage.id == id)
    }

    /// Adds an empty stage.
    pub(super) fn add(&mut self, id: StageId, core: &Core) {
        self.others.push(Stage::new(id, View::new(&core.settings)));
    }

    /// Closes a stage and frees its data. The first stage is not closed.
    pub(super) fn close(&mut self, id: StageId, core: &mut Core) {
        if id == StageId::FIRST {
            return;
        }
        if self.front.id == id {
            self.bring_to_front(StageId::FIRST);
        }
        if let Some(at) = self.others.iter().position(|stage| stage.id == id) {
            self.others.remove(at).drop_sound_work(core);
        }
        self.linked &= !self.others.is_empty();
    }

    /// Returns true if the cameras and clocks of all stages are linked.
    pub fn are_linked(&self) -> bool {
        self.linked
    }

    pub(super) fn link(&mut self, on: bool) {
        self.linked = on && !self.others.is_empty();
        self.follow_front();
    }

    /// Sets the cameras and clocks of the other stages to those of the active stage, if they are linked.
    pub(super) fn follow_front(&mut self) {
        let Some(front) = self.front.playback().map(|playback| &playback.player).filter(|_| self.linked) else {
            return;
        };
        let camera = self.front.view.camera;
        let (secs, playing, speed) = (front.time_secs(), front.playing, front.speed);
        for stage in &mut self.others {
            let Some(shown) = stage.content.model_mut() else { continue };
            stage.view.camera = camera;
            stage.view.camera_touched = true;
            let player = &mut shown.playback.player;
            (player.playing, player.speed) = (playing, speed);
            let frame = secs * player.rate_hz();
            if player.clip().is_some() && (player.frame() - frame).abs() > 1e-4 {
                player.seek(frame);
                shown.playback.revision += 1;
            }
        }
    }

    /// Marks every stage as hidden until its panel is drawn.
    pub fn forget_seen(&mut self) {
        self.iter_mut().for_each(|stage| stage.viewport.is_seen = false);
    }

    /// Returns true if a visible stage is animated.
    pub fn is_moving(&self) -> bool {
        self.iter().filter(|stage| stage.viewport.is_seen).any(Stage::is_moving)
    }

    /// Makes a stage the active one. Returns `None` if it was closed.
    pub(super) fn bring_to_front(&mut self, id: StageId) -> Option<()> {
        let other = self.others.iter_mut().find(|stage| stage.id == id)?;
        mem::swap(&mut self.front, other);
        Some(())
    }
}
