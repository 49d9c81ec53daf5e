//! What is written to disk.

use crate::{
    formats::Severity,
    ui::{
        command::ExportCommand,
        state::{State, control::exporting_all::Terms, effect::Effect, log::LogEntry},
    },
};
use std::path::PathBuf;

impl State {
    pub(crate) fn apply_export(&mut self, command: ExportCommand) {
        use ExportCommand as C;
        match command {
            C::Prepare(place) => self.begin_export(place),
            C::PrepareShown => match self.place_on_show() {
                Some(place) => self.begin_export(place),
                None => self.core.log.announce(LogEntry::new(
                    Severity::Info,
                    "",
                    "There is nothing to export. Open a model first",
                )),
            },
            C::Edit(draft) => self.dialogs.export = Some(*draft),
            C::SetPath(path) => {
                // The dialog has asked already.
                if let Some(draft) = &mut self.dialogs.export {
                    (draft.path, draft.overwrite) = (path.display().to_string(), true);
                }
                if let Some(draft) = &mut self.dialogs.picture {
                    (draft.path, draft.overwrite) = (path.display().to_string(), true);
                }
            }
            C::Browse => {
                let export = self.dialogs.export.as_ref().map(|draft| &draft.path);
                if let Some(path) = export.or(self.dialogs.picture.as_ref().map(|draft| &draft.path)) {
                    self.core.effects.push(Effect::AskWhere(PathBuf::from(path.trim())));
                }
            }
            C::PreparePicture => self.begin_picture_export(),
            C::EditPicture(draft) => self.edit_picture_export(*draft),
            C::DrawPicture => self.run_picture_export(),
            C::Run => self.run_export(),
            C::Write(draft) => {
                self.dialogs.export = Some(*draft);
                self.run_export();
            }
            C::AskLarge(large) => self.dialogs.large_export = Some(*large),
            C::WriteLarge => {
                if let Some(large) = self.dialogs.large_export.take() {
                    self.apply_export(*large.anyway);
                }
            }
            C::Cancel => (self.dialogs.export, self.dialogs.large_export, self.dialogs.picture) = (None, None, None),
            C::AllDialog(file) => self.core.effects.push(Effect::AskExportFolder(file)),
            C::All { file, folder, overwrite, any_size } => {
                self.export_all(file, folder, Terms { overwrite, any_size });
            }
            C::SeveralDialog(places) => self.core.effects.push(Effect::AskSeveralFolder(places)),
            C::Several { places, folder, overwrite, any_size } => {
                self.export_several(places, folder, Terms { overwrite, any_size });
            }
            C::UnpackDialog(place) => self.core.effects.push(Effect::AskUnpackFolder(place)),
            C::Unpack { place, folder, overwrite, any_size } => {
                self.unpack(place, folder, Terms { overwrite, any_size });
            }
        }
    }
}
