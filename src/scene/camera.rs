//! An orbit camera: what the viewport, `render` and thumbnails look through; and a fly camera, for levels.

use super::Aabb;
use glam::{Mat4, Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// The standard directions to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ViewDirection {
    /// Obliquely from above: yaw 0.6, pitch 0.35.
    Iso,
    /// From +Z.
    Front,
    /// From −Z.
    Back,
    /// From −X.
    Left,
    /// From +X.
    Right,
    /// From +Y, downwards.
    Top,
    /// From −Y, upwards.
    Bottom,
}

/// Looks at a point from a distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrbitCamera {
    /// The point looked at, in scene space.
    pub focus: Vec3,
    /// Turn about the vertical, in radians; 0 looks from +Z.
    pub yaw: f32,
    /// Height over the horizon, in radians, within ±π/2.
    pub pitch: f32,
    /// From the focus, in scene units.
    pub distance: f32,
    /// Vertical field of view, in radians.
    pub fov_y: f32,
    /// True for an orthographic projection. `distance` and `fov_y` then set the height of the picture.
    pub orthographic: bool,
    /// Size of what is looked at: sets the near plane and how fast keys move.
    pub extent: f32,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self { focus: Vec3::ZERO, yaw: 0.6, pitch: 0.35, distance: 3.0, fov_y: 0.7, orthographic: false, extent: 1.0 }
    }
}

impl OrbitCamera {
    /// A camera that sees the whole of `bounds` in a picture of this `aspect` (width by height).
    pub fn framing(bounds: &Aabb, direction: ViewDirection, aspect: f32) -> Self {
        let mut camera = Self::default();
        camera.look_from(direction);
        camera.frame(bounds, aspect);
        camera
    }

    /// Moves so that the whole of `bounds` is seen, keeping the direction.
    pub fn frame(&mut self, bounds: &Aabb, aspect: f32) {
        let radius = (bounds.diagonal() * 0.5).max(1e-4);
        let narrow = if aspect < 1.0 { aspect.max(0.05) } else { 1.0 };
        let half = ((self.fov_y * 0.5).tan() * narrow).atan();
        self.focus = bounds.center();
        self.extent = radius * 2.0;
        self.distance = radius / half.sin() * 1.02;
    }

    /// A camera over a landscape, which is wide and flat: higher than over models, and as near as the box's corners let it be.
    pub fn overlooking(bounds: &Aabb, direction: ViewDirection, aspect: f32) -> Self {
        let mut camera = Self::framing(bounds, direction, aspect);
        if direction == ViewDirection::Iso {
            camera.pitch = 0.62;
        }
        camera.frame_closely(bounds, aspect);
        camera
    }

    /// Moves so that the box just fits into the picture, keeping the direction.
    pub fn frame_closely(&mut self, bounds: &Aabb, aspect: f32) {
        self.frame(bounds, aspect);
        // What is near looks larger: the middle of the picture is not the middle of the box. Each round comes closer to it.
        for _ in 0..4 {
            let places = self.come_close(bounds, aspect);
            let (low, high) = places.iter().fold((places[0], places[0]), |(l, h), p| (l.min(*p), h.max(*p)));
            let shift = (low + high) * 0.5 * self.distance;
            let (right, up) = self.right_up();
            self.focus += right * shift.x + up * shift.y;
        }
        self.come_close(bounds, aspect);
    }

    /// Sets the distance from which all corners are seen; where they are then, as tangents from the middle of the picture.
    fn come_close(&mut self, bounds: &Aabb, aspect: f32) -> [Vec2; 8] {
        let up = (self.fov_y * 0.5).tan();
        let across = up * if aspect.is_finite() { aspect.clamp(0.05, 20.0) } else { 1.0 };
        let view_from_world = self.rotation().conjugate();
        let corners = bounds.corners().map(|corner| view_from_world * (corner - self.focus));
        let toward = |v: Vec3| if self.orthographic { 0.0 } else { v.z };
        let needed = corners.iter().map(|v| (v.x.abs() / across).max(v.y.abs() / up) + toward(*v));
        let distance = needed.fold(0.0, f32::max).max(self.extent * 1e-3) * 1.04;
        let places = corners.map(|v| Vec2::new(v.x, v.y) / (distance - toward(v)).max(1e-6));
        self.distance = distance;
        places
    }

    /// Sets yaw and pitch to a standard direction. Focus and distance stay.
    pub fn look_from(&mut self, direction: ViewDirection) {
        use std::f32::consts::{FRAC_PI_2, PI};
        (self.yaw, self.pitch) = match direction {
            ViewDirection::Iso => (0.6, 0.35),
            ViewDirection::Front => (0.0, 0.0),
            ViewDirection::Back => (PI, 0.0),
            ViewDirection::Left => (-FRAC_PI_2, 0.0),
            ViewDirection::Right => (FRAC_PI_2, 0.0),
            ViewDirection::Top => (0.0, FRAC_PI_2),
            ViewDirection::Bottom => (0.0, -FRAC_PI_2),
        };
    }

    /// Turns the camera's own directions into the world's.
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Where the eye is.
    pub fn eye(&self) -> Vec3 {
        self.focus + self.rotation() * Vec3::Z * self.distance
    }

    /// Unit vectors to the right and up, as seen.
    pub fn right_up(&self) -> (Vec3, Vec3) {
        (self.rotation() * Vec3::X, self.rotation() * Vec3::Y)
    }

    /// Returns the matrix from world space to view space. The camera looks along −Z, with +Y up.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_quat(self.rotation().conjugate()) * Mat4::from_translation(-self.eye())
    }

    /// Reverse Z: 1 at the near plane, 0 far away.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let near = (self.distance * 0.01).max(self.extent * 1e-4).max(1e-5);
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        if self.orthographic {
            let half = self.distance * (self.fov_y * 0.5).tan();
            let depth = (self.distance + self.extent * 20.0).max(near * 4.0);
            // Swapped near and far turn the depth around.
            glam::camera::rh::proj::directx::orthographic(-half * aspect, half * aspect, -half, half, depth, -depth)
        } else {
            glam::camera::rh::proj::directx::perspective_infinite_reverse(self.fov_y, aspect, near)
        }
    }

    /// Returns the matrix from world space to clip space, with reverse Z. `aspect` is width by height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    /// Turns by radians.
    pub fn orbit(&mut self, delta: Vec2) {
        use std::f32::consts::{FRAC_PI_2, TAU};
        self.yaw = (self.yaw + delta.x).rem_euclid(TAU);
        self.pitch = (self.pitch + delta.y).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Moves sideways by a share of the picture's height.
    pub fn pan(&mut self, delta: Vec2) {
        let height = 2.0 * self.distance * (self.fov_y * 0.5).tan();
        let (right, up) = self.right_up();
        self.focus += (right * -delta.x + up * delta.y) * height;
    }

    /// Comes nearer (factor under 1) or goes away.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(self.extent * 1e-3, self.extent * 1e3);
        }
    }

    /// Where a line of sight starts and its unit direction, for a place in the picture: 0..1 from the top left corner.
    pub fn ray(&self, place: Vec2, aspect: f32) -> (Vec3, Vec3) {
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let (right, up) = self.right_up();
        let forward = up.cross(right);
        let half = (self.fov_y * 0.5).tan();
        let (x, y) = ((place.x * 2.0 - 1.0) * half * aspect, (1.0 - place.y * 2.0) * half);
        if self.orthographic {
            // From before everything: what lies between eye and near plane is drawn too.
            let depth = self.distance + self.extent * 20.0;
            (self.focus + (right * x + up * y) * self.distance - forward * depth, forward)
        } else {
            (self.eye(), (forward + right * x + up * y).normalize_or(forward))
        }
    }

    /// Where a point is in the picture: 0..1 from the top left corner; `None` behind the eye.
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let clip = self.clip_from_world(aspect) * point.extend(1.0);
        (clip.w > 0.0).then(|| Vec2::new(clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5))
    }
}

/// Time to cross what is looked at, at ordinary speed, in seconds.
const CROSSING_SECS: f32 = 12.0;
/// How far ahead the point lies that turning into an orbit camera turns about, as a share of the extent.
const AHEAD: f32 = 0.05;
/// Straight up and straight down are left out: there is no sideways there.
const STEEPEST: f32 = 1.55;

/// Goes where it looks: the way through a level.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FlyCamera {
    /// In scene space.
    pub eye: Vec3,
    /// Turn about the vertical, in radians; 0 looks along −Z, as [`OrbitCamera::yaw`] does.
    pub yaw: f32,
    /// Look over the horizon, in radians; positive looks up.
    pub pitch: f32,
    /// Vertical field of view, in radians.
    pub fov_y: f32,
    /// Scene units a second.
    pub speed: f32,
    /// Size of what is flown through: sets the near plane and the range of speeds.
    pub extent: f32,
}

/// Which way a fly camera is asked to go: each from −1 to 1, in the camera's own directions but for `up`, which is the world's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steer {
    /// Movement to the right; negative to the left.
    pub right: f32,
    /// Movement along the world's +Y; negative downwards.
    pub up: f32,
    /// Movement in the direction of view; negative backwards.
    pub forward: f32,
    /// Times the speed.
    pub factor: f32,
}

impl Steer {
    /// Returns true if no direction has a movement, whatever `factor` is.
    pub fn is_still(&self) -> bool {
        self.right == 0.0 && self.up == 0.0 && self.forward == 0.0
    }
}

impl FlyCamera {
    /// At a place, looking level. `yaw` is 0 for −Z and grows to the left.
    pub fn new(eye: Vec3, yaw: f32, bounds: &Aabb) -> Self {
        let extent = bounds.diagonal().max(1e-3);
        Self { eye, yaw, pitch: 0.0, fov_y: 1.15, speed: extent / CROSSING_SECS, extent }
    }

    /// Where an orbit camera is, looking where it looks. `extent` is the size of all there is.
    pub fn from_orbit(camera: &OrbitCamera, extent: f32) -> Self {
        let extent = extent.max(1e-3);
        Self {
            eye: camera.eye(),
            yaw: camera.yaw,
            pitch: (-camera.pitch).clamp(-STEEPEST, STEEPEST),
            fov_y: camera.fov_y,
            speed: extent / CROSSING_SECS,
            extent,
        }
    }

    /// The same view as an orbit camera about a point a little ahead: what draws, projects and picks.
    pub fn orbit(&self) -> OrbitCamera {
        let distance = self.extent * AHEAD;
        OrbitCamera {
            focus: self.eye + self.forward() * distance,
            yaw: self.yaw,
            pitch: -self.pitch,
            distance,
            fov_y: self.fov_y,
            orthographic: false,
            extent: self.extent,
        }
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }

    /// Unit vector to where it looks.
    pub fn forward(&self) -> Vec3 {
        self.rotation() * Vec3::NEG_Z
    }

    /// Unit vector to the right, level.
    pub fn right(&self) -> Vec3 {
        Quat::from_rotation_y(self.yaw) * Vec3::X
    }

    /// Turns by radians, to the right and upwards.
    pub fn turn(&mut self, delta: Vec2) {
        if delta.is_finite() {
            self.yaw = (self.yaw - delta.x).rem_euclid(std::f32::consts::TAU);
            self.pitch = (self.pitch + delta.y).clamp(-STEEPEST, STEEPEST);
        }
    }

    /// Goes on for some seconds.
    pub fn advance(&mut self, steer: &Steer, secs: f32) {
        let way = self.right() * steer.right + Vec3::Y * steer.up + self.forward() * steer.forward;
        let step = way.clamp_length_max(1.0) * self.speed * steer.factor * secs;
        if step.is_finite() {
            self.eye += step;
        }
    }

    /// Faster or slower from now on, within a thousandth and ten times the extent a second.
    pub fn change_speed(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.speed = (self.speed * factor).clamp(self.extent * 1e-3, self.extent * 10.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Aabb = Aabb { min: Vec3::new(-3.0, 0.0, -2.0), max: Vec3::new(5.0, 9.0, 2.0) };

    #[test]
    fn framing_shows_every_corner_from_every_side() {
        for orthographic in [false, true] {
            for aspect in [0.4, 1.0, 2.5] {
                for direction in [ViewDirection::Iso, ViewDirection::Front, ViewDirection::Left, ViewDirection::Top] {
                    let mut camera = OrbitCamera { orthographic, ..OrbitCamera::default() };
                    camera.look_from(direction);
                    camera.frame(&BOX, aspect);
                    for corner in 0..8 {
                        let pick = |bit: i32, a: f32, b: f32| if corner & bit == 0 { a } else { b };
                        let point = Vec3::new(
                            pick(1, BOX.min.x, BOX.max.x),
                            pick(2, BOX.min.y, BOX.max.y),
                            pick(4, BOX.min.z, BOX.max.z),
                        );
                        let place = camera.project(point, aspect).unwrap();
                        assert!(
                            place.min_element() > 0.0 && place.max_element() < 1.0,
                            "{direction:?} {aspect} {place}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn landscapes_fill_the_picture() {
        let map = Aabb { min: Vec3::new(0.0, -60.0, -5000.0), max: Vec3::new(5000.0, 300.0, 0.0) };
        for orthographic in [false, true] {
            for direction in [ViewDirection::Iso, ViewDirection::Top, ViewDirection::Front] {
                for aspect in [0.6, 1.0, 1.8] {
                    let mut camera = OrbitCamera { orthographic, ..OrbitCamera::overlooking(&map, direction, aspect) };
                    camera.frame_closely(&map, aspect);
                    let places = map.corners().map(|corner| camera.project(corner, aspect).unwrap());
                    let (low, high) = places.iter().fold((places[0], places[0]), |(l, h), p| (l.min(*p), h.max(*p)));
                    assert!(low.min_element() > 0.0 && high.max_element() < 1.0, "{direction:?} {aspect} {low} {high}");
                    assert!((high - low).max_element() > 0.9, "{direction:?} {aspect} {low} {high}");
                    assert!((low + high - 1.0).abs().max_element() < 0.02, "{direction:?} {aspect} {low} {high}");
                }
            }
        }
    }

    #[test]
    fn front_looks_along_minus_z_with_x_to_the_right() {
        let camera = OrbitCamera::framing(&BOX, ViewDirection::Front, 1.0);
        assert!(camera.eye().z > BOX.max.z);
        let centre = camera.project(BOX.center(), 1.0).unwrap();
        let right = camera.project(BOX.center() + Vec3::X, 1.0).unwrap();
        let up = camera.project(BOX.center() + Vec3::Y, 1.0).unwrap();
        assert!(right.x > centre.x && up.y < centre.y);
    }

    #[test]
    fn lines_of_sight_go_through_the_points_seen() {
        for orthographic in [false, true] {
            let camera = OrbitCamera { orthographic, ..OrbitCamera::framing(&BOX, ViewDirection::Iso, 1.5) };
            for point in [BOX.min, BOX.max, BOX.center()] {
                let (from, along) = camera.ray(camera.project(point, 1.5).unwrap(), 1.5);
                let away = (point - from).reject_from(along).length();
                assert!(away < 1e-3 && (point - from).dot(along) > 0.0, "{orthographic} {point}: {away}");
            }
        }
    }

    #[test]
    fn nearer_points_have_greater_depth() {
        for orthographic in [false, true] {
            let camera = OrbitCamera { orthographic, ..OrbitCamera::framing(&BOX, ViewDirection::Front, 1.0) };
            let depth = |p: Vec3| {
                let clip = camera.clip_from_world(1.0) * p.extend(1.0);
                clip.z / clip.w
            };
            let (near, far) = (depth(Vec3::new(1.0, 4.0, 2.0)), depth(Vec3::new(1.0, 4.0, -2.0)));
            assert!(near > far && near < 1.0 && far > 0.0, "{near} {far}");
        }
    }
}

#[cfg(test)]
mod fly_tests {
    use super::ViewDirection;
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    const BOX: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::new(12.0, 0.0, 0.0) };

    fn camera() -> FlyCamera {
        FlyCamera::new(Vec3::new(1.0, 2.0, 3.0), 0.0, &BOX)
    }

    fn near(a: Vec3, b: Vec3) -> bool {
        a.distance(b) < 1e-4
    }

    #[test]
    fn keys_go_in_the_cameras_directions_at_its_speed() {
        let steer = |right, up, forward, factor| Steer { right, up, forward, factor };
        // An extent of 12 is crossed in 12 seconds: one unit a second.
        for (steer, expected) in [
            (steer(0.0, 0.0, 1.0, 1.0), Vec3::new(1.0, 2.0, 1.0)),
            (steer(1.0, 0.0, 0.0, 1.0), Vec3::new(3.0, 2.0, 3.0)),
            (steer(0.0, -1.0, 0.0, 4.0), Vec3::new(1.0, -6.0, 3.0)),
            (steer(0.0, 0.0, -1.0, 0.25), Vec3::new(1.0, 2.0, 3.5)),
            // Two keys at once are no faster than one.
            (steer(0.6, 0.0, 0.8, 1.0), Vec3::new(2.2, 2.0, 1.4)),
            (steer(3.0, 0.0, 4.0, 1.0), Vec3::new(2.2, 2.0, 1.4)),
        ] {
            let mut camera = camera();
            camera.advance(&steer, 2.0);
            assert!(near(camera.eye, expected), "{steer:?}: {} {expected}", camera.eye);
        }
        // A quarter turn to the right of −Z is +X; looking up takes forward along.
        let mut camera = camera();
        camera.turn(Vec2::new(FRAC_PI_2, 0.0));
        assert!(near(camera.forward(), Vec3::X) && near(camera.right(), Vec3::Z));
        camera.turn(Vec2::new(0.0, 0.5));
        assert!(near(camera.forward(), Vec3::new(0.5_f32.cos(), 0.5_f32.sin(), 0.0)));
        camera.turn(Vec2::new(0.0, 9.0));
        assert!(camera.pitch < FRAC_PI_2);
    }

    #[test]
    fn what_is_no_number_moves_nothing() {
        let mut camera = camera();
        camera.advance(&Steer { right: f32::NAN, factor: 1.0, ..Steer::default() }, 1.0);
        camera.turn(Vec2::NAN);
        camera.change_speed(f32::NAN);
        camera.change_speed(-1.0);
        assert_eq!(camera, self::camera());
        camera.change_speed(1e9);
        assert_eq!(camera.speed, 120.0);
    }

    #[test]
    fn both_cameras_see_the_same() {
        let mut fly = camera();
        fly.turn(Vec2::new(0.7, -0.3));
        let orbit = fly.orbit();
        assert!(near(orbit.eye(), fly.eye));
        let (right, up) = orbit.right_up();
        assert!(near(up.cross(right), fly.forward()) && near(right, fly.right()));
        let back = FlyCamera::from_orbit(&orbit, 12.0);
        assert!(near(back.eye, fly.eye) && near(back.forward(), fly.forward()));
        let mut front = OrbitCamera::default();
        front.look_from(ViewDirection::Front);
        assert!(near(FlyCamera::from_orbit(&front, 1.0).forward(), Vec3::NEG_Z));
    }
}
