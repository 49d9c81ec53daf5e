//! The bones of an actor of the character pipeline: its table links them by the offsets of their records
//! (formats/charpipe.md §5).

use super::{MOST_ROWS, Place};
use crate::{
    formats::{Document, EntryId, Field, Value},
    ui::widgets::hierarchy_card::{Hierarchy, HierarchyRow, NodeKind},
};
use std::collections::HashMap;

const ALONE: [&str; 2] = ["does not inherit", "It stands in the model's own space: its parent does not move it"];

/// A bone as its fields have it.
struct Bone {
    entry: EntryId,
    name: String,
    next: i64,
    child: i64,
    inherits: bool,
    mesh: Option<i64>,
}

pub fn find(document: &dyn Document, place: Place) -> Option<Hierarchy> {
    let outline = document.outline();
    let actor = outline.get(place.entry)?;
    let mut bones: HashMap<i64, Bone> = HashMap::new();
    let mut order = Vec::new();
    for id in outline.children(place.entry) {
        let Some(entry) = outline.get(*id).filter(|entry| entry.class == "Bone") else { continue };
        let fields = document.fields(*id).ok()?.fields;
        let number = |name: &str| fields.iter().find(|f| f.name == name).and_then(whole);
        let offset = i64::try_from(entry.offset.checked_sub(actor.offset)?).ok()?;
        let bone = Bone {
            entry: *id,
            name: entry.name.clone(),
            next: number("NextSibling").unwrap_or(0),
            child: number("FirstChild").unwrap_or(0),
            inherits: number("Inherits") == Some(1),
            mesh: number("Mesh").filter(|mesh| *mesh != 0xFFFF),
        };
        order.push(offset);
        bones.insert(offset, bone);
    }
    let root = document.fields(place.entry).ok()?.fields.iter().find(|f| f.name == "RootBoneOffset").and_then(whole)?;
    let meshes = meshes_beside(document, place.entry);
    let mut rows = Vec::new();
    // Bones that no link leads to come last, in the table's order; each stands in the tree once.
    let mut stack: Vec<(i64, usize)> = order.into_iter().rev().chain([root]).map(|offset| (offset, 0)).collect();
    while let Some((offset, depth)) = stack.pop() {
        let Some(bone) = bones.remove(&offset) else { continue };
        if rows.len() >= MOST_ROWS {
            break;
        }
        let row = |kind, name, entry: Option<EntryId>, depth, note| {
            let place = entry.map(|entry| Place { entry, ..place });
            HierarchyRow { depth, kind, name, place, note }
        };
        let note = (!bone.inherits && depth > 0).then_some(ALONE);
        rows.push(row(NodeKind::Joint, bone.name, Some(bone.entry), depth, note));
        if let Some(number) = bone.mesh {
            let mesh = usize::try_from(number).ok().and_then(|n| meshes.get(n)).copied();
            let name = mesh.and_then(|id| outline.get(id)).map_or_else(|| format!("mesh {number}"), |e| e.name.clone());
            rows.push(row(NodeKind::Mesh, name, mesh, depth + 1, None));
        }
        stack.push((bone.next, depth));
        stack.push((bone.child, depth + 1));
    }
    (!rows.is_empty()).then_some(Hierarchy { scaling: None, rows })
}

/// The meshes of the palette in the same block.
fn meshes_beside(document: &dyn Document, actor: EntryId) -> Vec<EntryId> {
    let outline = document.outline();
    let is = |id: EntryId, class: &str| outline.get(id).is_some_and(|entry| entry.class == class);
    let beside = outline.get(actor).and_then(|entry| entry.parent).map(|p| outline.children(p)).unwrap_or_default();
    let palette = beside.iter().copied().find(|id| is(*id, "GPL"));
    let parts = palette.map(|id| outline.children(id)).unwrap_or_default();
    parts.iter().copied().filter(|id| is(*id, "Mesh")).collect()
}

fn whole(field: &Field) -> Option<i64> {
    match field.value {
        Value::Int(value) | Value::Enum { value, .. } => Some(value),
        Value::UInt(value) => i64::try_from(value).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Limits, Source},
        formats::{
            Diagnostics, NoFiles, OpenContext,
            charpipe::encode::{Actor, Block, Bone as Made, Geometry, encode_act, encode_block, encode_gpl},
            open,
        },
        ui::state::FileId,
    };
    use std::sync::Arc;

    #[test]
    fn bones_stand_below_their_parents_whatever_the_tables_order() {
        let mut detached = Made::new(7, Some(2), None);
        detached.inherits = false;
        let mut holds = Made::new(5, Some(2), None);
        holds.mesh = Some(3);
        // The root is the third of the table.
        let bones = vec![detached, holds, Made::new(9, None, None), Made::new(4, Some(1), None)];
        let act = encode_act(&Actor { bones, ..Actor::default() });
        let found = |bytes: Vec<u8>, path: &str| {
            let mut diagnostics = Diagnostics::new(50);
            let (file, resolver) = ("x.act", Arc::new(NoFiles));
            let mut cx = OpenContext {
                file,
                resolver,
                diagnostics: &mut diagnostics,
                limits: Limits::default(),
                overrides: &crate::formats::NO_OVERRIDES,
            };
            let document = open(Source::from(bytes), &mut cx).unwrap();
            let entry = if path.is_empty() { EntryId::FILE } else { document.outline().find(path).unwrap().id };
            find(document.as_ref(), Place { file: FileId(1), entry }).unwrap()
        };
        let tree = found(act.clone(), "");
        let rows: Vec<_> =
            tree.rows.iter().map(|r| (r.depth, r.name.as_str(), r.note.is_some(), r.place.is_some())).collect();
        let wanted = [
            (0, "bone 9", false, true),
            (1, "bone 7", true, true),
            (1, "bone 5", false, true),
            (2, "mesh 3", false, false),
            (2, "bone 4", false, true),
        ];
        assert_eq!(rows, wanted);
        let gpl = encode_gpl(&Geometry::default());
        let block = encode_block(&Block { gpl, act, ..Block::default() });
        assert_eq!(found(block, "ACT").rows.len(), 5);
    }
}
