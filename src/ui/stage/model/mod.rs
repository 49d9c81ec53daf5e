//! A model on the stage.

pub mod legend;
mod missing;
pub mod morphs;
pub mod panel;
pub mod scene;
pub mod scene_list;
mod scene_row;
