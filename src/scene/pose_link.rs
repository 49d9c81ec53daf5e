//! One model takes the pose of another by the names of its bones: a head on a body, an armour on a character.

use super::{Frame, Model, binding::joint_key};
use glam::Affine3A;
use std::collections::HashMap;

/// Which bone of a leader each bone of a model is.
#[derive(Clone, Debug, Default)]
pub struct PoseLink {
    /// By the model's joints.
    leads: Vec<Option<u32>>,
    matched: usize,
}

impl PoseLink {
    /// Finds the leader's bones by their names, as clips do; of equal names the first.
    pub fn new(model: &Model, leader: &Model) -> Self {
        let joints = |model| -> &[super::Joint] {
            let model: &Model = model;
            model.skeleton.as_ref().map(|skeleton| skeleton.joints()).unwrap_or_default()
        };
        let mut by_name: HashMap<String, u32> = HashMap::new();
        for (index, joint) in (0_u32..).zip(joints(leader)) {
            by_name.entry(joint_key(&joint.name)).or_insert(index);
        }
        let leads: Vec<Option<u32>> =
            joints(model).iter().map(|joint| by_name.get(&joint_key(&joint.name)).copied()).collect();
        let matched = leads.iter().flatten().count();
        Self { leads, matched }
    }

    /// Bones that the leader has too.
    pub fn matched(&self) -> usize {
        self.matched
    }

    /// Whether the leader has at least half of the bones.
    pub fn fits(&self) -> bool {
        self.matched > 0 && self.matched.saturating_mul(2) >= self.leads.len()
    }

    /// Puts the bones where the leader has them. The others keep their place beside the bone that they hang on.
    pub fn apply(&self, model: &Model, leader: &Frame, out: &mut Frame) {
        let Some(skeleton) = &model.skeleton else { return };
        let before = out.world_from_joint.clone();
        for index in skeleton.order() {
            let at = *index as usize;
            let led = self.leads.get(at).copied().flatten();
            let led = led.and_then(|joint| leader.world_from_joint.get(joint as usize)).copied();
            let parent = skeleton.joints().get(at).and_then(super::Joint::moving_parent);
            let world = led.or_else(|| {
                let parent = parent? as usize;
                let parent_from_joint = before.get(parent)?.inverse() * *before.get(at)?;
                let world: Affine3A = *out.world_from_joint.get(parent)? * parent_from_joint;
                world.is_finite().then_some(world)
            });
            if let (Some(world), Some(place)) = (world, out.world_from_joint.get_mut(at)) {
                *place = world;
            }
        }
        out.place_surfaces(skeleton);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Joint, PoseOptions, Skeleton, Transform};
    use glam::{Quat, Vec3};

    fn model(names: &[(&str, Option<u32>)]) -> Model {
        let joint = |(name, parent): &(&str, Option<u32>)| Joint {
            name: (*name).to_owned(),
            parent: *parent,
            bind: Transform { translation: Vec3::Y, ..Transform::IDENTITY },
            ..Joint::default()
        };
        Model { skeleton: Some(Skeleton::new(names.iter().map(joint).collect(), vec![])), ..Model::empty("bones") }
    }

    #[test]
    fn bones_of_the_same_name_stand_where_the_leader_has_them_and_the_rest_go_along() {
        let body = model(&[("Root", None), ("Spine", Some(0)), ("Head", Some(1))]);
        let head = model(&[("head ", None), ("Jaw", Some(0))]);
        let mut leader = Frame::bind(&body);
        leader.locals[1].rotation = Quat::from_rotation_z(0.7);
        leader.place_joints(&body, PoseOptions::default());
        let link = PoseLink::new(&head, &body);
        assert_eq!((link.matched(), link.fits()), (1, true));
        let mut frame = Frame::bind(&head);
        link.apply(&head, &leader, &mut frame);
        let [wanted, jaw] = [leader.world_from_joint[2], frame.world_from_joint[1]];
        assert!(frame.world_from_joint[0].abs_diff_eq(wanted, 1e-6));
        assert!(jaw.abs_diff_eq(wanted * Affine3A::from_translation(Vec3::Y), 1e-6), "{jaw}");
        // The surface goes along: the matrices that move it are made anew.
        let bind = head.skeleton.as_ref().unwrap().joint_from_world_bind();
        assert!(frame.world_from_bind[0].abs_diff_eq(wanted * bind[0], 1e-6));
    }

    #[test]
    fn less_than_half_of_the_bones_is_no_fit() {
        let body = model(&[("Root", None)]);
        let other = model(&[("Root", None), ("A", Some(0)), ("B", Some(0))]);
        assert!(!PoseLink::new(&other, &body).fits());
        assert!(!PoseLink::new(&Model::empty("none"), &body).fits(), "no bones fit nothing");
        let mut frame = Frame::bind(&other);
        PoseLink::new(&other, &body).apply(&other, &Frame::default(), &mut frame);
        assert!(
            frame.world_from_joint.iter().all(|matrix| matrix.is_finite()),
            "a leader without a pose moves nothing"
        );
    }
}
