//! The cells of a fire.

/// A picture of heat that spreads, rises and cools; its edges meet.
///
/// # The law
///
/// In one frame a cell becomes `(left + itself + right + below − cooling) / 4`, rounded down, 0 at least, of the cells as they
/// were. When the fire rises, *itself* and its neighbours are the row below, and *below* is the row under that: everything
/// moves up a pixel a frame besides. `cooling` is `1 + (255 − render heat) / 4`, rounded down: 1 to 64.
///
/// Where all four are equal a cell loses `cooling / 4`, rounded up, in a frame; nowhere does it lose less against the hottest
/// of the four. So with nothing to feed it a fire whose hottest cell is `h` is out after `h / ⌈cooling / 4⌉` frames, rounded up:
/// 255 frames at the most with a render heat of 255, 16 with 0.
#[derive(Clone, Debug)]
pub(super) struct HeatField {
    width: usize,
    height: usize,
    cells: Vec<u8>,
    /// The frame that is being made.
    next: Vec<u8>,
    /// A row with the last cell before it and the first behind it.
    wrapped: Vec<u8>,
}

/// What every cell loses of the sum of its four, from the render heat.
pub(super) fn cooling(render_heat: u8) -> u16 {
    u16::from(u8::MAX.saturating_sub(render_heat) / 4).saturating_add(1)
}

impl HeatField {
    /// All cold. Both sizes at least 1.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let size = width.saturating_mul(height);
        Self { width, height, cells: vec![0; size], next: vec![0; size], wrapped: vec![0; width.saturating_add(2)] }
    }

    pub(super) fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Makes a cell at least this hot; places outside come in on the other side.
    pub(super) fn light(&mut self, x: f32, y: f32, heat: f32) {
        let column = x.floor().rem_euclid(self.width as f32) as usize;
        let row = y.floor().rem_euclid(self.height as f32) as usize;
        let mut rows = self.cells.chunks_exact_mut(self.width);
        if let Some(cell) = rows.nth(row).and_then(|r| r.get_mut(column)) {
            *cell = (*cell).max(heat as u8);
        }
    }

    fn row(&self, y: usize) -> &[u8] {
        self.cells.chunks_exact(self.width).nth(y).unwrap_or_default()
    }

    /// One frame of the law.
    pub(super) fn spread(&mut self, cooling: u16, rising: bool) {
        let below = |y: usize| if y.saturating_add(1) < self.height { y.saturating_add(1) } else { 0 };
        let mut next = std::mem::take(&mut self.next);
        let mut wrapped = std::mem::take(&mut self.wrapped);
        for (y, out) in next.chunks_exact_mut(self.width).enumerate() {
            let from = if rising { below(y) } else { y };
            let row = self.row(from);
            if let [first, middle @ .., last] = wrapped.as_mut_slice() {
                middle.copy_from_slice(row);
                *first = row.last().copied().unwrap_or(0);
                *last = row.first().copied().unwrap_or(0);
            }
            let right = wrapped.get(2..).unwrap_or_default();
            let under = self.row(below(from));
            let sides = wrapped.iter().zip(right);
            for ((out, (left, right)), (own, under)) in out.iter_mut().zip(sides).zip(row.iter().zip(under)) {
                let sum = u16::from(*left)
                    .wrapping_add(u16::from(*own))
                    .wrapping_add(u16::from(*right))
                    .wrapping_add(u16::from(*under));
                *out = (sum.saturating_sub(cooling) >> 2) as u8;
            }
        }
        self.wrapped = wrapped;
        self.next = std::mem::replace(&mut self.cells, next);
    }

    /// Everything cold, for looking at what sparks alone do.
    #[cfg(test)]
    pub(super) fn clear(&mut self) {
        self.cells.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(width: usize, height: usize, cells: &[(usize, usize, u8)]) -> HeatField {
        let mut field = HeatField::new(width, height);
        for (x, y, heat) in cells {
            field.light(*x as f32, *y as f32, f32::from(*heat));
        }
        field
    }

    fn hot(field: &HeatField) -> Vec<(usize, usize, u8)> {
        let cells = field.cells().iter().enumerate().filter(|(_, c)| **c > 0);
        cells.map(|(i, c)| (i % field.width, i / field.width, *c)).collect()
    }

    #[test]
    fn one_hot_cell_becomes_four_as_worked_out_by_hand() {
        // Render heat 220: 35 less than full, 35 / 4 = 8, cooling 9; (255 − 9) / 4 = 61.
        let mut field = lit(8, 8, &[(3, 4, 255)]);
        field.spread(cooling(220), false);
        assert_eq!(hot(&field), [(3, 3, 61), (2, 4, 61), (3, 4, 61), (4, 4, 61)]);
        // Rising: the same a row higher.
        let mut field = lit(8, 8, &[(3, 4, 255)]);
        field.spread(cooling(220), true);
        assert_eq!(hot(&field), [(3, 2, 61), (2, 3, 61), (3, 3, 61), (4, 3, 61)]);
    }

    #[test]
    fn the_edges_meet() {
        let mut field = lit(8, 4, &[(0, 0, 255)]);
        field.spread(cooling(255), false);
        // Cooling 1: (255 − 1) / 4 = 63.
        assert_eq!(hot(&field), [(0, 0, 63), (1, 0, 63), (7, 0, 63), (0, 3, 63)]);
        let mut field = HeatField::new(8, 4);
        field.light(-1.0, 4.0, 9.0);
        assert_eq!(hot(&field), [(7, 0, 9)]);
    }

    #[test]
    fn a_fire_without_sparks_goes_out_as_its_render_heat_says() {
        // Heat, cooling, loss a frame where all is equal: ⌈cooling / 4⌉, frames from 255 to nothing: ⌈255 / loss⌉.
        for (render_heat, expected_cooling, loss, frames) in
            [(255, 1, 1, 255), (251, 2, 1, 255), (220, 9, 3, 85), (134, 31, 8, 32), (128, 32, 8, 32), (0, 64, 16, 16)]
        {
            assert_eq!(cooling(render_heat), expected_cooling);
            let mut field = HeatField::new(16, 16);
            field.cells.fill(255);
            for frame in 1..=frames {
                field.spread(cooling(render_heat), frame % 2 == 0);
                let expected = 255_u16.saturating_sub(loss * frame) as u8;
                assert!(field.cells().iter().all(|c| *c == expected), "render heat {render_heat}, frame {frame}");
            }
            assert!(hot(&field).is_empty());
        }
    }

    #[test]
    fn an_uneven_fire_is_out_no_later() {
        let mut field = HeatField::new(32, 32);
        for (i, cell) in field.cells.iter_mut().enumerate() {
            *cell = (i * 37 % 256) as u8;
        }
        for frame in 1..=85 {
            let hottest = field.cells().iter().max().copied().unwrap_or(0);
            field.spread(cooling(220), true);
            let now = field.cells().iter().max().copied().unwrap_or(0);
            assert!(now <= hottest.saturating_sub(3), "frame {frame}: {hottest} to {now}");
        }
        assert!(hot(&field).is_empty());
    }

    #[test]
    fn the_smallest_fields_hold() {
        for (width, height) in [(1, 1), (1, 8), (8, 1), (2, 2), (3, 5)] {
            let mut field = HeatField::new(width, height);
            field.light(0.0, 0.0, 255.0);
            field.spread(cooling(255), true);
            assert_eq!(field.cells().len(), width * height);
        }
    }
}
