//! A level on the device.

use super::layers::Brushes;
use super::layers::MapLayers;
use super::live::LivePictures;
use super::openings::{Face, faces_of};
use super::targets::WindowTargets;
use crate::gpu::lines::KeptLines;
use crate::gpu::{GpuContext, GpuError, GpuModel, Item, ItemLook, Line, SceneRenderer, Shading, ViewSettings};
use crate::scene::{Aabb, Frame, Frustum, Map, MapItem, MapItemKind, MapMoment, Rooms};
use glam::{Affine3A, Vec3};
use std::{collections::BTreeSet, sync::Arc};

/// A level on the device.
pub struct GpuMap {
    pub(super) context: Arc<GpuContext>,
    map: Arc<Map>,
    /// One for each model of the level.
    models: Vec<GpuModel>,
    /// Of each model.
    local_bounds: Vec<Option<Aabb>>,
    /// Of each item: where it stands, and its box in the world; `None` for nothing to draw.
    places: Vec<Affine3A>,
    bounds: Vec<Option<Aabb>>,
    brushes: Brushes,
    /// Models with pictures that move over surfaces.
    moving: Vec<usize>,
    /// Surfaces that are windows.
    pub(super) faces: Vec<Face>,
    /// Of each sky, whether a window shows it.
    skies_seen: Vec<bool>,
    pub(super) live: LivePictures,
    pub(super) targets: WindowTargets,
    pub(super) kept_lines: KeptLines,
    /// The moment that the device holds.
    moment: MapMoment,
    still: Frame,
}

/// Which items of a level a picture may show.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub layers: MapLayers,
    pub hidden: &'a BTreeSet<Option<u32>>,
    pub rooms: Rooms,
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
        let models = models?;
        let points = |model: &Arc<crate::scene::Model>| {
            Aabb::of(model.meshes.iter().flat_map(|mesh| mesh.points.iter().copied()))
        };
        Ok(GpuMap {
            context: self.context.clone(),
            local_bounds: map.models.iter().map(points).collect(),
            places: map.items.iter().map(|item| item.world_from_model).collect(),
            bounds: map.items.iter().map(|item| map.item_bounds(item)).collect(),
            brushes: Brushes::of(map),
            moving: (0..models.len()).filter(|index| models[*index].has_moving_pictures()).collect(),
            models,
            faces: faces_of(map),
            skies_seen: map.skies_seen(),
            live: LivePictures::new(map, &pictures),
            targets: WindowTargets::default(),
            kept_lines: KeptLines::default(),
            moment: MapMoment::default(),
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

    /// The items with surfaces that a picture of this width by height may show, all where they stand.
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
        let frustum = Frustum::new(view.clip_from_world(aspect));
        self.drawn(&self.seen(view, &Shown { layers, hidden, rooms: Rooms::InPlace }, &frustum)).0
    }

    /// Into the level's items: what may be seen of those that are shown, each with where it stands.
    pub(super) fn seen(&self, view: &ViewSettings, shown: &Shown<'_>, frustum: &Frustum) -> Vec<(u32, Affine3A)> {
        // Colours that mean something else have no glow.
        let glows = matches!(view.shading, Shading::Lit | Shading::Unlit);
        let (eye, directions) = (view.eye(), view.directions());
        let mut seen = Vec::new();
        for (((index, item), bounds), place) in (0_u32..).zip(&self.map.items).zip(&self.bounds).zip(&self.places) {
            let is_glow = item.kind == MapItemKind::Corona;
            if !self.is_shown(item, shown) || is_glow && !glows {
                continue;
            }
            let bounds = if is_glow { bounds.map(|bounds| glow_bounds(&bounds, eye)) } else { *bounds };
            if bounds.is_some_and(|bounds| frustum.may_see(&bounds)) {
                let turned = is_glow || item.kind == MapItemKind::Sprite;
                seen.push((index, if turned { item.world_facing(eye, directions) } else { *place }));
            }
        }
        seen
    }

    /// Items as they are drawn, each with its look.
    pub(super) fn drawn(&self, seen: &[(u32, Affine3A)]) -> (Vec<Item<'_>>, Vec<ItemLook>) {
        let drawn = seen.iter().filter_map(|(index, place)| {
            let item = self.map.items.get(*index as usize)?;
            let model = self.models.get(item.model as usize)?;
            let look = ItemLook { glow: item.kind == MapItemKind::Corona, ..ItemLook::default() };
            Some((Item { model, frame: &self.still, world_from_model: *place }, look))
        });
        drawn.unzip()
    }

    /// Where an item stands, when it is one of those that are drawn.
    pub(super) fn place_of(&self, index: u32, shown: &Shown<'_>) -> Option<Affine3A> {
        let item = self.map.items.get(index as usize).filter(|item| self.is_shown(item, shown))?;
        let turned = matches!(item.kind, MapItemKind::Sprite | MapItemKind::Corona);
        self.places.get(index as usize).copied().filter(|_| !turned)
    }

    fn is_shown(&self, item: &MapItem, shown: &Shown<'_>) -> bool {
        shown.rooms.hold(item, &self.skies_seen)
            && item.kind != MapItemKind::Brush
            && shown.layers.shows(item.kind)
            && !shown.hidden.contains(&item.actor)
    }

    /// Puts movers and moving pictures where they are at a moment.
    pub(super) fn follow(&mut self, moment: &MapMoment) {
        if self.moment.seconds != moment.seconds {
            for model in self.moving.iter().filter_map(|index| self.models.get(*index)) {
                model.move_pictures(moment.seconds);
            }
        }
        if self.moment.movers != moment.movers {
            for (index, mover) in self.map.movers.iter().enumerate() {
                let at = mover.item as usize;
                let Some(item) = self.map.items.get(at) else { continue };
                let position = moment.movers.get(index);
                let place = position.map_or(item.world_from_model, |position| mover.world_from_model(*position));
                let local = self.local_bounds.get(item.model as usize).copied().flatten();
                if let (Some(slot), Some(bounds)) = (self.places.get_mut(at), self.bounds.get_mut(at)) {
                    *slot = place;
                    *bounds = local.map(|local| local.transformed(&place));
                }
            }
        }
        self.moment.clone_from(moment);
    }

    /// Whether a picture that changes was not yet where the last moment has it: the same picture drawn again comes nearer.
    pub fn is_behind(&self) -> bool {
        self.live.is_behind()
    }

    /// Pictures of the size of the last one that are kept on the device for what is seen through windows.
    pub fn kept_pictures(&self) -> usize {
        self.targets.count()
    }

    /// How often lines that stay from picture to picture were put on the device.
    pub fn line_writes(&self) -> u64 {
        self.kept_lines.writes()
    }

    /// The outlines of brushes, when they are shown.
    pub fn lines(&self, layers: MapLayers) -> &[Line] {
        if layers.brushes { &self.brushes.lines } else { &[] }
    }

    /// The same without those of some actors.
    pub fn lines_without<'a>(
        &'a self,
        layers: MapLayers,
        hidden: &'a BTreeSet<Option<u32>>,
    ) -> impl Iterator<Item = &'a Line> {
        self.brushes.without(hidden).filter(move |_| layers.brushes)
    }

    /// The same, to be kept on the device.
    pub(super) fn shown_brushes(&mut self, layers: MapLayers, hidden: &BTreeSet<Option<u32>>) -> Option<Arc<[Line]>> {
        layers.brushes.then(|| self.brushes.kept_without(hidden))
    }
}

/// Around a glow from where the eye is: it is as large as it is far away. `bounds`: a unit away.
fn glow_bounds(bounds: &Aabb, eye: Vec3) -> Aabb {
    let (middle, half) = ((bounds.min + bounds.max) * 0.5, (bounds.max - bounds.min) * 0.5);
    let half = half * middle.distance(eye);
    Aabb { min: middle - half, max: middle + half }
}
