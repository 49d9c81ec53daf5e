//! An open package, and the objects that are shown within another one: a brush's polygons, the source of a class, the
//! palette of a texture.

use super::{
    class,
    class_fields::{behind_header, read_struct_head},
    class_list::class_list,
    codes, file_fields,
    header::{Object, read_header},
    info::{UNREAL, is_known, is_newer},
    kind::Kind,
    map, mesh,
    object::{Fault, ObjectReader, entry_of},
    package::{Links, Package},
    properties::PropertyList,
    reach::Reaches,
    script,
    tables::{self, ObjectRef, Pointee},
    texture,
    tree::{self, Node, Tree},
};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        Asset, Base, Capabilities, ClassList, Content, Dependency, Diagnostics, Document, EditorForms, EntryId, Facts,
        Field, FieldTree, Followed, Import, Links as FileLinks, LoadContext, Meaning, NamePlace, OpenContext,
        OpenError, ProgramCode, Purpose, ReadError, Reference, Value, Wholes,
    },
};
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// A package with its outline.
pub struct UnrealDocument {
    package: Arc<Package>,
    /// Held for the package, which refers to it weakly.
    _links: Arc<Links>,
    tree: Tree,
    reaches: Reaches,
    /// By export, the export that shows it; worked out when it is first asked for.
    wholes: OnceLock<HashMap<usize, usize>>,
}

/// An object that was read to its end, or as far as it goes.
struct Read {
    fields: Vec<Field>,
    properties: PropertyList,
    fault: Option<Fault>,
    /// Bytes behind all that is known.
    left: usize,
}

impl UnrealDocument {
    pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        if !tables::is_package(&source) {
            return Err(OpenError::new(cx.file, "not a package: the file does not start with C1 83 2A 9E"));
        }
        let tables = tables::read_tables(&source, cx.limits.entries, cx.diagnostics)
            .map_err(|error| OpenError::new(cx.file, format!("the file ends inside the package header: {error}")))?;
        let version = tables.header.version;
        if is_newer(version) {
            let message = format!(
                "Unreal Engine 2 package (version {version}): only structures shared with Unreal Engine 1 are shown"
            );
            cx.diagnostics.report(&codes::NEWER_ENGINE, None, Some(4), message);
        } else if !is_known(version) {
            let message = format!(
                "package version {version} is unknown (known: 55 to 99); objects are shown as far as they can be read"
            );
            cx.diagnostics.report(&codes::UNKNOWN_VERSION, None, Some(4), message);
        }
        let links = Links::new(cx.resolver.clone());
        let stem = cx.stem();
        let package = Arc::new(Package::new(stem, PathBuf::new(), source, tables, Arc::downgrade(&links)));
        links.set_root(&package);
        let kinds = tree::kinds_of(&package);
        let reaches = Reaches::of(&package, &kinds, &cx.limits);
        reaches.report(&package, cx.diagnostics);
        let sequences = |export, kind| class::sequences(&package, export, kind);
        let tree = tree::build(&package, kinds, |export| reaches.is_shown(export), sequences, cx.diagnostics);
        Ok(Self { package, _links: links, tree, reaches, wholes: OnceLock::new() })
    }

    fn node(&self, entry: EntryId) -> Option<Node> {
        self.tree.node(&self.package, entry)
    }

    fn kind(&self, export: usize) -> Kind {
        self.tree.kinds.get(export).copied().unwrap_or(Kind::Plain)
    }

    /// Reads an object to its end; what is wrong with it is returned beside its fields.
    fn read(&self, export: usize, recording: bool) -> Read {
        let mut reader = ObjectReader::of_export(&self.package, export);
        if recording {
            reader = reader.recording();
        }
        let kind = self.kind(export);
        let mut properties = PropertyList::default();
        let result = read_header(&mut reader, export).and_then(|header| {
            properties = header.properties;
            self.reaches.read_tail(kind, &mut reader, &properties)
        });
        let (left, range) = (reader.left(), reader.range());
        let mut fields = reader.into_fields();
        if recording {
            let behind = if result.is_ok() { Ok(left as u64) } else { Err(()) };
            self.reaches.claim(export, behind, range, &mut fields);
        }
        Read { fields, properties, fault: result.err(), left }
    }

    /// What an object has from its class, or a class from what it extends, besides its own.
    fn inherited(&self, export: usize, own: &PropertyList) -> Option<Field> {
        let entry = self.package.export(export)?;
        if entry.class.is_none() {
            let own = script::stated_defaults(&self.package, export).unwrap_or_default();
            return script::inherited_fields(&self.package, entry.parent, &own);
        }
        // Members of scripts are objects too, of classes that nobody gives defaults.
        let is_member = self.kind(export).content(false) == Content::Text;
        if is_member { None } else { script::inherited_fields(&self.package, entry.class, own) }
    }

    /// What the tables say of an export, shown with it.
    fn table_fields(&self, export: usize) -> Vec<Field> {
        let Some(entry) = self.package.export(export) else { return Vec::new() };
        let at = u64::from(entry.entry_offset);
        let mut fields = Vec::new();
        let object = |name: &'static str, object: ObjectRef| {
            let value = super::object::reference(&self.package, object);
            Field::new(name, "object", value, at, 0).mirrored()
        };
        fields.push(object("Class", entry.class));
        if !entry.parent.is_none() {
            fields.push(object("Super", entry.parent));
        }
        if !entry.outer.is_none() {
            fields.push(object("Outer", entry.outer));
        }
        let flags = file_fields::object_flags(entry.flags);
        fields.push(Field::new("ObjectFlags", "u32", flags, at, 0).mirrored());
        vec![Field::group("Export", "table entry", at, 0, fields).mirrored()]
    }
}

impl Document for UnrealDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &UNREAL, source: &self.package.source, outline: &self.tree.outline, endian: Endian::Little }
    }

    /// Compared are the fields without the file's tables, whose rows are found by number: each row is compared where it is used.
    fn fields_for(&self, entry: EntryId, purpose: Purpose) -> Result<FieldTree, ReadError> {
        let mut fields = Vec::new();
        match self.node(entry).ok_or_else(|| ReadError::no_entry(entry))? {
            Node::File => {
                fields = file_fields::file_fields(&self.package);
                fields.retain(|field| purpose != Purpose::Compare || !file_fields::is_of_place(&field.name));
            }
            Node::Export(export) => {
                if purpose != Purpose::Cover {
                    fields = self.table_fields(export);
                }
                let read = self.read(export, true);
                fields.extend(read.fields);
                if purpose == Purpose::Show {
                    fields.extend(self.inherited(export, &read.properties));
                }
            }
            Node::Sequence(..) => {
                let found = self.base().outline.entry(entry)?;
                let range = found.offset..found.offset.saturating_add(found.size);
                fields = class::sequence_fields(&self.package, range);
            }
        }
        Ok(FieldTree { fields })
    }

    fn check(&self, entry: EntryId, diagnostics: &mut Diagnostics) {
        let Some(Node::Export(export)) = self.node(entry) else { return };
        // What is not known of a class was said of the package.
        if self.package.export_size(export) == 0 || !self.reaches.is_whole(export) {
            return;
        }
        let Read { fault, left, .. } = self.read(export, false);
        if let Some(fault) = fault {
            diagnostics.report(&codes::BAD_OBJECT, Some(entry), Some(fault.offset), fault.message);
        } else if left > 0 && is_known(self.package.version()) {
            let end = self.package.export(export).map_or(0, |e| u64::from(e.offset).saturating_add(u64::from(e.size)));
            let message = format!("{} found after the known fields of the class", counted(left, "extra byte"));
            diagnostics.report(&codes::LEFT_OVER, Some(entry), Some(end.saturating_sub(left as u64)), message);
        }
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.base().outline.entry(entry)?;
        let failed = |fault: Fault| ReadError::of_fault(found, fault);
        let node = self.node(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let export = match node {
            Node::File => {
                return Err(ReadError::new(found, "this entry cannot be shown. Show one of its objects instead"));
            }
            Node::Sequence(export, number) => {
                return class::load_clip(&self.package, export, self.kind(export), number).map_err(failed);
            }
            Node::Export(export) => export,
        };
        if !self.reaches.is_shown(export) {
            let message = format!("objects of class {} cannot be read in packages of this version", found.class);
            return Err(ReadError::new(found, message));
        }
        let mut reader = ObjectReader::of_export(&self.package, export);
        let header = read_header(&mut reader, export).map_err(failed)?;
        let object = Object { package: &self.package, export, kind: self.kind(export), header };
        match class::load(&object, &mut reader, cx) {
            Some(result) => result.map_err(failed),
            None => Err(ReadError::new(found, format!("objects of class {} cannot be shown", found.class))),
        }
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            code: Some(self),
            editor: Some(self),
            facts: Some(self),
            links: Some(self),
            wholes: Some(self),
            ..Capabilities::default()
        }
    }
}

impl EditorForms for UnrealDocument {
    fn has_t3d(&self, entry: EntryId) -> bool {
        match self.node(entry) {
            Some(Node::Export(export)) => {
                self.reaches.is_shown(export) && map::is_t3d(self.kind(export), self.package.has_stack(export))
            }
            _ => false,
        }
    }

    fn t3d(&self, entry: EntryId) -> Option<Result<String, ReadError>> {
        let Some(Node::Export(export)) = self.node(entry).filter(|_| self.has_t3d(entry)) else { return None };
        let found = self.base().outline.get(entry)?;
        let text = map::t3d_text(&self.package, export, self.kind(export));
        Some(text.map_err(|fault| ReadError::of_fault(found, fault)))
    }

    fn has_vertex_mesh(&self, entry: EntryId) -> bool {
        let is_one = |export| self.reaches.is_shown(export) && mesh::is_vertex_mesh(self.kind(export));
        matches!(self.node(entry), Some(Node::Export(export)) if is_one(export))
    }

    fn vertex_mesh(&self, entry: EntryId) -> Option<Result<mesh::VertexMesh, ReadError>> {
        let Some(Node::Export(export)) = self.node(entry).filter(|_| self.has_vertex_mesh(entry)) else { return None };
        let found = self.base().outline.get(entry)?;
        let made = mesh::vertex_mesh(&self.package, export, self.kind(export));
        Some(made.map_err(|fault| ReadError::of_fault(found, fault)))
    }
}

impl Facts for UnrealDocument {
    fn flags(&self, entry: EntryId) -> Option<Value> {
        match self.node(entry)? {
            Node::Export(export) => self.package.export(export).map(|e| file_fields::object_flags(e.flags)),
            _ => None,
        }
    }

    fn picture_size(&self, entry: EntryId) -> Option<(u32, u32)> {
        let Some(Node::Export(export)) = self.node(entry) else { return None };
        super::texture::stated_size(&self.package, export)
    }
}

impl FileLinks for UnrealDocument {
    fn imports(&self) -> Vec<Import> {
        self.package.imports()
    }

    fn has_dependencies(&self) -> bool {
        !self.package.tables.imports.is_empty()
    }

    fn dependencies(&self) -> Vec<Dependency> {
        self.package.dependencies()
    }

    fn follow(&self, reference: &Reference) -> Option<Followed> {
        let object = ObjectRef(reference.external? as i32);
        let found = self.package.resolve(object)?;
        let entry = entry_of(&found.package, found.export)?;
        Some(Followed { file: found.package.path.clone(), entry })
    }

    fn has_table_indices(&self) -> bool {
        true
    }
}

impl ProgramCode for UnrealDocument {
    fn classes(&self) -> ClassList {
        class_list(&self.package, &self.tree.kinds)
    }

    fn meaning(&self, entry: EntryId, place: &NamePlace<'_>) -> Option<Meaning> {
        let export_of = |entry: EntryId| match self.node(entry) {
            Some(Node::Export(export)) => Some(export),
            _ => None,
        };
        let owner = place.owner.and_then(export_of);
        script::meaning(&self.package, export_of(entry)?, owner, place)
    }
}

impl Wholes for UnrealDocument {
    fn part_of(&self, entry: EntryId) -> Option<EntryId> {
        let Some(Node::Export(export)) = self.node(entry) else { return None };
        let wholes = self.wholes.get_or_init(|| wholes(&self.package, &self.tree.kinds));
        entry_of(&self.package, *wholes.get(&export)?)
    }
}

/// By export, the export that shows it; the first where several do. `kinds` are those of the exports.
fn wholes(package: &Arc<Package>, kinds: &[Kind]) -> HashMap<usize, usize> {
    let there: HashSet<Kind> = kinds.iter().copied().collect();
    let mut wholes = HashMap::new();
    for (export, kind) in kinds.iter().enumerate() {
        // Only what some object of the package can be a part of is read.
        let wanted: &[Kind] = match kind {
            Kind::Class => &[Kind::TextBuffer],
            Kind::Texture | Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice | Kind::OtherProcedural => {
                &[Kind::Palette]
            }
            Kind::Font => &[Kind::Texture],
            Kind::Model => &[Kind::Polys],
            Kind::Level => &[Kind::Model],
            _ => continue,
        };
        if !wanted.iter().any(|kind| there.contains(kind)) {
            continue;
        }
        // What cannot be read has no parts.
        for part in parts_of(package, export, *kind).unwrap_or_default() {
            if let Pointee::Export(part) = part.pointee()
                && kinds.get(part).is_some_and(|kind| wanted.contains(kind))
            {
                wholes.entry(part).or_insert(export);
            }
        }
    }
    wholes
}

fn parts_of(package: &Arc<Package>, export: usize, kind: Kind) -> Result<Vec<ObjectRef>, Fault> {
    if kind == Kind::Class {
        return Ok(vec![read_struct_head(&mut behind_header(package, export)?)?.script_text]);
    }
    let mut reader = ObjectReader::of_export(package, export);
    let properties = read_header(&mut reader, export)?.properties;
    Ok(match kind {
        Kind::Font => {
            let pages = texture::read_font(&mut reader, &properties)?.pages;
            pages.into_iter().map(|(texture, _)| texture).collect()
        }
        Kind::Model => vec![map::read_model(&mut reader, &properties)?.polys],
        Kind::Level => vec![map::read_level(&mut reader, &properties)?.model],
        _ => properties.object("Palette").into_iter().collect(),
    })
}
