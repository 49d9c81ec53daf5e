//! An outline together with what each of its entries is to the document.

use super::{EntryPath, ReadError, SharedText};
use crate::{bytes::budget, scene::SourceEntry};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Deref,
    sync::OnceLock,
};

/// An entry of one document: an index into its [`Outline`]. The file itself is entry 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryId(pub u32);

impl EntryId {
    /// The file itself.
    pub const FILE: Self = Self(0);
}

impl From<SourceEntry> for EntryId {
    fn from(source: SourceEntry) -> Self {
        Self(source.0)
    }
}

impl From<EntryId> for SourceEntry {
    fn from(entry: EntryId) -> Self {
        Self(entry.0)
    }
}

/// What an entry can be shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Content {
    /// A model: a mesh, a skeleton or a brush.
    Model,
    /// An animation clip.
    Clip,
    /// An image, with all its mips and forms.
    Image,
    /// A palette of colours.
    Palette,
    /// A bitmap font.
    Font,
    /// A sound.
    Sound,
    /// Music of a tracker.
    Music,
    /// Text, such as a script or the declaration of a class member.
    Text,
    /// A level.
    Map,
    /// A landscape.
    Terrain,
    /// An actor of a level. It is not shown by itself.
    Actor,
    /// Bytes that are not decoded.
    Bytes,
    /// The entry cannot be shown.
    None,
}

/// What an entry is, whatever its format calls it. What can be shown of it is its [`Content`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// A file that holds several things.
    File,
    /// An archive, or a compressed file.
    Archive,
    /// A folder of an archive or of another list.
    Folder,
    /// A chunk or a section of a file.
    Group,
    /// A file of an archive of which nothing is known.
    Member,
    /// A model.
    Model,
    /// Bones that came with clips: they stand in for the model that the clips are for.
    Skeleton,
    /// A solid that levels are built of.
    Brush,
    /// A part of a model that may be shown alone: a mesh, a shape, a level of detail.
    Part,
    /// A bone of a skeleton.
    Bone,
    /// An attachment point of a model.
    Socket,
    /// A material of a model or of a material set.
    Material,
    /// A texture, or an image file.
    Texture,
    /// A palette of colours.
    Palette,
    /// A bitmap font.
    Font,
    /// A shape that vertices are moved towards.
    Morph,
    /// A clip of joints.
    Clip,
    /// A clip of materials, shapes or vertex colours: it moves no joint.
    SurfaceClip,
    /// A clip of stored vertices, which belongs to one mesh.
    VertexSequence,
    /// A sound.
    Sound,
    /// Music of a tracker.
    Music,
    /// A text that is not the source of a class.
    Text,
    /// The text that a class was made from.
    Script,
    /// A class of the engine's script language.
    Class,
    /// Something that is declared within a class.
    ClassMember,
    /// A level.
    Level,
    /// An actor of a level.
    Actor,
    /// A landscape.
    Landscape,
    /// The objects that stand on a landscape, one a row.
    ObjectList,
    /// Anything else.
    Data,
}

impl Content {
    /// What can be shown, in a word that a filter can ask for.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Clip => "clip",
            Self::Image => "image",
            Self::Palette => "palette",
            Self::Font => "font",
            Self::Sound => "sound",
            Self::Music => "music",
            Self::Text => "text",
            Self::Map => "map",
            Self::Terrain => "terrain",
            Self::Actor => "actor",
            Self::Bytes => "bytes",
            Self::None => "none",
        }
    }
}

impl Role {
    /// What an entry is, in a word that a filter can ask for.
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Archive => "archive",
            Self::Folder => "folder",
            Self::Group => "group",
            Self::Member => "member",
            Self::Model => "model",
            Self::Skeleton => "skeleton",
            Self::Brush => "brush",
            Self::Part => "part",
            Self::Bone => "bone",
            Self::Socket => "socket",
            Self::Material => "material",
            Self::Texture => "texture",
            Self::Palette => "palette",
            Self::Font => "font",
            Self::Morph => "morph",
            Self::Clip => "clip",
            Self::SurfaceClip => "surface clip",
            Self::VertexSequence => "vertex sequence",
            Self::Sound => "sound",
            Self::Music => "music",
            Self::Text => "text",
            Self::Script => "script",
            Self::Class => "class",
            Self::ClassMember => "class member",
            Self::Level => "level",
            Self::Actor => "actor",
            Self::Landscape => "landscape",
            Self::ObjectList => "object list",
            Self::Data => "data",
        }
    }
}

/// One thing inside a file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Index in the outline.
    pub id: EntryId,
    /// The entry above; `None` for the file itself.
    pub parent: Option<EntryId>,
    /// The last part of the path: what the tree shows.
    pub name: SharedText,
    /// What it is below: see [`Entry::path`].
    pub place: EntryPath,
    /// Kind of the entry, independent of its format.
    pub role: Role,
    /// What the format calls it: `AnimInfo`. For people: code asks for the role.
    pub class: SharedText,
    /// Bytes from the start of the nearest container's decompressed data.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Form in which the entry can be shown.
    pub content: Content,
}

impl Entry {
    /// The file itself.
    pub fn file(role: Role, class: impl Into<SharedText>, size: u64) -> Self {
        Self {
            id: EntryId::FILE,
            parent: None,
            name: SharedText::default(),
            place: EntryPath::Name,
            role,
            class: class.into(),
            offset: 0,
            size,
            content: Content::None,
        }
    }

    /// Path as `list` prints it and the command line takes it. Empty for the file itself. May repeat (formats allow equal
    /// names): the first one has it, the others are reached by `#id`.
    pub fn path(&self) -> Cow<'_, str> {
        self.place.with(&self.name)
    }

    /// The path, in the place of what `to` had: what looks at many paths makes room for them once.
    pub fn write_path(&self, to: &mut String) {
        to.clear();
        self.place.write(&self.name, to);
    }
}

/// The tree of what is inside a document. Entry 0 is the file itself.
#[derive(Clone, Debug)]
pub struct Outline {
    entries: Vec<Entry>,
    /// Made when children are looked for.
    children: OnceLock<ChildLists>,
    /// The hashes of all paths in lower case, sorted, each with the first entry that has it; made when a path is looked for.
    by_path: OnceLock<Vec<(u64, EntryId)>>,
}

impl Outline {
    /// An outline that holds nothing but the file.
    pub fn new(role: Role, file_class: impl Into<SharedText>, size: u64) -> Self {
        Self::of(vec![Entry::file(role, file_class, size)])
    }

    /// An outline of entries that are known already: the file first, numbered in their order, with parents that may come later.
    pub fn of(entries: Vec<Entry>) -> Self {
        budget::charge_bytes(size_of_val(entries.as_slice()) as u64);
        Self { entries, children: OnceLock::new(), by_path: OnceLock::new() }
    }

    /// Returns an entry.
    ///
    /// # Errors
    /// Returns an error of the kind [`ReadErrorKind::NoEntry`](super::ReadErrorKind::NoEntry) if the entry is missing.
    pub fn entry(&self, entry: EntryId) -> Result<&Entry, ReadError> {
        self.get(entry).ok_or_else(|| ReadError::no_entry(entry))
    }

    /// Adds an entry below `parent` (the file where `parent` is not an entry). `path` is whole, not relative.
    #[expect(clippy::too_many_arguments, reason = "each argument is a column of the listing")]
    pub fn add(
        &mut self,
        parent: EntryId,
        name: impl Into<SharedText>,
        path: impl Into<SharedText>,
        role: Role,
        class: impl Into<SharedText>,
        offset: u64,
        size: u64,
        content: Content,
    ) -> EntryId {
        let id = EntryId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        let parent = if self.get(parent).is_some() { parent } else { EntryId::FILE };
        let (name, path) = (name.into(), path.into());
        let built = size_of::<Entry>().saturating_add(name.len()).saturating_add(path.len());
        budget::charge_bytes(built as u64);
        let place = if name == path { EntryPath::Name } else { EntryPath::whole(path) };
        self.by_path.take();
        self.children.take();
        self.entries.push(Entry {
            id,
            parent: Some(parent),
            name,
            place,
            role,
            class: class.into(),
            offset,
            size,
            content,
        });
        id
    }

    /// Says what the file itself shows as.
    pub fn set_file_content(&mut self, content: Content) {
        if let Some(file) = self.entries.first_mut() {
            file.content = content;
        }
    }

    /// Every entry, the file first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the entry with this index; `None` if the index is out of range.
    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(id.0 as usize)
    }

    /// The entries below one, in their order. All such lists are made at the first call after an entry was added.
    pub fn children(&self, id: EntryId) -> &[EntryId] {
        self.children.get_or_init(|| ChildLists::of(&self.entries)).of_parent(id)
    }

    /// The entry that `path` (without regard to case) or `#N` names.
    pub fn find(&self, path: &str) -> Option<&Entry> {
        if let Some(number) = path.strip_prefix('#') {
            return number.parse().ok().and_then(|n| self.get(EntryId(n)));
        }
        self.find_path(path)
    }

    /// The first entry of a path, without regard to case.
    pub fn find_path(&self, path: &str) -> Option<&Entry> {
        let wanted = path.to_lowercase();
        let is_it = |e: &&Entry| e.path().to_lowercase() == wanted;
        let by_path = self.by_path.get_or_init(|| {
            let entries = self.entries.iter().skip(1);
            let mut by_path: Vec<_> = entries.map(|entry| (hash(&entry.path().to_lowercase()), entry.id)).collect();
            by_path.sort_unstable();
            by_path.dedup_by_key(|(hash, _)| *hash);
            by_path
        });
        let found = by_path.binary_search_by_key(&hash(&wanted), |(hash, _)| *hash).ok()?;
        let first = self.get(by_path.get(found)?.1)?;
        // Another path has the same hash: next to never.
        if is_it(&first) { Some(first) } else { self.entries.iter().skip(1).find(is_it) }
    }

    /// The entries that show as `content`, and are no parts of another one that does (the meshes of a model).
    pub fn with_content(&self, content: Content) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.content == content && !self.is_part(e))
    }

    /// Whether an entry is a part of one that shows as the same.
    pub fn is_part(&self, entry: &Entry) -> bool {
        self.above_with_content(entry).is_some()
    }

    /// The nearest entry above that shows as the same.
    pub fn above_with_content(&self, entry: &Entry) -> Option<EntryId> {
        // Bones show as nothing, and hang below each other by the thousand.
        if entry.content == Content::None {
            return None;
        }
        let mut above = self.with_those_above(entry.id).skip(1);
        above.find(|id| self.get(*id).is_some_and(|e| e.id != entry.id && e.content == entry.content))
    }

    /// An entry and its parents, the nearest first.
    pub fn with_those_above(&self, id: EntryId) -> impl Iterator<Item = EntryId> {
        // Parents that lead in a circle end with the number of entries.
        std::iter::successors(Some(id), |id| self.get(*id)?.parent).take(self.entries.len().saturating_add(1))
    }
}

/// The children of every entry, those of one parent after the other.
#[derive(Clone, Debug)]
struct ChildLists {
    children: Vec<EntryId>,
    /// The end of each entry's children.
    ends: Vec<u32>,
}

impl ChildLists {
    fn of(entries: &[Entry]) -> Self {
        let parents =
            || entries.iter().skip(1).map(|entry| (entry.id, entry.parent.unwrap_or(EntryId::FILE).0 as usize));
        // A count for each parent becomes the start of its list, which moves to its end as the list is filled.
        let mut ends = vec![0_u32; entries.len()];
        for (_, parent) in parents() {
            if let Some(count) = ends.get_mut(parent) {
                *count = count.saturating_add(1);
            }
        }
        let mut sum = 0_u32;
        for end in &mut ends {
            sum = sum.saturating_add(std::mem::replace(end, sum));
        }
        let mut children = vec![EntryId::FILE; sum as usize];
        for (id, parent) in parents() {
            let Some(end) = ends.get_mut(parent) else { continue };
            if let Some(child) = children.get_mut(*end as usize) {
                *child = id;
            }
            *end = end.saturating_add(1);
        }
        Self { children, ends }
    }

    fn of_parent(&self, parent: EntryId) -> &[EntryId] {
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let index = parent.0 as usize;
        let start = index.checked_sub(1).and_then(end).unwrap_or(0);
        end(index).and_then(|end| self.children.get(start..end)).unwrap_or_default()
    }
}

fn hash(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// An [`Outline`], which it can be read as, whose entries have a node each: what the document looks the entry up by.
#[derive(Clone, Debug)]
pub struct NodeOutline<N> {
    outline: Outline,
    /// As many as entries.
    nodes: Vec<N>,
}

impl<N> Deref for NodeOutline<N> {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl<N> NodeOutline<N> {
    /// An outline that holds nothing but the file.
    pub fn new(file: N, role: Role, file_class: impl Into<SharedText>, size: u64) -> Self {
        Self { outline: Outline::new(role, file_class, size), nodes: vec![file] }
    }

    /// An outline of entries that are known already, as [`Outline::of`] takes them, and as many nodes.
    pub fn of(entries: Vec<Entry>, nodes: Vec<N>) -> Self {
        Self { outline: Outline::of(entries), nodes }
    }

    /// Adds an entry with its node, as [`Outline::add`] does.
    #[expect(clippy::too_many_arguments, reason = "each argument is a column of the listing")]
    pub fn add(
        &mut self,
        node: N,
        parent: EntryId,
        name: impl Into<SharedText>,
        path: impl Into<SharedText>,
        role: Role,
        class: impl Into<SharedText>,
        offset: u64,
        size: u64,
        content: Content,
    ) -> EntryId {
        self.nodes.push(node);
        self.outline.add(parent, name, path, role, class, offset, size, content)
    }

    /// Says what the file itself shows as.
    pub fn set_file_content(&mut self, content: Content) {
        self.outline.set_file_content(content);
    }

    /// What an entry is.
    pub fn node(&self, entry: EntryId) -> Option<&N> {
        self.nodes.get(entry.0 as usize)
    }

    /// What an entry is.
    ///
    /// # Errors
    /// When the entry does not exist.
    pub fn require(&self, entry: EntryId) -> Result<&N, ReadError> {
        self.node(entry).ok_or_else(|| ReadError::no_entry(entry))
    }

    /// Every entry with its node, the file first.
    pub fn with_nodes(&self) -> impl Iterator<Item = (&Entry, &N)> {
        self.outline.entries().iter().zip(&self.nodes)
    }

    /// The first entry whose node is the one that is looked for.
    pub fn entry_of(&self, is_it: impl Fn(&N) -> bool) -> Option<EntryId> {
        self.with_nodes().find(|(_, node)| is_it(node)).map(|(entry, _)| entry.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_paths_is_found_also_after_more_are_added() {
        let mut outline = Outline::new(Role::File, "File", 10);
        let add = |outline: &mut Outline, path: &str| {
            outline.add(EntryId::FILE, path.to_owned(), path.to_owned(), Role::Data, "Data", 0, 1, Content::None)
        };
        let id = |outline: &Outline, path: &str| outline.find(path).map(|e| e.id);
        let first = add(&mut outline, "Straße/a");
        add(&mut outline, "STRASSE/A");
        let upper = add(&mut outline, "STRAßE/A");
        assert_eq!((id(&outline, "straße/A"), id(&outline, "b"), id(&outline, "")), (Some(first), None, None));
        let b = add(&mut outline, "B");
        assert_eq!((id(&outline, "b"), id(&outline, &format!("#{}", upper.0))), (Some(b), Some(upper)));
    }

    #[test]
    fn parts_of_a_model_are_none_of_the_models() {
        let mut outline = Outline::new(Role::Archive, "Archive", 10);
        let model = outline.add(EntryId::FILE, "a", "a", Role::Model, "Model", 0, 5, Content::Model);
        let section = outline.add(model, "GPL", "a/GPL", Role::Group, "GPL", 0, 5, Content::None);
        outline.add(section, "mesh", "a/GPL/mesh", Role::Part, "Mesh", 0, 5, Content::Model);
        let other = outline.add(EntryId::FILE, "b", "b", Role::Model, "Model", 5, 5, Content::Model);
        let models: Vec<EntryId> = outline.with_content(Content::Model).map(|e| e.id).collect();
        assert_eq!(models, [model, other]);
        outline.set_file_content(Content::Model);
        assert_eq!(outline.with_content(Content::Model).count(), 1);
    }

    #[test]
    fn entries_are_found_by_path_without_case_and_by_number() {
        let mut outline = Outline::new(Role::File, "Psa", 10);
        let group = outline.add(EntryId::FILE, "ANIMINFO", "ANIMINFO", Role::Group, "Chunk", 0, 5, Content::None);
        let walk = outline.add(group, "Walk", "ANIMINFO/Walk", Role::Clip, "AnimInfo", 0, 5, Content::Clip);
        assert_eq!(outline.find("animinfo/WALK").unwrap().id, walk);
        assert_eq!(outline.find("#2").unwrap().id, walk);
        assert!(outline.find("#3").is_none());
        assert!(outline.find("").is_none());
        assert_eq!(outline.children(group), [walk]);
        let other = outline.add(EntryId::FILE, "Other", "Other", Role::Group, "Chunk", 5, 5, Content::None);
        let run = outline.add(group, "Run", "ANIMINFO/Run", Role::Clip, "AnimInfo", 5, 5, Content::Clip);
        let none: [EntryId; 0] = [];
        assert_eq!((outline.children(EntryId::FILE), outline.children(group)), (&[group, other][..], &[walk, run][..]));
        assert_eq!(
            (outline.children(other), outline.children(run), outline.children(EntryId(9))),
            (&none[..], &none[..], &none[..])
        );
    }

    #[test]
    fn every_entry_has_its_node() {
        let mut outline = NodeOutline::new('f', Role::File, "File", 9);
        let part = outline.add('p', EntryId::FILE, "part", "part", Role::Part, "Part", 0, 9, Content::None);
        assert_eq!((outline.node(EntryId::FILE), outline.node(part)), (Some(&'f'), Some(&'p')));
        assert_eq!((outline.entry_of(|n| *n == 'p'), outline.entry_of(|n| *n == 'x')), (Some(part), None));
        assert!(outline.require(part).is_ok() && outline.require(EntryId(2)).is_err());
        let (entries, nodes) = outline.with_nodes().map(|(entry, node)| (entry.clone(), *node)).unzip();
        let again = NodeOutline::of(entries, nodes);
        assert_eq!((again.children(EntryId::FILE), again.node(part)), ([part].as_slice(), Some(&'p')));
    }
}
