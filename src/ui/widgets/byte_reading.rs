//! What the bytes at one place mean as numbers.

/// Byte order of the reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Little,
    Big,
}

impl Order {
    pub fn other(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }
}

/// Types with the value that the bytes have in them, as far as the bytes reach.
pub fn readings(bytes: &[u8], order: Order) -> Vec<(&'static str, String)> {
    macro_rules! read {
        ($type:ty) => {
            bytes.first_chunk().map(|b| match order {
                Order::Little => <$type>::from_le_bytes(*b),
                Order::Big => <$type>::from_be_bytes(*b),
            })
        };
    }
    let float = read!(f32).map(|v| {
        let size = v.abs();
        if size != 0.0 && !(1e-4..1e7).contains(&size) { format!("{v:.3e}") } else { format!("{v}") }
    });
    [
        ("u8", read!(u8).map(|v| v.to_string())),
        ("i16", read!(i16).map(|v| v.to_string())),
        ("i32", read!(i32).map(|v| v.to_string())),
        ("f32", float),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_read_in_both_orders_and_stop_at_the_end() {
        let bytes = [0x00, 0x00, 0x80, 0x3F];
        let value = |order, name| readings(&bytes, order).into_iter().find(|(n, _)| *n == name).unwrap().1;
        assert_eq!(value(Order::Little, "f32"), "1");
        assert_eq!(value(Order::Big, "i32"), "32831");
        assert_eq!(value(Order::Little, "i32"), "1065353216");
        assert_eq!(readings(&bytes[..2], Order::Little).len(), 2);
        assert!(readings(&[], Order::Little).is_empty());
    }
}
