//! RVZ's packing (formats/containers.md §8.4): stretches of bytes, and of the noise that discs are filled up with, of
//! which only the seed is stored; and PURGE: the stretches of a group that are not zeros, and a hash of them.

use crate::{
    bytes::budget,
    formats::containers::{codes, contents::Trouble},
};
use sha1::{Digest, Sha1};

/// In the size of a stretch: it is noise.
const IS_NOISE: u32 = 1 << 31;
/// Noise begins anew so often on a disc, in bytes.
const PERIOD: u64 = 0x8000;

/// Numbers of a seed, and of the generator's state.
const SEED: usize = 17;
const STATE: usize = 521;
/// Bytes that a state gives.
const STATE_BYTES: u64 = STATE as u64 * 4;
/// How far apart the numbers are of which a new one is made.
const LAG: usize = 32;
const MADE_BEFORE: usize = 4;
/// Work of making the noise of a seed, and of passing over what comes before: see [`crate::bytes::Budget::work`].
const WORK_OF_SEED: u64 = 15_000;

/// What packed bytes give: exactly `size` bytes, which lie at `position` on the disc.
///
/// # Errors
/// When they are damaged, or give fewer.
pub fn unpack(packed: &[u8], size: u64, position: u64) -> Result<Vec<u8>, Trouble> {
    let damaged =
        |at: usize, message: &str| Trouble::new(&codes::DECODE, at as u64, format!("at packed offset {at}: {message}"));
    let size = usize::try_from(size).map_err(|_| damaged(0, "the group is too large"))?;
    let mut bytes: Vec<u8> = Vec::new();
    let mut left = packed;
    while bytes.len() < size {
        let at = packed.len().saturating_sub(left.len());
        let (head, rest) = left.split_first_chunk::<4>().ok_or_else(|| damaged(at, "the data ends too early"))?;
        let stated = u32::from_be_bytes(*head);
        let count = usize::try_from(stated & !IS_NOISE).unwrap_or(usize::MAX);
        if count > size.saturating_sub(bytes.len()) {
            return Err(damaged(at, "a segment extends past the end of the group"));
        }
        if stated & IS_NOISE == 0 {
            let (piece, rest) = rest.split_at_checked(count).ok_or_else(|| damaged(at, "a segment ends too early"))?;
            bytes.extend_from_slice(piece);
            left = rest;
        } else {
            let (seed, rest) =
                rest.split_first_chunk().ok_or_else(|| damaged(at, "the seed of a segment ends too early"))?;
            if count > 0 {
                if !budget::charge_work(WORK_OF_SEED) {
                    return Err(Trouble::too_much_work());
                }
                let mut noise = Noise::new(seed);
                noise.pass_over(position.saturating_add(bytes.len() as u64) % PERIOD);
                bytes.extend(noise.take(count));
            }
            left = rest;
        }
    }
    Ok(bytes)
}

/// The noise of a seed.
struct Noise {
    state: [u32; STATE],
    /// The next byte that is given, of those of the state.
    next: usize,
}

impl Noise {
    fn new(seed: &[u8; SEED * 4]) -> Self {
        let mut made = Vec::with_capacity(STATE);
        made.extend(seed.as_chunks::<4>().0.iter().map(|number| u32::from_be_bytes(*number)));
        let before =
            |made: &[u32], back: usize| made.len().checked_sub(back).and_then(|at| made.get(at)).copied().unwrap_or(0);
        while made.len() < STATE {
            let number = before(&made, 17) << 23 ^ before(&made, 16) >> 9 ^ before(&made, 1);
            made.push(number);
        }
        let mut state = [0; STATE];
        state.copy_from_slice(&made);
        let mut noise = Self { state, next: 0 };
        for _ in 0..MADE_BEFORE {
            noise.step();
        }
        noise
    }

    /// Makes the state new.
    fn step(&mut self) {
        // The first numbers are made of the last ones as they were, all others of those that were just made.
        let (first, rest) = self.state.split_at_mut(LAG);
        let last = rest.len().saturating_sub(LAG);
        for (number, with) in first.iter_mut().zip(rest.iter().skip(last)) {
            *number ^= with;
        }
        for at in LAG..STATE {
            let with = at.checked_sub(LAG).and_then(|with| self.state.get(with)).copied().unwrap_or(0);
            if let Some(number) = self.state.get_mut(at) {
                *number ^= with;
            }
        }
    }

    /// Passes over bytes, by whole states.
    fn pass_over(&mut self, count: u64) {
        let place = (self.next as u64).saturating_add(count);
        for _ in 0..place / STATE_BYTES {
            self.step();
        }
        self.next = usize::try_from(place % STATE_BYTES).unwrap_or(0);
    }

    fn advance(&mut self) {
        self.next = self.next.saturating_add(1);
        if self.next == STATE.saturating_mul(4) {
            self.next = 0;
            self.step();
        }
    }
}

impl Iterator for Noise {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let number = self.state.get(self.next / 4)?;
        // Not by 16: so do the discs have it.
        let byte = number >> [24, 18, 8, 0].get(self.next % 4)?;
        self.advance();
        u8::try_from(byte & 0xFF).ok()
    }
}

/// Bytes of the hash at the end.
const HASH: usize = 20;

/// The group, of `size` bytes: pairs of an offset and a size, high byte first, each with its bytes; zeros between them.
///
/// # Errors
/// When a stretch leads out of the group, or the hash is another one.
pub fn decode(stored: &[u8], size: u64) -> Result<Vec<u8>, Trouble> {
    let damaged = |message: String| Trouble::new(&codes::DECODE, 0, message);
    let end = stored.len().checked_sub(HASH);
    let end = end.ok_or_else(|| damaged("the data is too short to contain a hash".to_owned()))?;
    let (mut left, hash) = stored.split_at(end);
    if Sha1::digest(left).as_slice() != hash {
        return Err(Trouble::new(&codes::CHECKSUM, end as u64, "the hash of a group does not match"));
    }
    let mut bytes =
        vec![0; usize::try_from(size).map_err(|_| damaged(format!("a group of {size} bytes is too large")))?];
    while !left.is_empty() {
        let stretch = stretch(left);
        let (offset, piece, rest) =
            stretch.ok_or_else(|| damaged("a segment extends past the end of the data".to_owned()))?;
        let place = offset..offset.saturating_add(piece.len());
        let into = bytes.get_mut(place.clone());
        into.ok_or_else(|| {
            damaged(format!("a segment at {}..{} is outside the group of {size} bytes", place.start, place.end))
        })?
        .copy_from_slice(piece);
        left = rest;
    }
    Ok(bytes)
}

/// Where the first stretch is to lie, its bytes, and what follows it.
fn stretch(bytes: &[u8]) -> Option<(usize, &[u8], &[u8])> {
    let (offset, rest) = bytes.split_first_chunk::<4>()?;
    let (size, rest) = rest.split_first_chunk::<4>()?;
    let number = |bytes: &[u8; 4]| usize::try_from(u32::from_be_bytes(*bytes)).ok();
    let (piece, rest) = rest.split_at_checked(number(size)?)?;
    Some((number(offset)?, piece, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The noise as the specification words it.
    fn noise_by_definition(seed: &[u8; 68], position: usize, count: usize) -> Vec<u8> {
        let mut w: Vec<u32> = seed.chunks(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
        for i in 17..521 {
            w.push(w[i - 17] << 23 ^ w[i - 16] >> 9 ^ w[i - 1]);
        }
        let step = |w: &mut Vec<u32>| {
            for i in 0..521 {
                w[i] ^= if i < 32 { w[i + 489] } else { w[i - 32] };
            }
        };
        (0..4).for_each(|_| step(&mut w));
        let mut all = Vec::new();
        while all.len() < position % 0x8000 + count {
            all.extend(w.iter().flat_map(|w| [w >> 24, w >> 18, w >> 8, *w].map(|b| b as u8)));
            step(&mut w);
        }
        all[position % 0x8000..][..count].to_vec()
    }

    fn seed() -> [u8; 68] {
        std::array::from_fn(|at| (at * 37 + 11) as u8)
    }

    fn noise(count: u32) -> Vec<u8> {
        [&(count | IS_NOISE).to_be_bytes()[..], &seed()].concat()
    }

    #[test]
    fn noise_is_what_its_seed_and_its_place_give() {
        for (position, count) in [(0, 100), (3, 2081), (0x8000 - 1, 5000), (0x1_8000 + 2084, 2084 * 3 + 1)] {
            let found = unpack(&noise(count), u64::from(count), position).unwrap();
            assert_eq!(found, noise_by_definition(&seed(), position as usize, count as usize), "{position} {count}");
        }
    }

    #[test]
    fn stretches_follow_each_other() {
        let packed =
            [&3_u32.to_be_bytes()[..], b"abc", &noise(10), &0_u32.to_be_bytes(), &1_u32.to_be_bytes(), b"z"].concat();
        let found = unpack(&packed, 14, 50).unwrap();
        assert_eq!(found, [&b"abc"[..], &noise_by_definition(&seed(), 53, 10), b"z"].concat());
        for cut in 0..packed.len() {
            assert_eq!(unpack(&packed[..cut], 14, 50).unwrap_err().code.id, "container.decode-failed");
        }
        assert!(unpack(&packed, 12, 50).is_err(), "a stretch past the end");
        assert_eq!(unpack(&[], 0, 0).unwrap(), b"");
        // Stretches of no bytes give nothing, and are no work.
        let idle = [noise(0).repeat(1000), 1_u32.to_be_bytes().to_vec(), b"z".to_vec()].concat();
        let limits =
            crate::bytes::MemberLimits { work: crate::bytes::Allowance { base: 0, per_byte: 0 }, ..Default::default() };
        assert_eq!(budget::within(limits.budget(0), || unpack(&idle, 1, 0).unwrap()).0, b"z");
        let (refused, _) = budget::within(limits.budget(0), || unpack(&noise(1), 1, 0));
        assert_eq!(refused.unwrap_err().code.id, "container.bomb-total");
        // A huge stretch makes nothing.
        assert!(unpack(&u32::MAX.to_be_bytes(), 14, 0).is_err());
    }

    fn group(stretches: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (offset, piece) in stretches {
            bytes.extend(offset.to_be_bytes());
            bytes.extend((piece.len() as u32).to_be_bytes());
            bytes.extend(*piece);
        }
        bytes.extend(Sha1::digest(&bytes).as_slice());
        bytes
    }

    #[test]
    fn stretches_lie_between_zeros() {
        let stored = group(&[(2, b"ab"), (7, b"c")]);
        assert_eq!(decode(&stored, 9).unwrap(), b"\0\0ab\0\0\0c\0");
        assert_eq!(decode(&group(&[]), 3).unwrap(), [0; 3]);
        // A stretch past the end; a hash that is another one; a file that is cut.
        assert_eq!(decode(&stored, 7).unwrap_err().code.id, "container.decode-failed");
        let mut wrong = stored.clone();
        wrong[8] ^= 1;
        assert_eq!(decode(&wrong, 9).unwrap_err().code.id, "container.checksum-mismatch");
        for cut in 0..stored.len() {
            assert!(decode(&stored[..cut], 9).is_err());
        }
        assert!(decode(&group(&[(u32::MAX, b"x")]), 9).is_err());
    }
}
