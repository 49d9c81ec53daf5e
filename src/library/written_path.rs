//! Paths as JSON: text, or the system's own units where they are not Unicode.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(not(target_arch = "wasm32"))]
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPath {
    Text(String),
    /// Never in a browser, whose names are all Unicode, and where this type is not written.
    #[cfg(not(target_arch = "wasm32"))]
    Units(OsString),
}

impl From<&Path> for WrittenPath {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            #[cfg(not(target_arch = "wasm32"))]
            None => Self::Units(path.as_os_str().to_owned()),
            #[cfg(target_arch = "wasm32")]
            None => Self::Text(path.to_string_lossy().into_owned()),
        }
    }
}

impl From<WrittenPath> for PathBuf {
    fn from(path: WrittenPath) -> Self {
        match path {
            WrittenPath::Text(text) => Self::from(text),
            #[cfg(not(target_arch = "wasm32"))]
            WrittenPath::Units(units) => Self::from(units),
        }
    }
}

/// Serializes a path, for `#[serde(with)]`.
///
/// # Errors
/// Returns an error if the serializer does.
pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    WrittenPath::from(path).serialize(to)
}

/// Deserializes a path, for `#[serde(with)]`.
///
/// # Errors
/// Returns an error if the data is not a path.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    WrittenPath::deserialize(from).map(PathBuf::from)
}

/// A path that may not be there.
pub mod option {
    use crate::library::written_path::WrittenPath;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::path::PathBuf;

    /// Serializes an optional path, for `#[serde(with)]`.
    ///
    /// # Errors
    /// Returns an error if the serializer does.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(WrittenPath::from).serialize(to)
    }

    /// Deserializes an optional path, for `#[serde(with)]`.
    ///
    /// # Errors
    /// Returns an error if the data is not a path or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<WrittenPath>::deserialize(from)?.map(PathBuf::from))
    }
}

/// Several paths.
pub mod list {
    use crate::library::written_path::WrittenPath;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::PathBuf;

    /// Serializes a list of paths, for `#[serde(with)]`.
    ///
    /// # Errors
    /// Returns an error if the serializer does.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| WrittenPath::from(path.as_path())))
    }

    /// Deserializes a list of paths, for `#[serde(with)]`.
    ///
    /// # Errors
    /// Returns an error if the data is not a list of paths.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<WrittenPath>::deserialize(from)?.into_iter().map(PathBuf::from).collect())
    }
}
