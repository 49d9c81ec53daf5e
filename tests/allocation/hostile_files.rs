//! R5 and R6 for the test corpus's files that were made to hurt: opened, checked, every field read and everything decoded, as
//! `verify` does.

use crate::{
    heap::{self, Heap, MAX_SECS},
    kit::{
        self, files,
        open::{Loading, Opening},
    },
};
use bonebox::formats::{Content, coverage::coverage};
use std::{fs, process::Command, time::Instant};

/// What a file stands for: what it decompresses to, where it is compressed.
fn size_of(bytes: &[u8]) -> usize {
    match bytes {
        [b'Y', b'a', b'z' | b'y', b'0', a, b, c, d, ..] => u32::from_be_bytes([*a, *b, *c, *d]) as usize,
        _ => bytes.len(),
    }
}

#[test]
fn files_made_to_hurt_are_read_within_what_their_size_allows() {
    let _alone = heap::alone();
    let Some(archive) = kit::corpus().map(|corpus| corpus.join("hostile.tar.xz")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let unpacked = Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(folder.path()).status();
    if !archive.is_file() || !unpacked.is_ok_and(|status| status.success()) {
        return kit::skipped("tar cannot unpack hostile.tar.xz");
    }
    let mut read = 0;
    for path in files::files_below(folder.path()) {
        let bytes = fs::read(&path).unwrap();
        let (name, size) = (path.file_name().unwrap().to_string_lossy().into_owned(), size_of(&bytes));
        let (heap, start) = (Heap::watch(), Instant::now());
        if let Ok(opened) = Opening::of(&name).open(bytes) {
            let opened = opened.checked();
            for entry in opened.document.outline().entries().iter().filter(|entry| entry.content != Content::None) {
                let _ = Loading { name: &name, ..Loading::default() }.load(opened.document.as_ref(), entry.id);
            }
            std::hint::black_box(coverage(opened.document.as_ref()));
            read += 1;
        }
        let used = heap.assert_justified_by(size, &name);
        let secs = start.elapsed().as_secs_f64();
        println!("{name}: {size} bytes; {used} held, {secs:.2} s");
        // A second more for each MiB.
        assert!(secs < MAX_SECS + (size >> 20) as f64, "{name} takes {secs:.1} s");
    }
    assert!(read >= 30, "only {read} files were opened as anything");
}
