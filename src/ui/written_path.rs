//! Paths as JSON: text, or the system's own units where they are not Unicode.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPath {
    Text(String),
    Units(OsString),
}

impl From<&Path> for WrittenPath {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Units(path.as_os_str().to_owned()),
        }
    }
}

impl From<WrittenPath> for PathBuf {
    fn from(path: WrittenPath) -> Self {
        match path {
            WrittenPath::Text(text) => Self::from(text),
            WrittenPath::Units(units) => Self::from(units),
        }
    }
}

pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    WrittenPath::from(path).serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    WrittenPath::deserialize(from).map(PathBuf::from)
}

/// A path that may not be there.
pub mod option {
    use crate::ui::written_path::WrittenPath;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::path::PathBuf;

    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(WrittenPath::from).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<WrittenPath>::deserialize(from)?.map(PathBuf::from))
    }
}

/// Several paths.
pub mod list {
    use crate::ui::written_path::WrittenPath;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::PathBuf;

    pub fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| WrittenPath::from(path.as_path())))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<WrittenPath>::deserialize(from)?.into_iter().map(PathBuf::from).collect())
    }
}
