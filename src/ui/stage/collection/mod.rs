//! The collection: what it holds, a field to search it, what was found as rows or pictures, and which clips fit which models.

mod chips;
mod fits;
mod gallery;
mod header;
mod menu;
mod page;
mod roots;
mod row;
mod rows;
mod sections;

pub use page::{CollectionView, show};
