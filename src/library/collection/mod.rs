//! Collections: many files, indexed once, searched and joined without opening them.
//!
//! [`Record`] is what the index holds of one file, a function of its bytes and name alone. [`Catalog`] is a collection's records in
//! memory, laid out for searching.

mod catalog;
mod record;

pub use catalog::{Catalog, CatalogBuilder, FileIndex, FileInfo, Row, RowIndex};
pub use record::{About, EntryRecord, ImportRecord, JointSet, Record};
