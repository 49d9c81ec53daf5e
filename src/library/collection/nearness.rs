//! Where the files of a collection lie, and which of them is meant by a name.

use super::{Catalog, FileIndex};
use crate::{
    formats::{FORMATS, file_name},
    library::words::lower,
};
use std::{cmp::Reverse, collections::HashMap, path::Path};

/// Files of one name whose paths are compared.
const MAX_CANDIDATES: usize = 1_000;

/// Files by their names, and how near they are to each other.
pub(super) struct Places {
    /// By file.
    places: Vec<Place>,
    /// By name without extension, in lower case.
    by_stem: HashMap<String, Vec<FileIndex>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    /// The file on the disk that it lies in.
    container: Option<FileIndex>,
    /// Number of the folder that it, or that container, lies in, and of the folder that this one lies in.
    folder: usize,
    above: Option<usize>,
    /// Number of what it lies in, folder or container.
    parent: usize,
    /// Number of its format; `None` where nothing takes it.
    format: Option<usize>,
}

/// The distance between two files; the smallest value is the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    SameContainer,
    SameFolder,
    SiblingFolder,
    Elsewhere,
}

/// Gives folders numbers.
#[derive(Default)]
struct Folders<'a>(HashMap<&'a Path, usize>);

impl<'a> Folders<'a> {
    fn number(&mut self, folder: &'a Path) -> usize {
        let next = self.0.len();
        *self.0.entry(folder).or_insert(next)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Name of a file without its extension, in lower case.
fn stem_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    lower(file_name::stem(&name))
}

impl Places {
    pub fn of(catalog: &Catalog) -> Self {
        let mut folders = Folders::default();
        let mut container_of: HashMap<&Path, Option<FileIndex>> = HashMap::new();
        let mut formats: HashMap<&str, usize> = HashMap::new();
        let mut places = Vec::with_capacity(catalog.files().len());
        let mut by_stem: HashMap<String, Vec<FileIndex>> = HashMap::new();
        for (index, file) in (0..).map(FileIndex).zip(catalog.files()) {
            let folder = folder_of(&file.path);
            let container = *container_of.entry(folder).or_insert_with(|| {
                // Files that have files in them are containers; the outermost is on the disk.
                folder.ancestors().filter_map(|above| catalog.file_at(above)).last()
            });
            let parent = folders.number(folder);
            let outside =
                container.and_then(|container| catalog.file(container)).map_or(folder, |c| folder_of(&c.path));
            let above = outside.parent().map(|above| folders.number(above));
            let next = formats.len();
            let format = (!file.format.is_empty()).then(|| *formats.entry(&file.format).or_insert(next));
            places.push(Place { container, folder: folders.number(outside), above, parent, format });
            by_stem.entry(stem_of(&file.path)).or_default().push(index);
        }
        Self { places, by_stem }
    }

    /// The file that `from` means by a name: a package's, or a path with the extension. In any case; of several the one whose path
    /// ends most like it, then the nearest, then the first.
    pub fn find(&self, catalog: &Catalog, from: FileIndex, name: &str) -> Option<FileIndex> {
        let parts: Vec<String> = name.split(['/', '\\']).filter(|part| !part.is_empty()).map(lower).collect();
        let last = parts.last()?;
        let with_stem = |stem: &str| self.by_stem.get(stem).map(Vec::as_slice).unwrap_or_default();
        let stem = file_name::stem(last);
        if stem != last {
            // A path counts the file's own name with its extension.
            let candidates = with_stem(stem).iter().take(MAX_CANDIDATES);
            let ranked =
                candidates.map(|file| (common_end(catalog, *file, &parts), *file)).filter(|(common, _)| *common > 0);
            let rank = |(common, file): &(usize, FileIndex)| {
                (Reverse(*common), self.nearness(from, *file), Reverse(self.common_start(catalog, from, *file)), *file)
            };
            if let Some((_, found)) = ranked.min_by_key(rank) {
                return Some(found);
            }
        }
        let own = catalog.file(from)?;
        let format = self.places.get(from.0 as usize)?.format;
        let extensions = FORMATS.iter().map(|format| format.info()).find(|info| *info.id == *own.format);
        let extensions = extensions.map(|info| info.extensions).unwrap_or_default();
        let is_package = |file: &FileIndex| match self.places.get(file.0 as usize).map(|place| place.format) {
            // What is damaged is known by its name alone.
            Some(None) => catalog.file(*file).is_some_and(|other| {
                let extension = other.path.extension().unwrap_or_default();
                extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
            }),
            other => other == Some(format),
        };
        let packages = || with_stem(last).iter().copied().filter(is_package);
        let nearest = packages().map(|file| self.nearness(from, file)).min()?;
        let near = packages().filter(|file| self.nearness(from, *file) == nearest).take(MAX_CANDIDATES);
        near.min_by_key(|file| (Reverse(self.common_start(catalog, from, *file)), *file))
    }

    fn nearness(&self, from: FileIndex, to: FileIndex) -> Nearness {
        let of = |file: FileIndex| self.places.get(file.0 as usize);
        let (Some(own), Some(other)) = (of(from), of(to)) else { return Nearness::Elsewhere };
        if own.container.is_some() && (own.container == other.container || own.container == Some(to)) {
            Nearness::SameContainer
        } else if own.folder == other.folder {
            Nearness::SameFolder
        } else if own.above.is_some() && own.above == other.above {
            Nearness::SiblingFolder
        } else {
            Nearness::Elsewhere
        }
    }

    /// How many parts the paths of two files have in common at their start; most where they lie in one folder.
    fn common_start(&self, catalog: &Catalog, from: FileIndex, to: FileIndex) -> usize {
        let parent = |file: FileIndex| self.places.get(file.0 as usize).map(|place| place.parent);
        let (Some(own), Some(other)) = (catalog.file(from), catalog.file(to)) else { return 0 };
        if parent(from) == parent(to) {
            return usize::MAX;
        }
        own.path.components().zip(other.path.components()).take_while(|(a, b)| a == b).count()
    }
}

/// How many parts a file's path has in common with another one at its end.
fn common_end(catalog: &Catalog, file: FileIndex, parts: &[String]) -> usize {
    let Some(file) = catalog.file(file) else { return 0 };
    let own = file.path.iter().rev();
    own.zip(parts.iter().rev()).take_while(|(own, part)| lower(&own.to_string_lossy()) == **part).count()
}
