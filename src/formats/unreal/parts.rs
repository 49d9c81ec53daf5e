//! Which objects are shown within another one: a brush's polygons, the source of a class, the palette of a texture.

use super::{
    class_fields::{behind_header, read_struct_head},
    header::read_header,
    kind::Kind,
    map,
    object::{Fault, ObjectReader},
    package::Package,
    tables::{ObjectRef, Pointee},
    texture,
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// By export, the export that shows it; the first where several do. `kinds` are those of the exports.
pub fn wholes(package: &Arc<Package>, kinds: &[Kind]) -> HashMap<usize, usize> {
    let there: HashSet<Kind> = kinds.iter().copied().collect();
    let mut wholes = HashMap::new();
    for (export, kind) in kinds.iter().enumerate() {
        // Only what some object of the package can be a part of is read.
        let wanted: &[Kind] = match kind {
            Kind::Class => &[Kind::TextBuffer],
            Kind::Texture | Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice | Kind::OtherProcedural => {
                &[Kind::Palette]
            }
            Kind::Font => &[Kind::Texture],
            Kind::Model => &[Kind::Polys],
            Kind::Level => &[Kind::Model],
            _ => continue,
        };
        if !wanted.iter().any(|kind| there.contains(kind)) {
            continue;
        }
        // What cannot be read has no parts.
        for part in parts_of(package, export, *kind).unwrap_or_default() {
            if let Pointee::Export(part) = part.pointee()
                && kinds.get(part).is_some_and(|kind| wanted.contains(kind))
            {
                wholes.entry(part).or_insert(export);
            }
        }
    }
    wholes
}

fn parts_of(package: &Arc<Package>, export: usize, kind: Kind) -> Result<Vec<ObjectRef>, Fault> {
    if kind == Kind::Class {
        return Ok(vec![read_struct_head(&mut behind_header(package, export)?)?.script_text]);
    }
    let mut reader = ObjectReader::of_export(package, export);
    let properties = read_header(&mut reader, export)?.properties;
    Ok(match kind {
        Kind::Font => {
            let pages = texture::read_font(&mut reader, &properties)?.pages;
            pages.into_iter().map(|(texture, _)| texture).collect()
        }
        Kind::Model => vec![map::read_model(&mut reader, &properties)?.polys],
        Kind::Level => vec![map::read_level(&mut reader, &properties)?.model],
        _ => properties.object("Palette").into_iter().collect(),
    })
}
