//! Pictures of what is seen through windows.

use crate::gpu::buffers::filled;
use crate::gpu::layouts::MaterialData;
use crate::gpu::model::Shared;
use crate::gpu::target::COLOR_FORMAT;
use crate::gpu::{GpuContext, GpuError, RenderTarget};
use std::sync::Arc;

/// What no window was drawn with for so many pictures is let go of.
const KEPT_FOR: u64 = 60;

/// Room for pictures of what is seen through windows, kept from picture to picture.
#[derive(Default)]
pub(super) struct WindowTargets {
    /// Of the pictures that are drawn again and again.
    kept: Room,
    /// Of a single picture of another size between those: it is let go of at once.
    once: Option<Room>,
    /// The size of the last picture, and samples a pixel.
    last: Shape,
    /// Pictures so far.
    picture: u64,
}

/// Width and height, and samples a pixel.
type Shape = ((u32, u32), u32);

/// Room for pictures of one size.
#[derive(Default)]
struct Room {
    shape: Shape,
    /// What is drawn into, by depth: seen through one window, through a window in that, and so on. None while it is drawn into.
    depths: Vec<Aged<Option<RenderTarget>>>,
    /// What was drawn.
    pictures: Vec<Aged<WindowPicture>>,
    /// How many of those are still needed.
    used: usize,
}

/// With the number of the picture that it was last used in.
struct Aged<T> {
    what: T,
    last_used: u64,
}

/// What is seen through one window.
struct WindowPicture {
    texture: wgpu::Texture,
    /// As a material.
    group: wgpu::BindGroup,
}

impl WindowTargets {
    /// Begins a picture of this size. One that is not as large as what there is room for is taken for the only one of its kind,
    /// until a second one follows.
    pub fn begin(&mut self, size: (u32, u32), samples: u32) {
        let shape = (size, samples);
        self.picture += 1;
        self.once = None;
        if self.kept.shape != shape {
            let room = Room { shape, ..Room::default() };
            if self.last == shape || self.kept.is_empty() { self.kept = room } else { self.once = Some(room) }
        }
        self.last = shape;
        self.room().used = 0;
    }

    /// Ends a picture: lets go of what was not used for long, and of all where no windows are `wanted`.
    pub fn end(&mut self, wanted: bool) {
        self.once = None;
        let oldest = if wanted { self.picture.saturating_sub(KEPT_FOR) } else { u64::MAX };
        self.kept.depths.retain(|depth| depth.last_used >= oldest);
        self.kept.pictures.retain(|picture| picture.last_used >= oldest);
    }

    /// Pictures, and what is drawn into, that are on the device now.
    pub fn count(&self) -> usize {
        self.kept.pictures.len() + self.kept.depths.iter().filter(|depth| depth.what.is_some()).count()
    }

    fn room(&mut self) -> &mut Room {
        self.once.as_mut().unwrap_or(&mut self.kept)
    }

    /// What is drawn into at a depth, from 1; to be given back.
    pub fn take(&mut self, context: &Arc<GpuContext>, depth: usize) -> Result<RenderTarget, GpuError> {
        let room = self.room();
        let ((width, height), samples) = room.shape;
        match room.depths.get_mut(depth.saturating_sub(1)).and_then(|depth| depth.what.take()) {
            Some(target) => Ok(target),
            None => RenderTarget::new(context, width, height, samples),
        }
    }

    pub fn give_back(&mut self, depth: usize, target: RenderTarget) {
        let last_used = self.picture;
        let depths = &mut self.room().depths;
        while depths.len() < depth {
            depths.push(Aged { what: None, last_used });
        }
        if let Some(slot) = depths.get_mut(depth.saturating_sub(1)) {
            *slot = Aged { what: Some(target), last_used };
        }
    }

    /// Keeps these pixels of what was drawn, all of them without: its place among the pictures.
    pub fn keep(
        &mut self,
        context: &Arc<GpuContext>,
        shared: &Shared<'_>,
        drawn: &RenderTarget,
        pixels: Option<[u32; 4]>,
    ) -> Result<usize, GpuError> {
        let last_used = self.picture;
        let room = self.room();
        let place = room.used;
        if room.pictures.len() <= place {
            let what = WindowPicture::new(context, shared, room.shape.0)?;
            room.pictures.push(Aged { what, last_used });
        }
        if let Some(picture) = room.pictures.get_mut(place) {
            picture.last_used = last_used;
            let (width, height) = drawn.size();
            let [x, y, width, height] = pixels.unwrap_or([0, 0, width, height]);
            let origin = wgpu::Origin3d { x, y, z: 0 };
            let from = wgpu::TexelCopyTextureInfo { origin, ..drawn.color().as_image_copy() };
            let to = wgpu::TexelCopyTextureInfo { origin, ..picture.what.texture.as_image_copy() };
            let mut encoder = context.device().create_command_encoder(&Default::default());
            encoder.copy_texture_to_texture(from, to, wgpu::Extent3d { width, height, depth_or_array_layers: 1 });
            context.queue().submit([encoder.finish()]);
        }
        room.used += 1;
        Ok(place)
    }

    /// Lets the last so many pictures be drawn over.
    pub fn free(&mut self, count: usize) {
        let room = self.room();
        room.used = room.used.saturating_sub(count);
    }

    pub fn picture(&self, place: usize) -> Option<&wgpu::BindGroup> {
        let room = self.once.as_ref().unwrap_or(&self.kept);
        room.pictures.get(place).map(|picture| &picture.what.group)
    }
}

impl Room {
    fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.depths.is_empty()
    }
}

impl WindowPicture {
    fn new(context: &GpuContext, shared: &Shared<'_>, (width, height): (u32, u32)) -> Result<Self, GpuError> {
        context.scoped("the texture of a mirror or portal", || {
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
