use crate::gpu::{GpuContext, GpuError, RenderTarget, WINDOW_FILTER};
use eframe::egui_wgpu;
use std::sync::Arc;

/// What is drawn into, and the texture that the window shows of it.
#[derive(Default)]
pub struct Screen {
    target: Option<RenderTarget>,
    texture: Option<egui::TextureId>,
}

impl Screen {
    /// Gives it this many pixels. Says whether it is another one now, with nothing on it.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn fit(
        &mut self,
        window: &egui_wgpu::RenderState,
        context: &Arc<GpuContext>,
        size: (u32, u32),
        samples: u32,
    ) -> Result<bool, GpuError> {
        // The target knows 1 and 4 samples only.
        let samples = if samples > 1 { 4 } else { 1 };
        let changed = match &mut self.target {
            Some(target) if target.samples() == samples => target.resize(size.0, size.1)?,
            _ => {
                self.target = Some(RenderTarget::new(context, size.0, size.1, samples)?);
                true
            }
        };
        let Some(target) = self.target.as_ref().filter(|_| changed) else { return Ok(false) };
        let mut egui = window.renderer.write();
        match self.texture {
            Some(id) => {
                egui.update_egui_texture_from_wgpu_texture(&window.device, target.color_view(), WINDOW_FILTER, id);
            }
            None => {
                self.texture = Some(egui.register_native_texture(&window.device, target.color_view(), WINDOW_FILTER));
            }
        }
        Ok(true)
    }

    /// `None` before it has a size.
    pub fn parts(&mut self) -> Option<(&mut RenderTarget, egui::TextureId)> {
        self.target.as_mut().zip(self.texture)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> Option<(u32, u32)> {
        self.target.as_ref().map(RenderTarget::size)
    }

    /// Takes the texture from the window.
    pub fn free(self, window: &egui_wgpu::RenderState) {
        if let Some(texture) = self.texture {
            window.renderer.write().free_texture(&texture);
        }
    }
}
