//! The Burrows–Wheeler stage (formats/containers.md §2.3): blocks of sorted rotations, of which the last column is stored.

use super::stage::Stage;
use crate::formats::containers::{codes, contents::Trouble};

/// The largest block, in bytes.
pub const LARGEST: usize = 0x4_0000;
/// Length, first row, last row.
const HEADER: usize = 12;

/// The blocks that a stage gives.
pub struct Blocks<S> {
    stage: S,
    is_over: bool,
    /// What the stage gave and no block has taken yet: from `at` on.
    pending: Vec<u8>,
    at: usize,
    /// Blocks before.
    count: u64,
    links: Vec<u32>,
}

impl<S: Stage> Blocks<S> {
    pub fn new(stage: S) -> Self {
        Self { stage, is_over: false, pending: Vec::new(), at: 0, count: 0, links: Vec::new() }
    }

    /// Appends the text of the next block; `false` when there is none any more.
    pub fn next(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
        if self.fill(HEADER)? == 0 {
            return Ok(false);
        }
        let header = self.pending.get(self.at..).and_then(|rest| rest.first_chunk::<HEADER>());
        let header = *header.ok_or_else(|| self.trouble(&codes::TRUNCATED, "ends within its header"))?;
        let [length, first, last] = numbers(header);
        let row = |number: i32| usize::try_from(number).ok();
        let length = row(length).filter(|length| *length <= LARGEST);
        let length = length.ok_or_else(|| self.trouble(&codes::TABLE, "has an invalid length"))?;
        let rows = row(first).filter(|first| *first <= length).zip(row(last).filter(|last| *last <= length));
        let (first, last) = rows.ok_or_else(|| self.trouble(&codes::TABLE, "has an invalid first or last row"))?;
        self.at = self.at.saturating_add(HEADER);
        let size = length.saturating_add(1);
        if self.fill(size)? < size {
            return Err(self.trouble(&codes::TRUNCATED, "ends too early"));
        }
        let end = self.at.saturating_add(size);
        let column = self.pending.get(self.at..end).unwrap_or_default();
        inverse(column, first, last, &mut self.links, into);
        (self.at, self.count) = (end, self.count.saturating_add(1));
        Ok(true)
    }

    /// Bytes of the payload that were used so far.
    pub fn used(&self) -> u64 {
        self.stage.used()
    }

    /// Makes `wanted` bytes pending where there are so many; says how many there are.
    fn fill(&mut self, wanted: usize) -> Result<usize, Trouble> {
        let pending = |blocks: &Self| blocks.pending.len().saturating_sub(blocks.at);
        while pending(self) < wanted && !self.is_over {
            self.pending.drain(..self.at.min(self.pending.len()));
            self.at = 0;
            self.is_over = !self.stage.more(&mut self.pending)?;
        }
        Ok(pending(self).min(wanted))
    }

    fn trouble(&self, code: &'static crate::formats::Code, what: &str) -> Trouble {
        Trouble::new(code, self.used(), format!("block {} {what}", self.count))
    }
}

fn numbers(header: [u8; HEADER]) -> [i32; 3] {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = header;
    [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(i32::from_le_bytes)
}

/// Appends the text of a block of which the last column of its sorted rotations is given. Row `last` has the end of the text, which
/// counts as larger than any byte; `first` is where the text begins. `links` is memory to work in.
fn inverse(column: &[u8], first: usize, last: usize, links: &mut Vec<u32>, into: &mut Vec<u8>) {
    let mut starts = [0_u32; 256];
    for (row, byte) in column.iter().enumerate() {
        if row != last
            && let Some(count) = starts.get_mut(usize::from(*byte))
        {
            *count = count.wrapping_add(1);
        }
    }
    let mut before = 0_u32;
    for start in &mut starts {
        let count = *start;
        *start = before;
        before = before.wrapping_add(count);
    }
    links.clear();
    links.resize(column.len(), 0);
    // A row and its byte in one number: the walk below then looks at one place a step. There are at most 2¹⁸ + 1 rows.
    for (row, byte) in column.iter().enumerate() {
        let link = (row as u32) << 8 | u32::from(*byte);
        let place = match starts.get_mut(usize::from(*byte)) {
            Some(start) if row != last => {
                let place = *start;
                *start = start.wrapping_add(1);
                place
            }
            _ => before,
        };
        if let Some(to) = links.get_mut(place as usize) {
            *to = link;
        }
    }
    let length = column.len().saturating_sub(1);
    into.reserve(length);
    let mut link = (first as u32) << 8 | column.get(first).copied().map(u32::from).unwrap_or_default();
    for _ in 0..length {
        into.push(link as u8);
        link = links.get((link >> 8) as usize).copied().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::uz::encode::block;

    /// Gives bytes a few at a time.
    struct Pieces<'a>(std::slice::Chunks<'a, u8>);

    impl Stage for Pieces<'_> {
        fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
            into.extend_from_slice(self.0.next().unwrap_or_default());
            Ok(self.0.len() > 0)
        }

        fn used(&self) -> u64 {
            0
        }
    }

    fn texts(bytes: &[u8], step: usize) -> Result<Vec<u8>, &'static str> {
        let mut blocks = Blocks::new(Pieces(bytes.chunks(step)));
        let mut out = Vec::new();
        while blocks.next(&mut out).map_err(|t| t.code.id)? {}
        Ok(out)
    }

    fn header(length: i32, first: i32, last: i32) -> Vec<u8> {
        [length, first, last].map(i32::to_le_bytes).concat()
    }

    /// Rotations of “banana” with an end that is larger than all letters, sorted: a|nana$b, ana|na$b …; worked out by hand.
    #[test]
    fn a_block_becomes_its_text() {
        // Rows: anana$b, ana$ban, a$banan, banana$, nana$ba, na$bana, $banana. Last column: b n n $ a a a.
        let column = [b'b', b'n', b'n', b'?', b'a', b'a', b'a'];
        let mut out = Vec::new();
        inverse(&column, 0, 3, &mut Vec::new(), &mut out);
        // The row of the rotation by one: its last byte is the first letter.
        assert_eq!(out, b"banana");
        assert_eq!(texts(&[header(6, 0, 3), column.to_vec()].concat(), 5).unwrap(), b"banana");
    }

    #[test]
    fn blocks_of_any_text_read_back_in_pieces_of_any_size() {
        let noise: Vec<u8> = (0..3000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 29) as u8).collect();
        for text in [&b"x"[..], b"ab", b"banana", &[255; 300], &[0; 300], &noise] {
            let two = [block(text), block(&noise[..100])].concat();
            for step in [1, 13, 5000] {
                assert_eq!(texts(&two, step).unwrap(), [text, &noise[..100]].concat(), "{} by {step}", text.len());
            }
        }
        assert_eq!(texts(&[], 1).unwrap(), b"");
    }

    #[test]
    fn headers_that_cannot_be_are_refused() {
        let column = [1, 2, 3];
        for (header, code) in [
            (header(-1, 0, 0), "container.table-invalid"),
            (header(0x4_0001, 0, 0), "container.table-invalid"),
            (header(2, 3, 0), "container.table-invalid"),
            (header(2, -1, 0), "container.table-invalid"),
            (header(2, 0, 3), "container.table-invalid"),
            (header(2, 0, -1), "container.table-invalid"),
            (header(3, 0, 0), "container.data-truncated"),
            (header(2, 0, 0)[..11].to_vec(), "container.data-truncated"),
        ] {
            let whole = if header.len() == HEADER { [header, column.to_vec()].concat() } else { header };
            assert_eq!(texts(&whole, 4), Err(code), "{whole:?}");
        }
        // Any rows and any column that fit give as many bytes as are said.
        for (first, last) in [(0, 0), (2, 2), (1, 0), (0, 2)] {
            assert_eq!(texts(&[header(2, first, last), column.to_vec()].concat(), 9).unwrap().len(), 2);
        }
    }
}
