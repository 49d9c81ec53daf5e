//! What is left of a damaged file, and what is said of it.

use super::{
    exercise::exercise,
    open::{Opened, Opening},
};
use bonebox::formats::{Asset, Content, EntryId, ReadError};
use std::collections::BTreeSet;

/// A damaged file, and what came of looking at all of it.
pub struct Remains {
    /// With what opening, checking and loading found.
    pub file: Opened,
    /// What still shows as something.
    pub shown: Vec<(EntryId, Asset)>,
    /// Why the rest does not.
    pub refused: Vec<ReadError>,
}

/// Looks at all of a damaged file, of which all must hold that [`exercise`] asks for. `Err`: why it does not open.
#[track_caller]
pub fn remains(name: &str, bytes: &[u8]) -> Result<Remains, String> {
    let outcome = exercise(name, bytes, false);
    let mut file = Opening::of(name).open(bytes).map_err(|error| error.message)?.checked();
    let (mut shown, mut refused) = (Vec::new(), Vec::new());
    let entries = file.document.outline().entries().iter().filter(|entry| entry.content != Content::None);
    for entry in entries.map(|entry| entry.id).collect::<Vec<_>>() {
        match file.load_adding(entry) {
            Ok(asset) => shown.push((entry, asset)),
            Err(error) => refused.push(error),
        }
    }
    assert_eq!(outcome.assets, shown.len(), "{name}");
    Ok(Remains { file, shown, refused })
}

impl Remains {
    /// Each code that was reported.
    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.file.codes().into_iter().collect()
    }

    /// The paths of all entries.
    pub fn paths(&self) -> Vec<&str> {
        self.file.document.outline().entries().iter().map(|entry| entry.path.as_str()).collect()
    }

    /// What an entry shows as, if it still does.
    pub fn asset(&self, path: &str) -> Option<&Asset> {
        let entry = self.file.document.outline().find(path)?.id;
        self.shown.iter().find(|(id, _)| *id == entry).map(|(_, asset)| asset)
    }
}
