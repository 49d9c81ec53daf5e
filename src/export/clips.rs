//! Clips that go with a model, loaded when it is their turn.

use super::{
    Budget, ExportError, ExportJob,
    glb::{BoundClip, ClipOrigin, ClipSource},
};
use crate::{
    bytes::Cancel,
    formats::{ClipSize, Document, EntryId},
    scene::{Binding, BindingOptions, Clip, Model},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Bytes of a key with a translation and a rotation.
const KEY_BYTES: u64 = 28;

type Load = dyn Fn(&Cancel) -> Option<Arc<Clip>> + Send + Sync;

/// A clip that goes with a model, and what is known of it before it is loaded.
pub struct ModelClip {
    /// Keys that it has by its file's tables ([`crate::formats::Facts::clip_size`]); `None` where only loading it tells.
    pub keys: Option<u64>,
    /// It is one of many of its file and goes along only where it moves something of the model.
    pub only_if_it_fits: bool,
    /// The file that it lies in, and that one's bytes; nothing for one that lies nowhere.
    pub file: (PathBuf, u64),
    /// Where it lies, as files that are written name it; `None` for one that lies nowhere.
    pub origin: Option<ClipOrigin>,
    load: Box<Load>,
}

impl ModelClip {
    /// A clip that `load` gives; `None` when it cannot be read.
    pub fn new(load: impl Fn(&Cancel) -> Option<Arc<Clip>> + Send + Sync + 'static) -> Self {
        Self { keys: None, only_if_it_fits: false, file: Default::default(), origin: None, load: Box::new(load) }
    }

    /// The clip of an entry, with what its file's tables say of it; `path` is where the file lies.
    pub fn of(
        document: &dyn Document,
        path: &Path,
        entry: EntryId,
        load: impl Fn(&Cancel) -> Option<Arc<Clip>> + Send + Sync + 'static,
    ) -> Self {
        let file = (path.to_owned(), document.source().len() as u64);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let origin = Some(origin_of(&name, document, entry));
        let size = document.ask(entry, |can, entry| can.facts?.clip_size(entry));
        Self { keys: size.map(ClipSize::keys), file, origin, ..Self::new(load) }
    }

    /// Loads it. Blocks: call it on a worker.
    pub fn load(&self, cancel: &Cancel) -> Option<Arc<Clip>> {
        (self.load)(cancel)
    }
}

/// Where an entry of a file lies, as the command line takes it: by its path, or by its number where another entry has that path.
pub(super) fn origin_of(file: &str, document: &dyn Document, entry: EntryId) -> ClipOrigin {
    let outline = document.outline();
    let path = outline.get(entry).map(|found| found.path().into_owned()).unwrap_or_default();
    let is_found = !path.is_empty() && outline.find(&path).is_some_and(|found| found.id == entry);
    ClipOrigin { file: file.to_owned(), entry: if is_found { path } else { format!("#{}", entry.0) } }
}

/// A clip that is there already.
impl From<Arc<Clip>> for ModelClip {
    fn from(clip: Arc<Clip>) -> Self {
        Self::new(move |_| Some(clip.clone()))
    }
}

/// Counts the files of clips as what is exported, and gives the bytes that their keys take as far as that is known.
pub(super) fn known_bytes(clips: &[ModelClip], budget: &Budget) -> u64 {
    let mut sum = 0_u64;
    for clip in clips {
        budget.count(&clip.file.0, clip.file.1);
        sum = sum.saturating_add(clip.keys.unwrap_or(0).saturating_mul(KEY_BYTES));
    }
    sum
}

/// The clips of a model, each there as long as it is written.
pub(super) struct Streamed<'a, 'b> {
    pub model: &'a Model,
    pub clips: &'a [ModelClip],
    pub options: BindingOptions,
    pub job: &'a ExportJob<'b>,
}

impl ClipSource for Streamed<'_, '_> {
    fn count(&self) -> usize {
        self.clips.len()
    }

    fn origin(&self, index: usize) -> Option<ClipOrigin> {
        self.clips.get(index)?.origin.clone()
    }

    fn with(
        &self,
        index: usize,
        write: &mut dyn FnMut(&BoundClip<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.job.check()?;
        let Some(source) = self.clips.get(index) else { return Ok(()) };
        let Some(clip) = source.load(self.job.cancel) else { return Ok(()) };
        let binding = Binding::new(&clip, self.model, self.options);
        if source.only_if_it_fits && !binding.fit.any() {
            return Ok(());
        }
        write(&BoundClip { clip: &clip, binding: &binding })
    }
}
