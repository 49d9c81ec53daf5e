//! What a file as a whole shows as.

use super::{J3dDocument, chunk::Findings, file::Shows, surfaces};
use crate::formats::{Asset, LoadContext};

/// The file's model or clip; an error in words where there is none.
pub fn load(document: &J3dDocument, cx: &mut LoadContext<'_>, findings: &mut Findings) -> Result<Asset, String> {
    match document.kind().shows {
        Shows::Clip if document.kind().info.id == "bmt" => surfaces::material_set(document, cx, findings),
        Shows::Model => Err("models are not drawn yet".to_owned()),
        Shows::Clip => Err("animations are not played yet".to_owned()),
    }
}
