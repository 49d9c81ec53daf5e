//! What is written, read back.

#[path = "../kit/mod.rs"]
mod kit;

mod actorx;
mod actorx_families;
mod animated;
mod animations;
mod charpipe;
mod glb;
mod instances;
mod j3d;
mod library;
mod map;
mod materials;
mod sources;
mod space;
mod terrain;
mod terrain_models;
mod terrain_obj;
mod terrain_pictures;
mod texture_size;
mod unreal3d;
mod vertex_frames;
mod visitor;
