//! How large exports become, worked out from what they are made of: what is counted is about as much as is written.

use super::{
    ExportError, ExportFormat, ExportJob, Notes,
    bounded::Bounded,
    map_model::is_written,
    terrain::{self, TerrainExport},
};
use crate::{
    formats::Asset,
    scene::{Image, Map, Mesh, Model, Terrain},
};
use std::io;

fn of_meshes_by(model: &Model, of_mesh: impl Fn(&Mesh) -> u64) -> u64 {
    model.meshes.iter().map(of_mesh).fold(0, u64::saturating_add)
}

/// The meshes of a model in binary: vertices, triangles, influences.
pub fn of_meshes(model: &Model) -> u64 {
    of_meshes_by(model, |mesh| {
        let a_vertex = 24 + 8 * mesh.uv_sets.len() + if mesh.colors.is_empty() { 0 } else { 8 };
        let influences = mesh.skin.as_ref().map_or(0, |skin| skin.influences.len());
        let deltas = mesh.morphs.iter().map(|morph| morph.deltas.len()).sum::<usize>();
        let bytes = mesh.vertex_points.len() * a_vertex
            + (mesh.indices.len() + mesh.lines.len() * 2) * 4
            + influences * 12
            + deltas * 24;
        bytes as u64
    })
}

/// The same as text: a line for each position, coordinate, normal and triangle.
pub fn of_obj(model: &Model) -> u64 {
    of_meshes_by(model, |mesh| {
        let vertices = mesh.vertex_points.len();
        (mesh.points.len() * 32 + vertices * 56 + mesh.indices.len() / 3 * 32) as u64
    })
}

/// A level as text, with everything in its place.
pub fn of_placed(map: &Map) -> u64 {
    let drawn = map.items.iter().filter(|item| is_written(item));
    drawn.filter_map(|item| map.models.get(item.model as usize)).map(|model| of_obj(model)).fold(0, u64::saturating_add)
}

/// A landscape as one model of text: its ground with a vertex every `step` samples, and its objects in their places.
pub fn of_whole(terrain: &Terrain, step: Option<u32>) -> u64 {
    let [vertices, triangles] = terrain::whole_size(terrain, step);
    vertices.saturating_mul(88).saturating_add(triangles.saturating_mul(32))
}

/// The pixels of what is a picture.
pub fn of_pictures(asset: &Asset, all_mips: bool) -> u64 {
    let pixels = |image: &Image, channels: u64| u64::from(image.width) * u64::from(image.height) * channels;
    match asset {
        Asset::Image(image) => pixels(image, 4),
        Asset::Picture(picture) => {
            let Some(form) = picture.form() else { return 0 };
            let channels = if picture.uses_alpha(form) { 4 } else { 3 };
            let count = if all_mips { form.mips.len() } else { 1 };
            form.mips.iter().take(count).map(|mip| pixels(mip, channels)).fold(0, u64::saturating_add)
        }
        Asset::Font(font) => {
            let pages = font.pages.iter().filter_map(|page| page.image.as_ref());
            pages.map(|image| pixels(image, 4)).fold(0, u64::saturating_add)
        }
        _ => 0,
    }
}

/// A landscape in one of its own formats. Rows of heights are counted; lists of objects, whose names may be of any length, are
/// written to nowhere.
pub fn of_terrain(
    terrain: &Terrain,
    format: ExportFormat,
    options: TerrainExport,
    job: &ExportJob<'_>,
) -> Result<u64, ExportError> {
    let samples = terrain.grid.heights.len() as u64;
    let a_sample = match format {
        ExportFormat::Png16 => 2,
        ExportFormat::Tiff => 4,
        ExportFormat::Asc => 8,
        ExportFormat::Xyz => 24,
        _ => {
            let quiet = ExportJob { progress: &|_, _, _| {}, ..*job };
            let mut nowhere = Bounded::new(io::Cursor::new(Vec::new()), 0);
            let written = terrain::write(terrain, format, options, &quiet, &mut Notes::default(), &mut nowhere);
            job.check()?;
            written.map_err(|error| ExportError::Unsupported(error.to_string()))?;
            return Ok(nowhere.wanted());
        }
    };
    Ok(samples.saturating_mul(a_sample))
}
