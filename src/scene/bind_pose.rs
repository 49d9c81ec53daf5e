//! The bind pose of a file's inverse bind matrices, where it is not the pose of its joints at rest.

use super::{Aabb, Frame, JointIndex, Model, Skeleton, skinning};
use glam::{Affine3A, Vec3A};
use std::fmt;

/// Displacement that makes poses differ, as a share of the model's size.
const MIN_SHARE: f32 = 0.02;
/// Maximum error of an entry of a matrix times its inverse.
const SINGULAR: f32 = 1e-3;

/// The difference between the rest pose and the bind pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseDifference {
    /// Joints with an inverse bind matrix that are elsewhere, or turned or scaled otherwise.
    pub joints: usize,
    /// The largest displacement of a vertex, as a share of the model's size in bind pose.
    pub share: f32,
    /// The skinned vertices in bind pose, in scene space.
    pub bounds: Aabb,
}

impl fmt::Display for PoseDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { joints, share, .. } = self;
        let joints_of = if *joints == 1 { "joint" } else { "joints" };
        write!(
            f,
            "the rest pose differs from the bind pose in {joints} {joints_of}, by up to {:.0} % of the model's size",
            share * 100.0
        )
    }
}

impl Skeleton {
    /// The file's inverse bind matrices, by joint. `None` for joints that no vertex is blended of, and for models that are bound at rest.
    pub fn stored_inverse_binds(&self) -> Vec<Option<Affine3A>> {
        let mut stored = vec![None; self.joints().len()];
        for term in self.draw_matrices.iter().filter(|matrix| matrix.is_blended()).flat_map(|matrix| &matrix.terms) {
            if let Some(slot) = stored.get_mut(term.joint as usize) {
                *slot = Some(term.joint_from_bind);
            }
        }
        stored
    }

    /// World matrices of the joints in bind pose: the inverses of their inverse bind matrices. Joints without one, or with a singular
    /// one, keep their place in their parents. `None` if no joint has one.
    pub fn world_from_joint_bind_pose(&self) -> Option<Vec<Affine3A>> {
        let given: Vec<Option<Affine3A>> = self.stored_inverse_binds().iter().map(|m| m.and_then(inverse)).collect();
        given.iter().any(Option::is_some).then(|| {
            let (rest, locals) = (self.world_from_joint_bind(), Frame::of_bind(self));
            let mut world = rest.to_vec();
            for joint in self.order() {
                let index = *joint as usize;
                let parent = self.joints().get(index).and_then(|j| j.moving_parent()).map(|parent| parent as usize);
                let below_parent = || {
                    let (bound, rests) = (world.get(parent?)?, rest.get(parent?)?);
                    let own = inverse(*rests).and_then(|above| Some(above * *rest.get(index)?));
                    Some(*bound * own.or_else(|| locals.local(JointIndex(*joint)))?)
                };
                let found = given.get(index).copied().flatten().or_else(below_parent);
                if let (Some(found), Some(slot)) = (found.filter(Affine3A::is_finite), world.get_mut(index)) {
                    *slot = found;
                }
            }
            world
        })
    }
}

/// `None` for a singular matrix.
fn inverse(matrix: Affine3A) -> Option<Affine3A> {
    let found = matrix.inverse();
    let is_inverse = (matrix.matrix3 * found.matrix3).abs_diff_eq(glam::Mat3A::IDENTITY, SINGULAR);
    (is_inverse && found.is_finite()).then_some(found)
}

impl Frame {
    /// Puts the joints into the bind pose; nothing changes for models without inverse bind matrices.
    pub(super) fn place_in_bind_pose(&mut self, skeleton: &Skeleton) {
        let Some(world) = skeleton.world_from_joint_bind_pose() else { return };
        for (index, joint) in (0..).map(JointIndex).zip(skeleton.joints()) {
            let matrix = |joint: usize| world.get(joint).copied().unwrap_or_default();
            let parent = joint.moving_parent().map_or(Affine3A::IDENTITY, |parent| matrix(parent as usize));
            // A singular parent has no inverse: the local of the rest pose stays.
            let Some(above) = inverse(parent) else { continue };
            let local = above * matrix(index.as_usize());
            if let Some(transform) = self.local_mut(index) {
                (transform.scale, transform.rotation, transform.translation) = local.to_scale_rotation_translation();
            }
            self.set_local_matrix(index, local);
        }
        self.world_from_joint = world;
        self.place_surfaces(skeleton);
    }
}

impl Model {
    /// Compares the rest pose with the bind pose. `None` if they agree: no vertex moves by more than 2 % of the model's size.
    pub fn pose_difference(&self) -> Option<PoseDifference> {
        let skeleton = self.skeleton.as_ref()?;
        let world = skeleton.world_from_joint_bind_pose()?;
        let rest = Frame::bind(self);
        let mut bind = rest.clone();
        bind.world_from_joint.clone_from(&world);
        bind.place_surfaces(skeleton);
        let (mut far, mut low, mut high) = (0.0_f32, Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for mesh in self.meshes.iter().filter(|mesh| mesh.skin.is_some()) {
            let [at_rest, bound] = [&rest, &bind].map(|frame| skinning::skinned_points(self, mesh, frame));
            for (a, b) in at_rest.iter().zip(&bound).filter(|(a, b)| a.is_finite() && b.is_finite()) {
                far = far.max(a.distance(*b));
                (low, high) = (low.min((*b).into()), high.max((*b).into()));
            }
        }
        let size = low.distance(high);
        let share = far / size;
        if !(size.is_finite() && size > 0.0 && share > MIN_SHARE) {
            return None;
        }
        let stored = skeleton.stored_inverse_binds();
        let joints = stored.iter().zip(&rest.world_from_joint).filter(|(inverse_bind, world)| {
            inverse_bind.is_some_and(|m| {
                let moved = **world * m;
                let is_turned = !moved.matrix3.abs_diff_eq(glam::Mat3A::IDENTITY, MIN_SHARE);
                let at = |joint: Affine3A| joint.translation;
                is_turned || inverse(m).is_some_and(|bound| at(**world).distance(at(bound)) > MIN_SHARE * size)
            })
        });
        let bounds = Aabb { min: low.into(), max: high.into() };
        Some(PoseDifference { joints: joints.count(), share, bounds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{DrawMatrix, DrawTerm, Influence, Joint, Mesh, Run, Skin, Transform};
    use glam::Vec3;

    /// A chain of three joints, each 4 above its parent at rest. A point at the origin follows the first, one at (3, 4, 0) the second.
    fn model(second: Affine3A) -> Model {
        let joint = |parent: Option<u32>| Joint {
            parent,
            bind: Transform { translation: Vec3::Y * 4.0, ..Transform::IDENTITY },
            ..Joint::default()
        };
        let mut skeleton = Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1))], vec![]);
        let blend =
            |joint, joint_from_bind| DrawMatrix { terms: vec![DrawTerm { joint, weight: 1.0, joint_from_bind }] };
        skeleton.draw_matrices = vec![blend(0, Affine3A::from_translation(-Vec3::Y * 4.0)), blend(1, second)];
        let mesh = Mesh {
            points: vec![Vec3::ZERO, Vec3::new(3.0, 4.0, 0.0)],
            vertex_points: vec![0, 1],
            skin: Some(Skin {
                runs: vec![Run { first: 0, count: 1 }, Run { first: 1, count: 1 }],
                influences: vec![Influence { joint: 0, weight: 1.0 }, Influence { joint: 1, weight: 1.0 }],
                ..Skin::default()
            }),
            ..Mesh::default()
        };
        Model { meshes: vec![mesh], skeleton: Some(skeleton), ..Model::empty("chain") }
    }

    fn places(model: &Model) -> Vec<Vec3> {
        let world = model.skeleton.as_ref().unwrap().world_from_joint_bind_pose().unwrap();
        world.iter().map(|matrix| matrix.translation.into()).collect()
    }

    #[test]
    fn the_difference_is_the_farthest_vertex_over_the_size() {
        // The second joint rests at y = 8 and was bound at y = 7: its point moves by 1, and the points are 5 apart.
        let moved = model(Affine3A::from_translation(-Vec3::Y * 7.0));
        let found = moved.pose_difference().unwrap();
        assert_eq!(found.joints, 1);
        assert!((found.share - 0.2).abs() < 1e-5, "{found}");
        // In bind pose the points are where the mesh has them.
        assert!(found.bounds.min.abs_diff_eq(Vec3::ZERO, 1e-5), "{:?}", found.bounds);
        assert!(found.bounds.max.abs_diff_eq(Vec3::new(3.0, 4.0, 0.0), 1e-5), "{:?}", found.bounds);
        // The third has no matrix and stays 4 above its parent.
        assert_eq!(places(&moved), [Vec3::Y * 4.0, Vec3::Y * 7.0, Vec3::Y * 11.0]);
        assert_eq!(model(Affine3A::from_translation(-Vec3::Y * 8.0)).pose_difference(), None);
        assert_eq!(Model::empty("none").pose_difference(), None);
    }

    #[test]
    fn joints_with_a_matrix_that_has_no_inverse_stay_below_their_parents() {
        for matrix in [Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)), Affine3A::from_scale(Vec3::NAN)] {
            assert_eq!(places(&model(matrix)), [Vec3::Y * 4.0, Vec3::Y * 8.0, Vec3::Y * 12.0]);
        }
    }
}
