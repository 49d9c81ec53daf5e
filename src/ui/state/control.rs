//! What the window does with what it knows, a file for each matter.

pub(in crate::ui::state) mod companions;
mod curves;
mod exporting;
pub(in crate::ui::state) mod exporting_all;
mod flying;
mod framing;
mod landscape;
mod landscape_objects;
mod landscape_statistics;
mod level;
mod library;
mod links;
pub(in crate::ui::state) mod opening;
mod parts;
mod picture;
mod playing;
mod presenting;
mod readings;
mod receiving;
mod scene;
mod scene_clips;
mod showing;
mod sound;
mod stages;
pub(in crate::ui::state) mod texturing;
mod thumbnails;
mod top_down;
