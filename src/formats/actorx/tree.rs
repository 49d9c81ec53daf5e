//! The outline of a file: its chunks in file order, with the records that have names below them.

use super::{
    Bone,
    container::{Chunk, ChunkKind, Findings, HEADER_SIZE, ID_SIZE, Place, chosen},
    records::{self, Records, Targets},
};
use crate::{
    bytes::{Source, text},
    formats::{Content, Diagnostics, EntryId, Field, FieldTree, NodeOutline, ReadError, Role, SharedText, Value},
};
use std::sync::Arc;

/// The name of the opaque range of [`super::OPAQUE`].
pub const UNKNOWN_CHUNK: &str = "unknown chunk";

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    File,
    /// The mesh, or the skeleton of an animation file.
    Whole,
    /// Into the chunks.
    Chunk(usize),
    /// A record of the chunk: chunk, record.
    Record(usize, usize),
}

/// What the outline is made from.
pub struct Plan<'a> {
    pub file_class: &'static str,
    /// Name, role, class of the entry that shows as a model.
    pub whole: Option<(&'static str, Role, &'static str)>,
    pub chunks: Vec<Chunk>,
    pub bones: &'a [Bone],
    /// Bones hang below their parents; flat without.
    pub parents: Option<&'a [Option<u32>]>,
    /// Wedges use 16 bits of their point.
    pub narrow: bool,
    /// Names of records, for the kinds whose records are entries besides the bones.
    pub names: &'a dyn Fn(ChunkKind) -> Vec<String>,
}

/// A file's outline, and what each entry is.
#[derive(Debug)]
pub struct Tree {
    pub outline: NodeOutline<Node>,
    pub chunks: Vec<Chunk>,
    pub whole: Option<EntryId>,
    chunk_entries: Vec<EntryId>,
    /// Which chunks' records are entries of their own.
    with_entries: Vec<bool>,
    bones: Vec<EntryId>,
    sequences: Vec<EntryId>,
    targets: Arc<Targets>,
    narrow: bool,
}

/// Role, class and content of a record that is an entry of its own.
fn record_class(kind: ChunkKind) -> (Role, &'static str, Content) {
    match kind {
        ChunkKind::Bones => (Role::Bone, "Bone", Content::None),
        ChunkKind::Materials => (Role::Material, "Material", Content::None),
        ChunkKind::MorphInfo => (Role::Morph, "Morph", Content::None),
        ChunkKind::Sockets => (Role::Socket, "Socket", Content::None),
        ChunkKind::AnimInfo => (Role::Clip, "AnimInfo", Content::Clip),
        _ => (Role::Data, "Record", Content::None),
    }
}

impl Tree {
    pub fn new(source: &Source, plan: Plan<'_>) -> Self {
        let size = source.len() as u64;
        let mut tree = Self {
            outline: NodeOutline::new(Node::File, Role::File, plan.file_class, size),
            chunks: Vec::new(),
            whole: None,
            chunk_entries: Vec::new(),
            with_entries: with_entries(&plan.chunks),
            bones: vec![EntryId::FILE; plan.bones.len()],
            sequences: Vec::new(),
            targets: Arc::default(),
            narrow: plan.narrow,
        };
        if let Some((name, role, class)) = plan.whole {
            let (node, above) = (Node::Whole, EntryId::FILE);
            tree.whole = Some(tree.outline.add(node, above, name, name, role, class, 0, size, Content::Model));
        }
        let mut targets = Targets::default();
        for (index, chunk) in plan.chunks.iter().enumerate() {
            let (offset, size) = (chunk.offset as u64, chunk.size as u64);
            let (above, id) = (EntryId::FILE, SharedText::from(chunk.id.clone()));
            let (node, role) = (Node::Chunk(index), Role::Group);
            let entry = tree.outline.add(node, above, id.clone(), id, role, "Chunk", offset, size, Content::None);
            tree.chunk_entries.push(entry);
            if !tree.has_entries(index) {
                continue;
            }
            if chunk.kind == ChunkKind::Bones {
                tree.add_bones(&plan, index, entry, &mut targets);
                continue;
            }
            for (record, name) in (plan.names)(chunk.kind).into_iter().enumerate() {
                let (path, id) = tree.add_record(chunk, index, record, &name, entry);
                match chunk.kind {
                    ChunkKind::Materials => targets.materials.push((path, id)),
                    ChunkKind::AnimInfo => tree.sequences.push(id),
                    _ => {}
                }
            }
        }
        tree.chunks = plan.chunks;
        tree.targets = Arc::new(targets);
        tree
    }

    fn add_record(
        &mut self,
        chunk: &Chunk,
        index: usize,
        record: usize,
        name: &str,
        parent: EntryId,
    ) -> (String, EntryId) {
        let (role, class, content) = record_class(chunk.kind);
        let name = if name.is_empty() { format!("unnamed {record}") } else { name.to_owned() };
        let path = format!("{}/{name}", chunk.id);
        let offset = chunk.body_offset().saturating_add(record.saturating_mul(chunk.stride));
        let (offset, size) = (offset as u64, chunk.stride as u64);
        let node = Node::Record(index, record);
        let id = self.outline.add(node, parent, name, path.clone(), role, class, offset, size, content);
        (path, id)
    }

    /// Bones below their parents, depth first, without recursion.
    fn add_bones(&mut self, plan: &Plan<'_>, index: usize, entry: EntryId, targets: &mut Targets) {
        let Some(chunk) = plan.chunks.get(index) else { return };
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); plan.bones.len()];
        let mut stack = Vec::new();
        for bone in (0..plan.bones.len()).rev() {
            let parent = plan.parents.and_then(|p| p.get(bone).copied().flatten());
            match parent.and_then(|p| children.get_mut(p as usize)) {
                // Backwards here and backwards off the stack: forwards.
                Some(siblings) => siblings.push(bone),
                None => stack.push((bone, entry)),
            }
        }
        targets.bones = vec![(String::new(), EntryId::FILE); plan.bones.len()];
        while let Some((bone, parent)) = stack.pop() {
            let name = plan.bones.get(bone).map(|b| b.name.as_str()).unwrap_or_default();
            let (path, id) = self.add_record(chunk, index, bone, name, parent);
            targets.bone_of_name.entry(text::fold(name)).or_insert(bone);
            if let (Some(slot), Some(target)) = (self.bones.get_mut(bone), targets.bones.get_mut(bone)) {
                *slot = id;
                *target = (path, id);
            }
            stack.extend(children.get(bone).into_iter().flatten().map(|child| (*child, id)));
        }
    }

    fn has_entries(&self, index: usize) -> bool {
        self.with_entries.get(index).copied().unwrap_or(false)
    }

    pub fn node(&self, entry: EntryId) -> Option<Node> {
        self.outline.node(entry).copied()
    }

    /// Hands findings over, each on its entry; `File` findings go to `default`.
    pub fn report(&self, findings: Findings, default: Option<EntryId>, diagnostics: &mut Diagnostics) {
        for finding in findings.list {
            let entry = match finding.place {
                Place::File => default,
                Place::Chunk(index) => self.chunk_entries.get(index).copied(),
                Place::Of(kind) => {
                    let faces = |k| kind == ChunkKind::NarrowFaces && k == ChunkKind::WideFaces;
                    let index = chosen(&self.chunks, |k| k == kind || faces(k));
                    index.and_then(|i| self.chunk_entries.get(i)).copied().or(default)
                }
                Place::Bone(index) => self.bones.get(index).copied(),
                Place::Sequence(index) => self.sequences.get(index).copied(),
            };
            let own = entry.filter(|e| Some(*e) != default).and_then(|e| self.outline.get(e));
            let offset = finding.offset.or_else(|| own.map(|e| e.offset));
            diagnostics.report(finding.code, entry, offset, finding.message);
        }
    }

    /// The fields of any entry.
    pub fn fields(&self, source: &Source, entry: EntryId) -> Result<FieldTree, ReadError> {
        Ok(FieldTree {
            fields: match *self.outline.require(entry)? {
                Node::File | Node::Whole => self.chunks.iter().map(summary).collect(),
                Node::Chunk(index) => self.chunk_fields(source, index),
                Node::Record(index, record) => self.record_fields(source, index, record),
            },
        })
    }

    fn chunk_fields(&self, source: &Source, index: usize) -> Vec<Field> {
        let Some(chunk) = self.chunks.get(index) else { return Vec::new() };
        let at = |offset: usize| chunk.offset.saturating_add(offset) as u64;
        let number = |name: &'static str, offset: usize| {
            let bytes = source.as_slice().get(chunk.offset.saturating_add(offset)..).unwrap_or_default();
            let value = super::container::i32_at(bytes, 0);
            Field::new(name, "i32", Value::Int(value.into()), at(offset), 4)
        };
        let mut fields =
            vec![Field::new("ChunkID", "char[20]", Value::Text(chunk.id.clone()), at(0), chunk.id_len as u64)];
        let after = ID_SIZE.saturating_sub(chunk.id_len);
        if after > 0 {
            fields.push(Field::new("AfterID", format!("u8[{after}]"), Value::Raw, at(chunk.id_len), after as u64));
        }
        fields.extend([number("TypeFlag", 20), number("DataSize", 24), number("DataCount", 28)]);
        let size = chunk.stride.saturating_mul(chunk.count);
        if size == 0 {
            return fields;
        }
        match records::schema(chunk.kind, chunk.stride, self.narrow) {
            Some(schema) if chunk.readable => {
                let mirror = self.has_entries(index);
                fields.push(self.table(source, "Records", chunk, schema, (0, chunk.count), mirror));
            }
            Some(_) => {}
            // Heads have no records; should one have any, they mean as little as an unknown chunk's.
            None => {
                let value = Value::Opaque(UNKNOWN_CHUNK);
                fields.push(Field::new("Records", format!("u8[{size}]"), value, at(HEADER_SIZE), size as u64));
            }
        }
        fields
    }

    /// `count` records from the `first` on.
    fn table(
        &self,
        source: &Source,
        name: &'static str,
        chunk: &Chunk,
        schema: &'static records::Schema,
        (first, count): (usize, usize),
        mirror: bool,
    ) -> Field {
        let count = count.min(chunk.count.saturating_sub(first));
        let offset = chunk.body_offset().saturating_add(first.saturating_mul(chunk.stride));
        let table = Records {
            source: source.clone(),
            schema,
            offset,
            stride: chunk.stride,
            count,
            first,
            targets: self.targets.clone(),
            mirror,
        };
        let size = chunk.stride.saturating_mul(count) as u64;
        let field = Field::table(name, format!("{}[{count}]", schema.kind), offset as u64, size, Arc::new(table));
        if mirror { field.mirrored() } else { field }
    }

    fn record_fields(&self, source: &Source, index: usize, record: usize) -> Vec<Field> {
        let Some(chunk) = self.chunks.get(index) else { return Vec::new() };
        let Some(schema) = records::schema(chunk.kind, chunk.stride, self.narrow) else { return Vec::new() };
        let offset = chunk.body_offset().saturating_add(record.saturating_mul(chunk.stride));
        let bytes = source.as_slice().get(offset..offset.saturating_add(chunk.stride)).unwrap_or_default();
        records::fields(schema, bytes, offset, record, &self.targets)
    }

    /// Records of another chunk that belong to an entry: a sequence's keys, a morph's deltas.
    pub fn mirrored_records(
        &self,
        source: &Source,
        kind: ChunkKind,
        name: &'static str,
        first: usize,
        count: usize,
    ) -> Option<Field> {
        let chunk = self.chunks.get(chosen(&self.chunks, |k| k == kind)?).filter(|c| c.readable)?;
        let schema = records::schema(chunk.kind, chunk.stride, self.narrow)?;
        (count > 0).then(|| self.table(source, name, chunk, schema, (first, count), true))
    }
}

/// Of the kinds whose records are entries, the chunks that count.
fn with_entries(chunks: &[Chunk]) -> Vec<bool> {
    let kinds = [ChunkKind::Bones, ChunkKind::Materials, ChunkKind::MorphInfo, ChunkKind::Sockets, ChunkKind::AnimInfo];
    let counting = kinds.map(|kind| chosen(chunks, |k| k == kind));
    chunks.iter().enumerate().map(|(index, chunk)| chunk.readable && counting.contains(&Some(index))).collect()
}

/// A chunk in one line, for the entries that stand for the whole file.
fn summary(chunk: &Chunk) -> Field {
    let value = match chunk.kind {
        ChunkKind::MeshHead | ChunkKind::AnimHead => Value::Int(chunk.type_flag.into()),
        _ => Value::UInt(chunk.count as u64),
    };
    Field::new(chunk.id.clone(), "Chunk", value, chunk.offset as u64, chunk.size as u64).mirrored()
}
