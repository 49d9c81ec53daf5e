//! Whether objects stand on the ground: what tells the order of rows, and what their heights are worth (formats/visitor.md §1.5).

use super::{
    grid::Grid,
    layout::Placing,
    objects::Object,
    placing::{Placement, TransformOrder},
};
use crate::{bytes::Source, scene::HeightGrid};
use glam::Vec3;

/// How many objects stand on the ground at their own heights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnGround {
    /// Objects over the grid.
    pub looked_at: usize,
    /// With the first row in the south.
    pub south_first: usize,
    /// With the first row in the north.
    pub north_first: usize,
}

/// Metres that an object on the ground may be off.
const NEAR: f32 = 1.0;

/// Metres over or under the ground that are no height of an object.
const FAR: f32 = 100.0;

impl OnGround {
    /// Looks at `objects`.
    pub fn of(source: &Source, grid: &Grid, cell: f32, objects: &[Object], order: TransformOrder) -> Self {
        let mut found = Self::default();
        for object in objects {
            let Vec3 { x, y, z } = Placement::of(object.transform, order).position;
            let [south, north] = [false, true].map(|north_first| square(source, grid, cell, [x, z], north_first));
            let (Some(south), Some(north)) = (south, north) else { continue };
            let is_near = |ground: f32| (y - ground).abs() <= NEAR || (y - ground - object.above_ground).abs() <= NEAR;
            found.looked_at = found.looked_at.saturating_add(1);
            found.south_first = found.south_first.saturating_add(usize::from(is_near(south)));
            found.north_first = found.north_first.saturating_add(usize::from(is_near(north)));
        }
        found
    }

    /// Whether the objects say clearly that the first row is the northern edge.
    pub fn says_north_first(&self) -> bool {
        self.north_first >= 10 && self.south_first.saturating_mul(4) < self.north_first
    }
}

/// The ground under a point, from the four heights about it.
fn square(source: &Source, grid: &Grid, cell: f32, [east, north]: [f32; 2], north_first: bool) -> Option<f32> {
    let (x, z) = (east / cell, north / cell);
    let last = |side: u32| side.saturating_sub(1) as f32;
    // NaN is in no range.
    if !(0.0..last(grid.columns)).contains(&x) || !(0.0..last(grid.rows)).contains(&z) {
        return None;
    }
    let (column, row) = (x.floor() as u32, z.floor() as u32);
    let at = |dx: u32, dz: u32| {
        let row = row.saturating_add(dz);
        let row = if north_first { grid.rows.saturating_sub(1).saturating_sub(row) } else { row };
        grid.height(source, column.saturating_add(dx), row)
    };
    let heights = [at(0, 0)?, at(1, 0)?, at(0, 1)?, at(1, 1)?];
    let square = HeightGrid { columns: 2, rows: 2, cell: 1.0, heights: heights.into() };
    square.ground_at(x - column as f32, z - row as f32)
}

/// The height that the floor of an object is at. `ground`: what is under it.
pub fn floor_height(own: f32, above_ground: f32, ground: Option<f32>, placing: Placing) -> f32 {
    let Some(ground) = ground else { return own };
    let off = (own - ground).abs();
    // A height that equals the ground's, or is nowhere near it, says nothing.
    let says_nothing = off <= 1e-3 || off > FAR || !off.is_finite();
    match placing {
        Placing::Ground => ground + above_ground,
        Placing::File if says_nothing => ground + above_ground,
        Placing::File => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_that_say_nothing_are_taken_from_the_ground() {
        assert_eq!(floor_height(50.0, 0.5, Some(50.0), Placing::File), 50.5);
        assert_eq!(floor_height(0.0, 0.5, Some(250.0), Placing::File), 250.5);
        assert_eq!(floor_height(53.0, 0.5, Some(50.0), Placing::File), 53.0);
        assert_eq!(floor_height(53.0, 0.5, Some(50.0), Placing::Ground), 50.5);
        assert_eq!(floor_height(53.0, 0.5, None, Placing::Ground), 53.0);
    }
}
