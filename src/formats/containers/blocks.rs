//! Cache of the decoded blocks of a compressed disc image.

use super::{
    codes,
    contents::Trouble,
    flat::{Flat, WORK_OF_SPAN, missing},
    output::Cost,
};
use crate::{bytes::budget, formats::Code};
use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of bytes of decoded blocks that are kept. At least two blocks are, which may be read by turns.
const KEPT: usize = 8 << 20;
const LEAST_KEPT: usize = 2;
/// Codes of what stays wrong with a block however often it is read.
const DAMAGE: [&Code; 3] = [&codes::DECODE, &codes::CHECKSUM, &codes::TABLE];
/// Work of a block that is read, in addition to that of its bytes.
const WORK_OF_BLOCK: u64 = 1_000;
/// Maximum number of blocks that are kept: they are searched one by one.
const MAX_KEPT: usize = 512;

/// Range of a block in the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// `None` for a stretch of zeros.
    pub number: Option<u64>,
    pub start: u64,
    pub end: u64,
}

/// A disc in blocks.
pub trait Blocks: Send + Sync {
    /// Returns the size of the disc in bytes.
    fn disc_size(&self) -> u64;

    /// Returns the block around an offset of the disc.
    fn span(&self, offset: u64) -> Span;

    /// Returns the number of bytes of the image that a block with a number is stored in.
    fn stored(&self, span: Span) -> u64;

    /// Returns the work of decoding.
    fn cost(&self) -> Cost;

    /// Decodes a block with a number.
    ///
    /// # Errors
    /// Returns an error if they are not there, or are damaged.
    fn decode(&self, span: Span) -> Result<Vec<u8>, Trouble>;
}

/// A disc with a cache of its blocks.
pub struct Cached<B> {
    blocks: B,
    kept: Mutex<Kept>,
}

/// The bytes of a block, or why there are none.
type Block = Result<Arc<Vec<u8>>, Trouble>;

fn size_of_block(block: &Block) -> usize {
    block.as_ref().map_or(0, |bytes| bytes.len())
}

#[derive(Default)]
struct Kept {
    /// By their numbers, the last one that was used first. Damaged blocks are among them: they are not decoded again either.
    blocks: VecDeque<(u64, Block)>,
    bytes: usize,
}

impl Kept {
    fn get(&mut self, number: u64) -> Option<Block> {
        let place = self.blocks.iter().position(|(kept, _)| *kept == number)?;
        let found = self.blocks.remove(place)?;
        let block = found.1.clone();
        self.blocks.push_front(found);
        Some(block)
    }

    fn put(&mut self, number: u64, block: Block) {
        if self.blocks.iter().any(|(kept, _)| *kept == number) {
            return;
        }
        self.bytes = self.bytes.saturating_add(size_of_block(&block));
        self.blocks.push_front((number, block));
        while self.blocks.len() > LEAST_KEPT && (self.bytes > KEPT || self.blocks.len() > MAX_KEPT) {
            let oldest = self.blocks.pop_back().map_or(0, |(_, block)| size_of_block(&block));
            self.bytes = self.bytes.saturating_sub(oldest);
        }
    }
}

impl<B: Blocks> Cached<B> {
    pub fn new(blocks: B) -> Self {
        Self { blocks, kept: Mutex::default() }
    }

    pub fn blocks(&self) -> &B {
        &self.blocks
    }

    fn block(&self, number: u64, span: Span) -> Block {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = kept().get(number) {
            return block;
        }
        let size = span.end.saturating_sub(span.start);
        let work = self.blocks.cost().of(self.blocks.stored(span), size).saturating_add(WORK_OF_BLOCK);
        if !budget::charge_work(work) {
            return Err(Trouble::too_much_work());
        }
        // Not while others wait for what is kept; two who ask for one block at once both decode it.
        let block = self.blocks.decode(span).map(Arc::new);
        // A block that was not read, or for whose decoding the work did not suffice, may be decoded later.
        let is_final = |trouble: &Trouble| DAMAGE.iter().any(|code| code.id == trouble.code.id);
        if !budget::is_spent() && block.as_ref().err().is_none_or(is_final) {
            kept().put(number, block.clone());
        }
        block
    }
}

impl<B: Blocks> Flat for Cached<B> {
    fn size(&self) -> u64 {
        self.blocks.disc_size()
    }

    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        let (mut at, mut stored) = (range.start, 0_u64);
        while stored < least && at < range.end && budget::charge_work(WORK_OF_SPAN) {
            let span = self.blocks.span(at);
            stored = stored.saturating_add(span.number.map_or(0, |_| self.blocks.stored(span)));
            at = span.end.max(at.saturating_add(1));
        }
        stored >= least
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Trouble> {
        let size = self.size();
        let (mut at, mut left) = (offset, buffer);
        while !left.is_empty() {
            let wanted = left.len() as u64;
            let past = move || missing(at, wanted, size);
            let span = self.blocks.span(at);
            let there = span.end.min(size).saturating_sub(at);
            let count = usize::try_from(there).unwrap_or(usize::MAX).min(left.len());
            if count == 0 || span.start > at {
                return Err(past());
            }
            let Some(number) = span.number else {
                let (now, then) = left.split_at_mut(count);
                now.fill(0);
                (at, left) = (at.saturating_add(count as u64), then);
                continue;
            };
            let block = self.block(number, span)?;
            let first = usize::try_from(at.saturating_sub(span.start)).unwrap_or(usize::MAX);
            let bytes = block.get(first..first.saturating_add(count)).ok_or_else(past)?;
            let (now, then) = left.split_at_mut(count);
            now.copy_from_slice(bytes);
            (at, left) = (at.saturating_add(count as u64), then);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::flat::bytes;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Ten blocks of 1 MiB, filled with their numbers; the third is zeros, the fifth damaged. The flag is set while none can be read.
    #[derive(Default)]
    struct Ten(AtomicUsize, AtomicBool);

    impl Blocks for Ten {
        fn disc_size(&self) -> u64 {
            (10 << 20) - 5
        }

        fn span(&self, offset: u64) -> Span {
            let number = offset >> 20;
            Span { number: (number != 2).then_some(number), start: number << 20, end: (number + 1) << 20 }
        }

        fn stored(&self, span: Span) -> u64 {
            (span.end - span.start) / 100
        }

        fn cost(&self) -> Cost {
            Cost::STORED
        }

        fn decode(&self, span: Span) -> Result<Vec<u8>, Trouble> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let number = span.number.unwrap();
            if self.1.load(Ordering::Relaxed) {
                return Err(Trouble::new(&codes::TRUNCATED, 0, "unread"));
            }
            if number == 4 {
                return Err(Trouble::new(&codes::DECODE, 0, "damaged"));
            }
            Ok(vec![number as u8; 1 << 20])
        }
    }

    #[test]
    fn blocks_are_read_across_their_ends_and_kept() {
        let disc = Cached::new(Ten::default());
        let read = |at: u64, count: u64| bytes(&disc, at..at + count);
        assert_eq!(read((1 << 20) - 2, 4).unwrap(), [0, 0, 1, 1]);
        assert_eq!(read((2 << 20) - 1, (1 << 20) + 2).unwrap().iter().filter(|b| **b == 0).count(), 1 << 20);
        assert_eq!(disc.blocks().0.load(Ordering::Relaxed), 3, "what was decoded is kept");
        for _ in 0..3 {
            assert_eq!(read((5 << 20) - 1, 2).unwrap_err().code.id, "container.decode-failed");
        }
        assert_eq!(disc.blocks().0.load(Ordering::Relaxed), 4, "what is damaged is not decoded again");
        let unread = || bytes(&disc, 7 << 20..(7 << 20) + 1).map_err(|trouble| trouble.code.id);
        disc.blocks().1.store(true, Ordering::Relaxed);
        assert_eq!(unread(), Err("container.data-truncated"));
        disc.blocks().1.store(false, Ordering::Relaxed);
        assert_eq!(unread(), Ok(vec![7]), "what was not read is read again");
        assert_eq!(read((10 << 20) - 6, 1).unwrap(), [9]);
        assert!(read((10 << 20) - 6, 2).is_err());
        for number in [0, 1, 3, 5, 6, 7, 8, 9] {
            assert_eq!(read(number << 20, 1).unwrap(), [number as u8]);
        }
        assert!(disc.kept.lock().unwrap().bytes <= KEPT);
        // A hundredth of each block is stored; the third is zeros.
        let megabytes = |range: Range<u64>| (range.start << 20)..(range.end << 20);
        let backs = |range, least| disc.is_backed(&megabytes(range), least);
        assert!(backs(0..2, 20_000) && !backs(0..2, 21_000) && !backs(2..3, 1) && backs(2..3, 0));
        let work = |work| crate::bytes::Budget { steps: u64::MAX, bytes: u64::MAX, depth: u32::MAX, work };
        let disc = Cached::new(Ten::default());
        let is_read = |at: u64| bytes(&disc, at..at + 1).is_ok();
        let (read_within, _) = budget::within(work(1_500_000), || [0, 3 << 20].map(is_read));
        assert_eq!(read_within, [true, false], "the second block is too much work");
        let decoded = disc.blocks().0.load(Ordering::Relaxed);
        read(9 << 20, 1).unwrap();
        assert_eq!(disc.blocks().0.load(Ordering::Relaxed), decoded);
    }
}
