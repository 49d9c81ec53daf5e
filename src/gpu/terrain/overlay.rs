//! What is laid over the ground: pictures, and zones as one picture more.

use super::super::buffers::filled;
use super::super::{GpuContext, GpuError, Line, texture};
use super::resources::TerrainResources;
use super::zones;
use crate::scene::{Terrain, TerrainPicture, TerrainView, scene_from_ground};
use bytemuck::{Pod, Zeroable};
use glam::Vec2;

/// Pictures of one landscape that are drawn.
const MAX_PICTURES: usize = 64;
/// Width of the outlines of zones.
const OUTLINE_PX: f32 = 2.0;

/// Mirrors `Overlay` in `shaders/terrain.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct OverlayData {
    /// South-west corner in metres, one over the size.
    rect: [f32; 4],
    /// Opacity; 1 for what the sun shines on; 1 for colours that are multiplied by alpha already.
    how: [f32; 4],
}

#[derive(Default)]
pub(super) struct Overlay {
    pictures: Vec<wgpu::BindGroup>,
    zones: Option<wgpu::BindGroup>,
    /// Ends on the ground (east, height, north) and RGBA.
    outlines: Vec<zones::Edge>,
}

impl Overlay {
    /// # Errors
    /// When a picture is more than the device can hold.
    pub fn new(context: &GpuContext, resources: &TerrainResources, terrain: &Terrain) -> Result<Self, GpuError> {
        let mut pictures = Vec::new();
        for picture in terrain.pictures.iter().filter(|p| p.visible).take(MAX_PICTURES) {
            pictures.extend(laid(context, resources, picture)?);
        }
        let zones = match zones::painted(terrain) {
            Some((image, rect)) => {
                let view = texture::upload(context, &image)?;
                let how = [1.0, 0.0, 1.0, 0.0];
                view.map(|view| group(context, resources, &view, OverlayData { rect: of_rect(rect[0], rect[1]), how }))
            }
            None => None,
        };
        Ok(Self { pictures, zones, outlines: zones::outlines(terrain) })
    }

    /// What a picture shows, from the lowest.
    pub fn shown<'a>(&'a self, view: &TerrainView) -> impl Iterator<Item = &'a wgpu::BindGroup> {
        let pictures = if view.pictures { self.pictures.as_slice() } else { &[] };
        pictures.iter().chain(self.zones.as_ref().filter(|_| view.zones))
    }

    /// Outlines of zones as they lie on the ground.
    pub fn lines(&self, view: &TerrainView, exaggeration: f32) -> impl Iterator<Item = Line> {
        let edges = if view.zones { self.outlines.as_slice() } else { &[] };
        edges.iter().map(move |edge| Line {
            ends: edge.ends.map(|[east, height, north]| scene_from_ground(east, height * exaggeration, north)),
            color: edge.color,
            width_px: OUTLINE_PX,
            over: false,
        })
    }
}

fn of_rect(offset: Vec2, size: Vec2) -> [f32; 4] {
    [offset.x, offset.y, 1.0 / size.x, 1.0 / size.y]
}

/// `None` for one that was not found or lies nowhere.
fn laid(
    context: &GpuContext,
    resources: &TerrainResources,
    picture: &TerrainPicture,
) -> Result<Option<wgpu::BindGroup>, GpuError> {
    let Some(image) = &picture.image else { return Ok(None) };
    let size = picture.size;
    if !picture.offset.is_finite() || !size.is_finite() || size.min_element() <= 0.0 {
        return Ok(None);
    }
    let Some(view) = texture::upload(context, image)? else { return Ok(None) };
    let opacity = 1.0 - picture.transparency.min(100) as f32 / 100.0;
    let data = OverlayData { rect: of_rect(picture.offset, size), how: [opacity, 1.0, 0.0, 0.0] };
    Ok(Some(group(context, resources, &view, data)))
}

fn group(
    context: &GpuContext,
    resources: &TerrainResources,
    view: &wgpu::TextureView,
    data: OverlayData,
) -> wgpu::BindGroup {
    let buffer = filled(context, "overlay", bytemuck::bytes_of(&data), wgpu::BufferUsages::UNIFORM);
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    context.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("overlay"),
        layout: &resources.overlay_layout,
        entries: &[
            entry(0, buffer.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(view)),
            entry(2, wgpu::BindingResource::Sampler(&resources.smooth)),
        ],
    })
}
