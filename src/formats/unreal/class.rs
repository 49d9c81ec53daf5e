//! The classes whose objects hold more than properties: how each is read and shown (formats/unreal.md §14).

use super::{
    header::ObjectHeader,
    map, mesh,
    object::{Fault, ObjectReader},
    package::{DEEPEST, Package},
    procedural,
    properties::PropertyList,
    script, sound,
    tables::{ObjectRef, Pointee},
    texture,
    tree::SequenceEntry,
};
use crate::formats::{Asset, Content, Field, LoadContext, Role};
use std::sync::Arc;

/// A class with a layout of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Texture,
    FireTexture,
    /// WaveTexture.
    Wave,
    Wet,
    Ice,
    /// ScriptedTexture, FractalTexture and other children of Texture that are computed.
    OtherProcedural,
    Palette,
    Font,
    Sound,
    Music,
    TextBuffer,
    Class,
    Function,
    State,
    Struct,
    Enum,
    Const,
    /// One of the property classes.
    Property,
    Mesh,
    LodMesh,
    SkeletalMesh,
    Animation,
    Model,
    Polys,
    Level,
    /// The Vectors or the Points of a Model up to version 61.
    Vectors,
    BspNodes,
    BspSurfs,
    Verts,
    /// A group of other objects.
    Package,
    /// Properties alone.
    Plain,
}

/// Native classes by name. Classes of scripts count as the native one that they descend from.
const KINDS: &[(&str, Kind)] = &[
    ("Texture", Kind::Texture),
    ("FireTexture", Kind::FireTexture),
    ("WaveTexture", Kind::Wave),
    ("WetTexture", Kind::Wet),
    ("IceTexture", Kind::Ice),
    ("FractalTexture", Kind::OtherProcedural),
    ("WaterTexture", Kind::OtherProcedural),
    ("ScriptedTexture", Kind::OtherProcedural),
    ("Palette", Kind::Palette),
    ("Font", Kind::Font),
    ("Sound", Kind::Sound),
    ("Music", Kind::Music),
    ("TextBuffer", Kind::TextBuffer),
    ("Class", Kind::Class),
    ("Function", Kind::Function),
    ("State", Kind::State),
    ("Struct", Kind::Struct),
    ("Enum", Kind::Enum),
    ("Const", Kind::Const),
    ("ByteProperty", Kind::Property),
    ("IntProperty", Kind::Property),
    ("BoolProperty", Kind::Property),
    ("FloatProperty", Kind::Property),
    ("ObjectProperty", Kind::Property),
    ("NameProperty", Kind::Property),
    ("StringProperty", Kind::Property),
    ("ClassProperty", Kind::Property),
    ("ArrayProperty", Kind::Property),
    ("StructProperty", Kind::Property),
    ("VectorProperty", Kind::Property),
    ("RotatorProperty", Kind::Property),
    ("StrProperty", Kind::Property),
    ("MapProperty", Kind::Property),
    ("FixedArrayProperty", Kind::Property),
    ("PointerProperty", Kind::Property),
    ("Mesh", Kind::Mesh),
    ("LodMesh", Kind::LodMesh),
    ("SkeletalMesh", Kind::SkeletalMesh),
    ("Animation", Kind::Animation),
    ("Model", Kind::Model),
    ("Polys", Kind::Polys),
    ("Level", Kind::Level),
    ("Vectors", Kind::Vectors),
    ("Points", Kind::Vectors),
    ("BspNodes", Kind::BspNodes),
    ("BspSurfs", Kind::BspSurfs),
    ("Verts", Kind::Verts),
    ("Package", Kind::Package),
];

fn named(name: &str) -> Option<Kind> {
    KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
}

/// What an export is, by its class and the classes of its own package that it descends from. Opens no other package.
pub fn kind_of(package: &Package, export: usize) -> Kind {
    let Some(entry) = package.export(export) else { return Kind::Plain };
    if entry.class.is_none() {
        return Kind::Class;
    }
    let mut class = entry.class;
    for _ in 0..DEEPEST {
        // A native class may be an export of the package itself (Engine.u holds Texture).
        if let Some(kind) = package.object_name(class).and_then(named) {
            return kind;
        }
        class = match class.pointee() {
            Pointee::Export(index) => package.export(index).map_or(ObjectRef::NONE, |e| e.parent),
            _ => break,
        };
    }
    Kind::Plain
}

/// The name of the buffer that holds a class's source.
const SCRIPT_TEXT: &str = "ScriptText";

impl Kind {
    /// What an object of this class is.
    pub fn role(self, name: &str, has_stack: bool) -> Role {
        match self {
            Self::Texture | Self::FireTexture | Self::Wave | Self::Wet | Self::Ice | Self::OtherProcedural => {
                Role::Texture
            }
            Self::Palette => Role::Palette,
            Self::Font => Role::Font,
            Self::Sound => Role::Sound,
            Self::Music => Role::Music,
            Self::TextBuffer if name.eq_ignore_ascii_case(SCRIPT_TEXT) => Role::Script,
            Self::TextBuffer => Role::Text,
            Self::Class => Role::Class,
            Self::Function | Self::State | Self::Struct | Self::Enum | Self::Const | Self::Property => {
                Role::ClassMember
            }
            Self::Mesh | Self::LodMesh | Self::SkeletalMesh | Self::Model | Self::Polys => Role::Model,
            // It holds sequences.
            Self::Animation => Role::Group,
            Self::Level => Role::Level,
            Self::Package => Role::Folder,
            Self::Plain if has_stack => Role::Actor,
            Self::Vectors | Self::BspNodes | Self::BspSurfs | Self::Verts | Self::Plain => Role::Data,
        }
    }

    /// What an object of this class shows as.
    pub fn content(self, has_stack: bool) -> Content {
        match self {
            Self::Texture | Self::FireTexture | Self::Wave | Self::Wet | Self::Ice | Self::OtherProcedural => {
                Content::Image
            }
            Self::Palette => Content::Palette,
            Self::Font => Content::Font,
            Self::Sound => Content::Sound,
            Self::Music => Content::Music,
            Self::TextBuffer
            | Self::Class
            | Self::Function
            | Self::State
            | Self::Struct
            | Self::Enum
            | Self::Const
            | Self::Property => Content::Text,
            Self::Mesh | Self::LodMesh | Self::SkeletalMesh | Self::Model | Self::Polys => Content::Model,
            // Its sequences are entries of their own.
            Self::Animation => Content::None,
            Self::Level => Content::Map,
            Self::Package | Self::Vectors | Self::BspNodes | Self::BspSurfs | Self::Verts => Content::None,
            Self::Plain if has_stack => Content::Actor,
            Self::Plain => Content::None,
        }
    }
}

/// An export with the part of it that every object has.
pub struct Object<'a> {
    pub package: &'a Arc<Package>,
    pub export: usize,
    pub kind: Kind,
    pub header: ObjectHeader,
}

impl Object<'_> {
    /// The object's own name.
    pub fn name(&self) -> String {
        self.package.object_name(ObjectRef::export(self.export)).unwrap_or_default().to_owned()
    }

    pub fn properties(&self) -> &PropertyList {
        &self.header.properties
    }
}

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
        Kind::Package | Kind::Plain => Ok(()),
    }
}

/// Decodes an object, or one of its sequences, into what it shows as. The reader stands behind the object's properties. `None`
/// for what shows as nothing.
pub fn load(
    object: &Object<'_>,
    sequence: Option<usize>,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
) -> Option<Result<Asset, Fault>> {
    if let Some(number) = sequence {
        return mesh::load_clip(object, number, reader).map(|clip| clip.map(|clip| Asset::Clip(Arc::new(clip))));
    }
    match object.kind {
        Kind::Mesh | Kind::LodMesh | Kind::SkeletalMesh => {
            mesh::load_model(object, reader, cx).map(|model| model.map(|model| Asset::Model(Arc::new(model))))
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
        Kind::Package | Kind::Plain => None,
        _ => None,
    }
}

/// The sequences of a mesh or an animation, read as lightly as opening a package allows.
pub fn sequences(package: &Arc<Package>, export: usize, kind: Kind) -> Vec<SequenceEntry> {
    mesh::sequences(package, export, kind)
}

/// The fields of one sequence, shown again outside the object that owns their bytes.
pub fn sequence_fields(package: &Arc<Package>, export: usize, kind: Kind, number: usize) -> Vec<Field> {
    mesh::sequence_fields(package, export, kind, number)
}
