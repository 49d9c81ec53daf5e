//! How objects of the classes that hold more than properties are read and decoded (formats/unreal.md §14).

use super::{
    header::Object,
    kind::Kind,
    map, mesh,
    object::{Fault, ObjectReader},
    package::Package,
    procedural,
    properties::PropertyList,
    script, sound, texture,
    tree::SequenceEntry,
};
use crate::formats::{Asset, Field, LoadContext};
use std::{ops::Range, sync::Arc};

/// Reads what follows an object's properties, for its fields and to see that it is whole.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_tail(kind: Kind, reader: &mut ObjectReader<'_>, properties: &PropertyList) -> Result<(), Fault> {
    match kind {
        Kind::Model => map::read_model(reader, properties).map(drop),
        Kind::Polys => map::read_polys(reader, properties).map(drop),
        Kind::Level => map::read_level(reader, properties).map(drop),
        Kind::Vectors => map::read_vectors(reader).map(drop),
        Kind::BspNodes => map::read_nodes(reader).map(drop),
        Kind::BspSurfs => map::read_surfs(reader).map(drop),
        Kind::Verts => map::read_verts(reader).map(drop),
        Kind::Texture => texture::read_texture(reader, properties).fault.map_or(Ok(()), Err),
        Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice | Kind::OtherProcedural => {
            procedural::read_procedural(kind, reader, properties).map(drop)
        }
        Kind::Palette => texture::read_palette(reader).map(drop),
        Kind::Font => texture::read_font(reader, properties).map(drop),
        Kind::TextBuffer
        | Kind::ExtString
        | Kind::Class
        | Kind::Function
        | Kind::State
        | Kind::Struct
        | Kind::Enum
        | Kind::Const
        | Kind::Property => script::read(kind, reader),
        Kind::Sound => sound::read_sound(reader).map(drop),
        Kind::Music => sound::read_music(reader).map(drop),
        Kind::Mesh => mesh::read_mesh(reader).map(drop),
        Kind::LodMesh => mesh::read_lod_mesh(reader).map(drop),
        Kind::SkeletalMesh => mesh::read_skeletal_mesh(reader).map(drop),
        Kind::Animation => mesh::read_animation(reader).map(drop),
        Kind::Package | Kind::Unread | Kind::Plain => Ok(()),
    }
}

/// Decodes a sequence of a mesh or an animation.
///
/// # Errors
/// When it cannot be read.
pub fn load_clip(package: &Arc<Package>, export: usize, kind: Kind, number: usize) -> Result<Asset, Fault> {
    mesh::load_clip(package, export, kind, number).map(|clip| Asset::Clip(Arc::new(clip)))
}

/// Decodes an object into what it shows as. The reader stands behind the object's properties. `None`
/// for what has nothing to show.
pub fn load(
    object: &Object<'_>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Option<Result<Asset, Fault>> {
    match object.kind {
        Kind::Mesh | Kind::LodMesh | Kind::SkeletalMesh => {
            mesh::load_alone(object, reader, cx).map(|model| model.map(|model| Asset::Model(Arc::new(model))))
        }
        Kind::Texture => {
            Some(texture::load_picture(object, reader, cx).map(|picture| Asset::Picture(Arc::new(picture))))
        }
        Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice => {
            Some(procedural::load_procedural(object, reader, cx).map(|texture| Asset::Procedural(Arc::new(texture))))
        }
        Kind::OtherProcedural => {
            Some(procedural::load_other(object, reader, cx).map(|picture| Asset::Picture(Arc::new(picture))))
        }
        Kind::Palette => Some(texture::load_palette(object.name(), reader).map(Asset::Palette)),
        Kind::Font => Some(texture::load_font(object, reader, cx).map(|font| Asset::Font(Arc::new(font)))),
        Kind::TextBuffer
        | Kind::ExtString
        | Kind::Class
        | Kind::Function
        | Kind::State
        | Kind::Struct
        | Kind::Enum
        | Kind::Const
        | Kind::Property => Some(script::load(object, reader).map(|text| Asset::Text(Arc::new(text)))),
        Kind::Model | Kind::Polys | Kind::Level => Some(map::load(object, reader, cx)),
        Kind::Sound => Some(sound::read_sound(reader).and_then(|data| sound::load(object, data, false, cx))),
        Kind::Music => Some(sound::read_music(reader).and_then(|data| sound::load(object, data, true, cx))),
        Kind::Package | Kind::Unread | Kind::Plain => None,
        _ => None,
    }
}

/// The sequences of a mesh or an animation, read as lightly as opening a package allows.
pub fn sequences(package: &Arc<Package>, export: usize, kind: Kind) -> Vec<SequenceEntry> {
    mesh::sequences(package, export, kind)
}

/// The fields of the sequence in `range`, shown again outside the object that owns their bytes.
pub fn sequence_fields(package: &Arc<Package>, range: Range<u64>) -> Vec<Field> {
    mesh::sequence_fields(package, range)
}
