//! What a stage shows, a folder for each kind of content.

pub mod breadcrumb;
pub mod gallery;
pub mod image;
pub mod landscape;
pub mod level;
pub mod model;
pub mod sound;
pub mod table;
pub mod text;
