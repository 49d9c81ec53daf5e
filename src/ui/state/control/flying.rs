//! The fly camera: steering, and the transition from and to the orbit camera.

use crate::{
    scene::{
        Aabb, MapItemKind,
        camera::{FlyCamera, OrbitCamera, Steer, ViewDirection},
        picking::Ray,
    },
    ui::{
        command::CameraCommand,
        state::{core::Core, stage::Stage},
    },
};

/// What a flight over a landscape counts as crossing, in metres: speeds and the near plane go by it, and an island is far
/// larger than what stands on it.
const FLIGHT: f32 = 1000.0;

/// How far over the ground a flight is, at least, in metres.
const EYES: f32 = 1.7;

impl Stage {
    /// Lets the camera go on for some seconds.
    pub(in crate::ui) fn advance_flight(&mut self, secs: f32) {
        if !self.flies() {
            self.viewport.steer = Steer::default();
        }
        let steer = self.viewport.steer;
        if !steer.is_still() {
            self.fly_with(|fly| fly.advance(&steer, secs));
        }
    }

    /// Changes the fly camera, and what is seen with it. Over a landscape it stays above the ground and in sight of it.
    pub(in crate::ui) fn fly_with(&mut self, change: impl FnOnce(&mut FlyCamera)) {
        let space = self.landscape().and_then(|_| self.world_bounds());
        let exaggeration = self.view.terrain.exaggeration;
        if let Some(fly) = &mut self.view.fly {
            change(fly);
            if let (Some(space), Some(shown)) = (space, self.content.landscape()) {
                let around = space.diagonal();
                fly.eye = fly.eye.clamp(space.min - around, space.max + around);
                if let Some(ground) = shown.terrain.grid.ground_at(fly.eye.x, -fly.eye.z) {
                    fly.eye.y = fly.eye.y.max(ground * exaggeration + EYES);
                }
            }
            self.view.camera = fly.orbit();
            self.view.camera_touched = true;
        }
    }

    pub(in crate::ui) fn toggle_fly(&mut self) {
        if self.view.fly.take().is_some() {
            self.viewport.steer = Steer::default();
            self.land();
        } else if let Some(bounds) = self.world_bounds() {
            let extent = if self.landscape().is_some() { bounds.diagonal().min(FLIGHT) } else { bounds.diagonal() };
            let mut fly = FlyCamera::from_orbit(&self.view.camera, extent);
            if self.level().is_some() {
                fly.speed = self.view.level_speed;
            }
            self.view.fly = Some(fly);
            self.view.camera = fly.orbit();
            self.fly_with(|_| {});
        }
    }

    /// The orbit camera goes on from where the fly camera was, about what lies ahead.
    pub(in crate::ui) fn land(&mut self) {
        let camera = self.view.camera;
        let (from, along) = camera.ray(glam::Vec2::splat(0.5), self.viewport.aspect);
        let Some(bounds) = self.world_bounds() else { return };
        let solid = |kind| matches!(kind, MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh);
        let ahead = self.ray_hits(&camera, glam::Vec2::splat(0.5), false, |item| solid(item.kind));
        let ground = self.landscape().and_then(|shown| {
            let exaggeration = self.view.terrain.exaggeration;
            shown.picker.ground(&shown.terrain.grid, &Ray { from, along }, exaggeration)
        });
        let extent = self.camera_extent();
        let distance = ahead.map(|hit| hit.distance).or(ground).map_or_else(
            || (bounds.center() - from).dot(along).max(bounds.diagonal() * 0.1),
            |distance| distance.max(extent * 1e-3),
        );
        self.view.camera = OrbitCamera { focus: from + along * distance, distance, extent, ..camera };
    }

    pub(in crate::ui) fn look(&mut self, delta: glam::Vec2) {
        self.fly_with(|fly| fly.turn(delta));
    }

    pub(in crate::ui) fn change_fly_speed(&mut self, factor: f32) {
        if self.level().is_some() {
            if factor > 0.0 {
                self.set_level_speed(self.view.level_speed * factor);
            }
            return;
        }
        self.fly_with(|fly| fly.change_speed(factor));
    }

    /// To a start of the level.
    pub(in crate::ui) fn go_to_start(&mut self, index: usize) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(start) = shown.map.starts.get(index) else { return };
        // A start's turn counts from +Z, the camera's from −Z.
        let fly = FlyCamera::new(start.location, start.yaw + std::f32::consts::PI, &shown.bounds);
        shown.tools.start = Some(index);
        self.view.fly = Some(FlyCamera { speed: self.view.level_speed, ..fly });
        self.view.camera = fly.orbit();
        self.view.camera_touched = true;
    }

    /// A level is entered at its first start; without one it is seen from above.
    pub(in crate::ui) fn enter_map(&mut self, bounds: &Aabb) {
        (self.view.fly, self.view.top_down, self.view.tween) = (None, None, None);
        self.viewport.steer = Steer::default();
        if self.level().is_some_and(|shown| !shown.map.starts.is_empty()) {
            self.go_to_start(0);
        } else {
            self.view.camera = OrbitCamera::framing(bounds, ViewDirection::Iso, self.viewport.aspect);
            self.view.camera.extent = bounds.diagonal();
        }
    }

    /// What a command of the view means while flying; `false` when it means what it always does.
    pub(crate) fn apply_flying(&mut self, core: &mut Core, command: CameraCommand) -> bool {
        use CameraCommand as C;
        if self.view.fly.is_none() {
            return false;
        }
        match command {
            C::Orbit(delta) => self.fly_with(|fly| fly.turn(glam::vec2(-delta.x, -delta.y))),
            C::Zoom(factor) => {
                let step = -factor.max(1e-3).ln();
                self.fly_with(|fly| fly.eye += fly.forward() * (step * fly.extent * 0.05));
            }
            C::Pan(delta) => {
                let mut camera = self.view.camera;
                camera.pan(delta);
                self.fly_with(|fly| fly.eye = camera.eye());
            }
            C::LookFrom(direction) => {
                // Whoever is inside looks that way; seen as a whole the level is from outside.
                let mut camera = self.view.camera;
                camera.look_from(direction);
                if let (ViewDirection::Iso | ViewDirection::Top | ViewDirection::Bottom, Some(bounds)) =
                    (direction, self.world_bounds())
                {
                    self.view.fly = None;
                    camera.frame(&bounds, self.viewport.aspect);
                    self.view.camera = camera;
                    self.view.camera_touched = true;
                } else {
                    self.fly_with(|fly| (fly.yaw, fly.pitch) = (camera.yaw, 0.0));
                }
            }
            C::Frame => self.frame_selected(core),
            C::ToggleOrtho => {
                self.toggle_fly();
                self.view.camera.orthographic = true;
            }
            C::FocusJoint(_) | C::Reset | C::ToggleFly | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => {
                return false;
            }
        }
        true
    }

    /// Brings what is selected in the level into view.
    pub(crate) fn frame_selected(&mut self, core: &mut Core) {
        let selected = self.bounds_in_map(core).or_else(|| self.bounds_of_props());
        let Some(bounds) = selected.or_else(|| self.world_bounds()) else { return };
        if self.landscape().is_some() && self.view.fly.is_none() {
            self.frame_in_terrain(&bounds);
            return;
        }
        let mut camera = self.view.camera;
        camera.frame(&bounds, self.viewport.aspect);
        if self.view.fly.is_some() {
            self.fly_with(|fly| fly.eye = camera.eye());
        } else {
            camera.extent = self.camera_extent();
            self.view.camera = camera;
            self.view.camera_touched = true;
        }
    }
}
