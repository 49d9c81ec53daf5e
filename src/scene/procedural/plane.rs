use std::sync::Arc;

/// Bytes in rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Bytes of a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width × height` of them.
    pub bytes: Arc<[u8]>,
}

impl Plane {
    /// Whether it has all its bytes, and any.
    pub fn is_whole(&self) -> bool {
        let size = u64::from(self.width).saturating_mul(u64::from(self.height));
        size > 0 && self.bytes.len() as u64 == size
    }
}
