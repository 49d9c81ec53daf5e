//! What is held of files, once for all who need it: a file that is open, and the files that refer to it.

use super::{
    containers::{Containers, outermost},
    quarantine::{LEFT_ALONE, Quarantine},
    reading::{Pipes, Unread, open_file, read_opened, too_large},
    stamp::Stamp,
    stored_file::kept_on_disk,
};
use crate::bytes::{Limits, Source, WeakSource};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

/// Files that are known before those that nobody holds any more are forgotten.
const FEW: usize = 64;

/// The largest file that is read, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Largest {
    pub file: u64,
    /// One that is read whole, since its format does not read parts, or is unpacked.
    pub whole: u64,
}

impl From<u64> for Largest {
    fn from(bytes: u64) -> Self {
        Self { file: bytes, whole: bytes }
    }
}

impl From<Limits> for Largest {
    fn from(limits: Limits) -> Self {
        Self { file: limits.file_bytes, whole: limits.whole_file_bytes }
    }
}

/// Files that somebody holds. Nothing is kept alive by it.
#[derive(Debug, Default)]
pub(super) struct SharedFiles {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    files: HashMap<PathBuf, (Stamp, WeakSource)>,
    /// So many are known when those that are gone are looked for next.
    next_sweep: usize,
}

impl SharedFiles {
    /// The one of the program.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<SharedFiles> = OnceLock::new();
        SHARED.get_or_init(Self::default)
    }

    /// What a file holds that another one refers to: read only when nobody holds it as it is now.
    ///
    /// # Errors
    /// As [`super::read_file`].
    pub fn referred(&self, path: &Path, largest: impl Into<Largest>) -> Result<Source, String> {
        let Largest { file: limit, whole } = largest.into();
        if Quarantine::shared().leaves_alone(path) {
            return Err(LEFT_ALONE.to_owned());
        }
        if outermost(path).is_some() {
            return Ok(self.member(path, whole.min(limit))?);
        }
        let (file, meta) = open_file(path, Pipes::Refused)?;
        let stamp = Stamp::of(&meta);
        if let Some(held) = self.held(path, Some(&stamp)).filter(|held| held.len() as u64 <= limit) {
            return Ok(held);
        }
        let source = match kept_on_disk(path, file, &meta, limit)? {
            Ok(source) => source,
            Err(file) => Source::from(read_opened(file, &meta, whole.min(limit))?),
        };
        self.note(path, stamp, &source);
        Ok(source)
    }

    /// What a file holds that a person opens: always read, and shared where it is what others hold.
    ///
    /// # Errors
    /// As [`super::read_file`].
    pub fn opened(&self, path: &Path, largest: impl Into<Largest>, pipes: Pipes) -> Result<Source, Unread> {
        let Largest { file: limit, whole } = largest.into();
        if Quarantine::shared().leaves_alone(path) {
            return Err(LEFT_ALONE.into());
        }
        if outermost(path).is_some() {
            return self.member(path, whole.min(limit));
        }
        let (file, meta) = open_file(path, pipes)?;
        let source = match kept_on_disk(path, file, &meta, limit)? {
            Ok(source) => source,
            Err(file) => {
                let source = Source::from(read_opened(file, &meta, whole.min(limit))?);
                let held = self.held(path, None).filter(|held| !held.is_stored());
                if let Some(held) = held.filter(|held| held.as_slice() == source.as_slice()) {
                    return Ok(held);
                }
                source
            }
        };
        if meta.is_file() {
            self.note(path, Stamp::of(&meta), &source);
        }
        Ok(source)
    }

    /// What a member of a container holds. `limit`: bytes of one that is not read where it lies.
    fn member(&self, path: &Path, limit: u64) -> Result<Source, Unread> {
        let (source, stamp) = Containers::shared().read(path, limit)?;
        if source.len() as u64 > limit && !source.is_stored() {
            return Err(too_large(limit));
        }
        if let Some(held) = self.held(path, Some(&stamp)) {
            return Ok(held);
        }
        self.note(path, stamp, &source);
        Ok(source)
    }

    fn held(&self, path: &Path, stamp: Option<&Stamp>) -> Option<Source> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (held, source) = known.files.get(&key(path))?;
        if stamp.is_none_or(|stamp| stamp == held) { source.upgrade() } else { None }
    }

    fn note(&self, path: &Path, stamp: Stamp, source: &Source) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.files.len() >= known.next_sweep.max(FEW) {
            known.files.retain(|_, (_, source)| source.upgrade().is_some());
            known.files.shrink_to_fit();
            known.next_sweep = known.files.len().saturating_mul(2);
        }
        known.files.insert(key(path), (stamp, source.downgrade()));
    }
}

fn key(path: &Path) -> PathBuf {
    crate::files::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{super::stored_file::MIN_STORED, *};

    #[test]
    fn bytes_are_held_once_as_long_as_the_file_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Walls.utx");
        std::fs::write(&path, [1; 1000]).unwrap();
        let files = SharedFiles::default();
        let referred = files.referred(&path, 1000).unwrap();
        let again = files.referred(&path, 1000).unwrap();
        let opened = files.opened(&path, 1000, Pipes::Refused).unwrap();
        assert!(referred.is_same(&again) && referred.is_same(&opened));

        // Written over with as many bytes: opening it tells.
        std::fs::write(&path, [2; 1000]).unwrap();
        let changed = files.opened(&path, 1000, Pipes::Refused).unwrap();
        assert_eq!((changed.as_slice(), referred.as_slice()), (&[2; 1000][..], &[1; 1000][..]));
        assert!(files.referred(&path, 1000).unwrap().is_same(&changed));

        // Another length tells by itself.
        std::fs::write(&path, [3; 1001]).unwrap();
        assert_eq!(files.referred(&path, 2000).unwrap().as_slice(), [3; 1001]);
        assert!(files.referred(&path, 1000).unwrap_err().contains("larger than the maximum file size of 1000 bytes"));
    }

    #[test]
    fn large_packages_stay_on_the_disk_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut package = vec![0xC1, 0x83, 0x2A, 0x9E];
        package.resize(MIN_STORED as usize, 7);
        let files = SharedFiles::default();
        for (name, bytes, is_stored) in [
            ("Walls.utx", &package[..], true),
            ("Small.utx", &package[..1000], false),
            ("Bones.psk", &vec![0; MIN_STORED as usize][..], false),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let opened = files.opened(&path, MIN_STORED, Pipes::Refused).unwrap();
            assert_eq!((opened.is_stored(), opened.as_slice() == bytes), (is_stored, true), "{name}");
            assert!(files.referred(&path, MIN_STORED).unwrap().is_same(&opened), "{name}");
        }
        let path = folder.path().join("Walls.utx");
        let error = "is larger than the maximum file size of 1000 bytes";
        assert_eq!(files.opened(&path, 1000, Pipes::Refused).unwrap_err().message, error);
    }

    #[test]
    fn what_nobody_holds_is_gone_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let files = SharedFiles::default();
        for n in 0..FEW * 4 {
            let path = folder.path().join(format!("{n}.utx"));
            std::fs::write(&path, [7; 10]).unwrap();
            let source = files.referred(&path, 10).unwrap();
            let weak = source.downgrade();
            drop(source);
            assert!(weak.upgrade().is_none() && files.held(&path, None).is_none());
        }
        assert!(files.known.lock().unwrap().files.len() <= FEW);
    }

    #[test]
    fn what_is_read_whole_has_a_limit_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let largest = Largest { file: 1 << 20, whole: MIN_STORED };
        let mut package = vec![0; MIN_STORED as usize + 1];
        package[..4].copy_from_slice(&0x9E2A_83C1_u32.to_le_bytes());
        for (name, bytes, is_read) in [
            ("a.u", package, true),
            ("a.png", vec![1; MIN_STORED as usize + 1], false),
            ("b.png", vec![1; MIN_STORED as usize], true),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let files = SharedFiles::default();
            assert_eq!(files.opened(&path, largest, Pipes::Refused).is_ok(), is_read, "{name}");
            assert_eq!(files.referred(&path, largest).is_ok(), is_read, "{name}");
        }
    }
}
