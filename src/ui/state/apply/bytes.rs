//! Bytes that are looked for, and copied.

use crate::ui::{command::BytesCommand, section::Section, state::State};

impl State {
    pub(in crate::ui::state) fn apply_bytes(&mut self, command: BytesCommand) {
        use BytesCommand as C;
        match command {
            C::OpenSearch => {
                self.lookups.bytes.is_open = true;
                self.lookups.bytes.wants_keyboard = true;
                self.show_section(Section::Bytes);
            }
            C::CloseSearch => self.close_byte_search(),
            C::SearchHasKeyboard => self.lookups.bytes.wants_keyboard = false,
            C::Search { text, kind, scope, marks } => self.search_bytes(text, kind, scope, marks),
            C::Step(by) => {
                if let Some(place) = self.lookups.bytes.next(self.core.selected_bytes.as_ref(), by) {
                    self.mark_found(place);
                }
            }
            C::Copy(what) => self.copy_bytes(what),
            C::CopyRecords(place, path) => self.copy_records(place, path),
        }
    }
}
