//! The command line, run as a program.

#[path = "../kit/mod.rs"]
mod kit;
#[path = "../kit/schemas.rs"]
mod schemas;

mod containers;
mod corpus;
mod desktop;
mod diff;
mod export;
mod export_all;
#[cfg(unix)]
mod export_faults;
mod export_gltf;
mod export_limits;
mod export_lods;
mod find;
mod index;
#[cfg(unix)]
mod pipes;
mod pose;
mod render;
mod render_moving;
mod schema;
mod statuses;
mod thumbnails;
mod verbs;
