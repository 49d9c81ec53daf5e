//! The files that folders and containers stand for.

use super::{
    containers::{Containers, format_of, outermost},
    folder::{MAX_LEVELS, search},
    listings::{Listings, MAX_FILES},
};
use crate::bytes::MemberLimits;
use std::path::{Path, PathBuf};

/// Turns folders into the files in them that some format knows by their content; files stay as they are, in order and once.
pub fn expand(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let is_inside = || Containers::shared().inside(path).is_some() && !Containers::shared().is_file(path);
        let is_folder = crate::files::is_dir(path) || outermost(path).is_some() && is_inside();
        if is_folder {
            files.extend(files_in(path));
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|f| seen.insert(f.clone()));
    files
}

/// As [`expand`], with what is in containers in the place of these. One in which nothing can be opened stands for itself.
pub fn expand_containers(paths: &[PathBuf]) -> Vec<PathBuf> {
    let most = MemberLimits::default().depth;
    let mut files = Vec::new();
    // The next one comes last; with how many containers it lies in.
    let mut left: Vec<(PathBuf, u32)> = expand(paths).into_iter().rev().map(|path| (path, 0)).collect();
    while let Some((path, depth)) = left.pop() {
        let is_container = depth < most && format_of(&path).is_some_and(|format| format.holds_files());
        let inside = if is_container { files_in(&path) } else { Vec::new() };
        if inside.is_empty() || files.len().saturating_add(left.len()) >= MAX_FILES {
            files.push(path);
        } else {
            left.extend(inside.into_iter().rev().map(|path| (path, depth.saturating_add(1))));
        }
    }
    files
}

/// The files of a folder or container, and of the folders in it, that a format recognises by content; by path. Without those that
/// belong to others, if there are others.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut inside = Vec::new();
    // Listed anew: it is asked for by a person, and what is held of other folders stays.
    search(&Listings::default(), folder, MAX_LEVELS, |folder, names| {
        inside.extend(names.files().map(|name| folder.join(name)));
        None::<()>
    });
    inside.truncate(MAX_FILES);
    let known = inside.into_iter().filter_map(|path| Some((format_of(&path)?.stands_beside_others(), path)));
    let (beside, mut others): (Vec<_>, Vec<_>) = known.partition(|(beside, _)| *beside);
    // Pictures beside models are theirs; a folder of nothing else is a folder of pictures.
    if others.is_empty() {
        others = beside;
    }
    let mut inside: Vec<PathBuf> = others.into_iter().map(|(_, path)| path).collect();
    inside.sort();
    inside
}
