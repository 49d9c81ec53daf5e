//! LZSS as Bohemia's games use it, in archives and in pictures (formats/containers.md §6).

/// What one byte can become: a byte of flags and eight copies of two bytes give eight times 18.
pub const MAX_PER_BYTE: u64 = 9;

/// The longest copy.
const LONGEST: usize = 18;
/// What stands before the start.
const BEFORE: u8 = b' ';

/// Unpacks a stream piece by piece.
#[derive(Debug)]
pub struct Lzss<'a> {
    input: &'a [u8],
    at: usize,
    size: usize,
    out: Vec<u8>,
}

/// The stream ends before everything is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndOfInput;

impl<'a> Lzss<'a> {
    /// Of a stream that becomes `size` bytes. Room is made for no more than can come of it.
    pub fn new(input: &'a [u8], size: usize) -> Self {
        let most = (input.len() as u64).saturating_mul(MAX_PER_BYTE);
        let room = usize::try_from(most).unwrap_or(usize::MAX).min(size);
        Self { input, at: 0, size, out: Vec::with_capacity(room) }
    }

    /// Unpacks at least `count` bytes more, where there are so many; `true` when nothing is left to do.
    ///
    /// # Errors
    /// When the stream ends before everything is there; what there is stays.
    pub fn more(&mut self, count: usize) -> Result<bool, EndOfInput> {
        let wanted = self.out.len().saturating_add(count).min(self.size);
        while self.out.len() < wanted {
            let flags = *self.input.get(self.at).ok_or(EndOfInput)?;
            self.at = self.at.saturating_add(1);
            let literals = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<8>());
            match literals.filter(|_| flags == 0xFF && self.left() >= 8) {
                Some(bytes) => {
                    self.out.extend_from_slice(bytes);
                    self.at = self.at.saturating_add(8);
                }
                None => self.group(flags)?,
            }
        }
        Ok(self.out.len() >= self.size)
    }

    /// Everything at once; `false` when the stream ends before that.
    pub fn all(&mut self) -> bool {
        self.more(self.size).is_ok()
    }

    /// Bytes of the stream that were used so far.
    pub fn used(&self) -> usize {
        self.at
    }

    /// What came of it.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    fn left(&self) -> usize {
        self.size.saturating_sub(self.out.len())
    }

    /// What eight flags stand for, or what is left of it.
    fn group(&mut self, flags: u8) -> Result<(), EndOfInput> {
        for place in 0..8 {
            let left = self.left();
            if left == 0 {
                return Ok(());
            }
            let rest = self.input.get(self.at..).unwrap_or_default();
            if flags >> place & 1 == 1 {
                self.out.push(*rest.first().ok_or(EndOfInput)?);
                self.at = self.at.saturating_add(1);
                continue;
            }
            let [low, high] = *rest.first_chunk::<2>().ok_or(EndOfInput)?;
            self.at = self.at.saturating_add(2);
            let distance = match usize::from(low) | usize::from(high & 0xF0) << 4 {
                0 => 4096,
                distance => distance,
            };
            self.copy(distance, usize::from(high & 15).saturating_add(3).min(left));
        }
        Ok(())
    }

    fn copy(&mut self, distance: usize, length: usize) {
        let end = self.out.len();
        match end.checked_sub(distance) {
            Some(start) if distance >= length => self.out.extend_from_within(start..start.saturating_add(length)),
            // The copy repeats what it begins with.
            Some(start) => {
                let mut bytes = [0; LONGEST];
                let seen = self.out.get(start..).unwrap_or_default();
                for (to, from) in bytes.iter_mut().zip(seen.iter().cycle()) {
                    *to = *from;
                }
                self.out.extend_from_slice(bytes.get(..length).unwrap_or_default());
            }
            None => {
                for _ in 0..length {
                    let from = self.out.len().checked_sub(distance).and_then(|from| self.out.get(from));
                    self.out.push(from.copied().unwrap_or(BEFORE));
                }
            }
        }
    }
}

/// The sums that writers put after a stream: of the bytes as they are, and as numbers from −128 to 127.
pub fn sums(bytes: &[u8]) -> (u32, u32) {
    let (plain, negative) = bytes.iter().fold((0_u32, 0_u32), |(sum, negative), byte| {
        (sum.wrapping_add(u32::from(*byte)), negative.wrapping_add(u32::from(byte >> 7)))
    });
    (plain, plain.wrapping_sub(negative.wrapping_mul(256)))
}

/// Writes a stream that becomes `bytes`, without a sum.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    // Places where three bytes were seen last.
    let mut seen = std::collections::HashMap::new();
    let (mut at, mut flags, mut items) = (0_usize, 0_u8, Vec::new());
    let mut count = 0_u32;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let found = rest.first_chunk::<3>().and_then(|start| seen.get(start)).copied();
        let found = found.map(|from: usize| (at.saturating_sub(from), common(bytes, from, at)));
        let length = match found.filter(|(distance, length)| *distance < 4096 && *length >= 3) {
            Some((distance, length)) => {
                let high = (distance >> 4 & 0xF0) as u8 | (length.saturating_sub(3) & 15) as u8;
                items.extend([distance as u8, high]);
                length
            }
            None => {
                flags |= 1_u8.checked_shl(count).unwrap_or(0);
                items.extend(rest.first());
                1
            }
        };
        for place in at..at.saturating_add(length) {
            if let Some(start) = bytes.get(place..).and_then(|rest| rest.first_chunk::<3>()) {
                seen.insert(*start, place);
            }
        }
        at = at.saturating_add(length);
        count = count.saturating_add(1);
        if count == 8 {
            packed.push(flags);
            packed.append(&mut items);
            (flags, count) = (0, 0);
        }
    }
    if count > 0 {
        packed.push(flags);
        packed.append(&mut items);
    }
    packed
}

/// How far the bytes at two places are the same, up to the longest copy.
fn common(bytes: &[u8], one: usize, other: usize) -> usize {
    let (one, other) = (bytes.get(one..).unwrap_or_default(), bytes.get(other..).unwrap_or_default());
    one.iter().zip(other).take(LONGEST).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(input: &[u8], size: usize) -> (Vec<u8>, usize, bool) {
        let mut stream = Lzss::new(input, size);
        let is_whole = stream.all();
        let used = stream.used();
        (stream.into_bytes(), used, is_whole)
    }

    #[test]
    fn literals_copies_and_what_stands_before_the_start() {
        // Three letters, then 5 from 3 back, then 18 from 1 back.
        let input = [0b0000_0111, b'a', b'b', b'c', 3, 2, 1, 15];
        let expected = [&b"abcabcab"[..], &[b'b'; 18]].concat();
        assert_eq!(unpacked(&input, 26), (expected.clone(), 8, true));
        // It stops within a copy.
        assert_eq!(unpacked(&input, 5), (expected[..5].to_vec(), 6, true));
        // Before the start there are blanks; a copy may lead from them into what is there.
        assert_eq!(unpacked(&[0b01, b'x', 3, 2], 6).0, b"x  x  ");
        assert_eq!(unpacked(&[0b01, b'x', 0, 0xF0 | 1], 5).0, b"x    ");
        // A distance of 0 is 4096.
        let far = [vec![0xFF; 513 * 9], vec![0, 0, 1]].concat();
        let far = far.chunks(9).flat_map(|group| [group, &[]].concat()).collect::<Vec<u8>>();
        assert_eq!(unpacked(&far, 513 * 8 + 4).0, vec![0xFF; 513 * 8 + 4]);
        assert_eq!(unpacked(&[], 0), (Vec::new(), 0, true));
    }

    #[test]
    fn what_is_encoded_reads_back_in_pieces_of_any_size() {
        let noise: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 28) as u8).collect();
        for plain in [&b""[..], b"a", b"abcabcabcabcabc", &[9; 5000], &noise] {
            let packed = encode(plain);
            assert_eq!(unpacked(&packed, plain.len()), (plain.to_vec(), packed.len(), true));
            let mut stream = Lzss::new(&packed, plain.len());
            while !stream.more(100).unwrap() {}
            assert_eq!(stream.into_bytes(), plain);
        }
        assert!(encode(&[9; 5000]).len() < 800);
    }

    #[test]
    fn streams_that_end_early_give_what_there_is() {
        let packed = encode(b"abcabcabcabcabcdefghijk");
        for cut in 0..packed.len() {
            let (bytes, used, is_whole) = unpacked(&packed[..cut], 23);
            assert!(!is_whole && used <= cut && b"abcabcabcabcabcdefghijk".starts_with(&bytes), "{cut}");
        }
        // A size alone makes no room.
        assert!(Lzss::new(&packed, usize::MAX).into_bytes().capacity() < 1000);
    }

    #[test]
    fn sums_count_bytes_in_two_ways() {
        assert_eq!(sums(&[1, 2, 255, 128]), (386, 386_u32.wrapping_sub(512)));
        assert_eq!(sums(&[]), (0, 0));
    }
}
