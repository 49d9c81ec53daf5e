//! Landscapes: the ground in patches whose fineness goes by distance, the sea, and what stands on it.

mod bodies;
mod data;
mod draw;
mod ground;
mod look;
mod overlay;
mod patch_mesh;
mod patches;
mod prop_shapes;
mod props;
mod ramp;
mod relief;
mod resources;
mod seen;
mod zones;

pub use draw::GpuTerrain;
pub(super) use draw::TerrainPass;
pub use look::kind_color;
pub(super) use resources::TerrainResources;
