//! One package: its tables, and finding objects by reference, in it and in others (formats/unreal.md §3.5).

use super::{
    definitions::{ClassLayout, Member},
    links::Links,
    script::Inherited,
    tables::{ExportEntry, HAS_STACK, ImportEntry, ObjectRef, Pointee, Tables},
};
use crate::bytes::Source;
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How far outers, supers and other chains of objects are followed.
pub const DEEPEST: usize = 64;
/// Exports and classes that one package looks at for the imports that may mean them. Whole games stay far below it; a file made
/// to have many imports of one name that many exports have does not.
const MAX_LOOKED_AT: usize = 4_000_000;

/// An object that an import was found to mean: its package, not held open by it, and its export.
type Kept = (Weak<Package>, usize);

/// A package that is open.
#[derive(Debug)]
pub struct Package {
    /// The file's name without extension: what imports call it.
    pub stem: String,
    /// Where it lies; empty for one without a file.
    pub path: PathBuf,
    pub source: Source,
    pub tables: Tables,
    pub(super) links: Weak<Links>,
    /// Exports that are holes, in order.
    pub(super) holes: Vec<u32>,
    by_name: OnceLock<HashMap<String, Vec<u32>>>,
    found: Mutex<HashMap<i32, bool>>,
    /// Where imports lead, as far as they were asked for.
    resolved: Mutex<HashMap<i32, Option<Kept>>>,
    looked_at: AtomicUsize,
    /// What classes say of their properties, by export.
    pub(super) layouts: Mutex<HashMap<usize, Arc<ClassLayout>>>,
    /// What classes give their objects, by the reference to the class.
    pub(super) inherited: Mutex<HashMap<i32, Arc<Vec<Inherited>>>>,
    /// The package's own structs by name, where an object's class says nothing of them.
    pub(super) structs: Mutex<HashMap<String, Option<Arc<Vec<Member>>>>>,
}

/// An object that was found: its package and its place in the export table.
#[derive(Clone, Debug)]
pub struct Found {
    pub package: Arc<Package>,
    pub export: usize,
}

impl Package {
    pub fn new(stem: &str, path: PathBuf, source: Source, tables: Tables, links: Weak<Links>) -> Self {
        let mut package = Self {
            stem: stem.to_owned(),
            path,
            source,
            tables,
            links,
            holes: Vec::new(),
            by_name: OnceLock::new(),
            found: Mutex::default(),
            resolved: Mutex::default(),
            looked_at: AtomicUsize::new(0),
            layouts: Mutex::default(),
            inherited: Mutex::default(),
            structs: Mutex::default(),
        };
        let exports = package.exports().iter().enumerate();
        let holes = exports.filter(|(_, e)| package.is_hole(e)).filter_map(|(index, _)| u32::try_from(index).ok());
        package.holes = holes.collect();
        package
    }

    /// Whether a reference leads to an object, here or in another package; remembered.
    pub fn is_found(self: &Arc<Self>, object: ObjectRef) -> bool {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&object.0) {
            return *known;
        }
        let found = self.resolve(object).is_some() || self.names_a_package(object);
        lock().insert(object.0, found);
        found
    }

    /// Whether a reference is to another package as a whole, and that is there.
    fn names_a_package(&self, object: ObjectRef) -> bool {
        let Pointee::Import(index) = object.pointee() else { return false };
        let whole = self.import(index).filter(|i| i.outer.is_none()).and_then(|i| self.name(i.name));
        whole.is_some_and(|stem| self.links.upgrade().is_some_and(|links| links.package(stem).is_some()))
    }

    pub fn version(&self) -> u16 {
        self.tables.header.version
    }

    pub fn licensee(&self) -> u16 {
        self.tables.header.licensee
    }

    /// A name by its index; `None` past the table.
    pub fn name(&self, index: u32) -> Option<&str> {
        self.tables.names.get(index as usize).map(|n| n.text.as_str())
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

    /// The bytes of an export; empty where it has none or they lie outside the file.
    pub fn export_bytes(&self, index: usize) -> &[u8] {
        let Some(export) = self.export(index) else { return &[] };
        let start = export.offset as usize;
        self.source.as_slice().get(start..start.saturating_add(export.size as usize)).unwrap_or_default()
    }

    /// The last part of an object's path; `None` for null and for what does not exist.
    pub fn object_name(&self, object: ObjectRef) -> Option<&str> {
        match object.pointee() {
            Pointee::None => None,
            Pointee::Export(index) => self.name(self.export(index)?.name),
            Pointee::Import(index) => self.name(self.import(index)?.name),
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
    fn lies_in(&self, index: usize, groups: &[&str]) -> bool {
        let mut own: Vec<&str> =
            self.outers(ObjectRef::export(index)).skip(1).filter_map(|o| self.object_name(o)).collect();
        own.reverse();
        own.len() == groups.len() && own.iter().zip(groups).all(|(a, b)| a.eq_ignore_ascii_case(b))
    }

    /// The export with this name and class, in these groups; elsewhere where the groups miss (§3.5 a).
    pub fn find(self: &Arc<Self>, groups: &[&str], name: &str, class: &str) -> Option<usize> {
        let mut elsewhere = None;
        for index in self.exports_named(name) {
            if self.looked_at.fetch_add(1, Ordering::Relaxed) >= MAX_LOOKED_AT {
                break;
            }
            if !self.is_of(index, class) {
                continue;
            }
            if self.lies_in(index, groups) {
                return Some(index);
            }
            elsewhere = elsewhere.or(Some(index));
        }
        elsewhere
    }

    /// Whether an import of this class can mean an export. Classes have no class of their own: that ends what would otherwise
    /// be a search within a search without end, where an export's class is an import of the export itself.
    fn is_of(self: &Arc<Self>, index: usize, class: &str) -> bool {
        let object = ObjectRef::export(index);
        if class.is_empty() || self.class_name(object).eq_ignore_ascii_case(class) {
            return true;
        }
        if class.eq_ignore_ascii_case("Class") {
            return false;
        }
        let chain = self.class_chain(object);
        self.looked_at.fetch_add(chain.len(), Ordering::Relaxed);
        chain.iter().any(|link| link.name.eq_ignore_ascii_case(class))
    }

    /// Follows a reference to the object itself, into another package where it is an import; remembered.
    pub fn resolve(self: &Arc<Self>, object: ObjectRef) -> Option<Found> {
        match object.pointee() {
            Pointee::None => None,
            Pointee::Export(index) => self.export(index).map(|_| Found { package: self.clone(), export: index }),
            Pointee::Import(index) => {
                let lock = || self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(known) = lock().get(&object.0) {
                    let (package, export) = known.as_ref()?;
                    return package.upgrade().map(|package| Found { package, export: *export });
                }
                let found = self.resolve_import(index, object);
                lock().insert(object.0, found.as_ref().map(|found| (Arc::downgrade(&found.package), found.export)));
                found
            }
        }
    }

    fn resolve_import(&self, index: usize, object: ObjectRef) -> Option<Found> {
        let class = self.name(self.import(index)?.class_name)?;
        let mut path: Vec<&str> = Vec::new();
        for object in self.outers(object) {
            path.push(self.object_name(object)?);
        }
        path.reverse();
        let (package, rest) = path.split_first()?;
        let (name, groups) = rest.split_last()?;
        self.links.upgrade()?.find(package, groups, name, class)
    }

    /// The class of an object and its super classes, nearest first, as far as they can be followed: the last may be an import
    /// whose package is missing, and is then given by its reference alone.
    pub fn class_chain(self: &Arc<Self>, object: ObjectRef) -> Vec<ClassLink> {
        let Some(found) = self.resolve(object) else { return Vec::new() };
        let Some(export) = found.package.export(found.export) else { return Vec::new() };
        found.package.super_chain(export.class)
    }

    /// A class and its super classes, nearest first (see [`Package::class_chain`]).
    pub fn super_chain(self: &Arc<Self>, class: ObjectRef) -> Vec<ClassLink> {
        let mut chain = Vec::new();
        let (mut package, mut class) = (self.clone(), class);
        while !class.is_none() && chain.len() < DEEPEST {
            let name = package.object_name(class).unwrap_or("?").to_owned();
            // Of another package only what is said to be a class: looking for anything else asks for classes again.
            let is_class = matches!(class.pointee(), Pointee::Export(_))
                || package.class_name(class).eq_ignore_ascii_case("Class");
            let found = if is_class { package.resolve(class) } else { None };
            chain.push(ClassLink { name, found: found.clone() });
            let Some(found) = found else { break };
            let Some(export) = found.package.export(found.export) else { break };
            class = export.parent;
            package = found.package.clone();
        }
        chain
    }
}

/// A class on the way from an object to `Object`.
#[derive(Clone, Debug)]
pub struct ClassLink {
    pub name: String,
    /// Where the class itself is, when it can be found.
    pub found: Option<Found>,
}
