//! What every kind of container gives: its members from its tables, and a member's bytes when they are asked for.

use super::codes;
use crate::{
    bytes::{MemberLimits, Source, budget},
    formats::{Choice, Code, Field, Overrides, Resolver, field_reader::Fault, read_budget::ReadBudget},
};
use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

/// Problems that are kept of one container; a hostile one could make millions.
pub const MAX_PROBLEMS: usize = 1000;

/// Blocks of a disc that are held at once: those that are kept, and of one that is decoded what is stored, what is packed and what comes
/// of it.
const HELD_BLOCKS: u64 = 6;

/// What the tables of a container say.
pub struct Contents {
    /// Folders and members, in the container's order. A folder that [`Item::parent`] leads to comes before what is in it.
    pub items: Vec<Item>,
    /// What [`Item::stored`] counts in, where that is not the file: the disc that a compressed image holds.
    pub space: Option<Source>,
    /// Members share bytes where nothing is wrong.
    pub may_share: bool,
    pub container: Box<dyn Container>,
}

/// A folder or a member.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// As the container has it, decoded, up to its first NUL: a whole path where [`Item::parent`] is `None` and the container
    /// writes paths, else one segment.
    pub name: String,
    /// The folder that it is in, an index into the items.
    pub parent: Option<usize>,
    /// `/` and `\` in the name lead into folders.
    pub is_path: bool,
    pub is_folder: bool,
    /// Its record in the tables: bytes of the file. Empty where it has none.
    pub record: Range<u64>,
    /// Where its stored bytes lie, in order: bytes of the space. They need not be there: what lies past the end is truncated.
    pub stored: Vec<Range<u64>>,
    /// Bytes when it is unpacked, where the tables say so.
    pub size: Option<u64>,
    /// How it is stored: `stored`, `LZSS`.
    pub method: &'static str,
    /// The stored bytes are the member's own.
    pub is_plain: bool,
}

impl Item {
    /// A member whose stored bytes are its own.
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

    /// Stored bytes altogether.
    pub fn stored_size(&self) -> u64 {
        self.stored.iter().map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add)
    }
}

/// One kind of container, once its tables were read.
pub trait Container: Send + Sync {
    /// The bytes of the item with this index, which is not plain; `stored` are its stored bytes, all of them.
    ///
    /// # Errors
    /// When nothing of it can be used. What is damaged in part is returned with what is wrong.
    fn unpack(&self, index: usize, stored: &Source, cx: &Unpacking<'_>) -> Result<Unpacked, Trouble> {
        let _ = (index, stored, cx);
        Err(Trouble::new(&codes::METHOD, 0, "it is stored in a way that is not known"))
    }

    /// Whether at least so many bytes of the file hold a range of the [`Contents::space`]: fewer do than the range has where it is
    /// compressed, or zeros that are not stored.
    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        let _ = (range, least);
        true
    }

    /// Bytes of the other files that members are stored in.
    fn others(&self) -> u64 {
        0
    }

    /// Bytes that decoders hold between members, and what they keep of the last ones.
    fn held(&self) -> u64 {
        0
    }

    /// What could be shown otherwise, and how it is shown.
    fn choices(&self) -> &[Choice] {
        &[]
    }

    /// Whether it is but the packing of one file.
    fn is_wrapper(&self) -> bool {
        false
    }

    /// The fields of the tables, in file order: everything of the file but the members' stored bytes.
    fn fields(&self, file: &Source) -> Vec<Field>;

    /// The fields of the tables that lie in the [`Contents::space`], where no member has them.
    fn space_fields(&self, space: &Source) -> Vec<Field> {
        let _ = space;
        Vec::new()
    }

    /// The fields of one item's record, which [`Container::fields`] has too.
    fn record(&self, index: usize, file: &Source) -> Vec<Field>;

    /// Checks a member that is plain: its checksum, where the container has one.
    fn check_plain(&self, index: usize, member: &Source) -> Vec<Trouble> {
        let _ = (index, member);
        Vec::new()
    }

    /// From where on it was said, when it was opened, that bytes follow its members.
    fn said_trailing(&self) -> Option<u64> {
        None
    }

    /// Checks what is not looked at when a container is opened, since all of the file is read for it: checksums.
    fn check(&self, file: &Source) -> Vec<Trouble> {
        let _ = file;
        Vec::new()
    }
}

/// What unpacking a member may use.
pub struct Unpacking<'a> {
    pub limits: &'a MemberLimits,
    /// Set from outside when nobody wants the result any more.
    pub cancel: &'a AtomicBool,
}

impl Unpacking<'_> {
    /// # Errors
    /// When nobody wants the result any more. Asked once for each 64 KiB or so.
    pub fn go_on(&self) -> Result<(), Trouble> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(Trouble::new(&codes::DECODE, 0, "it was cancelled")),
            false => Ok(()),
        }
    }

    /// Charges the act that this thread is in with work.
    ///
    /// # Errors
    /// When there is none left, or nobody wants the result any more.
    pub fn work(&self, work: u64) -> Result<(), Trouble> {
        if budget::charge_work(work) { self.go_on() } else { Err(Trouble::too_much_work()) }
    }
}

/// A member's own bytes.
#[derive(Clone, Debug)]
pub struct Unpacked {
    pub source: Source,
    /// What is wrong with it, though it can be used.
    pub troubles: Vec<Trouble>,
}

impl From<Vec<u8>> for Unpacked {
    fn from(bytes: Vec<u8>) -> Self {
        Self { source: Source::from(bytes), troubles: Vec::new() }
    }
}

/// Something that is wrong with a container or one of its items.
#[derive(Clone, Debug)]
pub struct Trouble {
    pub code: &'static Code,
    /// Bytes of the file where it is about the tables, of the stored bytes where it is about a member.
    pub offset: u64,
    /// One sentence without a period.
    pub message: String,
    /// The item that it is about.
    pub item: Option<usize>,
}

impl Trouble {
    pub fn new(code: &'static Code, offset: u64, message: impl Into<String>) -> Self {
        Self { code, offset, message: message.into(), item: None }
    }

    /// Makes the trouble of bytes with another CRC-32 than the container states.
    pub fn of_sum(stated: u32, found: u32) -> Option<Self> {
        let message = || format!("its checksum is {found:08X}; the archive states {stated:08X}");
        (stated != found).then(|| Self::new(&codes::CHECKSUM, 0, message()))
    }

    /// Makes the trouble of an act, or of a walk, whose work is used up ([`budget`]).
    pub fn too_much_work() -> Self {
        let message = "reading it takes more time than a file of this size may take. This file and the following ones stay packed";
        Self::new(&codes::TOTAL, 0, message)
    }

    /// The same about an item.
    pub fn of(self, item: usize) -> Self {
        Self { item: Some(item), ..self }
    }
}

impl From<Fault> for Trouble {
    /// A table that ends too early.
    fn from(fault: Fault) -> Self {
        Self::new(&codes::TRUNCATED, fault.offset, fault.message)
    }
}

/// What reading a container's tables may use.
pub struct Reading<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    /// Bytes of the file.
    pub size: u64,
    pub limits: &'a MemberLimits,
    /// Finds the files that belong to this one.
    pub resolver: &'a dyn Resolver,
    /// What a person wants shown otherwise.
    pub overrides: &'a Overrides,
    troubles: Vec<Trouble>,
    /// Bytes of names that items may still have.
    names: ReadBudget,
}

impl<'a> Reading<'a> {
    /// Of a file by itself.
    #[cfg(test)]
    pub fn new(file: &'a str, limits: &'a MemberLimits) -> Self {
        Self::among((file, 1 << 30), limits, &crate::formats::NoFiles, &crate::formats::NO_OVERRIDES)
    }

    /// Of a file, by its name and size, that others belong to.
    pub fn among(
        (file, size): (&'a str, u64),
        limits: &'a MemberLimits,
        resolver: &'a dyn Resolver,
        overrides: &'a Overrides,
    ) -> Self {
        let names = ReadBudget::new(limits.paths.of(size));
        Self { file, size, limits, resolver, overrides, troubles: Vec::new(), names }
    }

    /// Maximum number of members and folders that are listed.
    pub fn most_entries(&self) -> u64 {
        self.limits.entries_of(self.size)
    }

    /// Takes room for a name of `size` bytes, where names share bytes of the file.
    ///
    /// # Errors
    /// When those before it have taken all that there is.
    pub fn take_name(&mut self, size: usize, offset: u64) -> Result<(), Trouble> {
        match self.names.take(size as u64) {
            true => Ok(()),
            false => {
                let most = self.limits.paths.of(self.size);
                let message =
                    format!("its names have more than {most} bytes together: the following ones are not listed");
                Err(Trouble::new(&codes::TOO_MANY, offset, message))
            }
        }
    }

    /// Something that leaves the rest of the container usable.
    pub fn report(&mut self, trouble: Trouble) {
        if self.troubles.len() < MAX_PROBLEMS {
            self.troubles.push(trouble);
        }
    }

    pub fn into_troubles(self) -> Vec<Trouble> {
        self.troubles
    }

    /// # Errors
    /// When there are more items than the limit, or than `left` bytes have room for at `smallest` bytes each.
    pub fn check_count(&self, count: u64, smallest: u64, left: u64, offset: u64) -> Result<(), Trouble> {
        if count > self.most_entries() {
            let message =
                format!("it states {count} members, and {} are the most that are listed", self.most_entries());
            return Err(Trouble::new(&codes::TOO_MANY, offset, message));
        }
        if count.saturating_mul(smallest) > left {
            let message =
                format!("it states {count} members, and the {left} bytes that are left have no room for them");
            return Err(Trouble::new(&codes::TOO_MANY, offset, message));
        }
        Ok(())
    }

    /// # Errors
    /// When a disc has blocks so large that those which are held at once have more bytes than a file of this size may hold.
    pub fn check_block(&self, block: u64, offset: u64) -> Result<(), Trouble> {
        let most = self.limits.held.of(self.size) / HELD_BLOCKS;
        if block > most {
            let message = format!("it states blocks of {block} bytes, and {most} are the most for a file of this size");
            return Err(Trouble::new(&codes::TOO_LARGE, offset, message));
        }
        Ok(())
    }

    /// # Errors
    /// When a table is larger than the limit.
    pub fn check_table(&self, size: u64, offset: u64) -> Result<(), Trouble> {
        if size > self.limits.table {
            let message = format!("a table of {size} bytes, and {} are the most that are read", self.limits.table);
            return Err(Trouble::new(&codes::TOO_LARGE, offset, message));
        }
        Ok(())
    }
}
