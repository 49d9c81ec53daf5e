//! Data that only some documents have. One rule asks for all of it: [`Document::ask`](super::Document#method.ask).

use super::{
    ClassList, ContainerDocument, Dependency, EntryId, Followed, Hierarchy, Import, Meaning, NamePlace, ReadError,
    Reference, Section, SurfaceInfo, TerrainCard, TextureHeader, Value, document::ClipSize,
};

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
