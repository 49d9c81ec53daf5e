//! The collection: what is indexed of the folders and containers that were opened, and what was found in it.

use crate::{
    library::collection::{Catalog, Collection as NamedCollection, Hit, Query, Store, TextHit},
    ui::state::{
        collection_fits::CollectionFits, collection_links::CollectionLinks, collection_pictures::CollectionPictures,
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Entries, or lines of text, that are listed at most.
pub const MAX_LISTED: usize = 10_000;

/// Kinds that can be listed alone: as they are shown, and as `type:` calls them.
pub const KINDS: [(&str, &str); 7] = [
    ("Models", "model"),
    ("Clips", "clip"),
    ("Textures", "texture"),
    ("Sounds", "sound"),
    ("Levels", "level"),
    ("Landscapes", "landscape"),
    ("Scripts", "script"),
];

/// The collection. Its roots are in the settings.
#[derive(Default)]
pub struct Collection {
    /// The folder of the index. Without a folder, nothing is indexed.
    pub(crate) store: Option<Store>,
    /// The index of the files.
    pub catalog: Option<Arc<Catalog>>,
    /// Number of the last update of the index. Results of earlier ones are dropped.
    pub(crate) turn: u64,
    /// The work that reads.
    pub work: Option<u64>,
    /// The roots changed since it was read.
    pub(crate) is_stale: bool,
    /// Something below the roots changed on the disk.
    pub(crate) has_changed: bool,
    /// Roots that were not there when it was read last: what is known of them stays.
    pub gone: Vec<PathBuf>,
    /// Collections that have a name.
    pub named: Vec<NamedCollection>,
    /// Files that were read by the last update, and that had not changed.
    pub updated: Option<(usize, usize)>,
    /// Files that cannot be read, with why.
    pub troubles: Vec<(PathBuf, String)>,
    /// Why there is no index.
    pub problem: Option<String>,
    pub search: CollectionSearch,
    pub links: CollectionLinks,
    pub fits: CollectionFits,
    pub pictures: CollectionPictures,
    /// Changes whenever the field wants the keyboard.
    pub focus: u64,
    /// The line of a file that is being opened for it.
    pub(crate) wanted: Option<TextHitPlace>,
}

/// A line of a text in a file.
pub(crate) struct TextHitPlace {
    pub path: PathBuf,
    pub entry: crate::formats::EntryId,
    pub line: usize,
}

/// A search in the collection, and its results.
#[derive(Default)]
pub struct CollectionSearch {
    pub words: String,
    /// Entries of this kind alone, as `type:` calls it.
    pub kind: Option<&'static str>,
    /// Number of the search. Results of earlier ones are dropped.
    pub turn: u64,
    /// The work that looks.
    pub work: Option<u64>,
    pub found: CollectionFound,
}

/// The results of a search. They are kept until the next results arrive.
#[derive(Clone, Default)]
pub struct CollectionFound {
    /// Number of the search.
    pub turn: u64,
    /// The searched index.
    pub catalog: Arc<Catalog>,
    pub query: Query,
    pub hits: Vec<Hit>,
    /// Lines of texts; there are either hits or lines.
    pub lines: Vec<TextHit>,
    /// All entries that were found, also those that are not listed.
    pub total: usize,
    /// By kind how many the words find, and last how many of any kind; nothing where lines of texts are looked for.
    pub counts: Vec<usize>,
    /// Why texts could not be searched.
    pub problem: Option<String>,
}

impl CollectionFound {
    /// Rows to list.
    pub fn len(&self) -> usize {
        self.hits.len() + self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Collection {
    /// Returns the folder of cached thumbnails, in the folder of the index.
    pub fn pictures_folder(&self) -> Option<PathBuf> {
        Some(self.store.as_ref()?.path().parent()?.join("thumbnails"))
    }

    /// Returns true if a file is in a missing root.
    pub fn is_gone(&self, path: &Path) -> bool {
        self.gone.iter().any(|root| path.starts_with(root))
    }

    /// Returns true if there is an index.
    pub fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// A work that is over is waited for no longer, whether it had a result or was stopped.
    pub(crate) fn is_over(&mut self, id: u64) {
        for work in [&mut self.work, &mut self.fits.work, &mut self.links.work, &mut self.search.work] {
            work.take_if(|work| *work == id);
        }
    }

    pub(crate) fn take_wanted(&mut self, path: &Path) -> Option<TextHitPlace> {
        self.wanted.take_if(|wanted| wanted.path == path)
    }
}
