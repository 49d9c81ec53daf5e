//! A mesh of moving vertices as the files that the Unreal editor imports it from (formats/unreal.md §8.8): `NAME_d.3d` with its
//! polygons, `NAME_a.3d` with its frames, `NAME.uc` with the lines that import them, and a BMP for each texture.

mod bmp;
mod import_lines;

use super::ExportError;
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::{
    formats::{
        file_name,
        unreal::{
            VertexMesh,
            encode::{MAX_COUNT, encode_mesh_data, encode_mesh_frames, frame_bytes},
        },
    },
    scene::{Image, Model},
};
use bmp::{Texture, textures};
use rayon::prelude::*;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// What the names of the files begin with: a name without its ending and without what tells the two files of a pair apart.
pub fn stem_of(target: &Path) -> String {
    let stem = target.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    file_name::stem_of_pair(&stem).unwrap_or(&stem).to_owned()
}

/// The file that comes first of those that an export to `target` writes, whatever of their names it is.
pub fn first_file(target: &Path) -> PathBuf {
    target.with_file_name(data_name(&stem_of(target)))
}

fn data_name(stem: &str) -> String {
    format!("{stem}_d.3d")
}

/// Bytes of the files, about.
pub fn size(mesh: &VertexMesh, model: &Model) -> u64 {
    let frames = frame_bytes(&mesh.vertices, mesh.frame_vertices) as u64 * mesh.frames as u64;
    let pictures = model.images.iter().map(|image| u64::from(image.width) * u64::from(image.height) + 2048);
    pictures.fold(frames + mesh.polygons.len() as u64 * 16, u64::saturating_add)
}

/// The files with their names, the polygons first. `model` has the pictures of the textures.
///
/// # Errors
/// When the mesh is larger than the files can count, or has no frames.
pub fn files(
    mesh: &VertexMesh,
    model: &Model,
    stem: &str,
    notes: &mut Notes,
) -> Result<Vec<(String, Vec<u8>)>, ExportError> {
    let frame_size = frame_bytes(&mesh.vertices, mesh.frame_vertices);
    for (what, count) in [("polygons", mesh.polygons.len()), ("frames", mesh.frames), ("bytes per frame", frame_size)] {
        if count > MAX_COUNT {
            let name = &mesh.name;
            return Err(ExportError::Unsupported(format!(
                "the format is limited to 65,535 {what}, but “{name}” has {count}"
            )));
        }
    }
    if mesh.frames == 0 {
        return Err(ExportError::Unsupported(format!("“{}” has no complete vertex frame", mesh.name)));
    }
    let count = mesh.frame_vertices as u16;
    let textures = textures(mesh, model, stem);
    note(mesh, &textures, notes);
    let mut files = vec![
        (data_name(stem), encode_mesh_data(&mesh.polygons, count)),
        (format!("{stem}_a.3d"), encode_mesh_frames(&mesh.vertices, count)),
        (format!("{stem}.uc"), import_lines::text(mesh, stem, &textures).into_bytes()),
    ];
    // Slots may share a texture.
    let mut seen = HashSet::new();
    let pictures = textures.iter().filter_map(|texture| texture.picture.as_ref());
    let pictures: Vec<&(String, &Image)> = pictures.filter(|(file, _)| seen.insert(file.as_str())).collect();
    let encoded: Result<Vec<(&str, bmp::Bmp)>, ExportError> =
        pictures.into_par_iter().map(|(file, image)| Ok((file.as_str(), bmp::encode(image)?))).collect();
    let encoded = encoded?;
    let reduced = encoded.iter().filter(|(_, bmp)| bmp.is_reduced).count();
    if reduced > 0 {
        notes.push(format!("{} reduced to the 256 colours that the editor imports", counted(reduced, "texture")));
    }
    files.extend(encoded.into_iter().map(|(name, bmp)| (name.to_owned(), bmp.bytes)));
    Ok(files)
}

/// What the files cannot hold.
fn note(mesh: &VertexMesh, textures: &[Texture<'_>], notes: &mut Notes) {
    if mesh.changed > 0 {
        notes.push(format!(
            "{} with unsupported flags or texture slots exported with the closest supported ones",
            counted(mesh.changed, "polygon")
        ));
    }
    if mesh.left_out > 0 {
        notes.push(format!("{} omitted: missing vertices", counted(mesh.left_out, "polygon")));
    }
    if mesh.has_levels {
        notes.push("levels of detail are omitted: the editor creates them".to_owned());
    }
    let elsewhere: Vec<&str> = textures.iter().filter(|t| t.picture.is_none()).map(|t| t.name.as_str()).collect();
    if !elsewhere.is_empty() {
        notes.push(format!("textures not found and omitted: {}", elsewhere.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::unreal::encode::{FilePolygon, Vertices};

    #[test]
    fn a_target_may_be_called_like_either_file_or_like_both() {
        for name in ["Flag.3d", "Flag_a.3d", "Flag_D.3D", "Flag"] {
            assert_eq!(first_file(&Path::new("out").join(name)), Path::new("out/Flag_d.3d"), "{name}");
        }
    }

    #[test]
    fn meshes_that_are_too_large_for_the_files_are_refused() {
        let polygons = vec![FilePolygon::default(); 65_536];
        let whole = VertexMesh { frames: 1, frame_vertices: 3, ..VertexMesh::default() };
        let refused = |mesh: VertexMesh| {
            let made = files(&mesh, &Model::empty("m"), "m", &mut Notes::default());
            made.unwrap_err().to_string()
        };
        assert!(refused(VertexMesh { polygons, ..whole.clone() }).contains("65,535 polygons"));
        assert!(refused(VertexMesh { frames: 65_536, ..whole.clone() }).contains("65,535 frames"));
        assert!(refused(VertexMesh { frame_vertices: 16_384, ..whole.clone() }).contains("has 65536"));
        let wide = Vertices::Wide(Vec::new());
        assert!(refused(VertexMesh { frame_vertices: 8_192, vertices: wide, ..whole.clone() }).contains("has 65536"));
        assert!(refused(VertexMesh { frames: 0, ..whole }).contains("no complete vertex frame"));
    }
}
