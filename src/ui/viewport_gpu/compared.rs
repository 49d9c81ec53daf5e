//! Two models of a comparison: beside each other, or over each other, seen by one camera.

use super::{Screen, ViewportGpu, view_settings};
use crate::{
    gpu::{GpuError, GpuModel, Item, ItemLook, Mark, SceneRenderer, Shading, Tint, ViewSettings},
    scene::{Frame, Model},
    ui::state::{StageContent, State},
};
use std::sync::Arc;

/// How the two are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedLook {
    /// Each has a picture of its own.
    Beside,
    /// In one picture, in two colours.
    Over,
}

impl ComparedLook {
    /// Colours of two models that lie over each other.
    pub const TINTS: [Tint; 2] = [Tint::Orange, Tint::Blue];
}

/// Two models, on the left and on the right.
#[derive(Clone, Copy)]
pub struct ComparedModels<'a> {
    pub models: [&'a Arc<Model>; 2],
    pub look: ComparedLook,
    /// Pixels of each picture.
    pub size: (u32, u32),
}

/// What a comparison has on the device.
pub struct ComparedPicture {
    models: [OnDevice; 2],
    screens: [Screen; 2],
    drawn: Option<Drawn>,
    /// The comparison is no longer shown: it goes with the next frame.
    is_left: bool,
}

struct OnDevice {
    model: Arc<Model>,
    /// Nothing where the device refused it.
    uploaded: Option<GpuModel>,
    frame: Frame,
}

#[derive(PartialEq)]
struct Drawn {
    view: ViewSettings,
    look: ComparedLook,
    size: (u32, u32),
}

impl ViewportGpu {
    /// Draws two models with the camera of the comparison; one picture for each, or one for both.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn draw_compared(
        &mut self,
        state: &State,
        wanted: &ComparedModels<'_>,
    ) -> Result<Vec<egui::TextureId>, GpuError> {
        let samples = state.settings.samples.unwrap_or_else(|| self.context.default_samples());
        let Self { window, context, renderer, compared, .. } = self;
        let is_known = |picture: &ComparedPicture| {
            picture.models.iter().zip(wanted.models).all(|(known, model)| Arc::ptr_eq(&known.model, model))
        };
        if !compared.as_ref().is_some_and(is_known) {
            let screens = compared.take().map(|old| old.screens).unwrap_or_default();
            let models = wanted.models.map(|model| OnDevice::new(renderer, model));
            *compared = Some(ComparedPicture { models, screens, drawn: None, is_left: false });
        }
        let Some(picture) = compared else { return Err(GpuError::Lost) };
        picture.is_left = false;
        let count = if wanted.look == ComparedLook::Beside { 2 } else { 1 };
        for screen in picture.screens.iter_mut().take(count) {
            if screen.fit(window, context, wanted.size, samples)? {
                picture.drawn = None;
            }
        }
        let now = Drawn { view: compared_view(state, wanted.models), look: wanted.look, size: wanted.size };
        if picture.drawn.as_ref() != Some(&now) {
            picture.draw(renderer, &now)?;
            picture.drawn = Some(now);
        }
        let textures = picture.screens.iter_mut().take(count).filter_map(|screen| Some(screen.parts()?.1));
        Ok(textures.collect())
    }

    /// Frees the models of a comparison that is shown no longer, a frame later than the last that may show them. Says whether it is
    /// still to be done.
    pub(super) fn free_compared(&mut self, state: &State) -> bool {
        if state.stages().any(|stage| matches!(stage.content, StageContent::Compare)) {
            return false;
        }
        match &mut self.compared {
            Some(picture) if !picture.is_left => {
                picture.is_left = true;
                true
            }
            Some(_) => {
                if let Some(picture) = self.compared.take() {
                    picture.free(&self.window);
                }
                false
            }
            None => false,
        }
    }
}

impl OnDevice {
    fn new(renderer: &mut SceneRenderer, model: &Arc<Model>) -> Self {
        let uploaded = renderer.upload(model).inspect_err(|error| log::warn!("{}: {error}", model.name)).ok();
        Self { model: model.clone(), uploaded, frame: Frame::bind(model) }
    }

    fn item(&self) -> Option<Item<'_>> {
        let model = self.uploaded.as_ref()?;
        Some(Item { model, frame: &self.frame, world_from_model: glam::Affine3A::IDENTITY })
    }
}

impl ComparedPicture {
    fn draw(&mut self, renderer: &mut SceneRenderer, now: &Drawn) -> Result<(), GpuError> {
        let items: Vec<Option<Item<'_>>> = self.models.iter().map(OnDevice::item).collect();
        let plain = ItemLook { mark: Mark::Nothing, ..ItemLook::default() };
        match now.look {
            ComparedLook::Beside => {
                for (screen, item) in self.screens.iter_mut().zip(items) {
                    let Some((target, _)) = screen.parts() else { continue };
                    let items: Vec<Item<'_>> = item.into_iter().collect();
                    let looks = vec![plain; items.len()];
                    renderer.render_looks(target, &now.view, &items, &looks, &[])?;
                }
            }
            ComparedLook::Over => {
                let tinted = items
                    .into_iter()
                    .zip(ComparedLook::TINTS)
                    .filter_map(|(item, tint)| Some((item?, ItemLook { tint: Some(tint), ghost: true, ..plain })));
                let (items, looks): (Vec<Item<'_>>, Vec<ItemLook>) = tinted.unzip();
                if let Some((target, _)) = self.screens.first_mut().and_then(Screen::parts) {
                    renderer.render_looks(target, &now.view, &items, &looks, &[])?;
                }
            }
        }
        Ok(())
    }

    pub fn free(self, window: &eframe::egui_wgpu::RenderState) {
        self.screens.into_iter().for_each(|screen| screen.free(window));
    }
}

/// How both are looked at: by the comparison's camera, otherwise as a stage shows a model at first.
fn compared_view(state: &State, models: [&Arc<Model>; 2]) -> ViewSettings {
    ViewSettings {
        camera: state.comparing.camera,
        shading: Shading::Lit,
        skeleton: models.iter().any(|model| model.triangle_count() == 0),
        selected_joint: None,
        outlined: None,
        grid: false,
        shadow: false,
        wireframe: false,
        normal_lines: false,
        ..view_settings(state)
    }
}
