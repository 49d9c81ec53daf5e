//! What tests share: where test files are, an honest count of what was left out, opening, settling, comparing, noise, and
//! files and scenes made in code.
#![allow(dead_code, reason = "each test executable uses its part")]

pub mod actorx;
pub mod app;
pub mod charpipe;
pub mod codes;
pub mod containers;
pub mod containers_uz;
pub mod damages;
pub mod device;
pub mod discs;
pub mod exercise;
pub mod files;
pub mod gltf_look;
pub mod island;
pub mod isos;
pub mod j3d;
pub mod level;
pub mod near;
pub mod noise;
pub mod open;
pub mod p3d;
pub mod paa;
pub mod program;
pub mod read_back;
pub mod remains;
pub mod sha1;
pub mod sounds;
pub mod sparse;
pub mod terrain;
pub mod unreal;
pub mod visitor;
pub mod wrp;

#[path = "../../benches/made/mod.rs"]
pub mod made;
#[path = "../../benches/made_charpipe/mod.rs"]
pub mod made_charpipe;
#[path = "../../benches/made_j3d/mod.rs"]
pub mod made_j3d;
#[path = "../../benches/made_visitor/mod.rs"]
pub mod made_visitor;

#[allow(unused_imports, reason = "each test executable uses its part")]
pub use files::{corpus, corpus_beside, data, files_below, required, samples, skipped};
pub use noise::Noise;
