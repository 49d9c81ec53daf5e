//! The picture on a stage, and the time of animated pictures.

use crate::{
    formats::Asset,
    scene::{FlipBook, Image},
    ui::{
        command::TransportCommand,
        place::Place,
        state::stage::procedural::{Running, SPEEDS, held_speed},
    },
};
use std::sync::Arc;

/// What the image panel shows.
#[derive(Clone, Debug)]
pub struct ImageStage {
    pub place: Place,
    /// A picture, an image, a computed texture, a palette or a font.
    pub asset: Asset,
    /// Changes whenever another one is shown.
    pub generation: u64,
    pub player: PicturePlayer,
    /// A computed texture at the player's time; `None` for all else, and for one that cannot be computed.
    pub running: Option<Running>,
    /// Times the rate that a flip-book asks for.
    flip_speed: f32,
}

/// Where a picture that moves is: a flip-book, or a texture that is computed frame by frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PicturePlayer {
    pub playing: bool,
    pub time_secs: f64,
}

impl PicturePlayer {
    /// The frame at the player's time, where `rate_hz` frames pass a second; it never ends.
    pub fn frame(&self, rate_hz: f32) -> u64 {
        // A hair on: a time that was made from a frame number gives that frame again.
        (self.time_secs * f64::from(rate_hz) + 1e-4).max(0.0) as u64
    }

    /// Puts the player at the start of a frame.
    pub fn seek(&mut self, frame: u64, rate_hz: f32) {
        self.time_secs = if rate_hz > 0.0 { frame as f64 / f64::from(rate_hz) } else { 0.0 };
    }

    /// Seconds until the next frame.
    pub fn until_next_secs(&self, rate_hz: f32) -> f64 {
        let next = (self.frame(rate_hz) + 1) as f64;
        (next / f64::from(rate_hz.max(1e-3)) - self.time_secs).max(0.0)
    }
}

impl ImageStage {
    /// What can move, moves.
    ///
    /// # Errors
    /// One sentence when it is a texture that cannot be computed; it is shown all the same.
    pub fn new(place: Place, asset: Asset, generation: u64) -> (Self, Result<(), String>) {
        let mut shown =
            Self { place, asset, generation, player: PicturePlayer::default(), running: None, flip_speed: 1.0 };
        let mut result = Ok(());
        if let Asset::Procedural(texture) = &shown.asset {
            match Running::new(texture) {
                Ok(running) => shown.running = Some(running),
                Err(error) => result = Err(format!("{}: {error}", texture.name)),
            }
        }
        shown.player.playing = shown.rate_hz().is_some();
        (shown, result)
    }

    pub fn flip_book(&self) -> Option<&FlipBook> {
        match &self.asset {
            Asset::Picture(picture) => picture.flip_book.as_ref().filter(|book| book.frames.len() > 1),
            _ => None,
        }
    }

    /// The number of the flip-book's frame at the player's time, and its image; `None` for a picture that stands still.
    pub fn flip_frame(&self) -> Option<(usize, &Arc<Image>)> {
        let book = self.flip_book()?;
        let at = (self.player.frame(self.rate_hz()?) % book.frames.len() as u64) as usize;
        Some((at, book.frames.get(at)?))
    }

    /// The image that is seen: the largest, a flip-book's frame; `None` for what is no single image.
    pub fn visible_image(&self) -> Option<Arc<Image>> {
        match &self.asset {
            Asset::Image(image) => Some(image.clone()),
            Asset::Picture(picture) => self.flip_frame().map(|(_, image)| image).or_else(|| picture.image()).cloned(),
            Asset::Procedural(_) => self.running.as_ref().map(|running| Arc::new(running.simulation().seen_image())),
            _ => None,
        }
    }

    /// Frames a second of a picture that moves, at the speed that it has.
    pub fn rate_hz(&self) -> Option<f32> {
        let computed = self.running.as_ref().map(Running::rate_hz);
        computed.or_else(|| self.flip_book().map(|book| book.rate_hz * self.flip_speed))
    }

    /// Times the rate that it asks for.
    pub fn speed(&self) -> f32 {
        self.running.as_ref().map_or(self.flip_speed, Running::speed)
    }

    /// Whether there is something to play.
    pub fn moves(&self) -> bool {
        self.rate_hz().is_some()
    }

    /// Brings a computed texture to the player's time; where that is too far off, the time waits.
    pub(crate) fn catch_up(&mut self) {
        let Some(running) = &mut self.running else { return };
        let rate_hz = running.rate_hz();
        let wanted = self.player.frame(rate_hz);
        let at = running.go_to(wanted);
        if at != wanted {
            self.player.seek(at, rate_hz);
        }
    }

    /// Runs at so many times its rate; the frame stays.
    pub(crate) fn set_speed(&mut self, speed: f32) {
        let Some(frame) = self.rate_hz().map(|rate_hz| self.player.frame(rate_hz)) else { return };
        match &mut self.running {
            Some(running) => running.set_speed(speed),
            None => self.flip_speed = held_speed(speed),
        }
        if let Some(rate_hz) = self.rate_hz() {
            self.player.seek(frame, rate_hz);
        }
    }

    /// The next speed up or down.
    pub(crate) fn change_speed(&mut self, up: bool) {
        let speed = self.speed();
        let next = match up {
            true => SPEEDS.into_iter().find(|s| *s > speed + 1e-3),
            false => SPEEDS.into_iter().rev().find(|s| *s < speed - 1e-3),
        };
        self.set_speed(next.unwrap_or(speed));
    }

    /// Goes to a frame, and plays on from there if it plays.
    pub(crate) fn seek(&mut self, frame: u64) {
        let Some(rate_hz) = self.rate_hz() else { return };
        let last = self.flip_book().map_or(u64::MAX, |book| book.frames.len() as u64 - 1);
        self.player.seek(frame.min(last), rate_hz);
        self.catch_up();
    }

    /// To the last frame, where there is one.
    pub(crate) fn seek_end(&mut self) {
        if self.flip_book().is_some() {
            self.seek(u64::MAX);
        }
    }

    /// Goes to the frame this many further on; a flip-book comes round.
    pub(crate) fn step(&mut self, frames: i64) {
        let Some(rate_hz) = self.rate_hz() else { return };
        let at = self.player.frame(rate_hz) as i64 + frames;
        let at = match self.flip_book() {
            Some(book) => at.rem_euclid(book.frames.len() as i64),
            None => at.max(0),
        };
        self.player.playing = false;
        self.player.seek(at as u64, rate_hz);
        self.catch_up();
    }

    pub(crate) fn transport(&mut self, command: TransportCommand) {
        use TransportCommand as C;
        match command {
            C::TogglePlay => self.player.playing = !self.player.playing,
            C::Seek(frame) => self.seek(frame.max(0.0) as u64),
            C::Step(frames) => self.step(i64::from(frames)),
            C::SeekStart => self.seek(0),
            C::SeekEnd => self.seek_end(),
            C::SetSpeed(speed) => self.set_speed(speed),
            C::Faster => self.change_speed(true),
            C::Slower => self.change_speed(false),
            // It begins again by itself, or never ends.
            C::SetLoop(_) | C::CycleLoop => {}
            // Only clips run backwards and have keys and ranges.
            C::Reverse | C::StepKey(_) | C::SetRange(..) | C::RangeFromHere | C::RangeToHere | C::ClearRange => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_was_sought_is_the_one_that_is_shown() {
        for rate_hz in [0.5, 7.0, 15.0, 29.97, 60.0, 120.0] {
            for frame in (0..2_000).step_by(7) {
                let mut player = PicturePlayer::default();
                player.seek(frame, rate_hz);
                assert_eq!(player.frame(rate_hz), frame, "{rate_hz} Hz");
                let wait = player.until_next_secs(rate_hz);
                assert!(wait > 0.0 && wait <= 1.0 / f64::from(rate_hz) + 1e-6);
                player.time_secs += wait;
                assert_eq!(player.frame(rate_hz), frame + 1);
            }
        }
    }
}
