//! Landscapes: uploading and drawing them with all the rest of a picture.

use super::{
    Background, GpuContext, GpuError, GpuModel, GpuTerrain, Item, ItemLook, RenderTarget, ViewSettings,
    buffers::GrowableBuffer,
    draws::{self, Draw, Gathering},
    frame_buffers::FrameBuffers,
    geometry,
    globals::{Globals, ShadowArea},
    layouts::Layouts,
    lines::{self, KeptLines, Line, LineBuffers},
    model::{Pictures, Shared},
    pipelines::{Key, Pipelines},
    shadow::{self, ShadowMap},
    terrain::{TerrainPass, TerrainResources},
    tev_uniforms::TevUniforms,
    texture,
};
use crate::scene::{Model, Terrain, TerrainView};
use glam::Vec3;
use std::sync::Arc;

/// The skeleton lies in the front of the depth range, before every mesh (depth is reversed: 1 is near).
const FRONT: std::ops::Range<f32> = 0.9..1.0;

/// Draws items into targets of one device.
pub struct SceneRenderer {
    pub(super) context: Arc<GpuContext>,
    pub(super) layouts: Layouts,
    /// Made with the first landscape.
    terrain_resources: Option<Arc<TerrainResources>>,
    pub(super) pipelines: Pipelines,
    pub(super) frame_buffers: FrameBuffers,
    pub(super) tev_uniforms: TevUniforms,
    shadow_map: ShadowMap,
    white: wgpu::TextureView,
    smooth: wgpu::Sampler,
    nearest: wgpu::Sampler,
    pub(super) clamped: wgpu::Sampler,
    pub(super) lines: LineBuffers,
    bones: GrowableBuffer,
    dots: GrowableBuffer,
    /// Vertices of each item, where the CPU skins.
    pub(super) posed: Vec<GrowableBuffer>,
}

/// The parts of a picture beside its surfaces.
struct Extras<'a> {
    shadow: Option<ShadowArea>,
    bone_count: u32,
    dot_count: u32,
    /// Lines that surfaces hide, and after them those that nothing hides.
    lines: [u32; 2],
    besides: Besides<'a>,
}

/// What there is in a picture beside items and lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Besides<'a> {
    /// Under everything.
    pub terrain: Option<&'a TerrainPass<'a>>,
    /// Of each window of a level, the picture that is seen in it.
    pub windows: &'a [Option<&'a wgpu::BindGroup>],
    /// What a zone does to the sight of who is in it: what the picture is multiplied by, and what is added.
    pub sight: Option<[Vec3; 2]>,
    /// Lines over the surfaces that stay from picture to picture.
    pub kept_lines: Option<&'a KeptLines>,
    /// The only part of the picture that is drawn: left, top, width and height in pixels.
    pub scissor: Option<[u32; 4]>,
}

/// Which of a model's streams and samplers a surface is drawn with.
#[derive(Clone, Copy, Default)]
pub(super) struct Streams {
    pub nearest: bool,
    pub uv_set: u32,
    /// What lies in the place of the second set.
    pub marks: Marks,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Marks {
    #[default]
    None,
    Zones,
    ListUses,
    Parts,
}

impl SceneRenderer {
    /// Creates a renderer with its buffers and pipelines on a device.
    ///
    /// # Errors
    /// Returns an error if the device was lost or cannot create a resource.
    pub fn new(context: Arc<GpuContext>) -> Result<Self, GpuError> {
        if context.is_lost() {
            return Err(GpuError::Lost);
        }
        let layouts = Layouts::new(&context)?;
        let (white, smooth, nearest) = context.scoped("samplers", || {
            (texture::white(&context), texture::sampler(&context, false), texture::sampler(&context, true))
        })?;
        let clamped = context.scoped("samplers", || texture::clamped_sampler(&context))?;
        Ok(Self {
            pipelines: Pipelines::new(&context),
            frame_buffers: FrameBuffers::new(&context)?,
            tev_uniforms: TevUniforms::new(),
            shadow_map: ShadowMap::new(&context, &layouts)?,
            white,
            smooth,
            nearest,
            clamped,
            lines: LineBuffers::new(),
            bones: GrowableBuffer::new("bones", wgpu::BufferUsages::VERTEX),
            dots: GrowableBuffer::new("joints", wgpu::BufferUsages::VERTEX),
            posed: Vec::new(),
            terrain_resources: None,
            layouts,
            context,
        })
    }

    /// Puts a model on the device. Fails when any part of it is more than the device can hold.
    pub fn upload(&mut self, model: &Arc<Model>) -> Result<GpuModel, GpuError> {
        self.upload_with(model, &mut Pictures::default())
    }

    /// With pictures that lie on the device already.
    pub(super) fn upload_with(&mut self, model: &Arc<Model>, pictures: &mut Pictures) -> Result<GpuModel, GpuError> {
        GpuModel::new(&self.context, &self.shared(), model, pictures)
    }

    /// What the materials of all models share.
    pub(super) fn shared(&self) -> Shared<'_> {
        Shared {
            layouts: &self.layouts,
            white: &self.white,
            smooth: &self.smooth,
            nearest: &self.nearest,
            clamped: &self.clamped,
        }
    }

    /// Pipelines built so far: one for each material state met, however many models there are.
    pub fn pipeline_count(&self) -> usize {
        self.pipelines.count()
    }

    /// Draws into the target and submits; does not wait.
    pub fn render(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
    ) -> Result<(), GpuError> {
        self.render_with_lines(target, view, items, &[])
    }

    /// The same with lines, which lie over the surfaces.
    pub fn render_with_lines(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
        lines: &[Line],
    ) -> Result<(), GpuError> {
        self.render_all(target, view, items, &[], lines, Besides::default())
    }

    /// Draws items that look different from each other: each as the one of `looks` at its place says. Those past the end of
    /// `looks` are as the view has them.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn render_looks(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
        looks: &[ItemLook],
        lines: &[Line],
    ) -> Result<(), GpuError> {
        self.render_all(target, view, items, looks, lines, Besides::default())
    }

    /// The same with what else there is.
    pub(super) fn render_all(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        items: &[Item<'_>],
        looks: &[ItemLook],
        lines: &[Line],
        besides: Besides<'_>,
    ) -> Result<(), GpuError> {
        if self.context.is_lost() {
            return Err(GpuError::Lost);
        }
        if !Arc::ptr_eq(&self.context, target.context()) {
            return Err(GpuError::ForeignDevice("the image"));
        }
        if items.iter().any(|item| !Arc::ptr_eq(&self.context, item.model.context())) {
            return Err(GpuError::ForeignDevice("the model"));
        }
        let groups = self.frame_buffers.write_items(&self.layouts, items, looks, view)?;
        self.tev_uniforms.write(&self.context, &self.layouts, (&self.white, &self.nearest), view, items)?;
        let instanced = self.context.skins_on_gpu();
        if !instanced {
            self.pose_on_cpu(items, view)?;
        }
        let samples = target.samples();
        let windows: Vec<bool> = besides.windows.iter().map(Option::is_some).collect();
        let (groups, uniforms) = (&groups[..], &self.tev_uniforms);
        let draws = draws::gather(&Gathering { view, samples, items, groups, instanced, uniforms, windows: &windows });
        let shadow = view.shadow.then(|| shadow::area_of(items, view.floor_y)).flatten();
        let mut globals = Globals::new(view, target, shadow);
        if let Some([_, fog]) = besides.sight {
            globals.fog = fog.extend(0.0).to_array();
        }
        let from_below = shadow.map(|area| globals.seen_from_below(area, view.floor_y));
        self.frame_buffers.write_globals(&globals, from_below.as_ref());
        let (bone_count, dot_count) = if view.skeleton { self.write_skeleton(view, items, looks)? } else { (0, 0) };
        let normals = if view.normal_lines { lines::of(items, view) } else { Vec::new() };
        let own = self.lines.write(&self.context, [lines, &normals])?;
        let kept = besides.kept_lines.map_or([0; 2], KeptLines::counts);
        let lines = [own[0].saturating_add(kept[0]), own[1].saturating_add(kept[1])];
        let extras = Extras { shadow, bone_count, dot_count, lines, besides };
        self.prepare(view, samples, &extras, &draws)?;

        let mut encoder = self.context.device().create_command_encoder(&Default::default());
        if extras.shadow.is_some() {
            self.draw_shadow(&mut encoder, &draws.solid);
        }
        self.draw_scene(&mut encoder, target, view, &draws, &extras);
        self.draw_outline(&mut encoder, target, view, items, &draws)?;
        self.context.queue().submit([encoder.finish()]);
        Ok(())
    }

    fn pose_on_cpu(&mut self, items: &[Item<'_>], view: &ViewSettings) -> Result<(), GpuError> {
        while self.posed.len() < items.len() {
            self.posed.push(GrowableBuffer::new("posed vertices", wgpu::BufferUsages::VERTEX));
        }
        for (item, buffer) in items.iter().zip(&mut self.posed) {
            let model = item.model;
            let vertices =
                geometry::posed(model.model(), &model.bind_vertices, item.frame, item.world_from_model, view);
            buffer.write(&self.context, bytemuck::cast_slice(&vertices), u64::MAX)?;
        }
        Ok(())
    }

    fn write_skeleton(
        &mut self,
        view: &ViewSettings,
        items: &[Item<'_>],
        looks: &[ItemLook],
    ) -> Result<(u32, u32), GpuError> {
        let (bones, dots) = lines::gather(items, looks, view.selected_joint);
        self.bones.write(&self.context, bytemuck::cast_slice(&bones), u64::MAX)?;
        self.dots.write(&self.context, bytemuck::cast_slice(&dots), u64::MAX)?;
        Ok((bones.len() as u32, dots.len() as u32))
    }

    /// Builds the pipelines that are missing.
    fn prepare(
        &mut self,
        view: &ViewSettings,
        samples: u32,
        extras: &Extras<'_>,
        draws: &draws::Draws<'_>,
    ) -> Result<(), GpuError> {
        let mut keys: Vec<Key> = draws.solid.iter().chain(&draws.blended).map(|draw| draw.look.key()).collect();
        if draws.needs_opaque_alpha {
            keys.push(Key::OpaqueAlpha { samples, everywhere: view.background != Background::Transparent });
        }
        keys.push(Key::Background { samples });
        if extras.shadow.is_some() {
            keys.extend([Key::Caster, Key::Blur { vertical: false }, Key::Blur { vertical: true }]);
            keys.push(Key::Shadow { samples });
        }
        if extras.besides.sight.is_some() {
            keys.push(Key::Fog { samples });
        }
        if view.grid {
            keys.push(Key::Grid { samples });
        }
        if view.wireframe {
            keys.push(Key::Wire { samples });
        }
        if extras.dot_count > 0 {
            keys.extend([Key::Bones { samples }, Key::Joints { samples }]);
        }
        for (over, count) in [false, true].into_iter().zip(extras.lines) {
            if count > 0 {
                keys.push(Key::Lines { samples, over });
            }
        }
        keys.dedup();
        keys.into_iter().try_for_each(|key| self.pipelines.prepare(&self.layouts, key))
    }

    fn draw_shadow(&self, encoder: &mut wgpu::CommandEncoder, solid: &[Draw<'_>]) {
        let pipelines = [Key::Caster, Key::Blur { vertical: false }, Key::Blur { vertical: true }];
        let [Some(caster), Some(across), Some(down)] = pipelines.map(|key| self.pipelines.get(key)) else { return };
        let Some(globals) = self.frame_buffers.shadow_group() else { return };
        let mut pass = shadow::pass(encoder, self.shadow_map.view());
        pass.set_pipeline(caster);
        pass.set_bind_group(0, globals, &[]);
        for draw in solid.iter().filter(|draw| !draw.look.is_lines()) {
            self.draw_surface(&mut pass, draw, Streams::default());
        }
        drop(pass);
        self.shadow_map.blur(encoder, globals, across, down);
    }

    fn draw_scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &RenderTarget,
        view: &ViewSettings,
        draws: &draws::Draws<'_>,
        extras: &Extras<'_>,
    ) {
        let Some(globals) = self.frame_buffers.group() else { return };
        let Besides { terrain, windows, sight, scissor, .. } = extras.besides;
        let samples = target.samples();
        let (color, resolve_target, depth) = target.attachments();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, globals, &[]);
        if let Some([x, y, width, height]) = scissor {
            pass.set_scissor_rect(x, y, width, height);
        }
        if view.background != Background::Transparent {
            self.draw_plain(&mut pass, Key::Background { samples }, 0..3, 1);
        }
        if let Some(terrain) = terrain {
            terrain.draw_solid(&mut pass);
        }
        self.draw_surfaces(&mut pass, &draws.solid, view, windows);
        pass.set_bind_group(1, self.shadow_map.group(), &[]);
        if extras.shadow.is_some() {
            self.draw_plain(&mut pass, Key::Shadow { samples }, 0..4, 1);
        }
        if view.grid {
            self.draw_plain(&mut pass, Key::Grid { samples }, 0..4, 1);
        }
        if let Some(terrain) = terrain {
            terrain.draw_blended(&mut pass);
        }
        self.draw_surfaces(&mut pass, &draws.blended, view, windows);
        if draws.needs_opaque_alpha {
            let everywhere = view.background != Background::Transparent;
            self.draw_plain(&mut pass, Key::OpaqueAlpha { samples, everywhere }, 0..3, 1);
        }
        if let Some([flash, _]) = sight {
            let [r, g, b] = flash.to_array().map(f64::from);
            pass.set_blend_constant(wgpu::Color { r, g, b, a: 1.0 });
            self.draw_plain(&mut pass, Key::Fog { samples }, 0..3, 1);
        }
        if view.wireframe
            && let Some(pipeline) = self.pipelines.get(Key::Wire { samples })
        {
            pass.set_pipeline(pipeline);
            for draw in draws.solid.iter().chain(&draws.blended).filter(|draw| draw.has_edges) {
                self.draw_edges(&mut pass, draw);
            }
        }
        self.draw_lines(&mut pass, samples, extras.lines, extras.besides.kept_lines);
        if let Some(terrain) = terrain {
            terrain.draw_over(&mut pass);
        }
        if extras.dot_count > 0 {
            let (width, height) = target.size();
            pass.set_viewport(0.0, 0.0, width as f32, height as f32, FRONT.start, FRONT.end);
            for (key, buffer, vertices, count) in [
                (Key::Bones { samples }, &self.bones, 0..24, extras.bone_count),
                (Key::Joints { samples }, &self.dots, 0..4, extras.dot_count),
            ] {
                if let Some(buffer) = buffer.buffer.as_ref().filter(|_| count > 0) {
                    pass.set_vertex_buffer(0, buffer.slice(..));
                    self.draw_plain(&mut pass, key, vertices, count);
                }
            }
        }
    }
}

impl SceneRenderer {
    /// Puts a landscape on the device. A grid without ground is no error: nothing of it is drawn.
    ///
    /// # Errors
    /// When any part of it is more than the device can hold.
    pub fn upload_terrain(&mut self, terrain: &Arc<Terrain>) -> Result<GpuTerrain, GpuError> {
        if self.context.is_lost() {
            return Err(GpuError::Lost);
        }
        let resources = self.terrain_resources()?;
        GpuTerrain::new(&self.context, resources, terrain)
    }

    fn terrain_resources(&mut self) -> Result<Arc<TerrainResources>, GpuError> {
        if let Some(resources) = &self.terrain_resources {
            return Ok(resources.clone());
        }
        let resources = Arc::new(TerrainResources::new(&self.context, &self.layouts)?);
        self.terrain_resources = Some(resources.clone());
        Ok(resources)
    }

    /// Draws a landscape with lines over it into the target and submits; does not wait.
    ///
    /// # Errors
    /// When the device refuses, or the landscape is another device's.
    pub fn render_terrain(
        &mut self,
        target: &mut RenderTarget,
        view: &ViewSettings,
        terrain: &mut GpuTerrain,
        how: &TerrainView,
        lines: &[Line],
    ) -> Result<(), GpuError> {
        if !Arc::ptr_eq(&self.context, terrain.context()) {
            return Err(GpuError::ForeignDevice("the landscape"));
        }
        terrain.prepare(&self.shared(), target, view, how)?;
        let (pass, draw_calls) = TerrainPass::new(terrain, how, target.samples())?;
        let lines: Vec<Line> = terrain.lines(how).chain(lines.iter().copied()).collect();
        let items = terrain.items(how);
        let besides = Besides { terrain: Some(&pass), ..Besides::default() };
        self.render_all(target, view, &items, &[], &lines, besides)?;
        terrain.set_draw_calls(draw_calls);
        Ok(())
    }
}
