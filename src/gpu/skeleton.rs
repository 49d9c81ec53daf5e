//! The skeleton drawn over the model.

use super::Item;
use super::layouts::{Bone, Dot};
use crate::scene::{Aabb, Skeleton};
use glam::Vec3;

const SELECTED: u32 = 1;
/// Length of the stub at a joint without children, as a share of the bone that leads to it.
const STUB: f32 = 0.4;

/// Bones and joints of all items in world space. A bone belongs to the joint that it starts at; a joint without children
/// has a stub that goes on from the bone before it and turns with the joint. Thickness and stubs follow the length of
/// bones and the skeleton's size, never a joint's scale.
pub(super) fn gather(items: &[Item<'_>], selected: Option<u32>) -> (Vec<Bone>, Vec<Dot>) {
    let (mut bones, mut dots) = (Vec::new(), Vec::new());
    for item in items {
        let Some(skeleton) = &item.model.model().skeleton else { continue };
        let place = |joint: usize| -> Option<Vec3> {
            let origin = item.frame.world_from_joint.get(joint)?.translation;
            let place = item.world_from_model.transform_point3(origin.into());
            place.is_finite().then_some(place)
        };
        let joints = skeleton.joints();
        let size = Aabb::of((0..joints.len()).filter_map(place)).map_or(0.0, |b| b.diagonal());
        let mut bone = |joint: u32, head: Vec3, tail: Vec3| {
            let length = head.distance(tail);
            if tail.is_finite() && length > size * 1e-4 {
                let radius = (length * 0.1).clamp(size * 0.002, size * 0.02);
                let flags = flags(Some(joint), selected);
                bones.push(Bone { head: head.to_array(), flags, tail: tail.to_array(), radius });
            }
        };
        let mut has_child = vec![false; joints.len()];
        for parent in joints.iter().filter_map(|j| j.parent) {
            if let Some(has_child) = has_child.get_mut(parent as usize) {
                *has_child = true;
            }
        }
        for (index, joint) in joints.iter().enumerate() {
            let Some(tail) = place(index) else { continue };
            dots.push(Dot { position: tail.to_array(), flags: flags(Some(index as u32), selected) });
            let Some(parent) = joint.parent else { continue };
            let Some(head) = place(parent as usize) else { continue };
            bone(parent, head, tail);
            if !has_child[index] {
                let turned = || {
                    let ahead =
                        item.frame.world_from_bind.get(index)?.transform_vector3(bind_direction(skeleton, index)?);
                    item.world_from_model.transform_vector3(ahead).try_normalize()
                };
                let ahead = turned().unwrap_or_else(|| (tail - head).normalize_or_zero());
                bone(index as u32, tail, tail + ahead * head.distance(tail) * STUB);
            }
        }
    }
    // The selected joint last: it lies over its neighbours.
    bones.sort_by_key(|bone| bone.flags);
    dots.sort_by_key(|dot| dot.flags);
    (bones, dots)
}

/// From a joint's parent to the joint in bind pose.
fn bind_direction(skeleton: &Skeleton, joint: usize) -> Option<Vec3> {
    let bind = skeleton.world_from_joint_bind();
    let parent = skeleton.joints().get(joint)?.parent?;
    Some((bind.get(joint)?.translation - bind.get(parent as usize)?.translation).into())
}

fn flags(joint: Option<u32>, selected: Option<u32>) -> u32 {
    if joint.is_some() && joint == selected { SELECTED } else { 0 }
}
