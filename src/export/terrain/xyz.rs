use super::{ground::Ground, numbers::metres, progress::Progress};
use std::io::{self, Write};

/// Writes a line for each sample, from the south-west: east, north and height in metres. Holes have none.
pub fn write(
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
