//! What decoders read: none may take much and give nothing (formats/containers.md §1.3).

use crate::bytes::budget;
use std::{
    cell::Cell,
    io::{self, Read, Seek, SeekFrom},
    rc::Rc,
};

/// Bytes that a decoder may take for one piece of output. A piece of 64 KiB that cannot be compressed takes little more than itself.
const MOST: u64 = 256 << 10;
/// Of those, the bytes that honest data may take; more are charged as the slowest decoder's steps.
const USUAL: u64 = 128 << 10;
/// Work of a byte that gives nothing: tables are made of a few bits.
const WORK_OF_BYTE: u64 = 1_500;

/// Bytes on their way to a decoder.
pub struct Feed<R> {
    inner: R,
    taken: Rc<Cell<u64>>,
}

/// The other end of a [`Feed`]: tells it that a piece of output was given.
pub struct Progress(Rc<Cell<u64>>);

impl Progress {
    /// The next piece of output is asked for, of 64 KiB at most.
    pub fn begin_piece(&self) {
        self.0.set(0);
    }
}

impl<R> Feed<R> {
    pub fn new(inner: R) -> (Self, Progress) {
        let taken = Rc::new(Cell::new(0));
        (Self { inner, taken: taken.clone() }, Progress(taken))
    }
}

impl<R: Read> Read for Feed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.taken.get();
        if taken >= MOST {
            return Err(io::Error::other("its compressed bytes give nothing"));
        }
        let count = self.inner.read(buffer)?;
        let now = taken.saturating_add(count as u64);
        let idle = now.saturating_sub(taken.max(USUAL));
        self.taken.set(now);
        match budget::charge_work(idle.saturating_mul(WORK_OF_BYTE)) {
            true => Ok(count),
            false => Err(io::Error::other("its compressed bytes take too much time")),
        }
    }
}

impl<R: Seek> Seek for Feed<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoder_gets_no_more_than_one_piece_needs() {
        let (mut feed, progress) = Feed::new(io::repeat(7));
        let mut buffer = vec![0; 64 << 10];
        let mut pieces = || (0..9).map(|_| feed.read(&mut buffer).is_ok()).take_while(|ok| *ok).count();
        assert_eq!(pieces(), 4);
        assert_eq!(pieces(), 0);
        progress.begin_piece();
        assert_eq!(pieces(), 4);
    }

    #[test]
    fn bytes_that_give_nothing_are_work() {
        let limits = crate::bytes::MemberLimits::default();
        let left = |count: u64| {
            budget::within(limits.budget(0), || {
                let (feed, _progress) = Feed::new(io::repeat(7));
                io::copy(&mut feed.take(count), &mut io::sink()).unwrap();
                limits.work.base - budget::work_left()
            })
            .0
        };
        assert_eq!((left(USUAL), left(USUAL + 1000)), (0, 1000 * WORK_OF_BYTE));
    }
}
