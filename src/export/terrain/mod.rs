//! Landscapes: heights as a picture or a grid, lists of what stands on them. Every file is written as it is made, row by row.

mod angles;
mod asc;
mod ground;
mod height_picture;
mod numbers;
mod object_list;
mod object_table;
mod xyz;

pub use angles::{Angles, angles};
pub(super) use ground::Ground;

use super::{ExportError, ExportFormat, ExportJob};
use crate::scene::Terrain;
use std::io::{self, Write};

/// How landscapes are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TerrainExport {
    /// A GLB has a vertex every so many samples; `None` for as fine as [`crate::export::glb::USUAL_TRIANGLES`] allow.
    pub step: Option<u32>,
    /// Metres that are added to what is east, in the formats of other programs: Terrain Builder's maps start at 200,000.
    pub easting: f64,
}

/// How far a landscape is written, and what could not be.
struct Progress<'a, 'b> {
    job: &'a ExportJob<'b>,
    notes: &'a mut Vec<String>,
}

/// Things between two looks at whether anybody still wants the file.
const BETWEEN_LOOKS: usize = 1024;

impl Progress<'_, '_> {
    /// Says that `done` of `total` rows are written.
    ///
    /// # Errors
    /// When the export was cancelled.
    fn at(&self, done: usize, total: usize) -> io::Result<()> {
        self.job.check().map_err(io::Error::other)?;
        (self.job.progress)(done as u64, total.max(1) as u64, "rows of heights");
        Ok(())
    }

    /// As [`Progress::at`], for things that are many and small.
    fn at_object(&self, done: usize, total: usize) -> io::Result<()> {
        if done.is_multiple_of(BETWEEN_LOOKS) {
            self.job.check().map_err(io::Error::other)?;
            (self.job.progress)(done as u64, total.max(1) as u64, "objects");
        }
        Ok(())
    }

    /// Says what `count` things lack, where there are any.
    fn note(&mut self, count: usize, one: &str, many: &str) {
        match count {
            0 => {}
            1 => self.notes.push(format!("1 {one}")),
            count => self.notes.push(format!("{count} {many}")),
        }
    }
}

/// Whether a landscape has what the format holds.
///
/// # Errors
/// When it has no heights and the format is made of them, or the format is no landscape's.
pub fn check(terrain: &Terrain, format: ExportFormat) -> Result<(), ExportError> {
    match format {
        ExportFormat::Png16 | ExportFormat::Asc | ExportFormat::Xyz if Ground::of(&terrain.grid).is_none() => {
            Err(ExportError::Unsupported(format!("there are no heights to write as {}", format.id())))
        }
        format if format.is_of_terrain() => Ok(()),
        format => Err(ExportError::Unsupported(format!("a landscape cannot be {}", format.id()))),
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
    notes: &mut Vec<String>,
    out: &mut impl Write,
) -> io::Result<()> {
    let progress = &mut Progress { job, notes };
    match format {
        ExportFormat::Csv => return object_table::write(terrain, progress, out),
        ExportFormat::VisitorList => return object_list::write_visitor(terrain, progress, out),
        ExportFormat::TerrainBuilderList => {
            return object_list::write_terrain_builder(terrain, options.easting, progress, out);
        }
        _ => {}
    }
    let Some(ground) = Ground::of(&terrain.grid) else { return Err(io::Error::other("there are no heights")) };
    ground.note(progress.notes);
    match format {
        ExportFormat::Png16 => height_picture::write(&ground, progress, out),
        ExportFormat::Asc => asc::write(&ground, options.easting, progress, out),
        _ => xyz::write(&ground, options.easting, progress, out),
    }
}
