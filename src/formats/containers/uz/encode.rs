//! Writing what the stages read (formats/containers.md §2): for samples and tests.

use super::{NESTED, SIMPLE, bwt::LARGEST, stage};
use crate::formats::compact;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

/// The longest run that is written at once.
const LONGEST_RUN: usize = 255;

/// A file of the name `name`: with two stages of runs (signature 5678) where it is `nested`, else with one (1234).
pub fn uz(name: &str, plain: &[u8], nested: bool) -> Vec<u8> {
    uz_of_blocks(name, plain, nested, LARGEST)
}

/// As [`uz`], in blocks of `size` bytes.
pub fn uz_of_blocks(name: &str, plain: &[u8], nested: bool, size: usize) -> Vec<u8> {
    let mut bytes = if nested { NESTED } else { SIMPLE }.to_le_bytes().to_vec();
    compact::write_counted_string(&mut bytes, name);
    let blocks: Vec<u8> = runs(plain).chunks(size.max(1)).flat_map(block).collect();
    let moved = move_to_front(&blocks);
    bytes.extend(huffman(&if nested { runs(&moved) } else { moved }));
    bytes
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that the last byte has.
    used: u32,
}

impl BitWriter {
    pub fn bit(&mut self, bit: bool) -> &mut Self {
        match self.bytes.last_mut().filter(|_| self.used < u8::BITS) {
            Some(last) => {
                *last |= u8::from(bit) << self.used;
                self.used = self.used.saturating_add(1);
            }
            None => {
                self.bytes.push(u8::from(bit));
                self.used = 1;
            }
        }
        self
    }

    pub fn byte(&mut self, byte: u8) -> &mut Self {
        (0..u8::BITS).for_each(|place| {
            self.bit(byte >> place & 1 == 1);
        });
        self
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Leaf(u8),
    Inner(Box<[Node; 2]>),
}

impl Node {
    /// Writes the tree below it in pre-order; `code` leads to it.
    fn write(&self, bits: &mut BitWriter, code: &mut Vec<bool>, codes: &mut BTreeMap<u8, Vec<bool>>) {
        match self {
            Self::Leaf(byte) => {
                bits.bit(false).byte(*byte);
                codes.insert(*byte, code.clone());
            }
            Self::Inner(children) => {
                bits.bit(true);
                for (side, child) in children.iter().enumerate() {
                    code.push(side == 1);
                    child.write(bits, code, codes);
                    code.pop();
                }
            }
        }
    }
}

/// The number of symbols, the tree, and the codes.
pub fn huffman(bytes: &[u8]) -> Vec<u8> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for byte in bytes {
        let count = counts.entry(*byte).or_default();
        *count = count.saturating_add(1);
    }
    let leaves = counts.into_iter().map(|(byte, count)| Reverse((count, Node::Leaf(byte))));
    let mut heap: BinaryHeap<Reverse<(usize, Node)>> = leaves.collect();
    let mut written = (bytes.len() as i32).to_le_bytes().to_vec();
    // The two rarest become one.
    let root = loop {
        let Some(Reverse((count, one))) = heap.pop() else { return written };
        let Some(Reverse((other_count, other))) = heap.pop() else { break one };
        heap.push(Reverse((count.saturating_add(other_count), Node::Inner(Box::new([one, other])))));
    };
    let (mut bits, mut codes) = (BitWriter::default(), BTreeMap::new());
    root.write(&mut bits, &mut Vec::new(), &mut codes);
    bytes.iter().filter_map(|byte| codes.get(byte)).flatten().for_each(|bit| {
        bits.bit(*bit);
    });
    written.extend(bits.finish());
    written
}

/// For each byte its place in a list, to whose front it is then moved.
pub fn move_to_front(bytes: &[u8]) -> Vec<u8> {
    let mut list: Vec<u8> = (0..=255).collect();
    let place_of = |byte: &u8| {
        let place = list.iter().position(|other| other == byte).unwrap_or_default();
        list.get_mut(..=place).unwrap_or_default().rotate_right(1);
        place as u8
    };
    bytes.iter().map(place_of).collect()
}

/// One block: the last column of the sorted rotations of a text and its end.
pub fn block(text: &[u8]) -> Vec<u8> {
    let rows = sorted_rows(text);
    let row_of = |start: usize| rows.iter().position(|row| *row == start).unwrap_or_default();
    let header = [text.len(), row_of(1), row_of(0)].map(|number| (number as i32).to_le_bytes());
    // The byte of the row with the end is a filler.
    let byte_before = |row: &usize| row.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or_default();
    header.as_flattened().iter().copied().chain(rows.iter().map(byte_before)).collect()
}

/// Where the rotations of a text with its end begin, sorted. The end is larger than any byte. Each round sorts by twice as many letters
/// as the one before, so that a text that repeats takes no longer than another one.
fn sorted_rows(text: &[u8]) -> Vec<usize> {
    let mut ranks: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).chain([256]).collect();
    let mut rows: Vec<(u64, usize)> = Vec::with_capacity(ranks.len());
    let mut width = 1_usize;
    loop {
        let rank = |start: usize| ranks.get(start).copied().map_or(0, u64::from);
        rows.clear();
        rows.extend((0..ranks.len()).map(|start| (rank(start) << 32 | rank(start.saturating_add(width)), start)));
        rows.sort_unstable();
        let mut next = vec![0_u32; ranks.len()];
        let (mut last, mut number) = (None, 0_u32);
        for (key, start) in &rows {
            number = number.saturating_add(u32::from(last.is_some_and(|last| last != *key)));
            last = Some(*key);
            if let Some(rank) = next.get_mut(*start) {
                *rank = number;
            }
        }
        if number as usize >= text.len() {
            return rows.into_iter().map(|(_, start)| start).collect();
        }
        (ranks, width) = (next, width.saturating_mul(2));
    }
}

/// Equal bytes: five of them and how many there are.
pub fn runs(bytes: &[u8]) -> Vec<u8> {
    let written_out = usize::from(stage::WRITTEN_OUT);
    let mut packed = Vec::new();
    for piece in bytes.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(LONGEST_RUN)) {
        packed.extend(piece.iter().take(written_out));
        if piece.len() >= written_out {
            packed.push(piece.len() as u8);
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_sorted_as_letters_are_and_the_end_comes_last() {
        let noise: Vec<u8> = (0..400_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 30) as u8).collect();
        for text in [&b""[..], b"a", b"banana", b"abababab", &[7; 300], &noise] {
            let mut expected: Vec<usize> = (0..=text.len()).collect();
            expected.sort_by_key(|start| text[*start..].iter().map(|b| u16::from(*b)).chain([256]).collect::<Vec<_>>());
            assert_eq!(sorted_rows(text), expected, "{text:?}");
        }
    }

    /// The rotations of “banana”, sorted by hand: see the test of the decoder.
    #[test]
    fn a_block_is_what_was_worked_out_by_hand() {
        let mut expected = [6_i32, 0, 3].map(i32::to_le_bytes).concat();
        expected.extend(b"bnn\0aaa");
        assert_eq!(block(b"banana"), expected);
    }

    #[test]
    fn stages_write_what_the_specification_says() {
        assert_eq!(runs(b"aaaabbbbbc"), b"aaaabbbbb\x05c");
        assert_eq!(runs(&[1; 260]), [1, 1, 1, 1, 1, 255, 1, 1, 1, 1, 1, 5]);
        assert_eq!(move_to_front(&[2, 2, 0, 1, 2]), [2, 0, 1, 2, 2]);
        // Inner node, leaf a, leaf b, then a b b: 1 0 10000110 0 01000110 0 1 1, from the lowest bit up.
        assert_eq!(huffman(b"abb"), [3, 0, 0, 0, 0x85, 0x11, 0x33]);
        assert_eq!(huffman(b""), [0; 4]);
    }
}
