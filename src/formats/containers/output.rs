//! The unpacked bytes of a member as they grow, whatever sizes its headers state (formats/containers.md §1.3).

use super::{
    codes,
    contents::{Trouble, Unpacked, Unpacking},
};

/// Bytes after which the caller is asked whether to go on.
const ASKED: usize = 64 << 10;

/// The work of a method, for each byte: see [`crate::bytes::Budget::work`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub input: u64,
    pub output: u64,
}

#[cfg_attr(not(feature = "containers"), expect(dead_code, reason = "used only with the feature containers"))]
impl Cost {
    pub const DEFLATE: Self = Self { input: 20, output: 2 };
    pub const BZIP2: Self = Self { input: 100, output: 30 };
    pub const LZMA: Self = Self { input: 100, output: 15 };
    pub const LZSS: Self = Self { input: 10, output: 3 };
    pub const PPMD: Self = Self { input: 250, output: 40 };
    pub const ZSTD: Self = Self { input: 15, output: 2 };
    /// The last of the stages of `.uz`, which repeats bytes; those before it charge their own work.
    pub const RUNS: Self = Self { input: 60, output: 2 };
    /// Decoders that charge their own work.
    pub const CHARGED: Self = Self { input: 0, output: 0 };
    pub const STORED: Self = Self { input: 0, output: 1 };
    /// Filters of programs and of differences.
    pub const FILTER: Self = Self { input: 0, output: 3 };

    /// The work of so many bytes.
    pub fn of(self, input: u64, output: u64) -> u64 {
        input.saturating_mul(self.input).saturating_add(output.saturating_mul(self.output))
    }
}

/// Unpacked bytes, within the limits.
pub struct Output<'a> {
    bytes: Vec<u8>,
    cx: &'a Unpacking<'a>,
    cost: Cost,
    /// Bytes whose work was charged.
    charged: usize,
    /// Maximum number of bytes.
    most: usize,
    /// The code of what exceeds it.
    beyond: &'static crate::formats::Code,
    /// Number of bytes at which the caller is asked next whether to go on.
    ask_at: usize,
}

impl<'a> Output<'a> {
    /// Makes the output of a member of `stored` bytes.
    ///
    /// # Errors
    /// Returns an error if there is no work left for reading them.
    pub fn new(cx: &'a Unpacking<'a>, stored: u64, cost: Cost) -> Result<Self, Trouble> {
        cx.work(cost.of(stored, 0))?;
        let by_ratio = stored.saturating_mul(cx.limits.ratio).max(cx.limits.ratio_from);
        let beyond = if by_ratio < cx.limits.bytes { &codes::RATIO } else { &codes::TOO_LARGE };
        let most = usize::try_from(by_ratio.min(cx.limits.bytes)).unwrap_or(usize::MAX);
        Ok(Self { bytes: Vec::new(), cx, cost, charged: 0, most, beyond, ask_at: ASKED })
    }

    #[cfg(feature = "containers")]
    /// Makes room for the bytes that a header states. At most `at_most` bytes can come of the stored ones.
    ///
    /// # Errors
    /// Returns an error if more is stated than the limits allow, or than `at_most`.
    pub fn reserve(&mut self, stated: u64, at_most: u64) -> Result<(), Trouble> {
        if stated > self.most as u64 {
            return Err(self.too_much(stated));
        }
        if stated > at_most {
            let message = format!(
                "the specified size of {stated} bytes is too large. The compressed data unpacks to at most {at_most} bytes"
            );
            return Err(Trouble::new(&codes::TOO_LARGE, 0, message));
        }
        let room = usize::try_from(stated).unwrap_or(usize::MAX);
        let reserved = self.bytes.try_reserve_exact(room);
        reserved.map_err(|_| Trouble::new(&codes::TOO_LARGE, 0, format!("not enough memory for {stated} bytes")))
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// Returns an error if there are more than the limits allow, or the caller wants no more of them.
    pub fn extend(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.check(bytes.len())?;
        self.make_room(bytes.len());
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Adds the same byte `count` times.
    ///
    /// # Errors
    /// Returns the errors of [`Output::extend`].
    pub fn repeat(&mut self, byte: u8, count: usize) -> Result<(), Trouble> {
        self.check(count)?;
        self.make_room(count);
        self.bytes.resize(self.bytes.len().saturating_add(count), byte);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns all bytes, with what is wrong with them.
    pub fn finish(self, troubles: Vec<Trouble>) -> Unpacked {
        Unpacked { troubles, ..Unpacked::from(self.bytes) }
    }

    fn check(&mut self, more: usize) -> Result<(), Trouble> {
        let size = self.bytes.len().saturating_add(more);
        if size > self.most {
            return Err(self.too_much(size as u64));
        }
        if size >= self.ask_at {
            self.ask_at = size.saturating_add(ASKED);
            let more = size.saturating_sub(self.charged) as u64;
            self.charged = size;
            self.cx.work(self.cost.of(0, more))?;
        }
        Ok(())
    }

    /// Makes room for more: twice as much as there was, but no more than there may be.
    fn make_room(&mut self, more: usize) {
        let (size, room) = (self.bytes.len(), self.bytes.capacity());
        if size.saturating_add(more) > room {
            let wanted = room.saturating_mul(2).min(self.most).max(size.saturating_add(more));
            self.bytes.reserve_exact(wanted.saturating_sub(size));
        }
    }

    fn too_much(&self, size: u64) -> Trouble {
        let message = format!("the unpacked size of {size} bytes or more is over the limit of {} bytes", self.most);
        Trouble::new(self.beyond, 0, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Cancel, MemberLimits};

    fn code(result: Result<(), Trouble>) -> &'static str {
        result.err().map_or("", |trouble| trouble.code.id)
    }

    #[test]
    fn output_ends_at_the_limits_and_when_nobody_wants_it() {
        let limits = MemberLimits { bytes: 1000, ratio: 10, ratio_from: 100, ..MemberLimits::default() };
        let cancel = Cancel::new();
        let cx = Unpacking { limits: &limits, cancel: &cancel };
        let mut output = Output::new(&cx, 20, Cost::STORED).unwrap();
        assert_eq!(code(output.repeat(7, 200)), "");
        assert_eq!((code(output.extend(&[7])), output.len()), ("container.bomb-ratio", 200));
        let mut large = Output::new(&cx, 2000, Cost::STORED).unwrap();
        assert_eq!(code(large.extend(&[1; 1000])), "");
        assert_eq!(code(large.extend(&[1])), "container.bomb-size");
        let mut stated = Output::new(&cx, 50, Cost::STORED).unwrap();
        assert_eq!(code(stated.reserve(501, 1000)), "container.bomb-ratio");
        assert_eq!(code(stated.reserve(301, 300)), "container.bomb-size");
        assert_eq!((code(stated.reserve(300, 300)), stated.bytes.capacity()), ("", 300));
        let wide = MemberLimits::default();
        let cx = Unpacking { limits: &wide, cancel: &cancel };
        let mut output = Output::new(&cx, 1, Cost::STORED).unwrap();
        cancel.cancel();
        assert_eq!((code(output.repeat(0, ASKED - 1)), code(output.extend(&[0]))), ("", "container.decode-failed"));
    }
}
