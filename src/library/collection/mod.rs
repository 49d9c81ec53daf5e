//! Collections: many files, indexed once, searched and joined without opening them.
//!
//! [`Record`] is what the index holds of one file, a function of its bytes and name alone. [`Catalog`] is a collection's records in
//! memory, laid out for searching.

mod catalog;
mod filters;
mod letters;
#[cfg(test)]
mod made;
mod needle;
mod query;
mod record;
mod search;
mod text_search;

pub use catalog::{Catalog, CatalogBuilder, FileIndex, FileInfo, Row, RowIndex};
pub use query::{HINT, Query};
pub use record::{About, EntryRecord, ImportRecord, JointSet, Record};
pub use search::{Found, Hit, marks, search};
pub use text_search::{TextHit, text_hits};
