//! What is written to disk.

use crate::{
    formats::Severity,
    ui::{
        command::ExportCommand,
        state::{
            control::exporting_all::Terms, core::Core, effect::Effect, exports::Exports, log::LogEntry, stage::Stage,
        },
    },
};
use std::path::PathBuf;

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
                self.export_all(core, stage, file, folder, Terms { overwrite, any_size });
            }
            C::SeveralDialog(places) => core.effects.push(Effect::AskSeveralFolder(places)),
            C::Several { places, folder, overwrite, any_size } => {
                self.export_several(core, stage, places, folder, Terms { overwrite, any_size });
            }
            C::UnpackDialog(place) => core.effects.push(Effect::AskUnpackFolder(place)),
            C::Unpack { place, folder, overwrite, any_size } => {
                self.unpack(core, stage, place, folder, Terms { overwrite, any_size });
            }
        }
    }
}
