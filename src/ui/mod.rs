//! The window.

pub mod app;
pub mod command;
mod dialogs;
pub mod dock;
mod hierarchy;
pub mod log_buffer;
pub mod panels;
mod run;
mod samples;
mod screenshot;
pub mod settings;
pub mod state;
mod status_file;
mod surfaces;
pub mod theme;
mod viewport_gpu;
mod views;
pub mod widgets;

pub use run::{Options, run};
