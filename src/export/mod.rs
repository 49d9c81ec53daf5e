//! What is shown, as files that other programs read.

mod error;
mod folders;
pub mod glb;
pub mod json;
pub mod path;
mod png;
pub mod write;

pub use error::ExportError;
pub use folders::make_folders;
pub use png::png;
