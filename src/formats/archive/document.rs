//! The tree of an archive: its own tables, its folders, and the documents of its members as if they were one.

use super::{Kind, PADDING, PAYLOAD, build, files::Neighbours, is_padding, rarc, shifted::Shift, u8_archive};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Diagnostic, Diagnostics, Document, EntryId, Field, FieldTree, FormatInfo, LoadContext, OpenContext,
        Outline, ReadError, Value, coverage,
    },
    scene::Material,
};
use std::ops::Range;

/// An open archive or compressed file, with all that is in it.
pub struct ArchiveDocument {
    pub(super) info: &'static FormatInfo,
    pub(super) outline: Outline,
    /// What each entry is.
    pub(super) spots: Vec<Spot>,
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
    pub(super) fn open(info: &'static FormatInfo, source: Source, cx: &mut OpenContext<'_>) -> Self {
        build::build(info, source, cx)
    }

    /// The entries that are files, in order.
    pub fn files(&self) -> &[EntryId] {
        &self.files
    }

    fn spot(&self, entry: EntryId) -> Result<Spot, ReadError> {
        self.spots.get(entry.0 as usize).copied().ok_or_else(|| ReadError::no_entry(entry))
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

    /// A finding of a member's document as one of this document.
    fn outer(&self, leaf: &Leaf, found: Diagnostic) -> Diagnostic {
        build::outer(leaf.shift, found)
    }

    fn outer_error(&self, leaf: &Leaf, entry: EntryId, error: ReadError) -> ReadError {
        let path = self.outline.get(entry).map(|e| e.path.clone()).unwrap_or_default();
        ReadError { entry: path, offset: error.offset.saturating_add(leaf.shift.by), message: error.message }
    }

    /// Runs something of a member's document, its findings turned into this document's.
    fn with_findings<T>(&self, leaf: &Leaf, into: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> T) -> T {
        let mut found = Diagnostics::new(into.cap());
        let result = run(&mut found);
        for diagnostic in found.finish() {
            into.add(self.outer(leaf, diagnostic));
        }
        result
    }
}

impl Document for ArchiveDocument {
    fn endian(&self) -> Endian {
        Endian::Big
    }

    fn format(&self) -> &'static FormatInfo {
        self.info
    }

    fn source(&self) -> &Source {
        self.source_of(EntryId::FILE)
    }

    fn source_of(&self, entry: EntryId) -> &Source {
        static NOTHING: std::sync::LazyLock<Source> = std::sync::LazyLock::new(|| Source::from(Vec::new()));
        let space = self.spot(entry).map_or(0, |spot| spot.space);
        self.spaces.get(space).unwrap_or(&NOTHING)
    }

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn fields(&self, entry: EntryId) -> Result<FieldTree, ReadError> {
        let found = self.outline.get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
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
                let tree = leaf.document.fields(inner).map_err(|e| self.outer_error(leaf, entry, e))?;
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
        let found = self.outline.get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let Some((leaf, inner)) = self.leaf(entry) else {
            return Err(ReadError::new(found, "this entry shows as nothing"));
        };
        let folder = self.outline.get(leaf.shift.own).and_then(|own| own.parent);
        let resolver = Neighbours { document: self, folder, outside: cx.resolver };
        let (limits, options, cancel) = (cx.limits, cx.options, cx.cancel);
        self.with_findings(leaf, cx.diagnostics, |diagnostics| {
            let mut cx = LoadContext { file: &leaf.name, resolver: &resolver, diagnostics, limits, options, cancel };
            leaf.document.load(inner, &mut cx)
        })
        .map_err(|error| self.outer_error(leaf, entry, error))
    }

    fn flags(&self, entry: EntryId) -> Option<Value> {
        match self.spot(entry).ok()?.flags {
            0 => self.leaf(entry).and_then(|(leaf, inner)| leaf.document.flags(inner)),
            flags => Some(rarc::flags_value(flags)),
        }
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        if let Some((leaf, inner)) = self.leaf(entry) {
            self.with_findings(leaf, diagnostics, |found| leaf.document.check(inner, found));
        }
    }

    fn surface(&self, entry: EntryId) -> Option<Material> {
        self.leaf(entry).and_then(|(leaf, inner)| leaf.document.surface(inner))
    }

    fn is_member(&self, entry: EntryId) -> bool {
        let node = self.spot(entry).map(|spot| spot.node);
        matches!(node, Ok(Node::Leaf(_, EntryId::FILE) | Node::Payload { .. }))
    }

    fn has_t3d(&self, entry: EntryId) -> bool {
        self.leaf(entry).is_some_and(|(leaf, inner)| leaf.document.has_t3d(inner))
    }

    fn t3d(&self, entry: EntryId) -> Option<Result<String, ReadError>> {
        let (leaf, inner) = self.leaf(entry)?;
        let text = leaf.document.t3d(inner)?;
        Some(text.map_err(|error| self.outer_error(leaf, entry, error)))
    }
}
