//! Playing sounds and rendered music (feature `audio`). The device is opened by a thread of its own when something is first
//! played, so nobody waits for it. Without the feature or a device [`SoundPlayer::trouble`] says so; what is shown does not
//! depend on it.

#[cfg(feature = "audio")]
mod device;
mod peaks;
mod stream;

pub use peaks::Peaks;
pub use peaks::wave_picture;
pub use stream::Waker;
pub use stream::advance;

use crate::scene::Pcm;
use std::{ops::Range, sync::Arc};
use stream::{Shared, Stream};
use stream::{Trouble, lock};

/// Plays one sound at a time.
pub struct SoundPlayer {
    pcm: Option<Arc<Pcm>>,
    /// Sample frames that repeat.
    range: Range<usize>,
    shared: Arc<Shared>,
    trouble: Trouble,
    /// The stream of the loaded sound is in the device's hands.
    started: bool,
    #[cfg(feature = "audio")]
    device: device::Device,
}

impl SoundPlayer {
    /// A player with nothing to play yet. `wake` is called from the device's thread.
    pub fn new(wake: Waker) -> Self {
        let trouble = Trouble::default();
        #[cfg(not(feature = "audio"))]
        drop(wake);
        Self {
            pcm: None,
            range: 0..0,
            shared: Arc::new(Shared::default()),
            #[cfg(feature = "audio")]
            device: device::Device::new(trouble.clone(), wake),
            trouble,
            started: false,
        }
    }

    /// Puts a sound in, at its start and not playing. `range` is what repeats while looping, in sample frames; the whole sound
    /// when it is empty.
    pub fn load(&mut self, pcm: Arc<Pcm>, range: Range<usize>) {
        let (volume, looping) = (self.volume(), self.is_looping());
        self.unload();
        self.range = if range.is_empty() { 0..pcm.frames() } else { range };
        self.pcm = Some(pcm);
        self.set_volume(volume);
        self.set_looping(looping);
    }

    /// Stops, and lets go of the sound.
    pub fn unload(&mut self) {
        self.shared.end();
        self.shared = Arc::new(Shared::with_volume(self.volume()));
        self.pcm = None;
        self.started = false;
    }

    /// Plays on, from the start when it was at the end. Does not wait for the device.
    pub fn play(&mut self) {
        let Some(pcm) = self.pcm.clone().filter(|pcm| pcm.frames() > 0) else { return };
        if self.position() >= pcm.frames() {
            self.seek(0);
        }
        *lock(&self.trouble) = None;
        self.shared.set_playing(true);
        if !self.started {
            self.start(Stream::new(pcm, self.range.clone(), self.shared.clone()));
        }
    }

    #[cfg(feature = "audio")]
    fn start(&mut self, stream: Stream) {
        self.started = true;
        self.device.play(stream);
    }

    #[cfg(not(feature = "audio"))]
    fn start(&mut self, _: Stream) {
        self.shared.set_playing(false);
        let sentence = "This build of Bonebox cannot play sound because the “audio” feature is disabled";
        *lock(&self.trouble) = Some(sentence.to_owned());
    }

    /// Pauses the sound and keeps its position.
    pub fn pause(&mut self) {
        self.shared.set_playing(false);
    }

    /// Goes to a sample frame, at once and without waiting.
    pub fn seek(&mut self, frame: usize) {
        let frames = self.pcm.as_ref().map_or(0, |pcm| pcm.frames());
        self.shared.seek(frame.min(frames));
    }

    /// The sample frame that plays next.
    pub fn position(&self) -> usize {
        self.shared.position()
    }

    /// Returns `true` while the sound plays.
    pub fn is_playing(&self) -> bool {
        self.shared.is_playing()
    }

    /// 0 … 1, as loud as the slider looks: its square scales the samples.
    pub fn volume(&self) -> f32 {
        self.shared.volume()
    }

    /// Sets the volume and clamps it to 0 … 1. A value that is not finite sets 1.
    pub fn set_volume(&mut self, volume: f32) {
        self.shared.set_volume(if volume.is_finite() { volume.clamp(0.0, 1.0) } else { 1.0 });
    }

    /// Returns `true` if the sound repeats.
    pub fn is_looping(&self) -> bool {
        self.shared.is_looping()
    }

    /// Sets whether the sound repeats.
    pub fn set_looping(&mut self, looping: bool) {
        self.shared.set_looping(looping);
    }

    /// Why the last try to play was not heard. What was playing then has stopped.
    pub fn trouble(&mut self) -> Option<String> {
        let trouble = lock(&self.trouble).clone();
        if trouble.is_some() {
            self.shared.set_playing(false);
            self.started = false;
        }
        trouble
    }

    /// Takes samples as a device would, for tests: `frames` frames with channels interleaved.
    pub fn pull(&mut self, frames: usize) -> Vec<f32> {
        let Some(pcm) = self.pcm.clone() else { return Vec::new() };
        let channels = usize::from(pcm.channels);
        Stream::new(pcm, self.range.clone(), self.shared.clone()).take(frames * channels).collect()
    }
}

impl Drop for SoundPlayer {
    fn drop(&mut self) {
        self.shared.end();
    }
}

#[cfg(test)]
mod tests;
