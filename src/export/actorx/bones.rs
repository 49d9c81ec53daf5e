//! Numbers and bones as ActorX has them.

use crate::{
    formats::actorx::Bone,
    scene::{Skeleton, Transform, exact, rotation_or_identity},
};
use glam::{Quat, Vec3};

/// TypeFlag of the writers that know vertex colours.
pub const TYPE_FLAG: i32 = 20_100_422;

pub fn point(scene: Vec3) -> [f32; 3] {
    [scene.x, -scene.z, scene.y]
}

/// A true rotation in file space.
pub fn rotation(scene: Quat) -> [f32; 4] {
    [scene.x, -scene.z, scene.y, scene.w]
}

pub fn scale(scene: Vec3) -> [f32; 3] {
    [scene.x, scene.z, scene.y]
}

pub fn inverse([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// File space to Unreal space and back.
pub fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// Pitch, yaw and roll in degrees of a rotation in file space.
pub fn rotator(file: [f32; 4]) -> [f32; 3] {
    let [x, y, z, w] = [-file[0], file[1], -file[2], file[3]];
    let half_sine = z * x - w * y;
    let yaw = exact::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    let around = |angle: f32| exact::atan2(exact::sin(angle), exact::cos(angle));
    let (pitch, roll) = if half_sine.abs() > 0.499_999_5 {
        // Straight up or down: only the sum of yaw and roll counts.
        let sign = half_sine.signum();
        (sign * std::f32::consts::FRAC_PI_2, around(sign * yaw - 2.0 * exact::atan2(x, w)))
    } else {
        (exact::asin(2.0 * half_sine), exact::atan2(-2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    };
    [pitch, yaw, roll].map(f32::to_degrees)
}

/// In which order joints become bones: their own, unless a parent comes after its child (programs that read PSK pose such
/// bones wrongly) or the root is not the first.
pub struct BoneOrder {
    /// Joint of each bone, without the root that is added.
    pub joints: Vec<u32>,
    /// Bone of each joint.
    pub bones: Vec<u32>,
    /// A bone that never moves is above all others: bone 0 is the only root.
    pub added_root: bool,
}

impl BoneOrder {
    /// Several roots get one above them; with `needs_still` a single one does too.
    pub fn of(skeleton: &Skeleton, needs_still: bool) -> Self {
        let joints = skeleton.joints();
        let in_order = joints.iter().enumerate().all(|(i, j)| j.moving_parent().is_none_or(|p| (p as usize) < i));
        let order = if in_order { (0..joints.len() as u32).collect() } else { skeleton.order().to_vec() };
        let added_root = needs_still || joints.iter().filter(|j| j.moving_parent().is_none()).count() > 1;
        let mut bones = vec![0; joints.len()];
        for (place, joint) in order.iter().enumerate() {
            bones[*joint as usize] = place as u32 + u32::from(added_root);
        }
        Self { joints: order, bones, added_root }
    }
}

/// A joint as a bone; `plain`: it stores its rotation as it is.
pub fn bone(name: &str, parent: usize, bind: &Transform, plain: bool) -> Bone {
    let turned = rotation(rotation_or_identity(bind.rotation));
    Bone {
        name: name.to_owned(),
        parent: i32::try_from(parent).unwrap_or(0),
        rotation: if plain { turned } else { inverse(turned) },
        position: point(bind.translation),
        ..Bone::default()
    }
}
