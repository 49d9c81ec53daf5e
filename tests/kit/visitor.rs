//! Visitor projects in tests.

use super::{
    data,
    open::{self, Opened, Opening},
};
use bonebox::{
    formats::{Asset, Content, OpenError, Overrides, coverage::coverage},
    scene::Terrain,
};
use serde_json::Value;
use std::{fs, path::PathBuf, sync::Arc};

const NAME: &str = "test.pew";

pub fn try_open(bytes: &[u8]) -> Result<Opened, OpenError> {
    Opening::of(NAME).open(bytes)
}

#[track_caller]
pub fn open(bytes: &[u8]) -> Opened {
    open::open(NAME, bytes)
}

/// Opens with one thing read as it is wanted.
#[track_caller]
pub fn open_with(bytes: &[u8], id: &str, value: &str) -> Opened {
    let overrides = Overrides::from([(id.to_owned(), value.to_owned())]);
    Opening { overrides: &overrides, ..Opening::of(NAME) }.open(bytes).unwrap()
}

/// A project of the project's own, with its description as JSON beside it.
pub fn path(name: &str) -> PathBuf {
    data().join(format!("visitor/{name}.pew"))
}

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap()
}

/// What is expected of it.
pub fn expected(name: &str) -> Value {
    serde_json::from_slice(&fs::read(path(name).with_extension("json")).unwrap()).unwrap()
}

/// The one that others differ from.
pub fn tiny() -> Vec<u8> {
    bytes("tiny60")
}

/// Of files with one landscape.
impl Opened {
    /// What was chosen.
    pub fn reading(&self, id: &str) -> String {
        let choice = self.document.reading().iter().find(|choice| choice.id == id);
        choice.map(|choice| choice.value.clone()).unwrap_or_default()
    }

    #[track_caller]
    pub fn terrain(&self) -> Arc<Terrain> {
        self.try_terrain().unwrap()
    }

    pub fn try_terrain(&self) -> Result<Arc<Terrain>, String> {
        let entry = self.document.outline().with_content(Content::Terrain).next().ok_or("no terrain")?;
        match self.load(entry.id).0 {
            Ok(Asset::Terrain(terrain)) => Ok(terrain),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Every byte is in one field of one entry, what is opaque has a name of the family's list, and what was found a code of it.
    #[track_caller]
    pub fn assert_tiled(&self, what: &str) {
        let read = coverage(self.document.as_ref());
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{what}");
        let known = self.document.format();
        for span in read.opaque {
            assert!(known.opaque.iter().any(|(name, _)| *name == span.name), "{what}: {span:?}");
        }
        for diagnostic in &self.diagnostics {
            assert!(known.codes.iter().any(|code| code.id == diagnostic.code), "{what}: {}", diagnostic.code);
        }
    }
}
