//! Showing sounds and music, and their commands.

use crate::{
    audio::{Peaks, SoundPlayer},
    formats::{
        Asset,
        tracker::{RenderOptions, TrackerError, render},
    },
    scene::{Music, Pcm},
    ui::{
        command::SoundCommand,
        place::Place,
        state::{
            core::Core,
            message::{Message, SoundReady},
            stage::{Stage, StageContent, sound::SoundStage},
        },
    },
};
use std::sync::Arc;

/// Sounds of more samples are laid out for drawing in the background.
const LONG_SAMPLES: usize = 1 << 21;

impl Stage {
    /// Stops the work that prepares the sound.
    pub(crate) fn drop_sound_work(&mut self, core: &mut Core) {
        if let Some(work) = self.content.sound_mut().and_then(|shown| shown.work.take()) {
            core.works.forget(work);
        }
    }

    pub(crate) fn show_sound(&mut self, core: &mut Core, place: Place, asset: Asset) {
        let generation = core.works.fresh_id();
        self.drop_sound_work(core);
        // Whoever listens to one after the other goes on listening.
        let (mut player, mut trouble) = (SoundPlayer::new(core.works.waker()), None);
        let mut wants_to_play = false;
        if let Some(before) = self.content.sound_mut() {
            wants_to_play = before.player.is_playing();
            before.player.unload();
            std::mem::swap(&mut before.player, &mut player);
            trouble = before.trouble.take();
        }
        let problem = match &asset {
            Asset::Sound(sound) => sound.problem.clone(),
            Asset::Music(music) => music.problem.clone(),
            _ => None,
        };
        let shown = SoundStage {
            place,
            asset: asset.clone(),
            generation,
            peaks: None,
            rendering: None,
            work: None,
            problem,
            wants_to_play,
            player,
            trouble,
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
        self.with_sound(|shown| shown.work = Some(work));
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
        self.with_sound(|shown| shown.work = Some(work));
    }

    pub(crate) fn sound_ready(&mut self, core: &mut Core, ready: SoundReady) {
        if let Some(shown) = self.content.sound_mut().filter(|shown| shown.generation == ready.generation) {
            shown.ready(core, ready.result);
        }
    }

    pub(crate) fn apply_sound(&mut self, core: &mut Core, command: SoundCommand) {
        use SoundCommand as C;
        match command {
            C::SetVolume(volume) => self.set_volume(core, volume),
            C::ChangeVolume(by) => self.set_volume(core, core.settings.volume + by),
            C::RenderMusic => self.render_again(core),
            C::TogglePlay => self.with_sound(SoundStage::toggle),
            C::Seek(frame) => self.with_sound(|shown| shown.player.seek(frame)),
            C::ToggleLoop => {
                core.settings.loop_sounds = !core.settings.loop_sounds;
                self.with_sound(|shown| shown.player.set_looping(core.settings.loop_sounds));
            }
        }
    }

    /// Changes the sound, if one is shown.
    fn with_sound(&mut self, change: impl FnOnce(&mut SoundStage)) {
        if let Some(shown) = self.content.sound_mut() {
            change(shown);
        }
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
            self.with_sound(|shown| shown.player.set_volume(core.settings.volume));
        }
    }
}
