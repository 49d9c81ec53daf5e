//! Models in the place of boxes, for what is near.

use super::super::model::{Pictures, Shared};
use super::super::{GpuContext, GpuError, GpuModel, Item};
use super::data::Seen;
use crate::scene::{Aabb, Frame, Terrain, TerrainView};
use glam::Vec3;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Models in one picture.
const MOST: usize = 2_000;
/// A box of fewer pixels stays a box; `shaders/terrain_props.wgsl` leaves out those of a few more.
const LEAST_PX: f32 = 12.0;
/// A model of this many pixels is drawn at its finest level; each coarser level is for half as many.
const FINEST_PX: f32 = 160.0;

#[derive(Default)]
pub(super) struct Bodies {
    /// Props whose type has a model, into the terrain's.
    candidates: Vec<u32>,
    /// By type and level; `None` for one that the device refused.
    models: HashMap<(u32, usize), Option<GpuModel>>,
    /// Of all models: they lie where the terrain has them.
    pictures: Pictures,
    /// What the last picture shows: prop, type, level.
    shown: Vec<(u32, u32, usize)>,
    /// Boxes of what has a model are left out up to this far from the eye, in metres.
    pub reach: f32,
    still: Frame,
}

impl Bodies {
    pub fn new(terrain: &Terrain) -> Self {
        let has_body = |kind: u32| terrain.kinds.get(kind as usize).is_some_and(|k| k.body.is_some());
        let candidates = (0..).zip(&terrain.props).filter(|(_, p)| has_body(p.kind)).map(|(index, _)| index).collect();
        Self { candidates, ..Self::default() }
    }

    /// Whether a type's boxes may be left out: its models could be put on the device.
    pub fn stands_for(&self, kind: u32) -> bool {
        !self.models.iter().any(|((of, _), model)| *of == kind && model.is_none())
    }

    /// Chooses what the picture shows and puts it on the device. A model that the device refuses stays a box.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn choose(
        &mut self,
        context: &Arc<GpuContext>,
        shared: &Shared<'_>,
        terrain: &Terrain,
        view: &TerrainView,
        seen: &Seen,
    ) -> Result<(), GpuError> {
        self.shown.clear();
        self.reach = 0.0;
        if !view.props || !view.bodies {
            return Ok(());
        }
        let mut near: Vec<(f32, u32, u32, f32)> = Vec::new();
        for index in &self.candidates {
            let Some(prop) = terrain.props.get(*index as usize).filter(|p| view.shows_kind(p.kind)) else { continue };
            let Some(kind) = terrain.kind_of(prop) else { continue };
            let place = view.world_from_prop(terrain, prop);
            if !place.is_finite() {
                continue;
            }
            let scaled = [place.matrix3.x_axis * kind.size.x, place.matrix3.y_axis * kind.size.y];
            let deep = place.matrix3.z_axis * kind.size.z;
            let diagonal = (scaled[0].length_squared() + scaled[1].length_squared() + deep.length_squared()).sqrt();
            let floor = Vec3::from(place.translation);
            let pixels = diagonal * seen.pixels / seen.depth_of(floor + Vec3::from(scaled[1]) * 0.5).max(1e-6);
            // A model may be larger than the box that was guessed for it.
            let reach = diagonal * 2.0;
            let bounds = Aabb { min: floor - reach, max: floor + reach };
            if pixels >= LEAST_PX && pixels.is_finite() && seen.frustum.may_see(&bounds) {
                near.push(((floor - seen.eye).length(), *index, prop.kind, pixels));
            }
        }
        self.reach = f32::MAX;
        if near.len() > MOST {
            near.select_nth_unstable_by(MOST, |a, b| a.0.total_cmp(&b.0));
            self.reach = near.get(MOST).map_or(0.0, |first_left_out| first_left_out.0);
            near.truncate(MOST);
        }
        near.sort_by_key(|(_, index, ..)| *index);
        for (_, index, kind, pixels) in near {
            let Some(body) = terrain.kinds.get(kind as usize).and_then(|k| k.body.as_ref()) else { continue };
            let coarser = (FINEST_PX / pixels).log2().floor().max(0.0) as usize;
            let level = coarser.min(body.levels.len().saturating_sub(1));
            let Some(chosen) = body.levels.get(level) else { continue };
            if let Entry::Vacant(place) = self.models.entry((kind, level)) {
                place.insert(match GpuModel::new(context, shared, &chosen.model, &mut self.pictures) {
                    Ok(model) => Some(model),
                    Err(GpuError::Lost) => return Err(GpuError::Lost),
                    Err(error) => {
                        log::warn!("cannot draw a model: {error}. A box is drawn instead");
                        None
                    }
                });
            }
            self.shown.push((index, kind, level));
        }
        Ok(())
    }

    /// What was chosen.
    pub fn items(&self, terrain: &Terrain, view: &TerrainView) -> Vec<Item<'_>> {
        let item = |(index, kind, level): &(u32, u32, usize)| {
            let model = self.models.get(&(*kind, *level))?.as_ref()?;
            let prop = terrain.props.get(*index as usize)?;
            let world_from_model = view.world_from_prop(terrain, prop);
            self.stands_for(*kind).then_some(Item { model, frame: &self.still, world_from_model })
        };
        self.shown.iter().filter_map(item).collect()
    }

    pub fn count(&self) -> usize {
        self.shown.len()
    }
}
