//! How the camera stands over a landscape that is seen as a map, and its way there and back.

use crate::scene::{Aabb, camera::OrbitCamera};
use std::f32::consts::{PI, TAU};

/// How long the camera is on its way, in seconds.
const TWEEN_SECS: f64 = 0.25;

/// Field of view through which a picture in perspective looks nearly like one without it, in radians.
const NARROW: f32 = 0.08;

/// Room around a map, as a share of it.
pub(crate) const MARGIN: f32 = 0.12;

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
    pub(crate) from: OrbitCamera,
    pub(crate) to: OrbitCamera,
    pub(crate) began_secs: f64,
}

/// Half the height of what is seen at the focus.
pub(crate) fn half_height(camera: &OrbitCamera) -> f32 {
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
    pub(crate) fn at(&self, now_secs: f64) -> (OrbitCamera, bool) {
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

/// Stands over a box so that all of it is seen.
pub(crate) fn fit_above(camera: &mut OrbitCamera, bounds: &Aabb, aspect: f32, margin: f32) {
    let size = bounds.max - bounds.min;
    let half = (size.z * 0.5).max(size.x * 0.5 / aspect.max(0.05)).max(0.5) * (1.0 + margin);
    camera.focus = bounds.center();
    camera.distance = half / (camera.fov_y * 0.5).tan();
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use std::f32::consts::FRAC_PI_2;

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
