//! Bytes in rows: offset, hexadecimal, characters. Every column stands on one grid of equal cells.

use egui::{Color32, FontId, Pos2, Rect, Ui, pos2, text::LayoutJob, text::TextFormat, vec2};
use std::ops::Range;

/// Height of a row, in points.
pub const ROW_HEIGHT: f32 = 18.0;
const MARGIN: f32 = 4.0;

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub font: FontId,
    /// Width of a cell, in points.
    cell: f32,
    /// Digits of the offsets.
    digits: usize,
    /// Bytes a row.
    pub columns: usize,
    /// Top left of the first row that shows.
    origin: Pos2,
    /// Offset of the first byte that shows.
    first: u64,
    /// Offset after the last byte.
    end: u64,
    rows: usize,
}

impl Grid {
    /// A grid for bytes whose offsets stay below `end`, with as many columns as fit `width` points. The panel then says with
    /// [`Grid::place`] which of them show.
    pub fn new(ui: &Ui, width: f32, end: u64) -> Self {
        let digits = format!("{end:X}").len().max(4);
        let grid = |columns: usize, size: f32| {
            let font = FontId::monospace(size);
            // The mean over many cells: text layout may round single advances.
            let sample = ui.painter().layout_no_wrap("0".repeat(64), font.clone(), Color32::WHITE);
            Self { font, cell: sample.size().x / 64.0, digits, columns, origin: Pos2::ZERO, first: 0, end, rows: 0 }
        };
        // Eight bytes in smaller print rather than four.
        for (columns, size) in [(16, 12.0), (8, 12.0), (8, 11.0), (8, 10.0)] {
            let grid = grid(columns, size);
            if grid.width() <= width {
                return grid;
            }
        }
        grid(4, 12.0)
    }

    /// Says where the first row stands, which byte it begins with and how many rows show.
    pub fn place(&mut self, origin: Pos2, first: u64, end: u64, rows: usize) {
        (self.origin, self.first, self.end, self.rows) = (origin, first, end, rows);
    }

    /// Points that a row takes.
    pub fn width(&self) -> f32 {
        2.0 * MARGIN + self.cell * (self.text_cell(self.columns - 1) + 1) as f32
    }

    /// Bytes that show.
    pub fn shown(&self) -> Range<u64> {
        self.first..self.end.min(self.first + (self.rows * self.columns) as u64)
    }

    fn hex_cell(&self, column: usize) -> usize {
        self.digits + 1 + column * 3 + column / 8
    }

    fn text_cell(&self, column: usize) -> usize {
        self.hex_cell(self.columns - 1) + 3 + column
    }

    fn x(&self, cell: usize) -> f32 {
        self.origin.x + MARGIN + self.cell * cell as f32
    }

    fn row_column(&self, offset: u64) -> Option<(usize, usize)> {
        let at = offset.checked_sub(self.first)? as usize;
        (offset < self.shown().end).then(|| (at / self.columns, at % self.columns))
    }

    /// The hexadecimal digits of a byte, where they show.
    pub fn byte_rect(&self, offset: u64) -> Option<Rect> {
        let (row, column) = self.row_column(offset)?;
        let top = self.origin.y + row as f32 * ROW_HEIGHT;
        let left = self.x(self.hex_cell(column)) - 0.5 * self.cell;
        Some(Rect::from_min_size(pos2(left, top), vec2(self.cell * 3.0, ROW_HEIGHT)))
    }

    fn text_rect(&self, offset: u64) -> Option<Rect> {
        let (row, column) = self.row_column(offset)?;
        let top = self.origin.y + row as f32 * ROW_HEIGHT;
        Some(Rect::from_min_size(pos2(self.x(self.text_cell(column)), top), vec2(self.cell, ROW_HEIGHT)))
    }

    /// The boxes of a run of bytes, two for each row it lies in.
    pub fn boxes(&self, bytes: &Range<u64>) -> Vec<Rect> {
        let shown = self.shown();
        let (mut at, end) = (bytes.start.max(shown.start), bytes.end.min(shown.end));
        let mut boxes = Vec::new();
        while at < end {
            let row_end = end.min(at + (self.columns as u64 - (at - self.first) % self.columns as u64));
            for rect_of in [Self::byte_rect, Self::text_rect] {
                if let (Some(from), Some(to)) = (rect_of(self, at), rect_of(self, row_end - 1)) {
                    boxes.push(from.union(to).shrink2(vec2(0.0, 1.0)));
                }
            }
            at = row_end;
        }
        boxes
    }

    /// The byte at a place on the screen.
    pub fn byte_at(&self, place: Pos2) -> Option<u64> {
        let row = ((place.y - self.origin.y) / ROW_HEIGHT).floor();
        if row < 0.0 || row >= self.rows as f32 {
            return None;
        }
        let cell = (place.x - self.origin.x - MARGIN) / self.cell;
        let in_text = cell >= self.text_cell(0) as f32 - 0.5;
        let column = (0..self.columns).rev().find(|column| {
            let left = if in_text { self.text_cell(*column) as f32 } else { self.hex_cell(*column) as f32 - 0.5 };
            cell >= left
        })?;
        let offset = self.first + (row as usize * self.columns + column) as u64;
        (offset < self.end).then_some(offset)
    }

    /// Draws the text of the rows that show. `bytes` are those of [`Grid::shown`]; `is_marked` says which are selected.
    pub fn paint(&self, ui: &Ui, bytes: &[u8], is_marked: impl Fn(u64) -> bool) {
        let visuals = ui.visuals();
        let (text, weak) = (visuals.text_color(), visuals.weak_text_color());
        let marked = crate::ui::theme::palette(ui).on_accent;
        for (row, chunk) in bytes.chunks(self.columns).enumerate() {
            let offset = self.first + (row * self.columns) as u64;
            let mut job = LayoutJob::default();
            let mut put = |string: &str, color| {
                job.append(string, 0.0, TextFormat { font_id: self.font.clone(), color, ..TextFormat::default() });
            };
            put(&format!("{offset:0digits$X} ", digits = self.digits), weak);
            for column in 0..self.columns {
                if column > 0 {
                    put(if column % 8 == 0 { "  " } else { " " }, weak);
                }
                match chunk.get(column) {
                    Some(byte) => {
                        let mark = is_marked(offset + column as u64);
                        put(
                            &format!("{byte:02X}"),
                            if mark {
                                marked
                            } else if *byte == 0 {
                                weak
                            } else {
                                text
                            },
                        );
                    }
                    None => put("  ", weak),
                }
            }
            put(" ", weak);
            for (column, byte) in chunk.iter().enumerate() {
                let printable = byte.is_ascii_graphic() || *byte == b' ';
                let glyph = if printable { char::from(*byte) } else { '.' };
                let mark = is_marked(offset + column as u64);
                let color = if mark {
                    marked
                } else if printable {
                    text
                } else {
                    weak
                };
                put(glyph.encode_utf8(&mut [0; 4]), color);
            }
            let galley = ui.painter().layout_job(job);
            let top = self.origin.y + row as f32 * ROW_HEIGHT + (ROW_HEIGHT - galley.size().y) / 2.0;
            ui.painter().galley(pos2(self.origin.x + MARGIN, top), galley, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: usize) -> Grid {
        Grid {
            font: FontId::monospace(12.0),
            cell: 7.0,
            digits: 4,
            columns,
            origin: pos2(10.0, 20.0),
            first: 0x100,
            end: 0x125,
            rows: 3,
        }
    }

    #[test]
    fn the_byte_under_the_pointer_is_the_one_drawn_there() {
        for columns in [16, 8, 4] {
            let grid = grid(columns);
            for offset in grid.shown() {
                let hex = grid.byte_rect(offset).unwrap();
                let text = grid.text_rect(offset).unwrap();
                assert_eq!(grid.byte_at(hex.center()), Some(offset), "{columns} columns");
                assert_eq!(grid.byte_at(text.center()), Some(offset), "{columns} columns");
            }
            assert_eq!(grid.byte_at(pos2(11.0, 25.0)), None, "the gutter");
        }
        assert_eq!(grid(16).byte_at(grid(16).byte_rect(0x124).unwrap().center() + vec2(15.0, 0.0)), None, "the end");
    }

    #[test]
    fn a_run_over_rows_has_boxes_in_each() {
        let grid = grid(16);
        assert_eq!(grid.boxes(&(0x10F..0x111)).len(), 4);
        assert_eq!(grid.boxes(&(0..0x100)).len(), 0);
        assert_eq!(grid.boxes(&(0..0x1000)).len(), 6);
    }
}
