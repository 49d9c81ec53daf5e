//! Places in a level: typed coordinates, starts, and distances that are measured.

use crate::{
    formats::Severity,
    scene::{
        Map,
        camera::{FlyCamera, OrbitCamera},
        picking::Hit,
    },
    ui::{
        bookmark::{Bookmark, MAX_NAME},
        favourite::Favourite,
        settings::FLY_SPEEDS,
        state::{
            Effect,
            core::Core,
            log::LogEntry,
            stage::{
                Stage,
                level::{AlikeSurfaces, LevelStage, PointerKey, SetOff, TypedPlace},
            },
        },
    },
};
use glam::{Vec2, Vec3};
use std::{collections::HashSet, sync::Arc};

impl Stage {
    /// Where the camera is in the level, in the file's units, and where it looks: degrees from the file's X towards its Y, and
    /// over its horizon.
    pub fn place_in_level(&self) -> Option<TypedPlace> {
        let shown = self.level()?;
        let camera = &self.view.camera;
        let file_from_scene = &shown.map.file_from_scene;
        let (_, along) = camera.ray(glam::Vec2::splat(0.5), self.viewport.aspect);
        let along = file_from_scene.transform_vector3(along).normalize_or(Vec3::X);
        let yaw = along.y.atan2(along.x).to_degrees();
        let pitch = along.z.clamp(-1.0, 1.0).asin().to_degrees();
        Some(TypedPlace { place: file_from_scene.transform_point3(camera.eye()), turn: Some([yaw, pitch]) })
    }

    /// Flies to a place that was told in the file's units; without a turn it looks where it did.
    pub(in crate::ui) fn go_to_place(&mut self, to: TypedPlace) {
        let Some(shown) = self.level() else { return };
        let scene_from_file = shown.map.file_from_scene.inverse();
        let eye = scene_from_file.transform_point3(to.place);
        if !eye.is_finite() {
            return;
        }
        let mut fly = self.flight();
        fly.eye = eye;
        if let Some([yaw, pitch]) = to.turn {
            let (yaw, pitch) = (yaw.to_radians(), pitch.to_radians());
            let along = Vec3::new(yaw.cos() * pitch.cos(), yaw.sin() * pitch.cos(), pitch.sin());
            let along = scene_from_file.transform_vector3(along).normalize_or(Vec3::NEG_Z);
            fly.yaw = (-along.x).atan2(-along.z);
            fly.pitch = 0.0;
            fly.turn(glam::Vec2::new(0.0, along.y.clamp(-1.0, 1.0).asin()));
        }
        self.with_tools(|tools| tools.asks_place = false);
        self.take_flight(fly);
    }

    /// The fly camera, or what it would be where the camera is.
    fn flight(&self) -> FlyCamera {
        let extent = self.world_bounds().map_or(1.0, |bounds| bounds.diagonal());
        let own = FlyCamera { speed: self.view.level_speed, ..FlyCamera::from_orbit(&self.view.camera, extent) };
        self.view.fly.unwrap_or(own)
    }

    fn take_flight(&mut self, fly: FlyCamera) {
        self.view.fly = Some(fly);
        self.view.camera = fly.orbit();
        self.view.camera_touched = true;
    }

    /// Sets the speed of flying through levels, in units of the scene per second.
    pub(in crate::ui) fn set_level_speed(&mut self, speed: f32) {
        if !speed.is_finite() {
            return;
        }
        self.view.level_speed = speed.clamp(*FLY_SPEEDS.start(), *FLY_SPEEDS.end());
        if self.level().is_some()
            && let Some(fly) = &mut self.view.fly
        {
            fly.speed = self.view.level_speed;
        }
    }

    /// To the start so many after the one that was gone to last, around the end.
    pub(in crate::ui) fn step_start(&mut self, step: i32) {
        let Some(shown) = self.level() else { return };
        let count = shown.map.starts.len();
        let Ok(count_signed) = i32::try_from(count) else { return };
        if count == 0 {
            return;
        }
        let last = shown.tools.start.and_then(|start| i32::try_from(start).ok());
        // The level is entered at its first one.
        let next = last.unwrap_or(0).saturating_add(step).rem_euclid(count_signed);
        self.go_to_start(next.unsigned_abs() as usize);
    }

    /// Sets the speed of flying through levels on all stages, and stores it in the settings.
    pub(crate) fn set_fly_speed(&mut self, core: &mut Core, speed: f32) {
        self.set_level_speed(speed);
        self.keep_fly_speed(core);
    }

    /// Keeps the speed of the stage in front for levels that are shown later.
    pub(crate) fn keep_fly_speed(&mut self, core: &mut Core) {
        if self.level().is_some() {
            core.settings.fly_speed = self.view.level_speed;
        }
    }

    pub(crate) fn copy_place(&mut self, core: &mut Core) {
        if let Some(place) = self.place_in_level() {
            core.effects.push(Effect::Copy(place.text()));
        }
    }

    /// The level on the stage, as bookmarks name it; nothing for one that came from a pipe.
    fn level_of_bookmarks(&self, core: &Core) -> Option<Favourite> {
        core.favourite_of(self.level()?.place)
    }

    /// Bookmarks of the level on the stage, with their places in the settings.
    pub fn bookmarks<'a>(&self, core: &'a Core) -> Vec<(usize, &'a Bookmark)> {
        let Some(of) = self.level_of_bookmarks(core) else { return Vec::new() };
        core.settings.bookmarks.iter().enumerate().filter(|(_, kept)| kept.of == of).collect()
    }

    /// Keeps the view of the level under a name, in the place of one of the same name.
    pub(crate) fn add_bookmark(&mut self, core: &mut Core, name: &str) {
        let Some(of) = self.level_of_bookmarks(core) else {
            let text = "Cannot add a bookmark: this level was not opened from a file";
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        };
        let name: String = name.trim().chars().take(MAX_NAME).collect();
        let own = self.bookmarks(core);
        let taken = |name: &str| own.iter().any(|(_, kept)| kept.name == name);
        let name = match name.is_empty() {
            true => (1..).map(|number| format!("View {number}")).find(|name| !taken(name)).unwrap_or_default(),
            false => name,
        };
        let view = &self.view;
        let bookmark = Bookmark { of, name, camera: view.camera, fly: view.fly };
        let name = bookmark.name.clone();
        let text = match bookmark.keep_among(&mut core.settings.bookmarks) {
            true => format!("Added the bookmark {name}"),
            false => "There are too many bookmarks. Remove some first".to_owned(),
        };
        core.log.announce(LogEntry::new(Severity::Info, "", text));
    }

    /// To a bookmark of the level on the stage, by its place in the settings.
    pub(crate) fn go_to_bookmark(&mut self, core: &mut Core, index: usize) {
        let found = self.bookmarks(core).into_iter().find(|(at, _)| *at == index);
        let Some((_, Bookmark { camera, fly, .. })) = found else { return };
        let (camera, fly): (OrbitCamera, Option<FlyCamera>) = (*camera, *fly);
        let speed = self.view.level_speed;
        let view = &mut self.view;
        view.camera = camera;
        view.fly = fly.map(|fly| FlyCamera { speed, ..fly });
        view.camera_touched = true;
        self.with_tools(|tools| tools.bookmark = Some(index));
    }

    /// To the bookmark so many after the one that was gone to last, around the end.
    pub(crate) fn step_bookmark(&mut self, core: &mut Core, step: i32) {
        let own: Vec<usize> = self.bookmarks(core).into_iter().map(|(index, _)| index).collect();
        let Ok(count) = i32::try_from(own.len()) else { return };
        if count == 0 {
            return;
        }
        let last = self.level().and_then(|shown| shown.tools.bookmark);
        let last = last.and_then(|last| own.iter().position(|index| *index == last));
        let next = match last.and_then(|last| i32::try_from(last).ok()) {
            Some(last) => last.saturating_add(step).rem_euclid(count),
            None if step < 0 => count - 1,
            None => 0,
        };
        if let Some(index) = own.get(next.unsigned_abs() as usize) {
            self.go_to_bookmark(core, *index);
        }
    }

    pub(crate) fn remove_bookmark(&mut self, core: &mut Core, index: usize) {
        if self.bookmarks(core).iter().any(|(at, _)| *at == index) {
            core.settings.bookmarks.remove(index);
            self.with_tools(|tools| tools.bookmark = None);
        }
    }
}

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
