//! The matrices that whole-number skins are computed with (formats/charpipe.md §6).

use super::{FixedSkin, Frame, Skeleton, Transform};
use glam::{Affine3A, DAffine3};

impl FixedSkin {
    /// The slots of a frame, to the unit as the game's processor computed them from the matrices of its joints.
    pub fn at(&self, skeleton: &Skeleton, frame: &Frame) -> Vec<[i16; 6]> {
        self.evaluate(&matrices(skeleton, frame))
    }
}

/// Skinning matrices, worked out in double precision: every sum is cut towards zero, so that one that lies a hair below a whole
/// number loses a unit, as all would where a joint hardly moves from bind pose.
fn matrices(skeleton: &Skeleton, frame: &Frame) -> Vec<Affine3A> {
    let bind = Frame::of_bind(skeleton);
    let (bind, posed) = (worlds(skeleton, &bind), worlds(skeleton, frame));
    let moved = posed.iter().zip(&bind).zip(&frame.world_from_bind).map(|((posed, bind), single)| {
        let moved = *posed * bind.inverse();
        // What has no extent has no inverse.
        if moved.is_finite() { moved.as_affine3a() } else { *single }
    });
    moved.collect()
}

fn worlds(skeleton: &Skeleton, frame: &Frame) -> Vec<DAffine3> {
    let mut worlds = vec![DAffine3::IDENTITY; skeleton.joints().len()];
    for index in skeleton.order() {
        let joint = *index as usize;
        let matrix = frame.matrices.get(joint).copied().flatten();
        let local = match (matrix, frame.locals.get(joint)) {
            (Some(matrix), _) => matrix.as_daffine3(),
            (None, Some(Transform { translation, rotation, scale })) => DAffine3::from_scale_rotation_translation(
                scale.as_dvec3(),
                rotation.as_dquat().normalize(),
                translation.as_dvec3(),
            ),
            (None, None) => DAffine3::IDENTITY,
        };
        let parent = skeleton.joints().get(joint).and_then(|j| j.moving_parent());
        let parent = parent.and_then(|p| worlds.get(p as usize)).copied().unwrap_or_default();
        if let Some(world) = worlds.get_mut(joint) {
            *world = parent * local;
        }
    }
    worlds
}
