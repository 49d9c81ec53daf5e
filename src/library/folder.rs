//! Files beside files.

use super::folder_paths::{FolderPaths, MAX_FILES};
use crate::formats::{self, FileRequest, FoundFile, Hint, Resolver, relative_parts};
use std::{
    collections::HashMap,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// How many folders deep a search goes.
const MAX_LEVELS: usize = 4;
/// The largest file that a reference is followed to, in bytes.
const LARGEST_SIBLING: u64 = 256 << 20;

/// Finds files beside another one, and in the folders below. The listing is made at the first question.
pub struct FolderResolver {
    folder: PathBuf,
    /// Folders that the user named, looked in last.
    named: Vec<PathBuf>,
    listing: OnceLock<Vec<Listed>>,
    /// Files of the folders beside the own one and of those that the user named, each folder listed once.
    others: Mutex<HashMap<PathBuf, Arc<Vec<Listed>>>>,
    /// What lies below the folders that the user named.
    paths: FolderPaths,
}

struct Listed {
    path: PathBuf,
    stem: String,
    extension: String,
    level: usize,
}

impl FolderResolver {
    /// A resolver for the folder that `file` lies in, and then for `named` ones.
    pub fn beside(file: &Path, named: &[PathBuf]) -> Self {
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let (listing, others, paths) = (OnceLock::new(), Mutex::default(), FolderPaths::default());
        Self { folder, named: named.to_vec(), listing, others, paths }
    }

    fn listing(&self) -> &[Listed] {
        self.listing.get_or_init(|| {
            let mut files: Vec<Listed> =
                walk(&self.folder).into_iter().map(|(path, level)| Listed::new(path, level)).collect();
            files.sort_by(|a, b| a.level.cmp(&b.level).then_with(|| a.path.cmp(&b.path)));
            files
        })
    }
}

impl Listed {
    fn new(path: PathBuf, level: usize) -> Self {
        Self {
            stem: path.file_stem().map(|s| s.to_string_lossy().to_lowercase()).unwrap_or_default(),
            extension: path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default(),
            path,
            level,
        }
    }
}

impl FolderResolver {
    fn read(&self, path: PathBuf, largest: u64) -> Option<FoundFile> {
        if std::fs::metadata(&path).ok()?.len() > largest {
            return None;
        }
        let name = path.strip_prefix(&self.folder).unwrap_or(&path).display().to_string();
        let source = std::fs::read(&path).ok()?.into();
        Some(FoundFile { name, path, source })
    }

    /// The file in the own folder or below whose path has most of `parts` at its end; of several that have as many the nearest.
    fn own_path(&self, parts: &[&str]) -> Option<PathBuf> {
        let wanted = Path::new(parts.last()?);
        let wanted = Listed::new(wanted.to_owned(), 0);
        let common = |file: &Listed| {
            let inside = file.path.strip_prefix(&self.folder).unwrap_or(&file.path);
            let names = inside.iter().rev().map(|name| name.to_string_lossy().to_lowercase());
            names.zip(parts.iter().rev()).take_while(|(name, part)| *name == part.to_lowercase()).count()
        };
        let fits = |f: &&Listed| f.stem == wanted.stem && f.extension == wanted.extension;
        let files = self.listing().iter().filter(fits);
        // The first of the best: the listing has the nearest first.
        files.min_by_key(|f| std::cmp::Reverse(common(f))).map(|f| f.path.clone())
    }

    /// The files of one folder, those below it left out.
    fn files_of(&self, folder: &Path) -> Arc<Vec<Listed>> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let list = || {
            let mut files: Vec<Listed> = std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .take(MAX_FILES)
                .filter(|e| e.path().is_file())
                .map(|e| Listed::new(e.path(), 0))
                .collect();
            files.sort_by(|a, b| a.path.cmp(&b.path));
            Arc::new(files)
        };
        others.entry(folder.to_owned()).or_insert_with(list).clone()
    }

    /// Folders beside the own one with these names, then those that the user named with theirs.
    fn other_folders(&self, siblings: &[&str]) -> Vec<PathBuf> {
        if siblings.is_empty() {
            return Vec::new();
        }
        let named = |parent: &Path| -> Vec<PathBuf> {
            let mut folders: Vec<PathBuf> = std::fs::read_dir(parent)
                .into_iter()
                .flatten()
                .flatten()
                .take(MAX_FILES)
                .map(|e| e.path())
                .filter(|p| {
                    let name = p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                    p.is_dir() && siblings.iter().any(|s| s.eq_ignore_ascii_case(&name))
                })
                .collect();
            folders.sort();
            folders
        };
        let parent = self.folder.canonicalize().ok().and_then(|f| f.parent().map(Path::to_owned));
        let mut folders: Vec<PathBuf> = parent.iter().flat_map(|p| named(p)).collect();
        for folder in &self.named {
            folders.push(folder.clone());
            folders.extend(named(folder));
        }
        folders
    }
}

impl Resolver for FolderResolver {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let stem = request.stem.to_lowercase();
        let rank = |file: &&Listed| request.extensions.iter().position(|e| *e == file.extension);
        let found = self
            .listing()
            .iter()
            .filter(|f| f.stem == stem && (f.level == 0 || request.subfolders))
            .filter_map(|f| rank(&f).map(|rank| (f, rank)))
            .min_by_key(|(f, rank)| (f.level, *rank))
            .map(|(f, _)| f.path.clone());
        let elsewhere = || {
            self.other_folders(request.siblings).iter().find_map(|folder| {
                let files = self.files_of(folder);
                let fits = files.iter().filter(|f| f.stem == stem).filter_map(|f| rank(&f).map(|rank| (f, rank)));
                fits.min_by_key(|(_, rank)| *rank).map(|(f, _)| f.path.clone())
            })
        };
        self.read(found.or_else(elsewhere)?, LARGEST_SIBLING)
    }

    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        let parts = relative_parts(path)?;
        let named = || self.named.iter().find_map(|folder| self.paths.find(folder, &parts));
        let path = self.own_path(&parts).or_else(named)?;
        self.read(path, largest.min(LARGEST_SIBLING))
    }
}

/// Files below a folder with the level they lie on, links to folders not followed.
fn walk(folder: &Path) -> Vec<(PathBuf, usize)> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0_usize)];
    while let Some((folder, level)) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            if files.len() >= MAX_FILES {
                return files;
            }
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if level + 1 < MAX_LEVELS {
                    folders.push((entry.path(), level + 1));
                }
            } else if kind.is_file() || (kind.is_symlink() && entry.path().is_file()) {
                files.push((entry.path(), level));
            }
        }
    }
    files
}

/// Turns folders into the files in them that some format knows by their content; files stay as they are, in order and once.
pub fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut inside: Vec<PathBuf> = walk(path).into_iter().map(|(p, _)| p).filter(|p| is_known(p)).collect();
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|f| seen.insert(f.clone()));
    files
}

fn is_known(path: &Path) -> bool {
    let mut head = Vec::new();
    let Ok(file) = std::fs::File::open(path) else { return false };
    if file.take(256).read_to_end(&mut head).is_err() {
        return false;
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    formats::probe(&head, &Hint { file_name: &name }).is_some()
}

/// Files in the folder of `file` with one of these extensions: those whose names are most alike first (the same stem, then
/// the longest common start), then in the order of the extensions, then by name.
pub fn beside(file: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let stem = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().to_lowercase()).unwrap_or_default();
    let rank = |p: &Path| {
        let extension = p.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        extensions.iter().position(|e| *e == extension)
    };
    let own = stem(file);
    let Some(folder) = file.parent() else { return Vec::new() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .take(MAX_FILES)
        .map(|e| e.path())
        .filter(|p| p.is_file() && p != file && rank(p).is_some())
        .collect();
    found.sort_by_key(|p| {
        let other = stem(p);
        let common = own.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        (other != own, std::cmp::Reverse(common), rank(p), p.clone())
    });
    found
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
        let names: Vec<String> = beside(&folder.path().join("mesh.psk"), &["psa"])
            .iter()
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["mesh.psa", "mesh_walk.psa", "other.psa"]);
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
}
