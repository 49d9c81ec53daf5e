//! What differs between two files, entry by entry and field by field, and between two folders or containers.
//!
//! Entries are matched by their paths and roles, fields by their names. Where something lies in a file does not count: an entry that
//! only moved is the same. All that is kept and shown is bounded; what is damaged on one side differs there.

mod align;
mod assets;
mod clips;
mod entries;
mod fields;
#[cfg(feature = "collection")]
mod files;
mod lines;
mod models;
mod pairs;
mod parts;
mod pictures;
mod side;
mod state;
mod values;

pub use assets::{AssetDifference, compare_assets};
pub use clips::ClipDifference;
pub use entries::EntryPair;
pub use entries::{Comparison, compare, compare_pair};
pub use fields::{FieldRow, Fields, Rows, compare_fields};
#[cfg(feature = "collection")]
pub use files::{FilePair, FilesComparison, compare_files, holds_files};
pub use lines::{Line, LineDifference, TextDifference, compare_lines};
pub use models::ModelDifference;
pub use parts::Parts;
pub use pictures::{ComparedPictures, PictureDifference};
pub use side::Side;
pub use state::{Counts, State, Tell};
