//! The files that may hold the model of a clip which lies in a file of its own.

use super::{
    Home,
    containers::outermost,
    folder::beside,
    kinship::{is_of_animations, models_in_folder},
    listings::{Ask, Listings},
};
use crate::formats::{FORMATS, FormatInfo};
use std::path::{Path, PathBuf};

/// Folders besides the clip's own that are looked into.
const MAX_FOLDERS: usize = 16;

/// At most so many files that may hold the model of the clips in `clip`, a file of `format`: those beside it ([`beside`]); then
/// those around it whose clips would be looked for where it lies ([`super::clip_files`]) and may be this one, by their names and
/// places. No file is read for it.
pub fn model_files(clip: &Path, format: &'static FormatInfo, at_most: usize) -> Vec<PathBuf> {
    let mut found = beside(clip, format.companions, at_most);
    let Ok(clip) = crate::files::absolute(clip) else { return found };
    let of_clip = Home::of_path(&clip.to_string_lossy(), "", Some(format));
    for folder in folders(&clip, format) {
        let names = Listings::shared().names(&folder, Ask::Seldom);
        for extension in format.companions {
            let Some(of_models) = format_of(extension) else { continue };
            let among = models_in_folder(&folder.join(extension), of_models);
            for file in names.with_extension(extension) {
                let path = folder.join(file.name);
                let model = Home::of_path(&path.to_string_lossy(), "", Some(of_models)).among(among.clone());
                if found.len() < at_most && model.kinship(&of_clip).may_belong() {
                    found.push(path);
                }
            }
        }
    }
    found
}

fn format_of(extension: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().map(|format| format.info()).find(|info| info.extensions.contains(&extension))
}

/// The folders in the clip's own; where that is one of animations, the folder above and those in it too. Links to folders are not
/// followed; no folder of a container leads out of it.
fn folders(clip: &Path, format: &FormatInfo) -> Vec<PathBuf> {
    let Some(own) = clip.parent() else { return Vec::new() };
    let container = outermost(clip);
    let name = own.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let above = own.parent().filter(|above| container.is_none_or(|container| above.starts_with(container)));
    let above = above.filter(|_| is_of_animations(&name, format.extensions));
    let mut folders: Vec<PathBuf> = above.map(Path::to_path_buf).into_iter().collect();
    for base in above.into_iter().chain([own]) {
        let names = Listings::shared().names(base, Ask::Seldom);
        folders.extend(names.folders().map(|name| base.join(name)).filter(|folder| folder != own).take(MAX_FOLDERS));
    }
    folders.truncate(MAX_FOLDERS);
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_a_clip_in_pieces_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::path::absolute(folder.path()).unwrap();
        for file in [
            "beast/bmd/beast.bmd",
            "beast/bck/walk.bck",
            "beast/beast_wait.bck",
            "beast/jump.bck",
            "two/bmd/beast.bmd",
            "two/bmd/saucer.bmd",
            "two/bck/saucer_fly.bck",
            "two/bck/walk.bck",
            "two/bck/near.bmd",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = |clip: &str, at_most: usize| -> Vec<String> {
            let files = model_files(&root.join(clip), format_of("bck").unwrap(), at_most);
            files.iter().map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/")).collect()
        };
        assert_eq!(found("beast/bck/walk.bck", 9), ["beast/bmd/beast.bmd"]);
        assert_eq!(found("beast/beast_wait.bck", 9), ["beast/bmd/beast.bmd"]);
        assert_eq!(found("beast/jump.bck", 9), [""; 0]);
        // What lies beside it may be its model whatever it is called.
        assert_eq!(found("two/bck/saucer_fly.bck", 9), ["two/bck/near.bmd", "two/bmd/saucer.bmd"]);
        assert_eq!(found("two/bck/saucer_fly.bck", 1), ["two/bck/near.bmd"]);
        assert_eq!(found("two/bck/walk.bck", 9), ["two/bck/near.bmd"]);
    }
}
