//! Members of containers as files: a path leads into a container as it leads into a folder (formats/containers.md
//! §1.1). Formats are detected by the start of a file.

use super::{
    quarantine::{LEFT_ALONE, Quarantine},
    reading::{self, Pipes, Unread, open_file, read_opened, too_large},
    stamp::Stamp,
    stored_file::{kept_on_disk, of_any_size},
    wishes::Wishes,
};
use crate::{
    bytes::{Cancel, Limits, Source},
    formats::{
        self, ContainerDocument, Diagnostics, Document, Entry, EntryId, Format, FoundFile, Hint, OpenContext,
        OpenErrorKind, Overrides, Resolver, Role, caught,
    },
};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// Containers whose tables are held.
const MAX_OPEN: usize = 32;
/// Names of a folder that are looked at.
const MAX_LISTED: usize = 20_000;
/// Unpacked bytes that are held though nobody else does.
const MAX_UNPACKED: usize = 64 << 20;

/// The file on the disk that a path into a container leads through: `/games/pack.zip` of `/games/pack.zip/Maps/a.unr`. `None` where
/// the path itself is on the disk, or leads nowhere.
pub fn outermost(path: &Path) -> Option<&Path> {
    if crate::files::symlink_metadata(path).is_ok() {
        return None;
    }
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        match crate::files::metadata(above) {
            Ok(meta) if meta.is_file() => return Some(above),
            Ok(_) => return None,
            Err(_) => {}
        }
    }
    None
}

/// The file of this name in a folder, or in a folder of a container, without regard to case. Nothing of a large one is
/// read; a packed member of a container is unpacked whole.
pub(super) fn find_in(folder: &Path, name: &str) -> Option<FoundFile> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_inside = outermost(folder).is_some() || crate::files::is_file(folder);
    let names: Vec<OsString> = match is_inside {
        true => Containers::shared().inside(folder)?.files,
        false => {
            let listed = crate::files::read_dir(folder).ok()?.flatten().take(MAX_LISTED);
            listed.map(|entry| entry.file_name()).collect()
        }
    };
    let wanted = name.to_lowercase();
    let alike = names.into_iter().filter(|other| other.to_string_lossy().to_lowercase() == wanted);
    // The one in the same letters, else the first by name.
    let found = alike.min_by_key(|other| (other.to_string_lossy() != name, other.clone()))?;
    let path = folder.join(&found);
    let source = match is_inside {
        true => Containers::shared().read(&path, u64::MAX).ok()?.0,
        false => of_any_size(&path).ok()?,
    };
    Some(FoundFile { name: found.to_string_lossy().into_owned(), path, source })
}

/// Finds what lies beside a container that consists of several files.
struct Beside(PathBuf);

impl Resolver for Beside {
    fn find(&self, _: &formats::FileRequest<'_>) -> Option<FoundFile> {
        None
    }

    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        find_in(&self.0, name)
    }
}

/// How a container is to be read by whoever looks into it; what lies in containers below a path too where it `reaches_below`.
pub fn read_container_as(path: &Path, overrides: &Overrides, reaches_below: bool) {
    let containers = Containers::shared();
    containers.wishes().read_as(path, overrides, reaches_below);
    // Under the same name another file may lie in it now.
    let mut held = containers.lock();
    held.open.retain(|open| !open.path.starts_with(path));
    held.unpacked.retain(|known| !known.path.starts_with(path));
}

/// A person wants a file opened whatever it takes; with `reaches_below` what lies in it too.
pub fn lift_limits(path: &Path, reaches_below: bool) {
    let outer = outermost(path).unwrap_or(path);
    let mut wishes = Containers::shared().wishes();
    // The containers that it lies in have to open too.
    for place in path.ancestors() {
        if place == path {
            wishes.lift(place, reaches_below);
        } else {
            wishes.lift_way(place);
        }
        if place == outer {
            break;
        }
    }
}

/// Whether the limits of a file were lifted.
pub fn has_lifted_limits(path: &Path) -> bool {
    Containers::shared().wishes().has_lifted(path)
}

/// Bytes of a member when it is unpacked, where its container says so.
pub fn stated_size(path: &Path) -> Option<u64> {
    let located = Containers::shared().locate(path).ok()?;
    located.mounted.container()?.unpacked_size(located.entry)
}

/// Containers that are looked into, and what was unpacked of them last.
pub(super) struct Containers {
    held: Mutex<Held>,
    wishes: Mutex<Wishes>,
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
    /// How it was read.
    overrides: Overrides,
    limits: Limits,
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
        Self { held: Mutex::default(), wishes: Mutex::default(), limits }
    }

    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limits that hold for a file, which are `usual` where nobody lifted them.
    pub fn limits_of(&self, path: &Path, usual: Limits) -> Limits {
        self.wishes().limits(path, usual)
    }

    /// How a container is read: one look, for whoever holds the wishes cannot ask for them once more.
    fn wished(&self, path: &Path) -> (Overrides, Limits) {
        let wishes = self.wishes();
        (wishes.overrides(path), wishes.limits_inside(path, self.limits))
    }

    /// A member's own bytes, `largest` of them if it is unpacked, and what tells whether the file that it lies in was written since.
    ///
    /// # Errors
    /// In a sentence that goes after the path, when it leads to no member, or nothing of the member can be used.
    pub fn read(&self, path: &Path, largest: u64) -> Result<(Source, Stamp), Unread> {
        let located = self.locate(path)?;
        self.unpack(path, &located.mounted, located.entry, largest)
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

    fn locate(&self, path: &Path) -> Result<Located, Unread> {
        let outer = outermost(path).ok_or_else(|| Unread::not_found("no such file"))?;
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
                return Err(Unread::not_found(format!("cannot find “{way}” in {}", name_of(&mounted.path))));
            };
            if number.saturating_add(1) == segments.len() {
                return Ok(Located { mounted, entry });
            }
            if mounted.container().is_some_and(|container| container.is_file(entry)) {
                depth = depth.saturating_add(1);
                if depth > self.limits.members.depth {
                    let most = self.limits.members.depth;
                    return Err(format!("nested in more than {most} containers").into());
                }
                mounted = self.within(&at, &mounted, entry)?;
                way.clear();
            }
        }
        Err(Unread::not_found("no such file"))
    }

    /// The container that a file on the disk is.
    fn on_disk(&self, path: &Path) -> Result<Arc<Mounted>, Unread> {
        if Quarantine::shared().leaves_alone(path) {
            return Err(LEFT_ALONE.into());
        }
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
    fn within(&self, path: &Path, outer: &Mounted, entry: EntryId) -> Result<Arc<Mounted>, Unread> {
        if let Some(mounted) = self.held(path, &outer.stamp) {
            return Ok(mounted);
        }
        let (source, stamp) = self.unpack(path, outer, entry, u64::MAX)?;
        self.mount(path, source, stamp)
    }

    fn unpack(&self, path: &Path, mounted: &Mounted, entry: EntryId, largest: u64) -> Result<(Source, Stamp), Unread> {
        let stamp = mounted.stamp.clone();
        if let Some(source) = self.unpacked(path, &stamp) {
            return Ok((source, stamp));
        }
        let container = mounted.container().ok_or("not a container")?;
        if !container.is_file(entry) {
            return Err(Unread::new("a folder in a container, not a file", OpenErrorKind::NotAFile));
        }
        let mut limits = self.wishes().limits_inside(path, self.limits).members;
        // What is no more than a part of the container takes nothing.
        if container.is_packed(entry) && largest < limits.bytes {
            if container.unpacked_size(entry).is_some_and(|size| size > largest) {
                return Err(too_large(largest));
            }
            limits.bytes = largest;
        }
        let _reading = Quarantine::shared().reading(path);
        let unpacked = caught(|| container.unpack(entry, &limits, Cancel::never()))
            .map_err(|reason| format!("internal error in Bonebox: {reason}"))?;
        let source = unpacked?.source;
        // What is a part of the container, or of its file, costs nothing to ask for again.
        if container.is_packed(entry) {
            self.keep(Unpacked { path: path.to_owned(), stamp: stamp.clone(), source: source.clone() });
        }
        Ok((source, stamp))
    }

    fn mount(&self, path: &Path, source: Source, stamp: Stamp) -> Result<Arc<Mounted>, Unread> {
        let name = name_of(path);
        let format = formats::probe_whole(&source, &Hint { file_name: &name }).filter(|format| format.holds_files());
        if format.is_none() {
            return Err(format!("{name} is not a container").into());
        }
        let mut diagnostics = Diagnostics::new(0);
        let (overrides, limits) = self.wished(path);
        let mut cx = OpenContext {
            file: &name,
            resolver: Arc::new(Beside(path.parent().unwrap_or(Path::new("")).to_owned())),
            diagnostics: &mut diagnostics,
            limits,
            overrides: &overrides,
        };
        let _reading = Quarantine::shared().reading(path);
        let document = caught(|| formats::open(source, &mut cx))
            .map_err(|reason| format!("internal error in Bonebox: {reason}"))??;
        let mounted = Arc::new(Mounted { path: path.to_owned(), stamp, overrides, limits, document });
        let mut held = self.lock();
        held.open.retain(|other| other.path != path);
        if held.open.len() >= MAX_OPEN {
            held.open.remove(0);
        }
        held.open.push(mounted.clone());
        Ok(mounted)
    }

    fn held(&self, path: &Path, stamp: &Stamp) -> Option<Arc<Mounted>> {
        let (overrides, limits) = self.wished(path);
        let is_it = |open: &Arc<Mounted>| {
            open.path == path && open.stamp == *stamp && open.overrides == overrides && open.limits == limits
        };
        let mut held = self.lock();
        let at = held.open.iter().position(is_it)?;
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
        while held.unpacked.iter().map(|known| known.source.len()).fold(0, usize::saturating_add) > MAX_UNPACKED {
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

/// The first bytes of a regular file or of a member of a container, at most `count`.
///
/// # Errors
/// As [`super::read_file`], but for its size.
pub fn read_head(path: &Path, count: u64) -> Result<Vec<u8>, String> {
    if outermost(path).is_none() {
        return reading::read_head(path, count);
    }
    let (source, _) = Containers::shared().read(path, u64::MAX)?;
    let head = source.slice(0, count.min(source.len() as u64)).unwrap_or(source);
    head.in_memory().map(|head| head.as_slice().to_vec()).map_err(|error| error.to_string())
}

/// The format that knows a file by its start and its name.
pub(super) fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let head = read_head(path, 256).ok()?;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    formats::probe(&head, &Hint { file_name: &name })
}

#[cfg(test)]
mod tests {
    // Paths that lead into containers.

    use super::*;
    use crate::formats::FileRequest;
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
        let read = |path: &Path| containers.read(path, u64::MAX).map(|(source, _)| source.as_slice().to_vec());
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
        assert_eq!(read(&file.join("x")).unwrap_err().message, "a folder in a container, not a file");
        assert_eq!(read(&file.join("x/y")).unwrap_err().message, "cannot find “x/y” in outer.zip");
        assert!(read(&file.join("x/a.txt/y")).unwrap_err().message.contains("is not a container"));
    }

    #[test]
    fn a_container_that_was_written_over_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        let containers = Containers::new(Limits::default());
        for text in [&b"one"[..], b"three", b"seven, and more"] {
            std::fs::write(&file, zip(&[("a.txt", text)])).unwrap();
            assert_eq!(containers.read(&file.join("a.txt"), u64::MAX).unwrap().0.as_slice(), text);
        }
        std::fs::remove_file(&file).unwrap();
        assert!(containers.read(&file.join("a.txt"), u64::MAX).is_err());
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
        assert!(containers.read(&file.join(&path), u64::MAX).unwrap_err().message.contains("more than 8 containers"));
        let limits = Limits::default();
        let deeper = Limits { members: crate::bytes::MemberLimits { depth: 10, ..limits.members }, ..limits };
        assert_eq!(Containers::new(deeper).read(&file.join(&path), u64::MAX).unwrap().0.as_slice(), b"text");
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

    #[test]
    fn a_member_that_is_too_large_is_read_where_a_person_wants_it_and_no_other_is() {
        let folder = tempfile::tempdir().unwrap();
        let inner = zip(&[("a.txt", b"text"), ("b.txt", b"more")]);
        let file = folder.path().join("a.zip");
        std::fs::write(&file, zip(&[("in.zip", &inner), ("too.zip", &inner)])).unwrap();
        let limits = Limits::default();
        let few = Limits { members: crate::bytes::MemberLimits { count: 1, ..limits.members }, ..limits };
        let containers = Containers::new(few);
        let (wanted, other) = (file.join("in.zip/a.txt"), file.join("too.zip/a.txt"));
        assert_eq!(containers.read(&wanted, u64::MAX).unwrap_err().code, Some("container.bomb-count"));
        containers.wishes().lift(&file, false);
        containers.wishes().lift(&file.join("in.zip"), false);
        assert_eq!(containers.read(&wanted, u64::MAX).unwrap().0.as_slice(), b"text");
        assert_eq!(containers.read(&other, u64::MAX).unwrap_err().code, Some("container.bomb-count"));
        containers.wishes().lift(&file, true);
        assert_eq!(containers.read(&other, u64::MAX).unwrap().0.as_slice(), b"text");
    }

    #[test]
    fn files_in_a_container_are_counted_as_those_on_the_disk_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        let bytes = [0; 40];
        std::fs::write(&file, zip(&[("a.png", &bytes), ("b.png", &bytes), ("c.png", &bytes)])).unwrap();
        let resolver = FolderResolver::beside(&file.join("mesh.psk"), &[]).within(90);
        let finds = |stem| {
            let request = FileRequest { stem, extensions: &["png"], subfolders: false, siblings: &[] };
            resolver.find(&request).is_some()
        };
        assert_eq!(["a", "b", "c", "a"].map(finds), [true, true, false, true]);
    }
}
