use crate::formats::{EntryId, LoadOptions};
use std::path::PathBuf;

/// What an asset was decoded from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssetKey {
    /// The file's path.
    pub path: PathBuf,
    /// The entry in the file.
    pub entry: EntryId,
    /// The options that the entry was decoded with.
    pub options: LoadOptions,
    /// Which reading of the file ([`super::OpenFile::reading`]): what comes of an earlier one is of no use.
    pub reading: u64,
}
