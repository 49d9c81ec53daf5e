//! Where selected surfaces are in the picture of a target.

use super::layouts::Layouts;
use super::{GpuContext, GpuError};

/// One red channel: how much of a pixel selected surfaces cover.
pub(super) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// The mask of one target.
pub(super) struct OutlineMask {
    pub view: wgpu::TextureView,
    pub samples_view: Option<wgpu::TextureView>,
    pub group: wgpu::BindGroup,
}

impl OutlineMask {
    pub fn new(
        context: &GpuContext,
        layouts: &Layouts,
        sampler: &wgpu::Sampler,
        (width, height): (u32, u32),
        samples: u32,
    ) -> Result<Self, GpuError> {
        let device = context.device();
        let texture = |samples, more| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("mask"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format: MASK_FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | more,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        context.scoped("outline textures", || {
            let view = texture(1, wgpu::TextureUsages::TEXTURE_BINDING);
            let samples_view = (samples > 1).then(|| texture(samples, wgpu::TextureUsages::empty()));
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("mask"),
                layout: &layouts.shadow_map,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
                ],
            });
            Self { view, samples_view, group }
        })
    }
}
