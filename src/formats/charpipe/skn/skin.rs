//! A skin: its lists, and what of the arrays is set to zero (formats/charpipe.md §6).

use super::{layout::LINE, list::List};
use crate::{bytes::Source, scene::ListKind};
use std::ops::Range;

/// A skin. What its lists hold stays where it is until it is asked for.
#[derive(Clone, Debug)]
pub struct Skn {
    pub(super) source: Source,
    /// Sources are whole numbers over two to the power of this: 31 at most.
    pub shift: u8,
    /// In the order in which they are computed: all of one bone, all of two, all that add up.
    pub lists: Vec<List>,
    /// What is set to zero before the first list that adds up: bytes from the start of the array of positions.
    pub clear: Range<u64>,
    /// The file has lists that add up, readable or not: only then is anything set to zero.
    pub(super) adds_up: bool,
    /// Where the header lies: bytes from the start of the file.
    pub(super) at: u64,
}

impl Skn {
    /// What is really set to zero: from the start of the first line on.
    pub fn cleared(&self) -> Range<u64> {
        if !self.adds_up || self.clear.is_empty() {
            return 0..0;
        }
        let into_line = self.clear.start.checked_rem(LINE).unwrap_or(0);
        self.clear.start.saturating_sub(into_line)..self.clear.end
    }

    /// Which list of its kind one is.
    pub fn number(&self, index: usize) -> usize {
        let Some(kind) = self.lists.get(index).map(|l| l.kind) else { return 0 };
        let place = |kind| ListKind::ALL.iter().position(|k| *k == kind);
        // Those of a kind follow each other.
        index.saturating_sub(self.lists.partition_point(|l| place(l.kind) < place(kind)))
    }

    /// `SK1 0`, `SK2 3`, `SKAcc 7`.
    pub fn list_name(&self, index: usize) -> String {
        let kind = self.lists.get(index).map_or(ListKind::One, |l| l.kind);
        format!("{} {}", kind.name(), self.number(index))
    }
}
