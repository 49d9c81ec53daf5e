//! The window without a display: panels, state, commands.

#[path = "../kit/mod.rs"]
mod kit;

mod app;
mod archive;
mod bytes;
mod charpipe;
mod charpipe_clips;
mod charpipe_surface;
mod clips;
mod curves;
mod export;
mod faults;
mod find;
mod hidden_parts;
mod image;
mod layers;
mod library;
mod map;
mod marks;
mod mixed;
mod modes;
mod morphs;
mod palette;
mod panels;
mod parts;
mod picture_files;
mod primary;
mod restart;
mod scene;
mod sections;
mod session;
mod several;
mod skins;
mod sound;
mod stage;
mod surface;
mod survey;
mod terrain;
mod terrain_pages;
mod text;
mod texturing;
mod timeline;
mod transport;
mod view_files;
mod watching;
