use super::super::stage::Growing;
use super::super::{GpuError, Line, RenderTarget, SceneRenderer, ViewSettings};
use super::bodies::Bodies;
use super::data::{self, TerrainData};
use super::ground::Ground;
use super::kit::{Part, TerrainKit};
use super::overlay::Overlay;
use super::patches::Patch;
use super::props::Props;
use super::seen::Seen;
use crate::scene::{HeightRange, Terrain, TerrainView};
use std::collections::HashMap;
use std::sync::Arc;

/// A landscape on the device.
pub struct GpuTerrain {
    kit: Arc<TerrainKit>,
    terrain: Arc<Terrain>,
    range: Option<HeightRange>,
    ground: Ground,
    props: Props,
    bodies: Bodies,
    overlay: Overlay,
    nodes: Growing,
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

impl SceneRenderer {
    /// Puts a landscape on the device. A grid without ground is no error: nothing of it is drawn.
    ///
    /// # Errors
    /// When any part of it is more than the device can hold.
    pub fn upload_terrain(&mut self, terrain: &Arc<Terrain>) -> Result<GpuTerrain, GpuError> {
        if self.context.is_lost() {
            return Err(GpuError::Lost);
        }
        let kit = self.terrain_kit()?;
        Ok(GpuTerrain {
            ground: Ground::new(&self.context, &kit, &terrain.grid)?,
            props: Props::new(&self.context, terrain)?,
            bodies: Bodies::new(terrain),
            overlay: Overlay::new(&self.context, &kit, terrain)?,
            range: terrain.grid.range(),
            nodes: Growing::new("patches", wgpu::BufferUsages::VERTEX),
            patches: Vec::new(),
            draw_calls: 0,
            terrain: terrain.clone(),
            kit,
        })
    }

    fn terrain_kit(&mut self) -> Result<Arc<TerrainKit>, GpuError> {
        if let Some(kit) = &self.terrain_kit {
            return Ok(kit.clone());
        }
        let kit = Arc::new(TerrainKit::new(&self.context, &self.layouts)?);
        self.terrain_kit = Some(kit.clone());
        Ok(kit)
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
        if !Arc::ptr_eq(&self.context, &terrain.kit.context) {
            return Err(GpuError::ForeignDevice("the landscape"));
        }
        terrain.prepare(self, target, view, how)?;
        let (pass, draw_calls) = TerrainPass::new(terrain, how, target.samples())?;
        let lines: Vec<Line> =
            terrain.overlay.lines(how, data::exaggeration(how)).chain(lines.iter().copied()).collect();
        let items = terrain.bodies.items(&terrain.terrain, how);
        self.render_all(target, view, &items, &lines, Some(&pass))?;
        terrain.draw_calls = draw_calls;
        Ok(())
    }
}

impl GpuTerrain {
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

    /// Chooses the patches and writes what changed since the last picture.
    fn prepare(
        &mut self,
        renderer: &mut SceneRenderer,
        target: &RenderTarget,
        view: &ViewSettings,
        how: &TerrainView,
    ) -> Result<(), GpuError> {
        let range = self.range.unwrap_or(HeightRange { min: 0.0, max: 0.0, mean: 0.0, holes: 0 });
        let exaggeration = data::exaggeration(how);
        let base = data::base(&self.terrain, &range, exaggeration);
        let seen = Seen::new(&view.camera, target.size(), exaggeration, base);
        self.patches.clear();
        if let Some(patches) = &mut self.ground.patches {
            patches.select(&seen, &mut self.patches);
        }
        self.bodies.choose(renderer, &self.terrain, how, &seen)?;
        let context = &renderer.context;
        self.nodes.write(context, bytemuck::cast_slice(&self.patches), u64::MAX)?;
        if how.props {
            let modelled = (0..).zip(&self.terrain.kinds);
            let modelled = modelled.map(|(index, kind)| kind.body.is_some() && self.bodies.stands_for(index)).collect();
            self.props.write(context, &self.terrain, how, modelled)?;
        }
        let data = TerrainData::new(&self.terrain, &range, how, &seen, self.bodies.reach);
        context.queue().write_buffer(&self.ground.uniform, 0, bytemuck::bytes_of(&data));
        Ok(())
    }
}

impl<'a> TerrainPass<'a> {
    /// With the number of calls that it will take.
    fn new(terrain: &'a GpuTerrain, view: &'a TerrainView, samples: u32) -> Result<(Self, u32), GpuError> {
        let shown = Self { terrain, view, pipelines: HashMap::new() };
        let pipelines: Result<HashMap<Part, wgpu::RenderPipeline>, GpuError> = Part::ALL
            .into_iter()
            .filter(|part| shown.calls(*part) > 0)
            .map(|part| Ok((part, terrain.kit.pipeline(part, samples)?)))
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
        let (terrain, kit) = (self.terrain, &self.terrain.kit);
        if let Some(nodes) = &terrain.nodes.buffer
            && self.begin(pass, Part::Ground)
        {
            pass.set_vertex_buffer(0, kit.patch_vertices.slice(..));
            pass.set_vertex_buffer(1, nodes.slice(..));
            pass.set_index_buffer(kit.patch_indices.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed(0..kit.patch_index_count, 0, 0..terrain.patches.len() as u32);
        }
        if self.begin(pass, Part::Underside) {
            pass.draw(0..4, 0..1);
        }
        if let Some(nodes) = &terrain.nodes.buffer
            && self.begin(pass, Part::Overlay)
        {
            pass.set_vertex_buffer(0, kit.patch_vertices.slice(..));
            pass.set_vertex_buffer(1, nodes.slice(..));
            pass.set_index_buffer(kit.patch_indices.slice(..), wgpu::IndexFormat::Uint16);
            for layer in terrain.overlay.shown(self.view) {
                pass.set_bind_group(2, layer, &[]);
                pass.draw_indexed(0..kit.patch_index_count, 0, 0..terrain.patches.len() as u32);
            }
        }
        if self.begin(pass, Part::Props) {
            pass.set_vertex_buffer(0, kit.shape_vertices.slice(..));
            pass.set_vertex_buffer(1, terrain.props.places.slice(..));
            pass.set_vertex_buffer(2, terrain.props.looks.slice(..));
            pass.set_index_buffer(kit.shape_indices.slice(..), wgpu::IndexFormat::Uint16);
            for (shape, instances) in kit.shapes.iter().zip(&terrain.props.shapes) {
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
