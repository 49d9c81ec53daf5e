//! Materials as the GameCube's and Wii's graphics chip draws them (formats/j3d-materials.md §8): a shader for each state of the
//! combiner with all that feeds it, whose colours, matrices and textures are data.

mod combiner;
mod data;
mod model;
mod program;
mod state;
mod texgens;
mod textures;

pub(super) use data::{Surroundings, block_of};
pub(super) use model::GpuTev;
pub(super) use program::source_of;
pub use program::tev_shader;
pub(super) use state::{TevState, blend_of, cull_of, depth_of};
pub(super) use textures::TextureSet;
