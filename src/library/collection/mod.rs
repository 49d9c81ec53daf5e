//! Collections: many files, indexed once, searched and joined without opening them.
//!
//! [`Record`] is what the index holds of one file, a function of its bytes and name alone. A [`Store`] keeps records on the disk and
//! reads files anew where they changed. [`Catalog`] is a collection's records in memory, laid out for searching.

mod catalog;
mod content;
mod details;
mod indexing;
mod place;
mod record;
mod store;
mod walking;

pub use catalog::{Catalog, CatalogBuilder, FileIndex, FileInfo, Row, RowIndex};
pub use content::{Content, Inside, ReadContent, StoredText};
pub use indexing::{Progress, Updated, read_content};
pub use place::absolute;
pub use record::{About, EntryRecord, ImportRecord, JointSet, Record};
pub use store::{Collection, Store};
pub use walking::{OnDisk, Walked, walk};
