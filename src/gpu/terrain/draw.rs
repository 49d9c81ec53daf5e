use super::super::buffers::GrowableBuffer;
use super::super::model::Shared;
use super::super::{GpuContext, GpuError, Item, Line, RenderTarget, ViewSettings};
use super::bodies::Bodies;
use super::data::Seen;
use super::data::{self, TerrainData};
use super::ground::Ground;
use super::overlay::Overlay;
use super::patches::Patch;
use super::props::Props;
use super::resources::{Part, TerrainResources};
use crate::scene::{HeightRange, Terrain, TerrainView};
use std::collections::HashMap;
use std::sync::Arc;

/// A landscape on the device.
pub struct GpuTerrain {
    resources: Arc<TerrainResources>,
    terrain: Arc<Terrain>,
    range: Option<HeightRange>,
    ground: Ground,
    props: Props,
    bodies: Bodies,
    overlay: Overlay,
    nodes: GrowableBuffer,
    // Reused from picture to picture.
    patches: Vec<Patch>,
    draw_calls: u32,
}

/// What one picture draws of a landscape.
pub(in super::super) struct TerrainPass<'a> {
    terrain: &'a GpuTerrain,
    view: &'a TerrainView,
    pipelines: HashMap<Part, wgpu::RenderPipeline>,
}

impl GpuTerrain {
    /// # Errors
    /// When any part of it is more than the device can hold.
    pub(in super::super) fn new(
        context: &GpuContext,
        resources: Arc<TerrainResources>,
        terrain: &Arc<Terrain>,
    ) -> Result<Self, GpuError> {
        Ok(Self {
            ground: Ground::new(context, &resources, &terrain.grid)?,
            props: Props::new(context, terrain)?,
            bodies: Bodies::new(terrain),
            overlay: Overlay::new(context, &resources, terrain)?,
            range: terrain.grid.range(),
            nodes: GrowableBuffer::new("patches", wgpu::BufferUsages::VERTEX),
            patches: Vec::new(),
            draw_calls: 0,
            terrain: terrain.clone(),
            resources,
        })
    }

    pub(in super::super) fn context(&self) -> &Arc<GpuContext> {
        &self.resources.context
    }

    /// What was uploaded.
    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// Calls that the last picture took for the landscape.
    pub fn draw_calls(&self) -> u32 {
        self.draw_calls
    }

    /// Models in the last picture, in the place of boxes.
    pub fn body_count(&self) -> usize {
        self.bodies.count()
    }

    /// Patches of ground in the last picture.
    pub fn patch_count(&self) -> usize {
        self.patches.len()
    }

    /// Samples between neighbouring vertices of the patches in the last picture, each once, ascending.
    pub fn patch_strides(&self) -> Vec<u32> {
        let mut strides: Vec<u32> = self.patches.iter().map(|patch| patch.stride).collect();
        strides.sort_unstable();
        strides.dedup();
        strides
    }

    fn has_ground(&self) -> bool {
        self.range.is_some() && self.ground.patches.is_some()
    }

    /// Lines that are laid over it, before those of the caller.
    pub(in super::super) fn lines(&self, how: &TerrainView) -> impl Iterator<Item = Line> {
        self.overlay.lines(how, data::exaggeration(how))
    }

    /// Models in the place of boxes.
    pub(in super::super) fn items(&self, how: &TerrainView) -> Vec<Item<'_>> {
        self.bodies.items(&self.terrain, how)
    }

    /// Notes how many calls the picture took.
    pub(in super::super) fn set_draw_calls(&mut self, draw_calls: u32) {
        self.draw_calls = draw_calls;
    }

    /// Chooses the patches and writes what changed since the last picture.
    pub(in super::super) fn prepare(
        &mut self,
        shared: &Shared<'_>,
        target: &RenderTarget,
        view: &ViewSettings,
        how: &TerrainView,
    ) -> Result<(), GpuError> {
        let context = self.resources.context.clone();
        let range = self.range.unwrap_or(HeightRange { min: 0.0, max: 0.0, mean: 0.0, holes: 0 });
        let exaggeration = data::exaggeration(how);
        let base = data::base(&self.terrain, &range, exaggeration);
        let seen = Seen::new(&view.camera, target.size(), exaggeration, base);
        self.patches.clear();
        if let Some(patches) = &mut self.ground.patches {
            patches.select(&seen, &mut self.patches);
        }
        self.bodies.choose(&context, shared, &self.terrain, how, &seen)?;
        self.nodes.write(&context, bytemuck::cast_slice(&self.patches), u64::MAX)?;
        if how.props {
            let modelled = (0..).zip(&self.terrain.kinds);
            let modelled = modelled.map(|(index, kind)| kind.body.is_some() && self.bodies.stands_for(index)).collect();
            self.props.write(&context, &self.terrain, how, modelled)?;
        }
        let data = TerrainData::new(&self.terrain, &range, how, &seen, self.bodies.reach);
        context.queue().write_buffer(&self.ground.uniform, 0, bytemuck::bytes_of(&data));
        Ok(())
    }
}

impl<'a> TerrainPass<'a> {
    /// With the number of calls that it will take.
    pub fn new(terrain: &'a GpuTerrain, view: &'a TerrainView, samples: u32) -> Result<(Self, u32), GpuError> {
        let shown = Self { terrain, view, pipelines: HashMap::new() };
        let pipelines: Result<HashMap<Part, wgpu::RenderPipeline>, GpuError> = Part::ALL
            .into_iter()
            .filter(|part| shown.calls(*part) > 0)
            .map(|part| Ok((part, terrain.resources.pipeline(part, samples)?)))
            .collect();
        let calls = Part::ALL.into_iter().map(|part| shown.calls(part)).sum();
        Ok((Self { pipelines: pipelines?, ..shown }, calls))
    }

    /// Calls that a part takes; 0 when there is none of it.
    fn calls(&self, part: Part) -> u32 {
        let terrain = self.terrain;
        let ground = terrain.has_ground();
        let sea = terrain.range.is_some_and(|range| range.min < 0.0);
        let props = self.view.props && terrain.props.count() > 0;
        match part {
            Part::Ground => u32::from(ground && !terrain.patches.is_empty()),
            Part::Overlay if ground => terrain.overlay.shown(self.view).count() as u32,
            Part::Overlay => 0,
            Part::Underside => u32::from(ground),
            Part::Water => u32::from(ground && self.view.water && sea),
            Part::Props if props => terrain.props.shapes.iter().filter(|range| !range.is_empty()).count() as u32,
            Part::Props => 0,
            Part::Points => u32::from(props),
            Part::Outlines => u32::from(props && terrain.props.selected_count > 0),
        }
    }

    fn begin(&self, pass: &mut wgpu::RenderPass<'_>, part: Part) -> bool {
        let Some(pipeline) = self.pipelines.get(&part) else { return false };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &self.terrain.ground.group, &[]);
        true
    }

    /// Ground and props: what hides what is behind it.
    pub fn draw_solid(&self, pass: &mut wgpu::RenderPass<'_>) {
        let (terrain, resources) = (self.terrain, &self.terrain.resources);
        if let Some(nodes) = &terrain.nodes.buffer
            && self.begin(pass, Part::Ground)
        {
            pass.set_vertex_buffer(0, resources.patch_vertices.slice(..));
            pass.set_vertex_buffer(1, nodes.slice(..));
            pass.set_index_buffer(resources.patch_indices.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..resources.patch_index_count, 0, 0..terrain.patches.len() as u32);
        }
        if self.begin(pass, Part::Underside) {
            pass.draw(0..4, 0..1);
        }
        if let Some(nodes) = &terrain.nodes.buffer
            && self.begin(pass, Part::Overlay)
        {
            pass.set_vertex_buffer(0, resources.patch_vertices.slice(..));
            pass.set_vertex_buffer(1, nodes.slice(..));
            pass.set_index_buffer(resources.patch_indices.slice(..), wgpu::IndexFormat::Uint16);
            for layer in terrain.overlay.shown(self.view) {
                pass.set_bind_group(2, layer, &[]);
                pass.draw_indexed(0..resources.patch_index_count, 0, 0..terrain.patches.len() as u32);
            }
        }
        if self.begin(pass, Part::Props) {
            pass.set_vertex_buffer(0, resources.shape_vertices.slice(..));
            pass.set_vertex_buffer(1, terrain.props.places.slice(..));
            pass.set_vertex_buffer(2, terrain.props.looks.slice(..));
            pass.set_index_buffer(resources.shape_indices.slice(..), wgpu::IndexFormat::Uint16);
            for (shape, instances) in resources.shapes.iter().zip(&terrain.props.shapes) {
                if !instances.is_empty() {
                    pass.draw_indexed(shape.indices.clone(), shape.base_vertex, instances.clone());
                }
            }
        }
    }

    /// The sea, and props that are no more than points.
    pub fn draw_blended(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.begin(pass, Part::Points) {
            pass.set_vertex_buffer(0, self.terrain.props.places.slice(..));
            pass.set_vertex_buffer(1, self.terrain.props.looks.slice(..));
            pass.draw(0..4, 0..self.terrain.props.count());
        }
        if self.begin(pass, Part::Water) {
            pass.draw(0..54, 0..1);
        }
    }

    /// What nothing hides.
    pub fn draw_over(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(selected) = &self.terrain.props.selected.buffer
            && self.begin(pass, Part::Outlines)
        {
            pass.set_vertex_buffer(0, selected.slice(..));
            pass.draw(0..72, 0..self.terrain.props.selected_count);
        }
    }
}
