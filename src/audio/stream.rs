//! The samples that a device takes, the controls that steer them from outside without making it wait, and the device's
//! reports.

use crate::scene::Pcm;
use std::{
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed},
    },
};

/// The frame after `frame` of a sound of `frames`; `None` at its end. `range` repeats: whoever reaches its end, or the end of
/// the sound, goes back to its start; what comes before it plays once.
pub fn advance(frame: usize, frames: usize, range: Option<&Range<usize>>) -> Option<usize> {
    let next = frame + 1;
    match range {
        Some(range) if !range.is_empty() && range.start < frames && (next == range.end || next >= frames) => {
            Some(range.start)
        }
        _ => (next < frames).then_some(next),
    }
}

/// What both sides see.
#[derive(Debug)]
pub(super) struct Shared {
    /// The sample frame that plays next.
    position: AtomicUsize,
    playing: AtomicBool,
    looping: AtomicBool,
    /// Nobody steers any more: the device lets go of the sound.
    ended: AtomicBool,
    /// The bits of an `f32`.
    volume: AtomicU32,
}

impl Default for Shared {
    fn default() -> Self {
        Self::with_volume(1.0)
    }
}

impl Shared {
    pub fn with_volume(volume: f32) -> Self {
        Self {
            position: AtomicUsize::new(0),
            playing: AtomicBool::new(false),
            looping: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            volume: AtomicU32::new(volume.to_bits()),
        }
    }

    pub fn position(&self) -> usize {
        self.position.load(Relaxed)
    }

    pub fn seek(&self, frame: usize) {
        self.position.store(frame, Relaxed);
    }

    pub fn is_playing(&self) -> bool {
        self.playing.load(Relaxed)
    }

    pub fn set_playing(&self, playing: bool) {
        self.playing.store(playing, Relaxed);
    }

    pub fn is_looping(&self) -> bool {
        self.looping.load(Relaxed)
    }

    pub fn set_looping(&self, looping: bool) {
        self.looping.store(looping, Relaxed);
    }

    pub fn volume(&self) -> f32 {
        f32::from_bits(self.volume.load(Relaxed))
    }

    pub fn set_volume(&self, volume: f32) {
        self.volume.store(volume.to_bits(), Relaxed);
    }

    pub fn end(&self) {
        self.ended.store(true, Relaxed);
    }
}

/// Samples one after the other, channels interleaved; silence while nothing plays, the end when nobody steers.
pub(super) struct Stream {
    pcm: Arc<Pcm>,
    range: Range<usize>,
    shared: Arc<Shared>,
    /// The channel that comes next.
    channel: usize,
    /// The frame whose channels are being given out; `None` for silence.
    frame: Option<usize>,
    gain: f32,
}

impl Stream {
    pub fn new(pcm: Arc<Pcm>, range: Range<usize>, shared: Arc<Shared>) -> Self {
        Self { pcm, range, shared, channel: 0, frame: None, gain: 0.0 }
    }

    #[cfg(feature = "audio")]
    pub fn pcm(&self) -> &Pcm {
        &self.pcm
    }

    /// Decides which frame is given out next and where the one after it lies.
    fn next_frame(&mut self) {
        let shared = &self.shared;
        self.gain = shared.volume().powi(2) / 32_768.0;
        self.frame = None;
        if !shared.is_playing() {
            return;
        }
        let (at, frames) = (shared.position(), self.pcm.frames());
        let range = shared.is_looping().then_some(&self.range);
        if at < frames {
            self.frame = Some(at);
        }
        let next = if at < frames { advance(at, frames, range) } else { None };
        // Whoever seeks meanwhile has the last word.
        let to = next.unwrap_or(frames);
        if shared.position.compare_exchange(at, to, Relaxed, Relaxed).is_ok() && next.is_none() {
            shared.set_playing(false);
        }
    }
}

impl Iterator for Stream {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.shared.ended.load(Relaxed) {
            return None;
        }
        let channels = usize::from(self.pcm.channels).max(1);
        if self.channel == 0 {
            self.next_frame();
        }
        let sample = self.frame.and_then(|frame| self.pcm.samples.get(frame * channels + self.channel));
        self.channel = (self.channel + 1) % channels;
        Some(sample.map_or(0.0, |sample| f32::from(*sample) * self.gain))
    }
}

/// Called when the device reports something.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Why nothing is heard: one sentence.
pub(super) type Trouble = Arc<Mutex<Option<String>>>;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
