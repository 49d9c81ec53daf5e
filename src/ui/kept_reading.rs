//! How people want files read whose bytes suggest otherwise.

use crate::{
    formats::{NO_OVERRIDES, Overrides},
    library::written_path,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Files that are remembered.
pub const MAX_READINGS: usize = 200;

/// How a person wants a file read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptReading {
    /// Absolute.
    #[serde(with = "written_path")]
    path: PathBuf,
    overrides: Overrides,
}

impl KeptReading {
    /// The file, and how it is read.
    pub fn parts(&self) -> (&Path, &Overrides) {
        (&self.path, &self.overrides)
    }

    /// Keeps how a file is to be read among others, first; with nothing to keep its bytes decide again.
    pub fn keep_among(kept: &mut Vec<Self>, path: &Path, overrides: Overrides) {
        let path = absolute(path);
        kept.retain(|kept| kept.path != path);
        if !overrides.is_empty() {
            kept.insert(0, Self { path, overrides });
            kept.truncate(MAX_READINGS);
        }
    }
}

/// What is kept of a file's reading among those of others.
pub fn overrides_of<'a>(readings: &'a [KeptReading], path: &Path) -> &'a Overrides {
    if readings.is_empty() {
        return &NO_OVERRIDES;
    }
    let path = absolute(path);
    readings.iter().find(|kept| kept.path == path).map_or(&NO_OVERRIDES, |kept| &kept.overrides)
}

/// A path from the root on, however it was written.
pub fn absolute(path: &Path) -> PathBuf {
    crate::files::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_kept_by_file_the_newest_and_no_more_than_so_many() {
        let mut kept = Vec::new();
        let cell = |metres: &str| Overrides::from([("cell".to_owned(), metres.to_owned())]);
        let keep = |kept: &mut Vec<KeptReading>, path: &str, overrides| {
            KeptReading::keep_among(kept, Path::new(path), overrides);
        };
        for number in 0..MAX_READINGS + 5 {
            keep(&mut kept, &format!("/maps/{number}.pew"), cell("5"));
        }
        assert_eq!(kept.len(), MAX_READINGS);
        let of = |kept: &[KeptReading], path: &str| overrides_of(kept, Path::new(path)).clone();
        assert!(of(&kept, "/maps/4.pew").is_empty(), "the oldest are forgotten");
        assert_eq!(of(&kept, "/maps/5.pew"), cell("5"));
        // Changed again, it is the newest and stands there once; taken back, not at all.
        keep(&mut kept, "/maps/5.pew", cell("20"));
        assert_eq!(kept[0].overrides, cell("20"));
        assert_eq!(kept.len(), MAX_READINGS);
        keep(&mut kept, "/maps/5.pew", Overrides::new());
        assert!(of(&kept, "/maps/5.pew").is_empty());
        // A path is the same file however it is written.
        keep(&mut kept, "island.pew", cell("50"));
        let written = std::env::current_dir().unwrap().join("island.pew");
        assert_eq!(*overrides_of(&kept, &written), cell("50"));
    }
}
