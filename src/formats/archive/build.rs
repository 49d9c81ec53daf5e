//! Opens an archive: every container in it, and every file in those, without recursion.

use super::{
    directory::{Directory, bytes_of},
    document::{ArchiveDocument, Below, Container, Kind, Leaf, Node, Spot},
    info, rarc,
    stream::Method,
    u8_archive,
    yaz0::Stopped,
};
use crate::{
    bytes::{Endian, Source, budget, numbers::counted},
    formats::{
        self, Code, Content, Diagnostics, Document, Entry, EntryId, EntryPath, FormatInfo, Hint, NodeOutline,
        OpenContext, PathPart, Role, SharedText, Shift, field_reader::FieldReader,
    },
};
use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
    sync::Arc,
};

/// Work of a byte that is decompressed: see [`budget`].
const WORK_OF_BYTE: u64 = 3;
/// Bytes of names and paths that an archive may take besides four times its size.
const TEXT: u64 = 8 << 20;
/// Bytes that members may share in an archive besides a quarter of its size.
const SHARED: u64 = 64 << 10;

const TOO_MANY: &str = "too many entries. The remaining ones are not listed";

/// Class of a member of which nothing is known.
const UNKNOWN: &str = "File";

/// Endings that say how a file is compressed, not what it is.
const COMPRESSED_ENDINGS: &[&str] = &["szs", "szp", "yaz0", "yay0", "yaz", "yay"];

/// What a file is before it is looked into.
const NOTHING: Spot = Spot { space: 0, node: Node::Payload { shared: false }, flags: 0 };

pub fn build(info: &'static FormatInfo, source: Source, cx: &mut OpenContext<'_>) -> ArchiveDocument {
    let size = source.len() as u64;
    let file = cx.file;
    let mut builder = Builder {
        text_left: size.saturating_mul(4).saturating_add(TEXT),
        shared_left: (size / 4).saturating_add(SHARED),
        decompressed_left: cx.limits.decoded_bytes,
        said: HashSet::new(),
        cx,
        entries: Vec::new(),
        spots: Vec::new(),
        document: ArchiveDocument {
            info,
            outline: NodeOutline::new(NOTHING, Role::Archive, "", size),
            spaces: vec![source],
            containers: Vec::new(),
            leaves: Vec::new(),
            files: Vec::new(),
        },
        directories: Vec::new(),
        work: Vec::new(),
        latest: None,
    };
    let top = File {
        space: 0,
        range: 0..size,
        name: file.to_owned(),
        parent: None,
        depth: 0,
        flags: 0,
        shared: false,
        stored: None,
    };
    builder.work.push(Work::File(top));
    builder.run();
    let Builder { entries, spots, mut document, .. } = builder;
    if !entries.is_empty() {
        document.outline = NodeOutline::of(entries, spots);
    }
    document
}

/// Something that is still to be opened.
enum Work {
    File(File),
    /// An item of a directory, below an entry.
    Item {
        directory: usize,
        item: usize,
        parent: EntryId,
    },
}

/// A file's bytes and its place in the tree.
struct File {
    space: usize,
    range: Range<u64>,
    name: String,
    parent: Option<EntryId>,
    /// Containers around it.
    depth: u32,
    flags: u8,
    /// Another member owns the bytes.
    shared: bool,
    /// The stream that it was decompressed from, where that has no entry above it.
    stored: Option<usize>,
}

/// An archive's directory while its items are opened.
struct OpenDirectory {
    directory: Directory,
    children: Vec<Vec<usize>>,
    /// Members that share bytes with those before them.
    shared: Vec<bool>,
    container: usize,
    space: usize,
    depth: u32,
}

struct Builder<'a, 'b> {
    cx: &'a mut OpenContext<'b>,
    entries: Vec<Entry>,
    /// As many as entries.
    spots: Vec<Spot>,
    document: ArchiveDocument,
    directories: Vec<OpenDirectory>,
    work: Vec<Work>,
    /// The latest entry that another was added below, and the place there.
    latest: Option<(EntryId, EntryPath)>,
    text_left: u64,
    shared_left: u64,
    decompressed_left: u64,
    /// Codes that are said once.
    said: HashSet<&'static str>,
}

impl Builder<'_, '_> {
    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::File(file) => self.file(file),
                Work::Item { directory, item, parent } => self.item(directory, item, parent),
            }
        }
    }

    fn report(&mut self, code: &'static Code, entry: Option<EntryId>, offset: u64, message: String) {
        self.cx.diagnostics.report(code, entry, Some(offset), message);
    }

    fn once(&mut self, code: &'static Code, entry: Option<EntryId>, offset: u64, message: &str) {
        if self.said.insert(code.id) {
            self.report(code, entry, offset, message.to_owned());
        }
    }

    /// Adds an entry below `parent`, the file itself without one. `None` when the names take too much.
    fn add(
        &mut self,
        parent: Option<EntryId>,
        name: &str,
        (role, class): (Role, SharedText),
        range: &Range<u64>,
        content: Content,
        spot: Spot,
    ) -> Option<EntryId> {
        if self.entries.len() >= self.cx.limits.entries {
            self.once(&info::TOO_MANY_NAMES, None, range.start, TOO_MANY);
            return None;
        }
        let id = EntryId(u32::try_from(self.entries.len()).ok()?);
        let name = SharedText::from(if parent.is_some() { name.to_owned() } else { String::new() });
        let place = parent.map_or(EntryPath::Name, |parent| self.place_below(parent));
        if !self.afford(place.with(&name).len().saturating_add(name.len()), range.start) {
            return None;
        }
        let size = range.end.saturating_sub(range.start);
        self.entries.push(Entry { id, parent, name, place, role, class, offset: range.start, size, content });
        self.spots.push(spot);
        Some(id)
    }

    /// The place of an entry below another: entries that follow each other in a folder share it.
    fn place_below(&mut self, parent: EntryId) -> EntryPath {
        if let Some((_, place)) = self.latest.as_ref().filter(|(latest, _)| *latest == parent) {
            return place.clone();
        }
        let path = self.entries.get(parent.0 as usize).map(|above| above.path().into_owned()).unwrap_or_default();
        let place = match path.is_empty() {
            true => EntryPath::Name,
            false => EntryPath::In(Arc::new(PathPart { above: None, name: path.into(), separator: '/' })),
        };
        self.latest = Some((parent, place.clone()));
        place
    }

    fn afford(&mut self, text: usize, offset: u64) -> bool {
        match self.text_left.checked_sub(text as u64) {
            Some(left) => {
                self.text_left = left;
                true
            }
            None => {
                self.text_left = 0;
                let message = "the names and paths take too much memory. The remaining entries are not listed";
                self.once(&info::TOO_MANY_NAMES, None, offset, message);
                false
            }
        }
    }

    /// A folder with what is in it, or a member.
    fn item(&mut self, index: usize, item: usize, parent: EntryId) {
        let Some(open) = self.directories.get_mut(index) else { return };
        let Some(found) = open.directory.items.get_mut(item) else { return };
        let name = std::mem::take(&mut found.name);
        if let Some(member) = &found.member {
            let file = File {
                space: open.space,
                range: member.range.clone(),
                name,
                parent: Some(parent),
                depth: open.depth.saturating_add(1),
                flags: member.flags,
                shared: open.shared.get(item).copied().unwrap_or(false),
                stored: None,
            };
            return self.file(file);
        }
        let record = found.record.clone();
        let children = open.children.get_mut(item.saturating_add(1)).map(std::mem::take).unwrap_or_default();
        let spot = Spot { space: open.space, node: Node::Folder(open.container), flags: 0 };
        if let Some(id) = self.add(Some(parent), &name, (Role::Folder, "Folder".into()), &record, Content::None, spot) {
            self.push_items(index, &children, id);
        }
    }

    /// In such an order that the first is opened first.
    fn push_items(&mut self, directory: usize, items: &[usize], parent: EntryId) {
        self.work.extend(items.iter().rev().map(|item| Work::Item { directory, item: *item, parent }));
    }

    fn file(&mut self, file: File) {
        let Some(source) = self.document.spaces.get(file.space).cloned() else { return };
        let size = file.range.end.saturating_sub(file.range.start);
        if file.shared {
            match self.shared_left.checked_sub(size) {
                Some(left) => self.shared_left = left,
                None => {
                    let id = self.payload(&file, Role::Member, UNKNOWN);
                    let message = "too many entries share the same data. The contents of this entry are not listed";
                    return self.once(&info::SHARED_BYTES, id, file.range.start, message);
                }
            }
        }
        let bytes = bytes_of(&source, file.range.clone());
        match Kind::of(bytes) {
            Some(kind) if file.depth > self.cx.limits.nesting => {
                let id = self.payload(&file, Role::Archive, kind.class());
                let others = counted(file.depth, "other container");
                let message = format!("the container is nested in {others} and was not opened");
                self.report(&info::TOO_DEEP, id, file.range.start, message);
            }
            Some(Kind::Stream(method)) => self.stream(file, &source, method),
            Some(kind) => self.archive(file, &source, kind),
            None => self.leaf(file, &source),
        }
    }

    /// A member that is handed out as it is.
    fn payload(&mut self, file: &File, role: Role, class: &'static str) -> Option<EntryId> {
        let spot = Spot { space: file.space, node: Node::Payload { shared: file.shared }, flags: file.flags };
        let id = self.add(file.parent, &file.name, (role, class.into()), &file.range, Content::Bytes, spot)?;
        self.added(id, file);
        Some(id)
    }

    /// What goes with an entry of a file: the stream that it was stored as.
    fn added(&mut self, id: EntryId, file: &File) {
        self.document.files.push(id);
        if let Some(index) = file.stored
            && let Some(stored) = self.document.containers.get(index)
        {
            let (kind, range) = (stored.kind, stored.range.clone());
            let spot = Spot { space: stored.space, node: Node::Container(index), flags: 0 };
            self.add(Some(id), kind.class(), (Role::Archive, kind.class().into()), &range, Content::None, spot);
        }
    }

    fn stream(&mut self, file: File, source: &Source, method: Method) {
        let input = bytes_of(source, file.range.clone());
        let container = self.document.containers.len();
        let mut stream = Container {
            kind: Kind::Stream(method),
            space: file.space,
            range: file.range.clone(),
            shared: file.shared,
            consumed: input.len() as u64,
            names: 0..0,
            members: Vec::new(),
        };
        let header = method.read_header(&mut FieldReader::new(source, file.range.clone(), Endian::Big));
        let most = self.cx.limits.container_bytes.min(self.decompressed_left);
        let mut problem: Option<(&'static Code, u64, String)> = None;
        let mut made = Vec::new();
        match header {
            Err(fault) => problem = Some((&info::BAD_STREAM, fault.offset, fault.message)),
            Ok(header) if u64::from(header.size) > most => {
                let message = format!("the specified size of {} bytes is over the limit of {most} bytes", header.size);
                problem = Some((&info::TOO_LARGE, file.range.start.saturating_add(4), message));
            }
            Ok(header) => {
                let result = method.decompress(&header, input, usize::try_from(most).unwrap_or(usize::MAX));
                made = result.bytes;
                let of = format!("{} of {} bytes were decompressed", made.len(), header.size);
                match result.stopped {
                    None => stream.consumed = result.consumed as u64,
                    Some(Stopped::EndOfInput) => {
                        problem = Some((&info::BAD_STREAM, file.range.end, format!("the data ends too early: {of}")));
                    }
                    Some(Stopped::BadDistance { distance, at }) => {
                        let message =
                            format!("a back reference ({distance} bytes) points before the start of the data: {of}");
                        problem = Some((&info::BAD_STREAM, file.range.start.saturating_add(at as u64), message));
                    }
                }
            }
        }
        self.document.containers.push(stream);
        self.decompressed_left = self.decompressed_left.saturating_sub(made.len() as u64);
        budget::grow(self.cx.limits.budget_of_more(made.len() as u64));
        budget::charge_work((made.len() as u64).saturating_mul(WORK_OF_BYTE));
        let name = decompressed_name(&file.name, &made);
        // What has no name of its own for the stream is one entry; the stream is listed below it.
        let is_one = file.parent.is_some() && file.stored.is_none() && name == file.name && !made.is_empty();
        let report_at = EntryId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        let mut parent = file.parent;
        if !is_one {
            let spot = Spot { space: file.space, node: Node::Container(container), flags: file.flags };
            let what = (Role::Archive, method.name().into());
            let Some(id) = self.add(file.parent, &file.name, what, &file.range, Content::None, spot) else {
                return;
            };
            self.added(id, &file);
            parent = Some(id);
        }
        if let Some((code, offset, message)) = problem {
            // An entry of decompressed bytes has them up to where the stream fails.
            let offset = if is_one { made.len() as u64 } else { offset };
            self.report(code, Some(report_at), offset, message);
        }
        if made.is_empty() {
            return;
        }
        let size = made.len() as u64;
        self.text_left = self.text_left.saturating_add(size.saturating_mul(4));
        self.shared_left = self.shared_left.saturating_add(size / 4);
        let space = self.document.spaces.len();
        self.document.spaces.push(Source::from(made));
        self.work.push(Work::File(File {
            space,
            range: 0..size,
            name,
            parent,
            depth: file.depth.saturating_add(1),
            flags: if is_one { file.flags } else { 0 },
            shared: false,
            stored: is_one.then_some(container),
        }));
    }

    fn archive(&mut self, file: File, source: &Source, kind: Kind) {
        let mut problems = Vec::new();
        let deepest = self.cx.limits.nesting;
        let read = match kind {
            Kind::U8 => u8_archive::read(source, file.range.clone(), deepest, &mut problems),
            _ => rarc::read(source, file.range.clone(), deepest, &mut problems),
        };
        let container = self.document.containers.len();
        let spot = Spot { space: file.space, node: Node::Container(container), flags: file.flags };
        let what = (Role::Archive, kind.class().into());
        let Some(id) = self.add(file.parent, &file.name, what, &file.range, Content::None, spot) else { return };
        self.added(id, &file);
        let directory = read.unwrap_or_else(|fault| {
            self.report(&info::BAD_TABLE, Some(id), fault.offset, fault.message);
            Directory::default()
        });
        for problem in problems {
            self.report(problem.code, Some(id), problem.offset, problem.message);
        }
        let members = directory.items.iter().filter_map(|item| item.member.as_ref()).map(|m| m.range.clone());
        self.document.containers.push(Container {
            kind,
            space: file.space,
            range: file.range.clone(),
            shared: file.shared,
            consumed: 0,
            names: directory.names.clone(),
            members: members.collect(),
        });
        let shared = shared_members(&directory, file.shared);
        let mut children = directory.children();
        let top = children.first_mut().map(std::mem::take).unwrap_or_default();
        let index = self.directories.len();
        let (space, depth) = (file.space, file.depth);
        self.directories.push(OpenDirectory { directory, children, shared, container, space, depth });
        self.push_items(index, &top, id);
    }

    /// A file of another format, or of none.
    fn leaf(&mut self, file: File, source: &Source) {
        let size = file.range.end.saturating_sub(file.range.start);
        let bytes = bytes_of(source, file.range.clone());
        let head = bytes.get(..256).unwrap_or(bytes);
        let format = formats::probe(head, &Hint { file_name: &file.name });
        let (Some(format), Some(own)) = (format, source.slice(file.range.start, size)) else {
            self.payload(&file, Role::Member, UNKNOWN);
            return;
        };
        let limits = self.cx.limits;
        let mut found = Diagnostics::new(limits.diagnostics_per_code);
        let resolver = self.cx.resolver.clone();
        let mut cx = OpenContext {
            file: &file.name,
            resolver,
            diagnostics: &mut found,
            limits,
            overrides: &crate::formats::NO_OVERRIDES,
        };
        match format.open(own, &mut cx) {
            Ok(document) => self.merge(file, document, found),
            Err(error) => {
                let id = self.payload(&file, Role::Member, UNKNOWN);
                self.report(&info::UNREADABLE_MEMBER, id, file.range.start, error.message);
            }
        }
    }

    /// Puts a document's entries below the entry of its file.
    fn merge(&mut self, file: File, document: Box<dyn Document>, found: Diagnostics) {
        let leaf = self.document.leaves.len();
        let inner = document.outline().entries();
        let own = inner.first().map(|e| ((e.role, e.class.clone()), e.content));
        let (what, content) = own.unwrap_or(((Role::Member, UNKNOWN.into()), Content::Bytes));
        let spot = |inner: EntryId, flags: u8| Spot { space: file.space, node: Node::Leaf(leaf, inner), flags };
        let own_spot = spot(EntryId::FILE, file.flags);
        let Some(id) = self.add(file.parent, &file.name, what, &file.range, content, own_spot) else { return };
        let path = self.entries.last().map(|e| e.path().into_owned()).unwrap_or_default();
        let text = inner.iter().map(|e| e.path().len().saturating_add(e.name.len()).saturating_add(path.len())).sum();
        let is_room = self.entries.len().saturating_add(inner.len()) <= self.cx.limits.entries;
        if !is_room {
            self.once(&info::TOO_MANY_NAMES, Some(id), file.range.start, TOO_MANY);
        }
        if !is_room || !self.afford(text, file.range.start) {
            // The file stays, what is in it is left out.
            if let (Some(entry), Some(spot)) = (self.entries.last_mut(), self.spots.last_mut()) {
                spot.node = Node::Payload { shared: file.shared };
                (entry.content, entry.role, entry.class) = (Content::Bytes, Role::Member, UNKNOWN.into());
            }
            return self.added(id, &file);
        }
        let first = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let shift = Shift { by: file.range.start, own: id, first, mirrored: file.shared };
        let mut below = Below::new(&path);
        for entry in inner.iter().skip(1) {
            let outer = Entry {
                id: shift.entry(entry.id),
                parent: Some(shift.entry(entry.parent.unwrap_or(EntryId::FILE))),
                name: entry.name.clone(),
                place: below.place(&entry.place, &path),
                role: entry.role,
                class: entry.class.clone(),
                offset: entry.offset.saturating_add(shift.by),
                size: entry.size,
                content: entry.content,
            };
            self.entries.push(outer);
            self.spots.push(spot(entry.id, 0));
        }
        for diagnostic in found.finish() {
            self.cx.diagnostics.add(shift.diagnostic(diagnostic));
        }
        self.added(id, &file);
        self.document.leaves.push(Leaf { document, name: file.name, shift });
    }
}

/// What a stream's file is called without what says how it was compressed, by its content where nothing else says it.
fn decompressed_name(name: &str, made: &[u8]) -> String {
    let Some((stem, ending)) = name.rsplit_once('.') else { return name.to_owned() };
    if !COMPRESSED_ENDINGS.iter().any(|e| e.eq_ignore_ascii_case(ending)) {
        return name.to_owned();
    }
    if stem.contains('.') {
        return stem.to_owned();
    }
    let head = made.get(..256).unwrap_or(made);
    let ending = match Kind::of(head) {
        Some(Kind::Rarc | Kind::U8) => Some("arc"),
        _ => formats::probe(head, &Hint::default()).and_then(|f| f.info().extensions.first().copied()),
    };
    ending.map_or_else(|| stem.to_owned(), |ending| format!("{stem}.{ending}"))
}

/// Which members have bytes that belong to the tables or to a member before them.
fn shared_members(directory: &Directory, all: bool) -> Vec<bool> {
    // Ranges that have an owner, by their starts; they do not overlap.
    let mut owned: BTreeMap<u64, u64> = BTreeMap::new();
    for table in directory.tables.iter().filter(|t| t.start < t.end) {
        owned.insert(table.start, table.end);
    }
    let is_free = |range: &Range<u64>, owned: &BTreeMap<u64, u64>| {
        let before = owned.range(..range.end).next_back();
        before.is_none_or(|(_, end)| *end <= range.start)
    };
    let shared = |item: &super::directory::Item| {
        let Some(member) = item.member.as_ref().filter(|m| m.range.start < m.range.end) else { return all };
        if all || !is_free(&member.range, &owned) {
            return true;
        }
        owned.insert(member.range.start, member.range.end);
        false
    };
    directory.items.iter().map(shared).collect()
}
