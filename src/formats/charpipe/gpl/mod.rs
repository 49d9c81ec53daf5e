//! Geometry palettes: meshes and how they are drawn (formats/charpipe.md §4).

pub mod state;
