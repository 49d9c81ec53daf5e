//! Surfaces as the GameCube's and Wii's graphics chip (GX) draws them: textures with their samplers, the combiner (TEV) with all
//! that feeds it, and what animations change of it. Numbers that select something keep the chip's own codes
//! (formats/j3d.md §7.1, formats/j3d-materials.md); [`names`] has their names.

mod material;
mod material_set;
pub mod names;
mod state;
mod texture;

pub use material::{
    AlphaCompare, BlendMode, ChannelControl, ColorCombiner, Fog, IndirectMatrix, IndirectOrder, IndirectStage, Light,
    TevMaterial, TevStage, TexGen, TextureMatrix, ZMode, srt,
};
pub use material_set::{MaterialSet, first_image};
pub use state::{MaterialState, TextureSrt};
pub use texture::{Filter, Texture, Wrap};
