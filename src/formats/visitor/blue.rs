//! Between heights and objects lies an array of floats whose length no file states: it is found by what follows it
//! (formats/visitor.md §1.4, §1.7).

use super::{
    grid::{Grid, WINDOW, read_u32},
    layers,
    layout::{LayerNames, Layout},
    objects::read_slot,
    strings::Strings,
    types::ObjectType,
};
use crate::{
    bytes::{Endian, Source},
    formats::field_reader::FieldReader,
};
use std::{collections::BTreeSet, ops::Range};

/// What follows a possible end of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Objects: how many were looked at, and how many of those are of a known type.
    Objects {
        looked_at: usize,
        known: usize,
    },
    /// No objects, then layers.
    LayersAlone,
    /// The file ends within the first object.
    Cut,
    Nothing,
}

/// Where the array ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlueEnd {
    /// The unknown number before the objects, in bytes.
    pub at: u64,
    pub verdict: Verdict,
    /// No formula leads there; it was searched.
    pub searched: bool,
}

/// Objects that must look like some.
const LOOKED_AT: usize = 6;

/// Empty slots that are passed over to find them: a map that was cleared and filled anew begins with as many as it ever had.
const MAX_EMPTY: usize = 1 << 16;

/// Bytes of the smallest object.
const SMALLEST_OBJECT: usize = 84;

/// Bytes in which the first layers must be.
const LAYERS_WINDOW: u64 = 256 << 10;

/// The same where every byte is tried.
const MAX_EMPTY_SEARCHING: usize = 64;

/// What may follow the heights.
pub struct Follower<'a> {
    pub source: &'a Source,
    pub layout: &'a Layout,
    pub types: BTreeSet<u32>,
}

impl<'a> Follower<'a> {
    pub fn new(source: &'a Source, layout: &'a Layout, types: &[ObjectType]) -> Self {
        Self { source, layout, types: types.iter().map(|t| t.id).collect() }
    }

    /// The numbers of floats that the array may have, by formula; each once.
    pub fn formulas(grid: &Grid) -> Vec<u64> {
        let (x, cells) = (u64::from(grid.columns), grid.cells());
        let all = [
            x.div_euclid(16).saturating_mul(x),
            cells.div_euclid(16),
            0,
            cells.div_euclid(4),
            cells,
            cells.div_euclid(64),
        ];
        let mut different = Vec::new();
        for count in all {
            if !different.contains(&count) {
                different.push(count);
            }
        }
        different
    }

    /// What follows when the array has that many floats.
    pub fn verdict_for(&self, grid: &Grid, floats: u64) -> Verdict {
        let end = grid.heights().end.saturating_add(floats.saturating_mul(4));
        self.verdict(end, MAX_EMPTY)
    }

    /// What follows an unknown number at `at`.
    fn verdict(&self, at: u64, most_empty: usize) -> Verdict {
        let mut r = FieldReader::new(self.source, at..u64::MAX, Endian::Little);
        if r.offset() != at || r.raw().skip(4).is_err() {
            return Verdict::Nothing;
        }
        let Ok(count) = r.raw().u32() else { return Verdict::Nothing };
        if count == 0 {
            return self.with_layers(r.offset());
        }
        let is_searching = most_empty == MAX_EMPTY_SEARCHING;
        let (mut looked_at, mut known, mut empty) = (0_usize, 0_usize, 0_usize);
        let mut slots = count as usize;
        while slots > 0 {
            let left = r.left();
            let run = empty_slots(&mut r, slots.min(most_empty.saturating_add(1).saturating_sub(empty)));
            if run > 0 {
                slots = slots.saturating_sub(run);
                empty = empty.saturating_add(run);
                if empty > most_empty {
                    return Verdict::Nothing;
                }
                continue;
            }
            slots = slots.saturating_sub(1);
            match read_slot(&mut r, self.layout) {
                Ok(Some(object)) if object.is_sane() => {
                    looked_at = looked_at.saturating_add(1);
                    known = known.saturating_add(usize::from(self.types.contains(&object.type_id)));
                }
                // Truncated files end within an object.
                Err(_) if left < SMALLEST_OBJECT && looked_at > 0 => break,
                Err(_) if left < SMALLEST_OBJECT => return Verdict::Cut,
                _ => return Verdict::Nothing,
            }
            if looked_at >= LOOKED_AT {
                break;
            }
        }
        if looked_at == 0 {
            return if is_searching { Verdict::Nothing } else { self.with_layers(r.offset()) };
        }
        Verdict::Objects { looked_at, known }
    }

    /// Nothing but empty places is not enough: any run of zeros looks like that.
    fn with_layers(&self, at: u64) -> Verdict {
        let window = at..at.saturating_add(LAYERS_WINDOW);
        if has_layers(self.source, window, self.layout.strings) { Verdict::LayersAlone } else { Verdict::Nothing }
    }

    /// Where the array of `grid` ends.
    pub fn find(&self, grid: &Grid) -> Option<BlueEnd> {
        let heights_end = grid.heights().end;
        let mut cut = None;
        for floats in Self::formulas(grid) {
            let at = heights_end.saturating_add(floats.saturating_mul(4));
            match self.verdict_for(grid, floats) {
                Verdict::Nothing => {}
                Verdict::Cut => cut = cut.or(Some(BlueEnd { at, verdict: Verdict::Cut, searched: false })),
                verdict => return Some(BlueEnd { at, verdict, searched: false }),
            }
        }
        self.search(heights_end).or(cut)
    }

    /// The first place from `from` on where objects follow, whatever lies before.
    pub fn search(&self, from: u64) -> Option<BlueEnd> {
        let bytes = self.source.as_slice();
        let from = usize::try_from(from).ok()?;
        let end = from.saturating_add(WINDOW).min(bytes.len());
        for at in from..end {
            let count_at = at.saturating_add(4);
            let first = count_at.saturating_add(4);
            let left = bytes.len().saturating_sub(first);
            let Some(count) = read_u32(bytes, count_at) else { break };
            // Where anything goes, only what is plain is taken.
            let present = bytes.get(first..first.saturating_add(2));
            let is_flag = matches!(present, Some([0 | 1, 0] | [0, 1]));
            if count == 0 || !is_flag || (count as usize).saturating_mul(2) > left {
                continue;
            }
            let verdict = self.verdict(at as u64, MAX_EMPTY_SEARCHING);
            if let Verdict::Objects { looked_at, known } = verdict
                && (known > 0 || (self.types.is_empty() && looked_at >= 2))
            {
                return Some(BlueEnd { at: at as u64, verdict, searched: true });
            }
        }
        None
    }
}

/// Passes over at most `most` empty slots in a row; how many there were.
fn empty_slots(r: &mut FieldReader<'_>, most: usize) -> usize {
    let (start, left) = (r.offset() as usize, r.left().min(most.saturating_mul(2)));
    let bytes = r.source().as_slice().get(start..start.saturating_add(left)).unwrap_or_default();
    let (blocks, _) = bytes.as_chunks::<64>();
    let passed = blocks.iter().take_while(|block| **block == [0; 64]).count().saturating_mul(32);
    let (slots, _) = bytes.as_chunks::<2>();
    let run = passed.saturating_add(slots.iter().skip(passed).take_while(|slot| **slot == [0; 2]).count());
    // They are all there.
    r.raw().skip(run.saturating_mul(2)).map_or(0, |()| run)
}

/// Whether at least one layer is at the start of `range`, and all are in it.
pub fn has_layers(source: &Source, range: Range<u64>, strings: Strings) -> bool {
    LayerNames::ALL.into_iter().any(|names| {
        let mut r = FieldReader::new(source, range.clone(), Endian::Little);
        r.offset() == range.start
            && layers::read_layers(&mut r, strings, names).is_ok_and(|layers| !layers.list.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{
        NO_OVERRIDES,
        findings::Findings,
        visitor::{
            encode::{Dialect, Object, ObjectType, Project, encode_pew},
            project::Project as ReadProject,
        },
    };

    #[test]
    fn maps_that_were_filled_anew_begin_with_empty_slots() {
        for empty in [0, 31, 32, 33, 4_096, 4_097, 60_000] {
            let object = |id: u32| Some(Object::new(id, 7, [id as f32, 5.0, 20.0], 0.5, 1.0));
            let written = Project {
                types: vec![ObjectType { model: "a.p3d".to_owned(), id: 7, ..ObjectType::default() }],
                columns: 16,
                rows: 16,
                heights: vec![5.0; 256],
                objects: std::iter::repeat_n(None, empty).chain((0..8).map(object)).collect(),
                ..Project::default()
            };
            let source = Source::from(encode_pew(&written, &Dialect::default()));
            let read = ReadProject::read(&source, 60, &NO_OVERRIDES, &mut Findings::default());
            let objects = read.objects.unwrap_or_default();
            assert_eq!((objects.len(), objects.present), (empty.saturating_add(8), 8), "{empty}");
        }
    }
}
