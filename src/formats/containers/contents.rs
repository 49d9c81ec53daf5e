//! What every kind of container gives: its members from its tables, and a member's bytes when they are asked for.

use super::codes;
use crate::{
    bytes::{
        Cancel, MemberLimits, Source, budget,
        numbers::{counted, grouped},
    },
    formats::{Choice, Code, Field, Overrides, Resolver, field_reader::Fault, read_budget::ReadBudget},
};
use std::ops::Range;

/// Maximum number of problems that are kept of one container; a hostile one could make millions.
pub const MAX_PROBLEMS: usize = 1000;

/// Number of blocks of a disc that are held at once: those that are kept, and the stored, packed and unpacked bytes of one that is
/// decoded.
const HELD_BLOCKS: u64 = 6;

/// The contents of a container by its tables.
pub struct Contents {
    /// Folders and members, in the container's order. A folder that [`Item::parent`] leads to comes before what is in it.
    pub items: Vec<Item>,
    /// The bytes that [`Item::stored`] are ranges of, if not the file: the disc of a compressed image.
    pub space: Option<Source>,
    /// True if sound members may share bytes.
    pub may_share: bool,
    pub container: Box<dyn Container>,
}

/// A folder or a member.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Its decoded name up to the first NUL: a whole path if [`Item::parent`] is `None` and the container has paths, else one
    /// segment.
    pub name: String,
    /// Index of the item of its folder.
    pub parent: Option<usize>,
    /// True if `/` and `\` in the name separate folders.
    pub is_path: bool,
    pub is_folder: bool,
    /// Range of its record in the file; empty if it has none.
    pub record: Range<u64>,
    /// Ranges of its stored bytes in the space, in their order. They may extend beyond its end.
    pub stored: Vec<Range<u64>>,
    /// Its unpacked size in bytes, if the tables state it.
    pub size: Option<u64>,
    /// Name of its method: `stored`, `LZSS`.
    pub method: &'static str,
    /// True if the stored bytes are the member itself.
    pub is_plain: bool,
}

impl Item {
    /// Makes a member that is stored without compression.
    pub fn plain(name: impl Into<String>, record: Range<u64>, stored: Range<u64>) -> Self {
        let size = Some(stored.end.saturating_sub(stored.start));
        Self {
            name: name.into(),
            record,
            stored: vec![stored],
            size,
            method: "stored",
            is_plain: true,
            ..Self::default()
        }
    }

    pub fn folder(name: impl Into<String>, record: Range<u64>) -> Self {
        Self { name: name.into(), record, is_folder: true, ..Self::default() }
    }

    /// Returns the number of its stored bytes.
    pub fn stored_size(&self) -> u64 {
        self.stored.iter().map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add)
    }
}

/// An opened container of one format.
pub trait Container: Send + Sync {
    /// Unpacks the item with this index, which is not plain, from its stored bytes.
    ///
    /// # Errors
    /// Returns an error if nothing of it can be used. A member that is damaged in part is returned with what is wrong.
    fn unpack(&self, index: usize, stored: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let _ = (index, stored, cx);
        Err(Trouble::new(&codes::METHOD, 0, "unknown storage method"))
    }

    /// Returns whether a range of the [`Contents::space`] is stored in at least so many bytes of the file. Compressed ranges have fewer
    /// bytes there, and zeros may have none.
    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        let _ = (range, least);
        true
    }

    /// Returns the number of bytes of the other files that members are stored in.
    fn others(&self) -> u64 {
        0
    }

    /// Returns the number of bytes that decoders and the members they keep take between members.
    fn held(&self) -> u64 {
        0
    }

    /// Returns the choices of how it is shown.
    fn choices(&self) -> &[Choice] {
        &[]
    }

    /// Returns whether it is only the packing of one file.
    fn is_wrapper(&self) -> bool {
        false
    }

    /// Returns the fields of the tables, in file order: everything in the file except the members' stored bytes.
    fn fields(&self, file: &Source) -> Vec<Field>;

    /// Returns the fields of the tables in the [`Contents::space`] that are in no member.
    fn space_fields(&self, space: &Source) -> Vec<Field> {
        let _ = space;
        Vec::new()
    }

    /// Returns the fields of one item's record, which are among [`Container::fields`] too.
    fn record(&self, index: usize, file: &Source) -> Vec<Field>;

    /// Checks the checksum of a plain member, if the container has one.
    fn check_plain(&self, index: usize, member: &Source) -> Vec<Trouble> {
        let _ = (index, member);
        Vec::new()
    }

    /// Returns the offset from which bytes after its members were reported when it was opened.
    fn said_trailing(&self) -> Option<u64> {
        None
    }

    /// Checks what takes reading the whole file and is not checked when a container is opened: checksums.
    fn check(&self, file: &Source) -> Vec<Trouble> {
        let _ = file;
        Vec::new()
    }
}

/// Limits of unpacking a member.
pub struct Unpacking<'a> {
    pub limits: &'a MemberLimits,
    /// Set by the caller to cancel.
    pub cancel: &'a Cancel,
}

impl Unpacking<'_> {
    /// Returns whether to go on. Called once for each 64 KiB or so.
    ///
    /// # Errors
    /// Returns an error if the caller cancelled.
    pub fn go_on(&self) -> Result<(), Trouble> {
        match self.cancel.is_cancelled() {
            true => Err(Trouble::new(&codes::DECODE, 0, "cancelled")),
            false => Ok(()),
        }
    }

    /// Charges the act that this thread is in with work.
    ///
    /// # Errors
    /// Returns an error if no work is left, or if the caller cancelled.
    pub fn work(&self, work: u64) -> Result<(), Trouble> {
        if budget::charge_work(work) { self.go_on() } else { Err(Trouble::too_much_work()) }
    }
}

/// The unpacked bytes of a member.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The unpacked bytes.
    pub source: Source,
    /// What is wrong with it, though it can be used.
    pub troubles: Vec<Trouble>,
}

impl From<Vec<u8>> for Unpacked {
    fn from(bytes: Vec<u8>) -> Self {
        Self { source: Source::from(bytes), troubles: Vec::new() }
    }
}

/// A problem of a container or of one of its items.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Diagnostic code of the problem.
    pub code: &'static Code,
    /// Offset in the file for the tables, in the stored bytes for a member.
    pub offset: u64,
    /// One sentence without a period.
    pub message: String,
    /// The item that it is about.
    pub item: Option<usize>,
}

impl Trouble {
    /// Makes a problem that is about no item. `offset`: as in [`Trouble::offset`].
    pub fn new(code: &'static Code, offset: u64, message: impl Into<String>) -> Self {
        Self { code, offset, message: message.into(), item: None }
    }

    /// Makes the trouble of bytes with another CRC-32 than the container states.
    pub fn of_sum(stated: u32, found: u32) -> Option<Self> {
        let message = || format!("the checksum is {found:08X}, but the archive specifies {stated:08X}");
        (stated != found).then(|| Self::new(&codes::CHECKSUM, 0, message()))
    }

    /// Makes the trouble of an act or walk that has no work left ([`budget`]).
    pub fn too_much_work() -> Self {
        let message = "reading took too long for a file of this size. This entry and the following ones were not read";
        Self::new(&codes::TOTAL, 0, message)
    }

    /// Returns the same trouble for an item.
    pub fn of(self, item: usize) -> Self {
        Self { item: Some(item), ..self }
    }
}

impl From<Fault> for Trouble {
    /// Makes the trouble of a table that ends too early.
    fn from(fault: Fault) -> Self {
        Self::new(&codes::TRUNCATED, fault.offset, fault.message)
    }
}

/// Limits and surroundings of reading a container's tables.
pub struct Reading<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    /// Bytes of the file.
    pub size: u64,
    pub limits: &'a MemberLimits,
    /// Finds the files that belong to this one.
    pub resolver: &'a dyn Resolver,
    /// Choices of the person that are shown in the place of the file's own.
    pub overrides: &'a Overrides,
    troubles: Vec<Trouble>,
    /// Bytes of names that items may still have.
    names: ReadBudget,
}

impl<'a> Reading<'a> {
    /// Makes the reading of a file without others.
    #[cfg(test)]
    pub fn new(file: &'a str, limits: &'a MemberLimits) -> Self {
        Self::among((file, 1 << 30), limits, &crate::formats::NoFiles, &crate::formats::NO_OVERRIDES)
    }

    /// Makes the reading of a file of a name and size, with the files that belong to it.
    pub fn among(
        (file, size): (&'a str, u64),
        limits: &'a MemberLimits,
        resolver: &'a dyn Resolver,
        overrides: &'a Overrides,
    ) -> Self {
        let names = ReadBudget::new(limits.paths.of(size));
        Self { file, size, limits, resolver, overrides, troubles: Vec::new(), names }
    }

    /// Returns the maximum number of members and folders that are listed.
    pub fn most_entries(&self) -> u64 {
        self.limits.entries_of(self.size)
    }

    /// Takes room for a name of `size` bytes, where names share bytes of the file.
    ///
    /// # Errors
    /// Returns an error if earlier names have taken all of it.
    pub fn take_name(&mut self, size: usize, offset: u64) -> Result<(), Trouble> {
        match self.names.take(size as u64) {
            true => Ok(()),
            false => {
                let most = self.limits.paths.of(self.size);
                let message =
                    format!("the names have more than {most} bytes in total. The remaining entries are not listed");
                Err(Trouble::new(&codes::TOO_MANY, offset, message))
            }
        }
    }

    /// Reports a problem that leaves the rest of the container usable.
    pub fn report(&mut self, trouble: Trouble) {
        if self.troubles.len() < MAX_PROBLEMS {
            self.troubles.push(trouble);
        }
    }

    pub fn into_troubles(self) -> Vec<Trouble> {
        self.troubles
    }

    /// Checks a stated number of items.
    ///
    /// # Errors
    /// Returns an error if there are more than the limit, or than `left` bytes have room for at `smallest` bytes each.
    pub fn check_count(&self, count: u64, smallest: u64, left: u64, offset: u64) -> Result<(), Trouble> {
        if count > self.most_entries() {
            let (specified, most) = (counted(count, "entry"), grouped(self.most_entries()));
            let message = format!("the container specifies {specified}, but the limit is {most}");
            return Err(Trouble::new(&codes::TOO_MANY, offset, message));
        }
        if count.saturating_mul(smallest) > left {
            let entries = counted(count, "entry");
            let message = format!("the remaining {left} bytes are too few for {entries}");
            return Err(Trouble::new(&codes::TOO_MANY, offset, message));
        }
        Ok(())
    }

    /// Checks the size of a disc's blocks.
    ///
    /// # Errors
    /// Returns an error if the blocks that are held at once have more bytes than a file of this size may hold.
    pub fn check_block(&self, block: u64, offset: u64) -> Result<(), Trouble> {
        let most = self.limits.held.of(self.size) / HELD_BLOCKS;
        if block > most {
            let message =
                format!("blocks of {block} bytes are too large. The limit for a file of this size is {most} bytes");
            return Err(Trouble::new(&codes::TOO_LARGE, offset, message));
        }
        Ok(())
    }

    /// Checks the size of a table.
    ///
    /// # Errors
    /// Returns an error if it is larger than the limit.
    pub fn check_table(&self, size: u64, offset: u64) -> Result<(), Trouble> {
        if size > self.limits.table {
            let message = format!("the table has {size} bytes. The limit is {} bytes", self.limits.table);
            return Err(Trouble::new(&codes::TOO_LARGE, offset, message));
        }
        Ok(())
    }
}
