//! Collections: many files, indexed once, searched and joined without opening them.
//!
//! [`Record`] is what the index holds of one file, a function of its bytes and name alone. A [`Store`] keeps records on the disk and
//! reads files anew where they changed. [`Catalog`] is a collection's records in memory, laid out for searching: [`search`] finds
//! entries, [`text_hits`] lines of scripts, [`Links`] who takes what from whom, [`Duplicates`] what lies there twice, [`ClipFits`] which
//! clips fit which models.

mod catalog;
mod clip_fits;
mod content;
mod details;
mod duplicates;
mod filters;
mod graph;
mod indexing;
mod links;
#[cfg(test)]
mod made;
mod names;
mod nearness;
mod needle;
mod query;
mod record;
mod search;
mod store;
mod text_search;
mod walking;

pub use super::stamp::absolute;
pub use catalog::{Catalog, CatalogBuilder, FileIndex, FileInfo, Row, RowIndex};
pub use clip_fits::{CatalogFit, ClipFits, Evidence};
pub use content::{Content, Inside, ReadContent, StoredText};
pub use duplicates::{Duplicates, Same};
pub use graph::{Graph, GraphEdge, GraphFile, GraphNode};
pub use indexing::{Progress, Updated, read_content};
pub use links::{Edge, Links, Need, NeededEntry, Reached, Target, User, Way, who_has};
pub use names::Collection;
pub use query::{HINT, Query};
pub use record::sum;
pub use record::{About, EntryRecord, ImportRecord, JointSet, Record};
pub use search::{Counted, Found, Hit, marks, search, search_counted};
pub use store::Store;
pub use text_search::{TextHit, text_hits};
pub use walking::{OnDisk, Walked, walk};
