//! A landscape as a map, from above with north at the top, and the way of the camera into it and out of it.

use super::{Stage, State};
use crate::scene::{
    Aabb,
    camera::{OrbitCamera, ViewDirection},
    picking::Ray,
};
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// How long the camera is on its way, in seconds.
const TWEEN_SECS: f64 = 0.25;
/// Field of view through which a picture in perspective looks nearly like one without it, in radians.
const NARROW: f32 = 0.08;
/// Room around a map, as a share of it.
const MARGIN: f32 = 0.12;
/// Size that the nearest and the farthest a camera can be go by, in metres: one can go up to a stone on a large island.
const EXTENT: f32 = 2000.0;

/// How the camera stands while it is not above a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilt {
    /// As [`OrbitCamera::yaw`].
    pub yaw: f32,
    /// As [`OrbitCamera::pitch`].
    pub pitch: f32,
}

/// A camera's way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tween {
    from: OrbitCamera,
    to: OrbitCamera,
    began_secs: f64,
}

/// Half the height of what is seen at the focus.
fn half_height(camera: &OrbitCamera) -> f32 {
    camera.distance * (camera.fov_y * 0.5).tan()
}

/// The same picture, as nearly as perspective can make it.
fn in_perspective(camera: &OrbitCamera) -> OrbitCamera {
    if !camera.orthographic {
        return *camera;
    }
    let distance = half_height(camera) / (NARROW * 0.5).tan();
    OrbitCamera { orthographic: false, fov_y: NARROW, distance, ..*camera }
}

impl Tween {
    /// Where the camera is at a time; the end of its way when it is there.
    fn at(&self, now_secs: f64) -> (OrbitCamera, bool) {
        let share = ((now_secs - self.began_secs) / TWEEN_SECS).clamp(0.0, 1.0) as f32;
        if share >= 1.0 {
            return (self.to, true);
        }
        let share = share * share * (3.0 - 2.0 * share);
        let (from, to) = (in_perspective(&self.from), in_perspective(&self.to));
        let mixed = |a: f32, b: f32| a + (b - a) * share;
        let fov_y = mixed(from.fov_y, to.fov_y);
        let (near, far) = (half_height(&from).max(1e-6), half_height(&to).max(1e-6));
        let half = near * (far / near).powf(share);
        // The shorter way around.
        let turn = (to.yaw - from.yaw + PI).rem_euclid(TAU) - PI;
        let camera = OrbitCamera {
            focus: from.focus.lerp(to.focus, share),
            yaw: from.yaw + turn * share,
            pitch: mixed(from.pitch, to.pitch),
            distance: half / (fov_y * 0.5).tan(),
            fov_y,
            ..to
        };
        (OrbitCamera { orthographic: false, ..camera }, false)
    }
}

impl Stage {
    /// Whether a landscape is seen as a map.
    pub fn is_map(&self) -> bool {
        self.view.map.is_some() && self.landscape().is_some()
    }

    /// Size that the nearest and the farthest a camera can be go by.
    pub(in crate::ui) fn camera_extent(&self) -> f32 {
        let all = self.world_bounds().map_or(1.0, |all| all.diagonal());
        if self.landscape().is_some() { all.min(EXTENT) } else { all }
    }

    /// Leaves the map at once: the camera is turned otherwise.
    pub(in crate::ui) fn leave_map(&mut self) {
        self.finish_tween();
        if let Some(Tilt { yaw, pitch }) = self.view.map.take() {
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
        let (from, along) = camera.ray(Vec2::splat(0.5), self.aspect);
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
            fit_above(camera, &bounds, self.aspect, MARGIN);
        } else {
            let camera = OrbitCamera::overlooking(&bounds, ViewDirection::Iso, self.aspect);
            self.view.camera = OrbitCamera { extent: self.camera_extent(), ..camera };
        }
    }

    /// Brings a part of a landscape into view, from where the camera looks now.
    pub(in crate::ui) fn frame_in_terrain(&mut self, bounds: &Aabb) {
        self.finish_tween();
        if self.is_map() {
            fit_above(&mut self.view.camera, bounds, self.aspect, MARGIN * 2.0);
        } else {
            self.view.camera.frame_closely(bounds, self.aspect);
        }
        self.view.camera.extent = self.camera_extent();
        self.view.camera_touched = true;
    }
}

impl State {
    pub(super) fn toggle_map(&mut self) {
        if self.stage.landscape().is_none() {
            return;
        }
        self.stage.finish_tween();
        self.stage.view.fly = None;
        let from = self.stage.view.camera;
        let ordinary = OrbitCamera::default().fov_y;
        let extent = self.stage.camera_extent();
        let to = match self.stage.view.map.take() {
            None => {
                self.stage.view.map = Some(Tilt { yaw: from.yaw, pitch: from.pitch.clamp(0.2, 1.3) });
                let mut above = OrbitCamera { yaw: 0.0, pitch: FRAC_PI_2, orthographic: true, fov_y: ordinary, ..from };
                match self.stage.ground_ahead().filter(|_| self.stage.view.camera_touched) {
                    Some((focus, distance)) => {
                        above.focus = focus;
                        above.distance = distance * (from.fov_y * 0.5).tan() / (ordinary * 0.5).tan();
                    }
                    None => {
                        fit_above(&mut above, &self.stage.world_bounds().unwrap_or(UNIT), self.stage.aspect, MARGIN)
                    }
                }
                above
            }
            Some(Tilt { yaw, pitch }) => {
                let focus = self.stage.ground_ahead().map_or(from.focus, |(focus, _)| focus);
                let distance = half_height(&from) / (ordinary * 0.5).tan();
                OrbitCamera { yaw, pitch, orthographic: false, fov_y: ordinary, focus, distance, ..from }
            }
        };
        let to = OrbitCamera { extent, ..to };
        self.stage.view.tween = Some(Tween { from, to, began_secs: self.clock.now_secs() });
        self.advance_tween();
    }

    pub(super) fn advance_tween(&mut self) {
        if let Some(tween) = self.stage.view.tween {
            let (camera, done) = tween.at(self.clock.now_secs());
            self.stage.view.camera = camera;
            self.stage.view.tween = (!done).then_some(tween);
        }
    }
}

const UNIT: Aabb = Aabb { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) };

/// Stands over a box so that all of it is seen.
fn fit_above(camera: &mut OrbitCamera, bounds: &Aabb, aspect: f32, margin: f32) {
    let size = bounds.max - bounds.min;
    let half = (size.z * 0.5).max(size.x * 0.5 / aspect.max(0.05)).max(0.5) * (1.0 + margin);
    camera.focus = bounds.center();
    camera.distance = half / (camera.fov_y * 0.5).tan();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_begins_and_ends_where_it_should_and_keeps_the_scale() {
        let round =
            OrbitCamera { focus: Vec3::new(10.0, 0.0, 5.0), yaw: 6.2, distance: 100.0, ..OrbitCamera::default() };
        let map = OrbitCamera { yaw: 0.0, pitch: FRAC_PI_2, orthographic: true, ..round };
        let tween = Tween { from: round, to: map, began_secs: 2.0 };
        let (first, done) = tween.at(2.0);
        assert!(!done && first.eye().distance(round.eye()) < 1e-2);
        for step in 1..10 {
            let (camera, done) = tween.at(2.0 + TWEEN_SECS * f64::from(step) / 10.0);
            assert!(!done && (half_height(&camera) - half_height(&round)).abs() < 1e-2, "{camera:?}");
            assert!(camera.yaw > 6.1, "the shorter way around");
        }
        assert_eq!(tween.at(2.3), (map, true));
        assert_eq!(tween.at(0.0).0, first);
    }

    #[test]
    fn a_map_fits_the_picture() {
        let bounds = Aabb { min: Vec3::new(0.0, -30.0, -5_120.0), max: Vec3::new(10_240.0, 400.0, 0.0) };
        for aspect in [0.4, 1.0, 2.2] {
            let mut above = OrbitCamera { pitch: FRAC_PI_2, yaw: 0.0, orthographic: true, ..OrbitCamera::default() };
            fit_above(&mut above, &bounds, aspect, MARGIN);
            let seen = bounds.corners().map(|corner| above.project(corner, aspect).expect("before the eye"));
            let spread = seen.iter().map(|p| (*p - 0.5).abs().max_element()).fold(0.0, f32::max);
            assert!(spread > 0.4 && spread < 0.5, "{aspect}: {spread} {seen:?}");
        }
    }
}
