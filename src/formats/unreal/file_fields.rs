//! The fields of the file itself: header, tables, and what the package depends on.

use super::{
    compact,
    object::{Fault, ObjectReader, flags},
    package::Package,
    tables::ObjectRef,
};
use crate::formats::{Field, Reference, Value};
use std::sync::Arc;

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

/// Every byte outside the objects.
pub fn file_fields(package: &Arc<Package>) -> Vec<Field> {
    let whole = 0..package.source.len() as u64;
    let mut reader = ObjectReader::new(package, whole.clone()).recording();
    // What a damaged header lacks is simply not there.
    let _ = header(&mut reader);
    let mut fields = reader.into_fields();
    let tables = &package.tables;
    let table =
        |name: &'static str, offset: u32, read: fn(&mut ObjectReader<'_>) -> Result<(), Fault>, count: usize| {
            let mut reader = ObjectReader::new(package, whole.clone()).recording();
            if count > 0 && reader.seek(u64::from(offset)).is_ok() {
                // It was read once; damage behind it stays unread.
                let _ = reader.elements(name, "table", count as u64, 1, read);
            }
            reader.into_fields()
        };
    if let Some((_, offset)) = tables.header.heritage {
        fields.extend(table("Heritage", offset, guid_row, tables.header.heritage_read as usize));
    }
    fields.extend(table("Names", tables.header.name_offset, name_row, tables.names.len()));
    fields.extend(table("Imports", tables.header.import_offset, import_row, tables.imports.len()));
    fields.extend(table("Exports", tables.header.export_offset, export_row, tables.exports.len()));
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
    let text = r.package().name(index).map_or_else(|| format!("#{index}, which does not exist"), str::to_owned);
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

/// The imports as a tree: packages, what is taken from each, and whether it was found (§3.5). Shown besides the table that owns
/// the bytes.
fn dependencies(package: &Arc<Package>) -> Field {
    let count = package.tables.imports.len();
    let import = |index: usize| ObjectRef(i32::try_from(index).unwrap_or(i32::MAX).saturating_add(1).saturating_neg());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for (index, entry) in package.tables.imports.iter().enumerate() {
        match entry.outer.pointee() {
            super::tables::Pointee::Import(outer) if outer < count && outer != index => {
                if let Some(list) = children.get_mut(outer) {
                    list.push(index);
                }
            }
            _ => roots.push(index),
        }
    }
    let field = |index: usize, inside: Vec<Field>| {
        let object = import(index);
        let name = package.object_name(object).unwrap_or("?").to_owned();
        let found = package.is_found(object);
        let reference = Reference {
            path: package.object_path(object),
            entry: None,
            external: Some(object.0 as u32),
            resolved: found,
        };
        let kind = format!("{}, {}", package.class_name(object), if found { "found" } else { "missing" });
        let entry = package.import(index).map_or(0, |i| i.offset);
        let mut field = Field::group(name, kind, entry, 0, inside).mirrored();
        field.value = Value::Reference(reference);
        field
    };
    // Two levels down: what lies deeper is listed there with its whole path.
    let mut fields = Vec::new();
    // Each import lies in one other, and thus below one root at most.
    let mut seen = vec![false; count];
    for root in roots {
        let mut inside = Vec::new();
        let mut stack: Vec<usize> = children.get(root).cloned().unwrap_or_default();
        stack.reverse();
        while let Some(index) = stack.pop() {
            if std::mem::replace(seen.get_mut(index).unwrap_or(&mut true), true) {
                continue;
            }
            inside.push(field(index, Vec::new()));
            stack.extend(children.get(index).into_iter().flatten().rev().copied());
        }
        fields.push(field(root, inside));
    }
    Field::group("Dependencies", "packages", 0, 0, fields).mirrored()
}

/// Flags of an export as a value.
pub fn object_flags(value: u32) -> Value {
    flags(u64::from(value), OBJECT_FLAGS)
}
