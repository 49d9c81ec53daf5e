//! Contact sheets: many small pictures in one, each with words below it in small letters of at most five by seven
//! pixels.

use crate::scene::Image;

/// Pixels of a sheet: 256 MiB while it is made.
pub const MAX_SHEET_PIXELS: u64 = 1 << 26;
/// Pixels between cells, and around all of them.
const GAP: u32 = 8;
/// Width by height that a sheet comes near to.
const ASPECT: f64 = 4.0 / 3.0;
/// Pixels of a cell's shorter side for each size of the letters.
const SIDE_A_SCALE: u32 = 96;
/// Letters are no larger, in times their own size.
const MAX_SCALE: u32 = 4;

/// Where the cells of a sheet are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLayout {
    columns: u32,
    rows: u32,
    cells: u32,
    /// Pixels of the picture in a cell.
    cell: (u32, u32),
    /// Lines of words below each picture.
    lines: u32,
}

impl SheetLayout {
    /// Columns and rows for so many cells, near to 4 : 3. `cell` is the size of a picture in pixels, `lines` the lines below it.
    ///
    /// # Errors
    /// When there is no cell, or the sheet would be larger than [`MAX_SHEET_PIXELS`]; the message says what would do.
    pub fn new(cells: usize, cell: (u32, u32), lines: u32) -> Result<Self, String> {
        if cells == 0 || cell.0 == 0 || cell.1 == 0 {
            return Err("nothing to show on a contact sheet".to_owned());
        }
        let (width, height) = cell;
        let each = u64::from(width + GAP) * u64::from(height + GAP);
        let too_large = || {
            let most = MAX_SHEET_PIXELS >> 20;
            Err(format!(
                "a contact sheet of {cells} cells of {width} × {height} pixels would exceed {most} million pixels: use smaller cells (--cell)"
            ))
        };
        let Some(count) = u32::try_from(cells).ok().filter(|count| u64::from(*count) * each <= MAX_SHEET_PIXELS) else {
            return too_large();
        };
        let with = |columns: u32| Self { columns, rows: count.div_ceil(columns), cells: count, cell, lines };
        let unlike = |layout: &Self| {
            let (width, height) = layout.size();
            let ratio = f64::from(width) / f64::from(height) / ASPECT;
            ratio.max(ratio.recip())
        };
        let best = (1..=count).map(with).min_by(|a, b| unlike(a).total_cmp(&unlike(b)));
        let layout = best.unwrap_or_else(|| with(1));
        let (width, height) = layout.size();
        if u64::from(width) * u64::from(height) > MAX_SHEET_PIXELS { too_large() } else { Ok(layout) }
    }

    /// Width and height of the whole in pixels.
    pub fn size(&self) -> (u32, u32) {
        let along = |count: u32, each: u32| count * (each + GAP) + GAP;
        (along(self.columns, self.cell.0), along(self.rows, self.cell.1 + self.words_height()))
    }

    /// Returns the number of cells in a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Where the picture of a cell begins, in pixels from the top left.
    pub fn cell_at(&self, index: u32) -> (u32, u32) {
        let (column, row) = (index % self.columns, index / self.columns);
        (GAP + column * (self.cell.0 + GAP), GAP + row * (self.cell.1 + self.words_height() + GAP))
    }

    fn scale(&self) -> u32 {
        (self.cell.0.min(self.cell.1) / SIDE_A_SCALE).clamp(1, MAX_SCALE)
    }

    fn words_height(&self) -> u32 {
        self.lines * (HEIGHT + 2) * self.scale()
    }
}

/// A sheet that is being made.
pub struct ContactSheet {
    layout: SheetLayout,
    image: Canvas,
    ink: [u8; 4],
}

/// Pixels that are drawn on.
struct Canvas {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl ContactSheet {
    /// An empty sheet on a colour, or on nothing.
    pub fn new(layout: SheetLayout, background: Option<[u8; 3]>) -> Self {
        let (width, height) = layout.size();
        let [r, g, b] = background.unwrap_or_default();
        let pixel = [r, g, b, if background.is_some() { 255 } else { 0 }];
        let brightness = u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b);
        let ink = match background {
            // To be read on light and on dark.
            None => [128, 128, 128, 255],
            Some(_) if brightness < 1_280 => [225, 228, 232, 255],
            Some(_) => [32, 36, 42, 255],
        };
        let rgba = pixel.repeat(width as usize * height as usize);
        Self { layout, image: Canvas { width, height, rgba }, ink }
    }

    /// Puts a picture in the middle of a cell, or of a part of it: `part` of `parts` side by side. What does not fit is cut off.
    pub fn put(&mut self, index: u32, (part, parts): (u32, u32), picture: &Image) {
        let (left, top) = self.layout.cell_at(index);
        let (width, height) = (self.layout.cell.0 / parts.max(1), self.layout.cell.1);
        let (shown, high) = (picture.width.min(width), picture.height.min(height));
        let (x0, y0) = (left + part * width + (width - shown) / 2, top + (height - high) / 2);
        for y in 0..high {
            for x in 0..shown {
                let at = (y as usize * picture.width as usize + x as usize) * 4;
                if let Some(&[r, g, b, a]) = picture.rgba.get(at..).and_then(|rest| rest.first_chunk()) {
                    self.image.blend(x0 + x, y0 + y, [r, g, b, a]);
                }
            }
        }
    }

    /// Writes the words below a cell, each line in its middle; what is too long ends in dots.
    pub fn write(&mut self, index: u32, lines: &[&str]) {
        let (left, top) = self.layout.cell_at(index);
        let scale = self.layout.scale();
        let width = self.layout.cell.0 / scale;
        let ink = self.ink;
        for (number, line) in (0..self.layout.lines).zip(lines) {
            let line = fitted(line, width);
            let indent = (width - width_of(&line).min(width)) / 2;
            let y0 = top + self.layout.cell.1 + (number * (HEIGHT + 2) + 2) * scale;
            draw(&line, |x, y| {
                for (dx, dy) in (0..scale).flat_map(|dy| (0..scale).map(move |dx| (dx, dy))) {
                    self.image.blend(left + (indent + x) * scale + dx, y0 + y * scale + dy, ink);
                }
            });
        }
    }

    /// Returns the finished sheet as an image.
    pub fn finish(self) -> Image {
        let Canvas { width, height, rgba } = self.image;
        Image { name: "contact sheet".to_owned(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }
}

impl Canvas {
    /// Lays a pixel over what is there.
    fn blend(&mut self, x: u32, y: u32, [r, g, b, a]: [u8; 4]) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let Some(below) = self.rgba.get_mut(at..at + 4) else { return };
        let (over, under) = (u32::from(a), u32::from(below[3]) * (255 - u32::from(a)) / 255);
        let alpha = over + under;
        for (channel, value) in below.iter_mut().zip([r, g, b]) {
            let mixed = u32::from(value) * over + u32::from(*channel) * under;
            *channel = (mixed + alpha / 2).checked_div(alpha).unwrap_or_default() as u8;
        }
        below[3] = alpha as u8;
    }
}

/// Pixels of a line.
const HEIGHT: u32 = 9;

/// Columns of a letter in the table, the last of which is empty.
const COLUMNS: usize = 6;
/// Letters in a row of the table.
const A_ROW: usize = 16;
const FIRST: char = ' ';
/// The letters from [`FIRST`] to `~` and a sign for sizes, 16 in a row: `#` is ink.
const TABLE: &str = include_str!("glyphs.txt");
/// The sign after `~`.
const TIMES: (char, usize) = ('×', 95);
/// Stands for letters that are not in the table.
const UNKNOWN: char = '?';
/// Pixels of a space.
const SPACE: u32 = 3;

/// The rows of a letter, and how many pixels wide it is.
fn glyph(letter: char) -> (impl Iterator<Item = &'static [u8]>, u32) {
    let place = |letter: char| match letter {
        letter if letter == TIMES.0 => Some(TIMES.1),
        ' '..='~' => Some(letter as usize - FIRST as usize),
        _ => None,
    };
    let index = place(letter).or(place(UNKNOWN)).unwrap_or_default();
    let rows = move || {
        TABLE.lines().skip(index / A_ROW * HEIGHT as usize).take(HEIGHT as usize).map(move |row| {
            let start = index % A_ROW * COLUMNS;
            row.as_bytes().get(start..start + COLUMNS).unwrap_or_default()
        })
    };
    let inked = rows().filter_map(|row| row.iter().rposition(|dot| *dot == b'#')).max();
    (rows(), inked.map_or(SPACE, |last| last as u32 + 1))
}

/// Pixels of a line from its first to its last.
fn width_of(line: &str) -> u32 {
    line.chars().map(|letter| glyph(letter).1 + 1).sum::<u32>().saturating_sub(1)
}

/// The line, or as much of it as fits with dots at its end.
fn fitted(line: &str, width: u32) -> String {
    if width_of(line) <= width {
        return line.to_owned();
    }
    let mut cut: String = line.to_owned();
    while cut.pop().is_some() {
        let shown = format!("{}...", cut.trim_end());
        if width_of(&shown) <= width {
            return shown;
        }
    }
    String::new()
}

/// Calls for each pixel of a line that has ink, counted from its top left.
fn draw(line: &str, mut ink: impl FnMut(u32, u32)) {
    let mut left = 0;
    for letter in line.chars() {
        let (rows, width) = glyph(letter);
        for (y, row) in (0..).zip(rows) {
            for x in (0..).zip(row).filter(|(_, dot)| **dot == b'#').map(|(x, _)| x) {
                ink(left + x, y);
            }
        }
        left += width + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn plain(width: u32, height: u32, pixel: [u8; 4]) -> Image {
        let rgba = pixel.repeat((width * height) as usize);
        Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn sheets_are_near_to_4_by_3_and_hold_all_cells() {
        for count in 1..60 {
            let layout = SheetLayout::new(count, (100, 80), 1).unwrap();
            assert!(layout.columns * layout.rows >= count as u32 && layout.columns * (layout.rows - 1) < count as u32);
            if count >= 12 {
                let (width, height) = layout.size();
                let aspect = f64::from(width) / f64::from(height);
                assert!((0.9..1.9).contains(&aspect), "{count}: {width} × {height}");
            }
        }
        // (100 + 8) × 4 + 8 by (100 + 11 + 8) × 3 + 8.
        assert_eq!(SheetLayout::new(12, (100, 100), 1).unwrap().size(), (440, 365));
    }

    #[test]
    fn sheets_that_cannot_be_are_refused() {
        for (count, cell) in
            [(0, (10, 10)), (1, (0, 10)), (20_000, (192, 192)), (usize::MAX, (1, 1)), (1, (32_768, 32_768))]
        {
            assert!(SheetLayout::new(count, cell, 1).is_err(), "{count} {cell:?}");
        }
    }

    #[test]
    fn pictures_lie_in_the_middle_of_their_cells_with_words_below() {
        let layout = SheetLayout::new(2, (20, 10), 1).unwrap();
        let mut sheet = ContactSheet::new(layout, Some([0, 0, 0]));
        sheet.put(1, (0, 1), &plain(4, 2, [255, 0, 0, 255]));
        sheet.write(1, &["I"]);
        let image = sheet.finish();
        assert_eq!((image.width, image.height), layout.size());
        let red = |x: u32, y: u32| image.rgba[((y * image.width + x) * 4) as usize];
        let (left, top) = layout.cell_at(1);
        let found: Vec<(u32, u32)> = (0..image.height)
            .flat_map(|y| (0..image.width).map(move |x| (x, y)))
            .filter(|(x, y)| red(*x, *y) == 255)
            .collect();
        let wanted: Vec<(u32, u32)> = (4..6).flat_map(|y| (8..12).map(move |x| (left + x, top + y))).collect();
        assert_eq!(found, wanted);
        let ink = (0..image.width).filter(|x| red(*x, top + 12) > 200).count();
        assert_eq!(ink, 3, "the top of an I");
    }

    #[test]
    fn on_nothing_pixels_stay_as_they_are() {
        let layout = SheetLayout::new(1, (2, 1), 0).unwrap();
        let mut sheet = ContactSheet::new(layout, None);
        sheet.put(0, (0, 2), &plain(1, 1, [10, 20, 30, 40]));
        sheet.put(0, (1, 2), &plain(1, 1, [50, 60, 70, 255]));
        let image = sheet.finish();
        let (x, y) = layout.cell_at(0);
        let at = ((y * image.width + x) * 4) as usize;
        assert_eq!(image.rgba[at..at + 8], [10, 20, 30, 40, 50, 60, 70, 255]);
        assert_eq!(image.rgba[..4], [0; 4]);
    }

    fn dots(line: &str) -> BTreeSet<(u32, u32)> {
        let mut found = BTreeSet::new();
        draw(line, |x, y| {
            found.insert((x, y));
        });
        found
    }

    #[test]
    fn every_letter_is_another() {
        let letters: Vec<char> = ('!'..='~').chain(['×']).collect();
        let shapes: BTreeSet<_> = letters.iter().map(|letter| dots(&letter.to_string())).collect();
        assert_eq!(shapes.len(), letters.len());
        assert!(
            TABLE.lines().all(|row| row.len() <= A_ROW * COLUMNS && row.bytes().all(|dot| matches!(dot, b'#' | b'.')))
        );
        assert_eq!(TABLE.lines().count(), 6 * HEIGHT as usize);
        assert_eq!(dots("ß"), dots("?"));
        assert!(dots(" ").is_empty());
    }

    #[test]
    fn lines_are_as_wide_as_they_are_drawn_and_long_ones_are_cut() {
        assert_eq!((width_of(""), width_of("I"), width_of("II")), (0, 3, 7));
        let line = "Walk_Forward (2) 64 × 32";
        let right = dots(line).iter().map(|(x, _)| *x).max().unwrap();
        assert_eq!(right + 1, width_of(line));
        assert!(dots(line).iter().all(|(_, y)| *y < HEIGHT));
        assert_eq!(fitted(line, 1_000), line);
        let cut = fitted(line, 60);
        assert!(cut.ends_with("...") && width_of(&cut) <= 60 && cut.len() > 6, "{cut}");
        assert_eq!(fitted(line, 2), "");
    }
}
