//! Bones as they are drawn and clicked on.

use super::{
    Aabb, Frame, Skeleton,
    picking::{Ray, meets},
};
use glam::{Affine3A, Vec3};

/// Length of the stub at a joint without children, as a share of the bone that leads to it.
const STUB: f32 = 0.4;
/// Where a bone is thickest, as a share of its length; mirrored in `shaders/skeleton.wgsl`.
const THICKEST: f32 = 0.14;

/// A bone from joint to joint, an octahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneBody {
    /// The joint that it starts at.
    pub joint: u32,
    /// Start of the bone, in world space.
    pub head: Vec3,
    /// End of the bone, in world space.
    pub tail: Vec3,
    /// Half the thickness.
    pub radius: f32,
}

impl BoneBody {
    /// Where a ray meets it first, in lengths of the ray. The corners are those of `shaders/skeleton.wgsl`.
    pub fn met_at(&self, ray: &Ray) -> Option<f32> {
        let along = self.tail - self.head;
        let axis = along.try_normalize()?;
        let other = if axis.y.abs() > 0.9 { Vec3::X } else { Vec3::Y };
        let side = axis.cross(other).try_normalize()?;
        let up = side.cross(axis);
        let middle = self.head + along * THICKEST;
        let ring = [side, up, -side, -up].map(|out| middle + out * self.radius);
        let [a, b, c, d] = ring;
        let faces = [[a, b], [b, c], [c, d], [d, a]];
        let ends = [self.head, self.tail];
        let all = faces.iter().flat_map(|[a, b]| ends.map(|end| [*a, *b, end]));
        all.filter_map(|corners| Some(meets(ray, corners)?.distance)).min_by(f32::total_cmp)
    }
}

/// The bones of a posed skeleton in world space, in the order of the joints that they lead to. A bone belongs to the joint that it
/// starts at; a joint without children has a stub that goes on from the bone before it and turns with the joint. Thickness and
/// stubs follow the length of bones and the skeleton's size, never a joint's scale.
pub fn bone_bodies(skeleton: &Skeleton, frame: &Frame, world_from_model: Affine3A) -> Vec<BoneBody> {
    let mut bones = Vec::new();
    let place = |joint: usize| -> Option<Vec3> {
        let origin = frame.world_from_joint.get(joint)?.translation;
        let place = world_from_model.transform_point3(origin.into());
        place.is_finite().then_some(place)
    };
    let joints = skeleton.joints();
    let size = Aabb::of((0..joints.len()).filter_map(place)).map_or(0.0, |b| b.diagonal());
    let mut bone = |joint: u32, head: Vec3, tail: Vec3| {
        let length = head.distance(tail);
        if tail.is_finite() && length > size * 1e-4 {
            let radius = (length * 0.1).clamp(size * 0.002, size * 0.02);
            bones.push(BoneBody { joint, head, tail, radius });
        }
    };
    let mut has_child = vec![false; joints.len()];
    for parent in joints.iter().filter_map(|j| j.parent) {
        if let Some(has_child) = has_child.get_mut(parent as usize) {
            *has_child = true;
        }
    }
    for ((index, joint), has_child) in joints.iter().enumerate().zip(has_child) {
        let Some(tail) = place(index) else { continue };
        let Some(parent) = joint.parent else { continue };
        let Some(head) = place(parent as usize) else { continue };
        bone(parent, head, tail);
        if !has_child {
            let turned = || {
                let ahead = frame.world_from_bind.get(index)?.transform_vector3(bind_direction(skeleton, index)?);
                world_from_model.transform_vector3(ahead).try_normalize()
            };
            let ahead = turned().unwrap_or_else(|| (tail - head).normalize_or_zero());
            bone(index as u32, tail, tail + ahead * head.distance(tail) * STUB);
        }
    }
    bones
}

/// From a joint's parent to the joint in bind pose.
fn bind_direction(skeleton: &Skeleton, joint: usize) -> Option<Vec3> {
    let bind = skeleton.world_from_joint_bind();
    let parent = skeleton.joints().get(joint)?.parent?;
    Some((bind.get(joint)?.translation - bind.get(parent as usize)?.translation).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Joint, Model, Transform};

    #[test]
    fn a_bone_is_met_where_it_is_thick_and_not_beside_it() {
        let body = BoneBody { joint: 0, head: Vec3::ZERO, tail: Vec3::X * 10.0, radius: 1.0 };
        let down = |x: f32, y: f32| Ray { from: Vec3::new(x, y, 5.0), along: Vec3::NEG_Z };
        // Thickest at 1.4: one side of the ring faces the ray there, at a height of 1.
        let met = body.met_at(&down(1.4, 0.0)).unwrap();
        assert!((met - 4.0).abs() < 1e-5, "{met}");
        // Half of the way from there to the tail it is half as thick.
        let met = body.met_at(&down(5.7, 0.0)).unwrap();
        assert!((met - 4.5).abs() < 1e-5, "{met}");
        assert!(body.met_at(&down(5.7, 0.49)).is_some() && body.met_at(&down(5.7, 0.51)).is_none());
        assert!(body.met_at(&down(10.5, 0.0)).is_none());
        assert!(BoneBody { tail: Vec3::ZERO, ..body }.met_at(&down(0.0, 0.0)).is_none());
    }

    #[test]
    fn bones_lead_from_parent_to_child_and_the_last_has_a_stub() {
        let bind = Transform { translation: Vec3::X * 2.0, ..Transform::IDENTITY };
        let joint = |parent| Joint { parent, bind, ..Joint::default() };
        let skeleton = Skeleton::new(vec![joint(None), joint(Some(0))], vec![]);
        let model = Model { skeleton: Some(skeleton), ..Model::empty("two") };
        let frame = Frame::bind(&model);
        let bones = bone_bodies(model.skeleton.as_ref().unwrap(), &frame, Affine3A::IDENTITY);
        let found: Vec<_> = bones.iter().map(|b| (b.joint, b.head, b.tail)).collect();
        assert_eq!(found, [(0, Vec3::X * 2.0, Vec3::X * 4.0), (1, Vec3::X * 4.0, Vec3::X * 4.8)]);
    }
}
