//! Going to the definition of a name in a text, and explaining the name.

use crate::{
    formats::{Content, Definition, EntryId, Meaning, NamePlace, Role, Severity},
    library::{OpenFile, OpenOptions},
    ui::{
        command::{Command, LibraryCommand, TextCommand},
        kept_reading::overrides_of,
        place::{FileId, Place, TextPlace},
        state::{
            control::links::is_same,
            core::Core,
            log::LogEntry,
            message::{Message, NameMeant},
            stage::{
                Stage,
                text::{Explained, WantedLine, first_run},
            },
        },
    },
};
use std::sync::Arc;

impl Stage {
    pub(crate) fn apply_text(&mut self, core: &mut Core, command: TextCommand) {
        use TextCommand as C;
        match command {
            C::SetCaret(at) => self.set_caret(core, at),
            C::Define(at) => self.ask_meaning(core, at, true),
            C::DefineAtCaret => {
                if let Some(at) = self.text().and_then(|shown| shown.caret) {
                    self.ask_meaning(core, at, true);
                }
            }
            C::Explain(at) => self.ask_meaning(core, at, false),
        }
    }

    /// Puts the caret of the text, and marks the bytes of its line.
    fn set_caret(&mut self, core: &mut Core, at: TextPlace) {
        let Some(shown) = self.content.text_mut() else { return };
        shown.caret = Some(at);
        let place = shown.place;
        let Some((entry, bytes)) = first_run(&shown.marks_at(at.part, at.line)) else { return };
        self.select(core, Place { entry: entry.into(), ..place });
        core.selected_bytes = Some(bytes);
    }

    fn ask_meaning(&mut self, core: &mut Core, at: TextPlace, goes: bool) {
        let Some(shown) = self.content.text_mut() else { return };
        if !goes {
            shown.explained = Some(Explained { at, says: None });
        }
        let text = shown.place;
        let Some(line) = shown.line(at.part, at.line).map(str::to_owned) else { return };
        let owner = first_run(&shown.marks_at(at.part, at.line)).map(|(entry, _)| entry.into());
        let owner: Option<EntryId> = owner.filter(|_| at.part > 0);
        let Some(file) = core.file(text.file).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = core.library.files.iter().map(|opened| opened.file.clone()).collect();
        let (folders, readings) = (core.settings.folders.clone(), core.settings.readings.clone());
        let sender = self.stage_sender(core);
        core.works.run_apart("Looking for a definition", move |_| {
            let number = u32::try_from(at.line).unwrap_or(u32::MAX);
            let place = NamePlace { part: at.part, line: number, text: &line, column: at.byte, owner };
            let meaning = file.document.ask(EntryId::FILE, |can, _| can.code?.meaning(text.entry, &place));
            let path = match &meaning {
                Some(Meaning::Defined(Definition { file: Some(path), .. })) if goes => Some(path.clone()),
                _ => None,
            };
            let file = path.map(|path| {
                if let Some(known) = open.iter().find(|known| is_same(&known.path, &path)) {
                    return Ok(known.clone());
                }
                OpenOptions::new()
                    .folders(&folders)
                    .reading(overrides_of(&readings, &path))
                    .open(&path)
                    .map(Arc::new)
                    .map_err(|error| Box::new(LogEntry::new(Severity::Error, &error.file, error.message)))
            });
            sender.send(Message::NameMeant(Box::new(NameMeant { text, at, meaning, file, goes })));
        });
    }

    pub(crate) fn show_definition(&mut self, core: &mut Core, file: FileId, definition: &Definition) {
        let entry = Place { file, entry: definition.entry };
        if core.content_of(entry) != Content::Text {
            self.select(core, entry);
            self.show_or_focus(core, entry);
            return;
        }
        let line = definition.line.map(|line| (0, line as usize, (0, 0)));
        // Without its source a class has no line for it; its own text says more.
        let shown = if line.is_some() { Place { file, entry: definition.shown } } else { entry };
        self.show_text_at(core, shown, line, Some(entry));
    }

    /// Shows the text of an entry at a line of a part of it; `selects` is what is selected then.
    pub(crate) fn show_text_at(
        &mut self,
        core: &mut Core,
        place: Place,
        line: Option<(usize, usize, (usize, usize))>,
        selects: Option<Place>,
    ) {
        let turn = core.works.fresh_id();
        let wanted = line.map(|(part, line, bytes)| WantedLine { part, line, bytes, turn });
        self.pending.line = Some((place, wanted, selects));
        match self.content.text_mut().filter(|shown| shown.place == place) {
            Some(_) => self.go_to_wanted_line(core),
            None => self.load(core, place),
        }
    }

    /// Brings the line into sight that the text was shown for.
    pub(crate) fn go_to_wanted_line(&mut self, core: &mut Core) {
        let Some(place) = self.text().map(|shown| shown.place) else { return };
        let Some((_, wanted, selects)) = self.pending.line.take_if(|(of, ..)| *of == place) else { return };
        if let Some(selects) = selects {
            self.select(core, selects);
        }
        if let Some(shown) = self.content.text_mut() {
            shown.wanted = wanted;
        }
    }

    /// A name whose definition was not found may be a class of a file that is open and that nothing refers to.
    pub(crate) fn define_elsewhere(&mut self, core: &mut Core, text: Place, name: &str, missing: &[String]) {
        let is_it = |entry: &&crate::formats::Entry| entry.role == Role::Class && entry.name.eq_ignore_ascii_case(name);
        let found = core.library.files.iter().find_map(|opened| {
            let entry = opened.file.document.outline().entries().iter().find(is_it)?;
            Some(Place { file: opened.id, entry: entry.id })
        });
        if let Some(place) = found {
            self.show_text_at(core, place, None, None);
            return;
        }
        let file = core.file(text.file).map(|file| file.name.clone()).unwrap_or_default();
        let entry = match missing {
            [] => LogEntry::new(Severity::Info, &file, format!("cannot find the definition of {name}")),
            _ => {
                let missing = missing.join(", ");
                let message = format!("cannot find the definition of {name}: {missing} is missing");
                let look = Command::Library(LibraryCommand::SearchFolderDialog);
                LogEntry::new(Severity::Warning, &file, message).with_action("Add search folder…", look)
            }
        };
        core.log.announce(entry);
    }
}
