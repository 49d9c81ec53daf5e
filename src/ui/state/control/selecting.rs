//! The selection, and jumping to an entry by name, number or offset.

use crate::{
    bytes::numbers::counted,
    formats::EntryId,
    library::OpenFile,
    ui::{
        jump::{Jump, JumpTarget, quoted},
        place::{FileId, Place, owner_entry},
        section::Section,
        state::{
            core::Core,
            dialogs::Dialogs,
            stage::{Stage, model::ModelSelection},
        },
    },
};

impl Stage {
    pub(crate) fn select(&mut self, core: &mut Core, place: Place) {
        if core.file(place.file).and_then(|f| f.entry(place.entry)).is_none() || core.selection == Some(place) {
            return;
        }
        self.set_selection(core, place);
        self.history.note_selection(self.content.subject(), place);
    }

    pub(crate) fn set_selection(&mut self, core: &mut Core, place: Place) {
        core.selection = Some(place);
        core.selected_bytes = None;
        self.forget_picked();
        core.library.follow_selection(place);
        core.library.reveal(place);
        self.select_pieces(core, place);
        let socket = self.socket_at(core, place);
        self.select_in_model(|selected| selected.socket = socket);
    }

    /// Changes the selection within the shown model.
    pub(crate) fn select_in_model(&mut self, change: impl FnOnce(&mut ModelSelection)) {
        if let Some(shown) = self.content.kept_model_mut() {
            change(&mut shown.selected);
        }
    }

    /// Selects the bone or the surfaces of the shown model that an entry is.
    pub(crate) fn select_pieces(&mut self, core: &Core, place: Place) {
        let (joint, part) = (self.joint_of(core, place), self.part_of(core, place));
        self.select_in_model(|selected| (selected.joint, selected.part) = (joint, part));
    }

    /// The joint of the shown model that an entry is.
    pub(crate) fn joint_of(&self, core: &Core, place: Place) -> Option<u32> {
        let shown = self.model().filter(|s| s.place.file == place.file)?;
        let index = core.bone_entries(shown).iter().position(|e| *e == place.entry)?;
        u32::try_from(index).ok()
    }

    /// The entry that a joint of the shown model is.
    pub(crate) fn entry_of_joint(&self, core: &Core, joint: u32) -> Option<Place> {
        let shown = self.model()?;
        let entry = *core.bone_entries(shown).get(joint as usize)?;
        Some(Place { file: shown.place.file, entry })
    }

    pub(crate) fn pick_joint(&mut self, core: &mut Core, joint: Option<u32>) {
        self.select_in_model(|selected| (selected.joint, selected.socket) = (joint, None));
        if let Some(place) = joint.and_then(|j| self.entry_of_joint(core, j)) {
            self.select(core, place);
            self.select_in_model(|selected| selected.joint = joint);
        }
    }
}

impl Dialogs {
    pub(crate) fn toggle_jump(&mut self) {
        self.jump = if self.jump.is_some() { None } else { Some(Jump::default()) };
    }

    /// Goes where a person wants to, or says why that cannot be.
    pub(crate) fn jump_to(&mut self, core: &mut Core, stage: &mut Stage, text: &str) {
        let gone = JumpTarget::of(text).and_then(|target| match target {
            JumpTarget::Offset(offset) => stage.jump_to_offset(core, offset),
            JumpTarget::Number(number) => stage.jump_to_number(core, number),
            JumpTarget::Name(name) => stage.jump_to_name(core, name),
        });
        self.jump = gone.err().map(|problem| Jump { problem });
    }
}

impl Stage {
    /// The file that offsets and numbers are of: the selected one, that of what is on the stage, or the first.
    fn file_to_jump_in(&self, core: &Core) -> Result<FileId, String> {
        let selected = core.selection.map(|place| place.file);
        let shown = self.content.subject().file();
        let first = core.library.files.first().map(|file| file.id);
        selected.or(shown).or(first).ok_or_else(|| "Open a file first.".to_owned())
    }

    fn jump_to_offset(&mut self, core: &mut Core, offset: u64) -> Result<(), String> {
        let id = self.file_to_jump_in(core)?;
        let Some(file) = core.file(id).cloned() else { return Err("The file was closed.".to_owned()) };
        let document = file.document.as_ref();
        let near = core.selection.filter(|place| place.file == id).map_or(EntryId::FILE, |place| place.entry);
        let size = document.source_of(near).len() as u64;
        if offset >= size {
            let is_file = document.source_of(near).is_same(document.source());
            let what = if is_file { file.name.as_str() } else { "the decompressed data" };
            let bytes = counted(size, "byte");
            return Err(format!("Offset 0x{offset:X} is past the end: {what} has {bytes} (0x{size:X})."));
        }
        let entry = owner_entry(document, near, offset).map_or(near, |entry| entry.id);
        self.select(core, Place { file: id, entry });
        core.selected_bytes = Some(offset..offset + 1);
        self.show_section(core, Section::Bytes);
        Ok(())
    }

    fn jump_to_number(&mut self, core: &mut Core, number: u32) -> Result<(), String> {
        let id = self.file_to_jump_in(core)?;
        let Some(file) = core.file(id) else { return Err("The file was closed.".to_owned()) };
        if file.entry(EntryId(number)).is_none() {
            let last = file.document.outline().entries().len().saturating_sub(1);
            return Err(format!("Entry #{number} does not exist: {} has #0 to #{last}.", file.name));
        }
        self.jump_to_entry(core, Place { file: id, entry: EntryId(number) });
        Ok(())
    }

    fn jump_to_name(&mut self, core: &mut Core, name: &str) -> Result<(), String> {
        let first = self.file_to_jump_in(core)?;
        let others = core.library.files.iter().map(|file| file.id).filter(|id| *id != first);
        let files = || std::iter::once(first).chain(others.clone()).filter_map(|id| Some((id, core.file(id)?)));
        let found = files().find_map(|(file, open)| Some(Place { file, entry: entry_called(open, name)? }));
        let Some(place) = found else {
            let hint = match name.chars().all(|letter| letter.is_ascii_hexdigit()) {
                true => " Type hexadecimal offsets as 0x1f0 or 1f0h.",
                false => "",
            };
            return Err(format!("Cannot find {} in the open files.{hint}", quoted(name)));
        };
        self.jump_to_entry(core, place);
        Ok(())
    }

    fn jump_to_entry(&mut self, core: &mut Core, place: Place) {
        self.select(core, place);
        self.show_alike(core, place);
    }
}

/// The entry with a path, or else the first with a name, whatever its case.
fn entry_called(file: &OpenFile, name: &str) -> Option<EntryId> {
    let outline = file.document.outline();
    let wanted = name.to_lowercase();
    if file.name.to_lowercase() == wanted {
        return Some(EntryId::FILE);
    }
    let by_name = || outline.entries().iter().skip(1).find(|entry| entry.name.to_lowercase() == wanted);
    outline.find(name).or_else(by_name).map(|entry| entry.id)
}

#[cfg(test)]
mod tests {
    use crate::ui::{
        command::{Command, LibraryCommand, SelectionCommand, WindowCommand},
        settings::Settings,
        state::{Clock, State},
    };
    use std::path::Path;

    fn with(names: &[&str]) -> State {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        let path = |name: &&str| Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        state.apply(Command::Library(LibraryCommand::Open(names.iter().map(path).collect())));
        while state.core.works.is_busy() {
            state.tick();
            std::thread::yield_now();
        }
        state
    }

    /// Returns the target of a jump, or the reason for which there is none.
    fn jump(state: &mut State, text: &str) -> Result<(String, Option<u64>), String> {
        state.apply(Command::Window(WindowCommand::ToggleJump));
        state.apply(Command::Selection(SelectionCommand::Jump(text.to_owned())));
        if let Some(jump) = state.dialogs.jump.take() {
            return Err(jump.problem);
        }
        let place = state.core.selection.unwrap();
        let entry = state.core.file(place.file).unwrap().entry(place.entry).unwrap();
        Ok((entry.path().into_owned(), state.core.selected_bytes.as_ref().map(|bytes| bytes.start)))
    }

    #[test]
    fn a_jump_selects_the_entry_and_marks_the_byte() {
        let mut state = with(&["tests/data/actorx/syn_arm.psk", "assets/samples/BoneTune.umx"]);
        let arm = state.core.library.files[0].id;
        let entries = state.core.file(arm).unwrap().document.outline().entries().to_vec();
        let bone = entries.iter().find(|e| e.role == crate::formats::Role::Bone).unwrap();
        let path = bone.path().into_owned();
        state.apply(Command::Selection(SelectionCommand::Select(crate::ui::place::Place {
            file: arm,
            entry: crate::formats::EntryId::FILE,
        })));
        let at = bone.offset + 1;
        assert_eq!(jump(&mut state, &format!("0x{at:x}")), Ok((path.clone(), Some(at))));
        // With a letter first it would be a name.
        assert_eq!(jump(&mut state, &format!("0{at:x}h")), Ok((path.clone(), Some(at))));
        assert_eq!(jump(&mut state, &at.to_string()), Ok((path.clone(), Some(at))));
        assert_eq!(
            jump(&mut state, &format!("#{}", bone.id.0)),
            Ok((path.clone(), Some(at))),
            "it is selected already"
        );
        assert_eq!(jump(&mut state, "#0"), Ok((String::new(), None)));
        assert_eq!(jump(&mut state, &path.to_uppercase()), Ok((path, None)));
        assert!(jump(&mut state, "bonetune.umx").is_ok());
        assert_ne!(state.core.selection.unwrap().file, arm, "another file by its name");
    }

    #[test]
    fn a_jump_that_cannot_be_says_why_and_stays() {
        let mut state = with(&[]);
        assert!(jump(&mut state, "12").unwrap_err().contains("Open a file first"));
        let mut state = with(&["tests/data/actorx/syn_arm.psk"]);
        let before = state.core.selection;
        let size = state.core.selected_file().unwrap().document.source().len();
        for (text, why) in [
            ("", "Type an offset"),
            (&size.to_string(), "past the end: syn_arm.psk has"),
            ("0xffffffffffffffff", "past the end"),
            ("99999999999999999999", "is too large"),
            ("#4000000000", "has #0 to #"),
            ("no such thing", "Cannot find “no such thing” in the open files."),
            ("1f0", "as 0x1f0"),
        ] {
            let problem = jump(&mut state, text).unwrap_err();
            assert!(problem.contains(why), "{text}: {problem}");
        }
        assert!(jump(&mut state, &"x".repeat(1_000_000)).unwrap_err().chars().count() < 120);
        assert_eq!(state.core.selection, before);
        let last = size - 1;
        assert_eq!(jump(&mut state, &last.to_string()).unwrap().1, Some(last as u64));
    }
}
