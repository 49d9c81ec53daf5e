//! How an actor's bones hang together (formats/charpipe.md §5).

use super::{
    super::codes,
    actor::Bone,
    user_data::{BONE_SIZE, HEADER_SIZE},
};
use crate::{bytes::numbers::counted, formats::findings::Findings};

/// The bone that a link leads to: `Ok(None)` for none, `Err` when there is no bone there.
pub fn target(link: u32, count: usize) -> Result<Option<u32>, ()> {
    if link == 0 {
        return Ok(None);
    }
    let behind = u64::from(link).checked_sub(HEADER_SIZE).ok_or(())?;
    let index = behind.checked_div(BONE_SIZE).filter(|_| behind.is_multiple_of(BONE_SIZE)).ok_or(())?;
    u32::try_from(index).ok().filter(|i| (*i as usize) < count).map(Some).ok_or(())
}

/// The bones' order, which the other sections count by: each before its children, then its next sibling, from the root on; then
/// those that nothing leads to, as they lie in the table. And whose child each of them is by that walk.
pub struct Walk {
    pub order: Vec<u32>,
    pub parents: Vec<Option<u32>>,
}

/// Walks without recursion; goes to no bone twice.
pub fn walk(root: u32, root_at: u64, bones: &[Bone], findings: &mut Findings) -> Walk {
    let count = bones.len();
    let mut order = Vec::with_capacity(count);
    let mut parents = vec![None; count];
    let mut seen = vec![false; count];
    let mut circles = 0_usize;
    let mut stack = Vec::new();
    match target(root, count) {
        Ok(root) => stack.extend(root.map(|root| (root, None))),
        Err(()) => {
            let message = format!("the root bone has the invalid offset {root:#x}");
            findings.add(&codes::BAD_LINK, Some(root_at), message);
        }
    }
    while let Some((index, parent)) = stack.pop() {
        let (Some(bone), Some(place), Some(seen)) =
            (bones.get(index as usize), parents.get_mut(index as usize), seen.get_mut(index as usize))
        else {
            continue;
        };
        if std::mem::replace(seen, true) {
            circles = circles.saturating_add(1);
            continue;
        }
        order.push(index);
        *place = parent;
        let mut follow = |link: u32, name: &str, parent| match target(link, count) {
            Ok(next) => stack.extend(next.map(|next| (next, parent))),
            Err(()) => {
                let message = format!("the {name} of the bone at index {index} has the invalid offset {link:#x}");
                findings.add(&codes::BAD_LINK, Some(bone.at), message);
            }
        };
        follow(bone.next_sibling, "next sibling", parent);
        follow(bone.first_child, "first child", Some(index));
    }
    if circles > 0 {
        let message = format!("ignored {} to bones that are already in the hierarchy", counted(circles, "link"));
        findings.add(&codes::LINK_CYCLE, Some(root_at), message);
    }
    let unlinked = seen.iter().filter(|seen| !**seen).count();
    if unlinked > 0 {
        let message = format!("bones that are not linked to the hierarchy come last: {unlinked} of {count}");
        findings.add(&codes::UNLINKED_BONES, Some(root_at), message);
    }
    order.extend((0..).zip(&seen).filter(|(_, seen)| !**seen).map(|(index, _)| index));
    Walk { order, parents }
}

/// Each bone's parent: what its own link says, or whose child it was found as where that says nothing. A bone that would be above
/// itself loses its parent.
pub fn parents(bones: &[Bone], walked: &[Option<u32>], findings: &mut Findings) -> Vec<Option<u32>> {
    let mut parents: Vec<Option<u32>> = Vec::with_capacity(bones.len());
    for ((index, bone), walked) in (0_u32..).zip(bones).zip(walked) {
        let linked = target(bone.parent, bones.len());
        if linked.is_err() {
            let message = format!("the parent of the bone at index {index} has the invalid offset {:#x}", bone.parent);
            findings.add(&codes::BAD_LINK, Some(bone.at), message);
        }
        if linked == Ok(Some(index)) {
            let message = format!("the bone at index {index} is its own parent");
            findings.add(&codes::LINK_CYCLE, Some(bone.at), message);
        }
        parents.push(linked.ok().flatten().filter(|parent| *parent != index).or(*walked));
    }
    cut_circles(bones, &mut parents, findings);
    parents
}

fn cut_circles(bones: &[Bone], parents: &mut [Option<u32>], findings: &mut Findings) {
    // For each bone the round in which it was come by; 0 for not yet.
    let mut rounds = vec![0_usize; parents.len()];
    for start in 0..parents.len() {
        let round = start.saturating_add(1);
        let mut at = start;
        while let Some(seen) = rounds.get_mut(at) {
            if *seen == round {
                if let (Some(parent), Some(bone)) = (parents.get_mut(at), bones.get(at)) {
                    *parent = None;
                    let message = format!("the bone at index {at} is its own ancestor. Its parent is ignored");
                    findings.add(&codes::LINK_CYCLE, Some(bone.at), message);
                }
                break;
            }
            if *seen != 0 {
                break;
            }
            *seen = round;
            match parents.get(at).copied().flatten() {
                Some(parent) => at = parent as usize,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(index: u32) -> u32 {
        0x20 + index * 0x1C
    }

    /// Bones of (parent, first child, next sibling).
    fn bones(links: &[[Option<u32>; 3]]) -> Vec<Bone> {
        let link = |index: Option<u32>| index.map_or(0, at);
        let bone = |[parent, child, sibling]: &[Option<u32>; 3]| Bone {
            parent: link(*parent),
            first_child: link(*child),
            next_sibling: link(*sibling),
            ..Bone::default()
        };
        links.iter().map(bone).collect()
    }

    fn walked(root: u32, bones: &[Bone]) -> (Vec<u32>, Vec<Option<u32>>, Vec<&'static str>) {
        let mut findings = Findings::default();
        let walk = walk(root, 0xC, bones, &mut findings);
        let parents = parents(bones, &walk.parents, &mut findings);
        (walk.order, parents, findings.codes())
    }

    #[test]
    fn children_come_before_siblings_and_roots_are_siblings() {
        // 2 is the first root, with children 0 and 3; 4 is the second root, with the child 1.
        let table = bones(&[
            [Some(2), None, Some(3)],
            [Some(4), None, None],
            [None, Some(0), Some(4)],
            [Some(2), None, None],
            [None, Some(1), None],
        ]);
        let (order, parents, codes) = walked(at(2), &table);
        assert_eq!(order, [2, 0, 3, 4, 1]);
        assert_eq!(parents, [Some(2), Some(4), None, Some(2), None]);
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn a_table_without_links_keeps_its_order() {
        let (order, parents, codes) = walked(0, &bones(&[[None; 3]; 3]));
        assert_eq!((order, parents, codes), (vec![0, 1, 2], vec![None; 3], vec!["charpipe.unlinked-bones"]));
    }

    #[test]
    fn a_bone_without_a_parents_link_is_its_child_all_the_same() {
        let (_, parents, codes) = walked(at(0), &bones(&[[None, Some(1), None], [None, None, None]]));
        assert_eq!((parents, codes.len()), (vec![None, Some(0)], 0));
    }

    #[test]
    fn circles_of_siblings_and_parents_are_cut_and_said() {
        let table = bones(&[[Some(1), Some(1), Some(0)], [Some(0), None, Some(1)], [Some(2), None, None]]);
        let (order, parents, codes) = walked(at(0), &table);
        assert_eq!(order, [0, 1, 2]);
        assert_eq!(parents.iter().filter(|p| p.is_none()).count(), 2, "{parents:?}");
        assert!(codes.contains(&"charpipe.link-cycle") && codes.contains(&"charpipe.unlinked-bones"), "{codes:?}");
    }

    #[test]
    fn links_to_no_bone_are_left_out() {
        let mut table = bones(&[[None, Some(1), None], [Some(0), None, None]]);
        table[0].next_sibling = 0x21;
        table[1].next_sibling = 0x10;
        table[1].first_child = at(2);
        table[1].parent = u32::MAX;
        let (order, parents, codes) = walked(at(0), &table);
        assert_eq!((order, parents), (vec![0, 1], vec![None, Some(0)]));
        assert_eq!(codes, ["charpipe.bad-link"; 4]);
        assert_eq!(walked(7, &table).2[0], "charpipe.bad-link");
    }

    #[test]
    fn a_chain_of_thousands_needs_no_deep_stack() {
        let links: Vec<_> =
            (0..4000_u32).map(|i| [i.checked_sub(1), Some(i + 1).filter(|i| *i < 4000), None]).collect();
        let (order, ..) = walked(at(0), &bones(&links));
        assert_eq!(order.len(), 4000);
    }
}
