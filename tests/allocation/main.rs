//! Memory and time that hostile files may take. One at a time: the allocator counts every thread.

#[path = "../kit/mod.rs"]
mod kit;

mod charpipe_hostile;
mod counts;
mod heap;
mod hostile_files;
mod j3d_hostile;
mod json_export;
mod mesh3d;
mod music;
mod p3d;
mod unreal_hostile;
mod visitor_bombs;
mod visitor_hostile;
mod wrp;
