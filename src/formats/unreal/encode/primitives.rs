//! References (formats/unreal.md §2), and the bytes that objects make up.

/// A reference as it is written: 0 is null, above 0 an export, below 0 an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ref(pub i32);

impl Ref {
    /// The null reference.
    pub const NULL: Self = Self(0);
}

/// A place that holds an absolute file offset, known once the object has its place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixup {
    /// Where the four bytes are, from the start of the object.
    pub at: usize,
    /// What they point at, from the start of the object.
    pub target: usize,
}

/// What an [`ObjectWriter`] leaves behind.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectBytes {
    pub bytes: Vec<u8>,
    pub fixups: Vec<Fixup>,
}
