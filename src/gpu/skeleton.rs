//! The skeleton drawn over the model.

use super::layouts::{Bone, Dot};
use super::renderer::Item;
use crate::scene::Aabb;
use glam::Vec3;

const SELECTED: u32 = 1;

/// Bones and joints of all items in world space. Thickness follows length and the skeleton's size, never a joint's scale.
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
        for (index, joint) in joints.iter().enumerate() {
            let Some(tail) = place(index) else { continue };
            dots.push(Dot { position: tail.to_array(), flags: flags(Some(index as u32), selected) });
            let Some(head) = joint.parent.and_then(|parent| place(parent as usize)) else { continue };
            let length = head.distance(tail);
            if length > size * 1e-4 {
                let radius = (length * 0.1).clamp(size * 0.002, size * 0.02);
                let flags = flags(joint.parent, selected);
                bones.push(Bone { head: head.to_array(), flags, tail: tail.to_array(), radius });
            }
        }
    }
    // The selected joint last: its dot lies over its neighbours'.
    dots.sort_by_key(|dot| dot.flags);
    (bones, dots)
}

fn flags(joint: Option<u32>, selected: Option<u32>) -> u32 {
    if joint.is_some() && joint == selected { SELECTED } else { 0 }
}
