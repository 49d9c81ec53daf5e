//! The grid of heights (formats/visitor.md §1.4).

use crate::{
    bytes::Source,
    formats::{Field, Table, TerrainCard, Value},
    scene::HeightGrid,
};
use sha2::{Digest, Sha256};
use std::{fmt::Write as _, ops::Range, sync::Arc};

/// Where the heights lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Where the two sides are, in bytes.
    pub at: u64,
    /// Samples from west to east.
    pub columns: u32,
    /// Rows of them.
    pub rows: u32,
    /// Heights that the file has; fewer than columns × rows where it is cut short.
    pub present: u64,
}

/// Samples of a side.
const SIDES: std::ops::RangeInclusive<u32> = 8..=32768;

/// Heights that are looked at to find out whether they are heights.
const LOOKED_AT: u64 = 2000;

/// Metres that no height is beyond.
const HIGHEST: f32 = 12_000.0;

/// Bytes that a grid is searched in.
pub const WINDOW: usize = 4 << 20;

/// Grids that one search may find and leave.
const MAX_TRIES: u32 = 32;

/// Heights that one search may look at.
const MAX_LOOKS: u64 = 1 << 24;

impl Grid {
    /// Where the first height is, in bytes.
    pub fn heights_at(&self) -> u64 {
        self.at.saturating_add(8)
    }

    /// Heights that there should be.
    pub fn cells(&self) -> u64 {
        u64::from(self.columns).saturating_mul(u64::from(self.rows))
    }

    pub fn is_whole(&self) -> bool {
        self.present == self.cells()
    }

    /// Bytes of the heights that there are.
    pub fn heights(&self) -> Range<u64> {
        let start = self.heights_at();
        start..start.saturating_add(self.present.saturating_mul(4))
    }

    /// The bytes of the heights that there are.
    pub fn bytes<'a>(&self, source: &'a Source) -> &'a [u8] {
        let range = self.heights();
        source.as_slice().get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Rows that the scene has: all of them, unless the file is cut so short that most would be empty.
    fn scene_rows(&self) -> u32 {
        if self.cells() <= self.present.saturating_mul(4).saturating_add(1 << 20) {
            return self.rows;
        }
        let rows = self.present.div_ceil(u64::from(self.columns.max(1)));
        u32::try_from(rows).unwrap_or(self.rows).min(self.rows)
    }

    /// The heights from south to north, NaN where there are none.
    pub fn height_grid(&self, source: &Source, cell: f32, north_first: bool) -> HeightGrid {
        let rows = self.scene_rows();
        let width = self.columns as usize;
        let count = width.saturating_mul(rows as usize);
        let bytes = self.bytes(source);
        let heights: Arc<[f32]> = if north_first {
            let mut heights = Vec::with_capacity(count);
            let row_bytes = width.saturating_mul(4);
            for row in (0..rows as usize).rev() {
                let start = row.saturating_mul(row_bytes).min(bytes.len());
                let end = start.saturating_add(row_bytes).min(bytes.len());
                heights.extend(bytes.get(start..end).unwrap_or_default().as_chunks::<4>().0.iter().map(height));
                let rows_done = (rows as usize).saturating_sub(row);
                heights.resize(rows_done.saturating_mul(width), f32::NAN);
            }
            heights.into()
        } else {
            let there = bytes.as_chunks::<4>().0.iter().map(height);
            match self.is_whole() {
                true => there.collect(),
                false => there.chain(std::iter::repeat(f32::NAN)).take(count).collect(),
            }
        };
        HeightGrid { columns: self.columns, rows, cell, heights }
    }

    /// One height, `column` from the west and `row` in the file's order.
    pub fn height(&self, source: &Source, column: u32, row: u32) -> Option<f32> {
        let index = u64::from(row).checked_mul(u64::from(self.columns))?.checked_add(u64::from(column))?;
        if column >= self.columns || row >= self.rows || index >= self.present {
            return None;
        }
        let start = usize::try_from(self.heights_at().checked_add(index.checked_mul(4)?)?).ok()?;
        read_f32(source.as_slice(), start)
    }

    /// Heights that are not finite.
    pub fn holes(&self, source: &Source) -> usize {
        self.bytes(source).as_chunks::<4>().0.iter().filter(|b| !f32::from_le_bytes(**b).is_finite()).count()
    }

    /// The ground in a few numbers.
    pub fn card(&self, source: &Source, cell: f32) -> TerrainCard {
        let bytes = self.bytes(source);
        let (mut min, mut max, mut sum, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0.0_f64, 0_u64);
        for height in bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).filter(|h| h.is_finite()) {
            min = min.min(height);
            max = max.max(height);
            sum += f64::from(height);
            count = count.saturating_add(1);
        }
        let mut sha256 = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            let _ = write!(sha256, "{byte:02x}");
        }
        TerrainCard {
            x: self.columns,
            z: self.rows,
            cell,
            range: (count > 0).then_some([min, max]),
            mean: (count > 0).then(|| sum / count as f64),
            sha256,
        }
    }

    /// The heights as rows of fields.
    pub fn field(&self, source: &Source) -> Field {
        let range = self.heights();
        let rows = HeightRows { source: source.clone(), grid: *self };
        let size = range.end.saturating_sub(range.start);
        Field::table("Heights", "f32", range.start, size, Arc::new(rows))
    }
}

fn height(bytes: &[u8; 4]) -> f32 {
    let height = f32::from_le_bytes(*bytes);
    if height.is_finite() { height } else { f32::NAN }
}

fn read_f32(bytes: &[u8], at: usize) -> Option<f32> {
    let array: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(f32::from_le_bytes(array))
}

pub fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let array: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_le_bytes(array))
}

/// The grid whose sides are at `at`: none where what follows are no heights. One that the file is cut off in is taken if
/// `may_be_cut`. `looks` counts the heights that were looked at.
pub fn grid_at(bytes: &[u8], at: usize, may_be_cut: bool, looks: &mut u64) -> Option<Grid> {
    let columns = read_u32(bytes, at).filter(|side| SIDES.contains(side))?;
    let rows = read_u32(bytes, at.checked_add(4)?).filter(|side| SIDES.contains(side))?;
    let start = at.checked_add(8)?;
    let floats = (bytes.len().checked_sub(start)? as u64).div_euclid(4);
    let cells = u64::from(columns).saturating_mul(u64::from(rows));
    if floats < cells && !may_be_cut {
        return None;
    }
    let grid = Grid { at: at as u64, columns, rows, present: floats.min(cells) };
    let step = grid.present.div_euclid(LOOKED_AT).max(1);
    let samples = grid.present.div_ceil(step);
    // 98 of a hundred must be heights.
    let mut may_be_bad = samples.div_euclid(50);
    for sample in 0..samples {
        *looks = looks.saturating_add(1);
        let index = usize::try_from(sample.saturating_mul(step).saturating_mul(4)).ok()?;
        let height = read_f32(bytes, start.checked_add(index)?)?;
        if !is_height(height) {
            may_be_bad = may_be_bad.checked_sub(1)?;
        }
    }
    Some(grid)
}

fn is_height(height: f32) -> bool {
    height.abs() <= HIGHEST && (height == 0.0 || height.is_normal())
}

/// The first grid from `from` on that `fits`; the last one that does not is used when nothing better is found.
pub fn find_grid(bytes: &[u8], from: usize, mut fits: impl FnMut(&Grid) -> bool) -> Option<Grid> {
    let end = from.saturating_add(WINDOW).min(bytes.len());
    let (mut looks, mut tries) = (0_u64, 0_u32);
    let mut first = None;
    for at in from..end {
        if looks > MAX_LOOKS {
            break;
        }
        let Some(grid) = grid_at(bytes, at, false, &mut looks) else { continue };
        tries = tries.saturating_add(1);
        if fits(&grid) {
            return Some(grid);
        }
        first = first.or(Some(grid));
        if tries >= MAX_TRIES {
            break;
        }
    }
    first
}

/// Rows of heights, each one field of many numbers.
#[derive(Debug)]
struct HeightRows {
    source: Source,
    grid: Grid,
}

impl Table for HeightRows {
    fn len(&self) -> usize {
        let rows = self.grid.present.div_ceil(u64::from(self.grid.columns.max(1)));
        usize::try_from(rows).unwrap_or(usize::MAX)
    }

    fn row(&self, index: usize) -> Option<Field> {
        let width = (self.grid.columns as usize).checked_mul(4)?;
        let bytes = self.grid.bytes(&self.source);
        let start = index.checked_mul(width).filter(|start| *start < bytes.len())?;
        let row = bytes.get(start..start.saturating_add(width).min(bytes.len()))?;
        let values: Vec<f32> = row.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        let at = self.grid.heights_at().saturating_add(start as u64);
        let kind = format!("f32[{}]", values.len());
        Some(Field::new(index.to_string(), kind, Value::Floats(values), at, row.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(columns: u32, rows: u32, heights: &[f32]) -> Vec<u8> {
        let mut bytes = [columns.to_le_bytes(), rows.to_le_bytes()].concat();
        bytes.extend(heights.iter().flat_map(|h| h.to_le_bytes()));
        bytes
    }

    #[test]
    fn grids_are_told_from_other_numbers() {
        let looks = &mut 0;
        let flat = made(8, 8, &[0.0; 64]);
        assert_eq!(grid_at(&flat, 0, false, looks), Some(Grid { at: 0, columns: 8, rows: 8, present: 64 }));
        assert_eq!(grid_at(&made(7, 8, &[0.0; 64]), 0, false, looks), None);
        assert_eq!(grid_at(&made(8, 1 << 16, &[0.0; 64]), 0, true, looks), None);
        assert_eq!(grid_at(&made(8, 8, &[0.0; 63]), 0, false, looks), None);
        assert_eq!(grid_at(&made(8, 8, &[0.0; 63]), 0, true, looks).map(|g| g.present), Some(63));
        // One of 64 may be no height, two may not.
        let mut heights = [5.0; 64];
        heights[9] = f32::NAN;
        assert!(grid_at(&made(8, 8, &heights), 0, false, looks).is_some());
        heights[10] = 1e-40;
        assert!(grid_at(&made(8, 8, &heights), 0, false, looks).is_none());
        heights[10] = 12_001.0;
        assert!(grid_at(&made(8, 8, &heights), 0, false, looks).is_none());
    }

    #[test]
    fn a_grid_is_found_at_any_byte() {
        let mut bytes = vec![0xAB; 37];
        bytes.extend(made(16, 8, &[3.0; 128]));
        assert_eq!(find_grid(&bytes, 3, |_| true).map(|g| g.at), Some(37));
        assert_eq!(find_grid(&bytes, 38, |_| true), None);
    }

    #[test]
    fn cut_grids_have_no_ground_where_they_end() {
        let heights: Vec<f32> = (0..20).map(|i| i as f32).collect();
        let source = Source::from(made(8, 8, &heights));
        let grid = grid_at(source.as_slice(), 0, true, &mut 0).unwrap();
        let south = grid.height_grid(&source, 10.0, false);
        assert_eq!((south.rows, south.len(), south.get(3, 2), south.get(4, 2)), (8, 64, Some(19.0), None));
        let north = grid.height_grid(&source, 10.0, true);
        assert_eq!((north.len(), north.get(3, 5), north.get(4, 5), north.get(0, 7)), (64, Some(19.0), None, Some(0.0)));
        assert_eq!(grid.field(&source).size, 80);
        let rows = HeightRows { source, grid };
        assert_eq!((rows.len(), rows.row(2).unwrap().size, rows.row(3).is_none()), (3, 16, true));
        // Sides that the file has nothing for size nothing.
        let source = Source::from(made(32768, 32768, &heights));
        let grid = grid_at(source.as_slice(), 0, true, &mut 0).unwrap();
        assert_eq!(grid.height_grid(&source, 10.0, false).len(), 32768);
        assert_eq!(grid.height_grid(&source, 10.0, true).len(), 32768);
        // Nor do those of which it has a small part.
        let source = Source::from(made(4096, 1024, &vec![1.0; 1 << 19]));
        let grid = grid_at(source.as_slice(), 0, true, &mut 0).unwrap();
        assert_eq!((grid.present, grid.height_grid(&source, 10.0, true).rows), (1 << 19, 128));
    }
}
