//! What one picture needs on the device: its globals, and poses of all items in a few large buffers.

use super::buffers::GrowableBuffer;
use super::globals::Globals;
use super::layouts::{Instance, Layouts};
use super::{GpuContext, GpuError, GpuModel, Item, ItemLook, ViewSettings};
use crate::scene::skinning;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Offsets of one morphed item that lie on the device already.
#[derive(PartialEq)]
struct MorphSlot {
    model: u64,
    weights: Vec<f32>,
    first: u32,
}

/// Items of one model that look alike, drawn together.
pub(super) struct Group {
    pub look: ItemLook,
    /// Into the items.
    pub items: Vec<u32>,
    /// Into the instances.
    pub instances: Range<u32>,
}

pub(super) struct FrameBuffers {
    context: Arc<GpuContext>,
    globals: wgpu::Buffer,
    shadow_globals: wgpu::Buffer,
    palette: GrowableBuffer,
    instances: GrowableBuffer,
    morphs: GrowableBuffer,
    /// Bind group 0 of the picture, and of its shadow.
    groups: Option<[wgpu::BindGroup; 2]>,
    // Reused from picture to picture.
    palette_rows: Vec<[f32; 12]>,
    instance_list: Vec<Instance>,
    slots: Vec<MorphSlot>,
}

impl FrameBuffers {
    pub fn new(context: &Arc<GpuContext>) -> Result<Self, GpuError> {
        let uniform = |label| {
            context.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size_of::<Globals>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (globals, shadow_globals) =
            context.scoped("scene buffers", || (uniform("globals"), uniform("shadow globals")))?;
        Ok(Self {
            context: context.clone(),
            globals,
            shadow_globals,
            palette: GrowableBuffer::new("palette", wgpu::BufferUsages::STORAGE),
            instances: GrowableBuffer::new("instances", wgpu::BufferUsages::STORAGE),
            morphs: GrowableBuffer::new("morphs", wgpu::BufferUsages::STORAGE),
            groups: None,
            palette_rows: Vec::new(),
            instance_list: Vec::new(),
            slots: Vec::new(),
        })
    }

    pub fn write_globals(&self, globals: &Globals, shadow: Option<&Globals>) {
        let queue = self.context.queue();
        queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(globals));
        if let Some(shadow) = shadow {
            queue.write_buffer(&self.shadow_globals, 0, bytemuck::bytes_of(shadow));
        }
    }

    /// Bind group 0 of the picture.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.groups.as_ref().map(|[scene, _]| scene)
    }

    /// Bind group 0 of its shadow.
    pub fn shadow_group(&self) -> Option<&wgpu::BindGroup> {
        self.groups.as_ref().map(|[_, shadow]| shadow)
    }

    /// Puts the poses of all items on the device: one write for all matrices, one for all places. Items that share a model
    /// and a look become neighbours; those past the end of `looks` have none of their own.
    pub fn write_items(
        &mut self,
        layouts: &Layouts,
        items: &[Item<'_>],
        looks: &[ItemLook],
        view: &ViewSettings,
    ) -> Result<Vec<Group>, GpuError> {
        let mut groups = grouped(items, looks);
        if self.context.skins_on_gpu() {
            self.gather(items, &mut groups, view)?;
            let limit = self.context.limits().max_storage_buffer_binding_size;
            let palette = bytemuck::cast_slice(&self.palette_rows);
            let instances = bytemuck::cast_slice(&self.instance_list);
            let grown = [
                self.palette.write(&self.context, palette, limit)?,
                self.instances.write(&self.context, instances, limit)?,
                self.morphs.reserve(&self.context, 32, limit)?,
            ];
            if grown.contains(&true) {
                self.groups = None;
            }
        }
        if self.groups.is_none() {
            self.groups = Some(self.bind(layouts)?);
        }
        Ok(groups)
    }

    fn gather(&mut self, items: &[Item<'_>], groups: &mut [Group], view: &ViewSettings) -> Result<(), GpuError> {
        self.palette_rows.clear();
        self.instance_list.clear();
        let mut slots = Vec::new();
        let mut morph_end = 0;
        for group in groups {
            let first = self.instance_list.len() as u32;
            for item in group.items.iter().filter_map(|index| items.get(*index as usize)) {
                let morphed = item.model.has_morphs && item.frame.morph_weights.iter().any(|w| *w != 0.0);
                let morph_first = if morphed {
                    let weights = item.frame.morph_weights.clone();
                    slots.push((MorphSlot { model: item.model.id, weights, first: morph_end }, item.model));
                    let first = morph_end;
                    morph_end += item.model.point_count * 2;
                    first
                } else {
                    u32::MAX
                };
                let pair = item.frame.vertex_frames.filter(|_| item.model.frame_count > 0);
                let matrices = item.model.turned.matrices(item.frame, item.world_from_model, view);
                let shares = item.model.turned.shares(item.model.model(), view);
                let palette_first = self.palette_rows.len() as u32;
                let record = |frame: u32| frame.min(item.model.frame_count.saturating_sub(1)) * item.model.point_count;
                self.instance_list.push(Instance {
                    world: skinning::rows(&item.world_from_model),
                    palette_first,
                    joint_count: matrices.len() as u32,
                    morph_first,
                    frame_from: pair.map_or(u32::MAX, |pair| record(pair.from)),
                    frame_to: pair.map_or(0, |pair| record(pair.to)),
                    frame_blend: pair.map_or(0.0, |pair| pair.blend),
                    point_count: item.model.point_count,
                    shares_first: shares.as_ref().map_or(u32::MAX, |_| palette_first + matrices.len() as u32),
                });
                self.palette_rows.extend(matrices.iter().map(skinning::rows));
                let first_number = |share: f32| std::array::from_fn(|i| if i == 0 { share } else { 0.0 });
                self.palette_rows.extend(shares.into_iter().flatten().map(first_number));
            }
            group.instances = first..self.instance_list.len() as u32;
        }
        self.write_morphs(slots, morph_end)
    }

    /// Uploads offsets of items whose weights are not those of the last picture.
    fn write_morphs(&mut self, slots: Vec<(MorphSlot, &GpuModel)>, end: u32) -> Result<(), GpuError> {
        let limit = self.context.limits().max_storage_buffer_binding_size;
        if self.morphs.reserve(&self.context, u64::from(end) * 16, limit)? {
            self.groups = None;
            self.slots.clear();
        }
        let mut offsets: Vec<[f32; 4]> = Vec::new();
        for (index, (slot, model)) in slots.iter().enumerate() {
            if self.slots.get(index) == Some(slot) {
                continue;
            }
            offsets.clear();
            for mesh in &model.model().meshes {
                let added = skinning::morph_offsets(model.model(), mesh, &slot.weights);
                offsets.extend(added.iter().flat_map(|(p, n)| [p.extend(0.0).to_array(), n.extend(0.0).to_array()]));
            }
            if let Some(buffer) = &self.morphs.buffer {
                self.context.queue().write_buffer(buffer, u64::from(slot.first) * 16, bytemuck::cast_slice(&offsets));
            }
        }
        self.slots = slots.into_iter().map(|(slot, _)| slot).collect();
        Ok(())
    }

    fn bind(&self, layouts: &Layouts) -> Result<[wgpu::BindGroup; 2], GpuError> {
        let stored = [&self.palette, &self.instances, &self.morphs];
        self.context.scoped("scene buffers", || {
            [&self.globals, &self.shadow_globals].map(|globals| {
                let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() }];
                let buffers = stored.iter().filter_map(|growing| growing.buffer.as_ref()).zip(1..);
                entries.extend(
                    buffers.map(|(buffer, binding)| wgpu::BindGroupEntry {
                        binding,
                        resource: buffer.as_entire_binding(),
                    }),
                );
                self.context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("globals"),
                    layout: &layouts.globals,
                    entries: &entries,
                })
            })
        })
    }
}

/// Items by model and look, in the order in which they first come.
fn grouped(items: &[Item<'_>], looks: &[ItemLook]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: HashMap<(u64, ItemLook), usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let look = looks.get(index).copied().unwrap_or_default();
        let slot = *group_of.entry((item.model.id, look)).or_insert_with(|| {
            groups.push(Group { look, items: Vec::new(), instances: 0..1 });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(slot) {
            group.items.push(index as u32);
        }
    }
    groups
}
