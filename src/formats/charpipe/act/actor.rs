//! An actor and its bones as joints in bind pose.

use super::{super::codes, control::Control, user_data::UserData};
use crate::{
    formats::findings::Findings,
    scene::{Joint, Skeleton},
};
use std::sync::Arc;

/// An actor. Joints are bones in the order of its table.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// Actor ID (formats/charpipe.md §5).
    pub actor_id: u16,
    /// The palette of meshes that it was made for; empty for none.
    pub geometry_name: String,
    /// Which of the meshes the skin moves.
    pub skin_mesh: Option<u16>,
    /// Bones in the order of the table.
    pub bones: Vec<Bone>,
    /// Indices of `bones` in the order that skins and matrix loads count them by: each before its children, then its sibling.
    pub order: Vec<u32>,
    /// Known user data of the game.
    pub user_data: UserData,
    /// Ids of the bones, which their links are named after.
    pub(super) ids: Arc<[u16]>,
}

/// A bone. Links are offsets from the start of the actor; 0 for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Bytes from the start of the file.
    pub at: u64,
    /// Offset of its control; 0 for a bone that stands where its parent does.
    pub(super) control_offset: u32,
    /// Transform relative to the parent in bind pose.
    pub control: Control,
    pub(super) next_sibling: u32,
    pub(super) parent: u32,
    pub(super) first_child: u32,
    /// Into [`Act::bones`]; neither in a circle nor to nowhere.
    pub parent_bone: Option<u32>,
    /// The mesh that hangs on it.
    pub mesh: Option<u16>,
    /// Bone ID; need not be its index.
    pub id: u16,
    /// It moves with its parent.
    pub inherits: bool,
    /// Meshes of lower priority are drawn first.
    pub draw_priority: u8,
}

impl Act {
    /// The joint that is number `index` in the order that skins and matrix loads count by.
    pub fn joint_of_order(&self, index: u32) -> Option<u32> {
        self.order.get(index as usize).copied()
    }

    /// The bones as joints, in bind pose.
    pub fn skeleton(&self, findings: &mut Findings) -> Skeleton {
        let joints = self.bones.iter().map(|bone| self.joint(bone)).collect();
        let skeleton = Skeleton::new(joints, Vec::new());
        for (bone, joint) in self.bones.iter().zip(skeleton.joints()) {
            let local = joint.bind_matrix.unwrap_or_else(|| joint.local_from(&joint.bind));
            if !bone.control.is_finite() {
                let message = format!("the control of bone {} contains NaN or infinite values", bone.id);
                findings.add(&codes::BAD_CONTROL, Some(bone.at), message);
            } else if !local.inverse().is_finite() {
                let message = format!(
                    "the bind matrix of bone {} cannot be inverted: meshes attached to the bone cannot be posed",
                    bone.id
                );
                findings.add(&codes::FLAT_BONE, Some(bone.at), message);
            }
        }
        skeleton
    }

    fn joint(&self, bone: &Bone) -> Joint {
        let own = match &self.user_data.tracks {
            Some(tracks) => tracks.get(usize::from(bone.id)).copied().unwrap_or(u16::MAX),
            None => bone.id,
        };
        Joint {
            name: name(bone.id),
            parent: bone.parent_bone,
            bind: bone.control.transform(),
            detached: !bone.inherits,
            bind_matrix: bone.control.matrix(),
            scale_axes: bone.control.scale_axes(),
            track: Some(own).filter(|track| *track != u16::MAX).map(u32::from),
            ..Joint::default()
        }
    }
}

/// What a bone is called: the file has no names.
pub fn name(id: u16) -> String {
    format!("bone {id}")
}
