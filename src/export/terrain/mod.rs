//! Landscapes: heights as a picture or a grid, lists of what stands on them. Every file is written as it is made, row by row.

mod angles;
mod bodies;
mod geotiff;
mod grid;
mod ground;
mod ground_picture;
mod height_picture;
mod object_list;
mod progress;
mod whole;

use crate::export::Notes;
pub use angles::{Angles, angles};
pub(super) use bodies::StandIn;
pub(super) use bodies::{Bodies, Body, name_of};
pub(super) use ground::Ground;
pub(super) use ground::Lattice;
pub use ground::{USUAL_TRIANGLES, usual_step};
pub(super) use ground_picture::GroundPicture;
pub(super) use object_list::placing;
pub(super) use progress::note_left_out;
pub(super) use whole::{whole_model, whole_size};

use progress::Progress;

use super::{ExportError, ExportFormat, ExportJob};
use crate::scene::Terrain;
use std::io::{self, Seek, Write};

/// How landscapes are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TerrainExport {
    /// A GLB or OBJ has a vertex every so many samples; `None` for as fine as [`USUAL_TRIANGLES`] allow.
    pub step: Option<u32>,
    /// Metres that are added to what is east, in the formats of other programs: Terrain Builder's maps start at 200,000.
    pub easting: f64,
}

/// Whether a landscape has what the format holds.
///
/// # Errors
/// When it has no heights and the format is made of them, or the format is no landscape's.
pub fn check(terrain: &Terrain, format: ExportFormat) -> Result<(), ExportError> {
    match format {
        format if format.is_of_heights() && Ground::of(&terrain.grid).is_none() => {
            Err(ExportError::Unsupported(format!("no heights to export as {}", format.id())))
        }
        format if format.is_of_terrain() => Ok(()),
        format => Err(ExportError::Unsupported(format!("a landscape cannot be exported as {}", format.id()))),
    }
}

/// Writes a landscape in one of its own formats, row by row; [`check`] says whether it can be. What the format cannot hold becomes a
/// note, one plain sentence each.
///
/// # Errors
/// When writing fails or the export is cancelled.
pub fn write(
    terrain: &Terrain,
    format: ExportFormat,
    options: TerrainExport,
    job: &ExportJob<'_>,
    notes: &mut Notes,
    out: &mut (impl Write + Seek),
) -> io::Result<()> {
    let progress = &mut Progress { job, notes };
    match format {
        ExportFormat::Csv => return object_list::write(terrain, progress, out),
        ExportFormat::VisitorList => return object_list::write_visitor(terrain, progress, out),
        ExportFormat::TerrainBuilderList => {
            return object_list::write_terrain_builder(terrain, options.easting, progress, out);
        }
        _ => {}
    }
    let Some(ground) = Ground::of(&terrain.grid) else { return Err(io::Error::other("no heights")) };
    ground.note(progress.notes);
    match format {
        ExportFormat::Png16 => height_picture::write(&ground, progress, out),
        ExportFormat::Asc => grid::write_asc(&ground, options.easting, progress, out),
        ExportFormat::Tiff => geotiff::write(&ground, options.easting, progress, out),
        _ => grid::write_xyz(&ground, options.easting, progress, out),
    }
}
