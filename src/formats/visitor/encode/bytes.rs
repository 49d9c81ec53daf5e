//! A project under construction, and the offsets of its parts, for tests that damage them.

use super::project::{Dialect, StringLength};
use crate::bytes::text;

/// Places in a written project, in bytes from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Where parts start, in their order; names are those of the order of blocks (formats/visitor.md §1.1).
    pub sections: Vec<(&'static str, usize)>,
    /// Every 32-bit number of how many things follow, and of how long a string is.
    pub counts: Vec<usize>,
}

impl Places {
    /// Where a part starts; `None` where the dialect has no such part.
    pub fn section(&self, name: &str) -> Option<usize> {
        self.sections.iter().find(|(n, _)| *n == name).map(|(_, offset)| *offset)
    }
}

/// Little-endian bytes (§1.0).
pub(super) struct Bytes<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) bytes: Vec<u8>,
    pub(super) places: Places,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(dialect: &'a Dialect, capacity: usize) -> Self {
        Self { dialect, bytes: Vec::with_capacity(capacity), places: Places::default() }
    }

    /// A part starts here.
    pub(super) fn section(&mut self, name: &'static str) {
        self.places.sections.push((name, self.bytes.len()));
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(super) fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|v| self.f32(*v));
    }

    pub(super) fn f64(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.u16(u16::from(value));
    }

    pub(super) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len().saturating_add(count), 0);
    }

    /// How many things follow; what a field cannot say becomes its greatest value.
    pub(super) fn count(&mut self, count: usize) {
        self.places.counts.push(self.bytes.len());
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    pub(super) fn color(&mut self, [r, g, b, a]: [u8; 4]) {
        self.bytes(&if self.dialect.bgra { [b, g, r, a] } else { [r, g, b, a] });
    }

    /// A colour, or the file's own word for none.
    pub(super) fn color_or_default(&mut self, color: Option<[u8; 4]>) {
        self.color(color.unwrap_or([255; 4]));
    }

    pub(super) fn string(&mut self, value: &str) {
        let text = text::encode(value);
        match self.dialect.strings {
            StringLength::InclusiveBare if text.is_empty() => {
                self.count(0);
                return;
            }
            StringLength::Inclusive | StringLength::InclusiveBare => self.count(text.len().saturating_add(1)),
            StringLength::Exclusive => self.count(text.len()),
        }
        self.bytes(&text);
        self.bytes(&[0]);
    }
}
