//! Files and folders by their paths.

use super::metadata::{DirEntry, FileType, Metadata};
use std::{
    collections::{BTreeMap, btree_map::Range},
    io::{self, ErrorKind},
    ops::Bound,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// What lies at each path. The root is always there and is not among them.
static DISK: Mutex<BTreeMap<PathBuf, Node>> = Mutex::new(BTreeMap::new());

#[derive(Clone)]
pub(super) enum Node {
    /// The time of its last change, in its list of names.
    Folder(SystemTime),
    File(Arc<Mutex<Contents>>),
}

pub(super) struct Contents {
    pub bytes: Vec<u8>,
    pub modified: SystemTime,
}

impl Node {
    fn metadata(&self) -> Metadata {
        match self {
            Self::Folder(modified) => Metadata { len: 0, modified: *modified, kind: FileType { is_dir: true } },
            Self::File(contents) => of_contents(contents),
        }
    }

    fn is_dir(&self) -> bool {
        matches!(self, Self::Folder(_))
    }
}

pub(super) fn of_contents(contents: &Mutex<Contents>) -> Metadata {
    let Contents { bytes, modified } = &*lock(contents);
    Metadata { len: bytes.len() as u64, modified: *modified, kind: FileType { is_dir: false } }
}

pub(super) fn disk() -> MutexGuard<'static, BTreeMap<PathBuf, Node>> {
    lock(&DISK)
}

/// A lock whose holder panicked is still whole: what is under one is changed in single steps.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time by the clock of the system.
pub fn now() -> SystemTime {
    let since = web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    SystemTime::UNIX_EPOCH + since
}

/// There is one program.
pub fn process_number() -> u32 {
    1
}

/// The path from the root, without `.` and `..`.
///
/// # Errors
/// When it is empty.
pub fn absolute(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let path = path.as_ref();
    if path.as_os_str().is_empty() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut whole = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::ParentDir => _ = whole.pop(),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    Ok(whole)
}

/// The path of what lies there.
///
/// # Errors
/// When nothing does.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let path = absolute(path)?;
    metadata(&path).map(|_| path)
}

pub(super) fn found(disk: &BTreeMap<PathBuf, Node>, path: &Path) -> io::Result<Node> {
    if path.parent().is_none() {
        return Ok(Node::Folder(SystemTime::UNIX_EPOCH));
    }
    disk.get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
}

/// # Errors
/// When nothing lies there.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let path = absolute(path)?;
    Ok(found(&disk(), &path)?.metadata())
}

/// # Errors
/// When nothing lies there.
pub fn symlink_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    metadata(path)
}

/// What lies below a folder, as far down as it goes.
fn below<'a>(disk: &'a BTreeMap<PathBuf, Node>, folder: &'a Path) -> impl Iterator<Item = (&'a PathBuf, &'a Node)> {
    let after: Range<'_, PathBuf, Node> = disk.range::<Path, _>((Bound::Excluded(folder), Bound::Unbounded));
    after.take_while(move |(path, _)| path.starts_with(folder))
}

/// The names in a folder, in order.
///
/// # Errors
/// When no folder lies there.
pub fn read_dir(path: impl AsRef<Path>) -> io::Result<std::vec::IntoIter<io::Result<DirEntry>>> {
    let folder = absolute(path)?;
    let disk = disk();
    if !found(&disk, &folder)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    let own = below(&disk, &folder).filter(|(path, _)| path.parent() == Some(&folder));
    let entries: Vec<_> =
        own.map(|(path, node)| Ok(DirEntry { path: path.clone(), metadata: node.metadata() })).collect();
    Ok(entries.into_iter())
}

/// Puts a node at a path whose folder is there, and stamps the folder.
pub(super) fn put(disk: &mut BTreeMap<PathBuf, Node>, path: PathBuf, node: Node) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::AlreadyExists)?.to_owned();
    if !found(disk, &folder)?.is_dir() {
        return Err(ErrorKind::NotADirectory.into());
    }
    disk.insert(path, node);
    stamp(disk, &folder);
    Ok(())
}

fn stamp(disk: &mut BTreeMap<PathBuf, Node>, folder: &Path) {
    if let Some(Node::Folder(modified)) = disk.get_mut(folder) {
        *modified = now();
    }
}

/// # Errors
/// When something lies there, or the folder above does not.
pub fn create_dir(path: impl AsRef<Path>) -> io::Result<()> {
    let path = absolute(path)?;
    let mut disk = disk();
    if found(&disk, &path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    put(&mut disk, path, Node::Folder(now()))
}

/// # Errors
/// When a file lies there or on the way.
pub fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    let path = absolute(path)?;
    let mut disk = disk();
    let above: Vec<&Path> = path.ancestors().collect();
    for folder in above.into_iter().rev() {
        match found(&disk, folder) {
            Ok(node) if node.is_dir() => {}
            Ok(_) => return Err(ErrorKind::NotADirectory.into()),
            Err(_) => put(&mut disk, folder.to_owned(), Node::Folder(now()))?,
        }
    }
    Ok(())
}

/// The bytes of a file.
///
/// # Errors
/// When no file lies there.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let path = absolute(path)?;
    match found(&disk(), &path)? {
        Node::Folder(_) => Err(ErrorKind::IsADirectory.into()),
        Node::File(contents) => Ok(lock(&contents).bytes.clone()),
    }
}

/// Writes a file in the place of the one that was there; who has that open reads on in it.
///
/// # Errors
/// When a folder lies there, or the folder above does not.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    place(path, bytes.as_ref().to_vec())
}

/// The same of bytes that are given away.
///
/// # Errors
/// As [`write`].
pub fn place(path: impl AsRef<Path>, bytes: Vec<u8>) -> io::Result<()> {
    let path = absolute(path)?;
    let mut disk = disk();
    if found(&disk, &path).is_ok_and(|there| there.is_dir()) {
        return Err(ErrorKind::IsADirectory.into());
    }
    let contents = Contents { bytes, modified: now() };
    put(&mut disk, path, Node::File(Arc::new(Mutex::new(contents))))
}

/// # Errors
/// When no file lies there.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    let path = absolute(path)?;
    let mut disk = disk();
    if found(&disk, &path)?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    disk.remove(&path);
    if let Some(folder) = path.parent() {
        stamp(&mut disk, folder);
    }
    Ok(())
}

/// Gives a file a second name.
///
/// # Errors
/// When something has that name, or no file lies at the first.
pub fn hard_link(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (absolute(from)?, absolute(to)?);
    let mut disk = disk();
    let node = found(&disk, &from)?;
    if node.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if found(&disk, &to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    put(&mut disk, to, node)
}

/// Gives a file or a folder another name, over a file that has it.
///
/// # Errors
/// When nothing lies at the first, a folder at the second, or the second lies in the first.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (absolute(from)?, absolute(to)?);
    let mut disk = disk();
    let node = found(&disk, &from)?;
    if from == to {
        return Ok(());
    }
    if found(&disk, &to).is_ok_and(|there| there.is_dir()) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    if from.parent().is_none() || to.starts_with(&from) {
        return Err(ErrorKind::InvalidInput.into());
    }
    let inner: Vec<PathBuf> = below(&disk, &from).map(|(path, _)| path.clone()).collect();
    put(&mut disk, to.clone(), node)?;
    disk.remove(&from);
    for path in inner {
        if let (Some(node), Ok(rest)) = (disk.remove(&path), path.strip_prefix(&from)) {
            disk.insert(to.join(rest), node);
        }
    }
    if let Some(folder) = from.parent() {
        stamp(&mut disk, folder);
    }
    Ok(())
}
