//! Putting pictures on the stage, and their time.

use crate::{
    formats::{Asset, Severity},
    ui::{
        place::Place,
        state::{
            State,
            log::LogEntry,
            stage::{
                Stage, StageContent,
                picture::ShownPicture,
                procedural::{Running, SPEEDS},
            },
        },
    },
};

impl Stage {
    /// Lets time pass for the picture on show.
    pub(in crate::ui) fn advance_picture(&mut self, passed_secs: f32) {
        if let Some(shown) = self.content.image_mut().filter(|shown| shown.player.playing) {
            shown.player.time_secs += f64::from(passed_secs);
            shown.catch_up();
        }
    }

    /// A computed texture from its first frame on, playing or not as before.
    pub(in crate::ui) fn restart_picture(&mut self) {
        if let Some(shown) = self.content.image_mut() {
            shown.player.time_secs = 0.0;
            shown.catch_up();
        }
    }

    pub(in crate::ui) fn set_picture_speed(&mut self, speed: f32) {
        if let Some(shown) = self.content.image_mut() {
            shown.set_speed(speed);
        }
    }

    /// The next speed up or down of a computed texture; nothing when none is shown.
    pub(in crate::ui) fn change_picture_speed(&mut self, up: bool) {
        let Some(speed) = self.image().and_then(|p| p.running.as_ref()).map(Running::speed) else { return };
        let next = match up {
            true => SPEEDS.into_iter().find(|s| *s > speed + 1e-3),
            false => SPEEDS.into_iter().rev().find(|s| *s < speed - 1e-3),
        };
        self.set_picture_speed(next.unwrap_or(speed));
    }

    /// Whether it has a last frame.
    pub(in crate::ui) fn picture_ends(&self) -> bool {
        self.image().is_some_and(|shown| shown.flip_book().is_some())
    }

    pub(in crate::ui) fn toggle_picture(&mut self) {
        if let Some(shown) = self.content.image_mut() {
            shown.player.playing = !shown.player.playing;
        }
    }

    pub(in crate::ui) fn step_picture(&mut self, frames: i64) {
        if let Some(shown) = self.content.image_mut() {
            shown.step(frames);
        }
    }

    /// Shows a frame of the picture that moves, and holds it.
    pub(in crate::ui) fn seek_picture(&mut self, frame: u64) {
        let Some(shown) = self.content.image_mut() else { return };
        let Some(rate_hz) = shown.rate_hz() else { return };
        let last = shown.flip_book().map_or(u64::MAX, |book| book.frames.len() as u64 - 1);
        shown.player.playing = false;
        shown.player.seek(frame.min(last), rate_hz);
        shown.catch_up();
    }
}

impl State {
    pub(in crate::ui::state) fn show_picture(&mut self, place: Place, asset: Asset) {
        let generation = self.fresh_id();
        let (shown, result) = ShownPicture::new(place, asset, generation);
        if let Err(message) = result {
            let file = self.file(place.file).map(|file| file.name.clone()).unwrap_or_default();
            self.log.push(LogEntry::new(Severity::Error, &file, message).at(place));
        }
        self.take_stage(StageContent::Image(shown));
    }
}
