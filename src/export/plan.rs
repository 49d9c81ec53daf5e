//! What is exported of files, and where each thing goes.

use super::{
    ExportFormat, ExportKind, ExportKinds, ExportSource,
    glb::{Lods, beside::TEXTURES},
    natural_format, natural_stem,
    path::{MAX_FOLDERS, UniqueNames, safe_name, safe_name_with},
};
use crate::formats::{Content, Entry, EntryId};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Name of the file that says what came from where, unless something in the files is called so.
pub const MANIFEST: &str = "manifest.json";

/// What of a file is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Every entry that shows as something, in its natural format; once what is a part of another one that is written.
    Natural,
    /// The files of an archive below an entry, as they are: it is unpacked.
    Members {
        /// The archive itself, or a folder in it.
        below: EntryId,
    },
}

/// The files of models, levels and landscapes. Textures are in files that all of them share, unless they are embedded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelFiles {
    /// GLB files, with textures in other files.
    #[default]
    Glb,
    /// GLB files with their textures inside.
    Embedded,
    /// `.gltf` files with their numbers and textures in other files.
    Gltf,
}

/// A file to export whole.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    /// The open file and the options for its export.
    pub source: ExportSource<'a>,
    /// The part of the file that is exported.
    pub what: What,
    /// These of its entries alone, in ascending order; all without.
    pub only: Option<&'a [EntryId]>,
    /// In their natural formats, entries of these kinds alone.
    pub kinds: ExportKinds,
    /// The form of models, levels and landscapes whose natural format is GLB.
    pub models: ModelFiles,
    /// How the manifest calls the file.
    pub name: &'a str,
    /// Folders below the target that the file's tree goes into; empty for the target itself.
    pub folders: &'a [String],
}

/// What holds what is a part of a part of … .
const MAX_WHOLES: usize = 8;

impl Tree<'_> {
    /// Whether an entry is one of those that are asked for.
    fn is_asked_for(&self, entry: &Entry) -> bool {
        self.only.is_none_or(|only| only.binary_search(&entry.id).is_ok())
            && (self.what != What::Natural || self.kinds.has(ExportKind::of(entry)))
    }

    /// Whether what an entry shows is in the file of another one that is written.
    fn is_in_another(&self, entry: &Entry) -> bool {
        let document = self.source.document;
        let wholes = std::iter::successors(document.part_of(entry.id), |whole| document.part_of(*whole));
        let is_written = |whole: &Entry| self.is_asked_for(whole) && natural_format(document, whole).is_some();
        let is_level = |above: &Entry| {
            let has_levels = self.source.glb.lods != Lods::None && above.content == Content::Model;
            let levels = || document.ask(above.id, |can, entry| Some(can.wholes?.coarser_levels(entry)));
            has_levels && is_written(above) && levels().is_some_and(|levels| levels.contains(&entry.id))
        };
        wholes.take(MAX_WHOLES).any(|whole| document.outline().get(whole).is_some_and(is_written))
            || entry.parent.and_then(|above| document.outline().get(above)).is_some_and(is_level)
    }

    /// How an entry is written; `None` for what is not.
    fn format(&self, entry: &Entry) -> Option<ExportFormat> {
        if !self.is_asked_for(entry) {
            return None;
        }
        match self.what {
            What::Natural => {
                let natural = natural_format(self.source.document, entry).filter(|_| !self.is_in_another(entry))?;
                Some(if natural == ExportFormat::Glb && self.models == ModelFiles::Gltf {
                    ExportFormat::Gltf
                } else {
                    natural
                })
            }
            What::Members { .. } => self.source.document.is_member(entry.id).then_some(ExportFormat::Raw),
        }
    }
}

/// Names that entries of several classes have in one folder: there the class is a part of the file's name. Entries that are not
/// written count too, so that names are the same whatever kinds are asked for.
struct SharedNames<'a>(HashMap<(EntryId, String), Option<&'a str>>);

impl<'a> SharedNames<'a> {
    fn of(tree: &Tree<'a>) -> Self {
        let document = tree.source.document;
        // By folder and name the only class; nothing where there are several.
        let mut classes: HashMap<(EntryId, String), Option<&'a str>> = HashMap::new();
        if tree.what == What::Natural {
            let whole = Tree { only: None, kinds: ExportKinds::default(), ..*tree };
            let shown = |entry: &&Entry| {
                natural_format(document, entry).is_some()
                    && (tree.format(entry).is_some() || !whole.is_in_another(entry))
            };
            for entry in document.outline().entries().iter().filter(shown) {
                let key = Self::key(entry, &natural_stem(tree.source.file, document, entry));
                let class = classes.entry(key).or_insert(Some(&entry.class));
                *class = class.filter(|class| **class == *entry.class);
            }
        }
        Self(classes)
    }

    fn key(entry: &Entry, stem: &str) -> (EntryId, String) {
        (entry.parent.unwrap_or(EntryId::FILE), stem.to_lowercase())
    }

    fn is_shared(&self, entry: &Entry, stem: &str) -> bool {
        self.0.get(&Self::key(entry, stem)).is_some_and(Option::is_none)
    }
}

/// An entry and where it goes.
pub struct Planned {
    /// Into the trees.
    pub tree: usize,
    pub entry: EntryId,
    pub kind: ExportKind,
    pub format: ExportFormat,
    /// Its bytes are written as they are.
    pub is_member: bool,
    /// Relative, with extension.
    pub path: PathBuf,
}

/// What is exported, and the names of what belongs to all of it; relative.
pub struct Plan {
    pub entries: Vec<Planned>,
    pub manifest: PathBuf,
    /// The folder of the textures that models share, if there are such models; nothing else is in it.
    pub textures: Option<PathBuf>,
}

/// Gives every entry its path before anything is written, in order, and then what belongs to all: the same files get the same names
/// every time.
pub fn plan(trees: &[Tree<'_>]) -> Plan {
    let mut names = UniqueNames::default();
    let mut planned = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        let document = tree.source.document;
        let mut folders = Folders::of(tree, &mut names);
        let shared = SharedNames::of(tree);
        for entry in document.outline().entries() {
            let Some(format) = tree.format(entry) else { continue };
            let Some(folder) = folders.holding(tree, entry.id, &mut names) else { continue };
            let is_member = document.is_member(entry.id) && format == ExportFormat::Raw;
            let (stem, extension) = match entry.name.rsplit_once('.') {
                // Files of archives keep their names.
                Some((stem, extension)) if is_member => (stem.to_owned(), Some(safe_name(extension))),
                _ if is_member => (entry.name.to_string(), None),
                _ => {
                    let stem = natural_stem(tree.source.file, document, entry);
                    let stem = if shared.is_shared(entry, &stem) { safe_name_with(&stem, &entry.class) } else { stem };
                    (stem, Some(format.extension().to_owned()))
                }
            };
            let path = match extension {
                Some(extension) if format == ExportFormat::Gltf => {
                    names.claim_files(&folder, &stem, [&extension, "bin"])
                }
                Some(extension) => names.claim_file(&folder, &stem, &extension, tree.what == What::Natural),
                None => names.claim(&folder, &stem),
            };
            planned.push(Planned {
                tree: index,
                entry: entry.id,
                kind: ExportKind::of(entry),
                format,
                is_member,
                path,
            });
        }
    }
    // What is in the files keeps its name.
    let (stem, extension) = MANIFEST.rsplit_once('.').unwrap_or((MANIFEST, ""));
    let manifest = names.claim_file(Path::new(""), stem, extension, false);
    let shares = |planned: &Planned| {
        let is_embedded = trees.get(planned.tree).is_none_or(|tree| tree.models == ModelFiles::Embedded);
        planned.format.is_gltf() && !is_embedded
    };
    let textures = planned.iter().any(shares).then(|| names.claim(Path::new(""), TEXTURES));
    Plan { entries: planned, manifest, textures }
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
