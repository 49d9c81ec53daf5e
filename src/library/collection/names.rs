//! The collections that have a name: a small file beside the index, so that they outlive one that is damaged or deleted.

use super::store::Store;
use crate::{files as fs, library::stamp::absolute};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// A larger file is none of names.
const MAX_BYTES: u64 = 4 << 20;

/// A collection that is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// Name of the collection.
    pub name: String,
    /// Folders, containers and files.
    pub roots: Vec<PathBuf>,
}

/// What the file holds.
#[derive(Default, Serialize, Deserialize)]
struct Names {
    collections: Vec<Collection>,
}

impl Store {
    /// The collections that are remembered, by name.
    ///
    /// # Errors
    /// When their file, or an index of an earlier version that has them, cannot be read, in a sentence.
    pub fn collections(&self) -> Result<Vec<Collection>, String> {
        let path = self.names_path();
        match read(&path) {
            Ok(names) => Ok(names.collections),
            // Earlier versions kept them in the index.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut collections: Vec<Collection> = self.collections_within()?;
                sort(&mut collections);
                Ok(collections)
            }
            Err(error) => Err(failed(&path, &error)),
        }
    }

    /// Remembers a collection by its name, in the place of one that has it. Names are compared without regard to case.
    ///
    /// # Errors
    /// As [`Store::collections`], and when the file cannot be written. One that is damaged is left as it is.
    pub fn remember(&self, collection: &Collection) -> Result<(), String> {
        let roots = collection.roots.iter().map(|root| absolute(root)).collect();
        self.change_names(&collection.name, Some(Collection { name: collection.name.clone(), roots }))
    }

    /// Forgets a collection. What is indexed of its files stays: another one may have them.
    ///
    /// # Errors
    /// As [`Store::remember`].
    pub fn forget(&self, name: &str) -> Result<(), String> {
        self.change_names(name, None)
    }

    /// The files that are written here: the index, what is put aside of it, the names, and the journals.
    pub fn own_files(&self) -> Vec<PathBuf> {
        let names = self.names_path();
        vec![self.path().to_owned(), self.put_aside(), part_of(&names), names, self.journals()]
    }

    fn names_path(&self) -> PathBuf {
        let beside = self.path().with_extension("json");
        if beside == self.path() { self.path().with_extension("names.json") } else { beside }
    }

    fn change_names(&self, name: &str, to: Option<Collection>) -> Result<(), String> {
        // Each change begins with what the one before it wrote.
        static CHANGES: Mutex<()> = Mutex::new(());
        let _one = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.names_path();
        let mut collections = self.collections()?;
        collections.retain(|known| known.name.to_lowercase() != name.to_lowercase());
        collections.extend(to);
        sort(&mut collections);
        write(&path, &Names { collections }).map_err(|error| failed(&path, &error))
    }
}

fn sort(collections: &mut [Collection]) {
    collections.sort_by_cached_key(|collection| collection.name.to_lowercase());
}

fn read(path: &Path) -> io::Result<Names> {
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text)?;
    serde_json::from_str(&text).map_err(io::Error::other)
}

/// Writes the names beside their file first: it is whole at any time.
fn write(path: &Path, names: &Names) -> io::Result<()> {
    let text = serde_json::to_string_pretty(names).map_err(io::Error::other)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = part_of(path);
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).inspect_err(|_| _ = fs::remove_file(&part))
}

fn part_of(path: &Path) -> PathBuf {
    path.with_extension("json.part")
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("Cannot read or save the collections in {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Cancel, Limits};
    use std::fs;

    fn named(name: &str, roots: &[&str]) -> Collection {
        Collection { name: name.to_owned(), roots: roots.iter().map(PathBuf::from).collect() }
    }

    #[test]
    fn names_outlive_a_damaged_index_and_are_changed_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("deep/collections.redb"));
        assert_eq!(store.collections(), Ok(Vec::new()));
        store.remember(&named("mods", &["/games/mods"])).unwrap();
        store.remember(&named("Games", &["/games", "/discs/one.iso"])).unwrap();
        assert_eq!(
            store.collections().unwrap(),
            [named("Games", &["/games", "/discs/one.iso"]), named("mods", &["/games/mods"])]
        );
        fs::write(store.path(), "this is no index").unwrap();
        assert_eq!(store.catalog(&[]).unwrap().files().len(), 0);
        store.update(&[], Limits::default(), &|_| {}, Cancel::never()).unwrap();
        assert_eq!(store.collections().unwrap().len(), 2);
        store.remember(&named("GAMES", &["/other"])).unwrap();
        store.forget("Mods").unwrap();
        assert_eq!(store.collections().unwrap(), [named("GAMES", &["/other"])]);
        let text = fs::read_to_string(folder.path().join("deep/collections.json")).unwrap();
        assert!(text.contains("\"name\": \"GAMES\""), "{text}");
    }

    #[test]
    fn a_damaged_file_of_names_is_named_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("collections.redb"));
        let path = folder.path().join("collections.json");
        fs::write(&path, "{ \"collections\": [").unwrap();
        let why = store.collections().unwrap_err();
        assert!(why.contains("collections.json: EOF while parsing"), "{why}");
        assert_eq!(store.remember(&named("Games", &["/games"])), Err(why));
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ \"collections\": [");
        assert_eq!(Store::at(path.clone()).names_path(), folder.path().join("collections.names.json"));
    }
}
