//! Pictures from a device, against references.

#[path = "../kit/mod.rs"]
mod kit;

mod charpipe;
mod crowd;
mod images;
mod left_out;
mod lists;
mod map;
mod map_kit;
mod map_live;
mod map_looks;
mod map_moving;
mod map_windows;
mod modes;
mod outline;
mod pictures;
mod robustness;
mod several;
mod shaders;
mod skinning;
mod sources;
mod terrain;
mod terrain_pictures;
mod tev;
mod tev_draw;
mod vertex_frames;
mod yard;
