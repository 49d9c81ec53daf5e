//! One file a panel. A panel reads what it is given and pushes commands.

pub mod about;
pub mod actors;
pub mod bytes;
pub mod curves;
pub mod entries;
pub mod export;
pub mod gallery;
pub mod image;
pub mod inspector;
pub mod keys;
pub mod library;
pub mod log;
pub mod menu;
pub mod palette;
pub mod sound;
pub mod status;
pub mod text;
pub mod timeline;
mod timeline_rows;
pub mod toasts;
pub mod viewport;
mod viewport_legend;
mod viewport_map;
mod viewport_morphs;
mod viewport_scene;
pub mod welcome;
