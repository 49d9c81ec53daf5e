//! What shaders read of a grid of heights: heights without holes, and slopes with their smaller levels.

use crate::scene::HeightGrid;

/// One texel of the relief, halves of 16 bits: slope eastward, slope northward, height in metres, and 1 where the square that
/// starts here has a corner without ground.
pub(super) type ReliefTexel = [u16; 4];

/// Heights as the vertex stage reads them: holes are bridged, so that nothing near one stands out. Empty without any ground.
pub(super) fn bridged(grid: &HeightGrid) -> Vec<f32> {
    let (columns, rows) = (grid.columns as usize, grid.rows as usize);
    if grid.heights.len() != columns.saturating_mul(rows) || columns == 0 {
        return Vec::new();
    }
    let mut out = grid.heights.to_vec();
    if out.iter().all(|h| h.is_finite()) {
        return out;
    }
    // Within each row first; rows without any ground take their neighbour's.
    let mut known: Vec<bool> = Vec::with_capacity(rows);
    for row in out.chunks_exact_mut(columns) {
        known.push(bridge_row(row));
    }
    let Some(first) = known.iter().position(|k| *k) else { return Vec::new() };
    for row in (0..first).rev() {
        out.copy_within((row + 1) * columns..(row + 2) * columns, row * columns);
    }
    for (row, _) in known.iter().enumerate().skip(first + 1).filter(|(_, known)| !**known) {
        out.copy_within((row - 1) * columns..row * columns, row * columns);
    }
    out
}

/// Joins the finite heights of a row by straight lines; `false` when there are none.
fn bridge_row(row: &mut [f32]) -> bool {
    let mut last: Option<usize> = None;
    for index in 0..row.len() {
        if !row[index].is_finite() {
            continue;
        }
        let start = last.map_or(0, |l| l + 1);
        let from = last.map_or(row[index], |l| row[l]);
        let (to, span) = (row[index], (index + 1 - start) as f32);
        for (step, height) in row[start..index].iter_mut().enumerate() {
            *height = from + (to - from) * (step + 1) as f32 / span;
        }
        last = Some(index);
    }
    let Some(last) = last else { return false };
    let end = row[last];
    row[last + 1..].fill(end);
    true
}

/// The largest level: one texel for each sample.
pub(super) fn relief(grid: &HeightGrid, heights: &[f32]) -> Vec<ReliefTexel> {
    let mut out = slopes(heights, grid.columns as usize, grid.rows as usize, [grid.cell; 2]);
    let (columns, rows) = (grid.columns as usize, grid.rows as usize);
    for (index, _) in grid.heights.iter().enumerate().filter(|(_, h)| !h.is_finite()) {
        let (x, z) = (index % columns, index / columns);
        // Up to four squares share the sample.
        for z in z.saturating_sub(1)..=z.min(rows - 1) {
            for x in x.saturating_sub(1)..=x.min(columns - 1) {
                out[z * columns + x][3] = half(1.0);
            }
        }
    }
    out
}

/// Texels of any level, from its heights.
pub(super) fn slopes(heights: &[f32], columns: usize, rows: usize, cell: [f32; 2]) -> Vec<ReliefTexel> {
    let mut out = Vec::with_capacity(columns * rows);
    for z in 0..rows {
        let (south, north) = (z.saturating_sub(1), (z + 1).min(rows - 1));
        let tall = ((north - south) as f32 * cell[1]).max(f32::MIN_POSITIVE);
        let row = |z: usize| &heights[z * columns..(z + 1) * columns];
        let (here, below, above) = (row(z), row(south), row(north));
        for x in 0..columns {
            let (west, east) = (x.saturating_sub(1), (x + 1).min(columns - 1));
            let wide = ((east - west) as f32 * cell[0]).max(f32::MIN_POSITIVE);
            let slope = |rise: f32, run: f32| if rise == 0.0 { 0.0 } else { rise / run };
            out.push([
                half(slope(here[east] - here[west], wide)),
                half(slope(above[x] - below[x], tall)),
                half(here[x]),
                0,
            ]);
        }
    }
    out
}

/// Heights of the next smaller level: each the mean of up to four.
pub(super) fn halved(heights: &[f32], columns: usize, rows: usize) -> Vec<f32> {
    let (half_columns, half_rows) = ((columns / 2).max(1), (rows / 2).max(1));
    let mut out = Vec::with_capacity(half_columns * half_rows);
    for z in 0..half_rows {
        let (south, north) = (z * 2, (z * 2 + 1).min(rows - 1));
        for x in 0..half_columns {
            let (west, east) = (x * 2, (x * 2 + 1).min(columns - 1));
            let at = |x: usize, z: usize| heights[z * columns + x];
            out.push((at(west, south) + at(east, south) + at(west, north) + at(east, north)) * 0.25);
        }
    }
    out
}

/// A number in 16 bits, held to what they can say; less than the smallest normal one is zero.
pub(super) fn half(value: f32) -> u16 {
    let half = half::f16::from_f32(value.clamp(-65504.0, 65504.0));
    if half.is_normal() { half.to_bits() } else { half.to_bits() & 0x8000 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: u32, heights: &[f32]) -> HeightGrid {
        HeightGrid { columns, rows: heights.len() as u32 / columns, cell: 2.0, heights: heights.into() }
    }

    #[test]
    fn halves_are_the_nearest() {
        for (value, bits) in
            [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (0.1, 0x2e66), (65504.0, 0x7bff), (1e9, 0x7bff), (1e-9, 0)]
        {
            assert_eq!(half(value), bits, "{value}");
        }
        assert_eq!(half(1.0 + 1.0 / 2048.0), 0x3c00, "ties go to the even one");
        assert_eq!(half(1.0 + 3.0 / 2048.0), 0x3c02);
    }

    #[test]
    fn holes_are_bridged() {
        let nan = f32::NAN;
        let with_holes = grid(4, &[nan, nan, nan, nan, nan, 1.0, nan, 3.0, 5.0, nan, f32::INFINITY, nan]);
        let filled = [1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0, 5.0, 5.0, 5.0, 5.0];
        assert_eq!(bridged(&with_holes), filled);
        assert_eq!(bridged(&grid(2, &[nan; 4])), Vec::<f32>::new());
        assert_eq!(bridged(&HeightGrid { rows: 9, ..grid(2, &[1.0; 4]) }), Vec::<f32>::new());
    }

    #[test]
    fn squares_with_a_corner_without_ground_are_marked() {
        let mut heights = [0.0; 16];
        heights[5] = f32::NAN;
        let grid = grid(4, &heights);
        let marked = relief(&grid, &bridged(&grid));
        let holes: Vec<usize> = (0..16).filter(|i| marked[*i][3] != 0).collect();
        assert_eq!(holes, [0, 1, 4, 5]);
    }

    #[test]
    fn slopes_rise_to_the_east_and_north() {
        let heights: Vec<f32> = (0..9).map(|i| (i % 3) as f32 * 4.0 + (i / 3) as f32 * 1.0).collect();
        let texels = slopes(&heights, 3, 3, [2.0, 2.0]);
        assert!(texels.iter().all(|t| t[0] == half(2.0) && t[1] == half(0.5)));
        assert_eq!(halved(&heights, 3, 3), [2.5]);
    }
}
