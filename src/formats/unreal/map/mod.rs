//! Brushes and levels: Polys, Model and Level (formats/unreal.md §9), read to the byte.

mod database;
mod level;
mod model;
mod poly_flags;
mod polys;

pub use database::{read_nodes, read_surfs, read_vectors, read_verts};
pub use level::{Level, read_level};
pub use model::{Model, read_model};
pub use polys::{Poly, read_polys};
