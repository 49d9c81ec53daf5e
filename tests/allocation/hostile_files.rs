//! R5 and R6 for the test corpus's files that were made to hurt: opened, checked, every field read and everything decoded, as
//! `verify` does.

use crate::{
    heap::{self, Heap, MAX_SECS},
    kit::{
        self, files,
        open::{Loading, Opening},
    },
};
use bonebox::{
    bytes::{Cancel, Limits},
    formats::{Content, containers, coverage::coverage},
    library::collection,
};
use std::{fs, path::PathBuf, process::Command, time::Instant};

/// What a file stands for: what it decompresses to, where it is compressed.
fn size_of(bytes: &[u8]) -> usize {
    match bytes {
        [b'Y', b'a', b'z' | b'y', b'0', a, b, c, d, ..] => u32::from_be_bytes([*a, *b, *c, *d]) as usize,
        _ => bytes.len(),
    }
}

/// The files of an archive of the corpus, with their names; `None` without it.
fn files_of(archive: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let archive = kit::corpus()?.join(archive);
    let folder = tempfile::tempdir().unwrap();
    let unpacked = Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(folder.path()).status();
    if !archive.is_file() || !unpacked.is_ok_and(|status| status.success()) {
        kit::skipped(&format!("tar cannot unpack {}", archive.display()));
        return None;
    }
    let named = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    Some(files::files_below(folder.path()).into_iter().map(named).collect())
}

/// Runs an act on a file within R5 and R7.
fn within(what: &str, name: &str, size: usize, act: impl FnOnce()) {
    let (heap, start) = (Heap::watch(), Instant::now());
    act();
    let used = heap.assert_justified_by(size, &format!("{name}: {what}"));
    let secs = start.elapsed().as_secs_f64();
    println!("{name}: {what}: {size} bytes; {used} held, {secs:.2} s");
    // A second more for each MiB.
    assert!(secs < MAX_SECS + (size >> 20) as f64, "{name}: {what} takes {secs:.1} s");
}

/// Reads everything of a file, as `verify` does; whether it opens.
fn read_all(name: &str, bytes: Vec<u8>) -> bool {
    let Ok(opened) = Opening::of(name).open(bytes) else { return false };
    let opened = opened.checked();
    for entry in opened.document.outline().entries().iter().filter(|entry| entry.content != Content::None) {
        let _ = Loading { name, ..Loading::default() }.load(opened.document.as_ref(), entry.id);
    }
    std::hint::black_box(coverage(opened.document.as_ref()));
    true
}

#[test]
fn files_made_to_hurt_are_read_within_what_their_size_allows() {
    let _alone = heap::alone();
    let Some(files) = files_of("hostile.tar.xz") else { return };
    let mut read = 0;
    for (name, bytes) in files {
        within("verify", &name, size_of(&bytes), || read += usize::from(read_all(&name, bytes.clone())));
    }
    assert!(read >= 30, "only {read} files were opened as anything");
}

/// As `verify`, `list --files` and `index` do.
#[test]
fn containers_made_to_hurt_are_walked_within_what_their_size_allows() {
    let _alone = heap::alone();
    let Some(files) = files_of("hostile-containers.tar.xz") else { return };
    let never = Cancel::new();
    let (mut read, mut visited) = (0, 0);
    for (name, bytes) in files {
        let size = bytes.len();
        within("verify", &name, size, || read += usize::from(read_all(&name, bytes.clone())));
        within("files", &name, size, || {
            let Ok(opened) = Opening::of(&name).open(bytes.clone()) else { return };
            let container = opened.document.container().unwrap();
            containers::walk(container, &Limits::default(), &never, &mut |walked| {
                visited += 1;
                let _ = walked.unpacked.map(|unpacked| collection::sum(&unpacked.source));
                true
            });
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&name);
        fs::write(&path, &bytes).unwrap();
        drop(bytes);
        within("index", &name, size, || {
            std::hint::black_box(collection::read_content(&path, &Limits::default(), &never).unwrap());
        });
    }
    assert!(read >= 20 && visited > 1000, "only {read} files were opened, and {visited} files in them visited");
}
