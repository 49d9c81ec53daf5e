//! A file of the library, with what was found out about it when it was opened.

use crate::{
    formats::{Content, Role},
    library::{OpenFile, primary},
    ui::{library_row::FolderId, place::FileId, state::library::troubles::Troubles},
};
use std::sync::Arc;

/// A file of the library.
#[derive(Clone)]
pub struct OpenedFile {
    pub id: FileId,
    pub file: Arc<OpenFile>,
    /// Content of the primary entry.
    pub about: Content,
    /// True if the file declares classes.
    pub has_classes: bool,
    /// The folder of the file.
    pub(super) folder: FolderId,
    pub(super) troubles: Arc<Troubles>,
}

impl OpenedFile {
    pub(super) fn new(id: FileId, file: Arc<OpenFile>, folder: FolderId) -> Self {
        let troubles = Arc::new(Troubles::of(file.document.outline(), &file.diagnostics));
        let has_classes = file.document.outline().entries().iter().any(|entry| entry.role == Role::Class);
        Self { id, about: about(&file), has_classes, file, folder, troubles }
    }
}

/// Returns the content of a file's primary entry; for a file without one, clips or nothing.
fn about(file: &OpenFile) -> Content {
    match primary(file).and_then(|entry| file.entry(entry)) {
        Some(entry) => entry.content,
        None if file.clips().next().is_some() => Content::Clip,
        None => Content::None,
    }
}

/// Returns true if a folder contains several of the files.
pub(super) fn is_several(files: &[OpenedFile], folder: FolderId) -> bool {
    files.iter().filter(|f| f.folder == folder).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OpenOptions;
    use std::path::Path;

    #[test]
    fn files_are_about_what_they_hold() {
        for (name, content) in [
            ("assets/samples/Ossie.psk", Content::Model),
            ("assets/samples/Ossie.psa", Content::Clip),
            ("assets/samples/BoneRoom.unr", Content::Map),
            ("assets/samples/BoneTune.umx", Content::Music),
            ("assets/samples/BoneboxFX.utx", Content::Image),
            ("assets/samples/MarrowIsle.pew", Content::Terrain),
            ("assets/samples/Bonebox.szs", Content::Model),
            ("tests/data/j3d/arm_wave.bck", Content::Clip),
            ("tests/data/j3d/tex_grad.bti", Content::Image),
            ("tests/data/actorx/empty.psk", Content::None),
        ] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            assert_eq!(about(&OpenOptions::new().open(path).unwrap()), content, "{name}");
        }
    }
}
