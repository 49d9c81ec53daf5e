//! Commands of exports, and the export of one entry.

use crate::{
    bytes::{Cancel, numbers::counted},
    export::{
        ExportError, ExportFormat, ExportJob, ExportSource, Exported, ModelClip,
        animated::{AnimatedFormat, find_ffmpeg},
        export_entry, formats_for,
        glb::{GlbOptions, LevelLights, OptionNames},
        grouped, natural_stem,
        obj::ObjSpace,
        terrain::{TerrainExport, usual_step},
    },
    formats::{Asset, Content, Document, EntryId, LoadOptions, Severity, format_of},
    library::{ClipChoice, ClipOf, OpenFile, OpenOptions, clip_files, clips_for, model_files, model_for},
    scene::{Binding, Clip, Model, Player, ShotRate, Shots, Turntable},
    ui::{
        command::{Command, ExportCommand, LargeExport},
        export_draft::{DraftClip, ExportDraft},
        picture_draft::{PictureDraft, PictureFormat, PictureMotion},
        place::Place,
        state::{
            core::Core,
            dialogs::Exports,
            effect::Effect,
            log::LogEntry,
            message::Message,
            stage::{
                Stage, StageContent,
                playback::{ClipItem, PlaySettings},
            },
        },
    },
};
use glam::Vec3;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Files beside a clip that are tried as its model's, or beside a model as its clips'.
const MAX_COMPANIONS: usize = 24;

impl Stage {
    /// Returns the default step of the ground of a landscape.
    pub(in crate::ui) fn usual_step(&self, place: Place, document: &dyn Document) -> u32 {
        let shown = self.landscape().filter(|shown| shown.place == place).map(|shown| &shown.terrain.grid);
        let size = shown.map(|grid| (grid.columns, grid.rows));
        let size = size.or_else(|| document.terrain_card().map(|card| (card.x, card.z)));
        size.map_or(1, |(columns, rows)| usual_step(columns, rows))
    }

    /// Width, height and depth of a model, level or landscape that is shown; of a model while no clip plays.
    fn extent_of(&self, place: Place) -> Option<Vec3> {
        let bounds = match &self.content {
            StageContent::Model(shown) if shown.place == place => self.still_bounds()?,
            StageContent::Level(shown) if shown.place == place => shown.bounds,
            StageContent::Landscape(shown) if shown.place == place => shown.bounds,
            _ => return None,
        };
        Some(bounds.max - bounds.min).filter(|extent| extent.is_finite())
    }
}

/// Names of options for notes. The window has none for the size of textures.
pub(super) const OPTION_NAMES: OptionNames = OptionNames {
    bind_pose: "Playback › “Bind pose while no clip plays”",
    baked_light: "“Export…” in the level's menu",
    original_size: "",
};

/// Options of an export of complete files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub overwrite: bool,
    /// True to write an export of any size, without overwriting files.
    pub any_size: bool,
}

impl Exports {
    /// Prepares the export of an entry.
    pub(crate) fn begin_export(&mut self, core: &mut Core, stage: &mut Stage, place: Place) {
        let Some(file) = core.file(place.file) else { return };
        let document = file.document.as_ref();
        let Some(entry) = document.outline().get(place.entry) else { return };
        let formats = formats_for(document, place.entry);
        let Some(format) = formats.first().copied() else { return };
        let stem = natural_stem(&file.name, document, entry);
        let folder = self.folder.clone().or_else(|| file.on_disk.parent().map(PathBuf::from)).unwrap_or_default();
        let own_extension = stage.own_extension(core, place, entry.content);
        let extension = if format == ExportFormat::Raw { own_extension } else { format.extension() };
        let path = folder.join(format!("{stem}.{extension}"));
        let path = crate::files::absolute(&path).unwrap_or(path);
        let name = if entry.name.is_empty() { file.name.clone() } else { entry.name.to_string() };
        let is_shown = stage.model().is_some_and(|shown| shown.place == place);
        let playback = stage.playback().filter(|_| is_shown);
        let player = playback.map(|playback| &playback.player);
        let playing = playback.and_then(|playback| playback.playing);
        self.draft = Some(ExportDraft {
            place,
            name,
            formats,
            format,
            own_extension,
            path: path.display().to_string(),
            clips: playback.map(|playback| playback.clips.iter().map(|item| draft_clip(item, playing)).collect()),
            playing,
            rate_hz: player
                .filter(|player| playing.is_some() && player.clip().is_some_and(|clip| clip.rate_is_assumed))
                .map(Player::rate_hz),
            plain_skeleton: false,
            bind_pose: player.is_some_and(|player| player.options.bind_pose),
            has_bones: is_shown && stage.model().is_some_and(|shown| shown.model.skeleton.is_some()),
            frame: player.filter(|_| playing.is_some()).map(Player::frame),
            posed: playing.is_some(),
            space: core.settings.export_space(format_of(document, place.entry)),
            extent: stage.extent_of(place),
            file_space: false,
            mips: false,
            of_terrain: entry.content == Content::Terrain,
            step: stage.usual_step(place, document),
            easting: 0.0,
            overwrite: false,
            any_size: false,
        });
    }

    /// Exports in the background what the dialog holds.
    pub(crate) fn run_export(&mut self, core: &mut Core, stage: &mut Stage) {
        let Some(draft) = self.draft.take() else { return };
        let Some(file) = core.file(draft.place.file).cloned() else { return };
        let path = PathBuf::from(draft.path.trim());
        if draft.format.has_space() {
            core.settings.set_export_space(format_of(file.document.as_ref(), draft.place.entry), draft.space);
        }
        self.folder = path.parent().filter(|p| !p.as_os_str().is_empty()).map(PathBuf::from);
        let taken =
            draft.clips.iter().flatten().filter(|clip| clip.taken && draft.takes_clips()).map(|clip| clip.place);
        let mut wanted: Vec<Place> = taken.collect();
        if draft.takes_pose() && draft.posed {
            wanted = draft.playing.into_iter().collect();
        }
        let finds_clips = draft.clips.is_none() && draft.format.is_gltf();
        let clip = |place: &Place| {
            let (file, entry) = (core.file(place.file)?.clone(), place.entry);
            Some(ClipOf { file, entry, is_own: false })
        };
        let clips: Vec<ClipOf> = wanted.iter().filter_map(clip).collect();
        let PlaySettings { binding, assumed_rate_hz, .. } = stage.play_settings();
        let load = core.load_options();
        let bind_pose = draft.bind_pose;
        // As it is seen.
        let wears_set =
            draft.clips.is_some() && stage.playback().is_some_and(|playback| playback.player.material_set().is_some());
        let open = core.open_files();
        let shown = stage.model().map(|shown| shown.model.clone());
        let sender = core.works.sender();
        core.works.run(format!("Exporting {}", draft.name), move |cx| {
            let _reading = file.note();
            // The model that is seen with the clip, else one that it is for.
            let model_for = |clip: &Clip, entry: EntryId| -> Option<Arc<Model>> {
                let seen = shown.clone().filter(|model| Binding::new(clip, model, binding).fit.any());
                seen.or_else(|| model_among(&file, entry, clip, &open, load, cx.cancel()))
            };
            let source = ExportSource {
                file: &file.name,
                document: file.document.as_ref(),
                resolver: file.resolver(),
                limits: file.limits(),
                load,
                binding,
                clips_for: &|model, entry| {
                    let clips = match finds_clips {
                        true => own_clips(&file, entry, model, &open, cx.cancel()),
                        false => clips.clone(),
                    };
                    clips.into_iter().map(|clip| model_clip(clip, load)).collect()
                },
                model_for: &model_for,
                frame: draft.frame.filter(|_| draft.takes_pose() && draft.posed),
                obj_space: if draft.is_in_file_space() { ObjSpace::File } else { ObjSpace::Scene },
                glb: GlbOptions {
                    assumed_rate_hz: draft.rate_hz.or(assumed_rate_hz),
                    lights: LevelLights::Baked,
                    wears_set,
                    plain_skeleton: draft.plain_skeleton && draft.takes_bones(),
                    bind_pose,
                    names: OPTION_NAMES,
                    ..GlbOptions::default()
                },
                space: &|_| draft.space,
                registers: &[],
                mips: draft.mips,
                terrain: TerrainExport { step: Some(draft.step), easting: draft.easting },
            };
            let progress = |done: u64, total: u64, step: &str| cx.progress(done, total, step);
            let (cancel, force) = (cx.cancel(), draft.overwrite);
            let max_output = draft.any_size.then_some(u64::MAX);
            let job = ExportJob { cancel, progress: &progress, force, max_output, resume: false };
            let made = export_entry(&source, draft.place.entry, draft.format, &path, &job);
            if cx.cancelled() {
                return;
            }
            if let Err(ExportError::OverBudget { size, .. }) = &made {
                let (name, size) = (draft.name.clone(), *size);
                let anyway = ExportCommand::Write(Box::new(ExportDraft { any_size: true, ..draft }));
                let _ = sender.send(ask(name, size, anyway));
                return;
            }
            for entry in report(&file.name, made) {
                let _ = sender.send(Message::Log(entry));
            }
        });
    }
}

impl Stage {
    /// The ending of a file that holds an entry's own bytes.
    fn own_extension(&self, core: &Core, place: Place, content: Content) -> &'static str {
        let unknown = ExportFormat::Raw.extension();
        if !matches!(content, Content::Sound | Content::Music) {
            return unknown;
        }
        let shown = self.sound().filter(|s| s.place == place).map(|s| s.asset.clone());
        let asset = shown.or_else(|| {
            let loaded = core.file(place.file)?.load(place.entry, core.load_options(), Cancel::never());
            Some(loaded.ok()?.asset)
        });
        match asset {
            Some(Asset::Sound(sound)) => sound.extension,
            Some(Asset::Music(music)) => music.extension,
            _ => unknown,
        }
    }
}

impl Core {
    pub(crate) fn open_files(&self) -> Vec<Arc<OpenFile>> {
        self.library.files.iter().map(|opened| opened.file.clone()).collect()
    }
}

/// The model that a clip is for: of the files that are open, else of those beside its own.
pub fn model_among(
    file: &Arc<OpenFile>,
    entry: EntryId,
    clip: &Clip,
    open: &[Arc<OpenFile>],
    load: LoadOptions,
    cancel: &Cancel,
) -> Option<Arc<Model>> {
    let others = open.iter().filter(|other| !Arc::ptr_eq(other, file));
    model_for(file, entry, clip, others, load, cancel).or_else(|| {
        let paths = model_files(&file.path, file.document.format(), MAX_COMPANIONS);
        let beside: Vec<Arc<OpenFile>> =
            paths.iter().filter_map(|path| OpenOptions::new().open(path).ok().map(Arc::new)).collect();
        model_for(file, entry, clip, &beside, load, cancel)
    })
}

/// What belongs is taken, and what a person plays.
fn draft_clip(item: &ClipItem, playing: Option<Place>) -> DraftClip {
    let ClipItem { place, name, belongs, group, reason, .. } = item.clone();
    let reason = format!("{group}: {reason}");
    DraftClip { place, name, belongs, reason, taken: belongs || playing == Some(place) }
}

/// The clips of a model that is not on the stage, by the rule for one that is: its own, of its file, else of the open files and
/// those beside it.
fn own_clips(
    file: &Arc<OpenFile>,
    entry: EntryId,
    model: &Model,
    open: &[Arc<OpenFile>],
    cancel: &Cancel,
) -> Vec<ClipOf> {
    let is_open = |path: &Path| open.iter().any(|other| other.path == path);
    let mut others = open.to_vec();
    let beside = clip_files(&file.path, file.document.format(), MAX_COMPANIONS, is_open);
    others.extend(beside.iter().filter_map(|path| OpenOptions::new().open(path).ok().map(Arc::new)));
    clips_for((file, entry), || &others, others.len(), model, ClipChoice::Belonging, cancel).clips
}

/// A clip of a file, as exports want it.
pub fn model_clip(clip: ClipOf, options: LoadOptions) -> ModelClip {
    let (file, entry, only_if_it_fits) = (clip.file.clone(), clip.entry, clip.is_own);
    let load = move |cancel: &Cancel| clip.load(options, cancel);
    let mut out = ModelClip::of(&*file.document, &file.path, entry, load);
    out.only_if_it_fits = only_if_it_fits;
    out
}

/// Asks whether something very large is to be written.
pub fn ask(name: String, size: u64, anyway: ExportCommand) -> Message {
    let anyway = Box::new(anyway);
    Message::Command(Command::Export(ExportCommand::AskLarge(Box::new(LargeExport { name, size, anyway }))))
}

/// Returns the log lines of an export.
fn report(file: &str, made: Result<Exported, ExportError>) -> Vec<LogEntry> {
    let exported = match made {
        Ok(exported) => exported,
        Err(error) => return vec![LogEntry::new(Severity::Error, file, format!("cannot export: {error}"))],
    };
    let mut entries: Vec<LogEntry> =
        grouped(&*exported.notes).into_iter().map(|note| LogEntry::new(Severity::Info, file, note)).collect();
    entries.push(match exported.paths.as_slice() {
        [] => LogEntry::new(Severity::Info, file, "nothing was exported"),
        [path, others @ ..] => {
            let mut text = format!("exported to {}", path.display());
            if !others.is_empty() {
                text += &format!(" and {}", counted(others.len(), "more file"));
            }
            LogEntry::exported(Severity::Info, file, text, path)
        }
    });
    entries
}

impl Exports {
    pub(crate) fn apply_export(&mut self, core: &mut Core, stage: &mut Stage, command: ExportCommand) {
        use ExportCommand as C;
        match command {
            C::Prepare(place) => self.begin_export(core, stage, place),
            C::PrepareShown => match stage.content.place() {
                Some(place) => self.begin_export(core, stage, place),
                None => core.log.announce(LogEntry::new(
                    Severity::Info,
                    "",
                    "There is nothing to export. Open a model first",
                )),
            },
            C::Edit(draft) => self.draft = Some(*draft),
            C::SetPath(path) => {
                // The dialog has asked already.
                if let Some(draft) = &mut self.draft {
                    (draft.path, draft.overwrite) = (path.display().to_string(), true);
                }
                if let Some(draft) = &mut self.picture {
                    (draft.path, draft.overwrite) = (path.display().to_string(), true);
                }
            }
            C::Browse => {
                let export = self.draft.as_ref().map(|draft| &draft.path);
                if let Some(path) = export.or(self.picture.as_ref().map(|draft| &draft.path)) {
                    core.effects.push(Effect::AskWhere(PathBuf::from(path.trim())));
                }
            }
            C::PreparePicture => self.begin_picture_export(core, stage),
            C::EditPicture(draft) => self.edit_picture_export(stage, *draft),
            C::DrawPicture => self.run_picture_export(core, stage),
            C::Run => self.run_export(core, stage),
            C::Write(draft) => {
                self.draft = Some(*draft);
                self.run_export(core, stage);
            }
            C::AskLarge(large) => self.large = Some(*large),
            C::WriteLarge => {
                if let Some(large) = self.large.take() {
                    self.apply_export(core, stage, *large.anyway);
                }
            }
            C::Cancel => (self.draft, self.large, self.picture) = (None, None, None),
            C::AllDialog(file) => core.effects.push(Effect::AskExportFolder(file)),
            C::All { file, folder, overwrite, any_size } => {
                stage.export_all(core, file, folder, Terms { overwrite, any_size });
            }
            C::SeveralDialog(places) => core.effects.push(Effect::AskSeveralFolder(places)),
            C::Several { places, folder, overwrite, any_size } => {
                stage.export_several(core, places, folder, Terms { overwrite, any_size });
            }
            C::UnpackDialog(place) => core.effects.push(Effect::AskUnpackFolder(place)),
            C::Unpack { place, folder, overwrite, any_size } => {
                stage.unpack(core, place, folder, Terms { overwrite, any_size });
            }
        }
    }
}

/// Pixels of the longer side unless a size was chosen for pictures of the stage.
const USUAL_SIDE: f32 = 800.0;

/// The player of the shown model; one without a clip if something else is shown.
fn player_of(stage: &Stage) -> Player {
    stage.playback().map(|playback| playback.player.clone()).unwrap_or_default()
}

impl Exports {
    /// Prepares a picture of what is on the stage: a GIF of the clip that plays, a PNG without one.
    pub(crate) fn begin_picture_export(&mut self, core: &mut Core, stage: &mut Stage) {
        let place = stage.content.place().filter(|_| stage.content.is_space());
        let Some((place, file)) = place.and_then(|place| Some((place, core.file(place.file)?))) else {
            let text = "There is nothing to export as an image. Show a model, level or landscape first";
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        };
        let player = player_of(stage);
        let shots = Shots::new(&player, Turntable::Off, ShotRate::Own);
        let has_clip = stage.model().is_some() && shots.moves();
        let stem = file.path.file_stem().map_or_else(|| "picture".into(), |stem| stem.to_string_lossy().into_owned());
        let folders = [self.folder.clone(), core.settings.picture_folder.clone()];
        let own = || file.on_disk.parent().map(PathBuf::from);
        let folder = folders.into_iter().flatten().next().or_else(own).unwrap_or_default();
        let format = if has_clip { PictureFormat::Animated(AnimatedFormat::Gif) } else { PictureFormat::Png };
        let path = folder.join(format!("{stem}.{}", format.extension()));
        let path = crate::files::absolute(&path).unwrap_or(path);
        let can_pipe = find_ffmpeg().is_some();
        let animated = AnimatedFormat::ALL.into_iter().filter(|format| can_pipe || !format.needs_ffmpeg());
        let entry = file.entry(place.entry).map(|entry| entry.name.to_string()).filter(|name| !name.is_empty());
        let mut draft = PictureDraft {
            name: entry.unwrap_or_else(|| file.name.clone()),
            formats: [PictureFormat::Png, PictureFormat::PngSequence]
                .into_iter()
                .chain(animated.map(PictureFormat::Animated))
                .collect(),
            format,
            path: path.display().to_string(),
            size: core.settings.picture_size.unwrap_or_else(|| usual_size(stage.viewport.aspect)),
            transparent: false,
            has_clip,
            motion: if has_clip { PictureMotion::Clip } else { PictureMotion::Turntable },
            turn_secs: None,
            fps: if has_clip { (shots.count() as f32 / shots.length_secs() as f32).round().max(1.0) } else { 25.0 },
            shots,
            overwrite: false,
        };
        draft.follow(&player);
        self.picture = Some(draft);
    }

    /// Takes what was changed in the dialog.
    pub(crate) fn edit_picture_export(&mut self, stage: &mut Stage, mut draft: PictureDraft) {
        draft.follow(&player_of(stage));
        self.picture = Some(draft);
    }

    /// Has the picture drawn and written, unless it cannot be.
    pub(crate) fn run_picture_export(&mut self, core: &mut Core, stage: &mut Stage) {
        let Some(draft) = self.picture.take() else { return };
        if !stage.content.is_space() {
            return;
        }
        if let Some(why) = draft.refusal() {
            return core.log.announce(LogEntry::new(Severity::Warning, "", why));
        }
        let path = PathBuf::from(draft.path.trim());
        self.folder = path.parent().filter(|p| !p.as_os_str().is_empty()).map(PathBuf::from);
        core.effects.push(Effect::DrawPictures(Box::new(draft)));
    }
}

/// A picture of this width by height, even on both sides for programs that want that.
fn usual_size(aspect: f32) -> [u32; 2] {
    let aspect = if aspect.is_finite() { aspect.clamp(0.1, 10.0) } else { 1.0 };
    let even = |side: f32| (side / 2.0).round().max(8.0) as u32 * 2;
    if aspect >= 1.0 {
        [even(USUAL_SIDE), even(USUAL_SIDE / aspect)]
    } else {
        [even(USUAL_SIDE * aspect), even(USUAL_SIDE)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::picture_draft;

    #[test]
    fn usual_sizes_can_be_made_and_are_even() {
        for aspect in [0.0, 0.3, 1.0, 1.6, 99.0, f32::NAN, f32::INFINITY] {
            let size = usual_size(aspect);
            assert_eq!(
                (picture_draft::size_refusal(size), size[0] % 2, size[1] % 2),
                (None, 0, 0),
                "{aspect}: {size:?}"
            );
        }
        assert_eq!(usual_size(1.6), [800, 500]);
    }
}
