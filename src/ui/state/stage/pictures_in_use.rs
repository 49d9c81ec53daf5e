//! The pictures that a model or a level uses.

use std::collections::HashSet;

/// Pictures by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PicturesInUse {
    /// Of the model or the level.
    pub name: String,
    /// In lower case; a whole path, or the last part of one.
    names: HashSet<String>,
}

impl PicturesInUse {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), names: HashSet::new() }
    }

    pub(crate) fn add(&mut self, name: &str) {
        if !name.is_empty() {
            self.names.insert(name.to_lowercase());
        }
    }

    /// Whether an entry of a file is among them: by its path with its package before it or without, or by its name alone where only
    /// that is known.
    pub fn has(&self, file_name: &str, path: &str) -> bool {
        let (file, path) = (file_name.to_lowercase(), path.to_lowercase());
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let last = path.rsplit(['.', '/']).next().unwrap_or(&path);
        // A picture that is its file is called so.
        let own = if path.is_empty() || path == file { stem } else { last };
        let whole = format!("{stem}.{path}");
        [path.as_str(), whole.as_str(), own].into_iter().any(|name| self.names.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_by_path_package_and_name() {
        let mut used = PicturesInUse::new("Hall");
        for name in ["Walls.Brick.Old", "Floor", "", "Ossie_Eyes"] {
            used.add(name);
        }
        for (file, path) in
            [("Walls.utx", "Brick.Old"), ("any.utx", "Stone.Floor"), ("ossie_eyes.PNG", "ossie_eyes.PNG")]
        {
            assert!(used.has(file, path), "{file} {path}");
        }
        for (file, path) in [("Other.utx", "Brick.Old"), ("Walls.utx", "Brick.New"), ("a.png", ""), ("", "")] {
            assert!(!used.has(file, path), "{file} {path}");
        }
    }
}
