//! Bytes that are looked for, and copied.

use crate::ui::{command::BytesCommand, section::Section, state::State};

impl State {
    pub(crate) fn apply_bytes(&mut self, command: BytesCommand) {
        use BytesCommand as C;
        match command {
            C::OpenSearch => {
                self.lookups.bytes.is_open = true;
                self.lookups.bytes.wants_keyboard = true;
                self.stages.front.show_section(&mut self.core, Section::Bytes);
            }
            C::CloseSearch => self.close_byte_search(),
            C::SearchHasKeyboard => self.lookups.bytes.wants_keyboard = false,
            C::Search { text, kind, scope, marks } => self.search_bytes(text, kind, scope, marks),
            C::Step(by) => {
                if let Some(place) = self.lookups.bytes.next(self.core.selected_bytes.as_ref(), by) {
                    self.mark_found(place);
                }
            }
            C::Copy(what) => self.core.copy_bytes(what),
            C::CopyRecords(place, path) => self.core.copy_records(place, path),
        }
    }
}
