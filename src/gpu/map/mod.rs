//! Levels: what of one is drawn in a picture.

mod layers;
mod level;
mod live;
mod openings;
mod plan;
mod render;
mod targets;

pub use layers::{MapLayers, MapView};
pub use level::GpuMap;
