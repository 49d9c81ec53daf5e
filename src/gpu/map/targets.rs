//! Pictures of what is seen through windows.

use crate::gpu::buffers::filled;
use crate::gpu::layouts::MaterialData;
use crate::gpu::model::Shared;
use crate::gpu::target::COLOR_FORMAT;
use crate::gpu::{GpuContext, GpuError, RenderTarget};
use std::sync::Arc;

/// Room for pictures of what is seen through windows, kept from picture to picture.
#[derive(Default)]
pub(super) struct WindowTargets {
    /// What is drawn into, by depth: seen through one window, through a window in that, and so on. None while it is drawn into.
    depths: Vec<Option<RenderTarget>>,
    /// What was drawn.
    pictures: Vec<WindowPicture>,
    /// How many of those are still needed.
    pub used: usize,
    /// Windows of the present picture.
    pub drawn: usize,
    /// Of all of them.
    size: (u32, u32),
    samples: u32,
}

/// What is seen through one window.
struct WindowPicture {
    texture: wgpu::Texture,
    /// As a material.
    group: wgpu::BindGroup,
}

impl WindowTargets {
    /// Begins a picture of this size.
    pub fn begin(&mut self, size: (u32, u32), samples: u32) {
        if (self.size, self.samples) != (size, samples) {
            *self = Self { size, samples, ..Self::default() };
        }
        (self.used, self.drawn) = (0, 0);
    }

    /// What is drawn into at a depth; to be given back.
    pub fn take(&mut self, context: &Arc<GpuContext>, depth: usize) -> Result<RenderTarget, GpuError> {
        match self.depths.get_mut(depth).and_then(Option::take) {
            Some(target) => Ok(target),
            None => RenderTarget::new(context, self.size.0, self.size.1, self.samples),
        }
    }

    pub fn give_back(&mut self, depth: usize, target: RenderTarget) {
        if self.depths.len() <= depth {
            self.depths.resize_with(depth + 1, || None);
        }
        if let Some(slot) = self.depths.get_mut(depth) {
            *slot = Some(target);
        }
    }

    /// Keeps what was drawn: its place among the pictures.
    pub fn keep(
        &mut self,
        context: &Arc<GpuContext>,
        shared: &Shared<'_>,
        drawn: &RenderTarget,
    ) -> Result<usize, GpuError> {
        let place = self.used;
        if self.pictures.len() <= place {
            self.pictures.push(WindowPicture::new(context, shared, self.size)?);
        }
        if let Some(picture) = self.pictures.get(place) {
            let mut encoder = context.device().create_command_encoder(&Default::default());
            let (from, to) = (drawn.color().as_image_copy(), picture.texture.as_image_copy());
            encoder.copy_texture_to_texture(from, to, picture.texture.size());
            context.queue().submit([encoder.finish()]);
        }
        self.used += 1;
        Ok(place)
    }

    pub fn picture(&self, place: usize) -> Option<&wgpu::BindGroup> {
        self.pictures.get(place).map(|picture| &picture.group)
    }
}

impl WindowPicture {
    fn new(context: &GpuContext, shared: &Shared<'_>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        context.scoped("the picture of a window", || {
            let texture = context.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("window"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: COLOR_FORMAT,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let data = MaterialData::default();
            let uniform = filled(context, "window", bytemuck::bytes_of(&data), wgpu::BufferUsages::UNIFORM);
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let resource = |binding, resource| wgpu::BindGroupEntry { binding, resource };
            let group = context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("window"),
                layout: &shared.layouts.material,
                entries: &[
                    resource(0, uniform.as_entire_binding()),
                    resource(1, wgpu::BindingResource::TextureView(&view)),
                    resource(2, wgpu::BindingResource::Sampler(shared.clamped)),
                    resource(3, wgpu::BindingResource::TextureView(shared.white)),
                    resource(4, wgpu::BindingResource::Sampler(shared.clamped)),
                ],
            });
            Self { texture, group }
        })
    }
}
