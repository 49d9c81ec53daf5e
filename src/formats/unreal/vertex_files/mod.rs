//! The pair of files that a mesh of moving vertices is imported from (formats/unreal.md §8.8): `NAME_d.3d` with the polygons,
//! `NAME_a.3d` with the frames. Either opens with what the other one has, and with what the script `NAME.uc` says of the mesh.

mod document;
mod half;
mod import_lines;
mod info;
mod layout;
mod pair;
mod textures;

use info::MESH_3D;

use crate::{
    bytes::Source,
    formats::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score, file_name},
};
use half::Half;

/// The format of both files.
pub struct Mesh3dFormat;

impl Format for Mesh3dFormat {
    fn info(&self) -> &'static FormatInfo {
        &MESH_3D
    }

    /// The files have nothing at their start to be known by: other names than those of the format are not taken.
    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        if !MESH_3D.extensions.contains(&hint.extension().as_str()) {
            return Score::No;
        }
        if Half::is_likely(head, file_name::stem(hint.file_name)) { Score::Likely } else { Score::Name }
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        Ok(Box::new(document::Mesh3dDocument::open(source, cx)?))
    }
}
