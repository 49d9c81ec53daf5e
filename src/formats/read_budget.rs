//! How much may be read where records of a file share bytes: a few records could otherwise have the same ones read without end.

/// Bytes, or what else is counted, that may still be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadBudget {
    left: u64,
}

impl ReadBudget {
    pub fn new(size: u64) -> Self {
        Self { left: size }
    }

    /// Whether `size` may be read too. What may not is not counted: less may still be read.
    pub fn take(&mut self, size: u64) -> bool {
        let left = self.left.checked_sub(size);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    pub fn left(self) -> u64 {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_there_is_room_for() {
        let mut budget = ReadBudget::new(10);
        assert!(budget.take(4) && !budget.take(7) && budget.take(6) && budget.take(0) && !budget.take(1));
    }
}
