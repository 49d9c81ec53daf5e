//! What a person wants of containers, whoever looks into them: other names shown, and limits that do not hold.

use super::stamp::absolute;
use crate::{bytes::Limits, formats::Overrides};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Wishes that are held. Those of files that are long closed do no harm, and are few.
const MOST: usize = 10_000;

/// Requested interpretations and lifted limits, by path.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    by_path: HashMap<PathBuf, Wish>,
}

#[derive(Debug, Default)]
struct Wish {
    overrides: Overrides,
    /// Limits do not hold.
    is_lifted: bool,
    /// Something that lies in it is to open whatever it takes: so has this, to be looked into.
    is_on_the_way: bool,
    /// It is about what lies below the path too.
    reaches_below: bool,
}

impl Wishes {
    /// How a container is to be read from now on.
    pub fn read_as(&mut self, path: &Path, overrides: &Overrides, reaches_below: bool) {
        let path = absolute(path);
        if overrides.is_empty() && !self.by_path.contains_key(&path) {
            return;
        }
        let wish = self.of(path);
        wish.overrides.clone_from(overrides);
        wish.reaches_below |= reaches_below;
    }

    /// The limits of a file hold no more; with `reaches_below` neither do those of what lies below it.
    pub fn lift(&mut self, path: &Path, reaches_below: bool) {
        let wish = self.of(absolute(path));
        (wish.is_lifted, wish.reaches_below) = (true, wish.reaches_below || reaches_below);
    }

    /// A container is looked into whatever it takes, for what lies in it.
    pub fn lift_way(&mut self, path: &Path) {
        self.of(absolute(path)).is_on_the_way = true;
    }

    fn of(&mut self, path: PathBuf) -> &mut Wish {
        if self.by_path.len() >= MOST && !self.by_path.contains_key(&path) {
            self.by_path.clear();
        }
        self.by_path.entry(path).or_default()
    }

    /// Returns the requested interpretation of a container.
    pub fn overrides(&self, path: &Path) -> Overrides {
        let mut found = self.about(path).map(|wish| &wish.overrides);
        found.find(|overrides| !overrides.is_empty()).cloned().unwrap_or_default()
    }

    /// Returns true if the limits of a file were lifted.
    pub fn has_lifted(&self, path: &Path) -> bool {
        self.about(path).any(|wish| wish.is_lifted)
    }

    /// The limits of a file, which are `usual` where nobody said otherwise.
    pub fn limits(&self, path: &Path, usual: Limits) -> Limits {
        if self.has_lifted(path) { usual.lifted() } else { usual }
    }

    /// The limits with which a container is looked into.
    pub fn limits_inside(&self, path: &Path, usual: Limits) -> Limits {
        let leads_on = self.by_path.get(&absolute(path)).is_some_and(|wish| wish.is_on_the_way);
        if leads_on { usual.lifted() } else { self.limits(path, usual) }
    }

    /// The nearest first.
    fn about(&self, path: &Path) -> impl Iterator<Item = &Wish> {
        let path = absolute(path);
        let above: Vec<PathBuf> =
            if self.by_path.is_empty() { Vec::new() } else { path.ancestors().map(Path::to_owned).collect() };
        above
            .into_iter()
            .enumerate()
            .filter_map(|(up, place)| self.by_path.get(&place).filter(|wish| up == 0 || wish.reaches_below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_about_a_file_or_about_all_below_a_path() {
        let mut wishes = Wishes::default();
        let tree = |value: &str| Overrides::from([("tree".to_owned(), value.to_owned())]);
        let usual = Limits::default();
        let (disc, inner) = (Path::new("/games/a.iso"), Path::new("/games/a.iso/Data/b.zip"));
        wishes.read_as(disc, &tree("iso"), false);
        wishes.lift(inner, false);
        assert_eq!((wishes.overrides(disc), wishes.overrides(inner)), (tree("iso"), Overrides::new()));
        assert_eq!(wishes.limits(disc, usual), usual);
        assert_eq!(wishes.limits(inner, usual), usual.lifted());
        assert_eq!(wishes.limits(&inner.join("c"), usual), usual);
        // What it lies in is looked into, and holds its other members to their limits.
        wishes.lift_way(disc);
        assert_eq!((wishes.limits_inside(disc, usual), wishes.limits(disc, usual)), (usual.lifted(), usual));
        assert_eq!(wishes.limits_inside(&disc.join("c"), usual), usual);
        wishes.read_as(disc, &Overrides::new(), false);
        assert_eq!(wishes.overrides(disc), Overrides::new());
        wishes.read_as(Path::new("/games"), &tree("joliet"), true);
        wishes.lift(Path::new("/games"), true);
        assert_eq!((wishes.overrides(inner), wishes.limits(disc, usual)), (tree("joliet"), usual.lifted()));
        assert_eq!(wishes.overrides(Path::new("/game")), Overrides::new());
    }
}
