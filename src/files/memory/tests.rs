use super::*;
use std::{
    io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

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
    assert_eq!((read("/list/a/two").unwrap(), read("list/a/deep/three").unwrap()), (b"22".to_vec(), b"333".to_vec()));
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
    // Nor is it what is written under its name later.
    write("/names/other", b"3").unwrap();
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
