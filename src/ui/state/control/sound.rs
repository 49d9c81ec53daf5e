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
            core::Core,
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

impl Stage {
    pub(crate) fn show_sound(&mut self, core: &mut Core, place: Place, asset: Asset) {
        let generation = core.works.fresh_id();
        // Whoever listens to one after the other goes on listening.
        let wants_to_play = self.audio.is_playing();
        self.drop_sound_work(core);
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
        self.take_stage(core, StageContent::Sound(shown));
        match asset {
            Asset::Sound(sound) => {
                if let Some(pcm) = sound.pcm.clone() {
                    self.lay_out(core, pcm, generation);
                }
            }
            Asset::Music(music) if music.plays => self.render_music(core, music, generation),
            _ => {}
        }
    }

    fn lay_out(&mut self, core: &mut Core, pcm: Arc<Pcm>, generation: u64) {
        if pcm.samples.len() <= LONG_SAMPLES {
            self.sound_ready(core, SoundReady { generation, result: Ok((Arc::new(Peaks::new(pcm)), None)) });
            return;
        }
        let sender = self.stage_sender(core);
        let work = core.works.run("Building the waveform", move |_| {
            let result = Ok((Arc::new(Peaks::new(pcm)), None));
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.set_work(Some(work));
    }

    fn render_music(&mut self, core: &mut Core, music: Arc<Music>, generation: u64) {
        let sender = self.stage_sender(core);
        let work = core.works.run(format!("Rendering {}", music.name), move |cx| {
            let mut progress = |done: u64, total: u64| cx.progress(done, total, "seconds of music");
            let rendered = render(&music.bytes, RenderOptions::default(), cx.cancel(), &mut progress);
            let result = match rendered {
                Ok(rendering) => Ok((Arc::new(Peaks::new(rendering.pcm.clone())), Some(Arc::new(rendering)))),
                Err(TrackerError::Cancelled) => return,
                Err(error) => Err(error.to_string()),
            };
            sender.send(Message::SoundReady(SoundReady { generation, result }));
        });
        self.set_work(Some(work));
    }

    pub(crate) fn sound_ready(&mut self, core: &mut Core, ready: SoundReady) {
        let Some(shown) = self.content.sound_mut().filter(|s| s.generation == ready.generation) else {
            return;
        };
        shown.work = None;
        match ready.result {
            Ok((peaks, rendering)) => {
                let pcm = peaks.pcm().clone();
                (shown.peaks, shown.rendering) = (Some(peaks), rendering);
                let range = shown.loops().first().cloned().unwrap_or_default();
                let wants_to_play = std::mem::take(&mut shown.wants_to_play);
                self.audio.load(pcm, range);
                self.audio.set_volume(core.settings.volume);
                self.audio.set_looping(core.settings.loop_sounds);
                if wants_to_play {
                    self.audio.play();
                }
            }
            Err(problem) => {
                let name = shown.name().to_owned();
                shown.problem = Some(problem.clone());
                core.log.push(LogEntry::new(Severity::Warning, &name, format!("cannot be played: {problem}")));
            }
        }
    }

    /// Notices a rendering that was cancelled, and what the sound device has to say.
    pub(crate) fn watch_sound(&mut self, core: &mut Core) {
        let works = &core.works;
        if let Some(shown) = self.content.sound_mut()
            && shown.work.take_if(|id| works.get(*id).is_none()).is_some()
            && shown.peaks.is_none()
        {
            shown.problem.get_or_insert_with(|| "Rendering was cancelled".to_owned());
        }
        if let Some(trouble) = self.audio.trouble()
            && self.sound_trouble.as_ref() != Some(&trouble)
        {
            core.log.push(LogEntry::new(Severity::Warning, "", trouble.clone()));
            self.sound_trouble = Some(trouble);
        }
    }

    pub(crate) fn apply_sound(&mut self, core: &mut Core, command: SoundCommand) {
        use SoundCommand as C;
        match command {
            C::TogglePlay => self.toggle_sound(),
            C::Seek(frame) => self.audio.seek(frame),
            C::SetVolume(volume) => self.set_volume(core, volume),
            C::ChangeVolume(by) => self.set_volume(core, core.settings.volume + by),
            C::ToggleLoop => self.toggle_sound_loop(core),
            C::RenderMusic => self.render_again(core),
        }
    }

    pub(crate) fn toggle_sound_loop(&mut self, core: &mut Core) {
        core.settings.loop_sounds = !core.settings.loop_sounds;
        self.audio.set_looping(core.settings.loop_sounds);
    }

    /// After it was cancelled.
    fn render_again(&mut self, core: &mut Core) {
        let Some(shown) = self.content.sound_mut() else { return };
        if let (Asset::Music(music), true) = (shown.asset.clone(), shown.can_render()) {
            shown.problem = None;
            let generation = shown.generation;
            self.render_music(core, music, generation);
        }
    }

    fn set_volume(&mut self, core: &mut Core, volume: f32) {
        if volume.is_finite() {
            core.settings.volume = volume.clamp(0.0, 1.0);
            self.audio.set_volume(core.settings.volume);
        }
    }
}
