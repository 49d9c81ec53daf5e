//! Data that only some documents have. One rule asks for all of it: [`Document::ask`](super::Document#method.ask).

use super::{
    ClassList, ContainerDocument, Dependency, EntryId, Followed, Import, Meaning, NamePlace, ReadError, Reference,
    Section, SharedText, TerrainCard, Value, document::ClipSize,
};
use crate::scene::Material;
use std::borrow::Cow;

/// The capabilities of a document, each `None` by default. A container does not repeat those of its members.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// Program code.
    pub code: Option<&'a dyn ProgramCode>,
    /// The document as a container whose members are files of their own.
    pub container: Option<&'a ContainerDocument>,
    /// Forms that the Unreal editor imports.
    pub editor: Option<&'a dyn EditorForms>,
    /// Data of single entries from the file's tables.
    pub facts: Option<&'a dyn Facts>,
    /// A landscape.
    pub ground: Option<&'a dyn Ground>,
    /// References to other files.
    pub links: Option<&'a dyn Links>,
    /// The structures that the file was read into, if the format can be written again.
    #[cfg(feature = "actorx")]
    pub native: Option<super::Native<'a>>,
    /// Entries that belong to others. Without this capability the roles of entries decide.
    pub wholes: Option<&'a dyn Wholes>,
}

/// Program code of a file.
pub trait ProgramCode {
    /// Returns the classes that the file declares, and the classes that need no file.
    fn classes(&self) -> ClassList;

    /// Finds the meaning of a name in the text of an entry; `None` if there is no name at this place. The entries in `place` and in
    /// the result are those of the file itself.
    fn meaning(&self, entry: EntryId, place: &NamePlace<'_>) -> Option<Meaning>;
}

/// Forms of an entry that the Unreal editor imports.
pub trait EditorForms {
    /// Returns true if an entry can be written as the editor's text.
    fn has_t3d(&self, _entry: EntryId) -> bool {
        false
    }

    /// Writes an entry as the editor's text; `None` if it has no such form.
    fn t3d(&self, _entry: EntryId) -> Option<Result<String, ReadError>> {
        None
    }

    /// Returns true if an entry is a mesh of moving vertices.
    fn has_vertex_mesh(&self, _entry: EntryId) -> bool {
        false
    }

    /// Reads an entry as a mesh of moving vertices; `None` if it is not one.
    #[cfg(feature = "unreal")]
    fn vertex_mesh(&self, _entry: EntryId) -> Option<Result<super::unreal::VertexMesh, ReadError>> {
        None
    }
}

/// Data of single entries from the file's tables, known before the entry is decoded.
pub trait Facts {
    /// Returns the flags of an entry.
    fn flags(&self, _entry: EntryId) -> Option<Value> {
        None
    }

    /// Returns the appearance of a material.
    fn surface(&self, _entry: EntryId) -> Option<SurfaceInfo> {
        None
    }

    /// Returns the header of a texture.
    fn texture_header(&self, _entry: EntryId) -> Option<TextureHeader> {
        None
    }

    /// Returns the width and height of a texture or picture in pixels.
    fn picture_size(&self, entry: EntryId) -> Option<(u32, u32)> {
        self.texture_header(entry).map(|header| (header.width, header.height))
    }

    /// Returns the hierarchy of a model, for the entry that contains it.
    fn hierarchy(&self, _entry: EntryId) -> Option<Hierarchy> {
        None
    }

    /// Returns true if an entry is a file of an archive: unpacking writes its bytes unchanged. An archive answers for its members.
    fn is_member(&self, _entry: EntryId) -> bool {
        false
    }

    /// Returns the size of a clip.
    fn clip_size(&self, _entry: EntryId) -> Option<ClipSize> {
        None
    }
}

/// The landscape of a file.
pub trait Ground {
    /// Returns the positions of the file's sections, for files without a directory of them.
    fn sections(&self) -> &[Section];

    /// Returns a summary of the terrain; `None` without heights.
    fn terrain_card(&self) -> Option<TerrainCard> {
        None
    }
}

/// References of a file to other files.
pub trait Links {
    /// Lists what the file takes from others, by name. It searches for no file.
    fn imports(&self) -> Vec<Import>;

    /// Returns true if the file names other files that it takes something from.
    fn has_dependencies(&self) -> bool {
        false
    }

    /// Searches for the other files that the file names. It reads folders: call it on a worker.
    fn dependencies(&self) -> Vec<Dependency> {
        Vec::new()
    }

    /// Finds the target of a reference out of the document: the file (as the resolver finds it) and the entry in it.
    fn follow(&self, _reference: &Reference) -> Option<Followed> {
        None
    }

    /// Returns true if the bytes of entries are indices into the file's tables: equal bytes of two files then differ in meaning.
    fn has_table_indices(&self) -> bool {
        false
    }
}

/// Entries that belong to others.
pub trait Wholes {
    /// Returns the entry whose export contains this one: the model of a mesh, the class of a source, the texture of a palette.
    fn part_of(&self, entry: EntryId) -> Option<EntryId>;

    /// Lists the coarser levels of detail of an entry's model that are entries of their own, the finest first.
    fn coarser_levels(&self, _entry: EntryId) -> Vec<EntryId> {
        Vec::new()
    }
}

/// What a node of a hierarchy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A joint or bone.
    Joint,
    /// A material.
    Material,
    /// A shape: what is drawn with one material (formats/j3d.md §6.6).
    Shape,
    /// A mesh that hangs on a joint.
    Mesh,
}

/// A node of a hierarchy.
#[derive(Clone, Debug)]
pub struct HierarchyNode {
    /// Depth in the tree; 0 for roots.
    pub depth: usize,
    /// Kind of the node.
    pub kind: NodeKind,
    /// Name of the entry; generated from the node's number or id if there is no entry.
    pub name: SharedText,
    /// Its entry, where it has one.
    pub entry: Option<EntryId>,
    /// A way in which it differs from others, and what that means.
    pub note: Option<[&'static str; 2]>,
}

/// What of a model belongs to what: its nodes, each before those below it.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    /// The rule by which scales reach children, as the file calls it: `Maya`; `None` for a format with one rule.
    pub scaling: Option<String>,
    /// Nodes in the order of the tree, at most [`Hierarchy::MAX_NODES`].
    pub nodes: Vec<HierarchyNode>,
}

impl Hierarchy {
    /// Nodes that a hierarchy has at most.
    pub const MAX_NODES: usize = 10_000;
}

/// What a material looks like, and what it is to the model that it is of.
#[derive(Clone, Debug)]
pub struct SurfaceInfo {
    /// The material.
    pub material: Material,
    /// Its place among the materials of its model, or of its material set.
    pub index: usize,
    /// The model, or the material set.
    pub owner: EntryId,
    /// The textures that the material's slots count.
    pub textures: Vec<EntryId>,
    /// How textures are sampled is said by their headers, not by what binds them.
    pub headers_sample: bool,
}

/// What the header of a texture says, without its pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureHeader {
    /// Width of the largest image, in pixels.
    pub width: u32,
    /// Height of the largest image, in pixels.
    pub height: u32,
    /// As people call it; a number for one that is not known.
    pub pixel_format: Cow<'static, str>,
    /// The largest and its mips; 0 counts as one.
    pub image_count: u8,
    /// `None` where something else says it.
    pub sampling: Option<TextureSampling>,
}

/// How a texture is sampled, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureSampling {
    /// Along S and T.
    pub wrap: [Cow<'static, str>; 2],
    /// Seen smaller, and seen larger.
    pub filter: [Cow<'static, str>; 2],
}
