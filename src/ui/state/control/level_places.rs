//! Moving the camera to places of a level: coordinates, player starts, bookmarks; the fly speed.

use crate::{
    formats::Severity,
    scene::camera::{FlyCamera, OrbitCamera},
    ui::{
        bookmark::{Bookmark, MAX_NAME},
        favourite::Favourite,
        settings::FLY_SPEEDS,
        state::{
            Effect,
            core::Core,
            log::LogEntry,
            stage::{Stage, level::TypedPlace},
        },
    },
};
use glam::Vec3;

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

    /// How fast one flies through levels from now on, in the scene's units a second.
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

    /// Sets how fast one flies through levels, on every stage and at the next start of the program.
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
