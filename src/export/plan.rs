//! What is exported of files, and where each thing goes.

use super::{
    ExportFormat, ExportSource, natural_format, natural_stem,
    path::{MAX_FOLDERS, UniqueNames, safe_name},
};
use crate::formats::EntryId;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Name of the file that says what came from where, unless something in the files is called so.
pub const MANIFEST: &str = "manifest.json";

/// What of a file is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Every entry that shows as something, in its natural format.
    Natural,
    /// The files of an archive below an entry, as they are: it is unpacked.
    Members { below: EntryId },
}

/// A file to export whole.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub source: ExportSource<'a>,
    pub what: What,
    /// These of its entries alone, in ascending order; all without.
    pub only: Option<&'a [EntryId]>,
    /// How the manifest calls the file.
    pub name: &'a str,
    /// Folders below the target that the file's tree goes into; empty for the target itself.
    pub folders: &'a [String],
}

/// An entry and where it goes.
pub struct Planned {
    /// Into the trees.
    pub tree: usize,
    pub entry: EntryId,
    pub format: ExportFormat,
    /// Its bytes are written as they are.
    pub is_member: bool,
    /// Relative, with extension.
    pub path: PathBuf,
}

/// Gives every entry its path before anything is written, in order, and then the manifest: the same files get the same names
/// every time.
pub fn plan(trees: &[Tree<'_>]) -> (Vec<Planned>, PathBuf) {
    let mut names = UniqueNames::default();
    let mut planned = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        let document = tree.source.document;
        let mut folders = Folders::of(tree, &mut names);
        for entry in document.outline().entries() {
            if tree.only.is_some_and(|only| only.binary_search(&entry.id).is_err()) {
                continue;
            }
            let format = match tree.what {
                What::Natural => natural_format(document, entry),
                What::Members { .. } => document.is_member(entry.id).then_some(ExportFormat::Raw),
            };
            let Some(format) = format else { continue };
            let Some(folder) = folders.holding(tree, entry.id, &mut names) else { continue };
            let is_member = document.is_member(entry.id) && format == ExportFormat::Raw;
            let (stem, extension) = match entry.name.rsplit_once('.') {
                // Files of archives keep their names.
                Some((stem, extension)) if is_member => (stem.to_owned(), Some(safe_name(extension))),
                _ if is_member => (entry.name.to_string(), None),
                _ => (natural_stem(tree.source.file, document, entry), Some(format.extension().to_owned())),
            };
            let path = match extension {
                Some(extension) => names.claim_file(&folder, &stem, &extension, tree.what == What::Natural),
                None => names.claim(&folder, &stem),
            };
            planned.push(Planned { tree: index, entry: entry.id, format, is_member, path });
        }
    }
    // What is in the files keeps its name.
    let (stem, extension) = MANIFEST.rsplit_once('.').unwrap_or((MANIFEST, ""));
    let manifest = names.claim_file(Path::new(""), stem, extension, false);
    (planned, manifest)
}

/// The folders of a tree, each found once.
struct Folders {
    top: EntryId,
    /// By the entry whose children they hold, with how many folders deep they are; `None` for what does not lie below the top.
    known: HashMap<EntryId, Option<(PathBuf, usize)>>,
}

impl Folders {
    fn of(tree: &Tree<'_>, names: &mut UniqueNames) -> Self {
        let base = tree.folders.iter().fold(PathBuf::new(), |above, name| names.folder(&above, name));
        let top = match tree.what {
            What::Natural => EntryId::FILE,
            What::Members { below } => below,
        };
        Self { top, known: HashMap::from([(top, Some((base, 0)))]) }
    }

    /// The folder that an entry goes into: below those of the entries above it, at most 32. `None` when it does not lie below the
    /// top and is not the top itself.
    fn holding(&mut self, tree: &Tree<'_>, entry: EntryId, names: &mut UniqueNames) -> Option<PathBuf> {
        let outline = tree.source.document.outline();
        let above = |entry: EntryId| outline.get(entry).and_then(|e| e.parent);
        let own = if entry == self.top { Some(entry) } else { above(entry) };
        let mut unknown = Vec::new();
        let mut next = own;
        while let Some(id) = next.filter(|id| !self.known.contains_key(id)) {
            // An entry above itself is below nothing.
            if unknown.len() > outline.entries().len() {
                return None;
            }
            unknown.push(id);
            next = above(id);
        }
        let mut folder = next.and_then(|id| self.known.get(&id).cloned().flatten());
        for id in unknown.into_iter().rev() {
            folder = folder.zip(outline.get(id)).map(|((above, depth), entry)| match depth < MAX_FOLDERS {
                true => (names.folder(&above, &entry.name), depth + 1),
                false => (above, depth),
            });
            self.known.insert(id, folder.clone());
        }
        Some(folder?.0)
    }
}
