/// Which of the two kinds of chunk it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// `MAT2`: no indirect blocks, no ambient colours and no lights (formats/j3d-materials.md §7.0b).
    Mat2,
    /// `MAT3` (formats/j3d-materials.md §7.0a).
    Mat3,
}

impl Version {
    /// Bytes of a material's entry.
    pub fn entry_size(self) -> u64 {
        match self {
            Self::Mat2 => 0x138,
            Self::Mat3 => 0x14C,
        }
    }

    /// Bytes of the chunk's header.
    pub fn header_size(self) -> u32 {
        match self {
            Self::Mat2 => 0x78,
            Self::Mat3 => 0x84,
        }
    }
}
