//! Unreal Engine 1 packages (formats/unreal.md).

mod built_in;
mod class;
mod class_fields;
mod class_list;
pub mod codes;
mod definitions;
mod document;
pub mod encode;
mod file_fields;
mod header;
mod info;
mod kind;
mod map;
mod mesh;
mod object;
mod package;
mod package_file;
mod poly_flags;
mod procedural;
mod properties;
mod property_tag;
mod reach;
mod script;
mod sound;
mod state_frame;
mod t3d;
mod tables;
mod texture;
mod tree;
mod vertex_files;

pub use built_in::BUILT_IN;
pub use info::PAYLOAD;
pub use mesh::VertexMesh;
pub use vertex_files::Mesh3dFormat;

use info::UNREAL;

use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::Source;

/// The formats of the family.
pub(super) static FORMATS: &[&dyn Format] = &[&UnrealFormat, &Mesh3dFormat];

/// Packages of textures, sounds, music, scripts, meshes and maps.
pub struct UnrealFormat;

impl Format for UnrealFormat {
    fn info(&self) -> &'static FormatInfo {
        &UNREAL
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if head.starts_with(&tables::MAGIC.to_le_bytes()) {
            Score::Certain
        } else if UNREAL.extensions.contains(&hint.extension().as_str()) {
            Score::Name
        } else {
            Score::No
        }
    }

    fn reads_parts(&self) -> bool {
        true
    }

    fn states_sizes(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::UnrealDocument::open(source, cx)?))
    }
}
