//! Searching bytes in the background, and copying selected bytes.

use crate::{
    bytes::{
        Source,
        numbers::{counted, grouped},
        search::{Hits, Kind, Pattern},
        text,
    },
    export::record_csv,
    formats::{EntryId, Severity},
    ui::{
        byte_search::{ByteScope, ByteSearch},
        command::{BytesCommand, Command, CopyBytes, WindowCommand},
        place::Place,
        section::Section,
        state::{core::Core, effect::Effect, log::LogEntry, lookups::Lookups, message::Message, stage::Stage},
    },
};
use std::{fmt::Write as _, ops::Range, sync::Arc};

/// More bytes than this are not copied: no clipboard takes the text well.
const MAX_COPIED: u64 = 4 << 20;

/// Bytes of a line of an array.
const ARRAY_LINE: usize = 12;

impl Lookups {
    /// Looks for bytes; what was found before is forgotten.
    pub(crate) fn search_bytes(&mut self, core: &mut Core, text: String, kind: Kind, scope: ByteScope, marks: bool) {
        self.drop_byte_search(core);
        let turn = core.works.fresh_id();
        let (is_open, wants_keyboard) = (self.bytes.is_open, self.bytes.wants_keyboard);
        let search =
            ByteSearch { is_open, wants_keyboard, text, kind, scope: Some(scope), turn, marks, ..Default::default() };
        self.bytes = search;
        if self.bytes.text.is_empty() {
            return;
        }
        let found = Pattern::of(&self.bytes.text, kind).and_then(|pattern| Ok((pattern, core.searched(scope)?)));
        match found {
            Err(problem) => self.bytes.problem = problem,
            Ok((pattern, (source, start))) => {
                let sender = core.works.sender();
                let file = core.file(scope.place.file).cloned();
                let work = core.works.run("Searching bytes", move |cx| {
                    let _reading = file.as_ref().map(|file| file.note());
                    if let Some(hits) = pattern.find(&source, start, || cx.cancelled()).transpose() {
                        let _ = sender.send(Message::BytesFound { turn, hits: hits.map(Arc::new) });
                    }
                });
                self.bytes.work = Some(work);
            }
        }
    }

    /// Ends the search that is running.
    fn drop_byte_search(&mut self, core: &mut Core) {
        if let Some(id) = self.bytes.work.take() {
            core.works.forget(id);
        }
    }

    pub(crate) fn close_byte_search(&mut self, core: &mut Core) {
        self.drop_byte_search(core);
        self.bytes = ByteSearch::default();
    }

    pub(crate) fn bytes_found(
        &mut self,
        core: &mut Core,
        stage: &mut Stage,
        turn: u64,
        hits: Result<Arc<Hits>, String>,
    ) {
        if self.bytes.turn != turn {
            return;
        }
        self.bytes.work = None;
        match hits {
            Ok(hits) => self.bytes.hits = Some(hits),
            Err(problem) => self.bytes.problem = problem,
        }
        let from = core.selected_bytes.as_ref().map_or(0, |bytes| bytes.start);
        if self.bytes.marks
            && let Some(place) = self.bytes.first_from(from)
        {
            self.mark_found(core, stage, place);
        }
    }

    /// Marks a place that was found, where the bytes that were searched are still the selected file's.
    pub(crate) fn mark_found(&mut self, core: &mut Core, stage: &mut Stage, place: Range<u64>) {
        let searched = self.bytes.scope.map(|scope| scope.place.file);
        if searched.is_some() && searched == core.selection.map(|selected| selected.file) {
            core.selected_bytes = Some(place);
            stage.select_prop_of_bytes(core);
        }
    }
}

impl Core {
    /// The bytes of a scope, and the offset of the first of them.
    fn searched(&self, scope: ByteScope) -> Result<(Source, u64), String> {
        let open = self.file(scope.place.file).and_then(|file| Some((file, file.entry(scope.place.entry)?)));
        let (file, entry) = open.ok_or("The file was closed.")?;
        if scope.whole || entry.id == EntryId::FILE {
            let start = if scope.whole { 0 } else { entry.offset };
            return Ok((file.document.source_of(entry.id).clone(), start));
        }
        let _reading = file.note();
        let source = file.document.bytes(entry.id).map_err(|error| error.to_string())?;
        Ok((source, entry.offset))
    }

    /// Copies data of the selection to the clipboard, or logs the reason for which it cannot be copied.
    pub(crate) fn copy_bytes(&mut self, what: CopyBytes) {
        match self.to_copy(what) {
            Ok(Some(text)) => self.effects.push(Effect::Copy(text)),
            Ok(None) => self.effects.push(Effect::CopyValue),
            Err(why) => self.log.announce(LogEntry::new(Severity::Info, "", why)),
        }
    }

    /// Puts the records of a field on the clipboard once they are read.
    pub(crate) fn copy_records(&mut self, place: Place, path: Vec<usize>) {
        let Some(file) = self.file(place.file).cloned() else { return };
        let sender = self.works.sender();
        self.works.run("Copying records", move |cx| {
            let _reading = file.note();
            let tree = match file.document.fields(place.entry) {
                Ok(tree) => tree,
                Err(error) => {
                    let entry = LogEntry::new(Severity::Error, &file.name, error.to_string()).at(place);
                    let _ = sender.send(Message::Log(entry));
                    return;
                }
            };
            let Some(made) = record_csv(&tree, &path, MAX_COPIED as usize, cx.cancel()) else { return };
            if made.rows < made.of {
                let text = format!(
                    "copied the first {} of {}: the limit is 4 MiB",
                    grouped(made.rows),
                    counted(made.of, "record")
                );
                let _ = sender.send(Message::Log(LogEntry::new(Severity::Info, &file.name, text).at(place)));
            }
            let _ = sender.send(Message::Command(Command::Window(WindowCommand::Copy(made.text))));
        });
    }

    /// The text to copy; `None` for what only the inspector has.
    fn to_copy(&self, what: CopyBytes) -> Result<Option<String>, &'static str> {
        let nothing = "Nothing is selected. Select an entry in the library first";
        let place = self.selection.ok_or(nothing)?;
        let file = self.file(place.file).ok_or(nothing)?;
        let entry = file.entry(place.entry).ok_or(nothing)?;
        let marked = || {
            let range = self.selected_bytes.as_ref().ok_or("Select bytes first: click a field or drag over bytes")?;
            let size = range.end.saturating_sub(range.start);
            if size > MAX_COPIED {
                return Err("The selection is too large to copy. The limit is 4 MiB");
            }
            let source = file.document.source_of(place.entry).slice(range.start, size);
            let source = source.ok_or("The selected bytes no longer exist")?;
            source.in_memory().map_err(|_| "Cannot read the file. Open it again")
        };
        Ok(Some(match what {
            CopyBytes::Hex => hex(marked()?.as_slice()),
            CopyBytes::Text => text::decode(marked()?.as_slice()).replace('\0', ""),
            CopyBytes::Array => array(marked()?.as_slice()),
            CopyBytes::Offset => {
                format!("0x{:X}", self.selected_bytes.as_ref().map_or(entry.offset, |bytes| bytes.start))
            }
            CopyBytes::Path if entry.id == EntryId::FILE => file.path.display().to_string(),
            CopyBytes::Path => entry.path().into_owned(),
            CopyBytes::Value => return Ok(None),
        }))
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for byte in bytes {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{byte:02X}");
    }
    text
}

fn array(bytes: &[u8]) -> String {
    let mut text = format!("static const unsigned char bytes[{}] = {{\n", bytes.len());
    for line in bytes.chunks(ARRAY_LINE) {
        text.push_str("   ");
        for byte in line {
            let _ = write!(text, " 0x{byte:02X},");
        }
        text.push('\n');
    }
    text.push_str("};\n");
    text
}

impl Lookups {
    pub(crate) fn apply_bytes(&mut self, core: &mut Core, stage: &mut Stage, command: BytesCommand) {
        use BytesCommand as C;
        match command {
            C::OpenSearch => {
                self.bytes.is_open = true;
                self.bytes.wants_keyboard = true;
                stage.show_section(core, Section::Bytes);
            }
            C::CloseSearch => self.close_byte_search(core),
            C::SearchHasKeyboard => self.bytes.wants_keyboard = false,
            C::Search { text, kind, scope, marks } => self.search_bytes(core, text, kind, scope, marks),
            C::Step(by) => {
                if let Some(place) = self.bytes.next(core.selected_bytes.as_ref(), by) {
                    self.mark_found(core, stage, place);
                }
            }
            C::Copy(what) => core.copy_bytes(what),
            C::CopyRecords(place, path) => core.copy_records(place, path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::Children,
        ui::{
            command::{BytesCommand, LibraryCommand, SelectionCommand},
            settings::Settings,
            state::{Clock, State},
        },
    };
    use std::path::Path;

    fn settled(state: &mut State) {
        while state.core.works.is_busy() {
            state.tick();
            std::thread::yield_now();
        }
        state.tick();
    }

    fn with(path: &Path) -> State {
        let mut state = State::new(Settings::default(), Clock::Set(0.0));
        state.apply(Command::Library(LibraryCommand::Open(vec![path.to_owned()])));
        settled(&mut state);
        let file = state.core.library.files[0].id;
        state.apply(Command::Selection(SelectionCommand::Select(Place { file, entry: EntryId::FILE })));
        state
    }

    fn arm() -> State {
        with(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk"))
    }

    fn scope(state: &State) -> ByteScope {
        ByteScope { place: state.core.selection.unwrap(), whole: true, revision: state.core.library.revision() }
    }

    fn search(state: &mut State, text: &str, kind: Kind) {
        let scope = scope(state);
        state.apply(Command::Bytes(BytesCommand::Search { text: text.to_owned(), kind, scope, marks: true }));
        settled(state);
    }

    #[test]
    fn what_is_found_is_marked_and_gone_through_around_the_end() {
        let mut state = arm();
        search(&mut state, "hEAD", Kind::Text { case: false });
        let bytes = state.core.selected_file().unwrap().document.source().as_slice().to_vec();
        let wanted = bytes.windows(4).enumerate().filter(|(_, part)| part.eq_ignore_ascii_case(b"head"));
        let wanted: Vec<Range<u64>> = wanted.map(|(at, _)| at as u64..at as u64 + 4).collect();
        assert!(!wanted.is_empty());
        assert_eq!(state.lookups.bytes.hits.as_ref().unwrap().places, wanted);
        assert_eq!(state.core.selected_bytes.as_ref(), wanted.first());
        for step in 1..=wanted.len() {
            state.apply(Command::Bytes(BytesCommand::Step(1)));
            assert_eq!(state.core.selected_bytes.as_ref(), wanted.get(step % wanted.len()));
        }
        state.apply(Command::Bytes(BytesCommand::Step(-1)));
        assert_eq!(state.core.selected_bytes.as_ref(), wanted.last());
        assert_eq!(state.lookups.bytes.at(state.core.selected_bytes.as_ref()), Some(wanted.len() - 1));
        state.apply(Command::Bytes(BytesCommand::CloseSearch));
        assert_eq!(state.lookups.bytes, ByteSearch::default());
    }

    #[test]
    fn only_the_last_search_counts() {
        let mut state = arm();
        let scope = scope(&state);
        for text in ["00", "41", "41 43 54 52"] {
            let command = BytesCommand::Search { text: text.to_owned(), kind: Kind::Hex, scope, marks: false };
            state.apply(Command::Bytes(command));
        }
        settled(&mut state);
        assert_eq!(state.lookups.bytes.hits.as_ref().unwrap().places.first(), Some(&(0..4)));
        assert_eq!(state.core.selected_bytes, None, "nothing was to be marked");
        search(&mut state, "4", Kind::Hex);
        assert!(state.lookups.bytes.problem.contains("two digits") && state.lookups.bytes.hits.is_none());
        state.apply(Command::Bytes(BytesCommand::Step(1)));
        assert_eq!(state.core.selected_bytes, None);
    }

    #[test]
    fn a_file_that_shrank_or_is_gone_is_not_searched_beyond_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.psk");
        let whole = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk")).unwrap();
        std::fs::write(&path, &whole).unwrap();
        let mut state = with(&path);
        search(&mut state, "00", Kind::Hex);
        state.apply(Command::Bytes(BytesCommand::Step(-1)));
        let last = state.core.selected_bytes.clone().unwrap();
        std::fs::write(&path, &whole[..64]).unwrap();
        state.apply(Command::Library(LibraryCommand::Open(vec![path])));
        settled(&mut state);
        state.core.selected_bytes = Some(last);
        for what in [CopyBytes::Hex, CopyBytes::Text, CopyBytes::Array] {
            state.core.effects.clear();
            state.apply(Command::Bytes(BytesCommand::Copy(what)));
            assert!(state.core.effects.is_empty());
        }
        assert!(state.core.log.entries().back().unwrap().message.contains("no longer exist"));
        let old = scope(&state);
        state.apply(Command::Library(LibraryCommand::CloseAll));
        let search = BytesCommand::Search { text: "00".to_owned(), kind: Kind::Hex, scope: old, marks: true };
        state.apply(Command::Bytes(search));
        settled(&mut state);
        assert_eq!(state.lookups.bytes.problem, "The file was closed.");
    }

    #[test]
    fn records_of_a_table_are_copied_as_lines() {
        let mut state = arm();
        let file = state.core.selected_file().unwrap().clone();
        let tables = file.document.outline().entries().iter().filter_map(|entry| {
            let tree = file.document.fields(entry.id).ok()?;
            let at =
                tree.fields.iter().position(|f| matches!(&f.children, Children::Table(table) if table.len() > 1))?;
            let Children::Table(table) = &tree.fields[at].children else { return None };
            Some((entry.id, at, table.len()))
        });
        let (entry, at, rows) = tables.into_iter().next().expect("a table in the file");
        let place = Place { entry, ..state.core.selection.unwrap() };
        state.apply(Command::Bytes(BytesCommand::CopyRecords(place, vec![at])));
        settled(&mut state);
        let Some(Effect::Copy(text)) = state.core.effects.last() else { panic!("{:?}", state.core.effects) };
        assert!(text.starts_with("#,"), "{text}");
        assert_eq!(text.lines().count(), rows + 1);
        // What holds no records copies nothing.
        state.core.effects.clear();
        for path in [vec![], vec![9_999], vec![at, 0, 0, 0, 0]] {
            state.apply(Command::Bytes(BytesCommand::CopyRecords(place, path)));
            settled(&mut state);
        }
        assert!(state.core.effects.is_empty());
    }

    #[test]
    fn marked_bytes_are_copied_as_hexadecimal_text_or_an_array() {
        let mut state = arm();
        let copied = |state: &mut State, what| {
            state.core.effects.clear();
            state.apply(Command::Bytes(BytesCommand::Copy(what)));
            state.core.effects.pop()
        };
        let text = |text: &str| Some(Effect::Copy(text.to_owned()));
        assert_eq!(copied(&mut state, CopyBytes::Hex), None, "nothing is marked");
        assert_eq!(copied(&mut state, CopyBytes::Offset), text("0x0"));
        state.apply(Command::Selection(SelectionCommand::Bytes(Some(0..8))));
        assert_eq!(copied(&mut state, CopyBytes::Hex), text("41 43 54 52 48 45 41 44"));
        assert_eq!(copied(&mut state, CopyBytes::Text), text("ACTRHEAD"));
        let array =
            "static const unsigned char bytes[8] = {\n    0x41, 0x43, 0x54, 0x52, 0x48, 0x45, 0x41, 0x44,\n};\n";
        assert_eq!(copied(&mut state, CopyBytes::Array), text(array));
        assert_eq!(copied(&mut state, CopyBytes::Value), Some(Effect::CopyValue));
        state.apply(Command::Selection(SelectionCommand::Bytes(Some(u64::MAX - 1..u64::MAX))));
        assert_eq!(copied(&mut state, CopyBytes::Hex), None);
        state.apply(Command::Selection(SelectionCommand::Bytes(Some(0..u64::MAX))));
        assert_eq!(copied(&mut state, CopyBytes::Hex), None);
    }
}
