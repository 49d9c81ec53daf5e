//! Stepping through the files of a folder, and through the pictures or sounds of a file.

use crate::{
    formats::{Content, EntryId, Severity},
    library::{OpenOptions, neighbour},
    ui::{
        kept_reading::overrides_of,
        place::Place,
        state::{
            StageContent, State,
            core::Core,
            log::LogEntry,
            message::{Message, SteppedFile},
            stage::Stage,
        },
    },
};
use std::sync::Arc;

/// Files in a row that are recognised and cannot be opened.
const MAX_FAILED: usize = 20;

impl State {
    /// Opens the file after the one in front, of those of its folder that a format recognises, or the one before it.
    pub(crate) fn step_file(&mut self, by: i32) {
        let is_on_its_way = self.file_step.work.is_some_and(|id| self.core.works.get(id).is_some());
        if is_on_its_way {
            self.file_step.more = self.file_step.more.saturating_add(by);
            return;
        }
        self.file_step.more = 0;
        // One that was stepped to may still be on its way to the stage.
        let stepped = self.core.selection.map(|place| place.file).filter(|file| Some(*file) == self.file_step.opened);
        let shown = || self.stages.front.content.subject().file();
        let selected = || self.core.selection.map(|place| place.file);
        let front = stepped.or_else(shown).or_else(selected).or_else(|| self.core.library.files.first().map(|f| f.id));
        let Some((from, file)) = front.and_then(|id| Some((id, self.core.file(id)?.clone()))) else {
            let text = "Open a file first to step through its folder";
            return self.core.log.announce(LogEntry::new(Severity::Info, "", text));
        };
        let sender = self.core.works.sender();
        let (folders, readings) = (self.core.settings.folders.clone(), self.core.settings.readings.clone());
        let way = if by > 0 { "next" } else { "previous" };
        let work = self.core.works.run_apart(format!("Opening the {way} file in the folder"), move |cx| {
            let mut path = file.path.clone();
            let mut wrapped = false;
            for _ in 0..MAX_FAILED {
                let Some(found) = neighbour(&path, by > 0, || cx.cancelled()) else { break };
                if cx.cancelled() {
                    return;
                }
                wrapped |= found.wrapped;
                if found.path == file.path {
                    break;
                }
                let overrides = overrides_of(&readings, &found.path);
                match OpenOptions::new().folders(&folders).reading(overrides).open(&found.path) {
                    Ok(file) => {
                        let stepped = SteppedFile { from, file: Arc::new(file), wrapped, by };
                        let _ = sender.send(Message::Stepped(stepped));
                        return;
                    }
                    Err(error) => {
                        let entry = LogEntry::new(Severity::Error, &error.file, error.message);
                        let _ = sender.send(Message::Log(entry));
                        path = found.path;
                    }
                }
            }
            let text = "the folder has no other file that can be opened";
            let _ = sender.send(Message::Log(LogEntry::new(Severity::Info, &file.name, text)));
        });
        self.file_step.work = Some(work);
    }
}

impl Stage {
    /// Shows the picture after the one on the stage, or the one before it; where a sound is on the stage, a sound.
    pub(crate) fn step_alike(&mut self, core: &mut Core, by: i32) {
        let shown = self.content.place();
        let Some(file) = self.content.subject().file().or(core.selection.map(|place| place.file)) else {
            return core.tell_nothing_alike("");
        };
        let Some(open) = core.file(file) else { return };
        let current = shown.or(core.selection).filter(|place| place.file == file).map(|place| place.entry);
        let content = current.and_then(|entry| open.entry(entry)).map(|entry| entry.content);
        let outline = open.document.outline();
        let list = |wanted: &[Content]| -> Vec<EntryId> {
            let is_one = |entry: &&crate::formats::Entry| wanted.contains(&entry.content) && !outline.is_part(entry);
            outline.entries().iter().filter(is_one).map(|entry| entry.id).collect()
        };
        let (pictures, sounds) = (list(&[Content::Image]), list(&[Content::Sound, Content::Music]));
        let is_sound =
            matches!(self.content, StageContent::Sound(_)) || matches!(content, Some(Content::Sound | Content::Music));
        let list = if is_sound || pictures.is_empty() { sounds } else { pictures };
        // From something else than one of them, on to the next below it.
        let after = |entry: EntryId| list.partition_point(|listed| *listed <= entry) as i64;
        let before = |entry: EntryId| list.partition_point(|listed| *listed < entry) as i64 - 1;
        let next = match (current, by > 0) {
            (Some(entry), true) => after(entry),
            (Some(entry), false) => before(entry),
            (None, true) => 0,
            (None, false) => -1,
        };
        let count = list.len() as i64;
        let next =
            (count > 0).then(|| next.rem_euclid(count)).and_then(|at| list.get(usize::try_from(at).ok()?).copied());
        match next {
            Some(entry) => {
                let place = Place { file, entry };
                self.select(core, place);
                self.show(core, place);
            }
            None => {
                let name = open.name.clone();
                core.tell_nothing_alike(&name);
            }
        }
    }
}

impl Core {
    fn tell_nothing_alike(&mut self, file: &str) {
        let text = "There are no images or sounds to step through";
        self.log.announce(LogEntry::new(Severity::Info, file, text));
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::{
        command::{Command, LibraryCommand, SelectionCommand},
        settings::Settings,
        state::{Clock, State},
    };
    use std::path::{Path, PathBuf};

    fn data(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
    }

    fn settled(state: &mut State) {
        while state.core.works.is_busy() {
            state.tick();
            std::thread::yield_now();
        }
        state.tick();
    }

    fn opened(paths: &[&Path]) -> State {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        let paths = paths.iter().map(|path| path.to_path_buf()).collect();
        state.apply(Command::Library(LibraryCommand::Open(paths)));
        settled(&mut state);
        state
    }

    fn names(state: &State) -> Vec<&str> {
        state.core.library.files.iter().map(|file| file.file.name.as_str()).collect()
    }

    fn step(state: &mut State, by: i32) -> String {
        state.apply(Command::Library(LibraryCommand::NextFile(by)));
        settled(state);
        state.core.selected_file().unwrap().name.clone()
    }

    /// Models and what is none, in an order that is not that of their names.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["c.psk", "B.psk", "a.psk"] {
            std::fs::copy(data("actorx/syn_arm.psk"), folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("aa.txt"), "nothing that is known").unwrap();
        std::fs::write(folder.path().join("b0.psk"), "").unwrap();
        folder
    }

    #[test]
    fn files_of_a_folder_follow_each_other_by_name_and_around_the_end() {
        let folder = folder();
        let mut state = opened(&[&folder.path().join("a.psk")]);
        assert_eq!(step(&mut state, 1), "B.psk");
        assert_eq!(names(&state), ["a.psk", "B.psk"], "what a person opened stays");
        assert_eq!(step(&mut state, 1), "c.psk");
        assert_eq!(names(&state), ["a.psk", "c.psk"], "what was stepped to gives way");
        assert!(state.stages.front.model().is_some());
        assert_eq!(step(&mut state, 1), "a.psk");
        assert!(state.core.log.entries().iter().any(|e| e.message.contains("reached the last file in the folder")));
        assert_eq!(names(&state), ["a.psk"]);
        assert_eq!(step(&mut state, -1), "c.psk");
        assert!(state.core.log.entries().iter().any(|e| e.message.contains("reached the first file in the folder")));
        assert_eq!(step(&mut state, -1), "B.psk");
        assert_eq!(names(&state), ["a.psk", "B.psk"]);
    }

    #[test]
    fn steps_that_are_asked_for_at_once_are_all_gone() {
        let folder = folder();
        let mut state = opened(&[&folder.path().join("a.psk")]);
        for _ in 0..2 {
            state.apply(Command::Library(LibraryCommand::NextFile(1)));
        }
        settled(&mut state);
        assert_eq!(state.core.selected_file().unwrap().name, "c.psk");
    }

    #[test]
    fn a_folder_without_others_or_that_is_gone_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("only.psk");
        std::fs::copy(data("actorx/syn_arm.psk"), &path).unwrap();
        let mut state = opened(&[&path]);
        assert_eq!(step(&mut state, 1), "only.psk");
        assert!(state.core.log.entries().back().unwrap().message.contains("no other file"));
        drop(folder);
        assert_eq!(step(&mut state, -1), "only.psk");
        assert_eq!(names(&state), ["only.psk"]);
        state.apply(Command::Library(LibraryCommand::CloseAll));
        state.apply(Command::Library(LibraryCommand::NextFile(1)));
        settled(&mut state);
        assert!(state.core.log.entries().back().unwrap().message.contains("Open a file first"));
    }

    #[test]
    fn pictures_and_sounds_of_a_file_follow_each_other() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/BoneboxFX.utx");
        let mut state = opened(&[&package]);
        let file = state.core.library.files[0].id;
        let outline = state.core.file(file).unwrap().document.outline();
        let pictures: Vec<u32> = outline.with_content(crate::formats::Content::Image).map(|entry| entry.id.0).collect();
        assert!(pictures.len() > 2);
        let mut go = |by: i32| {
            state.apply(Command::Selection(SelectionCommand::NextAlike(by)));
            settled(&mut state);
            assert_eq!(state.stages.front.content.place(), state.core.selection);
            state.core.selection.unwrap().entry.0
        };
        let forth: Vec<u32> = pictures.iter().map(|_| go(1)).collect();
        assert_eq!(forth, pictures);
        assert_eq!((go(1), go(-1)), (pictures[0], pictures[pictures.len() - 1]), "around the end");

        let mut empty = opened(&[&data("actorx/syn_arm.psk")]);
        empty.apply(Command::Selection(SelectionCommand::NextAlike(1)));
        assert!(empty.core.log.entries().back().unwrap().message.contains("no images or sounds"));
    }
}
