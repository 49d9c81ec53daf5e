//! Levels: what of one is drawn in a picture.

mod brushes;
mod layers;
mod level;
mod live;
mod openings;
mod plan;
mod render;
mod simulating;
mod targets;

pub use layers::{MapLayers, MapView};
pub use level::GpuMap;
