//! The other packages that one refers to, opened when they are asked for and kept as long as the document (§3.5).

use super::{
    package::{Found, Package},
    tables::{MAGIC, read_tables},
};
use crate::formats::{Diagnostics, FileRequest, Resolver};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// Extensions of packages, those that hold most first.
pub const EXTENSIONS: &[&str] =
    &["u", "utx", "uax", "umx", "unr", "usm", "dx", "run", "uxx", "ukx", "usx", "ut2", "upx"];
/// Folders of the games, beside the one that the file lies in.
const SIBLINGS: &[&str] = &["System", "Textures", "Sounds", "Music", "Maps"];
/// Packages that one document opens at most.
const MAX_PACKAGES: usize = 128;
/// Bytes of all packages that one document opens at most.
const MAX_BYTES: usize = 256 << 20;

/// Opens packages by name.
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
        let request = FileRequest { stem, extensions: EXTENSIONS, subfolders: false, siblings: SIBLINGS };
        let file = self.resolver.find(&request)?;
        let bytes = file.source.as_slice();
        if bytes.get(..4)? != MAGIC.to_le_bytes() {
            return None;
        }
        let tables = read_tables(bytes, &mut Diagnostics::new(0)).ok()?;
        Some(Arc::new(Package::new(stem, file.path, file.source.clone(), tables, self.own.clone())))
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
