//! Two files held against each other, and what was found.

use crate::library::{
    OpenFile,
    compare::{AssetDifference, Comparison, Fields, State},
};
use std::sync::Arc;

/// The comparison of two files; they stay as they were read when it began.
#[derive(Default)]
pub struct Comparing {
    pub left: Option<Arc<OpenFile>>,
    pub right: Option<Arc<OpenFile>>,
    /// Which comparison it is: what an earlier one finds counts no more.
    pub turn: u64,
    /// The work that compares.
    pub work: Option<u64>,
    pub found: Option<Arc<Comparison>>,
    /// The entry that is shown, into [`Comparison::entries`].
    pub chosen: Option<usize>,
    /// What was found of the entry of that number.
    pub detail: Option<(usize, Arc<Detail>)>,
    /// What is the same is listed too.
    pub with_same: bool,
}

/// One entry on both sides.
#[derive(Debug, Default)]
pub struct Detail {
    pub fields: Fields,
    pub shown: Option<AssetDifference>,
}

impl Comparing {
    /// The entries that are listed, by number.
    pub fn listed(&self) -> Vec<usize> {
        let entries = self.found.as_ref().map(|found| found.entries.as_slice()).unwrap_or_default();
        let is_listed = |state: State| self.with_same || state != State::Same;
        entries.iter().enumerate().filter(|(_, pair)| is_listed(pair.state)).map(|(at, _)| at).collect()
    }
}
