//! Limits of what decoders take in for what they give, and the work that they are charged with (formats/containers.md §1.3).

use super::{codes, contents::Trouble};
use crate::bytes::budget;
use std::{
    io::{self, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};

/// Bytes that are unpacked at once.
pub const PIECE: usize = 64 << 10;
/// Maximum number of bytes that pass to decoders for a piece of output, the packed bytes and those from one to the next.
/// Decoders give as many bytes as they take or more, and at most four of them are in a chain.
const MAX_PASSED: u64 = 512 << 10;
/// Number of those bytes that each input of a decoder takes for data that cannot be compressed, with what it reads ahead.
const USUAL: u64 = 128 << 10;
/// Work of each further byte: Deflate can make tables of a few bits, and no output.
const WORK_OF_IDLE_BYTE: u64 = 1_500;
/// Further bytes for a coder that takes in a block of its own before it gives anything (bzip2: 900 kB), and those before it.
pub const AHEAD: u64 = 6 * MAX_PASSED;
/// Bytes that may pass for each byte of output, beyond what is read ahead.
const PASSED_EACH: u64 = 8;
/// Maximum number of bytes that pass at once.
const MAX_READ: usize = 16 << 10;

const GOES_ON: u8 = 0;
const NO_PROGRESS: u8 = 1;
const NO_WORK: u8 = 2;

/// Counts the bytes that pass to the decoders of a member or of a block. All of them share it.
pub struct Meter {
    /// Bytes that may pass until more output is requested.
    left: AtomicU64,
    most: u64,
    /// Number of `most` that may pass without further work.
    usual: u64,
    stopped: AtomicU8,
}

impl Meter {
    /// Makes a meter for decoders with so many inputs in all, which read `ahead` bytes more than others.
    pub fn new(inputs: usize, ahead: u64) -> Self {
        let most = MAX_PASSED.saturating_add(ahead);
        let usual = USUAL.saturating_mul(inputs as u64).saturating_add(ahead);
        Self { left: AtomicU64::new(most), most, usual, stopped: AtomicU8::new(GOES_ON) }
    }

    /// Lets bytes pass for a piece of output.
    pub fn allow(&self, piece: usize) {
        let more = PASSED_EACH.saturating_mul(piece as u64);
        let left = self.left.load(Ordering::Relaxed).saturating_add(more);
        self.left.store(left.min(self.most), Ordering::Relaxed);
    }

    /// Counts bytes that pass. Returns the number of those that are more than usual.
    fn pass(&self, count: u64) -> u64 {
        let before = self.left.load(Ordering::Relaxed);
        let left = before.saturating_sub(count);
        self.left.store(left, Ordering::Relaxed);
        self.most.saturating_sub(left).saturating_sub(self.usual).min(before.saturating_sub(left))
    }

    /// Returns why the decoders were stopped.
    pub fn trouble(&self) -> Option<Trouble> {
        match self.stopped.load(Ordering::Relaxed) {
            GOES_ON => None,
            NO_PROGRESS => Some(Trouble::new(&codes::DECODE, 0, "unpacking the compressed data produces no output")),
            _ => Some(Trouble::too_much_work()),
        }
    }

    fn stop(&self, why: u8) -> io::Error {
        self.stopped.store(why, Ordering::Relaxed);
        io::Error::other("stopped")
    }
}

/// Bytes that a decoder takes in, or gives, which end after their stated number.
pub struct Metered<R> {
    pub inner: R,
    pub left: u64,
    /// Work for each byte, in nanoseconds: of making it and of taking it in.
    pub work: u64,
    /// True if they pass to a decoder.
    pub passes: bool,
    pub meter: Arc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(MAX_READ).min(buffer.len());
        let Some(buffer) = buffer.get_mut(..most).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        if self.passes && self.meter.left.load(Ordering::Relaxed) == 0 {
            return Err(self.meter.stop(NO_PROGRESS));
        }
        let read = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(read as u64);
        let idle = if self.passes { self.meter.pass(read as u64) } else { 0 };
        let work = self.work.saturating_mul(read as u64).saturating_add(idle.saturating_mul(WORK_OF_IDLE_BYTE));
        match budget::charge_work(work) {
            true => Ok(read),
            false => Err(self.meter.stop(NO_WORK)),
        }
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::MemberLimits;

    fn metered(ahead: u64) -> Metered<io::Repeat> {
        let meter = Arc::new(Meter::new(1, ahead));
        Metered { inner: io::repeat(7), left: u64::MAX, work: 0, passes: true, meter }
    }

    #[test]
    fn a_decoder_gets_no_more_than_its_output_needs() {
        for ahead in [0, AHEAD] {
            let mut input = metered(ahead);
            let mut taken = |most: u64| io::copy(&mut (&mut input).take(most), &mut io::sink()).is_ok();
            assert!(taken(MAX_PASSED + ahead) && !taken(1));
            input.meter.allow(PIECE);
            let mut taken = |most: u64| io::copy(&mut (&mut input).take(most), &mut io::sink()).is_ok();
            assert!(taken(MAX_PASSED) && !taken(1));
            assert_eq!(input.meter.trouble().unwrap().code.id, "container.decode-failed");
        }
    }

    #[test]
    fn bytes_that_give_nothing_are_work() {
        let limits = MemberLimits::default();
        let work = |ahead: u64, count: u64| {
            let act = || {
                io::copy(&mut metered(ahead).take(count), &mut io::sink()).unwrap();
                limits.work.base - budget::work_left()
            };
            budget::within(limits.budget(0), act).0
        };
        assert_eq!((work(0, USUAL), work(0, USUAL + 1000)), (0, 1000 * WORK_OF_IDLE_BYTE));
        assert_eq!((work(AHEAD, USUAL + AHEAD), work(AHEAD, USUAL + AHEAD + 9)), (0, 9 * WORK_OF_IDLE_BYTE));
    }
}
