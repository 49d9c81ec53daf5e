//! A package under construction: header, names, imports, exports and references (formats/unreal.md §2, §3).

use crate::formats::compact::{write_index, write_string};
use std::collections::HashMap;

/// A reference as it is written: 0 is null, above 0 an export, below 0 an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ref(pub i32);

impl Ref {
    /// The null reference.
    pub const NULL: Self = Self(0);
}

/// A place that holds an absolute file offset, known once the object has its place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixup {
    /// Where the four bytes are, from the start of the object.
    pub at: usize,
    /// What they point at, from the start of the object.
    pub target: usize,
}

/// What an [`ObjectWriter`] leaves behind.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectBytes {
    pub bytes: Vec<u8>,
    pub fixups: Vec<Fixup>,
}

/// The version from which on generations stand where the heritage stood.
const GENERATIONS_FROM: u16 = 68;

const MAGIC: u32 = 0x9E2A_83C1;

/// Count and offset of each table.
struct Tables {
    pub names: (usize, usize),
    pub exports: (usize, usize),
    pub imports: (usize, usize),
    pub heritage: (usize, usize),
}

/// Bytes of the header with one generation or one heritage entry.
fn size(version: u16) -> usize {
    if version < GENERATIONS_FROM { 44 } else { 64 }
}

fn encode(version: u16, licensee: u16, flags: u32, guid: &[u8; 16], tables: &Tables) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC.to_le_bytes());
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&licensee.to_le_bytes());
    let mut word = |value: u32| out.extend_from_slice(&value.to_le_bytes());
    word(flags);
    for (count, offset) in [tables.names, tables.exports, tables.imports] {
        word(as_u32(count));
        word(as_u32(offset));
    }
    if version < GENERATIONS_FROM {
        word(as_u32(tables.heritage.0));
        word(as_u32(tables.heritage.1));
    } else {
        out.extend_from_slice(guid);
        for value in [1, as_u32(tables.exports.0), as_u32(tables.names.0)] {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
    out
}

fn as_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Object flags (section 3.6).
pub mod flags {
    /// The editor records changes to the object for undo.
    pub const TRANSACTIONAL: u32 = 1;
    /// The object is visible to other packages.
    pub const PUBLIC: u32 = 4;
    /// The object is loaded on a client.
    pub const LOAD_FOR_CLIENT: u32 = 0x0001_0000;
    /// The object is loaded on a server.
    pub const LOAD_FOR_SERVER: u32 = 0x0002_0000;
    /// The object is loaded in the editor.
    pub const LOAD_FOR_EDIT: u32 = 0x0004_0000;
    /// The object is kept even if nothing refers to it.
    pub const STANDALONE: u32 = 0x0008_0000;
    /// The data of the object begins with a state frame (section 4.1).
    pub const HAS_STACK: u32 = 0x0200_0000;
    /// The class is implemented in native code.
    pub const NATIVE: u32 = 0x0400_0000;
    /// What an ordinary resource has.
    pub const RESOURCE: u32 = PUBLIC | LOAD_FOR_CLIENT | LOAD_FOR_SERVER | LOAD_FOR_EDIT | STANDALONE;
    /// What an actor of a map has.
    pub const ACTOR: u32 = TRANSACTIONAL | LOAD_FOR_CLIENT | LOAD_FOR_SERVER | LOAD_FOR_EDIT | HAS_STACK;
}

/// Flags of an ordinary name.
const NAME_FLAGS: u32 = 0x0007_0010;

/// What the export table says of an object.
#[derive(Clone, Debug)]
pub struct Export {
    /// Null for a class.
    pub class: Ref,
    /// The parent of a class, state, function or struct.
    pub super_object: Ref,
    /// The group or object that contains the export; null at the top level of the package.
    pub outer: Ref,
    /// Object name.
    pub name: String,
    /// Object flags: see [`flags`].
    pub flags: u32,
}

impl Export {
    /// A public resource at the top of the package.
    pub fn new(class: Ref, name: &str) -> Self {
        Self { class, super_object: Ref::NULL, outer: Ref::NULL, name: name.to_owned(), flags: flags::RESOURCE }
    }

    /// Sets the group or object that contains the export.
    #[must_use]
    pub fn inside(mut self, outer: Ref) -> Self {
        self.outer = outer;
        self
    }

    /// Sets the parent of a class, state, function or struct.
    #[must_use]
    pub fn extends(mut self, super_object: Ref) -> Self {
        self.super_object = super_object;
        self
    }

    /// Replaces the object flags.
    #[must_use]
    pub fn flagged(mut self, flags: u32) -> Self {
        self.flags = flags;
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Import {
    class_package: i32,
    class_name: i32,
    outer: i32,
    name: i32,
}

#[derive(Debug)]
struct ExportEntry {
    class: i32,
    super_object: i32,
    outer: i32,
    name: i32,
    flags: u32,
    object: ObjectBytes,
}

/// Builds a package file; the same calls give the same bytes.
#[derive(Debug)]
pub struct PackageWriter {
    version: u16,
    licensee: u16,
    /// Package flags (section 3.1).
    pub flags: u32,
    /// GUID of the package; before version 68, the only entry of the heritage table.
    pub guid: [u8; 16],
    names: Vec<(String, u32)>,
    name_indices: HashMap<String, i32>,
    imports: Vec<Import>,
    import_indices: HashMap<Import, Ref>,
    exports: Vec<ExportEntry>,
}

impl PackageWriter {
    /// An empty package; name 0 is `None`, as the engine writes it.
    pub fn new(version: u16, licensee: u16) -> Self {
        let mut package = Self {
            version,
            licensee,
            flags: 1,
            guid: *b"Bonebox made it.",
            names: Vec::new(),
            name_indices: HashMap::new(),
            imports: Vec::new(),
            import_indices: HashMap::new(),
            exports: Vec::new(),
        };
        package.name("None");
        package
    }

    /// Returns the version of the package.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// The index of a name, added if it is new. Names that differ in case alone are two.
    pub fn name(&mut self, name: &str) -> i32 {
        if let Some(index) = self.name_indices.get(name) {
            return *index;
        }
        let index = as_i32(self.names.len());
        self.names.push((name.to_owned(), NAME_FLAGS));
        self.name_indices.insert(name.to_owned(), index);
        index
    }

    /// An object of another package, or (with a null outer and class `Core.Package`) that package.
    pub fn import(&mut self, class_package: &str, class_name: &str, outer: Ref, name: &str) -> Ref {
        let import = Import {
            class_package: self.name(class_package),
            class_name: self.name(class_name),
            outer: outer.0,
            name: self.name(name),
        };
        let next = Ref(as_i32(self.imports.len()).saturating_add(1).saturating_neg());
        let known = *self.import_indices.entry(import).or_insert(next);
        if known == next {
            self.imports.push(import);
        }
        known
    }

    /// Another package.
    pub fn package(&mut self, name: &str) -> Ref {
        self.import("Core", "Package", Ref::NULL, name)
    }

    /// A class of another package.
    pub fn class(&mut self, package: &str, name: &str) -> Ref {
        let outer = self.package(package);
        self.import("Core", "Class", outer, name)
    }

    /// An object of another package: its class (package and name), then its path: the package, its groups, its name.
    pub fn external(&mut self, class: (&str, &str), package: &str, path: &[&str]) -> Ref {
        let mut outer = self.package(package);
        let Some((name, groups)) = path.split_last() else { return outer };
        for group in groups {
            outer = self.import("Core", "Package", outer, group);
        }
        self.import(class.0, class.1, outer, name)
    }

    /// Declares an export; until it is written it stays empty (size 0, no offset).
    pub fn export(&mut self, export: &Export) -> Ref {
        let entry = ExportEntry {
            class: export.class.0,
            super_object: export.super_object.0,
            outer: export.outer.0,
            name: self.name(&export.name),
            flags: export.flags,
            object: ObjectBytes::default(),
        };
        self.exports.push(entry);
        Ref(as_i32(self.exports.len()))
    }

    /// Sets an export's bytes. Nothing happens for a reference that is no export.
    pub(super) fn set_object(&mut self, export: Ref, object: ObjectBytes) {
        let entry = usize::try_from(export.0.saturating_sub(1)).ok().and_then(|index| self.exports.get_mut(index));
        if let Some(entry) = entry {
            entry.object = object;
        }
    }

    /// The file: header, names, heritage (before version 68), objects, imports, exports.
    pub fn finish(self) -> Vec<u8> {
        let mut out = vec![0; size(self.version)];
        let names = out.len();
        for (name, flags) in &self.names {
            write_string(&mut out, self.version, name);
            out.extend_from_slice(&flags.to_le_bytes());
        }
        let heritage = out.len();
        if self.version < GENERATIONS_FROM {
            out.extend_from_slice(&self.guid);
        }
        let offsets: Vec<usize> = self.exports.iter().map(|export| place(&mut out, &export.object)).collect();
        let imports = out.len();
        for import in &self.imports {
            write_index(&mut out, import.class_package);
            write_index(&mut out, import.class_name);
            out.extend_from_slice(&import.outer.to_le_bytes());
            write_index(&mut out, import.name);
        }
        let exports = out.len();
        for (export, offset) in self.exports.iter().zip(&offsets) {
            write_index(&mut out, export.class);
            write_index(&mut out, export.super_object);
            out.extend_from_slice(&export.outer.to_le_bytes());
            write_index(&mut out, export.name);
            out.extend_from_slice(&export.flags.to_le_bytes());
            write_index(&mut out, as_i32(export.object.bytes.len()));
            if !export.object.bytes.is_empty() {
                write_index(&mut out, as_i32(*offset));
            }
        }
        let tables = Tables {
            names: (self.names.len(), names),
            exports: (self.exports.len(), exports),
            imports: (self.imports.len(), imports),
            heritage: (1, heritage),
        };
        let head = encode(self.version, self.licensee, self.flags, &self.guid, &tables);
        out.splice(..head.len().min(out.len()), head);
        out
    }
}

/// Appends an object and sets the absolute offsets in it; returns its own.
fn place(out: &mut Vec<u8>, object: &ObjectBytes) -> usize {
    let start = out.len();
    out.extend_from_slice(&object.bytes);
    for fixup in &object.fixups {
        let target = u32::try_from(start.saturating_add(fixup.target)).unwrap_or(u32::MAX);
        let at = start.saturating_add(fixup.at);
        if let Some(place) = out.get_mut(at..at.saturating_add(4)) {
            place.copy_from_slice(&target.to_le_bytes());
        }
    }
    start
}

fn as_i32(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_imports_are_added_once() {
        let mut package = PackageWriter::new(69, 0);
        assert_eq!(package.name("None"), 0);
        assert_eq!(package.name("Skin"), 1);
        assert_eq!(package.name("Skin"), 1);
        assert_ne!(package.name("skin"), 1);
        let class = package.class("Engine", "Texture");
        assert_eq!(class, Ref(-2));
        assert_eq!(package.class("Engine", "Texture"), class);
        assert_eq!(package.package("Engine"), Ref(-1));
    }

    #[test]
    fn an_empty_export_has_no_offset() {
        let mut package = PackageWriter::new(69, 0);
        let class = package.class("Engine", "Texture");
        package.export(&Export::new(class, "Empty"));
        let file = package.finish();
        // Class, super, outer, name, flags, size 0: and nothing more.
        assert_eq!(file[file.len() - 12..file.len() - 6], [0x82, 0, 0, 0, 0, 0]);
        assert_eq!(file[file.len() - 5..], [0x04, 0x00, 0x0F, 0x00, 0x00]);
    }

    #[test]
    fn heritage_goes_where_generations_come() {
        for (version, header) in [(61, 44), (67, 44), (68, 64), (69, 64)] {
            let file = PackageWriter::new(version, 7).finish();
            assert_eq!(file[..4], [0xC1, 0x83, 0x2A, 0x9E]);
            assert_eq!(u16::from_le_bytes([file[4], file[5]]), version);
            assert_eq!(u16::from_le_bytes([file[6], file[7]]), 7);
            assert_eq!(u32::from_le_bytes(file[16..20].try_into().unwrap()), header);
            if version < 68 {
                let heritage = u32::from_le_bytes(file[40..44].try_into().unwrap()) as usize;
                assert_eq!(&file[heritage..heritage + 16], b"Bonebox made it.");
            } else {
                assert_eq!(&file[36..52], b"Bonebox made it.");
            }
        }
    }
}
