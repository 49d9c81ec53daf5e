//! What a file's surfaces look like: its materials and textures for the scene, and those of a material set (formats/j3d.md §5.7).

use super::{chunk::Findings, chunk_file::ChunkFile, file::Shows, mat3::Mat3, tex1::Tex1};
use crate::{
    formats::{Asset, LoadContext},
    scene::{
        Clip, Image, Material,
        gx::{MaterialSet, Texture},
    },
};
use std::sync::Arc;

/// Materials in the order of the file, and textures in that of TEX1. Either is empty where its chunk is missing.
pub fn materials(
    document: &ChunkFile,
    cx: &LoadContext<'_>,
    findings: &mut Findings,
) -> (Vec<Material>, Vec<Arc<Texture>>) {
    let tex1 = document.chunk::<Tex1>();
    let textures = tex1.map(|tex1| tex1.textures(&document.source, cx, findings)).unwrap_or_default();
    // A material set without textures speaks of the model's.
    let none = (document.kind.shows == Shows::Model).then_some(0);
    let count = tex1.map(|tex1| tex1.textures.len()).or(none);
    let materials = document.chunk::<Mat3>().map(|mat3| mat3.materials(count)).unwrap_or_default();
    (materials, textures)
}

/// The largest image of each texture; a white pixel for one without any.
pub fn images(textures: &[Arc<Texture>]) -> Vec<Arc<Image>> {
    let white = |name: &str| Image {
        name: name.to_owned(),
        width: 1,
        height: 1,
        rgba: [0xFF; 4].as_slice().into(),
        stored_as: "none".to_owned(),
    };
    textures.iter().map(|t| t.mips.first().cloned().unwrap_or_else(|| Arc::new(white(&t.name)))).collect()
}

/// A BMT as a clip of one frame that puts its materials and textures in the places of a model's.
pub fn material_set(document: &ChunkFile, cx: &LoadContext<'_>, findings: &mut Findings) -> Result<Asset, String> {
    let (materials, textures) = materials(document, cx, findings);
    let has_textures = document.chunk::<Tex1>().is_some();
    if materials.is_empty() && !has_textures {
        return Err("the file has no materials or textures".to_owned());
    }
    let stem = cx.stem();
    Ok(Asset::Clip(Arc::new(Clip {
        name: stem.to_owned(),
        frame_count: 1,
        rate_hz: 30.0,
        rate_is_assumed: true,
        material_set: Some(Arc::new(MaterialSet { materials, textures: has_textures.then_some(textures) })),
        ..Clip::default()
    })))
}
