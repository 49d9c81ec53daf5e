//! Watches folders with all that lies in them, and files, and tells when anything there changed and was left alone for a moment.
//!
//! The system tells of changes. From time to time it is looked whether each root is there: nothing tells of a folder above it that was
//! renamed, of a disk that was pulled out, or of one that comes back.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use notify::{
    Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};
use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Duration without further changes after which a change is reported.
const QUIET: Duration = Duration::from_millis(700);
/// Maximum duration of changes until they are reported.
const LONGEST: Duration = Duration::from_secs(8);
/// Interval at which missing roots are checked.
const LOOKS: Duration = Duration::from_secs(3);

/// A message about watched roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootChange {
    /// Something below a root changed, or a root came or went.
    Changed,
    /// A root cannot be watched, with the reason.
    Trouble(String),
}

enum Order {
    /// These roots and no others, without what lies at the paths behind them.
    Follow(Vec<PathBuf>, Vec<PathBuf>),
    Happened(notify::Result<Event>),
    End,
}

/// Watches roots on a thread of its own, until it is dropped.
pub struct RootWatch {
    orders: Sender<Order>,
}

impl RootWatch {
    /// `tell` is called on the watching thread.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(tell: impl Fn(RootChange) + Send + 'static) -> io::Result<Self> {
        let (orders, received) = crossbeam_channel::unbounded();
        let own = orders.clone();
        let run = move || Watching::new(own).run(&received, &tell);
        std::thread::Builder::new().name("folder watcher".to_owned()).spawn(run)?;
        Ok(Self { orders })
    }

    /// Watches these folders and files from now on and no others. What happens at `besides` counts for nothing: what this program
    /// writes itself.
    pub fn follow(&self, roots: Vec<PathBuf>, besides: Vec<PathBuf>) {
        let _ = self.orders.send(Order::Follow(roots, besides));
    }
}

impl Drop for RootWatch {
    fn drop(&mut self) {
        // Not waited for: a network that is gone may hold the thread.
        let _ = self.orders.send(Order::End);
    }
}

struct Watching {
    own: Sender<Order>,
    /// Only while there is something to watch.
    watcher: Option<RecommendedWatcher>,
    /// Each as it was named, and as the system calls it.
    roots: HashMap<PathBuf, Vec<PathBuf>>,
    besides: Vec<PathBuf>,
    /// Roots that are there.
    there: HashSet<PathBuf>,
    /// Folders that the system watches.
    folders: HashMap<PathBuf, RecursiveMode>,
    /// When something happened first that was not told of, and last.
    pending: Option<(Instant, Instant)>,
    look: Option<Instant>,
    troubles: Vec<String>,
    /// True if the limit of the system was reported.
    is_full: bool,
}

impl Watching {
    fn new(own: Sender<Order>) -> Self {
        Self {
            own,
            watcher: None,
            roots: HashMap::new(),
            besides: Vec::new(),
            there: HashSet::new(),
            folders: HashMap::new(),
            pending: None,
            look: None,
            troubles: Vec::new(),
            is_full: false,
        }
    }

    fn run(mut self, orders: &Receiver<Order>, tell: &impl Fn(RootChange)) {
        loop {
            let order = match self.due().into_iter().chain(self.look).min() {
                Some(at) => match orders.recv_deadline(at) {
                    Ok(order) => Some(order),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
                None => orders.recv().ok(),
            };
            match order {
                Some(Order::Follow(roots, besides)) => self.follow(roots, besides),
                Some(Order::Happened(event)) => self.note(event),
                Some(Order::End) => return,
                None => {}
            }
            let now = Instant::now();
            if self.look.is_some_and(|at| at <= now) {
                self.look_at_roots();
            }
            for trouble in self.troubles.drain(..) {
                tell(RootChange::Trouble(trouble));
            }
            if self.due().is_some_and(|at| at <= now) {
                self.pending = None;
                tell(RootChange::Changed);
            }
        }
    }

    /// Returns the time at which pending changes are reported.
    fn due(&self) -> Option<Instant> {
        self.pending.map(|(first, last)| (last + QUIET).min(first + LONGEST))
    }

    fn happened(&mut self) {
        let now = Instant::now();
        self.pending = Some((self.pending.map_or(now, |(first, _)| first), now));
    }

    fn follow(&mut self, roots: Vec<PathBuf>, besides: Vec<PathBuf>) {
        self.besides = besides;
        self.is_full = false;
        self.roots = roots.into_iter().map(|root| (root.clone(), names_of(&root))).collect();
        self.there.retain(|root| self.roots.contains_key(root));
        // What is there from the beginning is no change.
        self.there.extend(self.roots.keys().filter(|root| root.exists()).cloned());
        self.watch();
        self.look = (!self.roots.is_empty()).then(|| Instant::now() + LOOKS);
    }

    /// Has the system watch the folders of the roots that are there, and no others.
    fn watch(&mut self) {
        let mut wanted: HashMap<PathBuf, RecursiveMode> = HashMap::new();
        for root in &self.there {
            match root.parent() {
                // A file is watched through its folder: programs write a new one and give it the old name.
                Some(folder) if !root.is_dir() => {
                    _ = wanted.entry(folder.to_owned()).or_insert(RecursiveMode::NonRecursive)
                }
                _ => _ = wanted.insert(root.clone(), RecursiveMode::Recursive),
            }
        }
        for (left, _) in self.folders.extract_if(|folder, mode| wanted.get(folder) != Some(mode)) {
            if let Some(watcher) = &mut self.watcher {
                let _ = watcher.unwatch(&left);
            }
        }
        if wanted.is_empty() {
            self.watcher = None;
        }
        for (folder, mode) in wanted {
            if !self.folders.contains_key(&folder) {
                self.watch_folder(folder, mode);
            }
        }
    }

    fn watch_folder(&mut self, folder: PathBuf, mode: RecursiveMode) {
        let watcher = match &mut self.watcher {
            Some(watcher) => watcher,
            none => {
                let own = self.own.clone();
                // Links to folders are not followed in a collection either: they lead round in circles.
                let config = Config::default().with_follow_symlinks(false);
                match RecommendedWatcher::new(move |event| _ = own.send(Order::Happened(event)), config) {
                    Ok(watcher) => none.insert(watcher),
                    Err(error) => return self.cannot(&folder, &error),
                }
            }
        };
        match watcher.watch(&folder, mode) {
            Ok(()) => _ = self.folders.insert(folder, mode),
            Err(error) => {
                self.cannot(&folder, &error);
                // Part of it may be watched; it is not tried again until it goes.
                if folder.exists() {
                    self.folders.insert(folder, mode);
                }
            }
        }
    }

    fn cannot(&mut self, folder: &Path, error: &notify::Error) {
        if folder.exists() && !std::mem::replace(&mut self.is_full, true) {
            let folder = folder.display();
            self.troubles.push(format!("Cannot watch all files in {folder} for changes: {error}"));
        }
    }

    /// Notes roots that are gone, or there again.
    fn look_at_roots(&mut self) {
        self.look = Some(Instant::now() + LOOKS);
        let mut changed = false;
        for (root, names) in &mut self.roots {
            let exists = root.exists();
            if exists && self.there.insert(root.clone()) {
                *names = names_of(root);
                changed = true;
            } else if !exists && self.there.remove(root) {
                changed = true;
            }
        }
        let are_watched = self.there.iter().all(|root| {
            let folder = if root.is_dir() { Some(root.as_path()) } else { root.parent() };
            folder.is_some_and(|folder| self.folders.contains_key(folder))
        });
        if changed || !are_watched {
            self.watch();
        }
        if changed {
            self.happened();
        }
    }

    fn note(&mut self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => return log::warn!("cannot watch the collection for changes: {error}"),
        };
        match event.kind {
            // Reading changes nothing, and this program reads too.
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
            EventKind::Access(_) => return,
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {}
        }
        let goes = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        for path in &event.paths {
            if goes && self.folders.remove(path).is_some() {
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(path);
                }
                // It may be another one of its name already.
                self.look = Some(Instant::now() + QUIET);
            }
        }
        if event.need_rescan() || event.paths.iter().any(|path| self.counts(path)) {
            self.happened();
        }
    }

    /// Returns true if changes at a path matter to the collection.
    fn counts(&self, path: &Path) -> bool {
        if self.besides.iter().any(|own| path.starts_with(own)) {
            return false;
        }
        let is_hidden = |part: std::path::Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let mut roots = self.roots.values().flatten();
        roots.any(|root| path.strip_prefix(root).is_ok_and(|rest| !rest.components().any(is_hidden)))
    }
}

/// What the system may call a root: as it is named, and where links lead to.
fn names_of(root: &Path) -> Vec<PathBuf> {
    let own = root.canonicalize().ok().filter(|own| own != root);
    std::iter::once(root.to_owned()).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PATIENCE: Duration = Duration::from_secs(60);
    /// Long enough for what would have been told.
    const A_WHILE: Duration = Duration::from_millis(2_000);

    struct Told(Receiver<RootChange>);

    impl Told {
        #[track_caller]
        fn changed(&self) {
            assert_eq!(self.0.recv_timeout(PATIENCE), Ok(RootChange::Changed));
        }

        /// Further changes of one act may be told apart from it.
        #[track_caller]
        fn is_quiet(&self) {
            while self.0.recv_timeout(A_WHILE).is_ok() {}
        }
    }

    /// Follows roots, and waits until they are watched.
    fn followed(roots: &[&Path], besides: &[&Path]) -> (RootWatch, Told) {
        let (sender, told) = crossbeam_channel::unbounded();
        let watch = RootWatch::start(move |what| _ = sender.send(what)).unwrap();
        let owned = |paths: &[&Path]| paths.iter().map(|path| path.to_path_buf()).collect();
        watch.follow(owned(roots), owned(besides));
        let told = Told(told);
        // What is written before the system watches is not told of.
        let end = Instant::now() + PATIENCE;
        loop {
            fs::write(roots[0].join("sign"), "").unwrap();
            match told.0.recv_timeout(QUIET * 2) {
                Ok(RootChange::Changed) => break,
                other => assert!(Instant::now() < end, "{other:?}"),
            }
        }
        told.is_quiet();
        (watch, told)
    }

    #[test]
    fn what_is_written_deep_in_a_root_is_told_of_and_what_is_not_of_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("game");
        fs::create_dir_all(root.join("maps/old")).unwrap();
        fs::create_dir_all(root.join("own")).unwrap();
        let (_watch, told) = followed(&[&root], &[&root.join("own")]);
        fs::write(root.join("maps/old/a.unr"), "1").unwrap();
        told.changed();
        told.is_quiet();
        fs::create_dir(root.join("new")).unwrap();
        told.changed();
        told.is_quiet();
        fs::write(root.join("new/b.unr"), "2").unwrap();
        told.changed();
        told.is_quiet();
        // Beside it, hidden, the program's own, and read alone.
        fs::write(folder.path().join("c"), "3").unwrap();
        fs::write(root.join(".hidden"), "4").unwrap();
        fs::write(root.join("own/index"), "5").unwrap();
        fs::read(root.join("new/b.unr")).unwrap();
        assert!(told.0.recv_timeout(A_WHILE).is_err());
    }

    #[test]
    fn a_root_that_goes_and_comes_back_is_told_of_twice_and_watched_again() {
        let folder = tempfile::tempdir().unwrap();
        let (above, file) = (folder.path().join("disk"), folder.path().join("one.zip"));
        let root = above.join("game");
        fs::create_dir_all(&root).unwrap();
        fs::write(&file, "1").unwrap();
        let (_watch, told) = followed(&[&root, &file], &[]);
        fs::rename(&above, folder.path().join("away")).unwrap();
        told.changed();
        told.is_quiet();
        fs::rename(folder.path().join("away"), &above).unwrap();
        told.changed();
        told.is_quiet();
        fs::write(root.join("a"), "1").unwrap();
        told.changed();
        told.is_quiet();
        fs::write(&file, "2").unwrap();
        told.changed();
        told.is_quiet();
        fs::write(folder.path().join("two.zip"), "beside a file that is a root").unwrap();
        assert!(told.0.recv_timeout(A_WHILE).is_err());
    }
}
