//! Writes RARC archives and packs with Yaz0 and Yay0 (formats/j3d.md §10, §11): samples, tests and benches write through this.
//! Made from that document alone.

mod lz;
mod rarc;

pub use lz::{encode_yay0, encode_yaz0};
pub use rarc::{ArchiveFile, Folder, encode_rarc};
