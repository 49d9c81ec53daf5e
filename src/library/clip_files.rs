//! The files that may hold the clips of a model, or the model of a clip, if both are in files of their own.

use super::{
    Home,
    containers::outermost,
    folder::{beside, beside_without},
    kinship::{MAX_STEPS_UP, is_of_animations, models_in_folder},
    listings::{Ask, Listings, extension, likeness, stem},
};
use crate::formats::{FORMATS, FormatInfo};
use std::path::{Path, PathBuf};

/// Folders besides the model's own that are looked into.
const MAX_FOLDERS: usize = 16;

/// At most so many files that may hold the clips of the model in `model`, a file of `format`, without those that are `known`: those
/// beside it ([`super::folder::beside`]), and those of folders of animations (`bck`, `anm`) in its folder, beside it or above it, and of the folder
/// above, if their names and places say that they are its own ([`crate::library::Kinship::belongs`]). No file is read for it.
pub fn clip_files(
    model: &Path,
    format: &'static FormatInfo,
    at_most: usize,
    known: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut found = beside_without(model, format.companions, at_most, &known);
    let mut elsewhere = in_other_folders(model, format);
    elsewhere.retain(|path| !known(path));
    // Those from elsewhere are its own by their names; of those beside it that is not known yet.
    let most_elsewhere = at_most.saturating_sub(found.len()).max(at_most / 2);
    elsewhere.truncate(most_elsewhere);
    found.truncate(at_most.saturating_sub(elsewhere.len()));
    found.append(&mut elsewhere);
    found.shrink_to_fit();
    found
}

/// The most alike in name first.
fn in_other_folders(model: &Path, format: &'static FormatInfo) -> Vec<PathBuf> {
    let Some(own_name) = model.file_name() else { return Vec::new() };
    let own = stem(own_name);
    let home = |path: &Path| Home::of_path(&path.to_string_lossy(), "", Some(format));
    let Ok(model) = crate::files::absolute(model) else { return Vec::new() };
    let of_model = home(&model).among(models_in_folder(&model, format));
    let mut found = Vec::new();
    for folder in folders(&model, format.companions) {
        let names = Listings::shared().names(&folder, Ask::Seldom);
        let of_companions = format.companions.iter().flat_map(|extension| names.with_extension(extension));
        for file in of_companions {
            let path = folder.join(file.name);
            if of_model.kinship(&home(&path)).may_belong() {
                let rank = format.companions.iter().position(|known| *known == extension(file.name));
                found.push((likeness(&own, file.stem), rank, path));
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, path)| path).collect()
}

/// Folders of animations in the model's folder and in those above it, the nearest first, and the folder above. Links to folders
/// are not followed; no folder of a container leads out of it.
fn folders(model: &Path, companions: &[&str]) -> Vec<PathBuf> {
    let container = outermost(model);
    let is_inside = |folder: &&Path| container.is_none_or(|container| folder.starts_with(container));
    let bases: Vec<&Path> = model.ancestors().skip(1).take(MAX_STEPS_UP + 1).take_while(is_inside).collect();
    let Some(own) = bases.first() else { return Vec::new() };
    let mut folders = Vec::new();
    for base in &bases {
        let names = Listings::shared().names(base, Ask::Seldom);
        let of_animations =
            names.folders().filter(|name| is_of_animations(&name.to_string_lossy().to_lowercase(), companions));
        folders.extend(of_animations.map(|name| base.join(name)));
    }
    folders.truncate(MAX_FOLDERS);
    folders.extend(bases.get(1).map(|above| above.to_path_buf()));
    folders.retain(|folder| folder != own);
    folders
}

/// Folders besides the clip's own that are looked into.
const MAX_MODEL_FOLDERS: usize = 16;

/// At most so many files that may hold the model of the clips in `clip`, a file of `format`: those beside it ([`beside`]); then
/// those around it whose clips would be looked for where it lies ([`super::clip_files`]) and may be this one, by their names and
/// places. No file is read for it.
pub fn model_files(clip: &Path, format: &'static FormatInfo, at_most: usize) -> Vec<PathBuf> {
    let mut found = beside(clip, format.companions, at_most);
    let Ok(clip) = crate::files::absolute(clip) else { return found };
    let of_clip = Home::of_path(&clip.to_string_lossy(), "", Some(format));
    for folder in model_folders(&clip, format) {
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
fn model_folders(clip: &Path, format: &FormatInfo) -> Vec<PathBuf> {
    let Some(own) = clip.parent() else { return Vec::new() };
    let container = outermost(clip);
    let name = own.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let above = own.parent().filter(|above| container.is_none_or(|container| above.starts_with(container)));
    let above = above.filter(|_| is_of_animations(&name, format.extensions));
    let mut folders: Vec<PathBuf> = above.map(Path::to_path_buf).into_iter().collect();
    for base in above.into_iter().chain([own]) {
        let names = Listings::shared().names(base, Ask::Seldom);
        folders
            .extend(names.folders().map(|name| base.join(name)).filter(|folder| folder != own).take(MAX_MODEL_FOLDERS));
    }
    folders.truncate(MAX_MODEL_FOLDERS);
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;

    fn format(id: &str) -> &'static FormatInfo {
        FORMATS.iter().map(|format| format.info()).find(|info| info.id == id).unwrap()
    }

    /// A folder with these files, which hold nothing: nothing is read.
    fn tree(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(folder: &tempfile::TempDir, model: &str, at_most: usize) -> Vec<String> {
        let root = std::path::absolute(folder.path()).unwrap();
        let id = model.rsplit_once('.').unwrap().1;
        let files = clip_files(&root.join(model), format(id), at_most, |path| path.ends_with("known.bck"));
        files.iter().map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn the_clips_of_a_model_in_pieces_are_found() {
        let folder = tree(&[
            "beast/bmd/beast.bmd",
            "beast/bmd/beast_hit.bck",
            "beast/bmd/known.bck",
            "beast/bck/walk.bck",
            "beast/bck/beast_run.bck",
            "beast/bck/readme.txt",
            "beast/btk/eyes.btk",
            "beast/beast_wait.bck",
            "beast/jump.bck",
            "anm/beast_swim.bck",
            "anm/deep/beast_dive.bck",
            "saucer/saucer_fly.bck",
            "saucer/beast_fly.bck",
        ]);
        assert_eq!(
            found(&folder, "beast/bmd/beast.bmd", 99),
            [
                "beast/bmd/beast_hit.bck",
                // “beast_” with all of them; then in the order of their paths.
                "anm/beast_swim.bck",
                "beast/bck/beast_run.bck",
                "beast/beast_wait.bck",
                "beast/bck/walk.bck",
                "beast/btk/eyes.btk",
            ]
        );
        assert_eq!(
            found(&folder, "beast/bmd/beast.bmd", 3),
            ["beast/bmd/beast_hit.bck", "anm/beast_swim.bck", "beast/bck/beast_run.bck"]
        );
        assert_eq!(found(&folder, "beast/bmd/beast.bmd", 0), [""; 0]);
    }

    #[test]
    fn of_several_models_only_what_is_called_after_one_is_its_own() {
        let folder =
            tree(&["bmd/beast.bmd", "bmd/saucer.bmd", "bck/beast_walk.bck", "bck/saucer_fly.bck", "bck/walk.bck"]);
        assert_eq!(found(&folder, "bmd/beast.bmd", 99), ["bck/beast_walk.bck"]);
        assert_eq!(found(&folder, "bmd/saucer.bmd", 99), ["bck/saucer_fly.bck"]);
    }

    #[test]
    fn no_more_folders_are_looked_into_than_are_allowed() {
        let extensions = format("bmd").companions;
        let many: Vec<String> =
            extensions.iter().flat_map(|e| ["", "s"].map(|s| format!("b/bmd/{e}{s}/x.txt"))).collect();
        assert!(many.len() > MAX_FOLDERS);
        let mut files: Vec<&str> = many.iter().map(String::as_str).collect();
        files.extend(["a/bmd/beast.bmd", "a/bck/walk.bck"]);
        let folder = tree(&files);
        let folders = |model: &str| folders(&std::path::absolute(folder.path().join(model)).unwrap(), extensions);
        let [few, many] = ["a/bmd/beast.bmd", "b/bmd/beast.bmd"].map(folders);
        assert!(few.contains(&folder.path().join("a/bck")) && few.contains(&folder.path().join("a")), "{few:?}");
        assert_eq!(many.len(), MAX_FOLDERS + 1);
    }

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
