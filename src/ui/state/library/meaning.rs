//! What is in a file, arranged by what it is: parts, bones, materials, clips. Made from the roles of entries alone.

use crate::{
    formats::{EntryId, Hierarchy, NodeKind, Outline, Role},
    ui::{
        library_row::Group,
        state::library::{
            gathered::{Found, Gathered},
            troubles::{Trouble, Troubles},
        },
    },
};
use std::collections::{HashMap, HashSet};

/// Chunks that are asked for a hierarchy at most.
const MAX_ASKED: usize = 64;

/// A node of an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Group(Group),
    /// A folder or a section, as far as what lies in it belongs to a group: it may stand in several.
    Branch(EntryId, Group),
    Entry(EntryId),
}

impl Item {
    pub fn entry(self) -> Option<EntryId> {
        match self {
            Self::Group(_) => None,
            Self::Branch(entry, _) | Self::Entry(entry) => Some(entry),
        }
    }
}

/// A row of an arrangement, before it is known which rows are unfolded.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub item: Item,
    pub depth: u16,
    /// True if the contents are arranged separately when the entry is expanded.
    pub is_scope: bool,
    /// Entries of its group below it.
    pub count: u32,
    /// The node after those below it.
    end: u32,
}

/// The contents of an entry by groups: rows in their order, each before its children.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    nodes: Vec<Node>,
    /// Of the nodes that have any: their own, and with those below them.
    troubles: HashMap<usize, [Trouble; 2]>,
}

impl Arrangement {
    /// Arranges what lies in `scope`, which is the file or an entry that [`Node::is_scope`] was said of.
    pub fn of(
        outline: &Outline,
        scope: EntryId,
        hierarchy: impl Fn(EntryId) -> Option<Hierarchy>,
        troubles: &Troubles,
    ) -> Self {
        let is_container = outline.get(scope).is_some_and(|entry| entry.role == Role::Archive);
        let mut builder = Builder { outline, nodes: Vec::new(), counted: Vec::new() };
        if is_container {
            builder.container(scope);
        } else {
            builder.thing(scope, hierarchy);
        }
        builder.finish(troubles)
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node after those that lie in node `at`.
    pub fn end(&self, at: usize) -> usize {
        self.nodes.get(at).map_or(at, |node| node.end as usize).max(at.saturating_add(1))
    }

    /// Returns true if a node has children.
    pub fn has_children(&self, at: usize) -> bool {
        self.nodes.get(at).is_some_and(|node| node.is_scope) || self.end(at) > at.saturating_add(1)
    }

    /// Returns the errors and warnings of a node, with or without those of its children.
    pub fn trouble(&self, at: usize, with_below: bool) -> Trouble {
        self.troubles.get(&at).map(|[own, all]| if with_below { *all } else { *own }).unwrap_or_default()
    }

    /// The nodes that lead to an entry, itself last; nothing when it is not here.
    pub fn way(&self, entry: EntryId) -> Vec<usize> {
        let is_entry = |node: &Node| node.item.entry() == Some(entry);
        let Some(at) = self.nodes.iter().position(is_entry) else { return Vec::new() };
        let mut way = vec![at];
        let mut depth = self.nodes.get(at).map_or(0, |node| node.depth);
        for (above, node) in self.nodes.iter().enumerate().take(at).rev() {
            if node.depth < depth {
                way.push(above);
                depth = node.depth;
            }
        }
        way.reverse();
        way
    }
}

struct Builder<'a> {
    outline: &'a Outline,
    nodes: Vec<Node>,
    /// Which nodes count as entries of their group.
    counted: Vec<bool>,
}

impl Builder<'_> {
    fn push(&mut self, item: Item, depth: u16, is_scope: bool, counts: bool) {
        self.nodes.push(Node { item, depth, is_scope, count: 0, end: 0 });
        self.counted.push(counts);
    }

    /// Folders and archives as they are, and what they hold, each arranged by itself.
    fn container(&mut self, scope: EntryId) {
        let below = |entry: EntryId, depth: u16| self.outline.children(entry).iter().rev().map(move |c| (*c, depth));
        let mut stack: Vec<(EntryId, u16)> = below(scope, 0).collect();
        let mut listed = Vec::new();
        while let Some((entry, depth)) = stack.pop() {
            let role = self.outline.get(entry).map(|e| e.role);
            let holds_members = matches!(role, Some(Role::Folder | Role::Archive));
            listed.push((entry, depth, !holds_members && !self.outline.children(entry).is_empty()));
            if holds_members {
                stack.extend(below(entry, depth.saturating_add(1)));
            }
        }
        for (entry, depth, is_scope) in listed {
            let is_folder = self.outline.get(entry).is_some_and(|e| e.role == Role::Folder);
            self.push(Item::Entry(entry), depth, is_scope, !is_folder);
        }
    }

    /// What lies in a model, a package or another thing, in groups.
    fn thing(&mut self, scope: EntryId, hierarchy: impl Fn(EntryId) -> Option<Hierarchy>) {
        let gathered = Gathered::of(self.outline, scope);
        let groups = gathered.groups.len() + usize::from(!gathered.other.is_empty());
        for (group, found) in &gathered.groups {
            // A group that is all there is would be one fold more and say nothing.
            let is_level = groups > 1 && !(found.len() == 1 && group.is_no_level_for_one());
            if is_level {
                self.push(Item::Group(*group), 0, false, false);
            }
            let depth = u16::from(is_level);
            let hierarchy = (*group == Group::Bones && !self.nests_bones(found))
                .then(|| self.hierarchy_of(scope, &gathered, &hierarchy))
                .flatten();
            match hierarchy {
                Some(hierarchy) => self.bones(found, &hierarchy, depth),
                None => self.found(&gathered, *group, found, depth),
            }
        }
        if gathered.other.is_empty() {
            return;
        }
        let depth = u16::from(groups > 1);
        if groups > 1 {
            self.push(Item::Group(Group::Other), 0, false, false);
        }
        for (entry, below, is_folder) in &gathered.other {
            let item = if *is_folder { Item::Branch(*entry, Group::Other) } else { Item::Entry(*entry) };
            self.push(item, depth.saturating_add(*below), false, !is_folder);
        }
    }

    fn is_bone(&self, entry: EntryId) -> bool {
        self.outline.get(entry).is_some_and(|e| e.role == Role::Bone)
    }

    fn nests_bones(&self, found: &[Found]) -> bool {
        found.iter().any(|found| self.outline.children(found.entry).iter().any(|child| self.is_bone(*child)))
    }

    /// The first hierarchy that names bones of the thing.
    fn hierarchy_of(
        &self,
        scope: EntryId,
        gathered: &Gathered,
        hierarchy: impl Fn(EntryId) -> Option<Hierarchy>,
    ) -> Option<Hierarchy> {
        let sections = gathered.other.iter().filter(|(.., is_folder)| !is_folder).map(|(entry, ..)| *entry);
        let names_bones = |found: &Hierarchy| found.nodes.iter().any(|n| n.entry.is_some_and(|e| self.is_bone(e)));
        std::iter::once(scope).chain(sections.take(MAX_ASKED)).filter_map(hierarchy).find(names_bones)
    }

    /// Bones as a hierarchy nests them; those that it does not name come last.
    fn bones(&mut self, found: &[Found], hierarchy: &Hierarchy, depth: u16) {
        let mut left: HashSet<EntryId> = found.iter().map(|found| found.entry).collect();
        // Depths in the hierarchy of the joints that the next one may lie in; other nodes between them are no level.
        let mut above: Vec<usize> = Vec::new();
        for node in hierarchy.nodes.iter().filter(|node| node.kind == NodeKind::Joint) {
            while above.last().is_some_and(|last| *last >= node.depth) {
                above.pop();
            }
            let level = u16::try_from(above.len()).unwrap_or(u16::MAX);
            above.push(node.depth);
            if let Some(entry) = node.entry.filter(|entry| left.remove(entry)) {
                self.push(Item::Entry(entry), depth.saturating_add(level), false, true);
            }
        }
        for found in found.iter().filter(|found| left.contains(&found.entry)) {
            self.push(Item::Entry(found.entry), depth, false, true);
        }
    }

    /// What was found of a group, in the folders that it lies in.
    fn found(&mut self, gathered: &Gathered, group: Group, found: &[Found], depth: u16) {
        let with_sections = gathered.in_several_sections(found);
        let mut open: Vec<usize> = Vec::new();
        for found in found {
            let way = gathered.way(found.branch, with_sections);
            let common = open.iter().zip(&way).take_while(|(a, b)| a == b).count();
            open.truncate(common);
            for at in way.into_iter().skip(common) {
                let level = u16::try_from(open.len()).unwrap_or(u16::MAX);
                if let Some(branch) = gathered.branches.get(at) {
                    self.push(Item::Branch(branch.entry, group), depth.saturating_add(level), false, false);
                }
                open.push(at);
            }
            let level = u16::try_from(open.len()).unwrap_or(u16::MAX);
            self.subtree(found.entry, group, depth.saturating_add(level));
        }
    }

    /// An entry with all that lies in it, as the outline has it.
    fn subtree(&mut self, entry: EntryId, group: Group, depth: u16) {
        let mut stack = vec![(entry, depth)];
        while let Some((entry, depth)) = stack.pop() {
            let Some(found) = self.outline.get(entry) else { continue };
            let children = self.outline.children(entry);
            let own = Group::of(found);
            let is_thing = matches!(own, Group::Models | Group::Levels | Group::Landscapes | Group::Files);
            let is_scope = is_thing && !children.is_empty();
            // Functions and variables of a class are no classes.
            let counts = own == group && found.role != Role::ClassMember;
            self.push(Item::Entry(entry), depth, is_scope, counts);
            if !is_scope {
                stack.extend(children.iter().rev().map(|child| (*child, depth.saturating_add(1))));
            }
        }
    }

    fn finish(self, troubles: &Troubles) -> Arrangement {
        let Self { mut nodes, counted, .. } = self;
        // How many nodes before each of them count.
        let mut before = Vec::with_capacity(nodes.len() + 1);
        before.push(0_u32);
        let mut sum = 0_u32;
        before.extend(counted.iter().map(|counts| {
            sum = sum.saturating_add(u32::from(*counts));
            sum
        }));
        let mut open: Vec<(usize, u16)> = Vec::new();
        let last = nodes.len();
        for at in 0..=last {
            let depth = nodes.get(at).map_or(0, |node| node.depth);
            while let Some((above, _)) = open.pop_if(|(_, above)| at == last || *above >= depth) {
                let inside = |at: usize| before.get(at).copied().unwrap_or(sum);
                if let Some(node) = nodes.get_mut(above) {
                    node.end = u32::try_from(at).unwrap_or(u32::MAX);
                    node.count = inside(at).saturating_sub(inside(above.saturating_add(1)));
                }
            }
            open.push((at, depth));
        }
        let mut arrangement = Arrangement { nodes, troubles: HashMap::new() };
        if !troubles.is_empty() {
            arrangement.note(troubles);
        }
        arrangement
    }
}

impl Arrangement {
    /// Notes what was found in the entries on all nodes that they lie in.
    fn note(&mut self, troubles: &Troubles) {
        let mut open: Vec<(usize, u16)> = Vec::new();
        let mut met = HashSet::new();
        for (at, node) in self.nodes.iter().enumerate() {
            while open.pop_if(|(_, depth)| *depth >= node.depth).is_some() {}
            open.push((at, node.depth));
            // A folder of a package may stand in several groups; what is wrong with it is told where it stands first.
            let Some(entry) = node.item.entry().filter(|entry| troubles.has(*entry) && met.insert(*entry)) else {
                continue;
            };
            let own = troubles.own(entry);
            let all = if node.is_scope { troubles.with_below(entry) } else { own };
            if all.is_none() {
                continue;
            }
            for (above, _) in &open {
                let [_, sum] = self.troubles.entry(*above).or_default();
                *sum = sum.and(all);
            }
            if let Some([first, _]) = self.troubles.get_mut(&at) {
                *first = own;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, HierarchyNode};

    fn add(outline: &mut Outline, parent: EntryId, name: &str, role: Role) -> EntryId {
        let content = if role == Role::Model { Content::Model } else { Content::None };
        outline.add(parent, name.to_owned(), name.to_owned(), role, "Made", 0, 1, content)
    }

    /// The nodes as text: a dot a level, groups with their count, scopes with a sign.
    fn listed(outline: &Outline, scope: EntryId, hierarchy: Option<&Hierarchy>) -> Vec<String> {
        let name = |entry| outline.get(entry).unwrap().name.clone();
        Arrangement::of(outline, scope, |_| hierarchy.cloned(), &Troubles::default())
            .nodes()
            .iter()
            .map(|node| {
                let text = match node.item {
                    Item::Group(group) => format!("{} {}", group.name(), node.count),
                    Item::Branch(entry, _) => format!("{}/ {}", name(entry), node.count),
                    Item::Entry(entry) if node.is_scope => format!("{} +", name(entry)),
                    Item::Entry(entry) => name(entry).into(),
                };
                ".".repeat(usize::from(node.depth)) + &text
            })
            .collect()
    }

    #[test]
    fn chunks_give_way_to_what_is_in_them() {
        let mut outline = Outline::new(Role::File, "Made", 1);
        add(&mut outline, EntryId::FILE, "Mesh", Role::Model);
        add(&mut outline, EntryId::FILE, "HEAD", Role::Group);
        let skeleton = add(&mut outline, EntryId::FILE, "SKEL", Role::Group);
        let root = add(&mut outline, skeleton, "Root", Role::Bone);
        let arm = add(&mut outline, root, "Arm", Role::Bone);
        add(&mut outline, arm, "Hand", Role::Bone);
        add(&mut outline, skeleton, "Prop", Role::Bone);
        let materials = add(&mut outline, EntryId::FILE, "MATS", Role::Group);
        add(&mut outline, materials, "Skin", Role::Material);
        add(&mut outline, materials, "record", Role::Data);
        let wanted = [
            "Mesh",
            "Bones 4",
            ".Root",
            "..Arm",
            "...Hand",
            ".Prop",
            "Materials 1",
            ".Skin",
            "Other 4",
            ".HEAD",
            ".SKEL",
            ".MATS",
            "..record",
        ];
        assert_eq!(listed(&outline, EntryId::FILE, None), wanted);
    }

    #[test]
    fn a_group_that_is_all_there_is_is_no_level() {
        let mut outline = Outline::new(Role::File, "Made", 1);
        assert!(listed(&outline, EntryId::FILE, None).is_empty());
        add(&mut outline, EntryId::FILE, "Idle", Role::Clip);
        assert_eq!(listed(&outline, EntryId::FILE, None), ["Idle"]);
        add(&mut outline, EntryId::FILE, "Walk", Role::VertexSequence);
        assert_eq!(listed(&outline, EntryId::FILE, None), ["Idle", "Walk"]);
        add(&mut outline, EntryId::FILE, "Bark", Role::Sound);
        assert_eq!(listed(&outline, EntryId::FILE, None), ["Clips 2", ".Idle", ".Walk", "Sounds 1", ".Bark"]);
        let mut chunks = Outline::new(Role::Clip, "Made", 1);
        let chunk = add(&mut chunks, EntryId::FILE, "ANK1", Role::Group);
        add(&mut chunks, chunk, "joint 0", Role::Data);
        assert_eq!(listed(&chunks, EntryId::FILE, None), ["ANK1", ".joint 0"]);
    }

    #[test]
    fn folders_of_a_package_stand_in_each_group_that_they_hold_something_of() {
        let mut outline = Outline::new(Role::File, "Made", 1);
        let rooms = add(&mut outline, EntryId::FILE, "Rooms", Role::Folder);
        add(&mut outline, rooms, "BricksPal", Role::Palette);
        add(&mut outline, rooms, "Bricks", Role::Texture);
        let inner = add(&mut outline, rooms, "Inner", Role::Folder);
        add(&mut outline, inner, "Door", Role::Texture);
        add(&mut outline, rooms, "Planks", Role::Texture);
        add(&mut outline, EntryId::FILE, "Loose", Role::Texture);
        add(&mut outline, EntryId::FILE, "Empty", Role::Folder);
        let class = add(&mut outline, EntryId::FILE, "Creature", Role::Class);
        add(&mut outline, class, "ScriptText", Role::Script);
        add(&mut outline, class, "Mood", Role::ClassMember);
        let flag = add(&mut outline, EntryId::FILE, "Flag", Role::Model);
        add(&mut outline, flag, "Breeze", Role::VertexSequence);
        add(&mut outline, EntryId::FILE, "Box", Role::Model);
        let wanted = [
            "Models 2",
            ".Flag +",
            ".Box",
            "Textures 4",
            ".Rooms/ 3",
            "..Bricks",
            "..Inner/ 1",
            "...Door",
            "..Planks",
            ".Loose",
            "Palettes 1",
            ".Rooms/ 1",
            "..BricksPal",
            "Classes 1",
            ".Creature",
            "..ScriptText",
            "..Mood",
            "Other 0",
            ".Empty/ 0",
        ];
        assert_eq!(listed(&outline, EntryId::FILE, None), wanted);
        assert_eq!(listed(&outline, flag, None), ["Breeze"]);
    }

    #[test]
    fn sections_tell_clips_apart_only_where_there_are_several() {
        let mut outline = Outline::new(Role::File, "Made", 1);
        add(&mut outline, EntryId::FILE, "Mesh", Role::Model);
        let first = add(&mut outline, EntryId::FILE, "HumanAnim", Role::Group);
        add(&mut outline, first, "Walk", Role::Clip);
        let one = listed(&outline, EntryId::FILE, None);
        assert_eq!(one, ["Mesh", "Clips 1", ".Walk", "Other 1", ".HumanAnim"]);
        let second = add(&mut outline, EntryId::FILE, "OrcAnim", Role::Group);
        add(&mut outline, second, "Walk", Role::Clip);
        let two = listed(&outline, EntryId::FILE, None);
        assert_eq!(two[..6], ["Mesh", "Clips 2", ".HumanAnim/ 1", "..Walk", ".OrcAnim/ 1", "..Walk"]);
    }

    #[test]
    fn bones_that_lie_side_by_side_are_nested_as_the_hierarchy_says() {
        let mut outline = Outline::new(Role::Model, "Made", 1);
        add(&mut outline, EntryId::FILE, "INF", Role::Group);
        let chunk = add(&mut outline, EntryId::FILE, "JNT", Role::Group);
        let bones = ["Root", "Lost", "Hand", "Arm"].map(|name| add(&mut outline, chunk, name, Role::Bone));
        let node = |depth, kind, entry| HierarchyNode { depth, kind, name: "".into(), entry, note: None };
        let nodes = vec![
            node(0, NodeKind::Joint, Some(bones[0])),
            node(1, NodeKind::Material, None),
            node(2, NodeKind::Joint, Some(bones[3])),
            node(3, NodeKind::Joint, Some(bones[2])),
            // Said twice: it stands where it was said first.
            node(1, NodeKind::Joint, Some(bones[2])),
        ];
        let hierarchy = Hierarchy { scaling: None, nodes };
        let rows = listed(&outline, EntryId::FILE, Some(&hierarchy));
        assert_eq!(rows, ["Bones 4", ".Root", "..Arm", "...Hand", ".Lost", "Other 2", ".INF", ".JNT"]);
    }

    #[test]
    fn containers_keep_their_folders_and_arrange_each_member_by_itself() {
        let mut outline = Outline::new(Role::Archive, "Made", 1);
        let inner = add(&mut outline, EntryId::FILE, "inner.arc", Role::Archive);
        let folder = add(&mut outline, inner, "bmd", Role::Folder);
        let model = add(&mut outline, folder, "a.bmd", Role::Model);
        let chunk = add(&mut outline, model, "JNT", Role::Group);
        let bone = add(&mut outline, chunk, "Root", Role::Bone);
        add(&mut outline, folder, "notes.txt", Role::Member);
        assert_eq!(listed(&outline, EntryId::FILE, None), ["inner.arc", ".bmd", "..a.bmd +", "..notes.txt"]);
        assert_eq!(listed(&outline, model, None), ["Bones 1", ".Root", "Other 1", ".JNT"]);
        let arrangement = Arrangement::of(&outline, model, |_| None, &Troubles::default());
        assert_eq!(arrangement.way(bone), [0, 1]);
        assert_eq!((arrangement.end(0), arrangement.end(2)), (2, 4));
    }

    #[test]
    fn a_chain_of_bones_deeper_than_any_stack_is_arranged() {
        let mut outline = Outline::new(Role::File, "Made", 1);
        let mut last = EntryId::FILE;
        for index in 0..100_000 {
            last = add(&mut outline, last, &format!("bone {index}"), Role::Bone);
        }
        add(&mut outline, EntryId::FILE, "HEAD", Role::Group);
        let arrangement = Arrangement::of(&outline, EntryId::FILE, |_| None, &Troubles::default());
        assert_eq!(arrangement.nodes()[0].count, 100_000);
        assert_eq!(arrangement.nodes().len(), 100_003);
    }
}
