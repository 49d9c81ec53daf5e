//! Models with their clips as binary glTF 2.0.
//!
//! Everything a model has goes in: every influence of the skin, every clip with its own keys, morphs, sockets, all texture
//! coordinate sets, vertex colours, pictures as PNG. Scene space is glTF space, so that no number is turned on the way. The
//! same input gives the same bytes.

mod animation;
mod bound_clip;
mod buffers;
mod container;
mod frames;
mod map;
mod material;
mod mesh;
mod nodes;
mod resolved;
mod skin;
mod terrain;
mod terrain_ground;
mod terrain_props;

pub use bound_clip::BoundClip;
pub use container::Glb;
pub use map::map_glb;
pub use terrain::{USUAL_TRIANGLES, terrain_glb, usual_step};
pub use terrain_props::MAX_PROPS;

use super::ExportError;
use crate::scene::{Binding, Clip, Model};
use buffers::Builder;
use frames::FrameTargets;
use gltf_json as json;
use json::Index;

/// Writes a model with clips as GLB.
///
/// A model without meshes becomes its skeleton with the clips; one without a skeleton a static mesh.
///
/// # Errors
/// When the file would be larger than `buffers::MAX_BYTES`, or a picture cannot be encoded.
pub fn glb(model: &Model, clips: &[BoundClip<'_>]) -> Result<Glb, ExportError> {
    glb_sampled(model, clips, None)
}

/// [`glb`]; clips that glTF cannot hold as they are become samples at this rate, or at their own.
///
/// # Errors
/// As [`glb`].
pub fn glb_sampled(model: &Model, clips: &[BoundClip<'_>], rate_hz: Option<f32>) -> Result<Glb, ExportError> {
    let mut builder = Builder::new();
    let mut notes = Vec::new();
    let resolved = resolved::resolved(model, &mut notes);
    if model.materials.iter().any(|material| material.tev().is_some()) {
        notes.push("materials are more than glTF can say: each is written as one texture, lit or not".to_owned());
    }
    notes.extend(resolved.meshes.iter().filter_map(skin::note_of_sources));
    notes.into_iter().for_each(|note| builder.note(note));
    let sampled: Vec<Option<(Clip, Binding)>> =
        clips.iter().map(|clip| resolved::sampled(model, clip, rate_hz)).collect();
    let clips: Vec<BoundClip<'_>> = clips
        .iter()
        .zip(&sampled)
        .map(|(clip, sampled)| sampled.as_ref().map_or(*clip, |(clip, binding)| BoundClip { clip, binding }))
        .collect();
    let (model, clips) = (resolved.as_ref(), clips.as_slice());
    let materials = material::write(&mut builder, model)?;
    let joints = nodes::write_joints(&mut builder, model);
    let mut roots = joints.roots.clone();
    let mut skin = None;
    if !joints.nodes.is_empty() {
        let needs_still = model.meshes.iter().any(skin::has_unmoved_point);
        skin = Some(skin::write(&mut builder, model, &joints, needs_still, &mut roots)?);
    }
    let mut mesh_nodes = Vec::new();
    let mut mesh_frames = Vec::new();
    for source in &model.meshes {
        let frames = FrameTargets::of(source, clips);
        let written = mesh::write(&mut builder, source, &materials, skin.as_ref(), &frames)?;
        mesh_frames.push(frames);
        let node = written.map(|mesh| {
            let node = json::Node {
                mesh: Some(mesh),
                skin: skin.as_ref().filter(|_| source.skin.is_some()).map(|s| s.index),
                name: Some(source.name.clone()),
                ..json::Node::default()
            };
            builder.push_node(node)
        });
        if node.is_none() {
            builder.note(format!("the mesh “{}” has no triangle to draw and is left out", source.name));
        }
        roots.extend(node);
        mesh_nodes.push(node);
    }
    for clip in clips {
        animation::write(&mut builder, model, clip, &joints, &mesh_nodes, &mesh_frames)?;
    }
    let scene = json::Scene {
        extensions: None,
        extras: None,
        name: (!model.name.is_empty()).then(|| model.name.clone()),
        nodes: roots,
    };
    // A scene of nothing must not be there at all.
    if !scene.nodes.is_empty() {
        builder.root.scenes.push(scene);
        builder.root.scene = Some(Index::new(0));
    }
    container::finish(builder)
}
