//! Drawing: models of [`crate::scene`] into an off-screen target that the window shows and the command line saves.
//!
//! Skinning runs in the vertex stage over influence runs of any length; where a device has no storage buffers there, it
//! runs on the CPU and vertices are uploaded. Colours are gamma-space from texture to target: nothing is encoded or decoded
//! on the way. Sizes that come from files are held against the device's limits before anything is created.

mod billboards;
mod buffers;
mod context;
mod draws;
mod error;
mod frame_buffers;
mod geometry;
mod globals;
mod item;
mod layouts;
mod lines;
mod map;
mod model;
mod outline;
mod outline_mask;
mod pipeline_cache;
mod pipelines;
mod program_key;
mod readback;
mod renderer;
mod seen_place;
mod shaders;
mod shadow;
mod studio;
mod surface_drawing;
mod target;
mod terrain;
mod tev;
mod tev_uniforms;
mod texture;
mod view;

pub use context::{ContextOptions, GpuContext};
pub use error::GpuError;
pub use item::Item;
pub use item::{ItemLook, Mark, Tint};
pub use lines::Line;
pub use map::{GpuMap, MapLayers, MapView};
pub use model::GpuModel;
pub use readback::read_skinned;
pub use renderer::SceneRenderer;
pub use shaders::{SHADERS, shader_source};
pub use studio::{PictureRoom, Studio, Take, take_of};
pub use target::{RenderTarget, WINDOW_FILTER};
pub use terrain::{GpuTerrain, kind_color};
pub use tev::tev_shader;
pub use view::Through;
pub use view::{
    AXIS_COLORS, Background, ColorChannel, GxLights, GxSettings, LIST_COLORS, LightSettings, Shading, ViewSettings,
};
