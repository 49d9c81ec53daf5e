//! The progress of a landscape's export, and the note on objects that are left out.

use crate::{
    bytes::numbers::grouped,
    export::{ExportJob, Notes},
    scene::Terrain,
};
use std::io;

/// How far a landscape is written, and what could not be.
pub struct Progress<'a, 'b> {
    pub job: &'a ExportJob<'b>,
    pub notes: &'a mut Notes,
}

/// Things between two looks at whether anybody still wants the file.
const BETWEEN_LOOKS: usize = 1024;

impl Progress<'_, '_> {
    /// Says that `done` of `total` rows are written.
    ///
    /// # Errors
    /// When the export was cancelled.
    pub fn at(&self, done: usize, total: usize) -> io::Result<()> {
        self.job.check().map_err(io::Error::other)?;
        (self.job.progress)(done as u64, total.max(1) as u64, "rows of heights");
        Ok(())
    }

    /// As [`Progress::at`], for things that are many and small.
    pub fn at_object(&self, done: usize, total: usize) -> io::Result<()> {
        if done.is_multiple_of(BETWEEN_LOOKS) {
            self.job.check().map_err(io::Error::other)?;
            (self.job.progress)(done as u64, total.max(1) as u64, "objects");
        }
        Ok(())
    }

    /// Says what `count` things lack, where there are any.
    pub fn note(&mut self, count: usize, one: &str, many: &str) {
        match count {
            0 => {}
            1 => self.notes.push(format!("1 {one}")),
            count => self.notes.push(format!("{} {many}", grouped(count))),
        }
    }
}

/// Says what of a landscape is in no file of models, and what was looked for and not found.
pub fn note_left_out(terrain: &Terrain, notes: &mut Notes) {
    let hidden = terrain.pictures.iter().filter(|picture| !picture.visible).count();
    let left_out =
        [("zones", terrain.zones.len()), ("hidden ground images", hidden), ("material layers", terrain.layers.len())];
    let named: Vec<&str> = left_out.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    if !named.is_empty() {
        notes.push(format!("{} are omitted", named.join(", ")));
    }
    notes.extend(terrain.missing.iter().cloned());
}
