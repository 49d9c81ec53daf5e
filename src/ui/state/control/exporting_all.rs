//! Exports of whole files into a folder.

use crate::{
    export::{ExportError, ExportJob, ExportSource, MANIFEST, Manifest, Tree, What, export_all, obj::ObjSpace},
    formats::Severity,
    library::{OpenFile, clips_for, companions_each},
    scene::Model,
    ui::{
        command::{Command, ExportCommand},
        place::{FileId, Place},
        state::{State, log::LogEntry, message::Message},
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl State {
    /// Exports everything in one open file, or in all of them, into a folder.
    pub(in crate::ui::state) fn export_all(&mut self, file: Option<FileId>, folder: PathBuf, overwrite: bool) {
        let again = Command::Export(ExportCommand::All { file, folder: folder.clone(), overwrite: true });
        self.export_whole(file, What::Natural, folder, overwrite, again);
    }

    /// Writes the files of an archive below an entry into a folder, as they are.
    pub(in crate::ui::state) fn unpack(&mut self, place: Place, folder: PathBuf, overwrite: bool) {
        let again = Command::Export(ExportCommand::Unpack { place, folder: folder.clone(), overwrite: true });
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
        let (load, binding) = (self.load_options(), self.stage.playback.options);
        let sender = self.sender();
        let title = match wanted.as_slice() {
            [one] if what != What::Natural => format!("Unpacking {}", one.name),
            [one] => format!("Exporting all of {}", one.name),
            many => format!("Exporting {} files", many.len()),
        };
        self.run_in_background(title, move |cx| {
            let each = companions_each(wanted.len());
            let clips_of: Vec<_> = wanted
                .iter()
                .map(|file| {
                    let open = &open;
                    move |model: &Model| clips_for(file, || open.as_slice(), each, model, load, cx.cancel_flag())
                })
                .collect();
            let folders = folders_of(&wanted);
            let trees: Vec<Tree<'_>> = wanted
                .iter()
                .zip(&clips_of)
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
