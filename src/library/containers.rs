//! Members of containers as files: a path leads into a container as it leads into a folder (formats/containers.md §1.1).

use super::{
    reading::{Pipes, open_file, read_opened},
    stamp::Stamp,
    stored_file::kept_on_disk,
};
use crate::{
    bytes::{Limits, Source},
    formats::{
        self, ContainerDocument, Diagnostics, Document, Entry, EntryId, Hint, NO_OVERRIDES, NoFiles, OpenContext, Role,
        caught,
    },
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, atomic::AtomicBool},
};

/// Containers whose tables are held.
const MOST_OPEN: usize = 32;
/// Unpacked bytes that are held though nobody else does.
const MOST_UNPACKED: usize = 64 << 20;

/// The file on the disk that a path into a container leads through: `/games/pack.zip` of `/games/pack.zip/Maps/a.unr`. `None` where
/// the path itself is on the disk, or leads nowhere.
pub fn outermost(path: &Path) -> Option<&Path> {
    if std::fs::symlink_metadata(path).is_ok() {
        return None;
    }
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        match std::fs::metadata(above) {
            Ok(meta) if meta.is_file() => return Some(above),
            Ok(_) => return None,
            Err(_) => {}
        }
    }
    None
}

/// Containers that are looked into, and what was unpacked of them last.
pub(super) struct Containers {
    held: Mutex<Held>,
    limits: Limits,
}

#[derive(Default)]
struct Held {
    /// The one that was asked last comes last.
    open: Vec<Arc<Mounted>>,
    unpacked: Vec<Unpacked>,
}

/// A container that is open.
struct Mounted {
    path: PathBuf,
    /// Of the file on the disk.
    stamp: Stamp,
    document: Box<dyn Document>,
}

struct Unpacked {
    path: PathBuf,
    stamp: Stamp,
    source: Source,
}

/// Where a path leads to.
struct Located {
    mounted: Arc<Mounted>,
    entry: EntryId,
}

/// What lies in a folder of a container.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Inside {
    pub files: Vec<OsString>,
    pub folders: Vec<OsString>,
}

impl Mounted {
    fn container(&self) -> Option<&ContainerDocument> {
        self.document.container()
    }

    fn find(&self, path: &str) -> Option<&Entry> {
        self.document.outline().find_path(path)
    }
}

impl Containers {
    /// Those of the program.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Containers> = OnceLock::new();
        SHARED.get_or_init(|| Self::new(Limits::default()))
    }

    fn new(limits: Limits) -> Self {
        Self { held: Mutex::default(), limits }
    }

    /// A member's own bytes, and what tells whether the file that it lies in was written since.
    ///
    /// # Errors
    /// In a sentence that goes after the path, when it leads to no member, or nothing of the member can be used.
    pub fn read(&self, path: &Path) -> Result<(Source, Stamp), String> {
        let located = self.locate(path)?;
        self.unpack(path, &located.mounted, located.entry)
    }

    /// What lies in a container, or in a folder of one; `None` where the path leads to neither.
    pub fn inside(&self, folder: &Path) -> Option<Inside> {
        let (mounted, entry) = match outermost(folder) {
            None => (self.on_disk(folder).ok()?, EntryId::FILE),
            Some(_) => {
                let located = self.locate(folder).ok()?;
                match located.mounted.container()?.is_file(located.entry) {
                    // A container in a container.
                    true => (self.within(folder, &located.mounted, located.entry).ok()?, EntryId::FILE),
                    false => (located.mounted, located.entry),
                }
            }
        };
        let (container, outline) = (mounted.container()?, mounted.document.outline());
        let mut inside = Inside::default();
        for entry in outline.children(entry).iter().filter_map(|id| outline.get(*id)) {
            if container.is_file(entry.id) {
                inside.files.push(entry.name.to_string().into());
            } else if entry.role == Role::Folder {
                inside.folders.push(entry.name.to_string().into());
            }
        }
        Some(inside)
    }

    /// Whether a path leads to a member of a container, not to a folder of one.
    pub fn is_file(&self, path: &Path) -> bool {
        let located = self.locate(path);
        located.is_ok_and(|at| at.mounted.container().is_some_and(|container| container.is_file(at.entry)))
    }

    fn locate(&self, path: &Path) -> Result<Located, String> {
        let outer = outermost(path).ok_or("there is no such file")?;
        let inner = path.strip_prefix(outer).unwrap_or(path);
        let segments: Vec<_> = inner.iter().map(|segment| segment.to_string_lossy()).collect();
        let mut mounted = self.on_disk(outer)?;
        let (mut at, mut depth) = (outer.to_owned(), 1_u32);
        let mut way = String::new();
        for (number, segment) in segments.iter().enumerate() {
            if !way.is_empty() {
                way.push('/');
            }
            way.push_str(segment);
            at.push(&**segment);
            let Some(entry) = mounted.find(&way).map(|entry| entry.id) else {
                return Err(format!("there is no “{way}” in {}", name_of(&mounted.path)));
            };
            if number.saturating_add(1) == segments.len() {
                return Ok(Located { mounted, entry });
            }
            if mounted.container().is_some_and(|container| container.is_file(entry)) {
                depth = depth.saturating_add(1);
                if depth > self.limits.members.depth {
                    let most = self.limits.members.depth;
                    return Err(format!("it lies in more than {most} containers, which are not opened deeper"));
                }
                mounted = self.within(&at, &mounted, entry)?;
                way.clear();
            }
        }
        Err("there is no such file".to_owned())
    }

    /// The container that a file on the disk is.
    fn on_disk(&self, path: &Path) -> Result<Arc<Mounted>, String> {
        let (file, meta) = open_file(path, Pipes::Refused)?;
        let stamp = Stamp::of(&meta);
        if let Some(mounted) = self.held(path, &stamp) {
            return Ok(mounted);
        }
        let limit = self.limits.file_bytes;
        let source = match kept_on_disk(path, file, &meta, limit)? {
            Ok(source) => source,
            Err(file) => Source::from(read_opened(file, &meta, limit)?),
        };
        self.mount(path, source, stamp)
    }

    /// The container that a member of another one is.
    fn within(&self, path: &Path, outer: &Mounted, entry: EntryId) -> Result<Arc<Mounted>, String> {
        if let Some(mounted) = self.held(path, &outer.stamp) {
            return Ok(mounted);
        }
        let (source, stamp) = self.unpack(path, outer, entry)?;
        self.mount(path, source, stamp)
    }

    fn unpack(&self, path: &Path, mounted: &Mounted, entry: EntryId) -> Result<(Source, Stamp), String> {
        let stamp = mounted.stamp.clone();
        if let Some(source) = self.unpacked(path, &stamp) {
            return Ok((source, stamp));
        }
        let container = mounted.container().ok_or("it is no container")?;
        if !container.is_file(entry) {
            return Err("it is a folder of a container, not a file".to_owned());
        }
        let never = AtomicBool::new(false);
        let unpacked = caught(|| container.unpack(entry, &self.limits.members, &never))
            .map_err(|reason| format!("Bonebox failed inside, which is its own fault: {reason}"))?;
        let source = unpacked.map_err(|trouble| trouble.message)?.source;
        // What is a part of the container, or of its file, costs nothing to ask for again.
        if container.is_packed(entry) {
            self.keep(Unpacked { path: path.to_owned(), stamp: stamp.clone(), source: source.clone() });
        }
        Ok((source, stamp))
    }

    fn mount(&self, path: &Path, source: Source, stamp: Stamp) -> Result<Arc<Mounted>, String> {
        let name = name_of(path);
        let format = formats::probe_whole(&source, &Hint { file_name: &name }).filter(|format| format.holds_files());
        if format.is_none() {
            return Err(format!("{name} is a file, and nothing that others lie in"));
        }
        let mut diagnostics = Diagnostics::new(0);
        let mut cx = OpenContext {
            file: &name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits: self.limits,
            overrides: &NO_OVERRIDES,
        };
        let document = caught(|| formats::open(source, &mut cx))
            .map_err(|reason| format!("Bonebox failed inside, which is its own fault: {reason}"))?
            .map_err(|error| error.message)?;
        let mounted = Arc::new(Mounted { path: path.to_owned(), stamp, document });
        let mut held = self.lock();
        held.open.retain(|other| other.path != path);
        if held.open.len() >= MOST_OPEN {
            held.open.remove(0);
        }
        held.open.push(mounted.clone());
        Ok(mounted)
    }

    fn held(&self, path: &Path, stamp: &Stamp) -> Option<Arc<Mounted>> {
        let mut held = self.lock();
        let at = held.open.iter().position(|open| open.path == path && open.stamp == *stamp)?;
        let found = held.open.remove(at);
        held.open.push(found.clone());
        Some(found)
    }

    fn unpacked(&self, path: &Path, stamp: &Stamp) -> Option<Source> {
        let mut held = self.lock();
        let at = held.unpacked.iter().position(|known| known.path == path && known.stamp == *stamp)?;
        let found = held.unpacked.remove(at);
        let source = found.source.clone();
        held.unpacked.push(found);
        Some(source)
    }

    /// Holds what was unpacked; what was asked for longest ago is let go of when there is too much.
    fn keep(&self, unpacked: Unpacked) {
        let mut held = self.lock();
        held.unpacked.retain(|known| known.path != unpacked.path);
        held.unpacked.push(unpacked);
        while held.unpacked.iter().map(|known| known.source.len()).fold(0, usize::saturating_add) > MOST_UNPACKED {
            held.unpacked.remove(0);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{FileRequest, Resolver as _};
    use crate::library::{FolderResolver, read_head};

    /// A zip archive of stored members.
    fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in members {
            let at = (bytes.len() as u32).to_le_bytes();
            let mut sum = flate2::Crc::new();
            sum.update(content);
            let size = (content.len() as u32).to_le_bytes();
            let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
            let common =
                [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sum.sum().to_le_bytes(), &size, &size, &lengths].concat();
            bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
            directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &at, name.as_bytes()].concat());
        }
        let (size, at) = ((directory.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
        let count = (members.len() as u16).to_le_bytes();
        [&bytes[..], &directory, b"PK\x05\x06\0\0\0\0", &count, &count, &size, &at, &[0, 0]].concat()
    }

    fn names(names: &[&str]) -> Vec<OsString> {
        names.iter().map(OsString::from).collect()
    }

    #[test]
    fn a_path_leads_through_containers_in_containers() {
        let folder = tempfile::tempdir().unwrap();
        let inner = zip(&[("deep/b.txt", b"inside")]);
        let file = folder.path().join("outer.zip");
        std::fs::write(&file, zip(&[("x/inner.zip", &inner), ("x/a.txt", b"text")])).unwrap();
        let containers = Containers::new(Limits::default());
        let read = |path: &Path| containers.read(path).map(|(source, _)| source.as_slice().to_vec());
        assert_eq!(read(&file.join("x/a.txt")).unwrap(), b"text");
        assert_eq!(read(&file.join("X/Inner.zip/deep/B.txt")).unwrap(), b"inside");
        assert_eq!(read_head(&file.join("x/a.txt"), 2).unwrap(), b"te");
        assert_eq!(outermost(&file.join("x/inner.zip/deep/b.txt")), Some(&*file));
        assert_eq!(
            (outermost(&file), outermost(folder.path()), outermost(&folder.path().join("none/x"))),
            (None, None, None)
        );
        let inside = |path: &Path| containers.inside(path).map(|inside| (inside.files, inside.folders));
        assert_eq!(inside(&file), Some((Vec::new(), names(&["x"]))));
        assert_eq!(inside(&file.join("x")), Some((names(&["inner.zip", "a.txt"]), Vec::new())));
        assert_eq!(inside(&file.join("x/inner.zip")), Some((Vec::new(), names(&["deep"]))));
        assert_eq!((inside(&file.join("y")), inside(&file.join("x/a.txt"))), (None, None));
        assert!(containers.is_file(&file.join("x/inner.zip")) && !containers.is_file(&file.join("x")));
        assert_eq!(read(&file.join("x")).unwrap_err(), "it is a folder of a container, not a file");
        assert_eq!(read(&file.join("x/y")).unwrap_err(), "there is no “x/y” in outer.zip");
        assert!(read(&file.join("x/a.txt/y")).unwrap_err().contains("nothing that others lie in"));
    }

    #[test]
    fn a_container_that_was_written_over_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        let containers = Containers::new(Limits::default());
        for text in [&b"one"[..], b"three", b"seven, and more"] {
            std::fs::write(&file, zip(&[("a.txt", text)])).unwrap();
            assert_eq!(containers.read(&file.join("a.txt")).unwrap().0.as_slice(), text);
        }
        std::fs::remove_file(&file).unwrap();
        assert!(containers.read(&file.join("a.txt")).is_err());
    }

    #[test]
    fn containers_in_containers_have_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = zip(&[("a.txt", b"text")]);
        let mut path = PathBuf::from("a.txt");
        for _ in 0..9 {
            bytes = zip(&[("in.zip", &bytes)]);
            path = Path::new("in.zip").join(path);
        }
        let file = folder.path().join("a.zip");
        std::fs::write(&file, bytes).unwrap();
        let containers = Containers::new(Limits::default());
        assert!(containers.read(&file.join(&path)).unwrap_err().contains("more than 8 containers"));
        let limits = Limits::default();
        let deeper = Limits { members: crate::bytes::MemberLimits { depth: 10, ..limits.members }, ..limits };
        assert_eq!(Containers::new(deeper).read(&file.join(&path)).unwrap().0.as_slice(), b"text");
    }

    #[test]
    fn what_a_member_refers_to_is_looked_for_in_the_container_then_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Mods/pack.zip");
        std::fs::create_dir_all(folder.path().join("Textures")).unwrap();
        std::fs::create_dir(folder.path().join("Mods")).unwrap();
        std::fs::write(folder.path().join("Textures/Walls.utx"), "outside").unwrap();
        std::fs::write(folder.path().join("Textures/Far.utx"), "far").unwrap();
        let members: &[(&str, &[u8])] = &[("Maps/a.unr", b"map"), ("textures/Walls.utx", b"inside")];
        std::fs::write(&file, zip(members)).unwrap();
        let resolver = FolderResolver::beside(&file.join("Maps/a.unr"), &[]);
        let find = |stem| {
            let request = FileRequest { stem, extensions: &["utx"], subfolders: false, siblings: &["Textures"] };
            resolver.find(&request).map(|found| (found.path, found.source.as_slice().to_vec()))
        };
        assert_eq!(find("walls"), Some((file.join("textures/Walls.utx"), b"inside".to_vec())));
        assert_eq!(find("far"), Some((folder.path().join("Textures/Far.utx"), b"far".to_vec())));
        assert_eq!(find("none"), None);
        let found = resolver.find_path("Maps/a.unr", 100).unwrap();
        assert_eq!((found.name.as_str(), found.source.as_slice()), ("a.unr", &b"map"[..]));
    }
}
