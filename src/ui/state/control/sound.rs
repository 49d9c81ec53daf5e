//! The sound or piece of music on show, and playing it.

use crate::{
    audio::{Peaks, SoundPlayer},
    formats::{
        Asset, Severity,
        tracker::{RenderOptions, TrackerError, render},
    },
    scene::{Music, Pcm},
    ui::{
        command::SoundCommand,
        place::Place,
        state::{
            State,
            log::LogEntry,
            message::{Message, SoundReady},
            stage::{Stage, StageContent, sound::ShownSound},
        },
    },
};
use std::sync::Arc;

/// Sounds of more samples are laid out for drawing in the background.
const LONG_SAMPLES: usize = 1 << 21;

impl Stage {
    pub(in crate::ui) fn set_work(&mut self, work: Option<u64>) {
        if let Some(shown) = self.content.sound_mut() {
            shown.work = work;
        }
    }

    /// What plays sounds: where it is, how loud.
    pub fn sound_player(&self) -> &SoundPlayer {
        &self.audio
    }

    pub(in crate::ui) fn toggle_sound(&mut self) {
        let Some(shown) = self.content.sound_mut() else { return };
        if shown.peaks.is_none() {
            shown.wants_to_play = !shown.wants_to_play && shown.work.is_some();
        } else if self.audio.is_playing() {
            self.audio.pause();
        } else {
            self.sound_trouble = None;
            self.audio.play();
        }
    }
}

impl State {
    pub(in crate::ui::state) fn show_sound(&mut self, place: Place, asset: Asset) {
        let generation = self.core.works.fresh_id();
        // Whoever listens to one after the other goes on listening.
        let wants_to_play = self.stages.front.audio.is_playing();
        self.stages.front.drop_sound_work(&mut self.core);
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

    fn lay_out(&mut self, pcm: Arc<Pcm>, generation: u64) {
        if pcm.samples.len() <= LONG_SAMPLES {
            self.sound_ready(SoundReady { generation, result: Ok((Arc::new(Peaks::new(pcm)), None)) });
            return;
        }
        let sender = self.stage_sender();
        let work = self.core.works.run("Building the waveform", move |_| {
            let result = Ok((Arc::new(Peaks::new(pcm)), None));
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.stages.front.set_work(Some(work));
    }

    fn render_music(&mut self, music: Arc<Music>, generation: u64) {
        let sender = self.stage_sender();
        let work = self.core.works.run(format!("Rendering {}", music.name), move |cx| {
            let mut progress = |done: u64, total: u64| cx.progress(done, total, "seconds of music");
            let rendered = render(&music.bytes, RenderOptions::default(), cx.cancel(), &mut progress);
            let result = match rendered {
                Ok(rendering) => Ok((Arc::new(Peaks::new(rendering.pcm.clone())), Some(Arc::new(rendering)))),
                Err(TrackerError::Cancelled) => return,
                Err(error) => Err(error.to_string()),
            };
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.stages.front.set_work(Some(work));
    }

    pub(in crate::ui::state) fn sound_ready(&mut self, ready: SoundReady) {
        let Some(shown) = self.stages.front.content.sound_mut().filter(|s| s.generation == ready.generation) else {
            return;
        };
        shown.work = None;
        match ready.result {
            Ok((peaks, rendering)) => {
                let pcm = peaks.pcm().clone();
                (shown.peaks, shown.rendering) = (Some(peaks), rendering);
                let range = shown.loops().first().cloned().unwrap_or_default();
                let wants_to_play = std::mem::take(&mut shown.wants_to_play);
                self.stages.front.audio.load(pcm, range);
                self.stages.front.audio.set_volume(self.core.settings.volume);
                self.stages.front.audio.set_looping(self.core.settings.loop_sounds);
                if wants_to_play {
                    self.stages.front.audio.play();
                }
            }
            Err(problem) => {
                let name = shown.name().to_owned();
                shown.problem = Some(problem.clone());
                self.core.log.push(LogEntry::new(Severity::Warning, &name, format!("cannot be played: {problem}")));
            }
        }
    }

    /// Notices a rendering that was cancelled, and what the sound device has to say.
    pub(in crate::ui::state) fn watch_sound(&mut self) {
        let works = &self.core.works;
        if let Some(shown) = self.stages.front.content.sound_mut()
            && shown.work.take_if(|id| works.get(*id).is_none()).is_some()
            && shown.peaks.is_none()
        {
            shown.problem.get_or_insert_with(|| "Rendering was cancelled".to_owned());
        }
        if let Some(trouble) = self.stages.front.audio.trouble()
            && self.stages.front.sound_trouble.as_ref() != Some(&trouble)
        {
            self.core.log.push(LogEntry::new(Severity::Warning, "", trouble.clone()));
            self.stages.front.sound_trouble = Some(trouble);
        }
    }

    pub(in crate::ui::state) fn apply_sound(&mut self, command: SoundCommand) {
        use SoundCommand as C;
        match command {
            C::TogglePlay => self.stages.front.toggle_sound(),
            C::Seek(frame) => self.stages.front.audio.seek(frame),
            C::SetVolume(volume) => self.set_volume(volume),
            C::ChangeVolume(by) => self.set_volume(self.core.settings.volume + by),
            C::ToggleLoop => self.toggle_sound_loop(),
            C::RenderMusic => self.render_again(),
        }
    }

    pub(in crate::ui::state) fn toggle_sound_loop(&mut self) {
        self.core.settings.loop_sounds = !self.core.settings.loop_sounds;
        self.stages.front.audio.set_looping(self.core.settings.loop_sounds);
    }

    /// After it was cancelled.
    fn render_again(&mut self) {
        let Some(shown) = self.stages.front.content.sound_mut() else { return };
        if let (Asset::Music(music), true) = (shown.asset.clone(), shown.can_render()) {
            shown.problem = None;
            let generation = shown.generation;
            self.render_music(music, generation);
        }
    }

    fn set_volume(&mut self, volume: f32) {
        if volume.is_finite() {
            self.core.settings.volume = volume.clamp(0.0, 1.0);
            self.stages.front.audio.set_volume(self.core.settings.volume);
        }
    }
}
