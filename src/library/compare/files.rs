//! The files of two folders or containers.

use super::state::{Counts, State};
use crate::{
    bytes::{Limits, Source},
    formats::{
        self, Diagnostics, NO_OVERRIDES, NoFiles, OpenContext, caught,
        containers::{self, holds_files as is_container},
    },
    library::{
        OpenFile,
        collection::{absolute, sum, walk},
        open_path,
        reading::Pipes,
        shared_files::SharedFiles,
    },
};
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Files of one side that are looked at.
const MOST_FILES: usize = 1 << 18;

/// A file of each of two folders, or of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    pub state: State,
    /// From the folder, with `/`; leads into containers.
    pub left: Option<String>,
    pub right: Option<String>,
    /// Bytes.
    pub left_size: Option<u64>,
    pub right_size: Option<u64>,
}

/// Two folders or containers, file by file.
#[derive(Clone, Debug, Default)]
pub struct FilesComparison {
    /// By path.
    pub files: Vec<FilePair>,
    /// What could not be read, with why.
    pub troubles: Vec<(String, String)>,
    pub cancelled: bool,
}

impl FilesComparison {
    pub fn counts(&self) -> Counts {
        Counts::of(self.files.iter().map(|pair| pair.state))
    }
}

/// Whether what lies at a path is compared file by file: it is a folder, or a container of several files. Blocks: call it on a worker.
pub fn holds_files(path: &Path) -> bool {
    let several = |file: OpenFile| file.document.container().is_some_and(|container| container.wrapped().is_none());
    path.is_dir() || open_path(path, Limits::default()).is_ok_and(several)
}

/// Holds the files of two folders or containers against each other. Where a container differs, the files in it are compared in its place.
/// Hidden files are left out. Blocks: call it on a worker.
///
/// # Errors
/// In a sentence with the path, when one of them cannot be read.
pub fn compare_files(left: &Path, right: &Path, cancel: &AtomicBool) -> Result<FilesComparison, String> {
    let mut found = FilesComparison::default();
    let of_left = listed(left, &mut found.troubles, cancel)?;
    let of_right = listed(right, &mut found.troubles, cancel)?;
    found.compare("", of_left, of_right, cancel);
    found.files.sort_by(|a, b| a.left.as_ref().or(a.right.as_ref()).cmp(&b.left.as_ref().or(b.right.as_ref())));
    found.cancelled = cancel.load(Ordering::Relaxed);
    Ok(found)
}

/// Files by path.
type Files = BTreeMap<String, Source>;
type Troubles = Vec<(String, String)>;

fn opened(path: &Path) -> Result<Source, String> {
    SharedFiles::shared().opened(path, Limits::default().file_bytes, Pipes::Refused)
}

fn listed(path: &Path, troubles: &mut Troubles, cancel: &AtomicBool) -> Result<Files, String> {
    if !path.is_dir() {
        let source = opened(path).map_err(|why| format!("{}: {why}", path.display()))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return members(&name, source, troubles, cancel)
            .ok_or_else(|| format!("{}: it is no folder and no container", path.display()));
    }
    let root = absolute(path);
    let walked = walk(std::slice::from_ref(&root));
    troubles.extend(walked.troubles.into_iter().map(|(path, why)| (path.display().to_string(), why)));
    let mut files = Files::new();
    for found in walked.files.into_values().take(MOST_FILES) {
        let inside = found.path.strip_prefix(&root).unwrap_or(&found.path);
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        match opened(&found.path) {
            Ok(source) => {
                files.insert(parts.join("/"), source);
            }
            Err(why) => troubles.push((found.path.display().to_string(), why)),
        }
    }
    Ok(files)
}

/// The files in a container, and those in containers in it; `None` for what is none.
fn members(name: &str, source: Source, troubles: &mut Troubles, cancel: &AtomicBool) -> Option<Files> {
    if !is_container(&source, name) {
        return None;
    }
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(0);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &NO_OVERRIDES,
    };
    let document = caught(|| formats::open(source, &mut cx)).ok()?.ok()?;
    let container = document.container()?;
    let mut files = Files::new();
    containers::walk(container, &limits, cancel, &mut |walked| {
        match walked.unpacked {
            // The files in it come next.
            Ok(_) if walked.is_container => {}
            Ok(unpacked) => {
                files.insert(walked.path.to_owned(), unpacked.source);
            }
            Err(trouble) => troubles.push((format!("{name}/{}", walked.path), trouble.message)),
        }
        files.len() < MOST_FILES && !cancel.load(Ordering::Relaxed)
    });
    Some(files)
}

impl FilesComparison {
    /// `above` goes before the paths.
    fn compare(&mut self, above: &str, left: Files, mut right: Files, cancel: &AtomicBool) {
        let mut gone: Vec<(String, Source)> = Vec::new();
        for (path, own) in left {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let Some(other) = right.remove(&path) else {
                gone.push((path, own));
                continue;
            };
            let whole = format!("{above}{path}");
            if own.is_equal(&other) {
                self.push(State::Same, Some((&whole, &own)), Some((&whole, &other)));
                continue;
            }
            let name = path.rsplit('/').next().unwrap_or(&path);
            let inside = members(name, own.clone(), &mut self.troubles, cancel).zip(members(
                name,
                other.clone(),
                &mut self.troubles,
                cancel,
            ));
            match inside {
                Some((own, other)) => self.compare(&format!("{whole}/"), own, other, cancel),
                None => self.push(State::Changed, Some((&whole, &own)), Some((&whole, &other))),
            }
        }
        self.moved(above, gone, right);
    }

    /// What is on one side alone: with the same bytes it moved.
    fn moved(&mut self, above: &str, gone: Vec<(String, Source)>, added: Files) {
        let sizes: std::collections::HashSet<usize> = gone.iter().map(|(_, source)| source.len()).collect();
        let mut by_sum: HashMap<(usize, [u8; 20]), Vec<String>> = HashMap::new();
        for (path, source) in
            added.iter().rev().filter(|(_, source)| !source.is_empty() && sizes.contains(&source.len()))
        {
            if let Ok(sum) = sum(source) {
                by_sum.entry((source.len(), sum)).or_default().push(path.clone());
            }
        }
        let mut added = added;
        let known: std::collections::HashSet<usize> = by_sum.keys().map(|(size, _)| *size).collect();
        for (path, own) in gone {
            let key = known.contains(&own.len()).then(|| sum(&own).ok()).flatten();
            let to = key.and_then(|sum| by_sum.get_mut(&(own.len(), sum))?.pop());
            let whole = format!("{above}{path}");
            match to.and_then(|to| added.remove_entry(&to)) {
                Some((to, other)) => {
                    self.push(State::Moved, Some((&whole, &own)), Some((&format!("{above}{to}"), &other)));
                }
                None => self.push(State::Gone, Some((&whole, &own)), None),
            }
        }
        for (path, source) in &added {
            self.push(State::Added, None, Some((&format!("{above}{path}"), source)));
        }
    }

    fn push(&mut self, state: State, left: Option<(&str, &Source)>, right: Option<(&str, &Source)>) {
        self.files.push(FilePair {
            state,
            left: left.map(|(path, _)| path.to_owned()),
            right: right.map(|(path, _)| path.to_owned()),
            left_size: left.map(|(_, source)| source.len() as u64),
            right_size: right.map(|(_, source)| source.len() as u64),
        });
    }
}
