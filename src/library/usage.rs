//! What refers to an entry: the way back along references.

use super::OpenFile;
use crate::{
    bytes::Cancel,
    formats::{Children, Document, EntryId, Field, Reference, Role, Value},
};
use std::{path::Path, sync::Arc};

/// Fields that are looked at in one table; references in the rows after these are not found.
const MAX_ROWS: usize = 20_000;
/// Uses that are listed.
const MAX_USES: usize = 1_000;

/// A field that refers to the entry that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Into the files that were searched.
    pub file: usize,
    /// The entry that has the field.
    pub entry: EntryId,
    /// Names of the fields on the way to it, joined by dots; the slot of a material.
    pub field: String,
}

/// Every field of `files` that refers to entry `entry` of the file `of`, which is one of them, and every material that has it as
/// a texture. Blocks: call it on a worker.
pub fn uses_of(files: &[Arc<OpenFile>], of: usize, entry: EntryId, cancel: &Cancel) -> Vec<Use> {
    let Some(target) = files.get(of) else { return Vec::new() };
    let is_texture = target.entry(entry).is_some_and(|e| e.role == Role::Texture);
    let mut uses = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let leads_here = |reference: &Reference| match reference.entry {
            Some(found) => index == of && found == entry,
            // Only a name that ends like the entry's can lead to it: following is the slow part.
            None => {
                index != of
                    && reference.external.is_some()
                    && target.entry(entry).is_some_and(|e| ends_with(&reference.path, &e.name))
                    && file
                        .document
                        .ask(EntryId::FILE, |can, _| can.links?.follow(reference))
                        .is_some_and(|found| found.entry == entry && same_file(&found.file, &target.path))
            }
        };
        for candidate in file.document.outline().entries() {
            if cancel.is_cancelled() || uses.len() >= MAX_USES {
                return uses;
            }
            if candidate.id == EntryId::FILE || (index == of && candidate.id == entry) {
                continue;
            }
            let mut found = (is_texture && index == of && candidate.role == Role::Material)
                .then(|| slot_with(&*file.document, candidate.id, entry))
                .flatten();
            if found.is_none()
                && let Ok(tree) = file.document.fields(candidate.id)
            {
                search(&tree.fields, &leads_here, &mut found);
            }
            if let Some(field) = found {
                uses.push(Use { file: index, entry: candidate.id, field });
            }
        }
    }
    uses
}

/// The texture slot of a material that has a texture, where materials name textures by number and not by a reference.
fn slot_with(document: &dyn Document, material: EntryId, texture: EntryId) -> Option<String> {
    let surface = document.ask(material, |can, entry| can.facts?.surface(entry))?;
    let slots = &surface.material.tev()?.textures;
    let is_it = |number: &Option<u32>| number.and_then(|n| surface.textures.get(n as usize)) == Some(&texture);
    slots.iter().position(is_it).map(|slot| format!("Texture {slot}"))
}

fn ends_with(path: &str, name: &str) -> bool {
    path.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(name))
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || crate::files::canonicalize(a).ok().zip(crate::files::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
}

/// The first field that leads there, an explicit stack deep.
fn search(fields: &[Field], leads_here: &impl Fn(&Reference) -> bool, found: &mut Option<String>) {
    let mut stack: Vec<(Field, String)> = fields.iter().rev().map(|f| (f.clone(), String::new())).collect();
    while let Some((field, parents)) = stack.pop() {
        // What the tables say of an entry is shown with it, and is no use of it by itself but for its class and super.
        let path = if parents.is_empty() { field.name.to_string() } else { format!("{parents}.{}", field.name) };
        if let Value::Reference(reference) = &field.value
            && leads_here(reference)
        {
            *found = Some(path);
            return;
        }
        match &field.children {
            Children::None => {}
            Children::Fields(inside) => stack.extend(inside.iter().rev().map(|f| (f.clone(), path.clone()))),
            Children::Table(table) => {
                let rows = (0..table.len().min(MAX_ROWS)).rev().filter_map(|row| table.row(row));
                stack.extend(rows.map(|f| (f, path.clone())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OpenOptions;

    /// Entries and fields that use a texture, as text.
    fn uses(file: &str, texture: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
        let file = Arc::new(OpenOptions::new().open(path).unwrap());
        let entry = file.document.outline().find(texture).unwrap().id;
        let found = uses_of(std::slice::from_ref(&file), 0, entry, Cancel::never());
        found.iter().map(|used| format!("{}: {}", file.entry(used.entry).unwrap().path(), used.field)).collect()
    }

    #[test]
    fn a_texture_is_used_by_the_materials_that_count_it() {
        let in_file = uses("j3d/arm_maya.bmd", "TEX1/grad");
        assert!(in_file.contains(&"MAT3/mat_body: Texture 0".to_owned()), "{in_file:?}");
        let in_archive = uses("archive/arm.szs", "arm.arc/bmd/arm.bmd/TEX1/grad");
        let expected = "arm.arc/bmd/arm.bmd/MAT3/mat_body: Texture 0".to_owned();
        assert!(in_archive.contains(&expected), "{in_archive:?}");
        let of_block = uses("charpipe/arm_full.model", "TEX/texture 1");
        assert!(of_block.iter().any(|used| used.contains("material") && used.contains(": Texture ")), "{of_block:?}");
    }
}
