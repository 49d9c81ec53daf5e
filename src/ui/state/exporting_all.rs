//! Exports of whole files into a folder.

use super::{FileId, LogEntry, Message, Place, State};
use crate::{
    export::{ExportError, ExportJob, ExportSource, MANIFEST, Manifest, Tree, What, export_all, obj::ObjSpace},
    formats::{Asset, Content, EntryId, LoadOptions, Severity},
    library::{OpenFile, fits_of},
    scene::{Binding, BindingOptions, Clip, Model},
    ui::command::Command,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

impl State {
    /// Exports everything in one open file, or in all of them, into a folder.
    pub(super) fn export_all(&mut self, file: Option<FileId>, folder: PathBuf, overwrite: bool) {
        let again = Command::ExportAll { file, folder: folder.clone(), overwrite: true };
        self.export_whole(file, What::Natural, folder, overwrite, again);
    }

    /// Writes the files of an archive below an entry into a folder, as they are.
    pub(super) fn unpack(&mut self, place: Place, folder: PathBuf, overwrite: bool) {
        let again = Command::Unpack { place, folder: folder.clone(), overwrite: true };
        let what = What::Members { below: place.entry };
        self.export_whole(Some(place.file), what, folder, overwrite, again);
    }

    /// `again` is the same once more, written over what is there.
    fn export_whole(&mut self, file: Option<FileId>, what: What, folder: PathBuf, overwrite: bool, again: Command) {
        let open: Vec<Arc<OpenFile>> = self.library.files.iter().map(|f| f.file.clone()).collect();
        let wanted: Vec<Arc<OpenFile>> = match file {
            Some(id) => self.file(id).cloned().into_iter().collect(),
            None => open.clone(),
        };
        if wanted.is_empty() {
            let message = "open a file first: there is nothing to export";
            return self.log.announce(LogEntry::new(Severity::Info, "", message));
        }
        let (load, binding) = (self.load_options(), self.playback.options);
        let sender = self.sender();
        let title = match wanted.as_slice() {
            [one] if what != What::Natural => format!("Unpacking {}", one.name),
            [one] => format!("Exporting all of {}", one.name),
            many => format!("Exporting {} files", many.len()),
        };
        self.run_in_background(title, move |cx| {
            let clips_for: Vec<_> = wanted
                .iter()
                .map(|file| {
                    let open = &open;
                    move |model: &Model| clips_of_model(file, open, model, load, cx.cancel_flag())
                })
                .collect();
            let folders = folders_of(&wanted);
            let trees: Vec<Tree<'_>> = wanted
                .iter()
                .zip(&clips_for)
                .zip(&folders)
                .map(|((file, clips_for), folders)| Tree {
                    source: ExportSource {
                        file: &file.name,
                        document: file.document.as_ref(),
                        resolver: file.resolver(),
                        limits: file.limits(),
                        load,
                        binding,
                        clips_for,
                        frame: None,
                        obj_space: ObjSpace::Scene,
                        rate_hz: None,
                        mips: false,
                        terrain: Default::default(),
                    },
                    what,
                    name: &file.name,
                    folders,
                })
                .collect();
            let progress = |done: u64, total: u64, step: &str| cx.progress(done, total, step);
            let job = ExportJob { cancel: cx.cancel_flag(), progress: &progress, force: overwrite };
            let made = export_all(&trees, Vec::new(), &folder, &job);
            let _ = sender.send(Message::Log(report(made, again, &folder)));
        });
    }
}

/// The clips that go with a model: those of its own file, else those of the open files that fit it.
fn clips_of_model(
    file: &OpenFile,
    open: &[Arc<OpenFile>],
    model: &Model,
    load: LoadOptions,
    cancel: &AtomicBool,
) -> Vec<Arc<Clip>> {
    let clips_of = |file: &OpenFile, entries: &[EntryId]| -> Vec<Arc<Clip>> {
        let clip = |entry: &EntryId| match file.load(*entry, load, cancel).ok()?.asset {
            Asset::Clip(clip) => Some(clip),
            _ => None,
        };
        entries.iter().filter_map(clip).collect()
    };
    let mut own = clips_of(file, &file.entries_with(Content::Clip));
    own.retain(|clip| Binding::new(clip, model, BindingOptions::default()).fit.any());
    if !own.is_empty() {
        return own;
    }
    let fits = fits_of(open, model, cancel);
    let good = fits.iter().filter(|f| f.is_likely() || f.fit.clip_joints == 0 && f.fit.any());
    good.flat_map(|f| clips_of(&f.file, &f.entries)).collect()
}

/// The folders of files below what they all lie in.
fn folders_of(files: &[Arc<OpenFile>]) -> Vec<Vec<String>> {
    let parents: Vec<PathBuf> = files
        .iter()
        .map(|f| std::path::absolute(&f.path).unwrap_or_else(|_| f.path.clone()))
        .map(|path| path.parent().map(Path::to_owned).unwrap_or_default())
        .collect();
    let mut common = parents.first().cloned().unwrap_or_default();
    while !parents.iter().all(|p| p.starts_with(&common)) && common.pop() {}
    let below = |parent: &PathBuf| {
        let relative = parent.strip_prefix(&common).unwrap_or(Path::new(""));
        relative.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect()
    };
    parents.iter().map(below).collect()
}

/// One line about it all.
fn report(made: Result<Manifest, ExportError>, again: Command, folder: &Path) -> LogEntry {
    match made {
        Ok(manifest) => {
            let (written, failed) = (manifest.exported.len(), manifest.failed.len());
            let how = if manifest.cancelled { "stopped: " } else { "" };
            let path = folder.join(MANIFEST);
            let (severity, failures) = if failed > 0 {
                (Severity::Warning, format!(", {failed} failed"))
            } else {
                (Severity::Info, String::new())
            };
            LogEntry::new(severity, "", format!("{how}{written} written{failures}: see {}", path.display()))
        }
        Err(error) => {
            let exists = matches!(&error, ExportError::Exists(_));
            let entry = LogEntry::new(Severity::Error, "", format!("not exported: {error}"));
            if exists { entry.with_action("Write over", again) } else { entry }
        }
    }
}
