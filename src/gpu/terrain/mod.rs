//! Landscapes: the ground in patches whose fineness goes by distance, the sea, and what stands on it.

mod bodies;
mod data;
mod draw;
mod ground;
mod kit;
mod look;
mod overlay;
mod patch_mesh;
mod patches;
mod prop_shapes;
mod props;
mod ramp;
mod relief;
mod seen;
mod zones;

pub use draw::GpuTerrain;
pub(super) use draw::TerrainPass;
pub(super) use kit::TerrainKit;
pub use look::kind_color;
