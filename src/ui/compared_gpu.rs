//! Two models of a comparison: beside each other, or over each other, seen by one camera.

use crate::ui::screen::Screen;
use crate::{
    gpu::{GpuContext, GpuError, GpuModel, Item, ItemLook, Mark, SceneRenderer, Shading, Tint, ViewSettings},
    scene::{Frame, Model},
};
use eframe::egui_wgpu;
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

/// What a comparison has on the device, while one is shown.
#[derive(Default)]
pub struct ComparedGpu {
    models: Option<[OnDevice; 2]>,
    screens: [Screen; 2],
    drawn: Option<Drawn>,
    /// It is shown no longer: it goes with the next frame.
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

impl ComparedGpu {
    /// Draws two models, where anything changed: a picture for each, or one for both. `view` is how stages are looked at, with the
    /// comparison's camera.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn draw(
        &mut self,
        renderer: &mut SceneRenderer,
        (window, context): (&egui_wgpu::RenderState, &Arc<GpuContext>),
        wanted: &ComparedModels<'_>,
        samples: u32,
        view: ViewSettings,
    ) -> Result<Vec<egui::TextureId>, GpuError> {
        self.is_left = false;
        let is_same = |known: &[OnDevice; 2]| known.iter().zip(wanted.models).all(|(a, b)| Arc::ptr_eq(&a.model, b));
        if !self.models.as_ref().is_some_and(is_same) {
            self.models = Some(wanted.models.map(|model| OnDevice::new(renderer, model)));
            self.drawn = None;
        }
        let count = if wanted.look == ComparedLook::Beside { 2 } else { 1 };
        for screen in self.screens.iter_mut().take(count) {
            if screen.fit(window, context, wanted.size, samples)? {
                self.drawn = None;
            }
        }
        let now = Drawn { view: compared_view(view, wanted.models), look: wanted.look, size: wanted.size };
        if self.drawn.as_ref() != Some(&now) {
            self.render(renderer, &now)?;
            self.drawn = Some(now);
        }
        Ok(self.screens.iter_mut().take(count).filter_map(|screen| Some(screen.parts()?.1)).collect())
    }

    /// Frees all of it a frame after it was shown last: the present frame may still show it. Says whether it is still to be done.
    pub fn free_left(&mut self, window: &egui_wgpu::RenderState) -> bool {
        if self.models.is_some() && !self.is_left {
            self.is_left = true;
            return true;
        }
        self.free(window);
        false
    }

    /// Takes the pictures from the window, and the models off the device.
    pub fn free(&mut self, window: &egui_wgpu::RenderState) {
        let Self { screens, .. } = std::mem::take(self);
        screens.into_iter().for_each(|screen| screen.free(window));
    }
}

impl OnDevice {
    fn new(renderer: &mut SceneRenderer, model: &Arc<Model>) -> Self {
        let uploaded = renderer
            .upload(model)
            .inspect_err(|error| log::warn!("cannot draw the model “{}”: {error}", model.name))
            .ok();
        Self { model: model.clone(), uploaded, frame: Frame::bind(model) }
    }

    fn item(&self) -> Option<Item<'_>> {
        let model = self.uploaded.as_ref()?;
        Some(Item { model, frame: &self.frame, world_from_model: glam::Affine3A::IDENTITY })
    }
}

impl ComparedGpu {
    fn render(&mut self, renderer: &mut SceneRenderer, now: &Drawn) -> Result<(), GpuError> {
        let items: Vec<Option<Item<'_>>> = self.models.iter().flatten().map(OnDevice::item).collect();
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
}

/// Both as a stage shows a model at first, whatever the stage in front shows.
fn compared_view(view: ViewSettings, models: [&Arc<Model>; 2]) -> ViewSettings {
    ViewSettings {
        shading: Shading::Lit,
        skeleton: models.iter().any(|model| model.triangle_count() == 0),
        selected_joint: None,
        outlined: None,
        grid: false,
        shadow: false,
        wireframe: false,
        normal_lines: false,
        ..view
    }
}
