//! Files, folders and entries that a person has marked with a star.

use crate::{
    formats::{Entry, EntryId},
    library::{OpenFile, written_path},
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Something marked with a star.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Favourite {
    /// A file or a folder, absolute.
    #[serde(with = "written_path")]
    pub path: PathBuf,
    /// The entry of the file by its path, or by `#` and its number where another one has the same.
    #[serde(default)]
    pub entry: Option<String>,
}

impl Favourite {
    /// What an entry of a file would be; nothing for what came from a pipe.
    pub fn of(file: &OpenFile, entry: &Entry) -> Option<Self> {
        if file.piped {
            return None;
        }
        let path = crate::files::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
        let entry = (entry.id != EntryId::FILE).then(|| {
            let path = entry.path();
            // Formats allow equal paths: the first one has it.
            match file.document.outline().find(&path) {
                Some(first) if first.id == entry.id => path.into_owned(),
                _ => format!("#{}", entry.id.0),
            }
        });
        Some(Self { path, entry })
    }

    /// What it is called: the last part of the way to it.
    pub fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or(self.path.as_os_str());
        let file = file.to_string_lossy();
        match &self.entry {
            Some(entry) => {
                let name = entry.rsplit(['/', '\\']).next().unwrap_or(entry);
                format!("{name} of {file}")
            }
            None => file.into_owned(),
        }
    }

    /// The whole way to it.
    pub fn way(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{}: {entry}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn favourites_are_called_by_the_end_of_their_way() {
        let of = |path: &str, entry: Option<&str>| Favourite { path: path.into(), entry: entry.map(str::to_owned) };
        assert_eq!(of("/m/a.psk", None).name(), "a.psk");
        assert_eq!(of("/m/a.psk", Some("MATT0000/Eyes")).name(), "Eyes of a.psk");
        assert_eq!(of("/m/a.psk", Some("#12")).name(), "#12 of a.psk");
        assert_eq!(of("/", None).name(), "/");
        assert_eq!(of("/m/a.psk", Some("Mesh")).way(), "/m/a.psk: Mesh");
    }
}
