//! The hierarchy of a model, with the names of what it puts in order.

use super::{
    chunk_file::ChunkFile,
    geometry::{Inf1, Jnt1, NodeKind as Stored},
};
use crate::formats::{EntryId, Hierarchy, HierarchyNode, NodeKind};

const COMPENSATES: [&str; 2] =
    ["scale compensation", "The joint does not inherit its parent's scale (segment scale compensation in Maya)"];

/// The hierarchy that a model's INF1 has.
pub fn of(document: &ChunkFile, inf1: &Inf1) -> Hierarchy {
    let parts = |tag: &[u8; 4]| -> &[EntryId] {
        let chunk = document.chunk_entry(tag);
        chunk.map(|chunk| document.outline.children(chunk)).unwrap_or_default()
    };
    let (joints, materials, shapes) = (parts(b"JNT1"), parts(b"MAT3"), parts(b"SHP1"));
    let materials = if materials.is_empty() { parts(b"MAT2") } else { materials };
    let stored = document.chunk::<Jnt1>();
    let compensates = |joint: usize| {
        stored.and_then(|stored| stored.joints.get(joint)).is_some_and(|joint| joint.scale_compensate == 1)
    };
    let node = |(depth, kind, number): (usize, Stored, u16)| {
        let number = usize::from(number);
        let (kind, what, entries) = match kind {
            Stored::Joint => (NodeKind::Joint, "joint", joints),
            Stored::Material => (NodeKind::Material, "material", materials),
            Stored::Shape => (NodeKind::Shape, "shape", shapes),
        };
        let entry = entries.get(number).and_then(|id| document.outline.get(*id));
        HierarchyNode {
            depth,
            kind,
            name: entry.map_or_else(|| format!("{what} {number}").into(), |entry| entry.name.clone()),
            entry: entry.map(|entry| entry.id),
            note: (kind == NodeKind::Joint && compensates(number)).then_some(COMPENSATES),
        }
    };
    let nodes = inf1.nodes_by_depth().take(Hierarchy::MAX_NODES).map(node).collect();
    Hierarchy { scaling: Some(inf1.scaling_text()), nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Limits, Source},
        formats::{Diagnostics, Document, NoFiles, OpenContext, open},
    };
    use std::sync::Arc;

    #[test]
    fn joints_are_named_in_their_order_and_say_whether_they_compensate() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/ScalingRules.arc");
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = OpenContext {
            file: "ScalingRules.arc",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &crate::formats::NO_OVERRIDES,
        };
        // The archive hands on what its members say, in its own entries.
        let document: Box<dyn Document> = open(Source::from(std::fs::read(path).unwrap()), &mut cx).unwrap();
        let tree = |path: &str| {
            let entry = document.outline().find(path).unwrap().id;
            document.ask(entry, |can, entry| can.facts?.hierarchy(entry))
        };
        let maya = tree("bmd/maya.bmd/INF1").unwrap();
        assert_eq!(
            (maya.scaling.as_deref(), tree("bmd/softimage.bmd/INF1").unwrap().scaling.as_deref()),
            (Some("Maya"), Some("SoftImage"))
        );
        let nodes: Vec<_> = maya.nodes.iter().map(|n| (n.depth, n.kind, &*n.name, n.note.is_some())).collect();
        let start = [
            (0, NodeKind::Joint, "Root", false),
            (1, NodeKind::Material, "Skin", false),
            (2, NodeKind::Shape, "Shape 0", false),
            (1, NodeKind::Joint, "Arm1", true),
            (2, NodeKind::Joint, "Arm2", true),
        ];
        assert_eq!(nodes[..5], start);
        for node in &maya.nodes {
            let entry = document.outline().get(node.entry.unwrap()).unwrap();
            assert!(entry.name == node.name && entry.path().starts_with("bmd/maya.bmd/"), "{}", entry.path());
        }
        assert!(tree("bmd/maya.bmd/JNT1").is_none());
    }
}
