//! Whose child each bone is, once nonsense is repaired (formats/actorx.md §2, REFSKELT).

use super::{
    Bone, codes,
    container::{Findings, Place},
};
use crate::bytes::{numbers::counted, text};
use std::collections::HashMap;

/// The parent of each bone: none for the first, an existing bone without a circle for every other.
pub fn parents(bones: &[Bone], findings: &mut Findings) -> Vec<Option<u32>> {
    let mut parents: Vec<Option<u32>> = Vec::with_capacity(bones.len());
    for (index, bone) in bones.iter().enumerate() {
        let mut report = |code, message| findings.add(code, Place::Bone(index), None, message);
        let parent = usize::try_from(bone.parent).ok().filter(|p| *p < bones.len());
        let name = &bone.name;
        parents.push(match parent {
            _ if index == 0 => {
                if !matches!(bone.parent, 0 | -1) {
                    report(&codes::BAD_PARENT, format!("the first bone “{name}” has a parent: bone {}", bone.parent));
                }
                None
            }
            Some(parent) if parent != index => {
                if parent > index {
                    report(&codes::FORWARD_PARENT, format!("bone “{name}” is stored before its parent, bone {parent}"));
                }
                Some(u32::try_from(parent).unwrap_or(0))
            }
            None if bone.parent != -1 => {
                let (parent, count) = (bone.parent, counted(bones.len(), "bone"));
                let message = format!("bone “{name}” has the invalid parent {parent}: the file has only {count}");
                report(&codes::BAD_PARENT, message);
                Some(0)
            }
            _ => {
                report(&codes::SECOND_ROOT, format!("bone {index}, “{name}”, has no parent; it is attached to bone 0"));
                Some(0)
            }
        });
    }
    cut_circles(bones, &mut parents, findings);
    parents
}

/// Hangs one bone of each circle on the first bone. Every bone is walked over once.
fn cut_circles(bones: &[Bone], parents: &mut [Option<u32>], findings: &mut Findings) {
    // In which walk a bone was first met.
    let mut walk_of = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        while let Some(walk) = walk_of.get_mut(at) {
            if *walk != usize::MAX {
                if *walk == start {
                    if let Some(parent) = parents.get_mut(at) {
                        *parent = Some(0);
                    }
                    let name = bones.get(at).map(|b| b.name.as_str()).unwrap_or_default();
                    let message = format!("bone {at}, “{name}”, is its own ancestor; it is attached to bone 0");
                    findings.add(&codes::PARENT_CYCLE, Place::Bone(at), None, message);
                }
                break;
            }
            *walk = start;
            match parents.get(at).copied().flatten() {
                Some(parent) => at = parent as usize,
                None => break,
            }
        }
    }
}

/// Names that occur again, blanks and case aside: clips bind by name.
pub fn report_duplicates(bones: &[Bone], findings: &mut Findings) {
    let mut seen = HashMap::new();
    for (index, bone) in bones.iter().enumerate() {
        if let Some(first) = seen.insert(text::fold(&bone.name), index) {
            let message = format!("bones {first} and {index} have the same name “{}”", bone.name);
            findings.add(&codes::DUPLICATE_BONE, Place::Bone(index), None, message);
        }
    }
}
