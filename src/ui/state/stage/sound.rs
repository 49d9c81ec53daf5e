//! The sound or the music on a stage.

use crate::{
    audio::Peaks,
    formats::Asset,
    scene::{Pcm, Rendering},
    ui::{
        place::Place,
        state::{core::Core, stage::Stage},
    },
};
use std::{ops::Range, sync::Arc};

/// What the sound panel shows.
#[derive(Clone, Debug)]
pub struct ShownSound {
    pub place: Place,
    /// A sound or a piece of music.
    pub asset: Asset,
    /// Changes whenever another one is shown.
    pub generation: u64,
    /// The samples, once they are there.
    pub peaks: Option<Arc<Peaks>>,
    /// Music as it sounds, once it is rendered.
    pub rendering: Option<Arc<Rendering>>,
    /// The background work that prepares it.
    pub work: Option<u64>,
    /// Why it cannot be heard: one sentence.
    pub problem: Option<String>,
    /// Play as soon as the samples are there.
    pub(crate) wants_to_play: bool,
}

impl ShownSound {
    pub fn name(&self) -> &str {
        match &self.asset {
            Asset::Sound(sound) => &sound.name,
            Asset::Music(music) => &music.name,
            _ => "",
        }
    }

    /// The encoding by content; empty when it is not known.
    pub fn encoding(&self) -> &'static str {
        match &self.asset {
            Asset::Sound(sound) => sound.encoding,
            Asset::Music(music) => music.encoding,
            _ => "",
        }
    }

    pub fn facts(&self) -> &[(String, String)] {
        match &self.asset {
            Asset::Sound(sound) => &sound.facts,
            Asset::Music(music) => &music.facts,
            _ => &[],
        }
    }

    /// The sample frames that repeat, in the file's order.
    pub fn loops(&self) -> Vec<Range<usize>> {
        match (&self.asset, &self.rendering) {
            (Asset::Sound(sound), _) => sound.loops.clone(),
            (_, Some(rendering)) if rendering.loop_start > 0 => {
                std::iter::once(rendering.loop_start..rendering.pcm.frames()).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn cues(&self) -> &[usize] {
        match &self.asset {
            Asset::Sound(sound) => &sound.cues,
            _ => &[],
        }
    }

    /// Names of instruments and samples.
    pub fn names(&self) -> &[String] {
        match &self.asset {
            Asset::Music(music) => &music.names,
            _ => &[],
        }
    }

    /// Bytes, as it lies in the file.
    pub fn size(&self) -> usize {
        match &self.asset {
            Asset::Sound(sound) => sound.bytes.len(),
            Asset::Music(music) => music.bytes.len(),
            _ => 0,
        }
    }

    pub fn is_music(&self) -> bool {
        matches!(self.asset, Asset::Music(_))
    }

    /// Whether it is music that is neither rendered nor being rendered, and could be.
    pub fn can_render(&self) -> bool {
        matches!(&self.asset, Asset::Music(music) if music.plays) && self.work.is_none() && self.peaks.is_none()
    }

    pub fn pcm(&self) -> Option<&Arc<Pcm>> {
        self.peaks.as_ref().map(|peaks| peaks.pcm())
    }
}

impl Stage {
    /// Stops the work that prepares the sound.
    pub(crate) fn drop_sound_work(&mut self, core: &mut Core) {
        if let Some(work) = self.content.sound_mut().and_then(|shown| shown.work.take()) {
            core.works.forget(work);
        }
    }
}
