//! A container as a document: its folders and members, listed from its tables alone.

use super::{
    codes,
    contents::{Contents, Item, Trouble, Unpacked, Unpacking},
    gaps,
    info::{PACKED, PAYLOAD},
    joined::{self, extent, shared},
    paths::{Paths, Place, Refusal},
};
use crate::{
    bytes::{Cancel, Endian, MemberLimits, Source, budget, numbers::grouped},
    formats::{
        Asset, Base, Capabilities, Choice, Code, Content, Diagnostics, Document, Entry, EntryId, EntryPath, Facts,
        Field, FieldTree, FormatInfo, LoadContext, NodeOutline, OpenContext, PathPart, Purpose, ReadError,
        ReadErrorKind, Role, Value, class_by_name, field_reader::Fault,
    },
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Characters of a name that are quoted.
const LONGEST_QUOTE: usize = 200;
/// Work of a member that is listed, and of one that is checked, in addition to that of its bytes.
const WORK_OF_MEMBER: u64 = 1_000;
/// Work of a byte that is summed.
const WORK_OF_BYTE: u64 = 2;

/// A container that is open.
pub struct ContainerDocument {
    info: &'static FormatInfo,
    file: Source,
    contents: Contents,
    outline: NodeOutline<Node>,
    limits: MemberLimits,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    File,
    /// A folder or a member: an item's index; `None` for a folder that only paths name.
    Folder(Option<usize>),
    Member {
        item: usize,
        /// Members before it have some of its bytes.
        shared: bool,
    },
}

impl ContainerDocument {
    pub(super) fn new(
        info: &'static FormatInfo,
        file: Source,
        contents: Contents,
        troubles: Vec<Trouble>,
        cx: &mut OpenContext<'_>,
    ) -> Self {
        let size = file.len() as u64;
        let limits = cx.limits.members;
        let outline = NodeOutline::new(Node::File, Role::Archive, info.name, size);
        let mut document = Self { info, file, contents, outline, limits };
        let entries = document.list(cx.diagnostics, cx.limits.entries);
        for trouble in troubles {
            let entry = trouble.item.and_then(|item| entries.get(item).copied().flatten());
            cx.diagnostics.report(trouble.code, entry, Some(trouble.offset.min(size)), trouble.message);
        }
        document
    }

    /// Makes the entries. Returns those of items, by their indices.
    fn list(&mut self, diagnostics: &mut Diagnostics, most: usize) -> Vec<Option<EntryId>> {
        let (paths, places) = self.places(diagnostics);
        let shared = shared(&self.contents.items, self.space().len() as u64);
        let entries = self.add_entries(&paths, &shared, diagnostics, most);
        let found = places.into_iter().enumerate().filter_map(|(index, place)| Some((index, place?)));
        self.report_items(found, &entries, &shared, diagnostics);
        entries
    }

    /// Gives each item a place among the paths, as far as the limits allow; by their indices.
    fn places(&self, diagnostics: &mut Diagnostics) -> (Paths, Vec<Option<Place>>) {
        budget::charge_work((self.contents.items.len() as u64).saturating_mul(WORK_OF_MEMBER));
        let mut paths = Paths::new(&self.limits, self.size());
        let mut places: Vec<Option<Place>> = Vec::with_capacity(self.contents.items.len());
        for (index, item) in self.contents.items.iter().enumerate() {
            let parent = item.parent.and_then(|parent| places.get(parent).copied().flatten());
            let place = match (item.parent, parent) {
                // What it is in is not listed.
                (Some(_), None) => None,
                _ => {
                    let parent = parent.map(|parent| parent.node);
                    match paths.add(&item.name, parent, (item.is_path, item.is_folder), index) {
                        Ok(place) => Some(place),
                        Err(refusal) => {
                            let (code, message) = self.refused(item, refusal);
                            diagnostics.report(code, None, Some(item.record.start), message);
                            if refusal != Refusal::Depth {
                                break;
                            }
                            None
                        }
                    }
                }
            };
            places.push(place);
        }
        (paths, places)
    }

    /// Makes an entry of each node, at most so many. Returns those of items, by their indices.
    fn add_entries(
        &mut self,
        paths: &Paths,
        shared: &[bool],
        diagnostics: &mut Diagnostics,
        most: usize,
    ) -> Vec<Option<EntryId>> {
        let mut entries: Vec<Option<EntryId>> = vec![None; self.contents.items.len()];
        // Of each folder: its entry, and what paths of what is in it begin with.
        let mut folders: HashMap<usize, (EntryId, Arc<PathPart>)> = HashMap::new();
        let mut listed = vec![Entry::file(Role::Archive, self.info.name, self.file.len() as u64)];
        let mut nodes = vec![Node::File];
        let space = self.space().len() as u64;
        for (at, node) in paths.nodes() {
            if listed.len() >= most {
                let message = "too many entries. The remaining ones are not listed";
                diagnostics.report(&codes::TOO_MANY, None, None, message.to_owned());
                break;
            }
            let above = node.parent.map(|parent| folders.get(&parent));
            let (parent, above) = match above {
                None => (EntryId::FILE, None),
                Some(Some((entry, part))) => (*entry, Some(part.clone())),
                // It is left out too.
                Some(None) => continue,
            };
            let id = EntryId(u32::try_from(listed.len()).unwrap_or(u32::MAX));
            let item = node.item.and_then(|item| Some((item, self.contents.items.get(item)?)));
            let name = node.name.clone();
            let (role, class, content, (offset, size), node_of) = match (node.is_folder, item) {
                (false, Some((index, item))) => {
                    let shared = shared.get(index).copied().unwrap_or(false);
                    let node_of = Node::Member { item: index, shared };
                    (Role::Member, class_by_name(&name), Content::Bytes, extent(item, space), node_of)
                }
                (_, item) => {
                    let record = item.map(|(_, item)| item.record.clone()).filter(|record| record.end <= space);
                    let record = record.unwrap_or_default();
                    let place = (record.start, record.end.saturating_sub(record.start));
                    let part = PathPart { above: above.clone(), name: name.clone(), separator: '/' };
                    folders.insert(at, (id, Arc::new(part)));
                    (Role::Folder, "Folder", Content::None, place, Node::Folder(item.map(|(index, _)| index)))
                }
            };
            let (class, place) = (class.into(), above.map_or(EntryPath::Name, EntryPath::In));
            listed.push(Entry { id, parent: Some(parent), name, place, role, class, offset, size, content });
            nodes.push(node_of);
            if let Some(entry) = item.and_then(|(index, _)| entries.get_mut(index)) {
                *entry = Some(id);
            }
        }
        self.outline = NodeOutline::of(listed, nodes);
        entries
    }

    /// Reports what is odd about the names and bytes of items.
    fn report_items(
        &self,
        found: impl Iterator<Item = (usize, Place)>,
        entries: &[Option<EntryId>],
        shared: &[bool],
        diagnostics: &mut Diagnostics,
    ) {
        for (index, place) in found {
            let (Some(item), entry) = (self.contents.items.get(index), entries.get(index).copied().flatten()) else {
                continue;
            };
            if place.is_unsafe {
                let message =
                    format!("the entry was renamed. Its name in the container is “{}”", item.name.escape_debug());
                diagnostics.report(&codes::UNSAFE_NAME, entry, Some(item.record.start), message);
            }
            if place.is_duplicate {
                let message = format!("duplicate name “{}” in the same folder", item.name.escape_debug());
                diagnostics.report(&codes::DUPLICATE_NAME, entry, Some(item.record.start), message);
            }
            let space = self.contents.space.as_ref().unwrap_or(&self.file).len() as u64;
            if let Some(past) = item.stored.iter().find(|range| range.end > space && range.start < range.end) {
                let message = format!("the data should end at offset {}, but the container ends at {space}", past.end);
                diagnostics.report(&codes::TRUNCATED, entry, Some(past.start.min(space)), message);
            }
            if shared.get(index) == Some(&true) && !self.contents.may_share {
                let message = "the entry shares data with other entries".to_owned();
                diagnostics.report(&codes::OVERLAP, entry, Some(extent(item, space).0), message);
            }
        }
    }

    /// Makes the finding of an item that has no place.
    fn refused(&self, item: &Item, refusal: Refusal) -> (&'static Code, String) {
        let start: String = item.name.chars().take(LONGEST_QUOTE).collect();
        let name = start.escape_debug();
        match refusal {
            Refusal::Depth => {
                (&codes::TABLE, format!("“{name}” is nested more than {} folders deep", self.limits.folders))
            }
            Refusal::Entries(most) => {
                let most = grouped(most);
                let message = format!(
                    "the container has more than {most} files and folders. “{name}” and later entries are not listed"
                );
                (&codes::TOO_MANY, message)
            }
            Refusal::Bytes(most) => {
                let message = format!(
                    "the paths have more than {most} bytes in total. “{name}” and later entries are not listed"
                );
                (&codes::TOO_MANY, message)
            }
        }
    }

    /// Bytes that everything in it is stored in: those of the file, and of others that it names.
    pub fn size(&self) -> u64 {
        (self.file.len() as u64).saturating_add(self.contents.container.others())
    }

    /// Bytes that it holds between members.
    pub(super) fn held(&self) -> u64 {
        self.contents.container.held()
    }

    /// What members' stored bytes are counted in.
    fn space(&self) -> &Source {
        self.contents.space.as_ref().unwrap_or(&self.file)
    }

    fn item(&self, entry: EntryId) -> Option<(usize, &Item, bool)> {
        let Ok(Node::Member { item, shared }) = self.outline.require(entry) else { return None };
        Some((*item, self.contents.items.get(*item)?, *shared))
    }

    /// Whether an entry is a member, a file of its own.
    pub fn is_file(&self, entry: EntryId) -> bool {
        self.item(entry).is_some()
    }

    /// The one file of a container that is but its packing.
    pub fn wrapped(&self) -> Option<EntryId> {
        let is_wrapper = self.contents.container.is_wrapper();
        self.outline.entries().iter().map(|entry| entry.id).find(|id| is_wrapper && self.is_file(*id))
    }

    /// What its members may cost.
    pub fn limits(&self) -> &MemberLimits {
        &self.limits
    }

    /// Whether a member is stored otherwise than it is.
    pub fn is_packed(&self, entry: EntryId) -> bool {
        self.item(entry).is_some_and(|(_, item, _)| !item.is_plain)
    }

    /// Bytes of a member when it is unpacked, where the container says so.
    pub fn unpacked_size(&self, entry: EntryId) -> Option<u64> {
        self.item(entry).and_then(|(_, item, _)| item.size)
    }

    /// How a member is stored: `stored`, `LZSS`.
    pub fn method(&self, entry: EntryId) -> Option<&'static str> {
        self.item(entry).map(|(_, item, _)| item.method)
    }

    /// A member's own bytes: a part of the container where they lie in it as they are, else unpacked into memory.
    ///
    /// # Errors
    /// Returns an error if the entry is no member, or nothing of it can be used.
    pub fn unpack(&self, entry: EntryId, limits: &MemberLimits, cancel: &Cancel) -> Result<Unpacked, Trouble> {
        let size = self.size();
        let limits = MemberLimits { bytes: limits.bytes.min(limits.held.of(size)), ..*limits };
        budget::within(limits.budget(size), || {
            let unpacked = self.unpack_within(entry, &limits, cancel);
            // Work may end anywhere: what was read until then is not the member.
            if budget::is_spent() { Err(Trouble::too_much_work()) } else { unpacked }
        })
        .0
    }

    fn unpack_within(&self, entry: EntryId, limits: &MemberLimits, cancel: &Cancel) -> Result<Unpacked, Trouble> {
        let Some((index, item, _)) = self.item(entry) else {
            return Err(Trouble::new(&codes::TABLE, 0, "the container does not contain this file"));
        };
        let (stored, missing) = self.stored(item);
        let truncated = (missing > 0).then(|| {
            let message =
                format!("{missing} of {} stored bytes are missing: the file ends too early", item.stored_size());
            Trouble::new(&codes::TRUNCATED, stored.len() as u64, message)
        });
        let mut unpacked = if item.is_plain {
            self.check_plain_size(item, stored.len() as u64, limits)?;
            Unpacked { source: stored, troubles: Vec::new() }
        } else {
            let cx = Unpacking { limits, cancel };
            let read = || self.contents.container.unpack(index, &stored, &cx);
            let unpacked = read();
            // What could not be read is no damage of the member.
            if let Some(why) = stored.failure() {
                return Err(Trouble::new(&codes::TRUNCATED, 0, Source::read_failed(why)));
            }
            match (unpacked, truncated.clone()) {
                (Ok(unpacked), _) => unpacked,
                // That bytes are missing is the reason, and said as such.
                (Err(_), Some(truncated)) => return Err(truncated),
                (Err(trouble), None) => return Err(trouble),
            }
        };
        unpacked.troubles.extend(truncated);
        let size = unpacked.source.len() as u64;
        if let Some(stated) = item.size.filter(|stated| *stated != size && unpacked.troubles.is_empty()) {
            let message = format!("the unpacked size is {size} bytes, but the container specifies {stated}");
            unpacked.troubles.push(Trouble::new(&codes::SIZE, 0, message));
        }
        Ok(unpacked)
    }

    /// Checks the size of a plain member. It takes no memory, but its readers take time: it may have no more bytes than the container,
    /// or, where that is compressed, than may be unpacked of as many bytes.
    fn check_plain_size(&self, item: &Item, size: u64, limits: &MemberLimits) -> Result<(), Trouble> {
        let file = self.size();
        let too_large = |code, most| {
            let message = format!("the entry has {size} bytes, but the container can contain at most {most}");
            Err(Trouble::new(code, 0, message))
        };
        if self.contents.space.is_none() {
            return if size > file { too_large(&codes::TOO_LARGE, file) } else { Ok(()) };
        }
        let most = limits.held.of(file);
        if size > most {
            return too_large(&codes::TOO_LARGE, most);
        }
        let least = size.checked_div(limits.ratio).unwrap_or(0);
        let is_backed = |range: &Range<u64>| {
            let length = range.end.saturating_sub(range.start);
            // Of several ranges each has its share of what has to be there.
            let share = (u128::from(least).saturating_mul(u128::from(length))).checked_div(u128::from(size.max(1)));
            self.contents.container.is_backed(range, u64::try_from(share.unwrap_or(0)).unwrap_or(u64::MAX))
        };
        if size > limits.ratio_from && !item.stored.iter().all(is_backed) {
            return too_large(&codes::RATIO, limits.ratio_from);
        }
        Ok(())
    }

    /// An item's stored bytes, as far as they are there, and how many are not.
    fn stored(&self, item: &Item) -> (Source, u64) {
        let space = self.space();
        let size = space.len() as u64;
        let parts: Vec<Source> = item
            .stored
            .iter()
            .filter_map(|range| {
                let (start, end) = (range.start.min(size), range.end.min(size));
                // One that cannot be read spoils no other.
                space.slice(start, end.checked_sub(start)?).map(|part| part.apart())
            })
            .collect();
        let there = parts.iter().map(|part| part.len() as u64).fold(0, u64::saturating_add);
        (joined::joined(parts), item.stored_size().saturating_sub(there))
    }

    fn stored_fields(&self, item: &Item, shared: bool) -> Vec<Field> {
        let size = self.space().len() as u64;
        let (name, opaque) = if item.is_plain { ("Payload", PAYLOAD) } else { ("Packed", PACKED) };
        let fields = item.stored.iter().filter(|range| range.start < range.end.min(size)).map(|range| {
            let length = range.end.min(size).saturating_sub(range.start);
            let field = Field::new(name, format!("u8[{length}]"), Value::Opaque(opaque), range.start, length);
            if shared { field.mirrored() } else { field }
        });
        fields.collect()
    }

    fn file_fields(&self) -> Vec<Field> {
        let mut fields = self.contents.container.fields(&self.file);
        if self.contents.space.is_none() {
            let gaps = self.gap_fields(&self.file, &fields);
            fields.extend(gaps);
        }
        fields.sort_by_key(|field| field.offset);
        fields
    }

    /// What lies between the members of a source, and between them and other fields.
    fn gap_fields(&self, source: &Source, others: &[Field]) -> Vec<Field> {
        let mut known = others.to_vec();
        known.extend(self.contents.items.iter().flat_map(|item| self.stored_fields(item, false)));
        gaps::fields(source, &known, self.contents.space.is_none())
    }

    fn report_gaps(&self, diagnostics: &mut Diagnostics) {
        let container = &self.contents.container;
        match &self.contents.space {
            None => {
                let gaps = self.gap_fields(&self.file, &container.fields(&self.file));
                gaps::report(&gaps, None, container.said_trailing(), diagnostics);
            }
            // As in fields: the first member has them.
            Some(space) => {
                let gaps = self.gap_fields(space, &container.space_fields(space));
                let first = self.outline.get(EntryId(1)).map(|entry| entry.id);
                gaps::report(&gaps, first, None, diagnostics);
            }
        }
    }

    /// Checks the tables and every member.
    fn check_all(&self, size: u64, diagnostics: &mut Diagnostics) {
        for trouble in self.contents.container.check(&self.file) {
            diagnostics.report(trouble.code, None, Some(trouble.offset.min(size)), trouble.message);
            if trouble.code.id == codes::TOTAL.id {
                return;
            }
        }
        self.report_gaps(diagnostics);
        let never = Cancel::new();
        for entry in self.outline.entries() {
            let Some((index, item, _)) = self.item(entry.id) else { continue };
            let (stored, missing) = self.stored(item);
            let plain_size = if item.is_plain { entry.size } else { 0 };
            if !budget::charge_work(plain_size.saturating_mul(WORK_OF_BYTE).saturating_add(WORK_OF_MEMBER)) {
                let trouble = Trouble::too_much_work();
                return diagnostics.report(trouble.code, Some(entry.id), Some(entry.offset), trouble.message);
            }
            if item.is_plain {
                // That bytes are missing was said when it was opened.
                let troubles =
                    if missing == 0 { self.contents.container.check_plain(index, &stored) } else { Vec::new() };
                for trouble in troubles {
                    let offset = entry.offset.saturating_add(trouble.offset.min(entry.size));
                    diagnostics.report(trouble.code, Some(entry.id), Some(offset), trouble.message);
                }
                continue;
            }
            let troubles = match self.unpack(entry.id, &self.limits, &never) {
                Ok(unpacked) => unpacked.troubles,
                Err(trouble) => vec![trouble],
            };
            let is_last = budget::work_left() == 0;
            let is_known = |trouble: &Trouble| trouble.code.id == codes::TRUNCATED.id && missing > 0;
            for trouble in troubles.into_iter().filter(|trouble| !is_known(trouble)) {
                let offset = entry.offset.saturating_add(trouble.offset.min(entry.size));
                diagnostics.report(trouble.code, Some(entry.id), Some(offset), trouble.message);
            }
            if is_last {
                return;
            }
        }
    }
}

impl Document for ContainerDocument {
    fn base(&self) -> Base<'_> {
        Base { format: self.info, source: &self.file, outline: &self.outline, endian: Endian::Little }
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        match self.outline.node(entry) {
            Some(Node::Member { .. } | Node::Folder(_)) => self.space(),
            _ => &self.file,
        }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let fields = match *self.outline.require(entry)? {
            Node::File => self.file_fields(),
            Node::Folder(item) => {
                let item = item.filter(|_| self.contents.space.is_none());
                let record = item.map(|item| self.contents.container.record(item, &self.file)).unwrap_or_default();
                record.into_iter().map(Field::mirrored).collect()
            }
            Node::Member { item: index, shared } => {
                let Some(item) = self.contents.items.get(index) else { return Ok(FieldTree::default()) };
                // Offsets of one entry count in one source.
                let mut fields = match self.contents.space {
                    None => self.contents.container.record(index, &self.file),
                    Some(_) => Vec::new(),
                };
                fields = fields.into_iter().map(Field::mirrored).collect();
                fields.extend(self.stored_fields(item, shared));
                fields
            }
        };
        let mut fields = fields;
        // What of a disc that a file holds is no member is nothing of the file's own: the first member has it.
        if let Some(space) = self.contents.space.as_ref().filter(|_| entry.0 == 1) {
            let tables = self.contents.container.space_fields(space);
            let gaps = self.gap_fields(space, &tables);
            fields.extend(tables.into_iter().chain(gaps));
        }
        Ok(FieldTree { fields })
    }

    fn load(&self, entry: EntryId, _: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        Err(ReadError::new(found, "this entry is a separate file. Open the file to see its contents"))
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        if entry != EntryId::FILE {
            return;
        }
        let size = self.file.len() as u64;
        // An act of its own: that it takes too much is said here.
        budget::within(self.limits.budget(self.size()), || self.check_all(size, diagnostics));
    }

    fn reading(&self) -> &[Choice] {
        self.contents.container.choices()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { container: Some(self), facts: Some(self), ..Capabilities::default() }
    }
}

impl Facts for ContainerDocument {
    fn is_member(&self, entry: EntryId) -> bool {
        self.is_file(entry)
    }
}

impl Trouble {
    /// As an error of an entry.
    pub fn of_entry(self, entry: &Entry) -> ReadError {
        let kind = match self.code.id {
            id if id == codes::TRUNCATED.id => ReadErrorKind::Truncated,
            id if codes::limit_code(id).is_some() => ReadErrorKind::TooLarge,
            _ => ReadErrorKind::Invalid,
        };
        ReadError::of_fault(
            entry,
            Fault { offset: entry.offset.saturating_add(self.offset), message: self.message, kind },
        )
    }
}
