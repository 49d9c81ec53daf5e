//! The classes whose objects hold more than properties (formats/unreal.md §14).

use super::{
    package::Package,
    package_file::DEEPEST,
    tables::{ObjectRef, Pointee},
};
use crate::formats::{Content, Role};

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
    /// A text of Deus Ex: books, mails, newspapers.
    ExtString,
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
    /// A class that is known to hold more than properties, in a layout that nobody has published.
    Unread,
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
    ("ExtString", Kind::ExtString),
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
    ("StaticMesh", Kind::Unread),
    ("SkelModel", Kind::Unread),
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
            Self::TextBuffer | Self::ExtString => Role::Text,
            Self::Class => Role::Class,
            Self::Function | Self::State | Self::Struct | Self::Enum | Self::Const | Self::Property => {
                Role::ClassMember
            }
            Self::Mesh | Self::LodMesh | Self::SkeletalMesh => Role::Model,
            Self::Model | Self::Polys => Role::Brush,
            // It holds sequences.
            Self::Animation => Role::Group,
            Self::Level => Role::Level,
            Self::Package => Role::Folder,
            Self::Plain if has_stack => Role::Actor,
            Self::Vectors | Self::BspNodes | Self::BspSurfs | Self::Verts | Self::Unread | Self::Plain => Role::Data,
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
            | Self::ExtString
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
            Self::Package | Self::Vectors | Self::BspNodes | Self::BspSurfs | Self::Verts | Self::Unread => {
                Content::None
            }
            Self::Plain if has_stack => Content::Actor,
            Self::Plain => Content::None,
        }
    }
}
