//! Meshes and their animations (formats/unreal.md §8).

mod animation;
mod layout;
mod lod;
mod materials;
mod sequences;
mod skeletal;
mod space;
mod vertex_mesh;
mod vertex_model;

pub use animation::read_animation;
pub use layout::{AnimSeq, Mesh, Notify, Tri, read_mesh, unpacked};
pub use lod::read_lod_mesh;
pub use materials::{FindSkin, Skin, Slot};
pub use materials::{is_known_type, poly_flags, type_names};
pub use sequences::{sequence_fields, sequences};
pub use skeletal::read_skeletal_mesh;
pub use space::scene_from_mesh;
pub use vertex_mesh::{VertexMesh, is_vertex_mesh, of_files as vertex_mesh_of_files, vertex_mesh};
pub use vertex_model::{clip_of, of_files as model_of_files};

use super::{
    header::Object,
    kind::Kind,
    object::{Fault, ObjectReader},
    package::Package,
    tables::ObjectRef,
    texture::{Room, surface_texture},
};
use crate::{
    formats::LoadContext,
    scene::{Clip, Model},
};
use sequences::{SequenceCache, SequenceOwner};
use std::sync::Arc;

/// The model of a mesh of any kind that is shown by itself; `None` for other kinds. The reader stands behind the object's
/// properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_alone(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Option<Result<Model, Fault>> {
    let mut room = Room::of(cx.limits.decoded_bytes);
    let mut find = |package: &Arc<Package>, texture: ObjectRef, cx: &mut LoadContext<'_>| {
        let found = surface_texture(package, texture, cx, &mut room)?;
        Some(Skin { name: found.name, image: found.image })
    };
    let model = load_model(object, reader, &mut find, cx);
    room.report(object.package, object.export, cx);
    model
}

/// As [`load_alone`], with textures that `find` looks up.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_model(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    find: &mut FindSkin<'_>,
    cx: &mut LoadContext<'_>,
) -> Option<Result<Model, Fault>> {
    Some(match object.kind {
        Kind::Mesh => read_mesh(reader).map(|mesh| vertex_model::of_mesh(object, &mesh, find, cx)),
        Kind::LodMesh => read_lod_mesh(reader).map(|mesh| vertex_model::of_lod_mesh(object, &mesh, find, cx)),
        Kind::SkeletalMesh => read_skeletal_mesh(reader).map(|mesh| skeletal::model(object, &mesh, find, cx)),
        _ => return None,
    })
}

/// One of the sequences of the mesh or the animation that an export is.
///
/// # Errors
/// Where the object cannot be read on, or has no such sequence.
pub fn load_clip(package: &Arc<Package>, export: usize, kind: Kind, number: usize) -> Result<Clip, Fault> {
    let name = package.object_name(ObjectRef::export(export)).unwrap_or_default();
    let owner = package.memory.of::<SequenceCache>().get(package, export, kind)?;
    let clip = match &*owner {
        SequenceOwner::Mesh(mesh) => vertex_model::clip(name, mesh, mesh.frame_verts, number),
        SequenceOwner::Lod(lod) => vertex_model::clip(name, &lod.mesh, lod.stride(), number),
        SequenceOwner::Animation(animation) => animation::clip(animation, name, number),
    };
    let offset = package.export(export).map_or(0, |e| u64::from(e.offset));
    clip.ok_or_else(|| Fault::new(offset, format!("sequence {number} does not exist")))
}
