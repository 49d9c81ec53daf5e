//! Collections: many files, indexed once, searched and joined without opening them.
//!
//! [`Record`] is what the index holds of one file, a function of its bytes and name alone. [`Catalog`] is a collection's records in
//! memory, laid out for searching.

mod catalog;
mod clip_fits;
mod duplicates;
mod filters;
mod letters;
mod links;
#[cfg(test)]
mod made;
mod needle;
mod places;
mod query;
mod record;
mod search;
mod text_search;

pub use catalog::{Catalog, CatalogBuilder, FileIndex, FileInfo, Row, RowIndex};
pub use clip_fits::{CatalogFit, ClipFits, Evidence};
pub use duplicates::{Duplicates, Same};
pub use links::{Edge, Links, Need, NeededEntry, Reached, Target, User, Way, who_has};
pub use query::{HINT, Query};
pub use record::{About, EntryRecord, ImportRecord, JointSet, Record};
pub use search::{Found, Hit, marks, search};
pub use text_search::{TextHit, text_hits};
