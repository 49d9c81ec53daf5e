//! The classes of all open files as one tree of inheritance.

use super::OpenFile;
use crate::{
    bytes::Cancel,
    formats::{BuiltInClass, ClassParent, EntryId, Reference},
};
use std::{collections::HashMap, sync::Arc};

/// A class of the tree.
#[derive(Clone, Debug)]
pub struct ClassNode {
    /// Name of the class.
    pub name: String,
    /// Name of the package, as other files refer to it.
    pub package: String,
    /// The place of the class: an open file, another file or the executable.
    pub home: ClassHome,
    /// The problem with the class's parent; `None` if there is no problem.
    pub trouble: Option<ClassTrouble>,
    /// Into the tree's classes.
    pub parent: Option<usize>,
    /// By name.
    pub children: Vec<usize>,
}

/// The place of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassHome {
    /// In an open file, by its place among them.
    Open {
        /// Index among the open files.
        file: usize,
        /// The entry of the class in the file.
        entry: EntryId,
    },
    /// In the game's executable.
    BuiltIn,
    /// In a file that is not open: an open one refers to it.
    NotOpen {
        /// Index among the open files of a file that refers to the class.
        from: usize,
        /// The reference of that file to the class.
        reference: Reference,
    },
}

/// An error in the class hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassTrouble {
    /// The class extends itself through other classes.
    Circle,
    /// The parent is not a class.
    BadParent,
}

/// Classes by what they extend.
#[derive(Clone, Debug, Default)]
pub struct ClassTree {
    /// All classes. Other fields refer to them by index.
    pub nodes: Vec<ClassNode>,
    /// Classes without a parent: the root of all first.
    pub roots: Vec<usize>,
    /// By file and entry.
    at: HashMap<(usize, EntryId), usize>,
    /// By package and name in small letters, the first opened first.
    named: HashMap<(String, String), Vec<usize>>,
}

/// Package and name, as they are compared.
fn key(package: &str, name: &str) -> (String, String) {
    (package.to_ascii_lowercase(), name.to_ascii_lowercase())
}

impl ClassTree {
    /// The classes of these files below what they extend. Blocks: call it on a worker. `None` when it was cancelled.
    pub fn of(files: &[Arc<OpenFile>], cancel: &Cancel) -> Option<Self> {
        let mut tree = Self::default();
        let mut parents: Vec<ClassParent> = Vec::new();
        let mut built_in: Vec<&'static BuiltInClass> = Vec::new();
        for (file, open) in files.iter().enumerate() {
            if cancel.is_cancelled() {
                return None;
            }
            let list = open.document.ask(EntryId::FILE, |can, _| Some(can.code?.classes())).unwrap_or_default();
            if built_in.is_empty() {
                built_in.extend(list.built_in);
            }
            for class in list.classes {
                let home = ClassHome::Open { file, entry: class.entry };
                tree.at.insert((file, class.entry), tree.nodes.len());
                tree.add(list.package.to_string(), class.name.to_string(), home);
                parents.push(class.parent);
            }
        }
        for class in &built_in {
            if !tree.named.contains_key(&key(class.package, class.name)) {
                tree.add(class.package.to_owned(), class.name.to_owned(), ClassHome::BuiltIn);
            }
        }
        let folders: Vec<_> = files.iter().map(|file| file.path.parent()).collect();
        for (child, parent) in parents.into_iter().enumerate() {
            let Some(ClassHome::Open { file, .. }) = tree.nodes.get(child).map(|node| node.home.clone()) else {
                continue;
            };
            match parent {
                ClassParent::None => {}
                ClassParent::Bad => tree.nodes[child].trouble = Some(ClassTrouble::BadParent),
                ClassParent::Here(entry) => tree.nodes[child].parent = tree.at.get(&(file, entry)).copied(),
                ClassParent::Elsewhere { package, name, reference } => {
                    let named = tree.named.get(&key(&package, &name)).map(Vec::as_slice).unwrap_or_default();
                    let is_near = |node: &&usize| match tree.nodes.get(**node).map(|node| &node.home) {
                        Some(ClassHome::Open { file: other, .. }) => folders.get(*other) == folders.get(file),
                        _ => false,
                    };
                    // Of packages with one name the one beside the file is meant.
                    let found = named.iter().find(is_near).or(named.first()).copied();
                    tree.nodes[child].parent = Some(found.unwrap_or_else(|| {
                        let home = ClassHome::NotOpen { from: file, reference };
                        tree.add(package.to_string(), name.to_string(), home)
                    }));
                }
            }
        }
        tree.join_built_in(&built_in);
        tree.cut_circles();
        tree.sort();
        Some(tree)
    }

    fn add(&mut self, package: String, name: String, home: ClassHome) -> usize {
        let index = self.nodes.len();
        self.named.entry(key(&package, &name)).or_default().push(index);
        self.nodes.push(ClassNode { name, package, home, trouble: None, parent: None, children: Vec::new() });
        index
    }

    /// Built-in classes stand below what they extend; a class of which no more is known extends the root, as all do.
    fn join_built_in(&mut self, built_in: &[&'static BuiltInClass]) {
        let first = |tree: &Self, package: &str, name: &str| tree.named.get(&key(package, name))?.first().copied();
        for class in built_in {
            let parent = class.parent.and_then(|(package, name)| first(self, package, name));
            if let Some(node) = first(self, class.package, class.name).and_then(|at| self.nodes.get_mut(at))
                && node.home == ClassHome::BuiltIn
            {
                node.parent = parent;
            }
        }
        let root = built_in.iter().find(|class| class.parent.is_none());
        let root = root.and_then(|root| first(self, root.package, root.name));
        for node in self.nodes.iter_mut().filter(|node| matches!(node.home, ClassHome::NotOpen { .. })) {
            node.parent = root;
        }
    }

    /// Where classes extend each other in a circle, one of them stands by itself.
    fn cut_circles(&mut self) {
        /// Not looked at, on the way that is walked, known to lead to a root.
        const NEW: u8 = 0;
        const ON_THE_WAY: u8 = 1;
        const DONE: u8 = 2;
        let mut state = vec![NEW; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut way = Vec::new();
            let mut at = Some(start);
            while let Some(index) = at {
                match state[index] {
                    DONE => break,
                    ON_THE_WAY => {
                        self.nodes[index].parent = None;
                        self.nodes[index].trouble = Some(ClassTrouble::Circle);
                        break;
                    }
                    _ => {}
                }
                state[index] = ON_THE_WAY;
                way.push(index);
                at = self.nodes[index].parent;
            }
            for index in way {
                state[index] = DONE;
            }
        }
    }

    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_cached_key(|index| {
            let node = &self.nodes[*index];
            key(&node.name, &node.package)
        });
        for index in order {
            match self.nodes[index].parent {
                Some(parent) => self.nodes[parent].children.push(index),
                None => self.roots.push(index),
            }
        }
        // What most classes extend comes before what stands by itself.
        let has_children = |tree: &Self, index: usize| !tree.nodes[index].children.is_empty();
        let roots = std::mem::take(&mut self.roots);
        let (first, last): (Vec<usize>, Vec<usize>) =
            roots.into_iter().partition(|index| self.nodes[*index].trouble.is_none() && has_children(self, *index));
        self.roots = [first, last].concat();
    }

    /// The class that an entry of a file is.
    pub fn node_at(&self, file: usize, entry: EntryId) -> Option<usize> {
        self.at.get(&(file, entry)).copied()
    }

    /// The classes of this name in any package.
    pub fn find(&self, package: &str, name: &str) -> Option<usize> {
        self.named.get(&key(package, name))?.first().copied()
    }

    /// A class and what it extends, itself first.
    pub fn way_up(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(index), |at| self.nodes.get(*at)?.parent).take(self.nodes.len())
    }
}
