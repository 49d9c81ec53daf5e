//! Landscapes: the ground in patches whose fineness goes by distance, the sea, and what stands on it.

mod bodies;
mod data;
mod draw;
mod ground;
mod overlay;
mod patches;
mod props;
mod relief;
mod resources;
mod zones;

pub use draw::GpuTerrain;
pub(super) use draw::TerrainPass;
pub use props::kind_color;
pub(super) use resources::TerrainResources;
