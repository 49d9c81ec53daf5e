//! Meshes and their animations (formats/unreal.md §8).

mod animation;
mod frames;
mod layout;
mod levels;
mod lod;
mod materials;
mod sequences;
mod skeletal;
mod skeletal_model;
mod space;
mod timing;
mod vertex_model;

pub use animation::read_animation;
pub use layout::read_mesh;
pub use lod::read_lod_mesh;
pub use sequences::{sequence_fields, sequences};
pub use skeletal::read_skeletal_mesh;

use super::{
    header::Object,
    kind::Kind,
    object::{Fault, ObjectReader},
};
use crate::{
    formats::LoadContext,
    scene::{Clip, Model},
};

/// The model of a mesh of any kind; `None` for other kinds. The reader stands behind the object's properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_model(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Option<Result<Model, Fault>> {
    Some(match object.kind {
        Kind::Mesh => read_mesh(reader).map(|mesh| vertex_model::of_mesh(object, &mesh, cx)),
        Kind::LodMesh => read_lod_mesh(reader).map(|mesh| vertex_model::of_lod_mesh(object, &mesh, cx)),
        Kind::SkeletalMesh => read_skeletal_mesh(reader).map(|mesh| skeletal_model::model(object, &mesh, cx)),
        _ => return None,
    })
}

/// One of the sequences of a mesh or an animation.
///
/// # Errors
/// Where the object cannot be read on, or has no such sequence.
pub fn load_clip(object: &Object<'_>, number: usize, reader: &mut ObjectReader<'_>) -> Option<Result<Clip, Fault>> {
    let missing = |reader: &ObjectReader<'_>| reader.fault(format!("it has no sequence {number}"));
    Some(match object.kind {
        Kind::Mesh => read_mesh(reader).and_then(|mesh| {
            vertex_model::clip(&object.name(), &mesh, mesh.frame_verts, number).ok_or_else(|| missing(reader))
        }),
        Kind::LodMesh => read_lod_mesh(reader).and_then(|lod| {
            vertex_model::clip(&object.name(), &lod.mesh, lod.stride(), number).ok_or_else(|| missing(reader))
        }),
        Kind::Animation => read_animation(reader)
            .and_then(|animation| animation::clip(&animation, &object.name(), number).ok_or_else(|| missing(reader))),
        _ => return None,
    })
}
