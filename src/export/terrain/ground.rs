use super::numbers::decimal;
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::scene::HeightGrid;

/// Metres between samples where the file has no number for it.
const USUAL_CELL: f64 = 1.0;

/// The heights that are there.
pub struct Ground<'a> {
    pub columns: usize,
    pub rows: usize,
    /// Metres between samples; more than zero.
    pub cell: f64,
    heights: &'a [f32],
    /// Rows that the file should have and has not, at the north.
    missing_rows: usize,
    has_cell: bool,
}

impl<'a> Ground<'a> {
    /// `None` without a single row of heights.
    pub fn of(grid: &'a HeightGrid) -> Option<Self> {
        let (columns, wanted) = (grid.columns as usize, grid.rows as usize);
        let rows = grid.heights.len().checked_div(columns)?.min(wanted);
        let has_cell = grid.cell.is_finite() && grid.cell > 0.0;
        let cell = if has_cell { decimal(grid.cell) } else { USUAL_CELL };
        (rows > 0).then(|| Self { columns, rows, cell, heights: &grid.heights, missing_rows: wanted - rows, has_cell })
    }

    /// Samples from west to east; none outside.
    pub fn row(&self, from_south: usize) -> &'a [f32] {
        let start = from_south.saturating_mul(self.columns);
        self.heights.get(start..start.saturating_add(self.columns)).unwrap_or_default()
    }

    /// All samples.
    pub fn heights(&self) -> &'a [f32] {
        self.heights.get(..self.columns * self.rows).unwrap_or_default()
    }

    /// The lowest and the highest; `None` where all is holes.
    pub fn range(&self) -> Option<[f32; 2]> {
        let finite = self.heights().iter().copied().filter(|h| h.is_finite());
        finite.fold(None, |range, h| Some(range.map_or([h, h], |[min, max]: [f32; 2]| [min.min(h), max.max(h)])))
    }

    /// Samples that are no ground.
    pub fn holes(&self) -> usize {
        self.heights().iter().filter(|h| !h.is_finite()).count()
    }

    /// What stands for no height in formats that need a number for it: the usual one, unless that is a height of this ground.
    pub fn no_data(&self) -> f32 {
        let taken = |number: f32| self.heights().contains(&number);
        [-9_999.0, -99_999.0, -999_999.0].into_iter().find(|n| !taken(*n)).unwrap_or(f32::MIN)
    }

    /// What a reader of the file should know of it.
    pub fn note(&self, notes: &mut Notes) {
        if self.missing_rows > 0 {
            notes.push(format!("{} in the north omitted: missing from the file", counted(self.missing_rows, "row")));
        }
        if !self.has_cell {
            notes.push(format!("the distance between samples is unknown: {USUAL_CELL} m is used"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_height_is_never_taken_for_a_hole() {
        let grid = |heights: &[f32]| HeightGrid { columns: 2, rows: 1, cell: 1.0, heights: heights.into() };
        assert_eq!(Ground::of(&grid(&[-9998.0, 1.0])).unwrap().no_data(), -9_999.0);
        assert_eq!(Ground::of(&grid(&[-9999.0, f32::NAN])).unwrap().no_data(), -99_999.0);
    }
}
