//! The files that the Unreal editor imports a mesh of moving vertices from.

use super::{Work, check_drawn};
use crate::{
    export::{ExportError, ExportFormat, unreal3d},
    formats::{Asset, Entry},
};
use std::path::{Path, PathBuf};

impl Work<'_, '_> {
    /// A mesh of moving vertices with its frames, its import lines and its textures.
    pub(super) fn unreal3d(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let Some(mesh) = self.source.document.ask(entry.id, |can, entry| can.editor?.vertex_mesh(entry)) else {
            return Err(self.unsupported(entry, ExportFormat::Unreal3d));
        };
        let mesh = mesh?;
        let Asset::Model(model) = self.load(entry)? else {
            return Err(self.unsupported(entry, ExportFormat::Unreal3d));
        };
        check_drawn(entry, &model, false)?;
        self.share.need(unreal3d::size(&mesh, &model))?;
        let files = unreal3d::files(&mesh, &model, &unreal3d::stem_of(target), self.notes)?;
        Ok(files.into_iter().map(|(name, bytes)| (target.with_file_name(name), bytes)).collect())
    }
}
