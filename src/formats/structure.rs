//! What documents made of chunks or sections ask of the structures that those are read into.

use super::{Asset, Content, Field, LoadContext, Role, TextureHeader, findings::Findings};
use crate::{bytes::Source, scene::Material};
use std::{any::Any, ops::Range};

/// What a part of a file (a chunk, a section) was read into.
pub trait Structure: Any + Send + Sync {
    /// For documents, to find a structure of a kind.
    fn as_any(&self) -> &dyn Any;

    /// What of it stands in the tree below its own entry: joints, materials, textures, tracks.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// The fields of one of its parts: all of them mirrored ([`Field::mirrored`]), since the structure's own fields have their bytes.
    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let _ = (source, part);
        Vec::new()
    }

    /// The surface of a part that is a material.
    fn surface(&self, part: usize) -> Option<Material> {
        let _ = part;
        None
    }

    /// The header of a part that is a texture.
    fn texture_header(&self, part: usize) -> Option<TextureHeader> {
        let _ = part;
        None
    }

    /// What a part shows as: an error in words where that cannot be made.
    fn load_part(
        &self,
        source: &Source,
        part: usize,
        cx: &mut LoadContext<'_>,
        findings: &mut Findings,
    ) -> Result<Asset, String> {
        let _ = (source, part, cx, findings);
        Err("this entry cannot be shown".to_owned())
    }
}

/// Something of a structure with an entry of its own.
#[derive(Clone, Debug)]
pub struct Part {
    /// Name in the tree.
    pub name: String,
    /// Kind of the part's entry.
    pub role: Role,
    /// `Joint`, `Material`, `Texture`.
    pub class: &'static str,
    /// Bytes of the part, from the start of the source.
    pub range: Range<u64>,
    /// Form in which the part can be shown.
    pub content: Content,
}
