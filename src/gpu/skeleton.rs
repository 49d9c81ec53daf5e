//! The skeleton drawn over the model.

use super::layouts::{Bone, Dot};
use super::{Item, ItemLook, Mark};
use crate::scene::bone_bodies;

const SELECTED: u32 = 1;

/// Bones ([`bone_bodies`]) and joints of all items in world space; the selected joint is that of the items that are marked.
pub(super) fn gather(items: &[Item<'_>], looks: &[ItemLook], selected: Option<u32>) -> (Vec<Bone>, Vec<Dot>) {
    let (mut bones, mut dots) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        let is_marked = looks.get(index).is_none_or(|look| look.mark == Mark::OfView);
        let selected = selected.filter(|_| is_marked);
        let Some(skeleton) = &item.model.model().skeleton else { continue };
        bones.extend(bone_bodies(skeleton, item.frame, item.world_from_model).iter().map(|body| Bone {
            head: body.head.to_array(),
            flags: flags(body.joint, selected),
            tail: body.tail.to_array(),
            radius: body.radius,
        }));
        let joints = (0..skeleton.joints().len() as u32).zip(&item.frame.world_from_joint);
        for (joint, matrix) in joints {
            let place = item.world_from_model.transform_point3(matrix.translation.into());
            if place.is_finite() {
                dots.push(Dot { position: place.to_array(), flags: flags(joint, selected) });
            }
        }
    }
    // The selected joint last: it lies over its neighbours.
    bones.sort_by_key(|bone| bone.flags);
    dots.sort_by_key(|dot| dot.flags);
    (bones, dots)
}

fn flags(joint: u32, selected: Option<u32>) -> u32 {
    if Some(joint) == selected { SELECTED } else { 0 }
}
