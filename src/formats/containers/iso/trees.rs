//! The sets of names that a disc has, and the one that is shown (formats/containers.md §9.3).

use super::{
    descriptor::{Descriptor, FIRST, SECTOR, Volume},
    record::Charset,
    tree::{Found, Walk},
};
use crate::formats::{
    Choice, Rival,
    containers::{
        codes,
        contents::{Reading, Trouble},
        flat::Flat,
    },
};

/// The id of the choice.
const TREE: &str = "tree";

/// A set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    Joliet,
    RockRidge,
    Iso,
}

impl Tree {
    /// The one that says most comes first.
    const ALL: [Self; 3] = [Self::Joliet, Self::RockRidge, Self::Iso];

    fn id(self) -> &'static str {
        match self {
            Self::Joliet => "joliet",
            Self::RockRidge => "rock-ridge",
            Self::Iso => "iso",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Joliet => "Joliet",
            Self::RockRidge => "Rock Ridge",
            Self::Iso => "ISO 9660",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Joliet => "names of up to 64 characters, used by Windows",
            Self::RockRidge => "long names in upper and lower case, used by Unix",
            Self::Iso => "short upper-case names, present on every disc",
        }
    }
}

/// The tree that is shown.
pub struct Chosen<'a> {
    pub tree: Tree,
    pub volume: &'a Volume,
    pub found: Found,
    /// Nothing where the disc has no other names.
    pub choices: Vec<Choice>,
}

/// Reads the tree that a person wants, else Joliet's where its root lists anything, else that of Rock Ridge, else the plain one.
///
/// # Errors
/// When no descriptor leads to files.
pub fn choose<'a>(
    disc: &dyn Flat,
    descriptors: &'a [Descriptor],
    is_file: bool,
    cx: &mut Reading<'_>,
) -> Result<Chosen<'a>, Trouble> {
    let walk = |volume: &'a Volume| Walk::new(disc, volume, cx.limits, is_file);
    let volumes = || descriptors.iter().filter_map(|descriptor| Some((descriptor, descriptor.volume.as_ref()?)));
    let joliet = volumes().map(|(_, volume)| volume).rfind(|volume| volume.charset == Charset::Joliet);
    let plain = volumes().find(|(descriptor, _)| descriptor.is_primary()).map(|(_, volume)| volume);
    let joliet_lists = joliet.is_some_and(|volume| walk(volume).lists_anything());
    let has_rock_ridge = plain.is_some_and(|volume| walk(volume).has_rock_ridge());
    let there: Vec<Tree> = Tree::ALL
        .into_iter()
        .filter(|tree| match tree {
            Tree::Joliet => joliet_lists,
            Tree::RockRidge => has_rock_ridge,
            Tree::Iso => plain.is_some(),
        })
        .collect();
    let wanted = wanted(&there, cx);
    let tree = wanted.or_else(|| there.first().copied()).unwrap_or(Tree::Iso);
    let volume = match tree {
        Tree::Joliet => joliet,
        Tree::RockRidge | Tree::Iso => plain.or_else(|| volumes().next().map(|(_, volume)| volume)),
    };
    let none = || {
        Trouble::new(&codes::TABLE, FIRST.saturating_mul(SECTOR), "no volume descriptor with a root folder was found")
    };
    let volume = volume.ok_or_else(none)?;
    let mut found = match tree {
        Tree::Iso => walk(volume).plain().run(),
        Tree::Joliet | Tree::RockRidge => walk(volume).run(),
    };
    // Why the names of Joliet are not shown.
    if let Some(lost) = joliet.filter(|_| !joliet_lists) {
        found.troubles.extend(walk(lost).run().troubles.into_iter().map(|trouble| Trouble { item: None, ..trouble }));
    }
    Ok(Chosen { tree, volume, found, choices: choices(tree, &there, wanted.is_some()) })
}

/// What a person wants shown, where the disc has it.
fn wanted(there: &[Tree], cx: &mut Reading<'_>) -> Option<Tree> {
    let wanted = cx.overrides.get(TREE)?;
    let found = there.iter().copied().find(|tree| tree.id() == wanted);
    if found.is_none() {
        let message = format!("the disc has no “{wanted}” names. Other names are shown");
        cx.report(Trouble::new(&codes::ODD, FIRST.saturating_mul(SECTOR), message));
    }
    found
}

fn choices(shown: Tree, there: &[Tree], overridden: bool) -> Vec<Choice> {
    let rivals: Vec<Rival> = there
        .iter()
        .filter(|tree| **tree != shown)
        .map(|tree| Rival { value: tree.id().to_owned(), evidence: tree.meaning().to_owned() })
        .collect();
    if rivals.is_empty() {
        return Vec::new();
    }
    let evidence = format!("{}: {}", shown.name(), shown.meaning());
    let value = shown.id().to_owned();
    vec![Choice { id: TREE, label: "File names", value, evidence, rivals, overridden, number: None }]
}
