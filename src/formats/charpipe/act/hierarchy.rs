//! An actor's bones as a tree, with the meshes that hang on them (formats/charpipe.md §5).

use super::{
    actor::{self, Act},
    links,
};
use crate::formats::{EntryId, Hierarchy, HierarchyNode, NodeKind, Outline};

const ALONE: [&str; 2] = ["model space", "The bone is in model space and does not follow its parent"];

impl Act {
    /// `bones` are the entries of its bones, `meshes` those of the palette in the same block. `None` without bones.
    pub fn hierarchy(&self, outline: &Outline, bones: &[EntryId], meshes: &[EntryId]) -> Option<Hierarchy> {
        let name_of = |entry: Option<EntryId>| entry.and_then(|id| outline.get(id)).map(|entry| entry.name.clone());
        let mut nodes = Vec::new();
        let mut seen = vec![false; self.bones.len()];
        // Bones that no link leads to come last, in the table's order; each stands in the tree once.
        let mut stack: Vec<(u32, usize)> = self.order.iter().rev().map(|index| (*index, 0)).collect();
        while let Some((index, depth)) = stack.pop() {
            let (Some(bone), Some(seen)) = (self.bones.get(index as usize), seen.get_mut(index as usize)) else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            if nodes.len() >= Hierarchy::MAX_NODES {
                break;
            }
            let entry = bones.get(index as usize).copied();
            nodes.push(HierarchyNode {
                depth,
                kind: NodeKind::Joint,
                name: name_of(entry).unwrap_or_else(|| actor::name(bone.id).into()),
                entry,
                note: (!bone.inherits && depth > 0).then_some(ALONE),
            });
            let below = depth.saturating_add(1);
            if let Some(number) = bone.mesh {
                let entry = meshes.get(usize::from(number)).copied();
                let name = name_of(entry).unwrap_or_else(|| format!("mesh {number}").into());
                nodes.push(HierarchyNode { depth: below, kind: NodeKind::Mesh, name, entry, note: None });
            }
            let target = |link| links::target(link, self.bones.len()).ok().flatten();
            stack.extend(target(bone.next_sibling).map(|next| (next, depth)));
            stack.extend(target(bone.first_child).map(|child| (child, below)));
        }
        (!nodes.is_empty()).then_some(Hierarchy { scaling: None, nodes })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        bytes::{Limits, Source},
        formats::{
            Diagnostics, EntryId, Hierarchy, NoFiles, OpenContext,
            charpipe::encode::{Actor, Block, Bone, Geometry, encode_act, encode_block, encode_gpl},
            open,
        },
    };
    use std::sync::Arc;

    fn hierarchy(bytes: Vec<u8>, path: &str) -> Hierarchy {
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = OpenContext {
            file: "x.act",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &crate::formats::NO_OVERRIDES,
        };
        let document = open(Source::from(bytes), &mut cx).unwrap();
        let entry = if path.is_empty() { EntryId::FILE } else { document.outline().find(path).unwrap().id };
        document.ask(entry, |can, entry| can.facts?.hierarchy(entry)).unwrap()
    }

    #[test]
    fn bones_stand_below_their_parents_whatever_the_tables_order() {
        let mut detached = Bone::new(7, Some(2), None);
        detached.inherits = false;
        let mut holds = Bone::new(5, Some(2), None);
        holds.mesh = Some(3);
        // The root is the third of the table.
        let bones = vec![detached, holds, Bone::new(9, None, None), Bone::new(4, Some(1), None)];
        let act = encode_act(&Actor { bones, ..Actor::default() });
        let tree = hierarchy(act.clone(), "");
        let nodes: Vec<_> =
            tree.nodes.iter().map(|n| (n.depth, &*n.name, n.note.is_some(), n.entry.is_some())).collect();
        let wanted = [
            (0, "bone 9", false, true),
            (1, "bone 7", true, true),
            (1, "bone 5", false, true),
            (2, "mesh 3", false, false),
            (2, "bone 4", false, true),
        ];
        assert_eq!(nodes, wanted);
        let gpl = encode_gpl(&Geometry::default());
        let block = encode_block(&Block { gpl, act, ..Block::default() });
        assert_eq!(hierarchy(block, "ACT").nodes.len(), 5);
    }
}
