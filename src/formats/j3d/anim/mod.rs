//! Animations: every kind of chunk that moves something (formats/j3d.md §2–§5).
//!
//! A chunk is a header, a table of tracks, and banks of numbers that the tracks share. Each kind of chunk is read into a structure
//! of its own, which knows its clip and its entries in the outline. Keys stay as the file has them.

mod animated;
mod animation;
mod bank;
mod channels;
mod clusters;
mod color;
mod header;
mod joints;
mod load;
mod material_colors;
mod part;
mod registers;
mod sounds;
mod srt;
mod tables;
mod texture_matrices;
mod textures;
mod track;
mod vertex_colors;
mod visibility;

pub use animation::{Animation, KINDS};
pub use bank::{Bank, Element};
pub use clusters::ClusterAnimation;
pub use color::{ColorBanks, ColorTracks};
pub use header::{Header, loop_mode_name};
pub use joints::JointAnimation;
pub use load::{load, sound_fields, sounds};
pub use material_colors::MaterialColorAnimation;
pub use registers::{RegisterAnimation, RegisterEntry, RegisterSet};
pub use sounds::{SoundCue, Sounds, read_sounds};
pub use srt::{AxisTracks, SrtBanks, SrtTracks};
pub use texture_matrices::{MatrixSet, TextureMatrixAnimation};
pub use textures::{TextureAnimation, TextureEntry};
pub use track::{Layout, Track};
pub use vertex_colors::{IndexSpan, VertexColorAnimation, VertexColorSet};
pub use visibility::VisibilityAnimation;
