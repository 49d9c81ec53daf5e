//! Bytes that are looked for, and copied.

use crate::ui::{
    command::BytesCommand,
    section::Section,
    state::{core::Core, lookups::Lookups, stage::Stage},
};

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
