//! Exports of whole files into a folder.

use crate::{
    bytes::numbers::{counted, grouped},
    export::{
        ExportError, ExportFormat, ExportJob, ExportKinds, ExportSource, ExportSpace, ExportUp, Item, Manifest,
        ModelClip, Tree, What, causes, export_all,
        glb::{GlbOptions, LevelLights},
        obj::ObjSpace,
    },
    formats::{EntryId, FormatInfo, LoadOptions, Severity},
    library::{ClipChoice, OpenFile, clips_for, companions_each},
    scene::{Clip, Model},
    ui::{
        command::{Command, ExportCommand},
        place::{FileId, Place},
        state::{
            control::exporting::{OPTION_NAMES, Terms, ask, model_among, model_clip},
            core::Core,
            log::LogEntry,
            message::Message,
            stage::{Stage, playback::PlaySettings},
        },
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl Stage {
    /// Exports everything in one open file, or in all of them, into a folder.
    pub(crate) fn export_all(&mut self, core: &mut Core, file: Option<FileId>, folder: PathBuf, terms: Terms) {
        let into = folder.clone();
        let with =
            move |Terms { overwrite, any_size }| ExportCommand::All { file, folder: into.clone(), overwrite, any_size };
        let files = file.map_or_else(|| core.library.files.iter().map(|f| f.id).collect(), |file| vec![file]);
        let wanted = files.into_iter().map(|file| (file, None)).collect();
        self.export_whole(core, wanted, What::Natural, folder, terms, with);
    }

    /// Writes the files of an archive below an entry into a folder, as they are.
    pub(crate) fn unpack(&mut self, core: &mut Core, place: Place, folder: PathBuf, terms: Terms) {
        let into = folder.clone();
        let with = move |Terms { overwrite, any_size }| ExportCommand::Unpack {
            place,
            folder: into.clone(),
            overwrite,
            any_size,
        };
        let what = What::Members { below: place.entry };
        self.export_whole(core, vec![(place.file, None)], what, folder, terms, with);
    }

    /// Writes several entries, each in its natural format, into a folder.
    pub(crate) fn export_several(&mut self, core: &mut Core, places: Vec<Place>, folder: PathBuf, terms: Terms) {
        let mut wanted: Vec<(FileId, Option<Vec<EntryId>>)> = Vec::new();
        for file in &core.library.files {
            let mut own: Vec<EntryId> = places.iter().filter(|p| p.file == file.id).map(|p| p.entry).collect();
            own.sort_unstable();
            own.dedup();
            if !own.is_empty() {
                wanted.push((file.id, Some(own)));
            }
        }
        let into = folder.clone();
        let with = move |Terms { overwrite, any_size }| ExportCommand::Several {
            places: places.clone(),
            folder: into.clone(),
            overwrite,
            any_size,
        };
        self.export_whole(core, wanted, What::Natural, folder, terms, with);
    }

    /// `with` is the same once more on other terms.
    fn export_whole(
        &mut self,
        core: &mut Core,
        wanted: Vec<(FileId, Option<Vec<EntryId>>)>,
        what: What,
        folder: PathBuf,
        terms: Terms,
        with: impl Fn(Terms) -> ExportCommand + Send + 'static,
    ) {
        let open = core.open_files();
        let file = |(id, only)| Some((core.file(id)?.clone(), only));
        let (wanted, only): (Vec<Arc<OpenFile>>, Vec<Option<Vec<EntryId>>>) =
            wanted.into_iter().filter_map(file).unzip();
        let entries = only.iter().flatten().map(Vec::len).sum::<usize>();
        if wanted.is_empty() {
            let message = "There is nothing to export. Open a file first";
            return core.log.announce(LogEntry::new(Severity::Info, "", message));
        }
        // The light of all levels of a game takes longer than everything else of it.
        let load = LoadOptions { without_light: true, ..core.load_options() };
        let PlaySettings { binding, assumed_rate_hz, .. } = self.play_settings();
        let spaces: Vec<ExportSpace> =
            wanted.iter().map(|file| core.settings.export_space(file.document.format())).collect();
        let chosen = core.settings.export_spaces.clone();
        let space = move |info: &FormatInfo| chosen.get(info.family).copied().unwrap_or(ExportSpace::of(info));
        let own = wanted.iter().map(|file| ExportSpace::of(file.document.format()));
        let is_chosen = own.zip(&spaces).any(|(own, space)| own != *space);
        let glb =
            GlbOptions { assumed_rate_hz, lights: LevelLights::Baked, names: OPTION_NAMES, ..GlbOptions::default() };
        // The choice is for the shown model: other models of its file stay at rest.
        let posed = self.model().filter(|shown| shown.playback.player.options.bind_pose);
        let posed =
            posed.and_then(|shown| core.file(shown.place.file)).filter(|file| file.models().count() == 1).cloned();
        let sender = core.works.sender();
        let title = match wanted.as_slice() {
            _ if entries > 0 => format!("Exporting {}", counted(entries, "entry")),
            [one] if what != What::Natural => format!("Unpacking {}", one.name),
            [one] => format!("Exporting everything from {}", one.name),
            many => format!("Exporting {}", counted(many.len(), "file")),
        };
        core.works.run(title, move |cx| {
            // Many files would become suspects together.
            let _reading = if let [file] = wanted.as_slice() { Some(file.note()) } else { None };
            let each = companions_each(wanted.len());
            let clips_of: Vec<_> = wanted
                .iter()
                .map(|file| {
                    let open = &open;
                    move |model: &Model, entry: EntryId| -> Vec<ModelClip> {
                        let (others, choice) = (|| open.as_slice(), ClipChoice::Belonging);
                        let chosen = clips_for((file, entry), others, each, model, choice, cx.cancel());
                        chosen.clips.into_iter().map(|clip| model_clip(clip, load)).collect()
                    }
                })
                .collect();
            let model_of: Vec<_> = wanted
                .iter()
                .map(|file| {
                    let open = &open;
                    move |clip: &Clip, entry: EntryId| model_among(file, entry, clip, open, load, cx.cancel())
                })
                .collect();
            let folders = folders_of(&wanted);
            let trees: Vec<Tree<'_>> = wanted
                .iter()
                .zip(clips_of.iter().zip(&model_of))
                .zip(&folders)
                .zip(&only)
                .map(|(((file, (clips_for, model_for)), folders), only)| Tree {
                    source: ExportSource {
                        file: &file.name,
                        document: file.document.as_ref(),
                        resolver: file.resolver(),
                        limits: file.limits(),
                        load,
                        binding,
                        clips_for,
                        model_for,
                        frame: None,
                        obj_space: ObjSpace::Scene,
                        glb: GlbOptions { bind_pose: posed.as_ref().is_some_and(|it| Arc::ptr_eq(it, file)), ..glb },
                        space: &space,
                        registers: &[],
                        mips: false,
                        terrain: Default::default(),
                    },
                    what,
                    only: only.as_deref(),
                    kinds: if only.is_some() { ExportKinds::default() } else { ExportKinds::usual() },
                    models: Default::default(),
                    name: &file.name,
                    folders,
                })
                .collect();
            let progress = |done: u64, total: u64, step: &str| cx.progress(done, total, step);
            let (cancel, force, resume) = (cx.cancel(), terms.overwrite, terms.any_size);
            let max_output = terms.any_size.then_some(u64::MAX);
            let job = ExportJob { cancel, progress: &progress, force, max_output, resume };
            let made = export_all(&trees, Vec::new(), &folder, &job);
            if let Some((name, size)) = made.as_ref().ok().and_then(too_large) {
                // What is written already is left alone.
                let _ = sender.send(ask(name, size, with(Terms { any_size: true, ..terms })));
            }
            let again = Command::Export(with(Terms { overwrite: true, ..terms }));
            let _ = sender.send(Message::Log(report(made, is_chosen.then_some(&spaces), again)));
        });
    }
}

/// Returns the name and the size of an export that was not written because of its size.
fn too_large(manifest: &Manifest) -> Option<(String, u64)> {
    let large: Vec<(&str, u64)> =
        manifest.failed.iter().filter_map(|failed| Some((failed.entry.as_str(), failed.over_budget?))).collect();
    let size = large.iter().fold(0_u64, |sum, (_, size)| sum.saturating_add(*size));
    match large.as_slice() {
        [] => None,
        [(entry, _)] => Some(((*entry).to_owned(), size)),
        many => Some((counted(many.len(), "entry"), size)),
    }
}

/// The folders of files below what they all lie in.
fn folders_of(files: &[Arc<OpenFile>]) -> Vec<Vec<String>> {
    let parents: Vec<PathBuf> = files
        .iter()
        .map(|f| crate::files::absolute(&f.path).unwrap_or_else(|_| f.path.clone()))
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
fn report(made: Result<Manifest, ExportError>, chosen: Option<&[ExportSpace]>, again: Command) -> LogEntry {
    match made {
        Ok(manifest) => {
            let (written, failed) = (manifest.exported.len(), manifest.failed.len());
            let how = if manifest.cancelled { "Cancelled: " } else { "" };
            let list = manifest.path.display();
            let folder = manifest.path.parent().unwrap_or(&manifest.path).display();
            let files = counted(written, "file");
            if let Some(unlisted) = &manifest.unlisted {
                let text = format!("{how}{files} exported, but the list of files is incomplete: {}", unlisted.error);
                return LogEntry::new(Severity::Error, "", text);
            }
            let (severity, failures) = if failed > 0 {
                (Severity::Warning, format!(". {} failed ({}): see {list}", grouped(failed), reasons(&manifest)))
            } else {
                (Severity::Info, String::new())
            };
            let space = chosen.map_or(String::new(), |spaces| said_of(&manifest, spaces));
            let text = format!("{how}{files} exported to {folder}{space}{failures}");
            match written {
                0 => LogEntry::new(severity, "", text),
                _ => LogEntry::exported(severity, "", text, &manifest.path),
            }
        }
        Err(error) => {
            let exists = matches!(&error, ExportError::Exists(_));
            let entry = LogEntry::new(Severity::Error, "", format!("Cannot export: {error}"));
            if exists { entry.with_action("Overwrite", again) } else { entry }
        }
    }
}

/// Size and axes of what was written, if they were chosen earlier: nobody was asked for them this time.
fn said_of(manifest: &Manifest, spaces: &[ExportSpace]) -> String {
    let has_space = |item: &Item| ExportFormat::from_id(item.format).is_some_and(ExportFormat::has_space);
    if !manifest.exported.iter().any(has_space) {
        return String::new();
    }
    let Some(first) = spaces.first() else { return String::new() };
    let up = if first.up == ExportUp::Z { ", Z up" } else { "" };
    match spaces.iter().all(|space| space == first) {
        true => format!(" (models at scale {}{up})", first.scale_text()),
        false => " (models at each format's last used scale)".to_owned(),
    }
}

/// The most frequent reasons of failures.
fn reasons(manifest: &Manifest) -> String {
    const MOST: usize = 3;
    let causes = causes(&manifest.failed);
    let said = causes.iter().take(MOST).map(|cause| format!("{} × {}", grouped(cause.count), cause.message));
    let mut said: Vec<String> = said.collect();
    if causes.len() > MOST {
        said.push("…".to_owned());
    }
    said.join(", ")
}
