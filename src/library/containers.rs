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
