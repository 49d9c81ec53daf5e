//! The outline: exports by what they lie in, and the sequences of meshes below them.

use super::{
    codes,
    kind::{Kind, kind_of},
    object::entry_of,
    package::Package,
    package_file::DEEPEST,
    tables::{ObjectRef, Pointee},
};
use crate::formats::{Content, Diagnostics, Entry, EntryId, NodeOutline, Role};
use std::{borrow::Cow, sync::Arc};

/// What an entry of the outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    File,
    Export(usize),
    /// A sequence of the mesh or animation that is export `.0`, by its number there.
    Sequence(usize, usize),
}

/// The outline with what its entries are.
#[derive(Debug)]
pub struct Tree {
    pub outline: NodeOutline<Node>,
    /// By export.
    pub kinds: Vec<Kind>,
}

/// A sequence as the outline shows it.
#[derive(Clone, Debug)]
pub struct SequenceEntry {
    pub name: String,
    pub offset: u64,
    pub size: u64,
}

/// Builds the outline from the tables. `sequences` lists the sequences of an export of a kind that has them.
pub fn build(
    package: &Arc<Package>,
    sequences: impl Fn(usize, Kind) -> Vec<SequenceEntry>,
    diagnostics: &mut Diagnostics,
) -> Tree {
    let size = package.source.len() as u64;
    let kinds: Vec<Kind> = (0..package.exports().len()).map(|index| kind_of(package, index)).collect();
    let mut entries: Vec<(Entry, Node)> = Vec::with_capacity(package.exports().len());
    for (index, export) in package.exports().iter().enumerate() {
        let Some(id) = entry_of(package, index) else { continue };
        let kind = kinds.get(index).copied().unwrap_or(Kind::Plain);
        let object = ObjectRef::export(index);
        let report = |code, message: String, diagnostics: &mut Diagnostics| {
            diagnostics.report(code, Some(id), Some(export.entry_offset), message);
        };
        let name = match package.name(export.name) {
            Some(name) => name.to_owned(),
            None => {
                report(
                    &codes::BAD_NAME,
                    format!("export {} has name {}, which does not exist", index.saturating_add(1), export.name),
                    diagnostics,
                );
                format!("#{}", id.0)
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
                    format!("its {what} is object {}, which does not exist", reference.0),
                    diagnostics,
                );
            }
        }
        let end = u64::from(export.offset).saturating_add(u64::from(export.size));
        let inside = export.size == 0 || end <= size;
        if !inside {
            report(
                &codes::BAD_RANGE,
                format!("its {} bytes at offset {} go past the end of the file", export.size, export.offset),
                diagnostics,
            );
        }
        let cyclic = package.outers(object).count() >= DEEPEST;
        if cyclic {
            report(&codes::OUTER_CYCLE, "what it lies in leads in a circle".to_owned(), diagnostics);
        }
        let parent = match export.outer.pointee() {
            Pointee::Export(outer) if !cyclic => entry_of(package, outer).filter(|outer| *outer != id),
            _ => None,
        };
        let class = package.class_name(object);
        let path =
            if cyclic || package.name(export.name).is_none() { name.clone() } else { package.object_path(object) };
        let content = if export.size == 0 { Content::None } else { kind.content(package.has_stack(index)) };
        let entry = Entry {
            id,
            parent: Some(parent.unwrap_or(EntryId::FILE)),
            role: kind.role(&name, package.has_stack(index)),
            name,
            path,
            class: Cow::Owned(class.to_owned()),
            offset: if inside { u64::from(export.offset) } else { 0 },
            size: if inside { u64::from(export.size) } else { 0 },
            content: if inside { content } else { Content::None },
        };
        entries.push((entry, Node::Export(index)));
    }
    let mut added = Vec::new();
    for (entry, node) in &entries {
        let Node::Export(index) = *node else { continue };
        let kind = kinds.get(index).copied().unwrap_or(Kind::Plain);
        if !matches!(kind, Kind::Mesh | Kind::LodMesh | Kind::SkeletalMesh | Kind::Animation) || entry.size == 0 {
            continue;
        }
        for (number, sequence) in sequences(index, kind).into_iter().enumerate() {
            added.push((
                kind,
                entry.id,
                format!("{}/{}", entry.path, sequence.name),
                Node::Sequence(index, number),
                sequence,
            ));
        }
    }
    for (kind, parent, path, node, sequence) in added {
        let id = EntryId(u32::try_from(entries.len().saturating_add(1)).unwrap_or(u32::MAX));
        let (role, class) = match kind {
            Kind::Animation => (Role::Clip, "MotionChunk"),
            _ => (Role::VertexSequence, "MeshAnimSeq"),
        };
        let entry = Entry {
            id,
            parent: Some(parent),
            name: sequence.name,
            path,
            role,
            class: Cow::Borrowed(class),
            offset: sequence.offset,
            size: sequence.size,
            content: Content::Clip,
        };
        entries.push((entry, node));
    }
    Tree { outline: NodeOutline::of(Node::File, Role::File, "Package", size, entries), kinds }
}
