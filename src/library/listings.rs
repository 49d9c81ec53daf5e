//! Lists the contents of folders once for all the files that search them.

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

/// Maximum number of names that are read of a folder, and of files that a search through folders visits.
pub(super) const MAX_FILES: usize = 20_000;
/// Maximum number of names in all listings.
const MAX_HELD: usize = 200_000;
/// The time for which a listing is reused without a check, for [`Ask::Seldom`] and for folders without an age.
const TRUSTED: Duration = Duration::from_secs(1);
/// The step of the system's clock, which is the resolution of times in most file systems.
const FINE_STEP: Duration = Duration::from_millis(20);
/// The step of file systems whose times are in whole seconds.
const COARSE_STEP: Duration = Duration::from_secs(2);

/// How often a folder is checked for changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Checks the folder at each query.
    Always,
    /// Checks the folder at most once in [`TRUSTED`]: for searches through many folders.
    Seldom,
}

/// Listings of folders by path. A folder is listed at the first query, and again after a change.
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
    /// The folder's time of modification, read before it was listed.
    modified: Option<SystemTime>,
    /// The time when the folder was first seen with this time of modification.
    first_seen: Instant,
    /// The time after the listing in which a change could keep the time of modification.
    doubt: Duration,
    /// False if the time of modification is missing or in the future.
    has_age: bool,
    listed: Instant,
    asked: Instant,
}

/// The names of regular files and folders in a folder, without pipes, sockets and devices.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Sorted, including links to files.
    files: Vec<OsString>,
    /// The files' stems in lower case.
    stems: Vec<Box<str>>,
    /// Sorted, each with whether it is a link.
    folders: Vec<(OsString, bool)>,
    /// Indices of files by name in lower case. The first is kept if names differ only in case.
    file_named: HashMap<String, usize>,
    /// Indices of folders that are not links, by name in lower case.
    folder_named: HashMap<String, usize>,
    /// Indices of files by extension in lower case, sorted by stem.
    with_extension: HashMap<String, Vec<usize>>,
}

/// A file in a folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub name: &'a OsStr,
    /// In lower case.
    pub stem: &'a str,
}

impl Listings {
    /// Returns the listings of the program.
    pub fn shared() -> Arc<Self> {
        static SHARED: LazyLock<Arc<Listings>> = LazyLock::new(Arc::default);
        SHARED.clone()
    }

    /// Returns the names in a folder. They are empty if it cannot be listed.
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
        // Other folders can be listed while this one is waited for.
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

    /// Drops all listings if they have too many names.
    fn weigh(&self, before: usize, now: usize) {
        let mut held = lock(&self.held);
        held.names = held.names.saturating_sub(before) + now;
        if held.names > MAX_HELD || held.slots.len() > MAX_HELD {
            *held = Held::default();
        }
    }

    /// Returns the number of listings that were made.
    #[cfg(test)]
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
}

impl Listing {
    fn of(folder: &Path, before: Option<&Self>, now: Instant) -> Self {
        // Read before the listing: a change during it is found at the next query.
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
        // The doubt about a folder with an age is soon over. Without an age, all folders of a drive could be listed at every query.
        let is_held = || !self.has_age && now.saturating_duration_since(self.listed) < TRUSTED;
        self.modified == modified(folder) && (self.doubt.is_zero() || is_held())
    }
}

fn modified(folder: &Path) -> Option<SystemTime> {
    // The contents of a container change with its file.
    crate::files::metadata(outermost(folder).unwrap_or(folder)).and_then(|meta| meta.modified()).ok()
}

/// Returns the time in which a change could still keep the folder's time of modification. Times without a fraction may be in steps of two
/// seconds, others are in steps of the system's clock. A time that is missing or in the future has no age. Only the time for which the
/// folder has been `known` with it counts then.
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
        let stems = &names.stems;
        names.with_extension.values_mut().for_each(|files| files.sort_by_key(|at| stems.get(*at)));
        for (at, (name, is_link)) in names.folders.iter().enumerate() {
            if !is_link {
                names.folder_named.entry(lower(name)).or_insert(at);
            }
        }
        names
    }

    /// Returns the number of files and folders.
    pub fn len(&self) -> usize {
        self.files.len() + self.folders.len()
    }

    /// Iterates over the files by name.
    pub fn files(&self) -> impl Iterator<Item = &OsStr> {
        self.files.iter().map(OsString::as_os_str)
    }

    /// Finds a file by its name in lower case.
    pub fn file(&self, name: &str) -> Option<&OsStr> {
        self.file_named.get(name).and_then(|at| self.files.get(*at)).map(OsString::as_os_str)
    }

    /// Finds a file by its stem and extension, both in lower case.
    pub fn file_of(&self, stem: &str, extension: &str) -> Option<&OsStr> {
        let name = if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") };
        self.file(&name).filter(|found| self::stem(found) == stem && self::extension(found) == extension)
    }

    /// Iterates over the files with an extension in lower case, by stem.
    pub fn with_extension(&self, extension: &str) -> impl Iterator<Item = Named<'_>> {
        self.indices(extension).iter().filter_map(|at| self.named(*at))
    }

    /// Iterates over the files with an extension, both in lower case, in the order of their [`likeness`] to a stem, then by stem. Only the
    /// files that the caller takes are visited.
    pub fn most_alike<'a>(&'a self, own: &'a str, extension: &str) -> impl Iterator<Item = Named<'a>> {
        let files = self.indices(extension);
        let stem_of = |at: &usize| self.stems.get(*at).map_or("", |stem| &**stem);
        let first = files.partition_point(|at| stem_of(at) < own);
        let equal = first..files.partition_point(|at| stem_of(at) <= own);
        let mut inner = equal.clone();
        let starts = own.char_indices().map(|(at, c)| at + c.len_utf8()).rev().chain([0]);
        let rings = starts.flat_map(move |length| {
            let start = own.get(..length).unwrap_or(own);
            let first = files.partition_point(|at| stem_of(at) < start);
            let end = files.partition_point(|at| stem_of(at) < start || stem_of(at).starts_with(start));
            let ring = (first..inner.start).chain(inner.end..end);
            inner = first..end;
            ring
        });
        equal.chain(rings).filter_map(|place| self.named(*files.get(place)?))
    }

    fn indices(&self, extension: &str) -> &[usize] {
        self.with_extension.get(extension).map(Vec::as_slice).unwrap_or_default()
    }

    fn named(&self, at: usize) -> Option<Named<'_>> {
        Some(Named { name: self.files.get(at)?, stem: self.stems.get(at)? })
    }

    /// Finds a folder that is not a link by its name in lower case.
    pub fn folder(&self, name: &str) -> Option<&OsStr> {
        self.folder_named.get(name).and_then(|at| self.folders.get(*at)).map(|(name, _)| name.as_os_str())
    }

    /// Iterates over the folders that are not links, by name.
    pub fn folders(&self) -> impl Iterator<Item = &OsStr> {
        self.folders.iter().filter(|(_, is_link)| !is_link).map(|(name, _)| name.as_os_str())
    }

    /// Iterates over folders and links to folders, by name.
    pub fn folders_and_links(&self) -> impl Iterator<Item = &OsStr> {
        self.folders.iter().map(|(name, _)| name.as_os_str())
    }
}

/// Returns the extension of a name in lower case.
pub(super) fn extension(name: &OsStr) -> String {
    Path::new(name).extension().map(lower).unwrap_or_default()
}

/// Returns the stem of a name in lower case.
pub(super) fn stem(name: &OsStr) -> String {
    Path::new(name).file_stem().map(lower).unwrap_or_default()
}

/// The likeness of two names. A lower value is more alike.
pub(super) type Likeness = (bool, Reverse<usize>);

/// Compares two stems in lower case: equal ones first, then by the longest common start.
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

    /// Sets the folder's time of modification to `secs` seconds ago.
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
        for _ in 0..100 {
            let folder = tempfile::tempdir().unwrap();
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
            let second = SystemTime::UNIX_EPOCH + Duration::from_secs(time.as_secs());
            let (listings, now) = (Listings::default(), Instant::now());
            let counts = ["a.psa", "b.psa", "c.psa"].map(|name| {
                std::fs::write(folder.path().join(name), "").unwrap();
                std::fs::File::open(folder.path()).unwrap().set_modified(second).unwrap();
                listings.names_at(folder.path(), Ask::Always, now).len()
            });
            // On a busy machine the folder may have got an age meanwhile.
            if SystemTime::now() < second + COARSE_STEP {
                return assert_eq!(counts, [1, 2, 3]);
            }
        }
        panic!("three files take longer than {COARSE_STEP:?}");
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
    fn the_most_alike_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let stems = ["a", "hero", "Hero", "HERO_run", "hero_walk", "her", "hermit", "he\u{e4}", "zoo", "hero2", "b"];
        for stem in stems {
            std::fs::write(folder.path().join(format!("{stem}.psa")), "").unwrap();
            std::fs::write(folder.path().join(format!("{stem}.psk")), "").unwrap();
        }
        let names = Names::of(folder.path());
        for own in ["hero", "he", "he\u{e4}x", "zz", "", "0", "\u{ff}"] {
            // The reference compares all of them.
            let mut expected: Vec<(Likeness, String, &OsStr)> = names
                .files()
                .filter(|name| extension(name) == "psa")
                .map(|name| (likeness(own, &stem(name)), stem(name), name))
                .collect();
            expected.sort();
            let expected: Vec<&OsStr> = expected.into_iter().map(|(_, _, name)| name).collect();
            assert_eq!(names.most_alike(own, "psa").map(|file| file.name).collect::<Vec<_>>(), expected, "{own}");
        }
        assert_eq!(names.most_alike("hero", "tga").count(), 0);
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
