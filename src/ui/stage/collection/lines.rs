//! Lines of different heights below each other, of which only those in sight are drawn.

use egui::{Rect, ScrollArea, Ui, pos2, vec2};

/// Where lines begin, and where the last one ends, in points from the first one's top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines(Vec<f32>);

impl Lines {
    pub fn of(heights: impl IntoIterator<Item = f32>) -> Self {
        let mut tops = vec![0.0];
        let mut end = 0.0;
        tops.extend(heights.into_iter().map(|height| {
            end += height;
            end
        }));
        Self(tops)
    }

    /// Top and height of a line.
    fn place(&self, index: usize) -> Option<(f32, f32)> {
        let top = *self.0.get(index)?;
        Some((top, *self.0.get(index.checked_add(1)?)? - top))
    }

    /// The first line that is in sight below this much of them.
    fn first_below(&self, top: f32) -> usize {
        self.0.partition_point(|start| *start <= top).saturating_sub(1)
    }
}

/// Draws the lines in sight, each in its place; `to` is one that is to come into sight.
pub fn show(ui: &mut Ui, name: &str, lines: &Lines, to: Option<usize>, mut line: impl FnMut(&mut Ui, Rect, usize)) {
    ScrollArea::vertical().auto_shrink(false).id_salt(name).show_viewport(ui, |ui, sight| {
        ui.set_height(lines.0.last().copied().unwrap_or(0.0));
        let (corner, width) = (ui.max_rect().min, ui.available_width());
        let rect = |(top, height)| Rect::from_min_size(pos2(corner.x, corner.y + top), vec2(width, height));
        if let Some(place) = to.and_then(|to| lines.place(to)) {
            ui.scroll_to_rect(rect(place), None);
        }
        let mut index = lines.first_below(sight.min.y);
        while let Some(place) = lines.place(index).filter(|(top, _)| *top < sight.max.y) {
            line(ui, rect(place), index);
            index += 1;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_where_the_ones_above_them_end() {
        let lines = Lines::of([30.0, 40.0, 40.0]);
        assert_eq!(
            [0, 1, 2, 3].map(|at| lines.place(at)),
            [Some((0.0, 30.0)), Some((30.0, 40.0)), Some((70.0, 40.0)), None]
        );
        assert_eq!([0.0, 29.0, 30.0, 69.0, 80.0].map(|top| lines.first_below(top)), [0, 0, 1, 1, 2]);
        assert_eq!(Lines::of([]).place(0), None);
    }
}
