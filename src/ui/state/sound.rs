//! The sound or piece of music on show, and playing it.

use super::{LogEntry, Place, StageContent, State, receiving::Message};
use crate::{
    audio::{Peaks, SoundPlayer},
    formats::{
        Asset, Severity,
        tracker::{RenderOptions, TrackerError, render},
    },
    scene::{Music, Pcm, Rendering},
    ui::command::Command,
};
use std::{ops::Range, sync::Arc};

/// Sounds of more samples are laid out for drawing in the background.
const LONG_SAMPLES: usize = 1 << 21;

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
    wants_to_play: bool,
}

/// A sound that is ready to be drawn and played.
pub struct SoundReady {
    generation: u64,
    result: Result<(Arc<Peaks>, Option<Arc<Rendering>>), String>,
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

impl State {
    pub(super) fn show_sound(&mut self, place: Place, asset: Asset) {
        let generation = self.fresh_id();
        // Whoever listens to one after the other goes on listening.
        let wants_to_play = self.stage.audio.is_playing();
        self.drop_sound_work();
        let problem = match &asset {
            Asset::Sound(sound) => sound.problem.clone(),
            Asset::Music(music) => music.problem.clone(),
            _ => None,
        };
        let shown = ShownSound {
            place,
            asset: asset.clone(),
            generation,
            peaks: None,
            rendering: None,
            work: None,
            problem,
            wants_to_play,
        };
        self.take_stage(StageContent::Sound(shown));
        match asset {
            Asset::Sound(sound) => {
                if let Some(pcm) = sound.pcm.clone() {
                    self.lay_out(pcm, generation);
                }
            }
            Asset::Music(music) if music.plays => self.render_music(music, generation),
            _ => {}
        }
    }

    /// Ends the work for the sound that was on show.
    pub(super) fn drop_sound_work(&mut self) {
        if let Some(work) = self.stage.content.sound_mut().and_then(|shown| shown.work.take()) {
            self.works.retain(|w| w.id != work);
        }
    }

    fn lay_out(&mut self, pcm: Arc<Pcm>, generation: u64) {
        if pcm.samples.len() <= LONG_SAMPLES {
            self.sound_ready(SoundReady { generation, result: Ok((Arc::new(Peaks::new(pcm)), None)) });
            return;
        }
        let sender = self.stage_sender();
        let work = self.run_in_background("Laying out a long sound", move |_| {
            let result = Ok((Arc::new(Peaks::new(pcm)), None));
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.set_work(Some(work));
    }

    fn render_music(&mut self, music: Arc<Music>, generation: u64) {
        let sender = self.stage_sender();
        let work = self.run_in_background(format!("Rendering {}", music.name), move |cx| {
            let mut progress = |done: u64, total: u64| cx.progress(done, total, "seconds of music");
            let rendered = render(&music.bytes, RenderOptions::default(), cx.cancel_flag(), &mut progress);
            let result = match rendered {
                Ok(rendering) => Ok((Arc::new(Peaks::new(rendering.pcm.clone())), Some(Arc::new(rendering)))),
                Err(TrackerError::Cancelled) => return,
                Err(error) => Err(error.to_string()),
            };
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.set_work(Some(work));
    }

    fn set_work(&mut self, work: Option<u64>) {
        if let Some(shown) = self.stage.content.sound_mut() {
            shown.work = work;
        }
    }

    pub(super) fn sound_ready(&mut self, ready: SoundReady) {
        let Some(shown) = self.stage.content.sound_mut().filter(|s| s.generation == ready.generation) else { return };
        shown.work = None;
        match ready.result {
            Ok((peaks, rendering)) => {
                let pcm = peaks.pcm().clone();
                (shown.peaks, shown.rendering) = (Some(peaks), rendering);
                let range = shown.loops().first().cloned().unwrap_or_default();
                let wants_to_play = std::mem::take(&mut shown.wants_to_play);
                self.stage.audio.load(pcm, range);
                self.stage.audio.set_volume(self.settings.volume);
                self.stage.audio.set_looping(self.settings.loop_sounds);
                if wants_to_play {
                    self.stage.audio.play();
                }
            }
            Err(problem) => {
                let name = shown.name().to_owned();
                shown.problem = Some(problem.clone());
                self.log.push(LogEntry::new(Severity::Warning, &name, format!("cannot be played: {problem}")));
            }
        }
    }

    /// Notices a rendering that was cancelled, and what the sound device has to say.
    pub(super) fn watch_sound(&mut self) {
        let works = &self.works;
        if let Some(shown) = self.stage.content.sound_mut()
            && shown.work.take_if(|id| !works.iter().any(|w| w.id == *id)).is_some()
            && shown.peaks.is_none()
        {
            shown.problem.get_or_insert_with(|| "Rendering it was cancelled".to_owned());
        }
        if let Some(trouble) = self.stage.audio.trouble()
            && self.stage.sound_trouble.as_ref() != Some(&trouble)
        {
            self.log.push(LogEntry::new(Severity::Warning, "", trouble.clone()));
            self.stage.sound_trouble = Some(trouble);
        }
    }

    /// What plays sounds: where it is, how loud.
    pub fn sound_player(&self) -> &SoundPlayer {
        &self.stage.audio
    }

    pub(super) fn apply_sound(&mut self, command: Command) {
        use Command as C;
        let rate_hz = self.stage.sound().and_then(ShownSound::pcm).map_or(1, |pcm| pcm.rate_hz);
        match command {
            C::ToggleSound | C::TogglePlay => self.toggle_sound(),
            C::SeekSound(frame) => self.stage.audio.seek(frame),
            C::Seek(seconds) => {
                // Past the end it is held there.
                self.stage.audio.seek((f64::from(seconds.max(0.0)) * f64::from(rate_hz)).round() as usize);
            }
            C::SeekStart => self.stage.audio.seek(0),
            C::SeekEnd => self.stage.audio.seek(usize::MAX),
            C::Step(seconds) => {
                let by = i64::from(seconds) * i64::from(rate_hz);
                let to = (self.stage.audio.position() as i64).saturating_add(by).max(0);
                self.stage.audio.seek(to as usize);
            }
            C::SetVolume(volume) => self.set_volume(volume),
            C::ChangeVolume(by) => self.set_volume(self.settings.volume + by),
            C::ToggleSoundLoop | C::CycleLoop => {
                self.settings.loop_sounds = !self.settings.loop_sounds;
                self.stage.audio.set_looping(self.settings.loop_sounds);
            }
            C::RenderMusic => self.render_again(),
            _ => {}
        }
    }

    fn toggle_sound(&mut self) {
        let Some(shown) = self.stage.content.sound_mut() else { return };
        if shown.peaks.is_none() {
            shown.wants_to_play = !shown.wants_to_play && shown.work.is_some();
        } else if self.stage.audio.is_playing() {
            self.stage.audio.pause();
        } else {
            self.stage.sound_trouble = None;
            self.stage.audio.play();
        }
    }

    /// After it was cancelled.
    fn render_again(&mut self) {
        let Some(shown) = self.stage.content.sound_mut() else { return };
        if let (Asset::Music(music), true) = (shown.asset.clone(), shown.can_render()) {
            shown.problem = None;
            let generation = shown.generation;
            self.render_music(music, generation);
        }
    }

    fn set_volume(&mut self, volume: f32) {
        if volume.is_finite() {
            self.settings.volume = volume.clamp(0.0, 1.0);
            self.stage.audio.set_volume(self.settings.volume);
        }
    }
}
