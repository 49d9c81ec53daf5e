//! Exports that are being prepared, and exports that run.

use super::{LogEntry, Message, Place, Stage, State};
use crate::{
    export::{
        ExportFormat, ExportJob, ExportSource, Exported, export_entry, formats_for, glb::usual_step, natural_stem,
        obj::ObjSpace, terrain::TerrainExport,
    },
    formats::{Asset, Content, Document, EntryId, LoadOptions, Severity},
    library::OpenFile,
    scene::Clip,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

/// Which clips go with a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportClips {
    None,
    /// The one that plays.
    Playing,
    /// All that fit the shown model.
    #[default]
    All,
}

/// An export as the dialog holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportDraft {
    pub place: Place,
    /// What the entry is called.
    pub name: String,
    /// What it can be exported as, its natural format first.
    pub formats: Vec<ExportFormat>,
    pub format: ExportFormat,
    /// Of a file that holds the entry's own bytes.
    pub own_extension: &'static str,
    /// The file to write.
    pub path: String,
    /// How many clips [`ExportClips::All`] means; 0 when the entry is not the shown model.
    pub clip_count: usize,
    pub clips: ExportClips,
    /// Frame of the clip that plays, for formats that hold one pose.
    pub frame: Option<f32>,
    /// OBJ as the window shows it at this moment instead of in its bind pose.
    pub posed: bool,
    /// OBJ in the axes of the file instead of Y up.
    pub file_space: bool,
    /// PNG of every mip instead of the largest alone.
    pub mips: bool,
    /// A landscape, which has a GLB of its own kind.
    pub of_terrain: bool,
    /// A vertex of the ground every so many samples.
    pub step: u32,
    /// Metres to add to what is east.
    pub easting: f64,
    /// Write over a file that is there.
    pub overwrite: bool,
}

impl ExportDraft {
    /// Chooses a format; the file's ending follows.
    pub fn set_format(&mut self, format: ExportFormat) {
        self.format = format;
        self.path = Path::new(&self.path).with_extension(self.extension()).display().to_string();
    }

    fn extension(&self) -> &'static str {
        if self.format == ExportFormat::Raw { self.own_extension } else { self.format.extension() }
    }

    /// Whether clips can go into the file.
    pub fn takes_clips(&self) -> bool {
        self.clip_count > 0 && self.format == ExportFormat::Glb
    }

    /// Whether the file holds one pose.
    pub fn takes_pose(&self) -> bool {
        self.frame.is_some() && self.format == ExportFormat::Obj
    }

    /// Whether a step between the samples of the ground can be chosen.
    pub fn takes_step(&self) -> bool {
        self.of_terrain && self.format == ExportFormat::Glb
    }

    /// Whether what is east can be counted from elsewhere.
    pub fn takes_easting(&self) -> bool {
        matches!(self.format, ExportFormat::Asc | ExportFormat::Xyz | ExportFormat::TerrainBuilderList)
    }

    /// Whether the file is there already and must stay.
    pub fn is_in_the_way(&self) -> bool {
        !self.overwrite && Path::new(self.path.trim()).exists()
    }
}

impl Stage {
    /// How fine the ground of a landscape is unless somebody chooses.
    pub(in crate::ui) fn usual_step(&self, place: Place, document: &dyn Document) -> u32 {
        let shown = self.landscape().filter(|shown| shown.place == place).map(|shown| &shown.terrain.grid);
        let size = shown.map(|grid| (grid.columns, grid.rows));
        let size = size.or_else(|| document.terrain_card().map(|card| (card.x, card.z)));
        size.map_or(1, |(columns, rows)| usual_step(columns, rows))
    }
}

impl State {
    /// Prepares the export of an entry.
    pub(super) fn begin_export(&mut self, place: Place) {
        let Some(file) = self.file(place.file) else { return };
        let document = file.document.as_ref();
        let Some(entry) = document.outline().get(place.entry) else { return };
        let formats = formats_for(document, place.entry);
        let Some(format) = formats.first().copied() else { return };
        let stem = natural_stem(&file.name, document, entry);
        let folder =
            self.last_export_folder.clone().or_else(|| file.path.parent().map(PathBuf::from)).unwrap_or_default();
        let own_extension = self.own_extension(place, entry.content);
        let extension = if format == ExportFormat::Raw { own_extension } else { format.extension() };
        let path = folder.join(format!("{stem}.{extension}"));
        let path = std::path::absolute(&path).unwrap_or(path);
        let name = if entry.name.is_empty() { file.name.clone() } else { entry.name.clone() };
        let is_shown = self.stage.model().is_some_and(|shown| shown.place == place);
        let playing = self.stage.playback.playing.filter(|_| is_shown);
        self.export = Some(ExportDraft {
            place,
            name,
            formats,
            format,
            own_extension,
            path: path.display().to_string(),
            clip_count: if is_shown { self.stage.playback.clips.len() } else { 0 },
            clips: ExportClips::default(),
            frame: playing.map(|_| self.stage.playback.player.frame()),
            posed: playing.is_some(),
            file_space: false,
            mips: false,
            of_terrain: entry.content == Content::Terrain,
            step: self.stage.usual_step(place, document),
            easting: 0.0,
            overwrite: false,
        });
    }

    /// The ending of a file that holds an entry's own bytes.
    fn own_extension(&self, place: Place, content: Content) -> &'static str {
        let unknown = ExportFormat::Raw.extension();
        if !matches!(content, Content::Sound | Content::Music) {
            return unknown;
        }
        let shown = self.stage.sound().filter(|s| s.place == place).map(|s| s.asset.clone());
        let asset = shown.or_else(|| {
            let loaded = self.file(place.file)?.load(place.entry, self.load_options(), &AtomicBool::new(false));
            Some(loaded.ok()?.asset)
        });
        match asset {
            Some(Asset::Sound(sound)) => sound.extension,
            Some(Asset::Music(music)) => music.extension,
            _ => unknown,
        }
    }

    /// Exports in the background what the dialog holds.
    pub(super) fn run_export(&mut self) {
        let Some(draft) = self.export.take() else { return };
        let Some(file) = self.file(draft.place.file).cloned() else { return };
        let path = PathBuf::from(draft.path.trim());
        self.last_export_folder = path.parent().filter(|p| !p.as_os_str().is_empty()).map(PathBuf::from);
        let wanted: Vec<Place> = match draft.clips {
            _ if draft.clip_count == 0 => Vec::new(),
            ExportClips::All if draft.takes_clips() => self.stage.playback.clips.iter().map(|c| c.place).collect(),
            ExportClips::Playing if draft.takes_clips() => self.stage.playback.playing.into_iter().collect(),
            _ if draft.takes_pose() && draft.posed => self.stage.playback.playing.into_iter().collect(),
            _ => Vec::new(),
        };
        let clips: Vec<(Arc<OpenFile>, EntryId)> =
            wanted.iter().filter_map(|place| Some((self.file(place.file)?.clone(), place.entry))).collect();
        let (load, binding) = (self.load_options(), self.stage.playback.options);
        let sender = self.sender();
        self.run_in_background(format!("Exporting {}", draft.name), move |cx| {
            let clips = load_clips(&clips, load, cx.cancel_flag());
            let source = ExportSource {
                file: &file.name,
                document: file.document.as_ref(),
                resolver: file.resolver(),
                limits: file.limits(),
                load,
                binding,
                clips_for: &|_| clips.clone(),
                frame: draft.frame.filter(|_| draft.takes_pose() && draft.posed),
                obj_space: if draft.file_space { ObjSpace::File } else { ObjSpace::Scene },
                rate_hz: None,
                mips: draft.mips,
                terrain: TerrainExport { step: Some(draft.step), easting: draft.easting },
            };
            let progress = |done: u64, total: u64, step: &str| cx.progress(done, total, step);
            let job = ExportJob { cancel: cx.cancel_flag(), progress: &progress, force: draft.overwrite };
            let made = export_entry(&source, draft.place.entry, draft.format, &path, &job);
            if cx.cancelled() {
                return;
            }
            for entry in report(&file.name, made) {
                let _ = sender.send(Message::Log(entry));
            }
        });
    }
}

fn load_clips(clips: &[(Arc<OpenFile>, EntryId)], load: LoadOptions, cancel: &AtomicBool) -> Vec<Arc<Clip>> {
    let clip = |(file, entry): &(Arc<OpenFile>, EntryId)| match file.load(*entry, load, cancel).ok()?.asset {
        Asset::Clip(clip) => Some(clip),
        _ => None,
    };
    clips.iter().filter_map(clip).collect()
}

/// What to say about an export.
fn report(file: &str, made: Result<Exported, crate::export::ExportError>) -> Vec<LogEntry> {
    let exported = match made {
        Ok(exported) => exported,
        Err(error) => return vec![LogEntry::new(Severity::Error, file, format!("not exported: {error}"))],
    };
    let mut entries: Vec<LogEntry> =
        exported.notes.into_iter().map(|note| LogEntry::new(Severity::Info, file, note)).collect();
    let text = match exported.paths.as_slice() {
        [] => "nothing was written".to_owned(),
        [path] => format!("exported to {}", path.display()),
        [path, others @ ..] => format!("exported to {} and {} files beside it", path.display(), others.len()),
    };
    entries.push(LogEntry::new(Severity::Info, file, text));
    entries
}
