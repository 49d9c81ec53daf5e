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
pub fn among(catalog: &Catalog, models: &[RowIndex]) -> HashMap<FileIndex, Among> {
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
    let of_lair = |(files, names): (Vec<FileIndex>, Vec<String>)| {
        let among = Among::of_names(names.into_iter());
        files.into_iter().map(move |file| (file, among.clone()))
    };
    names.into_values().flat_map(of_lair).collect()
}

fn format_of(id: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().map(|format| format.info()).find(|info| *info.id == *id)
}
