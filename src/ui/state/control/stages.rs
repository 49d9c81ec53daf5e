//! Stages beside each other: which one is in front, and what moves together.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        place::Place,
        saved_view::MAX_STAGES,
        state::{
            State,
            log::LogEntry,
            stage::{Stage, StageContent, curves::Curves, survey::Survey, view::View},
        },
        subject::StageId,
    },
};
use std::mem;

impl State {
    /// The stages, the one in front first.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        std::iter::once(&self.stage).chain(&self.others)
    }

    pub(in crate::ui::state) fn stages_mut(&mut self) -> impl Iterator<Item = &mut Stage> {
        std::iter::once(&mut self.stage).chain(&mut self.others)
    }

    /// Puts something in the place of what is on the stage in front.
    pub(in crate::ui::state) fn take_stage(&mut self, content: StageContent) {
        let same = content.subject() == self.stage.content.subject();
        let (is_model, is_clip) = (matches!(content, StageContent::Model(_)), matches!(content, StageContent::Clip(_)));
        self.drop_sound_work();
        let selection = self.selection.or(content.place());
        let file = content.subject().file().map(|file| Place { file, entry: EntryId::FILE });
        if let Some(place) = content.place().or(file).filter(|_| !same) {
            self.library.show_way(place);
        }
        self.stage.put(content, selection);
        if !is_model {
            self.stage.playback.forget_model(0);
            self.stage.playback.wanted_model = None;
        }
        if !same {
            self.stage.textures.clear();
            self.stage.survey = Survey::default();
            self.stage.selected_joint = None;
            self.stage.selected_part = None;
            self.stage.selected_socket = None;
            if !is_clip {
                self.stage.curves = Curves::default();
            }
        }
    }

    /// A second stage beside the others, for an entry or for what is selected.
    pub(in crate::ui::state) fn open_beside(&mut self, place: Option<Place>) {
        let Some(place) = place.or(self.selection).or(self.stage.content.place()) else { return };
        if self.file(place.file).is_none() {
            return;
        }
        let id = StageId(self.stages().map(|stage| stage.id.0).max().unwrap_or(0) + 1);
        if self.others.len() + 1 >= MAX_STAGES {
            let text = format!("At most {MAX_STAGES} stages can be open. Close one first");
            return self.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        let view = View { grid: self.settings.grid, level_speed: self.settings.fly_speed, ..View::default() };
        self.add_stage(id, view);
        self.bring_to_front(id);
        self.show(place);
    }

    /// An empty stage beside the others.
    pub(in crate::ui::state) fn add_stage(&mut self, id: StageId, view: View) {
        self.others.push(Stage::new(id, self.waker.clone(), view));
    }

    /// Closes a stage and frees what it holds; the first one stays.
    pub(in crate::ui::state) fn close_stage(&mut self, id: StageId) {
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
    pub(in crate::ui::state) fn focus_stage(&mut self, id: StageId) {
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

    pub(in crate::ui::state) fn link_stages(&mut self, on: bool) {
        self.linked = on && !self.others.is_empty();
        self.follow_front();
    }

    /// Brings cameras and clocks of the other models to those of the stage in front.
    pub(in crate::ui::state) fn follow_front(&mut self) {
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
    pub(in crate::ui::state) fn bring_to_front(&mut self, id: StageId) -> Option<()> {
        let other = self.others.iter_mut().find(|stage| stage.id == id)?;
        mem::swap(&mut self.stage, other);
        Some(())
    }
}
