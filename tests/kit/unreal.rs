//! Unreal packages in tests: those of the corpus with what is expected of them, and made ones.

use super::{
    corpus,
    exercise::exercise,
    files_below,
    open::{Opened, Opening},
    remains::Remains,
};
use bonebox::{
    formats::{
        Asset, Diagnostic, Entry, EntryId,
        unreal::encode::{
            ClassData, Export, PackageWriter, Ref, StateData, StructData, write_class, write_text_buffer,
        },
    },
    library::FolderResolver,
};
use serde_json::Value as Json;
use std::{fs, path::Path, sync::Arc};

/// Opens a package that finds the packages beside it.
#[track_caller]
pub fn open_file(path: &Path) -> Opened {
    let name = path.file_name().unwrap().to_str().unwrap();
    let resolver = Arc::new(FolderResolver::beside(path, &[]));
    Opening { resolver, ..Opening::of(name) }.open(fs::read(path).unwrap()).unwrap_or_else(|e| panic!("{e}"))
}

/// A package of the corpus with what is expected of it. None without the corpus.
pub fn package(name: &str) -> Option<(Opened, Json)> {
    let folder = corpus()?.join("unreal");
    Some((open_file(&folder.join(name)), read_json(&folder.join("expected").join(format!("{name}.json")))))
}

/// Every package of the corpus that something is expected of. None without the corpus.
pub fn packages() -> Vec<(Opened, Json)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let folder = corpus.join("unreal");
    let expected = files_below(&folder.join("expected")).into_iter().map(|path| read_json(&path));
    let packages: Vec<_> =
        expected.map(|json| (open_file(&folder.join(json["file"].as_str().unwrap())), json)).collect();
    assert!(packages.len() >= 15, "{} packages", packages.len());
    packages
}

fn read_json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The entry of an export by its number in the table, from 1.
pub fn entry_of(expected: &Json) -> EntryId {
    EntryId(expected["index"].as_u64().unwrap() as u32)
}

/// Loads an entry of which nothing at all is said, not even a remark.
#[track_caller]
pub fn quiet_asset(file: &Opened, entry: EntryId) -> Asset {
    let (asset, found) = file.load(entry);
    assert_eq!(found, [] as [Diagnostic; 0], "{}", file.name);
    asset.unwrap_or_else(|e| panic!("{}: {e}", file.name))
}

/// A package before it is damaged. What is damaged is held against it.
pub struct Whole {
    bytes: Vec<u8>,
    left: Remains,
    /// Paths of entries, and what else is read for them.
    needs: &'static [(&'static str, &'static str)],
}

impl Whole {
    #[track_caller]
    pub fn of(name: &str, bytes: Vec<u8>, needs: &'static [(&'static str, &'static str)]) -> Self {
        let left = Remains::of(name, &bytes).expect("it opens");
        assert!(left.refused.is_empty() && left.file.diagnostics.is_empty(), "{:?}", left.file.diagnostics);
        Self { bytes, left, needs }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Looks at all of a damaged form. Where objects alone are damaged, not the tables that list them, the same ones are listed;
    /// only those that are damaged, or need one that is, are said to be; and the others show as they did. `is_same` tells.
    #[track_caller]
    pub fn hold(&self, damaged: &[u8], is_same: impl Fn(&Asset, &Asset) -> bool) -> Option<Remains> {
        let left = self::damaged(&self.left.file.name, damaged)?;
        let places: Vec<u64> =
            (0..self.bytes.len()).filter(|at| damaged.get(*at) != self.bytes.get(*at)).map(|at| at as u64).collect();
        let is_damaged = |entry: &Entry| places.iter().any(|at| (entry.offset..entry.offset + entry.size).contains(at));
        let entries = || self.left.file.document.outline().entries().iter().skip(1);
        let are_tables_whole = damaged.len() == self.bytes.len()
            && places.iter().all(|at| entries().any(|e| (e.offset..e.offset + e.size).contains(at)));
        if !are_tables_whole {
            return Some(left);
        }
        let objects = |left: &Remains| -> Vec<(String, u64, u64)> {
            let entries = left.file.document.outline().entries().iter().filter(|e| !e.path().contains('/'));
            entries.map(|e| (e.path().into_owned(), e.offset, e.size)).collect()
        };
        assert!(objects(&left) == objects(&self.left), "{places:?} {:?}", left.paths());
        let is_affected = |entry: &Entry| {
            let needed = |path: &str| self.left.file.document.outline().find(path).is_some_and(is_damaged);
            let path = entry.path();
            let object = path.split('/').next().unwrap_or_default();
            is_damaged(entry) || needed(object) || self.needs.iter().any(|(path, on)| *path == object && needed(on))
        };
        for found in &left.file.diagnostics {
            let entry = found.entry.and_then(|id| left.file.document.outline().get(id));
            assert!(entry.is_some_and(is_affected), "{places:?}: {found:?}");
        }
        for entry in entries().filter(|entry| !is_affected(entry)) {
            let Some(before) = self.left.asset(&entry.path()) else { continue };
            let now = left.asset(&entry.path());
            assert!(now.is_some_and(|now| is_same(before, now)), "{places:?}: {} is not as it was", entry.path());
        }
        Some(left)
    }
}

/// Looks at all of a damaged package; `None` for one that does not open.
#[track_caller]
pub fn damaged(name: &str, bytes: &[u8]) -> Option<Remains> {
    let outcome = exercise(name, bytes, false);
    let left = Remains::of(name, bytes)?;
    assert_eq!((outcome.assets, outcome.refused), (left.shown.len(), left.refused.len()), "{name}");
    // What cannot be shown is said.
    assert!(left.refused.is_empty() || !left.file.diagnostics.is_empty(), "{:?}", left.refused);
    Some(left)
}

/// A package of classes, each with what it extends and its source. It extends a class of the package by its name, one of another by
/// `Package.Name`, nothing by ``, and export `N` of the table by `#N`, whether there is one or not.
pub fn code_package(classes: &[(&str, &str, &str)]) -> Vec<u8> {
    let mut package = PackageWriter::new(69, 0);
    let at = |name: &str| classes.iter().position(|class| class.0 == name).map(|at| Ref(at as i32 + 1));
    for (name, parent, _) in classes {
        let parent = match parent.split_once('.') {
            Some((of, name)) => package.class(of, name),
            None if parent.is_empty() => Ref::NULL,
            None => parent.strip_prefix('#').map_or_else(|| at(parent).unwrap(), |n| Ref(n.parse().unwrap())),
        };
        package.export(&Export::new(Ref::NULL, name).extends(parent));
    }
    for (index, (name, _, source)) in classes.iter().enumerate() {
        let id = Ref(index as i32 + 1);
        let mut data = StructData { friendly_name: (*name).to_owned(), ..StructData::default() };
        if !source.is_empty() {
            let text = package.class("Core", "TextBuffer");
            let export = Export::new(text, "ScriptText").inside(id);
            data.script_text = package.add(&export, |out| write_text_buffer(out, source));
        }
        let class = ClassData { config_name: "System".to_owned(), ..ClassData::default() };
        package.write(id, |out| write_class(out, &data, &StateData::default(), &class));
    }
    package.finish()
}
