//! What lies in folders, listed once for all the files that look into them.

use super::containers::{Containers, outermost};
use std::{
    cmp::Reverse,
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};
use web_time::Instant;

/// How many names of a folder, and files of a search through folders, are looked at.
pub(super) const MAX_FILES: usize = 20_000;
/// Names that are held altogether.
const MAX_HELD: usize = 200_000;
/// How long a listing is taken for true where the folder is not asked at every question, or where its time gives no certainty.
const TRUSTED: Duration = Duration::from_secs(1);
/// Steps of the system's clock, in which most file systems count.
const FINE_STEP: Duration = Duration::from_millis(20);
/// Steps of file systems that count in whole seconds.
const COARSE_STEP: Duration = Duration::from_secs(2);

/// How surely a listing is to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// The folder is asked each time whether it has changed.
    Always,
    /// Once in a while: for searches through many folders.
    Seldom,
}

/// Listings of folders by path. A folder is listed when it is first looked into, and again when it has changed.
#[derive(Default)]
pub(super) struct Listings {
    held: Mutex<Held>,
    made: AtomicU64,
}

#[derive(Default)]
struct Held {
    slots: HashMap<PathBuf, Arc<Mutex<Option<Listing>>>>,
    names: usize,
}

struct Listing {
    names: Arc<Names>,
    /// When the folder had last changed, as it was listed.
    modified: Option<SystemTime>,
    /// When the folder was first seen with that time.
    first_seen: Instant,
    /// How long after the listing a change could leave the folder with that time.
    doubt: Duration,
    /// False if the time is missing or in the future.
    has_age: bool,
    listed: Instant,
    asked: Instant,
}

/// The names in a folder: regular files and folders, no pipes, sockets or devices.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// In order; links to files are among them.
    files: Vec<OsString>,
    /// Their stems in lower case.
    stems: Vec<Box<str>>,
    /// In order; whether it is a link.
    folders: Vec<(OsString, bool)>,
    /// Files by name in lower case. Of names that differ in case alone the first counts.
    file_named: HashMap<String, usize>,
    /// The same of folders that are no links.
    folder_named: HashMap<String, usize>,
    with_extension: HashMap<String, Vec<usize>>,
}

/// A file of a folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub name: &'a OsStr,
    /// In lower case.
    pub stem: &'a str,
}

impl Listings {
    /// Those of the program.
    pub fn shared() -> Arc<Self> {
        static SHARED: LazyLock<Arc<Listings>> = LazyLock::new(Arc::default);
        SHARED.clone()
    }

    /// What lies in a folder now; nothing in one that cannot be listed.
    pub fn names(&self, folder: &Path, ask: Ask) -> Arc<Names> {
        self.names_at(folder, ask, Instant::now())
    }

    fn names_at(&self, folder: &Path, ask: Ask, now: Instant) -> Arc<Names> {
        let slot = {
            let mut held = lock(&self.held);
            match held.slots.get(folder) {
                Some(slot) => slot.clone(),
                None => held.slots.entry(folder.to_owned()).or_default().clone(),
            }
        };
        // The others go on while this folder is waited for.
        let mut slot = lock(&slot);
        let before = slot.as_ref().map_or(0, |listing| listing.names.len());
        if let Some(listing) = slot.as_mut()
            && listing.is_true(folder, ask, now)
        {
            return listing.names.clone();
        }
        let listing = Listing::of(folder, slot.as_ref(), now);
        self.made.fetch_add(1, Ordering::Relaxed);
        let names = listing.names.clone();
        *slot = Some(listing);
        drop(slot);
        self.weigh(before, names.len());
        names
    }

    /// Lets go of everything when too much is held.
    fn weigh(&self, before: usize, now: usize) {
        let mut held = lock(&self.held);
        held.names = held.names.saturating_sub(before) + now;
        if held.names > MAX_HELD || held.slots.len() > MAX_HELD {
            *held = Held::default();
        }
    }

    /// How many listings were made so far.
    #[cfg(test)]
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
}

impl Listing {
    fn of(folder: &Path, before: Option<&Self>, now: Instant) -> Self {
        // Asked before: a change while it is listed shows at the next question.
        let modified = modified(folder);
        let first_seen = before.filter(|before| before.modified == modified).map_or(now, |before| before.first_seen);
        let clock = crate::files::now();
        let doubt = doubt(modified, clock, now.saturating_duration_since(first_seen));
        let has_age = modified.is_some_and(|modified| modified <= clock);
        Self { names: Arc::new(Names::of(folder)), modified, first_seen, doubt, has_age, listed: now, asked: now }
    }

    fn is_true(&mut self, folder: &Path, ask: Ask, now: Instant) -> bool {
        if ask == Ask::Seldom && now.saturating_duration_since(self.asked) < TRUSTED {
            return true;
        }
        self.asked = now;
        // The doubt about a folder with an age is soon over. Without an age, all folders of a drive could be listed at every question.
        let is_held = || !self.has_age && now.saturating_duration_since(self.listed) < TRUSTED;
        self.modified == modified(folder) && (self.doubt.is_zero() || is_held())
    }
}

fn modified(folder: &Path) -> Option<SystemTime> {
    // What lies in a container changes with it.
    crate::files::metadata(outermost(folder).unwrap_or(folder)).and_then(|meta| meta.modified()).ok()
}

/// How long from now on a change could leave a folder with the time that it has. Some file systems count in steps of two seconds,
/// which is seen at a time without a fraction; the others in steps of the system's clock. A time in the future, or none, gives no
/// age: there only the time counts for which the folder has been `known` with it.
fn doubt(modified: Option<SystemTime>, now: SystemTime, known: Duration) -> Duration {
    let Some((modified, age)) = modified.and_then(|modified| Some((modified, now.duration_since(modified).ok()?)))
    else {
        return COARSE_STEP.saturating_sub(known);
    };
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let step = if since.subsec_nanos() == 0 { COARSE_STEP } else { FINE_STEP };
    step.saturating_sub(age.max(known))
}

impl Names {
    fn of(folder: &Path) -> Self {
        let mut names = Self::default();
        let listed = crate::files::read_dir(folder);
        if listed.is_err()
            && let Some(inside) = Containers::shared().inside(folder)
        {
            names.files = inside.files;
            names.folders = inside.folders.into_iter().map(|name| (name, false)).collect();
        }
        for entry in listed.into_iter().flatten().flatten().take(MAX_FILES) {
            let Ok(kind) = entry.file_type() else { continue };
            let target = || crate::files::metadata(entry.path()).map(|meta| meta.file_type()).unwrap_or(kind);
            let (is_link, kind) = (kind.is_symlink(), if kind.is_symlink() { target() } else { kind });
            if kind.is_file() {
                names.files.push(entry.file_name());
            } else if kind.is_dir() {
                names.folders.push((entry.file_name(), is_link));
            }
        }
        names.files.sort();
        names.folders.sort();
        for (at, name) in names.files.iter().enumerate() {
            names.file_named.entry(lower(name)).or_insert(at);
            names.stems.push(stem(name).into());
            names.with_extension.entry(extension(name)).or_default().push(at);
        }
        for (at, (name, is_link)) in names.folders.iter().enumerate() {
            if !is_link {
                names.folder_named.entry(lower(name)).or_insert(at);
            }
        }
        names
    }

    /// Files and folders.
    pub fn len(&self) -> usize {
        self.files.len() + self.folders.len()
    }

    /// Files, by name.
    pub fn files(&self) -> impl Iterator<Item = &OsStr> {
        self.files.iter().map(OsString::as_os_str)
    }

    /// The file with this name, given in lower case.
    pub fn file(&self, name: &str) -> Option<&OsStr> {
        self.file_named.get(name).and_then(|at| self.files.get(*at)).map(OsString::as_os_str)
    }

    /// The file with this stem and extension, both in lower case.
    pub fn file_of(&self, stem: &str, extension: &str) -> Option<&OsStr> {
        let name = if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") };
        self.file(&name).filter(|found| self::stem(found) == stem && self::extension(found) == extension)
    }

    /// The files with this extension, given in lower case, by name.
    pub fn with_extension(&self, extension: &str) -> impl Iterator<Item = Named<'_>> {
        let files = self.with_extension.get(extension).into_iter().flatten();
        files.filter_map(|at| Some(Named { name: self.files.get(*at)?, stem: self.stems.get(*at)? }))
    }

    /// The folder with this name, given in lower case; not a link.
    pub fn folder(&self, name: &str) -> Option<&OsStr> {
        self.folder_named.get(name).and_then(|at| self.folders.get(*at)).map(|(name, _)| name.as_os_str())
    }

    /// Folders that are no links, by name.
    pub fn folders(&self) -> impl Iterator<Item = &OsStr> {
        self.folders.iter().filter(|(_, is_link)| !is_link).map(|(name, _)| name.as_os_str())
    }

    /// Folders and links to folders, by name.
    pub fn folders_and_links(&self) -> impl Iterator<Item = &OsStr> {
        self.folders.iter().map(|(name, _)| name.as_os_str())
    }
}

/// A name's last part behind a dot, in lower case.
pub(super) fn extension(name: &OsStr) -> String {
    Path::new(name).extension().map(lower).unwrap_or_default()
}

/// The rest of the name, in lower case.
pub(super) fn stem(name: &OsStr) -> String {
    Path::new(name).file_stem().map(lower).unwrap_or_default()
}

/// How alike two names are: the lower the more.
pub(super) type Likeness = (bool, Reverse<usize>);

/// The same stem, then the longest common start; both in lower case.
pub(super) fn likeness(own: &str, other: &str) -> Likeness {
    let common = own.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    (other != own, Reverse(common))
}

fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As if nothing had been written to the folder for so long.
    fn rest(folder: &Path, secs: u64) {
        let time = SystemTime::now() - Duration::from_secs(secs);
        std::fs::File::open(folder).unwrap().set_modified(time).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_listed_again_when_it_has_changed_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("A.PSA"), "").unwrap();
        rest(folder.path(), 100);
        let listings = Listings::default();
        for _ in 0..5 {
            let names = listings.names(folder.path(), Ask::Always);
            assert_eq!(names.file("a.psa"), Some(OsStr::new("A.PSA")));
        }
        assert_eq!(listings.made(), 1);
        std::fs::write(folder.path().join("b.psa"), "").unwrap();
        rest(folder.path(), 50);
        assert_eq!(listings.names(folder.path(), Ask::Always).with_extension("psa").count(), 2);
        assert_eq!(listings.made(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_from_the_future_is_not_listed_at_every_question() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.psa"), "").unwrap();
        let future = SystemTime::now() + Duration::from_secs(1_000_000);
        let date = |time| std::fs::File::open(folder.path()).unwrap().set_modified(time).unwrap();
        date(future);
        let (listings, start) = (Listings::default(), Instant::now());
        let files = |millis: u64| {
            let at = start + Duration::from_millis(millis);
            (0..250).map(|_| listings.names_at(folder.path(), Ask::Always, at).len()).max().unwrap()
        };
        assert_eq!((files(0), files(999), listings.made()), (1, 1, 1));
        // A file that leaves the folder with the same time is found within a second.
        std::fs::write(folder.path().join("b.psa"), "").unwrap();
        date(future);
        assert_eq!((files(1_000), listings.made()), (2, 2));
        // After two seconds the time is trusted as any other.
        assert_eq!((files(2_000), files(60_000), listings.made()), (2, 2, 3));
        // Another time is another folder at once, in the future too.
        std::fs::write(folder.path().join("c.psa"), "").unwrap();
        assert_eq!((files(60_001), listings.made() > 3), (3, true));
        date(future + Duration::from_secs(1));
        let made = listings.made();
        assert_eq!((files(60_002), listings.made()), (3, made + 1));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_a_time_in_whole_seconds_is_listed_again_until_it_has_an_age() {
        let folder = tempfile::tempdir().unwrap();
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let write = |name: &str| {
            std::fs::write(folder.path().join(name), "").unwrap();
            let second = SystemTime::UNIX_EPOCH + Duration::from_secs(time.as_secs());
            std::fs::File::open(folder.path()).unwrap().set_modified(second).unwrap();
        };
        let (listings, now) = (Listings::default(), Instant::now());
        for (number, name) in ["a.psa", "b.psa", "c.psa"].into_iter().enumerate() {
            write(name);
            assert_eq!(listings.names_at(folder.path(), Ask::Always, now).len(), number + 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_lies_in_a_container_from_the_future_is_not_listed_at_every_question() {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("BonePack.umod");
        std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/BonePack.umod"), &pack).unwrap();
        let future = SystemTime::now() + Duration::from_secs(1_000_000);
        std::fs::File::options().write(true).open(&pack).unwrap().set_modified(future).unwrap();
        let (listings, now) = (Listings::default(), Instant::now());
        for _ in 0..250 {
            assert!(listings.names_at(&pack, Ask::Always, now).len() > 0);
        }
        assert_eq!(listings.made(), 1);
    }

    #[test]
    fn a_folder_that_was_just_written_to_is_not_trusted() {
        let second = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let after = |since: SystemTime, millis, known| {
            doubt(Some(since), since + Duration::from_millis(millis), Duration::from_millis(known)).is_zero()
        };
        assert!(!after(second, 1_900, 0) && after(second, 2_100, 0));
        let fraction = second + Duration::from_millis(3);
        assert!(!after(fraction, 5, 0) && after(fraction, 30, 0));
        // Without an age the time counts for which it is known.
        for time in [Some(second + Duration::from_secs(9)), None] {
            let after = |known| doubt(time, second, Duration::from_millis(known));
            assert_eq!(after(0), COARSE_STEP);
            assert!(after(1_900) > FINE_STEP && after(2_000).is_zero());
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_listed_and_links_to_folders_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe.psa")).status().unwrap().success());
        std::fs::write(at("a.psa"), "").unwrap();
        std::fs::create_dir(at("Real")).unwrap();
        for (link, target) in [("link", "Real"), ("link.psa", "a.psa"), ("piped.psa", "pipe.psa"), ("gone", "gone")] {
            std::os::unix::fs::symlink(at(target), at(link)).unwrap();
        }
        let names = Names::of(folder.path());
        assert_eq!(names.with_extension("psa").map(|file| file.name).collect::<Vec<_>>(), ["a.psa", "link.psa"]);
        assert_eq!(names.folders().collect::<Vec<_>>(), ["Real"]);
        assert_eq!(names.folders_and_links().collect::<Vec<_>>(), ["Real", "link"]);
        assert_eq!((names.folder("real"), names.folder("link")), (Some(OsStr::new("Real")), None));
    }

    #[test]
    fn names_are_stems_and_extensions_as_paths_have_them() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".tga", "a.b.tga", "plain"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = Names::of(folder.path());
        assert_eq!(names.file_of("", "tga"), None);
        assert_eq!(names.file_of("a.b", "tga"), Some(OsStr::new("a.b.tga")));
        assert_eq!(names.file_of("a.b.tga", ""), None);
        assert_eq!(names.file_of("plain", ""), Some(OsStr::new("plain")));
    }

    #[test]
    fn no_more_names_are_held_than_are_allowed() {
        let listings = Listings::default();
        let folder = tempfile::tempdir().unwrap();
        listings.names(folder.path(), Ask::Always);
        listings.weigh(0, MAX_HELD);
        assert_eq!(lock(&listings.held).slots.len(), 1);
        listings.weigh(0, 1);
        assert_eq!(lock(&listings.held).slots.len(), 0);
    }
}
