//! Landscapes: the ground as one mesh, models or boxes for what stands on it.

use super::{Glb, GlbOptions, Output, buffers::Builder, container, nodes, terrain_ground, terrain_props};
use crate::{
    export::{
        ExportError, ExportJob,
        terrain::{Ground, note_left_out},
    },
    scene::Terrain,
};
use gltf_json::{self as json, Index};

/// [`terrain_glb_with`] as most want it: a node for each object.
///
/// # Errors
/// As [`terrain_glb_with`].
pub fn terrain_glb(
    terrain: &Terrain,
    step: Option<u32>,
    output: impl Into<Output>,
    job: &ExportJob<'_>,
) -> Result<Glb, ExportError> {
    terrain_glb_with(terrain, step, &GlbOptions::default(), output, job)
}

/// Writes a landscape as GLB: its ground with a vertex every `step` samples, the edges kept, and its props, each as a node with the
/// model of its type, or a box where none was found; or those of a type as one node. The sea is no mesh: where it stands is in the ground's `extras`.
///
/// # Errors
/// When the file would be larger than `buffers::MAX_BYTES`, a picture cannot be encoded, or the export is cancelled.
pub fn terrain_glb_with(
    terrain: &Terrain,
    step: Option<u32>,
    options: &GlbOptions,
    output: impl Into<Output>,
    job: &ExportJob<'_>,
) -> Result<Glb, ExportError> {
    let mut builder = Builder::new(output);
    builder.texture_size = options.texture_size;
    let mut roots = Vec::new();
    match Ground::of(&terrain.grid) {
        Some(ground) => {
            ground.note(&mut builder.notes);
            roots.extend(terrain_ground::write(&mut builder, terrain, &ground, step, job)?);
        }
        None => builder.note("the heights are missing: the ground is omitted".to_owned()),
    }
    if let Some(props) = terrain_props::write(&mut builder, terrain, options.instances, job)? {
        roots.push(nodes::group(&mut builder, "Objects", props));
    }
    note_left_out(terrain, &mut builder.notes);
    if !roots.is_empty() {
        let name = (!terrain.name.is_empty()).then(|| terrain.name.clone());
        builder.root.scenes.push(json::Scene { extensions: None, extras: None, name, nodes: roots });
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder, options.names)
}
