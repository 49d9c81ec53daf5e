use std::io::{self, Seek, SeekFrom, Write};

/// Bytes on their way to a file that may have so many of them. Beyond them they are counted and go nowhere.
pub struct Bounded<W> {
    out: W,
    most: u64,
    at: u64,
    wanted: u64,
}

impl<W> Bounded<W> {
    /// A file that starts where `out` does.
    pub fn new(out: W, most: u64) -> Self {
        Self { out, most, at: 0, wanted: 0 }
    }

    /// How many bytes the file would have.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.wanted = self.wanted.max(self.at);
        if self.wanted <= self.most {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Seek> Seek for Bounded<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.wanted.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        if self.wanted <= self.most {
            self.out.seek(SeekFrom::Start(self.at))?;
        }
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_counted_and_not_held() {
        let mut held = Vec::new();
        let mut out = Bounded::new(&mut held, 4);
        out.write_all(b"abcd").unwrap();
        assert_eq!(out.wanted(), 4);
        out.write_all(b"efgh").unwrap();
        assert_eq!((out.wanted(), held), (8, b"abcd".to_vec()));
    }

    #[test]
    fn what_is_written_over_counts_once() {
        let mut held = io::Cursor::new(Vec::new());
        let mut out = Bounded::new(&mut held, 6);
        out.write_all(b"abcd").unwrap();
        assert_eq!(out.seek(SeekFrom::Start(1)).unwrap(), 1);
        out.write_all(b"BC").unwrap();
        assert_eq!((out.seek(SeekFrom::End(0)).unwrap(), out.wanted()), (4, 4));
        out.write_all(b"ef").unwrap();
        assert_eq!(out.wanted(), 6);
        // Nothing lands in what was cut off.
        out.write_all(b"g").unwrap();
        out.seek(SeekFrom::Start(0)).unwrap();
        out.write_all(b"x").unwrap();
        assert_eq!((out.wanted(), held.into_inner()), (7, b"aBCdef".to_vec()));
    }
}
