//! The fields of the file itself: header, tables, and what the package depends on.

use super::{
    object::{Fault, ObjectReader, flags},
    package::Package,
    tables::{ObjectRef, Pointee},
};
use crate::formats::{Field, Reference, Table, Value, compact};
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

/// §3.1
const PACKAGE_FLAGS: &[(u64, &str)] = &[
    (1, "AllowDownload"),
    (2, "ClientOptional"),
    (4, "ServerSideOnly"),
    (8, "BrokenLinks"),
    (0x10, "Unsecure"),
    (0x8000, "Need"),
];

/// §3.6
pub const OBJECT_FLAGS: &[(u64, &str)] = &[
    (1, "Transactional"),
    (4, "Public"),
    (0x20, "SourceModified"),
    (0x0001_0000, "LoadForClient"),
    (0x0002_0000, "LoadForServer"),
    (0x0004_0000, "LoadForEdit"),
    (0x0008_0000, "Standalone"),
    (0x0010_0000, "NotForClient"),
    (0x0020_0000, "NotForServer"),
    (0x0040_0000, "NotForEdit"),
    (0x0200_0000, "HasStack"),
    (0x0400_0000, "Native"),
];

/// Whether a field of the file says where things lie, or is a table whose rows are known by their numbers.
pub fn is_of_place(name: &str) -> bool {
    name.ends_with("Offset") || matches!(name, "Names" | "Imports" | "Exports")
}

/// Every byte outside the objects.
pub fn file_fields(package: &Arc<Package>) -> Vec<Field> {
    let tables = &package.tables;
    let end = if tables.header.is_whole { tables.header.end } else { package.source.len() as u64 };
    let mut reader = ObjectReader::new(package, 0..end).recording();
    // What a damaged header lacks is simply not there.
    let _ = header(&mut reader);
    let mut fields = reader.into_fields();
    let table =
        |name: &'static str, range: Range<u64>, read: fn(&mut ObjectReader<'_>) -> Result<(), Fault>, count: usize| {
            let mut reader = ObjectReader::new(package, range).recording();
            if count > 0 {
                reader.solid_table(name, count as u64, read);
            }
            reader.into_fields()
        };
    let from = |offset: u32, end: u64| u64::from(offset)..end;
    if let Some((_, offset)) = tables.header.heritage {
        let count = tables.header.heritage_read;
        let end = u64::from(offset).saturating_add(u64::from(count).saturating_mul(16));
        fields.extend(table("Heritage", from(offset, end), guid_row, count as usize));
    }
    let header = &tables.header;
    fields.extend(table("Names", from(header.name_offset, tables.names_end), name_row, tables.names.count()));
    fields.extend(table("Imports", from(header.import_offset, tables.imports_end), import_row, tables.imports.len()));
    fields.extend(table("Exports", from(header.export_offset, tables.exports_end), export_row, tables.exports.len()));
    fields.push(dependencies(package));
    fields
}

fn header(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    let at = r.offset();
    r.raw().u32()?;
    r.record("Tag", "u32", at, || Value::Text("C1 83 2A 9E".into()));
    let version = r.u16("Version")?;
    r.u16("Licensee")?;
    r.flags("PackageFlags", PACKAGE_FLAGS)?;
    for name in ["NameCount", "NameOffset", "ExportCount", "ExportOffset", "ImportCount", "ImportOffset"] {
        r.u32(name)?;
    }
    if version < 68 {
        r.u32("HeritageCount")?;
        r.u32("HeritageOffset")?;
    } else {
        guid(r, "Guid")?;
        r.u32("GenerationCount")?;
        let count = u64::from(r.package().tables.header.generations);
        r.elements("Generations", "table", count, 8, |r| {
            r.u32("ExportCount")?;
            r.u32("NameCount")
        })?;
    }
    Ok(())
}

fn guid(r: &mut ObjectReader<'_>, name: &'static str) -> Result<(), Fault> {
    let at = r.offset();
    let [a, b, c, d] = [r.raw().u32()?, r.raw().u32()?, r.raw().u32()?, r.raw().u32()?];
    r.record(name, "GUID", at, || Value::Text(format!("{a:08X}{b:08X}{c:08X}{d:08X}")));
    Ok(())
}

fn guid_row(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    guid(r, "Guid")
}

fn name_row(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    r.string("Name")?;
    r.flags("Flags", OBJECT_FLAGS)?;
    Ok(())
}

/// A name whose index may lie outside the table: tables are shown as they are.
fn lenient_name(r: &mut ObjectReader<'_>, name: &'static str) -> Result<(), Fault> {
    let at = r.offset();
    let index = compact::read_unsigned(r.raw())?;
    let text = r.package().name(index).map_or_else(|| format!("#{index} (missing)"), str::to_owned);
    r.record(name, "name", at, || Value::Text(text));
    Ok(())
}

fn lenient_object(r: &mut ObjectReader<'_>, name: &'static str, wide: bool) -> Result<(), Fault> {
    let at = r.offset();
    let object = ObjectRef(if wide { r.raw().i32()? } else { compact::read_index(r.raw())? });
    let value = super::object::reference(r.package(), object);
    r.record(name, "object", at, || value);
    Ok(())
}

fn import_row(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    lenient_name(r, "ClassPackage")?;
    lenient_name(r, "ClassName")?;
    lenient_object(r, "Outer", true)?;
    lenient_name(r, "ObjectName")
}

fn export_row(r: &mut ObjectReader<'_>) -> Result<(), Fault> {
    lenient_object(r, "Class", false)?;
    lenient_object(r, "Super", false)?;
    if r.version() >= 50 {
        lenient_object(r, "Outer", true)?;
    }
    lenient_name(r, "ObjectName")?;
    r.flags("ObjectFlags", OBJECT_FLAGS)?;
    let size = r.index("Size")?;
    if size > 0 {
        r.index("Offset")?;
    }
    Ok(())
}

/// Imports that are fields of their own; of more than these, rows are made when they are looked at.
const MAX_FIELDS: usize = 4_096;

/// The imports as a tree: packages, what is taken from each, and whether it was found (§3.5). Shown besides the table that owns
/// the bytes.
fn dependencies(package: &Arc<Package>) -> Field {
    let (name, kind) = ("Dependencies", "packages");
    if package.tables.imports.len() > MAX_FIELDS {
        let table = DependencyTable { package: package.clone(), tree: OnceLock::new() };
        return Field::table(name, kind, 0, 0, Arc::new(table)).mirrored();
    }
    let tree = ImportTree::of(package);
    let fields = (0..tree.roots.len()).filter_map(|root| tree.field(package, root)).collect();
    Field::group(name, kind, 0, 0, fields).mirrored()
}

/// What lies in what.
struct ImportTree {
    /// Imports that lie in none.
    roots: Vec<u32>,
    /// The first and the last import in each, and the next one beside it; [`NONE`] for none.
    first: Vec<u32>,
    last: Vec<u32>,
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl ImportTree {
    fn of(package: &Package) -> Self {
        let imports = &package.tables.imports;
        let empty = || vec![NONE; imports.len()];
        let mut tree = Self { roots: Vec::new(), first: empty(), last: empty(), next: empty() };
        for (index, entry) in imports.iter().enumerate() {
            let number = u32::try_from(index).unwrap_or(NONE);
            match entry.outer.pointee() {
                Pointee::Import(outer) if outer < imports.len() && outer != index => tree.add(outer, number),
                _ => tree.roots.push(number),
            }
        }
        tree
    }

    fn add(&mut self, outer: usize, number: u32) {
        let (Some(first), Some(last)) = (self.first.get_mut(outer), self.last.get_mut(outer)) else { return };
        let before = std::mem::replace(last, number);
        if before == NONE {
            *first = number;
        } else if let Some(next) = self.next.get_mut(before as usize) {
            *next = number;
        }
    }

    /// The import that is root number `root` with everything in it, deep or not: what lies deeper is listed with its whole path.
    fn field(&self, package: &Arc<Package>, root: usize) -> Option<Field> {
        let root = *self.roots.get(root)?;
        let at = |list: &[u32], index: u32| list.get(index as usize).copied().filter(|n| *n != NONE);
        let mut inside = Vec::new();
        // Each import lies in one other, so that none is met twice; what lies in a circle has no root.
        let mut stack: Vec<u32> = at(&self.first, root).into_iter().collect();
        while let Some(index) = stack.pop() {
            if inside.len() >= MAX_FIELDS {
                let more = Value::Text("the remaining entries are listed in Imports".to_owned());
                inside.push(Field::new("…", "", more, 0, 0).mirrored());
                break;
            }
            inside.push(import_field(package, index, Vec::new()));
            stack.extend(at(&self.next, index));
            stack.extend(at(&self.first, index));
        }
        Some(import_field(package, root, inside))
    }
}

fn import_field(package: &Arc<Package>, index: u32, inside: Vec<Field>) -> Field {
    let object = ObjectRef(i32::try_from(index).unwrap_or(i32::MAX).saturating_add(1).saturating_neg());
    let name = package.object_name(object).unwrap_or("?").to_owned();
    let found = package.is_found(object);
    let reference =
        Reference { path: package.object_path(object), entry: None, external: Some(object.0 as u32), resolved: found };
    let kind = format!("{}, {}", package.class_name(object), if found { "found" } else { "missing" });
    let entry = package.import(index as usize).map_or(0, |i| i.offset);
    let mut field = Field::group(name, kind, entry, 0, inside).mirrored();
    field.value = Value::Reference(reference);
    field
}

/// The imports that lie in no other, made fields when they are looked at.
struct DependencyTable {
    package: Arc<Package>,
    tree: OnceLock<ImportTree>,
}

impl DependencyTable {
    fn tree(&self) -> &ImportTree {
        self.tree.get_or_init(|| ImportTree::of(&self.package))
    }
}

impl std::fmt::Debug for DependencyTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DependencyTable")
    }
}

impl Table for DependencyTable {
    fn len(&self) -> usize {
        self.tree().roots.len()
    }

    fn row(&self, index: usize) -> Option<Field> {
        self.tree().field(&self.package, index)
    }
}

/// Flags of an export as a value.
pub fn object_flags(value: u32) -> Value {
    flags(u64::from(value), OBJECT_FLAGS)
}
