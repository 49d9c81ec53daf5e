//! Surfaces as the GameCube's and Wii's graphics chip (GX) draws them: textures with their samplers, the combiner (TEV) with all
//! that feeds it, and what animations change of it. What selects something is an enum that keeps codes
//! the chip does not have, or the chip's own code (formats/j3d.md §7.1, formats/j3d-materials.md); [`names`] has their names.

mod blend;
mod channels;
mod codes;
mod combiner;
mod fog;
pub mod formula;
mod indirect;
mod material;
pub mod names;
mod pixel;
pub mod sentences;
mod state;
mod texgen;
mod texture;
mod texture_matrix;

pub use super::model::MaterialSet;
pub use channels::LightRig;
pub use channels::{LitVertex, channel_colors, lit_normal};
pub use codes::{
    AlphaInput, AlphaOp, Attenuation, BlendFactor, BlendKind, ColorInput, CombineBias, CombineOp, CombineScale,
    Compare, CullMode, Diffuse, LogicOp, MapMode, Register,
};
pub use combiner::{StageInputs, combine, initial_registers, konst_alpha, konst_color, swapped};
pub use indirect::{Carried, TEXEL, step as indirect_step};
pub use material::{
    AlphaCombiner, AlphaCompare, BlendMode, ChannelControl, ColorCombiner, Combiner, Fog, IndirectMatrix,
    IndirectOrder, IndirectStage, Light, TevMaterial, TevStage, TexGen, TextureMatrix, TextureSrt, ZMode, srt,
};
pub use pixel::{Pixel, coord_sizes, shade_pixel};
pub use state::Constants;
pub use state::MaterialState;
pub use texgen::{TexturedVertex, texture_coords};
pub use texture::sample;
pub use texture::{Filter, Texture, Wrap, first_image};
pub use texture_matrix::{CoordTransform, FirstMatrix, SelectedMatrix, first_matrix, post_matrix};
