//! A landscape as a map seen from above, and the camera movement to and from this view.

use crate::{
    scene::{
        Aabb,
        camera::{OrbitCamera, ViewDirection},
        picking::Ray,
    },
    ui::state::{
        core::Core,
        stage::{
            Stage,
            top_down::{MARGIN, Tilt, Tween, fit_above, half_height},
        },
    },
};
use glam::{Vec2, Vec3};
use std::f32::consts::FRAC_PI_2;

/// Size that the nearest and the farthest a camera can be go by, in metres: one can go up to a stone on a large island.
const EXTENT: f32 = 2000.0;

const UNIT: Aabb = Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) };

impl Stage {
    /// Returns true if a landscape is shown as a top-down map.
    pub fn is_map(&self) -> bool {
        self.view.top_down.is_some() && self.landscape().is_some()
    }

    /// Size that the nearest and the farthest a camera can be go by.
    pub(in crate::ui) fn camera_extent(&self) -> f32 {
        let all = self.world_bounds().map_or(1.0, |all| all.diagonal());
        if self.landscape().is_some() { all.min(EXTENT) } else { all }
    }

    /// Leaves the map at once: the camera is turned otherwise.
    pub(in crate::ui) fn leave_map(&mut self) {
        self.finish_tween();
        if let Some(Tilt { yaw, pitch }) = self.view.top_down.take() {
            self.view.camera = OrbitCamera { yaw, pitch, orthographic: false, ..self.view.camera };
        }
    }

    /// Turns about the ground in the middle of the picture from now on, and comes nearer to that; the picture stays. Ground
    /// that is much farther or nearer than what was turned about is left alone: a step of the wheel would be a leap.
    pub(in crate::ui) fn turn_about_the_ground(&mut self) {
        if self.landscape().is_none() || self.view.fly.is_some() || self.view.camera.orthographic {
            return;
        }
        let camera = self.view.camera;
        if let Some((focus, distance)) = self.ground_ahead()
            && (0.2..=2.5).contains(&(distance / camera.distance))
        {
            self.view.camera = OrbitCamera { focus, distance, ..camera };
        }
    }

    /// The ground in the middle of the picture and how far it is.
    pub(in crate::ui) fn ground_ahead(&self) -> Option<(Vec3, f32)> {
        let shown = self.landscape()?;
        let camera = &self.view.camera;
        let (from, along) = camera.ray(Vec2::splat(0.5), self.viewport.aspect);
        let ray = Ray { from, along };
        let far = shown.picker.ground(&shown.terrain.grid, &ray, self.view.terrain.exaggeration)?;
        let focus = from + along * far;
        Some((focus, if camera.orthographic { camera.distance } else { focus.distance(camera.eye()) }))
    }

    /// Goes to the end of the way: something else moves the camera now.
    pub(in crate::ui) fn finish_tween(&mut self) {
        if let Some(tween) = self.view.tween.take() {
            self.view.camera = tween.to;
        }
    }

    /// Brings all of a landscape into view, as a map or in the round.
    pub(in crate::ui) fn enter_terrain(&mut self) {
        let Some(bounds) = self.world_bounds() else { return };
        self.view.fly = None;
        self.view.tween = None;
        self.view.camera = OrbitCamera { extent: self.camera_extent(), ..OrbitCamera::default() };
        self.view.camera_touched = false;
        if self.is_map() {
            let camera = &mut self.view.camera;
            (camera.yaw, camera.pitch, camera.orthographic) = (0.0, FRAC_PI_2, true);
            fit_above(camera, &bounds, self.viewport.aspect, MARGIN);
        } else {
            let camera = OrbitCamera::overlooking(&bounds, ViewDirection::Iso, self.viewport.aspect);
            self.view.camera = OrbitCamera { extent: self.camera_extent(), ..camera };
        }
    }

    /// Brings a part of a landscape into view, from where the camera looks now.
    pub(in crate::ui) fn frame_in_terrain(&mut self, bounds: &Aabb) {
        self.finish_tween();
        if self.is_map() {
            fit_above(&mut self.view.camera, bounds, self.viewport.aspect, MARGIN * 2.0);
        } else {
            self.view.camera.frame_closely(bounds, self.viewport.aspect);
        }
        self.view.camera.extent = self.camera_extent();
        self.view.camera_touched = true;
    }

    pub(crate) fn toggle_map(&mut self, core: &mut Core) {
        if self.landscape().is_none() {
            return;
        }
        self.finish_tween();
        self.view.fly = None;
        let from = self.view.camera;
        let ordinary = OrbitCamera::default().fov_y;
        let extent = self.camera_extent();
        let to = match self.view.top_down.take() {
            None => {
                self.view.top_down = Some(Tilt { yaw: from.yaw, pitch: from.pitch.clamp(0.2, 1.3) });
                let mut above = OrbitCamera { yaw: 0.0, pitch: FRAC_PI_2, orthographic: true, fov_y: ordinary, ..from };
                match self.ground_ahead().filter(|_| self.view.camera_touched) {
                    Some((focus, distance)) => {
                        above.focus = focus;
                        above.distance = distance * (from.fov_y * 0.5).tan() / (ordinary * 0.5).tan();
                    }
                    None => fit_above(&mut above, &self.world_bounds().unwrap_or(UNIT), self.viewport.aspect, MARGIN),
                }
                above
            }
            Some(Tilt { yaw, pitch }) => {
                let focus = self.ground_ahead().map_or(from.focus, |(focus, _)| focus);
                let distance = half_height(&from) / (ordinary * 0.5).tan();
                OrbitCamera { yaw, pitch, orthographic: false, fov_y: ordinary, focus, distance, ..from }
            }
        };
        let to = OrbitCamera { extent, ..to };
        self.view.tween = Some(Tween { from, to, began_secs: core.clock.now_secs() });
        self.advance_tween(core);
    }

    pub(crate) fn advance_tween(&mut self, core: &mut Core) {
        if let Some(tween) = self.view.tween {
            let (camera, done) = tween.at(core.clock.now_secs());
            self.view.camera = camera;
            self.view.tween = (!done).then_some(tween);
        }
    }
}
