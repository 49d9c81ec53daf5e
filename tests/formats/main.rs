//! Reading every family: reference values, made files, damage.

#[path = "../kit/mod.rs"]
mod kit;

mod actorx_chunks;
mod actorx_files;
mod actorx_pose;
mod archives;
mod budget;
mod charpipe_animations;
mod charpipe_borrowed;
mod charpipe_faces;
mod charpipe_made;
mod charpipe_made_clips;
mod charpipe_meshes;
mod charpipe_models;
mod charpipe_pose;
mod charpipe_textures;
mod damage;
mod j3d_animation_values;
mod j3d_animations;
mod j3d_made;
mod j3d_made_models;
mod j3d_models;
mod j3d_pose;
mod j3d_textures;
mod p3d;
mod samples;
mod unreal_bounds;
mod unreal_bytecode;
mod unreal_corpus;
mod unreal_hostile;
mod unreal_links;
mod unreal_made;
mod unreal_map;
mod unreal_meshes;
mod unreal_procedural;
mod unreal_script;
mod unreal_sound;
mod unreal_textures;
mod visitor;
mod visitor_large;
mod visitor_made;
mod visitor_models;
mod visitor_moved;
mod visitor_readings;
mod wrp;
