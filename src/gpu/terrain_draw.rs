//! Landscapes: uploading and drawing them with all the rest of a picture.

use super::renderer::Besides;
use super::terrain::{TerrainPass, TerrainResources};
use super::{GpuError, GpuTerrain, Line, RenderTarget, SceneRenderer, ViewSettings};
use crate::scene::{Terrain, TerrainView};
use std::sync::Arc;

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
