//! What is shown, as files that other programs read.

pub mod actorx;
mod all;
mod dds;
mod entry;
mod error;
mod folders;
mod format;
pub mod glb;
mod job;
pub mod json;
pub mod obj;
pub mod path;
mod picture;
mod png;
pub mod sound;
pub mod terrain;
mod text;
mod wav;
pub mod write;

pub use all::{Failed, Item, MANIFEST, Manifest, Tree, Unopened, What, export_all};
pub use entry::{ClipsFor, ExportSource, Exported, export_entry, natural_stem};
pub use error::ExportError;
pub use folders::make_folders;
pub use format::{ExportFormat, formats_for, natural_format};
pub use job::ExportJob;
pub use png::png;
pub use wav::wav;
