//! A level on the device.

use super::layers::MapLayers;
use super::live::LivePictures;
use super::openings::{Face, faces_of};
use super::targets::WindowTargets;
use crate::gpu::{GpuError, GpuModel, Item, ItemLook, Line, SceneRenderer, ViewSettings};
use crate::scene::{Aabb, Frame, Frustum, Map, MapItem, MapItemKind, MapMoment, MapWindow};
use glam::{Affine3A, Vec3};
use std::{collections::BTreeSet, sync::Arc};

/// Width of the outlines of brushes.
const BRUSH_LINE_PX: f32 = 1.0;

/// How far a glow is drawn before what it lies on, in the level's units, and as a share of its distance at most.
const GLOW_BEFORE: f32 = 24.0;
const MOST_GLOW_BEFORE: f32 = 0.5;

/// A level on the device.
pub struct GpuMap {
    map: Arc<Map>,
    /// One for each model of the level.
    models: Vec<GpuModel>,
    /// Of each model.
    local_bounds: Vec<Option<Aabb>>,
    /// Of each item: where it stands, and its box in the world; `None` for nothing to draw.
    places: Vec<Affine3A>,
    bounds: Vec<Option<Aabb>>,
    /// Of each item that is a brush: its lines in the world.
    brushes: Vec<Line>,
    /// Whose each of those lines is.
    brush_actors: Vec<Option<u32>>,
    /// Models with pictures that move over surfaces.
    moving: Vec<usize>,
    /// Surfaces that are windows.
    pub(super) faces: Vec<Face>,
    /// Of each sky, whether a window shows it.
    skies_seen: Vec<bool>,
    pub(super) live: LivePictures,
    pub(super) targets: WindowTargets,
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

/// Where the rooms that skies are, are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rooms {
    /// Where they stand.
    InPlace,
    /// Through windows, but for the one in which the eye is.
    Away { but: Option<u32> },
    /// This one alone.
    Only(u32),
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
        let (models, (brush_actors, brushes)) = (models?, brush_lines(map).into_iter().unzip());
        let points = |model: &Arc<crate::scene::Model>| {
            Aabb::of(model.meshes.iter().flat_map(|mesh| mesh.points.iter().copied()))
        };
        let shows = |sky: u32| map.windows.contains(&MapWindow::Sky(sky));
        Ok(GpuMap {
            local_bounds: map.models.iter().map(points).collect(),
            places: map.items.iter().map(|item| item.world_from_model).collect(),
            bounds: map.items.iter().map(|item| map.item_bounds(item)).collect(),
            brushes,
            brush_actors,
            moving: (0..models.len()).filter(|index| models[*index].has_moving_pictures()).collect(),
            models,
            faces: faces_of(map),
            skies_seen: (0..).zip(&map.skies).map(|(sky, _)| shows(sky)).collect(),
            live: LivePictures::new(map, &pictures),
            targets: WindowTargets::default(),
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
        self.chosen(view, &Shown { layers, hidden, rooms: Rooms::InPlace }, aspect).0
    }

    /// What a picture may show, each with its look.
    pub(super) fn chosen(&self, view: &ViewSettings, shown: &Shown<'_>, aspect: f32) -> (Vec<Item<'_>>, Vec<ItemLook>) {
        let frustum = Frustum::new(view.clip_from_world(aspect));
        let (eye, directions) = (view.eye(), view.directions());
        let (mut items, mut looks) = (Vec::new(), Vec::new());
        for ((item, bounds), place) in self.map.items.iter().zip(&self.bounds).zip(&self.places) {
            if !self.is_shown(item, shown) || !bounds.is_some_and(|bounds| frustum.may_see(&bounds)) {
                continue;
            }
            let Some(model) = self.models.get(item.model as usize) else { continue };
            let world_from_model = match item.kind {
                MapItemKind::Sprite => item.world_facing(eye, directions),
                MapItemKind::Corona => brought_nearer(item.world_facing(eye, directions), eye),
                _ => *place,
            };
            items.push(Item { model, frame: &self.still, world_from_model });
            looks.push(ItemLook { glow: item.kind == MapItemKind::Corona, ..ItemLook::default() });
        }
        (items, looks)
    }

    /// Where an item stands, when it is one of those that are drawn.
    pub(super) fn place_of(&self, index: u32, shown: &Shown<'_>) -> Option<Affine3A> {
        let item = self.map.items.get(index as usize).filter(|item| self.is_shown(item, shown))?;
        let turned = matches!(item.kind, MapItemKind::Sprite | MapItemKind::Corona);
        self.places.get(index as usize).copied().filter(|_| !turned)
    }

    fn is_shown(&self, item: &MapItem, shown: &Shown<'_>) -> bool {
        let is_seen_away = |sky: u32| self.skies_seen.get(sky as usize) == Some(&true);
        let in_room = match shown.rooms {
            Rooms::InPlace => true,
            Rooms::Away { but } => item.sky.is_none_or(|sky| but == Some(sky) || !is_seen_away(sky)),
            Rooms::Only(sky) => item.sky == Some(sky),
        };
        in_room
            && item.kind != MapItemKind::Brush
            && shown.layers.shows(item.kind)
            && !shown.hidden.contains(&item.actor)
    }

    /// The sky whose room a point lies in.
    pub(super) fn sky_at(&self, point: Vec3) -> Option<u32> {
        let zone = self.map.tree.zone_at(point);
        let index = self.map.skies.iter().position(|sky| zone != 0 && sky.zone == zone)?;
        u32::try_from(index).ok()
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

    /// Of each of the level's live pictures, whether a surface that shows it may be seen.
    pub(super) fn live_seen(&self, view: &ViewSettings, shown: &Shown<'_>, aspect: f32) -> Vec<bool> {
        let frustum = Frustum::new(view.clip_from_world(aspect));
        // What is seen through windows lies anywhere.
        let elsewhere = self.map.windows.iter().any(|window| !matches!(window, MapWindow::Sky(_)));
        let everything = Shown { rooms: Rooms::InPlace, ..*shown };
        let mut seen = vec![false; self.map.live.len()];
        for (item, place) in
            self.map.items.iter().zip(&self.places).filter(|(item, _)| self.is_shown(item, &everything))
        {
            let away =
                item.sky.is_some() || elsewhere || matches!(item.kind, MapItemKind::Sprite | MapItemKind::Corona);
            for (live, bounds) in self.live.of_model(item.model) {
                if (away || frustum.may_see(&bounds.transformed(place)))
                    && let Some(slot) = seen.get_mut(*live)
                {
                    *slot = true;
                }
            }
        }
        seen
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

/// A glow as it looks from the eye, but nearer, so that what it lies on does not hide half of it.
fn brought_nearer(world_from_model: Affine3A, eye: Vec3) -> Affine3A {
    let away = eye.distance(world_from_model.translation.into()).max(1e-6);
    let share = 1.0 - (GLOW_BEFORE / away).min(MOST_GLOW_BEFORE);
    let toward = Affine3A::from_translation(eye) * Affine3A::from_scale(Vec3::splat(share));
    toward * Affine3A::from_translation(-eye) * world_from_model
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
