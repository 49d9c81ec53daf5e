//! The outline around what is selected: its surfaces are drawn into a mask, whose edge is drawn over the finished picture.

use super::draws::{Draw, Draws};
use super::outline_mask::OutlineMask;
use super::pipelines::Key;
use super::renderer::{SceneRenderer, Streams};
use super::{GpuError, Item, Mark, RenderTarget, ViewSettings};
use crate::scene::{Aabb, camera::OrbitCamera};
use glam::Vec2;

/// Pixels that an outline reaches beyond what it is around, and some more.
const REACH: f32 = 8.0;

impl SceneRenderer {
    /// Draws the outline of the view over the finished picture; frees its mask where there is none.
    pub(super) fn draw_outline(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
        draws: &Draws<'_>,
    ) -> Result<(), GpuError> {
        let is_marked = |draw: &&Draw<'_>| match draw.mark {
            Mark::OfView => view.outlined.is_some_and(|part| draw.is_of(&part)),
            Mark::Nothing => false,
            Mark::Whole => true,
        };
        let own: Vec<&Draw<'_>> = draws.solid.iter().chain(&draws.blended).filter(is_marked).collect();
        if own.is_empty() {
            target.outline = None;
            return Ok(());
        }
        for key in own.iter().map(|draw| Key::Mask(draw.look.mask())).chain([Key::Outline]) {
            self.pipelines.prepare(&self.layouts, key)?;
        }
        if target.outline.is_none() {
            target.outline =
                Some(OutlineMask::new(&self.context, &self.layouts, &self.clamped, target.size(), target.samples())?);
        }
        let (Some(mask), Some(globals)) = (&target.outline, self.frame_buffers.group()) else { return Ok(()) };
        self.draw_mask(encoder, mask, globals, view, &own);
        let mut pass = begin(encoder, target.color_view(), None, wgpu::LoadOp::Load);
        if let Some(area) = area_of(items, &view.camera, target.size()) {
            let [x, y, width, height] = area;
            pass.set_scissor_rect(x, y, width, height);
        }
        if let Some(pipeline) = self.pipelines.get(Key::Outline) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, globals, &[]);
            pass.set_bind_group(1, &mask.group, &[]);
            pass.draw(0..3, 0..1);
        }
        Ok(())
    }

    fn draw_mask(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        mask: &OutlineMask,
        globals: &wgpu::BindGroup,
        view: &ViewSettings,
        own: &[&Draw<'_>],
    ) {
        let (drawn, resolved) = match &mask.samples_view {
            Some(samples) => (samples, Some(&mask.view)),
            None => (&mask.view, None),
        };
        let mut pass = begin(encoder, drawn, resolved, wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT));
        pass.set_bind_group(0, globals, &[]);
        for draw in own {
            let Some(pipeline) = self.pipelines.get(Key::Mask(draw.look.mask())) else { continue };
            pass.set_pipeline(pipeline);
            let streams = Streams { nearest: view.nearest_filter, uv_set: view.uv_set, ..Streams::default() };
            self.draw_surface(&mut pass, draw, streams);
        }
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("outline"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// The part of the picture that the items lie in, with room for the outline: left, top, width and height in pixels. `None` for all
/// of it. Edges cost most where a device is software.
fn area_of(items: &[Item<'_>], camera: &OrbitCamera, (width, height): (u32, u32)) -> Option<[u32; 4]> {
    let boxes = items.iter().map(|item| item.model.spheres.bounds(item.frame, item.world_from_model));
    let bounds = boxes.collect::<Option<Vec<Aabb>>>()?.into_iter().reduce(Aabb::union)?;
    let size = Vec2::new(width as f32, height as f32);
    let mut ends: Option<(Vec2, Vec2)> = None;
    for corner in bounds.corners() {
        // A corner behind the eye may be anywhere in the picture.
        let place = camera.project(corner, size.x / size.y)? * size;
        ends = Some(ends.map_or((place, place), |(low, high)| (low.min(place), high.max(place))));
    }
    let (low, high) = ends?;
    let low = (low - REACH).clamp(Vec2::ZERO, size).floor();
    let high = (high + REACH).clamp(Vec2::ZERO, size).ceil();
    let [x, y] = low.to_array().map(|v| v as u32);
    let [right, bottom] = high.to_array().map(|v| v as u32);
    (right > x && bottom > y).then(|| [x, y, right - x, bottom - y])
}
