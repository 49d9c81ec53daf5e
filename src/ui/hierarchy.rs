//! The hierarchy of the model file whose chunk is selected, with the names of what it puts in order.

mod actor;

use super::{
    state::Place,
    widgets::hierarchy_card::{Hierarchy, HierarchyRow, NodeKind},
};
use crate::formats::{Children, Document, EntryId, Field, Value};

/// The hierarchy that was selected last, read once.
#[derive(Default)]
pub struct SelectedHierarchy {
    place: Option<Place>,
    found: Option<Hierarchy>,
}

impl SelectedHierarchy {
    /// The tree in the chunk that `place` is.
    pub fn card(&mut self, document: &dyn Document, place: Place) -> Option<&Hierarchy> {
        if self.place != Some(place) {
            self.place = Some(place);
            self.found = find(document, place);
        }
        self.found.as_ref()
    }
}

const COMPENSATES: [&str; 2] = ["compensates", "Its parent's own scale does not reach it (Maya's rule)"];
/// Rows that are made at most.
const MOST_ROWS: usize = 10_000;

fn find(document: &dyn Document, place: Place) -> Option<Hierarchy> {
    match document.outline().get(place.entry).map(|entry| &*entry.class) {
        Some("INF1") => find_inf1(document, place),
        Some("ACT") => actor::find(document, place),
        _ => None,
    }
}

fn find_inf1(document: &dyn Document, place: Place) -> Option<Hierarchy> {
    let outline = document.outline();
    let entry = outline.get(place.entry)?;
    let siblings = outline.children(entry.parent?);
    let parts = |class: &str| -> &[EntryId] {
        let chunk = siblings.iter().find(|id| outline.get(**id).is_some_and(|e| e.class == class));
        chunk.map(|id| outline.children(*id)).unwrap_or_default()
    };
    let (joints, materials, shapes) = (parts("JNT1"), parts("MAT3"), parts("SHP1"));
    let materials = if materials.is_empty() { parts("MAT2") } else { materials };
    let tree = document.fields(place.entry).ok()?;
    let field = |name: &str| tree.fields.iter().find(|f| f.name == name);
    let scaling = match field("Flags").map(|f| &f.value) {
        Some(Value::Enum { name, .. }) => name.trim_start_matches("scaling ").to_owned(),
        _ => "unknown".to_owned(),
    };
    let mut rows = Vec::new();
    // An explicit stack: nesting comes from the file.
    let mut stack: Vec<(&Field, usize)> = nested(field("Hierarchy")?).iter().rev().map(|f| (f, 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        let kind = match &*node.name {
            "Joint" => Some((NodeKind::Joint, joints)),
            "Material" => Some((NodeKind::Material, materials)),
            "Shape" => Some((NodeKind::Shape, shapes)),
            _ => None,
        };
        if let Some((kind, entries)) = kind {
            if rows.len() >= MOST_ROWS {
                break;
            }
            rows.push(row(document, place, node, kind, entries, depth));
        }
        let inside = depth + usize::from(kind.is_some());
        stack.extend(nested(node).iter().rev().map(|f| (f, inside)));
    }
    Some(Hierarchy { scaling: Some(scaling), rows })
}

fn nested(field: &Field) -> &[Field] {
    match &field.children {
        Children::Fields(fields) => fields,
        _ => &[],
    }
}

fn row(
    document: &dyn Document,
    place: Place,
    node: &Field,
    kind: NodeKind,
    entries: &[EntryId],
    depth: usize,
) -> HierarchyRow {
    let number = match node.value {
        Value::UInt(number) => number as usize,
        _ => usize::MAX,
    };
    let entry = entries.get(number).and_then(|id| document.outline().get(*id));
    let name = entry.map_or_else(|| format!("{} {number}", node.name.to_lowercase()), |entry| entry.name.clone());
    let compensates = || {
        let fields = document.fields(entry?.id).ok()?.fields;
        let flag = fields.into_iter().find(|f| f.name == "ScaleCompensate")?;
        Some(matches!(flag.value, Value::Enum { value: 1, .. } | Value::Int(1) | Value::UInt(1)))
    };
    HierarchyRow {
        depth,
        kind,
        name,
        place: entry.map(|entry| Place { entry: entry.id, ..place }),
        note: (kind == NodeKind::Joint && compensates().unwrap_or(false)).then_some(COMPENSATES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Limits, Source},
        formats::{Diagnostics, NoFiles, OpenContext, open},
        ui::state::FileId,
    };
    use std::sync::Arc;

    #[test]
    fn joints_are_named_in_their_order_and_say_whether_they_compensate() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/ScalingRules.arc");
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = OpenContext {
            file: "ScalingRules.arc",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            overrides: &crate::formats::NO_OVERRIDES,
        };
        let document = open(Source::from(std::fs::read(path).unwrap()), &mut cx).unwrap();
        let tree = |path: &str| {
            let entry = document.outline().find(path).unwrap().id;
            find(document.as_ref(), Place { file: FileId(1), entry })
        };
        let maya = tree("bmd/maya.bmd/INF1").unwrap();
        assert_eq!(
            (maya.scaling.as_deref(), tree("bmd/softimage.bmd/INF1").unwrap().scaling.as_deref()),
            (Some("Maya"), Some("SoftImage"))
        );
        let rows: Vec<_> = maya.rows.iter().map(|r| (r.depth, r.kind, r.name.as_str(), r.note.is_some())).collect();
        let start = [
            (0, NodeKind::Joint, "Root", false),
            (1, NodeKind::Material, "Skin", false),
            (2, NodeKind::Shape, "Shape 0", false),
            (1, NodeKind::Joint, "Arm1", true),
            (2, NodeKind::Joint, "Arm2", true),
        ];
        assert_eq!(rows[..5], start);
        assert!(maya.rows.iter().all(|row| row.place.is_some()));
        assert!(tree("bmd/maya.bmd/JNT1").is_none());
    }
}
