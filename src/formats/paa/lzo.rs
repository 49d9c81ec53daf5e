//! LZO1X (formats/containers.md §7.2): literals and copies, whose meaning hangs on how many literals came before.

/// What one byte can become: a length goes on by 255 for each further byte.
const MAX_PER_BYTE: usize = 255;
/// Beyond these in sum: the shortest stream has three bytes, and copies have lengths of their own.
const MAX_BESIDES: usize = 64;

/// Why a stream cannot be unpacked, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Offset in the packed data, in bytes.
    pub at: usize,
    /// Reason, as a sentence without a period.
    pub why: &'static str,
}

struct Stream<'a> {
    input: &'a [u8],
    at: usize,
    size: usize,
    out: Vec<u8>,
}

/// Whether a stream of `stored` bytes can become `size` bytes.
pub fn can_become(stored: usize, size: usize) -> bool {
    size <= stored.saturating_mul(MAX_PER_BYTE).saturating_add(MAX_BESIDES)
}

/// Unpacks a stream that becomes exactly `size` bytes; says how many bytes of the input it has.
///
/// # Errors
/// When it is damaged, ends early, or becomes another number of bytes.
pub fn decode(input: &[u8], size: usize) -> Result<(Vec<u8>, usize), Stopped> {
    if !can_become(input.len(), size) {
        return Err(Stopped { at: 0, why: "the packed data is too short for the pixels" });
    }
    let mut stream = Stream { input, at: 0, size, out: Vec::with_capacity(size) };
    stream.run()?;
    match stream.out.len() == size {
        true => Ok((stream.out, stream.at)),
        false => Err(stream.stopped("the packed data ends before the last pixel")),
    }
}

impl Stream<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        // Literals before the item: up to three that came with a copy, or four for a run of their own.
        let mut before = 0;
        if let Some(first) = self.input.first().copied().filter(|first| *first > 17) {
            self.at = 1;
            let count = usize::from(first).saturating_sub(17);
            self.literals(count)?;
            before = count.min(4);
        }
        loop {
            let item = self.byte()?;
            let bits = usize::from(item);
            let (length, distance, literals) = match item {
                64.. => {
                    let distance = 1_usize.saturating_add(bits >> 2 & 7).saturating_add(self.next()? << 3);
                    ((bits >> 5).saturating_add(1), distance, bits & 3)
                }
                32.. => {
                    let length = self.length(bits & 31, 2, 33)?;
                    let word = self.word()?;
                    (length, (word >> 2).saturating_add(1), word & 3)
                }
                16.. => {
                    let length = self.length(bits & 7, 2, 9)?;
                    let word = self.word()?;
                    let distance = 0x4000_usize.saturating_add((bits & 8) << 11).saturating_add(word >> 2);
                    if distance == 0x4000 {
                        return Ok(());
                    }
                    (length, distance, word & 3)
                }
                _ if before == 0 => {
                    let count = self.length(bits, 3, 18)?;
                    self.literals(count)?;
                    before = 4;
                    continue;
                }
                _ => {
                    let distance = (bits >> 2).saturating_add(self.next()? << 2);
                    let (length, nearest) = if before == 4 { (3, 0x801) } else { (2, 1) };
                    (length, distance.saturating_add(nearest), bits & 3)
                }
            };
            self.copy(distance, length)?;
            self.literals(literals)?;
            before = literals;
        }
    }

    /// A length of a few bits; where they are zero it goes on in bytes, from `long` on.
    fn length(&mut self, bits: usize, short: usize, long: usize) -> Result<usize, Stopped> {
        if bits > 0 {
            return Ok(bits.saturating_add(short));
        }
        let mut length = long;
        loop {
            match self.byte()? {
                0 => length = length.saturating_add(255),
                last => return Ok(length.saturating_add(usize::from(last))),
            }
        }
    }

    fn byte(&mut self) -> Result<u8, Stopped> {
        let byte = self.input.get(self.at).copied().ok_or_else(|| self.stopped("the packed data ends too early"))?;
        self.at = self.at.saturating_add(1);
        Ok(byte)
    }

    fn next(&mut self) -> Result<usize, Stopped> {
        self.byte().map(usize::from)
    }

    fn word(&mut self) -> Result<usize, Stopped> {
        let bytes = self.input.get(self.at..).and_then(|rest| rest.first_chunk());
        let word = bytes.map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
        let word = word.ok_or_else(|| self.stopped("the packed data ends too early"))?;
        self.at = self.at.saturating_add(2);
        Ok(word)
    }

    fn literals(&mut self, count: usize) -> Result<(), Stopped> {
        let end = self.at.saturating_add(count);
        let bytes = self.input.get(self.at..end).ok_or_else(|| self.stopped("the packed data ends too early"))?;
        self.check(count)?;
        self.out.extend_from_slice(bytes);
        self.at = end;
        Ok(())
    }

    fn copy(&mut self, distance: usize, length: usize) -> Result<(), Stopped> {
        let start = self.out.len().checked_sub(distance);
        let start = start.ok_or_else(|| self.stopped("a back reference points before the start of the data"))?;
        self.check(length)?;
        if distance >= length {
            self.out.extend_from_within(start..start.saturating_add(length));
            return Ok(());
        }
        // The copy repeats what it begins with: with each round there is more of that.
        let end = self.out.len().saturating_add(length);
        while self.out.len() < end {
            let there = self.out.len().saturating_sub(start).min(end.saturating_sub(self.out.len()));
            self.out.extend_from_within(start..start.saturating_add(there));
        }
        Ok(())
    }

    fn check(&self, more: usize) -> Result<(), Stopped> {
        match self.out.len().saturating_add(more) <= self.size {
            true => Ok(()),
            false => Err(self.stopped("the packed data has too many pixels")),
        }
    }

    fn stopped(&self, why: &'static str) -> Stopped {
        Stopped { at: self.at, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: [u8; 3] = [0x11, 0, 0];

    fn unpacked(items: &[&[u8]], size: usize) -> Result<Vec<u8>, &'static str> {
        let input = [items.concat(), END.to_vec()].concat();
        let (bytes, used) = decode(&input, size).map_err(|stopped| stopped.why)?;
        assert_eq!(used, input.len());
        Ok(bytes)
    }

    /// Four literals, by the first byte.
    const ABC: &[u8] = &[17 + 4, b'a', b'b', b'c', b'd'];

    #[test]
    fn each_item_copies_what_the_table_says() {
        // 64–255: length (t >> 5) + 1, distance 1 + ((t >> 2) & 7) + 8·H.
        assert_eq!(unpacked(&[ABC, &[0x40 | 3 << 2, 0]], 7).unwrap(), b"abcdabc");
        assert_eq!(unpacked(&[ABC, &[0xE0, 0]], 12).unwrap(), b"abcddddddddd"[..12].to_vec());
        // With two literals after it.
        assert_eq!(unpacked(&[ABC, &[0x40 | 3 << 2 | 2, 0, b'x', b'y']], 9).unwrap(), b"abcdabcxy");
        // 32–63: length (t & 31) + 2, distance 1 + (v >> 2).
        assert_eq!(unpacked(&[ABC, &[32 | 3, 1 << 2, 0]], 9).unwrap(), b"abcdcdcdc");
        // And a long one: 33 + 255 + 1.
        let long = unpacked(&[ABC, &[32, 0, 1, 0, 0]], 4 + 289).unwrap();
        assert_eq!(long, [&b"abc"[..], &[b'd'; 290]].concat());
        // 0–15 after a copy without literals: a run of t + 3, or of 18 and more.
        assert_eq!(
            unpacked(&[ABC, &[0x40, 0, 0, b'1', b'2', b'3']], 100).err(),
            Some("the packed data ends too early")
        );
        assert_eq!(unpacked(&[ABC, &[0x40, 0, 1, b'1', b'2', b'3', b'4']], 11).unwrap(), b"abcdddd1234"[..11].to_vec());
        let run = [&[0x40, 0, 0, 2][..], &[b'r'; 20]].concat();
        assert_eq!(unpacked(&[ABC, &run], 27).unwrap(), [&b"abcdddd"[..], &[b'r'; 20]].concat());
        // 0–15 after one to three literals: length 2, distance 1 + (t >> 2) + 4·H.
        assert_eq!(unpacked(&[&[17 + 3, b'a', b'b', b'c'], &[2 << 2, 0]], 5).unwrap(), b"abcab");
        // And after more: length 3, distance 801h and more.
        let many = [&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF][..], &vec![b'm'; 18 + 8 * 255 + 255]].concat();
        let many = unpacked(&[&many, &[0, 0]], 2313 + 3).unwrap();
        assert_eq!(many, vec![b'm'; 2316]);
    }

    #[test]
    fn copies_from_afar_reach_past_16_kib() {
        let far: Vec<u8> = (0..0x8100_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut input = vec![0];
        let zeros = (far.len() - 18) / 255;
        input.extend(vec![0; zeros]);
        input.push((far.len() - 18 - zeros * 255) as u8);
        input.extend(&far);
        // 16–31: distance 4000h + (v >> 2), and as much again with bit 3.
        let near = unpacked(&[&input, &[16 | 2, 4, 0]], far.len() + 4).unwrap();
        assert_eq!(near[far.len()..], far[far.len() - 0x4001..][..4]);
        let away = unpacked(&[&input, &[16 | 8 | 1, 4, 0]], far.len() + 3).unwrap();
        assert_eq!(away[far.len()..], far[far.len() - 0x8001..][..3]);
    }

    #[test]
    fn damaged_streams_are_refused() {
        assert_eq!(
            unpacked(&[ABC, &[0x40 | 4 << 2, 0]], 7).err(),
            Some("a back reference points before the start of the data")
        );
        assert_eq!(unpacked(&[ABC], 3).err(), Some("the packed data has too many pixels"));
        assert_eq!(unpacked(&[ABC], 5).err(), Some("the packed data ends before the last pixel"));
        assert_eq!(unpacked(&[ABC, &[0xE0, 0]], 6).err(), Some("the packed data has too many pixels"));
        assert_eq!(
            decode(&[0x12; 8], 1 << 28).err().map(|stopped| stopped.why),
            Some("the packed data is too short for the pixels")
        );
        let whole = [ABC, &[32, 0, 1, 0, 0], &END].concat();
        for cut in 0..whole.len() {
            assert!(decode(&whole[..cut], 293).is_err(), "{cut}");
        }
        // A length without an end.
        assert!(decode(&[0; 100], 100).is_err());
    }
}
