//! The tree of an archive: its own tables, its folders, and the documents of its members as one outline.

use super::{
    directory::is_padding,
    info::{PADDING, PAYLOAD},
    rarc,
    stream::Method,
    u8_archive,
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, Document, EntryId, EntryPath, Facts, Field, FieldTree, FileRequest, FormatInfo,
        FoundFile, LoadContext, Member, NodeOutline, PathPart, Purpose, ReadError, Resolver, Shift, Value, coverage,
    },
};
use std::{collections::HashMap, ops::Range, path::PathBuf, sync::Arc};

/// What a file is that holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A compressed stream of one file.
    Stream(Method),
    /// A RARC archive (formats/j3d.md §11).
    Rarc,
    /// A U8 archive (formats/j3d.md §11).
    U8,
}

impl Kind {
    /// By the first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        if let Some(method) = Method::of(head) {
            return Some(Self::Stream(method));
        }
        if head.starts_with(b"RARC") {
            return Some(Self::Rarc);
        }
        head.starts_with(&u8_archive::MAGIC).then_some(Self::U8)
    }

    /// What entries of this kind are classed as.
    pub fn class(self) -> &'static str {
        match self {
            Self::Stream(method) => method.name(),
            Self::Rarc => "RARC",
            Self::U8 => "U8",
        }
    }
}

/// An open archive or compressed file, with all that is in it.
pub struct ArchiveDocument {
    pub(super) info: &'static FormatInfo,
    pub(super) outline: NodeOutline<Spot>,
    /// The file itself, then what each stream became.
    pub(super) spaces: Vec<Source>,
    pub(super) containers: Vec<Container>,
    pub(super) leaves: Vec<Leaf>,
    /// Entries that are files.
    pub(super) files: Vec<EntryId>,
}

/// What an entry is, and which bytes its offsets count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub space: usize,
    pub node: Node,
    /// The archive's own bits of a member.
    pub flags: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// An archive or a stream.
    Container(usize),
    /// A folder of one.
    Folder(usize),
    /// An entry of a member's document.
    Leaf(usize, EntryId),
    /// A member of an unknown format; whether another one owns its bytes.
    Payload { shared: bool },
}

/// An archive or a stream.
pub(super) struct Container {
    pub kind: Kind,
    pub space: usize,
    pub range: Range<u64>,
    /// Another member owns the bytes.
    pub shared: bool,
    /// Bytes of a stream that were used.
    pub consumed: u64,
    /// An archive's table of names.
    pub names: Range<u64>,
    /// Where an archive's members lie.
    pub members: Vec<Range<u64>>,
}

/// A member with a document of its own.
pub(super) struct Leaf {
    pub document: Box<dyn Document>,
    pub name: String,
    pub shift: Shift,
}

impl ArchiveDocument {
    /// The entries that are files, in order.
    pub fn files(&self) -> &[EntryId] {
        &self.files
    }

    fn spot(&self, entry: EntryId) -> Result<Spot, ReadError> {
        self.outline.require(entry).copied()
    }

    fn leaf(&self, entry: EntryId) -> Option<(&Leaf, EntryId)> {
        match self.spot(entry).ok()?.node {
            Node::Leaf(leaf, inner) => Some((self.leaves.get(leaf)?, inner)),
            _ => None,
        }
    }

    fn container_fields(&self, container: &Container) -> Vec<Field> {
        let Some(source) = self.spaces.get(container.space) else { return Vec::new() };
        let range = container.range.clone();
        let mut fields = match container.kind {
            Kind::Stream(method) => return method.fields(source, range, container.consumed),
            Kind::Rarc => rarc::fields(source, range.clone()),
            Kind::U8 => u8_archive::fields(source, range.clone()),
        };
        let own = fields.len();
        let member = |m: &Range<u64>| Field::new("", "", Value::Raw, m.start, m.end.saturating_sub(m.start));
        fields.extend(container.members.iter().map(member));
        let gaps = coverage::gaps(&fields, range);
        fields.truncate(own);
        for gap in gaps {
            let size = gap.end.saturating_sub(gap.start);
            if is_padding(source, gap.clone()) {
                fields.push(Field::new("Padding", format!("u8[{size}]"), Value::Opaque(PADDING), gap.start, size));
            }
        }
        fields.sort_by_key(|f| f.offset);
        fields
    }
}

impl Document for ArchiveDocument {
    fn base(&self) -> Base<'_> {
        Base { format: self.info, source: self.source_of(EntryId::FILE), outline: &self.outline, endian: Endian::Big }
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        static NOTHING: std::sync::LazyLock<Source> = std::sync::LazyLock::new(|| Source::from(Vec::new()));
        let space = self.spot(entry).map_or(0, |spot| spot.space);
        self.spaces.get(space).unwrap_or(&NOTHING)
    }

    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let found = self.outline.entry(entry)?;
        let spot = self.spot(entry)?;
        let fields = match spot.node {
            Node::Container(index) => match self.containers.get(index) {
                Some(c) if c.shared => self.container_fields(c).into_iter().map(Field::mirrored).collect(),
                Some(c) => self.container_fields(c),
                None => Vec::new(),
            },
            Node::Folder(index) => {
                let record = found.offset..found.offset.saturating_add(found.size);
                match (self.containers.get(index), self.spaces.get(spot.space)) {
                    (Some(c), Some(source)) if c.kind == Kind::Rarc => rarc::record_fields(source, &c.names, record),
                    (Some(_), Some(source)) => u8_archive::record_fields(source, record),
                    _ => Vec::new(),
                }
            }
            Node::Leaf(index, inner) => {
                let Some(leaf) = self.leaves.get(index) else { return Ok(FieldTree::default()) };
                let tree = leaf.document.fields_for(inner, purpose).map_err(|e| leaf.shift.error(Some(found), e))?;
                tree.fields.into_iter().map(|field| leaf.shift.field(field)).collect()
            }
            Node::Payload { .. } if found.size == 0 => Vec::new(),
            Node::Payload { shared } => {
                let kind = format!("u8[{}]", found.size);
                let mut field = Field::new("Payload", kind, Value::Opaque(PAYLOAD), found.offset, found.size);
                field.mirror = shared;
                vec![field]
            }
        };
        Ok(FieldTree { fields })
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.outline.entry(entry)?;
        let (Some((leaf, _)), Some(member)) = (self.leaf(entry), self.member(entry)) else {
            return Err(ReadError::new(found, "this entry cannot be shown"));
        };
        let folder = self.outline.get(leaf.shift.own).and_then(|own| own.parent);
        let resolver = Neighbours { document: self, folder, outside: cx.resolver };
        let (limits, options, cancel) = (cx.limits, cx.options, cx.cancel);
        let loaded = member.with_findings(cx.diagnostics, |diagnostics| {
            let mut cx = LoadContext { file: &leaf.name, resolver: &resolver, diagnostics, limits, options, cancel };
            member.document.load(member.entry, &mut cx)
        });
        loaded.map_err(|error| member.shift.error(Some(found), error))
    }

    fn member(&self, entry: EntryId) -> Option<Member<'_>> {
        let (leaf, inner) = self.leaf(entry)?;
        Some(Member { document: leaf.document.as_ref(), entry: inner, shift: leaf.shift })
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), ..Capabilities::default() }
    }
}

impl Facts for ArchiveDocument {
    /// The archive's own flags, before those of the member.
    fn flags(&self, entry: EntryId) -> Option<Value> {
        let flags = self.spot(entry).ok()?.flags;
        (flags != 0).then(|| rarc::flags_value(flags))
    }

    fn is_member(&self, entry: EntryId) -> bool {
        let node = self.spot(entry).map(|spot| spot.node);
        matches!(node, Ok(Node::Leaf(_, EntryId::FILE) | Node::Payload { .. }))
    }
}

/// The resolver of one member: its neighbours first, then the rest of the archive, then what lies outside.
struct Neighbours<'a> {
    document: &'a ArchiveDocument,
    /// The folder that the member is in.
    folder: Option<EntryId>,
    outside: &'a dyn Resolver,
}

impl Resolver for Neighbours<'_> {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let outline = &self.document.outline;
        let stem = request.stem.to_lowercase();
        let rank = |id: &EntryId| {
            let entry = outline.get(*id)?;
            let (own, extension) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
            let fits = own.to_lowercase() == stem;
            let rank = request.extensions.iter().position(|e| e.eq_ignore_ascii_case(extension))?;
            fits.then_some((entry.parent != self.folder, rank, *id))
        };
        let inside = self.document.files().iter().filter_map(rank).min();
        let found =
            inside.and_then(|(_, _, id)| Some((outline.get(id)?, (self.document as &dyn Document).bytes(id).ok()?)));
        match found {
            Some((entry, source)) => Some(FoundFile { name: entry.path().into_owned(), path: PathBuf::new(), source }),
            None => self.outside.find(request),
        }
    }

    fn suggestion(&self, request: &FileRequest<'_>) -> String {
        self.outside.suggestion(request)
    }

    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        self.outside.find_path(path, largest)
    }
}

/// Places of a member's entries in the archive: what its paths have in common stays in common.
pub struct Below {
    member: Arc<PathPart>,
    /// By the part of the member's own paths.
    parts: HashMap<*const PathPart, Arc<PathPart>>,
}

impl Below {
    pub fn new(path: &str) -> Self {
        let member = PathPart { above: None, name: path.to_owned().into(), separator: '/' };
        Self { member: Arc::new(member), parts: HashMap::new() }
    }

    pub fn place(&mut self, inner: &EntryPath, path: &str) -> EntryPath {
        match inner {
            EntryPath::Name => EntryPath::In(self.member.clone()),
            EntryPath::In(part) if part.is_whole() => EntryPath::whole(format!("{path}/{}", part.name)),
            EntryPath::In(part) => EntryPath::In(self.part(part)),
        }
    }

    fn part(&mut self, inner: &Arc<PathPart>) -> Arc<PathPart> {
        let mut unknown = Vec::new();
        let mut above = self.member.clone();
        for part in std::iter::successors(Some(inner), |part| part.above.as_ref()) {
            if let Some(known) = self.parts.get(&Arc::as_ptr(part)) {
                above = known.clone();
                break;
            }
            unknown.push(part);
        }
        for part in unknown.into_iter().rev() {
            let own = PathPart { above: Some(above), name: part.name.clone(), separator: part.separator };
            above = Arc::new(own);
            self.parts.insert(Arc::as_ptr(part), above.clone());
        }
        above
    }
}
