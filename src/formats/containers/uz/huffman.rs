//! The Huffman stage (formats/containers.md §2.1): a number of symbols, a tree, then codes, each byte from its lowest bit up.

use super::stage::Stage;
use crate::{
    bytes::numbers::counted,
    formats::containers::{codes, contents::Trouble},
};

/// The number of symbols, and a tree of 255 inner nodes and 256 leaves.
pub const LARGEST_HEADER: u64 = 4 + (255 + 256 * 9_u64).div_ceil(8);

/// A tree has a leaf for each byte at the most.
const MAX_INNER: usize = 255;
/// Symbols that are decoded at once.
const CHUNK: usize = 32 << 10;
/// Bits of the codes that are looked at in one step.
const STEP: u32 = 8;

/// What a bit leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    Leaf(u8),
    Inner(u8),
}

#[derive(Debug)]
pub struct Tree {
    root: Child,
    /// The children of each inner node.
    inner: Vec<[Child; 2]>,
}

/// What eight bits lead to from one node.
#[derive(Clone, Copy)]
struct Step {
    next: u8,
    count: u8,
    symbols: [u8; 8],
}

/// The number of symbols, and the tree.
#[derive(Debug)]
pub struct Header {
    pub total: u64,
    tree: Tree,
    /// Where the codes begin, in bits.
    bit: usize,
}

impl Header {
    /// Of a payload of `size` bytes that begins with `bytes`, which are at least [`LARGEST_HEADER`] where it has them.
    pub fn read(bytes: &[u8], size: u64) -> Result<Self, Trouble> {
        let total = bytes.first_chunk().map(|total| i32::from_le_bytes(*total));
        let total = total.ok_or_else(|| Trouble::new(&codes::TRUNCATED, size, "the symbol count is missing"))?;
        let Ok(total) = u64::try_from(total) else {
            return Err(Trouble::new(&codes::TABLE, 0, format!("invalid symbol count {total}")));
        };
        let nothing = Tree { root: Child::Leaf(0), inner: Vec::new() };
        if total == 0 {
            return Ok(Self { total, tree: nothing, bit: bytes.len().saturating_mul(8) });
        }
        let mut bits = Bits { bytes, at: 32 };
        let tree = Tree::read(&mut bits)?;
        let most = size.saturating_sub(4).saturating_mul(8);
        if total > most && !matches!(tree.root, Child::Leaf(_)) {
            let total = counted(total, "symbol");
            let message = format!("the header specifies {total}, but the data contains at most {most}");
            return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
        }
        Ok(Self { total, tree, bit: bits.at })
    }

    /// Nothing but one symbol over and over: no bits are used, however many there are.
    pub fn is_one_symbol(&self) -> bool {
        self.tree.inner.is_empty()
    }
}

/// Reads bits, the lowest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Result<bool, Trouble> {
        let byte = self.bytes.get(self.at / 8).copied();
        let byte = byte
            .ok_or_else(|| Trouble::new(&codes::TRUNCATED, (self.at / 8) as u64, "the Huffman tree ends too early"))?;
        let bit = byte >> (self.at % 8) & 1 == 1;
        self.at = self.at.saturating_add(1);
        Ok(bit)
    }

    fn byte(&mut self) -> Result<u8, Trouble> {
        (0..8).try_fold(0, |byte, place| Ok(byte | u8::from(self.next()?) << place))
    }
}

impl Tree {
    /// In pre-order: a set bit is an inner node, followed by both its children; a clear one a leaf, followed by its byte.
    fn read(bits: &mut Bits<'_>) -> Result<Self, Trouble> {
        let mut inner: Vec<[Child; 2]> = Vec::new();
        // Inner nodes whose children are not all read, with which one is next.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut root = None;
        loop {
            let is_inner = bits.next()?;
            let child = if is_inner {
                if inner.len() >= MAX_INNER {
                    let message = format!("the Huffman tree has more than {MAX_INNER} inner nodes");
                    return Err(Trouble::new(&codes::TABLE, (bits.at / 8) as u64, message));
                }
                Child::Inner(inner.len() as u8)
            } else {
                Child::Leaf(bits.byte()?)
            };
            match open.last_mut() {
                Some((node, side)) => {
                    if let Some(place) = inner.get_mut(*node).and_then(|children| children.get_mut(*side)) {
                        *place = child;
                    }
                    *side = side.saturating_add(1);
                    if *side == 2 {
                        open.pop();
                    }
                }
                None => root = Some(child),
            }
            if is_inner {
                open.push((inner.len(), 0));
                inner.push([Child::Leaf(0); 2]);
            }
            if let (true, Some(root)) = (open.is_empty(), root) {
                return Ok(Self { root, inner });
            }
        }
    }

    fn child(&self, node: u8, bit: u8) -> Child {
        let children = self.inner.get(usize::from(node)).copied().unwrap_or([Child::Leaf(0); 2]);
        let [zero, one] = children;
        if bit & 1 == 0 { zero } else { one }
    }

    /// For each inner node, what each byte of codes leads to.
    fn steps(&self) -> Vec<[Step; 256]> {
        let row = |node: usize| {
            std::array::from_fn(|byte| {
                let mut step = Step { next: node as u8, count: 0, symbols: [0; 8] };
                for place in 0..STEP {
                    match self.child(step.next, (byte >> place) as u8) {
                        Child::Inner(next) => step.next = next,
                        Child::Leaf(symbol) => {
                            if let Some(place) = step.symbols.get_mut(usize::from(step.count)) {
                                *place = symbol;
                            }
                            step.count = step.count.saturating_add(1);
                            step.next = 0;
                        }
                    }
                }
                step
            })
        };
        (0..self.inner.len()).map(row).collect()
    }
}

/// Decodes the codes.
pub struct Huffman<'a> {
    bytes: &'a [u8],
    tree: Tree,
    steps: Vec<[Step; 256]>,
    /// The next byte, and how many bits of it belong to what lies before.
    at: usize,
    shift: u32,
    node: u8,
    left: u64,
}

impl<'a> Huffman<'a> {
    /// Of a whole payload.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Trouble> {
        let Header { total, tree, bit } = Header::read(bytes, bytes.len() as u64)?;
        let steps = tree.steps();
        Ok(Self { bytes, tree, steps, at: bit / 8, shift: (bit % 8) as u32, node: 0, left: total })
    }

    /// The next eight bits of codes; `None` when fewer are left.
    fn eight(&self) -> Option<u8> {
        let low = *self.bytes.get(self.at)?;
        if self.shift == 0 {
            return Some(low);
        }
        let high = *self.bytes.get(self.at.saturating_add(1))?;
        let both = u16::from(low) | u16::from(high) << 8;
        Some((both >> self.shift) as u8)
    }

    /// Decodes bit by bit, where less than eight are left.
    fn last_bits(&mut self, into: &mut Vec<u8>) -> Result<(), Trouble> {
        let bit = self.at.saturating_mul(8).saturating_add(self.shift as usize);
        let mut bits = Bits { bytes: self.bytes, at: bit };
        while self.left > 0 {
            let bit = bits.next().map_err(|end| Trouble {
                message: format!("the compressed data ends too early ({} missing)", counted(self.left, "symbol")),
                ..end
            })?;
            match self.tree.child(self.node, u8::from(bit)) {
                Child::Inner(next) => self.node = next,
                Child::Leaf(symbol) => {
                    into.push(symbol);
                    (self.node, self.left) = (0, self.left.saturating_sub(1));
                }
            }
        }
        Ok(())
    }
}

impl Stage for Huffman<'_> {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
        let wanted = into.len().saturating_add(CHUNK);
        if let Child::Leaf(symbol) = self.tree.root {
            let count = self.left.min(CHUNK as u64);
            into.resize(into.len().saturating_add(count as usize), symbol);
            self.left = self.left.saturating_sub(count);
            return Ok(self.left > 0);
        }
        into.reserve(CHUNK.saturating_add(8));
        while self.left >= 8 && into.len() < wanted {
            let Some(byte) = self.eight() else { break };
            let step = self.steps.get(usize::from(self.node)).and_then(|row| row.get(usize::from(byte)));
            let Some(step) = step else { break };
            let end = into.len().saturating_add(usize::from(step.count));
            // All eight at once are faster than as many as there are.
            into.extend_from_slice(&step.symbols);
            into.truncate(end);
            self.left = self.left.saturating_sub(u64::from(step.count));
            self.node = step.next;
            self.at = self.at.saturating_add(1);
        }
        if into.len() >= wanted {
            return Ok(self.left > 0);
        }
        self.last_bits(into)?;
        Ok(false)
    }

    fn used(&self) -> u64 {
        self.at as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::uz::encode::{BitWriter, huffman};

    fn decoded(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut huffman = Huffman::new(bytes).map_err(|t| t.code.id)?;
        let mut out = Vec::new();
        while huffman.more(&mut out).map_err(|t| t.code.id)? {}
        Ok(out)
    }

    /// Two inner nodes: `a` is 0, `b` 10, `c` 11.
    fn three_leaves() -> BitWriter {
        let mut bits = BitWriter::default();
        bits.bit(true).bit(false).byte(b'a');
        bits.bit(true).bit(false).byte(b'b').bit(false).byte(b'c');
        bits
    }

    fn with_total(total: i32, bits: BitWriter) -> Vec<u8> {
        [total.to_le_bytes().to_vec(), bits.finish()].concat()
    }

    #[test]
    fn codes_lead_through_the_tree_from_the_lowest_bit_up() {
        let mut bits = three_leaves();
        // a, b, c, a
        for bit in [false, true, false, true, true, false] {
            bits.bit(bit);
        }
        assert_eq!(decoded(&with_total(4, bits)).unwrap(), b"abca");
    }

    #[test]
    fn one_leaf_uses_no_bits_and_no_symbols_no_tree() {
        let mut bits = BitWriter::default();
        bits.bit(false).byte(b'x');
        let many = with_total(100_000, bits);
        assert_eq!(decoded(&many).unwrap(), vec![b'x'; 100_000]);
        assert!(Header::read(&many, 6).unwrap().is_one_symbol());
        assert_eq!(decoded(&[0; 4]).unwrap(), b"");
    }

    #[test]
    fn what_is_encoded_reads_back_at_every_length() {
        let noise: Vec<u8> =
            (0..70_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 & (n >> 8) as u8).collect();
        for length in (0..40).chain([255, 256, 257, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 70_000]) {
            assert_eq!(decoded(&huffman(&noise[..length])).unwrap(), noise[..length], "{length}");
        }
        // As many leaves as there can be, with codes of very different lengths.
        let skewed: Vec<u8> = (0..=255_u8).chain([0; 9000]).chain([1; 900]).collect();
        assert_eq!(decoded(&huffman(&skewed)).unwrap(), skewed);
    }

    #[test]
    fn numbers_and_trees_that_cannot_be_are_refused() {
        assert_eq!(decoded(&with_total(-1, three_leaves())), Err("container.table-invalid"));
        assert_eq!(decoded(&with_total(i32::MAX, three_leaves())), Err("container.bomb-size"));
        assert_eq!(decoded(&[1, 0, 0]), Err("container.data-truncated"));
        assert_eq!(decoded(&[[1, 0, 0, 0].as_slice(), &[0xFF; 100]].concat()), Err("container.table-invalid"));
        assert_eq!(decoded(&[[1, 0, 0, 0].as_slice(), &[0xFF; 20]].concat()), Err("container.data-truncated"));
        // Bits for four symbols of the ten, whose number there could be.
        let cut = with_total(10, three_leaves());
        assert_eq!(decoded(&cut), Err("container.data-truncated"));
    }

    #[test]
    fn the_largest_header_has_a_leaf_for_each_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let coded = huffman(&all);
        let header = Header::read(&coded[..LARGEST_HEADER as usize], coded.len() as u64).unwrap();
        assert_eq!((header.tree.inner.len(), header.bit.div_ceil(8) as u64), (MAX_INNER, LARGEST_HEADER));
    }
}
