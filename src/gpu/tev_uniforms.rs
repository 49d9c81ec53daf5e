//! Materials with the chip's whole state of all items of one picture: one buffer of blocks, and each material's textures.

use super::buffers::GrowableBuffer;
use super::layouts::Layouts;
use super::layouts::TevBlock;
use super::program_key::Scene;
use super::tev::{Surroundings, TextureSet, block_of};
use super::{GpuContext, GpuError, GxLights, Item, Shading, ViewSettings};
use crate::scene::gx::{LightRig, MaterialState};
use glam::{Affine3A, Quat, Vec3};

/// What one material in one picture is drawn with.
struct Bound {
    offset: u32,
    maps: wgpu::BindGroup,
}

pub(super) struct TevUniforms {
    buffer: GrowableBuffer,
    group: Option<wgpu::BindGroup>,
    bytes: Vec<u8>,
    bound: Vec<Option<Bound>>,
    /// Of each item: its first material in `bound`.
    firsts: Vec<u32>,
}

/// What the view makes of such materials; `None` when they are drawn in another way.
pub(super) fn scene_of(view: &ViewSettings) -> Option<Scene> {
    match view.shading {
        Shading::Lit => Some(Scene { lit: view.gx.lights != GxLights::Off, fog: view.gx.fog }),
        Shading::Unlit => Some(Scene { lit: false, fog: view.gx.fog }),
        _ => None,
    }
}

impl TevUniforms {
    pub fn new() -> Self {
        Self {
            buffer: GrowableBuffer::new("material states", wgpu::BufferUsages::UNIFORM),
            group: None,
            bytes: Vec::new(),
            bound: Vec::new(),
            firsts: Vec::new(),
        }
    }

    /// Puts the states of all materials on the device in one write.
    pub fn write(
        &mut self,
        context: &GpuContext,
        layouts: &Layouts,
        white: (&wgpu::TextureView, &wgpu::Sampler),
        view: &ViewSettings,
        items: &[Item<'_>],
    ) -> Result<(), GpuError> {
        self.bytes.clear();
        self.bound.clear();
        self.firsts.clear();
        if scene_of(view).is_none() {
            return Ok(());
        }
        let stride =
            size_of::<TevBlock>().next_multiple_of(context.limits().min_uniform_buffer_offset_alignment as usize);
        for item in items {
            self.firsts.push(self.bound.len() as u32);
            let Some(tev) = &item.model.tev else { continue };
            let model = item.model.model();
            let around = surroundings(view, item, tev.sphere);
            for (index, material) in model.materials.iter().enumerate() {
                let Some(material) = material.tev() else {
                    self.bound.push(None);
                    continue;
                };
                let animated = item.frame.materials.get(index).and_then(Option::as_ref);
                let rest = animated.is_none().then(|| MaterialState::of(material));
                let Some(state) = animated.or(rest.as_ref()) else { continue };
                let offset = self.bytes.len() as u32;
                self.bytes.extend_from_slice(bytemuck::bytes_of(&block_of(model, material, state, &around)));
                self.bytes.resize(offset as usize + stride, 0);
                let maps = if view.textures { state.textures } else { [None; 8] };
                let set = TextureSet { maps, nearest: view.nearest_filter };
                let maps = tev.groups.group(context, layouts, &tev.textures, white, set);
                self.bound.push(Some(Bound { offset, maps }));
            }
        }
        if self.bytes.is_empty() {
            return Ok(());
        }
        let grown = self.buffer.write(context, &self.bytes, u64::MAX)?;
        if (grown || self.group.is_none())
            && let Some(buffer) = &self.buffer.buffer
        {
            self.group = Some(context.scoped("scene buffers", || {
                let binding = wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<TevBlock>() as u64),
                };
                context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("material states"),
                    layout: &layouts.block,
                    entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(binding) }],
                })
            })?);
        }
        Ok(())
    }

    /// Where a material of an item lies.
    pub fn place(&self, item: usize, material: u32) -> Option<u32> {
        let place = self.firsts.get(item)?.checked_add(material)?;
        self.bound.get(place as usize)?.as_ref().map(|_| place)
    }

    /// Binds the state and the textures at a place.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>, place: u32) -> bool {
        let bound = self.bound.get(place as usize).and_then(Option::as_ref);
        let (Some(group), Some(bound)) = (&self.group, bound) else { return false };
        pass.set_bind_group(2, group, &[bound.offset]);
        pass.set_bind_group(3, &bound.maps, &[]);
        true
    }
}

fn surroundings(view: &ViewSettings, item: &Item<'_>, (center, radius): (Vec3, f32)) -> Surroundings {
    let view_from_world = Affine3A::from_mat4(view.camera.view_from_world());
    let matrix = item.world_from_model.matrix3;
    let size = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length()).into_iter().fold(0.0, f32::max);
    let center = item.world_from_model.transform_point3(center);
    let turn = Quat::from_rotation_y(view.gx.key_yaw) * Quat::from_rotation_x(-view.gx.key_pitch);
    let rig = LightRig {
        to_key: turn * Vec3::Z,
        file_lights: view.gx.lights == GxLights::File,
        key: view.gx.lights != GxLights::Off,
        ..LightRig::new(&view_from_world, center, radius * size)
    };
    Surroundings { view_from_world, rig, textured: view.textures }
}
