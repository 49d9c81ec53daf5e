//! Files beside those that a verb works on, which may hold the clips of their models.

use super::{Failure, output::say};
use crate::{
    bytes::Cancel,
    formats::{Content, EntryId},
    library::{ClipOf, OpenFile, OpenOptions, clip_files, clips_named, companions_each, model_files, suggestion},
    scene::Model,
};
use std::{
    cell::OnceCell,
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Files beside those that are exported, each opened once.
pub struct Companions {
    open: Mutex<HashMap<PathBuf, Option<Arc<OpenFile>>>>,
    /// How many are tried for each of the files that are exported.
    pub each: usize,
    /// More lay beside one.
    left_out: AtomicBool,
}

impl Companions {
    /// For files that are open already, which may be each other's.
    pub fn among(files: &[Arc<OpenFile>]) -> Self {
        let open = files.iter().map(|file| (file.path.clone(), Some(file.clone()))).collect();
        Self { open: Mutex::new(open), each: companions_each(files.len()), left_out: AtomicBool::new(false) }
    }

    /// Tells a person when not all files were tried.
    pub fn tell(&self) {
        if self.left_out.load(Ordering::Relaxed) {
            let each = self.each;
            say(format_args!(
                "note: for each model, only the {each} files next to it with the most similar names were searched for clips"
            ));
        }
    }

    /// The files beside one that may hold its clips.
    pub fn of(&self, file: &OpenFile) -> Vec<Arc<OpenFile>> {
        let (format, at_most) = (file.document.format(), self.each + 1);
        let paths = match file.models().next() {
            Some(_) => clip_files(&file.path, format, at_most, |_| false),
            None => model_files(&file.path, format, at_most),
        };
        self.left_out.fetch_or(paths.len() > self.each, Ordering::Relaxed);
        paths.iter().take(self.each).filter_map(|path| self.open(path)).collect()
    }

    fn open(&self, path: &Path) -> Option<Arc<OpenFile>> {
        let known = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(path) {
            return found.clone();
        }
        let file = OpenOptions::new().open(path).ok().map(Arc::new);
        known().entry(path.to_owned()).or_insert(file).clone()
    }
}

/// The clips called `name` that play on a model of `file`, of the file itself or of one beside it.
///
/// # Errors
/// Returns an error if there is no such clip.
pub fn clips_called(
    (file, entry): (&Arc<OpenFile>, EntryId),
    model: &Model,
    name: &str,
) -> Result<Vec<ClipOf>, Failure> {
    let companions = Companions::among(std::slice::from_ref(file));
    let found = OnceCell::new();
    let beside = || found.get_or_init(|| companions.of(file)).as_slice();
    let clips = clips_named((file, entry), beside, companions.each, model, name, Cancel::never());
    companions.tell();
    if clips.is_empty() { Err(no_such_clip(file, beside(), name)) } else { Ok(clips) }
}

/// An error about a clip that neither the file nor those beside it have for the model.
pub fn no_such_clip(file: &OpenFile, beside: &[Arc<OpenFile>], name: &str) -> Failure {
    let files = std::iter::once(file).chain(beside.iter().map(|file| &**file));
    let clips = files.flat_map(|file| {
        let clips = file.entries_with(Content::Clip);
        clips.into_iter().filter_map(|id| file.entry(id)).map(|entry| match entry.id {
            EntryId::FILE => file.name.as_str(),
            _ => &*entry.name,
        })
    });
    let near = suggestion(name, clips);
    let text = format!("no file “{name}”, and no fitting clip with this name in this file or a file next to it{near}");
    Failure::of_file(&file.name, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_the_exported_ones_are_opened_once_and_the_most_alike_are_tried() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx");
        let copy = |from: &str, to: &str| std::fs::copy(data.join(from), folder.path().join(to)).unwrap();
        let open = |name: &str| Arc::new(OpenOptions::new().open(folder.path().join(name)).unwrap());
        for name in ["arm.psk", "leg.psk"] {
            copy("syn_arm.psk", name);
        }
        for name in ["arm.psa", "arm_b.psa", "other.psa"] {
            copy("syn_arm.psa", name);
        }
        let files = [open("arm.psk"), open("leg.psk"), open("arm.psa")];
        let companions = Companions::among(&files);
        let [of_arm, of_leg] = [companions.of(&files[0]), companions.of(&files[1])];
        let names: Vec<&str> = of_arm.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["arm.psa", "arm_b.psa", "other.psa"]);
        assert!(of_arm.iter().zip(&of_leg).all(|(a, b)| Arc::ptr_eq(a, b)) && Arc::ptr_eq(&of_arm[0], &files[2]));
        assert!(!companions.left_out.load(Ordering::Relaxed));
        let few = Companions { each: 2, ..Companions::among(&files) };
        assert_eq!((few.of(&files[0]).len(), few.left_out.load(Ordering::Relaxed)), (2, true));
    }
}
