//! What Bonebox promises of whatever it opens, however damaged: findings with known codes that say where, an outline that is a
//! tree over the file's bytes, fields inside their file, and models that can be drawn as they are.

use bonebox::{
    formats::{Children, Diagnostic, Document, Entry, EntryId, FORMATS, Field, OpenError, ReadError, common_codes},
    scene::{Frame, Mesh, Model, skinning},
};

/// An error names the file and says something.
pub fn check_refusal(name: &str, error: &OpenError) {
    assert_eq!(error.file, name, "{error}");
    assert!(error.message.len() > 8, "{error}");
}

/// Every finding has a code that some format lists, is about an entry that exists and a place within its bytes, and says something.
pub fn check_findings(document: &dyn Document, findings: &[Diagnostic]) {
    let common =
        [&common_codes::MORE, &common_codes::MISSING_FILE, &common_codes::BAD_PICTURE, &common_codes::LINE_ENDS];
    for finding in findings {
        let codes = FORMATS.iter().flat_map(|f| f.info().codes);
        let code = codes.chain(&common).find(|code| code.id == finding.code);
        assert!(code.is_some(), "a code that no format lists: {finding:?}");
        assert!(finding.message.len() > 8, "{finding:?}");
        let entry = finding.entry.map(|id| document.outline().get(id));
        assert!(entry.is_none_or(|entry| entry.is_some()), "about an entry that is not there: {finding:?}");
        let size = document.source_of(finding.entry.unwrap_or(EntryId::FILE)).len() as u64;
        assert!(finding.offset.is_none_or(|offset| offset <= size), "beyond {size} bytes: {finding:?}");
    }
}

/// Every entry has its own number, a parent that is there, and bytes that are.
pub fn check_entry(document: &dyn Document, index: usize, entry: &Entry) {
    assert_eq!(entry.id.0 as usize, index, "{entry:?}");
    let parent = entry.parent.map(|id| document.outline().get(id));
    assert!(parent.is_none_or(|parent| parent.is_some()), "{entry:?}");
    let (end, size) = (entry.offset.checked_add(entry.size), document.source_of(entry.id).len() as u64);
    assert!(end.is_some_and(|end| end <= size), "beyond {size} bytes: {entry:?}");
}

/// What cannot be read names its entry and says something.
pub fn check_unread(entry: &Entry, error: &ReadError) {
    assert!(
        !error.message.is_empty() && (error.entry == entry.path() || !error.entry.is_empty()),
        "{entry:?}: {error:?}"
    );
}

/// Counts a field and what is below it, every row of every table. Those that have bytes have them inside their container.
pub fn count_fields(field: &Field, size: u64) -> usize {
    let end = field.offset.checked_add(field.size);
    assert!(field.size == 0 || end.is_some_and(|end| end <= size), "outside of {size} bytes: {field:?}");
    1 + match &field.children {
        Children::None => 0,
        Children::Fields(fields) => fields.iter().map(|field| count_fields(field, size)).sum(),
        Children::Table(table) => {
            (0..table.len()).filter_map(|i| table.row(i)).map(|row| count_fields(&row, size)).sum()
        }
    }
}

/// Every index leads to something.
pub fn check_model(model: &Model) {
    let joints = model.skeleton.as_ref().map_or(0, |skeleton| skeleton.joints().len());
    if let Some(skeleton) = &model.skeleton {
        for joint in skeleton.joints() {
            assert!(joint.parent.is_none_or(|parent| (parent as usize) < joints), "{joint:?} of {joints}");
        }
    }
    for mesh in &model.meshes {
        check_mesh(model, mesh, joints);
    }
    for mesh in &model.draw_order {
        assert!((*mesh as usize) < model.meshes.len(), "mesh {mesh} is drawn of {}", model.meshes.len());
    }
}

fn check_mesh(model: &Model, mesh: &Mesh, joints: usize) {
    let (points, vertices) = (mesh.points.len(), mesh.vertex_points.len());
    let name = &mesh.name;
    assert!(mesh.indices.iter().all(|vertex| (*vertex as usize) < vertices), "{name}: a corner without a vertex");
    assert!(mesh.uv_sets.iter().all(|set| set.is_empty() || set.len() == vertices), "{name}");
    for (kind, count) in
        [("normals", mesh.normals.len()), ("colours", mesh.colors.len()), ("tangents", mesh.tangents.len())]
    {
        assert!(count == 0 || count == vertices, "{name}: {count} {kind} of {vertices} vertices");
    }
    for surface in &mesh.surfaces {
        let end = surface.first_index as usize + surface.index_count as usize;
        assert!(end <= mesh.indices.len() && surface.index_count % 3 == 0, "{name}: {surface:?}");
        assert!((surface.material as usize) < model.materials.len(), "{name}: {surface:?}");
    }
    if let Some(skin) = &mesh.skin {
        let movers = model.skeleton.as_ref().map_or(0, |s| s.draw_matrices.len()).max(joints);
        for run in &skin.runs {
            let end = run.first as usize + run.count as usize;
            assert!(end <= skin.influences.len(), "{name}: {run:?} of {}", skin.influences.len());
        }
        assert!(skin.influences.iter().all(|i| (i.joint as usize) < movers), "{name}: an influence of no joint");
        assert!(skin.sources.is_empty() || skin.sources.len() == skin.influences.len(), "{name}");
    }
    for morph in &mesh.morphs {
        assert!(morph.deltas.iter().all(|delta| (delta.point as usize) < points), "{name}: {}", morph.name);
    }
}

/// A pose has as many joints as the model and moves as many points and normals as the mesh has.
pub fn check_pose(model: &Model, frame: &Frame) {
    let joints = model.skeleton.as_ref().map_or(0, |skeleton| skeleton.joints().len());
    assert_eq!(frame.world_from_joint.len(), joints);
    for mesh in &model.meshes {
        assert_eq!(skinning::skinned_points(model, mesh, frame).len(), mesh.points.len(), "{}", mesh.name);
        assert_eq!(skinning::skinned_normals(model, mesh, frame).len(), mesh.normals.len(), "{}", mesh.name);
    }
}

/// The bytes of a GLB file are as many as its header says, and so are those of its two chunks.
pub fn check_glb(bytes: &[u8]) {
    let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    assert!(bytes.starts_with(b"glTF\x02\0\0\0"), "no GLB file of version 2");
    assert_eq!(word(8), Some(bytes.len()), "the length of the file");
    let mut at = 12;
    for tag in [b"JSON", b"BIN\0"] {
        // Without a buffer there is no second chunk.
        if at == bytes.len() && tag != b"JSON" {
            break;
        }
        assert_eq!(bytes.get(at + 4..at + 8), Some(&tag[..]), "the chunk at {at}");
        at += 8 + word(at).expect("the length of a chunk");
        assert!(at % 4 == 0 && at <= bytes.len(), "a chunk ends at {at} of {}", bytes.len());
    }
    assert_eq!(at, bytes.len(), "the end of the chunks");
}
