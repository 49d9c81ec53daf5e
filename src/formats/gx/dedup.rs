//! Numbering equal things once.

/// Keys of `W` words, each with a number: equal keys have the same.
#[derive(Debug)]
pub struct Dedup<const W: usize> {
    keys: Vec<[u64; W]>,
    /// Numbers by hash, plus one; a power of two of them, at least twice the keys.
    slots: Vec<u32>,
}

const FIRST_SLOTS: usize = 256;

impl<const W: usize> Default for Dedup<W> {
    fn default() -> Self {
        Self { keys: Vec::new(), slots: vec![0; FIRST_SLOTS] }
    }
}

impl<const W: usize> Dedup<W> {
    /// Creates an empty set of keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keys in the order of their numbers.
    pub fn keys(&self) -> &[[u64; W]] {
        &self.keys
    }

    /// The number of a key, a new one for a new key.
    pub fn number(&mut self, key: [u64; W]) -> u32 {
        if self.keys.len().saturating_mul(2) >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash(&key) & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            match slot.checked_sub(1) {
                None => {
                    self.keys.push(key);
                    let number = self.keys.len() as u32;
                    *slot = number;
                    return number.wrapping_sub(1);
                }
                Some(number) if self.keys.get(number as usize) == Some(&key) => return number,
                Some(_) => at = at.wrapping_add(1) & mask,
            }
        }
        0
    }

    fn grow(&mut self) {
        let count = self.slots.len().saturating_mul(4);
        let mask = count.wrapping_sub(1);
        self.slots = vec![0; count];
        for (number, key) in (1..).zip(&self.keys) {
            let mut at = hash(key) & mask;
            while self.slots.get(at).is_some_and(|slot| *slot != 0) {
                at = at.wrapping_add(1) & mask;
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = number;
            }
        }
    }
}

/// Spreads neighbouring keys over the slots.
fn hash<const W: usize>(key: &[u64; W]) -> usize {
    let mixed = key.iter().fold(0_u64, |sum, word| (sum.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_have_one_number() {
        let mut dedup = Dedup::<2>::new();
        let key = |i: u64| [i / 3, i.wrapping_mul(i)];
        for i in 0..3000 {
            assert_eq!(dedup.number(key(i)), i as u32);
        }
        for i in (0..3000).rev() {
            assert_eq!(dedup.number(key(i)), i as u32);
        }
        assert_eq!((dedup.keys().len(), dedup.keys()[7]), (3000, [2, 49]));
    }
}
