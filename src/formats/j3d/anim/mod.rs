//! Animations: every kind of chunk that moves something (formats/j3d.md §2–§5).
//!
//! A chunk is a header, a table of tracks, and banks of numbers that the tracks share. Each kind of chunk is read into a structure
//! of its own, which knows its clip and its entries in the outline. Keys stay as the file has them.

mod animation;
mod color;
mod joints;
mod load;
mod material_colors;
mod part;
mod shapes;
mod srt;
mod tables;
mod textures;
mod track;

pub use animation::{Animation, KINDS};
pub use color::{ColorBanks, ColorTracks};
pub use joints::JointAnimation;
pub use load::{SoundCue, Sounds, read_sounds};
pub use load::{load, sound_fields, sounds};
pub use material_colors::MaterialColorAnimation;
pub use material_colors::{RegisterAnimation, RegisterEntry, RegisterSet};
pub use shapes::ClusterAnimation;
pub use shapes::VisibilityAnimation;
pub use shapes::{IndexSpan, VertexColorAnimation, VertexColorSet};
pub use srt::{AxisTracks, SrtBanks, SrtTracks};
pub use tables::{Header, loop_mode_name};
pub use textures::{MatrixSet, TextureMatrixAnimation};
pub use textures::{TextureAnimation, TextureEntry};
pub use track::{Bank, Element};
pub use track::{Layout, Track};
