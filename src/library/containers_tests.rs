//! Paths that lead into containers.

use super::*;
use crate::formats::FileRequest;
use crate::library::{FolderResolver, read_head};

/// A zip archive of stored members.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let at = (bytes.len() as u32).to_le_bytes();
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let size = (content.len() as u32).to_le_bytes();
        let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
        let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sum.sum().to_le_bytes(), &size, &size, &lengths].concat();
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let (size, at) = ((directory.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    let count = (members.len() as u16).to_le_bytes();
    [&bytes[..], &directory, b"PK\x05\x06\0\0\0\0", &count, &count, &size, &at, &[0, 0]].concat()
}

fn names(names: &[&str]) -> Vec<OsString> {
    names.iter().map(OsString::from).collect()
}

#[test]
fn a_path_leads_through_containers_in_containers() {
    let folder = tempfile::tempdir().unwrap();
    let inner = zip(&[("deep/b.txt", b"inside")]);
    let file = folder.path().join("outer.zip");
    std::fs::write(&file, zip(&[("x/inner.zip", &inner), ("x/a.txt", b"text")])).unwrap();
    let containers = Containers::new(Limits::default());
    let read = |path: &Path| containers.read(path, u64::MAX).map(|(source, _)| source.as_slice().to_vec());
    assert_eq!(read(&file.join("x/a.txt")).unwrap(), b"text");
    assert_eq!(read(&file.join("X/Inner.zip/deep/B.txt")).unwrap(), b"inside");
    assert_eq!(read_head(&file.join("x/a.txt"), 2).unwrap(), b"te");
    assert_eq!(outermost(&file.join("x/inner.zip/deep/b.txt")), Some(&*file));
    assert_eq!(
        (outermost(&file), outermost(folder.path()), outermost(&folder.path().join("none/x"))),
        (None, None, None)
    );
    let inside = |path: &Path| containers.inside(path).map(|inside| (inside.files, inside.folders));
    assert_eq!(inside(&file), Some((Vec::new(), names(&["x"]))));
    assert_eq!(inside(&file.join("x")), Some((names(&["inner.zip", "a.txt"]), Vec::new())));
    assert_eq!(inside(&file.join("x/inner.zip")), Some((Vec::new(), names(&["deep"]))));
    assert_eq!((inside(&file.join("y")), inside(&file.join("x/a.txt"))), (None, None));
    assert!(containers.is_file(&file.join("x/inner.zip")) && !containers.is_file(&file.join("x")));
    assert_eq!(read(&file.join("x")).unwrap_err().message, "a folder in a container, not a file");
    assert_eq!(read(&file.join("x/y")).unwrap_err().message, "cannot find “x/y” in outer.zip");
    assert!(read(&file.join("x/a.txt/y")).unwrap_err().message.contains("is not a container"));
}

#[test]
fn a_container_that_was_written_over_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    let containers = Containers::new(Limits::default());
    for text in [&b"one"[..], b"three", b"seven, and more"] {
        std::fs::write(&file, zip(&[("a.txt", text)])).unwrap();
        assert_eq!(containers.read(&file.join("a.txt"), u64::MAX).unwrap().0.as_slice(), text);
    }
    std::fs::remove_file(&file).unwrap();
    assert!(containers.read(&file.join("a.txt"), u64::MAX).is_err());
}

#[test]
fn containers_in_containers_have_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = zip(&[("a.txt", b"text")]);
    let mut path = PathBuf::from("a.txt");
    for _ in 0..9 {
        bytes = zip(&[("in.zip", &bytes)]);
        path = Path::new("in.zip").join(path);
    }
    let file = folder.path().join("a.zip");
    std::fs::write(&file, bytes).unwrap();
    let containers = Containers::new(Limits::default());
    assert!(containers.read(&file.join(&path), u64::MAX).unwrap_err().message.contains("more than 8 containers"));
    let limits = Limits::default();
    let deeper = Limits { members: crate::bytes::MemberLimits { depth: 10, ..limits.members }, ..limits };
    assert_eq!(Containers::new(deeper).read(&file.join(&path), u64::MAX).unwrap().0.as_slice(), b"text");
}

#[test]
fn what_a_member_refers_to_is_looked_for_in_the_container_then_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Mods/pack.zip");
    std::fs::create_dir_all(folder.path().join("Textures")).unwrap();
    std::fs::create_dir(folder.path().join("Mods")).unwrap();
    std::fs::write(folder.path().join("Textures/Walls.utx"), "outside").unwrap();
    std::fs::write(folder.path().join("Textures/Far.utx"), "far").unwrap();
    let members: &[(&str, &[u8])] = &[("Maps/a.unr", b"map"), ("textures/Walls.utx", b"inside")];
    std::fs::write(&file, zip(members)).unwrap();
    let resolver = FolderResolver::beside(&file.join("Maps/a.unr"), &[]);
    let find = |stem| {
        let request = FileRequest { stem, extensions: &["utx"], subfolders: false, siblings: &["Textures"] };
        resolver.find(&request).map(|found| (found.path, found.source.as_slice().to_vec()))
    };
    assert_eq!(find("walls"), Some((file.join("textures/Walls.utx"), b"inside".to_vec())));
    assert_eq!(find("far"), Some((folder.path().join("Textures/Far.utx"), b"far".to_vec())));
    assert_eq!(find("none"), None);
    let found = resolver.find_path("Maps/a.unr", 100).unwrap();
    assert_eq!((found.name.as_str(), found.source.as_slice()), ("a.unr", &b"map"[..]));
}

#[test]
fn a_member_that_is_too_large_is_read_where_a_person_wants_it_and_no_other_is() {
    let folder = tempfile::tempdir().unwrap();
    let inner = zip(&[("a.txt", b"text"), ("b.txt", b"more")]);
    let file = folder.path().join("a.zip");
    std::fs::write(&file, zip(&[("in.zip", &inner), ("too.zip", &inner)])).unwrap();
    let limits = Limits::default();
    let few = Limits { members: crate::bytes::MemberLimits { count: 1, ..limits.members }, ..limits };
    let containers = Containers::new(few);
    let (wanted, other) = (file.join("in.zip/a.txt"), file.join("too.zip/a.txt"));
    assert_eq!(containers.read(&wanted, u64::MAX).unwrap_err().code, Some("container.bomb-count"));
    containers.wishes().lift(&file, false);
    containers.wishes().lift(&file.join("in.zip"), false);
    assert_eq!(containers.read(&wanted, u64::MAX).unwrap().0.as_slice(), b"text");
    assert_eq!(containers.read(&other, u64::MAX).unwrap_err().code, Some("container.bomb-count"));
    containers.wishes().lift(&file, true);
    assert_eq!(containers.read(&other, u64::MAX).unwrap().0.as_slice(), b"text");
}

#[test]
fn files_in_a_container_are_counted_as_those_on_the_disk_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    let bytes = [0; 40];
    std::fs::write(&file, zip(&[("a.png", &bytes), ("b.png", &bytes), ("c.png", &bytes)])).unwrap();
    let resolver = FolderResolver::beside(&file.join("mesh.psk"), &[]).within(90);
    let finds = |stem| {
        let request = FileRequest { stem, extensions: &["png"], subfolders: false, siblings: &[] };
        resolver.find(&request).is_some()
    };
    assert_eq!(["a", "b", "c", "a"].map(finds), [true, true, false, true]);
}
