//! What a file in an archive finds beside it: its neighbours first, then the rest of the archive, then what lies outside.

use super::ArchiveDocument;
use crate::formats::{Document as _, EntryId, FileRequest, FoundFile, Resolver};
use std::path::PathBuf;

/// The resolver of one member.
pub struct Neighbours<'a> {
    pub document: &'a ArchiveDocument,
    /// The folder that the member is in.
    pub folder: Option<EntryId>,
    pub outside: &'a dyn Resolver,
}

impl Resolver for Neighbours<'_> {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let outline = self.document.outline();
        let stem = request.stem.to_lowercase();
        let rank = |id: &EntryId| {
            let entry = outline.get(*id)?;
            let (own, extension) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
            let fits = own.to_lowercase() == stem;
            let rank = request.extensions.iter().position(|e| e.eq_ignore_ascii_case(extension))?;
            fits.then_some((entry.parent != self.folder, rank, *id))
        };
        let inside = self.document.files().iter().filter_map(rank).min();
        let found = inside.and_then(|(_, _, id)| Some((outline.get(id)?, self.document.bytes(id).ok()?)));
        match found {
            Some((entry, source)) => Some(FoundFile { name: entry.path.clone(), path: PathBuf::new(), source }),
            None => self.outside.find(request),
        }
    }

    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        self.outside.find_path(path, largest)
    }
}
