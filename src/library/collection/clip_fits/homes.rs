//! Where models and clips of a collection lie, and beside which others.

use crate::{
    formats::{EntryId, FORMATS, FormatInfo},
    library::{
        Among, Home,
        collection::{Catalog, FileIndex, Row, RowIndex},
    },
};
use std::{collections::HashMap, path::Path};

/// Where something lies; `path` is its own, or that of what it lies in.
pub fn home(catalog: &Catalog, row: &Row<'_>, path: &str) -> Home {
    let file = catalog.file(row.file);
    let format = file.and_then(|file| format_of(&file.format));
    let at = file.map(|file| file.path.to_string_lossy()).unwrap_or_default();
    // A file is known by its name, and not by a path in it.
    Home::of_path(&at, if row.entry == EntryId::FILE { "" } else { path }, format)
}

/// By file the models among which its own lie: those of an archive, or those of the folder for files of one model each.
pub fn among(catalog: &Catalog, models: &[RowIndex], clips: &[RowIndex]) -> HashMap<FileIndex, Among> {
    /// The file, for an archive; else the folder and what the format is one of.
    #[derive(PartialEq, Eq, Hash)]
    enum Lair<'a> {
        Archive(FileIndex),
        Folder(Option<&'a Path>, &'static str),
    }
    let mut names: HashMap<Lair<'_>, (Vec<FileIndex>, Vec<String>)> = HashMap::new();
    for row in models.iter().filter_map(|model| catalog.row(*model)) {
        let Some(file) = catalog.file(row.file) else { continue };
        let format = format_of(&file.format).filter(|_| !home(catalog, &row, row.path).is_in_archive());
        let lair = match format {
            Some(format) => Lair::Folder(file.path.parent(), format.family),
            None => Lair::Archive(row.file),
        };
        let name = match lair {
            Lair::Folder(..) => file.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Lair::Archive(_) => row.name.to_owned(),
        };
        let (files, names) = names.entry(lair).or_default();
        files.push(row.file);
        names.push(name);
    }
    let clips = clips_of_folders(catalog, clips);
    let of_lair = |(lair, (files, names)): (Lair<'_>, (Vec<FileIndex>, Vec<String>))| {
        let among = Among::of_names(names.into_iter());
        let among = match lair {
            Lair::Folder(folder, _) => {
                let clips = clips.get(&folder).map(Vec::as_slice).unwrap_or_default();
                among.with_clips(clips.iter().map(String::as_str))
            }
            Lair::Archive(_) => among,
        };
        files.into_iter().map(move |file| (file, among.clone()))
    };
    names.into_iter().flat_map(of_lair).collect()
}

/// By folder the names of its files of clips, in lower case, without what follows the last dot.
fn clips_of_folders<'a>(catalog: &'a Catalog, clips: &[RowIndex]) -> HashMap<Option<&'a Path>, Vec<String>> {
    let mut names: HashMap<Option<&Path>, Vec<String>> = HashMap::new();
    let mut last = None;
    for file in clips.iter().filter_map(|clip| Some(catalog.row(*clip)?.file)) {
        if last.replace(file) == Some(file) {
            continue;
        }
        let Some(file) = catalog.file(file) else { continue };
        if format_of(&file.format).is_some_and(|format| !format.companions.is_empty()) {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
            names.entry(file.path.parent()).or_default().push(stem);
        }
    }
    names
}

fn format_of(id: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().map(|format| format.info()).find(|info| *info.id == *id)
}
