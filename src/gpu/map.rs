//! Levels: what of one is drawn in a picture.

use super::{GpuError, GpuModel, Item, Line, SceneRenderer, ViewSettings};
use crate::scene::{Aabb, Frame, Frustum, Map, MapItemKind};
use std::{collections::BTreeSet, sync::Arc};

/// Width of the outlines of brushes.
const BRUSH_LINE_PX: f32 = 1.0;

/// Which of a level's items are drawn beside its walls and movers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MapLayers {
    pub meshes: bool,
    pub sprites: bool,
    pub brushes: bool,
    /// Glows around lights.
    pub coronas: bool,
    /// Sky, mirrors and warp zones in the place of their surfaces.
    pub windows: bool,
}

impl Default for MapLayers {
    fn default() -> Self {
        Self { meshes: true, sprites: true, brushes: false, coronas: true, windows: true }
    }
}

impl MapLayers {
    pub fn shows(&self, kind: MapItemKind) -> bool {
        match kind {
            MapItemKind::World | MapItemKind::Mover => true,
            MapItemKind::Mesh => self.meshes,
            MapItemKind::Sprite => self.sprites,
            MapItemKind::Corona => self.coronas,
            MapItemKind::Brush => self.brushes,
        }
    }
}

/// A level on the device.
pub struct GpuMap {
    map: Arc<Map>,
    /// One for each model of the level.
    models: Vec<GpuModel>,
    /// Of each item, in the world; `None` for nothing to draw.
    bounds: Vec<Option<Aabb>>,
    /// Of each item that is a brush: its lines in the world.
    brushes: Vec<Line>,
    /// Whose each of those lines is.
    brush_actors: Vec<Option<u32>>,
    still: Frame,
}

impl SceneRenderer {
    /// Puts a level on the device; pictures that its models share are there once.
    ///
    /// # Errors
    /// When any part of it is more than the device can hold.
    pub fn upload_map(&mut self, map: &Arc<Map>) -> Result<GpuMap, GpuError> {
        let mut pictures = Default::default();
        let models: Result<Vec<GpuModel>, GpuError> =
            map.models.iter().map(|model| self.upload_with(model, &mut pictures)).collect();
        let (brush_actors, brushes) = brush_lines(map).into_iter().unzip();
        Ok(GpuMap {
            models: models?,
            bounds: map.items.iter().map(|item| map.item_bounds(item)).collect(),
            brushes,
            brush_actors,
            still: Frame::default(),
            map: map.clone(),
        })
    }
}

impl GpuMap {
    /// What was uploaded.
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// The items with surfaces that a picture of this width by height may show.
    pub fn items(&self, view: &ViewSettings, layers: MapLayers, aspect: f32) -> Vec<Item<'_>> {
        self.items_without(view, layers, aspect, &BTreeSet::new())
    }

    /// The same without those of some actors; `None` is the level itself.
    pub fn items_without(
        &self,
        view: &ViewSettings,
        layers: MapLayers,
        aspect: f32,
        hidden: &BTreeSet<Option<u32>>,
    ) -> Vec<Item<'_>> {
        let frustum = Frustum::new(view.camera.clip_from_world(aspect));
        let seen = |bounds: &Option<Aabb>| bounds.is_some_and(|bounds| frustum.may_see(&bounds));
        self.map
            .items
            .iter()
            .zip(&self.bounds)
            .filter(|(item, _)| !hidden.contains(&item.actor))
            .filter(|(item, bounds)| item.kind != MapItemKind::Brush && layers.shows(item.kind) && seen(bounds))
            .filter_map(|(item, _)| {
                let model = self.models.get(item.model as usize)?;
                Some(Item { model, frame: &self.still, world_from_model: item.world_seen_from(&view.camera) })
            })
            .collect()
    }

    /// The outlines of brushes, when they are shown.
    pub fn lines(&self, layers: MapLayers) -> &[Line] {
        if layers.brushes { &self.brushes } else { &[] }
    }

    /// The same without those of some actors.
    pub fn lines_without<'a>(
        &'a self,
        layers: MapLayers,
        hidden: &'a BTreeSet<Option<u32>>,
    ) -> impl Iterator<Item = &'a Line> {
        let lines = self.lines(layers).iter().zip(&self.brush_actors);
        lines.filter(|(_, actor)| !hidden.contains(actor)).map(|(line, _)| line)
    }
}

/// The lines of brushes, each with its actor.
fn brush_lines(map: &Map) -> Vec<(Option<u32>, Line)> {
    let mut lines = Vec::new();
    for item in map.items.iter().filter(|item| item.kind == MapItemKind::Brush) {
        let Some(model) = map.models.get(item.model as usize) else { continue };
        for mesh in &model.meshes {
            for [from, to] in &mesh.lines {
                let ends = [from, to].map(|v| item.world_from_model.transform_point3(mesh.position(*v as usize)));
                let color = mesh.colors.get(*from as usize).copied().unwrap_or([120, 160, 255, 255]);
                lines.push((item.actor, Line { ends, color, width_px: BRUSH_LINE_PX, over: false }));
            }
        }
    }
    lines
}
