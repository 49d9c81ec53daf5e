//! A model on the stage.

pub mod legend;
pub mod marks;
mod missing;
pub mod morphs;
pub mod panel;
pub mod scene;
pub mod scene_list;
mod scene_row;
pub mod uv_layout;
