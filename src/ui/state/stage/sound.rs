//! The sound or piece of music on a stage, and its player.

use crate::{
    audio::{Peaks, SoundPlayer},
    formats::{Asset, Severity},
    scene::{Pcm, Rendering},
    ui::{
        command::TransportCommand,
        place::Place,
        settings::Settings,
        state::{core::Core, log::LogEntry},
    },
};
use std::{ops::Range, sync::Arc};

/// What the sound panel shows.
pub struct SoundStage {
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
    pub player: SoundPlayer,
    /// Why the sound was not heard.
    pub trouble: Option<String>,
}

impl SoundStage {
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

    pub(crate) fn toggle(&mut self) {
        if self.peaks.is_none() {
            self.wants_to_play = !self.wants_to_play && self.work.is_some();
        } else if self.player.is_playing() {
            self.player.pause();
        } else {
            self.trouble = None;
            self.player.play();
        }
    }

    /// Takes the samples, and the rendering of music.
    pub(crate) fn ready(&mut self, core: &mut Core, result: Result<(Arc<Peaks>, Option<Arc<Rendering>>), String>) {
        self.work = None;
        match result {
            Ok((peaks, rendering)) => {
                let pcm = peaks.pcm().clone();
                (self.peaks, self.rendering) = (Some(peaks), rendering);
                let range = self.loops().first().cloned().unwrap_or_default();
                self.player.load(pcm, range);
                self.player.set_volume(core.settings.volume);
                self.player.set_looping(core.settings.loop_sounds);
                if std::mem::take(&mut self.wants_to_play) {
                    self.player.play();
                }
            }
            Err(problem) => {
                let text = format!("cannot be played: {problem}");
                core.log.push(LogEntry::new(Severity::Warning, self.name(), text));
                self.problem = Some(problem);
            }
        }
    }

    /// Notices a rendering that was cancelled, and messages of the sound device.
    pub(crate) fn watch(&mut self, core: &mut Core) {
        if self.work.take_if(|id| core.works.get(*id).is_none()).is_some() && self.peaks.is_none() {
            self.problem.get_or_insert_with(|| "Rendering was cancelled".to_owned());
        }
        if let Some(trouble) = self.player.trouble().filter(|trouble| self.trouble.as_ref() != Some(trouble)) {
            core.log.push(LogEntry::new(Severity::Warning, "", trouble.clone()));
            self.trouble = Some(trouble);
        }
    }

    pub(crate) fn transport(&mut self, settings: &mut Settings, command: TransportCommand) {
        use TransportCommand as C;
        let rate_hz = self.pcm().map_or(1, |pcm| pcm.rate_hz);
        match command {
            C::TogglePlay => self.toggle(),
            C::Seek(secs) => self.player.seek((f64::from(secs.max(0.0)) * f64::from(rate_hz)).round() as usize),
            C::Step(secs) => {
                let by = i64::from(secs) * i64::from(rate_hz);
                let to = (self.player.position() as i64).saturating_add(by).max(0);
                self.player.seek(to as usize);
            }
            C::SeekStart => self.player.seek(0),
            C::SeekEnd => self.player.seek(usize::MAX),
            C::CycleLoop => {
                settings.loop_sounds = !settings.loop_sounds;
                self.player.set_looping(settings.loop_sounds);
            }
            // A sound is heard at its own speed, and its file says what repeats.
            C::SetSpeed(_) | C::Faster | C::Slower | C::SetLoop(_) => {}
            C::Reverse | C::StepKey(_) | C::SetRange(..) | C::RangeFromHere | C::RangeToHere | C::ClearRange => {}
        }
    }
}
