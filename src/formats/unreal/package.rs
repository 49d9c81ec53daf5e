//! Packages and the targets of their references, in the package itself and in others; the paths in the games' ini files
//! (formats/unreal.md §3.5).

use super::{
    built_in::is_built_in,
    package_file::{ClassCache, DEEPEST, Memory, PackageFile},
    tables::{ObjectRef, Pointee, Tables, is_package, read_tables},
};
use crate::{
    bytes::{Limits, Source},
    formats::{Dependency, Diagnostics, FileRequest, Import, Resolver},
};
use std::{
    collections::{BTreeMap, HashMap},
    ops::Deref,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

/// `[PackageRemap]` of an ini: `Old=New`, keys in lower case.
fn package_remap(ini: &str) -> HashMap<String, String> {
    let mut inside = false;
    let mut map = HashMap::new();
    for line in ini.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[PackageRemap]");
        } else if inside && let Some((old, new)) = line.split_once('=') {
            map.insert(old.trim().to_ascii_lowercase(), new.trim().to_owned());
        }
    }
    map
}

/// Extensions of packages, those that hold most first.
const EXTENSIONS: &[&str] =
    &["u", "utx", "uax", "umx", "unr", "usm", "dx", "run", "uxx", "ukx", "usx", "ut2", "un2", "upx"];
/// Folders of the games, beside the one that the file lies in.
const SIBLINGS: &[&str] = &["System", "Textures", "Sounds", "Music", "Maps"];
/// How a package is asked for by its name.
fn request(stem: &str) -> FileRequest<'_> {
    FileRequest { stem, extensions: EXTENSIONS, subfolders: false, siblings: SIBLINGS }
}

/// Packages that one document opens at most.
const MAX_PACKAGES: usize = 128;
/// Bytes of all packages that one document opens at most.
const MAX_BYTES: usize = 256 << 20;
/// Exports and classes that one package looks at for the imports that may mean them. Whole games stay far below it; a file made
/// to have many imports of one name that many exports have does not.
const MAX_LOOKED_AT: usize = 4_000_000;

/// An object that an import was found to mean: its package, not held open by it, and its export.
type Kept = (Weak<Package>, usize);

/// A package that is open, among the others that it refers to.
#[derive(Debug)]
pub struct Package {
    file: PackageFile,
    links: Weak<Links>,
    found: Mutex<HashMap<i32, bool>>,
    /// Where imports lead, as far as they were asked for.
    resolved: Mutex<HashMap<i32, Option<Kept>>>,
    looked_at: AtomicUsize,
    /// What classes were found to say.
    pub(super) classes: ClassCache,
    /// What else was worked out.
    pub(super) memory: Memory,
}

impl Deref for Package {
    type Target = PackageFile;

    fn deref(&self) -> &PackageFile {
        &self.file
    }
}

/// An object that was found: its package and its place in the export table.
#[derive(Clone, Debug)]
pub struct Found {
    pub package: Arc<Package>,
    pub export: usize,
}

impl Package {
    pub fn new(stem: &str, path: PathBuf, source: Source, tables: Tables, links: Weak<Links>) -> Self {
        Self {
            file: PackageFile::new(stem, path, source, tables),
            links,
            found: Mutex::default(),
            resolved: Mutex::default(),
            looked_at: AtomicUsize::new(0),
            classes: ClassCache::default(),
            memory: Memory::default(),
        }
    }

    /// Whether a reference leads to an object, here or in another package; remembered.
    pub fn is_found(self: &Arc<Self>, object: ObjectRef) -> bool {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&object.0) {
            return *known;
        }
        let found =
            self.resolve(object).is_some() || self.names_a_package(object) || self.names_a_built_in_class(object);
        lock().insert(object.0, found);
        found
    }

    /// Whether a reference is to another package as a whole, and that is there.
    fn names_a_package(&self, object: ObjectRef) -> bool {
        let Pointee::Import(index) = object.pointee() else { return false };
        let whole = self.import(index).filter(|i| i.outer.is_none()).and_then(|i| self.name(i.name));
        whole.is_some_and(|stem| self.links.upgrade().is_some_and(|links| links.package(stem).is_some()))
    }

    /// Whether a reference is to a class that the executable has.
    fn names_a_built_in_class(&self, object: ObjectRef) -> bool {
        let Pointee::Import(index) = object.pointee() else { return false };
        let Some(import) = self.import(index) else { return false };
        let is_class = self.name(import.class_name).is_some_and(|class| class.eq_ignore_ascii_case("Class"));
        let names = self.object_name(import.outer).zip(self.name(import.name));
        is_class && names.is_some_and(|(package, name)| is_built_in(package, name))
    }

    /// The packages that this one imports from, by name.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let Some(links) = self.links.upgrade() else { return Vec::new() };
        // By name in small letters: how much is taken, and whether anything of it lies in a file.
        let mut taken: BTreeMap<String, (String, usize, bool)> = BTreeMap::new();
        for index in 0..self.tables.imports.len() {
            let object =
                ObjectRef(i32::try_from(index).map_or(i32::MIN, |index| index.saturating_add(1).saturating_neg()));
            let Some(name) = self.outers(object).last().and_then(|outer| self.object_name(outer)) else { continue };
            let of = taken.entry(name.to_ascii_lowercase()).or_insert_with(|| (name.to_owned(), 0, false));
            // Groups are on the way to what is taken.
            if !self.class_name(object).eq_ignore_ascii_case("Package") {
                of.1 = of.1.saturating_add(1);
                of.2 |= !self.names_a_built_in_class(object);
            }
        }
        let dependency = |(name, uses, needs_file): (String, usize, bool)| {
            let (found, looked_in) = links.whereabouts(&name);
            Dependency { name, uses, is_built_in: !needs_file, found, looked_in }
        };
        taken.into_values().map(dependency).collect()
    }

    /// Each thing that this package takes from others, in the order of its imports.
    pub fn imports(&self) -> Vec<Import> {
        let objects = (1..).map(i32::wrapping_neg).map(ObjectRef).take(self.tables.imports.len());
        let taken = objects.filter_map(|object| {
            let (package, path) =
                self.object_path(object).split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned()))?;
            let class = self.class_name(object).to_owned();
            // Groups are on the way to what is taken.
            let is_group = class.eq_ignore_ascii_case("Package");
            let is_built_in = self.names_a_built_in_class(object);
            (!is_group).then_some(Import { file: package, path, class, is_built_in })
        });
        taken.collect()
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

/// The other packages that one refers to, opened by name when they are asked for and kept as long as the document.
pub struct Links {
    resolver: Arc<dyn Resolver>,
    own: Weak<Self>,
    root: Mutex<Weak<Package>>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    packages: HashMap<String, Option<Arc<Package>>>,
    bytes: usize,
    /// `[PackageRemap]` of the game's ini, once it was looked for.
    remap: Option<HashMap<String, String>>,
}

impl std::fmt::Debug for Links {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Links")
    }
}

impl Links {
    pub fn new(resolver: Arc<dyn Resolver>) -> Arc<Self> {
        Arc::new_cyclic(|own| Self {
            resolver,
            own: own.clone(),
            root: Mutex::new(Weak::new()),
            open: Mutex::new(Open::default()),
        })
    }

    /// The document's own package: references may lead back into it.
    pub fn set_root(&self, package: &Arc<Package>) {
        *self.root.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(package);
    }

    /// A package by the name that imports give it.
    pub fn package(&self, stem: &str) -> Option<Arc<Package>> {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(root) = root.filter(|root| root.stem.eq_ignore_ascii_case(stem)) {
            return Some(root);
        }
        let key = stem.to_ascii_lowercase();
        {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = open.packages.get(&key) {
                return known.clone();
            }
            if open.packages.len() >= MAX_PACKAGES || open.bytes >= MAX_BYTES {
                return None;
            }
        }
        let package = self.read(stem);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.bytes = open.bytes.saturating_add(package.as_ref().map_or(0, |p| p.source.len()));
        open.packages.entry(key).or_insert(package).clone()
    }

    fn read(&self, stem: &str) -> Option<Arc<Package>> {
        let file = self.resolver.find(&request(stem))?;
        if !is_package(&file.source) {
            return None;
        }
        let tables = read_tables(&file.source, Limits::default().entries, &mut Diagnostics::new(0)).ok()?;
        Some(Arc::new(Package::new(stem, file.path, file.source.clone(), tables, self.own.clone())))
    }

    /// Where a package lies, and where it is looked for.
    pub fn whereabouts(&self, stem: &str) -> (Option<PathBuf>, Vec<PathBuf>) {
        let places = self.places(stem);
        let found = places.iter().find_map(|stem| self.resolver.locate(&request(stem)));
        (found, self.resolver.places(&request(stem)))
    }

    /// The packages that are looked in for what `stem` should hold: itself, what the game's ini puts in its place, and
    /// UnrealI and UnrealShare for each other (§3.5 b, c).
    fn places(&self, stem: &str) -> Vec<String> {
        let mut places = vec![stem.to_owned()];
        if let Some(other) = self.remapped(stem) {
            places.push(other);
        }
        if stem.eq_ignore_ascii_case("UnrealI") {
            places.push("UnrealShare".to_owned());
        } else if stem.eq_ignore_ascii_case("UnrealShare") {
            places.push("UnrealI".to_owned());
        }
        places
    }

    fn remapped(&self, stem: &str) -> Option<String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let remap = open.remap.get_or_insert_with(|| {
            let mut map = HashMap::new();
            for ini in ["UnrealTournament", "Unreal"] {
                let request = FileRequest { stem: ini, extensions: &["ini"], subfolders: false, siblings: SIBLINGS };
                if let Some(file) = self.resolver.find(&request) {
                    map.extend(package_remap(&String::from_utf8_lossy(file.source.as_slice())));
                }
            }
            map
        });
        remap.get(&stem.to_ascii_lowercase()).cloned()
    }

    /// An object by the name of its package and its path in it.
    pub fn find(&self, stem: &str, groups: &[&str], name: &str, class: &str) -> Option<Found> {
        self.places(stem).iter().find_map(|stem| {
            let package = self.package(stem)?;
            let export = package.find(groups, name, class)?;
            Some(Found { package, export })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remap_section_alone_is_read() {
        let map = package_remap("[Core]\nA=B\n[packageremap]\n UnrealI = UnrealShare\n[Other]\nC=D");
        assert_eq!(map.len(), 1);
        assert_eq!(map["unreali"], "UnrealShare");
    }
}
