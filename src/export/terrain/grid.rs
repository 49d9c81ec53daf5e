//! Heights as grids of text: ASC and XYZ.

use super::{ground::Ground, object_list::metres, progress::Progress};
use crate::bytes::numbers::counted;
use std::io::{self, Write};

/// Writes an ESRI ASCII grid: the north row first. The middle of its south-west cell, which is where that sample stands, is at
/// `easting` and 0, as in the list of points.
pub fn write_asc(
    ground: &Ground<'_>,
    easting: f64,
    progress: &mut Progress<'_, '_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let no_data = ground.no_data();
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
        progress.notes.push(format!("{} without ground exported as {no_data}", counted(holes, "sample")));
    }
    Ok(())
}

/// Writes a line for each sample, from the south-west: east, north and height in metres. Holes have none.
pub fn write_xyz(
    ground: &Ground<'_>,
    easting: f64,
    progress: &mut Progress<'_, '_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let easts: Vec<String> =
        (0..ground.columns).map(|column| metres(easting + ground.cell * column as f64).to_string()).collect();
    let mut holes = 0;
    for row in 0..ground.rows {
        progress.at(row, ground.rows)?;
        let north = metres(ground.cell * row as f64);
        for (east, height) in easts.iter().zip(ground.row(row)) {
            if height.is_finite() {
                writeln!(out, "{east} {north} {height}")?;
            } else {
                holes += 1;
            }
        }
    }
    progress.note(holes, "sample without ground is omitted", "samples without ground are omitted");
    Ok(())
}
