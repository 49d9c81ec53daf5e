//! Yaz0 and Yay0: copies of what came before, found through chains of equal starts.

/// How far back a copy reaches.
const WINDOW: usize = 0x1000;
/// Shortest and longest copy.
const SHORTEST: usize = 3;
const LONGEST: usize = 0x111;
/// Candidates that are looked at for each copy.
const TRIES: usize = 128;
/// Longest copy that needs no byte of its own for its length.
const SHORT_COPY: usize = 0x11;

/// What stands in a packed stream.
enum Step {
    Literal(u8),
    Copy { distance: usize, length: usize },
}

/// Where the three bytes at each place were seen before.
struct Chains {
    heads: Vec<u32>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Chains {
    fn new(size: usize) -> Self {
        Self { heads: vec![NONE; 1 << 15], before: vec![NONE; size] }
    }

    fn bucket(bytes: &[u8], at: usize) -> Option<usize> {
        let [a, b, c, ..] = bytes.get(at..)? else { return None };
        let word = u32::from(*a) << 16 | u32::from(*b) << 8 | u32::from(*c);
        Some((word.wrapping_mul(0x9E37_79B1) >> 17) as usize)
    }

    fn add(&mut self, bytes: &[u8], at: usize) {
        let Some(head) = Self::bucket(bytes, at).and_then(|bucket| self.heads.get_mut(bucket)) else { return };
        if let Some(before) = self.before.get_mut(at) {
            *before = *head;
            *head = u32::try_from(at).unwrap_or(NONE);
        }
    }

    /// Distance and length of the longest copy for this place; the nearest of equals.
    fn longest(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let wanted = bytes.get(at..).unwrap_or_default();
        let mut best = (0, 0);
        let mut candidate = Self::bucket(bytes, at).and_then(|bucket| self.heads.get(bucket)).copied().unwrap_or(NONE);
        for _ in 0..TRIES {
            let from = candidate as usize;
            let distance = at.saturating_sub(from);
            if candidate == NONE || distance == 0 || distance > WINDOW {
                break;
            }
            let seen = bytes.get(from..).unwrap_or_default();
            let length = wanted.iter().zip(seen).take(LONGEST).take_while(|(a, b)| a == b).count();
            if length > best.1 {
                best = (distance, length);
            }
            if length == LONGEST {
                break;
            }
            candidate = self.before.get(from).copied().unwrap_or(NONE);
        }
        best
    }
}

/// Greedy, except that a copy waits a byte when the next place has a longer one.
fn steps(bytes: &[u8]) -> Vec<Step> {
    let mut chains = Chains::new(bytes.len());
    let mut out = Vec::new();
    let mut at = 0_usize;
    let mut found = None;
    while let Some(byte) = bytes.get(at) {
        let (distance, length) = found.take().unwrap_or_else(|| chains.longest(bytes, at));
        chains.add(bytes, at);
        let next = at.saturating_add(1);
        if length < SHORTEST {
            out.push(Step::Literal(*byte));
            at = next;
            continue;
        }
        let later = if length < LONGEST { chains.longest(bytes, next) } else { (0, 0) };
        if later.1 > length.saturating_add(1) {
            out.push(Step::Literal(*byte));
            found = Some(later);
            at = next;
            continue;
        }
        out.push(Step::Copy { distance, length });
        let end = at.saturating_add(length);
        (next..end).for_each(|place| chains.add(bytes, place));
        at = end;
    }
    out
}

fn size_word(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes()
}

/// Two bytes of a copy: `short` length or 0, and distance less one.
fn link(distance: usize, length: usize) -> [u8; 2] {
    let short = if length > SHORT_COPY { 0 } else { length.saturating_sub(2) };
    let word = (short & 15) << 12 | distance.saturating_sub(1) & 0xFFF;
    (word as u16).to_be_bytes()
}

/// The length's own byte, where a copy has one.
fn long_length(length: usize) -> Option<u8> {
    (length > SHORT_COPY).then(|| length.saturating_sub(0x12) as u8)
}

/// Packs bytes as Yaz0.
pub fn encode_yaz0(bytes: &[u8]) -> Vec<u8> {
    let mut out = b"Yaz0".to_vec();
    out.extend_from_slice(&size_word(bytes));
    out.extend_from_slice(&[0; 8]);
    for eight in steps(bytes).chunks(8) {
        let flags = eight.iter().zip([0x80_u8, 0x40, 0x20, 0x10, 8, 4, 2, 1]);
        out.push(flags.filter(|(step, _)| matches!(step, Step::Literal(_))).fold(0, |byte, (_, bit)| byte | bit));
        for step in eight {
            match step {
                Step::Literal(byte) => out.push(*byte),
                Step::Copy { distance, length } => {
                    out.extend_from_slice(&link(*distance, *length));
                    out.extend(long_length(*length));
                }
            }
        }
    }
    out
}

/// Packs bytes as Yay0: flags, copies and the rest in streams of their own.
pub fn encode_yay0(bytes: &[u8]) -> Vec<u8> {
    let (mut flags, mut links, mut chunks) = (Vec::new(), Vec::new(), Vec::new());
    for group in steps(bytes).chunks(32) {
        let mut word = 0_u32;
        for (index, step) in (0_u32..32).zip(group) {
            match step {
                Step::Literal(byte) => {
                    word |= 0x8000_0000 >> index;
                    chunks.push(*byte);
                }
                Step::Copy { distance, length } => {
                    links.extend_from_slice(&link(*distance, *length));
                    chunks.extend(long_length(*length));
                }
            }
        }
        flags.extend_from_slice(&word.to_be_bytes());
    }
    let links_at = flags.len().saturating_add(0x10);
    let chunks_at = links_at.saturating_add(links.len());
    let mut out = b"Yay0".to_vec();
    out.extend_from_slice(&size_word(bytes));
    for offset in [links_at, chunks_at] {
        out.extend_from_slice(&u32::try_from(offset).unwrap_or(u32::MAX).to_be_bytes());
    }
    out.extend(flags);
    out.extend(links);
    out.extend(chunks);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plain unpacker, for these tests alone.
    fn unpack(packed: &[u8]) -> Vec<u8> {
        let size = u32::from_be_bytes(packed[4..8].try_into().unwrap()) as usize;
        let mut out = Vec::new();
        let mut at = 16;
        while out.len() < size {
            let flags = packed[at];
            at += 1;
            for bit in 0..8 {
                if out.len() >= size {
                    break;
                }
                if flags & (0x80 >> bit) != 0 {
                    out.push(packed[at]);
                    at += 1;
                } else {
                    let distance = (usize::from(packed[at] & 15) << 8 | usize::from(packed[at + 1])) + 1;
                    let mut length = usize::from(packed[at] >> 4) + 2;
                    at += 2;
                    if length == 2 {
                        length = usize::from(packed[at]) + 0x12;
                        at += 1;
                    }
                    for _ in 0..length {
                        out.push(out[out.len() - distance]);
                    }
                }
            }
        }
        assert_eq!(at, packed.len());
        out
    }

    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u32;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 29) as u8
            })
            .collect()
    }

    #[test]
    fn what_is_packed_unpacks() {
        let mut inputs = vec![Vec::new(), vec![7], vec![7; 10_000], noise(20_000)];
        inputs.push(b"abcabcabcabd".repeat(700));
        inputs.push([noise(5_000), vec![0; 4_096], noise(5_000)].concat());
        for bytes in inputs {
            let packed = encode_yaz0(&bytes);
            assert_eq!(unpack(&packed), bytes);
            assert!(packed.len() <= bytes.len() + bytes.len() / 8 + 18);
        }
        assert!(encode_yaz0(&[7; 10_000]).len() < 180);
    }

    #[test]
    fn by_hand() {
        assert_eq!(encode_yaz0(b"aaaaa")[16..], [0x80, b'a', 0x20, 0]);
        let yay0 = encode_yay0(b"aaaaa");
        assert_eq!(yay0[8..], [0, 0, 0, 0x14, 0, 0, 0, 0x16, 0x80, 0, 0, 0, 0x20, 0, b'a']);
    }
}
