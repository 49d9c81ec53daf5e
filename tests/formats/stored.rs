//! Files that stay on the disk and are read in parts say the same as those that are read whole.

use crate::kit::{
    Noise,
    open::{Opened, Opening},
    unreal::packages,
};
use bonebox::{
    bytes::{ReadAt, Source},
    formats::{
        Children, Diagnostic, EntryId, Field, FieldTree, OpenError, Value,
        coverage::coverage,
        unreal::encode::{Export, PackageWriter, write_text_buffer},
    },
};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// A file in memory that counts what is read of it, and fails when it is told to.
#[derive(Clone, Default)]
struct Disk {
    bytes: Arc<Vec<u8>>,
    read: Arc<AtomicU64>,
    is_gone: Arc<AtomicBool>,
}

impl Disk {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: Arc::new(bytes.to_vec()), ..Self::default() }
    }

    fn open(&self, name: &str) -> Result<Opened, OpenError> {
        Opening::of(name).open_source(Source::stored(self.clone()))
    }
}

impl ReadAt for Disk {
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if self.is_gone.load(Ordering::Relaxed) {
            return Err(io::Error::other("the disk is gone"));
        }
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        buffer.copy_from_slice(&self.bytes[offset as usize..][..buffer.len()]);
        Ok(())
    }
}

/// All that a document says of itself: its outline, the fields and assets of every entry, and findings.
fn said(opened: Result<Opened, OpenError>) -> Result<(Vec<String>, Vec<Diagnostic>), String> {
    let opened = opened.map_err(|error| error.to_string())?;
    let document = opened.document.as_ref();
    let mut all = Vec::new();
    for entry in document.outline().entries() {
        all.push(format!("{entry:?}"));
        match document.fields(entry.id) {
            Ok(FieldTree { fields }) => fields.iter().for_each(|field| push_field(field, &mut all)),
            Err(error) => all.push(error.to_string()),
        }
        let (asset, found) = opened.load(entry.id);
        all.push(format!("{} {found:?}", asset.err().map(|error| error.to_string()).unwrap_or_default()));
    }
    let coverage = coverage(document);
    all.push(format!("{:?} {:?}", coverage.unread, coverage.doubled));
    Ok((all, opened.checked().diagnostics))
}

fn push_field(field: &Field, all: &mut Vec<String>) {
    let Field { name, kind, value, offset, size, mirror, children } = field;
    let value = match value {
        Value::Reference(reference) => format!("{} {:?}", reference.path, reference.entry),
        value => format!("{value:?}"),
    };
    all.push(format!("{name} {kind} {offset} {size} {mirror} {value}"));
    match children {
        Children::None => {}
        Children::Fields(fields) => fields.iter().for_each(|field| push_field(field, all)),
        Children::Table(table) => {
            (0..table.len()).for_each(|row| push_field(&table.row(row).unwrap(), all));
        }
    }
}

#[track_caller]
fn assert_same(disk: Result<Opened, OpenError>, memory: Result<Opened, OpenError>, of: &str) {
    let (disk, memory) = (said(disk), said(memory));
    if let (Ok((disk, _)), Ok((memory, _))) = (&disk, &memory) {
        let differs = disk.iter().zip(memory).find(|(disk, memory)| disk != memory);
        assert_eq!(differs, None, "{of}");
        assert!(memory.len() > 10, "{of}: {} lines", memory.len());
    }
    assert!(disk == memory, "{of}");
}

#[test]
fn packages_say_the_same() {
    for (package, _) in packages() {
        let bytes = package.document.source().as_slice();
        let disk = Disk::of(bytes);
        assert_same(disk.open(&package.name), Opening::of(&package.name).open(bytes), &package.name);
    }
}

#[test]
fn damaged_packages_say_the_same() {
    let bytes = include_bytes!("../../assets/samples/BoneRoom.unr");
    let mut noise = Noise::new(18);
    for round in 0..40 {
        let mut damaged = bytes.to_vec();
        if round % 2 == 0 {
            damaged.truncate(noise.below(bytes.len()));
        }
        // Mostly where the tables are: in the header and at the end.
        for _ in 0..1 + noise.below(4) {
            let (start, size) = if round % 3 == 0 { (0, 64) } else { (damaged.len().saturating_sub(4000), 4000) };
            let at = start + noise.below(size);
            if let Some(byte) = damaged.get_mut(at).filter(|_| at >= 4) {
                *byte ^= 1 << noise.below(8);
            }
        }
        assert_same(Disk::of(&damaged).open("a.unr"), Opening::of("a.unr").open(damaged), &format!("round {round}"));
    }
}

#[test]
fn what_is_not_looked_at_is_not_read() {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Core", "TextBuffer");
    for (name, size) in [("First", 1 << 20), ("Second", 2 << 20), ("Third", 64)] {
        package.add(&Export::new(class, name), |out| write_text_buffer(out, &"a".repeat(size)));
    }
    let disk = Disk::of(&package.finish());
    let opened = disk.open("a.u").unwrap();
    let after_opening = disk.read.swap(0, Ordering::Relaxed);
    assert!(after_opening < 64 << 10, "{after_opening} bytes were read to open it");
    let first = EntryId(1);
    opened.document.fields(first).unwrap();
    let after_one = disk.read.swap(0, Ordering::Relaxed);
    assert!((1 << 20..(1 << 20) + 4096).contains(&after_one), "{after_one} bytes were read for one entry");
    opened.document.fields(first).unwrap();
    assert_eq!(disk.read.load(Ordering::Relaxed), 0, "what was read is held");
}

#[test]
fn what_the_disk_does_not_give_is_said_of_the_entry_and_the_rest_stays() {
    let bytes = include_bytes!("../../assets/samples/BoneRoom.unr");
    let disk = Disk::of(bytes);
    let opened = disk.open("BoneRoom.unr").unwrap();
    let entry = opened.document.outline().entries().iter().find(|entry| entry.size > 1000 && entry.id.0 > 0).unwrap();
    disk.is_gone.store(true, Ordering::Relaxed);
    let error = opened.document.fields(entry.id).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.entry),
        ("the file cannot be read: the disk is gone", entry.path().into_owned())
    );
    assert!(opened.load(entry.id).0.unwrap_err().message.contains("the disk is gone"));
    assert!(opened.document.read_bytes(entry.id).unwrap_err().message.contains("the disk is gone"));
    let has_t3d = |entry| opened.document.has(entry, |can, entry| Some(can.editor?.has_t3d(entry)));
    let brush = opened.document.outline().entries().iter().find(|entry| has_t3d(entry.id)).unwrap();
    let text = opened.document.ask(brush.id, |can, entry| can.editor?.t3d(entry));
    assert!(text.unwrap().unwrap_err().message.contains("the disk is gone"));
    let refused = disk.open("BoneRoom.unr").err().unwrap();
    assert!(
        refused.to_string().contains("BoneRoom.unr") && refused.to_string().contains("the disk is gone"),
        "{refused}"
    );
}
