//! Writes what the stages read: for tests.

use super::{NESTED, SIMPLE};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

/// A file of the newer kind with `nested`, else of the older one.
pub fn uz(name: &str, plain: &[u8], nested: bool) -> Vec<u8> {
    uz_of_blocks(name, plain, nested, super::bwt::LARGEST)
}

pub fn uz_of_blocks(name: &str, plain: &[u8], nested: bool, size: usize) -> Vec<u8> {
    let mut bytes = if nested { NESTED } else { SIMPLE }.to_le_bytes().to_vec();
    bytes.push(name.len() as u8 + 1);
    bytes.extend(name.as_bytes());
    bytes.push(0);
    let blocks: Vec<u8> = runs(plain).chunks(size).flat_map(block).collect();
    let moved = move_to_front(&blocks);
    bytes.extend(huffman(&if nested { runs(&moved) } else { moved }));
    bytes
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    count: usize,
}

impl BitWriter {
    pub fn bit(&mut self, bit: bool) -> &mut Self {
        if self.count.is_multiple_of(8) {
            self.bytes.push(0);
        }
        *self.bytes.last_mut().unwrap() |= u8::from(bit) << (self.count % 8);
        self.count += 1;
        self
    }

    pub fn byte(&mut self, byte: u8) -> &mut Self {
        (0..8).for_each(|place| {
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
    fn write(&self, bits: &mut BitWriter, code: &mut Vec<bool>, codes: &mut HashMap<u8, Vec<bool>>) {
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

pub fn huffman(bytes: &[u8]) -> Vec<u8> {
    let mut counts = [0_usize; 256];
    bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let present = (0..=255_u8).filter(|byte| counts[usize::from(*byte)] > 0);
    let mut heap: BinaryHeap<Reverse<(usize, Node)>> =
        present.map(|byte| Reverse((counts[usize::from(byte)], Node::Leaf(byte)))).collect();
    while heap.len() > 1 {
        let (Some(Reverse(one)), Some(Reverse(other))) = (heap.pop(), heap.pop()) else { unreachable!() };
        heap.push(Reverse((one.0 + other.0, Node::Inner(Box::new([one.1, other.1])))));
    }
    let total = (bytes.len() as i32).to_le_bytes().to_vec();
    let Some(Reverse((_, root))) = heap.pop() else { return total };
    let (mut bits, mut codes) = (BitWriter::default(), HashMap::new());
    root.write(&mut bits, &mut Vec::new(), &mut codes);
    bytes.iter().flat_map(|byte| &codes[byte]).for_each(|bit| {
        bits.bit(*bit);
    });
    [total, bits.finish()].concat()
}

pub fn move_to_front(bytes: &[u8]) -> Vec<u8> {
    let mut list: Vec<u8> = (0..=255).collect();
    let place = |byte: &u8| {
        let place = list.iter().position(|b| b == byte).unwrap();
        list[..=place].rotate_right(1);
        place as u8
    };
    bytes.iter().map(place).collect()
}

/// One block.
pub fn block(text: &[u8]) -> Vec<u8> {
    let mut rows: Vec<usize> = (0..=text.len()).collect();
    // The end of the text is larger than any byte.
    let letters = |row: usize| text[row..].iter().map(|byte| u16::from(*byte)).chain([256]);
    rows.sort_by(|a, b| letters(*a).cmp(letters(*b)));
    let row_of = |start: usize| rows.iter().position(|row| *row == start).unwrap();
    let header = [text.len(), row_of(1), row_of(0)].map(|number| (number as i32).to_le_bytes()).concat();
    let column = rows.iter().map(|row| row.checked_sub(1).map_or(0, |before| text[before]));
    header.into_iter().chain(column).collect()
}

pub fn runs(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for piece in bytes.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255)) {
        packed.extend(&piece[..piece.len().min(5)]);
        if piece.len() >= 5 {
            packed.push(piece.len() as u8);
        }
    }
    packed
}
