use super::{ground::Ground, progress::Progress};
use std::io::{self, Write};

/// Writes an ESRI ASCII grid: the north row first. The middle of its south-west cell, which is where that sample stands, is at
/// `easting` and 0, as in the list of points.
pub fn write(
    ground: &Ground<'_>,
    easting: f64,
    progress: &mut Progress<'_, '_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let no_data = no_data(ground);
    writeln!(out, "ncols {}", ground.columns)?;
    writeln!(out, "nrows {}", ground.rows)?;
    writeln!(out, "xllcenter {easting}")?;
    writeln!(out, "yllcenter 0")?;
    writeln!(out, "cellsize {}", ground.cell)?;
    writeln!(out, "NODATA_value {no_data}")?;
    let mut holes = 0;
    for row in (0..ground.rows).rev() {
        progress.at(ground.rows - row, ground.rows)?;
        for (column, height) in ground.row(row).iter().enumerate() {
            if column > 0 {
                out.write_all(b" ")?;
            }
            if height.is_finite() {
                write!(out, "{height}")?;
            } else {
                holes += 1;
                write!(out, "{no_data}")?;
            }
        }
        out.write_all(b"\n")?;
    }
    if holes > 0 {
        progress.notes.push(format!("{holes} samples without ground are written as {no_data}"));
    }
    Ok(())
}

/// What stands for no height: the usual number, unless that is a height of this ground.
fn no_data(ground: &Ground<'_>) -> f32 {
    let taken = |number: f32| ground.heights().contains(&number);
    [-9_999.0, -99_999.0, -999_999.0].into_iter().find(|n| !taken(*n)).unwrap_or(f32::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::HeightGrid;

    #[test]
    fn a_height_is_never_taken_for_a_hole() {
        let grid = |heights: &[f32]| HeightGrid { columns: 2, rows: 1, cell: 1.0, heights: heights.into() };
        assert_eq!(no_data(&Ground::of(&grid(&[-9998.0, 1.0])).unwrap()), -9_999.0);
        assert_eq!(no_data(&Ground::of(&grid(&[-9999.0, f32::NAN])).unwrap()), -99_999.0);
    }
}
