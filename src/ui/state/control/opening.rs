//! Opening files and folders.

use crate::{
    bytes::{
        Limits,
        numbers::{counted, grouped},
    },
    formats::{Content, Diagnostic, EntryId, Severity},
    library::{EntryMoves, LEFT_ALONE, OpenFile, OpenOptions, Quarantine, collection::Store, expand, is_code, primary},
    ui::{
        command::{CollectionCommand, Command, LibraryCommand, WindowCommand},
        kept_reading::overrides_of,
        place::{FileId, Place},
        saved_view::MAX_SESSION,
        state::{
            State,
            core::Core,
            log::LogEntry,
            message::{MAX_NOTICES, Message},
            refused::Refused,
            stage::StageContent,
            stages::Stages,
            works::AskedBy,
        },
        view_file,
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Files of one request are held in memory up to so many bytes altogether.
const MAX_BYTES: u64 = 2 << 30;

/// The name of the button that opens a file which is left alone.
const TRY_AGAIN: &str = "Try again";

/// Pictures that are no files of the library, by their extensions.
const PICTURES: [&str; 4] = ["png", "tga", "bmp", "dds"];

impl State {
    /// Opens what was open when the program ended last.
    pub fn restore_session(&mut self) {
        if !self.core.settings.reopen_session {
            return;
        }
        let prefers = self.core.settings.session_shown.clone();
        let Some(id) = self.core.open_in_background(self.core.settings.session.clone(), AskedBy::Saved) else { return };
        if let Some(work) = self.core.works.get_mut(id) {
            work.restores = true;
            work.prefers = prefers;
        }
        if let Some(view) = self.core.settings.session_view.clone() {
            let paths = view.files.iter().map(|file| file.path.clone()).collect();
            self.restore_view(view, paths, Some(id));
        }
    }

    /// A file is open: adds it to the library, and shows the first model of the request.
    pub(crate) fn opened(&mut self, work_id: u64, file: Arc<OpenFile>) {
        let Some(work) = self.core.works.get(work_id) else { return };
        let (first, quiet, restores) = (work.opened.is_empty(), work.is_quiet(), work.restores);
        let (joins_fit, joins_scene, textures) = (work.joins_fit, work.joins_scene, work.textures);
        let id = self.add_file(file.clone(), quiet);
        if !restores && !file.piped {
            self.core.settings.remember(&file.path);
            self.collection.collect(&mut self.core, &file);
        }
        let Some(work) = self.core.works.get_mut(work_id) else { return };
        work.opened.push(id);
        if joins_fit {
            return self.collection.join_wanted_fit(&mut self.core, &mut self.stages.front);
        }
        if let Some(entry) = work.entry.take() {
            // What it shows is known: neither a model of the file nor one for its clips is looked for.
            (work.shows, work.shows_model) = (true, true);
            if let Some(wanted) = self.collection.take_wanted(&file.path) {
                let place = Place { file: id, entry: wanted.entry };
                self.stages.front.select(&mut self.core, place);
                return self.stages.front.show_text_at(&mut self.core, place, Some((0, wanted.line, (0, 0))), None);
            }
            return self.stages.front.show_favourite(&mut self.core, id, &entry);
        }
        if textures.is_some_and(|alone| self.stages.texture_with(&mut self.core, id, &file, alone)) {
            return;
        }
        if self.restore.restores_by(work_id) {
            return self.go_on_restoring();
        }
        let whole = Place { file: id, entry: EntryId::FILE };
        if joins_scene && self.core.model_in(whole).is_some() {
            return self.stages.front.add_to_scene(&mut self.core, whole);
        }
        if first || self.core.selection.is_none() {
            self.stages.front.select(&mut self.core, whole);
        }
        let Some(work) = self.core.works.get_mut(work_id) else { return };
        if work.shows_model || work.prefers.as_ref().is_some_and(|path| *path != file.path) {
            return;
        }
        let content = if is_code(&file) { Some(Content::Text) } else { about(&file) };
        let is_space = matches!(content, Some(Content::Map | Content::Terrain | Content::Model));
        // A texture or a sound of the same request gives way to a model, a level or a landscape.
        if is_space || content.is_some() && !work.shows {
            (work.shows, work.shows_model) = (true, is_space);
            let before = work.dropped_on.filter(|before| content == Some(Content::Model) && before.file != id);
            self.stages.front.show(&mut self.core, whole);
            if let Some(main) = before {
                self.stages.front.offer_to_join(&mut self.core, main, whole);
            }
        }
    }

    /// Adds a file, or puts it in the place of the same one; when `quiet`, what is wrong with it is in the log alone.
    pub(crate) fn add_file(&mut self, file: Arc<OpenFile>, quiet: bool) -> FileId {
        let known = self.core.library.at_path(&file.path).and_then(|id| Some((id, self.core.file(id)?.clone())));
        let id = match known {
            Some((id, old)) => {
                self.core.cache.forget(&old.path);
                let moves = EntryMoves::new(&old, &file);
                self.core.library.replace(id, file.clone(), |entry| moves.of(entry));
                self.reloads.is_fresh(id);
                self.move_places(id, &moves, file.document.source().len() as u64);
                self.stages.load_anew_on_stages(&mut self.core, id);
                self.stages.refresh_scenes(&mut self.core);
                id
            }
            None => self.core.library.add(file.clone()),
        };
        let entries = file.document.outline().entries().len() - 1;
        let kind = file.document.format().name;
        self.core.log.push(
            LogEntry::new(Severity::Info, &file.name, format!("opened: {kind}, {}", counted(entries, "entry")))
                .at(Place { file: id, entry: EntryId::FILE }),
        );
        self.core.note_diagnostics(id, &file.diagnostics, quiet);
        id
    }

    /// Every file of a request is open: clips without a model of their own look for one.
    pub(crate) fn all_opened(&mut self, work: u64) {
        let work_id = work;
        let Some(work) = self.core.works.get(work) else { return };
        let (opened, named, mut shows_model) = (work.opened.clone(), work.named.clone(), work.shows_model);
        let (failed, restores, quiet) = (work.failed, work.restores, work.is_quiet());
        let work_joins_fit = work.joins_fit;
        // What was on show last has come back as what it is, or is gone.
        let prefers = work.prefers.is_some() && !work.shows;
        if quiet && (failed > 0 || !restores) {
            self.core.log.announce(summary(opened.len(), failed));
        }
        if work_joins_fit {
            // Another one may be wanted by now.
            if self.collection.fits.opening == Some(work_id) {
                self.collection.fits.forget_wanted();
            }
            return;
        }
        if self.restore.restores_by(work_id) && self.end_restoring() {
            return;
        }
        if prefers && !shows_model {
            // What was on show is gone: any other model will do.
            let model = |id: &FileId| Some(Place { file: *id, entry: self.core.file(*id)?.models().next()?.id });
            if let Some(place) = opened.iter().find_map(model) {
                shows_model = true;
                self.stages.front.show(&mut self.core, place);
            }
        }
        let clips: Vec<FileId> = opened
            .iter()
            .copied()
            .filter(|id| self.core.file(*id).is_some_and(|f| !is_code(f) && !f.entries_with(Content::Clip).is_empty()))
            .collect();
        if clips.is_empty() {
            return;
        }
        if shows_model {
            if let [only] = clips.as_slice()
                && self.core.file(*only).is_some_and(|file| named.contains(&file.path))
            {
                self.stages.front.pending.meant = Some(*only);
            }
            // Among several models it is not known which of them the clips were meant for.
            let has_model = |id: &&FileId| self.core.file(**id).is_some_and(|f| f.models().next().is_some());
            if opened.iter().filter(has_model).count() == 1 {
                self.stages.front.pending.to_judge.extend(clips);
            }
            // The model itself asks when it is there; if it is already, it has not seen these.
            if self.stages.front.pending.loads.shown().is_none() {
                self.stages.front.look_for_clips(&mut self.core, false);
            }
        } else {
            self.stages.front.pair(&mut self.core, clips);
        }
    }

    /// Forgets what came from a file that is closed.
    pub(crate) fn forget_presented(&mut self, file: FileId) {
        self.thumbnails.forget(file);
        self.lookups.scripts.found.retain(|(of, _)| *of != file);
        for stage in self.stages.iter_mut() {
            if let Some(playback) = stage.playback_mut() {
                playback.clips.retain(|c| c.place.file != file);
                if playback.playing.is_some_and(|p| p.file == file) {
                    stage.stop_clip();
                }
            }
            let is_last = matches!(stage.content, StageContent::Pictures) && self.core.library.files.is_empty();
            if is_last || stage.content.subject().file() == Some(file) {
                stage.take_stage(&mut self.core, StageContent::Empty);
            }
            if let Some(shown) = stage.content.kept_model_mut() {
                shown.curves.shown.take_if(|curves| curves.place.file == file);
            }
            stage.forget_file(file);
        }
    }
}

impl Stages {
    /// Opens files that were dropped. Pictures become textures of the active model if they fit it.
    pub(crate) fn open_dropped(&mut self, core: &mut Core, paths: Vec<PathBuf>) {
        let Some(target) = self.target_in_front(core) else { return core.open(paths) };
        let alone = paths.len() == 1;
        let (pictures, others): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| is_picture(path));
        self.texture_with_pictures(core, &target, pictures, alone);
        let are_files = others.iter().all(|path| crate::files::is_file(path));
        if let Some(work) = core.open_in_background(others, AskedBy::Person)
            && let Some(work) = core.works.get_mut(work)
        {
            work.textures = are_files.then_some(alone);
            work.dropped_on = Some(target.place);
        }
    }

    /// Notes what is open as the session to come back to. Not while one is still coming back: it would lose the rest.
    pub fn keep_session(&mut self, core: &mut Core) {
        if core.works.iter().any(|work| work.restores) {
            return;
        }
        let absolute = |path: &Path| crate::files::absolute(path).unwrap_or_else(|_| path.to_owned());
        let again = core.library.files.iter().filter(|f| !f.file.piped).take(MAX_SESSION);
        core.settings.session = again.map(|f| absolute(&f.file.path)).collect();
        let shown = self.front.content.subject().file().and_then(|file| core.file(file)).map(|f| absolute(&f.path));
        // What was shown last may still be on its way to the stage.
        let is_open = |path: &PathBuf| core.settings.session.contains(path);
        core.settings.session_shown = shown.or(core.settings.session_shown.take().filter(is_open));
    }

    /// Changes whenever [`State::keep_session`] may have something new to note.
    pub fn session_revision(&self, core: &Core) -> (u64, Option<FileId>, bool) {
        let shown = self.front.content.subject().file();
        (core.library.revision(), shown, core.works.iter().any(|work| work.restores))
    }
}

/// Returns true if a file is an image that may replace a texture instead of being opened.
fn is_picture(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| PICTURES.contains(&extension.as_str())) && crate::files::is_file(path)
}

impl Core {
    pub(crate) fn open(&mut self, paths: Vec<PathBuf>) {
        self.open_in_background(paths, AskedBy::Person);
    }

    /// Opens what the command line names: pipes too.
    pub fn open_named(&mut self, paths: Vec<PathBuf>) {
        self.open_in_background(paths, AskedBy::CommandLine);
    }

    /// Names the files that are left alone. Call it before files are opened.
    pub fn start_quarantine(&mut self, store: &Store) {
        let left_alone = Quarantine::shared().start(&store.journals());
        // Files that were named at an earlier start are in the log alone.
        let new = left_alone.iter().filter(|file| file.is_new).count();
        for file in left_alone {
            let entry = LogEntry::new(Severity::Warning, &name_of(&file.path), LEFT_ALONE)
                .with_action(TRY_AGAIN, try_again(&file.path));
            if file.is_new && new <= MAX_NOTICES {
                self.log.announce(entry);
            } else {
                self.log.push(entry);
            }
        }
        if new > MAX_NOTICES {
            let text = format!(
                "Bonebox crashed or was closed while reading {}. The log lists the skipped files",
                counted(new, "file")
            );
            self.log.announce(LogEntry::new(Severity::Warning, "", text));
        }
    }

    /// Opens files and folders.
    pub(crate) fn open_in_background(&mut self, paths: Vec<PathBuf>, by: AskedBy) -> Option<u64> {
        let (views, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| view_file::is_view(path));
        if let Some(view) = views.into_iter().next() {
            self.open_view(view);
        }
        if paths.is_empty() {
            return None;
        }
        let title = match paths.as_slice() {
            [one] => format!("Opening {}", name_of(one)),
            many => format!("Opening {}", counted(many.len(), "file")),
        };
        let sender = self.works.sender();
        let (folders, readings) = (self.settings.folders.clone(), self.settings.readings.clone());
        let id = self.works.next_id();
        let named = paths.clone();
        self.works.run_apart(title, move |cx| {
            for folder in folders_of(&paths) {
                let _ = sender.send(Message::Command(Command::Collection(CollectionCommand::Add(folder))));
            }
            let files = expand(&paths);
            if files.is_empty() {
                let name = paths.first().map(|p| name_of(p)).unwrap_or_default();
                let message = "the folder contains no files in supported formats";
                let _ = sender.send(Message::Log(LogEntry::new(Severity::Warning, &name, message)));
            }
            let _ = sender.send(Message::Opening { work: id, files: files.len() });
            let mut bytes = 0_u64;
            for (index, path) in files.iter().enumerate() {
                if cx.cancelled() {
                    return;
                }
                cx.progress(index as u64, files.len() as u64, &name_of(path));
                // What lies in a folder that was named was not named itself.
                if by != AskedBy::Saved && paths.contains(path) && Quarantine::shared().try_again(path) {
                    let _ = sender.send(Message::Command(Command::Collection(CollectionCommand::Update)));
                }
                let _reading = Quarantine::shared().reading_in_turn(path);
                let size = crate::files::metadata(path).map_or(0, |m| m.len());
                // One that is too large for itself is refused with its size.
                let is_too_much = bytes.saturating_add(size) > MAX_BYTES && size <= Limits::default().file_bytes;
                let opened = if index > 0 && is_too_much {
                    let why = "skipped: the other opened files already use 2 GiB of memory. Open this file separately";
                    Err((why.to_owned(), None))
                } else {
                    let overrides = overrides_of(&readings, path);
                    let named = by == AskedBy::CommandLine && paths.contains(path);
                    let options = OpenOptions::new().folders(&folders).reading(overrides).pipes(named);
                    options
                        .open(path)
                        // The file may be another one since it was said how to read it.
                        .or_else(|error| match overrides.is_empty() {
                            true => Err(error),
                            false => OpenOptions::new().folders(&folders).open(path),
                        })
                        .map(|file| file.without_packing(&options))
                        // References are followed once here, not when the window draws them.
                        .inspect(|file| drop(file.document.fields(EntryId::FILE)))
                        .map_err(|error| {
                            let refused = Refused::of(path, &error);
                            (error.message, refused)
                        })
                };
                // What stays on the disk fills no memory.
                let source =
                    opened.as_ref().ok().map(|file| file.document.source()).filter(|source| !source.is_stored());
                bytes = bytes.saturating_add(source.map_or(0, |source| source.len() as u64));
                let _ = sender.send(match opened {
                    Ok(file) => Message::Opened { work: id, file: Arc::new(file) },
                    Err((why, refused)) => Message::NotOpened { work: id, path: path.clone(), why, refused },
                });
            }
            let _ = sender.send(Message::AllOpened { work: id });
        });
        if let Some(work) = self.works.get_mut(id) {
            work.named = named;
        }
        Some(id)
    }

    /// The files of a request are counted.
    pub(crate) fn opening(&mut self, work: u64, files: usize) {
        if let Some(work) = self.works.get_mut(work) {
            work.files = files;
        }
    }

    /// A file cannot be opened.
    pub(crate) fn not_opened(&mut self, work: u64, path: &Path, why: String, refused: Option<Refused>) {
        let Some(work) = self.works.get_mut(work) else { return };
        work.failed += 1;
        let mut entry = LogEntry::new(Severity::Error, &name_of(path), why);
        if Quarantine::shared().leaves_alone(path) {
            entry = entry.with_action(TRY_AGAIN, try_again(path));
        } else if let Some(refused) = refused {
            let open = Command::Library(LibraryCommand::OpenAnyway(refused.path.clone()));
            entry = entry.with_action(refused.words(), open);
            self.library.note_refused(refused);
        }
        if work.is_quiet() {
            self.log.push(entry);
        } else {
            self.log.announce(entry);
        }
    }

    /// Puts findings into the log; the worst one is shown for a moment, unless `quiet`.
    pub(crate) fn note_diagnostics(&mut self, id: FileId, diagnostics: &[Diagnostic], quiet: bool) {
        let Some(name) = self.file(id).map(|f| f.name.clone()) else { return };
        let worst = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        for diagnostic in diagnostics {
            let mut entry = LogEntry::new(diagnostic.severity, &name, diagnostic.message.clone())
                .at(Place { file: id, entry: diagnostic.entry.unwrap_or(EntryId::FILE) });
            entry.offset = diagnostic.offset;
            entry.code = diagnostic.code;
            if diagnostic.severity == Severity::Error && worst == 1 && !quiet {
                self.log.announce(entry);
            } else {
                self.log.push(entry);
            }
        }
        if worst > 1 && !quiet {
            self.log.announce(LogEntry::new(
                Severity::Error,
                &name,
                format!("{} in this file. The rest of the file is shown", counted(worst, "error")),
            ));
        }
    }
}

/// Returns the content of a file's primary entry.
fn about(file: &OpenFile) -> Option<Content> {
    primary(file).and_then(|entry| file.entry(entry)).map(|entry| entry.content)
}

/// Opens a file that is left alone.
fn try_again(path: &Path) -> Command {
    Command::Library(LibraryCommand::Open(vec![path.to_owned()]))
}

/// The folders among some paths.
fn folders_of(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|path| crate::files::is_dir(path)).cloned().collect()
}

pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// Returns the summary of a request for many files.
fn summary(opened: usize, failed: usize) -> LogEntry {
    if failed == 0 {
        return LogEntry::new(Severity::Info, "", format!("{} opened", counted(opened, "file")));
    }
    let (failed, files) = (grouped(failed), counted(opened.saturating_add(failed), "file"));
    let text = format!("{failed} of {files} could not be opened");
    LogEntry::new(Severity::Warning, "", text).with_action("Show log", Command::Window(WindowCommand::ShowLog))
}

/// The existing paths in a text: one a line, bare, quoted or as `file://` links.
pub fn paths_in_text(text: &str) -> Vec<PathBuf> {
    text.lines()
        .filter_map(|line| {
            let line = line.trim().trim_matches(['"', '\'']);
            let path = match line.strip_prefix("file://") {
                Some(link) => PathBuf::from(percent_decoded(link)),
                None => PathBuf::from(line),
            };
            (!line.is_empty() && crate::files::exists(&path)).then_some(path)
        })
        .collect()
}

fn percent_decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scene::TargetKind,
        ui::{
            place::PlayMode,
            state::{message::FoundClips, stage::StageContent},
        },
    };

    #[test]
    fn pasted_paths_are_found_in_every_dress() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("a.psk");
        let spaced = folder.path().join("b ä.psk");
        std::fs::write(&plain, "x").unwrap();
        std::fs::write(&spaced, "x").unwrap();
        let link = format!("file://{}", spaced.display()).replace(' ', "%20").replace('ä', "%C3%A4");
        let text = format!("\"{}\"\n  {link}\r\nnothing/here\n\n", plain.display());
        assert_eq!(paths_in_text(&text), [plain, spaced]);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_told_of_and_keep_nothing_from_being_opened() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::new(Default::default(), crate::ui::state::Clock::Set(0.0));
        for index in 0..20 {
            let pipe = folder.path().join(format!("pipe{index}.psk"));
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            state.core.open(vec![pipe]);
        }
        let model = folder.path().join("arm.psk");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk"), &model).unwrap();
        state.core.open(vec![model]);
        settle(&mut state);
        let files: Vec<&str> = state.core.library.files.iter().map(|f| f.file.name.as_str()).collect();
        assert_eq!(files, ["arm.psk"]);
        let told = |name: &str| state.core.log.entries().iter().any(|e| e.file == name && e.message.contains("a pipe"));
        assert!((0..20).all(|index| told(&format!("pipe{index}.psk"))));
    }

    /// A state with copies of test files, settled.
    fn with(names: &[&str]) -> (tempfile::TempDir, State) {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let copy = |name: &&str| {
            let to = folder.path().join(name_of(Path::new(name)));
            std::fs::copy(data.join(name), &to).unwrap();
            to
        };
        let mut state = State::new(Default::default(), crate::ui::state::Clock::Set(0.0));
        state.core.open(names.iter().map(copy).collect());
        settle(&mut state);
        (folder, state)
    }

    fn settle(state: &mut State) {
        while state.core.works.is_busy() {
            state.tick();
            std::thread::yield_now();
        }
    }

    /// The file of a name is opened once more, as when a search beside another file was quicker.
    fn open_again(state: &mut State, name: &str) {
        let path = state.core.library.files.iter().find(|f| f.file.name == name).unwrap().file.path.clone();
        let file = OpenOptions::new().open(path).unwrap();
        state.add_file(Arc::new(file), true);
    }

    /// What the first entry of the file with such content is.
    fn place(state: &State, name: &str, content: Content) -> Place {
        let opened = state.core.library.files.iter().find(|f| f.file.name == name).unwrap();
        Place { file: opened.id, entry: opened.file.entries_with(content)[0] }
    }

    #[test]
    fn a_clip_that_is_being_read_plays_though_its_file_is_opened_again() {
        let (_folder, mut state) = with(&["actorx/syn_arm.psk", "actorx/syn_arm.psa"]);
        let clip = state.stages.front.playback().unwrap().playing.unwrap();
        state.stages.front.stop_clip();
        state.core.log.take_toasts();
        state.core.cache.forget(&state.core.file(clip.file).unwrap().path.clone());
        state.stages.front.play_clip(&mut state.core, clip, PlayMode::Quiet);
        assert_eq!(state.stages.front.playback().unwrap().playing, None, "it is being read");
        open_again(&mut state, "syn_arm.psa");
        settle(&mut state);
        assert_eq!(state.stages.front.playback().unwrap().playing, Some(clip));
        assert!(state.stages.front.playback().unwrap().player.clip().is_some());
        let told: Vec<String> = state.core.log.take_toasts().iter().map(|entry| entry.text()).collect();
        assert_eq!(told, [""; 0], "nobody asked for it");
    }

    #[test]
    fn a_search_for_clips_that_ends_late_changes_nothing_but_for_what_it_found() {
        let (folder, mut state) = with(&["actorx/syn_arm.psk", "actorx/syn_arm.psa"]);
        let names = |state: &State| {
            state.stages.front.playback().unwrap().clips.iter().map(|c| c.name.clone()).collect::<Vec<_>>()
        };
        let known = names(&state);
        let generation = state.stages.front.model().unwrap().generation;
        let turn = state.stages.front.pending.clip_search - 1;
        state.fits_found(FoundClips { generation, turn, fits: Vec::new(), found: Vec::new() });
        settle(&mut state);
        assert_eq!(names(&state), known);
        let beside = folder.path().join("more.psa");
        std::fs::copy(folder.path().join("syn_arm.psa"), &beside).unwrap();
        let found = vec![Arc::new(OpenOptions::new().open(&beside).unwrap())];
        state.fits_found(FoundClips { generation, turn, fits: Vec::new(), found });
        settle(&mut state);
        assert_eq!(names(&state), [known.clone(), known].concat());
    }

    #[test]
    fn a_clip_that_joins_another_plays_though_its_file_is_opened_again() {
        let (_folder, mut state) = with(&["j3d/arm.bdl", "j3d/arm_wave.bck", "j3d/arm.btp"]);
        let clip = place(&state, "arm.btp", Content::Clip);
        let joined =
            |state: &State| state.stages.front.playback().unwrap().player.layer(TargetKind::TextureSlots).is_some();
        assert!(joined(&state));
        let layer = state
            .stages
            .front
            .playback()
            .unwrap()
            .player
            .layers()
            .iter()
            .position(|l| l.kind() == TargetKind::TextureSlots);
        state.stages.front.remove_layer(crate::scene::LayerIndex(layer.unwrap() as u32));
        state.core.cache.forget(&state.core.file(clip.file).unwrap().path.clone());
        state.stages.front.play_clip(&mut state.core, clip, PlayMode::Join);
        assert!(!joined(&state), "it is being read");
        open_again(&mut state, "arm.btp");
        settle(&mut state);
        assert!(joined(&state));
    }

    #[test]
    fn a_model_that_is_being_read_is_shown_though_its_file_is_opened_again() {
        let (_folder, mut state) = with(&["actorx/syn_arm.psk"]);
        let model = place(&state, "syn_arm.psk", Content::Model);
        state.stages.front.take_stage(&mut state.core, StageContent::Empty);
        state.core.cache.forget(&state.core.file(model.file).unwrap().path.clone());
        state.stages.front.load(&mut state.core, model);
        assert!(state.stages.front.model().is_none(), "it is being read");
        open_again(&mut state, "syn_arm.psk");
        settle(&mut state);
        assert_eq!(state.stages.front.model().map(|shown| shown.place), Some(model));
    }

    #[test]
    fn a_result_that_is_no_longer_wanted_changes_nothing() {
        let (_folder, mut state) = with(&["actorx/syn_arm.psk", "j3d/arm.bdl"]);
        let forget = |state: &mut State, place: Place| {
            let path = state.core.file(place.file).unwrap().path.clone();
            state.core.cache.forget(&path);
        };
        let (old, new) = (place(&state, "syn_arm.psk", Content::Model), place(&state, "arm.bdl", Content::Model));
        let shown = |state: &State| state.stages.front.content.place();
        state.stages.front.take_stage(&mut state.core, StageContent::Empty);
        forget(&mut state, old);
        forget(&mut state, new);
        state.stages.front.load(&mut state.core, old);
        state.stages.front.load(&mut state.core, new);
        settle(&mut state);
        assert_eq!(shown(&state), Some(new));
        forget(&mut state, old);
        state.stages.front.load(&mut state.core, old);
        state.stages.front.stop_loading();
        settle(&mut state);
        assert_eq!(shown(&state), Some(new), "loading was stopped");
        state.stages.front.load(&mut state.core, old);
        state.close(old.file);
        settle(&mut state);
        assert_eq!(shown(&state), Some(new), "the file was closed");
        assert!(state.stages.front.pending.loads.shown().is_none());
    }

    #[test]
    fn an_entry_that_failed_is_shown_when_its_file_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        let (path, sample) = (folder.path().join("a.png"), "assets/samples/Ossie_Body.png");
        let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(sample)).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let mut state = State::new(Default::default(), crate::ui::state::Clock::Set(0.0));
        state.core.open(vec![path.clone()]);
        settle(&mut state);
        assert!(matches!(state.stages.front.content, StageContent::Failed(..)), "half of the file is missing");
        std::fs::write(&path, &bytes).unwrap();
        let file = state.core.library.files[0].id;
        state.read_again(Some(file));
        settle(&mut state);
        assert!(state.stages.front.image().is_some());
    }

    #[test]
    fn a_model_that_is_its_file_waits_for_the_main_model() {
        let (_folder, mut state) = with(&["j3d/arm.bdl", "actorx/syn_arm.psk"]);
        let (main, added) = (place(&state, "arm.bdl", Content::Model), place(&state, "syn_arm.psk", Content::Model));
        state.stages.front.take_stage(&mut state.core, StageContent::Empty);
        state.core.cache.forget(&state.core.file(main.file).unwrap().path.clone());
        state.stages.front.load(&mut state.core, main);
        state.stages.front.add_to_scene(&mut state.core, added);
        settle(&mut state);
        assert_eq!(state.stages.front.model().map(|shown| shown.place), Some(main));
        let models: Vec<Place> = state.stages.front.scene().unwrap().models.iter().map(|model| model.place).collect();
        assert_eq!(models, [added]);
    }
}
