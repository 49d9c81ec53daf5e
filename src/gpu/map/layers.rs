//! The layers of a level that are drawn, and the outlines of its brushes.

use crate::{
    gpu::{Line, Shading},
    scene::{Map, MapItemKind, MapMoment, WindowView, camera::OrbitCamera},
};
use std::{collections::BTreeSet, sync::Arc};

/// Which of a level's items are drawn beside its walls and movers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MapLayers {
    /// Meshes of actors.
    pub meshes: bool,
    /// Sprites: pictures of actors, which always face the camera.
    pub sprites: bool,
    /// The editor's brushes, as lines.
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
    /// Returns `true` if items of a kind are drawn. The level itself and its movers are always drawn.
    pub fn shows(&self, kind: MapItemKind) -> bool {
        match kind {
            MapItemKind::World | MapItemKind::Mover => true,
            MapItemKind::Mesh => self.meshes,
            MapItemKind::Sprite => self.sprites,
            MapItemKind::Corona => self.coronas,
            MapItemKind::Brush => self.brushes,
        }
    }

    /// How windows are seen in a picture with this shading and camera, with hidden surfaces or without them.
    pub fn window_view(&self, shading: Shading, camera: &OrbitCamera, show_hidden: bool) -> WindowView {
        WindowView {
            wanted: self.windows,
            own_colors: matches!(shading, Shading::Lit | Shading::Unlit | Shading::Light),
            orthographic: camera.orthographic,
            show_hidden,
        }
    }
}

/// What of a level a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct MapView<'a> {
    /// The kinds of items that are drawn.
    pub layers: MapLayers,
    /// Actors whose items are left out; `None` is the level itself.
    pub hidden: &'a BTreeSet<Option<u32>>,
    /// The moment of the level that is shown.
    pub moment: &'a MapMoment,
    /// Over the surfaces, beside the outlines of brushes.
    pub lines: &'a [Line],
    /// Likewise, one after the other; each is put on the device when another one is handed over than in the last picture.
    pub overlay: &'a [Arc<[Line]>],
    /// For pictures that are kept: computed textures run up to the moment, however long that takes. Otherwise they go on by and
    /// by, and what is slower runs slower.
    pub exact: bool,
}

/// Width of the outlines of brushes.
const BRUSH_LINE_PX: f32 = 1.0;

/// Lines in the world, and whose they are.
pub(super) struct Brushes {
    pub lines: Arc<[Line]>,
    /// Of each line its actor.
    actors: Vec<Option<u32>>,
    /// Those that are left when some actors are hidden.
    left: Option<Left>,
}

/// What is left of the lines when some actors are hidden.
struct Left {
    hidden: BTreeSet<Option<u32>>,
    lines: Arc<[Line]>,
}

impl Brushes {
    pub fn of(map: &Map) -> Self {
        let (actors, lines): (Vec<_>, Vec<Line>) = brush_lines(map).into_iter().unzip();
        Self { lines: lines.into(), actors, left: None }
    }

    /// Those that are not some hidden actor's.
    pub fn without<'a>(&'a self, hidden: &'a BTreeSet<Option<u32>>) -> impl Iterator<Item = &'a Line> {
        let lines = self.lines.iter().zip(&self.actors);
        lines.filter(|(_, actor)| !hidden.contains(actor)).map(|(line, _)| line)
    }

    /// The same, found out once for what is hidden.
    pub fn kept_without(&mut self, hidden: &BTreeSet<Option<u32>>) -> Arc<[Line]> {
        if hidden.is_empty() {
            return self.lines.clone();
        }
        match &self.left {
            Some(left) if left.hidden == *hidden => left.lines.clone(),
            _ => {
                let lines: Arc<[Line]> = self.without(hidden).copied().collect();
                self.left = Some(Left { hidden: hidden.clone(), lines: lines.clone() });
                lines
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_show_places_where_colours_are_the_surfaces_own() {
        let (layers, camera) = (MapLayers::default(), OrbitCamera::default());
        let shows = |shading| layers.window_view(shading, &camera, false).shows_places();
        let shown: Vec<Shading> = Shading::ALL.into_iter().filter(|shading| shows(*shading)).collect();
        assert_eq!(shown, [Shading::Lit, Shading::Unlit, Shading::Light]);
        let flat = OrbitCamera { orthographic: true, ..camera };
        assert!(!layers.window_view(Shading::Lit, &flat, false).shows_places());
        let without = MapLayers { windows: false, ..layers };
        assert!(!without.window_view(Shading::Lit, &camera, false).shows_places());
        assert!(layers.window_view(Shading::Lit, &camera, true).show_hidden);
    }
}
