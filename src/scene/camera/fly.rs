use super::OrbitCamera;
use crate::scene::Aabb;
use glam::{Quat, Vec2, Vec3};

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
    use crate::scene::camera::ViewDirection;
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
