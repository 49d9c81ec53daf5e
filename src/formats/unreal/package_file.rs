//! The file of one package: its bytes and tables, the names of its objects (formats/unreal.md §3), and the values that
//! are kept between questions.
//!
//! What was worked out of a package and is kept for the next question. Each part of the reader keeps its own: the
//! package knows none of them.
//!
//! What is remembered of classes: how their properties are stored, and what their objects start with. It is worked out
//! in `definitions` and in `script`, once a class.

use super::tables::{ExportEntry, HAS_STACK, ImportEntry, ObjectRef, Pointee, Tables};
use crate::{bytes::Source, formats::SharedText};
use std::{
    any::{Any, TypeId},
    collections::{HashMap, HashSet},
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError, atomic::AtomicUsize},
};

/// How far outers, supers and other chains of objects are followed.
pub const DEEPEST: usize = 64;

/// A package without the others that it refers to.
#[derive(Debug)]
pub struct PackageFile {
    /// The file's name without extension: what imports call it.
    pub stem: String,
    /// Where it lies; empty for one without a file.
    pub path: PathBuf,
    pub source: Source,
    pub tables: Tables,
    /// Exports that are holes, in order.
    pub(super) holes: Vec<u32>,
    by_name: OnceLock<HashMap<String, Vec<u32>>>,
}

impl PackageFile {
    pub fn new(stem: &str, path: PathBuf, source: Source, tables: Tables) -> Self {
        source.divide(tables.places());
        let mut file =
            Self { stem: stem.to_owned(), path, source, tables, holes: Vec::new(), by_name: OnceLock::new() };
        let exports = file.exports().iter().enumerate();
        let holes = exports.filter(|(_, e)| file.is_hole(e)).filter_map(|(index, _)| u32::try_from(index).ok());
        file.holes = holes.collect();
        file
    }

    pub fn version(&self) -> u16 {
        self.tables.header.version
    }

    pub fn licensee(&self) -> u16 {
        self.tables.header.licensee
    }

    /// A name by its index; `None` past the table.
    pub fn name(&self, index: u32) -> Option<&str> {
        self.tables.names.get(index)
    }

    /// As [`Self::name`], shared with the table.
    pub fn name_text(&self, index: u32) -> Option<SharedText> {
        self.tables.names.shared(index)
    }

    pub fn exports(&self) -> &[ExportEntry] {
        &self.tables.exports
    }

    pub fn export(&self, index: usize) -> Option<&ExportEntry> {
        self.tables.exports.get(index)
    }

    pub fn import(&self, index: usize) -> Option<&ImportEntry> {
        self.tables.imports.get(index)
    }

    /// Where the bytes of an export lie, if that is inside the file.
    fn range_of(&self, export: &ExportEntry) -> Option<Range<u64>> {
        let start = u64::from(export.offset);
        let end = start.checked_add(u64::from(export.size))?;
        (end <= self.source.len() as u64).then_some(start..end)
    }

    /// How many bytes an export has; 0 where they lie outside the file.
    pub fn export_size(&self, index: usize) -> u64 {
        self.export(index)
            .and_then(|export| self.range_of(export))
            .map_or(0, |range| range.end.saturating_sub(range.start))
    }

    /// The last part of an object's path; `None` for null and for what does not exist.
    pub fn object_name(&self, object: ObjectRef) -> Option<&str> {
        match object.pointee() {
            Pointee::None => None,
            Pointee::Export(index) => self.name(self.export(index)?.name),
            Pointee::Import(index) => self.name(self.import(index)?.name),
        }
    }

    /// As [`Self::object_name`], shared with the table of names.
    pub fn object_text(&self, object: ObjectRef) -> Option<SharedText> {
        match object.pointee() {
            Pointee::None => None,
            Pointee::Export(index) => self.name_text(self.export(index)?.name),
            Pointee::Import(index) => self.name_text(self.import(index)?.name),
        }
    }

    fn outer_of(&self, object: ObjectRef) -> ObjectRef {
        match object.pointee() {
            Pointee::None => ObjectRef::NONE,
            Pointee::Export(index) => self.export(index).map_or(ObjectRef::NONE, |e| e.outer),
            Pointee::Import(index) => self.import(index).map_or(ObjectRef::NONE, |i| i.outer),
        }
    }

    /// The chain from an object outwards, itself first; cut at [`DEEPEST`].
    pub fn outers(&self, object: ObjectRef) -> impl Iterator<Item = ObjectRef> + '_ {
        std::iter::successors(Some(object), |o| Some(self.outer_of(*o))).take_while(|o| !o.is_none()).take(DEEPEST)
    }

    /// An object's path with the parts joined by dots; a number for what does not exist; empty for null. Paths of imports start
    /// with their package.
    pub fn object_path(&self, object: ObjectRef) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for object in self.outers(object) {
            match self.object_name(object) {
                Some(name) => parts.push(name),
                None => return format!("#{}", object.0),
            }
        }
        parts.reverse();
        parts.join(".")
    }

    /// The name of an object's class: `Class` for classes, as imports have it.
    pub fn class_name(&self, object: ObjectRef) -> &str {
        match object.pointee() {
            Pointee::None => "None",
            Pointee::Export(index) => {
                let class = self.export(index).map_or(ObjectRef::NONE, |e| e.class);
                if class.is_none() { "Class" } else { self.object_name(class).unwrap_or("?") }
            }
            Pointee::Import(index) => self.import(index).and_then(|i| self.name(i.class_name)).unwrap_or("?"),
        }
    }

    /// As [`Self::class_name`], of an export, shared with the table of names.
    pub fn class_text(&self, export: &ExportEntry) -> SharedText {
        if export.class.is_none() { "Class".into() } else { self.object_text(export.class).unwrap_or("?".into()) }
    }

    /// An entry without anything behind it, left where a tool has stripped an object (§3.3).
    pub fn is_hole(&self, export: &ExportEntry) -> bool {
        export.class.is_none()
            && export.size == 0
            && self.name(export.name).is_some_and(|name| name.eq_ignore_ascii_case("None"))
    }

    pub fn has_stack(&self, index: usize) -> bool {
        self.export(index).is_some_and(|e| e.flags & HAS_STACK != 0)
    }

    /// Exports whose own name is this, in order, without regard to case.
    pub fn exports_named(&self, name: &str) -> impl Iterator<Item = usize> + '_ {
        let by_name = self.by_name.get_or_init(|| {
            let mut map: HashMap<String, Vec<u32>> = HashMap::new();
            for (index, export) in self.exports().iter().enumerate() {
                if let Some(name) = self.name(export.name)
                    && !self.is_hole(export)
                {
                    map.entry(name.to_ascii_lowercase()).or_default().push(u32::try_from(index).unwrap_or(u32::MAX));
                }
            }
            map
        });
        by_name.get(&name.to_ascii_lowercase()).into_iter().flatten().map(|i| *i as usize)
    }

    /// Whether the object at `index` lies in exactly these groups, outermost first.
    pub fn lies_in(&self, index: usize, groups: &[&str]) -> bool {
        let mut own: Vec<&str> =
            self.outers(ObjectRef::export(index)).skip(1).filter_map(|o| self.object_name(o)).collect();
        own.reverse();
        own.len() == groups.len() && own.iter().zip(groups).all(|(a, b)| a.eq_ignore_ascii_case(b))
    }
}

/// One value of each type that is asked for.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memory {
    /// The value of type `T`; at first its default.
    pub fn of<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = kept.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default())).clone();
        // It has the type that it lies under.
        value.downcast().unwrap_or_default()
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

/// What was worked out of the classes that one package has or refers to.
#[derive(Debug, Default)]
pub struct ClassCache {
    /// What classes say of their properties, by export.
    pub layouts: Mutex<HashMap<usize, Arc<ClassLayout>>>,
    /// The package's own structs by name, where an object's class says nothing of them.
    pub structs: Mutex<HashMap<String, Option<Arc<Vec<Member>>>>>,
    /// Members of structs that were read; of a file made to have too many no more are.
    pub members: AtomicUsize,
}

/// What a class says of its own properties, and the class that it extends. Names are in small letters.
#[derive(Debug, Default)]
pub struct ClassLayout {
    pub parent: Option<Arc<ClassLayout>>,
    /// The properties that the class itself declares.
    pub properties: HashSet<String>,
    /// By property, the names of its values.
    pub enums: HashMap<String, Arc<Vec<String>>>,
    /// By struct.
    pub structs: HashMap<String, Arc<Vec<Member>>>,
    /// By property.
    pub arrays: HashMap<String, MemberKind>,
}

impl ClassLayout {
    /// This class and those that it extends, nearest first.
    pub fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |layout| layout.parent.as_deref()).take(DEEPEST)
    }
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub kind: MemberKind,
    pub array_dim: u32,
}

/// How a member is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Byte,
    /// One byte.
    Bool,
    Int,
    Float,
    Object,
    Name,
    Str,
    Struct(String),
    /// A count, then as many elements.
    Array(Box<MemberKind>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

    #[test]
    fn a_value_of_each_type_is_kept() {
        let memory = Memory::default();
        memory.of::<AtomicU8>().store(3, Ordering::Relaxed);
        memory.of::<AtomicU16>().store(4, Ordering::Relaxed);
        assert_eq!(memory.of::<AtomicU8>().load(Ordering::Relaxed), 3);
        assert_eq!(memory.of::<AtomicU16>().load(Ordering::Relaxed), 4);
    }
}
