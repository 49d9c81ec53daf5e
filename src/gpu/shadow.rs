//! The soft shadow where models stand: seen from under the floor into a small picture, blurred, drawn on the floor.

use super::globals::ShadowArea;
use super::layouts::Layouts;
use super::{GpuContext, GpuError, Item};
use crate::scene::Aabb;

/// One red channel: how dark the floor is.
pub(super) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Between the samples of the blur, as a share of the side: the shadow reaches about a tenth of its area's size beyond what
/// casts it.
pub(super) const BLUR_STEP: f64 = 3.0 / 256.0;

/// Pixels along a side; blurring is much of the work on the CPU.
pub(super) fn shadow_map_size(context: &GpuContext) -> u32 {
    if context.is_software() { 128 } else { 256 }
}

/// More items than this cast none: it would cost more than it shows.
const MAX_ITEMS: usize = 64;

/// Two pictures that blurring goes back and forth between.
pub(super) struct ShadowMap {
    views: [wgpu::TextureView; 2],
    groups: [wgpu::BindGroup; 2],
}

impl ShadowMap {
    pub fn new(context: &GpuContext, layouts: &Layouts) -> Result<Self, GpuError> {
        let (device, size) = (context.device(), shadow_map_size(context));
        context.scoped("shadow map textures", || {
            let views = [(); 2].map(|()| {
                let texture = device.create_texture(&wgpu::TextureDescriptor {
                    label: Some("shadow map"),
                    size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: SHADOW_FORMAT,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                    view_formats: &[],
                });
                texture.create_view(&wgpu::TextureViewDescriptor::default())
            });
            let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            });
            let group = |view: &wgpu::TextureView| {
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("shadow map"),
                    layout: &layouts.shadow_map,
                    entries: &[
                        wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
                        wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
                    ],
                })
            };
            let groups = [group(&views[0]), group(&views[1])];
            Self { views, groups }
        })
    }

    /// What casters draw into.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.views[0]
    }

    /// The finished shadow.
    pub fn group(&self) -> &wgpu::BindGroup {
        &self.groups[0]
    }

    /// Blurs there and back.
    pub fn blur(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        across: &wgpu::RenderPipeline,
        down: &wgpu::RenderPipeline,
    ) {
        for (from, to, pipeline) in [(0, 1, across), (1, 0, down)] {
            let mut pass = pass(encoder, &self.views[to]);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, globals, &[]);
            pass.set_bind_group(1, &self.groups[from], &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

/// A pass that starts from light.
pub(super) fn pass<'a>(encoder: &'a mut wgpu::CommandEncoder, view: &wgpu::TextureView) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("shadow"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// Where the items' shadow falls; `None` when they cast none on this floor.
pub(super) fn area_of(items: &[Item<'_>], floor_y: f32) -> Option<ShadowArea> {
    if items.is_empty() || items.len() > MAX_ITEMS {
        return None;
    }
    let boxes = items.iter().filter_map(|item| item.model.spheres.bounds(item.frame, item.world_from_model));
    let bounds: Aabb = boxes.reduce(Aabb::union)?;
    let size = bounds.max - bounds.min;
    let height = (size.y * 0.5).max(bounds.diagonal() * 0.12);
    let half = size.x.max(size.z) * 0.5 + height * 0.35;
    let above = bounds.min.y - floor_y;
    (half.is_finite() && half > 0.0 && above < height && bounds.max.y > floor_y).then_some(ShadowArea {
        center: bounds.center(),
        half,
        height,
    })
}
