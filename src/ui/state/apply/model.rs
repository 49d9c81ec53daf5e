//! The model on the stage and its clips.

use crate::{
    scene::{PoseOptions, Translation},
    ui::{
        command::ModelCommand,
        settings::BLENDS,
        state::{
            State,
            core::Core,
            stage::{Stage, playback::PlayMode},
        },
    },
};

impl State {
    pub(crate) fn apply_model(&mut self, command: ModelCommand) {
        use ModelCommand as C;
        let player = &mut self.stages.front.playback.player;
        match command {
            C::Pick(place) => return self.stages.front.pick_in_model(&mut self.core, place),
            C::UseAsTexture(place) => return self.use_as_texture(place),
            C::TextureMaterial(material, image) => return self.texture_material(material, image),
            C::ChooseTexture(material) => return self.stages.front.textures.choosing = material,
            C::OpenTexture(material) => return self.stages.front.open_texture(&mut self.core, material),
            C::OwnTextures => return self.stages.front.own_textures(),
            C::PlayAnyway(place) => return self.stages.front.play_clip(&mut self.core, place, PlayMode::Anyway),
            C::SeekCurves(frame) => return self.stages.front.seek_curves(frame),
            C::ShowCurvesOf(kind) => return self.stages.front.show_curves_of(&mut self.core, kind),
            C::NextClip(by) => self.stages.front.next_clip(&mut self.core, by),
            C::Layer(layer, change) => self.stages.front.change_layer(layer, change),
            C::SetAssumedRate(rate_hz) => player.set_assumed_rate_hz(rate_hz),
            C::SetPoseOptions(options) => {
                let before = std::mem::replace(&mut player.options, options);
                if before.bind_pose != options.bind_pose {
                    self.stages.front.frame_model();
                }
            }
            C::ShowBindPose(place) => {
                let options = PoseOptions { bind_pose: true, ..player.options };
                if self.stages.front.model().is_some_and(|shown| shown.place == place) {
                    self.apply_model(C::SetPoseOptions(options));
                }
            }
            C::SetBlend(secs) => {
                self.core.settings.blend_secs = if BLENDS.contains(&secs) { secs } else { 0.0 };
                self.stages.front.playback.fade = None;
            }
            C::StopClip => self.stages.front.stop_clip(),
            C::SetMorph(index, weight) => {
                if let Some(slot) = player.morph_weights.get_mut(index) {
                    *slot = if weight.is_finite() { weight } else { 0.0 };
                }
            }
            C::ResetMorphs => player.morph_weights.fill(0.0),
            C::SetLevel(level) => self.stages.front.view.level = level,
            C::SetTranslation(translation) => self.stages.front.set_translation(&mut self.core, translation),
            C::CycleTranslation => self.stages.front.set_translation(
                &mut self.core,
                match self.stages.front.playback.options.translation {
                    Translation::Auto => Translation::Clip,
                    Translation::Clip => Translation::Mesh,
                    Translation::Mesh => Translation::Auto,
                },
            ),
            C::SetAdditive(on) => {
                self.stages.front.playback.options.additive = on;
                self.stages.front.play_again(&mut self.core);
            }
            C::SetRootConjugate(rule) => {
                self.core.load_options.root_conjugate = rule;
                self.stages.front.reload(&mut self.core);
            }
            C::SetSwapRedBlue(on) => {
                self.core.load_options.swap_red_blue = on;
                self.stages.front.reload(&mut self.core);
            }
        }
        self.stages.front.playback.revision += 1;
    }
}

impl Stage {
    /// Reads the shown model and its clip again, because what they decode to has changed.
    fn reload(&mut self, core: &mut Core) {
        if let Some(place) = self.model().map(|s| s.place) {
            self.show(core, place);
        }
    }
}
