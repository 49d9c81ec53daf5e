use super::{EntryId, SharedText};

/// What a node of a hierarchy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A joint or bone.
    Joint,
    /// A material.
    Material,
    /// A shape: what is drawn with one material (formats/j3d.md §6.6).
    Shape,
    /// A mesh that hangs on a joint.
    Mesh,
}

/// A node of a hierarchy.
#[derive(Clone, Debug)]
pub struct HierarchyNode {
    /// Depth in the tree; 0 for roots.
    pub depth: usize,
    /// Kind of the node.
    pub kind: NodeKind,
    /// Name of the entry; generated from the node's number or id if there is no entry.
    pub name: SharedText,
    /// Its entry, where it has one.
    pub entry: Option<EntryId>,
    /// A way in which it differs from others, and what that means.
    pub note: Option<[&'static str; 2]>,
}

/// What of a model belongs to what: its nodes, each before those below it.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// The rule by which scales reach children, as the file calls it: `Maya`; `None` for a format with one rule.
    pub scaling: Option<String>,
    /// Nodes in the order of the tree, at most [`Hierarchy::MAX_NODES`].
    pub nodes: Vec<HierarchyNode>,
}

impl Hierarchy {
    /// Nodes that a hierarchy has at most.
    pub const MAX_NODES: usize = 10_000;
}
