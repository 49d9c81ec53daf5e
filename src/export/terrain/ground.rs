//! The ground of a landscape as an image or as triangles.

use super::object_list::decimal;
use crate::{
    bytes::numbers::counted,
    export::{ExportError, ExportJob, Notes},
    scene::{HeightGrid, scene_from_ground},
};
use glam::Vec3;

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

/// Triangles of the ground where nobody says how fine it should be.
pub const USUAL_TRIANGLES: u64 = 1_000_000;

/// A place without a vertex.
const HOLE: u32 = u32::MAX;

/// The finest step with at most [`USUAL_TRIANGLES`].
pub fn usual_step(columns: u32, rows: u32) -> u32 {
    let squares = |samples: u32, step: u32| u64::from(samples.saturating_sub(1).div_ceil(step));
    let fits = |step: &u32| squares(columns, *step).saturating_mul(squares(rows, *step)) * 2 <= USUAL_TRIANGLES;
    // Less than ten thousand steps even for what is as long as it can be.
    (1..=u32::MAX).find(fits).unwrap_or(u32::MAX)
}

/// Which samples become vertices: every so many, and those at the edges.
pub struct Lattice {
    step: usize,
    columns: usize,
    rows: usize,
}

/// A vertex for each sample of a lattice that is ground, in scene space.
#[derive(Default)]
pub struct GroundMesh {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Three a triangle, counter-clockwise from above.
    pub indices: Vec<u32>,
}

impl Lattice {
    /// `step`: that which was asked for, the usual one without.
    pub fn of(ground: &Ground<'_>, step: Option<u32>) -> Self {
        let (columns, rows) = (ground.columns, ground.rows);
        let step = step.unwrap_or_else(|| usual_step(columns as u32, rows as u32)).max(1);
        Self { step: step as usize, columns, rows }
    }

    pub fn step(&self) -> usize {
        self.step
    }

    /// Vertices, where none is left out.
    pub fn vertices(&self) -> usize {
        let of = |samples: usize| samples.saturating_sub(1).div_ceil(self.step).saturating_add(1);
        of(self.columns).saturating_mul(of(self.rows))
    }

    fn kept(&self, samples: usize) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..samples).step_by(self.step).collect();
        if kept.last() != Some(&(samples - 1)) {
            kept.push(samples - 1);
        }
        kept
    }

    /// The ground, split as the game splits it; no triangle has a corner without ground.
    ///
    /// # Errors
    /// When the export is cancelled.
    pub fn mesh(&self, ground: &Ground<'_>, job: &ExportJob<'_>) -> Result<GroundMesh, ExportError> {
        let (columns, rows) = (self.kept(self.columns), self.kept(self.rows));
        let cell = ground.cell as f32;
        let point = |i: usize, j: usize| -> Option<Vec3> {
            let (column, row) = (*columns.get(i)?, *rows.get(j)?);
            let height = ground.row(row).get(column)?;
            let point = scene_from_ground(column as f32 * cell, *height, row as f32 * cell);
            point.is_finite().then_some(point)
        };
        let width = columns.len();
        let mut vertices = vec![HOLE; width * rows.len()];
        let mut mesh = GroundMesh::default();
        for j in 0..rows.len() {
            job.check()?;
            (job.progress)(j as u64, rows.len() as u64, "rows of the ground");
            for i in 0..width {
                let Some(here) = point(i, j) else { continue };
                // The slope between the neighbours; at an edge it is that of one side.
                let side = |i: Option<usize>, j: Option<usize>| i.zip(j).and_then(|(i, j)| point(i, j)).unwrap_or(here);
                let east = side(Some(i + 1), Some(j)) - side(i.checked_sub(1), Some(j));
                let north = side(Some(i), Some(j + 1)) - side(Some(i), j.checked_sub(1));
                let east = if east.x > 0.0 { east } else { Vec3::X };
                let north = if north.z < 0.0 { north } else { Vec3::NEG_Z };
                vertices[j * width + i] = mesh.positions.len() as u32;
                mesh.positions.push(here.to_array());
                // Lengths first: the product of great slopes is no number.
                let normal = east.normalize_or(Vec3::X).cross(north.normalize_or(Vec3::NEG_Z));
                mesh.normals.push(normal.normalize_or(Vec3::Y).to_array());
            }
        }
        for j in 1..rows.len() {
            for i in 1..width {
                let at = |i: usize, j: usize| vertices[j * width + i];
                let (south_west, south_east) = (at(i - 1, j - 1), at(i, j - 1));
                let (north_west, north_east) = (at(i - 1, j), at(i, j));
                for triangle in [[south_west, south_east, north_west], [north_east, north_west, south_east]] {
                    if !triangle.contains(&HOLE) {
                        mesh.indices.extend(triangle);
                    }
                }
            }
        }
        Ok(mesh)
    }

    /// What a reader of the file should know of the ground.
    pub fn note(&self, ground: &Ground<'_>, notes: &mut Notes) {
        let holes = ground.holes();
        if holes > 0 {
            notes.push(format!(
                "{} of the landscape omitted from the mesh, because the landscape has holes there",
                counted(holes, "sample")
            ));
        }
        if self.step > 1 {
            notes.push(format!("the ground has one vertex every {} samples", self.step));
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

    #[test]
    fn steps_keep_a_mesh_under_a_million_triangles() {
        assert_eq!((usual_step(0, 0), usual_step(1, 1), usual_step(64, 64), usual_step(708, 708)), (1, 1, 1, 1));
        assert_eq!((usual_step(709, 709), usual_step(2048, 2048), usual_step(8192, 8192)), (2, 3, 12));
        assert_eq!(usual_step(u32::MAX, 2), 8_590);
    }
}
