//! The frame of every J3D file: a header, then chunks; and name tables (formats/j3d.md §1).

/// What fills the gaps between tables; it starts anew in each.
const PADDING: &[u8] = b"This is padding data to alignment.....";

/// Who wrote a file, as its header says it: the 16 bytes from 0x10 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// All FF.
    #[default]
    Unsaid,
    /// `SVR1`: BTK, BRK, BPK, and whatever has sounds.
    Svr1,
    /// `SVR3`: models and material sets.
    Svr3,
}

impl Tool {
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0xFF; 16];
        let name: &[u8] = match self {
            Self::Unsaid => &[],
            Self::Svr1 => b"SVR1",
            Self::Svr3 => b"SVR3",
        };
        for (byte, letter) in bytes.iter_mut().zip(name) {
            *byte = *letter;
        }
        bytes
    }
}

/// A file of chunks, each a multiple of 32 bytes.
pub(super) fn file(magic: &[u8; 8], tool: Tool, chunks: &[Vec<u8>]) -> Vec<u8> {
    let size = chunks.iter().fold(0x20_usize, |sum, chunk| sum.saturating_add(chunk.len()));
    let mut out = Vec::with_capacity(size);
    out.extend_from_slice(magic);
    out.extend_from_slice(&count32(size).to_be_bytes());
    out.extend_from_slice(&count32(chunks.len()).to_be_bytes());
    out.extend_from_slice(&tool.bytes());
    for chunk in chunks {
        out.extend_from_slice(chunk);
    }
    out
}

/// A number of things; what a field cannot say becomes its greatest value.
pub(super) fn count16(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// As [`count16`].
pub(super) fn count32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A place in a chunk that will say where something starts.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

/// A chunk under construction, big-endian; offsets count from its tag.
pub(super) struct Chunk {
    bytes: Vec<u8>,
}

impl Chunk {
    pub(super) fn new(tag: &[u8; 4]) -> Self {
        let mut bytes = tag.to_vec();
        bytes.extend_from_slice(&[0; 4]);
        Self { bytes }
    }

    pub(super) fn offset(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.bytes(&value.to_be_bytes());
    }

    pub(super) fn i16(&mut self, value: i16) {
        self.bytes(&value.to_be_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_be_bytes());
    }

    pub(super) fn u16s(&mut self, values: &[u16]) {
        values.iter().for_each(|v| self.u16(*v));
    }

    pub(super) fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|v| self.bytes(&v.to_be_bytes()));
    }

    /// An offset that is not known yet; 0 until [`Chunk::fill`].
    pub(super) fn slot(&mut self) -> Slot {
        let at = self.bytes.len();
        self.u32(0);
        Slot(at)
    }

    pub(super) fn slots<const N: usize>(&mut self) -> [Slot; N] {
        std::array::from_fn(|_| self.slot())
    }

    /// The slot's table starts here.
    pub(super) fn fill(&mut self, slot: Slot) {
        self.set(slot, count32(self.bytes.len()));
    }

    pub(super) fn set(&mut self, Slot(at): Slot, value: u32) {
        for (place, byte) in self.bytes.iter_mut().skip(at).zip(value.to_be_bytes()) {
            *place = byte;
        }
    }

    /// Padding up to a multiple of `unit` bytes, a power of two.
    pub(super) fn align(&mut self, unit: usize) {
        let wanted = self.bytes.len().checked_next_multiple_of(unit).unwrap_or(self.bytes.len());
        let gap = wanted.saturating_sub(self.bytes.len());
        self.bytes.extend(PADDING.iter().cycle().take(gap));
    }

    /// The whole chunk, with its size and padding to 32 bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.align(32);
        let size = count32(self.bytes.len());
        self.set(Slot(4), size);
        self.bytes
    }
}

/// The sum that looks names up: `h · 3 + byte` over the bytes of a name.
fn hash(name: &[u8]) -> u16 {
    name.iter().fold(0_u16, |hash, byte| hash.wrapping_mul(3).wrapping_add(u16::from(*byte)))
}

/// Writes a table of names in Shift-JIS; repeats are written again.
pub(super) fn name_table<'a>(out: &mut Chunk, names: impl IntoIterator<Item = &'a str>) {
    let names: Vec<Vec<u8>> =
        names.into_iter().map(|name| encoding_rs::SHIFT_JIS.encode(name).0.into_owned()).collect();
    out.u16(count16(names.len()));
    out.u16(0xFFFF);
    let mut offset = names.len().saturating_mul(4).saturating_add(4);
    for name in &names {
        out.u16(hash(name));
        out.u16(count16(offset));
        offset = offset.saturating_add(name.len()).saturating_add(1);
    }
    for name in &names {
        out.bytes(name);
        out.u8(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_padded_with_the_usual_text_and_knows_its_size() {
        let mut chunk = Chunk::new(b"TST1");
        let slot = chunk.slot();
        chunk.u8(7);
        chunk.align(4);
        chunk.fill(slot);
        chunk.u16(0x1234);
        let bytes = chunk.finish();
        assert_eq!(bytes.len(), 32);
        assert_eq!(bytes[..18], *b"TST1\0\0\0\x20\0\0\0\x10\x07Thi\x12\x34");
        assert_eq!(bytes[18..], *b"This is paddin");
        let file = file(b"J3D1tst1", Tool::Svr1, &[bytes]);
        assert_eq!(file[..0x14], *b"J3D1tst1\0\0\0\x40\0\0\0\x01SVR1");
        assert_eq!(file[0x14..0x20], [0xFF; 12]);
    }

    #[test]
    fn hashes_fold_by_three() {
        // ((97 · 3) + 98) · 3 + 99
        assert_eq!(hash(b"abc"), 1266);
        assert_eq!(hash(b"."), 46);
        assert_eq!(hash(b".."), 184);
    }

    #[test]
    fn a_table_points_at_its_names() {
        let mut out = Chunk::new(b"TEST");
        name_table(&mut out, ["a", "目"]);
        let bytes = out.finish();
        assert_eq!(bytes[8..12], [0, 2, 0xFF, 0xFF]);
        // 目 is 96 DA: 0x96 · 3 + 0xDA = 0x29C.
        assert_eq!(bytes[12..20], [0, 97, 0, 12, 0x02, 0x9C, 0, 14]);
        assert_eq!(bytes[20..25], [b'a', 0, 0x96, 0xDA, 0]);
    }
}
