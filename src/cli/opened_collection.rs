//! A collection on the command line, and how what is found in it is printed.

use super::{
    Failure, index,
    output::{plain, say},
};
use crate::library::{
    collection::{Catalog, Store, absolute},
    outermost, text_of,
};
use std::path::{Path, PathBuf};

/// How what is found is printed.
pub struct Printing {
    /// At most so many.
    pub limit: usize,
    /// As one JSON document.
    pub json: bool,
    /// The words that were typed.
    pub query: String,
}

/// A collection that was asked for, with an index that is up to date.
pub struct Opened {
    pub store: Store,
    pub catalog: Catalog,
    /// What the paths of its files are printed without.
    pub base: PathBuf,
}

impl Opened {
    /// A file's path as it is printed.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.base).ok().filter(|rest| !rest.as_os_str().is_empty()).unwrap_or(path)
    }
}

/// Opens a collection by its name, or what lies at a path, with its index renewed.
pub fn open(collection: &Path) -> Result<Opened, Failure> {
    let store = Store::of_user()
        .ok_or_else(|| Failure::failed("no location for the index: set BONEBOX_COLLECTIONS to a file path"))?;
    let name = collection.to_string_lossy();
    // A path is what is there; else it is a name.
    let (roots, is_named) = if std::fs::symlink_metadata(collection).is_ok() || outermost(collection).is_some() {
        (vec![absolute(collection)], true)
    } else {
        let known = store.collections().map_err(Failure::failed)?;
        let named = known.iter().find(|known| known.name.to_lowercase() == name.to_lowercase());
        let names = || known.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
        let Some(named) = named else {
            let known = if known.is_empty() {
                "no collections are saved".to_owned()
            } else {
                format!("saved collections: {}", names())
            };
            return Err(Failure::Failed(format!("{name}: no such file, folder or collection; {known}")));
        };
        (named.roots.clone(), false)
    };
    let updated = index::update(&store, &roots, if is_named { &roots } else { &[] })?;
    for (path, trouble) in &updated.troubles {
        say(format_args!("warning: {}: {}", plain(&text_of(path)), plain(trouble)));
    }
    let base = match roots.as_slice() {
        [root] => root.clone(),
        _ => PathBuf::new(),
    };
    Ok(Opened { store, catalog: updated.catalog, base })
}
