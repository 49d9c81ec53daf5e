//! Heights as GeoTIFF (OGC 19-008r4): numbers of 32 bits, placed on a grid of metres that belongs to no map projection.

use super::{
    ground::Ground,
    object_list::{decimal, metres},
    progress::Progress,
};
use crate::bytes::numbers::counted;
use std::io::{self, Seek, Write};
use tiff::{
    TiffError,
    encoder::{TiffEncoder, colortype::Gray32Float},
    tags::Tag,
};

/// Bytes of a strip, about: what is held at a time.
const STRIP: usize = 1 << 16;
/// What programs show as the name of the coordinates.
const CITATION: &str = "Local grid in metres|";
/// Version, then for each key its number, the tag of its value (0: its own), how many values and the value or where it starts.
const KEYS: [[u16; 4]; 5] = [
    [1, 1, 0, 4],
    // GTModelType: user-defined.
    [1024, 0, 1, 32_767],
    // GTRasterType: a sample stands for its cell.
    [1025, 0, 1, 1],
    // GTCitation.
    [1026, 34_737, CITATION.len() as u16, 0],
    // ProjLinearUnits: metres.
    [3076, 0, 1, 9001],
];

/// Writes the north row first. A sample stands in the middle of its cell, and the south-west one at `easting` and 0, as in an ESRI
/// grid.
pub fn write(
    ground: &Ground<'_>,
    easting: f64,
    progress: &mut Progress<'_, '_>,
    out: &mut (impl Write + Seek),
) -> io::Result<()> {
    let too_large = |_| io::Error::other("the landscape has more samples than an image can have pixels");
    let (columns, rows) = (u32::try_from(ground.columns), u32::try_from(ground.rows));
    let no_data = ground.no_data();
    let mut file = TiffEncoder::new(out).map_err(failed)?;
    let mut image =
        file.new_image::<Gray32Float>(columns.map_err(too_large)?, rows.map_err(too_large)?).map_err(failed)?;
    let rows_per_strip = (STRIP / 4 / ground.columns.max(1)).clamp(1, ground.rows.max(1));
    image.rows_per_strip(rows_per_strip as u32).map_err(failed)?;
    let half = ground.cell / 2.0;
    let (west, north) = (metres(easting - half), metres(ground.cell * ground.rows as f64 - half));
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, [ground.cell, ground.cell, 0.0]).map_err(failed)?;
    // The outer corner of the north-west cell.
    tags.write_tag(Tag::ModelTiepointTag, [0.0, 0.0, 0.0, west, north, 0.0]).map_err(failed)?;
    tags.write_tag(Tag::GeoKeyDirectoryTag, KEYS.as_flattened()).map_err(failed)?;
    tags.write_tag(Tag::GeoAsciiParamsTag, CITATION).map_err(failed)?;
    tags.write_tag(Tag::GdalNodata, decimal(no_data).to_string().as_str()).map_err(failed)?;
    let mut holes = 0;
    let mut strip = Vec::with_capacity(rows_per_strip * ground.columns);
    for row in (0..ground.rows).rev() {
        progress.at(ground.rows - row, ground.rows)?;
        for height in ground.row(row) {
            holes += usize::from(!height.is_finite());
            strip.push(if height.is_finite() { *height } else { no_data });
        }
        if strip.len() as u64 >= image.next_strip_sample_count() {
            image.write_strip(&strip).map_err(failed)?;
            strip.clear();
        }
    }
    image.finish().map_err(failed)?;
    progress.notes.push(
        "the grid has no map projection: its coordinates are metres east and north of its south-west corner".to_owned(),
    );
    if holes > 0 {
        progress.notes.push(format!("{} without ground exported as {no_data} (nodata)", counted(holes, "sample")));
    }
    Ok(())
}

fn failed(error: TiffError) -> io::Error {
    match error {
        TiffError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
