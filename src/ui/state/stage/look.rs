//! Saves and restores how a subject is viewed when another one is shown.

use crate::ui::{
    place::Subject,
    state::stage::{Stage, history::Left},
};

/// Subjects whose camera is remembered.
const MAX_LEFT: usize = 50;

impl Stage {
    /// Remembers how what is on the stage is looked at: something else takes its place.
    pub(super) fn keep_look(&mut self, of: Subject) {
        self.history.left.retain(|(known, _)| *known != of);
        self.history.left.truncate(MAX_LEFT - 1);
        let view = &self.view;
        let left = Left {
            // One on its way is where it goes to.
            camera: view.tween.map_or(view.camera, |tween| tween.to),
            fly: view.fly,
            top_down: view.top_down,
            hidden_kinds: view.terrain.hidden_kinds.clone(),
            selected: view.terrain.selected.clone(),
            clip: self.playback().and_then(|playback| playback.playing),
            frame: self.playback().map_or(0.0, |playback| playback.player.frame()),
            playing: self.playback().is_some_and(|playback| playback.player.playing),
            has_clips: self.playback().is_some_and(|playback| !playback.clips.is_empty()),
        };
        self.history.left.insert(0, (of, left));
    }

    /// Looks at what was put on the stage on a way through the history, or at a level, as it was looked at when it was left; gives
    /// what played then.
    pub(crate) fn look_as_before(&mut self) -> Option<Left> {
        let subject = self.content.subject();
        // Whoever comes back to a level goes on from where it was left, whichever way it is shown again.
        let comes_back = self.history.is_return || self.level().is_some();
        let (_, left) = self.history.left.iter().find(|(known, _)| comes_back && *known == subject)?.clone();
        self.view.camera = left.camera;
        self.view.fly = left.fly;
        self.view.camera_touched = true;
        if let Some(shown) = self.content.landscape() {
            self.view.top_down = left.top_down;
            if left.hidden_kinds.len() == shown.terrain.kinds.len() {
                self.view.terrain.hidden_kinds = left.hidden_kinds.clone();
            }
            let count = shown.terrain.props.len();
            self.view.terrain.selected =
                left.selected.iter().copied().filter(|index| (*index as usize) < count).collect();
        }
        Some(left)
    }
}
