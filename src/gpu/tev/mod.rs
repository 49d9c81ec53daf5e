//! Materials as the GameCube's and Wii's graphics chip draws them (formats/j3d-materials.md §8): a shader for each state of the
//! combiner with all that feeds it, whose colours, matrices and textures are data.

mod channels;
mod combiner;
mod data;
mod fragment;
mod indirect;
mod key;
mod model;
mod program;
mod stage;
mod state;
mod texgens;
mod textures;
mod vertex;

pub(super) use data::TevBlock;
pub(super) use key::ProgramKey;
pub(super) use model::GpuTev;
pub use program::tev_shader;
pub(super) use program::{Programs, source_of};
pub(super) use stage::{TevStage, scene_of};
pub(super) use state::{TevState, blend_of, cull_of, depth_of};
