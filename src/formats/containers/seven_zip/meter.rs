//! Limits of what a block's coders take in for what they give, and the work that they are charged with.

use super::super::{codes, contents::Trouble};
use crate::bytes::budget;
use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};

/// Maximum number of bytes that pass between the coders of a block for a piece of its output, the packed bytes included.
/// Coders give as many bytes as they take or more, and a block has at most four of them.
const MAX_PASSED: u64 = 512 << 10;
/// Further bytes for a coder that takes in a block of its own before it gives anything (bzip2: 900 kB), and those before it.
pub const AHEAD: u64 = 6 * MAX_PASSED;
/// Bytes that may pass for each byte of output, beyond what is read ahead.
const PASSED_EACH: u64 = 8;
/// Maximum number of bytes that pass at once.
const MAX_READ: usize = 16 << 10;

const GOES_ON: u8 = 0;
const NO_PROGRESS: u8 = 1;
const NO_WORK: u8 = 2;

/// Counts the bytes that pass between the coders of a block. Its stages share it.
pub struct Meter {
    /// Bytes that may pass until more output is requested.
    left: AtomicU64,
    most: u64,
    stopped: AtomicU8,
}

impl Meter {
    /// Makes a meter for coders that read `ahead` bytes more than others.
    pub fn new(ahead: u64) -> Self {
        let most = MAX_PASSED.saturating_add(ahead);
        Self { left: AtomicU64::new(most), most, stopped: AtomicU8::new(GOES_ON) }
    }

    /// Lets bytes pass for a piece of output.
    pub fn allow(&self, piece: usize) {
        let more = PASSED_EACH.saturating_mul(piece as u64);
        let left = self.left.load(Ordering::Relaxed).saturating_add(more);
        self.left.store(left.min(self.most), Ordering::Relaxed);
    }

    /// Returns why the coders were stopped.
    pub fn trouble(&self) -> Option<Trouble> {
        match self.stopped.load(Ordering::Relaxed) {
            GOES_ON => None,
            NO_PROGRESS => Some(Trouble::new(&codes::DECODE, 0, "its compressed bytes yield nothing")),
            _ => Some(Trouble::too_much_work()),
        }
    }

    fn stop(&self, why: u8) -> io::Error {
        self.stopped.store(why, Ordering::Relaxed);
        io::Error::other("stopped")
    }
}

/// Bytes of one stage of a block, which end after their stated number.
pub struct Metered<R> {
    pub inner: R,
    pub left: u64,
    /// Work for each byte, in nanoseconds: of making it and of taking it in.
    pub work: u64,
    /// True if they pass to another coder.
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
        if self.passes {
            let left = self.meter.left.load(Ordering::Relaxed).saturating_sub(read as u64);
            self.meter.left.store(left, Ordering::Relaxed);
        }
        match budget::charge_work(self.work.saturating_mul(read as u64)) {
            true => Ok(read),
            false => Err(self.meter.stop(NO_WORK)),
        }
    }
}
