//! What the list of objects remembers.

use crate::ui::{
    stage::landscape::objects::index::{Column, KindRow, ObjectIndex},
    widgets::columns::Sort,
};
use std::sync::Arc;

/// Which list is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Things,
    Types,
}

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ObjectsView {
    pub page: Page,
    pub filter: String,
    pub sort: Sort<Column>,
    /// The landscape that the rest is made for.
    pub generation: Option<u64>,
    pub index: ObjectIndex,
    /// All things, sorted, and by what.
    pub order: Option<(Sort<Column>, Arc<[u32]>)>,
    /// What the filter lets through, and the filter.
    pub rows: Vec<u32>,
    pub rows_for: Option<(String, Sort<Column>)>,
    pub kinds: Vec<KindRow>,
    pub kinds_for: Option<String>,
    /// Where a range of rows starts: into the things.
    pub anchor: Option<u32>,
    /// The selection changes by a click here: the list stays where it is.
    pub own: bool,
}
