//! What lies in an entry, gathered by the groups that the library shows.

use crate::{
    formats::{EntryId, Outline, Role},
    ui::library_row::Group,
};
use std::collections::{BTreeMap, HashSet};

/// Something to be put into a group.
pub(super) struct Found {
    pub entry: EntryId,
    pub branch: Option<usize>,
}

/// A folder or a section on the way to what was found.
pub(super) struct Branch {
    pub entry: EntryId,
    above: Option<usize>,
    is_section: bool,
}

/// The contents of an entry, by group.
#[derive(Default)]
pub(super) struct Gathered {
    pub groups: BTreeMap<Group, Vec<Found>>,
    pub branches: Vec<Branch>,
    /// Chunks, sections and records as the outline nests them, with their depth and whether they are folders.
    pub other: Vec<(EntryId, u16, bool)>,
    found: usize,
}

enum Step {
    Enter {
        entry: EntryId,
        branch: Option<usize>,
        depth: u16,
    },
    /// The end of a folder.
    Leave {
        other: usize,
        found: usize,
    },
}

impl Gathered {
    pub fn of(outline: &Outline, scope: EntryId) -> Self {
        let mut all = Self::default();
        let enter = |entry: EntryId, branch, depth| {
            outline.children(entry).iter().rev().map(move |child| Step::Enter { entry: *child, branch, depth })
        };
        let mut steps: Vec<Step> = enter(scope, None, 0).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter { entry, branch, depth } => {
                    let Some(found) = outline.get(entry) else { continue };
                    let group = Group::of(found);
                    if group != Group::Other {
                        all.groups.entry(group).or_default().push(Found { entry, branch });
                        all.found += 1;
                        continue;
                    }
                    let is_folder = found.role == Role::Folder;
                    if is_folder {
                        steps.push(Step::Leave { other: all.other.len(), found: all.found });
                    }
                    all.other.push((entry, depth, is_folder));
                    if !outline.children(entry).is_empty() {
                        all.branches.push(Branch { entry, above: branch, is_section: !is_folder });
                        steps.extend(enter(entry, all.branches.len().checked_sub(1), depth.saturating_add(1)));
                    }
                }
                // A folder of things that have groups of their own stands there.
                Step::Leave { other, found } => {
                    if all.other.len() == other.saturating_add(1) && all.found > found {
                        all.other.truncate(other);
                    }
                }
            }
        }
        all
    }

    /// The branches that lead to something, the outermost first.
    pub fn way(&self, branch: Option<usize>, with_sections: bool) -> Vec<usize> {
        let above = |at: &usize| self.branches.get(*at)?.above;
        let mut way: Vec<usize> = std::iter::successors(branch, above).collect();
        way.retain(|at| self.branches.get(*at).is_some_and(|b| with_sections || !b.is_section));
        way.reverse();
        way
    }

    /// Whether what was found lies in more sections than one: only then they tell something.
    pub fn in_several_sections(&self, found: &[Found]) -> bool {
        let section = |found: &Found| {
            let mut at = found.branch;
            while let Some(branch) = at.and_then(|at| self.branches.get(at)) {
                if branch.is_section {
                    return at;
                }
                at = branch.above;
            }
            None
        };
        let sections: HashSet<Option<usize>> = found.iter().map(section).collect();
        sections.len() > 1
    }
}
