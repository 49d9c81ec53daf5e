//! Measuring in a level, the point below the pointer, and surfaces with the same texture.

use crate::{
    scene::{Map, picking::Hit},
    ui::state::stage::{
        Stage,
        level::{AlikeSurfaces, LevelStage, PointerKey, SetOff},
    },
};
use glam::{Vec2, Vec3};
use std::{collections::HashSet, sync::Arc};

/// Edges of surfaces that are drawn at most.
const MAX_EDGES: usize = 20_000;

impl Stage {
    /// The point of a surface at a place of the picture (0..1 from the top left): a corner of its triangle where one is nearer
    /// than `snap`, in heights of the picture.
    pub fn point_at(&self, place: Vec2, snap: f32) -> Option<Vec3> {
        let hit = self.hit_at(place)?;
        let shown = self.level()?;
        let camera = &self.view.camera;
        let apart = |point: Vec3| {
            let seen = camera.project(point, self.viewport.aspect)?;
            let away = (seen - place) * Vec2::new(self.viewport.aspect, 1.0);
            Some((away.length(), point))
        };
        let corners = corners(shown, &hit).into_iter().flatten().filter_map(apart);
        let nearest = corners.filter(|(away, _)| *away <= snap).min_by(|a, b| a.0.total_cmp(&b.0));
        Some(nearest.map_or(hit.position, |(_, corner)| corner))
    }

    /// The same for where the pointer rests: searched for only when something is not as it was.
    pub fn point_under(&self, place: Vec2, snap: f32) -> Option<Vec3> {
        let shown = self.level().filter(|_| self.can_pick())?;
        let view = &self.view;
        let key = PointerKey {
            generation: shown.generation,
            camera: view.camera,
            aspect: self.viewport.aspect,
            place,
            snap,
            layers: view.options.layers,
            shading: self.drawn_shading(),
            show_hidden: view.options.show_hidden,
            one_sided: view.options.backface_culling,
            hidden: shown.actors.revision(),
            movers: shown.moment.movers.clone(),
        };
        let mut under = shown.tools.under.borrow_mut();
        if let Some((of, found)) = &under.found
            && *of == key
        {
            return *found;
        }
        let found = self.point_at(place, snap);
        under.searches = under.searches.wrapping_add(1);
        under.found = Some((key, found));
        found
    }

    /// Adds what lies at a place of the picture to what is measured; nothing where there is nothing.
    pub(in crate::ui) fn measure_in_level(&mut self, place: Vec2, snap: f32) {
        let Some(point) = self.point_at(place, snap) else { return };
        if let Some(shown) = self.content.level_mut().filter(|shown| shown.tools.measures) {
            shown.tools.measure(point);
        }
    }

    /// The ends of what is measured in the level, in the file's units.
    pub fn measured(&self) -> Option<[Vec3; 2]> {
        let shown = self.level()?;
        let [from, to] = shown.tools.points.as_slice() else { return None };
        Some([*from, *to].map(|end| shown.map.file_from_scene.transform_point3(end)))
    }
}

/// The corners of the triangle that was hit, in the world.
fn corners(shown: &LevelStage, hit: &Hit) -> Option<[Vec3; 3]> {
    let item = shown.map.item_at(hit.item, &shown.moment)?;
    let mesh = shown.map.models.get(item.model as usize)?.meshes.get(hit.mesh as usize)?;
    let first = (hit.triangle as usize).checked_mul(3)?;
    let [a, b, c] = mesh.indices.get(first..first.checked_add(3)?)? else { return None };
    Some([a, b, c].map(|vertex| item.world_from_model.transform_point3(mesh.position(*vertex as usize))))
}

impl SetOff {
    fn of(map: &Map, actor: u32) -> Self {
        let (movers, actors) = (map.movers_of(actor), map.set_off_by(actor));
        let moved = movers.iter().filter_map(|mover| map.movers.get(*mover as usize).map(|mover| mover.actor));
        let moved: HashSet<u32> = moved.collect();
        let others = actors.iter().copied().filter(|actor| !moved.contains(actor)).collect();
        Self { movers, actors, others }
    }
}

impl Stage {
    /// Outlines all surfaces that show what the picked one does, or none any more.
    pub(crate) fn toggle_alike(&mut self) {
        let Some(shown) = self.content.level_mut() else { return };
        shown.tools.outlined.take();
        if shown.tools.alike.take().is_some() {
            return;
        }
        let Some(surface) = shown.picked.as_ref().and_then(|picked| picked.surface) else { return };
        let alike = shown.map.surfaces_like(surface);
        let Some(like) = shown.map.surfaces.get(surface as usize).filter(|_| !alike.is_empty()) else { return };
        let outlines = shown.map.outlines(|surface| alike.contains(&surface), MAX_EDGES);
        let texture = like.texture.clone();
        shown.tools.alike = Some(AlikeSurfaces { texture, outlines: Arc::new(outlines) });
    }

    /// How many surfaces show what a surface of the level does; counted once.
    pub fn count_alike(&self, surface: u32) -> usize {
        let Some(shown) = self.level() else { return 0 };
        let mut told = shown.tools.told.borrow_mut();
        match told.alike {
            Some((generation, of, count)) if (generation, of) == (shown.generation, surface) => count,
            _ => {
                let count = shown.map.drawn_among(&shown.map.surfaces_like(surface));
                told.alike = Some((shown.generation, surface, count));
                count
            }
        }
    }

    /// What an actor of the level sets off; looked for once.
    pub fn set_off_by(&self, actor: u32) -> Arc<SetOff> {
        let Some(shown) = self.level() else { return Arc::default() };
        let mut told = shown.tools.told.borrow_mut();
        match &told.set_off {
            Some((generation, of, found)) if (*generation, *of) == (shown.generation, actor) => found.clone(),
            _ => {
                let found = Arc::new(SetOff::of(&shown.map, actor));
                told.set_off = Some((shown.generation, actor, found.clone()));
                found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapActor, MapMover};

    #[test]
    fn movers_that_are_set_off_are_told_apart_from_other_actors() {
        let actor = |tag: &str, event: &str| MapActor { tag: tag.into(), event: event.into(), ..MapActor::default() };
        let actors = vec![actor("", "door"), actor("Door", ""), actor("door", ""), actor("other", "")];
        let mover = |actor| MapMover { actor, ..MapMover::default() };
        let map = Map { actors, movers: vec![mover(3), mover(2)], ..Map::default() };
        assert_eq!(SetOff::of(&map, 0), SetOff { movers: vec![1], actors: vec![1, 2], others: vec![1] });
        assert_eq!(SetOff::of(&map, 3), SetOff { movers: vec![0], ..SetOff::default() });
    }
}
