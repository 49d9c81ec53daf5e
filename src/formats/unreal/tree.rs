//! The outline: exports by what they lie in, and the sequences of meshes below them.

use super::{
    codes,
    kind::{Kind, kind_of},
    object::{entry_of, export_of},
    package::Package,
    package_file::{DEEPEST, PackageFile},
    tables::{ObjectRef, Pointee},
};
use crate::formats::{Content, Diagnostics, Entry, EntryId, EntryPath, Outline, PathPart, Role, SharedText};
use std::{collections::HashMap, sync::Arc};

/// What an entry of the outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    File,
    Export(usize),
    /// A sequence of the mesh or animation that is export `.0`, by its number there.
    Sequence(usize, usize),
}

/// The outline: the file, the exports, then the sequences.
#[derive(Debug)]
pub struct Tree {
    pub outline: Outline,
    /// By export.
    pub kinds: Vec<Kind>,
    /// The sequences, in the order of their entries.
    sequences: Vec<Node>,
}

impl Tree {
    pub fn node(&self, package: &Package, entry: EntryId) -> Option<Node> {
        if entry == EntryId::FILE {
            return Some(Node::File);
        }
        let first_sequence = self.outline.entries().len().saturating_sub(self.sequences.len());
        match (entry.0 as usize).checked_sub(first_sequence) {
            Some(number) => self.sequences.get(number).copied(),
            None => export_of(package, entry).map(Node::Export),
        }
    }
}

/// A sequence as the outline shows it.
#[derive(Clone, Debug)]
pub struct SequenceEntry {
    pub name: SharedText,
    pub offset: u64,
    pub size: u64,
}

/// What the exports of a package are.
pub fn kinds_of(package: &Package) -> Vec<Kind> {
    (0..package.exports().len()).map(|index| kind_of(package, index)).collect()
}

/// Builds the outline from the tables. `kinds` says what the exports are, and `is_shown` whether one is decoded at all;
/// `sequences` lists the sequences of an export of a kind that has them.
pub fn build(
    package: &Arc<Package>,
    kinds: Vec<Kind>,
    is_shown: impl Fn(usize) -> bool,
    sequences: impl Fn(usize, Kind) -> Vec<SequenceEntry>,
    diagnostics: &mut Diagnostics,
) -> Tree {
    let size = package.source.len() as u64;
    let mut groups: Vec<(usize, Role, &'static str, Vec<SequenceEntry>)> = Vec::new();
    for (index, kind) in kinds.iter().copied().enumerate() {
        let (role, class) = match kind {
            Kind::Animation => (Role::Clip, "MotionChunk"),
            Kind::Mesh | Kind::LodMesh | Kind::SkeletalMesh => (Role::VertexSequence, "MeshAnimSeq"),
            _ => continue,
        };
        if package.export_size(index) > 0 && is_shown(index) {
            groups.push((index, role, class, sequences(index, kind)));
        }
    }
    let sequence_count = groups.iter().map(|(.., sequences)| sequences.len()).sum::<usize>();
    // Room for all at once: to grow would take twice as much, and there may be a million.
    let expected = package.exports().len().saturating_add(1).saturating_add(sequence_count);
    let mut entries: Vec<Entry> = Vec::with_capacity(expected);
    entries.push(Entry::file(Role::File, "Package", size));
    let mut places = Places::default();
    for (index, export) in package.exports().iter().enumerate() {
        let Some(id) = entry_of(package, index) else { continue };
        let kind = kinds.get(index).copied().unwrap_or(Kind::Plain);
        let object = ObjectRef::export(index);
        let report = |code, message: String, diagnostics: &mut Diagnostics| {
            diagnostics.report(code, Some(id), Some(u64::from(export.entry_offset)), message);
        };
        let name = match package.name_text(export.name) {
            Some(name) => name,
            None => {
                report(
                    &codes::BAD_NAME,
                    format!("export {} refers to name {}, which does not exist", index.saturating_add(1), export.name),
                    diagnostics,
                );
                format!("#{}", id.0).into()
            }
        };
        for (what, reference) in [("class", export.class), ("super", export.parent), ("outer", export.outer)] {
            let exists = match reference.pointee() {
                Pointee::None => true,
                Pointee::Export(index) => package.export(index).is_some(),
                Pointee::Import(index) => package.import(index).is_some(),
            };
            if !exists {
                report(
                    &codes::BAD_REFERENCE,
                    format!("the {what} of the export is object {}, which does not exist", reference.0),
                    diagnostics,
                );
            }
        }
        let end = u64::from(export.offset).saturating_add(u64::from(export.size));
        let inside = export.size == 0 || end <= size;
        if !inside {
            report(
                &codes::BAD_RANGE,
                format!("the data at offset {} ({} bytes) goes past the end of the file", export.offset, export.size),
                diagnostics,
            );
        }
        let cyclic = package.outers(object).count() >= DEEPEST;
        if cyclic {
            let message = "the outer objects form a cycle or are nested too deeply".to_owned();
            report(&codes::OUTER_CYCLE, message, diagnostics);
        }
        let parent = match export.outer.pointee() {
            Pointee::Export(outer) if !cyclic => entry_of(package, outer).filter(|outer| *outer != id),
            _ => None,
        };
        let place = if cyclic || package.name(export.name).is_none() {
            EntryPath::Name
        } else {
            places.of(package, export.outer)
        };
        let is_empty = export.size == 0 || !is_shown(index);
        let content = if is_empty { Content::None } else { kind.content(package.has_stack(index)) };
        let entry = Entry {
            id,
            parent: Some(parent.unwrap_or(EntryId::FILE)),
            role: kind.role(&name, package.has_stack(index)),
            name,
            place,
            class: package.class_text(export),
            offset: if inside { u64::from(export.offset) } else { 0 },
            size: if inside { u64::from(export.size) } else { 0 },
            content: if inside { content } else { Content::None },
        };
        entries.push(entry);
    }
    let mut nodes: Vec<Node> = Vec::with_capacity(sequence_count);
    for (index, role, class, sequences) in groups {
        let Some(entry) = entry_of(package, index).and_then(|id| entries.get(id.0 as usize)) else { continue };
        let parent = entry.id;
        let above = match &entry.place {
            EntryPath::In(above) => Some(above.clone()),
            _ => None,
        };
        let above = Arc::new(PathPart { above, name: entry.name.clone(), separator: '/' });
        for (number, sequence) in sequences.into_iter().enumerate() {
            entries.push(Entry {
                id: EntryId(u32::try_from(entries.len()).unwrap_or(u32::MAX)),
                parent: Some(parent),
                name: sequence.name,
                place: EntryPath::In(above.clone()),
                role,
                class: class.into(),
                offset: sequence.offset,
                size: sequence.size,
                content: Content::Clip,
            });
            nodes.push(Node::Sequence(index, number));
        }
    }
    Tree { outline: Outline::of(entries), kinds, sequences: nodes }
}

/// What paths have in common: a part for each object that others lie in.
#[derive(Default)]
struct Places(HashMap<ObjectRef, Option<Arc<PathPart>>>);

impl Places {
    /// The place of what lies in `outer`. Parts that do not exist are numbers, and end the path.
    fn of(&mut self, package: &PackageFile, outer: ObjectRef) -> EntryPath {
        let mut unknown: Vec<ObjectRef> = Vec::new();
        let mut above = None;
        for object in package.outers(outer) {
            if let Some(known) = self.0.get(&object) {
                above = known.clone();
                break;
            }
            unknown.push(object);
        }
        for object in unknown.into_iter().rev() {
            let name = package.object_text(object).unwrap_or_else(|| format!("#{}", object.0).into());
            above = Some(Arc::new(PathPart { above, name, separator: '.' }));
            self.0.insert(object, above.clone());
        }
        above.map_or(EntryPath::Name, EntryPath::In)
    }
}
