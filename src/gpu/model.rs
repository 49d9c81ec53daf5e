use super::billboards::Turned;
use super::buffers::filled;
use super::geometry::{self, WholeModel};
use super::geometry::{FramePoint, Geometry, Spheres, SurfaceRange};
use super::layouts::{Layouts, MaterialData, Vertex};
use super::tev::GpuTev;
use super::{GpuContext, GpuError, texture};
use crate::scene::{BasicMaterial, HiddenParts, Material, Mesh, Model, Skin, SurfaceRole};
use bytemuck::cast_slice;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Colour of what has no texture: warm unfired clay.
const CLAY: [f32; 4] = [0.76, 0.735, 0.705, 1.0];

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// A material on the device.
pub(super) struct GpuMaterial {
    pub basic: BasicMaterial,
    pub textured: bool,
    pub has_light: bool,
    /// The uniform of one whose picture moves.
    moving: Option<wgpu::Buffer>,
    /// With its own filter, and with none.
    smooth: wgpu::BindGroup,
    nearest: wgpu::BindGroup,
}

impl GpuMaterial {
    pub fn group(&self, nearest: bool) -> &wgpu::BindGroup {
        if nearest || self.basic.nearest { &self.nearest } else { &self.smooth }
    }

    /// Puts its picture where it is at a moment.
    fn move_to(&self, context: &GpuContext, seconds: f64) {
        let Some(buffer) = &self.moving else { return };
        let place = std::mem::offset_of!(MaterialData, motion) as u64;
        context.queue().write_buffer(buffer, place, bytemuck::bytes_of(&offset_of(&self.basic, seconds)));
    }
}

/// Edges for the wireframe.
pub(super) struct Edges {
    pub indices: wgpu::Buffer,
    /// One for each surface.
    pub ranges: Vec<Range<u32>>,
}

/// A model on the device: its buffers and textures.
pub struct GpuModel {
    /// Of its own, for as long as the program runs.
    pub(super) id: u64,
    context: Arc<GpuContext>,
    model: Arc<Model>,
    pub(super) vertices: wgpu::Buffer,
    pub(super) vertex_count: u32,
    pub(super) uv_sets: Vec<wgpu::Buffer>,
    /// In the place of the second set of texture coordinates, where zones are shown.
    pub(super) zones: Option<wgpu::Buffer>,
    /// Likewise where kinds of lists are shown.
    pub(super) list_uses: Option<wgpu::Buffer>,
    pub(super) indices: wgpu::Buffer,
    pub(super) influences: Option<wgpu::BindGroup>,
    pub(super) surfaces: Vec<SurfaceRange>,
    /// Into the surfaces, as they are drawn.
    pub(super) order: Vec<u32>,
    pub(super) turned: Turned,
    /// Of materials with the chip's whole state.
    pub(super) tev: Option<GpuTev>,
    /// One for each material of the model, and one for surfaces without.
    pub(super) materials: Vec<GpuMaterial>,
    pub(super) spheres: Spheres,
    pub(super) point_count: u32,
    pub(super) has_morphs: bool,
    /// Frames in the bind group of the influences.
    pub(super) frame_count: u32,
    /// Kept for skinning on the CPU; empty where the device skins.
    pub(super) bind_vertices: Vec<Vertex>,
    /// Kept for edges, and for leaving parts out.
    pub(super) index_list: Vec<u32>,
    vertex_points: Vec<u32>,
    edges: OnceLock<Edges>,
    /// Number of each vertex' mesh, in the place of the second set of texture coordinates.
    part_marks: OnceLock<wgpu::Buffer>,
    /// While parts are left out.
    whole: Option<WholeModel>,
}

/// What every model's materials share.
pub(super) struct Shared<'a> {
    pub layouts: &'a Layouts,
    pub white: &'a wgpu::TextureView,
    pub smooth: &'a wgpu::Sampler,
    pub nearest: &'a wgpu::Sampler,
    /// Smooth, ending at the picture's edge.
    pub clamped: &'a wgpu::Sampler,
}

/// Pictures on the device, by where their texels lie: models that share one share its texture too.
pub(super) type Pictures = HashMap<usize, Option<wgpu::TextureView>>;

impl GpuModel {
    /// What lies in `pictures` must stay where it is until the call is over.
    pub(super) fn new(
        context: &Arc<GpuContext>,
        shared: &Shared<'_>,
        model: &Arc<Model>,
        pictures: &mut Pictures,
    ) -> Result<Self, GpuError> {
        if context.is_lost() {
            return Err(GpuError::Lost);
        }
        check_sizes(context, model)?;
        let geometry = Geometry::new(model);
        let materials = upload_materials(context, shared, model, pictures)?;
        let what = format!("the model “{}”", model.name);
        let (vertices, uv_sets, [zones, list_uses], indices, influences) = context.scoped(&what, || {
            use wgpu::BufferUsages as Usage;
            let readable = if context.skins_on_gpu() { Usage::STORAGE } else { Usage::empty() };
            let vertices = filled(context, "vertices", cast_slice(&geometry.vertices), Usage::VERTEX | readable);
            let uv = |set: &Vec<[f32; 2]>| filled(context, "texture coordinates", cast_slice(set), Usage::VERTEX);
            let indices = filled(context, "indices", cast_slice(&geometry.indices), Usage::INDEX);
            let influences = shared.layouts.influences.as_ref().map(|layout| {
                let buffer = filled(context, "influences", cast_slice(&geometry.influences), Usage::STORAGE);
                let sources = filled(context, "sources", cast_slice(&geometry.sources), Usage::STORAGE);
                let frames = filled(context, "vertex frames", cast_slice(&Geometry::frames(model)), Usage::STORAGE);
                context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("influences"),
                    layout,
                    entries: &[
                        wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() },
                        wgpu::BindGroupEntry { binding: 1, resource: frames.as_entire_binding() },
                        wgpu::BindGroupEntry { binding: 2, resource: sources.as_entire_binding() },
                    ],
                })
            });
            let marks = [&geometry.zones, &geometry.list_uses].map(|marks| (!marks.is_empty()).then(|| uv(marks)));
            (vertices, geometry.uv_sets.iter().map(uv).collect(), marks, indices, influences)
        })?;
        let tev = GpuTev::new(context, model, &geometry.surfaces)?;
        let kept = if context.skins_on_gpu() { Vec::new() } else { geometry.vertices.clone() };
        Ok(Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            context: context.clone(),
            model: model.clone(),
            vertices,
            vertex_count: geometry.vertices.len() as u32,
            uv_sets,
            zones,
            list_uses,
            indices,
            influences,
            order: order_of(model, &geometry.surfaces),
            surfaces: geometry.surfaces,
            turned: geometry.turned,
            tev,
            materials,
            spheres: geometry.spheres,
            point_count: geometry.point_count,
            has_morphs: model.meshes.iter().any(|m| !m.morphs.is_empty()),
            frame_count: model.vertex_frame_count(),
            bind_vertices: kept,
            vertex_points: geometry.vertices.iter().map(|v| v.point).collect(),
            index_list: geometry.indices,
            edges: OnceLock::new(),
            part_marks: OnceLock::new(),
            whole: None,
        })
    }

    /// What was uploaded.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(super) fn context(&self) -> &Arc<GpuContext> {
        &self.context
    }

    pub(super) fn material(&self, surface: &SurfaceRange) -> Option<&GpuMaterial> {
        self.materials.get(surface.material as usize).or(self.materials.last())
    }

    /// Leaves parts out of every picture from now on; none shows all of it again.
    ///
    /// # Errors
    /// When the device refuses; the model stays as it was then.
    pub fn leave_out(&mut self, hidden: &HiddenParts) -> Result<(), GpuError> {
        let is_same = match &self.whole {
            Some(whole) => whole.left_out == *hidden,
            None => hidden.is_empty(),
        };
        if is_same {
            return Ok(());
        }
        let (all, surfaces) = match &self.whole {
            Some(whole) => (&whole.indices, &whole.surfaces),
            None => (&self.index_list, &self.surfaces),
        };
        let (list, ranges) = geometry::drawn(&self.model, hidden, all, surfaces);
        let context = self.context.clone();
        let what = format!("the model “{}”", self.model.name);
        let bytes = cast_slice(&list);
        let buffer = context.scoped(&what, || filled(&context, "indices", bytes, wgpu::BufferUsages::INDEX))?;
        self.indices = buffer;
        let indices = std::mem::replace(&mut self.index_list, list);
        let surfaces = std::mem::replace(&mut self.surfaces, ranges);
        let left_out = hidden.clone();
        match &mut self.whole {
            Some(whole) => whole.left_out = left_out,
            None => self.whole = Some(WholeModel { indices, surfaces, left_out }),
        }
        self.edges = OnceLock::new();
        Ok(())
    }

    /// Whether a picture moves over any of its surfaces.
    pub(super) fn has_moving_pictures(&self) -> bool {
        self.materials.iter().any(|material| material.moving.is_some())
    }

    /// Puts pictures that move over surfaces where they are at a moment.
    pub(super) fn move_pictures(&self, seconds: f64) {
        self.materials.iter().for_each(|material| material.move_to(&self.context, seconds));
    }

    /// The numbers of the meshes, made when first needed.
    pub(super) fn part_marks(&self) -> &wgpu::Buffer {
        self.part_marks.get_or_init(|| {
            let meshes = self.model.meshes.iter().enumerate();
            let marks = meshes.flat_map(|(index, mesh)| std::iter::repeat_n([index as f32, 0.0], mesh.vertex_count()));
            let marks: Vec<[f32; 2]> = marks.collect();
            filled(&self.context, "part indices", cast_slice(&marks), wgpu::BufferUsages::VERTEX)
        })
    }

    /// The wireframe, made when first needed.
    pub(super) fn edges(&self) -> &Edges {
        self.edges.get_or_init(|| {
            let (list, ranges) = Geometry::edges(&self.index_list, &self.surfaces, &self.vertex_points);
            let usage = wgpu::BufferUsages::INDEX;
            Edges { indices: filled(&self.context, "edges", cast_slice(&list), usage), ranges }
        })
    }
}

/// Surfaces in the order of their meshes; those of meshes without a place are left out.
fn order_of(model: &Model, surfaces: &[SurfaceRange]) -> Vec<u32> {
    let mut places = vec![None; model.meshes.len()];
    for (place, mesh) in model.draw_order.iter().enumerate() {
        if let Some(slot) = places.get_mut(*mesh as usize) {
            *slot = slot.or(Some(place));
        }
    }
    let place_of = |surface: &SurfaceRange| match model.draw_order.is_empty() {
        true => Some(surface.mesh as usize),
        false => places.get(surface.mesh as usize).copied().flatten(),
    };
    let mut order: Vec<(usize, u32)> =
        surfaces.iter().zip(0..).filter_map(|(surface, index)| Some((place_of(surface)?, index))).collect();
    order.sort_by_key(|(place, _)| *place);
    order.into_iter().map(|(_, index)| index).collect()
}

/// Holds what will be made of a model against the device's limits and 32-bit indices, before anything is made.
fn check_sizes(context: &GpuContext, model: &Model) -> Result<(), GpuError> {
    let limits = context.limits();
    let stored = if context.skins_on_gpu() { limits.max_storage_buffer_binding_size } else { u64::MAX };
    let check = |name: &str, count: fn(&Mesh) -> usize, record_size: usize, limit: u64| {
        let what = || format!("the {name} of the model “{}”", model.name);
        let count = model.meshes.iter().map(|m| count(m) as u64).fold(0, u64::saturating_add);
        GpuError::check(what, count, u64::from(u32::MAX), "records")?;
        GpuError::check(what, count.saturating_mul(record_size as u64), limit.min(limits.max_buffer_size), "bytes")
    };
    check("vertex data", Mesh::vertex_count, size_of::<Vertex>(), u64::MAX)?;
    // Edges of the wireframe are up to two numbers for each of these.
    check("triangle list", |m| m.indices.len().saturating_add(m.lines.as_flattened().len()), 8, u64::MAX)?;
    let influences: fn(&Mesh) -> usize = |m| m.skin.as_ref().map_or(0, |s| s.influences.len());
    check("influence list", influences, 8, stored)?;
    if model.meshes.iter().any(|m| m.skin.as_ref().is_some_and(Skin::has_sources)) {
        check("influence source list", influences, 32, stored)?;
    }
    // Frames are as many for each mesh as for the one with the most.
    let frame_size = (model.vertex_frame_count() as usize).saturating_mul(size_of::<FramePoint>()).max(1);
    check("point list", |m| m.points.len(), frame_size, stored)
}

/// Colour of a surface without its texture: why it is hidden, or clay.
fn base_of(basic: &BasicMaterial) -> [f32; 4] {
    match basic.role {
        SurfaceRole::Ordinary => CLAY,
        SurfaceRole::Invisible => [0.93, 0.36, 0.62, 0.4],
        SurfaceRole::Portal => [0.30, 0.62, 0.98, 0.35],
        SurfaceRole::Backdrop => [0.45, 0.85, 0.90, 0.25],
    }
}

/// How far a material's picture has moved.
fn offset_of(basic: &BasicMaterial, seconds: f64) -> [f32; 4] {
    let offset = basic.motion.map_or(glam::Vec2::ZERO, |motion| motion.offset(seconds));
    [offset.x, offset.y, 0.0, 0.0]
}

fn upload_materials(
    context: &Arc<GpuContext>,
    shared: &Shared<'_>,
    model: &Model,
    pictures: &mut Pictures,
) -> Result<Vec<GpuMaterial>, GpuError> {
    let mut out = Vec::with_capacity(model.materials.len() + 1);
    let basics = model.materials.iter().map(Material::basic);
    let mut upload = |image: Option<u32>| -> Result<Option<wgpu::TextureView>, GpuError> {
        let Some(image) = image.and_then(|i| model.images.get(i as usize)) else { return Ok(None) };
        let key = Arc::as_ptr(image) as usize;
        if let Some(known) = pictures.get(&key) {
            return Ok(known.clone());
        }
        let picture = texture::upload(context, image)?;
        pictures.insert(key, picture.clone());
        Ok(picture)
    };
    for (index, basic) in basics.chain([BasicMaterial::default()]).enumerate() {
        let (picture, light) = (upload(basic.image)?, upload(basic.lightmap)?);
        let data = MaterialData {
            base: base_of(&basic),
            traits: [u32::from(picture.is_some()), u32::from(basic.environment), index as u32, 0],
            motion: offset_of(&basic, 0.0),
        };
        let what = format!("the materials of the model “{}”", model.name);
        let (buffer, [smooth, nearest]) = context.scoped(&what, || {
            let buffer = filled(context, "material", bytemuck::bytes_of(&data), wgpu::BufferUsages::UNIFORM);
            let groups = [shared.smooth, shared.nearest].map(|sampler| {
                let resource = |binding, resource| wgpu::BindGroupEntry { binding, resource };
                let view = |view: &Option<wgpu::TextureView>| view.as_ref().unwrap_or(shared.white).clone();
                let (picture, light) = (view(&picture), view(&light));
                context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("material"),
                    layout: &shared.layouts.material,
                    entries: &[
                        resource(0, buffer.as_entire_binding()),
                        resource(1, wgpu::BindingResource::TextureView(&picture)),
                        resource(2, wgpu::BindingResource::Sampler(sampler)),
                        resource(3, wgpu::BindingResource::TextureView(&light)),
                        resource(4, wgpu::BindingResource::Sampler(shared.clamped)),
                    ],
                })
            });
            (buffer, groups)
        })?;
        let (textured, has_light) = (picture.is_some(), light.is_some());
        let moving = basic.motion.filter(|motion| !motion.is_still()).map(|_| buffer);
        out.push(GpuMaterial { basic, textured, has_light, moving, smooth, nearest });
    }
    Ok(out)
}
