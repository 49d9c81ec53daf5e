//! A disk in memory, with the functions of [`std::fs`] that the program uses. Paths are absolute and begin with `/`; there are no links.
//! All of it is one disk: that of the page.

mod disk;
mod file;
mod metadata;
#[cfg(test)]
mod tests;

pub use disk::{
    absolute, canonicalize, create_dir, create_dir_all, hard_link, metadata, now, place, process_number, read,
    read_dir, remove_file, rename, symlink_metadata, write,
};
pub use file::{File, OpenOptions};
pub use metadata::{DirEntry, FileType, Metadata};
