//! Unreal packages in tests: those of the corpus with what is expected of them, and made ones.

use super::{
    corpus, files_below,
    open::{Opened, Opening},
    remains::{Remains, remains},
};
use bonebox::{
    formats::{Asset, Diagnostic, EntryId},
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

/// Looks at all of a damaged package; `None` for one that does not open.
#[track_caller]
pub fn damaged(name: &str, bytes: &[u8]) -> Option<Remains> {
    let left = remains(name, bytes).ok()?;
    // What cannot be shown is said.
    assert!(left.refused.is_empty() || !left.file.diagnostics.is_empty(), "{:?}", left.refused);
    Some(left)
}
