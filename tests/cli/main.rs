//! The command line, run as a program.

#[path = "../kit/mod.rs"]
mod kit;

mod export;
mod export_limits;
mod pose;
mod render;
mod verbs;
