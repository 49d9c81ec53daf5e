//! What a file as a whole shows as.

use super::{
    anim::{self, Animation},
    chunk::Findings,
    chunk_file::ChunkFile,
    file::Shows,
    geometry, surfaces,
};
use crate::formats::{Asset, LoadContext};
use std::sync::Arc;

/// The file's model or clip; an error in words where there is none.
pub fn load(document: &ChunkFile, cx: &mut LoadContext<'_>, findings: &mut Findings) -> Result<Asset, String> {
    match document.kind.shows {
        Shows::SurfaceClip if document.kind.info.id == "bmt" => surfaces::material_set(document, cx, findings),
        Shows::Model => {
            let (materials, textures) = surfaces::materials(document, cx, findings);
            let stem = cx.stem();
            let mut model = geometry::model(document, stem, materials, findings)?;
            model.images = surfaces::images(&textures);
            model.textures = textures;
            Ok(Asset::Model(Arc::new(model)))
        }
        Shows::Clip | Shows::SurfaceClip => match document.chunk::<Animation>() {
            Some(animation) => Ok(Asset::Clip(Arc::new(anim::load(document, animation, cx, findings)))),
            None => Err("the file has no readable animation".to_owned()),
        },
    }
}
