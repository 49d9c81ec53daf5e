//! A disk in memory, with the functions of [`std::fs`] that the program uses. Paths are absolute and begin with `/`; there are no links.
//! All of it is one disk: that of the page.

use std::{
    collections::{BTreeMap, btree_map::Range},
    ffi::OsString,
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    ops::Bound,
    path::{Component, Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

/// What lies at each path. The root is always there and is not among them.
static DISK: Mutex<BTreeMap<PathBuf, Node>> = Mutex::new(BTreeMap::new());

#[derive(Clone)]
enum Node {
    /// The time of its last change, in its list of names.
    Folder(SystemTime),
    File(Arc<Mutex<Contents>>),
}

struct Contents {
    bytes: Vec<u8>,
    modified: SystemTime,
}

/// What is known of a file or a folder.
#[derive(Clone, Debug)]
pub struct Metadata {
    len: u64,
    modified: SystemTime,
    kind: FileType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    is_dir: bool,
}

/// One of the names in a folder.
#[derive(Debug)]
pub struct DirEntry {
    path: PathBuf,
    metadata: Metadata,
}

/// How a file is opened.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    write: bool,
    create_new: bool,
}

/// An open file. Its bytes stay while it is open, whatever becomes of its name.
pub struct File {
    contents: Arc<Mutex<Contents>>,
    at: AtomicU64,
}

impl Metadata {
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn is_file(&self) -> bool {
        self.kind.is_file()
    }

    pub fn is_dir(&self) -> bool {
        self.kind.is_dir()
    }

    pub fn is_symlink(&self) -> bool {
        self.kind.is_symlink()
    }

    pub fn file_type(&self) -> FileType {
        self.kind
    }

    /// # Errors
    /// None: the disk keeps the time of everything.
    pub fn modified(&self) -> io::Result<SystemTime> {
        Ok(self.modified)
    }
}

impl FileType {
    pub fn is_file(&self) -> bool {
        !self.is_dir
    }

    pub fn is_dir(&self) -> bool {
        self.is_dir
    }

    /// There are none.
    pub fn is_symlink(&self) -> bool {
        false
    }
}

impl DirEntry {
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    pub fn file_name(&self) -> OsString {
        self.path.file_name().unwrap_or_default().to_owned()
    }

    /// # Errors
    /// None.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(self.metadata.clone())
    }

    /// # Errors
    /// None.
    pub fn file_type(&self) -> io::Result<FileType> {
        Ok(self.metadata.kind)
    }
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

fn of_contents(contents: &Mutex<Contents>) -> Metadata {
    let Contents { bytes, modified } = &*lock(contents);
    Metadata { len: bytes.len() as u64, modified: *modified, kind: FileType { is_dir: false } }
}

fn disk() -> MutexGuard<'static, BTreeMap<PathBuf, Node>> {
    lock(&DISK)
}

/// A lock whose holder panicked is still whole: what is under one is changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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

fn found(disk: &BTreeMap<PathBuf, Node>, path: &Path) -> io::Result<Node> {
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
fn put(disk: &mut BTreeMap<PathBuf, Node>, path: PathBuf, node: Node) -> io::Result<()> {
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
    let file = File::open(path)?;
    let bytes = lock(&file.contents).bytes.clone();
    Ok(bytes)
}

/// Writes a file, over what it held.
///
/// # Errors
/// When a folder lies there, or the folder above does not.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let path = absolute(path)?;
    let mut disk = disk();
    let contents = Contents { bytes: bytes.as_ref().to_vec(), modified: now() };
    match found(&disk, &path) {
        Ok(Node::Folder(_)) => Err(ErrorKind::IsADirectory.into()),
        Ok(Node::File(old)) => {
            *lock(&old) = contents;
            Ok(())
        }
        Err(_) => put(&mut disk, path, Node::File(Arc::new(Mutex::new(contents)))),
    }
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

impl OpenOptions {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn write(&mut self, write: bool) -> &mut Self {
        self.write = write;
        self
    }

    pub fn create_new(&mut self, create_new: bool) -> &mut Self {
        self.create_new = create_new;
        self
    }

    /// # Errors
    /// When no file lies there, or, for a new one, something does.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<File> {
        let path = absolute(path)?;
        let mut disk = disk();
        match found(&disk, &path) {
            Ok(_) if self.create_new => Err(ErrorKind::AlreadyExists.into()),
            Ok(Node::Folder(_)) => Err(ErrorKind::IsADirectory.into()),
            Ok(Node::File(contents)) => Ok(File { contents, at: AtomicU64::new(0) }),
            Err(_) if self.create_new => {
                let contents = Arc::new(Mutex::new(Contents { bytes: Vec::new(), modified: now() }));
                put(&mut disk, path, Node::File(contents.clone()))?;
                Ok(File { contents, at: AtomicU64::new(0) })
            }
            Err(error) => Err(error),
        }
    }
}

impl File {
    /// # Errors
    /// When no file lies there.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        OpenOptions::new().open(path)
    }

    /// # Errors
    /// When something lies there, or no folder above.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    pub fn options() -> OpenOptions {
        OpenOptions::new()
    }

    /// # Errors
    /// None.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(of_contents(&self.contents))
    }

    /// # Errors
    /// When there is no memory for it.
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        let mut contents = lock(&self.contents);
        let len = usize::try_from(len).map_err(|_| ErrorKind::FileTooLarge)?;
        let more = len.saturating_sub(contents.bytes.len());
        contents.bytes.try_reserve(more).map_err(|_| ErrorKind::OutOfMemory)?;
        contents.bytes.resize(len, 0);
        contents.modified = now();
        Ok(())
    }

    /// Reads all of `buffer` from `offset` on, wherever the file stands.
    ///
    /// # Errors
    /// When it ends before.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let contents = lock(&self.contents);
        let from = usize::try_from(offset).ok().and_then(|from| contents.bytes.get(from..));
        let part = from.and_then(|from| from.get(..buffer.len())).ok_or(ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(())
    }
}

impl Read for &File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.at.load(Ordering::Relaxed);
        let contents = lock(&self.contents);
        let left = usize::try_from(at).ok().and_then(|at| contents.bytes.get(at..)).unwrap_or_default();
        let count = left.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), left.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at.store(at.saturating_add(count as u64), Ordering::Relaxed);
        Ok(count)
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let at = usize::try_from(self.at.load(Ordering::Relaxed)).map_err(|_| ErrorKind::FileTooLarge)?;
        let end = at.checked_add(bytes.len()).ok_or(ErrorKind::FileTooLarge)?;
        let mut contents = lock(&self.contents);
        let more = end.saturating_sub(contents.bytes.len());
        contents.bytes.try_reserve(more).map_err(|_| ErrorKind::OutOfMemory)?;
        if more > 0 {
            contents.bytes.resize(end, 0);
        }
        if let Some(to) = contents.bytes.get_mut(at..end) {
            to.copy_from_slice(bytes);
        }
        contents.modified = now();
        self.at.store(end as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = lock(&self.contents).bytes.len() as u64;
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.load(Ordering::Relaxed).checked_add_signed(by),
        };
        let at = at.ok_or(ErrorKind::InvalidInput)?;
        self.at.store(at, Ordering::Relaxed);
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &str) -> Vec<String> {
        read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn kind<T>(result: io::Result<T>) -> ErrorKind {
        result.err().map(|error| error.kind()).unwrap()
    }

    // Each test has a folder of its own: the disk is one for all.

    #[test]
    fn files_are_written_read_and_listed() {
        assert_eq!(kind(write("/list/a/one", *b"1")), ErrorKind::NotFound);
        create_dir_all("/list/a/deep").unwrap();
        write("/list/a/one", *b"1").unwrap();
        write("/list/a/./deep/../two", *b"22").unwrap();
        write("/list/a/deep/three", *b"333").unwrap();
        assert_eq!(names("/list/a"), ["deep", "one", "two"]);
        assert_eq!(
            (read("/list/a/two").unwrap(), read("list/a/deep/three").unwrap()),
            (b"22".to_vec(), b"333".to_vec())
        );
        let (file, folder) = (metadata("/list/a/deep/three").unwrap(), metadata("/list/a/deep").unwrap());
        assert_eq!((file.len(), file.is_file(), file.is_dir()), (3, true, false));
        assert_eq!((folder.is_file(), folder.is_dir()), (false, true));
        assert_eq!(canonicalize("/list/a/../a/one").unwrap(), Path::new("/list/a/one"));
        // A folder and a file whose names begin alike are two.
        write("/list/a/deep.txt", *b"").unwrap();
        assert_eq!(names("/list/a/deep"), ["three"]);
        assert!(names("/").contains(&"list".to_owned()));
    }

    #[test]
    fn what_cannot_be_is_an_error_as_on_a_disk() {
        create_dir_all("/errors/folder").unwrap();
        write("/errors/file", *b"1").unwrap();
        assert_eq!(kind(read("/errors/nothing")), ErrorKind::NotFound);
        assert_eq!(kind(read("/errors/folder")), ErrorKind::IsADirectory);
        assert_eq!(kind(read_dir("/errors/file")), ErrorKind::NotADirectory);
        assert_eq!(kind(create_dir("/errors/folder")), ErrorKind::AlreadyExists);
        assert_eq!(kind(create_dir_all("/errors/file/below")), ErrorKind::NotADirectory);
        assert_eq!(kind(write("/errors/file/below", *b"")), ErrorKind::NotADirectory);
        assert_eq!(kind(File::create_new("/errors/file")), ErrorKind::AlreadyExists);
        assert_eq!(kind(remove_file("/errors/folder")), ErrorKind::IsADirectory);
        assert_eq!(kind(hard_link("/errors/file", "/errors/folder")), ErrorKind::AlreadyExists);
        assert_eq!(kind(rename("/errors/folder", "/errors/folder/in")), ErrorKind::InvalidInput);
        assert_eq!(kind(absolute("")), ErrorKind::InvalidInput);
    }

    #[test]
    fn names_change_and_bytes_stay() {
        create_dir_all("/names/from/inner").unwrap();
        write("/names/from/inner/one", *b"1").unwrap();
        write("/names/other", *b"2").unwrap();
        let mut open = File::open("/names/other").unwrap();
        rename("/names/from", "/names/to").unwrap();
        assert_eq!(read("/names/to/inner/one").unwrap(), b"1");
        assert_eq!(kind(metadata("/names/from/inner")), ErrorKind::NotFound);
        hard_link("/names/other", "/names/link").unwrap();
        rename("/names/to/inner/one", "/names/other").unwrap();
        assert_eq!((read("/names/other").unwrap(), read("/names/link").unwrap()), (b"1".to_vec(), b"2".to_vec()));
        remove_file("/names/link").unwrap();
        let mut bytes = Vec::new();
        open.read_to_end(&mut bytes).unwrap();
        assert_eq!((bytes, names("/names")), (b"2".to_vec(), vec!["other".to_owned(), "to".to_owned()]));
    }

    #[test]
    fn a_file_is_written_where_it_stands() {
        create_dir_all("/stands").unwrap();
        let mut file = File::create_new("/stands/file").unwrap();
        file.write_all(b"head tail").unwrap();
        assert_eq!(file.seek(SeekFrom::Start(5)).unwrap(), 5);
        file.write_all(b"more and tail").unwrap();
        assert_eq!(read("/stands/file").unwrap(), b"head more and tail");
        file.set_len(9).unwrap();
        assert_eq!((read("/stands/file").unwrap(), file.metadata().unwrap().len()), (b"head more".to_vec(), 9));
        // Past the end there are zeros.
        file.seek(SeekFrom::End(1)).unwrap();
        file.write_all(b"x").unwrap();
        assert_eq!(read("/stands/file").unwrap(), b"head more\0x");
        let mut part = [0; 4];
        file.read_exact_at(&mut part, 5).unwrap();
        assert_eq!(&part, b"more");
        assert_eq!(kind(file.read_exact_at(&mut part, 8)), ErrorKind::UnexpectedEof);
        assert_eq!(kind(file.seek(SeekFrom::Current(-99))), ErrorKind::InvalidInput);
    }
}
