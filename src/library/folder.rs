//! Files beside files.

use super::{
    containers::{Containers, find_in, format_of, outermost},
    listings::{Ask, Likeness, Listings, MAX_FILES, Names, likeness, stem},
    near_names::suggestion,
    shared_files::{Largest, SharedFiles},
};
use crate::{
    bytes::Source,
    files::text_of,
    formats::{ANY_SIBLING, FileRequest, FoundFile, Resolver, relative_parts},
};
use std::{
    collections::{BTreeMap, HashSet},
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// How many folders deep a search goes.
pub(super) const MAX_LEVELS: usize = 4;
/// How many folders a search looks into.
const MAX_FOLDERS: usize = 5_000;
/// Folders beside a file's own that are looked in where nobody says which.
const MAX_SIBLINGS: usize = 64;
/// Maximum number of file names that are compared with the name of a missing file.
const MAX_SUGGESTED_FROM: usize = 20_000;
/// The largest file that a reference is followed to, in bytes.
const LARGEST_SIBLING: u64 = 256 << 20;

/// Finds files beside another one, and in the folders below. Folders are listed at the first question, once for all files.
pub struct FolderResolver {
    folder: PathBuf,
    /// The folder that it lies in.
    parent: OnceLock<Option<PathBuf>>,
    /// Folders that the user named, looked in last.
    named: Vec<PathBuf>,
    /// A folder of textures that is looked in before the own one, with those below it.
    first: Option<Box<FolderResolver>>,
    /// For a member of a container: beside the container.
    outside: Option<Box<FolderResolver>>,
    listings: Arc<Listings>,
    /// `None` where there is no end to it.
    read_whole: Option<Arc<Mutex<ReadWhole>>>,
}

/// What is held in memory of the files that were asked for.
#[derive(Debug)]
struct ReadWhole {
    bytes_left: u64,
    /// Those that were counted.
    paths: HashSet<PathBuf>,
}

impl FolderResolver {
    /// A resolver for the folder that `file` lies in, and then for `named` ones.
    pub fn beside(file: &Path, named: &[PathBuf]) -> Self {
        Self::among(file, named, Listings::shared())
    }

    fn among(file: &Path, named: &[PathBuf], listings: Arc<Listings>) -> Self {
        let outside = container_around(file).map(|container| Box::new(Self::among(container, named, listings.clone())));
        let (folder, named) = (folder_of(file).to_owned(), named.to_vec());
        Self { folder, parent: OnceLock::new(), named, first: None, outside, listings, read_whole: None }
    }

    /// The same, which looks in `folder` before its own.
    pub(super) fn after(mut self, folder: &Path) -> Self {
        self.first = Some(Box::new(Self::among(&folder.join("file"), &[], self.listings.clone())));
        self
    }

    /// The same, which finds no more once it has read so many bytes of files that do not stay on the disk.
    pub fn within(self, bytes: u64) -> Self {
        if bytes == u64::MAX {
            return self;
        }
        let read_whole = Arc::new(Mutex::new(ReadWhole { bytes_left: bytes, paths: HashSet::new() }));
        self.counting(&Some(read_whole))
    }

    /// The same, which takes what it reads from what `other` may still read.
    pub(super) fn sharing(self, other: &Self) -> Self {
        self.counting(&other.read_whole)
    }

    fn counting(mut self, read_whole: &Option<Arc<Mutex<ReadWhole>>>) -> Self {
        let mut at = Some(&mut self);
        while let Some(resolver) = at {
            resolver.read_whole.clone_from(read_whole);
            at = resolver.outside.as_deref_mut();
        }
        self
    }

    /// What `read` gets of a file, which is counted if it does not stay on the disk.
    pub(super) fn counted<E>(
        &self,
        path: &Path,
        largest: Largest,
        read: impl FnOnce(Largest) -> Result<Source, E>,
    ) -> Result<Source, E> {
        let Some(counted) = &self.read_whole else { return read(largest) };
        // Held while the file is read: others wait, and what they find left is true.
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        let known = counted.paths.contains(path);
        let whole = if known { largest.whole } else { largest.whole.min(counted.bytes_left) };
        let source = read(Largest { whole, ..largest })?;
        if !source.is_stored() && counted.paths.insert(path.to_owned()) {
            counted.bytes_left = counted.bytes_left.saturating_sub(source.len() as u64);
        }
        Ok(source)
    }

    fn read(&self, path: PathBuf, largest: u64) -> Option<FoundFile> {
        let name = text_of(path.strip_prefix(&self.folder).unwrap_or(&path)).into_owned();
        let read = |largest| SharedFiles::shared().referred(&path, largest);
        let source = self.counted(&path, largest.into(), read).ok()?;
        Some(FoundFile { name, path, source })
    }

    /// The own folder, and with `below` those below it, the nearest first.
    fn search<T>(&self, below: bool, find: impl FnMut(&Path, &Names) -> Option<T>) -> Vec<T> {
        search(&self.listings, &self.folder, if below { MAX_LEVELS } else { 1 }, find)
    }

    /// The file in the own folder or below whose path has most of `parts` at its end; of several that have as many the nearest.
    fn own_path(&self, parts: &[&str]) -> Option<PathBuf> {
        let wanted = parts.last()?.to_lowercase();
        let files = self.search(true, |folder, names| names.file(&wanted).map(|name| folder.join(name)));
        let common = |file: &PathBuf| {
            let inside = file.strip_prefix(&self.folder).unwrap_or(file);
            let names = inside.iter().rev().map(|name| name.to_string_lossy().to_lowercase());
            names.zip(parts.iter().rev()).take_while(|(name, part)| *name == part.to_lowercase()).count()
        };
        // The first of the best: the nearest come first.
        files.into_iter().min_by_key(|file| std::cmp::Reverse(common(file)))
    }

    /// The file that `parts` lead to from a folder that the user named. Links to folders are not followed.
    fn named_path(&self, folder: &Path, parts: &[&str]) -> Option<PathBuf> {
        let (file, folders) = parts.split_last()?;
        let mut at = folder.to_owned();
        for part in folders {
            let names = self.listings.names(&at, Ask::Seldom);
            at.push(names.folder(&part.to_lowercase())?);
        }
        let names = self.listings.names(&at, Ask::Seldom);
        Some(at.join(names.file(&file.to_lowercase())?))
    }

    /// Folders beside the own one with these names, then those that the user named with theirs.
    fn other_folders(&self, siblings: &[&str]) -> Vec<PathBuf> {
        if siblings.is_empty() {
            return Vec::new();
        }
        let with_names = |parent: &Path| -> Vec<PathBuf> {
            let is_sibling = |name: &&OsStr| siblings.iter().any(|s| name.eq_ignore_ascii_case(s));
            let names = self.listings.names(parent, Ask::Seldom);
            if siblings.contains(&ANY_SIBLING) {
                let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
                let folders = names.folders().filter(|name| !is_hidden(name)).take(MAX_SIBLINGS);
                return folders.map(|name| parent.join(name)).collect();
            }
            names.folders_and_links().filter(is_sibling).map(|name| parent.join(name)).collect()
        };
        let parent = || match self.outside {
            // No folder of a container leads out of it.
            Some(_) => outermost(&self.folder).is_some().then(|| self.folder.parent().map(Path::to_owned))?,
            None => crate::files::canonicalize(&self.folder).ok()?.parent().map(Path::to_owned),
        };
        let parent = self.parent.get_or_init(parent);
        let mut folders: Vec<PathBuf> = parent.iter().flat_map(|p| with_names(p)).collect();
        for folder in &self.named {
            folders.push(folder.clone());
            folders.extend(with_names(folder));
        }
        folders
    }
}

/// Returns true for the extensions of textures, and of files that name a material's textures.
fn is_of_textures(extension: &str) -> bool {
    const ALL: [&str; 13] =
        ["bmp", "bti", "dds", "jpeg", "jpg", "mat", "paa", "pac", "pcx", "png", "tga", "tpl", "txt"];
    ALL.iter().any(|it| extension.eq_ignore_ascii_case(it))
}

impl Resolver for FolderResolver {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        self.read(self.locate(request)?, LARGEST_SIBLING)
    }

    fn locate(&self, request: &FileRequest<'_>) -> Option<PathBuf> {
        let stem = request.stem.to_lowercase();
        // The first extension of which there is a file.
        let file_in = |folder: &Path, names: &Names| {
            request.extensions.iter().enumerate().find_map(|(rank, extension)| {
                let name = names.file_of(&stem, extension)?;
                Some((rank, folder.join(name)))
            })
        };
        let level = |path: &Path| path.components().count();
        let first =
            self.first.as_deref().filter(|_| request.extensions.iter().all(|extension| is_of_textures(extension)));
        let found = std::iter::once(self).chain(first).rev().find_map(|resolver| {
            let found = resolver.search(request.subfolders, file_in).into_iter();
            found.min_by_key(|(rank, path)| (level(path), *rank)).map(|(_, path)| path)
        });
        let elsewhere = || {
            self.other_folders(request.siblings).iter().find_map(|folder| {
                let names = self.listings.names(folder, Ask::Seldom);
                file_in(folder, &names).map(|(_, path)| path)
            })
        };
        // Folders that the user named are looked through as deep as the own one.
        let below_named = || {
            let named = self.named.iter().filter(|_| request.subfolders);
            named.flat_map(|folder| search(&self.listings, folder, MAX_LEVELS, file_in)).next().map(|(_, path)| path)
        };
        let outside = || self.outside.as_ref().and_then(|outside| outside.locate(request));
        found.or_else(elsewhere).or_else(outside).or_else(below_named)
    }

    fn places(&self, request: &FileRequest<'_>) -> Vec<PathBuf> {
        let mut places = vec![self.folder.clone()];
        places.extend(self.other_folders(request.siblings));
        places.extend(self.outside.iter().flat_map(|outside| outside.places(request)));
        places
    }

    fn suggestion(&self, request: &FileRequest<'_>) -> String {
        // By their stems in lower case.
        let mut stems: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |names: &Names| {
            let is_wanted = |extension: &OsStr| request.extensions.iter().any(|it| extension.eq_ignore_ascii_case(it));
            let files = names.files().map(Path::new).filter(|name| name.extension().is_some_and(is_wanted));
            for stem in files.filter_map(Path::file_stem).take(MAX_SUGGESTED_FROM.saturating_sub(stems.len())) {
                let stem = stem.to_string_lossy();
                stems.entry(stem.to_lowercase()).or_insert_with(|| stem.into_owned());
            }
        };
        for resolver in std::iter::once(self).chain(self.first.as_deref()) {
            resolver.search::<()>(request.subfolders, |_, names| {
                add(names);
                None
            });
        }
        for folder in self.other_folders(request.siblings) {
            add(&self.listings.names(&folder, Ask::Seldom));
        }
        // A picture of that name cannot be read.
        stems.remove(&request.stem.to_lowercase());
        suggestion(request.stem, stems.values().map(String::as_str))
    }

    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        let parts = relative_parts(path)?;
        let named = || self.named.iter().find_map(|folder| self.named_path(folder, &parts));
        let first = self.first.as_ref().filter(|_| path.rsplit_once('.').is_some_and(|(_, it)| is_of_textures(it)));
        let first = first.and_then(|first| first.own_path(&parts));
        match first.or_else(|| self.own_path(&parts)).or_else(named) {
            Some(path) => self.read(path, largest.min(LARGEST_SIBLING)),
            None => self.outside.as_ref()?.find_path(path, largest),
        }
    }

    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        find_in(&self.folder, name)
    }
}

/// The folder that a file lies in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The innermost container that a file lies in, or the file on the disk that it is. `None` for a file on the disk.
fn container_around(file: &Path) -> Option<&Path> {
    let outer = outermost(file)?;
    let mut inside = file.ancestors().skip(1).take_while(|above| *above != outer);
    // A folder of a container is none.
    Some(inside.find(|above| Containers::shared().is_file(above)).unwrap_or(outer))
}

/// What `find` makes of a folder and of those below it, `levels` altogether: the nearest first, then by path. Links to folders are
/// not followed.
pub(super) fn search<T>(
    listings: &Listings,
    folder: &Path,
    levels: usize,
    mut find: impl FnMut(&Path, &Names) -> Option<T>,
) -> Vec<T> {
    let mut found = Vec::new();
    let (mut seen, mut looked) = (0, 0);
    let mut level = vec![folder.to_owned()];
    for depth in 0..levels {
        let mut below = Vec::new();
        for folder in level {
            if seen >= MAX_FILES || looked >= MAX_FOLDERS {
                return found;
            }
            let names = listings.names(&folder, if depth == 0 { Ask::Always } else { Ask::Seldom });
            (seen, looked) = (seen + names.len(), looked + 1);
            found.extend(find(&folder, &names));
            if depth + 1 < levels {
                below.extend(names.folders().map(|name| folder.join(name)));
            }
        }
        level = below;
    }
    found
}

/// At most so many files in the folder of `file` with one of these extensions: those whose names are most alike first (the same
/// stem, then the longest common start), then in the order of the extensions, then by name without case.
pub fn beside(file: &Path, extensions: &[&str], at_most: usize) -> Vec<PathBuf> {
    beside_without(file, extensions, at_most, |_| false)
}

/// [`beside`] without the files that are `known`.
pub(super) fn beside_without(
    file: &Path,
    extensions: &[&str],
    at_most: usize,
    known: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let Some(own_name) = file.file_name() else { return Vec::new() };
    let (own, folder) = (stem(own_name), folder_of(file));
    let names = Listings::shared().names(folder, Ask::Always);
    let is_other = |name: &OsStr| name != own_name && !known(&folder.join(name));
    let ranked = |(rank, extension): (usize, &&str)| {
        let files = names.most_alike(&own, extension).filter(|file| is_other(file.name)).take(at_most);
        files.map(|file| (likeness(&own, file.stem), rank, file.stem, file.name)).collect::<Vec<_>>()
    };
    let mut found: Vec<(Likeness, usize, &str, &OsStr)> = extensions.iter().enumerate().flat_map(ranked).collect();
    found.sort_unstable();
    found.truncate(at_most);
    // By reference: collecting from the vector itself would keep the memory of all that was found.
    found.iter().map(|(_, _, _, name)| folder.join(name)).collect()
}

/// A file of the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// Path of the file.
    pub path: PathBuf,
    /// It was gone to around the end of the folder.
    pub wrapped: bool,
}

/// The file after this one in its folder, by name, of those that a format recognises by their content; or the one before it. The
/// file itself may be gone.
pub fn neighbour(file: &Path, forward: bool, cancelled: impl Fn() -> bool) -> Option<Neighbour> {
    let folder = folder_of(file);
    let key = |name: &OsStr| (name.to_string_lossy().to_lowercase(), name.to_owned());
    let own = key(file.file_name()?);
    // Listed anew: it is asked for by a person.
    let names = Listings::default().names(folder, Ask::Always);
    let mut files: Vec<(String, OsString)> = names.files().map(key).collect();
    files.sort_unstable();
    let above = files.partition_point(|listed| *listed < own);
    let below = files.partition_point(|listed| *listed <= own);
    let (above, below) = (files.get(..above)?, files.get(below..)?);
    // Pictures beside models are theirs: only from a picture one goes on to others.
    let stands_beside_others = |path: &Path| format_of(path).map(|format| format.stands_beside_others());
    let is_picture = stands_beside_others(file) == Some(true);
    let is_wanted = |path: &Path| stands_beside_others(path).is_some_and(|beside| is_picture || !beside);
    let near = |files: &[(String, OsString)], wrapped: bool, forward: bool| {
        let mut paths: Vec<PathBuf> = files.iter().map(|(_, name)| folder.join(name)).collect();
        if !forward {
            paths.reverse();
        }
        let path = paths.into_iter().find(|path| cancelled() || is_wanted(path))?;
        Some(Neighbour { path, wrapped })
    };
    let (first, then) = if forward { (below, above) } else { (above, below) };
    near(first, false, forward).or_else(|| near(then, true, forward)).filter(|_| !cancelled())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("Skin.TGA", "tga"), ("skin.png", "png"), ("other.psa", "x"), ("mesh_walk.psa", "x")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::create_dir(folder.path().join("textures")).unwrap();
        std::fs::write(folder.path().join("textures/Deep.png"), "deep").unwrap();
        folder
    }

    #[test]
    fn near_names_of_pictures_are_suggested_without_those_of_other_files() {
        let folder = folder();
        std::fs::write(folder.path().join("skim.txt"), "no picture").unwrap();
        let resolver = FolderResolver::beside(&folder.path().join("mesh.psk"), &[]);
        let suggested = |stem, subfolders| {
            resolver.suggestion(&FileRequest { stem, extensions: &["png", "tga"], subfolders, siblings: &[] })
        };
        // Once, however many files have the name.
        assert_eq!(suggested("skni", true).to_lowercase(), "; did you mean “skin”?");
        assert_eq!(suggested("skin", true), "");
        assert_eq!(
            (suggested("deap", true).as_str(), suggested("deap", false).as_str()),
            ("; did you mean “Deep”?", "")
        );
        assert_eq!(suggested("nothing like it", true), "");
    }

    #[test]
    fn files_are_found_without_case_by_order_of_extensions() {
        let folder = folder();
        let resolver = FolderResolver::beside(&folder.path().join("mesh.psk"), &[]);
        let find = |stem, extensions, subfolders| {
            resolver
                .find(&FileRequest { stem, extensions, subfolders, siblings: &[] })
                .map(|f| f.source.as_slice().to_vec())
        };
        assert_eq!(find("SKIN", &["png", "tga"], false).unwrap(), b"png");
        assert_eq!(find("skin", &["tga", "png"], false).unwrap(), b"tga");
        assert_eq!(find("deep", &["png"], false), None);
        assert_eq!(find("deep", &["png"], true).unwrap(), b"deep");
    }

    #[test]
    fn a_folder_that_was_named_for_it_comes_before_the_own_one() {
        let (own, other) = (folder(), tempfile::tempdir().unwrap());
        std::fs::create_dir(other.path().join("deep")).unwrap();
        std::fs::write(other.path().join("deep/SKIN.png"), "named").unwrap();
        let resolver = FolderResolver::beside(&own.path().join("mesh.psk"), &[]).after(other.path());
        let find = |stem, subfolders| {
            let request = FileRequest { stem, extensions: &["tga", "png"], subfolders, siblings: &[] };
            resolver.find(&request).map(|f| f.source.as_slice().to_vec())
        };
        assert_eq!(find("skin", true).unwrap(), b"named", "even where the own one has a better ending");
        assert_eq!(find("skin", false).unwrap(), b"tga");
        assert_eq!(find("deep", true).unwrap(), b"deep");
        let by_path = |path| resolver.find_path(path, 100).map(|f| f.source.as_slice().to_vec());
        assert_eq!(by_path("game\\deep\\skin.png").unwrap(), b"named");
        assert_eq!(by_path("textures\\deep.png").unwrap(), b"deep");
        // Models and packages are not looked for there.
        std::fs::write(other.path().join("road.p3d"), "other").unwrap();
        std::fs::write(own.path().join("road.p3d"), "own").unwrap();
        let model = FileRequest { stem: "road", extensions: &["p3d"], subfolders: true, siblings: &[] };
        assert_eq!(resolver.find(&model).unwrap().source.as_slice(), b"own");
        assert_eq!(by_path("road.p3d").unwrap(), b"own");
    }

    #[test]
    fn no_more_is_read_of_neighbours_than_all_of_them_may_have() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.png", "b.png", "c.png"] {
            std::fs::write(folder.path().join(name), [0; 40]).unwrap();
        }
        let resolver = FolderResolver::beside(&folder.path().join("mesh.psk"), &[]).within(90);
        let finds = |stem| {
            let request = FileRequest { stem, extensions: &["png"], subfolders: false, siblings: &[] };
            resolver.find(&request).is_some()
        };
        // One that was read is found again.
        assert_eq!(["a", "b", "c", "a"].map(finds), [true, true, false, true]);
    }

    #[test]
    fn files_are_found_in_folders_beside_the_own_one_and_in_named_ones() {
        let game = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        for folder in ["Maps", "textures", "Other"] {
            std::fs::create_dir(game.path().join(folder)).unwrap();
        }
        std::fs::write(game.path().join("textures/Walls.utx"), "beside").unwrap();
        std::fs::write(game.path().join("Other/Hidden.utx"), "hidden").unwrap();
        std::fs::write(elsewhere.path().join("walls.utx"), "named").unwrap();
        std::fs::write(elsewhere.path().join("Far.utx"), "far").unwrap();
        let resolver = FolderResolver::beside(&game.path().join("Maps/a.unr"), &[elsewhere.path().to_owned()]);
        let find = |stem, siblings| {
            let request = FileRequest { stem, extensions: &["utx"], subfolders: false, siblings };
            resolver.find(&request).map(|f| f.source.as_slice().to_vec())
        };
        assert_eq!(find("WALLS", &["Textures"]).unwrap(), b"beside");
        assert_eq!(find("far", &["Textures"]).unwrap(), b"far");
        assert_eq!(find("Hidden", &["Textures"]), None);
        assert_eq!(find("Walls", &[]), None);
    }

    #[test]
    fn any_of_a_few_folders_beside_the_own_one_may_hold_a_file() {
        let game = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            std::fs::create_dir_all(game.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(game.path().join(path), path).unwrap();
        };
        for path in ["Pack/Texture2D/Skin.png", "Pack/Texture2D/deep/Far.png", "Other/Alien.png", "Pack/Above.png"] {
            write(path);
        }
        write("Pack/SkeletalMesh3/Skin.tga");
        write("Pack/.hidden/Secret.png");
        let resolver = FolderResolver::beside(&game.path().join("Pack/SkeletalMesh3/a.psk"), &[]);
        let find = |stem, extensions| {
            let request = FileRequest { stem, extensions, subfolders: true, siblings: &[ANY_SIBLING] };
            resolver.find(&request).map(|f| String::from_utf8(f.source.as_slice().to_vec()).unwrap())
        };
        assert_eq!(find("skin", &["png"]).unwrap(), "Pack/Texture2D/Skin.png");
        assert_eq!(find("skin", &["png", "tga"]).unwrap(), "Pack/SkeletalMesh3/Skin.tga", "the own folder comes first");
        for name in ["far", "alien", "above", "secret"] {
            assert_eq!(find(name, &["png"]), None, "{name}");
        }
        for number in 0..MAX_SIBLINGS {
            write(&format!("Pack/A{number:03}/x.txt"));
        }
        let resolver = FolderResolver::among(&game.path().join("Pack/SkeletalMesh3/a.psk"), &[], Arc::default());
        let request = FileRequest { stem: "skin", extensions: &["png"], subfolders: true, siblings: &[ANY_SIBLING] };
        assert!(resolver.find(&request).is_none(), "of many only the first are looked in");
    }

    #[test]
    fn paths_lead_below_the_own_folder_and_below_named_ones() {
        let project = tempfile::tempdir().unwrap();
        let drive = tempfile::tempdir().unwrap();
        let write = |folder: &Path, path: &str, text: &str| {
            std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.join(path), text).unwrap();
        };
        write(project.path(), "Stone.P3D", "beside");
        write(project.path(), "models/ca/Plants/Smrk.p3d", "deep");
        write(project.path(), "models/other/smrk.p3d", "other");
        write(drive.path(), "CA/Plants/Buk.p3d", "drive");
        write(drive.path(), "CA/Plants/smrk.p3d", "late");
        write(drive.path(), "secret.p3d", "secret");
        let resolver =
            FolderResolver::beside(&project.path().join("a.pew"), &[drive.path().join("CA"), drive.path().to_owned()]);
        let find = |path: &str| {
            resolver.find_path(path, 100).map(|f| String::from_utf8(f.source.as_slice().to_vec()).unwrap())
        };
        assert_eq!(find("ca\\misc\\stone.p3d").unwrap(), "beside");
        assert_eq!(find("ca\\plants\\smrk.p3d").unwrap(), "deep");
        assert_eq!(find("CA/other/SMRK.P3D").unwrap(), "other");
        assert_eq!(find("ca\\plants\\buk.p3d").unwrap(), "drive");
        assert_eq!(find("plants/BUK.p3d").unwrap(), "drive");
        assert_eq!(find("ca\\plants\\dub.p3d"), None);
        // A folder is no file; a path does not end in the middle.
        assert_eq!(find("ca\\plants"), None);
        assert_eq!(find("ca\\plants\\buk.p3d\\x"), None);
        assert_eq!(resolver.find_path("ca\\plants\\buk.p3d", 4).map(|f| f.name), None);
        let absolute = drive.path().join("secret.p3d").display().to_string();
        for path in
            ["..\\secret.p3d", "plants/../../secret.p3d", absolute.as_str(), "c:\\secret.p3d", "secret.p3d\0", ""]
        {
            assert_eq!(find(path), None, "{path:?}");
        }
        assert_eq!(find("secret.p3d").unwrap(), "secret");
    }

    #[test]
    fn companions_come_with_the_most_alike_first() {
        let folder = folder();
        std::fs::write(folder.path().join("mesh.psa"), "x").unwrap();
        let names: Vec<String> = beside(&folder.path().join("mesh.psk"), &["psa"], 10)
            .iter()
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["mesh.psa", "mesh_walk.psa", "other.psa"]);
        let two = beside(&folder.path().join("mesh.psk"), &["psa"], 2);
        assert_eq!(two, ["mesh.psa", "mesh_walk.psa"].map(|name| folder.path().join(name)));
        assert_eq!(two.capacity(), 2);
    }

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        let folder = folder();
        std::fs::create_dir(folder.path().join("inner")).unwrap();
        let resolver = FolderResolver::beside(&folder.path().join("inner/mesh.psk"), &[]);
        for stem in ["../skin", "..\\skin", "/etc/passwd", "skin"] {
            assert!(
                resolver
                    .find(&FileRequest { stem, extensions: &["png", ""], subfolders: true, siblings: &[] })
                    .is_none(),
                "{stem}"
            );
        }
    }

    #[cfg(unix)]
    fn rest(folder: &Path, secs: u64) {
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(secs);
        std::fs::File::open(folder).unwrap().set_modified(time).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn files_of_a_folder_share_its_listing_and_find_what_comes_later() {
        let folder = folder();
        rest(folder.path(), 100);
        let listings = Arc::new(Listings::default());
        let find = |file: &str, stem: &str| {
            let resolver = FolderResolver::among(&folder.path().join(file), &[], listings.clone());
            let request = FileRequest { stem, extensions: &["png", "tga"], subfolders: false, siblings: &[] };
            resolver.find(&request).map(|found| found.source.as_slice().to_vec())
        };
        for file in 0..100 {
            assert_eq!(find(&format!("{file}.psk"), "skin").unwrap(), b"png");
            assert_eq!(find(&format!("{file}.psk"), "later"), None);
        }
        assert_eq!(listings.made(), 1);
        std::fs::write(folder.path().join("Later.png"), "later").unwrap();
        rest(folder.path(), 50);
        assert_eq!(find("0.psk", "later").unwrap(), b"later");
        assert_eq!(listings.made(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_neither_found_nor_opened_nor_among_the_files_of_a_folder() {
        let folder = folder();
        let pipe = folder.path().join("pipe.psk");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk"),
            folder.path().join("arm.psk"),
        )
        .unwrap();
        let files = crate::library::expand(&[folder.path().to_owned()]);
        assert!(files.contains(&folder.path().join("arm.psk")) && !files.contains(&pipe));
        assert_eq!(beside(&folder.path().join("arm.psa"), &["psk"], 10), [folder.path().join("arm.psk")]);
        let resolver = FolderResolver::beside(&folder.path().join("arm.psk"), &[]);
        let request = FileRequest { stem: "pipe", extensions: &["psk"], subfolders: true, siblings: &[] };
        assert!(resolver.find(&request).is_none() && resolver.find_path("pipe.psk", 100).is_none());
        let error = crate::library::OpenOptions::new().open(&pipe).err().unwrap();
        assert_eq!(error.message, "cannot be opened because it is a pipe, not a file");
    }
}
