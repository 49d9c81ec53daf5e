use std::io::{self, Write};

/// Bytes on their way to a file that may have so many of them. Beyond them they are counted and go nowhere.
pub struct Bounded<W> {
    out: W,
    most: u64,
    wanted: u64,
}

impl<W: Write> Bounded<W> {
    pub fn new(out: W, most: u64) -> Self {
        Self { out, most, wanted: 0 }
    }

    /// How many bytes there were.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wanted = self.wanted.saturating_add(bytes.len() as u64);
        if self.wanted <= self.most {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
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
}
