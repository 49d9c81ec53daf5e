//! Watches files through the folders that they lie in, and tells which changed once they were left alone for a moment.
//!
//! A folder is watched, not the file: programs write a new file and give it the old name. The system tells of changes; only a
//! folder that is gone is looked for from time to time, because nothing tells when it comes back.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use notify::{
    ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};
use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

/// A file counts as written when nothing happened to it for so long.
const QUIET: Duration = Duration::from_millis(100);
/// Folders that are gone are looked for so often.
const LOOKS_AGAIN: Duration = Duration::from_secs(2);

/// A message about watched files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// These changed, came or went, under the names by which they are watched.
    Changed(Vec<PathBuf>),
    /// Some files cannot be watched, with the reason.
    Trouble(String),
}

enum Order {
    /// These and no others, each with when it had been written last as far as is known.
    Follow(Vec<(PathBuf, Option<SystemTime>)>),
    Happened(notify::Result<Event>),
    End,
}

/// Watches files on a thread of its own, until it is dropped.
pub struct FileWatch {
    orders: Sender<Order>,
}

impl FileWatch {
    /// `tell` is called on the watching thread.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(tell: impl Fn(Watched) + Send + 'static) -> io::Result<Self> {
        let (orders, received) = crossbeam_channel::unbounded();
        let own = orders.clone();
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || Watching::new(own).run(&received, &tell))?;
        Ok(Self { orders })
    }

    /// Watches these files from now on and no others. One that was written since the time beside it has changed.
    pub fn follow(&self, files: Vec<(PathBuf, Option<SystemTime>)>) {
        let _ = self.orders.send(Order::Follow(files));
    }
}

impl Drop for FileWatch {
    fn drop(&mut self) {
        // Not waited for: a network that is gone may hold the thread.
        let _ = self.orders.send(Order::End);
    }
}

/// The paths under which changes of a file are reported: its own path, and the target of its link.
struct Names([Option<PathBuf>; 2]);

impl Names {
    fn of(file: &Path) -> Self {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let parts = file.parent().zip(file.file_name());
        // Systems tell of folders by their own names, whatever links lead to them.
        let own = parts.map(|(folder, name)| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(name));
        let target = file.canonicalize().ok().filter(|target| own.as_ref() != Some(target));
        Self([own.or(Some(file)), target])
    }

    fn iter(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter().flatten()
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.iter().filter_map(|name| name.parent())
    }
}

struct Watching {
    own: Sender<Order>,
    /// Only while there is something to watch.
    watcher: Option<RecommendedWatcher>,
    /// Files by the names under which they are watched.
    files: HashMap<PathBuf, Names>,
    /// The other way around.
    by_name: HashMap<PathBuf, Vec<PathBuf>>,
    folders: HashSet<PathBuf>,
    /// Folders that are not there.
    gone: HashSet<PathBuf>,
    look_again: Option<Instant>,
    /// Files that something happened to, and when they count as written.
    pending: HashMap<PathBuf, Instant>,
    troubles: Vec<String>,
    /// True if the limit of the system was reported.
    is_full: bool,
}

impl Watching {
    fn new(own: Sender<Order>) -> Self {
        Self {
            own,
            watcher: None,
            files: HashMap::new(),
            by_name: HashMap::new(),
            folders: HashSet::new(),
            gone: HashSet::new(),
            look_again: None,
            pending: HashMap::new(),
            troubles: Vec::new(),
            is_full: false,
        }
    }

    fn run(mut self, orders: &Receiver<Order>, tell: &impl Fn(Watched)) {
        loop {
            let next = self.pending.values().copied().chain(self.look_again).min();
            let order = match next {
                Some(at) => match orders.recv_deadline(at) {
                    Ok(order) => Some(order),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
                None => orders.recv().ok(),
            };
            match order {
                Some(Order::Follow(files)) => self.follow(files),
                Some(Order::Happened(event)) => self.note(event),
                Some(Order::End) => return,
                None => {}
            }
            let now = Instant::now();
            if self.look_again.is_some_and(|at| at <= now) {
                self.look_for_folders();
            }
            for trouble in self.troubles.drain(..) {
                tell(Watched::Trouble(trouble));
            }
            let mut due: Vec<PathBuf> = self.pending.extract_if(|_, at| *at <= now).map(|(file, _)| file).collect();
            if !due.is_empty() {
                due.sort();
                tell(Watched::Changed(due));
            }
        }
    }

    fn follow(&mut self, files: Vec<(PathBuf, Option<SystemTime>)>) {
        let wanted: HashSet<&PathBuf> = files.iter().map(|(file, _)| file).collect();
        self.files.retain(|file, _| wanted.contains(file));
        self.pending.retain(|file, _| wanted.contains(file));
        let mut fresh = Vec::new();
        for (file, written) in files {
            if !self.files.contains_key(&file) {
                self.files.insert(file.clone(), Names::of(&file));
                fresh.push((file, written));
            }
        }
        self.by_name.clear();
        for (file, names) in &self.files {
            for name in names.iter() {
                self.by_name.entry(name.clone()).or_default().push(file.clone());
            }
        }
        let folders: HashSet<PathBuf> = self.files.values().flat_map(Names::folders).map(Path::to_owned).collect();
        for left in self.folders.extract_if(|folder| !folders.contains(folder)) {
            if let Some(watcher) = &mut self.watcher {
                let _ = watcher.unwatch(&left);
            }
        }
        self.gone.retain(|folder| folders.contains(folder));
        if folders.is_empty() {
            (self.watcher, self.look_again) = (None, None);
        }
        for folder in folders {
            if !self.folders.contains(&folder) && !self.gone.contains(&folder) {
                self.watch(folder);
            }
        }
        // Between being read and being watched a file may have been written.
        for (file, written) in fresh {
            let now = std::fs::metadata(&file).and_then(|about| about.modified()).ok();
            if written.is_some() && now != written {
                self.happened_to(file);
            }
        }
    }

    fn watch(&mut self, folder: PathBuf) {
        let watcher = match &mut self.watcher {
            Some(watcher) => watcher,
            none => {
                let own = self.own.clone();
                match notify::recommended_watcher(move |event| _ = own.send(Order::Happened(event))) {
                    Ok(watcher) => none.insert(watcher),
                    Err(error) => return self.cannot(&folder, &error),
                }
            }
        };
        match watcher.watch(&folder, RecursiveMode::NonRecursive) {
            Ok(()) => _ = self.folders.insert(folder),
            Err(error) => self.cannot(&folder, &error),
        }
    }

    fn cannot(&mut self, folder: &Path, error: &notify::Error) {
        let is_gone = matches!(error.kind, ErrorKind::PathNotFound)
            || matches!(&error.kind, ErrorKind::Io(why) if why.kind() == io::ErrorKind::NotFound);
        if is_gone {
            self.gone.insert(folder.to_owned());
            self.look_again.get_or_insert_with(|| Instant::now() + LOOKS_AGAIN);
        } else if !std::mem::replace(&mut self.is_full, true) {
            self.troubles.push(format!("Cannot watch the files in {} for changes: {error}", folder.display()));
        }
    }

    /// Watches folders that are there again.
    fn look_for_folders(&mut self) {
        self.look_again = None;
        for folder in std::mem::take(&mut self.gone) {
            if folder.is_dir() {
                self.happened_in(&folder);
                self.watch(folder);
            } else {
                self.gone.insert(folder);
            }
        }
        if !self.gone.is_empty() {
            self.look_again = Some(Instant::now() + LOOKS_AGAIN);
        }
    }

    fn note(&mut self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => return log::warn!("cannot watch the open files for changes: {error}"),
        };
        if event.need_rescan() {
            // Some of what happened is not known.
            return self.files.keys().cloned().collect::<Vec<_>>().into_iter().for_each(|file| self.happened_to(file));
        }
        match event.kind {
            // Reading changes nothing, and this program reads too.
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
            EventKind::Access(_) => return,
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {}
        }
        for path in &event.paths {
            for file in self.by_name.get(path).cloned().unwrap_or_default() {
                self.happened_to(file);
            }
            let goes = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
            if goes && self.folders.remove(path) {
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(path);
                }
                self.happened_in(path);
                self.gone.insert(path.clone());
                self.look_again.get_or_insert_with(|| Instant::now() + LOOKS_AGAIN);
            }
        }
    }

    fn happened_to(&mut self, file: PathBuf) {
        self.pending.insert(file, Instant::now() + QUIET);
    }

    /// Something happened to all files in a folder.
    fn happened_in(&mut self, folder: &Path) {
        let inside = self.files.iter().filter(|(_, names)| names.folders().any(|own| own == folder));
        for file in inside.map(|(file, _)| file.clone()).collect::<Vec<_>>() {
            self.happened_to(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn watch() -> (FileWatch, Told) {
        let (sender, told) = crossbeam_channel::unbounded();
        (FileWatch::start(move |what| _ = sender.send(what)).unwrap(), Told(told, Vec::new()))
    }

    fn written(file: &Path) -> Option<SystemTime> {
        fs::metadata(file).and_then(|about| about.modified()).ok()
    }

    /// A time that no file of a test was written at.
    fn long_ago() -> Option<SystemTime> {
        Some(SystemTime::UNIX_EPOCH)
    }

    /// What was told; the same may be told again where the machine is slow.
    struct Told(Receiver<Watched>, Vec<Watched>);

    impl Told {
        #[track_caller]
        fn is(&mut self, file: &Path) {
            let wanted = Watched::Changed(vec![file.to_owned()]);
            loop {
                let told = self.0.recv_timeout(PATIENCE).expect("nothing is told");
                if told == wanted {
                    return self.1.push(told);
                }
                assert!(self.1.contains(&told), "{told:?}, not {wanted:?}");
            }
        }
    }

    /// Follows files, and waits until they are watched: one was written since, as far as is known, which is told.
    fn followed(files: &[&Path]) -> (FileWatch, Told, tempfile::TempDir) {
        let (watch, mut told) = watch();
        let folder = tempfile::tempdir().unwrap();
        let sign = folder.path().join("sign");
        fs::write(&sign, "").unwrap();
        let mut all: Vec<_> = files.iter().map(|file| (file.to_path_buf(), written(file))).collect();
        all.push((sign.clone(), long_ago()));
        watch.follow(all);
        told.is(&sign);
        (watch, told, folder)
    }

    #[test]
    fn a_written_a_renamed_and_a_removed_file_are_told_of_and_others_beside_them_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other, beside] = ["one.psk", "other.psk", "beside.txt"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        fs::write(&other, "2").unwrap();
        let (_watch, mut told, _sign) = followed(&[&one, &other]);
        fs::write(&beside, "not watched").unwrap();
        fs::write(&one, "changed").unwrap();
        told.is(&one);
        fs::rename(&beside, &one).unwrap();
        told.is(&one);
        fs::remove_file(&other).unwrap();
        told.is(&other);
        // It is read, and that is all.
        fs::read(&one).unwrap();
        fs::write(&other, "there again").unwrap();
        told.is(&other);
    }

    #[test]
    fn a_file_that_was_written_before_it_was_watched_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "1").unwrap();
        let (watch, mut told) = watch();
        watch.follow(vec![(file.clone(), long_ago())]);
        told.is(&file);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_told_of_when_what_it_leads_to_is_written() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, target) = (here.path().join("link"), there.path().join("target"));
        fs::write(&target, "1").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let (_watch, mut told, _sign) = followed(&[&link]);
        fs::write(&target, "2").unwrap();
        told.is(&link);
    }

    #[test]
    fn a_folder_that_goes_and_comes_back_is_watched_again() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        let file = inner.join("a");
        fs::create_dir(&inner).unwrap();
        fs::write(&file, "1").unwrap();
        let (_watch, mut told, _sign) = followed(&[&file]);
        fs::remove_dir_all(&inner).unwrap();
        told.is(&file);
        fs::create_dir(&inner).unwrap();
        fs::write(&file, "2").unwrap();
        told.is(&file);
    }

    #[test]
    fn what_is_followed_no_longer_is_not_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        fs::write(&other, "1").unwrap();
        let (watch, mut told, _sign) = followed(&[&one]);
        // The other counts as written since: when it is told of, it is the only one that is watched.
        watch.follow(vec![(other.clone(), long_ago())]);
        told.is(&other);
        fs::write(&one, "2").unwrap();
        fs::write(&other, "2").unwrap();
        told.is(&other);
    }
}
