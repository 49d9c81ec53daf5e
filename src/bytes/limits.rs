use super::Budget;

/// Limits of what one document may cost, whatever its bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file, in bytes; a larger one is not opened.
    pub file_bytes: u64,
    /// Maximum size of a file that is read whole, since its format does not read parts.
    pub whole_file_bytes: u64,
    /// Maximum total size of the referenced files beside it that are read whole, in bytes.
    pub neighbour_bytes: u64,
    /// Decoded data (images, unpacked meshes) of one document, in bytes.
    pub decoded_bytes: u64,
    /// The output of one compressed container, in bytes.
    pub container_bytes: u64,
    /// The width or height of an image, in pixels.
    pub image_side: u32,
    /// Maximum depth of containers, outers and structures in each other.
    pub nesting: u32,
    /// Entries of one document, those of what lies in it included.
    pub entries: usize,
    /// Steps of one act (to open a file, to read an entry’s fields, to decode it): see [`Budget::steps`].
    pub steps: Allowance,
    /// Bytes that one act builds; decoded pixels are not among them.
    pub built_bytes: Allowance,
    /// Diagnostics kept for one code; further ones are only counted.
    pub diagnostics_per_code: usize,
    /// Limits of the members of containers.
    pub members: MemberLimits,
}

/// Limits of containers and of the members that are unpacked of them (formats/containers.md §1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberLimits {
    /// Maximum size of an unpacked member, in bytes.
    pub bytes: u64,
    /// Maximum ratio of a member's unpacked size to its stored size, once it has [`MemberLimits::ratio_from`] bytes.
    pub ratio: u64,
    /// Unpacked size in bytes from which [`MemberLimits::ratio`] applies.
    pub ratio_from: u64,
    /// Maximum number of members and folders of one container, folders that only paths name among them.
    pub count: u64,
    /// Number of members and folders that a container of any size may have. It may have one more for each
    /// [`MemberLimits::BYTES_OF_ENTRY`] bytes.
    pub few: u64,
    /// Maximum depth of containers in containers.
    pub depth: u32,
    /// Maximum depth of folders in folders.
    pub folders: u32,
    /// Maximum size of a table (headers, a list of files), in bytes.
    pub table: u64,
    /// The memory that a decoder keeps to copy from, in bytes.
    pub dictionary: u64,
    /// Bytes that a walk, or the opening of one member, may hold at once: of members that were unpacked, and of what decoders copy from.
    pub held: Allowance,
    /// Bytes of the paths of a container, each entry's counted whole.
    pub paths: Allowance,
    /// Work of one act on a container, of a walk through all that is in it too: see [`Budget::work`].
    pub work: Allowance,
}

impl MemberLimits {
    /// Bytes of a container for each member and folder that it may have besides [`MemberLimits::few`]: formats take about as many for a
    /// member of no bytes.
    pub const BYTES_OF_ENTRY: u64 = 40;

    /// Maximum number of members and folders of a container of `size` bytes.
    pub fn entries_of(&self, size: u64) -> u64 {
        self.count.min(self.few.saturating_add(size / Self::BYTES_OF_ENTRY))
    }

    /// Returns the limits of a file that a person opens although it was refused. Depths stay limited.
    pub fn lifted(&self) -> Self {
        Self {
            bytes: self.bytes.max(16 << 30),
            ratio: u64::MAX,
            count: self.count.max(10_000_000),
            few: self.few.max(10_000_000),
            table: self.table.max(1 << 30),
            dictionary: self.dictionary.max(4 << 30),
            held: Allowance { base: u64::MAX, per_byte: 0 },
            paths: Allowance { base: self.paths.base.max(1 << 30), ..self.paths },
            work: Allowance { base: u64::MAX, per_byte: 0 },
            ..*self
        }
    }

    /// The budget of a walk through a file of `size` bytes, or of unpacking one member of it: only its work is bounded.
    pub fn budget(&self, size: u64) -> Budget {
        Budget { steps: u64::MAX, bytes: u64::MAX, depth: u32::MAX, work: self.work.of(size) }
    }
}

impl Default for MemberLimits {
    fn default() -> Self {
        Self {
            bytes: 1 << 30,
            ratio: 250,
            ratio_from: 32 << 20,
            count: 200_000,
            few: 32_768,
            depth: 8,
            folders: 64,
            table: 64 << 20,
            dictionary: 256 << 20,
            held: Allowance { base: 40 << 20, per_byte: 12 },
            paths: Allowance { base: 8 << 20, per_byte: 4 },
            work: Allowance { base: 400_000_000, per_byte: 600 },
        }
    }
}

/// An amount that a file may take by its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Amount for a file of any size.
    pub base: u64,
    /// Amount for each byte of the file.
    pub per_byte: u64,
}

impl Allowance {
    /// Returns the amount for a file of `size` bytes. A larger amount than `u64::MAX` becomes `u64::MAX`.
    pub fn of(self, size: u64) -> u64 {
        self.base.saturating_add(size.saturating_mul(self.per_byte))
    }
}

impl Limits {
    /// Returns limits with those of containers lifted, and those that would hold in their place.
    pub fn lifted(&self) -> Self {
        let members = self.members.lifted();
        let [file_bytes, whole_file_bytes] =
            [self.file_bytes, self.whole_file_bytes].map(|bytes| bytes.max(members.bytes));
        Self { file_bytes, whole_file_bytes, entries: self.entries.max(10_000_000), members, ..*self }
    }

    /// Returns the budget of an act on a file of `size` bytes.
    pub fn budget(&self, size: u64) -> Budget {
        let work = self.members.work.of(size);
        Budget { steps: self.steps.of(size), bytes: self.built_bytes.of(size), depth: self.nesting, work }
    }

    /// Returns the budget that is added to an act's where `size` bytes are decompressed.
    pub fn budget_of_more(&self, size: u64) -> Budget {
        let more = |allowance: Allowance| Allowance { base: 0, ..allowance }.of(size);
        Budget { steps: more(self.steps), bytes: more(self.built_bytes), depth: 0, work: more(self.members.work) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            whole_file_bytes: 2 << 30,
            neighbour_bytes: u64::MAX,
            decoded_bytes: 512 << 20,
            container_bytes: 256 << 20,
            image_side: 16_384,
            nesting: 64,
            entries: 1 << 20,
            // Formats read their tables a few times over.
            steps: Allowance { base: 16 << 20, per_byte: 64 },
            // Four times what may be held at once (FIGURES.md R5): what is counted again is charged again, and limits of single
            // structures, which lose less, come first.
            built_bytes: Allowance { base: 256 << 20, per_byte: 64 },
            diagnostics_per_code: 50,
            members: MemberLimits::default(),
        }
    }
}
